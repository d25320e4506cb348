package api

import (
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// groupsSeen are those of $user when somebody who is signed in looks at a report.
func (h *house) groupsSeen(t *testing.T, session string) string {
	t.Helper()
	h.export.shown.User = report.Person{}
	h.check(t, scenario{path: previewPath, header: header("Cookie", session), status: 200})
	return strings.Join(h.export.shown.User.Groups, ", ")
}

// testToldGroups: whatever a provider speaks, reports know the groups that it
// named last, and those that somebody is in here.
func testToldGroups(t *testing.T, open opener) {
	// comesIn signs ana in as a member of groups; refused tries to.
	type coming struct {
		*house
		comesIn func(t *testing.T, groups ...string) (session string)
		refused func(t *testing.T, groups ...string)
	}
	for name, opened := range map[string]func(t *testing.T) coming{
		"OpenID Connect": func(t *testing.T) coming {
			c := openCompany(t, open)
			is := func(groups []string) { c.at.Is(person("1", "ana@company.example", groups...)) }
			return coming{
				c.house, func(t *testing.T, groups ...string) string { is(groups); return c.comesIn(t) },
				func(t *testing.T, groups ...string) {
					is(groups)
					if w := c.signIn(t); w.Code != 403 {
						t.Errorf("%v: %d", groups, w.Code)
					}
				},
			}
		},
		"SAML": func(t *testing.T) coming {
			c := openSAMLCompany(t, open)
			return coming{
				c.house, func(t *testing.T, groups ...string) string {
					return c.comesIn(t, samlPerson("1", "ana@company.example", groups...))
				},
				func(t *testing.T, groups ...string) {
					if w := c.signIn(t, samlPerson("1", "ana@company.example", groups...)); w.Code != 403 {
						t.Errorf("%v: %d", groups, w.Code)
					}
				},
			}
		},
		"LDAP": func(t *testing.T) coming {
			d := openDirectory(t, open)
			at := map[string]string{"staff": d.staff, "authors": d.authors, "it": d.it, "north": d.at.AddGroup("north"), "zulu": d.at.AddGroup("zulu"), "football": d.at.AddGroup("football")}
			in := []string{"staff"}
			is := func(groups []string) {
				for name, dn := range at {
					switch was, now := slices.Contains(in, name), slices.Contains(groups, name); {
					case now && !was:
						d.at.Join(dn, d.ana)
					case was && !now:
						d.at.Leave(dn, d.ana)
					}
				}
				in = groups
			}
			return coming{
				d.house, func(t *testing.T, groups ...string) string {
					is(groups)
					session, _ := d.comesIn(t, "ana", "correct horse")
					return session
				},
				func(t *testing.T, groups ...string) {
					is(groups)
					if w := d.enters(office, "ana", "correct horse"); w.Code != 403 {
						t.Errorf("%v: %d", groups, w.Code)
					}
				},
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := opened(t)
			sees := func(session, want string) {
				t.Helper()
				if got := strings.ToLower(h.groupsSeen(t, session)); got != want { // the directory calls it Staff
					t.Errorf("$user.groups is %q; want %q", got, want)
				}
			}
			first := h.comesIn(t, "staff", "north")
			sees(first, "north, staff")
			ana := must[*store.User](t)(h.store.UserByEmail(t.Context(), "ana@company.example"))
			h.check(t, scenario{path: "/users/" + itoa(ana.ID), header: header("Cookie", h.session("root")), status: 200, has: []string{"$user.groups: north, "}})

			// Groups here stand beside them, each name once.
			for _, name := range []string{"Board", "north"} {
				g := must[*store.Group](t)(h.store.CreateGroup(t.Context(), name))
				noError(t, h.store.AddToGroup(t.Context(), g.ID, ana.Email))
			}
			sees(first, "board, north, staff")
			h.tokens["ana"] = must[string](t)(h.store.CreateToken(t.Context(), ana.ID, store.NewToken{Name: "script"}))
			h.check(t, scenario{path: pdfPath, who: "ana", status: 200})
			if got := h.export.last.User.Groups; len(got) != 3 || got[0] != "Board" {
				t.Errorf("by a token $user.groups is %q", got)
			}
			if p := must[report.Person](t)(h.store.RunsAs(t.Context(), h.demo.ID, ana.Email)); len(p.Groups) != 3 {
				t.Errorf("in a job $user.groups is %q", p.Groups)
			}

			// The next sign-in replaces them, in sessions that go on as well.
			h.comesIn(t, "staff", "zulu")
			sees(first, "board, north, staff, zulu") // the north of here

			// Who is refused has none any more.
			h.refused(t, "football", "zulu")
			if told := must[[]string](t)(h.store.ToldGroupsOf(t.Context(), ana.ID)); len(told) != 0 {
				t.Errorf("told are %q still", told)
			}
			sees(h.comesIn(t, "staff"), "board, north, staff")
			noError(t, h.store.DeleteUser(t.Context(), ana.ID))
			if told := must[[]string](t)(h.store.ToldGroupsOf(t.Context(), ana.ID)); len(told) != 0 {
				t.Errorf("told of a deleted account are %q", told)
			}
			h.comesIn(t, "staff") // an account of its own: nothing of the former is left
			again := must[*store.User](t)(h.store.UserByEmail(t.Context(), "ana@company.example"))
			if p := must[report.Person](t)(h.store.PersonOf(t.Context(), again.ID)); again.ID == ana.ID || len(p.Groups) != 1 {
				t.Errorf("account %d (was %d) has the groups %q", again.ID, ana.ID, p.Groups)
			}
		})
	}
}
