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
	"github.com/quire-reports/quire/report/budget"
	"github.com/quire-reports/quire/store"
)

// Store finds callers and what they may do. *store.Store is one.
type Store interface {
	Previews
	people
	UserByToken(ctx context.Context, token string) (u *store.User, tokenID int, err error)
	ProvisionerByToken(ctx context.Context, token string) (*store.Provisioner, error)
	Workspaces(ctx context.Context, u *store.User) ([]store.Workspace, error)
	Enter(ctx context.Context, u *store.User, ref string) (*store.Access, error)
}

// Gate lets requests pass, or not.
type Gate struct {
	Store    Store
	Sessions *Sessions
	Cookies  Cookies
	Limits   *Limiter // requests of one user; nil means no limit
	// Provisioning are the requests of one token for provisioning; nil means no
	// limit.
	Provisioning *Limiter
	// CrossOrigin refuses forms that pages of others send with our cookies.
	CrossOrigin *http.CrossOriginProtection
	// Budget is the memory that requests may take; nil means none is counted.
	Budget *budget.Budget
	// Remote is set where the database is a server, which may be away: a pooler keeps
	// questions for minutes then.
	Remote bool
}

// admitTakes is how long it may take to find out who asks where the database may be
// away: each question to it is a small one.
const admitTakes = 5 * time.Second

// limited ends a context after the time that finding out who asks may take.
func (g *Gate) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if g.Remote {
		return context.WithTimeout(ctx, admitTakes)
	}
	return context.WithCancel(ctx)
}

// Guard lets through whom a need admits; the others get what refuse writes.
func (g *Gate) Guard(need Need, refuse func(http.ResponseWriter, *http.Request, error), next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := r.Context()
		limited, cancel := g.limited(asked)
		r = r.WithContext(limited) // not a copy for admit alone, which may read the form
		caller, err := g.admit(w, r, need)
		cancel()
		r = r.WithContext(asked)
		if errors.Is(err, context.DeadlineExceeded) && asked.Err() == nil {
			err = &report.Problem{Kind: report.Busy, Message: "the database is busy or does not answer; try again"}
		}
		if err != nil {
			refuse(w, r, err)
			return
		}
		caller.again = func(r *http.Request) (*Caller, error) { return g.admitAgain(r, need) }
		if caller.User != nil {
			trace := answer.TraceOf(r.Context())
			trace.UserID, trace.Guest = caller.User.ID, caller.Way == Preview
		}
		g.Budget.Wait(r.Context(), workspaceOf(caller))
		ctx, leave := g.Budget.Enter(withCaller(store.WithActor(r.Context(), caller.actor(answer.TraceOf(r.Context()))), caller), workspaceOf(caller))
		defer leave()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// admitAgain is admit for a request that was let in before. Nonces are for once.
func (g *Gate) admitAgain(r *http.Request, need Need) (*Caller, error) {
	ctx, cancel := g.limited(r.Context())
	defer cancel()
	free := *g
	free.Limits = nil
	need.Ways &^= Preview
	return free.admit(nil, r.WithContext(ctx), need)
}

// workspaceOf is whose memory a request takes; what is of no workspace shares
// one account.
func workspaceOf(caller *Caller) int {
	if caller.Workspace == nil {
		return 0
	}
	return caller.Workspace.ID
}

// IsRoot reports whether the caller of an open route is a root user.
func (g *Gate) IsRoot(r *http.Request) bool {
	claims, err := g.byToken(nil, r)
	if len(claims) == 0 && err == nil {
		claims, err = g.bySession(nil, r)
	}
	return err == nil && len(claims) > 0 && claims[0].user.IsRoot && !claims[0].user.Reach.Limited()
}

func (g *Gate) admit(w http.ResponseWriter, r *http.Request, need Need) (*Caller, error) {
	if need.Open && !need.Foreign || need.Ways&Session != 0 {
		if err := g.sameOrigin(r); err != nil {
			return nil, err
		}
	}
	if need.Open {
		return &Caller{}, nil
	}
	if need.Ways == Provisioning {
		return g.provisioner(r)
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

// provisioner lets a program in that shows a token for provisioning.
func (g *Gate) provisioner(r *http.Request) (*Caller, error) {
	token, ok := bearer(r.Header.Get("Authorization"))
	if !ok {
		return nil, answer.Unauthenticated("not signed in: send Authorization: Bearer with a token for provisioning")
	}
	by, err := g.Store.ProvisionerByToken(r.Context(), token)
	if err != nil {
		return nil, unknownIs401(err)
	}
	if g.Provisioning != nil {
		if err := g.Provisioning.Take(by.TokenID); err != nil {
			return nil, err
		}
	}
	return &Caller{Way: Provisioning, Provisioner: by}, nil
}

// way finds who a caller is by one kind of credentials; none without an error
// means that the request has none of the kind.
type way struct {
	kind Way
	find func(http.ResponseWriter, *http.Request) ([]claim, error)
}

// final tells that a request shows credentials of this kind on purpose, so
// that no other is tried.
func (v way) final(r *http.Request) bool {
	return v.kind == Token && r.Header.Get("Authorization") != ""
}

// ways are tried in this order. A fresh nonce wins over cookies; a used one
// does not lock out a browser that turned it into a cookie and loads again, and
// what it was made for wins over who is signed in there.
func (g *Gate) ways() []way {
	return []way{
		{Token, g.byToken},
		{Preview, g.byNonce},
		{Preview, g.byOwnPreview},
		{Session, g.bySession},
		{Preview, g.byPreview},
	}
}

func (g *Gate) bySession(_ http.ResponseWriter, r *http.Request) ([]claim, error) {
	user, err := g.Sessions.user(r)
	return of(user, 0, err)
}

// try lets in by the first claim that may; of the others the first reason counts.
func (g *Gate) try(w http.ResponseWriter, r *http.Request, need Need, v way) (*Caller, error) {
	claims, err := v.find(w, r)
	limited := map[int]error{} // a request counts once for each user
	var refused error
	for _, c := range claims {
		if _, counted := limited[c.user.ID]; g.Limits != nil && !counted {
			limited[c.user.ID] = g.Limits.Take(c.user.ID)
		}
		if err = limited[c.user.ID]; err == nil {
			var caller *Caller
			if caller, err = g.let(r, need, c); err == nil {
				caller.Way = v.kind
				return caller, nil
			}
		}
		if refused == nil {
			refused = err
		}
	}
	if refused == nil {
		refused = err
	}
	return nil, refused
}

// let holds a need, and the limits of a claim, against a request. What a token
// does not reach stays closed for the nonces and previews that come of it.
func (g *Gate) let(r *http.Request, need Need, c claim) (*Caller, error) {
	if err := need.admits(c.user.Reach, r.Method); err != nil {
		return nil, err
	}
	entered, err := g.enter(r, c.user, need)
	if err != nil {
		return nil, err
	}
	caller := &Caller{Access: *entered, Token: c.token, people: g.Store}
	if c.preview == nil {
		return caller, nil
	}
	if need.Place != Workspace {
		return nil, report.NotFoundf("there is nothing at this address")
	}
	scope, err := g.within(r, entered, c.preview.scope)
	if err == nil && c.preview.settle != nil {
		if scope, err = c.preview.settle(scope); err == nil {
			scope, err = g.within(r, entered, scope) // it may be the one of another request
		}
	}
	caller.Scope = &scope
	caller.NeedsOrigin = g.Cookies.staysOnSite(r) && valueOf(r, SessionCookie) == ""
	return caller, err
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
		if store.IsFactorNeeded(err) {
			refused = err
			continue
		}
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

func isTooMany(err error) bool {
	var refusal *answer.Refusal
	return errors.As(err, &refusal) && refusal.Status == http.StatusTooManyRequests
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
