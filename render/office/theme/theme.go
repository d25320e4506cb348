// Package theme writes the theme of Office files (DrawingML, ECMA-376 part 1, 20.1.6):
// the colours and fonts that a reader changes in one place. It is a leaf.
package theme

import "github.com/quire-reports/quire/render/office/opc"

// Names of the part in a package.
const (
	ContentType = "application/vnd.openxmlformats-officedocument.theme+xml"
	Relation    = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/theme"

	namespace = "http://schemas.openxmlformats.org/drawingml/2006/main"
)

// Theme is a theme. Colours are six hexadecimal digits; what is empty is as Quire has
// it.
type Theme struct {
	Name             string
	Text, Background string
	Dark, Light      string // the second pair
	Accents          [6]string
	Link             string
	Heading, Body    string // fonts
}

// Complete is the theme with everything said.
func (t Theme) Complete() Theme {
	set := func(v *string, usual string) {
		if *v == "" {
			*v = usual
		}
	}
	set(&t.Name, "Quire")
	set(&t.Text, "1F2430")
	set(&t.Background, "FFFFFF")
	set(&t.Dark, "1D4E89")
	set(&t.Light, "F4F6F8")
	for i, usual := range []string{"1D4E89", "C7772E", "4B8F6B", "8C5E99", "B8493F", "5C6575"} {
		set(&t.Accents[i], usual)
	}
	set(&t.Link, t.Accents[0])
	set(&t.Body, "Arial")
	set(&t.Heading, t.Body)
	return t
}

// scripts are the fonts for letters that the theme's own do not have; every program
// has them, or one like them.
var scripts = []struct{ script, typeface string }{
	{"Arab", "Arial"}, {"Hebr", "Arial"}, {"Thai", "Tahoma"}, {"Jpan", "Yu Gothic"}, {"Hang", "Malgun Gothic"}, {"Hans", "Microsoft YaHei"}, {"Hant", "Microsoft JhengHei"},
}

// Write writes the content of the theme's part.
func (t Theme) Write(x *opc.XML) {
	t = t.Complete()
	x.Open("a:theme").Attr("xmlns:a", namespace).Attr("name", t.Name).Open("a:themeElements")
	x.Open("a:clrScheme").Attr("name", t.Name)
	for _, c := range []struct{ name, rgb string }{
		{"a:dk1", t.Text},
		{"a:lt1", t.Background},
		{"a:dk2", t.Dark},
		{"a:lt2", t.Light},
		{"a:accent1", t.Accents[0]},
		{"a:accent2", t.Accents[1]},
		{"a:accent3", t.Accents[2]},
		{"a:accent4", t.Accents[3]},
		{"a:accent5", t.Accents[4]},
		{"a:accent6", t.Accents[5]},
		{"a:hlink", t.Link},
		{"a:folHlink", t.Link},
	} {
		x.Open(c.name).Open("a:srgbClr").Attr("val", c.rgb).Close().Close()
	}
	x.Close()
	x.Open("a:fontScheme").Attr("name", t.Name)
	font(x, "a:majorFont", t.Heading)
	font(x, "a:minorFont", t.Body)
	x.Close()
	format(x)
	x.Close().Open("a:objectDefaults").Close().Open("a:extraClrSchemeLst").Close().Close()
}

func font(x *opc.XML, name, typeface string) {
	x.Open(name).Open("a:latin").Attr("typeface", typeface).Close().Open("a:ea").Attr("typeface", "").Close().Open("a:cs").Attr("typeface", "").Close()
	for _, s := range scripts {
		x.Open("a:font").Attr("script", s.script).Attr("typeface", s.typeface).Close()
	}
	x.Close()
}

// format writes the looks of shapes: three of each kind, which the schema asks for, all
// of them plain.
func format(x *opc.XML) {
	fills := func(name string) {
		x.Open(name)
		for range 3 {
			fill(x)
		}
		x.Close()
	}
	x.Open("a:fmtScheme").Attr("name", "Quire")
	fills("a:fillStyleLst")
	x.Open("a:lnStyleLst")
	for _, width := range []int{6350, 12700, 19050} {
		x.Open("a:ln").Int("w", width).Attr("cap", "flat").Attr("cmpd", "sng").Attr("algn", "ctr")
		fill(x)
		x.Open("a:prstDash").Attr("val", "solid").Close().Close()
	}
	x.Close().Open("a:effectStyleLst")
	for range 3 {
		x.Open("a:effectStyle").Open("a:effectLst").Close().Close()
	}
	x.Close()
	fills("a:bgFillStyleLst")
	x.Close()
}

func fill(x *opc.XML) {
	x.Open("a:solidFill").Open("a:schemeClr").Attr("val", "phClr").Close().Close()
}
