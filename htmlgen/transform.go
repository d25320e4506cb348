package htmlgen

import (
	"fmt"

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
	e.steps = p.steps(transformed.transformation(), path+".transform")
}

// steps reads a list of steps; one with problems has no effect.
func (p *preparer) steps(source []any, path string) []steps.Step {
	list, problems := steps.Parse(source, path, true)
	p.problems = append(p.problems, problems...)
	if len(problems) > 0 {
		return nil
	}
	return list
}

// SourceRows are the rows of an element's source after its own steps.
func (c *Context) SourceRows(e *Element, binding string) []any {
	return c.stepped(e.path+".props.transform", e.label, e.steps, c.Rows(e, binding))
}

// stepped is rows after the steps at a path. Where one fails there are none:
// rows that were to be left out are not printed.
func (c *Context) stepped(path, label string, list []steps.Step, rows []any) []any {
	if len(list) == 0 {
		return rows
	}
	env := steps.NewEnv(c.Env, func(at, message string) { c.warnPath(path+at, label+": "+message) })
	out, err := steps.Run(c.ctx, env, list, rows)
	if err != nil {
		c.warnPath(path, fmt.Sprintf("%s: transforming the data failed, so there are no rows: %v", label, err))
		return nil
	}
	return out
}
