package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Decision is what becomes of entries, or of their deliveries.
type Decision string

// The decisions.
const (
	Approved    Decision = "approve"
	Rejected    Decision = "reject"
	Regenerated Decision = "regenerate"     // their documents are made anew
	Retried     Decision = "retry"          // deliveries that failed are tried once more
	Resent      Decision = "resend"         // uncertain deliveries are sent again
	Marked      Decision = "mark-delivered" // uncertain deliveries are taken for delivered
)

// Decisions are all of them.
func Decisions() []Decision {
	return []Decision{Approved, Rejected, Regenerated, Retried, Resent, Marked}
}

// From are the states of entries that a decision can be made in.
func (d Decision) From() []store.EntryState {
	switch d {
	case Approved, Rejected:
		return []store.EntryState{store.EntryReview}
	case Regenerated:
		return []store.EntryState{store.EntryReview, store.EntryError, store.EntryRejected}
	case Retried, Resent, Marked:
		return []store.EntryState{store.EntryError}
	}
	return nil
}

// of is the state of the deliveries that a decision is about; empty for one
// about entries.
func (d Decision) of() store.DeliveryState {
	switch d {
	case Retried:
		return store.DeliveryFailed
	case Resent, Marked:
		return store.DeliveryUncertain
	}
	return ""
}

// On narrows a query to what the decision can be made about.
func (d Decision) On(q store.EntryQuery) store.EntryQuery {
	if len(q.States) == 0 {
		q.States = d.From()
	}
	q.Delivery = d.of()
	return q
}

// done are the states of entries about which the decision was made already, so
// that a request that is repeated is no error.
func (d Decision) done() []store.EntryState {
	switch d {
	case Rejected:
		return []store.EntryState{store.EntryRejected}
	case Regenerated:
		return []store.EntryState{store.EntryQueued, store.EntryRendering}
	}
	return []store.EntryState{store.EntryDelivering, store.EntryCompleted}
}

// Deciding is a decision with what belongs to it.
type Deciding struct {
	Do      Decision
	Reason  string // of a rejection
	Current bool   // entries are made anew with the job as it is now
	By      string // who decides, for people
	Once    store.Once
}

// DecideAll makes a decision about many entries of a run at once; it tells
// about how many. Those in other states than the decision's stay as they are.
func (s *Service) DecideAll(ctx context.Context, run *store.Run, which store.EntryQuery, d Deciding) (n int, err error) {
	which = d.Do.On(which)
	d.Once.Scope = scope(string(d.Do), run.ID)
	switch d.Do {
	case Approved:
		n, err = s.cfg.Store.MoveEntries(ctx, run, which, store.EntryDelivering, "", d.Once)
	case Rejected:
		n, err = s.cfg.Store.MoveEntries(ctx, run, which, store.EntryRejected, d.Reason, d.Once)
	case Regenerated:
		var document []byte
		if d.Current {
			if document, err = s.currentDefinition(ctx, run); err != nil {
				return 0, err
			}
		}
		n, err = s.cfg.Store.RemakeEntries(ctx, run, which, document, d.Once)
	case Retried, Resent:
		n, err = s.cfg.Store.SendAgain(ctx, run, which, d.Once)
	case Marked:
		var deliveries []int
		if deliveries, err = s.deliveriesOf(ctx, run); err != nil {
			return 0, err
		}
		n, err = s.cfg.Store.MarkDelivered(ctx, run, which, markedBy(d.By), deliveries, d.Once)
	default:
		return 0, report.Problemf("do", "%q is no decision; accepted: %v", d.Do, Decisions())
	}
	if err != nil {
		return 0, err
	}
	s.wake()
	return n, s.settleRun(ctx, run.ID)
}

// Decide is DecideAll about entries by their positions, of which each has to be
// one that the decision can be made about, or was made about already. Without
// any it is about all.
func (s *Service) Decide(ctx context.Context, run *store.Run, which store.EntryQuery, d Deciding) (int, error) {
	if len(which.Positions) == 0 {
		return s.DecideAll(ctx, run, which, d)
	}
	named := slices.Compact(slices.Sorted(slices.Values(which.Positions)))
	found, err := s.cfg.Store.FindEntries(ctx, store.EntryQuery{RunID: run.ID, Positions: named, Limit: len(named)})
	if err != nil {
		return 0, err
	}
	can, err := s.cfg.Store.FindEntries(ctx, d.Do.On(store.EntryQuery{RunID: run.ID, Positions: named, At: which.At, Limit: len(named)}))
	if err != nil {
		return 0, err
	}
	var wrong report.Problems
	for i, position := range named {
		at := slices.IndexFunc(found, func(e store.FoundEntry) bool { return e.Position == position })
		switch {
		case at < 0:
			return 0, report.NotFoundf("the run has no entry %d", position)
		case slices.ContainsFunc(can, func(e store.FoundEntry) bool { return e.Position == position }), slices.Contains(d.Do.done(), found[at].State):
		case d.Do.of() != "":
			wrong = append(wrong, &report.Problem{Kind: report.Conflict, Path: fmt.Sprintf("positions[%d]", i), Message: "entry " + strconv.Itoa(position) + " is " + string(found[at].State) + " and has no such delivery that is " + string(d.Do.of())})
		default:
			wrong = append(wrong, &report.Problem{Kind: report.Conflict, Path: fmt.Sprintf("positions[%d]", i), Message: "entry " + strconv.Itoa(position) + " is " + string(found[at].State)})
		}
	}
	if len(wrong) > 0 {
		return 0, wrong.AtMost(shownReasons)
	}
	return s.DecideAll(ctx, run, which, d)
}

// markedBy is the receipt of what somebody took for delivered.
func markedBy(name string) string {
	text, _ := json.Marshal(map[string]string{"markedBy": name}) // text cannot fail
	return string(text)
}

// definitions are those that entries of a run are made with, by their number.
func (s *Service) definitions(ctx context.Context, run *store.Run) ([]*report.Job, error) {
	documents, err := s.cfg.Store.RunDefinitions(ctx, run)
	if err != nil {
		return nil, err
	}
	list := make([]*report.Job, len(documents))
	for i, document := range documents {
		if list[i], err = readJob(document); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// deliveriesOf is how many deliveries an entry has, by the number of its
// definition.
func (s *Service) deliveriesOf(ctx context.Context, run *store.Run) ([]int, error) {
	definitions, err := s.definitions(ctx, run)
	n := make([]int, len(definitions))
	for i, job := range definitions {
		n[i] = len(job.Deliveries)
	}
	return n, err
}

// currentDefinition is the job as it is now, for entries of a run that was begun
// with another.
func (s *Service) currentDefinition(ctx context.Context, run *store.Run) ([]byte, error) {
	_, job, err := s.cfg.Store.Job(ctx, run.WorkspaceID, strconv.Itoa(run.JobID))
	if err != nil {
		return nil, err
	}
	definitions, err := s.definitions(ctx, run)
	if err != nil {
		return nil, err
	}
	now := *job
	last := definitions[len(definitions)-1]
	now.Webhook = definitions[0].Webhook // it may be that of the run
	now.Deliveries = inPlace(last.Deliveries, job.Deliveries)
	return json.Marshal(&now)
}

// inPlace puts the deliveries of a later definition where those of an earlier
// one were that they stand for: of the same name, or else of the same kind. So
// what was sent is known by its position. One that is left out is not made any
// more; what is delivered for the run as a whole stays as it was.
func inPlace(before, now []report.JobDelivery) []report.JobDelivery {
	list := slices.Clone(before)
	used, placed := make([]bool, len(now)), make([]bool, len(before))
	for _, same := range []func(a, b report.JobDelivery) bool{
		func(a, b report.JobDelivery) bool { return a.Name != "" && a.Name == b.Name },
		func(a, b report.JobDelivery) bool { return a.Type == b.Type && a.Connection == b.Connection },
		func(a, b report.JobDelivery) bool { return a.Type == b.Type },
	} {
		for i, old := range before {
			for j, d := range now {
				if !placed[i] && !used[j] && perRun(old) == perRun(d) && same(old, d) {
					placed[i], used[j] = true, true
					if !perRun(d) {
						list[i] = d
					}
				}
			}
		}
	}
	for i := range list {
		if !placed[i] && !perRun(list[i]) {
			list[i].Condition = "false"
		}
	}
	for j, d := range now {
		if !used[j] && !perRun(d) {
			list = append(list, d)
		}
	}
	return list
}
