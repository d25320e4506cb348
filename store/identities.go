package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
)

// Identity is a person as a provider knows them. Issuer and Subject identify
// them; the address only serves to make an account.
type Identity struct {
	Issuer, Subject, Email, Name string
	EmailVerified                bool
	Groups                       []string // that the provider names
}

// IdentityRules are what an identity is good for here.
type IdentityRules struct {
	Create bool // an account is made when there is none
	// Provisioned is how the provider names who was provisioned for it.
	Provisioned ProvisionedLink
	Link        bool // an account with the same verified address is taken over
	Grants      []IdentityGrant
	// Decided are the codes of workspaces in which the provider decides about
	// members and their roles; in others that is left alone.
	Decided     []string
	DecidesRoot bool
}

// IdentityGrant is a role in a workspace, or all rights.
type IdentityGrant struct {
	Workspace, Role string
	Root            bool
}

// ProvisionedLink finds the account of somebody who was provisioned and signs in
// first. It takes a value that only whoever provisions and the provider give.
type ProvisionedLink struct {
	Source     string // empty: none
	ByUserName bool   // Value is the userName; else the externalId
	Value      string
}

// Why an identity is refused.
var (
	ErrNoAccount    = errors.New("there is no account for this identity")
	ErrAddressTaken = errors.New("another account has this address")
	ErrBlocked      = errors.New("the account is blocked")
	ErrNoRole       = errors.New("the account has no role")
)

// UserOf finds or makes the account of an identity, and gives it the roles that
// its provider decides, no more and no less.
func (s *Store) UserOf(ctx context.Context, id Identity, rules IdentityRules) (*User, error) {
	user, err := s.userOf(ctx, id, rules, nil)
	if errors.Is(err, errDuplicate) { // somebody made the account at the same moment
		user, err = s.userOf(ctx, id, rules, nil)
	}
	if errors.Is(err, errDuplicate) {
		err = ErrAddressTaken
	}
	return user, err
}

// IdentityTrial is what UserOf would do.
type IdentityTrial struct {
	User  *User // ID 0: the account would be made
	Roles []IdentityRole
}

// IdentityRole is the role of an account in a workspace, by their names.
type IdentityRole struct {
	Workspace string `db:"workspace"`
	Role      string `db:"role"`
}

// errTried undoes what was only tried.
var errTried = errors.New("only tried")

// TryUserOf tells what UserOf would do, and does it not.
func (s *Store) TryUserOf(ctx context.Context, id Identity, rules IdentityRules) (*IdentityTrial, error) {
	var trial IdentityTrial
	user, err := s.userOf(ctx, id, rules, &trial)
	if trial.User = user; errors.Is(err, errTried) {
		err = nil
	}
	if user != nil && err == nil {
		if _, unknown := s.AnyUser(ctx, user.ID); IsNotFound(unknown) {
			user.ID = 0
		}
	}
	return &trial, err
}

// userOf is UserOf, or, with a trial, TryUserOf.
func (s *Store) userOf(ctx context.Context, id Identity, rules IdentityRules, trial *IdentityTrial) (user *User, err error) {
	var lacks error
	err = s.db.inTx(ctx, func(t tx) error {
		found, err := s.returning(ctx, t, id)
		known := err == nil
		if errors.Is(err, sql.ErrNoRows) {
			found, err = s.admit(ctx, t, id, rules)
		}
		if err != nil {
			return err
		}
		if user = found; !user.IsActive {
			return ErrBlocked
		}
		if _, err := t.exec(ctx, "UPDATE identities SET signed_in_at = ? WHERE issuer = ? AND subject = ?", s.now(), id.Issuer, id.Subject); err != nil {
			return err
		}
		if err := t.keepTold(ctx, id); err != nil {
			return err
		}
		if err := s.decide(ctx, t, user, rules); err != nil {
			return err
		}
		roles, err := t.rolesOf(ctx, user.ID)
		if err != nil {
			return err
		}
		if lacks = nil; len(roles) == 0 && !user.IsRoot && (rules.DecidesRoot || len(rules.Decided) > 0) {
			lacks = ErrNoRole
		}
		switch {
		case trial != nil && lacks == nil:
			trial.Roles = roles
			return errTried
		case trial == nil && known:
			return nil // what was taken away stays so
		}
		return lacks
	})
	if err == nil {
		err = lacks
	}
	return user, err
}

func (t tx) rolesOf(ctx context.Context, userID int) (roles []IdentityRole, err error) {
	err = t.list(ctx, &roles, `SELECT DISTINCT w.name AS workspace, r.name AS role FROM `+heldBy("?")+` h JOIN workspaces w ON w.id = h.workspace_id
		JOIN roles r ON r.id = h.role_id ORDER BY w.name, r.name`, userID, userID)
	return roles, err
}

// returning is the account of an identity, which may come in again if it might
// not for a while.
func (s *Store) returning(ctx context.Context, t tx, id Identity) (*User, error) {
	row, err := t.identity(ctx, id)
	if err == nil {
		err = s.comesBack(ctx, t, id, row)
	}
	return &row.User, err
}

func (t tx) userOf(ctx context.Context, id Identity) (*User, error) {
	var u User
	err := t.get(ctx, &u, "SELECT "+userColumns+" FROM identities i JOIN users u ON u.id = i.user_id WHERE i.issuer = ? AND i.subject = ?", id.Issuer, id.Subject)
	return &u, err
}

// admit makes or links the account of an identity that signs in first.
func (s *Store) admit(ctx context.Context, t tx, id Identity, rules IdentityRules) (*User, error) {
	var u User
	if found, err := t.provisionedFor(ctx, rules.Provisioned); err != nil || found != nil {
		if err == nil {
			err = s.linkProvisioned(ctx, t, found, id)
		}
		return found, err
	}
	email, err := checkEmail(id.Email)
	if err != nil {
		return nil, err
	}
	err = t.get(ctx, &u, "SELECT "+userColumns+" FROM users u WHERE u.email_key = ?", emailKey(email))
	switch {
	case errors.Is(err, sql.ErrNoRows) && !rules.Create:
		return nil, ErrNoAccount
	case errors.Is(err, sql.ErrNoRows):
		u = User{Email: email, DisplayName: strings.TrimSpace(id.Name), IsActive: true, Epoch: 1}
		if u.DisplayName == "" {
			u.DisplayName = email
		}
		err = t.get(ctx, &u.ID, "INSERT INTO users (email, email_key, display_name, is_root, created_at) VALUES (?, ?, ?, ?, ?) RETURNING id",
			u.Email, emailKey(u.Email), u.DisplayName, false, s.now())
		if err == nil {
			err = s.record(ctx, t, Event{Action: AuditUserCreated, Target: targetOf(targetUser, u.ID), Detail: map[string]any{"issuer": id.Issuer}})
		}
	case err == nil:
		err = s.link(ctx, t, &u, id, rules)
	}
	if err != nil {
		return nil, err
	}
	return &u, s.insertIdentity(ctx, t, &u, id)
}

func (s *Store) insertIdentity(ctx context.Context, t tx, u *User, id Identity) error {
	_, err := t.exec(ctx, "INSERT INTO identities (issuer, subject, user_id, created_at, signed_in_at) VALUES (?, ?, ?, ?, ?)", id.Issuer, id.Subject, u.ID, s.now(), s.now())
	return err
}

// provisionedFor finds who was provisioned for a provider; nil: nobody, or more
// than one.
func (t tx) provisionedFor(ctx context.Context, link ProvisionedLink) (*User, error) {
	if link.Source == "" || link.Value == "" {
		return nil, nil
	}
	column, value := "p.external_id", link.Value
	if link.ByUserName {
		column, value = "p.user_name_key", userNameKey(link.Value)
	}
	var found []User
	err := t.list(ctx, &found, "SELECT "+userColumns+" FROM provisioned_users p JOIN users u ON u.id = p.user_id WHERE p.source = ? AND "+column+" = ? ORDER BY u.id LIMIT 2", link.Source, value)
	if err != nil || len(found) != 1 {
		return nil, err
	}
	return &found[0], nil
}

// linkProvisioned opens an account to the person it was provisioned for; not
// that of a root user, and not one that another person of the provider has.
func (s *Store) linkProvisioned(ctx context.Context, t tx, u *User, id Identity) error {
	var others bool
	if err := t.get(ctx, &others, "SELECT EXISTS (SELECT 1 FROM identities WHERE user_id = ? AND issuer = ?)", u.ID, id.Issuer); err != nil {
		return err
	}
	if others || u.IsRoot {
		return ErrAddressTaken
	}
	if err := s.insertIdentity(ctx, t, u, id); err != nil {
		return err
	}
	return s.record(ctx, t, Event{Action: AuditUserLinked, Target: targetOf(targetUser, u.ID), Detail: map[string]any{"issuer": id.Issuer, "provisioned": true}})
}

// link refuses an account that is not to be taken over: one of a root user, and
// one that somebody else of the same provider has.
func (s *Store) link(ctx context.Context, t tx, u *User, id Identity, rules IdentityRules) error {
	var others bool
	if err := t.get(ctx, &others, "SELECT EXISTS (SELECT 1 FROM identities WHERE user_id = ? AND issuer = ?)", u.ID, id.Issuer); err != nil {
		return err
	}
	if others || u.IsRoot || !rules.Link || !id.EmailVerified {
		return ErrAddressTaken
	}
	return s.record(ctx, t, Event{Action: AuditUserLinked, Target: targetOf(targetUser, u.ID), Detail: map[string]any{"issuer": id.Issuer}})
}

// decide makes the roles of a user what the grants say, where these decide.
func (s *Store) decide(ctx context.Context, t tx, u *User, rules IdentityRules) error {
	if rules.DecidesRoot {
		if err := s.decideRoot(ctx, t, u, rules.Grants); err != nil {
			return err
		}
	}
	for _, code := range rules.Decided {
		var workspace int
		err := t.get(ctx, &workspace, "SELECT id FROM workspaces WHERE code_key = ?", strings.ToLower(code))
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err == nil {
			err = s.decideRole(ctx, t, u.ID, workspace, roleGranted(rules.Grants, code))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) decideRoot(ctx context.Context, t tx, u *User, grants []IdentityGrant) error {
	root := false
	for _, g := range grants {
		root = root || g.Root
	}
	if root == u.IsRoot {
		return nil
	}
	u.IsRoot = root
	if _, err := t.exec(ctx, "UPDATE users SET is_root = ? WHERE id = ?", root, u.ID); err != nil {
		return err
	}
	return s.record(ctx, t, Event{Action: AuditUserRoot, Target: targetOf(targetUser, u.ID), Detail: map[string]any{"root": root}})
}

func roleGranted(grants []IdentityGrant, code string) string {
	for _, g := range grants {
		if !g.Root && strings.EqualFold(g.Workspace, code) {
			return g.Role
		}
	}
	return ""
}

// decideRole gives a user the role of a name; one that does not exist is none.
func (s *Store) decideRole(ctx context.Context, t tx, userID, workspaceID int, name string) error {
	var before, role []int
	if err := t.list(ctx, &before, "SELECT role_id FROM members WHERE workspace_id = ? AND user_id = ?", workspaceID, userID); err != nil {
		return err
	}
	if err := t.list(ctx, &role, "SELECT id FROM roles WHERE workspace_id = ? AND name_key = ?", workspaceID, strings.ToLower(name)); err != nil {
		return err
	}
	switch {
	case len(role) == 0 && len(before) == 0, len(role) > 0 && len(before) > 0 && role[0] == before[0]:
		return nil
	case len(role) == 0:
		if _, err := t.exec(ctx, "DELETE FROM members WHERE workspace_id = ? AND user_id = ?", workspaceID, userID); err != nil {
			return err
		}
		return s.recordMember(ctx, t, AuditMemberRemoved, workspaceID, userID, 0)
	}
	_, err := t.exec(ctx, `INSERT INTO members (workspace_id, user_id, role_id) VALUES (?, ?, ?)
		ON CONFLICT (workspace_id, user_id) DO UPDATE SET role_id = excluded.role_id`, workspaceID, userID, role[0])
	if err != nil {
		return err
	}
	if len(before) == 0 {
		return s.recordMember(ctx, t, AuditMemberAdded, workspaceID, userID, role[0])
	}
	return s.recordMember(ctx, t, AuditMemberChanged, workspaceID, userID, role[0])
}

// Expel takes from the account of an identity what its provider decides and has
// told, and ends the sessions that came from there. One without an account is no error.
func (s *Store) Expel(ctx context.Context, id Identity, rules IdentityRules) error {
	rules.Grants, id.Groups = nil, nil
	err := s.db.inTx(ctx, func(t tx) error {
		u, err := t.userOf(ctx, id)
		if err == nil {
			err = t.keepTold(ctx, id)
		}
		if err != nil {
			return err
		}
		return s.decide(ctx, t, u, rules)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		_, err = s.EndSessionsFrom(ctx, id.Issuer, id.Subject, "")
	}
	return err
}

// MissingGrants are the workspaces and roles of grants that do not exist.
func (s *Store) MissingGrants(ctx context.Context, grants []IdentityGrant) (missing []IdentityGrant, err error) {
	for _, g := range grants {
		var there bool
		err := s.db.get(ctx, &there, `SELECT EXISTS (SELECT 1 FROM roles r JOIN workspaces w ON w.id = r.workspace_id
			WHERE w.code_key = ? AND r.name_key = ?)`, strings.ToLower(g.Workspace), strings.ToLower(g.Role))
		if err != nil {
			return nil, err
		}
		if !there && !g.Root {
			missing = append(missing, g)
		}
	}
	return missing, nil
}

// UseOnce tells whether something is used for the first time, of all processes.
func (s *Store) UseOnce(ctx context.Context, what string, until time.Time) (bool, error) {
	n, err := s.db.exec(ctx, "INSERT INTO used_once (hash, expires_at) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING", digest(what), until.UnixMilli())
	return n == 1, err
}
