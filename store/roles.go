package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/quire-reports/quire/report"
)

type roleRow struct {
	ID          int    `db:"id"`
	Name        string `db:"name"`
	Description string `db:"description"`
	BuiltIn     bool   `db:"built_in"`
	Levels      string `db:"levels"`
	NeedsFactor bool   `db:"needs_factor"`
}

const roleColumns = "r.id, r.name, r.description, r.built_in, r.levels, r.needs_factor"

func (r roleRow) role() (*Role, error) {
	role := Role{ID: r.ID, Name: r.Name, Description: r.Description, BuiltIn: r.BuiltIn, NeedsFactor: r.NeedsFactor}
	if err := json.Unmarshal([]byte(r.Levels), &role.Levels); err != nil {
		return nil, fmt.Errorf("reading role %d: %w", r.ID, err)
	}
	return &role, nil
}

// Roles lists the roles of a workspace, Administrator first.
func (s *Store) Roles(ctx context.Context, workspaceID int) ([]Role, error) {
	var rows []roleRow
	err := s.db.list(ctx, &rows, "SELECT "+roleColumns+" FROM roles r WHERE r.workspace_id = ? ORDER BY r.id", workspaceID)
	roles := make([]Role, 0, len(rows))
	for _, row := range rows {
		role, err := row.role()
		if err != nil {
			return nil, err
		}
		roles = append(roles, *role)
	}
	return roles, err
}

// CreateRole makes a role and gives it its ID.
func (s *Store) CreateRole(ctx context.Context, workspaceID int, r Role) (*Role, error) {
	r.Name, r.BuiltIn = strings.TrimSpace(r.Name), false
	if r.Name == "" {
		return nil, report.Problemf("name", "the role needs a name")
	}
	err := s.db.inTx(ctx, func(t tx) error {
		if err := t.insertRole(ctx, workspaceID, &r); err != nil {
			return err
		}
		return s.recordRole(ctx, t, AuditRoleCreated, workspaceID, &r)
	})
	if err != nil {
		return nil, orNoReference(orTaken(err, "name", "there is a role %s already", r.Name), "workspace %d does not exist", workspaceID)
	}
	return &r, nil
}

// recordRole records what a role may.
func (s *Store) recordRole(ctx context.Context, t tx, a Action, workspaceID int, r *Role) error {
	levels := map[string]any{}
	for c, level := range r.Levels {
		levels[string(c)] = level.String()
	}
	if r.NeedsFactor {
		levels["secondFactor"] = true
	}
	return s.record(ctx, t, Event{Action: a, WorkspaceID: workspaceID, Target: targetOf(targetRole, r.ID), Detail: levels})
}

func (t tx) insertRole(ctx context.Context, workspaceID int, r *Role) error {
	levels, err := marshalLevels(r.Levels)
	if err != nil {
		return err
	}
	return t.get(ctx, &r.ID, `INSERT INTO roles (workspace_id, name, name_key, description, built_in, levels, needs_factor)
		VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`, workspaceID, r.Name, strings.ToLower(r.Name), r.Description, r.BuiltIn, levels, r.NeedsFactor)
}

// SetMember gives a user a role in a workspace, instead of the one they have.
func (s *Store) SetMember(ctx context.Context, workspaceID, userID, roleID int) error {
	return s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, `INSERT INTO members (workspace_id, user_id, role_id)
			SELECT r.workspace_id, u.id, r.id FROM roles r JOIN users u ON u.id = ? WHERE r.workspace_id = ? AND r.id = ?
			ON CONFLICT (workspace_id, user_id) DO UPDATE SET role_id = excluded.role_id`, userID, workspaceID, roleID)
		if err == nil && n == 0 {
			err = report.NotFoundf("workspace %d has no role %d, or user %d does not exist", workspaceID, roleID, userID)
		}
		if err != nil {
			return err
		}
		return s.recordMember(ctx, t, AuditMemberChanged, workspaceID, userID, roleID)
	})
}

// RemoveMember takes a user out of a workspace.
func (s *Store) RemoveMember(ctx context.Context, workspaceID, userID int) error {
	return s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, "DELETE FROM members WHERE workspace_id = ? AND user_id = ?", workspaceID, userID)
		if err == nil && n == 0 {
			err = report.NotFoundf("user %d is no member of workspace %d", userID, workspaceID)
		}
		if err != nil {
			return err
		}
		return s.recordMember(ctx, t, AuditMemberRemoved, workspaceID, userID, 0)
	})
}
