package htmlgen

import (
	"github.com/quire-reports/quire/data/steps"
)

// transformProps is embedded by elements that pick rows.
type transformProps struct {
	Transform []any `json:"transform" label:"Transform data" editor:"steps" help:"Steps that change the rows of this element only, in order: those of a data transformation, except join and union."`
}

func (p *transformProps) transformation() []any { return p.Transform }

// prepareSteps reads the steps of an element that has some.
func (p *preparer) prepareSteps(e *Element, path string) {
	transformed, ok := e.props.(interface{ transformation() []any })
	if !ok {
		return
	}
	list, problems := steps.Parse(transformed.transformation(), path+".transform", true)
	p.problems = append(p.problems, problems...)
	if len(problems) == 0 {
		e.steps = list
	}
}

// SourceRows are the rows of an element's source after its own steps.
func (c *Context) SourceRows(e *Element, binding string) []any {
	rows := c.Rows(e, binding)
	if len(e.steps) == 0 {
		return rows
	}
	env := steps.NewEnv(c.Env, func(format string, args ...any) { c.Warn(e, format, args...) })
	out, err := steps.Run(c.ctx, env, e.steps, rows)
	if err != nil {
		c.Warn(e, "transforming the data failed: %v", err)
		return rows
	}
	return out
}
