package jobs

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

// doneBy counts what a process did, by the kind of task.
type doneBy struct {
	unobserved
	mu   sync.Mutex
	done map[string]int
}

func (d *doneBy) Task(kind string, end TaskEnd, _ time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.done == nil {
		d.done = map[string]int{}
	}
	d.done[kind+" "+string(end)]++
}

func (d *doneBy) all() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := map[string]int{}
	for kind, n := range d.done {
		all[kind] = n
	}
	return all
}

// Of two processes one only prints and one only delivers: together they do a run, each
// nothing but its own, and neither does what the other left.
func TestOnePrintsAndOneDelivers(t *testing.T) {
	const entries = 100
	p := newPlace(t, store.Config{Database: storetest.Postgres(t).Database(t)})
	p.job(letterbox("letters", entries))
	box := &mailbox{}
	var prints, delivers doneBy
	printing, _ := p.service(plain, withBatch(p), func(c *Config) { c.Work, c.Workers, c.Deliver, c.Observe = store.PrintWork, 4, box, &prints })
	run := p.run(printing, "letters")
	p.until(func() bool { return prints.all()["entry done"] == entries })
	p.service(plain, withBatch(p), func(c *Config) { c.Work, c.Workers, c.Deliver, c.Observe = store.DeliverWork, 4, box, &delivers })
	if d := cmp.Diff(&RunStatus{Finished: true, Entries: entries, Completed: entries}, p.finished(printing, "letters", run)); d != "" {
		t.Error(d)
	}
	p.until(func() bool { return delivers.all()["deliver done"] == entries })
	if d := cmp.Diff(map[string]int{"run done": 1, "entry done": entries}, prints.all()); d != "" {
		t.Error("who only prints:", d)
	}
	if d := cmp.Diff(map[string]int{"deliver done": entries}, delivers.all()); d != "" {
		t.Error("who only delivers:", d)
	}
	if sent := box.all(); len(sent) != entries {
		t.Errorf("%d were sent", len(sent))
	}
}

// until waits for something.
func (p *place) until(true func() bool) {
	p.t.Helper()
	for end := time.Now().Add(time.Minute); !true(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatal("it does not come")
		}
	}
}

// linesOf is a log that others write to meanwhile.
type linesOf struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *linesOf) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(text)
}

func (l *linesOf) has(part string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.text.String(), part)
}

// A fleet of which no process delivers says so, in the log and among the details of
// /readyz, and that it is mended; so does a service that leaves all to others.
func TestAFleetThatDoesNotDeliverSaysSo(t *testing.T) {
	for name, c := range databases {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, c(t))
			soon := func(c *Config) { c.Lease = 100 * time.Millisecond }
			var log, other linesOf
			s, _ := p.service(plain, soon, func(c *Config) {
				c.Work, c.Batch, c.Log = store.PrintWork, p.batch(), slog.New(slog.NewTextHandler(&log, nil))
			})
			p.job(letterbox("letters", 3))
			p.run(s, "letters")
			looking := Config{Store: p.store, Log: slog.New(slog.NewTextHandler(&other, nil))}
			soon(&looking)
			looks := New(looking)
			go looks.WatchFleet(t.Context())
			for _, l := range []*linesOf{&log, &other} {
				p.until(func() bool { return l.has("no process does some of what is queued") && l.has("kinds=[deliver]") })
			}
			want := map[string]string{"work": "print", "fleet": "no process does: deliver"}
			if d := cmp.Diff(want, s.Details(true)()); d != "" {
				t.Error(d)
			}
			_, stop := p.service(plain, soon, withBatch(p), func(c *Config) { c.Deliver = &mailbox{}; c.Host, c.Role, c.Version = "two", "worker", "1.2.3" })
			p.until(func() bool { return log.has("is done again") && other.has("is done again") })
			want["fleet"] = "complete"
			if d := cmp.Diff(want, s.Details(true)()); d != "" {
				t.Error(d)
			}
			fleet, err := p.store.Fleet(t.Context())
			if err != nil || len(fleet) != 2 || fleet[1].Host != "two" || fleet[1].Role != "worker" || fleet[1].Version != "1.2.3" || fleet[1].Places != 2 {
				t.Errorf("%+v, %v", fleet, err)
			}
			stop() // it says that it goes
			if fleet, err = p.store.Fleet(t.Context()); err != nil || len(fleet) != 1 || fleet[0].Work != store.PrintWork {
				t.Errorf("%+v, %v", fleet, err)
			}
			if got := looks.Details(false)()["work"]; got != "nothing; it is left to others" {
				t.Error(got)
			}
		})
	}
}
