package jobs

import (
	"context"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Decision is what becomes of entries in review.
type Decision string

// The decisions.
const (
	Approved    Decision = "approve"
	Rejected    Decision = "reject"
	Regenerated Decision = "regenerate"
)

// From are the states that a decision can be made in.
func (d Decision) From() []store.EntryState {
	switch d {
	case Approved, Rejected:
		return []store.EntryState{store.EntryReview}
	case Regenerated:
		return []store.EntryState{store.EntryReview, store.EntryError, store.EntryRejected}
	}
	return nil
}

// DecideAll makes a decision about many entries of a run at once; it tells
// about how many. Those in other states than the decision's stay as they are.
func (s *Service) DecideAll(ctx context.Context, run *store.Run, which store.EntryQuery, d Decision, reason string) (int, error) {
	to, known := map[Decision]store.EntryState{Approved: store.EntryDelivering, Rejected: store.EntryRejected, Regenerated: store.EntryQueued}[d]
	switch {
	case !known:
		return 0, report.Problemf("do", "%q is no decision; accepted: approve, reject, regenerate", d)
	case len(which.States) == 0:
		which.States = d.From()
	}
	n, err := s.cfg.Store.MoveEntries(ctx, run, which, to, reason)
	if err != nil {
		return 0, err
	}
	s.wake()
	return n, s.settleRun(ctx, run.ID)
}
