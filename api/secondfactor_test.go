package api

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/store"
)

// authenticator is an app on a phone, written apart from ours.
type authenticator struct{ key []byte }

func (a *authenticator) code(at time.Time) string {
	mac := hmac.New(sha1.New, a.key)
	_ = binary.Write(mac, binary.BigEndian, uint64(at.Unix()/30))
	sum := mac.Sum(nil)
	number := binary.BigEndian.Uint32(sum[sum[19]&15:]) & 0x7fffffff
	return fmt.Sprintf("%06d", number%1000000)
}

var (
	shownKey    = regexp.MustCompile(`readonly value="([A-Z2-7 ]{39})"`)
	shownSealed = regexp.MustCompile(`name="sealed" value="([^"]+)"`)
	shownCodes  = regexp.MustCompile(`<code>([a-z2-7]{4}(?:-[a-z2-7]{4}){3})</code>`)
)

// scan reads the key of a page, and what its form comes back with.
func scan(t *testing.T, page string) (app *authenticator, sealed string) {
	t.Helper()
	key, form := shownKey.FindStringSubmatch(page), shownSealed.FindStringSubmatch(page)
	if key == nil || form == nil {
		t.Fatalf("no key in %s", page)
	}
	raw, err := base32.StdEncoding.DecodeString(strings.ReplaceAll(key[1], " ", ""))
	noError(t, err)
	return &authenticator{raw}, form[1]
}

// recovery are the codes that a page shows.
func recovery(t *testing.T, page string) (codes []string) {
	t.Helper()
	for _, found := range shownCodes.FindAllStringSubmatch(page, -1) {
		codes = append(codes, found[1])
	}
	if len(codes) != 10 {
		t.Fatalf("%d recovery codes in %s", len(codes), page)
	}
	return codes
}

// half signs in with the password; it is the cookie that waits for the code.
func (h *house) half(t *testing.T, email, secret string) string {
	t.Helper()
	w := h.post("/sign-in", form("email", email, "password", secret, "next", "/tokens"))
	leads(t, w, "/sign-in/code")
	if cookieOf(w, "quire_session") != "" || cookieOf(w, "quire_device") != "" {
		t.Error("the password alone lets in")
	}
	return cookieOf(w, "quire_sign_in")
}

func (h *house) code(half, code string) *httptest.ResponseRecorder {
	return h.post("/sign-in/code", form("code", code), "Cookie", half)
}

// enrols gives a user with the usual password an authenticator.
func (h *house) enrols(t *testing.T, who string) (*authenticator, []string) {
	t.Helper()
	app, sealed := scan(t, h.opened(t, who, "/second-factor"))
	w := h.sent(t, who, "/second-factor", 200, "sealed", sealed, "current", password.Reveal(), "code", app.code(h.clock.Now()))
	h.clock.Advance(30 * time.Second)
	return app, recovery(t, w.Body.String())
}

func testSecondFactor(t *testing.T, open opener) {
	h := open(t, func(c *Config) {
		c.QRCode = func(text string) (string, error) { return "<svg><!--" + text + "--></svg>", nil }
	})
	h.addUser("ana", store.NewUser{Password: password})
	app, sealed := scan(t, h.opened(t, "ana", "/second-factor", "otpauth://totp/Quire:ana@example.com?issuer=Quire&secret="))
	for want, c := range map[string][3]string{
		"Enter your current password.":           {sealed, "", app.code(h.clock.Now())},
		"The current password is wrong.":         {sealed, "guess", app.code(h.clock.Now())},
		"The code is wrong or was used already.": {sealed, password.Reveal(), "12345"},
		"The form is too old":                    {"v1.x", password.Reveal(), app.code(h.clock.Now())},
	} {
		w := h.sent(t, "ana", "/second-factor", 422, "sealed", c[0], "current", c[1], "code", c[2])
		if says(t, w, want); c[0] == sealed && !strings.Contains(w.Body.String(), sealed) {
			t.Errorf("%s: the key is another one", want)
		}
	}
	// The key of somebody else's form is none of ours.
	_, theirs := scan(t, h.opened(t, "root", "/second-factor"))
	says(t, h.sent(t, "ana", "/second-factor", 422, "sealed", theirs, "current", password.Reveal(), "code", "000000"), "The form is too old")

	app, codes := h.enrols(t, "ana")
	if page := h.opened(t, "ana", "/second-factor", "recovery codes left: 10"); shownKey.MatchString(page) || shownCodes.MatchString(page) {
		t.Error("the key or the codes are shown again")
	}
	h.told(t, "user.second_factor_on", "ana@example.com", "ana@example.com")

	// Signing in takes the code as well.
	half := h.half(t, "ana@example.com", password.Reveal())
	h.check(t, scenario{path: "/tokens", header: header("Cookie", half), status: 303})
	h.check(t, scenario{path: "/sign-in/second-factor", header: header("Cookie", half), status: 303})
	says(t, h.code(half, "000000"), "The code is wrong or was used already.")
	says(t, h.code(half, ""), "Enter a code.")
	code := app.code(h.clock.Now())
	w := h.code(half, code)
	leads(t, w, "/tokens")
	h.check(t, scenario{path: "/tokens", header: header("Cookie", cookieOf(w, "quire_session")), status: 200})
	if w := h.code(h.half(t, "ana@example.com", password.Reveal()), code); w.Code != 422 || cookieOf(w, "quire_session") != "" {
		t.Errorf("a code twice: %d", w.Code)
	}
	// A known browser is asked, too.
	w = h.tries(office, "ana@example.com", password.Reveal(), cookieOf(w, "quire_device"))
	leads(t, w, "/sign-in/code")

	half = h.half(t, "ana@example.com", password.Reveal())
	leads(t, h.code(half, strings.ToUpper(codes[0])), "/tokens")
	if w := h.code(h.half(t, "ana@example.com", password.Reveal()), codes[0]); w.Code != 422 {
		t.Errorf("a recovery code twice: %d", w.Code)
	}
	h.told(t, "user.recovery_code_used", "", "ana@example.com")
	testHalfSignInsEnd(t, h, app)
	testFactorOff(t, h, app)
}

func testHalfSignInsEnd(t *testing.T, h *house, app *authenticator) {
	late := h.half(t, "ana@example.com", password.Reveal())
	h.clock.Advance(15*time.Minute + time.Second)
	leads(t, h.code(late, app.code(h.clock.Now())), "/sign-in")
	for _, cookie := range []string{"", "quire_sign_in=x", "quire_sign_in=" + h.store.Seal("sign-in/pending", `{"User":1,"Epoch":1}`)} {
		leads(t, h.code(cookie, app.code(h.clock.Now())), "/sign-in")
	}
	before := h.half(t, "ana@example.com", password.Reveal())
	noError(t, h.store.SetPassword(t.Context(), h.users["ana"].ID, password))
	h.users["ana"] = must[*store.User](t)(h.store.UserByID(t.Context(), h.users["ana"].ID))
	leads(t, h.code(before, app.code(h.clock.Now())), "/sign-in")
	for _, secret := range []string{string(app.key), base32.StdEncoding.EncodeToString(app.key)} {
		if strings.Contains(h.log.String(), secret) {
			t.Error("the log holds the key")
		}
	}
}

func testFactorOff(t *testing.T, h *house, app *authenticator) {
	h.clock.Advance(time.Minute)
	says(t, h.sent(t, "ana", "/second-factor/codes", 422, "code", "000000"), "The code is wrong")
	says(t, h.sent(t, "ana", "/second-factor/off", 422, "code", "000000"), "The code is wrong")
	fresh := recovery(t, h.sent(t, "ana", "/second-factor/codes", 200, "code", app.code(h.clock.Now())).Body.String())
	leads(t, h.sent(t, "ana", "/second-factor/off", 303, "code", fresh[3]), "/second-factor?done=off")
	h.told(t, "user.second_factor_off", "ana@example.com", "ana@example.com")
	leads(t, h.tries(office, "ana@example.com", password.Reveal()), "/")

	h.enrols(t, "ana")
	address := "/users/" + itoa(h.users["ana"].ID)
	h.opened(t, "root", address, "recovery codes left: 10")
	leads(t, h.sent(t, "root", address+"/second-factor/off", 303), address+"?done=factor")
	leads(t, h.tries(office, "ana@example.com", password.Reveal()), "/")
	leads(t, h.sent(t, "root", "/users/"+itoa(h.users["root"].ID)+"/second-factor/off", 303), "/second-factor")
	// Who comes in at a provider has no password, and no factor here.
	h.opened(t, "viewer", "/second-factor", "You sign in at a provider")
}

// Who needs a second factor sets it up before coming in.
func testRequiredSecondFactor(t *testing.T, open opener) {
	for setting, needs := range map[string]map[string]bool{"root": {"root": true, "ana": false}, "required": {"root": true, "ana": true}} {
		t.Run(setting, func(t *testing.T) {
			h := open(t, func(c *Config) { c.SecondFactor = setting })
			h.addUser("ana", store.NewUser{Password: password})
			for who, needed := range needs {
				w := h.tries(office, who+"@example.com", password.Reveal())
				if !needed {
					leads(t, w, "/")
					continue
				}
				leads(t, w, "/sign-in/second-factor")
				half := cookieOf(w, "quire_sign_in")
				if cookieOf(w, "quire_session") != "" {
					t.Error("the password alone lets in")
				}
				app, sealed := scan(t, h.check(t, scenario{path: "/sign-in/second-factor", header: header("Cookie", half), status: 200, has: []string{"Signing in here takes a second factor."}}).Body.String())
				if w := h.post("/sign-in/second-factor", form("sealed", sealed, "code", "12345"), "Cookie", half); w.Code != 422 || cookieOf(w, "quire_session") != "" {
					t.Errorf("a wrong code: %d", w.Code)
				}
				w = h.post("/sign-in/second-factor", form("sealed", sealed, "code", app.code(h.clock.Now())), "Cookie", half)
				recovery(t, w.Body.String())
				h.check(t, scenario{path: "/", header: header("Cookie", cookieOf(w, "quire_session")), status: 200})
				// What waits in the browser replaces no authenticator.
				leads(t, h.do(scenario{path: "/sign-in/second-factor", header: header("Cookie", half)}), "/sign-in/code")
				w = h.post("/sign-in/second-factor", form("sealed", sealed, "code", app.code(h.clock.Now())), "Cookie", half)
				if leads(t, w, "/sign-in/code"); cookieOf(w, "quire_session") != "" {
					t.Error("a second authenticator lets in")
				}
				leads(t, h.tries(office, who+"@example.com", password.Reveal()), "/sign-in/code")
			}
			if needs["ana"] {
				path := h.invited(t, "zoe@example.com")
				w := h.takes(path, "Zoe", "Correct-horse-9")
				if leads(t, w, "/sign-in/second-factor"); cookieOf(w, "quire_session") != "" {
					t.Error("an invitation lets in without a second factor")
				}
			}
		})
	}
}

// Who has the password guesses some hundred codes a day, and is not in the way of
// the owner elsewhere.
func TestGuessesAtCodes(t *testing.T) {
	t.Parallel()
	h := behindProxy(t, open)
	h.addUser("ana", store.NewUser{Password: password})
	app, _ := h.enrols(t, "ana")
	shows := func(address, code, cookies string) *httptest.ResponseRecorder {
		half := cookieOf(h.tries(address, "ana@example.com", password.Reveal(), cookies), "quire_sign_in")
		return h.post("/sign-in/code", form("code", code), "Cookie", half+"; "+cookies, "X-Forwarded-For", address)
	}
	w := shows(office, app.code(h.clock.Now()), "")
	leads(t, w, "/")
	known, half, checked := cookieOf(w, "quire_device"), "", 0
	for minute := range 24 * 60 {
		if minute%14 == 0 {
			half = cookieOf(h.tries(stranger, "ana@example.com", password.Reveal()), "quire_sign_in")
		}
		if w := h.post("/sign-in/code", form("code", "wrong-code"), "Cookie", half, "X-Forwarded-For", stranger); w.Code == 422 {
			checked++
		} else if w.Code != 429 || w.Header().Get("Retry-After") == "" {
			t.Fatalf("%d\n%s", w.Code, w.Body)
		}
		h.clock.Advance(time.Minute)
	}
	t.Logf("%d guesses of a day", checked)
	if checked < 50 || checked > 110 {
		t.Errorf("%d guesses", checked)
	}
	leads(t, shows(office, app.code(h.clock.Now()), known), "/")
}
