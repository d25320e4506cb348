package htmlgen

var placeholder = define("content-placeholder", "Content placeholder", "Layout", "The place in a template that a report's page fills.", compilePlaceholder, templateOnly)

type placeholderProps struct {
	Name string `json:"name" help:"Name by which a report's page fills it; required when a layout has several."`
	Box
}

// compilePlaceholder prints what the page being made gives for the placeholder.
// Without a box of its own it leaves no trace, so that the page's elements break
// between pages as if they stood in the layout.
func compilePlaceholder(c *Context, e *Element, p *placeholderProps) {
	plan := c.filling
	if plan == nil {
		c.Warn(e, "a content placeholder belongs into the body of a template")
		return
	}
	boxed := p.Box != Box{}
	if boxed {
		c.Open(e, tag{name: "div", breaks: true, box: &p.Box})
		c.Raw(">\n")
	}
	c.filling = nil // a page's own elements hold no placeholders
	c.inside(&p.Box, func() { c.Children(plan.content(p.Name)) })
	c.filling = plan
	if boxed {
		c.Raw("</div>\n")
	}
}
