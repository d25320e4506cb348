package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/quire-reports/quire/report"
)

// Member is a user in a list of the people of a workspace.
type Member struct {
	UserID      int    `db:"user_id"`
	Email       string `db:"email"`
	DisplayName string `db:"display_name"`
	IsActive    bool   `db:"is_active"`
	Picture     string `db:"picture"` // the hash; empty is none
	RoleID      int    `db:"role_id"`
	RoleName    string `db:"role_name"`
}

// Members lists the people of a workspace by name.
func (s *Store) Members(ctx context.Context, workspaceID int) ([]Member, error) {
	members := []Member{}
	err := s.db.list(ctx, &members, `SELECT m.user_id, u.email, u.display_name, u.is_active, u.picture, m.role_id, r.name AS role_name
		FROM members m JOIN users u ON u.id = m.user_id JOIN roles r ON r.id = m.role_id
		WHERE m.workspace_id = ? AND u.service_of IS NULL ORDER BY LOWER(u.display_name), u.id`, workspaceID)
	return members, err
}

// AddMember gives the user with an address a role in the workspace. An address
// without an account is a NotFound; see Invite.
func (s *Store) AddMember(ctx context.Context, by *Access, email string, roleID int) error {
	u, err := s.UserByEmail(ctx, email)
	if err != nil {
		return err
	}
	return s.db.inTx(ctx, func(t tx) error {
		if _, err := t.roleToGive(ctx, by, roleID); err != nil {
			return err
		}
		n, err := t.exec(ctx, `INSERT INTO members (workspace_id, user_id, role_id) VALUES (?, ?, ?)
			ON CONFLICT (workspace_id, user_id) DO NOTHING`, by.Workspace.ID, u.ID, roleID)
		if err == nil && n == 0 {
			return &report.Problem{Kind: report.Conflict, Path: "email", Message: "the user " + u.Email + " is a member already"}
		}
		if err != nil {
			return err
		}
		if _, err := t.exec(ctx, "DELETE FROM account_links WHERE workspace_id = ? AND email_key = ?", by.Workspace.ID, emailKey(u.Email)); err != nil {
			return err
		}
		return s.recordMember(ctx, t, AuditMemberAdded, by.Workspace.ID, u.ID, roleID)
	})
}

// ChangeMember gives a member another role. Nobody gives or takes a role that
// may more than their own, and the last administrator stays one unless a root
// user says otherwise.
func (s *Store) ChangeMember(ctx context.Context, by *Access, userID, roleID int) error {
	return s.db.inTx(ctx, func(t tx) error {
		role, err := t.roleToGive(ctx, by, roleID)
		if err != nil {
			return err
		}
		if err := t.requireLeaving(ctx, by, userID, role.BuiltIn); err != nil {
			return err
		}
		if _, err = t.exec(ctx, "UPDATE members SET role_id = ? WHERE workspace_id = ? AND user_id = ?", roleID, by.Workspace.ID, userID); err != nil {
			return err
		}
		return s.recordMember(ctx, t, AuditMemberChanged, by.Workspace.ID, userID, roleID)
	})
}

// DropMember takes a member out of the workspace, by the rules of ChangeMember.
func (s *Store) DropMember(ctx context.Context, by *Access, userID int) error {
	return s.db.inTx(ctx, func(t tx) error {
		if err := t.requireLeaving(ctx, by, userID, false); err != nil {
			return err
		}
		if _, err := t.exec(ctx, "DELETE FROM members WHERE workspace_id = ? AND user_id = ?", by.Workspace.ID, userID); err != nil {
			return err
		}
		return s.recordMember(ctx, t, AuditMemberRemoved, by.Workspace.ID, userID, 0)
	})
}

// recordMember records what role a user has now; 0 is none.
func (s *Store) recordMember(ctx context.Context, t tx, a Action, workspaceID, userID, roleID int) error {
	e := Event{Action: a, WorkspaceID: workspaceID, Target: targetOf(targetUser, userID)}
	if roleID != 0 {
		role, err := t.role(ctx, workspaceID, roleID)
		if err != nil {
			return err
		}
		e.Detail = map[string]any{"role": role.Name}
	}
	return s.record(ctx, t, e)
}

// roleToGive is a role of the workspace that the caller may give to others.
func (t tx) roleToGive(ctx context.Context, by *Access, roleID int) (*Role, error) {
	role, err := t.role(ctx, by.Workspace.ID, roleID)
	if IsNotFound(err) {
		return nil, report.Problemf("role", "choose a role")
	}
	if err != nil {
		return nil, err
	}
	return role, by.RequireGiving(role)
}

// requireLeaving refuses taking a member's role away when who asks may not.
func (t tx) requireLeaving(ctx context.Context, by *Access, userID int, staysAdministrator bool) error {
	if err := t.alone(ctx, by.Workspace.ID); err != nil {
		return err
	}
	var row roleRow
	err := t.get(ctx, &row, "SELECT "+roleColumns+" FROM members m JOIN roles r ON r.id = m.role_id JOIN users u ON u.id = m.user_id WHERE m.workspace_id = ? AND m.user_id = ? AND u.service_of IS NULL", by.Workspace.ID, userID)
	if errors.Is(err, sql.ErrNoRows) {
		return report.NotFoundf("user %d is no member of this workspace", userID)
	}
	if err != nil {
		return err
	}
	role, err := row.role()
	if err != nil {
		return err
	}
	if err := by.RequireGiving(role); err != nil {
		return err
	}
	if !role.BuiltIn || staysAdministrator {
		return nil
	}
	return t.requireAdministrator(ctx, by, "h.user_id = ? AND h.group_id = 0", userID)
}
