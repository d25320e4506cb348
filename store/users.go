package store

import (
	"context"
	"database/sql"
	"errors"
	"net/mail"
	"strings"

	"github.com/quire-reports/quire/report"
)

// User is an account.
type User struct {
	ID          int    `db:"id"`
	Email       string `db:"email"`
	DisplayName string `db:"display_name"`
	IsRoot      bool   `db:"is_root"` // may enter every workspace, and makes workspaces and users
	IsActive    bool   `db:"is_active"`
	// Epoch grows when the password changes; a session made in an earlier
	// epoch is over.
	Epoch int `db:"epoch"`
	// Language is that of the interface; empty is what the browser prefers.
	Language string `db:"language"`
	// TimeZone is that of times on the screens; empty is UTC.
	TimeZone string `db:"time_zone"`
	// Picture is the hash of the user's picture; empty is none.
	Picture string `db:"picture"`
	// IsService tells a service account, which is nobody's.
	IsService bool `db:"is_service"`
	// Reach is what the credentials that led to the user take away.
	Reach Reach `db:"-"`
}

const userColumns = "u.id, u.email, u.display_name, u.is_root, u.is_active, u.epoch, u.language, u.time_zone, u.picture, u.service_of IS NOT NULL AS is_service"

// NewUser is what an account is made from. Without a password the user can
// only come in through single sign-on or be given one later.
type NewUser struct {
	Email, DisplayName string
	Password           report.Secret
	IsRoot             bool
}

// CreateRootUser makes a user who may do everything.
func (s *Store) CreateRootUser(ctx context.Context, email, displayName string, password report.Secret) (*User, error) {
	return s.CreateUser(ctx, NewUser{Email: email, DisplayName: displayName, Password: password, IsRoot: true})
}

// CreateUser makes an account; a root user needs a password.
func (s *Store) CreateUser(ctx context.Context, n NewUser) (*User, error) {
	email, err := checkEmail(n.Email)
	if err != nil {
		return nil, err
	}
	var hash *string
	if n.Password != "" || n.IsRoot {
		made, err := s.hash.make(ctx, n.Password)
		if err != nil {
			return nil, err
		}
		hash = &made
	}
	u := User{Email: email, DisplayName: strings.TrimSpace(n.DisplayName), IsRoot: n.IsRoot, IsActive: true, Epoch: 1}
	if u.DisplayName == "" {
		u.DisplayName = email
	}
	err = s.db.inTx(ctx, func(t tx) error {
		err := t.get(ctx, &u.ID, `INSERT INTO users (email, email_key, display_name, password_hash, is_root, created_at)
			VALUES (?, ?, ?, ?, ?, ?) RETURNING id`, u.Email, emailKey(u.Email), u.DisplayName, hash, u.IsRoot, s.now())
		if err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditUserCreated, Target: targetOf(targetUser, u.ID), Detail: map[string]any{"root": u.IsRoot}})
	})
	if err != nil {
		return nil, orTaken(err, "email", "there is a user with the address %s already", email)
	}
	return &u, nil
}

func checkEmail(text string) (string, error) {
	text = strings.TrimSpace(text)
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Address != text || len(text) > 254 {
		return "", report.Problemf("email", "%q is not an email address", text)
	}
	return text, nil
}

// emailKey is the form in which addresses are compared.
func emailKey(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// HasUsers tells whether any account exists; without one the service makes its
// root user.
func (s *Store) HasUsers(ctx context.Context) (bool, error) {
	var has bool
	err := s.db.get(ctx, &has, "SELECT EXISTS (SELECT 1 FROM users)")
	return has, err
}

// UserByID finds an active user.
func (s *Store) UserByID(ctx context.Context, id int) (*User, error) {
	var u User
	err := s.db.get(ctx, &u, "SELECT "+userColumns+" FROM users u WHERE u.id = ? AND u.is_active", id)
	if err != nil {
		return nil, orNotFound(err, "user %d does not exist", id)
	}
	return &u, nil
}

// UserByEmail finds an active person by the address, in any case of letters.
func (s *Store) UserByEmail(ctx context.Context, email string) (*User, error) {
	var u User
	err := s.db.get(ctx, &u, "SELECT "+userColumns+" FROM users u WHERE u.email_key = ? AND u.is_active AND u.service_of IS NULL", emailKey(email))
	if err != nil {
		return nil, orNotFound(err, "there is no user with the address %s", email)
	}
	return &u, nil
}

// ErrWrongPassword is every failure to sign in with a password.
var ErrWrongPassword = report.NotFoundf("email address or password is wrong")

// SignIn finds the user with an address and password. Every failure is the
// same NotFound and takes the same time. Known is whether the user has signed in
// before with this browser: strangers do not stand in the way of those.
func (s *Store) SignIn(ctx context.Context, email string, password report.Secret, known bool) (*User, error) {
	var row struct {
		User
		Hash *string `db:"password_hash"`
	}
	err := s.db.get(ctx, &row, "SELECT "+userColumns+", u.password_hash FROM users u WHERE u.email_key = ? AND u.is_active AND u.service_of IS NULL", emailKey(email))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		row.Hash = nil // sqlx may have set it before it found no row
	case err != nil:
		return nil, err
	}
	ok, err := s.hash.matches(ctx, password, row.Hash, known)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrWrongPassword
	}
	return &row.User, nil
}

// SetPassword changes a user's password and so ends their sessions.
func (s *Store) SetPassword(ctx context.Context, userID int, password report.Secret) error {
	hash, err := s.hash.make(ctx, password)
	if err != nil {
		return err
	}
	return s.changeUser(ctx, userID, AuditPasswordSet, "UPDATE users SET password_hash = ?, epoch = epoch + 1 WHERE id = ? AND service_of IS NULL AND deleted_at IS NULL", hash, userID)
}

// SetActive blocks or unblocks a user: sessions, tokens and previews of a
// blocked user are refused at once. One that is provisioned is blocked where it
// comes from.
func (s *Store) SetActive(ctx context.Context, userID int, active bool) error {
	action := AuditUserBlocked
	if active {
		action = AuditUserUnblocked
	}
	return s.onPerson(ctx, userID, func(t tx) error {
		if _, err := t.exec(ctx, "UPDATE users SET is_active = ?, epoch = epoch + 1 WHERE id = ?", active, userID); err != nil {
			return err
		}
		// Whoever says so now decides, not the directory that said so before.
		if _, err := t.exec(ctx, "UPDATE identities SET blocked = ? WHERE user_id = ?", false, userID); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: action, Target: targetOf(targetUser, userID)})
	})
}

// changeUser executes a statement that changes an account, and records it.
func (s *Store) changeUser(ctx context.Context, userID int, a Action, query string, args ...any) error {
	return s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, query, args...)
		if err := orNoUser(n, err, userID); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: a, Target: targetOf(targetUser, userID)})
	})
}

// SetLanguage keeps in which language a user reads the interface; empty is what
// the browser prefers.
func (s *Store) SetLanguage(ctx context.Context, userID int, language string) error {
	n, err := s.db.exec(ctx, "UPDATE users SET language = ? WHERE id = ?", language, userID)
	return orNoUser(n, err, userID)
}

func orNoUser(n int, err error, userID int) error {
	if err == nil && n == 0 {
		return report.NotFoundf("user %d does not exist", userID)
	}
	return err
}
