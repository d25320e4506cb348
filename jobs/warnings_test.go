package jobs

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// warned are what is told of the entries of a run and of their deliveries.
func (p *place) warned(run int) (told []string) {
	p.t.Helper()
	for _, e := range p.entries(run) {
		reason, warnings := e.Told()
		for _, w := range append(warnings, reason) {
			if w != "" {
				told = append(told, fmt.Sprintf("%d %s %s", e.Position, e.State, w))
			}
		}
		deliveries, err := p.store.Deliveries(p.t.Context(), e.ID)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, d := range deliveries {
			reason, warnings := d.Told()
			for _, w := range append(warnings, reason) {
				if w != "" {
					told = append(told, fmt.Sprintf("%d delivery %s %s", e.Position, d.State, w))
				}
			}
		}
	}
	return told
}

// TestAPathThatLeadsNowherePrintsNothing in a job's templates, and the entry
// warns of it, through review and delivery.
func TestAPathThatLeadsNowherePrintsNothing(t *testing.T) {
	t.Parallel()
	p := newPlace(t, store.Config{})
	j := statements()
	j.DataSources[0].Settings["content"] = `[{"name":"Ana","path":"p","note":"n"},{"name":"Bojan"}]`
	j.Language = "de"
	j.Reports = []report.JobReport{
		{Report: "statement", FileName: "F {$record.name} {$record.path}", Params: map[string]any{"note": "{$record.note}"}},
		{Report: "statement", FileName: "{$record.path}"},
		{Report: "statement", FileName: "L {$record.name}"},
	}
	j.Reports[2].Language = "{$record.language}"
	j.ReviewRequired = true
	j.Deliveries = []report.JobDelivery{
		{Type: "local", Settings: map[string]any{"to": "of {$record.path}"}},
		{Type: "local", Per: report.PerRun, Settings: map[string]any{"to": "all {$params.nobody}"}},
	}
	p.job(j)
	box := &mailbox{}
	s, _ := p.service(func(ctx context.Context, r export.Request) (*export.File, error) {
		if r.Lang != "de" {
			t.Errorf("the language is %q", r.Lang)
		}
		file, err := plain(ctx, r)
		file.Warnings = report.Problems{report.Problemf("pages[0]", "is small")}
		return file, err
	}, withBatch(p), func(c *Config) { c.Deliver = box })
	run := p.run(s, "statements")
	p.finished(s, "statements", run)
	for i, want := range []map[string]string{{"F Ana p.pdf": "", "p.pdf": "", "L Ana.pdf": ""}, {"F Bojan.pdf": "", "title.pdf": "", "L Bojan.pdf": ""}} {
		got := p.contentOf(p.entries(run)[i])
		for name := range got {
			got[name] = ""
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
	row, err := p.store.Run(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.store.DeliverRun(t.Context(), row); err != nil {
		t.Fatal(err)
	}
	if got := p.finished(s, "statements", run); got.Completed != 2 {
		t.Errorf("%+v", got)
	}
	small := func(entry int) (told []string) {
		for i := range 3 {
			told = append(told, fmt.Sprintf("%d completed reports[%d]: pages[0]: is small", entry, i))
		}
		return told
	}
	first, second := small(1), small(2)
	want := append([]string{}, first[0], first[1])
	want = append(want, "1 completed reports[2].language: {$record.language} leads to no value", first[2],
		"2 completed reports[0].params.note: {$record.note} leads to no value", "2 completed reports[0].fileName: {$record.path} leads to no value", second[0],
		"2 completed reports[1].fileName: {$record.path} leads to no value", second[1],
		"2 completed reports[2].language: {$record.language} leads to no value", second[2],
		"2 delivery sent settings.to: {$record.path} leads to no value")
	if d := cmp.Diff(want, p.warned(run)); d != "" {
		t.Error(d)
	}
	rows, err := p.store.RunDeliveries(t.Context(), run)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%+v %v", rows, err)
	}
	if _, warnings := rows[0].Told(); rows[0].State != store.DeliverySent || len(warnings) != 1 {
		t.Errorf("the delivery of the run: %+v", rows[0])
	}
}
