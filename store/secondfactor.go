package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
)

// recoveryCodes is how many codes a user gets for when the authenticator is lost.
const recoveryCodes = 10

// SecondFactor is what a user has besides the password.
type SecondFactor struct {
	Created  time.Time // of the first
	Codes    int       // recovery codes that are left
	App      bool      // codes of an authenticator
	Passkeys int
}

func factorPlace(userID int) string { return fmt.Sprintf("second-factors/%d", userID) }

// SecondFactorOf is that of a user; nil: none.
func (s *Store) SecondFactorOf(ctx context.Context, userID int) (*SecondFactor, error) {
	var row struct {
		App      *int64 `db:"app"`
		Key      *int64 `db:"passkey"`
		Passkeys int    `db:"passkeys"`
		Codes    int    `db:"codes"`
	}
	err := s.db.get(ctx, &row, `SELECT (SELECT created_at FROM second_factors WHERE id = ?) AS app, (SELECT MIN(created_at) FROM passkeys WHERE user_id = ?) AS passkey,
		(SELECT COUNT(*) FROM passkeys WHERE user_id = ?) AS passkeys, (SELECT COUNT(*) FROM recovery_codes WHERE user_id = ?) AS codes`, userID, userID, userID, userID)
	if err != nil || row.App == nil && row.Key == nil {
		return nil, err
	}
	first := row.App
	if first == nil || row.Key != nil && *row.Key < *first {
		first = row.Key
	}
	return &SecondFactor{fromMillis(*first), row.Codes, row.App != nil, row.Passkeys}, nil
}

// errWrongCode says no more than that a code is of no use.
func errWrongCode() error {
	return report.Problemf("code", "the code is wrong or was used already")
}

// SetSecondFactor gives a user an authenticator, which a code of it proves, and
// makes the recovery codes. A user who has one keeps it.
func (s *Store) SetSecondFactor(ctx context.Context, userID int, secret report.Secret, code string) (codes []string, err error) {
	step := totpStepOf(secret, plainCode(code), s.clock(), 0)
	if step == 0 {
		return nil, errWrongCode()
	}
	err = s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, "INSERT INTO second_factors (id, secret, last_step, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
			userID, s.seal.seal(factorPlace(userID), secret), step, s.now())
		switch {
		case err != nil:
			return orNoReference(err, "user %d does not exist", userID)
		case n == 0:
			return &report.Problem{Kind: report.Conflict, Path: "code", Message: "there is a second factor already; switch it off first"}
		}
		if codes, err = t.makeRecoveryCodes(ctx, userID); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditFactorOn, Target: targetOf(targetUser, userID)})
	})
	return codes, err
}

// NewRecoveryCodes makes new codes, which replace those there were.
func (s *Store) NewRecoveryCodes(ctx context.Context, userID int) (codes []string, err error) {
	err = s.db.inTx(ctx, func(t tx) error {
		if codes, err = t.makeRecoveryCodes(ctx, userID); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditCodesMade, Target: targetOf(targetUser, userID)})
	})
	return codes, err
}

func (t tx) makeRecoveryCodes(ctx context.Context, userID int) (codes []string, err error) {
	if _, err := t.exec(ctx, "DELETE FROM recovery_codes WHERE user_id = ?", userID); err != nil {
		return nil, err
	}
	for range recoveryCodes {
		text := strings.ToLower(rand.Text())[:16] // 80 bits
		code := strings.Join([]string{text[:4], text[4:8], text[8:12], text[12:]}, "-")
		if _, err := t.exec(ctx, "INSERT INTO recovery_codes (hash, user_id) VALUES (?, ?)", recoveryHash(userID, code), userID); err != nil {
			return nil, err
		}
		codes = append(codes, code)
	}
	return codes, nil
}

func recoveryHash(userID int, code string) []byte {
	return digest(fmt.Sprintf("recovery/%d/%s", userID, plainCode(code)))
}

// plainCode is a code as it counts, however somebody has typed it.
func plainCode(code string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '\u00a0' {
			return -1
		}
		return r
	}, code))
}

// UseCode takes a code of the authenticator of a user, or a recovery code. Each
// is taken once, also of those who show it at the same moment.
func (s *Store) UseCode(ctx context.Context, userID int, code string) error {
	plain := plainCode(code)
	if len(plain) != 6 {
		return s.useRecoveryCode(ctx, userID, plain)
	}
	var row struct {
		Secret string `db:"secret"`
		Last   int64  `db:"last_step"`
	}
	err := s.db.get(ctx, &row, "SELECT secret, last_step FROM second_factors WHERE id = ?", userID)
	if errors.Is(err, sql.ErrNoRows) {
		return errWrongCode()
	}
	var secret report.Secret
	if err == nil {
		secret, err = s.Unseal(factorPlace(userID), row.Secret)
	}
	if err != nil {
		return err
	}
	step := totpStepOf(secret, plain, s.clock(), row.Last)
	if step == 0 {
		return errWrongCode()
	}
	n, err := s.db.exec(ctx, "UPDATE second_factors SET last_step = ? WHERE id = ? AND last_step < ?", step, userID, step)
	if err == nil && n == 0 {
		err = errWrongCode()
	}
	return err
}

func (s *Store) useRecoveryCode(ctx context.Context, userID int, code string) error {
	return s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, "DELETE FROM recovery_codes WHERE hash = ? AND user_id = ?", recoveryHash(userID, code), userID)
		if err != nil {
			return err
		}
		if n == 0 {
			return errWrongCode()
		}
		var left int
		if err := t.get(ctx, &left, "SELECT COUNT(*) FROM recovery_codes WHERE user_id = ?", userID); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditCodeUsed, Target: targetOf(targetUser, userID), Detail: map[string]any{"left": left}})
	})
}

// RemoveAuthenticator takes the authenticator of a user away; passkeys stay, and
// the recovery codes with them. None is no error.
func (s *Store) RemoveAuthenticator(ctx context.Context, userID int) error {
	return s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, "DELETE FROM second_factors WHERE id = ?", userID)
		if err != nil || n == 0 {
			return err
		}
		if err := t.dropLoneCodes(ctx, userID); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditFactorOff, Target: targetOf(targetUser, userID)})
	})
}

// RemoveSecondFactor takes all away that a user has besides the password: the
// authenticator, passkeys and recovery codes; none is no error.
func (s *Store) RemoveSecondFactor(ctx context.Context, userID int) error {
	return s.db.inTx(ctx, func(t tx) error {
		if _, err := t.exec(ctx, "DELETE FROM recovery_codes WHERE user_id = ?", userID); err != nil {
			return err
		}
		n, err := t.exec(ctx, "DELETE FROM second_factors WHERE id = ?", userID)
		if err != nil {
			return err
		}
		keys, err := t.exec(ctx, "DELETE FROM passkeys WHERE user_id = ?", userID)
		if err != nil || n+keys == 0 {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditFactorOff, Target: targetOf(targetUser, userID), Detail: map[string]any{"passkeys": keys}})
	})
}
