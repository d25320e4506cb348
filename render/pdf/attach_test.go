package pdf

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/internal/judges"
)

func TestAttachedPagesTakeThePlacesOfPrintedOnes(t *testing.T) {
	for _, file := range []string{"links.pdf", "objstm.pdf", "tagged.pdf"} {
		// The attached document has two pages, the printed one three.
		attached := finish(t, load(t, file, "links.pdf"), Options{})
		source, err := OpenDocument(attached)
		if err != nil {
			t.Fatal(file, err)
		}
		if len(source.Pages()) != 2 {
			t.Fatalf("%s: %d pages", file, len(source.Pages()))
		}
		b := finish(t, load(t, "tagged.pdf", "links.pdf", "links.pdf"), Options{
			Attached: []Attached{{At: 1, Document: source, Page: 2}, {At: 3, Document: source, Page: 2}, {At: 2, Document: source, Page: 1}},
		})
		check(t, b, "")
		got, want := facts(t, b, ""), facts(t, attached, "")
		if len(got.Pages) != 3 {
			t.Fatalf("%s: %d pages", file, len(got.Pages))
		}
		for at, page := range []int{1, 0, 1} {
			if got.Pages[at].Text != want.Pages[page].Text {
				t.Errorf("%s: page %d holds %.60q, not %.60q", file, at+1, got.Pages[at].Text, want.Pages[page].Text)
			}
		}
	}
}

func TestAttachedPagesAreProtectedWithTheRest(t *testing.T) {
	source, err := OpenDocument(load(t, "tagged.pdf")[0])
	if err != nil {
		t.Fatal(err)
	}
	b := finish(t, load(t, "links.pdf"), Options{Attached: []Attached{{At: 1, Document: source, Page: 1}}, Protect: &Protection{UserPassword: "open sesame"}})
	check(t, b, "open sesame")
	if got, want := facts(t, b, "open sesame").Pages[0].Text, facts(t, load(t, "tagged.pdf")[0], "").Pages[0].Text; got != want {
		t.Errorf("the first page holds %.60q, not %.60q", got, want)
	}
}

// handmade writes a PDF of one page with the entries and objects given.
func handmade(page string, objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	all := append([]string{"<</Type/Catalog/Pages 2 0 R/OpenAction 9 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1/Rotate 90>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]" + page + ">>"}, objects...)
	var offsets []int
	for i, o := range all {
		offsets = append(offsets, b.Len())
		b.WriteString(strconv.Itoa(i+1) + " 0 obj\n" + o + "\nendobj\n")
	}
	start := b.Len()
	b.WriteString("xref\n0 " + strconv.Itoa(len(all)+1) + "\n0000000000 65535 f \n")
	for _, o := range offsets {
		n := strconv.Itoa(o)
		b.WriteString(strings.Repeat("0", 10-len(n)) + n + " 00000 n \n")
	}
	b.WriteString("trailer\n<</Root 1 0 R/Size " + strconv.Itoa(len(all)+1) + ">>\nstartxref\n" + strconv.Itoa(start) + "\n%%EOF\n")
	return b.Bytes()
}

func TestAttachedPagesBringNothingThatRuns(t *testing.T) {
	source, err := OpenDocument(handmade("/CropBox[0 0 600 300]/AA<</O 8 0 R>>/Annots[4 0 R 5 0 R 6 0 R]/Contents 7 0 R",
		"<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/JavaScript/JS(app.alert\\(1\\))>>>>",
		"<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/AA<</E 8 0 R>>/A<</S/URI/URI(https://example.com)/Next 8 0 R>>>>",
		"<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/AP<</N 7 0 R>>/A 8 0 R/Parent 1 0 R>>",
		"<</Length 0>>stream\n\nendstream",
		"<</S/Launch/F(evil.exe)>>"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := source.Pages()[0], (Size{Width: 400, Height: 800}); got != want {
		t.Errorf("the page is %v, not %v", got, want)
	}
	b := finish(t, load(t, "links.pdf"), Options{Attached: []Attached{{At: 1, Document: source, Page: 1}}})
	check(t, b, "")
	all := objects(t, b)
	for _, bad := range []string{"JavaScript", "Launch", "evil.exe", "OpenAction"} {
		if strings.Contains(all, bad) {
			t.Errorf("the document holds %s", bad)
		}
	}
	if !strings.Contains(all, "https://example.com") {
		t.Error("the link to a web address is gone")
	}
}

// objects is all objects of a file as text.
func objects(t *testing.T, b []byte) string {
	t.Helper()
	f, err := open(b)
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for num := range f.xref {
		v, err := f.object(num)
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := v.(stream); ok {
			v = s.dict
		}
		all = (&appender{}).value(append(all, '\n'), v)
	}
	return string(all)
}

func TestDocumentsThatCannotBeAttached(t *testing.T) {
	protected := finish(t, load(t, "links.pdf"), Options{Protect: &Protection{UserPassword: "x"}})
	restricted := finish(t, load(t, "links.pdf"), Options{Protect: &Protection{AllowPrinting: true}})
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"protected":  {protected, "it is protected; only PDF files that open without a password can be attached"},
		"restricted": {restricted, "its permissions do not allow copying from it"},
		"old way":    {bytes.Replace(restricted, []byte("/R 6"), []byte("/R 4"), 1), "it is protected in an old way"},
		"no PDF":     {[]byte("<html>"), "does not begin like a PDF"},
		"cut off":    {load(t, "links.pdf")[0][:900], "it has no end"},
		"no pages":   {bytes.Replace(handmade(""), []byte("/Kids[3 0 R]"), []byte("/Kids[     ]"), 1), "it has no pages"},
		"page loops": {bytes.Replace(handmade(""), []byte("/Kids[3 0 R]"), []byte("/Kids[2 0 R]"), 1), "its pages are in disorder"},
	} {
		if _, err := OpenDocument(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	source, err := OpenDocument(load(t, "links.pdf")[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Finish(context.Background(), &bytes.Buffer{}, load(t, "links.pdf"), Options{Attached: []Attached{{At: 1, Document: source, Page: 99}}}); err == nil {
		t.Error("a page that does not exist was attached")
	}
}

// A file with an owner's password alone opens without one; its pages are attached
// as if it were open, also where its strings stand outside of other streams.
func TestAFileOfAnOwnersPasswordIsAttached(t *testing.T) {
	attached := func(b []byte) *Facts {
		source, err := OpenDocument(b)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := Finish(t.Context(), &out, load(t, "links.pdf"), Options{Attached: []Attached{{At: 1, Document: source, Page: 1}}}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(objects(t, out.Bytes()), "https://e.com/"); n == 0 {
			t.Error("a link is lost")
		}
		facts, err := ReadFacts(t.Context(), out.Bytes(), "")
		if err != nil {
			t.Fatal(err)
		}
		return facts
	}
	plain := filepath.Join("testdata", "links.pdf")
	want := attached(load(t, "links.pdf")[0])
	files := map[string][]byte{"ours": finish(t, load(t, "links.pdf"), Options{Protect: &Protection{OwnerPassword: "owner", AllowCopying: true}})}
	if qpdf, err := exec.LookPath("qpdf"); err != nil {
		judges.Missing(t, "needs qpdf")
	} else {
		for _, more := range []string{"--object-streams=disable", "--object-streams=generate"} {
			file := filepath.Join(t.TempDir(), "a.pdf")
			if out, err := exec.Command(qpdf, more, "--encrypt", "", "owner", "256", "--", plain, file).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			files["qpdf "+more] = b
		}
	}
	for name, b := range files {
		if diff := cmp.Diff(want, attached(b)); diff != "" {
			t.Errorf("%s (- open, + with an owner's password):\n%s", name, diff)
		}
	}
}

func FuzzOpenDocument(f *testing.F) {
	for _, name := range []string{"links.pdf", "objstm.pdf", "tagged.pdf"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add(handmade("/Annots[4 0 R]", "<</Subtype/Link/A 4 0 R>>"))
	printed := []bytesPart{handmade("")}
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := OpenDocument(b)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if _, err := Finish(context.Background(), &out, printed, Options{Attached: []Attached{{At: 1, Document: d, Page: 1}}}); err != nil {
			return
		}
		if _, err := open(out.Bytes()); err != nil {
			t.Errorf("the document cannot be read back: %v", err)
		}
	})
}
