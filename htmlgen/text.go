package htmlgen

var textType = define("text", "Text", "Text", "One run of text.", compileText, icon("type"))

type textProps struct {
	Text string `json:"text" means:"text" editor:"template" default:"Text" help:"Text; { begins a value: data, a parameter, the page number."`
	Typography
}

func compileText(c *Context, e *Element, p *textProps) {
	c.Open(e, tag{name: "div", classes: p.classes(), font: &p.Font, box: &p.Box, extra: p.Typography.css})
	c.typedTemplate(c.Parse(p.Text))
	c.Raw(">")
	c.wrapped(&p.Typography, p.Text)
	c.Raw("</div>\n")
}
