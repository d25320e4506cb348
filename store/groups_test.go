package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// group makes a group of root users with people in it.
func (f *fixture) group(name string, people ...*User) *Group {
	f.t.Helper()
	g := ok[*Group](f.t)(f.CreateGroup(f.ctx(), name))
	for _, u := range people {
		f.must(f.AddToGroup(f.ctx(), g.ID, u.Email))
	}
	return g
}

func (f *fixture) person(email string) *User {
	f.t.Helper()
	return ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: email}))
}

func (f *fixture) groupNames(groups []Group, err error) string {
	f.t.Helper()
	f.must(err)
	names := make([]string, len(groups))
	for i, g := range groups {
		names[i] = fmt.Sprintf("%s/%s/%d/%d", g.Name, g.Source, g.People, g.Workspaces)
	}
	return strings.Join(names, " ")
}

// testGroups: root users make them, put people in, rename and remove them.
func testGroups(f *fixture) {
	ana, bo := f.person("ana@example.com"), f.person("bo@example.com")
	finance := f.group(" Finance ", ana, bo)
	if finance.Name != "Finance" {
		f.t.Errorf("the name is %q", finance.Name)
	}
	f.group("Übersetzung")
	for name, want := range map[string]report.Kind{"": report.Invalid, "a\nb": report.Invalid, "FINANCE": report.Conflict, "übersetzung": report.Conflict} {
		_, err := f.CreateGroup(f.ctx(), name)
		f.isKind(err, want)
	}
	f.isKind(f.RenameGroup(f.ctx(), finance.ID, "übersetzung"), report.Conflict)
	f.must(f.RenameGroup(f.ctx(), finance.ID, "FINANCE"))
	if got := f.groupNames(f.Groups(f.ctx(), "ubersetz")); got != "Übersetzung//0/0" {
		f.t.Errorf("the search finds %s", got)
	}
	if got := f.groupNames(f.Groups(f.ctx(), "")); got != "FINANCE//2/0 Übersetzung//0/0" {
		f.t.Errorf("all: %s", got)
	}
	f.isKind(f.AddToGroup(f.ctx(), finance.ID, "ANA@example.com"), report.Conflict)
	f.isKind(f.AddToGroup(f.ctx(), finance.ID, "nobody@example.com"), report.Invalid)
	f.isKind(f.AddToGroup(f.ctx(), 999, "bo@example.com"), report.NotFound)
	f.must(f.RemoveFromGroup(f.ctx(), finance.ID, ana.ID))
	f.isKind(f.RemoveFromGroup(f.ctx(), finance.ID, ana.ID), report.NotFound)
	people := ok[[]UserRow](f.t)(f.GroupPeople(f.ctx(), finance.ID))
	if len(people) != 1 || people[0].ID != bo.ID || f.groupNames(f.GroupsOf(f.ctx(), bo.ID)) != "FINANCE//1/0" || f.groupNames(f.GroupsOf(f.ctx(), ana.ID)) != "" {
		f.t.Errorf("in it: %+v", people)
	}

	// Service accounts are nobody.
	w := f.workspace("acme")
	by := f.enter(f.root, w)
	service := ok[int](f.t)(f.CreateServiceAccount(f.ctx(), by, "Night run", f.role(w, "Viewer").ID))
	f.isKind(f.AddToGroup(f.ctx(), finance.ID, "Night run (service account)"), report.Invalid)
	f.must(f.SetGroups(f.ctx(), "corp", []SourceGroup{{ExternalID: "1", Name: "Machines", People: []int{service, bo.ID}}}))
	if got := f.groupNames(f.GroupsOf(f.ctx(), service)); got != "" {
		f.t.Errorf("a service account is in %s", got)
	}

	// What is in use does not vanish without a word.
	f.must(f.GiveGroup(f.ctx(), by, "finance", f.role(w, "Author").ID))
	if err := f.DeleteGroup(f.ctx(), finance.ID, false); !containsText(err, "the group FINANCE is Author in Workspace acme") {
		f.t.Errorf("deleting what is in use: %v", err)
	}
	f.must(f.DeleteGroup(f.ctx(), finance.ID, true))
	if events := ok[[]AuditEvent](f.t)(f.AuditEvents(f.ctx(), AuditQuery{Action: "group.deleted", Limit: 1})); len(events) != 1 || !strings.Contains(events[0].Text, `"Author in Workspace acme"`) || events[0].Target != "FINANCE" {
		f.t.Errorf("recorded: %+v", events)
	}
	_, err := f.Group(f.ctx(), finance.ID)
	f.isKind(err, report.NotFound)
	_, err = f.Enter(f.ctx(), bo, "acme")
	f.isKind(err, report.NotFound)
}

// testGroupRights holds what people may by groups against every place that asks:
// the workspace, its list, tokens, previews and runs of later.
func testGroupRights(f *fixture) {
	w := f.sample()
	root := f.enter(f.root, w)
	ana, bo := f.member(w, "ana@example.com", "Viewer"), f.person("bo@example.com")
	group := f.group("Operators", ana, bo)
	token := ok[string](f.t)(f.CreateToken(f.ctx(), bo.ID, NewToken{Name: "ci"}))
	may := func(u *User) string {
		f.t.Helper()
		byToken := u
		if u.ID == bo.ID {
			byToken = ok[*User](f.t)(f.UserByToken(f.ctx(), token))
		}
		a, err := f.Enter(f.ctx(), byToken, w.Code)
		listed := ok[[]Workspace](f.t)(f.Workspaces(f.ctx(), u))
		running := ok[[]Workspace](f.t)(f.WorkspacesAllowing(f.ctx(), u, Jobs, Full))
		role, gone := f.Membership(f.ctx(), u.ID, w.ID)
		if (err == nil) != (len(listed) == 1) || (err == nil) != (gone == nil) {
			f.t.Errorf("%s enters: %v, listed: %v, has a role: %v", u.Email, err, listed, gone)
		}
		if IsNotFound(err) {
			return ""
		}
		f.must(err)
		if a.Role.Allows(Jobs, Full) != (len(running) == 1) || role.Name != a.Role.Name {
			f.t.Errorf("%s: %+v, %+v; allowed in %v", u.Email, a.Role, role, running)
		}
		return fmt.Sprintf("%s reports=%s jobs=%s groups=%d", a.Role.Name, a.Role.Levels[Reports], a.Role.Levels[Jobs], len(a.Groups))
	}
	step := func(what, wantAna, wantBo string) {
		f.t.Helper()
		if gotAna, gotBo := may(ana), may(bo); gotAna != wantAna || gotBo != wantBo {
			f.t.Errorf("%s: ana %q, bo %q; want %q and %q", what, gotAna, gotBo, wantAna, wantBo)
		}
	}
	const viewer = "Viewer reports=read jobs=none groups=0"
	step("before", viewer, "")
	f.must(f.GiveGroup(f.ctx(), root, " OPERATORS", f.role(w, "Operator").ID))
	f.isKind(f.GiveGroup(f.ctx(), root, "Operators", f.role(w, "Operator").ID), report.Conflict)
	f.isKind(f.GiveGroup(f.ctx(), root, "None", f.role(w, "Operator").ID), report.Invalid)
	// Operator covers Viewer, so it is what ana is called by.
	step("with a role", "Operator reports=read jobs=full groups=1", "Operator reports=read jobs=full groups=1")
	f.must(f.ChangeGroupRole(f.ctx(), root, group.ID, f.role(w, "Author").ID))
	step("with another", "Author reports=write jobs=none groups=1", "Author reports=write jobs=none groups=1")
	second := f.group("Night shift", bo)
	f.must(f.GiveGroup(f.ctx(), root, "Night shift", f.role(w, "Operator").ID))
	// Neither covers the other: the higher level of each category counts.
	step("in two groups", "Author reports=write jobs=none groups=1", "Author + Operator reports=write jobs=full groups=2")
	f.must(f.RemoveFromGroup(f.ctx(), group.ID, bo.ID))
	step("out of one", "Author reports=write jobs=none groups=1", "Operator reports=read jobs=full groups=1")
	f.must(f.DropGroup(f.ctx(), root, second.ID))
	f.isKind(f.DropGroup(f.ctx(), root, second.ID), report.NotFound)
	step("the group has no role", "Author reports=write jobs=none groups=1", "")
	f.must(f.RemoveMember(f.ctx(), w.ID, ana.ID))
	step("by the group alone", "Author reports=write jobs=none groups=1", "")
	if got := ok[[]GroupPerson](f.t)(f.PeopleByGroups(f.ctx(), w.ID)); len(got) != 1 || got[0].UserID != ana.ID || got[0].GroupID != group.ID {
		f.t.Errorf("people by groups: %+v", got)
	}
	if got := ok[[]GroupMember](f.t)(f.GroupMembers(f.ctx(), w.ID)); len(got) != 1 || got[0].RoleName != "Author" || got[0].People != 1 {
		f.t.Errorf("groups: %+v", got)
	}
	held := ok[[]InWorkspace](f.t)(f.HoldingsOf(f.ctx(), ana.ID))
	if len(held) != 1 || held[0].Workspace.Code != w.Code || len(held[0].Held) != 1 || held[0].Held[0].Group != "Operators" || !held[0].Role.Allows(Reports, Write) {
		f.t.Errorf("holdings: %+v", held)
	}
	if counts := ok[map[int]int](f.t)(f.RoleMembers(f.ctx(), w.ID)); counts[f.role(w, "Author").ID] != 1 {
		f.t.Errorf("roles are held by %v", counts)
	}
	if err := f.DeleteRole(f.ctx(), root, f.role(w, "Author").ID); !containsText(err, "the group Operators still has the role") {
		f.t.Errorf("deleting the role: %v", err)
	}
	f.must(f.SetActive(f.ctx(), ana.ID, false))
	_, err := f.Membership(f.ctx(), ana.ID, w.ID)
	f.isKind(err, report.NotFound)
	f.must(f.DeleteWorkspace(f.ctx(), w.ID))
	if got := f.groupNames(f.Groups(f.ctx(), "")); got != "Night shift//1/0 Operators//1/0" {
		f.t.Errorf("after the workspace: %s", got)
	}
}

// testNobodyRisesByAGroup: who gives groups roles gives no more than they have,
// and the last administrator stays one, by whatever they are it.
func testNobodyRisesByAGroup(f *fixture) {
	w := f.workspace("acme")
	may := Role{Name: "People", Levels: map[Category]Level{Configuration: Full, Reports: Read}}
	people := ok[*Role](f.t)(f.CreateRole(f.ctx(), w.ID, may))
	ana := f.member(w, "ana@example.com", "Administrator")
	bo := f.person("bo@example.com")
	f.must(f.SetMember(f.ctx(), w.ID, bo.ID, people.ID))
	group := f.group("Team", bo)
	by, weak := f.enter(ana, w), f.enter(bo, w)
	f.isKind(f.GiveGroup(f.ctx(), weak, "Team", f.role(w, "Administrator").ID), report.Forbidden)
	f.isKind(f.GiveGroup(f.ctx(), weak, "Team", f.role(w, "Author").ID), report.Forbidden)
	f.must(f.GiveGroup(f.ctx(), weak, "Team", people.ID))
	f.isKind(f.ChangeGroupRole(f.ctx(), weak, group.ID, f.role(w, "Administrator").ID), report.Forbidden)
	f.must(f.ChangeGroupRole(f.ctx(), by, group.ID, f.role(w, "Administrator").ID))
	weak = &Access{User: bo, Workspace: w, Role: people}
	f.isKind(f.DropGroup(f.ctx(), weak, group.ID), report.Forbidden)

	// Another workspace's role is none here.
	other := f.workspace("other")
	f.isKind(f.ChangeGroupRole(f.ctx(), by, group.ID, f.role(other, "Viewer").ID), report.Invalid)
	f.isKind(f.GiveGroup(f.ctx(), by, "Team", f.role(other, "Viewer").ID), report.Invalid)

	// Administrators by the group keep the workspace; without them ana is the last.
	byGroup := f.enter(bo, w)
	f.must(f.DropMember(f.ctx(), byGroup, ana.ID))
	f.isKind(f.DropGroup(f.ctx(), byGroup, group.ID), report.Conflict)
	f.isKind(f.ChangeGroupRole(f.ctx(), byGroup, group.ID, people.ID), report.Conflict)
	f.must(f.SetMember(f.ctx(), w.ID, bo.ID, f.role(w, "Administrator").ID))
	f.must(f.DropGroup(f.ctx(), byGroup, group.ID)) // who is it by their own role, too
	f.isKind(f.DropMember(f.ctx(), byGroup, bo.ID), report.Conflict)
	f.must(f.DropMember(f.ctx(), f.enter(f.root, w), bo.ID))
}

// testGroupAccess: access rules name groups.
func testGroupAccess(f *fixture) {
	w := f.sample()
	root := f.enter(f.root, w)
	ana, bo, cleo := f.person("ana@example.com"), f.person("bo@example.com"), f.member(w, "cleo@example.com", "Viewer")
	readers, editors := f.group("Readers", ana, bo), f.group("Editors", bo)
	bare := ok[*Role](f.t)(f.CreateRole(f.ctx(), w.ID, Role{Name: "Bare"}))
	made := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Pay", Owner: f.root.ID}))
	f.isKind(f.SetReportAccess(f.ctx(), w.ID, made.ID, &ReportAccess{Groups: map[int]Share{readers.ID: ShareSee}}), report.Invalid) // no role here
	f.isKind(f.SetReportAccess(f.ctx(), w.ID, made.ID, &ReportAccess{Users: map[int]Share{ana.ID: ShareSee}}), report.Invalid)
	f.must(f.GiveGroup(f.ctx(), root, "Readers", bare.ID))
	f.must(f.GiveGroup(f.ctx(), root, "Editors", f.role(w, "Author").ID))
	may := func(u *User) string {
		f.t.Helper()
		a, err := f.Enter(f.ctx(), u, w.Code)
		if IsNotFound(err) {
			return "-"
		}
		f.must(err)
		d := ok[*ReportDefinition](f.t)(f.ReportByIDOrType(f.ctx(), w.ID, fmt.Sprint(made.ID)))
		got := ""
		for _, step := range []struct {
			name string
			err  error
		}{{"see", a.RequireReport(&d.Row, Read)}, {"run", a.RequireRun(&d.Row)}, {"edit", a.RequireReport(&d.Row, Write)}, {"delete", a.RequireReport(&d.Row, Full)}} {
			if step.err == nil {
				got += step.name + " "
			}
		}
		rows := ok[[]ReportRow](f.t)(f.Reports(f.ctx(), w.ID, ReportQuery{For: a}))
		if listed := slices.ContainsFunc(rows, func(r ReportRow) bool { return r.ID == made.ID }); listed != (got != "") {
			f.t.Errorf("%s may %q, and the list has it: %v", u.Email, got, listed)
		}
		if (f.RequireRun(f.ctx(), w.ID, u.ID, fmt.Sprint(made.ID), false) == nil) != (a.RequireRun(&d.Row) == nil) {
			f.t.Errorf("%s may run it only sometimes", u.Email)
		}
		return strings.TrimSpace(got)
	}
	step := func(what string, want ...string) {
		f.t.Helper()
		if got := []string{may(ana), may(bo), may(cleo)}; !slices.Equal(got, want) {
			f.t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	step("no rules", "", "see run edit", "see run")
	f.must(f.SetReportAccess(f.ctx(), w.ID, made.ID, &ReportAccess{Groups: map[int]Share{readers.ID: ShareRun}}))
	step("readers run", "see run", "see run", "")
	f.must(f.SetReportAccess(f.ctx(), w.ID, made.ID, &ReportAccess{Groups: map[int]Share{readers.ID: ShareSee, editors.ID: ShareEdit}, Users: map[int]Share{ana.ID: ShareRun}}))
	step("the most of all counts", "see run", "see run edit", "")
	f.must(f.SetReportAccess(f.ctx(), w.ID, made.ID, &ReportAccess{Roles: map[int]Share{bare.ID: ShareSee}})) // bo holds it beside Author
	step("a role of several", "see", "see", "")
	f.must(f.SetReportAccess(f.ctx(), w.ID, made.ID, &ReportAccess{Groups: map[int]Share{readers.ID: ShareSee}}))
	copied := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Copy", Owner: f.root.ID, SharedAs: made.ID}))
	if copied = ok[*ReportDefinition](f.t)(f.ReportByIDOrType(f.ctx(), w.ID, fmt.Sprint(copied.ID))); copied.Row.Access == nil || copied.Row.Access.Groups[readers.ID] != ShareSee {
		f.t.Errorf("the copy has %+v", copied.Row.Access)
	}
	f.must(f.RemoveFromGroup(f.ctx(), readers.ID, bo.ID))
	step("bo left", "see", "", "")

	// Moved, the rules of groups that have a role there go along.
	there := f.workspace("there")
	f.must(f.GiveGroup(f.ctx(), f.enter(f.root, there), "Editors", f.role(there, "Viewer").ID))
	f.must(f.SetReportAccess(f.ctx(), w.ID, made.ID, &ReportAccess{Groups: map[int]Share{readers.ID: ShareSee, editors.ID: ShareRun}}))
	moved := ok[*ReportDefinition](f.t)(f.MoveReport(f.ctx(), w.ID, made.ID, there.ID, f.root.ID))
	if len(moved.Row.Access.Groups) != 1 || moved.Row.Access.Groups[editors.ID] != ShareRun {
		f.t.Errorf("moved with %+v", moved.Row.Access)
	}

	// Without its role the group's rules are gone; the report stays restricted.
	f.must(f.DropGroup(f.ctx(), f.enter(f.root, there), editors.ID))
	if moved = ok[*ReportDefinition](f.t)(f.ReportByIDOrType(f.ctx(), there.ID, fmt.Sprint(moved.ID))); moved.Row.Access == nil || len(moved.Row.Access.Groups) != 0 {
		f.t.Errorf("after the role: %+v", moved.Row.Access)
	}
}

// testSourceGroups: what a provider says of its groups is so, and nothing else is
// touched.
func testSourceGroups(f *fixture) {
	ana, bo := f.person("ana@example.com"), f.person("bo@example.com")
	w := f.workspace("acme")
	local := f.group("Finance", ana)
	state := func(want string) {
		f.t.Helper()
		if got := f.groupNames(f.Groups(f.ctx(), "")); got != want {
			f.t.Errorf("%s\nwant %s", got, want)
		}
	}
	f.must(f.SetGroups(f.ctx(), "corp", []SourceGroup{{"a", "Sales", []int{ana.ID, bo.ID}}, {"b", "Finance", []int{bo.ID, 999}}}))
	f.must(f.SetGroups(f.ctx(), "other", []SourceGroup{{"a", "Board", []int{ana.ID}}}))
	state("Board/other/1/0 Finance//1/0 Finance (corp: b)/corp/1/0 Sales/corp/2/0")
	f.must(f.SetGroups(f.ctx(), "corp", []SourceGroup{{"a", "Sales and more", []int{bo.ID}}, {"b", "Finance", []int{bo.ID}}}))
	state("Board/other/1/0 Finance//1/0 Finance (corp: b)/corp/1/0 Sales and more/corp/1/0")
	corp := ok[[]Group](f.t)(f.Groups(f.ctx(), "Sales"))[0]
	f.must(f.GiveGroup(f.ctx(), f.enter(f.root, w), "Sales and more", f.role(w, "Viewer").ID))
	f.must(f.SetGroups(f.ctx(), "corp", nil)) // what counts nowhere goes
	state("Board/other/1/0 Finance//1/0 Sales and more/corp/0/1")

	// At a sign-in it says of one person only.
	f.must(f.SetGroupsOf(f.ctx(), "corp", ana.ID, []SourceGroup{{ExternalID: "a", Name: "Sales"}, {ExternalID: "c", Name: "New"}}))
	f.must(f.SetGroupsOf(f.ctx(), "corp", bo.ID, []SourceGroup{{ExternalID: "c", Name: "New"}}))
	state("Board/other/1/0 Finance//1/0 New/corp/2/0 Sales/corp/1/1")
	if a := f.enter(ana, w); a.Role.Name != "Viewer" {
		f.t.Errorf("ana is %+v", a.Role)
	}
	f.must(f.SetGroupsOf(f.ctx(), "corp", ana.ID, nil))
	state("Board/other/1/0 Finance//1/0 New/corp/1/0 Sales/corp/0/1")
	_, err := f.Enter(f.ctx(), ana, w.Code)
	f.isKind(err, report.NotFound)
	for _, g := range []SourceGroup{{Name: "Nameless"}, {ExternalID: "x"}, {ExternalID: "x", Name: "a\nb"}} {
		f.isKind(f.SetGroupsOf(f.ctx(), "corp", ana.ID, []SourceGroup{g}), report.Invalid)
	}
	if err := f.SetGroups(f.ctx(), "", nil); err == nil {
		f.t.Error("root users' groups are taken for those of a source")
	}

	// Root users change it once they took it over.
	for _, err := range []error{f.RenameGroup(f.ctx(), corp.ID, "X"), f.DeleteGroup(f.ctx(), corp.ID, true), f.AddToGroup(f.ctx(), corp.ID, "ana@example.com"), f.RemoveFromGroup(f.ctx(), corp.ID, bo.ID)} {
		f.isKind(err, report.Conflict)
	}
	f.must(f.TakeOverGroup(f.ctx(), corp.ID))
	f.must(f.AddToGroup(f.ctx(), corp.ID, "ana@example.com"))
	f.must(f.RemoveFromGroup(f.ctx(), local.ID, ana.ID))
	state("Board/other/1/0 Finance//0/0 New/corp/1/0 Sales//1/1")
}

// testPeopleAreChangedAndDeleted: what somebody has made stays, and nothing of
// the account opens anything.
func testPeopleAreChangedAndDeleted(f *fixture) {
	w := f.sample()
	ana := f.member(w, "ana@example.com", "Author")
	bo := f.person("bo@example.com")
	f.must(f.SetPassword(f.ctx(), ana.ID, "lozinka-99"))
	f.isKind(f.ChangeUser(f.ctx(), ana.ID, UserChange{"BO@example.com", "Ana"}), report.Conflict)
	f.isKind(f.ChangeUser(f.ctx(), ana.ID, UserChange{"nobody", "Ana"}), report.Invalid)
	f.isKind(f.ChangeUser(f.ctx(), ana.ID, UserChange{"ana@example.com", " "}), report.Invalid)
	f.isKind(f.ChangeUser(f.ctx(), 999, UserChange{"x@example.com", "Ana"}), report.NotFound)
	link, _, err := f.PasswordLink(f.ctx(), ana.ID)
	f.must(err)
	f.must(f.ChangeUser(f.ctx(), ana.ID, UserChange{"ana.jovic@example.com", "Ana Jović"}))
	_, err = f.PasswordLinkUser(f.ctx(), link)
	f.isKind(err, report.NotFound)
	u := ok[*User](f.t)(f.SignIn(f.ctx(), "ana.jovic@example.com", "lozinka-99", false))
	if u.DisplayName != "Ana Jović" {
		f.t.Errorf("%+v", u)
	}

	made := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Pay", Owner: ana.ID}))
	f.must(f.SetReportAccess(f.ctx(), w.ID, made.ID, &ReportAccess{Users: map[int]Share{ana.ID: ShareSee}}))
	f.group("Team", u, bo)
	token := ok[string](f.t)(f.CreateToken(f.ctx(), ana.ID, NewToken{Name: "ci"}))
	session, _, err := f.CreateSession(f.ctx(), u, "Firefox", "192.0.2.1")
	f.must(err)
	preview, _, err := f.CreatePreviewSession(f.ctx(), Grant{UserID: ana.ID, Epoch: u.Epoch})
	f.must(err)
	nonce := ok[string](f.t)(f.CreateNonce(f.ctx(), Grant{UserID: ana.ID, Epoch: u.Epoch}))
	id := Identity{Issuer: "https://id.example.com", Subject: "1", Email: "ana.jovic@example.com", EmailVerified: true}
	ok[*User](f.t)(f.UserOf(f.ctx(), id, IdentityRules{Link: true}))
	f.must(f.DeleteUser(f.ctx(), ana.ID))
	for what, err := range map[string]error{
		"the password": second(f.SignIn(f.ctx(), "ana.jovic@example.com", "lozinka-99", false)), "the token": second(f.UserByToken(f.ctx(), token)),
		"the preview": second(f.previewUser(preview)), "the list": second(f.AnyUser(f.ctx(), ana.ID)), "the workspace": second(f.Membership(f.ctx(), ana.ID, w.ID)),
		"unblocking": f.SetActive(f.ctx(), ana.ID, true), "a password": f.SetPassword(f.ctx(), ana.ID, "lozinka-99"), "deleting again": f.DeleteUser(f.ctx(), ana.ID),
	} {
		if !IsNotFound(err) {
			f.t.Errorf("%s: %v", what, err)
		}
	}
	f.ended(session)
	_, _, err = f.TakeNonce(f.ctx(), nonce)
	f.isKind(err, report.NotFound)
	if _, err = f.UserOf(f.ctx(), id, IdentityRules{}); !errors.Is(err, ErrNoAccount) {
		f.t.Errorf("signing in at the provider: %v", err)
	}
	if got := f.groupNames(f.Groups(f.ctx(), "")); got != "Team//1/0" {
		f.t.Errorf("groups: %s", got)
	}
	if all := ok[[]UserRow](f.t)(f.Users(f.ctx(), "ana")); len(all) != 0 {
		f.t.Errorf("listed: %+v", all)
	}
	found := ok[*ReportDefinition](f.t)(f.ReportByIDOrType(f.ctx(), w.ID, fmt.Sprint(made.ID)))
	if found.Row.OwnerID != ana.ID || found.Row.Access == nil || len(found.Row.Access.Users) != 0 {
		f.t.Errorf("what was made: %+v", found.Row)
	}
	again := f.person("ana.jovic@example.com") // the address is free, and opens nothing of before
	if again.ID == ana.ID {
		f.t.Error("the account is back")
	}
}

func second[T any](_ T, err error) error { return err }

// TestDeletingForgetsEverythingOfAPerson finds tables with rows of people that
// deleting an account leaves.
func TestDeletingForgetsEverythingOfAPerson(t *testing.T) {
	f := sqliteFixture(t)
	var tables []string
	f.must(f.db.list(f.ctx(), &tables, `SELECT DISTINCT m.name FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) k
		WHERE m.type = 'table' AND k."table" = 'users' AND k.on_delete = 'CASCADE' ORDER BY m.name`))
	for _, table := range tables {
		if !slices.Contains(ofAPerson, table) {
			t.Errorf("%s has rows of people; name it in ofAPerson", table)
		}
	}
	if len(tables) < 10 {
		t.Errorf("only %v", tables)
	}
}
