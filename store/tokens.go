package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
)

// Personal access tokens: the prefix lets people and scanners recognise one.
const (
	tokenPrefix = "qrt_"
	tokenLength = 40
	// useEvery bounds how often the last use of a token is written.
	useEvery = time.Minute
)

// Token is a personal access token as people see it later: not the token
// itself, only its last four characters.
type Token struct {
	ID        int
	UserID    int
	Owner     string // address of the user
	Name      string
	Ending    string
	Workspace string // name of the only one that it opens; empty: all
	Reach     Reach
	Created   time.Time
	Expires   *time.Time
	LastUsed  *time.Time
	Stopped   bool // until its owner signs in at the provider
}

// NewToken is what a token is made from.
type NewToken struct {
	Name    string
	Expires *time.Time
	Reach   Reach
}

// CreateToken makes a token for a user and returns it; it cannot be read again.
func (s *Store) CreateToken(ctx context.Context, userID int, n NewToken) (string, error) {
	n.Name = strings.TrimSpace(n.Name)
	switch {
	case n.Name == "" || len(n.Name) > 200:
		return "", report.Problemf("name", "a token needs a name of at most 200 bytes")
	case n.Expires != nil && !n.Expires.After(s.clock()):
		return "", report.Problemf("expires", "%s is in the past", n.Expires.Format(time.RFC3339))
	}
	token := tokenPrefix + randomText(tokenLength)
	err := s.db.inTx(ctx, func(t tx) error {
		var id int
		err := t.get(ctx, &id, `INSERT INTO tokens (user_id, name, hash, ending, workspace_id, scopes, created_at, expires_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
			userID, n.Name, digest(token), token[len(token)-4:], idOrNil(n.Reach.WorkspaceID), n.Reach.Scopes.String(), s.now(), toMillisOrNil(n.Expires))
		if err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditTokenCreated, Target: targetOf(targetToken, id), Detail: map[string]any{
			"user": userID, "expires": (*report.Timestamp)(n.Expires), "workspace": idOrNil(n.Reach.WorkspaceID), "scopes": n.Reach.Scopes.Names(),
		}})
	})
	if err != nil {
		return "", orNoReference(err, "user %d or workspace %d does not exist", userID, n.Reach.WorkspaceID)
	}
	return token, nil
}

// UserByToken finds the active user a token belongs to, as far as it reaches, and
// the token's number.
// It is one indexed read and nothing is remembered, so a revoked token is refused
// at once.
func (s *Store) UserByToken(ctx context.Context, token string) (u *User, tokenID int, err error) {
	if len(token) != len(tokenPrefix)+tokenLength || !strings.HasPrefix(token, tokenPrefix) {
		return nil, 0, errToken()
	}
	var row struct {
		User
		reachRow
		TokenID  int    `db:"token_id"`
		LastUsed *int64 `db:"last_used_at"`
		Came     *int64 `db:"came_at"`
	}
	now := s.now()
	err = s.db.get(ctx, &row, "SELECT "+userColumns+", "+reachColumns+", "+cameColumn+`, t.id AS token_id, t.last_used_at
		FROM tokens t JOIN users u ON u.id = t.user_id
		WHERE t.hash = ? AND u.is_active AND (t.expires_at IS NULL OR t.expires_at > ?)`, digest(token), now)
	if err != nil {
		return nil, 0, orNotFound(err, "%s", errToken().Message)
	}
	if s.stayedAway(row.Came) {
		return nil, 0, report.NotFoundf("the owner of the access token has not signed in at the provider for %d days; it works again when they do", s.TokenIdleDays())
	}
	if row.Reach, err = row.reach(); err != nil {
		return nil, 0, err
	}
	if row.LastUsed == nil || now-*row.LastUsed >= useEvery.Milliseconds() {
		s.recordUse(ctx, row.TokenID, now)
	}
	return &row.User, row.TokenID, nil
}

// cameColumn is when a user last signed in at a provider; NULL is one whom no
// provider knows, such as a service account.
const cameColumn = "(SELECT MAX(i.signed_in_at) FROM identities i WHERE i.user_id = u.id) AS came_at"

// stayedAway tells of somebody whose access tokens and previews have stopped, as
// the provider that knows them has not seen them for too long. They go on when it does.
func (s *Store) stayedAway(came *int64) bool {
	return s.tokenIdle > 0 && came != nil && *came < s.clock().Add(-s.tokenIdle).UnixMilli()
}

// TokenIdleDays is for how many days access tokens go on without a sign-in at the
// provider; 0: without end.
func (s *Store) TokenIdleDays() int { return int(s.tokenIdle / (24 * time.Hour)) }

func errToken() *report.Problem {
	return report.NotFoundf("the access token is unknown, expired or revoked")
}

// recordUse writes when a token was used; of many requests at once one writes.
// That it cannot be written is no reason to refuse the caller.
func (s *Store) recordUse(ctx context.Context, tokenID int, now int64) {
	_, err := s.db.exec(ctx, "UPDATE tokens SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)",
		now, tokenID, now-useEvery.Milliseconds())
	if err != nil {
		s.log.WarnContext(ctx, "the last use of a token was not recorded", "token", tokenID, "error", err)
	}
}

type tokenRow struct {
	reachRow
	ID        int    `db:"id"`
	UserID    int    `db:"user_id"`
	Owner     string `db:"owner"`
	Name      string `db:"name"`
	Ending    string `db:"ending"`
	Workspace string `db:"workspace"`
	Created   int64  `db:"created_at"`
	Expires   *int64 `db:"expires_at"`
	LastUsed  *int64 `db:"last_used_at"`
	Came      *int64 `db:"came_at"`
}

func (r *tokenRow) token() (Token, error) {
	reach, err := r.reach()
	return Token{
		ID: r.ID, UserID: r.UserID, Owner: r.Owner, Name: r.Name, Ending: r.Ending, Workspace: r.Workspace, Reach: reach,
		Created: fromMillis(r.Created), Expires: fromMillisOrNil(r.Expires), LastUsed: fromMillisOrNil(r.LastUsed),
	}, err
}

const tokenSelect = "SELECT t.id, t.user_id, u.email AS owner, t.name, t.ending, COALESCE(w.name, '') AS workspace, " + reachColumns + ", " + cameColumn + `, t.created_at, t.expires_at, t.last_used_at
	FROM tokens t JOIN users u ON u.id = t.user_id LEFT JOIN workspaces w ON w.id = t.workspace_id `

func (s *Store) tokens(ctx context.Context, rest string, args ...any) ([]Token, error) {
	var rows []tokenRow
	if err := s.db.list(ctx, &rows, tokenSelect+rest, args...); err != nil {
		return nil, err
	}
	tokens := make([]Token, len(rows))
	for i := range rows {
		var err error
		if tokens[i], err = rows[i].token(); err != nil {
			return nil, err
		}
		tokens[i].Stopped = s.stayedAway(rows[i].Came)
	}
	return tokens, nil
}

// Tokens lists a user's tokens, newest first, expired ones included.
func (s *Store) Tokens(ctx context.Context, userID int) ([]Token, error) {
	return s.tokens(ctx, "WHERE t.user_id = ? ORDER BY t.id DESC", userID)
}

// AllTokens lists those of everybody, newest first; search is a part of the name
// or of the owner's address, whatever its case and accents.
func (s *Store) AllTokens(ctx context.Context, search string) ([]Token, error) {
	all, err := s.tokens(ctx, "ORDER BY t.id DESC")
	return slices.DeleteFunc(all, func(t Token) bool { return !contains(t.Name, search) && !contains(t.Owner, search) }), err
}

// WithdrawToken removes a token, whoever owns it.
func (s *Store) WithdrawToken(ctx context.Context, tokenID int) error {
	var userID int
	if err := s.db.get(ctx, &userID, "SELECT user_id FROM tokens WHERE id = ?", tokenID); err != nil {
		return orNotFound(err, "token %d does not exist", tokenID)
	}
	return s.RevokeToken(ctx, userID, tokenID)
}

// RevokeToken removes one of a user's tokens.
func (s *Store) RevokeToken(ctx context.Context, userID, tokenID int) error {
	return s.db.inTx(ctx, func(t tx) error {
		var name string
		err := t.get(ctx, &name, "DELETE FROM tokens WHERE id = ? AND user_id = ? RETURNING name", tokenID, userID)
		if err != nil {
			return orNotFound(err, "token %d does not exist", tokenID)
		}
		return s.record(ctx, t, Event{Action: AuditTokenRevoked, Target: Target{targetToken, strconv.Itoa(tokenID), name}, Detail: map[string]any{"user": userID}})
	})
}
