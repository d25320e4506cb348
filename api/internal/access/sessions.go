package access

import (
	"context"
	"net/http"
	"time"

	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Sessions are the sign-ins of people.
type Sessions struct {
	kept    SessionStore
	cookies Cookies
}

// SessionStore keeps sign-ins. *store.Store is one.
type SessionStore interface {
	CreateSessionFrom(ctx context.Context, u *store.User, browser, address string, from store.Origin) (value string, expires time.Time, err error)
	SessionOrigin(ctx context.Context, value string) (store.Origin, error)
	SessionUser(ctx context.Context, value, browser, address string) (*store.User, *store.Session, error)
	EndSession(ctx context.Context, value string) error
	EndSessionsOf(ctx context.Context, userID int, but string) error
	ForgetDevices(ctx context.Context, userID int, but []string) error
}

// NewSessions keeps sign-ins in a store.
func NewSessions(kept SessionStore, cookies Cookies) *Sessions {
	return &Sessions{kept, cookies}
}

// SignInFrom begins a session for a user and sets its cookie. What session
// there was before ends.
func (s *Sessions) SignInFrom(w http.ResponseWriter, r *http.Request, u *store.User, from store.Origin) error {
	if before := valueOf(r, SessionCookie); before != "" {
		if err := s.kept.EndSession(r.Context(), before); err != nil {
			return err
		}
	}
	value, expires, err := s.kept.CreateSessionFrom(r.Context(), u, r.UserAgent(), answer.TraceOf(r.Context()).Address, from)
	if err != nil {
		return err
	}
	http.SetCookie(w, s.cookies.session(r, value, expires))
	return nil
}

// SignOut ends the session of a request.
func (s *Sessions) SignOut(w http.ResponseWriter, r *http.Request) error {
	http.SetCookie(w, s.cookies.session(r, "", time.Time{}))
	return s.kept.EndSession(r.Context(), valueOf(r, SessionCookie))
}

// Origin is where the session of a request comes from.
func (s *Sessions) Origin(r *http.Request) (store.Origin, error) {
	return s.kept.SessionOrigin(r.Context(), valueOf(r, SessionCookie))
}

// Keep lets a browser keep what it needs to come back from a provider; an empty
// value forgets it.
func (s *Sessions) Keep(w http.ResponseWriter, r *http.Request, value string, expires time.Time) {
	s.KeepAs(PendingCookie, w, r, value, expires)
}

// Kept is what Keep has left.
func (s *Sessions) Kept(r *http.Request) string { return valueOf(r, PendingCookie) }

// KeepAs is Keep in another cookie.
func (s *Sessions) KeepAs(cookie string, w http.ResponseWriter, r *http.Request, value string, expires time.Time) {
	http.SetCookie(w, s.cookies.cookie(cookie, value, expires, s.cookies.secure(r)))
}

// KeptAs is what KeepAs has left.
func (s *Sessions) KeptAs(cookie string, r *http.Request) string { return valueOf(r, cookie) }

// EndOthers ends all sessions of a user but that of the request, and forgets
// the other browsers.
func (s *Sessions) EndOthers(r *http.Request, userID int) error {
	if err := s.kept.EndSessionsOf(r.Context(), userID, valueOf(r, SessionCookie)); err != nil {
		return err
	}
	return s.kept.ForgetDevices(r.Context(), userID, Devices(r))
}

// Current names the session of a request; empty without one.
func (s *Sessions) Current(r *http.Request) (string, error) {
	_, session, err := s.find(r)
	if session == nil {
		return "", err
	}
	return session.Ref, err
}

// user is the user who signed in, or nil. A changed password or a blocked
// account ends the session.
func (s *Sessions) user(r *http.Request) (*store.User, error) {
	user, _, err := s.find(r)
	return user, err
}

func (s *Sessions) find(r *http.Request) (*store.User, *store.Session, error) {
	value := valueOf(r, SessionCookie)
	if value == "" {
		return nil, nil, nil
	}
	user, session, err := s.kept.SessionUser(r.Context(), value, r.UserAgent(), answer.TraceOf(r.Context()).Address)
	if isKind(err, report.NotFound) {
		return nil, nil, nil
	}
	return user, session, err
}

func valueOf(r *http.Request, cookie string) string {
	c, err := r.Cookie(cookie)
	if err != nil {
		return ""
	}
	return c.Value
}
