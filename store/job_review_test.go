package store

import (
	"slices"
	"time"

	"github.com/quire-reports/quire/report"
)

// testReviewOfMany finds entries, decides about several at once, and tells what
// has changed.
func testReviewOfMany(f *fixture) {
	w := f.workspace("acme")
	run := f.newRun(w, f.newJob(w), `{"name":"Ana"}`, `{"name":"Žarko, 100%"}`, `{"name":"Cyd_1"}`, `{"name":"Dora"}`)
	other := f.newRun(w, run.JobID, `{"name":"Ana"}`)
	entries := ok[[]JobEntry](f.t)(f.Entries(f.ctx(), run.ID, 0, 10))
	for i := range entries[:3] {
		ok[bool](f.t)(f.MoveEntry(f.ctx(), entries[i].ID, EntryRendering, "", EntryQueued))
		ok[bool](f.t)(f.finishEntry(f.ctx(), &entries[i], EntryReview, newDocument("Letter "+string(rune('A'+i)))))
	}
	ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue")) // no task is in the way
	find := func(q EntryQuery, want ...int) {
		f.t.Helper()
		q.RunID, q.Limit = run.ID, 10
		var positions []int
		for _, e := range ok[[]FoundEntry](f.t)(f.FindEntries(f.ctx(), q)) {
			positions = append(positions, e.Position)
		}
		if n := ok[int](f.t)(f.CountEntries(f.ctx(), q)); !slices.Equal(positions, want) || n != len(want) {
			f.t.Errorf("%+v: found %v, counted %d; want %v", q, positions, n, want)
		}
	}
	find(EntryQuery{}, 1, 2, 3, 4)
	find(EntryQuery{States: []EntryState{EntryReview}, After: 1}, 2, 3)
	find(EntryQuery{States: []EntryState{EntryReview, EntryQueued}, Before: 3}, 1, 2)
	find(EntryQuery{Search: "letter", Before: 3}, 1, 2)
	for _, states := range [][]EntryState{nil, {EntryReview, EntryQueued}} {
		before := ok[[]FoundEntry](f.t)(f.FindEntries(f.ctx(), EntryQuery{RunID: run.ID, States: states, Before: 4, Limit: 2}))
		if len(before) != 2 || before[0].Position != 2 || before[1].Position != 3 {
			f.t.Errorf("the two in front of the fourth of %v: %+v", states, before)
		}
	}
	find(EntryQuery{Search: "ana"}, 1)
	find(EntryQuery{Search: "Žarko"}, 2)
	find(EntryQuery{Search: "letter b"}, 2)
	find(EntryQuery{Search: "0%"}, 2)
	find(EntryQuery{Search: "d_1"}, 3)
	find(EntryQuery{Search: "d%1"})
	find(EntryQuery{Search: "4"}, 4)
	if e := ok[[]FoundEntry](f.t)(f.FindEntries(f.ctx(), EntryQuery{RunID: run.ID, Limit: 1, Offset: 1})); e[0].Title != "Letter B.pdf" {
		f.t.Errorf("title %q", e[0].Title)
	}

	before := f.clock.Now()
	f.clock.Advance(time.Second)
	review := EntryQuery{States: []EntryState{EntryReview}}
	change := func(r *Run, q EntryQuery, to EntryState) (int, error) {
		if to == EntryQueued {
			return f.RemakeEntries(f.ctx(), r, q, nil, Once{})
		}
		return f.MoveEntries(f.ctx(), r, q, to, "because", Once{})
	}
	move := func(r *Run, q EntryQuery, to EntryState, want int) {
		f.t.Helper()
		if n := ok[int](f.t)(change(r, q, to)); n != want {
			f.t.Errorf("%d moved to %s; want %d", n, to, want)
		}
	}
	move(other, review, EntryDelivering, 0)
	only := review
	only.IDs = []int{entries[0].ID, entries[3].ID}
	move(run, only, EntryRejected, 1)
	move(run, review, EntryDelivering, 2)
	move(run, EntryQuery{States: []EntryState{EntryRejected}}, EntryQueued, 1)
	find(EntryQuery{States: []EntryState{EntryQueued}}, 1, 4)
	kinds := map[string]int{}
	for _, task := range f.claim("two", 100) {
		kinds[task.Kind]++
	}
	if kinds[DeliverTask] != 2 || kinds[EntryTask] != 1 {
		f.t.Errorf("queued %v", kinds)
	}
	_, err := f.MoveEntries(f.ctx(), run, EntryQuery{States: []EntryState{EntryDelivering}}, EntryDelivering, "", Once{})
	f.isKind(err, report.Busy) // their tasks are there already
	if changes := ok[[]EntryChange](f.t)(f.EntryChanges(f.ctx(), run.ID, before.Add(time.Millisecond), 10)); len(changes) != 3 || changes[0].State == EntryReview {
		f.t.Errorf("changes %+v", changes)
	}
	if changes := ok[[]EntryChange](f.t)(f.EntryChanges(f.ctx(), run.ID, time.Time{}, 2)); len(changes) != 2 {
		f.t.Errorf("changes %+v", changes)
	}
}
