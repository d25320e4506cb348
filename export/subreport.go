package export

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
)

// subreports loads the reports inside a run's report; the same one with the same
// parameters once.
type subreports struct {
	service *Service
	run     *run
	known   map[string]*htmlgen.Subreport
}

// innerData is what the data sources of a report inside another gave.
type innerData struct {
	code string
	data *report.Object
}

// Subreport implements htmlgen.Subreports.
func (u *subreports) Subreport(ctx context.Context, code string, params *report.Object) (*htmlgen.Subreport, error) {
	values, err := json.Marshal(params)
	if err != nil {
		return nil, fmt.Errorf("writing the parameters of the subreport %q: %w", code, err)
	}
	key := code + "\x00" + string(values)
	if sub, ok := u.known[key]; ok {
		return sub, nil
	}
	sub, err := u.load(ctx, code, params)
	if err != nil {
		return nil, fmt.Errorf("the subreport %q: %w", code, err)
	}
	if u.known == nil {
		u.known = map[string]*htmlgen.Subreport{}
	}
	u.known[key] = sub
	return sub, nil
}

func (u *subreports) load(ctx context.Context, code string, given *report.Object) (*htmlgen.Subreport, error) {
	s, outer := u.service, u.run
	definition, err := s.cfg.Definitions.Subreport(ctx, outer.req.Workspace, code)
	if err == nil {
		err = s.finished(definition)
	}
	if err != nil {
		return nil, err
	}
	r := &resolved{report: definition.Report, language: outer.found.language, fallback: outer.found.fallback, zone: outer.found.zone}
	r.complete(&definition.Library)
	params, err := s.cfg.Loader.BindParameters(ctx, r.parameters, data.Binding{Given: given, User: outer.req.User, Zone: r.zone, Now: outer.now, Samples: outer.samplesInside()})
	if err = outer.tolerate(err); err != nil {
		return nil, err
	}
	if err := u.passOn(ctx, r, code, given, params); err != nil {
		return nil, err
	}
	loaded, err := s.cfg.Loader.Load(ctx, data.Request{
		Sources: r.sources, Params: params, Dict: r.words, User: outer.req.User, Workspace: outer.req.Workspace,
		Zone: r.zone, Now: outer.now, Locale: outer.locale, Language: r.language.Code,
	})
	if err != nil {
		return nil, err
	}
	if loaded.Data.Len() > 0 {
		outer.inner = append(outer.inner, innerData{code, loaded.Data})
	}
	return &htmlgen.Subreport{
		Report: r.report, Data: loaded.Data, Params: params, Dict: r.words, Warnings: append(r.warnings, loaded.Warnings...),
	}, nil
}

// samplesInside is where samples for the parameters of a report inside this one
// are noted, which nobody asks for; nil where none are made.
func (r *run) samplesInside() *report.Object {
	if r.samples == nil {
		return nil
	}
	return report.ObjectOf()
}

// passOn keeps the values that the subreport does not declare: its author may
// pass them on to the reports inside it. What those do not declare either is
// warned of.
func (u *subreports) passOn(ctx context.Context, r *resolved, code string, given, params *report.Object) error {
	rest := withoutParameter(given, r.parameters)
	if len(rest) == 0 {
		return nil
	}
	inner, err := u.service.innerParameters(ctx, u.run.req.Workspace, r.report)
	if err != nil {
		return err
	}
	known := parameterNames(slices.Concat(r.parameters, inner))
	for _, name := range rest {
		v, _ := given.Get(name)
		params.Set(name, v)
		if !slices.Contains(known, name) {
			r.warnings = append(r.warnings, lacking("parameters", fmt.Sprintf("the subreport %q", code), "parameter", name, known))
		}
	}
	return nil
}
