package htmlgen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

var placeholder = define("content-placeholder", "Content placeholder", "Layout", "The place in a template that a report's page fills.", compilePlaceholder, templateOnly, icon("square-dashed"))

type placeholderProps struct {
	Name string `json:"name" means:"place" help:"Name by which a report's page fills it; required when a layout has several."`
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
	c.inside(&p.Box, func() { c.Children(plan.filled[e]) })
	c.filling = plan
	if boxed {
		c.Raw("</div>\n")
	}
}

// fill decides what each placeholder of the layout prints, so that nothing is
// printed twice: what the page gives for its name; the page's own elements go
// into the first of those left, before all into the one called content or not
// called anything.
func (p *sheetPlan) fill(places []*Element) {
	p.places = places
	p.filled = map[*Element][]*Element{}
	taken := map[string]bool{}
	var free []*Element
	for _, e := range places {
		name := placeName(e)
		switch given, ok := p.placeholders[name]; {
		case !ok:
			free = append(free, e)
		case !taken[name]:
			p.filled[e] = given
			taken[name] = true
		}
	}
	if len(free) == 0 || len(p.single) == 0 {
		return
	}
	own := max(0, slices.IndexFunc(free, func(e *Element) bool { return placeName(e) == "" || placeName(e) == "content" }))
	p.filled[free[own]] = p.single
	p.placed = true
}

// slot are the settings of an element that a report's page fills.
type slot interface{ placeName() string }

func (p *placeholderProps) placeName() string { return p.Name }

func placeName(e *Element) string { return e.props.(slot).placeName() }

// unplaced prints the page's own elements where the layout has no place for
// them, and tells of what is given for placeholders that it lacks.
func (c *Context) unplaced(plan *sheetPlan) {
	page := func(at string) *Element {
		return &Element{path: plan.path + at, label: plan.label()}
	}
	var names []string
	for _, e := range plan.places {
		if slices.Contains(names, placeName(e)) {
			c.Warn(e, "the layout has another placeholder of this name; what is given for the name is printed once, so give each its own")
		}
		names = append(names, placeName(e))
	}
	for _, name := range sortedKeys(plan.placeholders) {
		if !slices.Contains(names, name) && len(plan.placeholders[name]) > 0 {
			c.lost(page(".placeholders."+name), "no placeholder of the layout is called %q, so what is given for it is not printed; the layout has %s", name, firstOf(quoted(names), "none"))
		}
	}
	if plan.placed || len(plan.single) == 0 {
		return
	}
	if len(plan.body) > 0 {
		c.Warn(page(".elements"), "the layout has no placeholder for the page's elements; they are printed after what it holds")
	}
	filling := c.filling
	c.filling = nil // a page's own elements hold no placeholders
	c.Children(plan.single)
	c.filling = filling
}

// lost warns of what is not printed; the canvas of the designer says so, too.
func (c *Context) lost(at *Element, format string, args ...any) {
	c.Warn(at, format, args...)
	if c.in.Origins {
		c.Raw(`<div class="q-missing">`)
		c.Text(fmt.Sprintf(format, args...))
		c.Raw("</div>\n")
	}
}

func quoted(names []string) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = strconv.Quote(n)
	}
	return strings.Join(list, ", ")
}
