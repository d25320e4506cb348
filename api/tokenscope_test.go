package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// tokenScopes are the scopes with one of which a token is enough; a route that
// tokens reach and that has no row fails. Those of the designer are below: its
// GET takes read, and everything else a token without scopes.
var tokenScopes = map[string]string{
	"GET /api/v1/workspaces":                                                                                               "read",
	"GET /api/v1/ws/{workspaceId}/reports":                                                                                 "read",
	"GET /api/v1/ws/{workspaceId}/reports/{report}":                                                                        "read",
	"GET /api/v1/ws/{workspaceId}/reports/{report}/parameters":                                                             "read",
	"GET /api/v1/ws/{workspaceId}/reports/{report}/data-sources":                                                           "read",
	"GET /api/v1/ws/{workspaceId}/reports/{report}/pages":                                                                  "read",
	"GET /api/v1/ws/{workspaceId}/reports/{report}/pdf":                                                                    "export",
	"POST /api/v1/ws/{workspaceId}/reports/{report}/pdf":                                                                   "export",
	"POST /api/v1/ws/{workspaceId}/reports/{report}/export":                                                                "export",
	"GET /api/v1/ws/{workspaceId}/exports":                                                                                 "read export",
	"GET /api/v1/ws/{workspaceId}/exports/{tempFileId}/status":                                                             "read export",
	"GET /api/v1/ws/{workspaceId}/exports/{tempFileId}/content":                                                            "read export",
	"DELETE /api/v1/ws/{workspaceId}/exports/{tempFileId}":                                                                 "",
	"POST /api/v1/ws/{workspaceId}/temporary-data":                                                                         "export",
	"GET /api/v1/ws/{workspaceId}/jobs":                                                                                    "read",
	"POST /api/v1/ws/{workspaceId}/jobs":                                                                                   "",
	"GET /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}":                                                                      "read",
	"PUT /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}":                                                                      "",
	"DELETE /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}":                                                                   "",
	"GET /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/schedule":                                                             "read",
	"PUT /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/schedule":                                                             "",
	"DELETE /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/schedule":                                                          "",
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs":                                                                "jobs",
	"GET /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs":                                                                 "read jobs",
	"GET /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/status":                                               "read jobs",
	"GET /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries":                                              "read jobs",
	"GET /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/deliveries":                                           "read jobs",
	"GET /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries/{entryPosition}":                              "read jobs",
	"GET /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries/{entryPosition}/documents/{documentPosition}": "read jobs",
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/deliveries/{position}/retry":                         "",
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/deliveries/{position}/resend":                        "",
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/deliveries/{position}/mark-delivered":                "",
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/cancel":                                              "",
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries/approve":                                     "",
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries/reject":                                      "",
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries/regenerate":                                  "",
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries/retry":                                       "",
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries/resend":                                      "",
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries/mark-delivered":                              "",
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/generate-review-document":                            "",
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/deliver":                                             "",
	"GET /api/v1/ws/{workspaceId}/report-types":                                                                            "read",
	"GET /api/v1/ws/{workspaceId}/templates":                                                                               "read",
	"GET /api/v1/ws/{workspaceId}/themes":                                                                                  "read",
	"GET /api/v1/ws/{workspaceId}/audit":                                                                                   "read",
	"GET /api/v1/audit":                                                                                                    "read",
	"POST /api/v1/nonce-tokens":                                                                                            "read export",
	"GET /ws/{workspaceId}/reports/{report}/preview":                                                                       "read",
	"GET /ws/{workspaceId}/reports/{report}/preview-image":                                                                 "read",
}

// scopesOf is the row of a route.
func scopesOf(r Route) (string, bool) {
	if !strings.HasPrefix(r.Path, "/api/ui/") {
		scopes, known := tokenScopes[nameOf(r)]
		return scopes, known
	}
	if r.Method == http.MethodGet {
		return "read", true
	}
	return "", true
}

// reaches tells whether a token with scopes opens a route; without any it does.
func reaches(r Route, scopes store.TokenScopes) bool {
	enough, _ := scopesOf(r)
	return scopes == 0 || slices.ContainsFunc(scopes.Names(), func(name string) bool { return strings.Contains(enough, name) })
}

// limited makes a token of a user that reaches less.
func (h *house) limited(who string, workspace int, scopes ...string) string {
	h.t.Helper()
	reach := store.Reach{WorkspaceID: workspace, Scopes: must[store.TokenScopes](h.t)(store.ReadScopes(scopes))}
	return must[string](h.t)(h.store.CreateToken(h.t.Context(), h.users[who].ID, store.NewToken{Name: "limited", Reach: reach}))
}

// try sends the request of a route with a token.
func (h *house) try(r Route, token string) *httptest.ResponseRecorder {
	request, _ := requestOf(r)
	request.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, request)
	h.neverHTML(h.t.(*testing.T), r, w)
	return w
}

// TestEveryRouteAgainstEveryScope: a scope lets through what the owner may where
// it is named, and nothing else; a workspace does, too.
func TestEveryRouteAgainstEveryScope(t *testing.T) {
	t.Parallel()
	h := open(t, streamsEnd, func(c *Config) { c.RequestsPerSecond = 10_000 }) // the clock stands still, and nobody may be too fast
	elsewhere := must[*store.Workspace](t)(h.store.WorkspaceByCode(t.Context(), "other-house")).ID
	type pass struct {
		who    string
		column int
		scopes []string
		token  string
	}
	var passes []pass
	for column, who := range []string{"root", "administrator", "author", "viewer"} {
		for _, scopes := range [][]string{{"read"}, {"export"}, {"jobs"}, {"read", "export"}, {"export", "jobs"}, {"read", "export", "jobs"}} {
			passes = append(passes, pass{who, column, scopes, h.limited(who, h.demo.ID*(column%2), scopes...)})
		}
	}
	foreign := h.limited("root", elsewhere)
	let, refused := 0, 0
	for _, route := range h.routes {
		if route.Need.Open || route.Need.Ways&access.Token == 0 {
			continue
		}
		enough, known := scopesOf(route)
		if !known {
			t.Errorf("%s has no row in the table of scopes", nameOf(route))
		}
		for _, p := range passes {
			allowed := false
			for _, scope := range p.scopes {
				allowed = allowed || strings.Contains(enough, scope)
			}
			want, words := rights[nameOf(route)][p.column], ""
			if !allowed {
				want, words = http.StatusForbidden, "this needs an access token with the scope "+strings.ReplaceAll(enough, " ", " or ")+"; yours has only "+strings.Join(p.scopes, " and ")
				if enough == "" {
					words = "this needs an access token without scopes; yours has only " + strings.Join(p.scopes, " and ")
				}
				refused++
			} else {
				let++
			}
			if w := h.try(route, p.token); w.Code != want || !strings.Contains(w.Body.String(), words) {
				t.Errorf("%s as %s with %v: %d; want %d and %q\n%.300s", nameOf(route), p.who, p.scopes, w.Code, want, words, w.Body)
			}
		}
		if w := h.try(route, foreign); strings.Contains(route.Path, "{workspaceId}") && w.Code != http.StatusNotFound || route.Need.Place == access.Root && w.Code != http.StatusForbidden {
			t.Errorf("%s with a token of another workspace: %d\n%.300s", nameOf(route), w.Code, w.Body)
		}
	}
	if let < 300 || refused < 1000 {
		t.Errorf("only %d let through and %d refused", let, refused)
	}
}

// TestABoundTokenKnowsOneWorkspace: for it there are no others, whoever owns it.
func TestABoundTokenKnowsOneWorkspace(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *Config) {
		c.Details = func() map[string]string { return map[string]string{"browser": "sandboxed"} }
	})
	h.tokens["bound"] = h.limited("root", h.demo.ID)
	h.run([]scenario{
		{name: "the list", path: "/api/v1/workspaces", who: "bound", status: 200, has: []string{`"code":"demo"`}, lacks: []string{"other-house"}},
		{name: "its own", path: "/api/v1/ws/demo/reports", who: "bound", status: 200},
		{name: "another", path: "/api/v1/ws/other-house/reports", who: "bound", status: 404},
		{name: "what root users do", path: "/api/v1/audit", who: "bound", status: 403, has: []string{"not bound to a workspace"}},
		{name: "a nonce for another", path: "/api/v1/nonce-tokens", who: "bound", body: `{"workspace":"other-house"}`, status: 400, has: []string{"workspace other-house does not exist"}},
		{name: "a nonce for its own", path: "/api/v1/nonce-tokens", who: "bound", body: `{"workspace":"demo","reports":"*"}`, status: 200},
		{name: "details of the service", path: "/readyz", who: "bound", status: 200, lacks: []string{"sandboxed"}},
		{name: "all of its owner's", path: "/readyz", who: "root", status: 200, has: []string{"sandboxed"}},
	})
	// The owner loses the role, and so does the token.
	h.tokens["former"] = h.limited("viewer", h.demo.ID, "read")
	h.check(t, scenario{path: "/api/v1/ws/demo/reports", who: "former", status: 200})
	noError(t, h.store.RemoveMember(t.Context(), h.demo.ID, h.users["viewer"].ID))
	h.check(t, scenario{path: "/api/v1/ws/demo/reports", who: "former", status: 404})
}

// TestPreviewsReachNoFurtherThanTheirToken: neither do the nonces that they come
// of, nor the cookies.
func TestPreviewsReachNoFurtherThanTheirToken(t *testing.T) {
	t.Parallel()
	h := open(t)
	elsewhere := must[*store.Workspace](t)(h.store.WorkspaceByCode(t.Context(), "other-house")).ID
	for name, c := range map[string]struct {
		workspace    int
		scopes       []string
		preview, pdf int
	}{
		"everything":        {0, nil, 200, 200},
		"this workspace":    {h.demo.ID, nil, 200, 200},
		"another workspace": {elsewhere, nil, 404, 404},
		"read":              {0, []string{"read"}, 200, 403},
		"export":            {h.demo.ID, []string{"export"}, 403, 200},
	} {
		h.tokens["limited"] = h.limited("root", c.workspace, c.scopes...)
		for path, want := range map[string]int{previewPath: c.preview, pdfPath: c.pdf} {
			h.users["limited"] = h.users["root"]
			h.check(t, scenario{name: name, method: http.MethodHead, path: path + "?nonce=" + h.scopedOf(t, "limited", ""), status: want})
			h.check(t, scenario{name: name, path: path + "?nonce=" + h.scopedOf(t, "limited", ""), status: want})
			grant := h.grant("limited", store.Scope{Settled: true, Workspace: h.demo.ID, AllReports: true})
			cookie, _, err := h.store.CreatePreviewSession(t.Context(), grant)
			noError(t, err)
			h.check(t, scenario{name: name, path: path, header: header("Cookie", access.PreviewCookie+"_1="+cookie), status: want})
		}
	}
}

// TestTokensOfEverybody: root users see and withdraw them.
func TestTokensOfEverybody(t *testing.T) {
	t.Parallel()
	h := open(t)
	viewer, root := h.session("viewer"), h.session("root")
	w := h.post("/tokens", form("name", "Night run", "days", "30", "workspace", itoa(h.demo.ID), "scope", "export")+"&scope=jobs", "Cookie", viewer)
	found := shownToken.FindStringSubmatch(w.Body.String())
	if w.Code != 200 || found == nil {
		t.Fatalf("creating: %d\n%s", w.Code, w.Body)
	}
	h.tokens["night"] = found[1]
	h.check(t, scenario{path: "/api/v1/ws/demo/reports/invoice/pdf", who: "night", status: 200})
	h.check(t, scenario{path: "/api/v1/ws/demo/reports", who: "night", status: 403})
	listed := []string{"Night run", "<code>export</code> <code>jobs</code>", "</code> · Demo</p>"}
	h.check(t, scenario{path: "/tokens", header: header("Cookie", viewer), status: 200, has: listed, lacks: []string{"tokens/all"}})
	h.check(t, scenario{path: "/tokens/all?q=VIEWER", header: header("Cookie", root), status: 200, has: append(listed, "viewer@example.com"), lacks: []string{"author@example.com"}})
	h.check(t, scenario{path: "/tokens/all?q=nothing", header: header("Cookie", root), status: 200, has: []string{"There are no such tokens."}})
	for _, wrong := range []string{form("name", "x", "days", "1", "scope", "write"), form("name", "x", "days", "1", "workspace", "all"), form("name", "x", "days", "1", "workspace", "999")} {
		if w := h.post("/tokens", wrong, "Cookie", viewer); w.Code != 400 {
			t.Errorf("%s: %d", wrong, w.Code)
		}
	}
	tokens := must[[]store.Token](t)(h.store.Tokens(t.Context(), h.users["viewer"].ID))
	if w := h.post(fmt.Sprintf("/tokens/all/%d/revoke", tokens[0].ID), "", "Cookie", root); w.Code != 303 {
		t.Errorf("withdrawing: %d", w.Code)
	}
	h.check(t, scenario{path: "/api/v1/ws/demo/reports/invoice/pdf", who: "night", status: 401})
}
