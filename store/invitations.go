package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
)

// Invitation is one into a workspace that waits to be taken.
type Invitation struct {
	ID          int
	Email       string
	WorkspaceID int
	Workspace   string // its name
	Code        string // of the workspace
	RoleID      int
	RoleName    string
	By          string // who invites
	Until       time.Time
	Expired     bool // it can only be made anew
}

// invitationShown is how long one that was not taken stays in the list of its
// workspace, so that it can be made anew.
const invitationShown = 30 * 24 * time.Hour

type invitationRow struct {
	ID          int    `db:"id"`
	Email       string `db:"email"`
	WorkspaceID int    `db:"workspace_id"`
	Workspace   string `db:"workspace"`
	Code        string `db:"code"`
	RoleID      int    `db:"role_id"`
	RoleName    string `db:"role_name"`
	By          string `db:"made_by"`
	Until       int64  `db:"valid_until"`
}

const invitationSelect = `SELECT l.id, l.email, l.workspace_id, w.name AS workspace, w.code, l.role_id, r.name AS role_name, l.made_by, l.valid_until
	FROM account_links l JOIN workspaces w ON w.id = l.workspace_id JOIN roles r ON r.id = l.role_id `

func (r *invitationRow) invitation(now int64) Invitation {
	return Invitation{r.ID, r.Email, r.WorkspaceID, r.Workspace, r.Code, r.RoleID, r.RoleName, r.By, fromMillis(r.Until), r.Until <= now}
}

// Invites tells whether the installation has invitations.
func (s *Store) Invites() bool { return s.invitations > 0 }

// Invite makes an invitation into the workspace, or renews the one that the
// address has. Only the holder of the token can accept it.
func (s *Store) Invite(ctx context.Context, by *Access, email string, roleID int) (made *Invitation, token string, err error) {
	if !s.Invites() {
		return nil, "", report.Problemf("email", "there is no user with the address %s; a root user makes accounts", strings.TrimSpace(email))
	}
	if email, err = checkEmail(email); err != nil {
		return nil, "", err
	}
	token = randomText(43)
	err = s.db.inTx(ctx, func(t tx) error {
		if err := t.invitable(ctx, email); err != nil {
			return err
		}
		if _, err := t.roleToGive(ctx, by, roleID); err != nil {
			return err
		}
		var before []int // the role that it is for, if there is one
		if err := t.list(ctx, &before, "SELECT role_id FROM account_links WHERE workspace_id = ? AND email_key = ?", by.Workspace.ID, emailKey(email)); err != nil {
			return err
		}
		for _, role := range before {
			if _, err := t.roleToGive(ctx, by, role); err != nil {
				return err
			}
		}
		until := s.clock().Add(s.invitations)
		var id int
		err := t.get(ctx, &id, `INSERT INTO account_links (hash, email, email_key, workspace_id, role_id, made_by, created_at, valid_until, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (workspace_id, email_key) DO UPDATE SET hash = excluded.hash, email = excluded.email, role_id = excluded.role_id, made_by = excluded.made_by,
			created_at = excluded.created_at, valid_until = excluded.valid_until, expires_at = excluded.expires_at RETURNING id`,
			digest(token), email, emailKey(email), by.Workspace.ID, roleID, by.User.DisplayName, s.now(), until.UnixMilli(), until.Add(invitationShown).UnixMilli())
		if err == nil {
			made, err = s.recordInvitation(ctx, t, AuditInvited, by.Workspace.ID, id)
		}
		return err
	})
	return made, token, err
}

// invitable refuses the address of an account.
func (t tx) invitable(ctx context.Context, email string) error {
	var active bool
	err := t.get(ctx, &active, "SELECT is_active FROM users WHERE email_key = ?", emailKey(email))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err == nil && active:
		err = &report.Problem{Kind: report.Conflict, Path: "email", Message: "there is a user with the address " + email + " already: add the member"}
	case err == nil:
		err = &report.Problem{Kind: report.Conflict, Path: "email", Message: "the account " + email + " is blocked; a root user unblocks it"}
	}
	return err
}

// recordInvitation records what is done to one, and reads it.
func (s *Store) recordInvitation(ctx context.Context, t tx, a Action, workspaceID, id int) (*Invitation, error) {
	var row invitationRow
	err := t.get(ctx, &row, invitationSelect+"WHERE l.workspace_id = ? AND l.id = ?", workspaceID, id)
	if err != nil {
		return nil, orNotFound(err, "the invitation was taken or withdrawn")
	}
	found := row.invitation(s.now())
	return &found, s.record(ctx, t, Event{
		Action: a, WorkspaceID: workspaceID, Target: Target{Kind: targetInvitation, ID: strconv.Itoa(id), Name: row.Email}, Detail: map[string]any{"role": row.RoleName},
	})
}

// InviteAgain renews an invitation into the workspace: its time begins again,
// and its former token is no longer valid.
func (s *Store) InviteAgain(ctx context.Context, by *Access, id int) (made *Invitation, token string, err error) {
	var row invitationRow
	if err := s.db.get(ctx, &row, invitationSelect+"WHERE l.workspace_id = ? AND l.id = ?", by.Workspace.ID, id); err != nil {
		return nil, "", orNotFound(err, "the invitation was taken or withdrawn")
	}
	return s.Invite(ctx, by, row.Email, row.RoleID)
}

// Withdraw ends an invitation into the workspace. As with members, nobody
// changes or ends one to a role with more rights than their own.
func (s *Store) Withdraw(ctx context.Context, by *Access, id int) error {
	return s.db.inTx(ctx, func(t tx) error {
		gone, err := s.recordInvitation(ctx, t, AuditInvitationGone, by.Workspace.ID, id)
		if err == nil {
			_, err = t.roleToGive(ctx, by, gone.RoleID)
		}
		if err != nil {
			return err
		}
		_, err = t.exec(ctx, "DELETE FROM account_links WHERE id = ?", id)
		return err
	})
}

// Invitations lists those of a workspace, by their addresses.
func (s *Store) Invitations(ctx context.Context, workspaceID int) ([]Invitation, error) {
	var rows []invitationRow
	err := s.db.list(ctx, &rows, invitationSelect+"WHERE l.workspace_id = ? AND l.expires_at > ? ORDER BY l.email_key", workspaceID, s.now())
	found := []Invitation{}
	for i := range rows {
		found = append(found, rows[i].invitation(s.now()))
	}
	return found, err
}

// errNoLink is all that is said of a link that is no good.
func errNoLink() error {
	return report.NotFoundf("the link was used, withdrawn or has expired; ask for a new one")
}

// InvitationOf finds an invitation by its token, and tells whether its address
// has an account.
func (s *Store) InvitationOf(ctx context.Context, token string) (found *Invitation, known bool, err error) {
	var row invitationRow
	if err := s.db.get(ctx, &row, invitationSelect+"WHERE l.hash = ? AND l.valid_until > ?", digest(token), s.now()); err != nil {
		return nil, false, orNotLink(err)
	}
	one := row.invitation(s.now())
	err = s.db.get(ctx, &known, "SELECT EXISTS (SELECT 1 FROM users WHERE email_key = ?)", emailKey(row.Email))
	return &one, known, err
}

func orNotLink(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return errNoLink()
	}
	return err
}

// TakeInvitation makes an account for the invited address, which has none, with
// the role in the workspace.
func (s *Store) TakeInvitation(ctx context.Context, token, name string, password report.Secret) (*User, *Invitation, error) {
	if s.rootOnly {
		return nil, nil, errNotHere()
	}
	if _, _, err := s.InvitationOf(ctx, token); err != nil {
		return nil, nil, err // before work is spent on the password
	}
	name = strings.TrimSpace(name)
	if err := checkName("name", name, "enter your name"); err != nil {
		return nil, nil, err
	}
	hash, err := s.hash.make(ctx, password)
	if err != nil {
		return nil, nil, err
	}
	u := &User{DisplayName: name, IsActive: true, Epoch: 1}
	var taken *Invitation
	err = s.db.inTx(ctx, func(t tx) error {
		if taken, err = s.takeLink(ctx, t, token); err != nil {
			return err
		}
		u.Email = taken.Email
		err := t.get(ctx, &u.ID, "INSERT INTO users (email, email_key, display_name, password_hash, is_root, created_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
			u.Email, emailKey(u.Email), u.DisplayName, hash, false, s.now())
		if err != nil {
			return orTaken(err, "email", "there is an account with the address %s by now; sign in to join", u.Email)
		}
		ctx := as(ctx, u)
		if err := s.record(ctx, t, Event{Action: AuditUserCreated, Target: targetOf(targetUser, u.ID), Detail: map[string]any{"invited_by": taken.By}}); err != nil {
			return err
		}
		return s.join(ctx, t, taken, u)
	})
	return u, taken, err
}

// JoinByInvitation gives the user with the invited address the role in the
// workspace. Members keep the role they have.
func (s *Store) JoinByInvitation(ctx context.Context, token string, u *User) (taken *Invitation, err error) {
	err = s.db.inTx(ctx, func(t tx) error {
		if taken, err = s.takeLink(ctx, t, token); err != nil {
			return err
		}
		if emailKey(taken.Email) != emailKey(u.Email) {
			return &report.Problem{Kind: report.Forbidden, Message: "the invitation is for " + taken.Email + ", and you are signed in as " + u.Email}
		}
		return s.join(ctx, t, taken, u)
	})
	return taken, err
}

// takeLink uses an invitation up: of racing deletes of one row, one finds it.
func (s *Store) takeLink(ctx context.Context, t tx, token string) (*Invitation, error) {
	var row invitationRow
	err := t.get(ctx, &row, invitationSelect+"WHERE l.hash = ? AND l.valid_until > ?", digest(token), s.now())
	if err != nil {
		return nil, orNotLink(err)
	}
	n, err := t.exec(ctx, "DELETE FROM account_links WHERE id = ? AND hash = ?", row.ID, digest(token))
	if err == nil && n == 0 {
		err = errNoLink()
	}
	found := row.invitation(s.now())
	return &found, err
}

func (s *Store) join(ctx context.Context, t tx, i *Invitation, u *User) error {
	n, err := t.exec(ctx, "INSERT INTO members (workspace_id, user_id, role_id) VALUES (?, ?, ?) ON CONFLICT (workspace_id, user_id) DO NOTHING", i.WorkspaceID, u.ID, i.RoleID)
	if err != nil {
		return orNoReference(err, "the workspace or the role of the invitation was deleted")
	}
	err = s.record(ctx, t, Event{Action: AuditInvitationTaken, WorkspaceID: i.WorkspaceID, Target: Target{Kind: targetInvitation, ID: strconv.Itoa(i.ID), Name: i.Email}, Detail: map[string]any{"invited_by": i.By}})
	if err != nil || n == 0 {
		return err
	}
	return s.recordMember(ctx, t, AuditMemberAdded, i.WorkspaceID, u.ID, i.RoleID)
}

// as is a context in which a user acts who was nobody before.
func as(ctx context.Context, u *User) context.Context {
	by := actorOf(ctx)
	by.Kind, by.UserID, by.Name = ByPerson, u.ID, u.Email
	return WithActor(ctx, by)
}
