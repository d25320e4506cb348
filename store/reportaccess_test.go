package store

import (
	"fmt"
	"slices"
	"testing"

	"github.com/quire-reports/quire/report"
)

// testReportAccess holds every role and person against the rules of a report.
func testReportAccess(f *fixture) {
	w := f.sample()
	bare := ok[*Role](f.t)(f.CreateRole(f.ctx(), w.ID, Role{Name: "Bare"}))
	people := map[string]*Access{}
	for _, who := range []struct{ name, role string }{
		{"admin", "Administrator"}, {"author", "Author"}, {"editor", "Author"}, {"viewer", "Viewer"}, {"other", "Viewer"}, {"operator", "Operator"}, {"maker", "Bare"}, {"bare", "Bare"}, {"shared", "Bare"},
	} {
		people[who.name] = f.enter(f.member(w, who.name+"@example.com", who.role), w)
	}
	people["root"] = f.enter(ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: "boss@example.com", IsRoot: true, Password: "Root-password-1"})), w)
	made := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Pay", Owner: people["maker"].User.ID}))
	user := func(name string) int { return people[name].User.ID }
	may := func(name string) string {
		a := people[name]
		d := ok[*ReportDefinition](f.t)(f.ReportByIDOrType(f.ctx(), w.ID, fmt.Sprint(made.ID)))
		got := ""
		for _, step := range []struct {
			name string
			err  error
		}{{"see", a.RequireReport(&d.Row, Read)}, {"run", a.RequireRun(&d.Row)}, {"edit", a.RequireReport(&d.Row, Write)}, {"delete", a.RequireReport(&d.Row, Full)}, {"share", a.RequireSharing(&d.Row)}} {
			if step.err == nil {
				got += step.name + " "
			} else if step.name == "see" {
				f.isKind(step.err, report.NotFound)
			}
		}
		rows := ok[[]ReportRow](f.t)(f.Reports(f.ctx(), w.ID, ReportQuery{For: a}))
		if listed := slices.ContainsFunc(rows, func(r ReportRow) bool { return r.ID == made.ID }); listed != (got != "") {
			f.t.Errorf("%s may %q, and the list has it: %v", name, got, listed)
		}
		if (f.RequireRun(f.ctx(), w.ID, a.User.ID, fmt.Sprint(made.ID), false) == nil) != (a.RequireRun(&d.Row) == nil) {
			f.t.Errorf("%s may run it only sometimes", name)
		}
		return got
	}
	const everything = "see run edit delete share "
	for _, c := range []struct {
		name  string
		rules *ReportAccess
		want  map[string]string
	}{
		{"everybody", nil, map[string]string{"author": "see run edit ", "editor": "see run edit ", "viewer": "see run ", "other": "see run ", "operator": "see run "}},
		{"nobody", &ReportAccess{}, nil},
		{
			"some", &ReportAccess{
				Roles: map[int]Share{people["viewer"].Role.ID: ShareSee},
				Users: map[int]Share{user("operator"): ShareRun, user("editor"): ShareEdit, user("other"): ShareEdit, user("shared"): ShareRun},
			},
			// Who is named to edit needs a role that writes reports; who is named sees
			// it, whatever the role shows.
			map[string]string{"editor": "see run edit ", "viewer": "see ", "other": "see run ", "operator": "see run ", "shared": "see run "},
		},
		{"everybody again", nil, map[string]string{"author": "see run edit ", "editor": "see run edit ", "viewer": "see run ", "other": "see run ", "operator": "see run "}},
	} {
		f.must(f.SetReportAccess(f.ctx(), w.ID, made.ID, c.rules))
		for name := range people {
			want := c.want[name]
			if name == "root" || name == "admin" || name == "maker" {
				want = everything
			}
			if got := may(name); got != want {
				f.t.Errorf("%s: %s may %q; want %q", c.name, name, got, want)
			}
		}
	}

	// Rules name members and roles of the workspace, and go with them.
	stranger := ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: "stranger@example.com"}))
	f.isKind(f.SetReportAccess(f.ctx(), w.ID, made.ID, &ReportAccess{Users: map[int]Share{stranger.ID: ShareSee}}), report.Invalid)
	f.isKind(f.SetReportAccess(f.ctx(), w.ID, made.ID, &ReportAccess{Roles: map[int]Share{999_999: ShareSee}}), report.Invalid)
	f.isKind(f.SetReportAccess(f.ctx(), w.ID, 999_999, nil), report.NotFound)
	f.must(f.SetReportAccess(f.ctx(), w.ID, made.ID, &ReportAccess{Roles: map[int]Share{bare.ID: ShareRun}, Users: map[int]Share{user("viewer"): ShareEdit}}))

	// A copy is as closed as the original, and so is what is deleted.
	copied := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Copy", SharedAs: made.ID}))
	if a := copied.Row.Access; a == nil || a.Roles[bare.ID] != ShareRun || a.Users[user("viewer")] != ShareEdit {
		f.t.Errorf("the rules of a copy: %+v", a)
	}
	f.must(f.DeleteReport(f.ctx(), w.ID, copied.ID))
	if gone := ok[*ReportRow](f.t)(f.DeletedReport(f.ctx(), w.ID, copied.ID)); gone.Access == nil || people["author"].RequireReport(gone, Read) == nil {
		f.t.Errorf("a deleted report is %+v", gone)
	}

	// Moving takes members and roles of the same names along.
	to := f.workspace("elsewhere")
	bareThere := ok[*Role](f.t)(f.CreateRole(f.ctx(), to.ID, Role{Name: "BARE"}))
	moved := ok[*ReportDefinition](f.t)(f.MoveReport(f.ctx(), w.ID, made.ID, to.ID, user("admin")))
	if a := moved.Row.Access; a == nil || len(a.Users) != 0 || len(a.Roles) != 1 || a.Roles[bareThere.ID] != ShareRun {
		f.t.Errorf("the rules after moving: %+v", a)
	}
}

// Types do not tell of a default report that somebody may not see.
func testDefaultReportsOfTypes(f *fixture) {
	w := f.sample()
	viewer := f.enter(f.member(w, "viewer@example.com", "Viewer"), w)
	defaultOf := func(a *Access) *string {
		types := ok[[]ReportType](f.t)(f.ReportTypesFor(f.ctx(), a))
		return types[0].DefaultReportName
	}
	if name := defaultOf(viewer); name == nil || *name != "Invoice" {
		f.t.Fatalf("the default report is %v", name)
	}
	invoice := ok[*ReportDefinition](f.t)(f.ReportByIDOrType(f.ctx(), w.ID, "invoice"))
	f.must(f.SetReportAccess(f.ctx(), w.ID, invoice.ID, &ReportAccess{}))
	if name := defaultOf(viewer); name != nil {
		f.t.Errorf("a viewer is told of %q", *name)
	}
	admin := f.enter(f.member(w, "admin@example.com", "Administrator"), w)
	if name := defaultOf(admin); name == nil {
		f.t.Error("an administrator is not told of it")
	}
}

func TestSharesHaveNames(t *testing.T) {
	t.Parallel()
	for _, s := range Shares() {
		if got, err := ParseShare("", s.String()); err != nil || got != s {
			t.Errorf("%s is read as %v, %v", s, got, err)
		}
	}
	if _, err := ParseShare("rules[0].level", "none"); firstProblem(err) == nil || firstProblem(err).Path != "rules[0].level" {
		t.Error(err)
	}
}
