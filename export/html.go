package export

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"io/fs"
	"strings"
	"sync"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/report"
)

// writeHTML makes one file that needs nothing else: fonts, pictures and the
// paginator are inside, and its policy lets it load and run nothing more.
func writeHTML(ctx context.Context, s *Service, r *run) (*File, error) {
	r.alone = true
	doc, err := s.compile(ctx, r, inlineAsset, s.pictures(r, true), standaloneHead())
	if err != nil {
		return nil, err
	}
	out := &spool{dir: s.cfg.SpoolDir}
	if _, err := out.Write(doc.HTML); err != nil {
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

// standaloneHead is the policy and the script of an HTML file.
func standaloneHead() string {
	script := distFile("preview.js")
	alone.Lock()
	defer alone.Unlock()
	if alone.script != script {
		alone.script, alone.head = script, packedHead(script)
	}
	return alone.head
}

// alone keeps the head that was made last: to pack its script takes longer than a report.
var alone struct {
	sync.Mutex
	script, head string
}

// unpacking starts what is packed between its halves. Browsers have what it uses since
// 2023; in older ones the report stays as it is without scripts.
const (
	unpacking = `new Response(new Blob([Uint8Array.from(atob("`
	unpacked  = `"),c=>c.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text().then(t=>{const s=document.createElement("script");s.textContent=t;document.head.append(s)})`
)

// packedHead is the policy, which allows what unpacks the script and the script, and
// the first of them with the other inside.
func packedHead(script string) string {
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, flate.BestCompression) // the level is one
	_, _ = io.WriteString(w, script)
	_ = w.Close()
	start := unpacking + base64.StdEncoding.EncodeToString(packed.Bytes()) + unpacked
	policy := "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; script-src " + hashOf(start) + " " + hashOf(script)
	return `<meta http-equiv="Content-Security-Policy" content="` + policy + `"><script>` + start + `</script>`
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
