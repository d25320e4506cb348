package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// talks are people of a workspace in front of one report.
type talks struct {
	*fixture
	workspace *Workspace
	report    int
	people    map[string]*Access
}

func (f *fixture) talks() *talks {
	w := f.sample()
	t := &talks{fixture: f, workspace: w, people: map[string]*Access{}}
	for who, role := range map[string]string{"ana": "Author", "ben": "Author", "vera": "Viewer", "chef": "Administrator"} {
		t.people[who] = f.enter(f.member(w, who+"@example.com", role), w)
	}
	t.report = ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Dues", Owner: t.people["ana"].User.ID})).ID
	return t
}

// of is the report in front of somebody.
func (t *talks) of(who string) Talk {
	d := ok[*ReportDefinition](t.t)(t.ReportByIDOrType(t.ctx(), t.workspace.ID, fmt.Sprint(t.report)))
	return Talk{By: t.people[who], Report: &d.Row}
}

// told is what is said, in one text.
func (t *talks) told() string {
	var b strings.Builder
	for _, thread := range ok[[]Thread](t.t)(t.Threads(t.ctx(), t.of("ana"))) {
		fmt.Fprintf(&b, "%s", thread.Element)
		if !thread.Resolved.IsZero() {
			fmt.Fprintf(&b, " (resolved by %s)", thread.ResolvedBy)
		}
		for _, c := range thread.Comments {
			fmt.Fprintf(&b, "; %s: %s", strings.SplitN(c.User, "@", 2)[0], c.Text)
			for _, m := range c.Mentions {
				fmt.Fprintf(&b, " [%s]", strings.SplitN(m.Name, "@", 2)[0])
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (t *talks) is(want string) {
	t.t.Helper()
	if got := t.told(); got != want {
		t.t.Errorf("it is said:\n%s\nwant:\n%s", got, want)
	}
}

// testComments follows a thread from its first comment to its end.
func testComments(f *fixture) {
	t := f.talks()
	vera := t.people["vera"].User
	said := ok[*Said](f.t)(f.StartThread(f.ctx(), t.of("ana"), "total", NewComment{Text: " The total is too low.\r\n@" + vera.DisplayName + "? ", Mentions: []int{vera.ID, vera.ID}}))
	if len(said.Told) != 1 || said.Told[0].Email != "vera@example.com" || said.Told[0].Edits {
		f.t.Errorf("told: %+v", said.Told)
	}
	thread := said.Thread.ID
	ok[*Said](f.t)(f.Reply(f.ctx(), t.of("vera"), thread, NewComment{Text: "Fees are missing."}))
	ok[*Said](f.t)(f.StartThread(f.ctx(), t.of("ben"), "", NewComment{Text: "A nice report"}))
	first := "total; ana: The total is too low.\n@" + vera.DisplayName + "? [vera]; vera: Fees are missing.\n"
	t.is(first + "; ben: A nice report\n")

	before := ok[News](f.t)(f.ReportNews(f.ctx(), t.workspace.ID, t.report))
	resolved := ok[*Thread](f.t)(f.ResolveThread(f.ctx(), t.of("ben"), thread, true))
	ok[*Thread](f.t)(f.ResolveThread(f.ctx(), t.of("vera"), thread, true)) // has happened already
	if got := ok[News](f.t)(f.ReportNews(f.ctx(), t.workspace.ID, t.report)); got.Comments != before.Comments+1 || got.Revision != before.Revision {
		f.t.Errorf("news: %+v after %+v", got, before)
	}
	if resolved.Resolved.IsZero() || !strings.HasPrefix(resolved.ResolvedBy, "ben") {
		f.t.Errorf("resolved: %+v", resolved)
	}
	ok[*Thread](f.t)(f.ResolveThread(f.ctx(), t.of("vera"), thread, false))

	// People change their own words, and are told of once.
	comment := said.Thread.Comments[0].ID
	_, err := f.EditComment(f.ctx(), t.of("chef"), comment, NewComment{Text: "No"})
	f.isKind(err, report.Forbidden)
	ben := t.people["ben"].User
	edited := ok[*Said](f.t)(f.EditComment(f.ctx(), t.of("ana"), comment, NewComment{Text: "@" + vera.DisplayName + " and @" + ben.DisplayName, Mentions: []int{vera.ID, ben.ID}}))
	if len(edited.Told) != 1 || edited.Told[0].UserID != ben.ID || edited.Thread.Comments[0].Edited.IsZero() {
		f.t.Errorf("edited: %+v", edited)
	}

	// Deleting is undone, by who may delete; the maker of the report may.
	other := edited.Thread.Comments[1].ID
	f.isKind(f.DeleteComment(f.ctx(), t.of("ben"), other), report.Forbidden)
	f.must(f.DeleteComment(f.ctx(), t.of("ana"), other))
	f.isKind(f.DeleteComment(f.ctx(), t.of("ana"), other), report.NotFound)
	f.must(f.DeleteComment(f.ctx(), t.of("ana"), comment))
	t.is("; ben: A nice report\n")
	_, err = f.Reply(f.ctx(), t.of("ben"), thread, NewComment{Text: "Where?"})
	f.isKind(err, report.NotFound)
	_, err = f.RestoreComment(f.ctx(), t.of("ben"), other)
	f.isKind(err, report.Forbidden)
	back := ok[*Thread](f.t)(f.RestoreComment(f.ctx(), t.of("vera"), other))
	if len(back.Comments) != 1 || back.Comments[0].Text != "Fees are missing." {
		f.t.Errorf("brought back: %+v", back)
	}
}

// testCommentsAreRefused has what cannot be said, and what belongs to another report.
func testCommentsAreRefused(f *fixture) {
	t := f.talks()
	stranger := ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: "stranger@example.com"}))
	vera := t.people["vera"].User
	for name, n := range map[string]NewComment{
		"nothing":             {Text: " \n "},
		"too much":            {Text: strings.Repeat("ä", mostComment+1)},
		"what no page shows":  {Text: "a\x00b"},
		"a stranger":          {Text: "@" + stranger.DisplayName, Mentions: []int{stranger.ID}},
		"who is not in it":    {Text: "Hello", Mentions: []int{vera.ID}},
		"who may not see it":  {Text: "@" + t.people["ben"].User.DisplayName, Mentions: []int{t.people["ben"].User.ID}},
		"who has left it all": {Text: "@gone", Mentions: []int{999_999}},
	} {
		f.must(f.SetReportAccess(f.ctx(), t.workspace.ID, t.report, &ReportAccess{Users: map[int]Share{vera.ID: ShareSee}}))
		_, err := f.StartThread(f.ctx(), t.of("ana"), "", n)
		if err == nil {
			f.t.Errorf("%s is said", name)
			continue
		}
		f.isKind(err, report.Invalid)
	}
	_, err := f.StartThread(f.ctx(), t.of("ana"), strings.Repeat("e", mostElement+1), NewComment{Text: "x"})
	f.isKind(err, report.Invalid)

	here := ok[*Said](f.t)(f.StartThread(f.ctx(), t.of("ana"), "", NewComment{Text: "Here"})).Thread
	other := t.of("ana")
	other.Report = &ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), t.workspace.ID, NewReport{Name: "Other"})).Row
	_, err = f.Reply(f.ctx(), other, here.ID, NewComment{Text: "There"})
	f.isKind(err, report.NotFound)
	_, err = f.ResolveThread(f.ctx(), other, here.ID, true)
	f.isKind(err, report.NotFound)
	_, err = f.EditComment(f.ctx(), other, here.Comments[0].ID, NewComment{Text: "There"})
	f.isKind(err, report.NotFound)
	f.isKind(f.DeleteComment(f.ctx(), other, here.Comments[0].ID), report.NotFound)
}

// testOnlookers has who may see a report, by whatever gives it to them.
func testOnlookers(f *fixture) {
	t := f.talks()
	group := ok[*Group](f.t)(f.CreateGroup(f.ctx(), "Audit"))
	grace := ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: "grace@example.com"}))
	f.must(f.AddToGroup(f.ctx(), group.ID, grace.Email))
	f.must(f.GiveGroup(f.ctx(), t.people["chef"], group.Name, t.people["vera"].Role.ID))
	names := func() (all []string) {
		for _, o := range ok[[]Onlooker](f.t)(f.Onlookers(f.ctx(), t.of("ana"))) {
			name := strings.SplitN(o.Email, "@", 2)[0]
			if o.Edits {
				name += " edits"
			}
			all = append(all, name)
		}
		slices.Sort(all)
		return all
	}
	is := func(want ...string) {
		f.t.Helper()
		if got := names(); !slices.Equal(got, want) {
			f.t.Errorf("%q see it; want %q", got, want)
		}
	}
	is("ana edits", "ben edits", "chef edits", "grace", "vera")
	f.must(f.SetReportAccess(f.ctx(), t.workspace.ID, t.report, &ReportAccess{Groups: map[int]Share{group.ID: ShareSee}, Users: map[int]Share{t.people["ben"].User.ID: ShareEdit}}))
	is("ana edits", "ben edits", "chef edits", "grace")
	f.must(f.SetActive(f.ctx(), grace.ID, false))
	is("ana edits", "ben edits", "chef edits")
	// A root user is nobody's colleague until they say something.
	root := t.of("ana")
	root.By = f.enter(f.root, t.workspace)
	ok[*Said](f.t)(f.StartThread(f.ctx(), root, "", NewComment{Text: "From the top"}))
	is("ana edits", "ben edits", "chef edits", "root edits")
}

// testDeletedCommentsGo has what was deleted long ago swept away, and the words of
// a deleted account stay.
func testDeletedCommentsGo(f *fixture) {
	t := f.talks()
	ben := t.people["ben"].User
	gone := ok[*Said](f.t)(f.StartThread(f.ctx(), t.of("ana"), "a", NewComment{Text: "Gone"})).Thread
	ok[*Said](f.t)(f.StartThread(f.ctx(), t.of("ben"), "b", NewComment{Text: "Stays"}))
	ok[*Said](f.t)(f.StartThread(f.ctx(), t.of("ana"), "c", NewComment{Text: "@" + ben.DisplayName, Mentions: []int{ben.ID}}))
	f.must(f.DeleteComment(f.ctx(), t.of("ana"), gone.Comments[0].ID))
	f.must(f.DeleteUser(f.ctx(), ben.ID))
	f.clock.Advance(keptDeleted + time.Hour)
	ok[Swept](f.t)(f.Sweep(f.ctx()))
	_, err := f.RestoreComment(f.ctx(), t.of("ana"), gone.Comments[0].ID)
	f.isKind(err, report.NotFound)
	t.is("b; ben: Stays\nc; ana: @" + ben.DisplayName + "\n")
	var left int
	f.must(f.db.get(f.ctx(), &left, "SELECT COUNT(*) FROM report_threads"))
	if left != 2 {
		f.t.Errorf("%d threads are left", left)
	}
}

// TestManyComments has no more than there may be.
func TestManyComments(t *testing.T) {
	t.Parallel()
	f := sqliteFixture(t)
	talks := f.talks()
	thread := ok[*Said](t)(f.StartThread(f.ctx(), talks.of("ana"), "", NewComment{Text: "First"})).Thread
	f.must(f.db.inTx(f.ctx(), func(tx tx) error {
		for range mostComments - 1 {
			if _, err := tx.exec(f.ctx(), "INSERT INTO report_comments (thread_id, text, created_at) VALUES (?, 'x', 0)", thread.ID); err != nil {
				return err
			}
		}
		return nil
	}))
	_, err := f.Reply(f.ctx(), talks.of("ana"), thread.ID, NewComment{Text: "One more"})
	f.isKind(err, report.Conflict)
}
