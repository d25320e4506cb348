package htmlgen

import (
	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report"
)

// repeat is what something is printed for: the items of an array, after steps.
type repeat struct {
	source, alias string
	steps         []steps.Step
	path          string // of the steps in the definition
}

// repeat makes a repetition ready; nil when there is none.
func (p *preparer) repeat(r *report.Repeat, path string) *repeat {
	if r == nil {
		return nil
	}
	path += ".transform"
	return &repeat{r.Source, firstOf(r.Alias, "record"), p.steps(r.Transform, path), path}
}

// rowItem is one item of a repetition.
type rowItem struct {
	value  any
	index  int
	origin string // path in the data, when it is asked for
}

// items are what an element is repeated for.
func (c *Context) items(e *Element, r *repeat) []any {
	return c.stepped(r.path, e.label, r.steps, c.Rows(e, r.source))
}

// repeat puts each item in scope and calls do.
func (c *Context) repeat(e *Element, r *repeat, do func(rowItem)) {
	origins := c.rowOrigins(r.source)
	if len(r.steps) > 0 {
		origins = func(int) string { return "" }
	}
	for i, item := range c.each(c.items(e, r)) {
		undo := c.scope.pushItem(r.alias, item, i)
		c.from("$it."+r.alias, origins(i))
		do(rowItem{item, i, origins(i)})
		undo()
	}
}
