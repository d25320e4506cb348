package data

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/quire-reports/quire/report"
)

// Load runs the sources of a report. The error is report.Problems when sources
// failed, each naming its source; all that can be found in one run are.
func (l *Loader) Load(ctx context.Context, req Request) (*Set, error) {
	nodes, problems := plan(&req)
	if len(problems) > 0 && req.Tolerant {
		return &Set{Data: &report.Object{}, Warnings: problems}, nil
	}
	if len(problems) > 0 {
		return nil, problems
	}
	run := l.newRun(&req, nodes)
	if err := run.all(ctx); err != nil {
		return nil, err
	}
	return run.collect()
}

func (l *Loader) newRun(req *Request, nodes []*node) *loadRun {
	return &loadRun{loader: l, req: req, nodes: nodes, places: make(chan struct{}, l.config.Parallel)}
}

// all runs the nodes.
func (r *loadRun) all(ctx context.Context) error {
	var all sync.WaitGroup
	for _, n := range r.nodes {
		all.Go(func() { r.node(ctx, n) })
	}
	all.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// Check finds what is wrong with a source's type and settings without running
// it.
func (l *Loader) Check(source report.DataSource, path string) report.Problems {
	t, ok := l.types[source.Type]
	if !ok {
		return report.Problems{unknownType(report.JoinPath(path, "type"), source.Type)}
	}
	return t.Check(source.Settings, report.JoinPath(path, "settings"))
}

func unknownType(path, name string) *report.Problem {
	known := ""
	for i, t := range Types() {
		if i > 0 {
			known += ", "
		}
		known += t.Name
	}
	return report.Problemf(path, "unknown data source type %q; accepted: %s", name, known)
}

// loadRun is one call of Load.
type loadRun struct {
	loader *Loader
	req    *Request
	nodes  []*node
	places chan struct{} // how many sources load at the same time
	trial  *trial        // of the source that is tried alone, or nil
}

// node loads one source once those it depends on are loaded.
func (r *loadRun) node(ctx context.Context, n *node) {
	defer close(n.done)
	n.result.Name = n.source.Name
	if r.req.Previous != nil {
		n.result.inputs = n.inputs(r.req)
	}
	if n.replaced {
		n.result.Replaced = true
		return
	}
	for _, d := range n.needs {
		select {
		case <-d.done:
			n.skipped = n.skipped || d.skipped || d.err != nil
		case <-ctx.Done():
			n.skipped = true
		}
	}
	tried := r.trial != nil && r.trial.name == n.source.Name
	if n.skipped || !tried && n.keep(r.req.Previous) {
		return
	}
	select {
	case r.places <- struct{}{}:
		defer func() { <-r.places }()
	case <-ctx.Done():
		n.skipped = true
		return
	}
	start := time.Now()
	n.value, n.err = r.load(ctx, n)
	n.result.Took = time.Since(start)
}

func (r *loadRun) load(ctx context.Context, n *node) (any, error) {
	t, ok := r.loader.types[n.source.Type]
	if !ok {
		return nil, unknownType("type", n.source.Type)
	}
	env := &Env{
		Params: r.req.Params, Dict: r.req.Dict, User: r.req.User, Data: &report.Object{},
		Zone: r.req.Zone, Now: r.req.Now, Locale: r.req.Locale, Language: r.req.Language,
		loader: r.loader, workspace: r.req.Workspace, scheduled: r.req.Scheduled, result: &n.result,
	}
	if env.Zone == nil {
		env.Zone = time.UTC
	}
	if r.trial != nil && r.trial.name == n.source.Name {
		env.trial = r.trial
	}
	for _, d := range n.needs {
		if !d.result.NotReady {
			env.Data.Set(d.source.Name, d.value)
		}
	}
	value, err := t.load(ctx, env, n.source.Settings)
	if errors.Is(err, errNotReady) {
		n.result.NotReady, err = true, nil
		env.warn("settings.requestBuilder", errNotReady.Error())
	}
	n.warnings = env.warnings
	return value, err
}

// collect puts the results together, or says what failed.
func (r *loadRun) collect() (*Set, error) {
	set := &Set{Data: &report.Object{}}
	var problems report.Problems
	for _, n := range r.nodes {
		if n.err != nil {
			found, err := sourceProblems(n.source.Name, n.err)
			if err != nil {
				return nil, err
			}
			problems = append(problems, found...)
			continue
		}
		if n.skipped && r.req.Tolerant {
			continue
		}
		if !n.result.NotReady {
			set.Data.Set(n.source.Name, n.value)
		}
		n.result.value, n.result.warnings = n.value, n.warnings
		set.Sources = append(set.Sources, n.result)
		set.Warnings = append(set.Warnings, named(n.source.Name, n.warnings)...)
	}
	if len(problems) > 0 && !r.req.Tolerant {
		return nil, problems
	}
	set.Warnings = append(set.Warnings, problems...)
	for _, name := range slices.Sorted(maps.Keys(r.req.Replace)) {
		if _, known := set.Data.Get(name); !known {
			set.Data.Set(name, r.req.Replace[name])
		}
	}
	return set, nil
}

// sourceProblems names the source in what went wrong with it; an error that no
// person can mend stays an error.
func sourceProblems(name string, err error) (report.Problems, error) {
	var many report.Problems
	if errors.As(err, &many) {
		return named(name, many), nil
	}
	var one *report.Problem
	if errors.As(err, &one) {
		return named(name, report.Problems{one}), nil
	}
	return nil, fmt.Errorf("data source %q: %w", name, err)
}

func named(name string, problems report.Problems) report.Problems {
	out := make(report.Problems, len(problems))
	for i, p := range problems {
		own := *p
		own.Path, own.Message = report.JoinPath("dataSources."+name, p.Path), fmt.Sprintf("data source %q: %s", name, p.Message)
		out[i] = &own
	}
	return out
}
