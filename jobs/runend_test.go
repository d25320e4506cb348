package jobs

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// listeners are told of events.
type listeners struct {
	mu    sync.Mutex
	keys  []string
	got   []Event
	known func(name string) error
	fail  int // how many attempts fail before one is taken
}

func (l *listeners) Known(_ context.Context, _ int, name string) error {
	if l.known != nil {
		return l.known(name)
	}
	return nil
}

func (l *listeners) Tell(_ context.Context, _ int, connection, key string, event []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keys = append(l.keys, connection+" "+key)
	if l.fail > 0 {
		l.fail--
		return &report.Problem{Kind: report.Busy, Message: "away"}
	}
	var e Event
	err := json.Unmarshal(event, &e)
	if !regexp.MustCompile(`"at":"[0-9-]{10}T[0-9:]{8}\.[0-9]{3}Z"`).Match(event) && err == nil {
		err = fmt.Errorf("the time of %s has no milliseconds", event)
	}
	l.got = append(l.got, e)
	return err
}

func (l *listeners) wait(t *testing.T, n int) []Event {
	t.Helper()
	for begin := time.Now(); time.Since(begin) < 20*time.Second; time.Sleep(5 * time.Millisecond) {
		l.mu.Lock()
		got := slices.Clone(l.got)
		l.mu.Unlock()
		if len(got) >= n {
			return got
		}
	}
	t.Fatalf("%d events do not come", n)
	return nil
}

// summed is the statements in one message for the run, to those with a balance.
func summed(pack string) report.Job {
	j := statements()
	j.Reports[0].FileName = "Statement"
	j.Deliveries = []report.JobDelivery{{
		Type: "email", Per: report.PerRun, Pack: pack, Condition: "{$record.total} > 0",
		Settings: map[string]any{"to": "accounts@example.com: {$run.completed} of {$run.entries}"},
	}}
	return j
}

// bag keeps the documents of each delivery.
type bag struct {
	mu  sync.Mutex
	got []string
	zip []byte
}

func (b *bag) Deliver(ctx context.Context, d Delivery, documents []report.Document) (Receipt, error) {
	to, err := d.Fill(report.Field{Name: "to"}, d.Settings["to"].(string))
	if err != nil {
		return "", err
	}
	names := []string{}
	for _, doc := range documents {
		names = append(names, doc.Name)
		if doc.ContentType != "application/zip" {
			continue
		}
		r, err := doc.Open(ctx)
		if err != nil {
			return "", err
		}
		b.zip, _ = io.ReadAll(r)
		_ = r.Close()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.got = append(b.got, fmt.Sprintf("%s/%s %s", d.Entry, to, strings.Join(names, ", ")))
	return "{}", nil
}

func TestARunIsDeliveredAsAWhole(t *testing.T) {
	for pack, want := range map[string]string{
		report.PackFiles: "/accounts@example.com: 3 of 3 Statement.pdf, Statement (2).pdf",
		report.PackZIP:   "/accounts@example.com: 3 of 3 Statements 1.zip",
	} {
		t.Run(pack, func(t *testing.T) {
			p := newPlace(t, store.Config{})
			p.job(summed(pack))
			got := &bag{}
			s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Deliver = got })
			run := p.run(s, "statements")
			if d := cmp.Diff(&RunStatus{Finished: true, Entries: 3, Completed: 3}, p.finished(s, "statements", run)); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff([]string{want}, got.got); d != "" {
				t.Error(d)
			}
			if pack == report.PackZIP {
				z, err := zip.NewReader(bytes.NewReader(got.zip), int64(len(got.zip)))
				if err != nil || len(z.File) != 2 || z.File[1].Name != "Statement (2).pdf" {
					t.Errorf("%v %v", z, err)
				}
			}
			rows, err := p.store.RunDeliveries(t.Context(), run)
			if err != nil || len(rows) != 1 || rows[0].State != store.DeliverySent || rows[0].Attempts != 1 {
				t.Errorf("%+v %v", rows, err)
			}
			states := map[store.DeliveryState]int{}
			for _, e := range p.entries(run) {
				rows, err := p.store.Deliveries(t.Context(), e.ID)
				if err != nil {
					t.Fatal(err)
				}
				states[rows[0].State]++
			}
			if !maps.Equal(states, map[store.DeliveryState]int{store.DeliveryCollected: 2, store.DeliverySkipped: 1}) {
				t.Errorf("%v", states)
			}
			p.idle()
		})
	}
}

// A run in review is told of, and delivered as a whole when its last entry is
// settled.
func TestARunInReviewIsDeliveredWhenItIsSettled(t *testing.T) {
	p := newPlace(t, store.Config{})
	j := summed("")
	j.ReviewRequired, j.Webhook = true, "erp"
	p.job(j)
	got, told := &bag{}, &listeners{fail: 1}
	s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Deliver, c.Tell = got, told })
	id := p.run(s, "statements")
	p.finished(s, "statements", id)
	run, err := p.store.Run(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if e := told.wait(t, 1)[0]; e.Event != RunInReview || e.Status.Review != 3 || e.RunID != id || e.JobCode != "statements" {
		t.Errorf("%+v", e)
	}
	if told.keys[0] != told.keys[1] || !strings.HasPrefix(told.keys[0], "erp run-") {
		t.Errorf("attempts of one event have the keys %q", told.keys)
	}
	entries := p.entries(id)
	if err := s.Approve(t.Context(), run, entries[0].ID); err != nil {
		t.Fatal(err)
	}
	p.finished(s, "statements", id)
	if len(got.got) > 0 {
		t.Errorf("delivered while others are in review: %q", got.got)
	}
	if err := s.Reject(t.Context(), run, entries[2].ID, "wrong"); err != nil {
		t.Fatal(err)
	}
	p.idle()
	if n, err := s.Deliver(t.Context(), p.ws, "statements", id); err != nil || n != 1 {
		t.Fatalf("%d delivered, %v", n, err)
	}
	if d := cmp.Diff(&RunStatus{Finished: true, Entries: 3, Completed: 2, Errors: 1, Rejected: 1}, p.finished(s, "statements", id)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"/accounts@example.com: 2 of 3 Statement.pdf"}, got.got); d != "" {
		t.Error(d)
	}
	if e := told.wait(t, 2)[1]; e.Event != RunFinished || *e.Entries != 3 || e.Status.Completed != 2 || e.Status.Errors != 1 {
		t.Errorf("%+v", e)
	}
	if _, err := s.Deliver(t.Context(), p.ws, "statements", id); err != nil || len(got.got) != 1 {
		t.Errorf("delivered again: %q %v", got.got, err)
	}
}

func TestARunDeliveryThatFailsIsTriedAgainWhenAsked(t *testing.T) {
	p := newPlace(t, store.Config{})
	p.job(summed(""))
	box := &mailbox{answer: func(d Delivery, n int) error {
		if n == 1 {
			return &report.Problem{Kind: report.Failed, Message: "there is no such mailbox"}
		}
		return nil
	}}
	s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Deliver = box })
	run := p.run(s, "statements")
	status := p.finished(s, "statements", run)
	if status.Completed != 3 || status.Error != "deliveries[0]: there is no such mailbox" {
		t.Errorf("%+v", status)
	}
	row, err := p.store.Run(t.Context(), run)
	if err == nil {
		err = s.DecideRunDelivery(t.Context(), row, 1, Retried, "Root")
	}
	if err != nil {
		t.Fatal(err)
	}
	if status := p.finished(s, "statements", run); status.Error != "" || len(box.all()) != 2 {
		t.Errorf("%+v %q", status, box.all())
	}
	if err := s.DecideRunDelivery(t.Context(), row, 1, Retried, "Root"); err == nil || !strings.Contains(err.Error(), "only a delivery that is failed") {
		t.Errorf("%v", err)
	}
}

// The definition is kept in memory: what one run asks for is not the next one's.
func TestAWebhookIsOfOneRun(t *testing.T) {
	p := newPlace(t, store.Config{})
	p.job(statements())
	s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Tell = &listeners{known: func(string) error { return nil }} })
	for _, name := range []string{"erp", "other", ""} {
		id, err := s.StartRun(t.Context(), RunRequest{Workspace: p.ws, UserID: p.user, Job: "statements", Webhook: name}, "")
		if err != nil {
			t.Fatal(err)
		}
		run, err := p.store.Run(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if job, err := readJob(run.Document); err != nil || job.Webhook != name {
			t.Errorf("webhook %q in place of %q, %v", job.Webhook, name, err)
		}
		p.finished(s, "statements", id)
	}
}

func TestEndsAreTold(t *testing.T) {
	p := newPlace(t, store.Config{})
	j := statements()
	j.DataSources[0].Settings["content"] = "{"
	p.job(j)
	told := &listeners{known: func(name string) error {
		if name != "erp" {
			return report.Problemf("webhook", "connection %q does not exist", name)
		}
		return nil
	}}
	s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Tell = told })
	if _, err := s.StartRun(t.Context(), RunRequest{Workspace: p.ws, UserID: p.user, Job: "statements", Webhook: "other"}, ""); err == nil || !strings.Contains(err.Error(), `webhook: connection "other" does not exist`) {
		t.Errorf("%v", err)
	}
	run, err := s.StartRun(t.Context(), RunRequest{Workspace: p.ws, UserID: p.user, Job: "statements", Webhook: "erp"}, "")
	if err != nil {
		t.Fatal(err)
	}
	if e := told.wait(t, 1)[0]; e.Event != RunFinished || e.RunID != run || e.Status.Errors != 1 || e.Error == "" {
		t.Errorf("%+v", e)
	}
	req := ExportRequest{Request: export.Request{Workspace: p.ws, UserID: p.user, Report: "1"}, Webhook: "erp"}
	file, err := s.StartExport(t.Context(), req, "")
	if err != nil {
		t.Fatal(err)
	}
	if e := told.wait(t, 2)[1]; e.Event != ExportCompleted || e.FileID != file || e.Name == "" || e.ContentSize == 0 || told.keys[1] != fmt.Sprintf("erp export-%d", file) {
		t.Errorf("%+v %q", e, told.keys)
	}
	p.idle()
}

// Every option of an export survives the queue.
func TestRequestsSurviveTheQueue(t *testing.T) {
	req := ExportRequest{Webhook: "erp", Request: export.Request{
		UserID: 3, Report: "invoice", Params: report.ObjectOf("a", "b"), Data: report.ObjectOf("rows", []any{"x"}), TempDataID: 9,
		Lang: "de", Timezone: "Europe/Berlin", Password: "secret", ExcludePages: []int{4},
		ExportOptions: report.ExportOptions{Format: "pdf", Template: "t", Theme: "dark", IncludeAttachments: true, Accessible: true, Conformance: "pdf/a-2a", DenyPrinting: true},
	}}
	payload, err := writeRequest(&req)
	if err != nil || bytes.Contains(payload, []byte("secret")) {
		t.Fatalf("%s %v", payload, err)
	}
	back, err := readRequest(payload, "secret")
	if err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2]any{
		"params": {req.Params, back.Params}, "data": {req.Data, back.Data}, "password": {req.Password.Reveal(), back.Password.Reveal()}, "others": {plainly(req), plainly(back)},
	} {
		before, _ := json.Marshal(pair[0])
		after, _ := json.Marshal(pair[1])
		if string(before) != string(after) {
			t.Errorf("%s: %s became %s", name, before, after)
		}
	}
}

// What waits in the queue while the service is brought up to date has the names
// of the version that wrote it, and an older one may read what this one writes.
func TestRequestsOfEarlierVersionsAreRead(t *testing.T) {
	const old = `{"userId":3,"report":"invoice","params":{"b":1.50,"a":"\u003cb\u003e"},"data":{"rows":["x"]},"tempDataId":9,"lang":"de","timezone":"Europe/Berlin",` +
		`"format":"pdf","template":"t","theme":"dark","includeAttachments":true,"accessible":true,"conformance":"pdf/a-2a","noPrinting":true,"noCopying":true,"excludePages":[4,7],"webhook":"erp"}`
	read, err := readRequest([]byte(old), "secret")
	if err != nil {
		t.Fatal(err)
	}
	want := ExportRequest{Webhook: "erp", Request: export.Request{
		UserID: 3, Report: "invoice", TempDataID: 9, Lang: "de", Timezone: "Europe/Berlin", Password: "secret", ExcludePages: []int{4, 7},
		ExportOptions: report.ExportOptions{Format: "pdf", Template: "t", Theme: "dark", IncludeAttachments: true, Accessible: true, Conformance: "pdf/a-2a", DenyPrinting: true, DenyCopying: true},
	}}
	if got := plainly(read); got != plainly(want) {
		t.Errorf("read as %s; want %s", got, plainly(want))
	}
	for _, text := range []string{old, `{"report":"7"}`, `{"report":"7","params":{},"noCopying":true}`} {
		read, err := readRequest([]byte(text), "")
		if err != nil {
			t.Fatal(err)
		}
		if again, err := writeRequest(&read); err != nil || string(again) != text {
			t.Errorf("%s is written as %s, %v", text, again, err)
		}
	}
}

func plainly(r ExportRequest) string {
	r.Params, r.Data = nil, nil
	return fmt.Sprintf("%+v", r)
}
