package metrics

import (
	"context"
	"database/sql"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/report/budget"
	"github.com/quire-reports/quire/scripting"
	"github.com/quire-reports/quire/store"
)

// Store tells of the queue and the database. *store.Store is one.
type Store interface {
	QueueState(ctx context.Context) ([]store.QueuedKind, error)
	Fleet(ctx context.Context) ([]store.Process, error)
	Pools() map[string]sql.DBStats
	LastBackup(ctx context.Context) (time.Time, error)
	Sweeps() store.Sweeps
}

// Browser tells of the tabs. *render.Pool is one.
type Browser interface {
	Health() render.Health
	Stats() render.Stats
}

// Scripts tells of the script processes. *scripting.Pool is one.
type Scripts interface {
	Stats() scripting.Stats
}

// Parts are asked when monitors ask.
type Parts struct {
	Store   Store
	Browser Browser // nil: nothing is printed here
	Scripts Scripts
	Budget  *budget.Budget // nil: none is counted
}

// put says a value; labels are the values of the labels that a probe declares.
type put func(value float64, labels ...string)

// probe is a metric that is read when it is asked for.
type probe struct {
	name, help string
	labels     []string
	read       func(put)
}

// probes is a prometheus.Collector. Names that end in _total count, others are
// what is true now.
type probes struct {
	list  []probe
	descs []*prometheus.Desc
}

func newProbes(parts *Parts, version string) *probes {
	p := &probes{list: []probe{{"quire_build_info", "The version that runs; always 1.", []string{"version"}, func(put put) { put(1, version) }}}}
	if parts.Browser != nil {
		p.list = append(p.list, browserProbes(parts.Browser)...)
	}
	p.list = append(p.list, scriptProbes(parts.Scripts)...)
	p.list = append(p.list, storeProbes(parts.Store)...)
	if parts.Budget != nil {
		p.list = append(p.list, probe{"quire_work_memory_bytes", "Bodies, data and documents that are worked on now, of Limits.MemoryMB.", nil, func(put put) { put(float64(parts.Budget.Used())) }})
	}
	for _, one := range p.list {
		p.descs = append(p.descs, prometheus.NewDesc(one.name, one.help, one.labels, nil))
	}
	return p
}

// Describe implements prometheus.Collector.
func (p *probes) Describe(to chan<- *prometheus.Desc) {
	for _, desc := range p.descs {
		to <- desc
	}
}

// Collect implements prometheus.Collector.
func (p *probes) Collect(to chan<- prometheus.Metric) {
	for i, one := range p.list {
		kind := prometheus.GaugeValue
		if isCounter(one.name) {
			kind = prometheus.CounterValue
		}
		one.read(func(value float64, labels ...string) {
			to <- prometheus.MustNewConstMetric(p.descs[i], kind, value, labels...)
		})
	}
}

func browserProbes(b Browser) []probe {
	counter := func(name, help string, of func(s *render.Stats) int64) probe {
		return probe{name, help, nil, func(put put) {
			stats := b.Stats()
			put(float64(of(&stats)))
		}}
	}
	return []probe{
		{"quire_browser_up", "1 when documents can be printed, else 0.", nil, func(put put) { put(truth(b.Health().State == render.Ready)) }},
		{"quire_tabs", "Tabs by state: busy or idle.", []string{"state"}, func(put put) {
			health := b.Health()
			put(float64(health.Running), "busy")
			put(float64(max(0, health.Tabs-health.Running)), "idle")
		}},
		{"quire_print_queue_length", "Documents that wait for a tab.", nil, func(put put) { put(float64(b.Health().Waiting)) }},
		{"quire_prints_total", "Documents that the browser was given, by result: ok, busy (refused, as the queue was full), timeout, crashed or failed.", []string{"result"}, func(put put) {
			s := b.Stats()
			put(float64(s.Printed), "ok")
			put(float64(s.Busy), "busy")
			put(float64(s.TimedOut), "timeout")
			put(float64(s.Crashed), "crashed")
			put(float64(max(0, s.Failed-s.Busy-s.TimedOut-s.Crashed)), "failed")
		}},
		counter("quire_prints_retried_total", "Documents printed again, as the browser was lost under them.", func(s *render.Stats) int64 { return s.Retried }),
		counter("quire_tabs_opened_total", "Tabs opened.", func(s *render.Stats) int64 { return s.TabsOpened }),
		counter("quire_tabs_dropped_total", "Tabs thrown away after an error or a time-out.", func(s *render.Stats) int64 { return s.TabsDropped }),
		counter("quire_browser_starts_total", "Browsers started.", func(s *render.Stats) int64 { return s.BrowserStarts }),
		counter("quire_browser_start_failures_total", "Starts of a browser that failed.", func(s *render.Stats) int64 { return s.BrowserFailed }),
		counter("quire_browser_losses_total", "Browsers that ended or hung by themselves.", func(s *render.Stats) int64 { return s.BrowserLost }),
		counter("quire_browser_renewals_total", "Browsers replaced after long use.", func(s *render.Stats) int64 { return s.BrowserRenewed }),
	}
}

func scriptProbes(s Scripts) []probe {
	return []probe{
		{"quire_script_processes", "Script processes by state: busy or idle.", []string{"state"}, func(put put) {
			stats := s.Stats()
			put(float64(stats.Busy), "busy")
			put(float64(stats.Idle), "idle")
		}},
		{"quire_script_queue_length", "Scripts that wait for a process.", nil, func(put put) { put(float64(s.Stats().Waiting)) }},
		{"quire_script_processes_started_total", "Script processes started.", nil, func(put put) { put(float64(s.Stats().Started)) }},
		{"quire_script_processes_replaced_total", "Script processes ended after a call: over a limit, broken or worn.", nil, func(put put) { put(float64(s.Stats().Replaced)) }},
	}
}

func storeProbes(s Store) []probe {
	queue := &queueReader{store: s}
	pool := func(name, help string, of func(p *sql.DBStats) float64) probe {
		return probe{name, help, []string{"pool"}, func(put put) {
			for name, stats := range s.Pools() {
				put(of(&stats), name)
			}
		}}
	}
	return []probe{
		{"quire_queue_tasks", "Queued tasks of all processes by state: waiting, delayed (until they are tried again) or running. Missing while the database is away.", []string{"kind", "priority", "state"}, func(put put) {
			for _, q := range queue.read() {
				put(float64(q.Waiting), q.Kind, q.Priority.String(), "waiting")
				put(float64(q.Delayed), q.Kind, q.Priority.String(), "delayed")
				put(float64(q.Running), q.Kind, q.Priority.String(), "running")
			}
		}},
		{"quire_queue_oldest_seconds", "Age of the oldest task that waits for a process.", []string{"kind", "priority"}, func(put put) {
			for _, q := range queue.read() {
				put(q.Age().Seconds(), q.Kind, q.Priority.String())
			}
		}},
		{"quire_processes", "Processes that take queued tasks, by what they do of them: print or deliver; one that does both counts for each. 0 when no process does. Missing while the database is away.", []string{"work"}, func(put put) {
			queue.read()
			for _, w := range store.Works() {
				if n, known := queue.processes(w); known {
					put(float64(n), string(w))
				}
			}
		}},
		{"quire_sweeps_total", "Sweeps of this process, by result: done or failed. They remove what has expired; services sweep each minute, workers do not.", []string{"result"}, func(put put) {
			sweeps := s.Sweeps()
			put(float64(sweeps.Done), "done")
			put(float64(sweeps.Failed), "failed")
		}},
		{"quire_swept_total", "What sweeps removed: rows, contents or orphans (contents that no row named).", []string{"kind"}, func(put put) {
			removed := s.Sweeps().Removed
			put(float64(removed.Rows), "rows")
			put(float64(removed.Contents), "contents")
			put(float64(removed.Orphans), "orphans")
		}},
		{"quire_sweep_last_success_timestamp_seconds", "When a sweep of this process last ended well, in seconds since 1970; missing when none did.", nil, func(put put) {
			if last := s.Sweeps().Last; !last.IsZero() {
				put(float64(last.Unix()))
			}
		}},
		{"quire_database_up", "1 when the database answers, else 0.", nil, func(put put) {
			queue.read()
			put(truth(queue.answered()))
		}},
		{"quire_database_connections", "Connections to the database by state: busy or idle. SQLite has a pool for reading and one for writing.", []string{"pool", "state"}, func(put put) {
			for name, stats := range s.Pools() {
				put(float64(stats.InUse), name, "busy")
				put(float64(stats.Idle), name, "idle")
			}
		}},
		{"quire_backup_last_success_timestamp_seconds", "When a backup of the installation last ended well, in seconds since 1970; missing when none did.", nil, func(put put) {
			ctx, cancel := context.WithTimeout(context.Background(), queueTimeout)
			defer cancel()
			if ended, err := s.LastBackup(ctx); err == nil && !ended.IsZero() {
				put(float64(ended.Unix()))
			}
		}},
		pool("quire_database_connections_max", "Most connections to the database.", func(p *sql.DBStats) float64 { return float64(p.MaxOpenConnections) }),
		pool("quire_database_waits_total", "Waits for a connection to the database.", func(p *sql.DBStats) float64 { return float64(p.WaitCount) }),
		pool("quire_database_wait_seconds_total", "Time waited for connections to the database.", func(p *sql.DBStats) float64 { return p.WaitDuration.Seconds() }),
	}
}

// queueReader asks for the queue and the processes that work on it at most
// every few seconds, however many ask for metrics, and once for all metrics of
// it.
type queueReader struct {
	store Store
	mu    sync.Mutex
	asked time.Time
	last  []store.QueuedKind
	fleet []store.Process
	err   error
}

// processes is how many did some work when that was last asked.
func (q *queueReader) processes(w store.Work) (n int, known bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, p := range q.fleet {
		if p.Does(w) {
			n++
		}
	}
	return n, q.err == nil
}

func (q *queueReader) answered() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.err == nil
}

const (
	queueEvery   = 5 * time.Second
	queueTimeout = 3 * time.Second
)

func (q *queueReader) read() []store.QueuedKind {
	q.mu.Lock()
	defer q.mu.Unlock()
	if time.Since(q.asked) >= queueEvery {
		ctx, cancel := context.WithTimeout(context.Background(), queueTimeout)
		defer cancel()
		if q.last, q.err = q.store.QueueState(ctx); q.err == nil {
			q.fleet, q.err = q.store.Fleet(ctx)
		}
		if q.err != nil {
			q.last, q.fleet = nil, nil
		}
		q.asked = time.Now()
	}
	return q.last
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func isCounter(name string) bool { return strings.HasSuffix(name, "_total") }
