package jobs

import (
	"context"
	"encoding/json"
	"time"

	"github.com/quire-reports/quire/jobs/schedule"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// punctual is how late a run may start and still count as on time.
const punctual = 2 * time.Minute

// plan starts the runs of schedules until ctx ends. Any number of processes may
// do so: a planned time is run once.
func (s *Service) plan(ctx context.Context) {
	look := time.NewTimer(0)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		if err := s.PlanRuns(ctx); err != nil && ctx.Err() == nil {
			s.cfg.Log.Warn("schedules were not looked at", "error", err)
		}
		if err := s.settleIdle(ctx); err != nil && ctx.Err() == nil {
			s.cfg.Log.Warn("runs that have ended were not looked for", "error", err)
		}
		look.Reset(s.untilNext(ctx))
	}
}

// untilNext is how long to wait for the next planned time, at most a tick: jobs
// are changed meanwhile.
func (s *Service) untilNext(ctx context.Context) time.Duration {
	until, err := s.cfg.Store.UntilNextRun(ctx)
	if err != nil || until == nil {
		return s.cfg.Tick
	}
	return min(*until, s.cfg.Tick)
}

// PlanRuns starts the runs whose time has come, and works out the next times of
// jobs that are new or were changed.
func (s *Service) PlanRuns(ctx context.Context) error {
	due, err := s.cfg.Store.DueJobs(ctx)
	if err != nil {
		return err
	}
	for _, j := range due {
		next, run, err := s.planOf(j)
		if err != nil {
			s.cfg.Log.Warn("a job cannot be planned", "job", j.JobID, "error", err)
		}
		planned, err := s.cfg.Store.PlanJob(ctx, j, next, run)
		if err != nil {
			return err
		}
		if planned && run != nil {
			s.wake()
		}
	}
	return nil
}

// planOf is what comes next of a job's schedule, and the run of the time that
// has come. Of times that passed while nobody was there one is run, or none.
func (s *Service) planOf(j store.ScheduledJob) (next *time.Time, run *store.NewRun, err error) {
	job, err := readJob(j.Document)
	if err != nil || !job.Active || job.Schedule == nil {
		return nil, nil, err
	}
	now := j.Now()
	if next, err = s.NextTime(job, now); err != nil {
		return nil, nil, err
	}
	if j.Next == nil || j.Known == nil || *j.Known != j.Revision || *j.Next > now.UnixMilli() {
		return next, nil, nil // new or changed: planned from now on
	}
	planned := time.UnixMilli(*j.Next)
	if job.Schedule.Missed == "skip" && now.Sub(planned) > punctual {
		return next, nil, nil
	}
	document, err := json.Marshal(job)
	return next, &store.NewRun{WorkspaceID: j.WorkspaceID, JobID: j.JobID, Planned: &planned, Document: document}, err
}

// NextTime is when an active job runs next after a time; nil means never.
func (s *Service) NextTime(job *report.Job, after time.Time) (*time.Time, error) {
	times, err := s.times(job)
	if err != nil {
		return nil, err
	}
	if next, ok := times.Next(after); ok {
		return &next, nil
	}
	return nil, nil
}

// NextTimes lists the next n times of a job's schedule, for people to see.
func (s *Service) NextTimes(job *report.Job, n int) ([]time.Time, error) {
	if job.Schedule == nil {
		return nil, nil
	}
	times, err := s.times(job)
	if err != nil {
		return nil, err
	}
	return times.List(s.cfg.Clock(), n), nil
}

func (s *Service) times(job *report.Job) (*schedule.Times, error) {
	zone, err := s.zoneOf(job)
	if err != nil {
		return nil, err
	}
	return schedule.New(job.Schedule, zone)
}

// zoneOf is the time zone of a job.
func (s *Service) zoneOf(job *report.Job) (*time.Location, error) {
	if job.Timezone == "" {
		return s.cfg.Zone, nil
	}
	zone, err := time.LoadLocation(job.Timezone)
	if err != nil {
		return nil, report.Problemf("timezone", "unknown time zone %q", job.Timezone)
	}
	return zone, nil
}
