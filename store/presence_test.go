package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
)

// present is who has something open, in one text.
func (t *talks) present(o Opened) string {
	var all []string
	for _, p := range ok[[]Present](t.t)(t.Presence(t.ctx(), o)) {
		all = append(all, fmt.Sprintf("%s %s %v", p.Tab[:1], strings.SplitN(p.Name, "@", 2)[0], p.Selected))
	}
	return strings.Join(all, "; ")
}

// testPresence has people come, select and leave, in a report, a template and a report type.
func testPresence(f *fixture) {
	t := f.talks()
	template := ok[int](f.t)(f.CreateResource(f.ctx(), t.workspace.ID, TemplateKind, []byte(`{"name":"Letter","code":"letter","layouts":[{}]}`)))
	kind := ok[int](f.t)(f.PutReportType(f.ctx(), t.workspace.ID, 0, 0, report.ReportType{Name: "Envelopes", Code: "envelopes"}))
	for _, o := range []Opened{OpenReport(t.report), OpenResource(template), OpenReportType(kind)} {
		presenceIn(f, t, o)
	}
	listed := func(open map[int][]Present, err error) string {
		f.t.Helper()
		f.must(err)
		var all []string
		for _, id := range slices.Sorted(maps.Keys(open)) {
			for _, p := range open[id] {
				all = append(all, fmt.Sprintf("%d %s", id, strings.SplitN(p.Name, "@", 2)[0]))
			}
		}
		return strings.Join(all, "; ")
	}
	f.clock.Advance(PresenceLifetime)
	for i, tab := range []string{"one-page", "two-pages"} { // a person with two pages is there once
		for _, o := range []Opened{OpenReport(t.report), OpenResource(template), OpenReportType(kind)} {
			f.must(f.BePresent(f.ctx(), o, Present{Tab: tab, UserID: t.people["ben"].User.ID}))
			f.must(f.BePresent(f.ctx(), o, Present{Tab: fmt.Sprintf("ana-page-%d", i), UserID: t.people["ana"].User.ID}))
		}
	}
	want := func(id int) string { return fmt.Sprintf("%d ana; %[1]d ben", id) }
	lists := func(workspace int) [4]string {
		themes, err := f.OpenResources(f.ctx(), workspace, ThemeKind)
		return [4]string{listed(f.OpenReports(f.ctx(), workspace)), listed(f.OpenResources(f.ctx(), workspace, TemplateKind)), listed(f.OpenReportTypes(f.ctx(), workspace)), listed(themes, err)}
	}
	if got := lists(t.workspace.ID); got != [4]string{want(t.report), want(template), want(kind), ""} {
		f.t.Errorf("lists tell of %q", got)
	}
	if got := lists(t.workspace.ID + 1000); got != [4]string{} {
		f.t.Errorf("another workspace tells of %q", got)
	}
	f.clock.Advance(PresenceLifetime)
	if got := lists(t.workspace.ID); got != [4]string{} {
		f.t.Errorf("who is gone is told of: %q", got)
	}
}

func presenceIn(f *fixture, t *talks, o Opened) {
	be := func(tab, who string, selected ...string) {
		f.t.Helper()
		f.must(f.BePresent(f.ctx(), o, Present{Tab: tab, UserID: t.people[who].User.ID, Selected: selected}))
	}
	is := func(want string) {
		f.t.Helper()
		if got := t.present(o); got != want {
			f.t.Errorf("there are %q, want %q", got, want)
		}
	}
	is("")
	be("aaaaaaaa", "ana", "total")
	be("bbbbbbbb", "ben")
	is("a ana [total]; b ben []")
	be("aaaaaaaa", "ben", "mine") // the name of another's page
	be("aaaaaaaa", "ana", "title", "total")
	is("a ana [title total]; b ben []")
	f.must(f.EndPresence(f.ctx(), o, t.people["ben"].User.ID, "aaaaaaaa"))
	is("a ana [title total]; b ben []")
	f.must(f.EndPresence(f.ctx(), o, t.people["ben"].User.ID, "bbbbbbbb"))
	is("a ana [title total]")

	// Who is not heard of is gone.
	f.clock.Advance(PresenceLifetime - time.Second)
	be("cccccccc", "ben")
	f.clock.Advance(2 * time.Second)
	is("c ben []")

	for name, p := range map[string]Present{
		"no page":          {},
		"a strange page":   {Tab: "aaaa/../aaaa"},
		"too much":         {Tab: "aaaaaaaa", Selected: slices.Repeat([]string{"x"}, mostSelected+1)},
		"a very long name": {Tab: "aaaaaaaa", Selected: []string{strings.Repeat("x", mostElement+1)}},
	} {
		p.UserID = t.people["ana"].User.ID
		if problem := firstProblem(f.BePresent(f.ctx(), o, p)); problem == nil || problem.Kind != report.Invalid {
			f.t.Errorf("%s: %v", name, problem)
		}
	}
	for i := range mostPages {
		be(fmt.Sprintf("page-%04d", i), "ana")
	}
	f.isKind(f.BePresent(f.ctx(), o, Present{Tab: "page-more", UserID: t.people["ana"].User.ID}), report.Busy)
	be("page-0000", "ana", "still")
}
