package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"

	"github.com/quire-reports/quire/report"
)

// errNoSignIn is a sign-in that nobody has begun, or that was answered before.
var errNoSignIn = report.NotFoundf("there is no such sign-in")

func postedPlace(hash []byte) string { return "posted-sign-ins/" + hex.EncodeToString(hash) }

// BeginPosted remembers the request of a sign-in under a state that nobody can
// guess, for a browser that comes back with a form.
func (s *Store) BeginPosted(ctx context.Context, state, provider, request string, until time.Time) error {
	_, err := s.db.exec(ctx, "INSERT INTO posted_sign_ins (hash, provider, request, answered, expires_at) VALUES (?, ?, ?, ?, ?)",
		digest(state), provider, request, false, until.UnixMilli())
	return err
}

// TakePosted gives the request of a sign-in at a provider to the first of all
// processes that asks; to others it is NotFound.
func (s *Store) TakePosted(ctx context.Context, state, provider string) (request string, err error) {
	err = s.db.fetch(ctx, &request, "UPDATE posted_sign_ins SET answered = ? WHERE hash = ? AND provider = ? AND NOT answered AND expires_at > ? RETURNING request",
		true, digest(state), provider, s.now())
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoSignIn
	}
	return request, err
}

// KeepPosted keeps what came of a sign-in for the browser that began it.
func (s *Store) KeepPosted(ctx context.Context, state string, outcome report.Secret) error {
	hash := digest(state)
	_, err := s.db.exec(ctx, "UPDATE posted_sign_ins SET answer = ? WHERE hash = ? AND answered", s.Seal(postedPlace(hash), outcome), hash)
	return err
}

// FetchPosted gives what came of a sign-in, once; NotFound when there is nothing.
func (s *Store) FetchPosted(ctx context.Context, state, provider string) (report.Secret, error) {
	var sealed string
	hash := digest(state)
	err := s.db.fetch(ctx, &sealed, "DELETE FROM posted_sign_ins WHERE hash = ? AND provider = ? AND answer <> '' AND expires_at > ? RETURNING answer", hash, provider, s.now())
	if errors.Is(err, sql.ErrNoRows) {
		return "", errNoSignIn
	}
	if err != nil {
		return "", err
	}
	return s.Unseal(postedPlace(hash), sealed)
}

// ProviderKey is the key with which requests to a provider are signed. The first
// of all processes that needs it makes it.
func (s *Store) ProviderKey(ctx context.Context, provider string, fresh func() (string, error)) (string, error) {
	place := "provider-keys/" + provider
	find := func() (string, error) {
		var sealed string
		if err := s.db.fetch(ctx, &sealed, "SELECT secret FROM provider_keys WHERE provider = ?", provider); err != nil {
			return "", err
		}
		secret, err := s.Unseal(place, sealed)
		return secret.Reveal(), err
	}
	key, err := find()
	if !errors.Is(err, sql.ErrNoRows) {
		return key, err
	}
	if key, err = fresh(); err != nil {
		return "", err
	}
	_, err = s.db.exec(ctx, "INSERT INTO provider_keys (provider, secret, created_at) VALUES (?, ?, ?) ON CONFLICT (provider) DO NOTHING", provider, s.Seal(place, report.Secret(key)), s.now())
	if err != nil {
		return "", err
	}
	return find()
}
