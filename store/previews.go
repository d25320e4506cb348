package store

import (
	"context"
	"time"

	"github.com/quire-reports/quire/report"
)

// PreviewLifetime is how long a preview session made from a nonce lasts.
const PreviewLifetime = 8 * time.Hour

// CreatePreviewSession makes the value of a preview cookie for a user; whoever
// shows it may read what the user may read, and change nothing.
func (s *Store) CreatePreviewSession(ctx context.Context, userID int) (value string, expires time.Time, err error) {
	value, expires = randomText(40), s.clock().Add(PreviewLifetime)
	_, err = s.db.exec(ctx, "INSERT INTO preview_sessions (hash, user_id, expires_at) VALUES (?, ?, ?)",
		digest(value), userID, expires.UnixMilli())
	return value, expires, orNoReference(err, "user %d does not exist", userID)
}

// PreviewSession finds the active user of a preview cookie.
func (s *Store) PreviewSession(ctx context.Context, value string) (*User, error) {
	var u User
	err := s.db.get(ctx, &u, "SELECT "+userColumns+` FROM preview_sessions p JOIN users u ON u.id = p.user_id
		WHERE p.hash = ? AND p.expires_at > ? AND u.is_active`, digest(value), s.now())
	if err != nil {
		return nil, orNotFound(err, "the preview session is unknown or has expired")
	}
	return &u, nil
}

// EndPreviewSession forgets a preview session.
func (s *Store) EndPreviewSession(ctx context.Context, value string) error {
	_, err := s.db.exec(ctx, "DELETE FROM preview_sessions WHERE hash = ?", digest(value))
	return err
}

// nonceProblem says no more than that a nonce is of no use.
func nonceProblem() error {
	return report.NotFoundf("the nonce is unknown, used or expired")
}
