package export

import (
	"context"
	"errors"
	"slices"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report"
)

// SourceRequest asks for the rows of one data source of a report that is being
// edited.
type SourceRequest struct {
	Request
	Source string
	Steps  int // how many steps of a transformation run; negative means all
}

// SourceRun is what the data source gave. What its author can mend is in
// Problem, beside what was found out until then.
type SourceRun struct {
	data.Trial
	StepTypes []StepName // of Trial.Steps
}

// StepName names a kind of step of a transformation.
type StepName struct{ Name, Label string }

// RunSource runs one data source with those it needs, and nothing else.
func (s *Service) RunSource(ctx context.Context, req SourceRequest) (*SourceRun, error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	ctx, leave := s.enter(ctx, req.Workspace, req.UserID)
	defer leave()
	r, err := s.find(ctx, req.Request)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	at := slices.IndexFunc(r.found.sources, func(u report.SourceUse) bool { return u.Name == req.Source })
	if at < 0 {
		return nil, report.Problemf("source", "the report has no data source %q", req.Source)
	}
	r.params, err = s.bind(ctx, r)
	var problems report.Problems
	if errors.As(err, &problems) {
		return &SourceRun{Trial: data.Trial{Problem: problems[0]}}, nil
	}
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	load := s.loadRequest(r)
	load.Previous = s.kept.of(&req.Request)
	trial, err := s.cfg.Loader.Try(ctx, load, req.Source, req.Steps)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	out := &SourceRun{Trial: *trial}
	list, _ := r.found.sources[at].Settings["steps"].([]any)
	for i := range min(len(list), len(trial.Steps)) {
		out.StepTypes = append(out.StepTypes, stepType(list[i]))
	}
	return out, nil
}

// DecodeText turns the bytes of a file, whose encoding nobody told, into text.
func DecodeText(raw []byte) string { return data.DecodeText(raw) }

// stepType names a step of a definition.
func stepType(step any) StepName {
	name := ""
	switch step := step.(type) {
	case *report.Object:
		v, _ := step.Get("type")
		name, _ = v.(string)
	case map[string]any:
		name, _ = step["type"].(string)
	}
	for _, t := range steps.Types() {
		if t.Name == name {
			return StepName{t.Name, t.Label}
		}
	}
	return StepName{Name: name}
}
