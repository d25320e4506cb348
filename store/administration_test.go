package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
)

func (f *fixture) role(w *Workspace, name string) *Role {
	f.t.Helper()
	for _, r := range ok[[]Role](f.t)(f.Roles(f.ctx(), w.ID)) {
		if r.Name == name {
			return &r
		}
	}
	f.t.Fatalf("no role %s", name)
	return nil
}

func (f *fixture) enter(u *User, w *Workspace) *Access {
	f.t.Helper()
	return ok[*Access](f.t)(f.Enter(f.ctx(), u, w.Code))
}

// members is who has which role, in a line.
func (f *fixture) members(w *Workspace) string {
	f.t.Helper()
	var list []string
	for _, m := range ok[[]Member](f.t)(f.Members(f.ctx(), w.ID)) {
		list = append(list, strings.TrimSuffix(m.Email, "@example.com")+" "+m.RoleName)
	}
	return strings.Join(list, ", ")
}

func testMembers(f *fixture) {
	w := f.workspace("shop")
	administrator, viewer, author := f.role(w, "Administrator"), f.role(w, "Viewer"), f.role(w, "Author")
	f.member(f.workspace("other"), "zoe@example.com", "Viewer")
	ana := f.member(w, "ana@example.com", "Administrator")
	by := f.enter(ana, w)
	f.must(f.AddMember(f.ctx(), by, " ZOE@example.com", viewer.ID))
	f.isKind(f.AddMember(f.ctx(), by, "zoe@example.com", viewer.ID), report.Conflict)
	f.isKind(f.AddMember(f.ctx(), by, "nobody@example.com", viewer.ID), report.NotFound)
	f.isKind(f.AddMember(f.ctx(), by, "root@example.com", f.role(f.workspace("third"), "Viewer").ID), report.Invalid)
	if got := f.members(w); got != "ana Administrator, zoe Viewer" {
		f.t.Error(got)
	}
	zoe := ok[*User](f.t)(f.UserByEmail(f.ctx(), "zoe@example.com"))
	f.must(f.ChangeMember(f.ctx(), by, zoe.ID, author.ID))
	f.isKind(f.ChangeMember(f.ctx(), by, f.root.ID, author.ID), report.NotFound)

	// The last administrator stays, but for a root user.
	for _, err := range []error{f.ChangeMember(f.ctx(), by, ana.ID, viewer.ID), f.DropMember(f.ctx(), by, ana.ID)} {
		f.isKind(err, report.Conflict)
	}
	f.must(f.ChangeMember(f.ctx(), by, ana.ID, administrator.ID))
	blocked := f.member(w, "blocked@example.com", "Administrator")
	f.must(f.SetActive(f.ctx(), blocked.ID, false))
	f.isKind(f.DropMember(f.ctx(), by, ana.ID), report.Conflict)
	f.must(f.SetActive(f.ctx(), blocked.ID, true))
	f.must(f.DropMember(f.ctx(), by, blocked.ID))
	f.must(f.DropMember(f.ctx(), f.enter(f.root, w), ana.ID))
	f.isKind(f.DropMember(f.ctx(), f.enter(f.root, w), ana.ID), report.NotFound)
	if got := f.members(w); got != "zoe Author" {
		f.t.Error(got)
	}
}

// testNobodyRisesByThemselves: who may edit roles and members, but not
// everything else, cannot give more than they have.
func testNobodyRisesByThemselves(f *fixture) {
	w := f.workspace("shop")
	clerk := ok[*Role](f.t)(f.CreateRole(f.ctx(), w.ID, Role{Name: "Clerk", Levels: map[Category]Level{Reports: Read, Configuration: Full}}))
	ana := f.member(w, "ana@example.com", "Clerk")
	zoe := f.member(w, "zoe@example.com", "Administrator")
	f.member(w, "second@example.com", "Administrator")
	by, strong := f.enter(ana, w), f.role(w, "Administrator")
	more := Role{ID: clerk.ID, Name: "Clerk", Levels: map[Category]Level{Reports: Full, Configuration: Full}}
	_, err := f.AddRole(f.ctx(), by, more)
	for what, err := range map[string]error{
		"a role that may more":      err,
		"more for the own role":     f.UpdateRole(f.ctx(), by, more),
		"less for a stronger role":  f.UpdateRole(f.ctx(), by, Role{ID: f.role(w, "Author").ID, Name: "Author"}),
		"deleting a stronger role":  f.DeleteRole(f.ctx(), by, f.role(w, "Author").ID),
		"changing Administrator":    f.UpdateRole(f.ctx(), f.enter(f.root, w), Role{ID: strong.ID, Name: "Chief"}),
		"deleting Administrator":    f.DeleteRole(f.ctx(), f.enter(f.root, w), strong.ID),
		"rising":                    f.ChangeMember(f.ctx(), by, ana.ID, strong.ID),
		"a stronger role for a new": f.AddMember(f.ctx(), by, "root@example.com", strong.ID),
		"lowering a stronger":       f.ChangeMember(f.ctx(), by, zoe.ID, clerk.ID),
		"removing a stronger":       f.DropMember(f.ctx(), by, zoe.ID),
	} {
		var p *report.Problem
		if p, _ = err.(*report.Problem); p == nil || p.Kind != report.Forbidden {
			f.t.Errorf("%s: %v", what, err)
		}
	}
	if got := f.members(w); got != "ana Clerk, second Administrator, zoe Administrator" {
		f.t.Error(got)
	}
}

func testEditingRoles(f *fixture) {
	w := f.workspace("shop")
	by := f.enter(f.root, w)
	made := ok[*Role](f.t)(f.AddRole(f.ctx(), by, Role{Name: " Clerk ", Description: "Sorts", Levels: map[Category]Level{Reports: Read}}))
	made.Name, made.Description, made.Levels = "Head clerk", "Sorts and writes", map[Category]Level{Reports: Write, Files: Full}
	f.must(f.UpdateRole(f.ctx(), by, *made))
	if diff := cmp.Diff(made, ok[*Role](f.t)(f.RoleByID(f.ctx(), w.ID, made.ID))); diff != "" {
		f.t.Error(diff)
	}
	for name, kind := range map[string]report.Kind{"": report.Invalid, "AUTHOR": report.Conflict, strings.Repeat("x", 201): report.Invalid} {
		f.isKind(f.UpdateRole(f.ctx(), by, Role{ID: made.ID, Name: name}), kind)
	}
	f.isKind(f.UpdateRole(f.ctx(), by, Role{ID: made.ID, Name: "x", Levels: map[Category]Level{Files: Write}}), report.Invalid)
	f.isKind(f.UpdateRole(f.ctx(), by, Role{ID: 999, Name: "x"}), report.NotFound)
	_, err := f.RoleByID(f.ctx(), f.workspace("other").ID, made.ID)
	f.isKind(err, report.NotFound)
	f.member(w, "ana@example.com", "Head clerk")
	if counts := ok[map[int]int](f.t)(f.RoleMembers(f.ctx(), w.ID)); counts[made.ID] != 1 || len(counts) != 1 {
		f.t.Errorf("%v", counts)
	}
	f.isKind(f.DeleteRole(f.ctx(), by, made.ID), report.Conflict)
	f.must(f.DropMember(f.ctx(), by, ok[*User](f.t)(f.UserByEmail(f.ctx(), "ana@example.com")).ID))
	f.must(f.DeleteRole(f.ctx(), by, made.ID))
	f.isKind(f.DeleteRole(f.ctx(), by, made.ID), report.NotFound)
}

func testAllUsers(f *fixture) {
	w := f.workspace("shop")
	ana := f.member(w, "ana@example.com", "Viewer")
	_ = ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: "sime@example.com", DisplayName: "Šime Ćuk"}))
	f.must(f.SetActive(f.ctx(), ana.ID, false))
	for search, want := range map[string]string{
		"": "ana@example.com,Root,Šime Ćuk", "ŠIME": "Šime Ćuk", "sime cuk": "Šime Ćuk", "ROOT@": "Root", "nobody": "", "%": "",
	} {
		var names []string
		for _, u := range ok[[]UserRow](f.t)(f.Users(f.ctx(), search)) {
			names = append(names, u.DisplayName)
		}
		if got := strings.Join(names, ","); got != want {
			f.t.Errorf("%q finds %q; want %q", search, got, want)
		}
	}
	row := ok[*UserRow](f.t)(f.AnyUser(f.ctx(), ana.ID))
	if row.IsActive || row.HasPassword || row.Workspaces != 1 || row.Created.IsZero() {
		f.t.Errorf("%+v", row)
	}
	_, err := f.AnyUser(f.ctx(), 999)
	f.isKind(err, report.NotFound)
}

func testWorkspacesAreWritten(f *fixture) {
	w, other := f.workspace("shop"), f.workspace("other")
	about := "Sells things"
	f.must(f.UpdateWorkspace(f.ctx(), w.ID, " The shop ", &about))
	if now := ok[*Workspace](f.t)(f.WorkspaceByCode(f.ctx(), "shop")); now.Name != "The shop" || now.Description == nil || *now.Description != about {
		f.t.Errorf("%+v", now)
	}
	f.isKind(f.UpdateWorkspace(f.ctx(), w.ID, " ", nil), report.Invalid)
	f.isKind(f.UpdateWorkspace(f.ctx(), 999, "x", nil), report.NotFound)

	ana := f.member(w, "ana@example.com", "Author")
	f.must(f.SetMember(f.ctx(), other.ID, ana.ID, f.role(other, "Viewer").ID))
	for level, want := range map[Level]int{Read: 2, Write: 1, Full: 0} {
		if got := ok[[]Workspace](f.t)(f.WorkspacesAllowing(f.ctx(), ana, Reports, level)); len(got) != want {
			f.t.Errorf("%s: %+v", level, got)
		}
		if got := ok[[]Workspace](f.t)(f.WorkspacesAllowing(f.ctx(), f.root, Reports, level)); len(got) != 2 {
			f.t.Errorf("%s of root: %+v", level, got)
		}
	}

	r := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Sums", Owner: ana.ID}))
	_ = ok[int](f.t)(f.SaveReport(f.ctx(), w.ID, r.ID, 1, ana.ID, r.Report))
	_ = ok[*FileRow](f.t)(f.PutFile(f.ctx(), w.ID, "logo.svg", "", strings.NewReader("<svg/>")))
	f.must(f.PutConnection(f.ctx(), w.ID, Connection{Name: "db", Type: "mysql", Address: "x"}))
	f.must(f.DeleteWorkspace(f.ctx(), w.ID))
	f.isKind(f.DeleteWorkspace(f.ctx(), w.ID), report.NotFound)
	_, err := f.WorkspaceByCode(f.ctx(), "shop")
	f.isKind(err, report.NotFound)
	if left := ok[[]Workspace](f.t)(f.Workspaces(f.ctx(), ana)); len(left) != 1 || left[0].Code != "other" {
		f.t.Errorf("%+v", left)
	}
	f.clock.Advance(7 * time.Hour)
	if swept := ok[Swept](f.t)(f.SweepOrphans(f.ctx())); swept.Orphans != 1 {
		f.t.Errorf("%+v", swept)
	}
	_ = f.workspace("shop") // the code is free again
}

func testMovingReports(f *fixture) {
	from, to := f.workspace("shop"), ok[*Workspace](f.t)(f.CreateWorkspace(f.ctx(), NewWorkspace{Name: "Bare", Code: "bare"}))
	r := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), from.ID, NewReport{Name: "Sums", Definition: &report.Report{Version: 1, Type: "other", Title: "All sums"}}))
	_ = ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), to.ID, NewReport{Name: "Sums"}))
	moved := ok[*ReportDefinition](f.t)(f.MoveReport(f.ctx(), from.ID, r.ID, to.ID, f.root.ID))
	if moved.ID != r.ID || moved.Row.Code != "sums-2" || moved.Row.TypeCode != "other" || moved.Report.Title != "All sums" || moved.Row.Revision != 2 {
		f.t.Errorf("%+v %+v", moved.Row, moved.Report)
	}
	if got, want := f.versions(to, r.ID), fmt.Sprintf("2 %s|1 |", f.root.DisplayName); got != want {
		f.t.Errorf("%s, want %s", got, want)
	}
	if left := ok[[]ReportRow](f.t)(f.Reports(f.ctx(), from.ID, ReportQuery{})); len(left) != 0 {
		f.t.Errorf("%+v", left)
	}
	_, err := f.MoveReport(f.ctx(), from.ID, r.ID, to.ID, f.root.ID)
	f.isKind(err, report.NotFound)
	_, err = f.MoveReport(f.ctx(), to.ID, r.ID, to.ID, f.root.ID)
	f.isKind(err, report.Invalid)
	_, err = f.MoveReport(f.ctx(), to.ID, r.ID, 999, f.root.ID)
	f.isKind(err, report.NotFound)

	// A type that is not there becomes Other; its default goes.
	_ = ok[*Imported](f.t)(f.ImportWorkspace(f.ctx(), report.Workspace{
		Name: "Shop", Code: "shop",
		ReportTypes: []report.ReportType{{Name: "Letter", Code: "letter", DefaultReport: "dear"}},
		Reports:     []report.NamedReport{{Code: "dear", Report: report.Report{Version: 1, Name: "Dear", Type: "letter"}}},
	}))
	dear := ok[*ReportDefinition](f.t)(f.ReportByIDOrType(f.ctx(), from.ID, "letter"))
	moved = ok[*ReportDefinition](f.t)(f.MoveReport(f.ctx(), from.ID, dear.ID, to.ID, f.root.ID))
	if moved.Row.TypeCode != "other" || moved.Report.Type != "" {
		f.t.Errorf("%+v %+v", moved.Row, moved.Report)
	}
	_ = ok[int](f.t)(f.SaveReport(f.ctx(), to.ID, moved.ID, 2, f.root.ID, moved.Report))
	_, err = f.ReportByIDOrType(f.ctx(), from.ID, "letter")
	f.isKind(err, report.NotFound)

	f.must(f.DeleteReport(f.ctx(), to.ID, moved.ID))
	if gone := ok[*ReportRow](f.t)(f.DeletedReport(f.ctx(), to.ID, moved.ID)); gone.Name != "Dear" {
		f.t.Errorf("%+v", gone)
	}
	_, err = f.DeletedReport(f.ctx(), from.ID, moved.ID)
	f.isKind(err, report.NotFound)
}

func testFindingReports(f *fixture) {
	w := f.workspace("shop")
	for i, name := range []string{"Žito", "bills", "Ćilim", "Apples 100%"} {
		f.clock.Advance(time.Minute)
		_ = ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: name, Definition: &report.Report{Version: 1, Subreport: i == 1}}))
	}
	for want, q := range map[string]ReportQuery{
		"Žito Ćilim Apples 100%":       {},
		"Žito bills Ćilim Apples 100%": {Subreports: true},
		"bills":                        {Inner: true},
		"Apples 100% Ćilim Žito":       {Sort: ByName},
		"Apples 100% Ćilim Žito ":      {Sort: ByChanged},
		"Ćilim":                        {Search: " CILI"},
		"Apples 100%":                  {Search: "%"},
		"Ćilim Žito":                   {Sort: ByName, Offset: 1, Limit: 5},
		"Apples 100% Ćilim":            {Sort: ByName, Limit: 2},
		"":                             {Search: "none"},
		" ":                            {Sort: ByName, Offset: 9},
	} {
		var names []string
		for _, r := range ok[[]ReportRow](f.t)(f.Reports(f.ctx(), w.ID, q)) {
			names = append(names, r.Name)
		}
		if got := strings.Join(names, " "); got != strings.TrimSpace(want) {
			f.t.Errorf("%+v: %q; want %q", q, got, want)
		}
	}
}

func testNewConnectionsReplaceNone(f *fixture) {
	w := f.workspace("shop")
	f.must(f.CreateConnection(f.ctx(), w.ID, Connection{Name: "db", Type: "mysql", Address: "first"}))
	f.isKind(f.CreateConnection(f.ctx(), w.ID, Connection{Name: "db", Type: "mysql", Address: "second"}), report.Conflict)
	if got := ok[*Connection](f.t)(f.Connection(f.ctx(), w.ID, "db")); got.Address.Reveal() != "first" {
		f.t.Error(got.Address.Reveal())
	}
}

func TestCovers(t *testing.T) {
	weak, strong := &Role{Levels: map[Category]Level{Reports: Read}}, administrator()
	if !strong.Covers(weak) || weak.Covers(&strong) || !weak.Covers(&Role{}) || !weak.Covers(weak) {
		t.Error("covering is wrong")
	}
}
