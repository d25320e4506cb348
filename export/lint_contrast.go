package export

import (
	"slices"
	"strings"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
)

// shade is how text looks at a place of the page, as far as it can be told.
type shade struct {
	color, background tint
	size              float64 // of text, in points; 0 when it is not known
	bold              bool
}

// tint is a colour, or that it is not known.
type tint struct {
	rgb   htmlgen.RGB
	css   string // as written
	known bool
}

func (l *linter) tint(css string) tint {
	rgb, ok := l.palette.Color(css)
	return tint{rgb, css, ok}
}

// pageShade is how text looks on the bare paper of a layout.
func (l *linter) pageShade(layout *report.Layout) shade {
	page := &l.palette.Theme.Page
	background := page.Background
	if layout != nil {
		background = firstText(layout.Background, background)
	}
	size, _ := htmlgen.Points(page.FontSize)
	s := shade{color: l.tint(page.Color), background: l.tint(firstText(background, "#ffffff")), size: size}
	s.background.known = s.background.known && (layout == nil || !l.hasPictureBehind(layout.Body))
	return s
}

// hasPictureBehind reports whether a picture lies in a layer behind what stands beside
// it: text may stand on it or not.
func (l *linter) hasPictureBehind(list []report.Element) (found bool) {
	eachElement(list, func(e *report.Element) {
		t := l.types[e.Type]
		if t == nil {
			return
		}
		picture, layered := t.Meaning("picture"), slices.ContainsFunc(t.Props, func(f report.Field) bool { return f.Name == "layer" })
		found = found || layered && picture != nil && filled(e.Props[picture.Name]) && e.Props["layer"] != "above"
	})
	return found
}

// shadeOf is how text looks in an element and in what it holds.
func (l *linter) shadeOf(e *lintElement, s shade) shade {
	l.themed(e, &s)
	for _, class := range strings.Fields(e.text("class")) {
		switch class {
		case "muted":
			s.color = l.tint(l.palette.Theme.Text.Muted.Color)
		case "small":
			if c := l.palette.Theme.Text.Small.Color; c != "" {
				s.color = l.tint(c)
			}
			s.size, _ = htmlgen.Points(l.palette.Theme.Text.Small.FontSize)
		case "strong":
		default: // rules of the theme's own CSS
			s.color.known, s.background.known = false, false
		}
	}
	if css := e.text("background"); css != "" {
		s.background = l.tint(css)
	}
	if css := e.text("color"); css != "" && e.has("fontSize") {
		s.color = l.tint(css)
	}
	if size := e.text("fontSize"); size != "" {
		s.size, _ = htmlgen.Points(size)
	}
	if weight := e.text("fontWeight"); weight != "" {
		s.bold = weight >= "700"
	}
	style := e.text("style")
	if strings.Contains(style, "background") || strings.Contains(style, "var(") || strings.Contains(style, "opacity") {
		s.background.known = false
	}
	if strings.Contains(style, "color") {
		s.color.known = false
	}
	if strings.Contains(style, "font") {
		s.size = 0
	}
	return s
}

// themed takes over what the theme says of a kind of text.
func (l *linter) themed(e *lintElement, s *shade) {
	if e.t.Look == nil {
		return
	}
	style := e.t.Look(l.palette.Theme, e.text)
	if style == nil {
		return
	}
	if style.Color != "" {
		s.color = l.tint(style.Color)
	}
	if style.FontSize != "" {
		s.size, _ = htmlgen.Points(style.FontSize)
	}
	s.bold = style.FontWeight >= "700"
}

// contrast tells of text that is hard to read on what is behind it.
func (l *linter) contrast(e *lintElement, s, around shade) {
	if !inOwnColor(e) {
		return
	}
	if e.t.Colors == htmlgen.ColorsOfTable {
		l.tableContrast(e, s)
		return
	}
	place := e.path
	if e.text("color") != "" {
		place = e.at("color")
	}
	l.small(e, s.size, "the text")
	l.readable(s.color, s.background, s.size, s.bold, place, "the text", l.plainColor(e, around))
}

// inOwnColor reports whether an element prints text in the colour that it has or
// inherits: charts draw theirs, some have colours for their parts, and authors
// may colour what they write in HTML.
func inOwnColor(e *lintElement) bool {
	if !e.has("fontSize") || !e.has("color") || e.has("altText") || e.t.Colors == htmlgen.ColorsOfParts {
		return false
	}
	return !slices.ContainsFunc(e.t.Props, func(f report.Field) bool {
		return (f.Editor == "html" || f.Editor == "rich-text") && strings.Contains(e.text(f.Name), "=")
	}) && (e.t.Colors == htmlgen.ColorsOfTable || slices.ContainsFunc(e.t.Props, func(f report.Field) bool { return printed(f.Editor) || printed(itemEditor(&f)) }))
}

// printed reports whether a setting of an editor is text that prints.
func printed(editor string) bool {
	return editor == "template" || editor == "html" || editor == "rich-text"
}

func itemEditor(f *report.Field) string {
	if f.Shape == report.ListShape {
		return f.Items().Editor
	}
	return ""
}

// tableContrast looks at the parts of a table as the theme colours them.
func (l *linter) tableContrast(e *lintElement, s shade) {
	table := &l.palette.Theme.Table
	if table.Table.Background != "" {
		s.background = l.tint(table.Table.Background)
	}
	hidden := e.is("hideHeader")
	for _, part := range []struct {
		name  string
		style *report.CellStyle
		skip  bool
	}{{"the header of the table", &table.Header, hidden}, {"the cells of the table", &table.Cells, false}} {
		if part.skip {
			continue
		}
		own := s
		if part.style.Color != "" {
			own.color = l.tint(part.style.Color)
		}
		if part.style.Background != "" {
			own.background = l.tint(part.style.Background)
		}
		size, _ := htmlgen.Points(part.style.FontSize)
		l.readable(own.color, own.background, size, part.style.FontWeight >= "700", e.path, part.name, nil)
		l.small(e, size, part.name)
		if part.style.AltBackground != "" {
			l.readable(own.color, l.tint(part.style.AltBackground), size, part.style.FontWeight >= "700", e.path, part.name+" in every second row", nil)
		}
	}
}

// readable checks a colour on another by WCAG 2: 4.5 to 1, and 3 to 1 for text
// of at least 18 points, or 14 when it is bold.
func (l *linter) readable(text, on tint, size float64, bold bool, path, what string, repair *Repair) {
	if !text.known || !on.known {
		return
	}
	least := 4.5
	if size == 0 || size >= 18 || bold && size >= 14 {
		least = 3 // the smaller demand where the size is not known
	}
	if c := htmlgen.Contrast(text.rgb, on.rgb); c < least {
		l.mend(repair, RuleContrast, path, "%s in %s on %s has a contrast of %.1f to 1, and %.1f is needed to read it easily; choose a darker or lighter colour", what, text.css, on.css, float64(int(c*10))/10, least)
	}
}
