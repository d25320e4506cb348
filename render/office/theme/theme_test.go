package theme

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/quire-reports/quire/render/office/opc"
)

// TestWrite: colours and fonts stand where programs look for them; what is not said is
// Quire's.
func TestWrite(t *testing.T) {
	for name, test := range map[string]struct {
		theme Theme
		want  []string
	}{
		"nothing said":  {Theme{}, []string{`<a:dk1><a:srgbClr val="1F2430"/>`, `<a:accent1><a:srgbClr val="1D4E89"/>`, `<a:hlink><a:srgbClr val="1D4E89"/>`, `<a:majorFont><a:latin typeface="Arial"/>`}},
		"house colours": {Theme{Name: "Müller & Co", Text: "111111", Accents: [6]string{"AA0000", "", "00AA00"}, Body: "Georgia"}, []string{`name="Müller &amp; Co"`, `<a:accent1><a:srgbClr val="AA0000"/>`, `<a:accent2><a:srgbClr val="C7772E"/>`, `<a:accent3><a:srgbClr val="00AA00"/>`, `<a:majorFont><a:latin typeface="Georgia"/>`, `<a:minorFont><a:latin typeface="Georgia"/>`}},
		"two fonts":     {Theme{Heading: "Georgia", Body: "Arial", Link: "0000FF"}, []string{`<a:majorFont><a:latin typeface="Georgia"/>`, `<a:minorFont><a:latin typeface="Arial"/>`, `<a:folHlink><a:srgbClr val="0000FF"/>`}},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			x := opc.NewXML(&b)
			test.theme.Write(x)
			if err := x.End(); err != nil {
				t.Fatal(err)
			}
			if err := xml.Unmarshal(b.Bytes(), new(struct{})); err != nil {
				t.Errorf("it is no XML: %v", err)
			}
			for _, want := range test.want {
				if !strings.Contains(b.String(), want) {
					t.Errorf("it lacks %s:\n%s", want, b.String())
				}
			}
		})
	}
}
