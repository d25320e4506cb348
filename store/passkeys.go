package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
)

// MostPasskeys is how many keys a user can have.
const MostPasskeys = 20

// Passkey is a key that signs a user in, without a password or after it.
type Passkey struct {
	ID           int
	UserID       int
	Name         string
	CredentialID []byte
	Handle       []byte // names the user to the authenticator
	RPID         string // the site that it is for
	Credential   []byte // what it proves itself by, as the caller wrote it
	Count        uint32 // of its uses; 0 of keys that do not count
	Created      time.Time
	LastUsed     *time.Time
	Cloned       *time.Time // when its count went back: there may be a copy
}

type passkeyRow struct {
	ID           int    `db:"id"`
	UserID       int    `db:"user_id"`
	Name         string `db:"name"`
	CredentialID []byte `db:"credential_id"`
	Handle       []byte `db:"handle"`
	RPID         string `db:"rp_id"`
	Credential   string `db:"credential"`
	Count        int64  `db:"sign_count"`
	Created      int64  `db:"created_at"`
	LastUsed     *int64 `db:"last_used_at"`
	Cloned       *int64 `db:"cloned_at"`
}

func (r *passkeyRow) passkey() Passkey {
	return Passkey{
		r.ID, r.UserID, r.Name, r.CredentialID, r.Handle, r.RPID, []byte(r.Credential), uint32(r.Count),
		fromMillis(r.Created), fromMillisOrNil(r.LastUsed), fromMillisOrNil(r.Cloned),
	}
}

const passkeySelect = "SELECT id, user_id, name, credential_id, handle, rp_id, credential, sign_count, created_at, last_used_at, cloned_at FROM passkeys "

// Passkeys lists the keys of a user, the oldest first.
func (s *Store) Passkeys(ctx context.Context, userID int) ([]Passkey, error) {
	var rows []passkeyRow
	err := s.db.list(ctx, &rows, passkeySelect+"WHERE user_id = ? ORDER BY id", userID)
	keys := make([]Passkey, len(rows))
	for i := range rows {
		keys[i] = rows[i].passkey()
	}
	return keys, err
}

// PasskeyBy finds the key that an authenticator names.
func (s *Store) PasskeyBy(ctx context.Context, credentialID []byte) (*Passkey, error) {
	var row passkeyRow
	if err := s.db.get(ctx, &row, passkeySelect+"WHERE credential_id = ?", credentialID); err != nil {
		return nil, orNotFound(err, "the passkey is not known here")
	}
	found := row.passkey()
	return &found, nil
}

// NewPasskeyHandle names a user to authenticators: 256 random bits, which tell
// nothing of the user.
func NewPasskeyHandle() []byte {
	handle := make([]byte, 32)
	_, _ = rand.Read(handle) // never fails: it ends the program instead
	return handle
}

// AddPasskey keeps a key that has just been made. The first thing besides the
// password comes with recovery codes.
func (s *Store) AddPasskey(ctx context.Context, k Passkey) (codes []string, err error) {
	k.Name = strings.TrimSpace(k.Name)
	if err := checkName("name", k.Name, "the passkey needs a name"); err != nil {
		return nil, err
	}
	err = s.db.inTx(ctx, func(t tx) error {
		// Whoever adds two at the same moment waits here.
		n, err := t.exec(ctx, "UPDATE users SET epoch = epoch WHERE id = ? AND is_active AND service_of IS NULL", k.UserID)
		if err := orNoUser(n, err, k.UserID); err != nil {
			return err
		}
		var has, left int
		if err := t.get(ctx, &has, "SELECT COUNT(*) FROM passkeys WHERE user_id = ?", k.UserID); err != nil {
			return err
		}
		if has >= MostPasskeys {
			return &report.Problem{Kind: report.Conflict, Path: "name", Message: fmt.Sprintf("there are %d passkeys already; remove one first", has)}
		}
		_, err = t.exec(ctx, "INSERT INTO passkeys (user_id, name, credential_id, handle, rp_id, credential, sign_count, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			k.UserID, k.Name, k.CredentialID, k.Handle, k.RPID, string(k.Credential), int64(k.Count), s.now())
		if err != nil {
			return orTaken(err, "name", "this passkey is kept here already")
		}
		if err := t.get(ctx, &left, "SELECT COUNT(*) FROM recovery_codes WHERE user_id = ?", k.UserID); err != nil {
			return err
		}
		if left == 0 {
			if codes, err = t.makeRecoveryCodes(ctx, k.UserID); err != nil {
				return err
			}
		}
		return s.record(ctx, t, Event{Action: AuditPasskeyAdded, Target: targetOf(targetUser, k.UserID), Detail: map[string]any{"passkey": k.Name}})
	})
	return codes, err
}

// UsePasskey keeps that a key was used, with its count and what it says of itself
// now. A count that does not grow, where one is kept, means that there may be a
// copy of the key: it is refused from then on, and told of.
func (s *Store) UsePasskey(ctx context.Context, k *Passkey, count uint32, credential []byte) error {
	now := s.now()
	n, err := s.db.exec(ctx, `UPDATE passkeys SET sign_count = ?, credential = ?, last_used_at = ?
		WHERE id = ? AND cloned_at IS NULL AND (sign_count < ? OR sign_count = 0 AND ? = 0)`, int64(count), string(credential), now, k.ID, int64(count), int64(count))
	if err != nil || n == 1 {
		return err
	}
	err = s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, "UPDATE passkeys SET cloned_at = ? WHERE id = ? AND cloned_at IS NULL", now, k.ID)
		if err != nil || n == 0 {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditPasskeyCloned, Outcome: Refused, Target: targetOf(targetUser, k.UserID), Detail: map[string]any{"passkey": k.Name}})
	})
	if err != nil {
		return err
	}
	return report.Problemf("passkey", "this passkey seems to exist twice and is of no use any more; sign in another way, remove it and make a new one")
}

// RemovePasskey takes a key of a user away. Recovery codes go with the last thing
// that they stand in for.
func (s *Store) RemovePasskey(ctx context.Context, userID, id int) error {
	return s.db.inTx(ctx, func(t tx) error {
		var name string
		if err := t.get(ctx, &name, "DELETE FROM passkeys WHERE id = ? AND user_id = ? RETURNING name", id, userID); err != nil {
			return orNotFound(err, "passkey %d does not exist", id)
		}
		if err := t.dropLoneCodes(ctx, userID); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditPasskeyRemoved, Target: targetOf(targetUser, userID), Detail: map[string]any{"passkey": name}})
	})
}

// dropLoneCodes removes recovery codes that stand in for nothing.
func (t tx) dropLoneCodes(ctx context.Context, userID int) error {
	_, err := t.exec(ctx, `DELETE FROM recovery_codes WHERE user_id = ? AND NOT EXISTS (SELECT 1 FROM second_factors WHERE id = ?)
		AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = ?)`, userID, userID, userID)
	return err
}

// Is tells whether a key is the one of an id of an authenticator.
func (k *Passkey) Is(credentialID []byte) bool { return bytes.Equal(k.CredentialID, credentialID) }
