package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/store"
)

// behindProxy is a house whose users come through one proxy, httptest's peer.
func behindProxy(t *testing.T, open opener) *house {
	return open(t, func(c *Config) { c.TrustedProxies = networks(t, "192.0.2.1/32") })
}

// tries signs in from an address, with the cookies of a browser.
func (h *house) tries(address, email, secret string, cookies ...string) *httptest.ResponseRecorder {
	return h.post("/sign-in", form("email", email, "password", secret), "X-Forwarded-For", address, "Cookie", strings.Join(cookies, "; "))
}

// cookieOf is a cookie that an answer sets, as a browser sends it back.
func cookieOf(w *httptest.ResponseRecorder, name string) string {
	for _, c := range w.Result().Cookies() {
		if c.Name == name {
			return c.Name + "=" + c.Value
		}
	}
	return ""
}

const (
	stranger = "203.0.113.66"
	office   = "198.51.100.7"
)

// 1,000 attempts by a stranger from behind the same proxy: an honest user signs
// in at the first try, on a new browser, too.
func testStrangersLockNobodyOut(t *testing.T, open opener) {
	h := behindProxy(t, open)
	known := cookieOf(h.tries(stranger, "root@example.com", password.Reveal()), "quire_device")
	checked := 0
	for range 1000 {
		h.clock.Advance(100 * time.Millisecond)
		if w := h.tries(stranger, "root@example.com", "guess"); w.Code == http.StatusUnprocessableEntity {
			checked++
		} else if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "Too many attempts") {
			t.Fatalf("an attempt: %d\n%s", w.Code, w.Body)
		}
	}
	if checked > 9 { // within 100 s: five at once, after 10, 20, 40 s …
		t.Errorf("%d guesses were checked", checked)
	}
	for name, w := range map[string]*httptest.ResponseRecorder{
		"a new browser elsewhere":          h.tries(office, "root@example.com", password.Reveal()),
		"a known browser behind the proxy": h.tries(stranger, "root@example.com", password.Reveal(), known),
	} {
		if w.Code != http.StatusSeeOther {
			t.Errorf("%s: %d\n%s", name, w.Code, w.Body)
		}
	}
}

// Nor does a stranger who tries many accounts lock out those who share the
// address, as all do behind a proxy that nobody named.
func TestGuessesAtManyAccounts(t *testing.T) {
	judges.Slow(t)
	t.Parallel()
	h := open(t)
	refused := 0
	for i := range 110 {
		h.clock.Advance(200 * time.Millisecond)
		for range 2 {
			if w := h.tries(office, fmt.Sprintf("u%d@example.com", i), "guess"); w.Code == http.StatusTooManyRequests {
				refused++
			}
		}
	}
	if refused < 75 { // the second guess at each account, once 60 have failed
		t.Errorf("only %d guesses were refused", refused)
	}
	if w := h.tries(office, "root@example.com", password.Reveal()); w.Code != http.StatusSeeOther {
		t.Errorf("an honest user: %d\n%s", w.Code, w.Body)
	}
}

// guesses counts how many of the attempts that keep coming are checked.
func guesses(h *house, within time.Duration, addresses func(i int) string) (checked int) {
	end := h.clock.Now().Add(within)
	for i := 0; h.clock.Now().Before(end); i++ {
		w := h.tries(addresses(i), "root@example.com", "guess")
		if w.Code == http.StatusUnprocessableEntity {
			checked++
		}
		h.clock.Advance(time.Minute)
	}
	return checked
}

func TestGuessesOfADay(t *testing.T) {
	judges.Slow(t)
	t.Parallel()
	h := behindProxy(t, open)
	one := guesses(h, 24*time.Hour, func(int) string { return stranger })
	h.clock.Advance(100 * time.Hour)
	many := guesses(h, 24*time.Hour, func(i int) string { return fmt.Sprintf("2001:db8:%x::1", i) })
	t.Logf("guesses of a day at one account: %d from one address, %d from many", one, many)
	if one > 110 || many > 320 {
		t.Errorf("too many: %d from one address, %d from many", one, many)
	}
	if n := guesses(h, 2*time.Hour, func(i int) string { return fmt.Sprintf("2001:db8:9::%x", i) }); n > 20 {
		t.Errorf("%d from the addresses of one network", n)
	}
}

func TestAKnownBrowserHasALimitOfItsOwn(t *testing.T) {
	t.Parallel()
	h := behindProxy(t, open)
	known := cookieOf(h.tries(office, "root@example.com", password.Reveal()), "quire_device")
	checked := 0
	for range 100 {
		if w := h.tries(office, "root@example.com", "guess", known); w.Code == http.StatusUnprocessableEntity {
			checked++
		}
	}
	if checked != 10 {
		t.Errorf("%d guesses", checked)
	}
	if w := h.tries(office, "root@example.com", password.Reveal()); w.Code != http.StatusSeeOther {
		t.Errorf("another browser there: %d", w.Code)
	}
	h.clock.Advance(6 * time.Minute)
	w := h.tries(office, "root@example.com", password.Reveal(), known)
	if next := cookieOf(w, "quire_device"); w.Code != http.StatusSeeOther || next == "" || next == known {
		t.Errorf("after waiting: %d, %q", w.Code, next)
	}
}

func TestTheCookieOfABrowser(t *testing.T) {
	t.Parallel()
	h := open(t)
	for name := range map[string]bool{"ana": true, "bo": true} {
		h.addUser(name, store.NewUser{Password: password})
	}
	w := h.tries(office, "ana@example.com", password.Reveal())
	for _, c := range w.Result().Cookies() {
		if c.Name == "quire_device" && (!c.HttpOnly || c.SameSite != http.SameSiteLaxMode || time.Until(c.Expires) < 100*24*time.Hour) {
			t.Errorf("the cookie is %s", c)
		}
	}
	ana := cookieOf(w, "quire_device")
	both := cookieOf(h.tries(office, "bo@example.com", password.Reveal(), ana), "quire_device")
	if strings.Count(both, ".") != 1 || !strings.HasSuffix(both, "."+strings.TrimPrefix(ana, "quire_device=")) {
		t.Errorf("two accounts know the browser by %q", both)
	}
	locked := func(who, cookie string) bool {
		for range 7 {
			if h.tries(office, who+"@example.com", "guess", cookie).Code == http.StatusTooManyRequests {
				return true
			}
		}
		return false
	}
	if locked("ana", both) || !locked("bo", ana) {
		t.Error("a browser is known to an account that never signed in there")
	}
	if err := h.store.SetPassword(t.Context(), h.users["ana"].ID, "New-password-9"); err != nil {
		t.Fatal(err)
	}
	if !locked("ana", both) {
		t.Error("the browser is known after a new password")
	}
}

func TestSignInsAreLogged(t *testing.T) {
	t.Parallel()
	h := behindProxy(t, open)
	h.tries(stranger, "root@example.com", "guess-77")
	h.tries(stranger, "my-password-88", "root@example.com")
	h.tries(office, "root@example.com", password.Reveal())
	log := h.log.String()
	for _, want := range []string{
		`level=WARN msg="sign-in failed" account=root@example.com address=203.0.113.66 request=`,
		`msg="sign-in failed" account="(no e-mail address)" address=203.0.113.66`,
		`level=INFO msg="signed in" account=root@example.com address=198.51.100.7 request=`,
	} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %s:\n%s", want, log)
		}
	}
	for _, secret := range []string{"guess-77", "my-password-88", password.Reveal()} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds %s", secret)
		}
	}
}

func testDevicePage(t *testing.T, open opener) {
	h := behindProxy(t, open)
	browser := func(agent, address string) string {
		w := h.post("/sign-in", form("email", "root@example.com", "password", password.Reveal()), "User-Agent", agent, "X-Forwarded-For", address)
		return cookieOf(w, "quire_session") + "; " + cookieOf(w, "quire_device")
	}
	mine := browser("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0", office)
	phone := browser("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36", stranger)
	tool := browser("<script>/1", stranger)
	opened := func(cookie string, status int) string {
		return h.check(t, scenario{path: "/devices", header: header("Cookie", cookie, "User-Agent", "Mozilla/5.0 (Windows NT 10.0) Firefox/145.0", "X-Forwarded-For", office), status: status}).Body.String()
	}
	page := opened(mine, 200)
	for _, word := range []string{"Firefox on Windows", "Chrome on Android", "&lt;script&gt;/1", office, stranger, "this one", "End all others"} {
		if !strings.Contains(page, word) {
			t.Errorf("no %s in\n%s", word, page)
		}
	}
	refs := regexp.MustCompile(`/devices/([0-9a-f]{16})/end`).FindAllStringSubmatch(page, -1)
	if len(refs) != 2 || strings.Index(page, "this one") > strings.Index(page, "Chrome on Android") {
		t.Fatalf("%v in\n%s", refs, page)
	}
	leads(t, h.post("/devices/"+refs[1][1]+"/end", "", "Cookie", mine), "/devices?done=ended")
	leads(t, h.post("/devices/"+refs[1][1]+"/end", "", "Cookie", h.session("author")), "/devices?done=ended") // not theirs: nothing happens
	if ended := []bool{strings.Contains(opened(mine, 200), "Chrome on Android"), strings.Contains(opened(mine, 200), "&lt;script")}; ended[0] == ended[1] {
		t.Errorf("which go on: %v", ended)
	}
	leads(t, h.post("/devices/end", "", "Cookie", mine), "/devices?done=others")
	opened(phone, 303)
	opened(tool, 303)
	if page := opened(mine, 200); strings.Contains(page, "End all others") {
		t.Error(page)
	}
	testRootEndsSessions(t, h, mine)
	h.clock.Advance(13 * time.Hour)
	opened(mine, 303)
}

func testRootEndsSessions(t *testing.T, h *house, root string) {
	theirs, other := h.session("author"), h.session("author")
	address := fmt.Sprintf("/users/%d", h.users["author"].ID)
	page := h.check(t, scenario{path: address, header: header("Cookie", root), status: 200, has: []string{"Where author is signed in", "Sign out everywhere"}}).Body.String()
	if strings.Contains(page, "this one") {
		t.Error(page)
	}
	if w := h.post(address+"/sign-out", "", "Cookie", h.session("administrator")); w.Code != 403 {
		t.Errorf("no root user: %d", w.Code)
	}
	// One of them, and nobody else's.
	listed := func() [][]string {
		page := h.check(t, scenario{path: address, header: header("Cookie", root), status: 200}).Body.String()
		return regexp.MustCompile(address+`(/devices/[0-9a-f]{16}/end)`).FindAllStringSubmatch(page, -1)
	}
	ends := listed()
	if len(ends) < 2 {
		t.Fatalf("%v in\n%s", ends, page)
	}
	elsewhere := fmt.Sprintf("/users/%d", h.users["viewer"].ID)
	leads(t, h.post(elsewhere+ends[0][1], "", "Cookie", root), elsewhere+"?done=ended")
	leads(t, h.post(address+ends[0][1], "", "Cookie", root), address+"?done=ended")
	if left := listed(); len(left) != len(ends)-1 || slices.ContainsFunc(left, func(l []string) bool { return l[1] == ends[0][1] }) {
		t.Errorf("of %v there are %v", ends, left)
	}
	leads(t, h.post(address+"/sign-out", "", "Cookie", root), "/users?done=ended")
	h.check(t, scenario{path: "/", header: header("Cookie", theirs), status: 303})
	h.check(t, scenario{path: "/", header: header("Cookie", other), status: 303})
	h.check(t, scenario{path: address, header: header("Cookie", root), status: 200, has: []string{"author is signed in nowhere"}})
	leads(t, h.post(fmt.Sprintf("/users/%d/sign-out", h.users["root"].ID), "", "Cookie", root), "/devices")
}
