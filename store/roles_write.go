package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/quire-reports/quire/report"
)

// Covers tells whether a role may everything that another may.
func (r *Role) Covers(other *Role) bool {
	for c, level := range other.Levels {
		if r.Levels[c] < level {
			return false
		}
	}
	return true
}

// RequireGiving refuses making, giving or taking a role with more rights than
// the caller's: else a role that edits roles could make itself administrator.
func (a *Access) RequireGiving(r *Role) error {
	if a.Role.Covers(r) {
		return nil
	}
	return &report.Problem{Kind: report.Forbidden, Message: fmt.Sprintf("the role %s may more than your role %s, so you cannot give, change or take it", r.Name, a.Role.Name)}
}

// RoleByID finds a role of a workspace.
func (s *Store) RoleByID(ctx context.Context, workspaceID, id int) (*Role, error) {
	var row roleRow
	err := s.db.get(ctx, &row, "SELECT "+roleColumns+" FROM roles r WHERE r.workspace_id = ? AND r.id = ?", workspaceID, id)
	if err != nil {
		return nil, orNotFound(err, "role %d does not exist", id)
	}
	return row.role()
}

func (t tx) role(ctx context.Context, workspaceID, id int) (*Role, error) {
	var row roleRow
	err := t.get(ctx, &row, "SELECT "+roleColumns+" FROM roles r WHERE r.workspace_id = ? AND r.id = ?", workspaceID, id)
	if err != nil {
		return nil, orNotFound(err, "role %d does not exist", id)
	}
	return row.role()
}

// RoleMembers counts the members and the groups with each role of a workspace.
func (s *Store) RoleMembers(ctx context.Context, workspaceID int) (map[int]int, error) {
	var rows []struct {
		ID    int `db:"role_id"`
		Count int `db:"members"`
	}
	err := s.db.list(ctx, &rows, `SELECT role_id, CAST(SUM(n) AS INTEGER) AS members FROM (SELECT role_id, COUNT(*) AS n FROM members WHERE workspace_id = ? GROUP BY role_id
		UNION ALL SELECT role_id, COUNT(*) AS n FROM group_roles WHERE workspace_id = ? GROUP BY role_id) counted GROUP BY role_id`, workspaceID, workspaceID)
	counts := map[int]int{}
	for _, row := range rows {
		counts[row.ID] = row.Count
	}
	return counts, err
}

// AddRole is CreateRole for callers who may make that role.
func (s *Store) AddRole(ctx context.Context, by *Access, r Role) (*Role, error) {
	if err := checkName("name", r.Name, "the role needs a name"); err != nil {
		return nil, err
	}
	if err := by.RequireGiving(&r); err != nil {
		return nil, err
	}
	return s.CreateRole(ctx, by.Workspace.ID, r)
}

// UpdateRole writes a role; neither before nor after may it have more rights
// than the caller's. Administrator stays as it is.
func (s *Store) UpdateRole(ctx context.Context, by *Access, r Role) error {
	r.Name = strings.TrimSpace(r.Name)
	if err := checkName("name", r.Name, "the role needs a name"); err != nil {
		return err
	}
	levels, err := marshalLevels(r.Levels)
	if err != nil {
		return err
	}
	return s.db.inTx(ctx, func(t tx) error {
		if err := t.changeable(ctx, by, r.ID); err != nil {
			return err
		}
		if err := by.RequireGiving(&r); err != nil {
			return err
		}
		_, err := t.exec(ctx, "UPDATE roles SET name = ?, name_key = ?, description = ?, levels = ?, needs_factor = ? WHERE id = ?", r.Name, strings.ToLower(r.Name), r.Description, levels, r.NeedsFactor, r.ID)
		if err != nil {
			return orTaken(err, "name", "there is a role %s already", r.Name)
		}
		return s.recordRole(ctx, t, AuditRoleChanged, by.Workspace.ID, &r)
	})
}

// SetRoleFactor says whether who holds a role needs a second factor; that of
// Administrator is all of it that changes.
func (s *Store) SetRoleFactor(ctx context.Context, by *Access, id int, needs bool) error {
	return s.db.inTx(ctx, func(t tx) error {
		role, err := t.role(ctx, by.Workspace.ID, id)
		if err == nil {
			err = by.RequireGiving(role)
		}
		if err != nil || role.NeedsFactor == needs {
			return err
		}
		if _, err := t.exec(ctx, "UPDATE roles SET needs_factor = ? WHERE id = ?", needs, id); err != nil {
			return err
		}
		role.NeedsFactor = needs
		return s.recordRole(ctx, t, AuditRoleChanged, by.Workspace.ID, role)
	})
}

// DeleteRole removes a role that no member and no group has.
func (s *Store) DeleteRole(ctx context.Context, by *Access, id int) error {
	return s.db.inTx(ctx, func(t tx) error {
		if err := t.changeable(ctx, by, id); err != nil {
			return err
		}
		var members int
		if err := t.get(ctx, &members, "SELECT COUNT(*) FROM members WHERE role_id = ?", id); err != nil {
			return err
		}
		if members > 0 {
			who := "a member"
			if members > 1 {
				who = fmt.Sprintf("%d members", members)
			}
			return &report.Problem{Kind: report.Conflict, Message: "the role still has " + who + ": give them another role first"}
		}
		var groups []string
		if err := t.list(ctx, &groups, "SELECT g.name FROM group_roles h JOIN user_groups g ON g.id = h.group_id WHERE h.role_id = ? ORDER BY LOWER(g.name) LIMIT 1", id); err != nil {
			return err
		}
		if len(groups) > 0 {
			return &report.Problem{Kind: report.Conflict, Message: "the group " + groups[0] + " still has the role: give it another role first"}
		}
		if err := s.record(ctx, t, Event{Action: AuditRoleDeleted, WorkspaceID: by.Workspace.ID, Target: targetOf(targetRole, id)}); err != nil {
			return err
		}
		_, err := t.exec(ctx, "DELETE FROM roles WHERE id = ?", id)
		return err
	})
}

// changeable refuses what who asks cannot change of a role as it is.
func (t tx) changeable(ctx context.Context, by *Access, id int) error {
	role, err := t.role(ctx, by.Workspace.ID, id)
	if err != nil {
		return err
	}
	if role.BuiltIn {
		return &report.Problem{Kind: report.Forbidden, Message: "the role " + role.Name + " is built in and cannot be changed"}
	}
	return by.RequireGiving(role)
}

// checkName takes names that a list can show.
func checkName(path, name, missing string) error {
	fault := report.NameFault(name)
	switch {
	case strings.TrimSpace(name) == "":
		return report.Problemf(path, "%s", missing)
	case fault != "":
		return report.Problemf(path, "%s", fault)
	}
	return nil
}
