package htmlgen

import (
	"context"
	"testing"

	"github.com/quire-reports/quire/report"
)

// allInstalled is a machine whose fonts have every character, private ones too,
// as OpenSymbol of LibreOffice does.
type allInstalled struct{}

func (allInstalled) Face(*FontFace, rune) bool { return false }
func (allInstalled) System(rune) bool          { return true }
func (allInstalled) Families() []string        { return []string{"OpenSymbol"} }
func (allInstalled) Family(name string) string {
	if name == "OpenSymbol" {
		return name
	}
	return ""
}

// Browsers look for characters of private use only in fonts that are named.
func TestPrivateCharactersNeedANamedFont(t *testing.T) {
	t.Parallel()
	for family, want := range map[string]string{"": "\ue0a0", "Inter": "\ue0a0", "Nobody Has This": "\ue0a0", "OpenSymbol": ""} {
		element := textElement("a 한 \ue0a0")
		element.Props["fontFamily"] = family
		doc, err := Compile(context.Background(), &Input{Report: &report.Report{Pages: []report.Page{{Elements: []report.Element{element}}}}, Glyphs: allInstalled{}})
		if err != nil {
			t.Fatal(err)
		}
		if doc.Letters.Lacking != want {
			t.Errorf("in %q no font has %q; want %q", family, doc.Letters.Lacking, want)
		}
	}
}
