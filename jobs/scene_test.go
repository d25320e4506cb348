package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// What the entries of a run share is read once, however many ask for it at the same time.
func TestASettingIsReadOnce(t *testing.T) {
	p := newPlace(t, store.Config{})
	p.job(letters(3))
	s, _ := p.service(plain, withBatch(p))
	run := p.run(s, "letters")
	p.finished(s, "letters", run)
	fresh := New(Config{Store: p.store})
	found := make([]*setting, 20)
	var all sync.WaitGroup
	for i := range found {
		all.Go(func() {
			var err error
			if found[i], err = fresh.setting(t.Context(), run); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, f := range found {
		if f == nil || f != found[0] {
			t.Fatalf("read more than once: %p and %p", f, found[0])
		}
	}
}

// The data set of a run is read only for definitions that can name it, also when only a
// later one does.
func TestDataIsReadForWhoNamesIt(t *testing.T) {
	for name, want := range map[string]bool{"{$record.name}": false, "{$data.customers[0].name}": true, "{$dict.salutation}": true} {
		p := newPlace(t, store.Config{})
		j := letters(3)
		j.Reports[0].FileName = name
		p.job(j)
		s, _ := p.service(plain, withBatch(p))
		run := p.run(s, "letters")
		p.finished(s, "letters", run)
		first, err := New(Config{Store: p.store}).setting(t.Context(), run)
		if err != nil || (first.data != nil) != want {
			t.Errorf("%s: %+v, %v", name, first, err)
		}
		j.Reports[0].FileName = "{$data.customers[1].name}"
		document, err := json.Marshal(&j)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := p.store.RemakeEntries(t.Context(), first.run, store.EntryQuery{Positions: []int{1}}, document, store.Once{}); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		later, err := New(Config{Store: p.store}).settingOf(t.Context(), &store.JobEntry{RunID: run, Definition: 1})
		if err != nil || later.data == nil {
			t.Errorf("%s, then one that names the data: %+v, %v", name, later, err)
		}
	}
}

// Many settings stay in memory, and few data sets.
func TestSettingsInMemoryAreBounded(t *testing.T) {
	c := newScenes()
	for i := range 200 {
		s := &setting{run: &store.Run{ID: i}}
		if i%10 == 0 {
			s.data = report.ObjectOf()
		}
		c.put(s)
	}
	var large []int
	for _, s := range c.known {
		if s.large() {
			large = append(large, s.run.ID)
		}
	}
	if len(c.known) != mostScenes || len(large) != mostLarge || large[0] != 190 || c.get(199, 0) == nil || c.get(160, 0) != nil {
		t.Errorf("%d are kept, with data %v", len(c.known), large)
	}
}

func TestOneEach(t *testing.T) {
	var o oneEach
	done, err := o.enter(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	other, err := o.enter(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	other()
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := o.enter(gone, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got in beside another: %v", err)
	}
	var waits sync.WaitGroup
	inside := 0
	for range 20 {
		waits.Go(func() {
			done, err := o.enter(context.Background(), 1)
			if err != nil {
				t.Error(err)
				return
			}
			inside++
			done()
		})
	}
	done()
	waits.Wait()
	if inside != 20 || len(o.busy) != 0 {
		t.Errorf("%d were inside, %d still are", inside, len(o.busy))
	}
}
