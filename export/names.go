package export

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
)

// Bounds of messages about unknown names.
const (
	mostUnknown = 20 // names
	mostKnown   = 30 // names that there are
)

// lacking says that something has not got what a name was given for, and what it
// has.
func lacking(path, owner, kind, name string, known []string) *report.Problem {
	has := "it has none"
	if len(known) > 0 {
		has = "it has " + strings.Join(known[:min(len(known), mostKnown)], ", ")
	}
	if more := len(known) - mostKnown; more > 0 {
		has += fmt.Sprintf(" and %d more", more)
	}
	if near := report.Nearest(name, known); near != "" {
		has = fmt.Sprintf("did you mean %q? I%s", near, has[1:])
	}
	message := fmt.Sprintf("%s has no %s %q; %s", owner, kind, name, has)
	return &report.Problem{Path: report.JoinPath(path, name), Message: message}
}

// owner is what names in a request belong to.
func (r *run) owner() string {
	if r.batch {
		return "the job"
	}
	return "the report"
}

// sourceNames are the data sources that data can stand in for.
func (r *resolved) sourceNames() []string {
	var names []string
	for _, s := range r.sources {
		names = append(names, s.Name)
	}
	for _, name := range r.global {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// replaceBy puts the members of data in the place of the data sources of their
// names. Null stands for no member.
func (r *run) replaceBy(given *report.Object, option string, replace map[string]any) error {
	known := r.found.sourceNames()
	var unknown report.Problems
	used := false
	for name, value := range given.All() {
		switch {
		case value == nil:
		case slices.Contains(known, name):
			used = true
			replace[name] = value
		default:
			unknown = append(unknown, lacking(option, r.owner(), "data source", name, known))
		}
	}
	unknown = unknown.AtMost(mostUnknown)
	if len(unknown) > 0 && (!used || r.req.Strict) {
		return unknown
	}
	r.unknown = append(r.unknown, unknown...)
	return nil
}

// asked are the parameters that the values given are for: those of the report,
// and of the reports inside it those that are given; and the names that are
// none.
func (s *Service) asked(ctx context.Context, r *run, given *report.Object) (parameters []report.Parameter, unknown report.Problems, err error) {
	parameters = r.found.parameters
	rest := withoutParameter(given, parameters)
	if len(rest) == 0 {
		return parameters, nil, nil
	}
	inner, err := s.innerParameters(ctx, r.req.Workspace, r.found.report)
	if err != nil {
		return nil, nil, err
	}
	known := parameterNames(parameters)
	parameters = slices.Clone(parameters)
	for _, p := range inner {
		if !slices.Contains(known, p.Name) {
			known = append(known, p.Name)
			if slices.Contains(rest, p.Name) {
				p.Required = false // here it is only passed on
				parameters = append(parameters, p)
			}
		}
	}
	for _, name := range withoutParameter(given, parameters) {
		unknown = append(unknown, lacking("params", r.owner(), "parameter", name, known))
	}
	if r.req.Definition != nil {
		return parameters, nil, nil // a form still holds what was renamed just now
	}
	return parameters, unknown.AtMost(mostUnknown), nil
}

func parameterNames(parameters []report.Parameter) []string {
	var names []string
	for _, p := range parameters {
		names = append(names, p.Name)
	}
	return names
}

// withoutParameter are the names of values that no parameter has.
func withoutParameter(given *report.Object, parameters []report.Parameter) []string {
	known := parameterNames(parameters)
	var rest []string
	for name, value := range given.All() {
		if value != nil && !slices.Contains(known, name) {
			rest = append(rest, name)
		}
	}
	return rest
}

// innerParameters are the parameters of the reports inside a report, at any
// depth. A missing report is reported where it would be shown.
func (s *Service) innerParameters(ctx context.Context, workspace int, def *report.Report) ([]report.Parameter, error) {
	var parameters []report.Parameter
	seen := map[string]bool{}
	open := innerReports(def)
	for len(open) > 0 {
		code := strings.ToLower(open[0])
		open = open[1:]
		if seen[code] {
			continue
		}
		seen[code] = true
		definition, err := s.cfg.Definitions.Subreport(ctx, workspace, code)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			continue
		}
		inner := &resolved{report: definition.Report}
		shared := included(inner.report, func(i *report.Include) []report.Parameter { return i.Parameters }, definition.Library.Parameters)
		inner.parameters = inner.useParameters(shared)
		inner.useLookups(included(inner.report, func(i *report.Include) []report.DataSource { return i.DataSources }, definition.Library.DataSources))
		parameters = append(parameters, inner.parameters...)
		open = append(open, innerReports(inner.report)...)
	}
	return parameters, nil
}

// innerReports are the codes of the reports that stand in a report's pages.
func innerReports(def *report.Report) []string {
	var codes []string
	props := map[string][]report.Field{}
	for _, t := range htmlgen.Types() {
		props[t.Name] = t.Props
	}
	note := func(e *report.Element) {
		for _, f := range props[e.Type] {
			if code, ok := e.Props[f.Name].(string); ok && f.Editor == "report" && code != "" {
				codes = append(codes, code)
			}
		}
	}
	for _, p := range def.Pages {
		if p.Type == report.PageTypeSubreport && p.Report != "" {
			codes = append(codes, p.Report)
		}
		eachElement(p.Elements, note)
		for _, elements := range p.Placeholders {
			eachElement(elements, note)
		}
	}
	return codes
}

// unknownPages says which pages that are to be left out the report lacks.
func unknownPages(def *report.Report, exclude []int) report.Problems {
	var ids []string
	for _, p := range def.Pages {
		ids = append(ids, fmt.Sprintf("%d (%s)", p.ID, p.Name))
	}
	var unknown report.Problems
	for _, id := range slices.Compact(slices.Sorted(slices.Values(exclude))) {
		if !slices.ContainsFunc(def.Pages, func(p report.Page) bool { return p.ID == id }) {
			unknown = append(unknown, report.Problemf("excludePages", "the report has no page with the ID %d; it has %s", id, strings.Join(ids[:min(len(ids), mostKnown)], ", ")))
		}
	}
	return unknown.AtMost(mostUnknown)
}

// CheckNames refuses a request by its names of data and pages before anything is
// made of it. What else is wrong with it, who makes it finds.
func (s *Service) CheckNames(ctx context.Context, req Request) error {
	definition, err := s.cfg.Definitions.Report(ctx, req.Workspace, req.Report)
	if err != nil {
		return err
	}
	r := &run{req: req, found: &resolved{}}
	if err := r.found.leaveOut(definition.Report, req.ExcludePages); err != nil {
		return err
	}
	r.found.complete(&definition.Library)
	_, err = s.replacements(ctx, r)
	return err
}

// Described are the names that a request for a report may use: its parameters
// and data sources with the reusable ones in place, and the global ones that
// it reads.
type Described struct {
	Parameters []report.Parameter
	Sources    []report.SourceUse
}

// Describe tells them.
func (s *Service) Describe(ctx context.Context, workspace int, ref string) (*Described, error) {
	definition, err := s.cfg.Definitions.Report(ctx, workspace, ref)
	if err != nil {
		return nil, err
	}
	r := &resolved{report: definition.Report}
	r.complete(&definition.Library)
	return &Described{r.parameters, r.sources}, nil
}
