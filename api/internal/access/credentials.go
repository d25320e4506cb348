package access

import (
	"net/http"

	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

func (g *Gate) byToken(_ http.ResponseWriter, r *http.Request) (*store.User, error) {
	header := r.Header.Get("Authorization")
	if header == "" {
		return nil, nil
	}
	token, ok := bearer(header)
	if !ok {
		return nil, answer.Unauthenticated("Authorization must be Bearer with a personal access token")
	}
	user, err := g.Store.UserByToken(r.Context(), token)
	return user, unknownIs401(err)
}

// byNonce turns a nonce of the address into a preview session. HEAD only looks:
// programs that check links in mails must not use them up.
func (g *Gate) byNonce(w http.ResponseWriter, r *http.Request) (*store.User, error) {
	nonce := input.Nonce(r.URL.RawQuery)
	if nonce == "" {
		return nil, nil
	}
	if r.Method == http.MethodHead {
		id, err := g.Store.LookAtNonce(r.Context(), nonce)
		if err != nil {
			return nil, unknownIs401(err)
		}
		user, err := g.Store.UserByID(r.Context(), id)
		return user, unknownIs401(err)
	}
	id, err := g.Store.TakeNonce(r.Context(), nonce)
	if err != nil {
		return nil, unknownIs401(err)
	}
	user, err := g.Store.UserByID(r.Context(), id)
	if err != nil {
		return nil, unknownIs401(err)
	}
	value, expires, err := g.Store.CreatePreviewSession(r.Context(), id)
	if err != nil {
		return nil, err
	}
	http.SetCookie(w, g.Cookies.preview(r, value, expires))
	return user, nil
}

func (g *Gate) byPreview(_ http.ResponseWriter, r *http.Request) (*store.User, error) {
	value := valueOf(r, PreviewCookie)
	if value == "" {
		return nil, nil
	}
	user, err := g.Store.PreviewSession(r.Context(), value)
	return user, unknownIs401(err)
}

// unknownIs401 makes a missing token, nonce or preview session a 401.
func unknownIs401(err error) error {
	if isKind(err, report.NotFound) {
		return answer.Unauthenticated(err.Error())
	}
	return err
}
