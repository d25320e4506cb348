package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// DeviceLifetime is how long a browser stays known after the last sign-in.
const DeviceLifetime = 180 * 24 * time.Hour

// mostDevices bounds the known browsers of a user; the oldest are forgotten.
const mostDevices = 50

// KnownDevice tells which of the values that a browser shows was made for the
// account with an address; empty: none is.
func (s *Store) KnownDevice(ctx context.Context, email string, values []string) (string, error) {
	for _, value := range values {
		var known bool
		err := s.db.get(ctx, &known, `SELECT TRUE FROM devices d JOIN users u ON u.id = d.user_id
			WHERE d.hash = ? AND d.expires_at > ? AND d.epoch = u.epoch AND u.email_key = ? AND u.is_active`, digest(value), s.now(), emailKey(email))
		switch {
		case known:
			return value, nil
		case err != nil && !errors.Is(err, sql.ErrNoRows):
			return "", err
		}
	}
	return "", nil
}

// AddDevice makes the value by which the browser of a user is known from now
// on, instead of the one it had before, if any.
func (s *Store) AddDevice(ctx context.Context, u *User, before string) (value string, expires time.Time, err error) {
	value, expires = randomText(40), s.clock().Add(DeviceLifetime)
	err = s.db.inTx(ctx, func(t tx) error {
		if _, err := t.exec(ctx, "DELETE FROM devices WHERE hash = ? AND user_id = ?", digest(before), u.ID); err != nil {
			return err
		}
		if _, err := t.exec(ctx, "INSERT INTO devices (hash, user_id, epoch, expires_at) VALUES (?, ?, ?, ?)", digest(value), u.ID, u.Epoch, expires.UnixMilli()); err != nil {
			return err
		}
		_, err := t.exec(ctx, `DELETE FROM devices WHERE user_id = ? AND hash NOT IN
			(SELECT hash FROM devices WHERE user_id = ? ORDER BY expires_at DESC LIMIT ?)`, u.ID, u.ID, mostDevices)
		return err
	})
	return value, expires, err
}

// ForgetDevices forgets the browsers of a user but those that show one of the
// values.
func (s *Store) ForgetDevices(ctx context.Context, userID int, but []string) error {
	query, args := "DELETE FROM devices WHERE user_id = ?", []any{userID}
	for _, value := range but {
		query, args = query+" AND hash <> ?", append(args, digest(value))
	}
	return s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, query, args...)
		if err != nil || n == 0 {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditDevicesForgotten, Target: targetOf(targetUser, userID), Detail: map[string]any{"browsers": n}})
	})
}
