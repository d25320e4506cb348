package access

import (
	"context"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// sessionLifetime is how long a sign-in lasts.
const sessionLifetime = 7 * 24 * time.Hour

// Sessions are the sign-ins of people.
type Sessions struct {
	manager *scs.SessionManager
	users   Users
	cookies Cookies
}

// Users finds accounts by their number.
type Users interface {
	UserByID(ctx context.Context, id int) (*store.User, error)
}

// NewSessions keeps sign-ins in a store.
func NewSessions(kept scs.Store, users Users, cookies Cookies) *Sessions {
	// Not scs.New: it starts a goroutine for a store in memory.
	return &Sessions{
		manager: &scs.SessionManager{Lifetime: sessionLifetime, Store: kept, Codec: scs.GobCodec{}},
		users:   users, cookies: cookies,
	}
}

// SignIn begins a session for a user and sets its cookie. What session there
// was before ends.
func (s *Sessions) SignIn(w http.ResponseWriter, r *http.Request, u *store.User) error {
	ctx, err := s.manager.Load(r.Context(), valueOf(r, SessionCookie))
	if err != nil {
		return err
	}
	if err := s.manager.RenewToken(ctx); err != nil {
		return err
	}
	s.manager.Put(ctx, "user", u.ID)
	s.manager.Put(ctx, "epoch", u.Epoch)
	token, expires, err := s.manager.Commit(ctx)
	if err != nil {
		return err
	}
	http.SetCookie(w, s.cookies.session(r, token, expires))
	return nil
}

// SignOut ends the session of a request.
func (s *Sessions) SignOut(w http.ResponseWriter, r *http.Request) error {
	http.SetCookie(w, s.cookies.session(r, "", time.Time{}))
	ctx, err := s.manager.Load(r.Context(), valueOf(r, SessionCookie))
	if err != nil {
		return err
	}
	return s.manager.Destroy(ctx)
}

// user is who signed in, or nil. A changed password or a blocked account ends
// the session.
func (s *Sessions) user(r *http.Request) (*store.User, error) {
	cookie := valueOf(r, SessionCookie)
	if cookie == "" {
		return nil, nil
	}
	ctx, err := s.manager.Load(r.Context(), cookie)
	if err != nil {
		return nil, err
	}
	id := s.manager.GetInt(ctx, "user")
	if id == 0 {
		return nil, nil
	}
	u, err := s.users.UserByID(r.Context(), id)
	if isKind(err, report.NotFound) || err == nil && u.Epoch != s.manager.GetInt(ctx, "epoch") {
		return nil, nil
	}
	return u, err
}

func valueOf(r *http.Request, cookie string) string {
	c, err := r.Cookie(cookie)
	if err != nil {
		return ""
	}
	return c.Value
}
