package store

import (
	"testing"

	"github.com/quire-reports/quire/report"
)

// testServiceAccounts: they act by tokens in their workspace, are nobody's
// account, and leave behind what they made.
func testServiceAccounts(f *fixture) {
	w, other := f.workspace("acme"), f.workspace("other")
	by := f.enter(f.member(w, "ana@example.com", "Administrator"), w)
	viewer, author := f.role(w, "Viewer"), f.role(w, "Author")
	id := ok[int](f.t)(f.CreateServiceAccount(f.ctx(), by, " Night run ", viewer.ID))
	_, err := f.CreateServiceAccount(f.ctx(), by, "NIGHT RUN", viewer.ID)
	f.isKind(err, report.Conflict)
	for _, name := range []string{"", "a\nb"} {
		_, err = f.CreateServiceAccount(f.ctx(), by, name, viewer.ID)
		f.isKind(err, report.Invalid)
	}
	ok[int](f.t)(f.CreateServiceAccount(f.ctx(), f.enter(f.root, other), "Night run", f.role(other, "Viewer").ID)) // names are the workspace's

	token := ok[string](f.t)(f.CreateServiceToken(f.ctx(), by, id, NewToken{Name: "ci", Reach: Reach{Scopes: ScopeExport}}))
	u := ok[*User](f.t)(f.UserByToken(f.ctx(), token))
	if u.DisplayName != "Night run" || u.Email != "Night run (service account)" || u.Reach != (Reach{WorkspaceID: w.ID, Scopes: ScopeExport}) {
		f.t.Errorf("%+v", u)
	}
	if a := ok[*Access](f.t)(f.Enter(f.ctx(), u, "acme")); a.Role.Name != "Viewer" {
		f.t.Errorf("the role is %s", a.Role.Name)
	}
	_, err = f.Enter(f.ctx(), u, "other")
	f.isKind(err, report.NotFound)
	listed := ok[[]ServiceAccount](f.t)(f.ServiceAccounts(f.ctx(), w.ID))
	if len(listed) != 1 || listed[0].Tokens != 1 || listed[0].LastUsed == nil || listed[0].RoleName != "Viewer" || !listed[0].IsActive {
		f.t.Errorf("%+v", listed)
	}

	// It is no person.
	_, _, key, err := serviceName(w.ID, "Night run")
	f.must(err)
	for _, address := range []string{key, u.Email, "service 1 night run"} {
		_, err = f.UserByEmail(f.ctx(), address)
		f.isKind(err, report.NotFound)
		_, err = f.SignIn(f.ctx(), address, "", false)
		f.isKind(err, report.NotFound)
		_, _, err = f.Invite(f.ctx(), by, address, viewer.ID)
		f.isKind(err, report.Invalid)
		if u, _, err := f.ForgottenPassword(f.ctx(), address); u != nil || err != nil {
			f.t.Errorf("%s gets a link: %v", address, err)
		}
	}
	f.isKind(f.SetPassword(f.ctx(), id, "New-password-8"), report.NotFound)
	f.isKind(f.SetActive(f.ctx(), id, false), report.NotFound)
	_, _, err = f.PasswordLink(f.ctx(), id)
	f.isKind(err, report.NotFound)
	_, err = f.AnyUser(f.ctx(), id)
	f.isKind(err, report.NotFound)
	f.isKind(f.DropMember(f.ctx(), by, id), report.NotFound)
	if all := ok[[]UserRow](f.t)(f.Users(f.ctx(), "night")); len(all) != 0 {
		f.t.Errorf("listed as %+v", all)
	}
	if got := f.members(w); got != "ana Administrator" {
		f.t.Errorf("members: %s", got)
	}

	f.must(f.ChangeServiceAccount(f.ctx(), by, id, "Day run", author.ID))
	if a := ok[*ServiceAccount](f.t)(f.ServiceAccount(f.ctx(), w.ID, id)); a.Name != "Day run" || a.RoleName != "Author" {
		f.t.Errorf("%+v", a)
	}
	made := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Made by a program", Owner: id}))
	for _, active := range []bool{false, true} {
		f.must(f.SetServiceActive(f.ctx(), by, id, active))
		if _, err = f.UserByToken(f.ctx(), token); (err == nil) != active {
			f.t.Errorf("active %v: %v", active, err)
		}
	}
	f.must(f.DeleteServiceAccount(f.ctx(), by, id))
	_, err = f.UserByToken(f.ctx(), token)
	f.isKind(err, report.NotFound)
	_, err = f.ServiceAccount(f.ctx(), w.ID, id)
	f.isKind(err, report.NotFound)
	_, err = f.CreateServiceToken(f.ctx(), by, id, NewToken{Name: "late"})
	f.isKind(err, report.NotFound)
	if left := ok[*ReportDefinition](f.t)(f.ReportByIDOrType(f.ctx(), w.ID, itoa(made.ID))); left.Row.OwnerID != id {
		f.t.Errorf("the report is of %d", left.Row.OwnerID)
	}
	ok[int](f.t)(f.CreateServiceAccount(f.ctx(), by, "Day run", viewer.ID)) // the name is free
	f.must(f.DeleteWorkspace(f.ctx(), w.ID))
}

// testNobodyRisesByAServiceAccount: who may less than its role has no part in it.
func testNobodyRisesByAServiceAccount(f *fixture) {
	w, other := f.workspace("acme"), f.workspace("other")
	admin := f.enter(f.root, w)
	clerk := ok[*Role](f.t)(f.CreateRole(f.ctx(), w.ID, Role{Name: "Clerk", Levels: map[Category]Level{Configuration: Full, Reports: Read}}))
	by := f.enter(f.member(w, "clerk@example.com", "Clerk"), w)
	strong := ok[int](f.t)(f.CreateServiceAccount(f.ctx(), admin, "strong", f.role(w, "Administrator").ID))
	weak := ok[int](f.t)(f.CreateServiceAccount(f.ctx(), by, "weak", clerk.ID))
	token := ok[string](f.t)(f.CreateServiceToken(f.ctx(), admin, strong, NewToken{Name: "ci"}))
	_, tokenID, err := f.Store.UserByToken(f.ctx(), token)
	f.must(err)
	_, made := f.CreateServiceAccount(f.ctx(), by, "stronger", f.role(w, "Administrator").ID)
	_, given := f.CreateServiceToken(f.ctx(), by, strong, NewToken{Name: "mine"})
	for what, err := range map[string]error{
		"making": made, "a token": given,
		"revoking": f.RevokeServiceToken(f.ctx(), by, strong, tokenID),
		"changing": f.ChangeServiceAccount(f.ctx(), by, strong, "x", clerk.ID),
		"raising":  f.ChangeServiceAccount(f.ctx(), by, weak, "weak", f.role(w, "Administrator").ID),
		"blocking": f.SetServiceActive(f.ctx(), by, strong, false),
		"deleting": f.DeleteServiceAccount(f.ctx(), by, strong),
	} {
		f.t.Log(what)
		f.isKind(err, report.Forbidden)
	}
	// Nor does who administers another workspace, or take a person for one.
	foreign := f.enter(f.root, other)
	f.isKind(f.DeleteServiceAccount(f.ctx(), foreign, strong), report.NotFound)
	f.isKind(f.SetServiceActive(f.ctx(), admin, by.User.ID, false), report.NotFound)
	_, err = f.CreateServiceToken(f.ctx(), admin, by.User.ID, NewToken{Name: "theirs"})
	f.isKind(err, report.NotFound)
	ok[*User](f.t)(f.UserByToken(f.ctx(), token))
}

func TestServiceNamesAreNoAddresses(t *testing.T) {
	t.Parallel()
	_, shown, key, err := serviceName(1, "root@example.com")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{shown, key} {
		if _, err := checkEmail(text); err == nil {
			t.Errorf("%q is an address", text)
		}
	}
}
