package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/quire-reports/quire/report"
)

// ExportStatus is the state of a file that is made while nobody waits.
type ExportStatus string

// The states; the last two never change.
const (
	ExportInProgress ExportStatus = "InProgress"
	ExportCompleted  ExportStatus = "Completed"
	ExportFailed     ExportStatus = "Failed"
)

// ExportFile is such a file. Name, ContentType and Size are there once it is
// completed.
type ExportFile struct {
	ID, WorkspaceID int
	UserID          int // who asked for it; 0 when the user is gone
	// Category is where it comes from, Reports or Jobs: it decides which users
	// may see those of others.
	Category       Category
	Status         ExportStatus
	Error          string // why it failed
	Name           string
	ContentType    string
	Size           int64
	Warnings       report.Problems // what did not stop it but should be mended
	Timing         report.Timing
	Report, Format string // as they were asked for; a review document has none
	Created        time.Time
	Expires        time.Time
	key            string
}

const exportContents = "exports"

// NewExport asks for a file to be made.
type NewExport struct {
	WorkspaceID, UserID int
	Kind                string // of the task that makes it
	Priority            Priority
	Payload             []byte
	Report, Format      string        // what lists tell of it
	Secret              report.Secret // sealed; goes with the task
	Lifetime            time.Duration // of the file
	MostQueued          int           // of the workspace, with this one; 0 means any number
	Once                Once
}

// CreateExport makes the record of a file and queues the work, both or neither.
func (s *Store) CreateExport(ctx context.Context, e NewExport) (id int, err error) {
	task, err := s.prepareTask(ctx, NewTask{Kind: e.Kind, WorkspaceID: e.WorkspaceID, Priority: e.Priority, Payload: e.Payload, Secret: e.Secret})
	if err != nil {
		return 0, err
	}
	id, fresh, err := s.once(ctx, e.Once, func(t tx) (int, error) {
		if err := roomInQueue(ctx, t, e); err != nil {
			return 0, err
		}
		now := s.clock()
		f := ExportFile{WorkspaceID: e.WorkspaceID, UserID: e.UserID, Category: categoryOf(e.Kind), Status: ExportInProgress, Report: e.Report, Format: e.Format, Created: now, Expires: now.Add(e.Lifetime)}
		if err := s.insertExport(ctx, t, &f); err != nil {
			return 0, orNoReference(err, "workspace %d does not exist", e.WorkspaceID)
		}
		task.Subject = f.ID
		if err := s.enqueue(ctx, t, task); err != nil {
			return 0, err
		}
		return f.ID, s.record(ctx, t, Event{Action: AuditExportStarted, WorkspaceID: e.WorkspaceID, Target: targetOf(targetExport, f.ID), Detail: map[string]any{"report": e.Report, "format": e.Format, "kind": e.Kind}})
	})
	if err != nil || !fresh {
		s.abandon(ctx, task)
	}
	return id, err
}

// insertExport makes the record of a file and gives it its ID.
func (s *Store) insertExport(ctx context.Context, t tx, f *ExportFile) (err error) {
	var user *int
	if f.UserID != 0 {
		user = &f.UserID
	}
	f.ID, err = s.insertRandom(func(id int) error {
		return t.get(ctx, &id, `INSERT INTO export_files (id, workspace_id, user_id, category, status, report, format, created_at, expires_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING id`,
			id, f.WorkspaceID, user, f.Category, f.Status, f.Report, f.Format, f.Created.UnixMilli(), f.Expires.UnixMilli())
	})
	return err
}

// roomInQueue refuses an export when its workspace has too many in the queue.
// Their turns follow each other, so nothing needs to be counted.
func roomInQueue(ctx context.Context, t tx, e NewExport) error {
	if e.MostQueued == 0 {
		return nil
	}
	var queued int
	err := t.get(ctx, &queued, "SELECT COALESCE(MAX(turn) - MIN(turn) + 1, 0) FROM queue WHERE workspace_id = ? AND priority = ?", e.WorkspaceID, e.Priority)
	if err == nil && queued >= e.MostQueued {
		return &report.Problem{Kind: report.Busy, Message: fmt.Sprintf("this workspace has %d exports in the queue, which is the most it may have; try again when some are done", e.MostQueued)}
	}
	return err
}

// Export finds an export file of a workspace. From its expiry on it does not
// exist.
func (s *Store) Export(ctx context.Context, workspaceID, id int) (*ExportFile, error) {
	var r exportRow
	err := s.db.get(ctx, &r, "SELECT "+exportColumns+" FROM export_files WHERE id = ? AND workspace_id = ? AND expires_at > ?", id, workspaceID, s.now())
	if err != nil {
		return nil, orNotFound(err, "export %d does not exist or has expired", id)
	}
	f := r.file()
	return &f, nil
}

// OpenExport opens the content of a completed export file.
func (s *Store) OpenExport(ctx context.Context, f *ExportFile) (*Content, error) {
	return s.contents.Open(ctx, f.key)
}

// Finished is what is known of a file that was made.
type Finished struct {
	Name, ContentType string
	Warnings          report.Problems
	Timing            report.Timing
}

// CompleteExport writes the content of a file, streamed, and completes it. When
// the file has gone or ended meanwhile, nothing is kept and ok is false.
func (s *Store) CompleteExport(ctx context.Context, id int, made Finished, content io.Reader) (ok bool, err error) {
	f := ExportFile{ID: id, Status: ExportCompleted, Name: made.Name, ContentType: made.ContentType, Warnings: made.Warnings, key: contentKey(exportContents)}
	began := time.Now()
	if f.Size, err = s.contents.Put(ctx, f.key, made.ContentType, content); err != nil {
		return false, err
	}
	f.Timing = made.Timing.With(report.PhaseStore, time.Since(began))
	ok, err = s.finishExport(ctx, f)
	if err == nil && !ok {
		s.discard(ctx, f.key)
	}
	return ok, err // after an error it is not known whether f.key is used: the sweeper looks
}

// FailExport ends a file with the reason that people get to read.
func (s *Store) FailExport(ctx context.Context, id int, reason string) (ok bool, err error) {
	return s.finishExport(ctx, ExportFile{ID: id, Status: ExportFailed, Error: reason})
}

// DeleteExport removes a file and, when it is still being made, its task: who
// works on it notices when it renews its lease.
func (s *Store) DeleteExport(ctx context.Context, workspaceID, id int) error {
	f, err := s.Export(ctx, workspaceID, id)
	if err != nil {
		return err
	}
	if f.Status == ExportInProgress {
		if err := s.dropExportTask(ctx, id); err != nil {
			return err
		}
	}
	if err := s.removeExport(ctx, *f); err != nil {
		return err
	}
	s.Note(ctx, Event{Action: AuditExportCancelled, WorkspaceID: workspaceID, Target: Target{targetExport, strconv.Itoa(id), f.Name}})
	return nil
}

// dropExportTask takes the work on a file out of the queue.
func (s *Store) dropExportTask(ctx context.Context, id int) error {
	var keys []sql.NullString
	if err := s.db.change(ctx, &keys, "DELETE FROM queue WHERE subject = ? AND kind IN (?, ?) RETURNING payload_key", id, ExportTask, ReviewTask); err != nil {
		return err
	}
	for _, key := range keys {
		if key.Valid {
			s.discard(ctx, key.String)
		}
	}
	return nil
}

func (s *Store) removeExport(ctx context.Context, f ExportFile) error {
	if f.key != "" {
		if err := s.contents.Delete(ctx, f.key); err != nil {
			return err
		}
	}
	_, err := s.db.exec(ctx, "DELETE FROM export_files WHERE id = ?", f.ID)
	return err
}

// Kinds of tasks that make an export file.
const (
	ExportTask = "export"
	ReviewTask = "review"
)

// categoryOf is where the files of a kind of task come from.
func categoryOf(kind string) Category {
	if kind == ReviewTask {
		return Jobs
	}
	return Reports
}

// knownCategory is the category of a record; one of an earlier version has
// none, and is of a job when it names no report.
func knownCategory(c Category, reportRef string) Category {
	switch {
	case c != "":
		return c
	case reportRef == "":
		return Jobs
	}
	return Reports
}

type exportRow struct {
	ID          int          `db:"id"`
	WorkspaceID int          `db:"workspace_id"`
	UserID      *int         `db:"user_id"`
	Category    Category     `db:"category"`
	Status      ExportStatus `db:"status"`
	Error       string       `db:"error"`
	Name        string       `db:"name"`
	ContentType string       `db:"content_type"`
	Size        int64        `db:"size"`
	Key         *string      `db:"content_key"`
	Warnings    string       `db:"warnings"`
	Timing      string       `db:"timing"`
	Report      string       `db:"report"`
	Format      string       `db:"format"`
	Created     int64        `db:"created_at"`
	Expires     int64        `db:"expires_at"`
}

func (r exportRow) file() ExportFile {
	f := ExportFile{
		ID: r.ID, WorkspaceID: r.WorkspaceID, Category: knownCategory(r.Category, r.Report), Status: r.Status, Error: r.Error,
		Name: r.Name, ContentType: r.ContentType, Size: r.Size, Report: r.Report, Format: r.Format, Created: fromMillis(r.Created), Expires: fromMillis(r.Expires),
	}
	f.Warnings, f.Timing = readWarnings(r.Warnings), readTiming(r.Timing)
	if r.UserID != nil {
		f.UserID = *r.UserID
	}
	if r.Key != nil {
		f.key = *r.Key
	}
	return f
}

const exportColumns = "id, workspace_id, user_id, category, status, error, name, content_type, size, content_key, warnings, timing, report, format, created_at, expires_at"

// mostWarnings bounds what is kept of the warnings of a file.
const mostWarnings = 100

func writeWarnings(warnings report.Problems) (string, error) {
	if len(warnings) == 0 {
		return "", nil
	}
	text, err := json.Marshal(warnings.AtMost(mostWarnings))
	return string(text), err
}

// readWarnings reads what writeWarnings wrote.
func readWarnings(text string) (warnings report.Problems) {
	if json.Unmarshal([]byte(text), &warnings) != nil {
		return nil
	}
	return warnings
}

// finishExport moves a file out of InProgress; false when it is not in it.
func (s *Store) finishExport(ctx context.Context, f ExportFile) (bool, error) {
	var key *string
	if f.key != "" {
		key = &f.key
	}
	warnings, err := writeWarnings(f.Warnings)
	if err != nil {
		return false, err
	}
	n, err := s.db.exec(ctx, `UPDATE export_files SET status = ?, error = ?, name = ?, content_type = ?, size = ?, content_key = ?, warnings = ?, timing = ?
		WHERE id = ? AND status = ?`, f.Status, f.Error, f.Name, f.ContentType, f.Size, key, warnings, writeTiming(f.Timing), f.ID, ExportInProgress)
	return n > 0, err
}

// among lists those of some texts that a column holds.
func (d *database) among(ctx context.Context, table, column string, texts []string) ([]string, error) {
	found := []string{}
	if len(texts) == 0 {
		return found, nil
	}
	query, args, err := sqlx.In("SELECT "+column+" FROM "+table+" WHERE "+column+" IN (?)", texts)
	if err != nil {
		return nil, err
	}
	return found, d.list(ctx, &found, query, args...)
}
