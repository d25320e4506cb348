package htmlgen

var separator = define("separator", "Separator", "Layout", "A line.", compileSeparator, icon("minus"))

type separatorProps struct {
	Orientation string `json:"orientation" enum:"horizontal,vertical" default:"horizontal"`
	Color       string `json:"color" editor:"color" default:"var(--separator-color)"`
	Size        string `json:"size" editor:"length" default:"var(--separator-size)" help:"Thickness, px, percent or rem."`
	Spacing     string `json:"spacing" label:"Room around" editor:"lengths" help:"Room around the line, as a CSS margin." ask:"Above and below the line, such as 4mm 0."`
	Box
}

func compileSeparator(c *Context, e *Element, p *separatorProps) {
	c.Open(e, tag{name: "hr", box: &p.Box, extra: p.css})
	c.Raw(` aria-hidden="true">` + "\n")
}

func (p *separatorProps) css(s *style) {
	s.add("margin", lengths(p.Spacing))
	s.add("background", cssValue(p.Color))
	if p.Orientation == "vertical" {
		s.add("width", length(p.Size))
		s.add("align-self", "stretch")
		s.add("flex", "none")
		return
	}
	s.add("height", length(p.Size))
	p.fillBetween(s, firstOf(p.Spacing, p.Margin))
}
