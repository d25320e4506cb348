package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
)

// member makes a user with a role in a workspace.
func (f *fixture) member(w *Workspace, email, role string) *User {
	f.t.Helper()
	u := ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: email}))
	for _, r := range ok[[]Role](f.t)(f.Roles(f.ctx(), w.ID)) {
		if r.Name == role {
			f.must(f.SetMember(f.ctx(), w.ID, u.ID, r.ID))
			return u
		}
	}
	f.t.Fatalf("no role %s", role)
	return nil
}

func (f *fixture) workspace(code string) *Workspace {
	f.t.Helper()
	return ok[*Workspace](f.t)(f.CreateWorkspace(f.ctx(), NewWorkspace{Name: "Workspace " + code, Code: code, Defaults: true}))
}

func testAccess(f *fixture) {
	acme, other := f.workspace("Acme"), f.workspace("other-1")
	viewer := f.member(acme, "viewer@example.com", "Viewer")
	stranger := ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: "stranger@example.com"}))

	names := func(u *User) []string {
		var codes []string
		for _, w := range ok[[]Workspace](f.t)(f.Workspaces(f.ctx(), u)) {
			codes = append(codes, w.Code)
		}
		return codes
	}
	for _, c := range []struct {
		user *User
		want []string
	}{{f.root, []string{"Acme", "other-1"}}, {viewer, []string{"Acme"}}, {stranger, nil}} {
		if diff := cmp.Diff(c.want, names(c.user)); diff != "" {
			f.t.Errorf("workspaces of %s: %s", c.user.Email, diff)
		}
	}
	for _, ref := range []string{"acme", "ACME", itoa(acme.ID)} {
		a := ok[*Access](f.t)(f.Enter(f.ctx(), viewer, ref))
		if a.Workspace.ID != acme.ID || a.Role.Name != "Viewer" {
			f.t.Errorf("%s: %+v", ref, a)
		}
	}
	for _, ref := range []string{"other-1", itoa(other.ID), "999", "99999999999999999999", "", "nobody"} {
		_, err := f.Enter(f.ctx(), viewer, ref)
		f.isKind(err, report.NotFound)
	}
	_, err := f.Membership(f.ctx(), stranger.ID, acme.ID)
	f.isKind(err, report.NotFound)
	_, err = f.Membership(f.ctx(), f.root.ID, 999)
	f.isKind(err, report.NotFound)

	if a := ok[*Access](f.t)(f.Enter(f.ctx(), f.root, "other-1")); a.Require(Configuration, Full) != nil {
		f.t.Error("root may not configure")
	}
	f.must(f.RemoveMember(f.ctx(), acme.ID, viewer.ID))
	_, err = f.Enter(f.ctx(), viewer, "acme")
	f.isKind(err, report.NotFound)
	f.isKind(f.RemoveMember(f.ctx(), acme.ID, viewer.ID), report.NotFound)

	for _, bad := range []NewWorkspace{{Name: "", Code: "x"}, {Name: "X", Code: "123"}, {Name: "X", Code: "a/b"}, {Name: "X", Code: ""}} {
		_, err := f.CreateWorkspace(f.ctx(), bad)
		f.isKind(err, report.Invalid)
	}
	_, err = f.CreateWorkspace(f.ctx(), NewWorkspace{Name: "Again", Code: "ACME"})
	f.isKind(err, report.Conflict)
}

func testRoles(f *fixture) {
	w, other := f.workspace("acme"), f.workspace("other")
	want := Role{Name: "Auditor", Description: "Reads everything.", Levels: map[Category]Level{Reports: Read, Jobs: Read, Configuration: Full}}
	made := ok[*Role](f.t)(f.CreateRole(f.ctx(), w.ID, want))
	want.ID = made.ID
	u := f.member(w, "auditor@example.com", "Auditor")
	if diff := cmp.Diff(&want, ok[*Role](f.t)(f.Membership(f.ctx(), u.ID, w.ID))); diff != "" {
		f.t.Error(diff)
	}
	roles := ok[[]Role](f.t)(f.Roles(f.ctx(), w.ID))
	if diff := cmp.Diff(want, roles[len(roles)-1]); diff != "" {
		f.t.Error(diff)
	}
	if !roles[0].BuiltIn || roles[0].Name != "Administrator" {
		f.t.Errorf("first role %+v", roles[0])
	}
	_, err := f.CreateRole(f.ctx(), w.ID, Role{Name: "auditor"})
	f.isKind(err, report.Conflict)
	_, err = f.CreateRole(f.ctx(), w.ID, Role{Name: "Jobs", Levels: map[Category]Level{Jobs: Write}})
	f.isKind(err, report.Invalid)
	_, err = f.CreateRole(f.ctx(), 999, Role{Name: "Lost"})
	f.isKind(err, report.NotFound)
	f.isKind(f.SetMember(f.ctx(), other.ID, u.ID, made.ID), report.NotFound) // a role of another workspace
}

func TestRoleRequire(t *testing.T) {
	viewer := Role{Name: "Viewer", Levels: map[Category]Level{Reports: Read, Templates: Read}}
	for _, c := range []struct {
		category Category
		level    Level
		want     string
	}{
		{Reports, None, ""},
		{Reports, Read, ""},
		{Reports, Write, "this needs a role with Write on reports; your role Viewer has Read"},
		{Templates, Write, "this needs a role with Full on templates; your role Viewer has Read"},
		{DataSources, Read, "this needs a role with Read on data sources; your role Viewer has No access"},
	} {
		err := viewer.Require(c.category, c.level)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s %s: %q, want %q", c.category, c.level, got, c.want)
		}
		if allows := viewer.Allows(c.category, c.level); allows != (c.want == "") {
			t.Errorf("%s %s: Allows is %v", c.category, c.level, allows)
		}
	}
	for _, r := range StartingRoles() {
		if _, err := marshalLevels(r.Levels); err != nil {
			t.Errorf("role %s: %v", r.Name, err)
		}
	}
}

// testOwnReports: without Read a user sees the reports they made, no others.
func testOwnReports(f *fixture) {
	w := ok[*Imported](f.t)(f.ImportWorkspace(f.ctx(), sampleBundle())).Workspace
	role := ok[*Role](f.t)(f.CreateRole(f.ctx(), w.ID, Role{Name: "Guest"}))
	guest := ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: "guest@example.com"}))
	f.must(f.SetMember(f.ctx(), w.ID, guest.ID, role.ID))
	_, err := f.db.exec(f.ctx(), "UPDATE reports SET owner_id = ? WHERE code_key = 'letter'", guest.ID)
	f.must(err)

	a := ok[*Access](f.t)(f.Enter(f.ctx(), guest, w.Code))
	own := ok[[]ReportRow](f.t)(f.Reports(f.ctx(), w.ID, ReportQuery{For: a}))
	if len(own) != 1 || own[0].Code != "letter" {
		f.t.Fatalf("own reports %+v", own)
	}
	f.must(a.RequireReport(&own[0], Full))
	invoice := ok[*ReportDefinition](f.t)(f.ReportByIDOrType(f.ctx(), w.ID, "invoice"))
	f.isKind(a.RequireReport(&invoice.Row, Read), report.NotFound)

	author := f.member(&w, "author@example.com", "Author")
	a = ok[*Access](f.t)(f.Enter(f.ctx(), author, w.Code))
	f.must(a.RequireReport(&invoice.Row, Write))
	f.isKind(a.RequireReport(&invoice.Row, Full), report.Forbidden)
	if a.OwnReportsOnly() {
		f.t.Error("an author sees only own reports")
	}
}
