package store

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// ServiceAccount is an account of a program. It belongs to a workspace, comes in
// only by its access tokens, and is nobody's.
type ServiceAccount struct {
	ID       int
	Name     string
	IsActive bool
	RoleID   int
	RoleName string
	Created  time.Time
	Tokens   int
	LastUsed *time.Time // of its tokens
}

type serviceRow struct {
	ID       int    `db:"id"`
	Name     string `db:"display_name"`
	IsActive bool   `db:"is_active"`
	RoleID   int    `db:"role_id"`
	RoleName string `db:"role_name"`
	Created  int64  `db:"created_at"`
	Tokens   int    `db:"tokens"`
	LastUsed *int64 `db:"last_used"`
}

func (r *serviceRow) account() ServiceAccount {
	return ServiceAccount{r.ID, r.Name, r.IsActive, r.RoleID, r.RoleName, fromMillis(r.Created), r.Tokens, fromMillisOrNil(r.LastUsed)}
}

const serviceSelect = `SELECT u.id, u.display_name, u.is_active, r.id AS role_id, r.name AS role_name, u.created_at,
	(SELECT COUNT(*) FROM tokens t WHERE t.user_id = u.id) AS tokens, (SELECT MAX(t.last_used_at) FROM tokens t WHERE t.user_id = u.id) AS last_used
	FROM users u JOIN members m ON m.user_id = u.id AND m.workspace_id = u.service_of JOIN roles r ON r.id = m.role_id
	WHERE u.deleted_at IS NULL AND u.service_of = ? `

// ServiceAccounts lists those of a workspace by name.
func (s *Store) ServiceAccounts(ctx context.Context, workspaceID int) ([]ServiceAccount, error) {
	var rows []serviceRow
	err := s.db.list(ctx, &rows, serviceSelect+"ORDER BY LOWER(u.display_name), u.id", workspaceID)
	accounts := make([]ServiceAccount, len(rows))
	for i := range rows {
		accounts[i] = rows[i].account()
	}
	return accounts, err
}

// ServiceAccount finds one of a workspace.
func (s *Store) ServiceAccount(ctx context.Context, workspaceID, id int) (*ServiceAccount, error) {
	var row serviceRow
	if err := s.db.get(ctx, &row, serviceSelect+"AND u.id = ?", workspaceID, id); err != nil {
		return nil, orNotFound(err, "service account %d does not exist", id)
	}
	found := row.account()
	return &found, nil
}

// serviceName checks the name of a service account of a workspace. What people
// and the audit log see is no address, so that nobody signs in or is invited
// with it; the key keeps the name apart from those of other workspaces.
func serviceName(workspaceID int, name string) (display, shown, key string, err error) {
	display = strings.TrimSpace(name)
	err = checkName("name", display, "the service account needs a name")
	return display, display + " (service account)", fmt.Sprintf("service %d %s", workspaceID, strings.ToLower(display)), err
}

// endedServiceKey lets the name of one that has ended be free.
func endedServiceKey(id int) string { return fmt.Sprintf("deleted %d", id) }

func orNameTaken(err error, name string) error {
	return orTaken(err, "name", "there is a service account %s already", name)
}

// CreateServiceAccount makes one with a role that the caller may give.
func (s *Store) CreateServiceAccount(ctx context.Context, by *Access, name string, roleID int) (id int, err error) {
	name, shown, key, err := serviceName(by.Workspace.ID, name)
	if err != nil {
		return 0, err
	}
	err = s.db.inTx(ctx, func(t tx) error {
		role, err := t.roleToGive(ctx, by, roleID)
		if err != nil {
			return err
		}
		err = t.get(ctx, &id, `INSERT INTO users (email, email_key, display_name, is_root, service_of, created_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
			shown, key, name, false, by.Workspace.ID, s.now())
		if err == nil {
			_, err = t.exec(ctx, "INSERT INTO members (workspace_id, user_id, role_id) VALUES (?, ?, ?)", by.Workspace.ID, id, roleID)
		}
		if err != nil {
			return err
		}
		return s.recordService(ctx, t, AuditServiceCreated, by, id, map[string]any{"role": role.Name})
	})
	return id, orNameTaken(err, name)
}

func (s *Store) recordService(ctx context.Context, t tx, a Action, by *Access, id int, detail map[string]any) error {
	return s.record(ctx, t, Event{Action: a, WorkspaceID: by.Workspace.ID, Target: targetOf(targetUser, id), Detail: detail})
}

// onService changes a service account of the workspace and records it. It takes
// the right to give the account's role: whoever controls an account can use all
// that its role allows.
func (s *Store) onService(ctx context.Context, by *Access, id int, a Action, detail map[string]any, do func(t tx) error) error {
	return s.db.inTx(ctx, func(t tx) error {
		var row serviceRow
		if err := t.get(ctx, &row, serviceSelect+"AND u.id = ?", by.Workspace.ID, id); err != nil {
			return orNotFound(err, "service account %d does not exist", id)
		}
		if _, err := t.roleToGive(ctx, by, row.RoleID); err != nil {
			return err
		}
		if err := do(t); err != nil || a == "" {
			return err
		}
		return s.recordService(ctx, t, a, by, id, detail)
	})
}

// ChangeServiceAccount gives one another name and another role.
func (s *Store) ChangeServiceAccount(ctx context.Context, by *Access, id int, name string, roleID int) error {
	name, shown, key, err := serviceName(by.Workspace.ID, name)
	if err != nil {
		return err
	}
	detail := map[string]any{}
	err = s.onService(ctx, by, id, AuditServiceChanged, detail, func(t tx) error {
		role, err := t.roleToGive(ctx, by, roleID)
		if err != nil {
			return err
		}
		detail["role"] = role.Name
		if _, err := t.exec(ctx, "UPDATE users SET email = ?, email_key = ?, display_name = ? WHERE id = ?", shown, key, name, id); err != nil {
			return err
		}
		_, err = t.exec(ctx, "UPDATE members SET role_id = ? WHERE workspace_id = ? AND user_id = ?", roleID, by.Workspace.ID, id)
		return err
	})
	return orNameTaken(err, name)
}

// SetServiceActive blocks or unblocks one: its tokens are refused at once.
func (s *Store) SetServiceActive(ctx context.Context, by *Access, id int, active bool) error {
	return s.onService(ctx, by, id, AuditServiceChanged, map[string]any{"active": active}, func(t tx) error {
		_, err := t.exec(ctx, "UPDATE users SET is_active = ?, epoch = epoch + 1 WHERE id = ?", active, id)
		return err
	})
}

// DeleteServiceAccount ends one with its tokens. What it has made stays, and
// names it; the name is free again.
func (s *Store) DeleteServiceAccount(ctx context.Context, by *Access, id int) error {
	return s.onService(ctx, by, id, AuditServiceDeleted, nil, func(t tx) error {
		for _, end := range []string{"DELETE FROM tokens WHERE user_id = ?", "DELETE FROM members WHERE user_id = ?", "DELETE FROM report_access WHERE user_id = ?"} {
			if _, err := t.exec(ctx, end, id); err != nil {
				return err
			}
		}
		_, err := t.exec(ctx, "UPDATE users SET is_active = ?, epoch = epoch + 1, deleted_at = ?, email_key = ? WHERE id = ?", false, s.now(), endedServiceKey(id), id)
		return err
	})
}

// CreateServiceToken makes an access token of a service account. It reaches the
// workspace of the account, and no other.
func (s *Store) CreateServiceToken(ctx context.Context, by *Access, id int, n NewToken) (string, error) {
	n.Reach.WorkspaceID = by.Workspace.ID
	if err := s.onService(ctx, by, id, "", nil, func(tx) error { return nil }); err != nil {
		return "", err
	}
	return s.CreateToken(ctx, id, n)
}

// RevokeServiceToken removes a token of a service account.
func (s *Store) RevokeServiceToken(ctx context.Context, by *Access, id, tokenID int) error {
	if err := s.onService(ctx, by, id, "", nil, func(tx) error { return nil }); err != nil {
		return err
	}
	return s.RevokeToken(ctx, id, tokenID)
}
