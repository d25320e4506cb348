package access

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// claim is a user that credentials lead to, and what they limit the user to.
type claim struct {
	user    *store.User
	token   int      // the number of the access token
	preview *preview // nil: whatever the user may
}

// preview is what a nonce or a preview cookie is good for. settle keeps the
// scope once the request has settled it, and gives the one that holds; it is nil
// when nothing is to be kept.
type preview struct {
	scope  store.Scope
	settle func(store.Scope) (store.Scope, error)
}

// of is a claim without limits; none without a user.
func of(user *store.User, token int, err error) ([]claim, error) {
	if err != nil || user == nil {
		return nil, err
	}
	return []claim{{user: user, token: token}}, nil
}

func (g *Gate) byToken(_ http.ResponseWriter, r *http.Request) ([]claim, error) {
	header := r.Header.Get("Authorization")
	if header == "" {
		return nil, nil
	}
	token, ok := bearer(header)
	if !ok {
		return nil, answer.Unauthenticated("Authorization must be Bearer with a personal access token")
	}
	user, id, err := g.Store.UserByToken(r.Context(), token)
	return of(user, id, unknownIs401(err))
}

// byNonce turns a nonce of the address into a preview session, once it is
// settled what that is good for. HEAD only looks: programs that check links in
// mails must not use them up.
func (g *Gate) byNonce(w http.ResponseWriter, r *http.Request) ([]claim, error) {
	nonce := input.Nonce(r.URL.RawQuery)
	if nonce == "" {
		return nil, nil
	}
	if r.Method == http.MethodHead {
		grant, user, err := g.Store.LookAtNonce(r.Context(), nonce)
		if err != nil {
			return nil, unknownIs401(err)
		}
		return []claim{{user: user, preview: &preview{scope: grant.Scope}}}, nil
	}
	grant, user, err := g.Store.TakeNonce(r.Context(), nonce)
	if err != nil {
		return nil, unknownIs401(err)
	}
	begin := func(scope store.Scope) (store.Scope, error) {
		grant.Scope = scope
		return scope, g.beginPreview(w, r, previewCookieOf(nonce), *grant)
	}
	return []claim{{user: user, preview: &preview{grant.Scope, begin}}}, nil
}

// beginPreview sets the cookie of a preview. A browser keeps mostPreviews of
// them: what has ended goes, and the oldest.
func (g *Gate) beginPreview(w http.ResponseWriter, r *http.Request, cookie string, grant store.Grant) error {
	trace := answer.TraceOf(r.Context())
	by := store.Actor{Kind: store.ByPreview, UserID: grant.UserID, TokenID: grant.TokenID, Address: trace.Address, Request: trace.ID}
	value, expires, err := g.Store.CreatePreviewSession(store.WithActor(r.Context(), by), grant)
	if err != nil {
		return err
	}
	http.SetCookie(w, g.Cookies.preview(r, cookie, value, expires))
	held := previewCookies(r)
	if err := g.endOthers(w, r, held, &grant); err != nil || len(held) < mostPreviews {
		return err
	}
	kept, err := g.Store.PreviewSessions(r.Context(), values(held))
	if err != nil {
		return err
	}
	kept = kept[:min(len(kept), mostPreviews-1)]
	for _, c := range held {
		if slices.ContainsFunc(kept, func(p store.Preview) bool { return p.Value == c.Value }) {
			continue
		}
		http.SetCookie(w, g.Cookies.preview(r, c.Name, "", time.Time{}))
		if err := g.Store.EndPreviewSession(r.Context(), c.Value); err != nil {
			return err
		}
	}
	return nil
}

// endOthers ends what a browser holds of the same account for others than the one
// whom a nonce names: who looks there now is not them any more.
func (g *Gate) endOthers(w http.ResponseWriter, r *http.Request, held []*http.Cookie, grant *store.Grant) error {
	if grant.Scope.User == nil || len(held) == 0 {
		return nil
	}
	open, err := g.Store.PreviewSessions(r.Context(), values(held))
	for _, p := range open {
		if p.User.ID != grant.UserID || p.Scope.User == nil || p.Scope.User.Sub == grant.Scope.User.Sub {
			continue
		}
		for _, c := range held {
			if c.Value == p.Value {
				http.SetCookie(w, g.Cookies.preview(r, c.Name, "", time.Time{}))
			}
		}
		if err := g.Store.EndPreviewSession(r.Context(), p.Value); err != nil {
			return err
		}
	}
	return err
}

// mostPreviews is how many previews a browser keeps open beside each other.
const mostPreviews = 32

// byOwnPreview is the preview that the nonce of the address has become.
func (g *Gate) byOwnPreview(_ http.ResponseWriter, r *http.Request) ([]claim, error) {
	nonce := input.Nonce(r.URL.RawQuery)
	if nonce == "" {
		return nil, nil
	}
	own := valueOf(r, previewCookieOf(nonce))
	if own == "" {
		return nil, nil
	}
	found, err := g.Store.PreviewSessions(r.Context(), []string{own})
	return g.claimsOf(r, found), err
}

// byPreview are the previews that a browser has cookies of: first the one of the
// nonce that the address still has, as frames are loaded again, then the newest.
func (g *Gate) byPreview(_ http.ResponseWriter, r *http.Request) ([]claim, error) {
	held := previewCookies(r)
	if len(held) == 0 {
		return nil, nil
	}
	found, err := g.Store.PreviewSessions(r.Context(), values(held))
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, answer.Unauthenticated("the preview session is unknown or has expired")
	}
	if own := valueOf(r, previewCookieOf(input.Nonce(r.URL.RawQuery))); own != "" {
		slices.SortStableFunc(found, func(a, b store.Preview) int {
			return boolOrder(b.Value == own) - boolOrder(a.Value == own)
		})
	}
	return g.claimsOf(r, found), nil
}

func (g *Gate) claimsOf(r *http.Request, found []store.Preview) []claim {
	claims := make([]claim, len(found))
	for i, p := range found {
		claims[i] = claim{user: p.User, preview: &preview{scope: p.Scope}}
		if !p.Scope.Settled {
			claims[i].preview.settle = func(scope store.Scope) (store.Scope, error) {
				return g.Store.SettlePreview(r.Context(), p.Value, scope)
			}
		}
	}
	return claims
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

// previewCookieOf is the name of the cookie that a nonce becomes: frames beside
// each other, which load at the same moment, each have their own.
func previewCookieOf(nonce string) string {
	sum := sha256.Sum256([]byte(nonce))
	return PreviewCookie + "_" + hex.EncodeToString(sum[:6])
}

// previewCookies are those that a request has, at most twice as many as a
// browser keeps. The one without an ending is of an earlier version.
func previewCookies(r *http.Request) []*http.Cookie {
	var held []*http.Cookie
	for _, c := range r.Cookies() {
		if (c.Name == PreviewCookie || strings.HasPrefix(c.Name, PreviewCookie+"_")) && c.Value != "" && len(held) < 2*mostPreviews {
			held = append(held, c)
		}
	}
	return held
}

func values(cookies []*http.Cookie) []string {
	list := make([]string, len(cookies))
	for i, c := range cookies {
		list[i] = c.Value
	}
	return list
}

// unknownIs401 makes a missing token or nonce a 401.
func unknownIs401(err error) error {
	if isKind(err, report.NotFound) {
		return answer.Unauthenticated(err.Error())
	}
	return err
}

// Previews finds and keeps what nonces and preview cookies are good for.
type Previews interface {
	TakeNonce(ctx context.Context, nonce string) (*store.Grant, *store.User, error)
	LookAtNonce(ctx context.Context, nonce string) (*store.Grant, *store.User, error)
	CreatePreviewSession(ctx context.Context, g store.Grant) (value string, expires time.Time, err error)
	PreviewSessions(ctx context.Context, values []string) ([]store.Preview, error)
	SettlePreview(ctx context.Context, value string, scope store.Scope) (store.Scope, error)
	EndPreviewSession(ctx context.Context, value string) error
	ReportByIDOrType(ctx context.Context, workspaceID int, ref string) (*store.ReportDefinition, error)
}
