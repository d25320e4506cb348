package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// TestSignInToADrive makes a connection to a drive, goes to the provider and
// comes back with a code.
func TestSignInToADrive(t *testing.T) {
	h := open(t)
	var fault error
	var given []string
	types := connectionTypes()
	for i, kind := range types {
		if kind.SignIn != nil {
			types[i].SignIn = &report.SignIn{Address: kind.SignIn.Address, Token: func(_ context.Context, c map[string]any, code, redirect, verifier string) (report.Secret, error) {
				given = []string{kind.Name, c["clientSecret"].(string), code, redirect, verifier}
				return `{"access_token":"a1","refresh_token":"r1"}`, fault
			}}
		}
	}
	h.handler, h.routes = build(Config{
		Store: h.store, Export: h.export, Jobs: h.jobs, Clock: h.clock.Now, PublicURL: "https://reports.example.com",
		ConnectionTypes: types,
	})
	const all, back = "/ws/demo/connections", "https://reports.example.com/ws/demo/connections/signed-in"
	made := h.sent(t, "author", all, 303, "type", "dropbox", "name", "our drive", "field.clientId", "app-1", "field.clientSecret", "s3cret-word")
	leads(t, made, all+"/edit?name=our+drive")
	h.opened(t, "author", all+"/edit?name=our+drive", "Sign in to Dropbox", back)
	begin := func() url.Values {
		t.Helper()
		w := h.check(t, scenario{path: all + "/sign-in?name=our+drive", header: header("Cookie", h.session("author")), status: 303})
		page, err := url.Parse(w.Header().Get("Location"))
		if err != nil || page.Host != "www.dropbox.com" || page.Query().Get("redirect_uri") != back || page.Query().Get("client_id") != "app-1" || strings.Contains(page.String(), "s3cret-word") {
			t.Fatalf("%s %v", page, err)
		}
		return url.Values{"state": {page.Query().Get("state")}, "code": {"good"}}
	}
	come := func(who string, answer url.Values, status int, has ...string) {
		t.Helper()
		h.check(t, scenario{path: all + "/signed-in?" + answer.Encode(), header: header("Cookie", h.session(who)), status: status, has: has})
	}
	answer := begin()
	come("administrator", answer, 400, "begun by somebody else")
	if given != nil {
		t.Errorf("somebody else's sign-in is used: %q", given)
	}
	fault = report.Problemf("", "the provider refused the sign-in (invalid_grant)")
	come("author", answer, 422, "The provider refused the sign-in", "Sign in to Dropbox")
	refused := url.Values{"state": answer["state"], "error": {"access_denied"}, "error_description": {"The user <chose> no"}}
	come("author", refused, 422, "The provider did not let you in: The user &lt;chose&gt; no")
	fault = errors.New("a fault of ours")
	come("author", answer, 500)
	fault = nil
	come("author", answer, 303)
	if len(given) != 5 || given[0] != "dropbox" || given[1] != "s3cret-word" || given[2] != "good" || given[3] != back || len(given[4]) < 43 {
		t.Errorf("%q", given)
	}
	c, err := h.store.Connection(t.Context(), h.demo.ID, "our drive")
	var members map[string]string
	if err != nil || json.Unmarshal([]byte(c.Address.Reveal()), &members) != nil || !strings.Contains(members["token"], "r1") || members["clientSecret"] != "s3cret-word" {
		t.Errorf("%v %v", members, err)
	}
	if page := h.opened(t, "author", all+"/edit?name=our+drive", "The connection is signed in.", "Sign in again"); strings.Contains(page, "r1") {
		t.Error("the token is shown")
	}
	h.opened(t, "author", all+"?done=signed-in", "You are signed in")
	answer = begin()
	h.clock.Advance(16 * time.Minute)
	come("author", answer, 400, "too long ago")
	come("author", url.Values{"state": {"v1.none"}, "code": {"x"}}, 400, "begin it again")
}
