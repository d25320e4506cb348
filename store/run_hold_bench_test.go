package store

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/quire-reports/quire/store/storetest"
)

// BenchmarkHoldUps changes a run of 100,000 entries that wait for their review as a whole
// while another caller writes a row every millisecond: how long the longest of these waits
// is how long the run holds up everybody else. Beside it, how long they wait when nothing
// is changed.
func BenchmarkHoldUps(b *testing.B) {
	const entries = 100_000
	for _, on := range []struct {
		name   string
		config func() Config
	}{
		{"SQLite", func() Config { return Config{Database: migrated.SQLite(b), Exclusive: true} }},
		{"PostgreSQL", func() Config { return Config{Database: storetest.PrivatePostgres(b, "fsync=on").Database(b)} }},
	} {
		cancel := func(f *fixture, r *Run) error {
			_, err := f.CancelRun(f.ctx(), r, "cancelled", nil)
			return err
		}
		for name, change := range map[string]func(f *fixture, r *Run) error{
			"cancel":                  cancel,
			"cancel, to be delivered": cancel,
			"approve": func(f *fixture, r *Run) error {
				_, err := f.DeliverRun(f.ctx(), r)
				for fed := (Fed{More: true}); fed.More && err == nil; {
					fed, err = f.FeedRuns(f.ctx(), "cancelled")
				}
				return err
			},
		} {
			b.Run(fmt.Sprintf("%s/%s", on.name, name), func(b *testing.B) {
				f := openFixture(b, on.config())
				w := f.workspace("acme")
				job := f.newJob(w)
				var took, alone, longest time.Duration
				for b.Loop() {
					run := ok[*Run](b)(f.Run(b.Context(), ok[int](b)(f.CreateRun(b.Context(), NewRun{WorkspaceID: w.ID, JobID: job, UserID: f.root.ID, Document: []byte("{}")}))))
					rows := make(rowList, entries)
					for i := range rows {
						rows[i] = fmt.Appendf(nil, `{"id":%d,"name":"Customer %d"}`, i, i)
					}
					ok[bool](b)(f.BeginRun(b.Context(), run, []byte("{}"), written("{}"), rows))
					ok[int](b)(f.db.exec(b.Context(), "UPDATE job_entries SET state = 'review' WHERE run_id = ?", run.ID))
					ok[int](b)(f.db.exec(b.Context(), "UPDATE job_runs SET next_position = NULL WHERE id = ?", run.ID))
					if name == "cancel, to be delivered" {
						ok[int](b)(f.DeliverRun(b.Context(), run))
						for fed := (Fed{More: true}); fed.More; {
							fed = ok[Fed](b)(f.FeedRuns(b.Context(), "cancelled"))
						}
					}
					alone = max(alone, f.longestBeside(func() error { time.Sleep(2 * time.Second); return nil }))
					begin := time.Now()
					longest = max(longest, f.longestBeside(func() error { return change(f, run) }))
					took += time.Since(begin)
				}
				b.ReportMetric(float64(b.N*entries)/took.Seconds(), "entries/s")
				b.ReportMetric(float64(longest.Milliseconds()), "longest-wait-ms")
				b.ReportMetric(float64(alone.Milliseconds()), "wait-alone-ms")
			})
		}
	}
}

// longestBeside tells how long the longest write took beside something.
func (f *fixture) longestBeside(do func() error) time.Duration {
	f.t.Helper()
	ctx, stop := context.WithCancel(f.ctx())
	waited := make(chan time.Duration)
	go func() { waited <- f.longestWrite(ctx) }()
	err := do()
	stop()
	longest := <-waited
	f.must(err)
	return longest
}
