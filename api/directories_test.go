package api

import (
	"encoding/base32"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/sso/accounts"
	"github.com/quire-reports/quire/sso/ssotest"
	"github.com/quire-reports/quire/store"
)

// directoryHouse is a house whose people have accounts at a directory, too.
type directoryHouse struct {
	*house
	at       *ssotest.Directory
	seen     *sso.Directory
	follower *accounts.Follower

	staff, authors, it, ana string // places of groups and a person
}

func openDirectory(t *testing.T, open opener, change ...func(*sso.DirectoryConfig)) *directoryHouse {
	t.Helper()
	d := &directoryHouse{at: ssotest.NewDirectory(t)}
	d.ana = d.at.AddPerson("ana", "correct horse")
	d.staff, d.authors, d.it = d.at.AddGroup("Staff", d.ana), d.at.AddGroup("authors"), d.at.AddGroup("it")
	guard := must[*egress.Guard](t)(egress.New(egress.Config{AllowHosts: []string{"127.0.0.1"}}))
	t.Cleanup(guard.Close)
	config := sso.DirectoryConfig{
		Terms: sso.Terms{Name: "example", Label: "Example Ltd", Enabled: true, Rules: sso.Rules{CreateUsers: true, RequiredGroups: []string{"staff", "it"}, Grants: []sso.Grant{
			{Group: "it", Root: true}, {Group: "authors", Workspace: "demo", Role: "Author"}, {Group: "staff", Workspace: "demo", Role: "viewer"},
		}}},
		Servers: []string{d.at.LDAPS}, CA: d.at.CA, BindDN: ssotest.Reader, BindPassword: ssotest.ReaderPassword, UserBase: ssotest.People, GroupBase: ssotest.Groups,
		MostGuesses: 3, GuessWindow: 30 * time.Minute, SyncEvery: 15 * time.Minute, MostLost: 20,
	}
	config.Fill("openldap")
	for _, f := range change {
		f(&config)
	}
	d.house = open(t, func(conf *Config) {
		d.seen = sso.NewDirectory(config, guard, conf.Clock)
		conf.Directories, conf.TrustedProxies = []*sso.Directory{d.seen}, networks(t, "192.0.2.1/32")
	})
	d.follower = &accounts.Follower{Directories: conf(d.seen), People: d.store, Clock: d.clock.Now, Log: slog.New(slog.NewTextHandler(d.log, nil))}
	return d
}

func conf(d *sso.Directory) []*sso.Directory { return []*sso.Directory{d} }

// enters fills in the form, from an address and with the cookies of a browser.
func (d *directoryHouse) enters(address, name, password string, cookies ...string) *httptest.ResponseRecorder {
	return d.post("/sign-in", form("place", "example", "email", name, "password", password, "next", "/ws/demo"), "X-Forwarded-For", address, "Cookie", strings.Join(cookies, "; "))
}

func (d *directoryHouse) comesIn(t *testing.T, name, password string) (session, device string) {
	t.Helper()
	w := d.enters(office, name, password)
	leads(t, w, "/ws/demo")
	return cookieOf(w, "quire_session"), cookieOf(w, "quire_device")
}

func (d *directoryHouse) sees(t *testing.T, session, path string, status int, has ...string) {
	t.Helper()
	d.check(t, scenario{path: path, header: header("Cookie", session), status: status, has: has})
}

// syncs looks everybody up, and gives what came of it.
func (d *directoryHouse) syncs(t *testing.T) store.DirectorySync {
	t.Helper()
	d.clock.Advance(time.Second)
	went := must[store.DirectorySync](t)(d.follower.Sync(t.Context(), d.seen))
	went.Ended = time.Time{}
	return went
}

func testDirectorySignIn(t *testing.T, open opener) {
	d := openDirectory(t, open)
	d.check(t, scenario{path: "/sign-in", status: 200, has: []string{"User name or email address", `value="example" checked> Example Ltd`, "Quire account"}})
	d.check(t, scenario{path: "/sign-in?place=.", header: header("Accept-Language", "de"), status: 200, has: []string{"Benutzername oder E-Mail-Adresse", `value="." checked> Quire-Konto`}})

	session, _ := d.comesIn(t, "ana", "correct horse")
	d.sees(t, session, "/ws/demo", 200, "Person ana")
	d.sees(t, session, "/ws/demo/members", 403) // a viewer
	user := must[*store.User](t)(d.store.UserByEmail(t.Context(), "ana@company.example"))
	d.at.Join(d.authors, d.ana)
	d.comesIn(t, "ANA", "correct horse")
	if role := must[*store.Role](t)(d.store.Membership(t.Context(), user.ID, d.demo.ID)); role.Name != "Author" {
		t.Errorf("the role is %s", role.Name)
	}

	for _, c := range [][2]string{{"ana", "wrong"}, {"ana", ""}, {"nobody", "correct horse"}, {"*", "correct horse"}, {"ana)(uid=*", "correct horse"}, {"", "x"}} {
		d.clock.Advance(2 * time.Hour)
		w := d.enters(office, c[0], c[1])
		if w.Code != 422 || cookieOf(w, "quire_session") != "" || !strings.Contains(w.Body.String(), "assword") {
			t.Errorf("%q with %q: %d %s", c[0], c[1], w.Code, w.Body)
		}
	}
	// What somebody has entered is nowhere, unless it is the name of a person.
	d.enters(office, "my-secret-password", "ana")
	if strings.Contains(d.log.String(), "my-secret-password") {
		t.Error("the log has what was entered")
	}
	// Local accounts go on, and only where they are chosen.
	leads(t, d.post("/sign-in", form("place", ".", "email", "root@example.com", "password", password.Reveal())), "/")
	leads(t, d.post("/sign-in", form("email", "root@example.com", "password", password.Reveal())), "/")
	if w := d.enters(office, "root@example.com", password.Reveal()); w.Code != 422 {
		t.Errorf("a local password at the directory: %d", w.Code)
	}
	if w := d.post("/sign-in", form("place", "elsewhere", "email", "ana", "password", "correct horse")); w.Code != 422 {
		t.Errorf("at no directory: %d %s", w.Code, w.Body)
	}

	// Who is in no required group any more is out, everywhere; so is who is disabled.
	session, _ = d.comesIn(t, "ana", "correct horse")
	token := must[string](t)(d.store.CreateToken(t.Context(), user.ID, store.NewToken{Name: "script"}))
	d.at.Leave(d.staff, d.ana)
	d.at.Leave(d.authors, d.ana)
	d.clock.Advance(time.Second)
	if w := d.enters(office, "ana", "correct horse"); w.Code != 403 || !strings.Contains(w.Body.String(), "You are in none of the groups that may sign in: staff, it.") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	d.sees(t, session, "/ws/demo", 303)
	if _, _, err := d.store.UserByToken(t.Context(), token); !store.IsNotFound(err) {
		t.Errorf("the token goes on: %v", err)
	}
	d.at.Join(d.staff, d.ana)
	d.comesIn(t, "ana", "correct horse")
	if _, _, err := d.store.UserByToken(t.Context(), token); err != nil {
		t.Errorf("the token of who is back: %v", err)
	}
	d.at.Set(d.ana, "nsAccountLock", "TRUE") // slapd does not mind, as 389 would
	if w := d.enters(office, "ana", "correct horse"); w.Code != 403 || !strings.Contains(w.Body.String(), "Your account at Example Ltd is disabled") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	d.at.Stop()
	if w := d.enters(office, "ana", "correct horse"); w.Code != 503 || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "Example Ltd does not answer as it should") {
		t.Errorf("a directory that is down: %d %s", w.Code, w.Body)
	}
	leads(t, d.post("/sign-in", form("place", ".", "email", "root@example.com", "password", password.Reveal())), "/")
	for _, action := range []string{"member.added", "member.changed", "member.removed", "user.created", "user.blocked", "user.unblocked", "session.sign_in_failed"} {
		if len(d.events(t, "root", "/api/v1/audit?action="+action)) == 0 {
			t.Errorf("%s is not recorded", action)
		}
	}
}

// The directory sees few wrong passwords of one person, under whatever names and
// from wherever they come; its own policy locks at the fourth of strangers.
func testStrangersLockNoDirectoryAccount(t *testing.T, open opener) {
	d := openDirectory(t, open)
	d.at.Add("cn=policy,"+ssotest.Base, "objectClass=device", "objectClass=pwdPolicy", "cn=policy", "pwdAttribute=userPassword", "pwdLockout=TRUE", "pwdMaxFailure=5", "pwdFailureCountInterval=1800")
	_, device := d.comesIn(t, "ana", "correct horse")
	reached := 0
	for i := range 300 {
		d.clock.Advance(5 * time.Second)
		name := []string{"ana", "ANA", "Ana", " ana"}[i%4]
		switch w := d.enters(fmt.Sprintf("198.51.100.%d", i%250), name, "guess"); w.Code {
		case 422:
			reached++
		case 429:
		default:
			t.Fatalf("a guess: %d %s", w.Code, w.Body)
		}
	}
	if reached != 3 { // in 25 minutes
		t.Errorf("%d guesses reached the directory", reached)
	}
	if w := d.enters(office, "ana", "correct horse"); w.Code != 429 || w.Header().Get("Retry-After") == "" {
		t.Errorf("an unknown browser: %d", w.Code)
	}
	if w := d.enters(office, "ana", "wrong, too", device); w.Code != 422 {
		t.Errorf("a known browser: %d", w.Code)
	}
	if w := d.enters(office, "ana", "correct horse", device); w.Code != 429 {
		t.Errorf("a known browser, once more: %d", w.Code)
	}
	d.clock.Advance(31 * time.Minute)
	leads(t, d.enters(office, "ana", "correct horse"), "/ws/demo") // the directory has not locked her
	// Names of nobody are limited as well, so that they are not told apart.
	reached = 0
	for i := range 20 {
		if d.enters(fmt.Sprintf("203.0.113.%d", i), "nobody", "guess").Code == 422 {
			reached++
		}
	}
	if reached != 3 {
		t.Errorf("%d guesses at nobody", reached)
	}
}

func testDirectorySync(t *testing.T, open opener) {
	d := openDirectory(t, open, func(c *sso.DirectoryConfig) { c.RequiredGroups = nil })
	names := []string{"bo", "cy", "di", "ed", "flo"}
	people := map[string]string{}
	for _, name := range names {
		people[name] = d.at.AddPerson(name, "correct horse")
		d.at.Join(d.staff, people[name])
		d.comesIn(t, name, "correct horse")
	}
	ana, _ := d.comesIn(t, "ana", "correct horse")
	is := func(name string, want store.DirectorySync) {
		t.Helper()
		if got := d.syncs(t); got != want {
			t.Errorf("%s: %+v; want %+v", name, got, want)
		}
	}
	is("nothing new", store.DirectorySync{People: 6})

	// A group added and removed counts at the next request after a look.
	d.at.Join(d.authors, d.ana)
	is("one group more", store.DirectorySync{People: 6, Changed: 1})
	d.sees(t, ana, "/api/ui/components", 200)
	if got := d.groupsSeen(t, ana); got != "authors, Staff" {
		t.Errorf("$user.groups is %q after a look", got)
	}
	user := must[*store.User](t)(d.store.UserByEmail(t.Context(), "ana@company.example"))
	if role := must[*store.Role](t)(d.store.Membership(t.Context(), user.ID, d.demo.ID)); role.Name != "Author" {
		t.Errorf("the role is %s", role.Name)
	}
	d.at.Leave(d.authors, d.ana)
	d.at.Leave(d.staff, d.ana)
	is("no group", store.DirectorySync{People: 6, Changed: 1, Lost: 1})
	d.sees(t, ana, "/ws/demo", 404)
	d.at.Join(d.staff, d.ana)
	is("back in the group", store.DirectorySync{People: 6, Changed: 1})
	d.sees(t, ana, "/ws/demo", 200)

	// Who is disabled or gone loses sessions and tokens, and gets them back.
	token := must[string](t)(d.store.CreateToken(t.Context(), user.ID, store.NewToken{Name: "script"}))
	for name, change := range map[string][2]func(){
		"AD":       {func() { d.at.Set(d.ana, "userAccountControl", "514") }, func() { d.at.Set(d.ana, "userAccountControl", "512") }},
		"expired":  {func() { d.at.Set(d.ana, "accountExpires", "132223104000000000") }, func() { d.at.Set(d.ana, "accountExpires", "9223372036854775807") }},
		"389":      {func() { d.at.Set(d.ana, "nsAccountLock", "true") }, func() { d.at.Set(d.ana, "nsAccountLock") }},
		"OpenLDAP": {func() { d.at.Set(d.ana, "pwdAccountLockedTime", "000001010000Z") }, func() { d.at.Set(d.ana, "pwdAccountLockedTime") }},
	} {
		ana, _ = d.comesIn(t, "ana", "correct horse")
		change[0]()
		is(name+", disabled", store.DirectorySync{People: 6, Changed: 1, Lost: 1})
		d.sees(t, ana, "/ws/demo", 303)
		if _, _, err := d.store.UserByToken(t.Context(), token); !store.IsNotFound(err) {
			t.Errorf("%s: the token goes on: %v", name, err)
		}
		is(name+", still", store.DirectorySync{People: 6})
		change[1]()
		is(name+", enabled", store.DirectorySync{People: 6, Changed: 1})
		if _, _, err := d.store.UserByToken(t.Context(), token); err != nil {
			t.Errorf("%s: the token of who is back: %v", name, err)
		}
	}
	// One that guesses have locked for a while keeps what they have.
	d.at.Set(d.ana, "pwdAccountLockedTime", "20200101000000Z")
	is("locked for a while", store.DirectorySync{People: 6})
	d.at.Set(d.ana, "pwdAccountLockedTime")

	// What a root user says of an account stands.
	d.at.Delete(people["bo"])
	is("deleted", store.DirectorySync{People: 6, Changed: 1, Lost: 1})
	bo := must[string](t)(d.store.IdentityEmail(t.Context(), "ldap:example", d.subject(t, "bo@company.example")))
	var id int
	for _, u := range must[[]store.UserRow](t)(d.store.Users(t.Context(), bo)) {
		id = u.ID
	}
	noError(t, d.store.SetActive(t.Context(), id, true))
	is("unblocked by a root user", store.DirectorySync{People: 6})
	if _, err := d.store.UserByID(t.Context(), id); err != nil {
		t.Errorf("blocked again: %v", err)
	}

	// A directory that cannot be asked, and one that shows nobody any more, change
	// nothing, and say so.
	d.at.Stop()
	if went := d.syncs(t); !strings.Contains(went.Problem, "does not answer") || went.Changed != 0 {
		t.Errorf("down: %+v", went)
	}
	leads(t, d.sent(t, "root", "/sso/example/sync", 303), "/sso")
	d.sees(t, d.session("root"), "/sso", 200, "were last to be looked up", "does not answer")
	d.at.Start()
	for _, name := range []string{"cy", "di", "ed"} {
		d.at.Leave(d.staff, people[name])
	}
	if went := d.syncs(t); went.Problem != "3 of 5 people would lose a role or their account, which is more than is done at once (2, or all): nothing was changed" || went.Changed+went.Lost != 0 {
		t.Errorf("many at once: %+v", went)
	}
	for _, name := range []string{"cy", "di", "ed"} {
		d.at.Join(d.staff, people[name])
	}
	is("all is well again", store.DirectorySync{People: 6})
	leads(t, d.sent(t, "root", "/sso/example/sync", 303), "/sso?done=synced")
	d.sees(t, d.session("root"), "/sso?done=synced", 200, "Everybody was looked up.", "6 are known")
	d.seen.UserFilter = "(&(objectClass=nothing)(uid={name}))"
	if went := d.syncs(t); !strings.HasPrefix(went.Problem, "5 of 5 people") {
		t.Errorf("a wrong filter: %+v", went)
	}
	d.seen.UserBase = "ou=elsewhere," + ssotest.Base
	if went := d.syncs(t); !strings.Contains(went.Problem, "No Such Object") {
		t.Errorf("a wrong base: %+v", went)
	}
}

// subject is by which the directory knows the account with an address.
func (d *directoryHouse) subject(t *testing.T, email string) string {
	t.Helper()
	for _, k := range must[[]store.KnownIdentity](t)(d.store.IdentitiesOf(t.Context(), "ldap:example")) {
		if k.Email == email {
			return k.Subject
		}
	}
	t.Fatalf("nobody with %s", email)
	return ""
}

// Of several services one looks people up, once in the time.
func testOneLooksUp(t *testing.T, open opener) {
	d := openDirectory(t, open)
	claims := func() (n int) {
		for range 5 {
			if must[bool](t)(d.store.ClaimSync(t.Context(), "example", 15*time.Minute)) {
				n++
			}
		}
		return n
	}
	if n := claims(); n != 1 {
		t.Errorf("%d at once", n)
	}
	d.clock.Advance(14 * time.Minute)
	if n := claims(); n != 0 {
		t.Errorf("%d too early", n)
	}
	d.clock.Advance(time.Minute)
	if n := claims(); n != 1 {
		t.Errorf("%d in the next time", n)
	}
	// A shorter time in the settings counts at once.
	if !must[bool](t)(d.store.ClaimSync(t.Context(), "example", time.Minute)) {
		t.Error("the time of before is waited for")
	}
	// A directory that did not answer is asked again soon.
	d.comesIn(t, "ana", "correct horse")
	d.at.Stop()
	d.syncs(t)
	d.clock.Advance(time.Minute)
	if n := claims(); n != 1 {
		t.Errorf("%d after a fault", n)
	}
}

// A root user sees what would follow, before anybody can come in; nothing changes.
func testTryingADirectory(t *testing.T, open opener) {
	d := openDirectory(t, open, func(c *sso.DirectoryConfig) { c.Enabled = false })
	d.check(t, scenario{path: "/sign-in", status: 200, lacks: []string{"Example Ltd"}})
	if w := d.enters(office, "ana", "correct horse"); w.Code != 422 || !strings.Contains(w.Body.String(), "Nobody signs in there") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	d.opened(t, "root", "/sso", "Example Ltd", d.at.LDAPS, "entryUUID", "3 of a person in 30 minutes")
	try := func(status int, name, secret string, words ...string) {
		t.Helper()
		says(t, d.sent(t, "root", "/sso/example/look", status, "name", name, "password", secret), words...)
	}
	try(200, "ana", "", "Person ana would come in", "The password was not asked for", "would be made", "Viewer", "Staff", "entryUUID")
	try(200, "ana", "correct horse", "Person ana would come in", "Staff")
	try(422, "ana", "wrong", "This person would not come in", "User name or password is wrong")
	try(422, "nobody", "", "This person would not come in", "Example Ltd knows nobody of this name")
	d.at.Leave(d.staff, d.ana)
	try(403, "ana", "", "This person would not come in", "in none of the groups that may sign in: staff, it")
	d.at.Stop()
	try(503, "ana", "", "does not answer as it should", "connection refused")
	if _, err := d.store.UserByEmail(t.Context(), "ana@company.example"); !store.IsNotFound(err) {
		t.Errorf("an account was made: %v", err)
	}
}

// A password of a directory is a password: who needs a second factor shows it.
func testDirectoryAndSecondFactor(t *testing.T, open opener) {
	d := openDirectory(t, open)
	d.comesIn(t, "ana", "correct horse")
	user := must[*store.User](t)(d.store.UserByEmail(t.Context(), "ana@company.example"))
	secret := store.NewSecondFactor()
	app := appOf(t, secret)
	must[[]string](t)(d.store.SetSecondFactor(t.Context(), user.ID, secret, app.code(d.clock.Now())))
	w := d.enters(office, "ana", "correct horse")
	leads(t, w, "/sign-in/code")
	waits := cookieOf(w, "quire_sign_in")
	if cookieOf(w, "quire_session") != "" {
		t.Error("came in without the code")
	}
	d.clock.Advance(30 * time.Second)
	w = d.post("/sign-in/code", form("code", app.code(d.clock.Now())), "Cookie", waits)
	leads(t, w, "/ws/demo")
	// The session is one of the directory: it ends with the person there.
	session := cookieOf(w, "quire_session")
	d.at.Set(d.ana, "nsAccountLock", "TRUE")
	d.syncs(t)
	d.sees(t, session, "/ws/demo", 303)
}

// appOf is an authenticator that knows a key.
func appOf(t *testing.T, secret report.Secret) *authenticator {
	t.Helper()
	return &authenticator{must[[]byte](t)(base32.StdEncoding.DecodeString(secret.Reveal()))}
}
