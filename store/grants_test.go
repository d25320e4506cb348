package store

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
)

// grant is one of root with everything in its scope.
func (f *fixture) grant() Grant {
	return Grant{UserID: f.root.ID, Epoch: f.root.Epoch, Scope: Scope{
		Workspace: 3, Reports: []int{4, 5}, TempData: 6, Download: true, Exports: []int{7}, Params: report.ObjectOf("z", json.Number("1.50"), "a", []any{"x"}),
	}}
}

// objectsAsJSON compares values by what is written of them.
var objectsAsJSON = cmp.Transformer("JSON", func(o *report.Object) string { text, _ := json.Marshal(o); return string(text) })

// UserByToken is that of the store without the number.
func (f *fixture) UserByToken(ctx context.Context, token string) (*User, error) {
	u, _, err := f.Store.UserByToken(ctx, token)
	return u, err
}

// previewUser is the user of a preview cookie.
func (f *fixture) previewUser(cookie string) (*User, error) {
	found, err := f.PreviewSessions(f.ctx(), []string{cookie, "another"})
	if err != nil || len(found) == 0 {
		return nil, orNothing(err)
	}
	return found[0].User, nil
}

func orNothing(err error) error {
	if err == nil {
		err = report.NotFoundf("no session")
	}
	return err
}

// testGrantsEnd: a nonce that is not used, and a preview, end with the access
// token that they come from, and with the user's epoch.
func testGrantsEnd(f *fixture) {
	n := 0
	for name, c := range map[string]struct {
		expires time.Duration // of the token
		end     func(user, token int)
		lives   bool
	}{
		"nothing":             {lives: true, end: func(int, int) {}},
		"another token":       {lives: true, end: func(user, token int) { f.must(f.RevokeToken(f.ctx(), user, token-1)) }},
		"revoking the token":  {end: func(user, token int) { f.must(f.RevokeToken(f.ctx(), user, token)) }},
		"expiry of the token": {expires: 30 * time.Second, end: func(int, int) { f.clock.Advance(30 * time.Second) }},
		"a new password":      {end: func(user, _ int) { f.must(f.SetPassword(f.ctx(), user, "New-password-8")) }},
		"blocking the user":   {end: func(user, _ int) { f.must(f.SetActive(f.ctx(), user, false)) }},
		"blocked and back": {end: func(user, _ int) {
			f.must(f.SetActive(f.ctx(), user, false))
			f.must(f.SetActive(f.ctx(), user, true))
		}},
	} {
		n++
		u := ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: "user" + string(rune('a'+n)) + "@example.com"}))
		ok[string](f.t)(f.CreateToken(f.ctx(), u.ID, NewToken{Name: "other"}))
		var expires *time.Time
		if c.expires > 0 {
			expires = ptr(f.clock.Now().Add(c.expires))
		}
		token := ok[string](f.t)(f.CreateToken(f.ctx(), u.ID, NewToken{Name: "shop", Expires: expires}))
		_, id, err := f.Store.UserByToken(f.ctx(), token)
		f.must(err)
		g := Grant{UserID: u.ID, TokenID: id, Epoch: u.Epoch}
		nonce := ok[string](f.t)(f.CreateNonce(f.ctx(), g))
		cookie, _, err := f.CreatePreviewSession(f.ctx(), g)
		f.must(err)
		ok[*User](f.t)(f.previewUser(cookie))
		c.end(u.ID, id)
		_, err = f.previewUser(cookie)
		_, _, looked := f.LookAtNonce(f.ctx(), nonce)
		_, _, taken := f.TakeNonce(f.ctx(), nonce)
		for what, err := range map[string]error{"the preview": err, "a look at the nonce": looked, "the nonce": taken} {
			if (err == nil) != c.lives || err != nil && !IsNotFound(err) {
				f.t.Errorf("after %s, %s: %v", name, what, err)
			}
		}
	}
}

// testPreviewsOfBefore: a session of an earlier version knows no token, no epoch
// and no scope; the first who settles its scope does so for good.
func testPreviewsOfBefore(f *fixture) {
	_, err := f.db.exec(f.ctx(), "INSERT INTO preview_sessions (hash, user_id, expires_at) VALUES (?, ?, ?)", digest("old"), f.root.ID, f.clock.Now().Add(time.Hour).UnixMilli())
	f.must(err)
	found := ok[[]Preview](f.t)(f.PreviewSessions(f.ctx(), []string{"old"}))
	if len(found) != 1 || found[0].Scope.Settled {
		f.t.Fatalf("%+v", found)
	}
	for _, reports := range [][]int{{1}, {2}} {
		got := ok[Scope](f.t)(f.SettlePreview(f.ctx(), "old", Scope{Settled: true, Workspace: 1, Reports: reports}))
		if !got.Settled || len(got.Reports) != 1 || got.Reports[0] != 1 {
			f.t.Errorf("settled as %+v", got)
		}
	}
	_, err = f.SettlePreview(f.ctx(), "none", Scope{Settled: true})
	f.isKind(err, report.NotFound)
}

func TestNoncesOfBefore(t *testing.T) {
	t.Parallel()
	n, err := readNonce("12 1790000000000")
	if err != nil || n.UserID != 12 || n.Expires != 1790000000000 || n.TokenID != 0 || n.Scope.Settled {
		t.Errorf("%+v, %v", n, err)
	}
	if _, err := readNonce("twelve"); err == nil {
		t.Error("nonsense was read")
	}
}
