package store

import (
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// testTokenReach: what a token reaches goes with its user, from the token and
// from the nonces and previews that come of it.
func testTokenReach(f *fixture) {
	acme, other := f.workspace("acme"), f.workspace("other")
	reach := Reach{WorkspaceID: acme.ID, Scopes: ScopeRead | ScopeJobs}
	token := ok[string](f.t)(f.CreateToken(f.ctx(), f.root.ID, NewToken{Name: "bound", Reach: reach}))
	u, id, err := f.Store.UserByToken(f.ctx(), token)
	f.must(err)
	g := Grant{UserID: u.ID, TokenID: id, Epoch: u.Epoch}
	_, taken, err := f.TakeNonce(f.ctx(), ok[string](f.t)(f.CreateNonce(f.ctx(), g)))
	f.must(err)
	cookie, _, err := f.CreatePreviewSession(f.ctx(), g)
	f.must(err)
	for what, u := range map[string]*User{"the token": u, "a nonce": taken, "a preview": ok[*User](f.t)(f.previewUser(cookie))} {
		if u.Reach != reach {
			f.t.Errorf("%s reaches %+v", what, u.Reach)
		}
		if all := ok[[]Workspace](f.t)(f.Workspaces(f.ctx(), u)); len(all) != 1 || all[0].ID != acme.ID {
			f.t.Errorf("%s sees %+v", what, all)
		}
		if all := ok[[]Workspace](f.t)(f.WorkspacesAllowing(f.ctx(), u, Reports, Read)); len(all) != 1 {
			f.t.Errorf("%s may write in %+v", what, all)
		}
		ok[*Access](f.t)(f.Enter(f.ctx(), u, "acme"))
		_, err := f.Enter(f.ctx(), u, "other")
		f.isKind(err, report.NotFound)
	}
	listed := ok[[]Token](f.t)(f.AllTokens(f.ctx(), "ROOT@"))
	if len(listed) != 1 || listed[0].Reach != reach || listed[0].Workspace != acme.Name || listed[0].Owner != f.root.Email {
		f.t.Errorf("listed as %+v", listed)
	}
	if found := ok[[]Token](f.t)(f.AllTokens(f.ctx(), "nobody")); len(found) != 0 {
		f.t.Errorf("found %+v", found)
	}
	_, err = f.CreateToken(f.ctx(), f.root.ID, NewToken{Name: "nowhere", Reach: Reach{WorkspaceID: 999}})
	f.isKind(err, report.NotFound)
	f.isKind(f.WithdrawToken(f.ctx(), 999), report.NotFound)
	elsewhere := ok[string](f.t)(f.CreateToken(f.ctx(), f.root.ID, NewToken{Name: "elsewhere", Reach: Reach{WorkspaceID: other.ID}, Expires: ptr(f.clock.Now().Add(time.Hour))}))
	f.must(f.WithdrawToken(f.ctx(), id))
	_, err = f.UserByToken(f.ctx(), token)
	f.isKind(err, report.NotFound)
	// A token ends with its workspace.
	f.must(f.DeleteWorkspace(f.ctx(), other.ID))
	_, err = f.UserByToken(f.ctx(), elsewhere)
	f.isKind(err, report.NotFound)
}

func TestScopesAreNamed(t *testing.T) {
	t.Parallel()
	for _, names := range [][]string{{}, {"read"}, {"export", "jobs"}, {"read", "export", "jobs"}} {
		scopes := ok[TokenScopes](t)(ReadScopes(names))
		if got := scopes.Names(); len(got) != len(names) || len(got) > 0 && got[0] != names[0] {
			t.Errorf("%v are read as %v", names, got)
		}
	}
	if _, err := ReadScopes([]string{"read", "write"}); err == nil {
		t.Error("an unknown scope was read")
	}
}

// testTokensOfTheAbsent: what is open for somebody whom their provider has not seen
// for long stops, on both databases, and goes on when it has.
func testTokensOfTheAbsent(f *fixture) {
	f.tokenIdle = 3 * 24 * time.Hour
	id := Identity{Issuer: "https://id.example.com", Subject: "absent", Email: "absent@example.com", EmailVerified: true}
	comes := func() *User { return ok[*User](f.t)(f.UserOf(f.ctx(), id, IdentityRules{Create: true})) }
	ana := comes()
	works := func(want bool) {
		f.t.Helper()
		token := ok[string](f.t)(f.CreateToken(f.ctx(), ana.ID, NewToken{Name: "script"}))
		u, tokenID, err := f.Store.UserByToken(f.ctx(), token)
		if (err == nil) != want {
			f.t.Errorf("a token works: %v; want %v", err, want)
		}
		if listed := ok[[]Token](f.t)(f.Tokens(f.ctx(), ana.ID)); listed[0].Stopped == want {
			f.t.Errorf("listed as %+v", listed[0])
		}
		g := Grant{UserID: ana.ID, Epoch: ana.Epoch}
		if u != nil {
			g.TokenID = tokenID
		}
		if _, _, err := f.TakeNonce(f.ctx(), ok[string](f.t)(f.CreateNonce(f.ctx(), g))); (err == nil) != want {
			f.t.Errorf("a nonce works: %v; want %v", err, want)
		}
		cookie, _, err := f.CreatePreviewSession(f.ctx(), g)
		f.must(err)
		if open := ok[[]Preview](f.t)(f.PreviewSessions(f.ctx(), []string{cookie})); (len(open) == 1) != want {
			f.t.Errorf("previews that are open: %d; want %v", len(open), want)
		}
	}
	f.clock.Advance(3 * 24 * time.Hour)
	works(true)
	f.clock.Advance(time.Second)
	works(false)
	// Who has come by another provider is no stranger.
	other := Identity{Issuer: "https://other.example.com", Subject: "absent", Email: "absent@example.com", EmailVerified: true}
	ok[*User](f.t)(f.UserOf(f.ctx(), other, IdentityRules{Link: true}))
	works(true)
	f.clock.Advance(3*24*time.Hour + time.Second)
	works(false)
	comes()
	works(true)
	// Nobody asks about people whom no provider knows.
	local := ok[string](f.t)(f.CreateToken(f.ctx(), f.root.ID, NewToken{Name: "local"}))
	f.clock.Advance(30 * 24 * time.Hour)
	ok[*User](f.t)(f.UserByToken(f.ctx(), local))
}
