package jobs

import (
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

// calendar is a clock that tests move.
type calendar struct {
	mu    sync.Mutex
	now   time.Time
	going time.Time // since when it goes by itself, if it does
}

func (c *calendar) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.going.IsZero() {
		return c.now.Add(time.Since(c.going))
	}
	return c.now
}

// letGo lets the time pass.
func (c *calendar) letGo() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.going = time.Now()
}

func (c *calendar) set(t testing.TB, at string) {
	t.Helper()
	now, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// planned is a place with a calendar and a job at 07:00 on the first of each
// month in Belgrade.
func planned(t testing.TB, c store.Config, missed string) (*place, *Service, *calendar, int) {
	t.Helper()
	days := &calendar{}
	days.set(t, "2026-01-15T12:00:00Z")
	c.Clock = days.Now
	p := newPlace(t, c)
	j := statements()
	j.Timezone = "Europe/Belgrade"
	j.Schedule = &report.JobSchedule{Kind: "monthly", Start: "2026-01-01T07:00", Day: 1, Missed: missed}
	id := p.job(j)
	return p, New(Config{Store: p.store, Clock: days.Now}), days, id
}

// waiting is how many runs are queued.
func (p *place) waiting() int {
	p.t.Helper()
	n, _, err := p.store.QueueSize(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return n
}

func (p *place) next(job int) string {
	p.t.Helper()
	at, err := p.store.NextRun(p.t.Context(), job)
	if err != nil {
		p.t.Fatal(err)
	}
	if at == nil {
		return "never"
	}
	return at.Format(time.RFC3339)
}

func (p *place) planAt(s *Service, days *calendar, at string) {
	p.t.Helper()
	days.set(p.t, at)
	if err := s.PlanRuns(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
}

func TestPlannedRuns(t *testing.T) {
	p, s, days, job := planned(t, store.Config{}, "")
	for _, c := range []struct {
		at   string
		runs int
		next string
	}{
		{"2026-01-15T12:00:00Z", 0, "2026-02-01T06:00:00Z"}, // a new job runs nothing of the past
		{"2026-02-01T05:59:59Z", 0, "2026-02-01T06:00:00Z"},
		{"2026-02-01T06:00:00Z", 1, "2026-03-01T06:00:00Z"},
		{"2026-02-01T06:00:10Z", 1, "2026-03-01T06:00:00Z"},
		{"2026-06-20T00:00:00Z", 2, "2026-07-01T05:00:00Z"}, // four were missed: one run
		{"2026-06-20T00:01:00Z", 2, "2026-07-01T05:00:00Z"},
	} {
		p.planAt(s, days, c.at)
		if got := p.waiting(); got != c.runs || p.next(job) != c.next {
			t.Errorf("at %s: %d runs, next %s; want %d, %s", c.at, got, p.next(job), c.runs, c.next)
		}
	}
}

// TestPlannedRunsStartInTime, however seldom jobs are looked at: a tick of 15
// seconds let them start up to that much later.
func TestPlannedRunsStartInTime(t *testing.T) {
	for name, c := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, s, days, job := planned(t, c(t), "")
			p.planAt(s, days, "2026-01-15T12:00:00Z")
			days.set(t, "2026-02-01T05:59:59Z")
			days.letGo()
			p.service(plain, func(c *Config) { c.Clock, c.Tick = days.Now, time.Hour })
			for end := time.Now().Add(time.Minute); p.next(job) != "2026-03-01T06:00:00Z"; time.Sleep(5 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("at %s no run has begun; next is %s", days.Now(), p.next(job))
				}
			}
		})
	}
}

func TestMissedTimesCanBeSkipped(t *testing.T) {
	p, s, days, job := planned(t, store.Config{}, "skip")
	p.planAt(s, days, "2026-01-15T12:00:00Z")
	p.planAt(s, days, "2026-02-01T06:01:30Z") // punctual enough
	if p.waiting() != 1 {
		t.Errorf("%d runs after a minute", p.waiting())
	}
	p.planAt(s, days, "2026-03-01T06:30:00Z")
	if p.waiting() != 1 || p.next(job) != "2026-04-01T05:00:00Z" {
		t.Errorf("%d runs, next %s", p.waiting(), p.next(job))
	}
}

// TestAChangedJobIsPlannedAnew, one that is switched off is not planned.
func TestAChangedJobIsPlannedAnew(t *testing.T) {
	p, s, days, job := planned(t, store.Config{}, "")
	p.planAt(s, days, "2026-01-15T12:00:00Z")
	_, j, err := p.store.Job(t.Context(), p.ws, "statements")
	if err != nil {
		t.Fatal(err)
	}
	changed := *j
	save := func(revision int) {
		doc, err := report.MarshalDefinition(&changed)
		if err == nil {
			_, err = p.store.SaveResource(t.Context(), p.ws, store.JobKind, job, revision, doc)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	changed.Schedule = &report.JobSchedule{Kind: "cron", Cron: "0 9 * * 1"}
	save(1)
	p.planAt(s, days, "2026-02-20T00:00:00Z") // the old time has passed, but it is none any more
	if p.waiting() != 0 || p.next(job) != "2026-02-23T08:00:00Z" {
		t.Errorf("changed: %d runs, next %s", p.waiting(), p.next(job))
	}
	changed.Active = false
	save(2)
	p.planAt(s, days, "2026-03-20T00:00:00Z")
	if p.waiting() != 0 || p.next(job) != "never" {
		t.Errorf("switched off: %d runs, next %s", p.waiting(), p.next(job))
	}
}

// A clock that was set back, and a change of the job, plan a time anew that was
// run: it is not run again, and neither this job nor the next one stays behind.
func TestATimeThatWasRunIsPassedOver(t *testing.T) {
	p, s, days, job := planned(t, store.Config{}, "")
	p.planAt(s, days, "2026-01-15T12:00:00Z")
	p.planAt(s, days, "2026-02-01T06:00:00Z")
	days.set(t, "2026-02-01T05:59:30Z")
	_, j, err := p.store.Job(t.Context(), p.ws, "statements")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := report.MarshalDefinition(j)
	if err == nil {
		_, err = p.store.SaveResource(t.Context(), p.ws, store.JobKind, job, 1, doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.planAt(s, days, "2026-02-01T05:59:40Z")
	if p.next(job) != "2026-02-01T06:00:00Z" {
		t.Fatalf("next %s", p.next(job))
	}
	p.planAt(s, days, "2026-02-01T06:00:00Z")
	if p.waiting() != 1 || p.next(job) != "2026-03-01T06:00:00Z" {
		t.Errorf("%d runs, next %s", p.waiting(), p.next(job))
	}
}

// TestManyProcessesPlanOneRun: of those that see that a time has come one
// starts the run.
func TestManyProcessesPlanOneRun(t *testing.T) {
	p, s, days, _ := planned(t, store.Config{Database: migrated.Postgres(t, storetest.Postgres(t))}, "")
	p.planAt(s, days, "2026-01-15T12:00:00Z")
	for i, at := range []string{"2026-02-01T06:00:00Z", "2026-03-01T06:00:00Z", "2026-04-01T05:00:01Z"} {
		days.set(t, at)
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				if err := New(Config{Store: p.store, Clock: days.Now}).PlanRuns(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got := p.waiting(); got != i+1 {
			t.Errorf("%s: %d runs, want %d", at, got, i+1)
		}
	}
}
