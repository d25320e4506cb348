package access

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Store finds callers and what they may do. *store.Store is one.
type Store interface {
	Users
	UserByToken(ctx context.Context, token string) (*store.User, error)
	TakeNonce(ctx context.Context, nonce string) (userID int, err error)
	LookAtNonce(ctx context.Context, nonce string) (userID int, err error)
	CreatePreviewSession(ctx context.Context, userID int) (value string, expires time.Time, err error)
	PreviewSession(ctx context.Context, value string) (*store.User, error)
	Workspaces(ctx context.Context, u *store.User) ([]store.Workspace, error)
	Enter(ctx context.Context, u *store.User, ref string) (*store.Access, error)
}

// Gate lets requests pass, or not.
type Gate struct {
	Store    Store
	Sessions *Sessions
	Cookies  Cookies
	Limits   *Limiter // requests of one user; nil means no limit
	// CrossOrigin refuses forms that pages of others send with our cookies.
	CrossOrigin *http.CrossOriginProtection
}

// Guard lets through whom a need admits; the others get what refuse writes.
func (g *Gate) Guard(need Need, refuse func(http.ResponseWriter, *http.Request, error), next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller, err := g.admit(w, r, need)
		if err != nil {
			refuse(w, r, err)
			return
		}
		if caller.User != nil {
			answer.TraceOf(r.Context()).UserID = caller.User.ID
		}
		next.ServeHTTP(w, r.WithContext(withCaller(r.Context(), caller)))
	})
}

func (g *Gate) admit(w http.ResponseWriter, r *http.Request, need Need) (*Caller, error) {
	if need.Open || need.Ways&Session != 0 {
		if err := g.sameOrigin(r); err != nil {
			return nil, err
		}
	}
	if need.Open {
		return &Caller{}, nil
	}
	var refused error
	for _, way := range g.ways() {
		if need.Ways&way.kind == 0 {
			continue
		}
		caller, err := g.try(w, r, need, way)
		if caller != nil || err != nil && way.final(r) {
			return caller, err
		}
		if refused == nil || err != nil && !isUnauthenticated(err) {
			refused = err
		}
	}
	if refused == nil {
		refused = answer.Unauthenticated(howToSignIn(need))
	}
	return nil, refused
}

// way finds a user by one kind of credentials; nil without an error means that
// the request has none of the kind.
type way struct {
	kind Way
	find func(http.ResponseWriter, *http.Request) (*store.User, error)
}

// final tells that a request shows credentials of this kind on purpose, so
// that no other is tried.
func (v way) final(r *http.Request) bool {
	return v.kind == Token && r.Header.Get("Authorization") != ""
}

// ways are tried in this order. A fresh nonce wins over cookies; a used one
// does not lock out a browser that turned it into a cookie and loads again.
func (g *Gate) ways() []way {
	return []way{
		{Token, g.byToken},
		{Preview, g.byNonce},
		{Session, func(_ http.ResponseWriter, r *http.Request) (*store.User, error) { return g.Sessions.user(r) }},
		{Preview, g.byPreview},
	}
}

func (g *Gate) try(w http.ResponseWriter, r *http.Request, need Need, v way) (*Caller, error) {
	user, err := v.find(w, r)
	if err != nil || user == nil {
		return nil, err
	}
	if g.Limits != nil {
		if err := g.Limits.Take(user.ID); err != nil {
			return nil, err
		}
	}
	entered, err := g.enter(r, user, need)
	if err != nil {
		return nil, err
	}
	return &Caller{Access: *entered, Way: v.kind}, nil
}

// enter holds a need against what a user may.
func (g *Gate) enter(r *http.Request, user *store.User, need Need) (*store.Access, error) {
	switch need.Place {
	case Workspace:
		entered, err := g.enterWorkspace(r.Context(), user, mux.Vars(r)["workspaceId"])
		if err != nil || need.Own {
			return entered, err
		}
		return entered, entered.Require(need.Category, need.Level)
	case Anywhere:
		return g.enterAny(r.Context(), user, need)
	case Root:
		if !user.IsRoot {
			return nil, forbidden("this is for root users only")
		}
		if ref, named := mux.Vars(r)["workspaceId"]; named {
			return g.enterWorkspace(r.Context(), user, ref)
		}
	}
	return &store.Access{User: user}, nil
}

// enterWorkspace asks the store only for what can be a workspace: databases
// refuse broken text with errors of their own.
func (g *Gate) enterWorkspace(ctx context.Context, user *store.User, ref string) (*store.Access, error) {
	if !report.IsID(ref) && !report.IsCode(ref) {
		return nil, report.NotFoundf("workspace %q does not exist", ref)
	}
	return g.Store.Enter(ctx, user, ref)
}

func (g *Gate) enterAny(ctx context.Context, user *store.User, need Need) (*store.Access, error) {
	if user.IsRoot {
		return &store.Access{User: user}, nil
	}
	workspaces, err := g.Store.Workspaces(ctx, user)
	if err != nil {
		return nil, err
	}
	refused := forbidden("this needs a role with " + need.Level.String() + " on " + string(need.Category) + " in at least one workspace; you have none")
	for _, ws := range workspaces {
		entered, err := g.Store.Enter(ctx, user, ws.Code)
		if err != nil {
			return nil, err
		}
		if refused = entered.Require(need.Category, need.Level); refused == nil {
			return &store.Access{User: user}, nil
		}
	}
	return nil, refused
}

func (g *Gate) sameOrigin(r *http.Request) error {
	if r.Header.Get("Authorization") != "" || g.CrossOrigin.Check(r) == nil {
		return nil
	}
	return forbidden("this form was sent from a page of another site; open it here and send it again")
}

func howToSignIn(need Need) string {
	if need.Ways&Preview != 0 {
		return "not signed in: send Authorization: Bearer with a personal access token, or a fresh nonce"
	}
	if need.Ways&Token != 0 {
		return "not signed in: send Authorization: Bearer with a personal access token"
	}
	return "not signed in"
}

func isUnauthenticated(err error) bool {
	var refusal *answer.Refusal
	return errors.As(err, &refusal) && refusal.Status == http.StatusUnauthorized
}

func isKind(err error, kind report.Kind) bool {
	var p *report.Problem
	return errors.As(err, &p) && p.Kind == kind
}

// bearer is the token of an Authorization header.
func bearer(header string) (string, bool) {
	scheme, token, _ := strings.Cut(header, " ")
	return strings.TrimSpace(token), strings.EqualFold(scheme, "Bearer")
}
