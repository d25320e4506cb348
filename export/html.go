package export

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/ascii85"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"io/fs"
	"log/slog"
	"regexp"
	"strings"
	"sync"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/font/subset"
)

// writeHTML makes one file that needs nothing else: fonts, pictures and the
// paginator are inside, and its policy lets it load and run nothing more.
func writeHTML(ctx context.Context, s *Service, r *run) (*File, error) {
	r.alone = true
	doc, err := s.compile(ctx, r, inlineAsset, s.pictures(r, true), headMark)
	if err != nil {
		return nil, err
	}
	out := &spool{dir: s.cfg.SpoolDir}
	if _, err := out.Write(bytes.Replace(doc.HTML, []byte(headMark), []byte(standaloneHead(doc.HTML)), 1)); err != nil {
		out.discard()
		return nil, err
	}
	file, err := out.finish(fileName(doc.Title, "html"), "text/html; charset=utf-8")
	if err != nil {
		return nil, err
	}
	file.Warnings = doc.Warnings
	return file, nil
}

// inlineAsset is a font as part of the document.
func inlineAsset(_, name string) string {
	content, err := fs.ReadFile(assets.Fonts(), name)
	if err != nil {
		return ""
	}
	return dataURI("font/woff2", content)
}

// alone is what makes a document small that brings everything along.
func (s *Service) alone(address func(kind, name string) string, own func(file string) bool) *htmlgen.Alone {
	return &htmlgen.Alone{Script: distFile("file.js"), Font: func(face *htmlgen.FontFace, shown *htmlgen.Shown) string {
		if own(face.File) { // somebody brought it
			return address("font", face.File)
		}
		small, err := s.cfg.Subset.WOFF2(face.File, func() ([]byte, error) { return fs.ReadFile(assets.Fonts(), face.File) }, subset.Wish{Chars: shown.Chars, Variants: shown.Variants})
		if err != nil { // the whole one is the same, but large
			slog.Warn("a font is not made smaller", "error", err)
			return address("font", face.File)
		}
		return dataURI("font/woff2", small)
	}}
}

// headMark is where the head of an HTML file comes to stand, which its text decides. No
// author can know it, and write it in a theme before: the file would have no policy.
var headMark = `<meta name="` + rand.Text() + `">`

// needsCraft is what file.js knows nothing of: justified text, footnotes and formulas.
var needsCraft = regexp.MustCompile(`text-align: ?justify|q-note|<math[ >]`)

// standaloneHead is the policy and the script of an HTML file.
func standaloneHead(document []byte) string {
	name := "file.js"
	if needsCraft.Match(document) {
		name = "filewhole.js"
	}
	script := distFile(name)
	lastHeads.Lock()
	defer lastHeads.Unlock()
	last := lastHeads.of[name]
	if last.script != script {
		last.script, last.head = script, packedHead(script)
		lastHeads.of[name] = last
	}
	return last.head
}

// lastHeads are kept: to pack a script takes longer than a report.
var lastHeads = struct {
	sync.Mutex
	of map[string]struct{ script, head string }
}{of: map[string]struct{ script, head string }{}}

// readingCSS is how a file looks before its pages are made, or without scripts.
//
//go:embed reading.css
var readingCSS string

// unpacking starts a script that is packed: its bytes are written as ascii85 with other
// signs for three that have a meaning in HTML or JavaScript. Browsers have what it uses
// since 2023; in older ones the report stays a column. On a phone it does so until somebody asks for pages.
const unpacking = `matchMedia("(max-width:600px)").matches||document.documentElement.classList.add("q-busy");{const d="%s".replace(/z/g,"!!!!!"),b=new DataView(new ArrayBuffer(d.length/5*4));` +
	`for(let i=0;i<d.length;i+=5){let v=0;for(let j=0;j<5;j++){const c=d.charCodeAt(i+j);v=v*85+(c>117?[34,92,60][c-118]:c)-33}b.setUint32(i/5*4,v)}` +
	`new Response(new Blob([b.buffer.slice(0,%d)]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text().then(t=>{const s=document.createElement("script");s.textContent=t;document.head.append(s)})}`

var harmless = strings.NewReplacer(`"`, "v", `\`, "w", "<", "x")

// packedHead is the policy, which allows what unpacks the script and the script, and
// the first of them with the other inside.
func packedHead(script string) string {
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, flate.BestCompression) // the level is one
	_, _ = io.WriteString(w, script)
	_ = w.Close()
	size := packed.Len()
	packed.Write(make([]byte, -size&3)) // whole groups
	text := make([]byte, ascii85.MaxEncodedLen(packed.Len()))
	text = text[:ascii85.Encode(text, packed.Bytes())]
	start := fmt.Sprintf(unpacking, harmless.Replace(string(text)), size)
	policy := "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; script-src " + hashOf(start) + " " + hashOf(script)
	return `<meta name="viewport" content="width=device-width, initial-scale=1"><style>` + strings.ReplaceAll(readingCSS[strings.Index(readingCSS, "*/")+2:], "\n", "") + `</style><meta http-equiv="Content-Security-Policy" content="` + policy + `"><script>` + start + `</script>`
}

// hashOf is a script as a policy names it.
func hashOf(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func distFile(name string) string {
	content, err := fs.ReadFile(assets.Dist(), name)
	if err != nil {
		panic("export: " + err.Error()) // embedded; the build is broken
	}
	return string(content)
}

// PreviewRequest asks for a report as a page for people.
type PreviewRequest struct {
	Request
	AssetBase string // address below which scripts and fonts are, such as "/reports/assets"
}

// Preview is a report as a page for people.
type Preview struct {
	HTML     []byte
	CSP      string // Content-Security-Policy that the page is to be sent with
	Warnings report.Problems
	// Data is what the sources gave while somebody edits the report; else nil.
	Data *report.Object
	// Samples are the values that were made for parameters without one.
	Samples *report.Object
	// Lint is what is odd about the report, for the person who edits it.
	Lint []Finding
}

// Preview makes the page that shows a report in a browser: the document that is
// printed, with the script that makes the same pages of it on screen.
func (s *Service) Preview(ctx context.Context, req PreviewRequest) (*Preview, error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	ctx, leave := s.enter(ctx, req.Workspace, req.UserID)
	defer leave()
	r, err := s.prepare(ctx, req.Request)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	base := strings.TrimSuffix(req.AssetBase, "/")
	fonts := func(_, name string) string { return base + "/fonts/" + name }
	doc, err := s.compile(ctx, r, fonts, s.pictures(r, true), previewHead(base))
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	shown := &Preview{HTML: doc.HTML, CSP: previewPolicy, Warnings: doc.Warnings, Samples: r.samples}
	if req.Definition != nil {
		shown.Data, shown.Lint = r.data.Data, s.lint(r)
	}
	return shown, nil
}

// EmptyPreview is the page of a preview without a report, for the script that asks
// for what is missing.
func EmptyPreview(lang, title, assetBase string) *Preview {
	doc := fmt.Sprintf(`<!doctype html><html lang="%s"><head><meta charset="utf-8"><title>%s</title>%s</head><body class="q-doc"></body></html>`,
		html.EscapeString(lang), html.EscapeString(title), previewHead(strings.TrimSuffix(assetBase, "/")))
	return &Preview{HTML: []byte(doc), CSP: previewPolicy}
}

// previewPolicy lets a preview run our script and load our fonts, and nothing
// else from anywhere.
const previewPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'"

func previewHead(base string) string {
	return `<meta name="viewport" content="width=device-width, initial-scale=1"><script src="` + base + `/preview.js" defer></script>`
}
