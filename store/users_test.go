package store

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
)

func containsText(err error, text string) bool {
	return err != nil && strings.Contains(err.Error(), text)
}

func testUsers(f *fixture) {
	if !ok[bool](f.t)(f.HasUsers(f.ctx())) {
		f.t.Error("HasUsers is false")
	}
	want := User{Email: "Ana.Jović@example.com", DisplayName: "Ana Jović", IsActive: true, Epoch: 1}
	made := ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: want.Email, DisplayName: want.DisplayName, Password: "lozinka-99"}))
	want.ID = made.ID
	for how, u := range map[string]*User{
		"made":     made,
		"by ID":    ok[*User](f.t)(f.UserByID(f.ctx(), made.ID)),
		"by email": ok[*User](f.t)(f.UserByEmail(f.ctx(), "ana.jović@EXAMPLE.com")),
		"sign-in":  ok[*User](f.t)(f.SignIn(f.ctx(), " ana.JOVIĆ@example.com", "lozinka-99")),
	} {
		if diff := cmp.Diff(want, *u); diff != "" {
			f.t.Errorf("%s: %s", how, diff)
		}
	}
	_, err := f.CreateUser(f.ctx(), NewUser{Email: "ANA.Jović@example.com"})
	f.isKind(err, report.Conflict)
	_, err = f.UserByID(f.ctx(), 999)
	f.isKind(err, report.NotFound)
	for _, email := range []string{"", "nobody", "Ana <ana@example.com>", "a@b\r\nBcc: c@d"} {
		_, err = f.CreateUser(f.ctx(), NewUser{Email: email})
		f.isKind(err, report.Invalid)
	}
}

func testPasswordChange(f *fixture) {
	for _, c := range []struct {
		email    string
		password report.Secret
	}{{"root@example.com", "wrong-horse-7"}, {"nobody@example.com", rootSecret}, {"root@example.com", ""}} {
		_, err := f.SignIn(f.ctx(), c.email, c.password)
		f.isKind(err, report.NotFound)
		if err.Error() != "email address or password is wrong" {
			f.t.Errorf("sign-in tells too much: %v", err)
		}
	}
	f.must(f.SetPassword(f.ctx(), f.root.ID, "New-password-8"))
	if u := ok[*User](f.t)(f.SignIn(f.ctx(), "root@example.com", "New-password-8")); u.Epoch != f.root.Epoch+1 {
		f.t.Errorf("epoch after a new password: %d", u.Epoch)
	}
	f.must(f.SetLanguage(f.ctx(), f.root.ID, "de"))
	if u := ok[*User](f.t)(f.UserByID(f.ctx(), f.root.ID)); u.Language != "de" {
		f.t.Errorf("the language is %q", u.Language)
	}
	f.isKind(f.SetLanguage(f.ctx(), 999, "de"), report.NotFound)
	token := ok[string](f.t)(f.CreateToken(f.ctx(), f.root.ID, "ci", nil))
	cookie, _, err := f.CreatePreviewSession(f.ctx(), f.root.ID)
	f.must(err)
	f.must(f.SetActive(f.ctx(), f.root.ID, false))
	_, err = f.SignIn(f.ctx(), "root@example.com", "New-password-8")
	f.isKind(err, report.NotFound)
	_, err = f.UserByToken(f.ctx(), token)
	f.isKind(err, report.NotFound)
	_, err = f.PreviewSession(f.ctx(), cookie)
	f.isKind(err, report.NotFound)
	f.isKind(f.SetPassword(f.ctx(), 999, "New-password-8"), report.NotFound)
}

func TestPasswordRule(t *testing.T) {
	for password, accepted := range map[report.Secret]bool{
		"Sonne-1!":       true,
		"лозинка7!":      true,
		"12345678a_":     true,
		"Sonne1!":        false, // seven
		"sonnenschein!":  false, // no digit
		"12345678!":      false, // no letter
		"sonnenschein1":  false, // no special character
		"sonnen schein1": false, // a blank is none
		"":               false,
		report.Secret(strings.Repeat("a1!", 400)): false,
	} {
		if err := checkPassword(password); (err == nil) != accepted {
			t.Errorf("%q: %v", password.Reveal(), err)
		}
	}
}

func TestPasswordsAreHashedFewAtATime(t *testing.T) {
	h := newHasher(1)
	hash := ok[string](t)(h.make(t.Context(), "Sonne-12!"))
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("hash %s", hash)
	}
	h.places <- struct{}{} // the only place is taken
	done := make(chan bool)
	go func() { done <- ok[bool](t)(h.matches(t.Context(), "Sonne-12!", &hash)) }()
	select {
	case <-done:
		t.Error("a second hash did not wait")
	case <-time.After(50 * time.Millisecond):
	}
	<-h.places
	if !<-done {
		t.Error("the right password does not match")
	}
}

func testTokens(f *fixture) {
	expiry := f.clock.Now().Add(time.Hour)
	token := ok[string](f.t)(f.CreateToken(f.ctx(), f.root.ID, " nightly build ", &expiry))
	if len(token) != 44 || !strings.HasPrefix(token, "qrt_") {
		f.t.Errorf("token %q", token)
	}
	if u := ok[*User](f.t)(f.UserByToken(f.ctx(), token)); *u != *f.root {
		f.t.Errorf("token of %+v", u)
	}
	tokens := ok[[]Token](f.t)(f.Tokens(f.ctx(), f.root.ID))
	want := []Token{{
		ID: tokens[0].ID, Name: "nightly build", Ending: token[40:], Created: f.clock.Now().UTC(),
		Expires: ptr(expiry.UTC()), LastUsed: ptr(f.clock.Now().UTC()),
	}}
	if diff := cmp.Diff(want, tokens); diff != "" {
		f.t.Error(diff)
	}
	other := ok[string](f.t)(f.CreateToken(f.ctx(), f.root.ID, "no end", nil))
	for _, wrong := range []string{"", "qrt_", other[:43], other + "x", strings.ToLower(other), "qrt_" + strings.Repeat("0", 40)} {
		_, err := f.UserByToken(f.ctx(), wrong)
		f.isKind(err, report.NotFound)
	}
	f.clock.Advance(time.Hour)
	_, err := f.UserByToken(f.ctx(), token)
	f.isKind(err, report.NotFound)

	ok[*User](f.t)(f.UserByToken(f.ctx(), other))
	id := ok[[]Token](f.t)(f.Tokens(f.ctx(), f.root.ID))[0].ID
	f.isKind(f.RevokeToken(f.ctx(), f.root.ID+1, id), report.NotFound)
	f.must(f.RevokeToken(f.ctx(), f.root.ID, id))
	_, err = f.UserByToken(f.ctx(), other)
	f.isKind(err, report.NotFound)
	_, err = f.CreateToken(f.ctx(), 999, "nobody's", nil)
	f.isKind(err, report.NotFound)
	_, err = f.CreateToken(f.ctx(), f.root.ID, "", nil)
	f.isKind(err, report.Invalid)
	_, err = f.CreateToken(f.ctx(), f.root.ID, "old", &expiry)
	f.isKind(err, report.Invalid)
}

// testTokenUse: the last use is written at most once a minute.
func testTokenUse(f *fixture) {
	token := ok[string](f.t)(f.CreateToken(f.ctx(), f.root.ID, "ci", nil))
	used := func() time.Time {
		ok[*User](f.t)(f.UserByToken(f.ctx(), token))
		return *ok[[]Token](f.t)(f.Tokens(f.ctx(), f.root.ID))[0].LastUsed
	}
	first := used()
	f.clock.Advance(59 * time.Second)
	if got := used(); !got.Equal(first) {
		f.t.Errorf("written again after 59 s: %v", got.Sub(first))
	}
	f.clock.Advance(time.Second)
	if got := used(); got.Sub(first) != time.Minute {
		f.t.Errorf("after a minute: %v", got.Sub(first))
	}
}

func testSessions(f *fixture) {
	sessions := f.Sessions()
	expiry := f.clock.Now().Add(time.Hour)
	f.must(sessions.CommitCtx(f.ctx(), "cookie", []byte{1, 2}, expiry))
	f.must(sessions.Commit("cookie", []byte{0, 255}, expiry.Add(time.Hour)))
	data, found, err := sessions.FindCtx(f.ctx(), "cookie")
	if err != nil || !found || string(data) != "\x00\xff" {
		f.t.Errorf("found %v %v %v", data, found, err)
	}
	if _, found, err := sessions.Find("other"); found || err != nil {
		f.t.Errorf("another cookie: %v %v", found, err)
	}
	f.clock.Advance(2 * time.Hour)
	if _, found, err := sessions.Find("cookie"); found || err != nil {
		f.t.Errorf("an expired session: %v %v", found, err)
	}
	if swept := ok[Swept](f.t)(f.Sweep(f.ctx())); swept.Rows != 1 {
		f.t.Errorf("swept %+v", swept)
	}
	f.must(sessions.Commit("cookie", []byte{3}, f.clock.Now().Add(time.Hour)))
	f.must(sessions.Delete("cookie"))
	f.must(sessions.DeleteCtx(f.ctx(), "cookie"))
	if _, found, _ := sessions.Find("cookie"); found {
		f.t.Error("found after Delete")
	}
}

func testPreviewSessions(f *fixture) {
	cookie, expires, err := f.CreatePreviewSession(f.ctx(), f.root.ID)
	f.must(err)
	if want := f.clock.Now().Add(8 * time.Hour); !expires.Equal(want) {
		f.t.Errorf("expires %v, want %v", expires, want)
	}
	if u := ok[*User](f.t)(f.PreviewSession(f.ctx(), cookie)); *u != *f.root {
		f.t.Errorf("session of %+v", u)
	}
	_, err = f.PreviewSession(f.ctx(), cookie[1:])
	f.isKind(err, report.NotFound)
	f.clock.Advance(8 * time.Hour)
	_, err = f.PreviewSession(f.ctx(), cookie)
	f.isKind(err, report.NotFound)
	if swept := ok[Swept](f.t)(f.Sweep(f.ctx())); swept.Rows != 1 {
		f.t.Errorf("swept %+v", swept)
	}
	cookie, _, err = f.CreatePreviewSession(f.ctx(), f.root.ID)
	f.must(err)
	f.must(f.EndPreviewSession(f.ctx(), cookie))
	_, err = f.PreviewSession(f.ctx(), cookie)
	f.isKind(err, report.NotFound)
}

func testNonces(f *fixture) {
	nonce := ok[string](f.t)(f.CreateNonce(f.ctx(), f.root.ID))
	f.clock.Advance(NonceLifetime - time.Millisecond)
	if id := ok[int](f.t)(f.TakeNonce(f.ctx(), nonce)); id != f.root.ID {
		f.t.Errorf("nonce of user %d", id)
	}
	expired := ok[string](f.t)(f.CreateNonce(f.ctx(), f.root.ID))
	f.clock.Advance(NonceLifetime)
	for name, n := range map[string]string{"used": nonce, "expired": expired, "made up": strings.Repeat("x", 32), "empty": ""} {
		if _, err := f.TakeNonce(f.ctx(), n); !IsNotFound(err) {
			f.t.Errorf("%s nonce: %v", name, err)
		}
	}
}

// testNonceRace: of 1,000 who take one nonce at once, exactly one gets it.
func testNonceRace(f *fixture) {
	for round := range 3 {
		nonce := ok[string](f.t)(f.CreateNonce(f.ctx(), f.root.ID))
		var mu sync.Mutex
		outcomes := map[string]int{}
		start := make(chan struct{})
		var wg sync.WaitGroup
		for range 1000 {
			wg.Go(func() {
				<-start
				_, err := f.TakeNonce(f.ctx(), nonce)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					outcomes["taken"]++
				case IsNotFound(err):
					outcomes["refused"]++
				default:
					outcomes[err.Error()]++
				}
			})
		}
		close(start)
		wg.Wait()
		if diff := cmp.Diff(map[string]int{"taken": 1, "refused": 999}, outcomes); diff != "" {
			f.t.Errorf("round %d: %s", round, diff)
		}
	}
}

func ptr[T any](v T) *T { return &v }
