package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// reviewPayload is a review document as it waits in the queue.
type reviewPayload struct {
	Run int `json:"run"`
}

// StartReview queues one PDF of all documents of a run; its ID is that of a
// temporary file.
func (s *Service) StartReview(ctx context.Context, workspace, userID int, jobRef string, runID int, idempotencyKey string) (id int, err error) {
	run, _, err := s.Run(ctx, workspace, jobRef, runID)
	if err != nil {
		return 0, err
	}
	payload, err := json.Marshal(reviewPayload{run.ID})
	if err != nil {
		return 0, err
	}
	id, err = s.cfg.Store.CreateExport(ctx, store.NewExport{
		WorkspaceID: workspace, UserID: userID, Kind: store.ReviewTask, Priority: store.Interactive, Payload: payload, Format: "pdf", Lifetime: s.cfg.Retention,
		Once: store.Once{Key: idempotencyKey, UserID: userID, Scope: scope("review", run.ID), Request: payload},
	})
	s.wake()
	return id, err
}

// doReview makes the review document: the entries in their order, each with an
// entry in the outline.
func (s *Service) doReview(ctx context.Context, task *store.Task) error {
	wanted, err := s.wanted(ctx, task)
	if !wanted || err != nil {
		return err
	}
	waited, began := s.cfg.Clock().Sub(task.Created()), time.Now()
	payload, _, err := s.cfg.Store.TaskPayload(ctx, task)
	if err != nil {
		return err
	}
	var p reviewPayload
	if err := json.Unmarshal(payload, &p); err != nil {
		return err
	}
	shared, err := s.setting(ctx, p.Run)
	if err != nil {
		return err
	}
	run, job := shared.run, shared.job
	chapters, err := s.chapters(ctx, shared)
	if err != nil {
		return err
	}
	if len(chapters) == 0 {
		return &report.Problem{Kind: report.Failed, Message: "no entry of this run has a PDF document"}
	}
	file, err := s.cfg.Batch.Join(ctx, fmt.Sprintf("%s, run %d", job.Name, run.ID), s.cfg.Clock(), chapters)
	if err != nil {
		return err
	}
	file.Timing = file.Timing.With(export.Finish.String(), time.Since(began)).With(report.PhaseQueue, waited)
	return s.keep(ctx, task.Subject, file)
}

// chapters are the PDF documents of the entries of a run.
func (s *Service) chapters(ctx context.Context, shared *setting) ([]export.Chapter, error) {
	const some = 500
	var chapters []export.Chapter
	for after := 0; ; {
		entries, err := s.cfg.Store.Entries(ctx, shared.run.ID, after, some)
		if err != nil || len(entries) == 0 {
			return chapters, err
		}
		for _, e := range entries {
			more, err := s.chaptersOf(ctx, shared, &e)
			if err != nil {
				return nil, err
			}
			chapters = append(chapters, more...)
			after = e.Position
		}
	}
}

func (s *Service) chaptersOf(ctx context.Context, shared *setting, e *store.JobEntry) ([]export.Chapter, error) {
	if e.Definition != 0 {
		var err error
		if shared, err = s.settingOf(ctx, e); err != nil {
			return nil, err
		}
	}
	documents, err := s.documents(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	chapters := chaptersOf(e.Position, documents)
	passwords, err := s.passwords(ctx, shared, e)
	for i := range chapters {
		chapters[i].Passwords = passwords
	}
	return chapters, err
}

// passwords are those of the documents of an entry.
func (s *Service) passwords(ctx context.Context, shared *setting, e *store.JobEntry) ([]report.Secret, error) {
	if !slices.ContainsFunc(shared.job.Reports, func(r report.JobReport) bool { return r.Password != "" }) {
		return nil, nil
	}
	sc, err := s.scene(ctx, shared, e)
	if err != nil {
		return nil, err
	}
	var passwords []report.Secret
	for i, r := range shared.job.Reports {
		password, err := sc.fill(fmt.Sprintf("reports[%d].password", i), r.Password, sc.exact)
		if err == nil && password != "" { // one that fails has no document
			passwords = append(passwords, report.Secret(password))
		}
	}
	return passwords, nil
}

// chaptersOf are the PDF files among the documents of an entry; the first has
// the title.
func chaptersOf(position int, documents []report.Document) []export.Chapter {
	var chapters []export.Chapter
	for _, d := range documents {
		if d.ContentType != "application/pdf" {
			continue
		}
		title := ""
		if len(chapters) == 0 {
			title = fmt.Sprintf("%d. %s", position, strings.TrimSuffix(d.Name, path.Ext(d.Name)))
		}
		chapters = append(chapters, export.Chapter{Document: d, Title: title})
	}
	return chapters
}

// Approve delivers an entry that is in review.
func (s *Service) Approve(ctx context.Context, run *store.Run, entryID int) error {
	return s.settle(ctx, run, entryID, s.cfg.Store.ApproveEntry)
}

// Reject ends an entry that is in review, with a reason.
func (s *Service) Reject(ctx context.Context, run *store.Run, entryID int, reason string) error {
	return s.settle(ctx, run, entryID, func(ctx context.Context, run *store.Run, id int) error {
		return s.cfg.Store.RejectEntry(ctx, run, id, reason)
	})
}

// Regenerate makes the documents of an entry anew.
func (s *Service) Regenerate(ctx context.Context, run *store.Run, entryID int) error {
	return s.settle(ctx, run, entryID, s.cfg.Store.RegenerateEntry)
}

func (s *Service) settle(ctx context.Context, run *store.Run, entryID int, do func(context.Context, *store.Run, int) error) error {
	e, err := s.cfg.Store.Entry(ctx, entryID)
	if err != nil {
		return err
	}
	if e.RunID != run.ID {
		return report.NotFoundf("entry %d does not exist", entryID)
	}
	if err := do(ctx, run, entryID); err != nil {
		return err
	}
	s.wake()
	return s.settleRun(ctx, run.ID)
}
