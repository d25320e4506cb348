package pdf

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quire-reports/quire/internal/judges"
)

// form is a PDF of four pages with a filled form field, a stamp and a link, which
// are turned, cropped, scaled and of different sizes.
func form() []byte {
	look := func(text string) string {
		content := "BT /F 14 Tf 4 6 Td (" + text + ") Tj ET 0 0 120 24 re S"
		return fmt.Sprintf("<</Type/XObject/Subtype/Form/BBox[0 0 120 24]/Resources<</Font<</F 7 0 R>>>>/Length %d>>\nstream\n%s\nendstream", len(content), content)
	}
	page := func(entries string) string {
		return "<</Type/Page/Parent 2 0 R/Resources<</Font<</F 7 0 R>>>>/Contents 8 0 R/Annots[9 0 R 10 0 R 11 0 R]" + entries + ">>"
	}
	content := "BT /F 30 Tf 60 100 Td (Terms of the contract) Tj ET 1 0 0 rg 300 20 60 30 re f"
	return assemble("",
		"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[9 0 R]/DA(/F 0 Tf)>>>>",
		"<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R 6 0 R]/Count 4/MediaBox[0 0 420 300]>>",
		page(""), page("/Rotate 90"), page("/CropBox[40 10 380 280]/Rotate 180"), page("/MediaBox[-100 -50 500 400]/UserUnit 1.5/Rotate 270"),
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
		fmt.Sprintf("<</Length %d>>\nstream\n%s\nendstream", len(content), content),
		"<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Mara Lind)/F 4/Rect[60 150 180 174]/AP<</N 12 0 R>>>>",
		"<</Type/Annot/Subtype/Stamp/F 4/Rect[220 150 340 174]/AP<</N 13 0 R>>>>",
		"<</Type/Annot/Subtype/Link/Rect[60 95 360 130]/Border[0 0 2]/A<</S/URI/URI(https://terms.example/2026)>>>>",
		look("Mara Lind"), look("PAID"))
}

// TestAttachedPagesLookAsTheyDid compares attached pages with their originals as
// poppler draws them: sizes, rotation, form fields and stamps.
func TestAttachedPagesLookAsTheyDid(t *testing.T) {
	if _, err := exec.LookPath("pdftoppm"); err != nil {
		judges.Missing(t, "needs poppler")
	}
	original := form()
	source, err := OpenDocument(original)
	if err != nil {
		t.Fatal(err)
	}
	sizes := source.Pages()
	want := []Size{{560, 400}, {400, 560}, {340 * 96. / 72, 360}, {450 * 2, 600 * 2}}
	for i, s := range sizes {
		if s != want[i] {
			t.Errorf("page %d is %v, want %v", i+1, s, want[i])
		}
	}
	for _, o := range []Options{{}, {Protect: &Protection{AllowPrinting: true}}, {Archive: Archive2B, Title: "T", Lang: "en"}, {Accessible: true, Title: "T", Lang: "en"}} {
		for i := range sizes {
			o.Attached = append(o.Attached, Attached{At: i + 1, Document: source, Page: i + 1})
		}
		merged := finish(t, load(t, "links.pdf", "links.pdf", "links.pdf", "links.pdf"), o)
		check(t, merged, "")
		for i := range sizes {
			if a, b := drawn(t, original, i+1), drawn(t, merged, i+1); !bytes.Equal(a, b) {
				t.Errorf("page %d looks otherwise (%d and %d bytes), %+v", i+1, len(a), len(b), o.Archive)
			}
			if links := facts(t, merged, "").Pages[i].Links; !strings.Contains(strings.Join(links, " "), "https://terms.example/2026") {
				t.Errorf("page %d has links to %q", i+1, links)
			}
		}
	}
}

func drawn(t *testing.T, b []byte, page int) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	n := fmt.Sprint(page)
	out, err := exec.Command("pdftoppm", "-r", "60", "-f", n, "-l", n, file).Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestFilledFieldsWithoutAPictureAreNamed attaches forms as programs fill them in
// that leave the drawing to the reader.
func TestFilledFieldsWithoutAPictureAreNamed(t *testing.T) {
	for name, c := range map[string]struct{ field, parent, want string }{
		"a text":               {"/FT/Tx/T(name)/V(Mara Lind)", "", `what is filled in at "name"`},
		"a text of the parent": {"/Parent 5 0 R", "/FT/Tx/T(tenant)/V(Mara Lind)", `what is filled in at "tenant"`},
		"a box that is ticked": {"/FT/Btn/T(agreed)/V/Yes", "", `what is filled in at "agreed"`},
		"an empty text":        {"/FT/Tx/T(name)/V()", "", ""},
		"a box without a tick": {"/FT/Btn/T(agreed)/V/Off", "", ""},
	} {
		d, err := OpenDocument(assemble("",
			"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/NeedAppearances true>>>>",
			"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 420 300]>>",
			"<</Type/Page/Parent 2 0 R/Annots[4 0 R]>>",
			"<</Type/Annot/Subtype/Widget/F 4/Rect[60 150 180 174]"+c.field+">>",
			"<<"+c.parent+">>"))
		if err != nil {
			t.Fatal(err)
		}
		if told := d.Damage(); !strings.Contains(told, c.want) || (told == "") != (c.want == "") {
			t.Errorf("%s: %q; want %q", name, told, c.want)
		}
	}
}
