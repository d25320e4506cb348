package store

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/quire-reports/quire/store/storetest"
)

// BenchmarkBeginRun begins a run of 100,000 entries while another caller writes a
// row every millisecond: how long the longest of these waits is how long the run
// holds up everybody else.
func BenchmarkBeginRun(b *testing.B) {
	const entries = 100_000
	for _, on := range []struct {
		name   string
		config func() Config
	}{
		{"SQLite", func() Config { return Config{Database: migrated.SQLite(b), Exclusive: true} }},
		{"PostgreSQL", func() Config { return Config{Database: storetest.PrivatePostgres(b, "fsync=on").Database(b)} }},
	} {
		b.Run(on.name, func(b *testing.B) {
			f := openFixture(b, on.config())
			w := f.workspace("acme")
			job := f.newJob(w)
			var rows rowList
			for i := range entries {
				rows = append(rows, fmt.Appendf(nil, `{"id":%d,"name":"Customer %d"}`, i, i))
			}
			var began, longest time.Duration
			for b.Loop() {
				run := ok[*Run](b)(f.Run(b.Context(), ok[int](b)(f.CreateRun(b.Context(), NewRun{WorkspaceID: w.ID, JobID: job, UserID: f.root.ID, Document: []byte("{}")}))))
				ctx, stop := context.WithCancel(b.Context())
				waited := make(chan time.Duration)
				go func() { waited <- f.longestWrite(ctx) }()
				begin := time.Now()
				ok[bool](b)(f.BeginRun(b.Context(), run, []byte("{}"), written("{}"), rows))
				began += time.Since(begin)
				stop()
				longest = max(longest, <-waited)
			}
			b.ReportMetric(float64(b.N*entries)/began.Seconds(), "entries/s")
			b.ReportMetric(float64(longest.Milliseconds()), "longest-wait-ms")
		})
	}
}

// longestWrite writes a row again and again until ctx ends and tells how long that
// took at most.
func (f *fixture) longestWrite(ctx context.Context) (longest time.Duration) {
	for ctx.Err() == nil {
		begin := time.Now()
		if _, err := f.db.exec(context.WithoutCancel(ctx), "UPDATE users SET display_name = display_name WHERE id = ?", f.root.ID); err != nil {
			f.t.Error(err)
		}
		longest = max(longest, time.Since(begin))
		time.Sleep(time.Millisecond)
	}
	return longest
}
