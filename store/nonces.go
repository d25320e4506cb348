package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/quire-reports/quire/report"
)

// NonceLifetime is how long a nonce can be turned into a preview session.
const NonceLifetime = time.Minute

// errNoNonce is a nonce that is not there (any more).
var errNoNonce = errors.New("no such nonce")

// nonces remembers what a nonce was made for. take gives it out once, also when
// many ask at the same moment.
type nonces interface {
	put(ctx context.Context, key []byte, g Grant, expires time.Time) error
	take(ctx context.Context, key []byte, now time.Time) (*Grant, error)
	look(ctx context.Context, key []byte, now time.Time) (*Grant, error)
}

// CreateNonce makes a nonce of 190 random bits.
func (s *Store) CreateNonce(ctx context.Context, g Grant) (string, error) {
	nonce := randomText(32)
	err := s.nonces.put(ctx, digest(nonce), g, s.clock().Add(NonceLifetime))
	if err != nil {
		return "", orNoReference(err, "user %d or the access token does not exist", g.UserID)
	}
	s.Note(ctx, Event{Action: AuditNonceCreated, WorkspaceID: g.Scope.Workspace, Target: targetOf(targetUser, g.UserID), Detail: g.Scope.told()})
	return nonce, nil
}

// TakeNonce uses a nonce up and tells what it was made for, and for whom. A
// used, expired or unknown one is a NotFound, and one whose access token or
// user's epoch has ended.
func (s *Store) TakeNonce(ctx context.Context, nonce string) (*Grant, *User, error) {
	g, err := s.nonces.take(ctx, digest(nonce), s.clock())
	return s.granted(ctx, g, err)
}

// LookAtNonce is TakeNonce that leaves the nonce to be used.
func (s *Store) LookAtNonce(ctx context.Context, nonce string) (*Grant, *User, error) {
	g, err := s.nonces.look(ctx, digest(nonce), s.clock())
	return s.granted(ctx, g, err)
}

func (s *Store) granted(ctx context.Context, g *Grant, err error) (*Grant, *User, error) {
	if errors.Is(err, errNoNonce) {
		return nil, nil, nonceProblem()
	}
	if err != nil {
		return nil, nil, err
	}
	u, err := s.grantUser(ctx, g)
	if err == nil && u == nil {
		err = nonceProblem()
	}
	return g, u, err
}

// nonceProblem says no more than that a nonce is of no use.
func nonceProblem() error {
	return report.NotFoundf("the nonce is unknown, used or expired")
}

// sqlNonces keeps nonces in a table.
type sqlNonces struct{ db *database }

func (n sqlNonces) put(ctx context.Context, key []byte, g Grant, expires time.Time) error {
	scope, err := g.Scope.text()
	if err != nil {
		return err
	}
	_, err = n.db.exec(ctx, "INSERT INTO nonces (hash, user_id, token_id, epoch, scope, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
		key, g.UserID, idOrNil(g.TokenID), g.Epoch, scope, expires.UnixMilli())
	return err
}

type nonceRow struct {
	UserID  int    `db:"user_id"`
	TokenID *int   `db:"token_id"`
	Epoch   int    `db:"epoch"`
	Scope   string `db:"scope"`
	Expires int64  `db:"expires_at"`
}

const nonceColumns = "user_id, token_id, epoch, scope, expires_at"

// take deletes the row: of racing deletes of one row, one finds it.
func (n sqlNonces) take(ctx context.Context, key []byte, now time.Time) (*Grant, error) {
	var row nonceRow
	err := n.db.fetch(ctx, &row, "DELETE FROM nonces WHERE hash = ? RETURNING "+nonceColumns, key)
	return row.grant(now, err)
}

func (n sqlNonces) look(ctx context.Context, key []byte, now time.Time) (*Grant, error) {
	var row nonceRow
	err := n.db.get(ctx, &row, "SELECT "+nonceColumns+" FROM nonces WHERE hash = ?", key)
	return row.grant(now, err)
}

func (r *nonceRow) grant(now time.Time, err error) (*Grant, error) {
	if errors.Is(err, sql.ErrNoRows) || err == nil && r.Expires <= now.UnixMilli() {
		return nil, errNoNonce
	}
	if err != nil {
		return nil, err
	}
	g := Grant{UserID: r.UserID, Epoch: r.Epoch}
	if r.TokenID != nil {
		g.TokenID = *r.TokenID
	}
	g.Scope, err = readScope(r.Scope)
	return &g, err
}
