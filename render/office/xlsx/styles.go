package xlsx

import (
	"github.com/quire-reports/quire/render/office/opc"
)

// Style is how a cell looks. Its zero value is that of a cell nobody changed.
type Style struct {
	Font       Font
	Fill       string // a colour, RRGGBB
	Format     string // number format code; empty: General
	Horizontal string // left, center, right, centerContinuous …; empty: by kind
	Vertical   string // top, center, bottom; empty: bottom
	Indent     int
	Wrap       bool
	Top        Edge
	Bottom     Edge
	Left       Edge
	Right      Edge
	quote      bool // a text that Excel would take for a formula

	rightToLeft bool
}

// Font is a typeface. What is empty is the workbook's.
type Font struct {
	Name                            string
	Size                            float64 // points
	Bold, Italic, Underline, Strike bool
	Color                           string // RRGGBB
}

// Edge is one side of a cell's border.
type Edge struct {
	Line  string // thin, medium, thick, double, dotted, dashed, hair; empty: none
	Color string // RRGGBB
}

// StyleID is a style of a workbook.
type StyleID int

type border struct{ left, right, top, bottom Edge }

// styles are all styles of a workbook, each once, in the order of their use.
type styles struct {
	base    Font
	all     []Style
	ids     map[Style]StyleID
	fonts   list[Font]
	fills   list[string]
	borders list[border]
	formats list[string]
}

// list keeps things that are equal once.
type list[T comparable] struct {
	all []T
	at  map[T]int
}

func (l *list[T]) add(v T) int {
	at, known := l.at[v]
	if known {
		return at
	}
	if l.at == nil {
		l.at = map[T]int{}
	}
	l.at[v] = len(l.all)
	l.all = append(l.all, v)
	return l.at[v]
}

func newStyles(base Font) *styles {
	s := &styles{base: base, ids: map[Style]StyleID{}}
	s.fills.add("") // Excel takes the first two for itself
	s.add(Style{})
	return s
}

func (s *styles) add(st Style) StyleID {
	if id, known := s.ids[st]; known {
		return id
	}
	id := StyleID(len(s.all))
	s.all = append(s.all, st)
	s.ids[st] = id
	s.fonts.add(s.font(st.Font))
	s.fills.add(st.Fill)
	s.borders.add(border{st.Left, st.Right, st.Top, st.Bottom})
	if builtIn[st.Format] == 0 && st.Format != "" {
		s.formats.add(st.Format)
	}
	return id
}

// quoted is a style whose texts are no formulas, whatever they begin with.
func (s *styles) quoted(id StyleID) StyleID {
	st := s.all[id]
	st.quote = true
	return s.add(st)
}

func (s *styles) font(f Font) Font {
	if f.Name == "" {
		f.Name = s.base.Name
	}
	if f.Size == 0 {
		f.Size = s.base.Size
	}
	return f
}

// builtIn are format codes with numbers of their own (18.8.30). The others that
// Excel knows change with its language.
var builtIn = map[string]int{"0": 1, "0.00": 2, "#,##0": 3, "#,##0.00": 4, "0%": 9, "0.00%": 10, "@": 49}

// firstFormat is the first number of formats that a workbook brings.
const firstFormat = 164

func (s *styles) formatID(code string) int {
	if code == "" {
		return 0
	}
	if id := builtIn[code]; id != 0 {
		return id
	}
	return firstFormat + s.formats.at[code]
}

// fillID: the second of Excel's own stands between the first and all others.
func (s *styles) fillID(fill string) int {
	if fill == "" {
		return 0
	}
	return s.fills.at[fill] + 1
}

func (s *styles) write(x *opc.XML) {
	x.Open("styleSheet").Attr("xmlns", mainNamespace)
	if len(s.formats.all) > 0 {
		x.Open("numFmts").Int("count", len(s.formats.all))
		for i, code := range s.formats.all {
			x.Open("numFmt").Int("numFmtId", firstFormat+i).Attr("formatCode", code).Close()
		}
		x.Close()
	}
	x.Open("fonts").Int("count", len(s.fonts.all))
	for _, f := range s.fonts.all {
		f.write(x)
	}
	x.Close()
	x.Open("fills").Int("count", len(s.fills.all)+1)
	for i, fill := range s.fills.all {
		if i == 0 {
			x.Open("fill").Open("patternFill").Attr("patternType", "none").Close().Close()
			x.Open("fill").Open("patternFill").Attr("patternType", "gray125").Close().Close()
			continue
		}
		x.Open("fill").Open("patternFill").Attr("patternType", "solid")
		x.Open("fgColor").Attr("rgb", "FF"+fill).Close().Close().Close()
	}
	x.Close()
	x.Open("borders").Int("count", len(s.borders.all))
	for _, b := range s.borders.all {
		b.write(x)
	}
	x.Close()
	x.Open("cellStyleXfs").Int("count", 1).Open("xf").Int("numFmtId", 0).Int("fontId", 0).Int("fillId", 0).Int("borderId", 0).Close().Close()
	x.Open("cellXfs").Int("count", len(s.all))
	for _, st := range s.all {
		s.writeFormat(x, st)
	}
	x.Close()
	x.Open("cellStyles").Int("count", 1).Open("cellStyle").Attr("name", "Normal").Int("xfId", 0).Int("builtinId", 0).Close().Close()
	x.Close()
}

// write keeps the order of members that Excel itself has.
func (f Font) write(x *opc.XML) {
	x.Open("font")
	for _, m := range []struct {
		name string
		on   bool
	}{{"b", f.Bold}, {"i", f.Italic}, {"strike", f.Strike}, {"u", f.Underline}} {
		if m.on {
			x.Open(m.name).Close()
		}
	}
	x.Open("sz").Number("val", f.Size).Close()
	if f.Color != "" {
		x.Open("color").Attr("rgb", "FF"+f.Color).Close()
	}
	x.Open("name").Attr("val", f.Name).Close()
	x.Close()
}

func (b border) write(x *opc.XML) {
	x.Open("border")
	for _, side := range []struct {
		name string
		edge Edge
	}{{"left", b.left}, {"right", b.right}, {"top", b.top}, {"bottom", b.bottom}} {
		x.Open(side.name)
		if side.edge.Line != "" {
			x.Attr("style", side.edge.Line)
			if side.edge.Color != "" {
				x.Open("color").Attr("rgb", "FF"+side.edge.Color).Close()
			}
		}
		x.Close()
	}
	x.Open("diagonal").Close().Close()
}

func (s *styles) writeFormat(x *opc.XML, st Style) {
	x.Open("xf").Int("numFmtId", s.formatID(st.Format)).Int("fontId", s.fonts.at[s.font(st.Font)]).Int("fillId", s.fillID(st.Fill)).
		Int("borderId", s.borders.at[border{st.Left, st.Right, st.Top, st.Bottom}]).Int("xfId", 0)
	if st.quote {
		x.Attr("quotePrefix", "1")
	}
	for _, applied := range []struct {
		name string
		on   bool
	}{
		{"applyNumberFormat", st.Format != ""},
		{"applyFont", st.Font != Font{}},
		{"applyFill", st.Fill != ""},
		{"applyBorder", border{st.Left, st.Right, st.Top, st.Bottom} != border{}},
		{"applyAlignment", st.aligned()},
	} {
		if applied.on {
			x.Attr(applied.name, "1")
		}
	}
	if st.aligned() {
		x.Open("alignment")
		if st.Horizontal != "" {
			x.Attr("horizontal", st.Horizontal)
		}
		if st.Vertical != "" {
			x.Attr("vertical", st.Vertical)
		}
		if st.Wrap {
			x.Attr("wrapText", "1")
		}
		if st.Indent > 0 {
			x.Int("indent", st.Indent)
		}
		if st.rightToLeft {
			x.Int("readingOrder", 2)
		}
		x.Close()
	}
	x.Close()
}

func (st Style) aligned() bool {
	return st.Horizontal != "" || st.Vertical != "" || st.Wrap || st.Indent > 0 || st.rightToLeft
}
