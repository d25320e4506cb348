package pdf

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quire-reports/quire/internal/judges"
)

// fieldPage is a page as the browser prints it, with a link over each of some fields and
// a mark and a line of text drawn in each. Places are 40 points below each other.
func fieldPage(fields ...string) []byte {
	var content, annots strings.Builder
	var objects []string
	for i, f := range fields {
		y := 700 - 40*i
		fmt.Fprintf(&content, "q 1 0 0 -1 0 %d cm 0.5 0 0 rg BT /F 12 Tf 1 0 0 -1 104 -4 Tm (Drawn%d) Tj ET 110 -12 6 6 re f Q 98 %d 104 24 re S\n", y, i, y-2)
		fmt.Fprintf(&annots, "%d 0 R ", 6+i)
		objects = append(objects, fmt.Sprintf("<</Type/Annot/Subtype/Link/Rect[100 %d 200 %d]/A<</S/URI/URI(%s)>>>>", y, y+20, FieldBase+url.PathEscape(f)))
	}
	return assemble("", append([]string{
		"<</Type/Catalog/Pages 2 0 R>>",
		"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842]>>",
		"<</Type/Page/Parent 2 0 R/Resources<</Font<</F 4 0 R>>>>/Contents 5 0 R/Annots[" + annots.String() + "]>>",
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
		fmt.Sprintf("<</Length %d>>\nstream\n%s\nendstream", content.Len(), content.String()),
	}, objects...)...)
}

// opened is a finished document with what its form says, taken apart by qpdf.
func opened(t *testing.T, b []byte) string {
	t.Helper()
	if _, err := exec.LookPath("qpdf"); err != nil {
		judges.Missing(t, "needs qpdf")
	}
	file := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("qpdf", "--qdf", "--object-streams=disable", "--no-original-object-ids", file, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestWhatIsDrawnInAFieldBecomesItsAppearance(t *testing.T) {
	b := finish(t, []bytesPart{fieldPage(`{"name":"agree","kind":"checkbox","told":"I agree","state":"Yes","on":true}`, `{"name":"sign","kind":"signature","told":"Signature"}`)}, Options{})
	check(t, b, "")
	text := opened(t, b)
	for what, want := range map[string]int{"(Drawn0) Tj": 1, "(Drawn1) Tj": 1, "110 -12 6 6 re": 2, "98 698 104 24 re": 1, "/SigFlags 1": 1, "/NeedAppearances": 0, "/AS /Yes": 1, "/TU (I agree)": 1, "quire.invalid": 0} {
		if got := strings.Count(text, what); got != want {
			t.Errorf("%d times %q, want %d", got, what, want)
		}
	}
	page := text[:strings.Index(text, "98 698")]
	if at := strings.LastIndex(page, "stream\n"); strings.Contains(page[at:], "Drawn") {
		t.Error("the page shows what its fields show")
	}
	form := strings.Index(text, "(Drawn0) Tj")
	before := text[max(0, form-300):form]
	if !strings.Contains(before, "1 0 0 1 -100 -700 cm") || !strings.Contains(before, "0.5 0 0 rg") || !strings.Contains(before, "1 0 0 -1 0 700 cm") {
		t.Errorf("the appearance is not drawn as it was: %s", before)
	}
}

func TestFieldsOfOneNameAreOneField(t *testing.T) {
	box := `{"name":"head.agree","kind":"checkbox","told":"I agree","state":"Yes"}`
	b := finish(t, []bytesPart{fieldPage(box, box, `{"name":"head.agree","kind":"signature"}`, `{"name":"head","kind":"signature"}`, `{"name":"...","kind":"signature"}`)}, Options{})
	text := opened(t, b)
	for _, want := range []string{"/T (agree)", "/T (agree-2)", "/T (head)", "/T (head-2)", "/T (field)"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%d times %s", strings.Count(text, want), want)
		}
	}
	if n := strings.Count(text, "/Subtype /Widget"); n != 5 {
		t.Errorf("%d widgets", n)
	}
}

func TestOneOfSeveralBoxesHasStatesOfItsOwn(t *testing.T) {
	radio := func(state string, on bool) string {
		return fmt.Sprintf(`{"name":"house","kind":"radio","group":"The house","told":"The house: %s","state":%q,"on":%t}`, state, state, on)
	}
	text := opened(t, finish(t, []bytesPart{fieldPage(radio("hotel", false), radio("Gästehaus", true))}, Options{}))
	for _, want := range []string{"/V /G#c3#a4stehaus", "/AS /G#c3#a4stehaus", "/AS /Off", "/hotel ", "/TU (The house)\n", "/TU (The house: hotel)"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s", want)
		}
	}
}

func TestJoinedDocumentsKeepFieldsApart(t *testing.T) {
	one := finish(t, []bytesPart{fieldPage(`{"name":"sign","kind":"signature"}`)}, Options{})
	two := finish(t, []bytesPart{fieldPage(`{"name":"items[1].ok","kind":"checkbox","state":"Yes"}`, `{"name":"sign","kind":"signature"}`)}, Options{})
	b := finish(t, []bytesPart{one, two, two}, Options{})
	check(t, b, "")
	text := opened(t, b)
	for want, n := range map[string]int{"/T (sign)": 1, "/T (sign-2)": 1, "/T (sign-3)": 1, "/T (items[1])": 1, "/T (items[1]-2)": 1, "/T (ok)": 2, "/SigFlags 1": 1, "/AcroForm": 1} {
		if got := strings.Count(text, want); got != n {
			t.Errorf("%d times %s, want %d", got, want, n)
		}
	}
}

func TestWhatIsNoFieldStaysALink(t *testing.T) {
	b := finish(t, []bytesPart{fieldPage(`{"name":`, `{"kind":"text"}`, `null`)}, Options{})
	if text := opened(t, b); strings.Contains(text, "/AcroForm") || strings.Count(text, "/Subtype /Link") != 3 || strings.Count(text, "Drawn") != 3 {
		t.Errorf("%s", text)
	}
	var out bytes.Buffer
	if _, err := Finish(context.Background(), &out, []bytesPart{fieldPage(`{"name":"a","kind":"text"}`)}, Options{}); err == nil {
		t.Error("a field of text without a font is no error")
	}
}

func TestColorsOfTypedText(t *testing.T) {
	for said, want := range map[string][3]float64{"rgb(255, 0, 51)": {1, 0, .2}, "rgba(0, 0, 0, 0.5)": {}, "color(srgb 1 0.5 0)": {1, .5, 0}, "": {}} {
		if got := colorOf(said); got != want {
			t.Errorf("%s is %v", said, got)
		}
	}
}
