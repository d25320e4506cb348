package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/quire-reports/quire/report"
)

// ForgottenLinkLasts is how long a link is valid that a user who forgot their
// password asked for; MadeLinkLasts is the same for one that a root user makes.
const (
	ForgottenLinkLasts = time.Hour
	MadeLinkLasts      = 24 * time.Hour
)

// ForgottenPassword makes a link for the account with an address, to be sent
// there and nowhere else. There is none, and no user, for an address without an
// account, for a blocked account, and for one whose owner signs in at a
// provider: it has no password, or none that is of use.
func (s *Store) ForgottenPassword(ctx context.Context, email string) (u *User, token string, err error) {
	var found User
	err = s.db.get(ctx, &found, "SELECT "+userColumns+" FROM users u WHERE u.email_key = ? AND u.is_active AND u.password_hash IS NOT NULL", emailKey(email))
	if errors.Is(err, sql.ErrNoRows) || err == nil && s.keptOut(&found, "") {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	token, _, err = s.linkFor(ctx, &found, ForgottenLinkLasts)
	return &found, token, err
}

// PasswordLink makes a link by which a user sets a password, for a root user to
// hand over.
func (s *Store) PasswordLink(ctx context.Context, userID int) (token string, until time.Time, err error) {
	u, err := s.UserByID(ctx, userID)
	if err == nil {
		_, err = s.AnyUser(ctx, userID) // a person's
	}
	if err != nil {
		return "", time.Time{}, err
	}
	return s.linkFor(ctx, u, MadeLinkLasts)
}

func (s *Store) linkFor(ctx context.Context, u *User, lasts time.Duration) (token string, until time.Time, err error) {
	token, until = randomText(43), s.clock().Add(lasts)
	err = s.db.inTx(ctx, func(t tx) error {
		_, err := t.exec(ctx, "INSERT INTO account_links (hash, email, email_key, user_id, epoch, made_by, created_at, valid_until, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			digest(token), u.Email, emailKey(u.Email), u.ID, u.Epoch, "", s.now(), until.UnixMilli(), until.UnixMilli())
		if err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditPasswordLink, Target: targetOf(targetUser, u.ID)})
	})
	return token, until, orNoReference(err, "user %d does not exist", u.ID)
}

// A link ends with the epoch of its user, so with a new password.
const passwordLinkUser = "SELECT " + userColumns + ` FROM account_links l JOIN users u ON u.id = l.user_id
	WHERE l.hash = ? AND l.valid_until > ? AND l.epoch = u.epoch AND u.is_active`

// PasswordLinkUser is whose password a link sets.
func (s *Store) PasswordLinkUser(ctx context.Context, token string) (*User, error) {
	var u User
	err := s.db.get(ctx, &u, passwordLinkUser, digest(token), s.now())
	return &u, orNotLink(err)
}

// SetPasswordByLink changes the password of a link's user, which ends the link,
// all others of the user, their sessions and what browsers are known by.
func (s *Store) SetPasswordByLink(ctx context.Context, token string, password report.Secret) (*User, error) {
	if _, err := s.PasswordLinkUser(ctx, token); err != nil {
		return nil, err // before work is spent on the password
	}
	hash, err := s.hash.make(ctx, password)
	if err != nil {
		return nil, err
	}
	var u User
	err = s.db.inTx(ctx, func(t tx) error {
		if err := t.get(ctx, &u, passwordLinkUser, digest(token), s.now()); err != nil {
			return orNotLink(err)
		}
		n, err := t.exec(ctx, "UPDATE users SET password_hash = ?, epoch = epoch + 1 WHERE id = ? AND epoch = ?", hash, u.ID, u.Epoch)
		if err == nil && n == 0 {
			err = errNoLink() // of two who race, one finds the epoch
		}
		if err == nil {
			_, err = t.exec(ctx, "DELETE FROM account_links WHERE user_id = ?", u.ID)
		}
		if err != nil {
			return err
		}
		u.Epoch++
		return s.record(as(ctx, &u), t, Event{Action: AuditPasswordSet, Target: targetOf(targetUser, u.ID), Detail: map[string]any{"by": "link"}})
	})
	return &u, err
}
