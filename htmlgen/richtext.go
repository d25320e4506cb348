package htmlgen

import "strconv"

var richText = define("rich-text-editor", "Rich text", "Text", "Formatted text, written in the designer as in a word processor.", compileRichText, icon("text-cursor-input"))

type richTextProps struct {
	Content     string `json:"content" means:"text" editor:"rich-text" help:"HTML of the text: paragraphs, headings, lists, tables, links; text templates work in it." ask:"Paragraphs, headings, lists, tables and links; { begins a value."`
	ColumnCount int    `json:"columnCount" label:"Column count" min:"0" max:"12" help:"Number of text columns; 0 and 1 are one. Fewer are set where a column would be narrower than 5 em."`
	ColumnGap   string `json:"columnGap" label:"Column gap" editor:"length"`
	Break       bool   `json:"breakAcrossPages" label:"Break across pages"`
	TextAlign   string `json:"textAlign" label:"Text align" enum:",left,center,right,justify"`
	Hyphens
	Font
	Box
}

func compileRichText(c *Context, e *Element, p *richTextProps) {
	c.Open(e, tag{name: "div", classes: "q-rich", breaks: p.Break, font: &p.Font, box: &p.Box, extra: func(s *style) {
		c.textColumns(s, &p.Box, p.ColumnCount, p.ColumnGap)
		s.add("text-align", p.TextAlign)
	}})
	c.Raw(">")
	start := c.Len()
	c.Markup(e, p.Content)
	c.tellUndivided(e, p.Hyphens.Hyphens)
	if p.divides(p.TextAlign, p.Style) {
		c.hyphenate(start, leastInText)
	}
	c.Raw("</div>\n")
}

// narrowestColumn is the width in em that text in columns has at least: fewer
// columns are set where there is no room for it.
const narrowestColumn = 5

// textColumns are the declarations of text in columns.
func (c *Context) textColumns(s *style, b *Box, count int, gap string) {
	if count > 1 {
		between := c.px(gap, c.room, c.em())
		fit := (c.outer(b) - c.horizontal(b.Padding) + between) / (narrowestColumn*c.em() + between)
		s.add("columns", strconv.Itoa(max(1, min(count, int(fit)))))
	}
	s.add("column-gap", length(gap))
}
