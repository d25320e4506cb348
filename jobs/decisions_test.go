package jobs

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// deliveryStates are those of the deliveries of an entry, with its own.
func (p *place) deliveryStates(e store.JobEntry) []string {
	p.t.Helper()
	rows, err := p.store.Deliveries(p.t.Context(), e.ID)
	if err != nil {
		p.t.Fatal(err)
	}
	list := []string{string(e.State)}
	for _, r := range rows {
		list = append(list, string(r.State))
	}
	return list
}

func (p *place) decide(s *Service, run, want int, do Deciding, which store.EntryQuery) {
	p.t.Helper()
	row, err := p.store.Run(p.t.Context(), run)
	if err != nil {
		p.t.Fatal(err)
	}
	if n, err := s.Decide(p.t.Context(), row, which, do); err != nil || n != want {
		p.t.Errorf("%+v: decided about %d, %v; want %d", do, n, err, want)
	}
	p.finished(s, "statements", run)
	p.idle()
}

// TestUncertainDeliveriesAreSettled one by one and all at once: sent again, or
// taken for delivered, and nothing else is sent.
func TestUncertainDeliveriesAreSettled(t *testing.T) {
	for name, c := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, c(t))
			p.job(many(5))
			var away atomic.Bool
			away.Store(true)
			to := &sink{answer: func(d Delivery) error {
				switch {
				case !away.Load():
					return nil
				case d.Type == "email":
					return &Uncertain{"it may have been sent"}
				case d.Entry == "4":
					return report.Problemf("", "there is no such folder")
				}
				return nil
			}}
			s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Deliver = to })
			run := p.run(s, "statements")
			if status := p.finished(s, "statements", run); status.Errors != 5 {
				t.Fatalf("%+v", status)
			}
			p.idle()
			away.Store(false)
			sent := func(want ...string) {
				t.Helper()
				to.order.Lock()
				defer to.order.Unlock()
				slices.Sort(to.entries)
				if d := cmp.Diff(want, to.entries); d != "" {
					t.Error(d)
				}
				to.entries = nil
			}
			to.entries = nil
			p.decide(s, run, 1, Deciding{Do: Resent}, store.EntryQuery{Positions: []int{1}})
			sent("1 email")
			p.decide(s, run, 1, Deciding{Do: Marked, By: "Ana"}, store.EntryQuery{Positions: []int{2}})
			p.decide(s, run, 0, Deciding{Do: Marked}, store.EntryQuery{Positions: []int{2}}) // sent again by the client
			p.decide(s, run, 1, Deciding{Do: Marked}, store.EntryQuery{Positions: []int{4}})
			sent()
			e := p.entries(run)
			for i, want := range [][]string{{"completed", "sent", "sent"}, {"completed", "sent", "sent"}, {"error", "uncertain", "sent"}, {"error", "sent", "failed"}, {"error", "uncertain", "sent"}} {
				if d := cmp.Diff(want, p.deliveryStates(e[i])); d != "" {
					t.Errorf("entry %d: %s", i+1, d)
				}
			}
			if e[3].Error != "deliveries[1]: there is no such folder" {
				t.Errorf("the entry says %q", e[3].Error)
			}
			if rows, _ := p.store.Deliveries(t.Context(), e[1].ID); rows[0].Receipt != `{"markedBy":"Ana"}` || rows[0].Error != "" {
				t.Errorf("%+v", rows[0])
			}
			p.decide(s, run, 2, Deciding{Do: Resent}, store.EntryQuery{})
			sent("3 email", "5 email")
			row, err := p.store.Run(t.Context(), run)
			if err != nil {
				t.Fatal(err)
			}
			var problems report.Problems
			if _, err := s.Decide(t.Context(), row, store.EntryQuery{Positions: []int{4, 3}}, Deciding{Do: Resent}); !errors.As(err, &problems) || problems[0].Kind != report.Conflict {
				t.Errorf("a delivery that failed was sent as an uncertain one: %v", err)
			}
			if _, err := s.Decide(t.Context(), row, store.EntryQuery{Positions: []int{9}}, Deciding{Do: Retried}); !store.IsNotFound(err) {
				t.Errorf("no entry: %v", err)
			}
			once := store.Once{Key: "a", UserID: p.user}
			for range 2 { // a request that is sent again does nothing again
				p.decide(s, run, 1, Deciding{Do: Retried, Once: once}, store.EntryQuery{Positions: []int{4}})
			}
			sent("4 local")
			if d := cmp.Diff(&RunStatus{Finished: true, Entries: 5, Completed: 5}, p.finished(s, "statements", run)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestRetriesByHandAreTriedAgain, as others are, and end as failed.
func TestRetriesByHandAreTriedAgain(t *testing.T) {
	p := newPlace(t, store.Config{})
	p.job(many(1))
	box := &mailbox{answer: func(d Delivery, n int) error {
		if d.Type != "email" || n == 13 {
			return nil
		}
		return &report.Problem{Kind: report.Busy, Message: "the server is away"}
	}}
	j := many(1)
	j.Deliveries[0].Settings["to"], j.Deliveries[1].Settings["to"], j.Code = "mail", "file", "other"
	p.job(j)
	s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Deliver = box })
	run := p.run(s, "other")
	p.finished(s, "other", run)
	p.idle()
	row, err := p.store.Run(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.Decide(t.Context(), row, store.EntryQuery{}, Deciding{Do: Retried}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	p.finished(s, "other", run)
	if box.tries["mail"] != 13 || box.tries["file"] != 1 {
		t.Errorf("tries %v; a retry by hand is tried again until it is sent", box.tries)
	}
	if d := cmp.Diff([]string{"completed", "sent", "sent"}, p.deliveryStates(p.entries(run)[0])); d != "" {
		t.Error(d)
	}
}

// TestEntriesAreMadeAnewWithTheDefinitionAsItIsNow: what was sent is not sent
// again, wherever its delivery stands now.
func TestEntriesAreMadeAnewWithTheDefinitionAsItIsNow(t *testing.T) {
	for name, c := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, c(t))
			j := many(4)
			j.Deliveries[0].Settings["to"], j.Deliveries[1].Settings["to"] = "{$record.name}@example.com", "{[ {$record.name}.nothing.x ]}"
			id := p.job(j)
			box := &mailbox{answer: func(d Delivery, n int) error {
				if d.Entry == "4" && d.Type == "email" && n == 1 {
					return report.Problemf("", "no such mailbox")
				}
				return nil
			}}
			s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Deliver = box })
			run := p.run(s, "statements")
			if status := p.finished(s, "statements", run); status.Errors != 4 {
				t.Fatalf("%+v", status)
			}
			p.idle()
			p.decide(s, run, 1, Deciding{Do: Regenerated}, store.EntryQuery{Positions: []int{1}}) // the old definition, the old fault
			if e := p.entries(run)[0]; e.State != store.EntryError {
				t.Errorf("%+v", e)
			}
			j.Reports[0].FileName = "New {$record.name}"
			j.Deliveries[1].Settings = map[string]any{"to": "folder/{$record.name}"}
			j.Deliveries = []report.JobDelivery{{Type: "s3", Settings: map[string]any{"to": "bucket"}}, j.Deliveries[1], j.Deliveries[0]}
			doc, err := report.MarshalDefinition(&j)
			if err == nil {
				_, err = p.store.SaveResource(t.Context(), p.ws, store.JobKind, id, 1, doc)
			}
			if err != nil {
				t.Fatal(err)
			}
			p.decide(s, run, 3, Deciding{Do: Regenerated, Current: true}, store.EntryQuery{Positions: []int{2, 3, 4}})
			want := []string{
				"c1@example.com c1.pdf", "c2@example.com c2.pdf", "c3@example.com c3.pdf", "c4@example.com New c4.pdf",
				"folder/c2 New c2.pdf", "folder/c3 New c3.pdf", "folder/c4 New c4.pdf", "bucket New c2.pdf", "bucket New c3.pdf", "bucket New c4.pdf",
			}
			slices.Sort(want)
			if d := cmp.Diff(want, box.all()); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(&RunStatus{Finished: true, Entries: 4, Completed: 3, Errors: 1}, p.finished(s, "statements", run)); d != "" {
				t.Error(d)
			}
			p.decide(s, run, 1, Deciding{Do: Regenerated, Current: true}, store.EntryQuery{States: []store.EntryState{store.EntryError}})
			if numbers := fmt.Sprint(p.entries(run)[0].Definition, p.entries(run)[1].Definition); numbers != "1 1" {
				t.Errorf("the same definition is kept twice: %s", numbers)
			}
		})
	}
}

func TestInPlace(t *testing.T) {
	t.Parallel()
	mail := func(name, connection string) report.JobDelivery {
		return report.JobDelivery{Name: name, Type: "email", Connection: connection}
	}
	whole := report.JobDelivery{Type: "local", Per: report.PerRun, Connection: "old"}
	for name, c := range map[string]struct{ before, now, want []report.JobDelivery }{
		"the same":           {[]report.JobDelivery{mail("a", ""), whole}, []report.JobDelivery{mail("a", ""), whole}, []report.JobDelivery{mail("a", ""), whole}},
		"turned":             {[]report.JobDelivery{mail("a", ""), mail("b", "")}, []report.JobDelivery{mail("b", "x"), mail("a", "y")}, []report.JobDelivery{mail("a", "y"), mail("b", "x")}},
		"another connection": {[]report.JobDelivery{mail("", "x"), mail("", "y")}, []report.JobDelivery{mail("", "y"), mail("", "z")}, []report.JobDelivery{mail("", "z"), mail("", "y")}},
		"one less":           {[]report.JobDelivery{mail("a", ""), {Type: "s3"}}, []report.JobDelivery{mail("a", "")}, []report.JobDelivery{mail("a", ""), {Type: "s3", Condition: "false"}}},
		"one more":           {[]report.JobDelivery{mail("a", "")}, []report.JobDelivery{{Type: "s3"}, mail("a", "")}, []report.JobDelivery{mail("a", ""), {Type: "s3"}}},
		"of the run":         {[]report.JobDelivery{whole}, []report.JobDelivery{{Type: "local", Per: report.PerRun, Connection: "new"}, {Type: "s3", Per: report.PerRun}}, []report.JobDelivery{whole}},
	} {
		if d := cmp.Diff(c.want, inPlace(c.before, c.now)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
