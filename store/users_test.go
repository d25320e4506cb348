package store

import (
	"context"
	"errors"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
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
		"sign-in":  ok[*User](f.t)(f.SignIn(f.ctx(), " ana.JOVIĆ@example.com", "lozinka-99", false)),
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
		_, err := f.SignIn(f.ctx(), c.email, c.password, false)
		f.isKind(err, report.NotFound)
		if err.Error() != "email address or password is wrong" {
			f.t.Errorf("sign-in tells too much: %v", err)
		}
	}
	f.must(f.SetPassword(f.ctx(), f.root.ID, "New-password-8"))
	if u := ok[*User](f.t)(f.SignIn(f.ctx(), "root@example.com", "New-password-8", false)); u.Epoch != f.root.Epoch+1 {
		f.t.Errorf("epoch after a new password: %d", u.Epoch)
	}
	f.must(f.SetLanguage(f.ctx(), f.root.ID, "de"))
	if u := ok[*User](f.t)(f.UserByID(f.ctx(), f.root.ID)); u.Language != "de" {
		f.t.Errorf("the language is %q", u.Language)
	}
	f.isKind(f.SetLanguage(f.ctx(), 999, "de"), report.NotFound)
	token := ok[string](f.t)(f.CreateToken(f.ctx(), f.root.ID, NewToken{Name: "ci"}))
	cookie, _, err := f.CreatePreviewSession(f.ctx(), f.grant())
	f.must(err)
	f.must(f.SetActive(f.ctx(), f.root.ID, false))
	_, err = f.SignIn(f.ctx(), "root@example.com", "New-password-8", false)
	f.isKind(err, report.NotFound)
	_, err = f.UserByToken(f.ctx(), token)
	f.isKind(err, report.NotFound)
	_, err = f.previewUser(cookie)
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
	leave, err := h.strangers.enter(t.Context()) // the only place is taken
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() { done <- ok[bool](t)(h.matches(t.Context(), "Sonne-12!", &hash, false)) }()
	select {
	case <-done:
		t.Error("a second hash did not wait")
	case <-time.After(50 * time.Millisecond):
	}
	if !ok[bool](t)(h.matches(t.Context(), "Sonne-12!", &hash, true)) { // strangers are not in the way
		t.Error("the right password of a known browser does not match")
	}
	leave()
	if !<-done {
		t.Error("the right password does not match")
	}
}

func TestAFloodOfSignInsIsRefusedBeforeHashing(t *testing.T) {
	t.Parallel()
	l := newLine(2)
	ctx, cancel := context.WithCancel(t.Context())
	for range 2 {
		_ = ok[func()](t)(l.enter(ctx))
	}
	var waiting sync.WaitGroup
	for range mostWaiting {
		waiting.Go(func() { _, _ = l.enter(ctx) })
	}
	for len(l.waiting) < cap(l.waiting) {
		runtime.Gosched()
	}
	_, err := l.enter(ctx)
	var refused *report.Problem
	if !errors.As(err, &refused) || refused.Kind != report.Busy {
		t.Errorf("the line never ends: %v", err)
	}
	cancel()
	waiting.Wait()
	if len(l.waiting) != 2 {
		t.Errorf("%d places are lost", len(l.waiting)-2)
	}
}

func testTokens(f *fixture) {
	expiry := f.clock.Now().Truncate(time.Second).Add(time.Hour - 710*time.Millisecond)
	token := ok[string](f.t)(f.CreateToken(f.ctx(), f.root.ID, NewToken{Name: " nightly build ", Expires: &expiry}))
	made := ok[[]AuditEvent](f.t)(f.AuditEvents(f.ctx(), AuditQuery{Limit: 1}))[0]
	if !regexp.MustCompile(`"expires":"[0-9T:-]+\.290Z"`).Match(made.Detail) {
		f.t.Errorf("the audit log tells an expiry without three decimals: %s", made.Detail)
	}
	if len(token) != 44 || !strings.HasPrefix(token, "qrt_") {
		f.t.Errorf("token %q", token)
	}
	if u := ok[*User](f.t)(f.UserByToken(f.ctx(), token)); *u != *f.root {
		f.t.Errorf("token of %+v", u)
	}
	tokens := ok[[]Token](f.t)(f.Tokens(f.ctx(), f.root.ID))
	want := []Token{{
		ID: tokens[0].ID, UserID: f.root.ID, Owner: f.root.Email, Name: "nightly build", Ending: token[40:], Created: f.clock.Now().UTC(),
		Expires: ptr(expiry.UTC()), LastUsed: ptr(f.clock.Now().UTC()),
	}}
	if diff := cmp.Diff(want, tokens); diff != "" {
		f.t.Error(diff)
	}
	other := ok[string](f.t)(f.CreateToken(f.ctx(), f.root.ID, NewToken{Name: "no end"}))
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
	_, err = f.CreateToken(f.ctx(), 999, NewToken{Name: "nobody's"})
	f.isKind(err, report.NotFound)
	_, err = f.CreateToken(f.ctx(), f.root.ID, NewToken{Name: ""})
	f.isKind(err, report.Invalid)
	_, err = f.CreateToken(f.ctx(), f.root.ID, NewToken{Name: "old", Expires: &expiry})
	f.isKind(err, report.Invalid)
}

// testTokenUse: the last use is written at most once a minute.
func testTokenUse(f *fixture) {
	token := ok[string](f.t)(f.CreateToken(f.ctx(), f.root.ID, NewToken{Name: "ci"}))
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
	first, expires, err := f.CreateSession(f.ctx(), f.root, "Firefox\n\u202e", "192.0.2.7")
	f.must(err)
	if want := f.clock.Now().Add(7 * 24 * time.Hour); !expires.Equal(want) {
		f.t.Errorf("expires %v, want %v", expires, want)
	}
	f.clock.Advance(time.Second)
	second, _, err := f.CreateSession(f.ctx(), f.root, "Chrome", "2001:db8::1")
	f.must(err)
	ana := ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: "ana@example.com"}))
	other, _, err := f.CreateSession(f.ctx(), ana, "", "")
	f.must(err)
	f.clock.Advance(time.Minute)
	user, session, err := f.SessionUser(f.ctx(), first, "Firefox 2", "192.0.2.8")
	f.must(err)
	if *user != *f.root || session.Address != "192.0.2.8" {
		f.t.Errorf("session of %+v: %+v", user, session)
	}
	list := ok[[]Session](f.t)(f.SessionsOf(f.ctx(), f.root.ID))
	if len(list) != 2 || list[0] != *session || list[0].Browser != "Firefox 2" || list[1].Browser != "Chrome" || !list[0].Seen.Equal(f.clock.Now()) || list[0].Created.Equal(list[0].Seen) {
		f.t.Errorf("sessions %+v", list)
	}
	f.isKind(f.EndSessionOf(f.ctx(), ana.ID, list[1].Ref), report.NotFound)
	f.must(f.EndSessionOf(f.ctx(), f.root.ID, list[1].Ref))
	f.ended(second)
	f.must(f.EndSessionsOf(f.ctx(), f.root.ID, first))
	f.goesOn(first)
	f.goesOn(other)
	f.must(f.EndSession(f.ctx(), first))
	f.must(f.EndSession(f.ctx(), "unknown"))
	f.ended(first)
	testIdleSessions(f, ana, other)
}

func (f *fixture) ended(value string) {
	f.t.Helper()
	_, _, err := f.SessionUser(f.ctx(), value, "", "")
	f.isKind(err, report.NotFound)
}

func (f *fixture) goesOn(value string) {
	f.t.Helper()
	_, _, err := f.SessionUser(f.ctx(), value, "", "")
	f.must(err)
}

// testIdleSessions: a session ends that is not used, at its end also one that
// is, and with a new password.
func testIdleSessions(f *fixture, ana *User, value string) {
	for range 14 {
		f.clock.Advance(11 * time.Hour)
		f.goesOn(value)
	}
	f.clock.Advance(14*time.Hour + time.Minute)
	f.ended(value)
	value, _, err := f.CreateSession(f.ctx(), ana, "", "")
	f.must(err)
	f.clock.Advance(12 * time.Hour)
	f.ended(value)
	if list := ok[[]Session](f.t)(f.SessionsOf(f.ctx(), ana.ID)); len(list) != 0 {
		f.t.Errorf("ended, yet listed: %+v", list)
	}
	value, _, err = f.CreateSession(f.ctx(), ana, "", "")
	f.must(err)
	f.must(f.SetPassword(f.ctx(), ana.ID, "New-password-9"))
	f.ended(value)
	if list := ok[[]Session](f.t)(f.SessionsOf(f.ctx(), ana.ID)); len(list) != 0 {
		f.t.Errorf("sessions with the password of before: %+v", list)
	}
	testSessionsOfBefore(f)
}

// testSessionsOfBefore: what an earlier version has written is a session, too.
func testSessionsOfBefore(f *fixture) {
	expires := f.clock.Now().Add(6 * 24 * time.Hour)
	data := ok[[]byte](f.t)(scs.GobCodec{}.Encode(expires, map[string]any{"user": f.root.ID, "epoch": f.root.Epoch}))
	for _, value := range []string{"older", "oldest", "other"} {
		_ = ok[int](f.t)(f.db.exec(f.ctx(), "INSERT INTO sessions (hash, data, expires_at) VALUES (?, ?, ?)", digest(value), data, expires.UnixMilli()))
	}
	f.goesOn("older")
	list := ok[[]Session](f.t)(f.SessionsOf(f.ctx(), f.root.ID))
	if len(list) != 1 || !list[0].Created.Equal(f.clock.Now().Add(-24*time.Hour)) {
		f.t.Errorf("sessions %+v", list)
	}
	f.must(f.EndSessionsOf(f.ctx(), f.root.ID, "older"))
	f.goesOn("older")
	f.ended("oldest")
}

func testDevices(f *fixture) {
	known := func(email string, values ...string) string {
		return ok[string](f.t)(f.KnownDevice(f.ctx(), email, values))
	}
	value, expires, err := f.AddDevice(f.ctx(), f.root, "")
	f.must(err)
	if !expires.Equal(f.clock.Now().Add(DeviceLifetime)) || known(" ROOT@example.com", "x", value) != value || known("ana@example.com", value) != "" || known("root@example.com", "") != "" {
		f.t.Errorf("%s until %v", value, expires)
	}
	next, _, err := f.AddDevice(f.ctx(), f.root, value)
	f.must(err)
	if known("root@example.com", value) != "" || known("root@example.com", value, next) != next {
		f.t.Error("the value does not change with a sign-in")
	}
	other, _, err := f.AddDevice(f.ctx(), f.root, "")
	f.must(err)
	f.must(f.ForgetDevices(f.ctx(), f.root.ID, []string{other, "x"}))
	if known("root@example.com", next) != "" || known("root@example.com", other) != other {
		f.t.Error("the wrong ones are forgotten")
	}
	for range mostDevices {
		f.clock.Advance(time.Second)
		next, _, err = f.AddDevice(f.ctx(), f.root, "")
		f.must(err)
	}
	if known("root@example.com", other) != "" || known("root@example.com", next) != next {
		f.t.Error("there is no bound")
	}
	f.must(f.SetPassword(f.ctx(), f.root.ID, "New-password-9"))
	if known("root@example.com", next) != "" {
		f.t.Error("known after a new password")
	}
	f.clock.Advance(DeviceLifetime)
	if swept := ok[Swept](f.t)(f.Sweep(f.ctx())); swept.Rows != mostDevices {
		f.t.Errorf("swept %+v", swept)
	}
}

func testAttempts(f *fixture) {
	pace := Pace{Free: 2, First: 10 * time.Second, Most: time.Minute, Recover: 5 * time.Minute}
	take := func(want time.Duration) {
		f.t.Helper()
		_, wait, err := f.TakeAttempt(f.ctx(), "pair", pace)
		if f.must(err); wait != want {
			f.t.Errorf("wait %v; want %v", wait, want)
		}
	}
	take(0)
	take(0)
	take(10 * time.Second)
	f.clock.Advance(9 * time.Second)
	take(time.Second) // who does not wait does not wait longer
	for _, wait := range []time.Duration{20, 40, 60, 60} {
		f.clock.Advance(time.Minute)
		take(0)
		take(wait * time.Second)
	}
	f.clock.Advance(20 * time.Minute) // four of six are forgotten
	take(0)
	take(20 * time.Second)
	f.must(f.ReturnAttempt(f.ctx(), "pair", pace))
	take(10 * time.Second)
	f.must(f.ForgetAttempts(f.ctx(), "pair"))
	take(0)
	take(0)
	f.must(f.ReturnAttempt(f.ctx(), "nothing", pace))
	f.clock.Advance(time.Hour)
	if failures, _, err := f.TakeAttempt(f.ctx(), "pair", pace); err != nil || failures != 0 {
		f.t.Errorf("%d failures after an hour: %v", failures, err)
	}
	testRacingAttempts(f, pace)
}

// testRacingAttempts: many at the same moment are not more than one by one.
func testRacingAttempts(f *fixture, pace Pace) {
	var racing sync.WaitGroup
	var passed atomic.Int32
	for range 40 {
		racing.Go(func() {
			if _, wait, err := f.TakeAttempt(f.ctx(), "race", pace); err == nil && wait == 0 {
				passed.Add(1)
			}
		})
	}
	racing.Wait()
	if passed.Load() != 2 {
		f.t.Errorf("%d attempts at once", passed.Load())
	}
}

func testPreviewSessions(f *fixture) {
	cookie, expires, err := f.CreatePreviewSession(f.ctx(), f.grant())
	f.must(err)
	if want := f.clock.Now().Add(8 * time.Hour); !expires.Equal(want) {
		f.t.Errorf("expires %v, want %v", expires, want)
	}
	if u := ok[*User](f.t)(f.previewUser(cookie)); *u != *f.root {
		f.t.Errorf("session of %+v", u)
	}
	_, err = f.previewUser(cookie[1:])
	f.isKind(err, report.NotFound)
	f.clock.Advance(8 * time.Hour)
	_, err = f.previewUser(cookie)
	f.isKind(err, report.NotFound)
	if swept := ok[Swept](f.t)(f.Sweep(f.ctx())); swept.Rows != 1 {
		f.t.Errorf("swept %+v", swept)
	}
	cookie, _, err = f.CreatePreviewSession(f.ctx(), f.grant())
	f.must(err)
	f.must(f.EndPreviewSession(f.ctx(), cookie))
	_, err = f.previewUser(cookie)
	f.isKind(err, report.NotFound)
}

func testNonces(f *fixture) {
	nonce := ok[string](f.t)(f.CreateNonce(f.ctx(), f.grant()))
	f.clock.Advance(NonceLifetime - time.Millisecond)
	for _, ask := range []func(context.Context, string) (*Grant, *User, error){f.LookAtNonce, f.TakeNonce} {
		g, u, err := ask(f.ctx(), nonce)
		f.must(err)
		if d := cmp.Diff(f.grant(), *g, objectsAsJSON); d != "" || u.ID != f.root.ID {
			f.t.Errorf("nonce of user %d: %s", u.ID, d)
		}
	}
	expired := ok[string](f.t)(f.CreateNonce(f.ctx(), f.grant()))
	f.clock.Advance(NonceLifetime)
	for name, n := range map[string]string{"used": nonce, "expired": expired, "made up": strings.Repeat("x", 32), "empty": ""} {
		if _, _, err := f.TakeNonce(f.ctx(), n); !IsNotFound(err) {
			f.t.Errorf("%s nonce: %v", name, err)
		}
	}
}

// testNonceRace: of 1,000 who take one nonce at once, exactly one gets it.
func testNonceRace(f *fixture) {
	for round := range 3 {
		nonce := ok[string](f.t)(f.CreateNonce(f.ctx(), f.grant()))
		var mu sync.Mutex
		outcomes := map[string]int{}
		start := make(chan struct{})
		var wg sync.WaitGroup
		for range 1000 {
			wg.Go(func() {
				<-start
				_, _, err := f.TakeNonce(f.ctx(), nonce)
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
