package data

import (
	"context"
	"time"

	"github.com/quire-reports/quire/report"
)

// Trial is what one source gave when it was run for its author.
type Trial struct {
	Value any
	Took  time.Duration // of the source itself, without those it needs
	Logs  []string      // what its script wrote to the console
	// Input are the rows that a transformation began with, and Steps those after
	// each of its steps; nil for other types.
	Input    []any
	Steps    [][]any
	NotReady bool
	Warnings report.Problems
	// Problem is what went wrong, in it or in a source that it needs; what was
	// found out until then is there nevertheless.
	Problem *report.Problem
}

// trial is what a source tells while it is tried.
type trial struct {
	name  string
	most  int // of its steps; negative means all
	input []any
	steps [][]any
}

// Try runs one source of a request and the sources that it needs, and no others.
// The source itself always runs; those it needs may be kept from Previous. Of a
// transformation only so many steps run; a negative number means all.
func (l *Loader) Try(ctx context.Context, req Request, name string, steps int) (*Trial, error) {
	nodes, problems := plan(&req)
	target := nodeNamed(nodes, name)
	switch {
	case len(problems) > 0:
		return &Trial{Problem: problems[0]}, nil
	case target == nil:
		return nil, report.Problemf("source", "there is no data source %q", name)
	}
	run := l.newRun(&req, nil)
	run.trial = &trial{name: name, most: steps}
	for _, n := range nodes {
		if target.reaches(n) {
			run.nodes = append(run.nodes, n)
		}
	}
	if err := run.all(ctx); err != nil {
		return nil, err
	}
	out := &Trial{
		Value: target.value, Took: target.result.Took, Logs: target.result.Logs, NotReady: target.result.NotReady,
		Input: run.trial.input, Steps: run.trial.steps, Warnings: named(name, target.warnings),
	}
	return out, run.firstProblem(out)
}

func nodeNamed(nodes []*node, name string) *node {
	for _, n := range nodes {
		if n.source.Name == name {
			return n
		}
	}
	return nil
}

// firstProblem tells what went wrong; an error that no person can mend stays an
// error.
func (r *loadRun) firstProblem(out *Trial) error {
	for _, n := range r.nodes {
		if n.err == nil {
			continue
		}
		problems, err := sourceProblems(n.source.Name, n.err)
		if err != nil {
			return err
		}
		out.Problem = problems[0]
		return nil
	}
	return nil
}
