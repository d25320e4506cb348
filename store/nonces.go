package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// NonceLifetime is how long a nonce can be turned into a preview session.
const NonceLifetime = time.Minute

// errNoNonce is a nonce that is not there (any more).
var errNoNonce = errors.New("no such nonce")

// nonces remembers who a nonce was made for. take gives it out once, also when
// many ask at the same moment.
type nonces interface {
	put(ctx context.Context, key []byte, userID int, expires time.Time) error
	take(ctx context.Context, key []byte, now time.Time) (userID int, err error)
	look(ctx context.Context, key []byte, now time.Time) (userID int, err error)
}

// CreateNonce makes a nonce of 190 random bits for a user.
func (s *Store) CreateNonce(ctx context.Context, userID int) (string, error) {
	nonce := randomText(32)
	err := s.nonces.put(ctx, digest(nonce), userID, s.clock().Add(NonceLifetime))
	if err != nil {
		return "", orNoReference(err, "user %d does not exist", userID)
	}
	return nonce, nil
}

// TakeNonce uses a nonce up and tells who it was made for. A used, expired or
// unknown one is a NotFound.
func (s *Store) TakeNonce(ctx context.Context, nonce string) (userID int, err error) {
	userID, err = s.nonces.take(ctx, digest(nonce), s.clock())
	if errors.Is(err, errNoNonce) {
		return 0, nonceProblem()
	}
	return userID, err
}

// LookAtNonce is TakeNonce that leaves the nonce to be used.
func (s *Store) LookAtNonce(ctx context.Context, nonce string) (userID int, err error) {
	userID, err = s.nonces.look(ctx, digest(nonce), s.clock())
	if errors.Is(err, errNoNonce) {
		return 0, nonceProblem()
	}
	return userID, err
}

// sqlNonces keeps nonces in a table.
type sqlNonces struct{ db *database }

func (n sqlNonces) put(ctx context.Context, key []byte, userID int, expires time.Time) error {
	_, err := n.db.exec(ctx, "INSERT INTO nonces (hash, user_id, expires_at) VALUES (?, ?, ?)", key, userID, expires.UnixMilli())
	return err
}

type nonceRow struct {
	UserID  int   `db:"user_id"`
	Expires int64 `db:"expires_at"`
}

// take deletes the row: of racing deletes of one row, one finds it.
func (n sqlNonces) take(ctx context.Context, key []byte, now time.Time) (int, error) {
	var row nonceRow
	err := n.db.fetch(ctx, &row, "DELETE FROM nonces WHERE hash = ? RETURNING user_id, expires_at", key)
	return row.user(now, err)
}

func (n sqlNonces) look(ctx context.Context, key []byte, now time.Time) (int, error) {
	var row nonceRow
	err := n.db.get(ctx, &row, "SELECT user_id, expires_at FROM nonces WHERE hash = ?", key)
	return row.user(now, err)
}

func (r *nonceRow) user(now time.Time, err error) (int, error) {
	if errors.Is(err, sql.ErrNoRows) || err == nil && r.Expires <= now.UnixMilli() {
		return 0, errNoNonce
	}
	return r.UserID, err
}
