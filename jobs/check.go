package jobs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
	"github.com/quire-reports/quire/store"
)

// Check finds what is wrong with a job without running it, also in its data
// sources and in what it names in the workspace: reports and connections. Paths
// lead into the job.
func (s *Service) Check(ctx context.Context, workspace int, job *report.Job) (report.Problems, error) {
	problems := job.Check()
	if job.Schedule != nil && len(problems) == 0 {
		if _, err := s.times(job); err != nil {
			problems = append(problems, Reason(err))
		}
	}
	for i := range job.Reports {
		found, err := s.checkReport(ctx, workspace, &job.Reports[i], fmt.Sprintf("reports[%d]", i))
		if err != nil {
			return nil, err
		}
		problems = append(problems, found...)
	}
	problems = append(problems, s.cfg.Batch.Check(job.DataReport())...)
	connections, err := s.cfg.Store.Connections(ctx, workspace)
	if err != nil {
		return nil, err
	}
	if job.Webhook != "" {
		problems = append(problems, checkConnection(connections, job.Webhook, "webhook", "webhook")...)
	}
	for i := range job.Deliveries {
		problems = append(problems, s.checkDelivery(connections, &job.Deliveries[i], fmt.Sprintf("deliveries[%d]", i))...)
	}
	return problems, nil
}

func (s *Service) checkReport(ctx context.Context, workspace int, r *report.JobReport, at string) (report.Problems, error) {
	var problems report.Problems
	if r.Report != "" {
		_, err := s.cfg.Store.ReportByIDOrType(ctx, workspace, r.Report)
		if err != nil && !store.IsNotFound(err) {
			return nil, err
		}
		if err != nil {
			problems = append(problems, report.Problemf(at+".report", "there is no report %q in this workspace", r.Report))
		}
	}
	problems = append(problems, checkTemplate(r.FileName, at+".fileName")...)
	problems = append(problems, checkTemplate(r.Language, at+".language")...)
	problems = append(problems, checkTemplate(r.Password, at+".password")...)
	for _, name := range slices.Sorted(maps.Keys(r.Params)) {
		if template, ok := r.Params[name].(string); ok {
			problems = append(problems, checkTemplate(template, report.JoinPath(at+".params", name))...)
		}
	}
	return problems, nil
}

func checkTemplate(template, at string) report.Problems {
	var problems report.Problems
	for _, p := range text.Parse(template).Problems {
		problems = append(problems, &report.Problem{Kind: p.Kind, Path: at, Message: p.Message})
	}
	return problems
}

func (s *Service) checkDelivery(connections []store.Connection, d *report.JobDelivery, at string) report.Problems {
	kind, known := deliver.Find(d.Type)
	if !known {
		if d.Type == "" {
			return report.Problems{report.Problemf(at+".type", "choose where the documents go")}
		}
		return report.Problems{report.Problemf(at+".type", "there is no destination %q", d.Type)}
	}
	problems := kind.Check(d.Settings, at+".settings")
	for _, f := range kind.Fields() {
		if template, ok := d.Settings[f.Name].(string); ok && isTemplate(f) {
			problems = append(problems, checkTemplate(template, at+".settings."+f.Name)...)
		}
	}
	problems = append(problems, checkTemplate(d.PackName, at+".packName")...)
	switch {
	case d.Connection != "":
		problems = append(problems, checkConnection(connections, d.Connection, d.Type, at+".connection")...)
	case s.cfg.MailServer && d.Type == "email": // the installation's
	case len(kind.ConnectionFields()) > 0:
		problems = append(problems, report.Problemf(at+".connection", "choose the connection that leads there"))
	}
	return problems
}

func checkConnection(connections []store.Connection, name, kind, at string) report.Problems {
	i := slices.IndexFunc(connections, func(c store.Connection) bool { return c.Name == name })
	switch {
	case i < 0:
		return report.Problems{report.Problemf(at, "there is no connection %q in this workspace", name)}
	case connections[i].Type != kind:
		return report.Problems{report.Problemf(at, "the connection %q is of type %s, and a connection of type %s is needed", name, connections[i].Type, kind)}
	}
	return nil
}

// isTemplate tells whether a setting of a destination is filled for each entry.
func isTemplate(f report.Field) bool { return f.Editor == "template" || f.Editor == "html" }

// PlannedTimes are the next n times of a job, by the clocks of its time zone.
func (s *Service) PlannedTimes(job *report.Job, n int) ([]time.Time, error) {
	times, err := s.NextTimes(job, n)
	if err != nil {
		return nil, err
	}
	zone, err := s.zoneOf(job)
	for i := range times {
		times[i] = times[i].In(zone)
	}
	return times, err
}
