package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// sharesOf is the least level of its access rules with which a route of a report
// does what the role allows; a route that has no row fails.
var sharesOf = map[string]store.Share{
	"GET /api/v1/ws/{workspaceId}/reports/{report}":                             store.ShareSee,
	"GET /api/v1/ws/{workspaceId}/reports/{report}/parameters":                  store.ShareSee,
	"GET /api/v1/ws/{workspaceId}/reports/{report}/data-sources":                store.ShareSee,
	"GET /api/v1/ws/{workspaceId}/reports/{report}/pages":                       store.ShareSee,
	"GET /api/v1/ws/{workspaceId}/reports/{report}/pdf":                         store.ShareRun,
	"POST /api/v1/ws/{workspaceId}/reports/{report}/pdf":                        store.ShareRun,
	"POST /api/v1/ws/{workspaceId}/reports/{report}/export":                     store.ShareRun,
	"GET /ws/{workspaceId}/reports/{report}/preview":                            store.ShareSee,
	"GET /ws/{workspaceId}/reports/{report}/preview-image":                      store.ShareSee,
	"GET /ws/{workspaceId}/reports/{report}/pdf":                                store.ShareRun,
	"GET /ws/{workspaceId}/reports/{report}/design":                             store.ShareEdit,
	"POST /api/ui/ws/{workspaceId}/reports/{report}/render":                     store.ShareEdit,
	"POST /api/ui/ws/{workspaceId}/reports/{report}/run":                        store.ShareEdit,
	"GET /api/ui/ws/{workspaceId}/reports/{report}":                             store.ShareSee,
	"PUT /api/ui/ws/{workspaceId}/reports/{report}":                             store.ShareEdit,
	"DELETE /api/ui/ws/{workspaceId}/reports/{report}":                          store.ShareEdit,
	"POST /api/ui/ws/{workspaceId}/reports/{report}/restore":                    store.ShareEdit,
	"GET /api/ui/ws/{workspaceId}/reports/{report}/versions":                    store.ShareEdit,
	"GET /api/ui/ws/{workspaceId}/reports/{report}/versions/{revision}":         store.ShareEdit,
	"GET /api/ui/ws/{workspaceId}/reports/{report}/versions/{revision}/picture": store.ShareEdit,
	"PUT /api/ui/ws/{workspaceId}/reports/{report}/versions/{revision}":         store.ShareEdit,
	"GET /api/ui/ws/{workspaceId}/reports/{report}/threads":                     store.ShareSee,
	"POST /api/ui/ws/{workspaceId}/reports/{report}/threads":                    store.ShareSee,
	"POST /api/ui/ws/{workspaceId}/reports/{report}/threads/{thread}/comments":  store.ShareSee,
	"POST /api/ui/ws/{workspaceId}/reports/{report}/threads/{thread}/resolve":   store.ShareSee,
	"POST /api/ui/ws/{workspaceId}/reports/{report}/threads/{thread}/reopen":    store.ShareSee,
	"PUT /api/ui/ws/{workspaceId}/reports/{report}/comments/{comment}":          store.ShareSee,
	"DELETE /api/ui/ws/{workspaceId}/reports/{report}/comments/{comment}":       store.ShareSee,
	"POST /api/ui/ws/{workspaceId}/reports/{report}/comments/{comment}/restore": store.ShareSee,
	"GET /api/ui/ws/{workspaceId}/reports/{report}/people":                      store.ShareEdit,
	"GET /api/ui/ws/{workspaceId}/reports/{report}/events":                      store.ShareSee,
	"PUT /api/ui/ws/{workspaceId}/reports/{report}/presence":                    store.ShareEdit,
	"GET /ws/{workspaceId}/reports/{report}/picture":                            store.ShareEdit,
	"POST /ws/{workspaceId}/reports/{report}/picture":                           store.ShareEdit,
	"POST /ws/{workspaceId}/reports/{report}/picture/upload":                    store.ShareEdit,
	"POST /ws/{workspaceId}/reports/{report}/duplicate":                         store.ShareEdit,
	"POST /ws/{workspaceId}/reports/{report}/subreport":                         store.ShareEdit,
	"POST /ws/{workspaceId}/reports/{report}/standalone":                        store.ShareEdit,
	"GET /ws/{workspaceId}/reports/{report}/move":                               store.ShareEdit,
	"POST /ws/{workspaceId}/reports/{report}/move":                              store.ShareEdit,
	"POST /ws/{workspaceId}/reports/{report}/delete":                            store.ShareEdit,
	"POST /ws/{workspaceId}/reports/{report}/restore":                           store.ShareEdit,
	"GET /ws/{workspaceId}/reports/{report}/share":                              store.ShareSee,
	"GET /ws/{workspaceId}/reports/{report}/comments":                           store.ShareSee,
	"GET /api/ui/ws/{workspaceId}/reports/{report}/share":                       store.ShareSee,
	"GET /ws/{workspaceId}/reports/{report}/access":                             store.ShareEdit + 1, // only who keeps the report
	"POST /ws/{workspaceId}/reports/{report}/access":                            store.ShareEdit + 1,
	"GET /api/ui/ws/{workspaceId}/reports/{report}/access":                      store.ShareEdit + 1,
	"PUT /api/ui/ws/{workspaceId}/reports/{report}/access":                      store.ShareEdit + 1,
}

// isElsewhere tells whether a route is tried at a report that is not there, as it
// would change this one.
func isElsewhere(r Route) bool {
	_, path := requestOf(r)
	return strings.Contains(path, "/reports/999")
}

// TestEveryRouteByRulesThatNameGroups: for who is in no group that the access rules
// of a report name, it is as if it did not exist, on every route and whatever the
// role; others get what the level of their group allows of what their role does.
func TestEveryRouteByRulesThatNameGroups(t *testing.T) {
	t.Parallel()
	h := open(t, streamsEnd)
	root := must[*store.Access](t)(h.store.Enter(t.Context(), h.users["root"], "demo"))
	roles := map[string]int{}
	for _, role := range must[[]store.Role](t)(h.store.Roles(t.Context(), h.demo.ID)) {
		roles[role.Name] = role.ID
	}
	type caller struct {
		who     string
		share   store.Share
		session string
		base    map[string]int // the statuses while the report is open to all
	}
	var callers []*caller
	var rules []string
	for share := store.ShareNone; share <= store.ShareEdit; share++ {
		name := "May " + share.String()
		group := must[*store.Group](t)(h.store.CreateGroup(t.Context(), name))
		noError(t, h.store.GiveGroup(t.Context(), root, name, roles["Guest"]))
		if share > store.ShareNone {
			rules = append(rules, fmt.Sprintf(`{"group":%d,"level":%q}`, group.ID, share))
		}
		for _, role := range []string{"Viewer", "Operator", "Author"} {
			who := strings.ToLower(role) + "." + share.String()
			h.addMember(who, h.demo.ID, roles[role])
			noError(t, h.store.AddToGroup(t.Context(), group.ID, h.users[who].Email))
			h.tokens[who+" reading"] = h.limited(who, h.demo.ID, "read")
			callers = append(callers, &caller{who, share, h.session(who), map[string]int{}})
		}
	}
	ask := func(c *caller, route Route, token, report string) int {
		request, path := requestOf(route)
		if report != "" {
			for _, is := range []string{"/reports/invoice", "/reports/1", "/reports/999"} {
				if rest, ok := strings.CutPrefix(path[strings.Index(path, "/reports/"):], is); ok {
					request.URL.Path = path[:strings.Index(path, "/reports/")] + "/reports/" + report + rest
				}
			}
		}
		switch {
		case token != "":
			request.Header.Set("Authorization", "Bearer "+token)
		default:
			request.Header.Set("Cookie", c.session)
		}
		w := httptest.NewRecorder()
		h.handler.ServeHTTP(w, request)
		return w.Code
	}
	var routes []Route
	for _, route := range h.routes {
		if _, known := sharesOf[nameOf(route)]; known {
			routes = append(routes, route)
		} else if strings.Contains(nameOf(route), "{report}") {
			t.Errorf("%s has no row in the table of levels", nameOf(route))
		}
	}
	// credentials of a caller for a route: a session, a token, and one with a scope.
	credentials := func(c *caller, route Route) (tokens []string) {
		if route.Need.Ways&access.Session != 0 {
			tokens = append(tokens, "")
		}
		if route.Need.Ways&access.Token != 0 {
			tokens = append(tokens, h.tokens[c.who], h.tokens[c.who+" reading"])
		}
		return tokens
	}
	for _, c := range callers {
		for _, route := range routes {
			for _, token := range credentials(c, route) {
				c.base[nameOf(route)+token] = ask(c, route, token, "")
			}
		}
	}
	h.restrict(t, "administrator", 1, strings.Join(rules, ","))
	tried, allowed, wrong := 0, 0, 0
	for _, c := range callers {
		for _, route := range routes {
			for _, token := range credentials(c, route) {
				tried++
				got, want, base := ask(c, route, token, ""), 0, c.base[nameOf(route)+token]
				switch {
				case c.share == store.ShareNone:
					// What changes without a body is asked for the report itself: it has to be refused.
					got, want = ask(c, route, token, "1"), ask(c, route, token, "999")
					if want < 400 && got < 400 {
						wrong++
					}
				case c.share >= sharesOf[nameOf(route)], base == http.StatusForbidden, isElsewhere(route):
					if want = base; base < 400 {
						allowed++
					}
				default:
					want = http.StatusForbidden
				}
				if got != want {
					wrong++
					t.Errorf("%s as %s: %d; want %d (%d while it is open to all)", nameOf(route), c.who, got, want, base)
				}
			}
		}
	}
	t.Logf("%d requests by rules that name groups, %d allowed, %d wrongly let through or refused", tried, allowed, wrong)
	if tried < 400 || allowed < 100 {
		t.Errorf("only %d requests, %d allowed", tried, allowed)
	}
	h.check(t, scenario{path: pdfPath, who: "administrator", status: 200}) // it is there still
}
