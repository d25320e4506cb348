package store

import (
	"context"
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

// Token is a personal access token as its owner sees it later: not the token
// itself, only its last four characters.
type Token struct {
	ID       int
	Name     string
	Ending   string
	Created  time.Time
	Expires  *time.Time
	LastUsed *time.Time
}

// CreateToken makes a token for a user and returns it; it cannot be read again.
func (s *Store) CreateToken(ctx context.Context, userID int, name string, expires *time.Time) (string, error) {
	name = strings.TrimSpace(name)
	switch {
	case name == "" || len(name) > 200:
		return "", report.Problemf("name", "a token needs a name of at most 200 bytes")
	case expires != nil && !expires.After(s.clock()):
		return "", report.Problemf("expires", "%s is in the past", expires.Format(time.RFC3339))
	}
	token := tokenPrefix + randomText(tokenLength)
	err := s.db.inTx(ctx, func(t tx) error {
		var id int
		err := t.get(ctx, &id, "INSERT INTO tokens (user_id, name, hash, ending, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
			userID, name, digest(token), token[len(token)-4:], s.now(), toMillisOrNil(expires))
		if err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditTokenCreated, Target: targetOf(targetToken, id), Detail: map[string]any{"user": userID, "expires": expires}})
	})
	if err != nil {
		return "", orNoReference(err, "user %d does not exist", userID)
	}
	return token, nil
}

// UserByToken finds the active user a token belongs to, and the token's number.
// It is one indexed read and nothing is remembered, so a revoked token is refused
// at once.
func (s *Store) UserByToken(ctx context.Context, token string) (u *User, tokenID int, err error) {
	if len(token) != len(tokenPrefix)+tokenLength || !strings.HasPrefix(token, tokenPrefix) {
		return nil, 0, errToken()
	}
	var row struct {
		User
		TokenID  int    `db:"token_id"`
		LastUsed *int64 `db:"last_used_at"`
	}
	now := s.now()
	err = s.db.get(ctx, &row, "SELECT "+userColumns+`, t.id AS token_id, t.last_used_at
		FROM tokens t JOIN users u ON u.id = t.user_id
		WHERE t.hash = ? AND u.is_active AND (t.expires_at IS NULL OR t.expires_at > ?)`, digest(token), now)
	if err != nil {
		return nil, 0, orNotFound(err, "%s", errToken().Message)
	}
	if row.LastUsed == nil || now-*row.LastUsed >= useEvery.Milliseconds() {
		s.recordUse(ctx, row.TokenID, now)
	}
	return &row.User, row.TokenID, nil
}

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

// Tokens lists a user's tokens, newest first, expired ones included.
func (s *Store) Tokens(ctx context.Context, userID int) ([]Token, error) {
	var rows []struct {
		ID       int    `db:"id"`
		Name     string `db:"name"`
		Ending   string `db:"ending"`
		Created  int64  `db:"created_at"`
		Expires  *int64 `db:"expires_at"`
		LastUsed *int64 `db:"last_used_at"`
	}
	err := s.db.list(ctx, &rows, "SELECT id, name, ending, created_at, expires_at, last_used_at FROM tokens WHERE user_id = ? ORDER BY id DESC", userID)
	if err != nil {
		return nil, err
	}
	tokens := make([]Token, len(rows))
	for i, r := range rows {
		tokens[i] = Token{r.ID, r.Name, r.Ending, fromMillis(r.Created), fromMillisOrNil(r.Expires), fromMillisOrNil(r.LastUsed)}
	}
	return tokens, nil
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
