package htmlgen

var spacer = define("spacer", "Spacer", "Layout", "Empty room.", compileSpacer, icon("move-vertical"))

type spacerProps struct {
	Size string `json:"size" editor:"length" default:"12pt" help:"Height, and in a horizontal flow width, of the empty room."`
	Box
}

func compileSpacer(c *Context, e *Element, p *spacerProps) {
	c.Open(e, tag{name: "div", box: &p.Box, extra: func(s *style) {
		if p.Width == "" {
			s.add("min-width", length(p.Size))
		}
		if p.Height == "" {
			s.add("height", length(p.Size))
		}
	}})
	c.BoolAttr("data-space")
	c.Raw("></div>\n")
}
