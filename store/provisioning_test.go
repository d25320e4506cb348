package store

import (
	"errors"
	"time"

	"github.com/quire-reports/quire/report"
)

func named(name, email string) Person {
	return Person{UserName: name, DisplayName: name, Emails: []PersonEmail{{Value: email}}, Active: true}
}

// testProvisioning: a source makes, changes, blocks and deletes its own accounts
// and groups, and touches nothing else.
func testProvisioning(f *fixture) {
	w := f.sample()
	corp, other := &Provisioner{Name: "Corp", Source: "corp"}, &Provisioner{Name: "Other", Source: SourceSCIM}
	ana := ok[*ProvisionedUser](f.t)(f.Provision(f.ctx(), corp, Person{UserName: "ana", ExternalID: "A1", Name: PersonName{GivenName: "Ana", FamilyName: "Jović"}, Active: true, Emails: []PersonEmail{{Value: "ana@home.example"}, {Value: "ana@example.com", Type: "work"}}}))
	if u := ok[*User](f.t)(f.UserByEmail(f.ctx(), "ana@example.com")); u.ID != ana.ID || u.DisplayName != "Ana Jović" {
		f.t.Errorf("%+v", u)
	}
	for _, c := range []struct {
		by   *Provisioner
		p    Person
		want report.Kind
	}{
		{corp, named("ANA", "x@example.com"), report.Conflict},           // the user name is taken
		{other, named("ana", "ANA@example.com"), report.Conflict},        // the address is
		{other, named("root", "root@example.com"), report.Conflict},      // of a root user
		{corp, Person{UserName: "nobody", Active: true}, report.Invalid}, // no address
		{corp, Person{Emails: []PersonEmail{{Value: "x@example.com"}}}, report.Invalid},
		{corp, named("a\nb", "x@example.com"), report.Invalid},
	} {
		_, err := f.Provision(f.ctx(), c.by, c.p)
		f.isKind(err, c.want)
	}
	ok[*ProvisionedUser](f.t)(f.Provision(f.ctx(), other, named("ana", "ana.two@example.com"))) // another source's names are its own
	for _, err := range []error{second(f.ProvisionedUser(f.ctx(), SourceSCIM, ana.ID)), second(f.ProvisionedUser(f.ctx(), "corp", 0)), second(f.ProvisionedGroup(f.ctx(), "corp", 0)), second(f.ChangeProvisioned(f.ctx(), SourceSCIM, ana.ID, func(*Person) error { return nil })), f.DeleteProvisioned(f.ctx(), SourceSCIM, ana.ID)} {
		f.isKind(err, report.NotFound)
	}

	// In its groups it puts its own people, and roles of groups are theirs.
	group := ok[*ProvisionedGroup](f.t)(f.ProvisionGroup(f.ctx(), "corp", GroupSaid{Name: "Readers", ExternalID: "G1", Members: map[int]bool{ana.ID: true}}))
	_, err := f.ProvisionGroup(f.ctx(), SourceSCIM, GroupSaid{Name: "readers"})
	f.isKind(err, report.Conflict)
	_, err = f.ProvisionGroup(f.ctx(), SourceSCIM, GroupSaid{Name: "Wrong", Members: map[int]bool{ana.ID: true}})
	f.isKind(err, report.Invalid)
	f.isKind(f.ChangeProvisionedGroup(f.ctx(), SourceSCIM, group.ID, func(*GroupSaid) error { return nil }), report.NotFound)
	f.isKind(f.DeleteProvisionedGroup(f.ctx(), SourceSCIM, group.ID), report.NotFound)
	local := f.group("Local")
	f.isKind(f.ChangeProvisionedGroup(f.ctx(), "corp", local.ID, func(*GroupSaid) error { return nil }), report.NotFound)
	f.must(f.GiveGroup(f.ctx(), f.enter(f.root, w), "Readers", f.role(w, "Viewer").ID))
	user := ok[*User](f.t)(f.UserByID(f.ctx(), ana.ID))
	if a := f.enter(user, w); a.Role.Name != "Viewer" {
		f.t.Errorf("ana is %+v", a.Role)
	}
	if got := ok[*ProvisionedUser](f.t)(f.ProvisionedUser(f.ctx(), "corp", ana.ID)); len(got.Groups) != 1 || got.Groups[0].Name != "Readers" {
		f.t.Errorf("groups: %+v", got.Groups)
	}

	// Blocked there, everything of the account ends here at the next request.
	token := ok[string](f.t)(f.CreateToken(f.ctx(), ana.ID, NewToken{Name: "ci"}))
	session, _, err := f.CreateSession(f.ctx(), user, "Firefox", "192.0.2.1")
	f.must(err)
	preview, _, err := f.CreatePreviewSession(f.ctx(), Grant{UserID: ana.ID, Epoch: user.Epoch})
	f.must(err)
	ok[*User](f.t)(f.UserByToken(f.ctx(), token))
	ok[*ProvisionedUser](f.t)(f.ChangeProvisioned(f.ctx(), "corp", ana.ID, func(p *Person) error { p.Active = false; return nil }))
	for what, err := range map[string]error{"token": second(f.UserByToken(f.ctx(), token)), "preview": second(f.previewUser(preview)), "workspace": second(f.Membership(f.ctx(), ana.ID, w.ID))} {
		if !IsNotFound(err) {
			f.t.Errorf("the %s of who is blocked: %v", what, err)
		}
	}
	f.ended(session)
	ok[*ProvisionedUser](f.t)(f.ChangeProvisioned(f.ctx(), "corp", ana.ID, func(p *Person) error { p.Active = true; return nil }))
	ok[*User](f.t)(f.UserByToken(f.ctx(), token)) // it is hers again
	f.ended(session)                              // the session of before is not

	// Here nobody changes what the source decides, until it is taken over.
	for _, err := range []error{f.SetActive(f.ctx(), ana.ID, false), f.ChangeUser(f.ctx(), ana.ID, UserChange{"x@example.com", "X"}), f.DeleteUser(f.ctx(), ana.ID), f.RenameGroup(f.ctx(), group.ID, "X")} {
		f.isKind(err, report.Conflict)
	}

	name := "X"
	f.isKind(f.ChangeProfile(f.ctx(), ana.ID, Profile{DisplayName: &name, TimeZone: "UTC"}), report.Conflict)
	name = ok[*User](f.t)(f.UserByID(f.ctx(), ana.ID)).DisplayName
	f.must(f.ChangeProfile(f.ctx(), ana.ID, Profile{DisplayName: &name, TimeZone: "UTC"})) // as it is
	f.must(f.ChangeProfile(f.ctx(), ana.ID, Profile{}))

	// Root users stay as they are.
	_, err = f.db.exec(f.ctx(), "UPDATE users SET is_root = ? WHERE id = ?", true, ana.ID)
	f.must(err)
	for name, change := range map[string]func(*Person) error{
		"blocked": func(p *Person) error { p.Active = false; return nil },
		"moved":   func(p *Person) error { p.Emails = []PersonEmail{{Value: "thief@example.com"}}; return nil },
	} {
		if _, err := f.ChangeProvisioned(f.ctx(), "corp", ana.ID, change); !containsText(err, "is a root user here") {
			f.t.Errorf("a root user is %s: %v", name, err)
		}
	}
	ok[*ProvisionedUser](f.t)(f.ChangeProvisioned(f.ctx(), "corp", ana.ID, func(*Person) error { return nil })) // as it is
	f.isKind(f.DeleteProvisioned(f.ctx(), "corp", ana.ID), report.Forbidden)
	_, err = f.db.exec(f.ctx(), "UPDATE users SET is_root = ? WHERE id = ?", false, ana.ID)
	f.must(err)

	// Taken over, the source has lost it, and its groups have.
	f.must(f.TakeOverUser(f.ctx(), ana.ID))
	f.must(f.TakeOverUser(f.ctx(), ana.ID))
	f.isKind(f.DeleteProvisioned(f.ctx(), "corp", ana.ID), report.NotFound)
	if got := f.groupNames(f.GroupsOf(f.ctx(), ana.ID)); got != "" {
		f.t.Errorf("still in %s", got)
	}
	f.must(f.ChangeUser(f.ctx(), ana.ID, UserChange{"ana@example.com", "Ana"}))

	// A token that may takes over what is here; never of root users, blocked ones
	// and what others provision.
	adopt := &Provisioner{Name: "Adopter", Source: "corp", Adopt: true}
	if got := ok[*ProvisionedUser](f.t)(f.Provision(f.ctx(), adopt, named("ana.j", "ana@example.com"))); got.ID != ana.ID {
		f.t.Errorf("another account: %+v", got)
	}
	blocked := f.person("blocked@example.com")
	f.must(f.SetActive(f.ctx(), blocked.ID, false))
	for _, address := range []string{"root@example.com", "blocked@example.com", "ana.two@example.com"} {
		_, err = f.Provision(f.ctx(), adopt, named(address, address))
		f.isKind(err, report.Conflict)
	}
	f.must(f.DeleteProvisioned(f.ctx(), "corp", ana.ID))
	again := ok[*ProvisionedUser](f.t)(f.Provision(f.ctx(), corp, named("ana.j", "ana@example.com")))
	if again.ID == ana.ID {
		f.t.Error("the deleted account is back")
	}
	f.must(f.DeleteProvisionedGroup(f.ctx(), "corp", group.ID))
	if events := ok[[]AuditEvent](f.t)(f.AuditEvents(f.ctx(), AuditQuery{Action: "group.deleted", Limit: 1})); len(events) != 1 || !containsText(errors.New(events[0].Text), "Viewer in") {
		f.t.Errorf("recorded: %+v", events)
	}
}

// testProvisionedSignIn: who was provisioned signs in to the same account, by the
// value that the provider and the source share, and never by an address.
func testProvisionedSignIn(f *fixture) {
	corp := &Provisioner{Name: "Corp", Source: "corp"}
	made := ok[*ProvisionedUser](f.t)(f.Provision(f.ctx(), corp, Person{UserName: "ana.jovic", ExternalID: "oid-1", Active: true, Emails: []PersonEmail{{Value: "ana@example.com"}}}))
	sign := func(subject, email string, link ProvisionedLink) (*User, error) {
		return f.UserOf(f.ctx(), Identity{Issuer: "https://id.example.com", Subject: subject, Email: email, EmailVerified: true}, IdentityRules{Create: true, Provisioned: link})
	}
	for name, link := range map[string]ProvisionedLink{
		"no link": {}, "another value": {Source: "corp", Value: "oid-2"}, "its case": {Source: "corp", Value: "OID-1"}, "no value": {Source: "corp"},
		"another provider": {Source: "other", Value: "oid-1"}, "the user name for the identifier": {Source: "corp", ByUserName: true, Value: "oid-1"},
	} {
		if u, err := sign("s-1", "ana@example.com", link); !errors.Is(err, ErrAddressTaken) {
			f.t.Errorf("%s: %+v, %v", name, u, err)
		}
	}
	if u := ok[*User](f.t)(sign("s-1", "other.address@example.com", ProvisionedLink{Source: "corp", Value: "oid-1"})); u.ID != made.ID {
		f.t.Errorf("another account: %+v", u)
	}
	if u := ok[*User](f.t)(sign("s-1", "ana@example.com", ProvisionedLink{})); u.ID != made.ID { // from then on by the subject
		f.t.Errorf("another account: %+v", u)
	}
	if _, err := sign("s-2", "x@example.com", ProvisionedLink{Source: "corp", ByUserName: true, Value: "ANA.JOVIC"}); !errors.Is(err, ErrAddressTaken) {
		f.t.Errorf("somebody else of the provider: %v", err)
	}
	ok[*ProvisionedUser](f.t)(f.ChangeProvisioned(f.ctx(), "corp", made.ID, func(p *Person) error { p.Active = false; return nil }))
	if _, err := sign("s-1", "ana@example.com", ProvisionedLink{}); !errors.Is(err, ErrBlocked) {
		f.t.Errorf("who is blocked: %v", err)
	}

	// Two with the same identifier are nobody; a root user is not opened.
	for _, name := range []string{"bo", "cleo"} {
		ok[*ProvisionedUser](f.t)(f.Provision(f.ctx(), corp, Person{UserName: name, ExternalID: "same", Active: true, Emails: []PersonEmail{{Value: name + "@example.com"}}}))
	}
	if _, err := sign("s-3", "bo@example.com", ProvisionedLink{Source: "corp", Value: "same"}); !errors.Is(err, ErrAddressTaken) {
		f.t.Errorf("one of two: %v", err)
	}
	boss := ok[*ProvisionedUser](f.t)(f.Provision(f.ctx(), corp, Person{UserName: "boss", ExternalID: "boss", Active: true, Emails: []PersonEmail{{Value: "boss@example.com"}}}))
	_, err := f.db.exec(f.ctx(), "UPDATE users SET is_root = ? WHERE id = ?", true, boss.ID)
	f.must(err)
	if _, err := sign("s-4", "boss@example.com", ProvisionedLink{Source: "corp", Value: "boss"}); !errors.Is(err, ErrAddressTaken) {
		f.t.Errorf("a root user is opened: %v", err)
	}
}

// testProvisioningTokens: they open provisioning and nothing else, until they are
// revoked or expire.
func testProvisioningTokens(f *fixture) {
	until := f.clock.Now().Add(time.Hour)
	for _, n := range []NewProvisioningToken{{Source: "corp"}, {Name: "x"}, {Name: "x", Source: "corp", Expires: ptr(f.clock.Now())}} {
		_, err := f.CreateProvisioningToken(f.ctx(), n)
		f.isKind(err, report.Invalid)
	}
	token := ok[string](f.t)(f.CreateProvisioningToken(f.ctx(), NewProvisioningToken{Name: " Entra ", Source: "corp", Adopt: true, Expires: &until}))
	by := ok[*Provisioner](f.t)(f.ProvisionerByToken(f.ctx(), token))
	if by.Name != "Entra" || by.Source != "corp" || !by.Adopt {
		f.t.Errorf("%+v", by)
	}
	_, err := f.UserByToken(f.ctx(), token)
	f.isKind(err, report.NotFound)
	personal := ok[string](f.t)(f.CreateToken(f.ctx(), f.root.ID, NewToken{Name: "ci"}))
	for _, wrong := range []string{"", personal, token[:len(token)-1], token + "x", "qsc_" + personal[4:]} {
		_, err = f.ProvisionerByToken(f.ctx(), wrong)
		f.isKind(err, report.NotFound)
	}
	listed := ok[[]ProvisioningToken](f.t)(f.ProvisioningTokens(f.ctx()))
	if len(listed) != 1 || listed[0].Ending != token[len(token)-4:] || listed[0].LastUsed == nil {
		f.t.Errorf("%+v", listed)
	}
	f.clock.Advance(2 * time.Hour)
	_, err = f.ProvisionerByToken(f.ctx(), token)
	f.isKind(err, report.NotFound)
	f.must(f.RevokeProvisioningToken(f.ctx(), listed[0].ID))
	f.isKind(f.RevokeProvisioningToken(f.ctx(), listed[0].ID), report.NotFound)
}
