package api

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/store"
)

// posted is a mail server for what is sent while nobody waits.
type posted chan [3]string

func (p posted) server(fault error) *Mail {
	return &Mail{Host: "mail.example.com", Send: func(_ context.Context, to, subject, text string) error {
		p <- [3]string{to, subject, text}
		return fault
	}}
}

// mailing is a house with a mail server and an address.
func mailing(t *testing.T, open opener) (*house, posted) {
	mail := make(posted, 100)
	return open(t, func(c *Config) {
		c.Mail, c.PublicURL, c.TrustedProxies = mail.server(nil), "http://example.com", networks(t, "192.0.2.1/32")
	}), mail
}

func (h *house) forgets(email, address string) *httptest.ResponseRecorder {
	return h.post("/forgotten", form("email", email), "X-Forwarded-For", address)
}

func (h *house) setsByLink(link, secret, repeated string) *httptest.ResponseRecorder {
	return h.post("/set-password", form("token", tokenOf(link), "password", secret, "repeated", repeated))
}

func testForgottenPassword(t *testing.T, open opener) {
	h, mail := mailing(t, open)
	ana := h.addUser("ana", store.NewUser{Password: password})
	h.addUser("provided", store.NewUser{}) // no password
	blocked := h.addUser("blocked", store.NewUser{Password: password})
	noError(t, h.store.SetActive(t.Context(), blocked.ID, false))
	h.check(t, scenario{path: "/sign-in", status: 200, has: []string{`href="/forgotten"`}})

	// Nobody learns who has an account: the answers are the same, and mails go
	// only to those who have one with a password.
	answers := map[string]bool{}
	for i, email := range []string{"nobody@example.com", "provided@example.com", "blocked@example.com", " ANA@example.com"} {
		w := h.forgets(email, fmt.Sprintf("198.51.100.%d", i))
		header := w.Header().Clone()
		header.Del("X-Request-Id")
		answers[fmt.Sprint(w.Code, header, strings.ReplaceAll(w.Body.String(), strings.TrimSpace(email), "…"))] = true
	}
	if len(answers) != 1 {
		t.Errorf("%d different answers: %v", len(answers), answers)
	}
	letter := <-mail
	if letter[0] != "ana@example.com" || letter[1] != "Set a new password" {
		t.Fatalf("sent %q", letter)
	}
	path := link(t, letter[2])
	h.told(t, "user.password_link_made", "", "ana@example.com")

	session, device := h.session("ana"), cookieOf(h.tries(office, "ana@example.com", password.Reveal()), "quire_device")
	h.check(t, scenario{path: path, status: 200, has: []string{`readonly value="ana@example.com"`}})
	for want, c := range map[string][2]string{"The two passwords are not the same.": {"Correct-horse-9", "Correct-horse-8"}, "A password needs at least 8 characters": {"short", "short"}} {
		if w := h.setsByLink(path, c[0], c[1]); w.Code != 422 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%d\n%s", w.Code, w.Body)
		}
	}
	w := h.setsByLink(path, "Correct-horse-9", "Correct-horse-9")
	leads(t, w, "/sign-in?done=password")
	if cookieOf(w, "quire_session") != "" || cookieOf(w, "quire_device") == "" {
		t.Error("a link signs in, or leaves the browser unknown")
	}
	h.check(t, scenario{path: "/sign-in?done=password", status: 200, has: []string{"The new password is set. Sign in with it."}})
	h.told(t, "user.password_set", "ana@example.com", "ana@example.com")

	// Everything of before has ended.
	h.check(t, scenario{path: "/", header: header("Cookie", session), status: 303})
	if known := must[string](t)(h.store.KnownDevice(t.Context(), "ana@example.com", []string{strings.TrimPrefix(device, "quire_device=")})); known != "" {
		t.Error("a browser is still known")
	}
	if _, err := h.store.SignIn(t.Context(), "ana@example.com", password, true); !store.IsNotFound(err) {
		t.Errorf("the old password: %v", err)
	}
	if u := must[*store.User](t)(h.store.SignIn(t.Context(), "ana@example.com", "Correct-horse-9", true)); u.ID != ana.ID {
		t.Errorf("%+v", u)
	}
	if w := h.setsByLink(path, "Correct-horse-8", "Correct-horse-8"); w.Code != 404 {
		t.Errorf("a link twice: %d", w.Code)
	}
	if len(mail) != 0 {
		t.Errorf("a mail too many: %q", <-mail)
	}
	if log := h.log.String(); strings.Contains(log, tokenOf(path)) || strings.Contains(log, "Correct-horse") {
		t.Error("the log holds a secret")
	}
}

// A link ends after an hour, with another password and with the account.
func TestLinksForPasswordsEnd(t *testing.T) {
	t.Parallel()
	h, mail := mailing(t, open)
	ana := h.addUser("ana", store.NewUser{Password: password})
	asked := func() string {
		h.clock.Advance(2 * time.Hour)
		h.forgets("ana@example.com", office)
		return link(t, (<-mail)[2])
	}
	good := func(path string) bool {
		return h.do(scenario{path: path}).Code == 200
	}
	path := asked()
	h.clock.Advance(59 * time.Minute)
	before := good(path)
	h.clock.Advance(2 * time.Minute)
	if !before || good(path) || h.setsByLink(path, "Correct-horse-9", "Correct-horse-9").Code != 404 {
		t.Error("the link is not good for an hour")
	}
	first, second := asked(), ""
	h.forgets("ana@example.com", office)
	if second = link(t, (<-mail)[2]); !good(first) || !good(second) {
		t.Error("a second link ends the first, which anybody can ask for")
	}
	leads(t, h.setsByLink(second, "Correct-horse-9", "Correct-horse-9"), "/sign-in?done=password")
	if good(first) {
		t.Error("a link is good after a new password")
	}
	path = asked()
	noError(t, h.store.SetActive(t.Context(), ana.ID, false))
	if good(path) {
		t.Error("a link of a blocked account is good")
	}
	noError(t, h.store.SetActive(t.Context(), ana.ID, true))
	if good(path) {
		t.Error("a link is good again after the account was blocked")
	}
}

// Nobody fills a mailbox, nor asks for links for all addresses there are.
func TestLinksAreMailedSeldom(t *testing.T) {
	t.Parallel()
	h, mail := mailing(t, open)
	h.addUser("ana", store.NewUser{Password: password})
	for i := range 48 { // a day from as many addresses
		if w := h.forgets("ana@example.com", fmt.Sprintf("2001:db8:%x::1", i)); w.Code != 200 {
			t.Fatalf("%d: %d", i, w.Code)
		}
		h.clock.Advance(30 * time.Minute)
	}
	h.addUser("last", store.NewUser{Password: password})
	h.forgets("last@example.com", office)
	sent := 0
	for to := ""; to != "last@example.com"; sent++ {
		to = (<-mail)[0]
	}
	t.Logf("%d mails in a day", sent-1)
	if sent-1 > 30 {
		t.Errorf("%d mails in a day", sent-1)
	}
	refused := 0
	for i := range 30 {
		if w := h.forgets(fmt.Sprintf("n%d@example.com", i), stranger); w.Code == 429 && w.Header().Get("Retry-After") != "" {
			refused++
		}
	}
	if refused != 20 {
		t.Errorf("%d refused", refused)
	}
}

// Without a mail server or an address of the service no link is mailed: it would
// lead where whoever asks says.
func TestForgottenWithoutMail(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Config){
		"no mail server":    func(c *Config) { c.PublicURL = "http://example.com" },
		"no public address": func(c *Config) { c.Mail = make(posted).server(nil) },
	} {
		h := open(t, change)
		h.addUser("ana", store.NewUser{Password: password})
		if w := h.forgets("ana@example.com", office); w.Code != 422 || !strings.Contains(w.Body.String(), "Ask a root user") {
			t.Errorf("%s: %d\n%s", name, w.Code, w.Body)
		}
		if strings.Contains(h.check(t, scenario{path: "/sign-in", status: 200}).Body.String(), "/forgotten") {
			t.Errorf("%s: it is offered", name)
		}
	}
}

// A fault of the mail server is for the log: the answer is on its way by then.
func TestForgottenMailFails(t *testing.T) {
	t.Parallel()
	mail := make(posted, 1)
	h := open(t, func(c *Config) {
		c.Mail, c.PublicURL = mail.server(errors.New("connection refused")), "http://example.com"
	})
	h.addUser("ana", store.NewUser{Password: password})
	if w := h.forgets("ana@example.com", office); w.Code != 200 {
		t.Errorf("%d", w.Code)
	}
	<-mail
	for end := time.Now().Add(time.Minute); !strings.Contains(h.log.String(), `msg="a link was not mailed"`); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("nothing in the log:\n%s", h.log)
		}
	}
}

func testPasswordLinks(t *testing.T, open opener) {
	mail := &letters{}
	h := open(t, func(c *Config) { c.Mail = mail.server() })
	ana := h.addUser("ana", store.NewUser{})
	address := "/users/" + itoa(ana.ID)
	h.opened(t, "root", address, "Make a link")
	w := h.sent(t, "root", address+"/link", 200)
	says(t, w, "Link for ana@example.com", "It was sent by mail.")
	path := link(t, w.Body.String())
	if len(mail.sent) != 1 || mail.sent[0][0] != "ana@example.com" || link(t, mail.sent[0][2]) != path {
		t.Errorf("sent %q", mail.sent)
	}
	h.told(t, "user.password_link_made", "root@example.com", "ana@example.com")
	h.clock.Advance(23 * time.Hour)
	leads(t, h.setsByLink(path, "Correct-horse-9", "Correct-horse-9"), "/sign-in?done=password")
	must[*store.User](t)(h.store.SignIn(t.Context(), "ana@example.com", "Correct-horse-9", true))
	leads(t, h.sent(t, "root", "/users/"+itoa(h.users["root"].ID)+"/link", 303), "/password")
	noError(t, h.store.SetActive(t.Context(), ana.ID, false))
	h.sent(t, "root", address+"/link", 404)
	if strings.Contains(h.opened(t, "root", address), "Make a link") {
		t.Error("a blocked account is offered a link")
	}
}
