package export

import (
	"io/fs"
	"strings"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/report/font"
)

// typing is the font for what is filled in into the form fields of a PDF file: that of
// the family, where the program brings it along, else its first one.
func typing(family string) (pdf.Face, error) {
	var file, called string
	for _, f := range assets.FontFaces() {
		if f.Weight != "400" || f.Style != "normal" || !strings.HasPrefix(f.UnicodeRange, "U+0000-00FF") {
			continue
		}
		if same := strings.EqualFold(f.Family, family); same || file == "" {
			file, called = f.File, f.Family
		}
	}
	packed, err := fs.ReadFile(assets.Fonts(), file)
	if err != nil {
		return pdf.Face{}, err
	}
	plain, err := font.Outlines(packed)
	return pdf.Face{Name: strings.ReplaceAll(called, " ", "") + "-Regular", TrueType: plain}, err
}
