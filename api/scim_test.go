package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/quire-reports/quire/store"
)

// provisioning makes a token for provisioning.
func (h *house) provisioning(source string, adopt bool) string {
	h.t.Helper()
	return must[string](h.t)(h.store.CreateProvisioningToken(h.t.Context(), store.NewProvisioningToken{Name: "Directory", Source: source, Adopt: adopt}))
}

// scim is what a SCIM request answers.
func (h *house) scim(t *testing.T, method, path, body string, status int, has ...string) map[string]any {
	t.Helper()
	w := h.check(t, scenario{method: method, path: "/scim/v2" + path, who: "scim", body: body, status: status, has: has, header: header("Content-Type", "application/scim+json")})
	var answer map[string]any
	if w.Body.Len() > 0 {
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatalf("%s %s: %v\n%s", method, path, err, w.Body)
		}
	}
	return answer
}

// testAddressesAreReadAsTheyWereSaid: a directory that reads back other than it
// wrote tries again with each of its rounds.
func testAddressesAreReadAsTheyWereSaid(t *testing.T, open opener) {
	t.Parallel()
	h := open(t)
	h.tokens["scim"] = h.provisioning(store.SourceSCIM, false)
	const work, home = `{"primary":true,"type":"work","value":"ana@example.com"}`, `{"primary":false,"type":"home","value":"ana@home.example"}`
	id := h.scim(t, http.MethodPost, "/Users", `{"userName":"ana@example.com","emails":[`+home+`]}`, 201, `"emails":[`+home+`]`)["id"].(string)
	for _, c := range []struct{ method, sent, read string }{
		{http.MethodPatch, `{"Operations":[{"op":"replace","path":"emails","value":[` + work + `,` + home + `]}]}`, work + `,` + home},
		{http.MethodPatch, `{"Operations":[{"op":"replace","path":"emails[type eq \"work\"].primary","value":false}]}`, strings.Replace(work, "true", "false", 1) + `,` + home},
		{http.MethodPatch, `{"Operations":[{"op":"replace","path":"emails","value":[{"value":"ana@example.com"}]}]}`, `{"value":"ana@example.com"}`},
		{http.MethodPut, `{"userName":"ana@example.com","emails":[` + home + `]}`, home},
	} {
		h.scim(t, c.method, "/Users/"+id, c.sent, 200, `"emails":[`+c.read+`]`)
		h.scim(t, http.MethodGet, "/Users/"+id, "", 200, `"emails":[`+c.read+`]`)
	}
}

// testProvisioningAsDirectoriesDoIt goes the way of Entra ID and of Okta, from the
// first request to the leaver.
func testProvisioningAsDirectoriesDoIt(t *testing.T, open opener) {
	t.Parallel()
	h := open(t, func(c *Config) { c.PathBase = "/quire" })
	base := h.handler
	h.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // tests write addresses without it
		r.URL.Path = "/quire" + r.URL.Path
		base.ServeHTTP(w, r)
	})
	h.tokens["scim"] = h.provisioning(store.SourceSCIM, false)
	get, post, put, patch, drop := http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete

	// Entra looks for somebody first, by a filter.
	h.scim(t, get, `/Users?filter=userName+eq+%22ana%40example.com%22`, "", 200, `"totalResults":0`, `"Resources":[]`)
	ana := h.scim(t, post, "/Users", `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User","urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],"externalId":"0a21","userName":"ana@example.com","active":true,
		"displayName":"Ana Jović","emails":[{"primary":true,"type":"work","value":"ana@example.com"}],"meta":{"resourceType":"User"},"name":{"formatted":"Ana Jović","familyName":"Jović","givenName":"Ana"},"title":"Head",
		"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"department":"Sales"}}`, 201, `"location":"http://example.com/quire/scim/v2/Users/`)
	id := ana["id"].(string)
	h.scim(t, get, `/Users?filter=userName+Eq+%22ANA%40example.com%22`, "", 200, `"totalResults":1`, `"id":"`+id+`"`)
	h.scim(t, get, `/Users?filter=emails%5Btype+eq+%22work%22%5D.value+eq+%22x%22`, "", 400, `"scimType":"invalidFilter"`)
	h.scim(t, get, `/Users?filter=emails%5Btype+eq+%22work%22+and+value+eq+%22ana%40example.com%22%5D&attributes=userName`, "", 200, `"totalResults":1`, `"userName"`)
	h.scim(t, post, "/Users", `{"userName":"ANA@example.com"}`, 409, `"scimType":"uniqueness"`)
	h.scim(t, post, "/Users", `{"userName":"root@example.com"}`, 409, "takes over none")
	h.scim(t, post, "/Users", `{"userName":"nobody"}`, 400, `"scimType":"invalidValue"`, "needs an e-mail address")
	h.scim(t, post, "/Users", `{"userName":`, 400, `"scimType":"invalidSyntax"`)

	group := h.scim(t, post, "/Groups", `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:Group"],"externalId":"8aa1","displayName":"Sales","meta":{"resourceType":"Group"}}`, 201)["id"].(string)
	root := must[*store.Access](t)(h.store.Enter(t.Context(), h.users["root"], "demo"))
	viewer := 0
	for _, role := range must[[]store.Role](t)(h.store.Roles(t.Context(), h.demo.ID)) {
		if role.Name == "Viewer" {
			viewer = role.ID
		}
	}
	noError(t, h.store.GiveGroup(t.Context(), root, "Sales", viewer))
	account := must[*store.User](t)(h.store.UserByEmail(t.Context(), "ana@example.com"))
	h.users["ana"], h.tokens["ana"] = account, must[string](t)(h.store.CreateToken(t.Context(), account.ID, store.NewToken{Name: "test"}))
	session := h.session("ana")
	enters := func(want int) {
		t.Helper()
		h.check(t, scenario{path: "/api/v1/ws/demo/reports", who: "ana", status: want})
	}
	enters(404)
	h.scim(t, patch, "/Groups/"+group, fmt.Sprintf(`{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[{"op":"Add","path":"members","value":[{"$ref":null,"value":"%s"}]}]}`, id), 204)
	enters(200)
	h.scim(t, get, "/Groups/"+group+"?excludedAttributes=members", "", 200, `"displayName":"Sales"`)
	h.scim(t, get, fmt.Sprintf(`/Groups?filter=id+eq+%%22%s%%22+and+members%%5Bvalue+eq+%%22%s%%22%%5D&excludedAttributes=members`, group, id), "", 200, `"totalResults":1`)
	h.scim(t, get, "/Users/"+id, "", 200, `"display":"Sales"`)
	h.scim(t, patch, "/Groups/"+group, fmt.Sprintf(`{"Operations":[{"op":"remove","path":"members[value eq \"%s\"]"}]}`, id), 204)
	enters(404)
	h.scim(t, patch, "/Groups/"+group, fmt.Sprintf(`{"Operations":[{"op":"add","value":{"members":[{"value":"%s"}]}},{"op":"replace","value":{"id":"%s","displayName":"Sales team"}}]}`, id, group), 204)
	enters(200)
	h.scim(t, patch, "/Groups/"+group, `{"Operations":[{"op":"add","path":"members","value":[{"value":"1"}]}]}`, 400, "no user 1 that you provision")
	h.scim(t, put, "/Groups/"+group, fmt.Sprintf(`{"displayName":"Sales","members":[{"value":"%s"}]}`, id), 200, `"value":"`+id+`"`)

	// The leaver: Entra sends a text, Okta no path.
	for _, operations := range []string{`[{"op":"Replace","path":"active","value":"False"}]`, `[{"op":"replace","value":{"active":false}}]`} {
		h.scim(t, patch, "/Users/"+id, `{"Operations":`+operations+`}`, 200, `"active":false`)
		enters(401)
		h.check(t, scenario{path: "/", header: header("Cookie", session), status: 303})
		h.scim(t, patch, "/Users/"+id, `{"Operations":[{"op":"replace","path":"active","value":"True"}]}`, 200, `"active":true`)
		enters(200)
	}
	h.scim(t, put, "/Users/"+id, `{"userName":"ana@example.com","emails":[{"value":"ana.jovic@example.com"}]}`, 200, `"active":true`) // what is left out blocks nobody
	if u := must[*store.User](t)(h.store.UserByEmail(t.Context(), "ana.jovic@example.com")); u.ID != account.ID {
		t.Errorf("another account: %+v", u)
	}
	h.scim(t, patch, "/Users/"+id, `{"Operations":[{"op":"replace","path":"id","value":"1"}]}`, 400, `"scimType":"mutability"`)

	// Its own is all that a source sees.
	viewerID := itoa(h.users["viewer"].ID)
	for _, method := range []string{get, drop} {
		h.scim(t, method, "/Users/"+viewerID, "", 404)
	}
	h.scim(t, patch, "/Users/"+viewerID, `{"Operations":[{"op":"replace","path":"active","value":false}]}`, 404)
	h.scim(t, get, "/Users", "", 200, `"totalResults":1`)
	h.scim(t, get, "/Users?count=0", "", 200, `"totalResults":1`, `"Resources":[]`)
	h.scim(t, get, "/Users?startIndex=2&count=5", "", 200, `"totalResults":1`, `"startIndex":2`, `"Resources":[]`)
	h.scim(t, get, "/Users?startIndex=-5&count=9999", "", 200, `"itemsPerPage":1`)
	h.scim(t, get, "/Users?count=many", "", 400)
	h.scim(t, get, "/Users/none", "", 404, `"status":"404"`)
	h.scim(t, get, "/Nothing", "", 404, `"status":"404"`)
	h.scim(t, post, "/Users", `{"userName":"`+strings.Repeat("x", 5<<20)+`"}`, 413, `"status":"413"`)
	h.scim(t, drop, "/Users/"+id, "", 204)
	enters(401)
	h.scim(t, drop, "/Users/"+id, "", 404)
	h.scim(t, drop, "/Groups/"+group, "", 204)
	events := must[[]store.AuditEvent](t)(h.store.AuditEvents(t.Context(), store.AuditQuery{Limit: 100}))
	by := 0
	for _, e := range events {
		if e.ActorKind == store.ByProvisioning && e.Actor == "Directory" {
			by++
		}
	}
	if by < 12 {
		t.Errorf("only %d events are recorded of the directory", by)
	}
}

// testRequestsOfAProvisionerAreLimited by their token.
func testRequestsOfAProvisionerAreLimited(t *testing.T, open opener) {
	t.Parallel()
	h := open(t)
	h.tokens["scim"] = h.provisioning(store.SourceSCIM, false)
	for range provisioningBurst {
		if w := h.do(scenario{path: "/scim/v2/Me", who: "scim"}); w.Code != 501 {
			t.Fatal(w.Code)
		}
	}
	h.scim(t, http.MethodGet, "/Users", "", 429, `"status":"429"`)
	h.clock.Advance(1e9)
	h.scim(t, http.MethodGet, "/Users", "", 200)
}

// testGroupPages goes through what people see of groups, and of provisioning.
func testGroupPages(t *testing.T, open opener) {
	h := open(t)
	h.opened(t, "root", "/groups", "There are no groups yet")
	leads(t, h.sent(t, "root", "/groups", 303, "name", "Sales <team>"), "/groups/1?done=created")
	h.sent(t, "root", "/groups", 409, "name", "sales <TEAM>")
	leads(t, h.sent(t, "root", "/groups/1/people", 303, "email", "lonely@example.com"), "/groups/1?done=added")
	h.sent(t, "root", "/groups/1/people", 422, "email", "nobody@example.com")
	h.opened(t, "root", "/groups/1", "Sales &lt;team&gt;", "lonely@example.com", "no role yet")
	h.opened(t, "root", "/groups?q=none-like-this", "No group is called")
	h.sent(t, "administrator", "/ws/demo/groups", 422, "group", "Sales <team>")
	role := 0
	for _, r := range must[[]store.Role](t)(h.store.Roles(t.Context(), h.demo.ID)) {
		if r.Name == "Operator" {
			role = r.ID
		}
	}
	leads(t, h.sent(t, "administrator", "/ws/demo/groups", 303, "group", "sales <team>", "role", itoa(role)), "/ws/demo/members?done=group-added")
	members := h.opened(t, "administrator", "/ws/demo/members", "Sales &lt;team&gt;", "lonely@example.com", "1 person")
	if strings.Contains(members, "/groups/1\"") || strings.Contains(members, "datalist") {
		t.Error("who makes no groups is shown where they are made")
	}
	lonely := itoa(h.users["lonely"].ID)
	h.opened(t, "root", "/users/"+lonely, "by the group", "Sales &lt;team&gt;", "Operator", "Full on jobs")
	h.opened(t, "root", "/groups/1", "Demo: Operator")
	h.opened(t, "lonely", "/ws/demo", "Invoice")
	h.sent(t, "root", "/groups/1/delete", 409)
	invoice := must[*store.ReportDefinition](t)(h.store.ReportByIDOrType(t.Context(), h.demo.ID, "invoice"))
	access := fmt.Sprintf("/ws/demo/reports/%d/access", invoice.ID)
	h.opened(t, "administrator", access, "What groups may do with it", "Sales &lt;team&gt;")
	h.sent(t, "administrator", access, 303, "who", "some", "group-1", "see")
	if rules := must[*store.ReportDefinition](t)(h.store.ReportByIDOrType(t.Context(), h.demo.ID, "invoice")).Row.Access; rules == nil || rules.Groups[1] != store.ShareSee {
		t.Errorf("%+v", rules)
	}
	leads(t, h.sent(t, "administrator", "/ws/demo/groups/1/remove", 303), "/ws/demo/members?done=group-removed")
	h.opened(t, "administrator", "/ws/demo/members", "No group has a role here.")

	// Accounts are changed and deleted.
	leads(t, h.sent(t, "root", "/users/"+lonely, 303, "name", "Not lonely", "email", "friend@example.com"), "/users/"+lonely+"?done=saved")
	h.sent(t, "root", "/users/"+lonely, 409, "name", "Not lonely", "email", "viewer@example.com")
	leads(t, h.sent(t, "root", "/users/"+lonely+"/delete", 303), "/users?done=deleted")
	h.sent(t, "root", "/users/"+itoa(h.users["root"].ID)+"/delete", 409)
	leads(t, h.sent(t, "root", "/groups/1/delete", 303), "/groups?done=deleted")

	// A token for provisioning is shown once; what it owns is read-only.
	page := h.sent(t, "root", "/provisioning", 200, "name", "Entra", "source", "*", "days", "90", "adopt", "on").Body.String()
	at := strings.Index(page, "qsc_")
	if at < 0 {
		t.Fatalf("no token is shown\n%s", page)
	}
	h.tokens["scim"] = page[at : at+44]
	if listed := h.opened(t, "root", "/provisioning", "Entra", "takes over accounts", "/scim/v2"); strings.Contains(listed, h.tokens["scim"]) {
		t.Error("the token is shown again")
	}
	h.sent(t, "root", "/provisioning", 422, "name", "", "source", "*", "days", "90")
	h.sent(t, "root", "/provisioning", 422, "name", "x", "source", "unknown", "days", "90")
	id := h.scim(t, http.MethodPost, "/Users", `{"userName":"bo@example.com"}`, 201)["id"].(string)
	group := h.scim(t, http.MethodPost, "/Groups", `{"displayName":"Board","members":[{"value":"`+id+`"}]}`, 201)["id"].(string)
	if page := h.opened(t, "root", "/users/"+id, "SCIM decides the name"); strings.Contains(page, `name="email"`) {
		t.Error("what SCIM decides can be entered")
	}
	h.opened(t, "root", "/groups/"+group, "SCIM decides what this group is called", "bo@example.com")
	h.sent(t, "root", "/users/"+id+"/delete", 409)
	h.sent(t, "root", "/groups/"+group, 409, "name", "Else")
	leads(t, h.sent(t, "root", "/users/"+id+"/take-over", 303), "/users/"+id+"?done=taken")
	leads(t, h.sent(t, "root", "/groups/"+group+"/take-over", 303), "/groups/"+group+"?done=taken")
	leads(t, h.sent(t, "root", "/groups/"+group, 303, "name", "Else"), "/groups/"+group+"?done=renamed")
	leads(t, h.sent(t, "root", "/users/"+id+"/delete", 303), "/users?done=deleted")
}
