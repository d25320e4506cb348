package api

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// groupRights are the rows of rights for groups and provisioning.
var groupRights = map[string][9]int{
	"POST /users/{userId}":                           {404, 403, 403, 403, 403, 403, 403, 403, 303}, // there is none
	"POST /users/{userId}/delete":                    {404, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /users/{userId}/take-over":                 {404, 403, 403, 403, 403, 403, 403, 403, 303},
	"GET /groups":                                    {200, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /groups":                                   {422, 403, 403, 403, 403, 403, 403, 403, 303}, // no name
	"GET /groups/{groupId}":                          {404, 403, 403, 403, 403, 403, 403, 403, 303}, // there is none
	"POST /groups/{groupId}":                         {404, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /groups/{groupId}/delete":                  {404, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /groups/{groupId}/take-over":               {404, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /groups/{groupId}/people":                  {404, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /groups/{groupId}/people/{userId}/remove":  {404, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /ws/{workspaceId}/groups":                  {422, 422, 403, 403, 403, 403, 404, 404, 303}, // no name
	"POST /ws/{workspaceId}/groups/{groupId}/role":   {422, 422, 403, 403, 403, 403, 404, 404, 303}, // no role
	"POST /ws/{workspaceId}/groups/{groupId}/remove": {404, 404, 403, 403, 403, 403, 404, 404, 303}, // it has none
	"GET /provisioning":                              {200, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /provisioning":                             {422, 403, 403, 403, 403, 403, 403, 403, 303}, // no name
	"POST /provisioning/{tokenId}/revoke":            {404, 403, 403, 403, 403, 403, 403, 403, 303}, // there is none
}

// scimRoutes are those that a token for provisioning opens, and what it gets of
// what is not there. Nobody else gets in.
var scimRoutes = map[string]int{
	"GET /scim/v2/ServiceProviderConfig": 200, "GET /scim/v2/ResourceTypes": 200, "GET /scim/v2/ResourceTypes/{id}": 404, "GET /scim/v2/Schemas": 200, "GET /scim/v2/Schemas/{id}": 404,
	"GET /scim/v2/Users": 200, "POST /scim/v2/Users": 400, "POST /scim/v2/Users/.search": 200, "GET /scim/v2/Users/{id}": 404, "PUT /scim/v2/Users/{id}": 400, "PATCH /scim/v2/Users/{id}": 400, "DELETE /scim/v2/Users/{id}": 404,
	"GET /scim/v2/Groups": 200, "POST /scim/v2/Groups": 400, "POST /scim/v2/Groups/.search": 200, "GET /scim/v2/Groups/{id}": 404, "PUT /scim/v2/Groups/{id}": 400, "PATCH /scim/v2/Groups/{id}": 400, "DELETE /scim/v2/Groups/{id}": 404,
	"POST /scim/v2/.search": 200, "GET /scim/v2/Me": 501, "POST /scim/v2/Bulk": 501,
}

func init() {
	maps.Copy(rights, groupRights)
	for name := range scimRoutes {
		rights[name] = [9]int{401, 401, 401, 401, 401, 401, 401, 401, 401}
	}
}

// TestTokensForProvisioningOpenNothingElse tries one on every route, and every
// other token on the routes of SCIM.
func TestTokensForProvisioningOpenNothingElse(t *testing.T) {
	t.Parallel()
	h := open(t, streamsEnd)
	scim := h.provisioning(store.SourceSCIM, true)
	let, refused, wrong := 0, 0, 0
	for _, route := range h.routes {
		if route.Need.Open {
			continue
		}
		w := h.try(route, scim)
		want, opens := scimRoutes[nameOf(route)]
		if opens {
			let++
		} else {
			want = http.StatusUnauthorized
			if refused++; w.Code == http.StatusSeeOther && strings.Contains(w.Header().Get("Location"), "/sign-in") {
				want = w.Code // pages lead there
			}
		}
		if w.Code != want {
			wrong++
			t.Errorf("%s with a token for provisioning: %d, want %d\n%.300s", nameOf(route), w.Code, want, w.Body)
		}
		if !opens {
			continue
		}
		if got := w.Header().Get("Content-Type"); got != "application/scim+json" && w.Code != http.StatusNoContent {
			t.Errorf("%s answers with %q", nameOf(route), got)
		}
		for _, who := range []string{"root", "administrator", "viewer", "stranger"} {
			for _, token := range []string{h.tokens[who], h.limited(who, 0, "read", "export", "jobs")} {
				if refused++; h.try(route, token).Code != http.StatusUnauthorized {
					wrong++
					t.Errorf("%s takes an access token of %s", nameOf(route), who)
				}
			}
		}
	}
	t.Logf("%d let through, %d refused, %d wrongly", let, refused, wrong)
	if let != len(scimRoutes) || refused < 300 {
		t.Errorf("%d routes let it through and %d refused", let, refused)
	}
	tokens := must[[]store.ProvisioningToken](t)(h.store.ProvisioningTokens(t.Context()))
	noError(t, h.store.RevokeProvisioningToken(t.Context(), tokens[0].ID))
	h.tokens["scim"] = scim
	h.check(t, scenario{path: "/scim/v2/Users", who: "scim", status: 401, has: []string{`"status":"401"`}, answer: map[string]string{"WWW-Authenticate": "Bearer"}})
}

// TestEveryRouteByGroups: who holds a role by a group gets what who has it of
// their own gets; out of the group, what a stranger gets.
func TestEveryRouteByGroups(t *testing.T) {
	t.Parallel()
	h := open(t, streamsEnd)
	root := must[*store.Access](t)(h.store.Enter(t.Context(), h.users["root"], "demo"))
	groups := map[string]*store.Group{}
	for _, role := range must[[]store.Role](t)(h.store.Roles(t.Context(), h.demo.ID)) {
		who := "by group " + strings.ToLower(role.Name)
		groups[who] = must[*store.Group](t)(h.store.CreateGroup(t.Context(), role.Name+"s"))
		user := must[*store.User](t)(h.store.CreateUser(t.Context(), store.NewUser{Email: strings.ReplaceAll(who, " ", ".") + "@example.com"}))
		h.users[who], h.tokens[who] = user, must[string](t)(h.store.CreateToken(t.Context(), user.ID, store.NewToken{Name: "test"}))
		h.tokens[who+" reading"] = h.limited(who, 0, "read")
		noError(t, h.store.AddToGroup(t.Context(), groups[who].ID, user.Email))
		noError(t, h.store.GiveGroup(t.Context(), root, role.Name+"s", role.ID))
	}
	tried, wrong := 0, 0
	pass := func(column func(who string) int) {
		for _, route := range h.routes {
			for who := range groups {
				request, path := requestOf(route)
				if route.Need.Ways&access.Token != 0 {
					request.Header.Set("Authorization", "Bearer "+h.tokens[who])
				} else {
					request.Header.Set("Cookie", h.session(who))
				}
				w := httptest.NewRecorder()
				h.handler.ServeHTTP(w, request)
				want := rights[nameOf(route)][column(who)]
				if tried++; w.Code != want {
					wrong++
					t.Errorf("%s %s as %q: %d; want %d\n%.300s", route.Method, path, who, w.Code, want, w.Body)
				}
				if route.Need.Open || route.Need.Ways&access.Token == 0 {
					continue
				}
				if !reaches(route, store.ScopeRead) {
					want = http.StatusForbidden
				}
				if w := h.try(route, h.tokens[who+" reading"]); w.Code != want {
					wrong++
					t.Errorf("%s %s as %q with a token that reads: %d; want %d\n%.300s", route.Method, path, who, w.Code, want, w.Body)
				}
				tried++
			}
		}
	}
	pass(func(who string) int { return slices.Index(callers(), strings.TrimPrefix(who, "by group ")) })
	for who, g := range groups {
		noError(t, h.store.RemoveFromGroup(t.Context(), g.ID, h.users[who].ID))
	}
	pass(func(string) int { return slices.Index(callers(), "lonely") })
	t.Logf("%d requests by groups, %d wrongly let through or refused", tried, wrong)
	if tried < 2000 {
		t.Errorf("only %d requests", tried)
	}
}
