package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/store"
)

// letters is a mail server that keeps what is sent.
type letters struct {
	sent  [][3]string // to, subject, text
	fault error
}

func (l *letters) server() *Mail {
	return &Mail{Host: "mail.example.com", Send: func(_ context.Context, to, subject, text string) error {
		l.sent = append(l.sent, [3]string{to, subject, text})
		return l.fault
	}}
}

var linkOf = regexp.MustCompile(`http://example\.com(/[a-z/-]+\?token=[0-9A-Za-z]{43})`)

// link is the path of the link in a text.
func link(t *testing.T, text string) string {
	t.Helper()
	found := linkOf.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no link in %s", text)
	}
	return found[1]
}

// tokenOf is that of a link.
func tokenOf(link string) string { return link[strings.Index(link, "=")+1:] }

// invited makes an invitation and is the path of its link.
func (h *house) invited(t *testing.T, email string) string {
	t.Helper()
	return link(t, h.sent(t, "administrator", "/ws/demo/members", 200, "email", email, "role", h.roleID(t, "Viewer")).Body.String())
}

// takes takes an invitation in a new browser.
func (h *house) takes(link, name, secret string) *httptest.ResponseRecorder {
	return h.post("/invitation", form("token", tokenOf(link), "name", name, "password", secret, "repeated", secret))
}

func testInvitations(t *testing.T, open opener) {
	mail := &letters{}
	h := open(t, func(c *Config) { c.Mail = mail.server() })
	w := h.sent(t, "administrator", "/ws/demo/members", 200, "email", "Zoë@example.com", "role", h.roleID(t, "Viewer"))
	says(t, w, "It was sent by mail.", "Copy link")
	path := link(t, w.Body.String())
	if len(mail.sent) != 1 || mail.sent[0][0] != "Zoë@example.com" || mail.sent[0][1] != "Invitation to Demo" || link(t, mail.sent[0][2]) != path {
		t.Errorf("sent %q", mail.sent)
	}
	if page := h.opened(t, "administrator", "/ws/demo/members", "<h3>Zoë@example.com</h3>", "Viewer · invited by administrator", "Withdraw"); strings.Contains(page, tokenOf(path)) {
		t.Error("the link is shown again")
	}
	if page := h.opened(t, "author", "/ws/demo/members", "<h3>Zoë@example.com</h3>"); strings.Contains(page, "/withdraw") {
		t.Error("who may only look is offered to withdraw")
	}
	h.check(t, scenario{path: path, status: 200, has: []string{"administrator invites you to this workspace, with the role Viewer.", `readonly value="Zoë@example.com"`}})
	for name, c := range map[string]struct{ name, password, repeated, says string }{
		"no name":      {" ", "Correct-horse-9", "Correct-horse-9", "Enter your name."},
		"a weak one":   {"Zoë", "short", "short", "A password needs at least 8 characters"},
		"not the same": {"Zoë", "Correct-horse-9", "Correct-horse-8", "The two passwords are not the same."},
	} {
		w := h.post("/invitation", form("token", tokenOf(path), "name", c.name, "password", c.password, "repeated", c.repeated))
		if says(t, w, c.says, `aria-invalid="true"`); w.Code != 422 {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	w = h.takes(path, "Zoë Ž", "Correct-horse-9")
	leads(t, w, "/ws/demo")
	zoe := must[*store.User](t)(h.store.SignIn(t.Context(), "zoë@example.com", "Correct-horse-9", false))
	if zoe.DisplayName != "Zoë Ž" || zoe.IsRoot {
		t.Errorf("%+v", zoe)
	}
	h.check(t, scenario{path: "/ws/demo", header: header("Cookie", cookieOf(w, "quire_session")), status: 200})
	h.check(t, scenario{path: "/ws/demo/library", header: header("Cookie", cookieOf(w, "quire_session")), status: 200})
	h.check(t, scenario{path: "/ws/demo/members", header: header("Cookie", cookieOf(w, "quire_session")), status: 403})
	h.noLink(t, path) // good once
	h.told(t, "invitation.made", "administrator@example.com", "Zoë@example.com")
	h.told(t, "invitation.taken", "Zoë@example.com", "Zoë@example.com")
	h.told(t, "user.created", "Zoë@example.com", "Zoë@example.com")
	h.told(t, "member.added", "Zoë@example.com", "Zoë@example.com")
	if log := h.log.String(); strings.Contains(log, tokenOf(path)) {
		t.Error("the log holds the token")
	}
	testInvitationsThatEnd(t, h, mail)
}

// noLink checks that a link is no good, and tells nothing.
func (h *house) noLink(t *testing.T, path string) {
	t.Helper()
	h.check(t, scenario{path: path, status: 404, has: []string{"This link is no longer valid"}})
	if w := h.takes(path, "Eve", "Correct-horse-9"); w.Code != 404 || cookieOf(w, "quire_session") != "" {
		t.Errorf("%d\n%s", w.Code, w.Body)
	}
}

// told checks that the audit log has an event.
func (h *house) told(t *testing.T, action store.Action, actor, target string) {
	t.Helper()
	for _, e := range must[[]store.AuditEvent](t)(h.store.AuditEvents(t.Context(), store.AuditQuery{Action: string(action), Limit: 100})) {
		if e.Actor == actor && e.Target == target {
			return
		}
	}
	t.Errorf("the audit log has no %s by %s of %s", action, actor, target)
}

func testInvitationsThatEnd(t *testing.T, h *house, mail *letters) {
	one := func(email string) string {
		t.Helper()
		all := must[[]store.Invitation](t)(h.store.Invitations(t.Context(), h.demo.ID))
		at := slices.IndexFunc(all, func(i store.Invitation) bool { return i.Email == email })
		if at < 0 {
			t.Fatalf("no invitation of %s", email)
		}
		return "/ws/demo/invitations/" + itoa(all[at].ID)
	}
	withdrawn := h.invited(t, "bo@example.com")
	leads(t, h.sent(t, "administrator", one("bo@example.com")+"/withdraw", 303), "/ws/demo/members?done=withdrawn")
	h.noLink(t, withdrawn)
	h.told(t, "invitation.withdrawn", "administrator@example.com", "bo@example.com")

	mail.fault = &deliver.Error{Message: `the mail server "mail.example.com" refused the message: 550 no such user`, Permanent: true}
	w := h.sent(t, "administrator", "/ws/demo/members", 200, "email", "cy@example.com", "role", h.roleID(t, "Viewer"))
	says(t, w, "No mail was sent.", "550 no such user.")
	mail.fault = errors.New("dial tcp 10.0.0.1: connection refused")
	w = h.sent(t, "administrator", one("cy@example.com")+"/again", 200)
	if says(t, w, "The mail server could not be reached."); strings.Contains(w.Body.String(), "10.0.0.1") {
		t.Error("the page tells what only the log should")
	}
	first := link(t, w.Body.String())
	mail.fault = nil
	again := link(t, h.sent(t, "root", one("cy@example.com")+"/again", 200).Body.String())
	h.noLink(t, first)
	h.clock.Advance(7*24*time.Hour - time.Minute)
	h.check(t, scenario{path: again, status: 200})
	h.clock.Advance(2 * time.Minute)
	h.noLink(t, again)
	h.opened(t, "administrator", "/ws/demo/members", `cy@example.com <span class="tag bad">expired</span>`)
	again = link(t, h.sent(t, "administrator", one("cy@example.com")+"/again", 200).Body.String())
	// Who gets an account and the role otherwise is no longer invited.
	h.addUser("cy", store.NewUser{})
	h.sent(t, "administrator", "/ws/demo/members", 303, "email", "cy@example.com", "role", h.roleID(t, "Viewer"))
	h.noLink(t, again)
	h.noLink(t, "/invitation?token=")
	h.noLink(t, "/invitation?token="+strings.Repeat("x", 43))

	// Another workspace's administrator finds nothing, and nobody gives more
	// than they have.
	h.invited(t, "di@example.com")
	other := one("di@example.com")
	h.check(t, scenario{method: http.MethodPost, path: strings.Replace(other, "demo", "other-house", 1) + "/withdraw", header: header("Cookie", h.session("root")), status: 404})
	h.as(t, "clerk", levels{store.Reports: store.Read, store.Configuration: store.Full})
	says(t, h.sent(t, "clerk", "/ws/demo/members", 403, "email", "eve@example.com", "role", h.roleID(t, "Administrator")), "may more than your role")
	says(t, h.sent(t, "clerk", other+"/again", 403), "may more than your role")
	says(t, h.sent(t, "clerk", other+"/withdraw", 403), "may more than your role")
}

// Who has an account by then signs in and gets the role; nobody else does.
func testInvitationsOfUsers(t *testing.T, open opener) {
	h := open(t)
	w := h.sent(t, "administrator", "/ws/demo/members", 200, "email", "ana@example.com", "role", h.roleID(t, "Viewer"))
	says(t, w, "Copy it now and hand it over by a safe way.")
	path := link(t, w.Body.String())
	ana := h.addUser("ana", store.NewUser{Password: password})
	join := strings.Replace(path, "?", "/join?", 1)
	h.check(t, scenario{path: path, status: 200, has: []string{"There is an account with the address ana@example.com. Sign in with it to join.", "/sign-in?auto=off&amp;next=%2Finvitation%2Fjoin%3Ftoken%3D" + tokenOf(path)}})
	if w := h.takes(path, "Eve", "Correct-horse-9"); w.Code != 409 || cookieOf(w, "quire_session") != "" {
		t.Errorf("an account was taken over: %d", w.Code)
	}
	leads(t, h.do(scenario{path: join}), "/sign-in?next=%2Finvitation%2Fjoin%3Ftoken%3D"+tokenOf(path))
	h.opened(t, "lonely", join, "It is for ana@example.com, and you are signed in as lonely@example.com.")
	h.sent(t, "lonely", "/invitation/join", 403, "token", tokenOf(path))
	h.check(t, scenario{path: "/ws/demo", header: header("Cookie", h.session("lonely")), status: 404})
	h.opened(t, "ana", join, "<button>Join</button>")
	h.check(t, scenario{path: "/ws/demo", header: header("Cookie", h.session("ana")), status: 404})
	leads(t, h.sent(t, "ana", "/invitation/join", 303, "token", tokenOf(path)), "/ws/demo")
	h.opened(t, "ana", "/ws/demo")
	h.sent(t, "ana", "/invitation/join", 404, "token", tokenOf(path))

	noError(t, h.store.SetActive(t.Context(), ana.ID, false))
	says(t, h.sent(t, "administrator", "/ws/demo/members", 409, "email", "ana@example.com", "role", h.roleID(t, "Viewer")), "The account ana@example.com is blocked")
}

// An invitation is taken once, of all who try at the same moment.
func TestAnInvitationIsTakenOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	path := h.invited(t, "zoe@example.com")
	codes := make(chan int)
	for i := range 5 {
		go func() { codes <- h.takes(path, fmt.Sprint("Zoe ", i), "Correct-horse-9").Code }()
	}
	taken := 0
	for range 5 {
		if code := <-codes; code == 303 {
			taken++
		} else if code != 404 && code != 409 {
			t.Errorf("one of them got %d", code)
		}
	}
	if taken != 1 {
		t.Errorf("taken %d times", taken)
	}
}
