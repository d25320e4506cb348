package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"

	"github.com/google/go-cmp/cmp"
)

// The files in testdata: links.pdf and tagged.pdf were printed by Chromium,
// with a link to #x, one to #y that is missing, and one to an outside address;
// objstm.pdf is links.pdf rewritten by qpdf with object and cross-reference
// streams.

type bytesPart []byte

func (p bytesPart) Open() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(p)), nil }

type brokenPart struct{}

func (brokenPart) Open() (io.ReadCloser, error) { return nil, io.ErrUnexpectedEOF }

func load(t testing.TB, names ...string) []bytesPart {
	t.Helper()
	var parts []bytesPart
	for _, n := range names {
		b, err := os.ReadFile(filepath.Join("testdata", n))
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, b)
	}
	return parts
}

func finish(t testing.TB, parts []bytesPart, o Options) []byte {
	t.Helper()
	var out bytes.Buffer
	info, err := Finish(context.Background(), &out, parts, o)
	if err != nil {
		t.Fatal(err)
	}
	if info.Bytes != int64(out.Len()) {
		t.Errorf("info says %d bytes of %d", info.Bytes, out.Len())
	}
	return out.Bytes()
}

func facts(t testing.TB, b []byte, password string) *Facts {
	t.Helper()
	f, err := ReadFacts(context.Background(), b, password)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// check has other programs read the file: pdfcpu, and qpdf where it is installed.
func check(t testing.TB, b []byte, password string) {
	t.Helper()
	if plainPassword(password) {
		api.DisableConfigDir()
		conf := model.NewDefaultConfiguration()
		conf.UserPW = password
		if err := api.Validate(bytes.NewReader(b), conf); err != nil {
			t.Errorf("pdfcpu: %v", err)
		}
	}
	program, err := exec.LookPath("qpdf")
	if err != nil {
		return
	}
	file := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program, "--check", "--password="+password, file).CombinedOutput(); err != nil {
		t.Errorf("qpdf: %v\n%s", err, out)
	}
}

// plainPassword says whether pdfcpu takes the password: it refuses some that
// other programs, and the format, allow.
func plainPassword(password string) bool {
	for _, r := range password {
		if r <= ' ' || r > '~' {
			return false
		}
	}
	return true
}

func TestFinish(t *testing.T) {
	anchors := []Anchor{
		{ID: "h-1", Page: 1, Level: 1, Text: "Overview"},
		{ID: "h-2", Page: 1, Y: 200, Level: 2, Text: "Übersicht, Обзор"},
		{ID: "h-3", Page: 2, Level: 4, Text: "Too deep"},
		{ID: "h-4", Page: 2, Level: 1, Text: "Next"},
		{ID: "off", Page: 99, Level: 1, Text: "Beyond the end"},
		{ID: "y", Page: 2, X: 10, Y: 20},
	}
	tests := []struct {
		name  string
		parts []string
		o     Options
		want  string // lines of the facts that must be there
	}{
		{
			"one part",
			[]string{"links.pdf"},
			Options{Title: "Größe", Lang: "de-DE", Author: "A", Subject: "S", Keywords: "K", Creator: "C"},
			"pages: 1\ntitle: Größe\nauthor: A\nsubject: S\nkeywords: K\ncreator: C\nlanguage: de-DE\ntagged: false\n  link to page 1\n  link to https://e.com/",
		},
		{"the browser's language", []string{"tagged.pdf"}, Options{}, "language: de\ntagged: true"},
		{"parts of several kinds", []string{"links.pdf", "objstm.pdf", "tagged.pdf"}, Options{}, "pages: 3\ntagged: true"},
		{
			"outline",
			[]string{"links.pdf", "tagged.pdf"},
			Options{Anchors: anchors, Outline: true},
			"outline: Overview, page 1\noutline:   Übersicht, Обзор, page 1\noutline:     Too deep, page 2\noutline: Next, page 2",
		},
		{"a link into another part", []string{"tagged.pdf", "links.pdf"}, Options{Anchors: anchors}, "page 1: 209.89 x 297.01 mm\n  link to page 1\n  link to page 2\n  link to https://e.com/"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := finish(t, load(t, tt.parts...), tt.o)
			check(t, b, "")
			got := facts(t, b, "").String()
			for _, line := range strings.Split(tt.want, "\n") {
				if !strings.Contains(got, line+"\n") {
					t.Errorf("no line %q in\n%s", line, got)
				}
			}
		})
	}
}

func TestStructureOfPartsIsJoined(t *testing.T) {
	one := facts(t, finish(t, load(t, "tagged.pdf"), Options{}), "")
	b := finish(t, load(t, "tagged.pdf", "links.pdf", "tagged.pdf", "tagged.pdf"), Options{})
	check(t, b, "")
	many := facts(t, b, "")
	for tag, n := range one.Tags {
		want := 3 * n
		if tag == "Document" {
			want = 1
		}
		if many.Tags[tag] != want {
			t.Errorf("%s: %d, want %d", tag, many.Tags[tag], want)
		}
	}
	f, err := open(b)
	if err != nil {
		t.Fatal(err)
	}
	checkTree(t, f)
}

// checkTree checks what screen readers rely on: every header that a cell names
// exists once, and the parent tree has every key that pages and links use.
func checkTree(t *testing.T, f *file) {
	t.Helper()
	catalog, _ := f.dict(f.trailer.get("Root"))
	root, _ := f.dict(catalog.get("StructTreeRoot"))
	keys, ids := map[int]bool{}, map[string]bool{}
	leaves(f, root.get("ParentTree"), "Nums", func(k any) {
		if keys[k.(int)] {
			t.Errorf("key %v twice", k)
		}
		keys[k.(int)] = true
	})
	leaves(f, root.get("IDTree"), "Names", func(k any) { ids[string(k.(text))] = true })
	used, named := 0, 0
	for num := range f.xref {
		v, err := f.object(num)
		if err != nil {
			t.Fatal(err)
		}
		d, _ := v.(dict)
		for _, e := range []any{d.get("StructParents"), d.get("StructParent")} {
			if k, ok := e.(int); ok {
				used++
				if !keys[k] {
					t.Errorf("key %d is not in the parent tree", k)
				}
			}
		}
		if id, ok := d.get("ID").(text); ok && d.name("Type") == "StructElem" && !ids[string(id)] {
			t.Errorf("identifier %q is not in its tree", id)
		}
		eachHeader(d.get("A"), func(id text) {
			named++
			if !ids[string(id)] {
				t.Errorf("a cell names %q, which is missing", id)
			}
		})
	}
	if used == 0 || named == 0 {
		t.Error("nothing was checked")
	}
}

func eachHeader(v any, fn func(text)) {
	switch v := v.(type) {
	case array:
		for _, e := range v {
			eachHeader(e, fn)
		}
	case dict:
		headers, _ := v.get("Headers").(array)
		for _, h := range headers {
			fn(h.(text))
		}
	}
}

func leaves(f *file, node any, key name, fn func(any)) {
	d, _ := f.dict(node)
	pairs, _ := f.array(d.get(key))
	for i := 0; i+1 < len(pairs); i += 2 {
		fn(pairs[i])
	}
	kids, _ := f.array(d.get("Kids"))
	for _, kid := range kids {
		leaves(f, kid, key, fn)
	}
}

func TestLinksBetweenParts(t *testing.T) {
	b := bytes.Replace(load(t, "links.pdf")[0], []byte("(https://e.com/)"), []byte("("+LinkBase+"h-%C3%A4)"), 1)
	b = withXref(b)
	for anchor, want := range map[string]string{"h-ä": "page 2", "other": "nowhere"} {
		out := finish(t, []bytesPart{b, load(t, "tagged.pdf")[0]}, Options{Anchors: []Anchor{{ID: anchor, Page: 2, Y: 96}}})
		check(t, out, "")
		links := facts(t, out, "").Pages[0].Links
		if links[len(links)-1] != want {
			t.Errorf("with anchor %q the link leads to %s, want %s", anchor, links[len(links)-1], want)
		}
	}
}

// withXref gives a file whose objects have moved a new table.
func withXref(b []byte) []byte {
	b = b[:bytes.Index(b, []byte("\nxref\n"))+1]
	var table bytes.Buffer
	n := 0
	for bytes.Contains(b, fmt.Appendf(nil, "\n%d 0 obj", n+1)) {
		n++
	}
	fmt.Fprintf(&table, "xref\n0 %d\n0000000000 65535 f \n", n+1)
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&table, "%010d 00000 n \n", bytes.Index(b, fmt.Appendf(nil, "\n%d 0 obj", i))+1)
	}
	fmt.Fprintf(&table, "trailer\n<</Size %d/Root 11 0 R>>\nstartxref\n%d\n%%%%EOF\n", n+1, len(b))
	return append(b, table.Bytes()...)
}

func TestProtection(t *testing.T) {
	tests := []struct {
		name string
		p    Protection
	}{
		{"nothing allowed", Protection{UserPassword: "geheim"}},
		{"printing", Protection{UserPassword: "geheim", AllowPrinting: true}},
		{"copying", Protection{UserPassword: "пароль ﬁ", AllowCopying: true}},
		{"no password to open", Protection{AllowPrinting: true, AllowCopying: true}},
		{"a very long password", Protection{UserPassword: strings.Repeat("long ", 50), OwnerPassword: "owner"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := finish(t, load(t, "tagged.pdf", "links.pdf"), Options{Title: "Geheim", Protect: &tt.p})
			if !bytes.HasPrefix(b, []byte("%PDF-1.7")) || bytes.Contains(b, []byte("Geheim")) || bytes.Contains(b, []byte("https://e.com")) {
				t.Error("something is readable")
			}
			check(t, b, prepare(tt.p.UserPassword))
			f := facts(t, b, tt.p.UserPassword)
			if !f.Encrypted || f.Printing != tt.p.AllowPrinting || f.Copying != tt.p.AllowCopying || !f.Reading || f.Title != "Geheim" {
				t.Errorf("%v", f)
			}
			if tt.p.OwnerPassword != "" {
				facts(t, b, tt.p.OwnerPassword)
			}
			if _, err := ReadFacts(context.Background(), b, "wrong"); !errors.Is(err, ErrPassword) {
				t.Errorf("with a wrong password: %v", err)
			}
		})
	}
}

// lockedPart is a protected file with what may open it.
type lockedPart struct {
	bytesPart
	passwords []string
}

func (p lockedPart) Passwords() []string { return p.passwords }

func TestProtectedPartsAreJoined(t *testing.T) {
	parts := load(t, "tagged.pdf", "links.pdf")
	secret := finish(t, parts, Options{Protect: &Protection{UserPassword: "geheim"}})
	restricted := finish(t, parts, Options{Protect: &Protection{}})
	if n, err := PageCount(secret, []string{"other", "geheim"}); err != nil || n != len(facts(t, secret, "geheim").Pages) {
		t.Errorf("%d pages, %v", n, err)
	}
	if _, err := PageCount(secret, []string{"other"}); err == nil {
		t.Error("a wrong password counts pages")
	}
	var out bytes.Buffer
	locked := []lockedPart{{secret, []string{"other", "geheim"}}, {restricted, nil}}
	if _, err := Finish(t.Context(), &out, locked, Options{Title: "All"}); err != nil {
		t.Fatal(err)
	}
	check(t, out.Bytes(), "")
	open := finish(t, append(load(t, "tagged.pdf", "links.pdf"), load(t, "tagged.pdf", "links.pdf")...), Options{Title: "All"})
	got, want := facts(t, out.Bytes(), ""), facts(t, open, "")
	if d := cmp.Diff(want.Pages, got.Pages); d != "" || got.Encrypted {
		t.Error(d)
	}
	if _, err := Finish(t.Context(), &out, []lockedPart{{secret, []string{"other"}}}, Options{}); err == nil || !strings.Contains(err.Error(), "it is encrypted") {
		t.Errorf("with a wrong password: %v", err)
	}
}

func TestSameInputSameBytes(t *testing.T) {
	o := Options{Title: "T", Created: time.Date(2026, 11, 20, 12, 0, 0, 0, time.FixedZone("", 3600)), Anchors: []Anchor{{ID: "a", Page: 1, Level: 1, Text: "A"}}, Outline: true}
	parts := load(t, "tagged.pdf", "links.pdf", "objstm.pdf")
	first, second := finish(t, parts, o), finish(t, parts, o)
	if !bytes.Equal(first, second) {
		t.Error("the bytes differ")
	}
	if !bytes.Contains(first, []byte("2026-11-20T12:00:00+01:00")) {
		t.Error("the time is missing")
	}
}

func TestSharedStreamsAreWrittenOnce(t *testing.T) {
	one, two, ten := load(t, "links.pdf"), load(t, "links.pdf", "links.pdf"), load(t, strings.Fields(strings.Repeat("links.pdf ", 10))...)
	a, b, c := len(finish(t, one, Options{})), len(finish(t, two, Options{})), len(finish(t, ten, Options{}))
	if perPart := (c - b) / 8; perPart > a/4 {
		t.Errorf("one part has %d bytes, each further one %d", a, perPart)
	}
}

func TestFinishRefuses(t *testing.T) {
	good := load(t, "links.pdf")[0]
	protected := finish(t, []bytesPart{good}, Options{Protect: &Protection{}})
	for name, b := range map[string][]byte{
		"nothing":            {},
		"HTML":               []byte("<!doctype html>"),
		"a header only":      []byte("%PDF-1.4\n"),
		"half a file":        good[:len(good)/2],
		"no table":           bytes.Replace(good, []byte("xref\n0 20"), []byte("xxxx\n0 20"), 1),
		"a table elsewhere":  bytes.Replace(good, []byte("startxref\n"), []byte("startxref\n99"), 1),
		"a loop of tables":   bytes.Replace(good, []byte("/Root 11 0 R"), []byte("/Root 11 0 R/Prev 11628"), 1),
		"no pages":           bytes.Replace(good, []byte("/Pages 9 0 R"), []byte("/Pages 3 0 R"), 1),
		"a loop of pages":    bytes.Replace(good, []byte("/Kids [2 0 R]"), []byte("/Kids [9 0 R]"), 1),
		"a page twice":       bytes.Replace(bytes.Replace(good, []byte("/Kids [2 0 R]"), []byte("/Kids[2 0 R 2 0 R]"), 1), []byte("/Count 1\n"), nil, 1),
		"encrypted":          protected,
		"a stream too long":  bytes.Replace(good, []byte("/Length 241>>"), []byte("/Length 999999>>"), 1),
		"a stream too short": bytes.Replace(good, []byte("/Length 241>>"), []byte("/Length 240>>"), 1),
	} {
		if _, err := Finish(context.Background(), io.Discard, []bytesPart{b}, Options{}); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if _, err := Finish(context.Background(), io.Discard, []Part{brokenPart{}}, Options{}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a part that cannot be read: %v", err)
	}
	if _, err := Finish(context.Background(), io.Discard, []Part{}, Options{}); err == nil {
		t.Error("a document without parts was accepted")
	}
	if _, err := Finish(context.Background(), fullDisk{}, []bytesPart{good}, Options{}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("a full disk: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Finish(ctx, io.Discard, []bytesPart{good}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

type fullDisk struct{}

func (fullDisk) Write(p []byte) (int, error) { return 0, io.ErrShortWrite }

func FuzzFinish(f *testing.F) {
	for _, n := range []string{"links.pdf", "tagged.pdf", "objstm.pdf"} {
		f.Add([]byte(load(f, n)[0]))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<20 {
			return
		}
		var out bytes.Buffer
		o := Options{Anchors: []Anchor{{ID: "a", Page: 1, Level: 1, Text: "A"}}, Outline: true}
		if len(b)%2 == 1 {
			o.Bleed, o.CropMarks, o.Press = 12, true, &Press{Condition: Conditions()[0], Inks: []Ink{{Spot: "Gold"}}}
		}
		if _, err := Finish(context.Background(), &out, []bytesPart{b, b}, o); err != nil {
			return
		}
		if file, err := open(out.Bytes()); err != nil { // what we write we can read
			t.Fatal(err)
		} else if err := (&factReader{f: file, facts: &Facts{Tags: map[string]int{}}, pages: map[int]int{}}).read(); err != nil {
			t.Fatal(err)
		}
	})
}
