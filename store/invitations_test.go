package store

import (
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

func testInvitations(f *fixture) {
	w := f.workspace("shop")
	by := f.enter(f.root, w)
	clerk := ok[*Role](f.t)(f.CreateRole(f.ctx(), w.ID, Role{Name: "Clerk", Levels: map[Category]Level{Reports: Read}}))
	_, _, err := f.Invite(f.ctx(), by, "zoe@example.com", clerk.ID)
	f.isKind(err, report.Invalid) // the installation has none
	f.invitations = 24 * time.Hour
	for _, email := range []string{"", "zoe", "Zoe <zoe@example.com>"} {
		_, _, err = f.Invite(f.ctx(), by, email, clerk.ID)
		f.isKind(err, report.Invalid)
	}
	_, _, err = f.Invite(f.ctx(), by, "ROOT@example.com", clerk.ID)
	f.isKind(err, report.Conflict)
	_, _, err = f.Invite(f.ctx(), by, "zoe@example.com", f.role(f.workspace("other"), "Viewer").ID)
	f.isKind(err, report.Invalid)
	one, first, err := f.Invite(f.ctx(), by, "zoe@example.com", clerk.ID)
	f.must(err)
	two, second, err := f.Invite(f.ctx(), by, "Zoe@example.com", f.role(w, "Viewer").ID)
	f.must(err)
	if one.ID != two.ID || first == second {
		f.t.Errorf("an address has two: %+v %+v", one, two)
	}
	_, _, err = f.InvitationOf(f.ctx(), first)
	f.isKind(err, report.NotFound)
	found, known, err := f.InvitationOf(f.ctx(), second)
	f.must(err)
	if known || found.RoleName != "Viewer" || found.By != "Root" || found.Expired {
		f.t.Errorf("%+v, known: %v", found, known)
	}
	// It ends with its role.
	_, gone, err := f.Invite(f.ctx(), by, "ben@example.com", clerk.ID)
	f.must(err)
	f.must(f.DeleteRole(f.ctx(), by, clerk.ID))
	_, _, err = f.TakeInvitation(f.ctx(), gone, "Ben", "lozinka-99")
	f.isKind(err, report.NotFound)
	// What has expired is shown for a month.
	f.clock.Advance(25 * time.Hour)
	_, _, err = f.TakeInvitation(f.ctx(), second, "Zoe", "lozinka-99")
	f.isKind(err, report.NotFound)
	for _, want := range []int{1, 0} {
		_ = ok[Swept](f.t)(f.Sweep(f.ctx()))
		if list := ok[[]Invitation](f.t)(f.Invitations(f.ctx(), w.ID)); len(list) != want || want == 1 && !list[0].Expired {
			f.t.Errorf("%+v", list)
		}
		f.clock.Advance(invitationShown)
	}
}

func TestLinksAreKeptAsHashes(t *testing.T) {
	f := sqliteFixture(t)
	f.invitations = time.Hour
	w := f.workspace("shop")
	_, token, err := f.Invite(f.ctx(), f.enter(f.root, w), "zoe@example.com", f.role(w, "Viewer").ID)
	f.must(err)
	var kept string
	f.must(f.db.get(f.ctx(), &kept, "SELECT hex(hash) || email FROM account_links"))
	if len(kept) != 64+len("zoe@example.com") || len(token) != 43 {
		t.Errorf("kept %s of %s", kept, token)
	}
	f.must(f.db.get(f.ctx(), &kept, "SELECT detail FROM audit_events WHERE action = 'invitation.made'"))
	if kept != `{"role":"Viewer"}` {
		t.Errorf("the audit log has %s", kept)
	}
}
