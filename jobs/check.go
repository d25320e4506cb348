package jobs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/export/signing"
	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Check finds what is wrong with a job without running it, also in its data
// sources and in what it names in the workspace: reports and connections. Paths
// lead into the job.
func (s *Service) Check(ctx context.Context, workspace int, job *report.Job) (report.Problems, error) {
	problems := job.Check()
	if len(problems) == 0 {
		problems = s.CheckSchedule(job)
	}
	c, err := s.checker(ctx, workspace, job)
	if err != nil {
		return nil, err
	}
	for i := range job.Reports {
		if err := s.checkReport(ctx, workspace, c, job, i); err != nil {
			return nil, err
		}
	}
	c.problems = append(c.problems, s.cfg.Batch.Check(job.DataReport())...)
	if _, err := s.person(ctx, workspace, job); err != nil {
		p, ok := err.(*report.Problem)
		if !ok {
			return nil, err
		}
		c.fault(p.Path, p.Message)
	}
	connections, err := s.cfg.Store.Connections(ctx, workspace)
	if err != nil {
		return nil, err
	}
	if job.Webhook != "" {
		c.problems = append(c.problems, checkConnection(connections, job.Webhook, deliver.EventType, "webhook")...)
	}
	for i, r := range job.Reports {
		if r.Signature != "" {
			c.problems = append(c.problems, checkConnection(connections, r.Signature, signing.TypeName, fmt.Sprintf("reports[%d].signature", i))...)
		}
	}
	for i := range job.Deliveries {
		s.checkDelivery(c, connections, job, i)
	}
	return append(problems, c.problems...), nil
}

// CheckSchedule finds why the schedule of a job, if it has one, has no time to
// come.
func (s *Service) CheckSchedule(job *report.Job) report.Problems {
	if job.Schedule == nil {
		return nil
	}
	next, err := s.NextTime(job, s.cfg.Clock())
	switch {
	case err != nil:
		return report.Problems{Reason(err)}
	case next == nil:
		return report.Problems{neverRuns(job.Schedule)}
	}
	return nil
}

// neverRuns says why a schedule has no time to come.
func neverRuns(s *report.JobSchedule) *report.Problem {
	switch {
	case s.Kind == report.ScheduleOnce:
		return report.Problemf("schedule.start", "%s is in the past: the job does not run by this schedule any more", s.Start)
	case s.Until != "":
		return report.Problemf("schedule.until", "the job does not run by this schedule any more: no time of it is left until %s", s.Until)
	}
	return report.Problemf("schedule.cron", "%q means a day that no month has: the job never runs by this schedule", s.Cron)
}

func (s *Service) checkReport(ctx context.Context, workspace int, c *checker, job *report.Job, i int) error {
	r, at := &job.Reports[i], fmt.Sprintf("reports[%d]", i)
	if r.Report != "" {
		_, err := s.cfg.Store.ReportByIDOrType(ctx, workspace, r.Report)
		var found report.Problems
		switch {
		case store.IsNotFound(err):
			c.fault(at+".report", fmt.Sprintf("there is no report %q in this workspace", r.Report))
		case err == nil:
			found, err = s.cfg.Batch.CheckUse(ctx, workspace, r)
		}
		if err != nil && !store.IsNotFound(err) {
			return err
		}
		c.problems = append(c.problems, found.Under(at)...)
	}
	v := forEntries(job)
	c.expression(v, at+".condition", r.Condition)
	c.template(v, at+".fileName", r.FileName)
	c.template(v, at+".language", r.Language)
	c.template(v, at+".password", r.Password)
	options := export.Request{ExportOptions: r.ExportOptions}
	if r.Password != "" {
		options.Password = "x" // it is a template: how long it is, an entry shows
	}
	c.problems = append(c.problems, options.Check(s.cfg.Formats).Under(at)...)
	c.value(v, at+".params", r.Params)
	c.value(v, at+".data", r.Data)
	return nil
}

func (s *Service) checkDelivery(c *checker, connections []store.Connection, job *report.Job, i int) {
	d, at := &job.Deliveries[i], fmt.Sprintf("deliveries[%d]", i)
	c.expression(forEntries(job), at+".condition", d.Condition)
	v := forEntries(job)
	if perRun(*d) {
		v = forRuns()
	}
	c.template(v, at+".packName", d.PackName)
	kind, known := deliver.Find(d.Type)
	switch {
	case d.Type == "":
		c.fault(at+".type", "choose where the documents go")
		return
	case !known:
		c.fault(at+".type", fmt.Sprintf("there is no destination %q", d.Type))
		return
	}
	c.problems = append(c.problems, kind.Check(d.Settings, at+".settings")...)
	for _, f := range kind.Fields() {
		if template, ok := d.Settings[f.Name].(string); ok && isTemplate(f) {
			c.template(v, at+".settings."+f.Name, template)
		}
	}
	switch {
	case d.Connection != "":
		c.problems = append(c.problems, checkConnection(connections, d.Connection, d.Type, at+".connection")...)
	case slices.Contains(s.cfg.Installed, d.Type): // the installation's
	case len(kind.ConnectionFields()) > 0:
		c.fault(at+".connection", "choose the connection that leads there")
	}
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
