package export

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// Asked is a parameter of a report as it is asked for: with its value so far,
// and with what a lookup offers now.
type Asked struct {
	report.Parameter
	Value   any // as the report would get it; nil when there is none
	Choices []report.LookupItem
	Waits   []string // labels of the parameters that a lookup needs a value of first
	Leads   bool     // whether lookups depend on it
	Problem string   // why a lookup offers nothing
}

// Parameters are the parameters of a report, for a form that asks for them.
// Values that are missing or wrong are no error here.
func (s *Service) Parameters(ctx context.Context, req Request) ([]Asked, error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	r := &run{req: req, now: s.cfg.Clock()}
	var err error
	if r.found, err = s.resolve(ctx, req); err != nil {
		return nil, err
	}
	r.locale = text.LocaleFor(firstText(r.found.language.Culture, r.found.language.Code))
	bound, _, err := s.bindValues(ctx, r)
	var problems report.Problems
	if err != nil && !errors.As(err, &problems) {
		return nil, err
	}
	asked := make([]Asked, len(r.found.parameters))
	var all sync.WaitGroup
	for i, p := range r.found.parameters {
		value, _ := bound.Get(p.Name)
		asked[i] = Asked{Parameter: p, Value: value, Leads: leads(r.found.parameters, p.Name)}
		if p.Type == report.ParameterLookup {
			all.Go(func() { s.offer(ctx, r, bound, &asked[i]) })
		}
	}
	all.Wait()
	return asked, ctx.Err()
}

// leads reports whether a lookup depends on a parameter.
func leads(parameters []report.Parameter, name string) bool {
	return slices.ContainsFunc(parameters, func(p report.Parameter) bool { return p.LookupSource != nil && dependsOn(&p, name) })
}

// dependsOn reports whether a lookup needs the value of a parameter.
func dependsOn(p *report.Parameter, name string) bool {
	return slices.ContainsFunc(p.LookupSource.Dependencies, func(d string) bool {
		return strings.TrimPrefix(strings.TrimSpace(d), "$params.") == name
	})
}

// offer finds what a lookup offers.
func (s *Service) offer(ctx context.Context, r *run, bound *report.Object, a *Asked) {
	choices, waits, err := s.cfg.Loader.Choices(ctx, &a.Parameter, s.lookupRequest(r, bound))
	a.Choices = choices
	for _, name := range waits {
		a.Waits = append(a.Waits, labelOf(r.found.parameters, name))
	}
	var problems report.Problems
	switch {
	case errors.As(err, &problems):
		a.Problem = problems[0].Message
	case err != nil:
		a.Problem = err.Error()
	}
}

func labelOf(parameters []report.Parameter, name string) string {
	for _, p := range parameters {
		if p.Name == name {
			return firstText(p.Label, p.Name)
		}
	}
	return name
}
