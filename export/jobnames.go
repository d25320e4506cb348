package export

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// JobNames are what the templates of a job can read by name.
type JobNames struct{ Sources, Parameters, Words []string }

// JobNames finds the names of a job's own data sources and parameters, and of
// the dictionary. The language may be one that nobody knows.
func (s *Service) JobNames(ctx context.Context, workspace int, job *report.Job) (JobNames, report.Problems, error) {
	req := BatchRequest{Workspace: workspace, Parameters: job.Parameters, Sources: job.DataSources, Language: job.Language}
	var problems report.Problems
	r, err := s.batchRun(ctx, req)
	if wrong := (*report.Problem)(nil); errors.As(err, &wrong) && wrong.Path == "lang" {
		problems = append(problems, report.Problemf("language", "%s", wrong.Message))
		req.Language = ""
		r, err = s.batchRun(ctx, req)
	}
	if err != nil {
		return JobNames{}, problems, err
	}
	names := JobNames{Parameters: parameterNames(r.found.parameters)}
	for word := range r.found.words.All() {
		names.Words = append(names.Words, word)
	}
	for _, source := range r.found.sources {
		names.Sources = append(names.Sources, source.Name)
	}
	return names, append(problems, r.found.warnings...), nil
}

// CheckRun refuses the values that a run of a job is started with, where they
// would fail it, and loads nothing but what lookups offer.
func (s *Service) CheckRun(ctx context.Context, req BatchRequest) error {
	r, err := s.batchRun(ctx, req)
	if err != nil {
		return err
	}
	var problems report.Problems
	if _, err := s.bind(ctx, r); err != nil && !errors.As(err, &problems) {
		return err
	}
	problems = append(problems, r.unknown...)
	if _, err := s.replacements(ctx, r); err != nil {
		var more report.Problems
		if !errors.As(err, &more) {
			return err
		}
		problems = append(problems, more...)
	}
	return problems.Err()
}

// CheckUse finds what would fail a document that a job makes of a report: names
// that the report or the workspace does not have, and required parameters that
// the job does not give. Paths lead into the document.
func (s *Service) CheckUse(ctx context.Context, workspace int, use *report.JobReport) (report.Problems, error) {
	definition, err := s.cfg.Definitions.Report(ctx, workspace, use.Report)
	if err != nil {
		return nil, err
	}
	req := Request{Workspace: workspace, ExportOptions: use.ExportOptions}
	r := &run{req: req, found: &resolved{report: definition.Report}}
	var problems report.Problems
	note := func(path string, err error) error {
		var wrong *report.Problem
		if err != nil && !errors.As(err, &wrong) {
			return err
		}
		if wrong != nil {
			problems = append(problems, &report.Problem{Path: firstText(path, wrong.Path), Message: wrong.Message})
		}
		return nil
	}
	if err := note("", look(req, r.found, &definition.Library)); err != nil {
		return nil, err
	}
	if language, static := text.Parse(use.Language).Static(); static && language != "" {
		if err := note("language", r.found.languages(language, &definition.Library)); err != nil {
			return nil, err
		}
	}
	r.found.complete(&definition.Library)
	given := report.ObjectOf()
	for _, name := range slices.Sorted(maps.Keys(use.Params)) {
		given.Set(name, use.Params[name])
	}
	_, unknown, err := s.asked(ctx, r, given)
	if err != nil {
		return nil, err
	}
	problems = append(problems, unknown...)
	known := r.found.sourceNames()
	for _, name := range slices.Sorted(maps.Keys(use.Data)) {
		if !slices.Contains(known, name) {
			problems = append(problems, lacking("data", r.owner(), "data source", name, known))
		}
	}
	for _, p := range r.found.parameters {
		if value, isGiven := use.Params[p.Name]; p.Required && data.IsAbsent(p.Default) && (!isGiven || data.IsAbsent(value)) {
			problems = append(problems, report.Problemf("params."+p.Name, "the parameter %q of the report is required, and the job gives it no value", p.Name))
		}
	}
	return problems, nil
}

// notOf says that a template reads a name that is not there.
func notOf(written, owner, kind, name string, known []string) string {
	return fmt.Sprintf("%s: %s", written, lacking("", owner, kind, name, known).Message)
}

// CheckRead says what is wrong with the first part of what a template of a job
// reads, or nothing.
func (n JobNames) CheckRead(written, root, name string) string {
	switch {
	case root == "$data" && name != "" && !slices.Contains(n.Sources, name):
		return notOf(written, "the job", "data source", name, n.Sources)
	case root == "$params" && name != "" && !slices.Contains(n.Parameters, name):
		return notOf(written, "the job", "parameter", name, n.Parameters)
	case root == "$dict" && name != "" && !slices.Contains(n.Words, name):
		return notOf(written, "the workspace's dictionary", "entry", name, n.Words)
	}
	return ""
}
