package htmlgen

import "strconv"

var richText = define("rich-text-editor", "Rich text", "Text", "Formatted text, written in the designer as in a word processor.", compileRichText)

type richTextProps struct {
	Content     string `json:"content" means:"text" editor:"rich-text" help:"HTML of the text: paragraphs, headings, lists, tables, links; text templates work in it."`
	ColumnCount int    `json:"columnCount" label:"Column count" min:"0" max:"12" help:"Number of text columns; 0 and 1 are one."`
	ColumnGap   string `json:"columnGap" label:"Column gap" editor:"length"`
	Break       bool   `json:"breakAcrossPages" label:"Break across pages"`
	TextAlign   string `json:"textAlign" label:"Text align" enum:",left,center,right,justify"`
	Font
	Box
}

func compileRichText(c *Context, e *Element, p *richTextProps) {
	c.Open(e, tag{name: "div", classes: "q-rich", breaks: p.Break, font: &p.Font, box: &p.Box, extra: func(s *style) {
		textColumns(s, p.ColumnCount, p.ColumnGap)
		s.add("text-align", p.TextAlign)
	}})
	c.Raw(">")
	c.Markup(e, p.Content)
	c.Raw("</div>\n")
}

// textColumns are the declarations of text in columns.
func textColumns(s *style, count int, gap string) {
	if count > 1 {
		s.add("columns", strconv.Itoa(count))
	}
	s.add("column-gap", length(gap))
}
