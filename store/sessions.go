package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Sessions keeps the designer's sessions for alexedwards/scs. Only a digest of
// the cookie's value is stored.
type Sessions struct{ s *Store }

// Sessions is the store to give to scs.
func (s *Store) Sessions() *Sessions { return &Sessions{s} }

// FindCtx reads a session that has not expired.
func (ss *Sessions) FindCtx(ctx context.Context, token string) (data []byte, found bool, err error) {
	err = ss.s.db.get(ctx, &data, "SELECT data FROM sessions WHERE hash = ? AND expires_at > ?", digest(token), ss.s.now())
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	return data, err == nil, err
}

// CommitCtx writes a session.
func (ss *Sessions) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	_, err := ss.s.db.exec(ctx, `INSERT INTO sessions (hash, data, expires_at) VALUES (?, ?, ?)
		ON CONFLICT (hash) DO UPDATE SET data = excluded.data, expires_at = excluded.expires_at`,
		digest(token), data, expiry.UnixMilli())
	return err
}

// DeleteCtx removes a session; a missing one is no error.
func (ss *Sessions) DeleteCtx(ctx context.Context, token string) error {
	_, err := ss.s.db.exec(ctx, "DELETE FROM sessions WHERE hash = ?", digest(token))
	return err
}

// Find is FindCtx for scs's older interface; scs calls FindCtx when it can.
func (ss *Sessions) Find(token string) ([]byte, bool, error) {
	return ss.FindCtx(ss.s.stopped, token)
}

// Commit is CommitCtx for scs's older interface.
func (ss *Sessions) Commit(token string, data []byte, expiry time.Time) error {
	return ss.CommitCtx(ss.s.stopped, token, data, expiry)
}

// Delete is DeleteCtx for scs's older interface.
func (ss *Sessions) Delete(token string) error { return ss.DeleteCtx(ss.s.stopped, token) }
