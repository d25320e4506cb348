package sheets

import (
	"slices"
	"strings"

	"github.com/quire-reports/quire/render/office/xlsx"
)

// styleKey is all that decides how a cell of a table looks.
type styleKey struct {
	kind       rowKind
	level      int // of a group
	code       int // -1: none
	align      align
	css, inner string
	indent     int
	bold, same bool
	wrap, link bool
	across     bool // it is centred over the columns that it spans
	top        bool // it stands at the top of rows of several lines
}

// sameColor is that of values that are as those above them.
const sameColor = "A6A6A6"

// style is the style of a cell of a table.
func (w *tableWriting) style(k styleKey) xlsx.StyleID {
	if id, known := w.styles[k]; known {
		return id
	}
	k.css, k.inner = strings.Clone(k.css), strings.Clone(k.inner)
	look := w.look(k)
	s := xlsx.Style{Fill: look.Fill, Top: look.LineTop, Bottom: look.LineFoot, Indent: k.indent, Wrap: k.wrap, Font: xlsx.Font{Bold: look.Bold || k.bold, Color: look.Color}}
	if k.code >= 0 && k.code < len(w.Codes) && w.Codes[k.code] != general {
		s.Format = w.Codes[k.code]
	}
	switch {
	case k.across:
		s.Horizontal = "centerContinuous"
	case k.align == right && w.RightToLeft:
		s.Horizontal = "left"
	case k.align == right:
		s.Horizontal = "right"
	case k.align == center:
		s.Horizontal = "center"
	case k.code >= 0 || k.indent > 0 || w.RightToLeft: // numbers stand right by themselves, Latin texts left
		s.Horizontal = w.start()
	}
	if k.top {
		s.Vertical = "top"
	}
	if k.same {
		s.Font.Color = sameColor
	}
	if k.link {
		s.Font.Underline, s.Font.Color = true, linkColor
	}
	w.paint(&s, k.css)
	w.paint(&s, k.inner)
	w.styles[k] = w.wb.Style(s)
	return w.styles[k]
}

// paint takes over what CSS declarations say.
func (w *tableWriting) paint(s *xlsx.Style, css string) {
	if css == "" {
		return
	}
	if rgb, ok := w.Color(declaration(css, "color")); ok {
		s.Font.Color = rgb
	}
	if rgb, ok := w.Color(background(css)); ok {
		s.Fill = rgb
	}
	s.Font.Bold = s.Font.Bold || heavy(css)
	s.Font.Italic = s.Font.Italic || declaration(css, "font-style") == "italic"
}

// tall reports whether rows of the table have several lines.
func (w *tableWriting) tall() bool {
	return w.t.lines || slices.Contains(w.t.wrapped, true)
}

// look is how the theme has rows of a kind.
func (w *tableWriting) look(k styleKey) Look {
	switch k.kind {
	case headRow:
		return w.Looks.Header
	case totalRow:
		return w.Looks.Footer
	case groupFooterRow: // pages print it without the ground of its caption
		group := w.group(k.level)
		return Look{Bold: true, Color: group.Color, LineTop: group.LineTop}
	case captionRow:
		return w.group(k.level)
	}
	return w.Looks.Cells
}

// group is how the theme has groups of a level.
func (w *tableWriting) group(level int) Look {
	if n := len(w.Looks.Groups); n > 0 {
		return w.Looks.Groups[min(max(level, 1), n)-1]
	}
	return Look{Bold: true}
}
