package api

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/store"
)

// phone is an authenticator, written apart from ours; its fields are what one
// can get wrong.
type phone struct {
	t          testing.TB
	key        *ecdsa.PrivateKey
	id, handle []byte
	rp, origin string
	count      uint32
	unverified bool // who holds it was not asked for a finger or a PIN
	absent     bool // nobody touched it
	typ        string
}

func newPhone(t *testing.T) *phone {
	t.Helper()
	key := must[*ecdsa.PrivateKey](t)(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	id := make([]byte, 16)
	_, _ = rand.Read(id)
	return &phone{t: t, key: key, id: id, rp: "example.com", origin: "https://example.com"}
}

func unpadded(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func (p *phone) clientData(typ, challenge string) []byte {
	if p.typ != "" {
		typ = p.typ
	}
	text, _ := json.Marshal(map[string]any{"type": typ, "challenge": challenge, "origin": p.origin, "crossOrigin": false})
	return text
}

// authData is what the authenticator says of itself and signs.
func (p *phone) authData(attested []byte) []byte {
	hash := sha256.Sum256([]byte(p.rp))
	flags := byte(0)
	if !p.absent {
		flags |= 1
	}
	if !p.unverified {
		flags |= 4
	}
	if attested != nil {
		flags |= 64
	}
	out := append(hash[:], flags)
	return append(binary.BigEndian.AppendUint32(out, p.count), attested...)
}

// options are what the service asked for.
type options struct {
	Public struct {
		Challenge string `json:"challenge"`
		RPID      string `json:"rpId"`
		RP        struct{ ID string }
		User      struct{ ID, Name string }
		Allow     []struct{ ID string } `json:"allowCredentials"`
		Exclude   []struct{ ID string } `json:"excludeCredentials"`
		Verified  string                `json:"userVerification"`
		Selection struct {
			ResidentKey string `json:"residentKey"`
		} `json:"authenticatorSelection"`
		Attestation string `json:"attestation"`
	} `json:"publicKey"`
}

// makes answers a challenge with a new key, in CBOR, without attestation.
func (p *phone) makes(o options) string {
	p.handle = must[[]byte](p.t)(base64.RawURLEncoding.DecodeString(o.Public.User.ID))
	public := must[[]byte](p.t)(p.key.PublicKey.Bytes())
	x, y := public[1:33], public[33:]
	cose := bytes.Join([][]byte{{0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20}, x, {0x22, 0x58, 0x20}, y}, nil)
	attested := bytes.Join([][]byte{make([]byte, 16), {0, byte(len(p.id))}, p.id, cose}, nil)
	data := p.authData(attested)
	object := bytes.Join([][]byte{[]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"), {byte(len(data))}, data}, nil)
	return p.said(map[string]any{"clientDataJSON": unpadded(p.clientData("webauthn.create", o.Public.Challenge)), "attestationObject": unpadded(object), "transports": []string{"internal"}})
}

// shows answers a challenge with the key.
func (p *phone) shows(o options) string {
	p.count++
	return p.showsAs(o.Public.Challenge)
}

func (p *phone) showsAs(challenge string) string {
	client, data := p.clientData("webauthn.get", challenge), p.authData(nil)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(append(append([]byte{}, data...), hash[:]...))
	signature := must[[]byte](p.t)(ecdsa.SignASN1(rand.Reader, p.key, digest[:]))
	return p.said(map[string]any{"clientDataJSON": unpadded(client), "authenticatorData": unpadded(data), "signature": unpadded(signature), "userHandle": unpadded(p.handle)})
}

func (p *phone) said(response map[string]any) string {
	text, _ := json.Marshal(map[string]any{"id": unpadded(p.id), "rawId": unpadded(p.id), "type": "public-key", "response": response, "clientExtensionResults": map[string]any{}})
	return string(text)
}

// asks asks for options; the cookie holds the challenge.
func (h *house) asks(t *testing.T, path, cookies string, fields ...string) (o options, cookie string) {
	t.Helper()
	w := h.post(path, form(fields...), "Cookie", cookies)
	if err := json.Unmarshal(w.Body.Bytes(), &o); w.Code != 200 || err != nil || o.Public.Challenge == "" {
		t.Fatalf("%s: %d %v %s", path, w.Code, err, w.Body)
	}
	return o, cookieOf(w, "quire_passkey")
}

// makesKey gives a user with the usual password a passkey.
func (h *house) makesKey(t *testing.T, session, name string, p *phone) *httptest.ResponseRecorder {
	t.Helper()
	o, cookie := h.asks(t, "/second-factor/passkey/options", session, "current", password.Reveal(), "name", name)
	return h.post("/second-factor/passkey", form("name", name, "credential", p.makes(o)), "Cookie", session+"; "+cookie)
}

func (h *house) byKey(t *testing.T, p *phone) *httptest.ResponseRecorder {
	t.Helper()
	o, cookie := h.asks(t, "/sign-in/passkey/options", "")
	return h.post("/sign-in/passkey", form("credential", p.shows(o), "next", "/tokens"), "Cookie", cookie)
}

func testPasskeys(t *testing.T, open opener) {
	h := open(t)
	h.addUser("ana", store.NewUser{Password: password})
	session := h.session("ana")
	p := newPhone(t)

	o, _ := h.asks(t, "/second-factor/passkey/options", session, "current", password.Reveal())
	if o.Public.RP.ID != "example.com" || o.Public.Selection.ResidentKey != "required" || o.Public.Attestation != "none" || strings.Contains(o.Public.User.ID, "ana") {
		t.Errorf("asked for %+v", o.Public)
	}
	if w := h.post("/second-factor/passkey/options", form("current", "guess"), "Cookie", session); w.Code != 400 || !strings.Contains(w.Body.String(), "the current password is wrong") {
		t.Errorf("with a wrong password: %d %s", w.Code, w.Body)
	}
	w := h.makesKey(t, session, "Phone <1>", p)
	codes := recovery(t, w.Body.String())
	h.told(t, "user.passkey_added", "ana@example.com", "ana@example.com")
	second := newPhone(t)
	leads(t, h.makesKey(t, session, "Laptop", second), "/second-factor?done=passkey")
	if !bytes.Equal(p.handle, second.handle) {
		t.Error("the two keys name two users")
	}
	page := h.opened(t, "ana", "/second-factor", "Phone &lt;1&gt;", "Laptop", "never")
	if strings.Contains(page, "Phone <1>") {
		t.Error("names are not escaped")
	}
	if o, _ := h.asks(t, "/second-factor/passkey/options", session, "current", password.Reveal()); len(o.Public.Exclude) != 2 {
		t.Errorf("%d keys are excluded", len(o.Public.Exclude))
	}

	// Without a password.
	w = h.byKey(t, p)
	leads(t, w, "/tokens")
	h.check(t, scenario{path: "/tokens", header: header("Cookie", cookieOf(w, "quire_session")), status: 200})
	h.told(t, "session.signed_in", "ana@example.com", "")
	if cookieOf(w, "quire_device") == "" {
		t.Error("the browser stays a stranger")
	}
	if page := h.opened(t, "ana", "/second-factor"); strings.Count(page, "never") != 1 {
		t.Error("the last use is not shown")
	}

	// After the password; a code stands in for it, once.
	half := h.half(t, "ana@example.com", password.Reveal())
	h.check(t, scenario{path: "/tokens", header: header("Cookie", half), status: 303})
	h.check(t, scenario{path: "/sign-in/code", header: header("Cookie", half), status: 200, has: []string{"Use a passkey", "recovery codes"}})
	o, cookie := h.asks(t, "/sign-in/code/passkey/options", half)
	if len(o.Public.Allow) != 2 || o.Public.Verified != "discouraged" {
		t.Errorf("asked for %+v", o.Public)
	}
	second.unverified = true // a touch is enough after the password
	leads(t, h.post("/sign-in/code/passkey", form("credential", second.shows(o)), "Cookie", half+"; "+cookie), "/tokens")
	leads(t, h.code(h.half(t, "ana@example.com", password.Reveal()), codes[0]), "/tokens")
	if w := h.code(h.half(t, "ana@example.com", password.Reveal()), codes[0]); w.Code != 422 {
		t.Errorf("a recovery code twice: %d", w.Code)
	}

	// Removed, it is of no use; the last takes the codes with it.
	keys := must[[]store.Passkey](t)(h.store.Passkeys(t.Context(), h.users["ana"].ID))
	remove := func(id int, secret string) *httptest.ResponseRecorder {
		return h.post("/second-factor/passkey/"+itoa(id)+"/remove", form("current", secret), "Cookie", session)
	}
	says(t, remove(keys[0].ID, "guess"), "The current password is wrong.")
	if w := h.post("/second-factor/passkey/"+itoa(keys[0].ID)+"/remove", form("current", password.Reveal()), "Cookie", h.session("root")); w.Code == 303 {
		t.Error("somebody else removes it")
	}
	leads(t, remove(keys[0].ID, password.Reveal()), "/second-factor?done=passkey-off")
	if w := h.byKey(t, p); w.Code != 422 || cookieOf(w, "quire_session") != "" {
		t.Errorf("a removed key: %d", w.Code)
	}
	leads(t, remove(keys[1].ID, password.Reveal()), "/second-factor?done=passkey-off")
	h.told(t, "user.passkey_removed", "ana@example.com", "ana@example.com")
	if factor := must[*store.SecondFactor](t)(h.store.SecondFactorOf(t.Context(), h.users["ana"].ID)); factor != nil {
		t.Errorf("left: %+v", factor)
	}
	leads(t, h.post("/sign-in", form("email", "ana@example.com", "password", password.Reveal(), "next", "/tokens")), "/tokens")
}

// testPasskeysThatAreRefused: what a page of somebody else, a listener, or a user
// with a key of their own can send.
func testPasskeysThatAreRefused(t *testing.T, open opener) {
	t.Parallel()
	h := open(t)
	for _, who := range []string{"ana", "ben"} {
		h.addUser(who, store.NewUser{Password: password})
	}
	ana, ben := newPhone(t), newPhone(t)
	for who, p := range map[string]*phone{"ana": ana, "ben": ben} {
		h.makesKey(t, h.session(who), "Phone", p)
		h.makesKey(t, h.session(who), "Other", newPhone(t))
	}
	refused := func(t *testing.T, w *httptest.ResponseRecorder) {
		t.Helper()
		if w.Code != 422 || cookieOf(w, "quire_session") != "" {
			t.Errorf("%d, session %q\n%.300s", w.Code, cookieOf(w, "quire_session"), w.Body)
		}
	}
	try := func(t *testing.T, change func(p *phone)) {
		t.Helper()
		p := *ana
		change(&p)
		o, cookie := h.asks(t, "/sign-in/passkey/options", "")
		refused(t, h.post("/sign-in/passkey", form("credential", p.shows(o)), "Cookie", cookie))
		ana.count = p.count
	}
	for name, change := range map[string]func(p *phone){
		"another origin":        func(p *phone) { p.origin = "https://example.org" },
		"a part of the origin":  func(p *phone) { p.origin = "https://example.com.evil.example" },
		"no encryption":         func(p *phone) { p.origin = "http://example.com" },
		"another port":          func(p *phone) { p.origin = "https://example.com:8443" },
		"another site":          func(p *phone) { p.rp = "example.org" },
		"nobody was verified":   func(p *phone) { p.unverified = true },
		"nobody was there":      func(p *phone) { p.absent = true },
		"a new key's answer":    func(p *phone) { p.typ = "webauthn.create" },
		"another key":           func(p *phone) { p.key = ben.key },
		"the handle of another": func(p *phone) { p.handle = ben.handle },
		"no handle":             func(p *phone) { p.handle = nil },
		"a key nobody has":      func(p *phone) { p.id = []byte("0123456789abcdef") },
	} {
		t.Run(name, func(t *testing.T) { try(t, change) })
	}
	// The address rests now and then between so many failures.
	h.clock.Advance(2 * time.Hour)

	t.Run("a challenge twice", func(t *testing.T) {
		o, cookie := h.asks(t, "/sign-in/passkey/options", "")
		shown := form("credential", ana.shows(o))
		leads(t, h.post("/sign-in/passkey", shown, "Cookie", cookie), "/")
		refused(t, h.post("/sign-in/passkey", shown, "Cookie", cookie))
		refused(t, h.post("/sign-in/passkey", form("credential", ana.shows(o)), "Cookie", cookie))
	})
	t.Run("a challenge of another browser", func(t *testing.T) {
		o, _ := h.asks(t, "/sign-in/passkey/options", "")
		_, other := h.asks(t, "/sign-in/passkey/options", "")
		refused(t, h.post("/sign-in/passkey", form("credential", ana.shows(o)), "Cookie", other))
		refused(t, h.post("/sign-in/passkey", form("credential", ana.shows(o))))
	})
	t.Run("a challenge that is too old", func(t *testing.T) {
		o, cookie := h.asks(t, "/sign-in/passkey/options", "")
		h.clock.Advance(6 * time.Minute)
		refused(t, h.post("/sign-in/passkey", form("credential", ana.shows(o)), "Cookie", cookie))
	})
	t.Run("a challenge for something else", func(t *testing.T) {
		o, cookie := h.asks(t, "/second-factor/passkey/options", h.session("ana"), "current", password.Reveal())
		refused(t, h.post("/sign-in/passkey", form("credential", ana.shows(o)), "Cookie", cookie))
	})
	t.Run("somebody else's key after the password", func(t *testing.T) {
		half := h.half(t, "ana@example.com", password.Reveal())
		o, cookie := h.asks(t, "/sign-in/code/passkey/options", half)
		refused(t, h.post("/sign-in/code/passkey", form("credential", ben.shows(o)), "Cookie", half+"; "+cookie))
	})
	t.Run("somebody else's challenge after the password", func(t *testing.T) {
		half, theirs := h.half(t, "ana@example.com", password.Reveal()), h.half(t, "ben@example.com", password.Reveal())
		o, cookie := h.asks(t, "/sign-in/code/passkey/options", theirs)
		refused(t, h.post("/sign-in/code/passkey", form("credential", ana.shows(o)), "Cookie", half+"; "+cookie))
	})
	t.Run("without the password", func(t *testing.T) {
		if w := h.post("/sign-in/code/passkey/options", ""); w.Code == 200 {
			t.Error("a stranger learns the keys of somebody")
		}
		if w := h.post("/sign-in/code/passkey", form("credential", "{}")); w.Code != 303 || w.Header().Get("Location") != "/sign-in" {
			t.Errorf("%d %s", w.Code, w.Header().Get("Location"))
		}
	})
	t.Run("a new key for another", func(t *testing.T) {
		o, cookie := h.asks(t, "/second-factor/passkey/options", h.session("ana"), "current", password.Reveal())
		made := form("name", "x", "credential", newPhone(t).makes(o))
		if w := h.post("/second-factor/passkey", made, "Cookie", h.session("ben")+"; "+cookie); w.Code != 422 {
			t.Errorf("%d", w.Code)
		}
	})
	t.Run("a new key of another origin", func(t *testing.T) {
		p := newPhone(t)
		p.origin = "https://example.org"
		if w := h.makesKey(t, h.session("ana"), "x", p); w.Code != 422 {
			t.Errorf("%d", w.Code)
		}
		p = newPhone(t)
		p.rp = "example.org"
		if w := h.makesKey(t, h.session("ana"), "x", p); w.Code != 422 {
			t.Errorf("%d", w.Code)
		}
	})
	t.Run("a key that is here already", func(t *testing.T) {
		if w := h.makesKey(t, h.session("ben"), "x", &phone{t: t, key: ana.key, id: ana.id, rp: ana.rp, origin: ana.origin}); w.Code != 422 && w.Code != 409 {
			t.Errorf("%d", w.Code)
		}
	})
	t.Run("broken answers", func(t *testing.T) {
		for _, text := range []string{"", "{}", "[]", `{"id":"x","rawId":"x","type":"public-key","response":{}}`, strings.Repeat("[", 10000)} {
			_, cookie := h.asks(t, "/sign-in/passkey/options", "")
			refused(t, h.post("/sign-in/passkey", form("credential", text), "Cookie", cookie))
			h.clock.Advance(time.Hour)
		}
	})
	t.Run("a form of another site", func(t *testing.T) {
		o, cookie := h.asks(t, "/sign-in/passkey/options", "")
		w := h.do(scenario{method: "POST", path: "/sign-in/passkey", body: form("credential", ana.shows(o)), header: header("Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "cross-site", "Cookie", cookie)})
		if w.Code != 403 {
			t.Errorf("%d", w.Code)
		}
	})
	t.Run("who is blocked", func(t *testing.T) {
		noError(t, h.store.SetActive(t.Context(), h.users["ben"].ID, false))
		refused(t, h.byKey(t, ben))
	})
}

// testACopiedPasskeyIsRefused: its count does not grow. From then on neither the
// copy nor the key itself is of use.
func testACopiedPasskeyIsRefused(t *testing.T, open opener) {
	t.Parallel()
	h := open(t)
	h.addUser("ana", store.NewUser{Password: password})
	p := newPhone(t)
	h.makesKey(t, h.session("ana"), "Phone", p)
	copied := *p
	for range 3 {
		leads(t, h.byKey(t, p), "/tokens")
	}
	says(t, h.byKey(t, &copied), "This passkey seems to exist twice")
	h.told(t, "user.passkey_suspect", "", "ana@example.com")
	if w := h.byKey(t, p); w.Code != 422 {
		t.Errorf("the key is still good: %d", w.Code)
	}
	h.opened(t, "ana", "/second-factor", "Seems to exist twice")
	// Keys that do not count are taken as they are.
	h.addUser("ben", store.NewUser{Password: password})
	steady := newPhone(t)
	h.makesKey(t, h.session("ben"), "Cloud", steady)
	for range 3 {
		o, cookie := h.asks(t, "/sign-in/passkey/options", "")
		leads(t, h.post("/sign-in/passkey", form("credential", steady.showsAs(o.Public.Challenge), "next", "/tokens"), "Cookie", cookie), "/tokens")
	}
}

// TestGuessingPasskeysIsSlowedDown, though nobody can.
func TestGuessingPasskeysIsSlowedDown(t *testing.T) {
	t.Parallel()
	h := open(t)
	tried, waits := 0, 0
	for range 80 {
		_, cookie := h.asks(t, "/sign-in/passkey/options", "")
		tried++
		if w := h.post("/sign-in/passkey", form("credential", newPhone(t).showsAs("x")), "Cookie", cookie); w.Code == 429 {
			waits++
		}
	}
	if waits < 10 {
		t.Errorf("of %d tries at once %d had to wait", tried, waits)
	}
}

// TestWhereThereAreNoPasskeys: addresses of machines, plain HTTP and other names.
func TestWhereThereAreNoPasskeys(t *testing.T) {
	t.Parallel()
	for public, hosts := range map[string]map[string]string{
		"":                            {"localhost:8080": "localhost", "reports.localhost": "reports.localhost", "reports.example.com": "reports.example.com", "192.0.2.7:8080": "", "[::1]:8080": ""},
		"https://reports.example.com": {"reports.example.com": "reports.example.com", "localhost:8080": "", "evil.example": ""},
		"http://reports.example.com":  {"reports.example.com": ""},
		"http://localhost:8080":       {"localhost:8080": "localhost", "127.0.0.1:8080": ""},
	} {
		h := open(t, func(c *Config) {
			c.PublicURL = public
		})
		for host, want := range hosts {
			r := httptest.NewRequest("POST", "/sign-in/passkey/options", nil)
			r.Host = host
			r.Header.Set("Sec-Fetch-Site", "same-origin")
			w := httptest.NewRecorder()
			h.handler.ServeHTTP(w, r)
			var o options
			_ = json.Unmarshal(w.Body.Bytes(), &o)
			if o.Public.RPID != want || (w.Code == 200) != (want != "") {
				t.Errorf("PublicUrl %q, asked at %s: %d, for %q; want %q", public, host, w.Code, o.Public.RPID, want)
			}
		}
	}
}

// testARoleNeedsASecondFactor: who could come in with a password alone is led to
// set one up, and finds the workspace closed until then.
func testARoleNeedsASecondFactor(t *testing.T, open opener) {
	t.Parallel()
	h := open(t)
	h.addUser("ana", store.NewUser{Password: password})
	var viewer store.Role
	for _, r := range must[[]store.Role](t)(h.store.Roles(t.Context(), h.demo.ID)) {
		if r.Name == "Viewer" {
			viewer = r
		}
	}
	noError(t, h.store.SetMember(t.Context(), h.demo.ID, h.users["ana"].ID, viewer.ID))
	before := h.session("ana")
	with := func(path string, status int, has ...string) {
		t.Helper()
		h.check(t, scenario{path: path, header: header("Cookie", before), status: status, has: has})
	}
	with("/ws/demo", 200)
	// The switch is on the page of the role; of the built-in one it is all that changes.
	admin := h.session("administrator")
	fields := []string{"name", "Viewer", "description", "x", "factor", "yes"}
	for c, l := range viewer.Levels {
		fields = append(fields, "level-"+string(c), l.String())
	}
	leads(t, h.post("/ws/demo/roles/"+itoa(viewer.ID), form(fields...), "Cookie", admin), "/ws/demo/roles?done=saved")
	h.opened(t, "administrator", "/ws/demo/roles/"+itoa(viewer.ID), `name="factor" value="yes" checked`)

	with("/ws/demo", 403, "A second factor is needed", `href="/second-factor"`)
	with(previewPath, 403)
	h.check(t, scenario{path: "/api/v1/ws/demo/reports", who: "ana", status: 403, has: []string{`"path":"secondFactor"`}})
	h.check(t, scenario{method: "POST", path: "/api/v1/nonce-tokens", who: "ana", body: `{}`, status: 403})
	with("/second-factor", 200, "Signing in here takes a second factor")
	h.check(t, scenario{path: "/api/v1/ws/demo/reports", who: "viewer", status: 200}) // has no password: comes in elsewhere

	w := h.post("/sign-in", form("email", "ana@example.com", "password", password.Reveal(), "next", "/ws/demo"))
	leads(t, w, "/sign-in/second-factor")
	half := cookieOf(w, "quire_sign_in")
	h.check(t, scenario{path: "/sign-in/second-factor", header: header("Cookie", half), status: 200, has: []string{"Make a passkey", "Authenticator app"}})
	o, cookie := h.asks(t, "/sign-in/second-factor/passkey/options", half)
	p := newPhone(t)
	w = h.post("/sign-in/second-factor/passkey", form("name", "Phone", "credential", p.makes(o)), "Cookie", half+"; "+cookie)
	recovery(t, w.Body.String())
	h.check(t, scenario{path: "/ws/demo", header: header("Cookie", cookieOf(w, "quire_session")), status: 200})
	with("/ws/demo", 200)
	h.check(t, scenario{path: "/api/v1/ws/demo/reports", who: "ana", status: 200})

	// By a group it counts as well, and for administrators.
	roles := must[[]store.Role](t)(h.store.Roles(t.Context(), h.demo.ID))
	leads(t, h.post("/ws/demo/roles/"+itoa(roles[0].ID), form("factor", "yes"), "Cookie", admin), "/ws/demo/roles?done=saved")
	if r := must[*store.Role](t)(h.store.RoleByID(t.Context(), h.demo.ID, roles[0].ID)); !r.NeedsFactor || r.Levels[store.Configuration] != store.Full {
		t.Errorf("administrator became %+v", r)
	}
	if w := h.post("/ws/demo/roles/"+itoa(roles[0].ID), form("factor", "yes"), "Cookie", h.session("author")); w.Code != 403 {
		t.Errorf("an author: %d", w.Code)
	}
}
