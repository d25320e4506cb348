package store

import (
	"context"
	"fmt"
	"strings"
)

// UserChange is what root users change of an account.
type UserChange struct{ Email, DisplayName string }

// ChangeUser gives a person another name or address. A link for a password that
// was mailed to the address of before is no good any more.
func (s *Store) ChangeUser(ctx context.Context, userID int, c UserChange) error {
	return s.onPerson(ctx, userID, func(t tx) error { return s.changePerson(ctx, t, userID, c) })
}

// onPerson does something to an account that no source provisions.
func (s *Store) onPerson(ctx context.Context, userID int, do func(t tx) error) error {
	return s.db.inTx(ctx, func(t tx) error {
		u, err := t.person(ctx, userID)
		if err != nil {
			return err
		}
		if err := t.notProvisioned(ctx, u); err != nil {
			return err
		}
		return do(t)
	})
}

func (s *Store) changePerson(ctx context.Context, t tx, userID int, c UserChange) error {
	email, err := checkEmail(c.Email)
	if err != nil {
		return err
	}
	name := strings.TrimSpace(c.DisplayName)
	if err := checkName("name", name, "the user needs a name"); err != nil {
		return err
	}
	u, err := t.person(ctx, userID)
	if err != nil || u.Email == email && u.DisplayName == name {
		return err
	}
	if _, err := t.exec(ctx, "UPDATE users SET email = ?, email_key = ?, display_name = ? WHERE id = ?", email, emailKey(email), name, userID); err != nil {
		return orTaken(err, "email", "there is a user with the address %s already", email)
	}
	detail := map[string]any{}
	if u.Email != email {
		detail["emailBefore"] = u.Email
		if _, err := t.exec(ctx, "DELETE FROM account_links WHERE user_id = ?", userID); err != nil {
			return err
		}
	}
	if u.DisplayName != name {
		detail["nameBefore"] = u.DisplayName
	}
	return s.record(ctx, t, Event{Action: AuditUserChanged, Target: targetOf(targetUser, userID), Detail: detail})
}

// person finds the account of a person that was not deleted.
func (t tx) person(ctx context.Context, userID int) (*User, error) {
	var u User
	err := t.get(ctx, &u, "SELECT "+userColumns+" FROM users u WHERE u.id = ? AND u.service_of IS NULL AND u.deleted_at IS NULL", userID)
	return &u, orNotFound(err, "user %d does not exist", userID)
}

// ofAPerson are the tables whose rows end with an account.
var ofAPerson = []string{
	"account_links", "devices", "group_members", "identities", "members", "nonces", "passkeys", "preview_sessions", "provisioned_users", "recovery_codes", "report_access", "report_mentions", "report_presence", "report_type_presence", "resource_presence", "second_factors", "sessions", "tokens", "user_pictures",
}

// DeleteUser ends the account of a person: nobody comes in by it again, and it
// is in no list. What it has made stays and names it; its address is free.
func (s *Store) DeleteUser(ctx context.Context, userID int) error {
	return s.onPerson(ctx, userID, func(t tx) error { return s.deletePerson(ctx, t, userID) })
}

func (s *Store) deletePerson(ctx context.Context, t tx, userID int) error {
	if _, err := t.person(ctx, userID); err != nil {
		return err
	}
	for _, table := range ofAPerson {
		column := "user_id"
		if table == "second_factors" {
			column = "id"
		}
		if _, err := t.exec(ctx, "DELETE FROM "+table+" WHERE "+column+" = ?", userID); err != nil {
			return err
		}
	}
	_, err := t.exec(ctx, "UPDATE users SET is_active = ?, is_root = ?, password_hash = NULL, epoch = epoch + 1, deleted_at = ?, email_key = ?, picture = '' WHERE id = ?",
		false, false, s.now(), fmt.Sprintf("deleted %d", userID), userID)
	if err != nil {
		return err
	}
	return s.record(ctx, t, Event{Action: AuditUserDeleted, Target: targetOf(targetUser, userID)})
}
