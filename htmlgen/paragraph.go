package htmlgen

import "github.com/quire-reports/quire/report"

var paragraph = define("paragraph", "Paragraph", "Text", "Text with space around it, broken over pages between its lines.", compileParagraph, looks(paragraphLook), icon("pilcrow"))

type paragraphProps struct {
	Text string `json:"text" means:"text" editor:"template" default:"Text" help:"Text; { begins a value: data, a parameter, the page number."`
	Typography
}

func paragraphLook(t *report.Theme, _ func(string) string) *report.TextStyle {
	return &t.Text.Paragraph
}

func compileParagraph(c *Context, e *Element, p *paragraphProps) {
	name := "p"
	if p.VerticalAlign != "top" {
		name = "div"
	}
	c.Open(e, tag{name: name, classes: p.classes(), breaks: true, font: &p.Font, box: &p.Box, extra: p.Typography.css})
	c.Raw(">")
	c.wrapped(&p.Typography, p.Text)
	c.Raw("</" + name + ">\n")
}
