package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/quire-reports/quire/report"
)

// What is deleted stays in its table for keptDeleted, under a kind that nobody
// asks for: "deleted/theme". Its key is "<id>/<key>", as its own is free.
const deletedKind = "deleted/"

// deletedType is the kind of a deleted report type, which has a table of its own.
const deletedType = deletedKind + "report-type"

// DeleteResource deletes a definition. RestoreResource brings it back within
// thirty days. The last language, and the like, may go too: reports fall back
// to what is built in. The runs of a job that have not ended go at once.
func (s *Store) DeleteResource(ctx context.Context, workspaceID int, kind Kind, id int) error {
	k, err := kindNamed(kind)
	if err != nil {
		return err
	}
	return s.db.inTx(ctx, func(t tx) error { return s.deleteResource(ctx, t, workspaceID, k.name, id) })
}

func (s *Store) deleteResource(ctx context.Context, t tx, workspaceID int, kind string, id int) error {
	if err := s.record(ctx, t, Event{Action: AuditLibraryDeleted, WorkspaceID: workspaceID, Target: targetOf(kind, id)}); err != nil {
		return err // while it has its name
	}
	n, err := t.exec(ctx, "UPDATE resources SET kind = ?, key = CAST(id AS TEXT) || '/' || key, updated_at = ? WHERE id = ? AND workspace_id = ? AND kind = ?",
		deletedKind+kind, s.now(), id, workspaceID, kind)
	if err != nil {
		return err
	}
	if n == 0 {
		return report.NotFoundf("%s %d does not exist", kind, id)
	}
	for _, ended := range []string{"DELETE FROM job_runs WHERE job_id = ? AND ended_at IS NULL", "DELETE FROM job_schedules WHERE job_id = ?"} {
		if _, err := t.exec(ctx, ended, id); err != nil {
			return err
		}
	}
	return bumpLibrary(ctx, t, workspaceID)
}

// RestoreResource undoes DeleteResource: the same ID at the same place. A code
// or name that was taken meanwhile is a Problem of kind Conflict.
func (s *Store) RestoreResource(ctx context.Context, workspaceID int, kind Kind, id int) error {
	k, err := kindNamed(kind)
	if err != nil {
		return err
	}
	return s.db.inTx(ctx, func(t tx) error {
		var key string
		err := t.get(ctx, &key, "SELECT key FROM resources WHERE id = ? AND workspace_id = ? AND kind = ?", id, workspaceID, deletedKind+k.name)
		if err != nil {
			return orNotFound(err, "there is no deleted %s %d", k.name, id)
		}
		_, key, _ = strings.Cut(key, "/")
		_, err = t.exec(ctx, "UPDATE resources SET kind = ?, key = ?, updated_at = ? WHERE id = ?", k.name, key, s.now(), id)
		if err != nil {
			return orTaken(err, "", "there is another %s %q by now; give that one another name, and this one can be brought back", k.name, key)
		}
		return s.changedLibrary(ctx, t, Event{Action: AuditLibraryRestored, WorkspaceID: workspaceID, Target: targetOf(k.name, id)})
	})
}

// reportTypeRow is a report type with its place.
type reportTypeRow struct {
	Code        string `db:"code" json:"code"`
	Name        string `db:"name" json:"name"`
	Description string `db:"description" json:"description"`
	Position    int    `db:"position" json:"position"`
	Revision    int    `db:"revision" json:"revision"`
}

// keepType keeps what RestoreReportType needs of a report type.
func (s *Store) keepType(ctx context.Context, t tx, workspaceID, id int) error {
	var row reportTypeRow
	err := t.get(ctx, &row, "SELECT code, name, description, position, revision FROM report_types WHERE id = ? AND workspace_id = ?", id, workspaceID)
	if err != nil {
		return orNotFound(err, "report type %d does not exist", id)
	}
	text, err := json.Marshal(row)
	if err != nil {
		return fmt.Errorf("keeping report type %d: %w", id, err)
	}
	_, err = t.exec(ctx, `INSERT INTO resources (workspace_id, kind, key, position, document, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		workspaceID, deletedType, fmt.Sprint(id), row.Position, string(text), s.now(), s.now())
	return err
}

// RestoreReportType undoes DeleteReportType: the same ID at the same place. A
// code that was taken meanwhile is a Problem of kind Conflict.
func (s *Store) RestoreReportType(ctx context.Context, workspaceID, id int) error {
	return s.db.inTx(ctx, func(t tx) error {
		var text string
		err := t.get(ctx, &text, "SELECT document FROM resources WHERE workspace_id = ? AND kind = ? AND key = ?", workspaceID, deletedType, fmt.Sprint(id))
		if err != nil {
			return orNotFound(err, "there is no deleted report type %d", id)
		}
		var row reportTypeRow
		if err := json.Unmarshal([]byte(text), &row); err != nil {
			return fmt.Errorf("restoring report type %d: %w", id, err)
		}
		_, err = t.exec(ctx, "INSERT INTO report_types (id, workspace_id, code, code_key, name, description, position, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			id, workspaceID, row.Code, codeKey(row.Code), row.Name, row.Description, row.Position, row.Revision+1)
		if err != nil {
			return orTaken(err, "", "there is another report type %q by now; give that one another code, and this one can be brought back", row.Code)
		}
		_, err = t.exec(ctx, "DELETE FROM resources WHERE workspace_id = ? AND kind = ? AND key = ?", workspaceID, deletedType, fmt.Sprint(id))
		if err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditLibraryRestored, WorkspaceID: workspaceID, Target: targetOf(targetReportType, id)})
	})
}
