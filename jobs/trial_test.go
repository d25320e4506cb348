package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// tried is a service that makes documents and delivers them into a box; it
// works on nothing, as trials need no queue.
func (p *place) tried(do printer, box Deliverer, change ...func(*Config)) *Service {
	c := Config{Store: p.store, Export: do, Batch: p.batch(), Deliver: box}
	for _, f := range change {
		f(&c)
	}
	return New(c)
}

func (p *place) draft(j report.Job, entry int) Draft {
	return Draft{Workspace: p.ws, UserID: p.user, Job: &j, Entry: entry}
}

// settled is a destination that tells what it was asked for.
type settled struct {
	got []string
	err error
}

func (s *settled) Deliver(_ context.Context, d Delivery, documents []report.Document) (Receipt, error) {
	to, err := d.Fill(report.Field{Name: "to"}, fmt.Sprint(d.Settings["to"]))
	if err == nil {
		err = s.err
	}
	for _, doc := range documents {
		s.got = append(s.got, fmt.Sprintf("%s to %s, cc %v, subject %v, run %s, entry %s", doc.Name, to, d.Settings["cc"], d.Settings["subject"], d.Run, d.Entry))
	}
	return `{"state":"sent"}`, err
}

func TestATestDeliveryLeavesNothingBehind(t *testing.T) {
	mail := func() report.Job {
		j := mailed()
		j.Deliveries[0].Settings = map[string]any{"to": "{$record.mail}", "cc": "boss@example.com", "bcc": "b@example.com", "subject": "For {$record.name}"}
		return j
	}
	for name, c := range map[string]struct {
		entry, delivery int
		mailTo          string
		want            string
		skipped         bool
	}{
		"a mail to the caller":         {entry: 1, mailTo: "me@example.com", want: "Test Ana.pdf to me@example.com, cc <nil>, subject Test For {$record.name}, run 0, entry 1"},
		"a mail to its recipients":     {entry: 3, want: "Test Ђорђе.pdf to d@example.com, cc <nil>, subject Test For {$record.name}, run 0, entry 3"},
		"a condition that is not true": {entry: 2, mailTo: "me@example.com", skipped: true},
		"another destination":          {entry: 0, delivery: 1, mailTo: "me@example.com", want: "Test Ana.pdf to archive/Ana, cc <nil>, subject <nil>, run 0, entry 1"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, store.Config{})
			box, log := &settled{}, &bytes.Buffer{}
			s := p.tried(plain, box, func(c *Config) { c.Log = slog.New(slog.NewTextHandler(log, nil)) })
			j := mail()
			trial, err := s.TryDelivery(t.Context(), p.draft(j, c.entry), c.delivery, c.mailTo)
			if err != nil {
				t.Fatal(err)
			}
			if trial.Skipped != c.skipped || trial.Entries != 3 || strings.Join(box.got, "; ") != c.want {
				t.Errorf("%+v, delivered %q; want %q", trial, box.got, c.want)
			}
			if d := cmp.Diff(mail(), j); d != "" {
				t.Errorf("the draft was changed: %s", d)
			}
			if !strings.Contains(log.String(), "a delivery was tried") || !strings.Contains(log.String(), fmt.Sprintf("user=%d", p.user)) {
				t.Errorf("the log says %s", log)
			}
			if waiting, running, err := p.store.QueueSize(t.Context()); waiting+running > 0 || err != nil {
				t.Errorf("%d tasks wait, %d run, %v", waiting, running, err)
			}
		})
	}
}

// TestATestDeliveryOfARun is one of a run with a single entry: its templates
// know $run and no record, and what is packed says that it is a test.
func TestATestDeliveryOfARun(t *testing.T) {
	p := newPlace(t, store.Config{})
	box := &settled{}
	j := mailed()
	j.Deliveries[1] = report.JobDelivery{Type: "local", Per: report.PerRun, Pack: report.PackZIP, PackName: "All {$run.entries}", Settings: map[string]any{"to": "run of {$run.entries}"}}
	s := p.tried(plain, box)
	if _, err := s.TryDelivery(t.Context(), p.draft(j, 2), 1, ""); err != nil {
		t.Fatal(err)
	}
	if want := "Test All 3.zip to run of 3, cc <nil>, subject <nil>, run 0, entry "; strings.Join(box.got, "; ") != want {
		t.Errorf("delivered %q; want %q", box.got, want)
	}
	look, err := s.Look(t.Context(), p.draft(j, 2))
	if err != nil {
		t.Fatal(err)
	}
	if last := look.Filled[len(look.Filled)-1]; last != (Filled{Path: "deliveries[1].packName", Value: "All 3"}) {
		t.Errorf("%+v", look.Filled)
	}
}

func TestWhatATestDeliveryRefuses(t *testing.T) {
	broken := mailed()
	broken.Reports[0].FileName = "{[ {$record.name}.nothing.more ]}"
	noDocuments := mailed()
	noDocuments.Reports[0].Condition = "false"
	for name, c := range map[string]struct {
		job             report.Job
		entry, delivery int
		do              printer
		err             error
		want            string
	}{
		"an entry that is not there":   {job: mailed(), entry: 4, delivery: 1, want: "entry: there is no entry 4: a run would have 3"},
		"a delivery that is not there": {job: mailed(), delivery: 2, want: "delivery: the job has no delivery 2"},
		"a template that fails":        {job: broken, delivery: 1, want: "reports[0].fileName: {[ {$record.name}.nothing.more ]}"},
		"no documents":                 {job: noDocuments, delivery: 1, want: "reports: the entry has no documents"},
		"a destination that is away":   {job: mailed(), delivery: 1, err: &report.Problem{Kind: report.Busy, Message: "the server is away"}, want: "deliveries[1]: the server is away"},
		"an end that nobody knows":     {job: mailed(), delivery: 1, err: &Uncertain{"look at the server"}, want: "deliveries[1]: look at the server"},
		"a report that fails": {job: mailed(), delivery: 1, want: "no such report", do: func(context.Context, export.Request) (*export.File, error) {
			return nil, report.NotFoundf("no such report")
		}},
		"a report that takes too long": {job: mailed(), delivery: 1, want: "longer than the time limit of 50ms", do: func(ctx context.Context, _ export.Request) (*export.File, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, store.Config{})
			if c.do == nil {
				c.do = plain
			}
			s := p.tried(c.do, &settled{err: c.err}, func(s *Config) {
				if strings.Contains(c.want, "50ms") {
					s.Timeout = 50 * time.Millisecond
				}
			})
			_, err := s.TryDelivery(t.Context(), p.draft(c.job, c.entry), c.delivery, "me@example.com")
			var problem *report.Problem
			if !errors.As(err, &problem) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v; want %q", err, c.want)
			}
		})
	}
}

func TestADraftIsLookedAt(t *testing.T) {
	p := newPlace(t, store.Config{})
	s := p.tried(plain, &settled{})
	j := mailed()
	j.Reports[0].Params = map[string]any{"customer": "{$record.name}", "bad": "{$record.nothing}", "plain": "as it is", "n": 7}
	j.Reports[0].Password = "{$record.mail}"
	look, err := s.Look(t.Context(), p.draft(j, 2))
	if err != nil {
		t.Fatal(err)
	}
	name, _ := look.Record.(*report.Object).Get("name")
	if look.Entries != 3 || name != "Bojan" {
		t.Errorf("%d entries, the record %v", look.Entries, look.Record)
	}
	want := []Filled{
		{Path: "reports[0].fileName", Value: "Bojan"},
		{Path: "reports[0].params.bad", Problem: "{$record.nothing} leads to no value"},
		{Path: "reports[0].params.customer", Value: "Bojan"},
		{Path: "deliveries[0].condition", Value: "false"},
		{Path: "deliveries[0].settings.to", Value: ""},
	}
	if d := cmp.Diff(want, look.Filled); d != "" {
		t.Error(d)
	}
}

// TestTheDataOfADraftIsKeptForAMoment tells that a change of a condition loads
// nothing, and a change of a source or a demand does.
func TestTheDataOfADraftIsKeptForAMoment(t *testing.T) {
	p := newPlace(t, store.Config{})
	now := time.Now()
	loads := &counted{Batch: p.batch()}
	s := p.tried(plain, &settled{}, func(c *Config) { c.Batch, c.Clock = loads, func() time.Time { return now } })
	j := mailed()
	d := p.draft(j, 1)
	look := func(want int, what string) {
		t.Helper()
		if _, err := s.Look(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		if loads.n != want {
			t.Errorf("%s: loaded %d times; want %d", what, loads.n, want)
		}
	}
	look(1, "first")
	j.Deliveries[0].Condition, d.Entry = "true", 3
	look(1, "another condition")
	j.DataSources[1].Settings = map[string]any{"content": `{"year":2027}`}
	look(2, "another source")
	d.Refresh = true
	look(3, "anew")
	d.Refresh = false
	now = now.Add(2 * time.Minute)
	look(4, "later")
}

type counted struct {
	Batch
	n int
}

func (c *counted) LoadBatch(ctx context.Context, req export.BatchRequest) (*export.Batch, error) {
	c.n++
	return c.Batch.LoadBatch(ctx, req)
}

func TestDraftsAreChecked(t *testing.T) {
	p := newPlace(t, store.Config{})
	s := p.tried(plain, &settled{})
	s.cfg.Formats = export.FormatsWith(false)
	for _, c := range []store.Connection{{Name: "mails", Type: "email", Address: "{}"}, {Name: "files", Type: "sftp", Address: "{}"}} {
		if err := p.store.PutConnection(t.Context(), p.ws, c); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		change func(*report.Job)
		want   string // the first problem; empty for none
	}{
		"right": {func(*report.Job) {}, ""},
		"a report that is not there": {func(j *report.Job) {
			j.Reports = []report.JobReport{{Report: "wibble"}}
		}, `reports[0].report: there is no report "wibble" in this workspace`},
		"an unknown format": {func(j *report.Job) { j.Reports = []report.JobReport{{FileName: "{$record.total:wibble}"}} }, `reports[0].fileName: {$record.total:wibble}: unknown format "wibble"`},
		"a format that is not here": {func(j *report.Job) {
			j.Reports = []report.JobReport{{ExportOptions: report.ExportOptions{Format: "pptx"}}}
		}, `reports[0].format: format pptx is switched off here by the setting Office.Enabled; accepted: pdf, html`},
		"a protected page": {func(j *report.Job) {
			j.Reports = []report.JobReport{{Password: "{$record.pin}", ExportOptions: report.ExportOptions{Format: "html"}}}
		}, `reports[0].format: a password and forbidden printing or copying protect PDF files only, not html`},
		"an archive that is locked": {func(j *report.Job) {
			j.Reports = []report.JobReport{{ExportOptions: report.ExportOptions{Conformance: "pdf/a-2b", DenyCopying: true}}}
		}, `reports[0].conformance: pdf/a-2b files cannot be protected`},
		"an unknown archive": {func(j *report.Job) {
			j.Reports = []report.JobReport{{ExportOptions: report.ExportOptions{Conformance: "pdf/a-9"}}}
		}, `reports[0].conformance: unknown conformance "pdf/a-9"; accepted: pdf/a-2b, pdf/a-3b, pdf/a-2a`},
		"a schedule":            {func(j *report.Job) { j.Schedule = &report.JobSchedule{Kind: "daily", Start: "tomorrow"} }, `schedule.start: "tomorrow" is no date and time`},
		"no destination":        {func(j *report.Job) { j.Deliveries[0].Type = "pigeon" }, `deliveries[0].type: there is no destination "pigeon"`},
		"no connection":         {func(j *report.Job) { j.Deliveries[0].Connection = "" }, `deliveries[0].connection: choose the connection`},
		"an unknown connection": {func(j *report.Job) { j.Deliveries[0].Connection = "wibble" }, `deliveries[0].connection: there is no connection "wibble"`},
		"the wrong connection":  {func(j *report.Job) { j.Deliveries[0].Connection = "files" }, `deliveries[0].connection: the connection "files" is of type sftp`},
		"an unknown webhook":    {func(j *report.Job) { j.Webhook = "files" }, `webhook: the connection "files" is of type sftp`},
		"a source without its function": {func(j *report.Job) {
			j.DataSources = []report.SourceUse{{DataSource: report.DataSource{Name: "rows", Type: "javascript", Settings: map[string]any{}}}}
			j.Repeat = "rows"
		}, `dataSources[0].settings: "function" is missing`},
		"a setting that is none": {func(j *report.Job) { j.Deliveries[0].Settings["wibble"] = 1 }, `deliveries[0].settings`},
	} {
		t.Run(name, func(t *testing.T) {
			j := statements()
			j.Reports, j.Active = nil, false
			j.Deliveries = []report.JobDelivery{{Type: "email", Connection: "mails", Settings: map[string]any{"to": "{$record.mail}", "subject": "Hello"}}}
			c.change(&j)
			problems, err := s.Check(t.Context(), p.ws, &j)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(problems) > 0 {
				got = problems[0].Error()
			}
			if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
				t.Errorf("got %q; want %q", got, c.want)
			}
		})
	}
}

func TestPlannedTimesAreThoseOfTheZone(t *testing.T) {
	s := New(Config{Clock: func() time.Time { return time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC) }})
	times, err := s.PlannedTimes(&report.Job{Timezone: "Europe/Belgrade", Schedule: &report.JobSchedule{Kind: "weekly", Start: "2026-01-05T07:00"}}, 3)
	var got []string
	for _, at := range times {
		got = append(got, at.Format(time.RFC3339))
	}
	want := []string{"2026-03-23T07:00:00+01:00", "2026-03-30T07:00:00+02:00", "2026-04-06T07:00:00+02:00"}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(err, d)
	}
}
