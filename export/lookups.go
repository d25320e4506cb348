package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/report"
)

// lookUp asks the sources of the lookups that have a value, each once: a value
// that is not offered is refused, as one of no fixed list is, and those that are
// offered get their labels. A lookup waits for those that it depends on.
func (s *Service) lookUp(ctx context.Context, r *run, parameters []report.Parameter, bound *report.Object) error {
	var waiting []*report.Parameter
	for i := range parameters {
		p := &parameters[i]
		v, _ := bound.Get(p.Name)
		sampled := p.Required && r.samples != nil
		if p.Type == report.ParameterLookup && p.LookupSource != nil && (sampled || !data.IsAbsent(v)) {
			waiting = append(waiting, p)
		}
	}
	var problems report.Problems
	for len(waiting) > 0 {
		now, later := ready(waiting)
		found, err := s.lookUpSome(ctx, r, now, bound)
		if err != nil {
			return err
		}
		problems, waiting = append(problems, found...), later
	}
	return problems.Err()
}

// ready are the lookups that depend on none of the others; all of them when they
// go round in a circle.
func ready(waiting []*report.Parameter) (now, later []*report.Parameter) {
	for _, p := range waiting {
		if slices.ContainsFunc(waiting, func(other *report.Parameter) bool { return other != p && dependsOn(p, other.Name) }) {
			later = append(later, p)
		} else {
			now = append(now, p)
		}
	}
	if len(now) == 0 {
		return waiting, nil
	}
	return now, later
}

// lookUpSome asks several sources at the same time.
func (s *Service) lookUpSome(ctx context.Context, r *run, parameters []*report.Parameter, bound *report.Object) (report.Problems, error) {
	chosen, errs := make([]*data.Chosen, len(parameters)), make([]error, len(parameters))
	var all sync.WaitGroup
	for i, p := range parameters {
		value, _ := bound.Get(p.Name)
		all.Go(func() { chosen[i], errs[i] = s.choose(ctx, r, p, value, bound) })
	}
	all.Wait()
	var problems report.Problems
	for i, p := range parameters {
		var several report.Problems
		var one *report.Problem
		switch {
		case errors.As(errs[i], &several):
			problems = append(problems, several...)
		case errors.As(errs[i], &one):
			problems = append(problems, one)
		case errs[i] != nil:
			return nil, errs[i]
		default:
			if before, _ := bound.Get(p.Name); data.IsAbsent(before) && !data.IsAbsent(chosen[i].Value) {
				r.samples.Set(p.Name, chosen[i].Value)
			}
			bound.Set(p.Name, chosen[i].Value)
			r.keepChosen(p, chosen[i])
		}
	}
	return problems, nil
}

// choose asks the source of one lookup, or takes what it gave a moment ago to
// the user editing the report.
func (s *Service) choose(ctx context.Context, r *run, p *report.Parameter, value any, bound *report.Object) (*data.Chosen, error) {
	req := s.lookupRequest(r, bound)
	if r.req.Definition == nil {
		return s.cfg.Loader.Choose(ctx, p, value, req)
	}
	whose := r.req
	whose.Report += "\x00" + p.Name
	req.Previous = s.kept.of(&whose)
	chosen, err := s.cfg.Loader.Choose(ctx, p, value, req)
	if err == nil && chosen.Set != nil {
		s.kept.keep(&whose, chosen.Set)
	}
	return chosen, err
}

// lookupRequest is what the sources of lookups see.
func (s *Service) lookupRequest(r *run, bound *report.Object) data.Request {
	return data.Request{
		Params: bound, Dict: r.found.words, User: r.req.User, Workspace: r.req.Workspace,
		Zone: r.found.zone, Now: r.now, Locale: r.locale, Language: r.found.language.Code,
	}
}

// keepChosen keeps the labels of the values that were chosen. A value that could
// not be checked causes a warning.
func (r *run) keepChosen(p *report.Parameter, chosen *data.Chosen) {
	if len(chosen.Waits) > 0 {
		why := "its source was not ready"
		if chosen.Waits[0] != p.Name {
			why = fmt.Sprintf("it depends on %s, which has no value", strings.Join(chosen.Waits, ", "))
		}
		r.found.warnings = append(r.found.warnings, report.Problemf("params."+p.Name, "the value of the parameter %q was not checked: %s", cmp.Or(p.Label, p.Name), why))
		return
	}
	if r.chosen == nil {
		r.chosen = map[string][]report.LookupItem{}
	}
	r.chosen[p.Name] = chosen.Items
}
