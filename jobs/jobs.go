// Package jobs does the work that nobody waits for: exports that are asked for
// now and fetched later, runs of jobs, reviews and deliveries. What is to be
// done lies in the store's queue; any number of processes take from it, and a
// task of one that died is taken over by another.
package jobs

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/internal/tracing"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
	"github.com/quire-reports/quire/store"
)

// Exporter makes files. *export.Service is one; its own time limit is that of
// asynchronous exports.
type Exporter interface {
	Export(ctx context.Context, req export.Request) (*export.File, error)
	// CheckNames says what is wrong with the names in a request, without making
	// anything.
	CheckNames(ctx context.Context, req export.Request) error
}

// Batch loads the data of runs and fills templates outside of reports.
// *export.Service is one.
type Batch interface {
	Check(def *report.Report) report.Problems
	CheckUse(ctx context.Context, workspace int, use *report.JobReport) (report.Problems, error)
	CheckRun(ctx context.Context, req export.BatchRequest) error
	JobNames(ctx context.Context, workspace int, job *report.Job) (export.JobNames, report.Problems, error)
	LoadBatch(ctx context.Context, req export.BatchRequest) (*export.Batch, error)
	Texts(ctx context.Context, req export.TextRequest) (*text.Env, error)
	Join(ctx context.Context, title string, created time.Time, chapters []export.Chapter) (*export.File, error)
	Archive(ctx context.Context, title string, created time.Time, documents []report.Document) (*export.File, error)
}

// Config is what a Service works with. Store is required, Export and Batch
// where work is done.
type Config struct {
	Store *store.Store
	// RequireRun refuses a user who may not run a report any more when its export's
	// turn comes, or may not sign it where it is signed; nil refuses nobody.
	RequireRun func(ctx context.Context, workspace, userID int, report string, signed bool) error

	Export    Exporter
	Batch     Batch
	Deliver   Deliverer       // nil: every delivery fails with a reason
	Tell      Teller          // nil: nobody is told of the end of runs and exports
	Formats   []string        // of files; default all that there are
	Installed []string        // types of deliveries that need no connection of the workspace
	Tick      time.Duration   // how often schedules are looked at; default 15 seconds
	Zone      *time.Location  // of jobs that name none; default time.Local
	Workers   int             // tasks done at the same time; default 2. One more does what people wait for
	Work      store.Work      // what is done of what is queued; default all
	Host      string          // of this process, for those who look at the fleet
	Role      string          // of this process: service or worker
	Version   string          // of this program
	Timeout   time.Duration   // of one task; default 30 minutes
	Retention time.Duration   // of files; default 24 hours
	Queue     int             // most exports of a workspace in the queue; 0 means any number
	Lease     time.Duration   // how long a dead process keeps its tasks; default 15 seconds
	Poll      time.Duration   // how often the queue is asked when nothing is known of it; default 500 ms
	Drain     time.Duration   // how long tasks may go on when the process stops; default 20 seconds
	Backoff   time.Duration   // before the second attempt; each further one waits four times as long, up to 450 times; default 2 seconds
	Observe   Observer        // nil: nobody watches
	Tracer    *tracing.Tracer // nil: nothing is traced
	Clock     func() time.Time
	Log       *slog.Logger
}

func (c *Config) fill() {
	if c.Formats == nil {
		c.Formats = export.Formats()
	}
	orDefault(&c.Workers, 2)
	orDefault(&c.Timeout, 30*time.Minute)
	orDefault(&c.Retention, 24*time.Hour)
	orDefault(&c.Lease, 15*time.Second)
	orDefault(&c.Poll, 500*time.Millisecond)
	orDefault(&c.Drain, 20*time.Second)
	orDefault(&c.Backoff, 2*time.Second)
	orDefault(&c.Tick, 15*time.Second)
	if c.Zone == nil {
		c.Zone = time.Local
	}
	if c.Observe == nil {
		c.Observe = unobserved{}
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
}

func orDefault[T int | time.Duration](v *T, value T) {
	if *v <= 0 {
		*v = value
	}
}

// Service starts work and, with Work, does it. It is safe for concurrent use.
type Service struct {
	cfg    Config
	awake  chan struct{} // something was queued here
	kinds  map[string]kind
	scenes *scenes
	drafts drafts

	settles oneEach // by the run

	left atomic.Pointer[[]store.Work] // that no process does; nil: not known yet
}

// kind is how the tasks of one kind are done. Adding one is adding a line in
// New.
type kind struct {
	// do does a task; its error decides whether it is tried again.
	do func(ctx context.Context, task *store.Task) error
	// fail ends a task for good, with the reason that people get to read.
	fail func(ctx context.Context, task *store.Task, reason *report.Problem) error
	// ofRun is set for work on a run, which may have been its last.
	ofRun    bool
	attempts int
}

// New makes a Service.
func New(c Config) *Service {
	c.fill()
	s := &Service{cfg: c, awake: make(chan struct{}, 1), scenes: newScenes()}
	s.kinds = map[string]kind{
		store.ExportTask:     {s.doExport, s.failExport, false, makeAttempts},
		store.ReviewTask:     {s.doReview, s.failExport, false, makeAttempts},
		store.RunTask:        {s.doRun, s.failRun, true, makeAttempts},
		store.EntryTask:      {s.doEntry, s.failEntry, true, makeAttempts},
		store.DeliverTask:    {s.doDeliver, s.failEntry, true, sendAttempts},
		store.RunDeliverTask: {s.doRunDeliver, s.failRunDeliver, true, sendAttempts},
		store.TellRunTask:    {s.doTellRun, s.failTell, false, sendAttempts},
		store.TellReviewTask: {s.doTellReview, s.failTell, false, sendAttempts},
		store.TellExportTask: {s.doTellExport, s.failTell, false, sendAttempts},
	}
	return s
}

// wake makes this process look into the queue at once.
func (s *Service) wake() {
	select {
	case s.awake <- struct{}{}:
	default: // it is about to look
	}
}
