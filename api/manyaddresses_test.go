package api

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/store"
)

// TestGuessesFromManyAddresses has 200 addresses try everything with which one
// account can be come into, at the same moment and for twelve minutes. What is checked
// is bounded for the account, and its owner comes in meanwhile: by a browser
// that the account knows, or by a link in their mail.
func TestGuessesFromManyAddresses(t *testing.T) {
	t.Parallel()
	const addresses = 200
	at := func(i int) string { return fmt.Sprintf("198.51.%d.%d", i/100, i%100) }
	h, mail := mailing(t, open)
	h.addUser("ana", store.NewUser{Password: password})
	app, codes := h.enrols(t, "ana")
	shows := func(address, secret, code, cookies string) *httptest.ResponseRecorder {
		half := cookieOf(h.tries(address, "ana@example.com", secret, cookies), "quire_sign_in")
		return h.post("/sign-in/code", form("code", code), "Cookie", half+"; "+cookies, "X-Forwarded-For", address)
	}
	w := shows(office, password.Reveal(), app.code(h.clock.Now()), "")
	leads(t, w, "/")
	known := cookieOf(w, "quire_device")
	// Who guesses codes has the password, and got this far before the attack.
	half := cookieOf(h.tries(stranger, "ana@example.com", password.Reveal()), "quire_sign_in")
	for _, attack := range []struct {
		name  string
		guess func(i int) *httptest.ResponseRecorder
	}{
		{"codes", func(i int) *httptest.ResponseRecorder {
			code := "000-00" + fmt.Sprint(i%10)
			if i%2 == 1 { // those for when the app is lost count with it
				code = strings.Repeat(string(rune('a'+i%26)), 16)
			}
			return h.post("/sign-in/code", form("code", code), "Cookie", half, "X-Forwarded-For", at(i))
		}},
		{"passwords", func(i int) *httptest.ResponseRecorder {
			return h.tries(at(i), "ana@example.com", fmt.Sprint("guess", i))
		}},
	} {
		name, guess := attack.name, attack.guess
		tried, checked := 0, 0
		round := func() {
			for i := range addresses {
				tried++
				switch w := guess(i); {
				case w.Code == 422:
					checked++
				case w.Code != 429 || w.Header().Get("Retry-After") == "":
					t.Fatalf("%s: %d\n%s", name, w.Code, w.Body)
				}
			}
		}
		round()
		t.Logf("%s: %d tried at once from %d addresses, %d checked, 0 let in", name, tried, addresses, checked)
		if checked < 5 || checked > 21 {
			t.Errorf("%s: %d were checked at once", name, checked)
		}
		for range 3 {
			h.clock.Advance(4 * time.Minute)
			round()
		}
		t.Logf("%s: %d tried within 12 minutes, %d checked", name, tried, checked)
		if checked > 30 {
			t.Errorf("%s: %d were checked", name, checked)
		}
		// The owner, while it goes on.
		w := shows(office, password.Reveal(), app.code(h.clock.Now()), known)
		leads(t, w, "/")
		known = cookieOf(w, "quire_device") // a new one each time
		h.clock.Advance(30 * time.Second)
	}

	// Links: few are mailed, and each lets the owner choose a password in whatever
	// browser it is opened, which the account knows from then on.
	asked, told := 0, 0
	for i := range addresses {
		asked++
		if w := h.forgets("ana@example.com", at(i)); w.Code != 200 {
			t.Fatalf("asking for a link: %d\n%s", w.Code, w.Body)
		}
	}
	var letter [3]string
	for more := true; more; {
		select {
		case letter = <-mail:
			told++
		case <-time.After(2 * time.Second):
			more = false
		}
	}
	t.Logf("links: %d asked for from %d addresses, %d mailed", asked, addresses, told)
	if told < 1 || told > 4 {
		t.Errorf("%d links were mailed", told)
	}
	guessed := 0
	for i := range addresses {
		w := h.post("/set-password", form("token", fmt.Sprintf("%032d", i), "password", "Guessed-password-1", "repeated", "Guessed-password-1"), "X-Forwarded-For", at(i))
		if w.Code != 404 {
			guessed++
			t.Errorf("a link that was guessed: %d\n%s", w.Code, w.Body)
		}
	}
	t.Logf("links: %d guessed, %d let through", addresses, guessed)
	// What keeps strangers waiting keeps new browsers waiting, too, ...
	for i := range addresses {
		h.tries(at(i), "ana@example.com", "guess")
	}
	if w := h.tries("203.0.113.77", "ana@example.com", password.Reveal()); w.Code != 429 {
		t.Errorf("a new browser while it goes on: %d", w.Code)
	}
	// ... but not one in which the link was opened, nor a recovery code in it.
	path := letter[2][strings.Index(letter[2], "/set-password?"):]
	path, _, _ = strings.Cut(path, "\n")
	const fresh = "Another-horse-battery-9"
	w = h.setsByLink(path, fresh, fresh)
	device := cookieOf(w, "quire_device")
	if w.Code != 303 || device == "" {
		t.Fatalf("the link in the mail: %d\n%s", w.Code, w.Body)
	}
	leads(t, shows("203.0.113.77", fresh, codes[0], device), "/")
	// Afterwards everybody waits a few minutes at most.
	h.clock.Advance(5 * time.Minute)
	if w := h.tries("203.0.113.78", "ana@example.com", fresh); w.Code != 303 {
		t.Errorf("a new browser afterwards: %d\n%s", w.Code, w.Body)
	}
}

// TestPasskeysFromManyAddresses: nobody guesses one, from however many addresses.
func TestPasskeysFromManyAddresses(t *testing.T) {
	t.Parallel()
	h := behindProxy(t, open)
	h.addUser("ana", store.NewUser{Password: password})
	own := newPhone(t)
	h.makesKey(t, h.session("ana"), "Phone", own)
	tried, let := 0, 0
	for i := range 200 {
		_, cookie := h.asks(t, "/sign-in/passkey/options", "")
		forged := newPhone(t)
		forged.id, forged.handle = own.id, own.handle // what it is called is no secret
		w := h.post("/sign-in/passkey", form("credential", forged.showsAs("x")), "Cookie", cookie, "X-Forwarded-For", fmt.Sprintf("198.51.%d.%d", i/100, i%100))
		if tried++; w.Code != 422 || cookieOf(w, "quire_session") != "" {
			let++
			t.Errorf("%d\n%.300s", w.Code, w.Body)
		}
	}
	t.Logf("passkeys: %d tried from as many addresses, %d let in", tried, let)
	if w := h.byKey(t, own); w.Code != 303 {
		t.Errorf("the owner: %d\n%s", w.Code, w.Body)
	}
}
