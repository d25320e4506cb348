package store

import (
	"context"
	"strings"

	"github.com/quire-reports/quire/report"
)

// UpdateWorkspace writes the name and the description of a workspace. Its code
// stands in addresses and stays.
func (s *Store) UpdateWorkspace(ctx context.Context, id int, name string, description *string) error {
	name = strings.TrimSpace(name)
	if err := checkName("name", name, "the workspace needs a name"); err != nil {
		return err
	}
	return s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, "UPDATE workspaces SET name = ?, description = ? WHERE id = ?", name, description, id)
		if err == nil && n == 0 {
			err = report.NotFoundf("workspace %d does not exist", id)
		}
		if err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditWorkspaceChanged, WorkspaceID: id, Target: targetOf(targetWorkspace, id)})
	})
}

// DeleteWorkspace removes a workspace with everything in it, for good. The
// contents of its files are found by the search for orphans.
func (s *Store) DeleteWorkspace(ctx context.Context, id int) error {
	return s.db.inTx(ctx, func(t tx) error {
		if err := s.record(ctx, t, Event{Action: AuditWorkspaceDeleted, WorkspaceID: id, Target: targetOf(targetWorkspace, id)}); err != nil {
			return err
		}
		// In this order, as reports and members point to rows that would go first. Tasks
		// point to none.
		for _, table := range []string{"queue", "reports", "members", "group_roles"} {
			if _, err := t.exec(ctx, "DELETE FROM "+table+" WHERE workspace_id = ?", id); err != nil {
				return err
			}
		}
		n, err := t.exec(ctx, "DELETE FROM workspaces WHERE id = ?", id)
		if err == nil && n == 0 {
			return report.NotFoundf("workspace %d does not exist", id)
		}
		return err
	})
}

// WorkspacesAllowing lists the workspaces where a user has a level, by name.
func (s *Store) WorkspacesAllowing(ctx context.Context, u *User, c Category, l Level) ([]Workspace, error) {
	if u.IsRoot {
		return s.Workspaces(ctx, u)
	}
	var rows []struct {
		Workspace
		Levels string `db:"levels"`
	}
	err := s.db.list(ctx, &rows, "SELECT "+workspaceColumns+`, r.levels FROM workspaces w JOIN `+heldBy("?")+` h ON h.workspace_id = w.id
		JOIN roles r ON r.id = h.role_id WHERE ? OR w.id = ? ORDER BY w.name, w.id`, u.ID, u.ID, u.Reach.WorkspaceID == 0, u.Reach.WorkspaceID)
	workspaces := []Workspace{}
	for _, row := range rows {
		role, err := roleRow{Levels: row.Levels}.role()
		if err != nil {
			return nil, err
		}
		// Of several roles one has the highest level.
		if n := len(workspaces); role.Allows(c, l) && (n == 0 || workspaces[n-1].ID != row.ID) {
			workspaces = append(workspaces, row.Workspace)
		}
	}
	return workspaces, err
}
