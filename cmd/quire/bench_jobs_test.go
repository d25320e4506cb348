package main

import (
	"slices"
	"testing"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/jobs"
)

// BenchmarkJob runs a job of 1,000 one-page invoices on the embedded parts,
// beside bare tabs that print the same finished HTML. The issue asks for a rate
// of at least 0.7 of the floor's.
func BenchmarkJob(b *testing.B) {
	const entries, tabs = 1000, 2
	s := startService(b)
	html := s.finishedHTML("invoice")
	putJob(b, s.store, entries, nil)
	f := newFloor(b, tabs)
	bare := func(client int) error { return f.tabs[client].print(html) }
	race(b, tabs, 30, bare)
	a := asker{s.url, s.token}
	var ours time.Duration
	var floors sample
	for b.Loop() {
		floors.add(race(b, tabs, entries/tabs/2, bare)) // before and after, as the machine may be busy
		begin := time.Now()
		run := a.run(b)
		if got := a.finished(b, run, 10*time.Minute); got.Status.Completed != entries {
			b.Fatalf("%+v", got)
		}
		ours += time.Since(begin)
		floors.add(race(b, tabs, entries/tabs/2, bare))
	}
	rate := float64(b.N*entries) / ours.Seconds()
	b.ReportMetric(rate, "entries/s")
	b.ReportMetric(floors.rate(), "floor/s")
	b.ReportMetric(rate/floors.rate(), "rate/floor")
}

// BenchmarkStatusOfManyExports asks for the status of an export while nothing
// waits and while 10,000 wait and two workers work. The issue asks for a 95th
// percentile of at most 5 times the idle one.
func BenchmarkStatusOfManyExports(b *testing.B) {
	const waiting, asked = 10_000, 400
	s := startService(b)
	a := asker{s.url, s.token}
	first := a.start(b, "{}")
	a.ended(b, first)
	var idle, busy []time.Duration
	ask := func(times *[]time.Duration) {
		for range asked {
			begin := time.Now()
			a.status(b, first)
			*times = append(*times, time.Since(begin))
			time.Sleep(2 * time.Millisecond) // a user may not ask more than 500 times a second
		}
	}
	percentile := func(times []time.Duration) float64 {
		slices.Sort(times)
		return float64(times[len(times)*95/100].Microseconds()) / 1000
	}
	for range 3 {
		ask(&idle)
	}
	user, err := s.store.UserByEmail(b.Context(), s.settings.RootEmail)
	if err != nil {
		b.Fatal(err)
	}
	workspace, err := s.store.WorkspaceByCode(b.Context(), "demo")
	if err != nil {
		b.Fatal(err)
	}
	starter := jobs.New(jobs.Config{Store: s.store})
	for range waiting {
		if _, err := starter.StartExport(b.Context(), jobs.ExportRequest{Request: export.Request{Workspace: workspace.ID, UserID: user.ID, Report: "invoice"}}, ""); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		ask(&busy)
	}
	left, _, err := s.store.QueueSize(b.Context())
	if err != nil || left < waiting/2 {
		b.Fatalf("%d wait, %v", left, err)
	}
	b.ReportMetric(percentile(idle), "ms-idle-p95")
	b.ReportMetric(percentile(busy), "ms-busy-p95")
	b.ReportMetric(percentile(busy)/percentile(idle), "busy/idle")
}
