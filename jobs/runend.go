package jobs

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// settleIdle goes on with the runs whose last process died before it could.
func (s *Service) settleIdle(ctx context.Context) error {
	const some = 100
	ids, err := s.cfg.Store.IdleRuns(ctx, some)
	for _, id := range ids {
		err = errors.Join(err, s.settleRun(ctx, id))
	}
	return err
}

// settleRun goes on with a run when nothing of it is being done: what is
// delivered for all of it together, then its end.
func (s *Service) settleRun(ctx context.Context, runID int) error {
	idle, err := s.cfg.Store.RunIdle(ctx, runID)
	if err != nil || !idle {
		return err
	}
	// Everybody whose task was the last one, or was cancelled, finds it idle.
	done, err := s.settles.enter(ctx, runID)
	if err != nil {
		return err
	}
	defer done()
	if idle, err = s.cfg.Store.RunIdle(ctx, runID); err != nil || !idle {
		return err
	}
	run, err := s.cfg.Store.Run(ctx, runID)
	if err != nil {
		return err
	}
	job, err := readJob(run.Document)
	if err != nil {
		return err
	}
	defer s.wake()
	waits, err := s.runDeliveryWaits(ctx, run, job)
	if err != nil {
		return err
	}
	if waits {
		return s.cfg.Store.QueueRunDelivery(ctx, run)
	}
	counts, err := s.cfg.Store.RunCounts(ctx, run.ID)
	if err != nil {
		return err
	}
	review := counts[store.EntryReview] > 0
	kind := store.TellRunTask
	if review {
		kind = store.TellReviewTask
	}
	var then []store.NewTask
	if job.Webhook != "" && !(review && run.ReviewTold) { // it is told once that a run waits for its review
		then = append(then, store.NewTask{Kind: kind, WorkspaceID: run.WorkspaceID, Subject: run.ID, Priority: store.Batch})
	}
	_, err = s.cfg.Store.EndRun(ctx, run.ID, review, then...)
	return err
}

// runDeliveryWaits tells whether something is to be delivered for a run as a
// whole. It waits until the review of all entries is done.
func (s *Service) runDeliveryWaits(ctx context.Context, run *store.Run, job *report.Job) (bool, error) {
	if run.State != store.RunStarted || run.Deliver == store.DeliverNone || !slices.ContainsFunc(job.Deliveries, perRun) {
		return false, nil
	}
	counts, err := s.cfg.Store.RunCounts(ctx, run.ID)
	if err != nil || counts[store.EntryReview] > 0 {
		return false, err
	}
	rows, err := s.cfg.Store.RunDeliveries(ctx, run.ID)
	if err != nil {
		return false, err
	}
	for i, d := range job.Deliveries {
		if !perRun(d) {
			continue
		}
		at := slices.IndexFunc(rows, func(r store.JobDeliveryRow) bool { return r.Position == i+1 })
		if at < 0 || rows[at].State == store.DeliverySending || rows[at].State == store.DeliveryWaiting {
			return true, nil
		}
	}
	return false, nil
}

func perRun(d report.JobDelivery) bool { return d.Per == report.PerRun }

// doRunDeliver makes the deliveries of a run as a whole that are not made yet.
func (s *Service) doRunDeliver(ctx context.Context, task *store.Task) error {
	task.Run = task.Subject
	shared, err := s.setting(ctx, task.Subject)
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	sc, err := s.runScene(ctx, shared)
	if err != nil {
		return err
	}
	return everyDelivery(ctx, shared.job, func(i int, d *report.JobDelivery) error {
		if !perRun(*d) {
			return nil
		}
		return s.deliverRun(ctx, shared, sc, i)
	})
}

// runScene fills the templates of a run as a whole.
func (s *Service) runScene(ctx context.Context, shared *setting) (*scene, error) {
	counts, err := s.cfg.Store.RunCounts(ctx, shared.run.ID)
	if err != nil {
		return nil, err
	}
	status := statusOf(shared.run, counts)
	told := report.ObjectOf("number", shared.run.ID, "entries", status.Entries, "completed", status.Completed, "errors", status.Errors)
	return s.sceneOf(ctx, shared, func(root string) (any, bool) { return told, root == "$run" })
}

// deliverRun makes one delivery of a run and records what became of it.
func (s *Service) deliverRun(ctx context.Context, shared *setting, sc *scene, i int) error {
	id, position := shared.run.ID, i+1
	before, err := s.cfg.Store.BeginRunDelivery(ctx, id, position)
	if err != nil {
		return err
	}
	end := func(ctx context.Context, state store.DeliveryState, reason, receipt string) error {
		if err := s.cfg.Store.EndRunDelivery(ctx, id, position, state, cmp.Or(reason, sc.taken()), receipt); err != nil {
			return err
		}
		s.noteDelivery(ctx, shared.run, i, &shared.job.Deliveries[i], state, map[string]any{})
		return nil
	}
	return s.carryOut(ctx, i, before, end, func() (Receipt, error) {
		documents, err := s.collected(ctx, id, position)
		if err != nil {
			return "", err
		}
		if len(documents) == 0 {
			return "", errSkipped
		}
		return s.send(ctx, shared, sc, "", &shared.job.Deliveries[i], before, documents)
	})
}

// collected are the documents that go with a delivery of a run, under names
// that differ.
func (s *Service) collected(ctx context.Context, runID, position int) ([]report.Document, error) {
	rows, err := s.cfg.Store.CollectedDocuments(ctx, runID, position)
	list, names := s.opened(rows), uniqueNames{}
	for i := range list {
		list[i].Name = names.of(list[i].Name)
	}
	return list, err
}

// failRunDeliver ends the deliveries of a run that were given up.
func (s *Service) failRunDeliver(ctx context.Context, task *store.Task, reason *report.Problem) error {
	task.Run = task.Subject
	run, err := s.cfg.Store.Run(ctx, task.Subject)
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	job, err := readJob(run.Document)
	if err != nil {
		return err
	}
	for i, d := range job.Deliveries {
		if !perRun(d) {
			continue
		}
		before, err := s.cfg.Store.BeginRunDelivery(ctx, run.ID, i+1)
		switch {
		case err != nil:
			return err
		case before.State == store.DeliverySending: // nobody knows
			err = s.cfg.Store.EndRunDelivery(ctx, run.ID, i+1, store.DeliveryUncertain, reason.Message, "")
		case before.State == "", before.State == store.DeliveryWaiting, before.State == store.DeliveryFailed:
			err = s.cfg.Store.EndRunDelivery(ctx, run.ID, i+1, store.DeliveryFailed, cmp.Or(before.Error, reason.Message), "")
		}
		if err != nil {
			return err
		}
	}
	return s.cfg.Store.NoteRun(ctx, run.ID, reason.Error())
}

// DecideRunDelivery does what was decided about a delivery of a run as a whole:
// it is tried once more, sent again, or taken for delivered; by is the user who
// decided.
func (s *Service) DecideRunDelivery(ctx context.Context, run *store.Run, position int, d Decision, by string) error {
	var err error
	switch d {
	case Retried, Resent:
		err = s.cfg.Store.SendRunAgain(ctx, run, position, d.of())
	case Marked:
		err = s.cfg.Store.MarkRunDelivered(ctx, run, position, markedBy(by))
	default:
		return report.Problemf("do", "%q is no decision about a delivery of a run; accepted: %s, %s, %s", d, Retried, Resent, Marked)
	}
	if err != nil {
		return err
	}
	return s.settleRun(ctx, run.ID)
}
