package jobs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// vocabulary is what templates of a job can read in one place: the roots, each
// with its members where they are known.
type vocabulary map[string][]string

// forEntries is what templates and conditions of entries read.
func forEntries(job *report.Job) vocabulary {
	v := vocabulary{"$record": nil, "$data": nil, "$params": nil, "$dict": nil, "$user": report.PersonMembers(), "$run": {"number"}, "$job": {"code", "name"}, "$entry": {"position"}, "$now": {}}
	if job.Repeat != "" {
		v[job.Repeat] = nil
	}
	return v
}

// forRuns is what templates of deliveries of a run as a whole read.
func forRuns() vocabulary {
	return vocabulary{"$data": nil, "$params": nil, "$dict": nil, "$user": report.PersonMembers(), "$run": {"number", "entries", "completed", "errors"}, "$job": {"code", "name"}, "$now": {}}
}

// fault says what is wrong with something that is read, or nothing.
func (v vocabulary) fault(names export.JobNames, read text.Read) string {
	parts := strings.Split(read.Path.String(), ".")
	root, name := strings.TrimSpace(parts[0]), ""
	if len(parts) > 1 {
		name = strings.TrimSpace(parts[1])
	}
	members, known := v[root]
	switch {
	case !known:
		return fmt.Sprintf("%s: there is no %s here%s", read.Source, root, meant(root, slices.Sorted(maps.Keys(v))))
	case members != nil && name != "" && !slices.Contains(members, name):
		return fmt.Sprintf("%s: %s has no %q here%s", read.Source, root, name, meant(name, members))
	}
	return names.CheckRead(read.Source, root, name)
}

// meant names what is near and what there is.
func meant(name string, accepted []string) string {
	if near := report.Nearest(name, accepted); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	if len(accepted) == 0 {
		return ""
	}
	return "; there is " + strings.Join(accepted, ", ")
}

// checker finds what is wrong with the templates and expressions of a job.
type checker struct {
	names    export.JobNames
	env      *text.Env // in which everything is null
	problems report.Problems
}

func (s *Service) checker(ctx context.Context, workspace int, job *report.Job) (*checker, error) {
	names, problems, err := s.cfg.Batch.JobNames(ctx, workspace, job)
	if err != nil {
		return nil, err
	}
	env, err := s.cfg.Batch.Texts(ctx, export.TextRequest{Workspace: workspace, Now: s.cfg.Clock(), Lookup: func(string) (any, bool) { return nil, true }})
	return &checker{names: names, env: env, problems: problems}, err
}

func (c *checker) fault(at, message string) {
	c.problems = append(c.problems, &report.Problem{Path: at, Message: message})
}

// template checks a template.
func (c *checker) template(v vocabulary, at, source string) {
	t := text.Parse(source)
	for _, p := range t.Problems {
		c.fault(at, p.Message)
	}
	c.reads(v, at, t.Reads())
}

// value checks the templates inside a value.
func (c *checker) value(v vocabulary, at string, value any) {
	switch value := value.(type) {
	case string:
		c.template(v, at, value)
	case []any:
		for i := range value {
			c.value(v, fmt.Sprintf("%s[%d]", at, i), value[i])
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			c.value(v, report.JoinPath(at, name), value[name])
		}
	case *report.Object:
		for name, member := range value.All() {
			c.value(v, report.JoinPath(at, name), member)
		}
	}
}

// expression checks a condition.
func (c *checker) expression(v vocabulary, at, source string) {
	if strings.TrimSpace(source) == "" {
		return
	}
	c.script(v, at, text.ParseExpression(source))
}

func (c *checker) script(v vocabulary, at string, e *text.Expression) {
	c.reads(v, at, e.Reads())
	if _, err := e.Eval(c.env); err != nil && strings.Contains(err.Error(), "SyntaxError") {
		c.fault(at, fmt.Sprintf("%s cannot be read: %s", e, Reason(err).Message))
	}
}

func (c *checker) reads(v vocabulary, at string, reads []text.Read) {
	for _, read := range reads {
		if read.Script != nil {
			c.script(v, at, read.Script)
		} else if message := v.fault(c.names, read); message != "" && !read.Fallback {
			c.fault(at, message)
		}
	}
}
