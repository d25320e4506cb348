package jobs

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

// shortest is how long the printer and the destination of BenchmarkLedger take:
// they only sleep, so that what is left is the ledger.
const shortest = time.Millisecond

// sleeper is a printer and a destination that only sleep.
type sleeper struct{}

func (sleeper) Export(_ context.Context, req export.Request) (*export.File, error) {
	time.Sleep(shortest)
	return printed(req), nil
}

func (sleeper) CheckNames(context.Context, export.Request) error { return nil }

func (sleeper) Deliver(context.Context, Delivery, []report.Document) (Receipt, error) {
	time.Sleep(shortest)
	return "{}", nil
}

// BenchmarkLedger is what the bookkeeping of runs can do: entries a second, with
// a document each that is stored, and then deliveries a second. Beside it, from
// the same minute: single rows that as many connections change and commit. The
// issue asks for 2,000 entries/s and 1,000 deliveries/s of PostgreSQL, which
// puts everything on disk here. The documents lie in memory where there is a place
// for that: ext4 makes files up to ten times as slowly for half a minute after
// thousands were deleted, as the runs before and other tests do.
func BenchmarkLedger(b *testing.B) {
	for _, on := range []struct {
		name    string
		config  func() store.Config
		entries int
	}{
		{"PostgreSQL", func() store.Config {
			return store.Config{Database: storetest.PrivatePostgres(b, "fsync=on").Database(b), Connections: 40}
		}, 6000},
		{"SQLite", func() store.Config { return store.Config{} }, 3000},
	} {
		for _, workers := range []int{4, 16, 64} {
			b.Run(fmt.Sprintf("%s/workers=%d", on.name, workers), func(b *testing.B) {
				c := on.config()
				c.Storage = "file://" + inMemory(b)
				p := newPlace(b, c)
				p.job(letters(on.entries))
				l := newLedgerRun(b, p, workers)
				for b.Loop() {
					l.once(on.entries)
				}
				l.tell(on.entries)
			})
		}
	}
}

// inMemory is a folder in memory, or else on disk.
func inMemory(b *testing.B) string {
	const memory = "/dev/shm"
	if info, err := os.Stat(memory); err != nil || !info.IsDir() {
		return b.TempDir()
	}
	folder, err := os.MkdirTemp(memory, "ledger")
	if err != nil {
		return b.TempDir()
	}
	b.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}

// letters is a job of so many entries that are reviewed and then delivered.
func letters(entries int) report.Job {
	var rows strings.Builder
	for i := range entries {
		fmt.Fprintf(&rows, `,{"id":%d,"name":"Customer %d"}`, i, i)
	}
	return report.Job{
		Name: "Letters", Code: "letters", Active: true, Repeat: "customers", ReviewRequired: true,
		DataSources: []report.SourceUse{{DataSource: report.DataSource{Name: "customers", Type: "json", Settings: map[string]any{"content": "[" + rows.String()[1:] + "]"}}}},
		Reports:     []report.JobReport{{Report: "letter", FileName: "{$record.name}"}},
		Deliveries:  []report.JobDelivery{{Type: "local", Settings: map[string]any{"to": "{$record.name}"}}},
	}
}

// ledgerRun measures runs of the job letters.
type ledgerRun struct {
	b       *testing.B
	p       *place
	s       *Service
	workers int

	made, delivered, bare time.Duration
	madeCPU, deliveredCPU time.Duration // of this process and of PostgreSQL
	commits, rows         int
}

func newLedgerRun(b *testing.B, p *place, workers int) *ledgerRun {
	l := &ledgerRun{b: b, p: p, workers: workers}
	l.s, _ = p.service(nil, withBatch(p), func(c *Config) {
		c.Export, c.Deliver, c.Workers, c.Poll = sleeper{}, sleeper{}, workers, 100*time.Millisecond
	})
	return l
}

// once does one run: all of its entries, then all of its deliveries.
func (l *ledgerRun) once(entries int) {
	l.b.Helper()
	l.bareRows()
	before, cpu, begin := l.commitsNow(), l.cpuNow(), time.Now()
	run := l.p.run(l.s, "letters")
	l.until(run, func(s *RunStatus) bool { return s.Review == entries })
	l.made += time.Since(begin)
	l.madeCPU += l.cpuNow() - cpu
	l.commits += l.commitsNow() - before
	cpu, begin = l.cpuNow(), time.Now()
	if n, err := l.s.Deliver(l.b.Context(), l.p.ws, "letters", run); n != entries || err != nil {
		l.b.Fatalf("%d deliveries, %v", n, err)
	}
	l.until(run, func(s *RunStatus) bool { return s.Finished && s.Completed == entries })
	l.delivered += time.Since(begin)
	l.deliveredCPU += l.cpuNow() - cpu
}

func (l *ledgerRun) until(run int, done func(*RunStatus) bool) {
	l.b.Helper()
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		status, err := l.s.Status(l.b.Context(), l.p.ws, "letters", run)
		if err != nil || status.Errors > 0 || time.Now().After(end) {
			l.b.Fatalf("%+v, %v", status, err)
		}
		if done(status) {
			return
		}
	}
}

// open is a connection of its own to the database of the place.
func (l *ledgerRun) open() *sql.DB {
	l.b.Helper()
	driver, address := "pgx", l.p.config.Database
	if file, is := strings.CutPrefix(address, "sqlite:"); is {
		driver, address = "sqlite", "file:"+file+"?_pragma=busy_timeout(10000)&_txlock=immediate"
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		l.b.Fatal(err)
	}
	return db
}

func (l *ledgerRun) onPostgres() bool { return strings.HasPrefix(l.p.config.Database, "postgres") }

// commitsNow is how many transactions have changed something on PostgreSQL.
func (l *ledgerRun) commitsNow() (n int) {
	l.b.Helper()
	if !l.onPostgres() {
		return 0
	}
	db := l.open()
	defer db.Close()
	if err := db.QueryRow("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint").Scan(&n); err != nil {
		l.b.Fatal(err)
	}
	return n
}

// cpuNow is the processor time of this process and, on Linux, of PostgreSQL.
func (l *ledgerRun) cpuNow() time.Duration {
	l.b.Helper()
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
		l.b.Fatal(err)
	}
	used := time.Duration(own.Utime.Nano() + own.Stime.Nano())
	if !l.onPostgres() {
		return used
	}
	db := l.open()
	defer db.Close()
	var backend int
	if err := db.QueryRow("SELECT pg_backend_pid()").Scan(&backend); err != nil {
		l.b.Fatal(err)
	}
	all, _ := filepath.Glob("/proc/[0-9]*/stat")
	server := statOf(fmt.Sprintf("/proc/%d/stat", backend)).parent
	for _, file := range all {
		switch p := statOf(file); server {
		case p.parent:
			used += p.used
		case p.id:
			used += p.used + p.ended
		}
	}
	return used
}

// processStat is what Linux tells of a process.
type processStat struct {
	id, parent  int
	used, ended time.Duration // by itself, and by its children that have ended
}

func statOf(file string) (p processStat) {
	text, err := os.ReadFile(file)
	if err != nil {
		return processStat{parent: -1} // it has ended
	}
	_, _ = fmt.Sscan(string(text), &p.id)
	rest := string(text[bytes.LastIndexByte(text, ')')+1:]) // behind the name, which may hold anything
	var state string
	ticks, skipped := [4]time.Duration{}, make([]int64, 9)
	fields := []any{&state, &p.parent}
	for i := range skipped {
		fields = append(fields, &skipped[i])
	}
	for i := range ticks {
		fields = append(fields, &ticks[i])
	}
	_, _ = fmt.Sscan(rest, fields...)
	const tick = 10 * time.Millisecond // USER_HZ
	p.used, p.ended = (ticks[0]+ticks[1])*tick, (ticks[2]+ticks[3])*tick
	return p
}

// bareRows changes rows for half a second, each with a commit of its own.
func (l *ledgerRun) bareRows() {
	l.b.Helper()
	db := l.open()
	defer db.Close()
	callers := 1 // SQLite has one writer
	if l.onPostgres() {
		callers = min(l.workers, 16)
	}
	_, err := db.Exec("CREATE TABLE IF NOT EXISTS bare (id INTEGER PRIMARY KEY, n INTEGER)")
	for i := range callers {
		if err == nil {
			_, err = db.Exec(fmt.Sprintf("INSERT INTO bare (id, n) VALUES (%d, 0) ON CONFLICT (id) DO NOTHING", i))
		}
	}
	if err != nil {
		l.b.Fatal(err)
	}
	var changed atomic.Int64
	var all sync.WaitGroup
	begin := time.Now()
	for i := range callers {
		all.Go(func() {
			for time.Since(begin) < 500*time.Millisecond {
				if _, err := db.Exec(fmt.Sprintf("UPDATE bare SET n = n + 1 WHERE id = %d", i)); err == nil {
					changed.Add(1)
				}
			}
		})
	}
	all.Wait()
	l.bare += time.Since(begin)
	l.rows += int(changed.Load())
}

// tell reports what was measured.
func (l *ledgerRun) tell(entries int) {
	all := float64(l.b.N * entries)
	rows := float64(l.rows) / l.bare.Seconds()
	l.b.ReportMetric(all/l.made.Seconds(), "entries/s")
	l.b.ReportMetric(all/l.delivered.Seconds(), "deliveries/s")
	// On a busy machine these say more than what came about in a second.
	l.b.ReportMetric(float64(l.madeCPU)/float64(time.Millisecond)/all, "cpu-ms/entry")
	l.b.ReportMetric(float64(l.deliveredCPU)/float64(time.Millisecond)/all, "cpu-ms/delivery")
	l.b.ReportMetric(rows, "bare-rows/s")
	l.b.ReportMetric(all/l.made.Seconds()/rows, "entries/bare-row")
	if l.onPostgres() {
		l.b.ReportMetric(float64(l.commits)/all, "commits/entry")
	}
}
