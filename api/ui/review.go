package ui

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/rights"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// entryFilter is which entries of a run a page lists, as its address says.
type entryFilter struct {
	State, Search string
	Page          int
	After, Before int // position that the page begins behind, or ends in front of; 0: counted by the page
	Selected      int // the entry whose document is shown; 0: the first
}

func filterIn(r *http.Request) entryFilter {
	f := entryFilter{State: queryText(r, "state"), Search: queryText(r, "q"), Page: max(1, min(number(queryText(r, "page")), mostPages)), Selected: number(queryText(r, "entry"))}
	f.After, f.Before = number(queryText(r, "after")), number(queryText(r, "before"))
	if !slices.Contains(filterStates(), f.State) {
		f.State = ""
	}
	return f
}

// filterStates are the choices of the filter; errors are those that were
// rejected, too.
func filterStates() []string {
	return []string{"", "queued", "review", "delivering", "completed", "errors"}
}

// statesOf are the states of entries that a choice stands for.
func statesOf(choice string) []store.EntryState {
	switch choice {
	case "":
		return nil
	case "queued":
		return []store.EntryState{store.EntryQueued, store.EntryRendering}
	case "errors":
		return []store.EntryState{store.EntryError, store.EntryRejected}
	}
	return []store.EntryState{store.EntryState(choice)}
}

// mostPages bounds what an address may ask for.
const mostPages = 100_000_000

// query is the filter as an address has it, with the page and another entry.
func (f entryFilter) query(entry int) string {
	q := url.Values{}
	for name, value := range map[string]string{"state": f.State, "q": f.Search} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if f.Page > 1 {
		q.Set("page", itoa(f.Page))
	}
	for name, value := range map[string]int{"after": f.After, "before": f.Before, "entry": entry} {
		if value != 0 {
			q.Set(name, itoa(value))
		}
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

// at is the filter at another page, which begins behind a position or ends in
// front of one.
func (f entryFilter) at(page, after, before int) entryFilter {
	f.Page, f.After, f.Before = page, after, before
	return f
}

func (f entryFilter) find(run int) store.EntryQuery {
	q := store.EntryQuery{RunID: run, States: statesOf(f.State), Search: f.Search, Limit: shownEntries}
	passed := (f.Page - 1) * shownEntries
	switch {
	case f.After > 0 || f.Before > 0:
		q.After, q.Before = f.After, f.Before
	case f.State == "" && f.Search == "": // positions have no gaps
		q.After = passed
	default:
		q.Offset = passed
	}
	return q
}

// stateChoice is a choice of the filter for people.
type stateChoice struct {
	Value, Label string
	Selected     bool
}

func (u *UI) stateChoices(r *http.Request, chosen string) []stateChoice {
	labels := map[string]string{
		"": say("All"), "queued": say("Queued"), "review": say("In review"), "delivering": say("Being delivered"), "completed": say("Completed"), "errors": say("With errors"),
	}
	var choices []stateChoice
	for _, value := range filterStates() {
		choices = append(choices, stateChoice{value, u.t(r, labels[value]), value == chosen})
	}
	return choices
}

// settled sends the browser on after a decision about one entry: to the next
// that waits for one.
func (u *UI) settled(w http.ResponseWriter, r *http.Request, run *store.Run, e *store.JobEntry) {
	f, next := filterIn(r), e.ID
	for _, after := range []int{e.Position, 0} {
		found, err := u.Store.FindEntries(r.Context(), store.EntryQuery{RunID: run.ID, States: []store.EntryState{store.EntryReview}, Search: f.Search, After: after, Limit: 1})
		if err != nil {
			u.Error(w, r, err)
			return
		}
		if len(found) > 0 {
			next = found[0].ID
			break
		}
	}
	http.Redirect(w, r, u.runAddress(r)+f.query(next)+"#detail", http.StatusSeeOther)
}

// runAddress is where the run of the address is.
func (u *UI) runAddress(r *http.Request) string {
	return u.jobsAddress(access.Of(r.Context())) + "/" + pathVar(r, "job") + "/runs/" + pathVar(r, "run")
}

// confirmBody asks whether a decision about many entries is meant.
type confirmBody struct {
	Action, Back string
	Do           jobs.Decision
	Count        int
	Reason       string
	Current      bool // made anew with the job as it is now
	Hidden       []hiddenField
	Changed      bool // the number is another than it was when asked before
	confirmWords
}

// confirmWords are the words of a question, with {0} for a number.
type confirmWords struct{ Question, Means, Yes string }

// ofOne are the question and the answer about one entry; others are asked
// about by their number.
func ofOne(do jobs.Decision, w confirmWords) confirmWords {
	switch do {
	case jobs.Approved:
		w.Question, w.Yes = say("Approve the entry?"), say("Approve")
	case jobs.Rejected:
		w.Question, w.Yes = say("Reject the entry?"), say("Reject")
	case jobs.Regenerated:
		w.Question, w.Yes = say("Make the entry anew?"), say("Make anew")
	case jobs.Retried:
		w.Question = say("Send what failed of the entry once more?")
	case jobs.Resent:
		w.Question = say("Send what is uncertain of the entry again?")
	case jobs.Marked:
		w.Question = say("Mark what is uncertain of the entry as delivered?")
	}
	return w
}

// questionOf asks whether a decision is meant.
func questionOf(do jobs.Decision) confirmWords {
	return map[jobs.Decision]confirmWords{
		jobs.Approved:    {say("Approve {0} entries?"), say("They are delivered at once; that cannot be undone."), say("Approve {0} entries")},
		jobs.Rejected:    {say("Reject {0} entries?"), say("They are not delivered. They can be made anew later."), say("Reject {0} entries")},
		jobs.Regenerated: {say("Make {0} entries anew?"), say("Their documents are replaced by new ones, of the same data. Without a review they are delivered then; what was delivered already is not sent again."), say("Make {0} entries anew")},
		jobs.Retried:     {say("Send what failed of {0} entries once more?"), say("Their documents stay as they are, and what was delivered already is not sent again."), say("Try once more")},
		jobs.Resent:      {say("Send what is uncertain of {0} entries again?"), say("It may have arrived already: look at the destination first. What arrived would be there twice."), say("Send again")},
		jobs.Marked:      {say("Mark what is uncertain of {0} entries as delivered?"), say("Nothing is sent. Look at the destination first."), say("Mark as delivered")},
	}[do]
}

type hiddenField struct{ Name, Value string }

// mostChosen bounds the entries of a form.
const mostChosen = 1000

// decideMany makes one decision about the entries that are ticked, about all in
// review or about all with errors, once it is confirmed with their number.
func (u *UI) decideMany(w http.ResponseWriter, r *http.Request) {
	run, job, err := u.runOf(r)
	var sent url.Values
	if err == nil {
		sent, err = readForm(w, r)
	}
	var which store.EntryQuery
	do, current := jobs.Decision(sent.Get("do")), sent.Get("definition") == "current"
	if err == nil {
		which, err = chosenEntries(run.ID, do, sent)
	}
	if err == nil && current {
		err = rights.Judge{Store: u.Store}.Start(r.Context(), &access.Of(r.Context()).Access, job)
	}
	count := 0
	if err == nil {
		count, err = u.Store.CountEntries(r.Context(), which)
	}
	if err == nil && count == 0 {
		err = &report.Problem{Kind: report.Conflict, Message: "none of these entries waits for this decision; tick some, or choose all"}
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	confirmed, reason := sent.Get("confirmed"), sent.Get("reason")
	if confirmed != itoa(count) || do == jobs.Rejected && reason == "" {
		words := questionOf(do)
		if count == 1 {
			words = ofOne(do, words)
		}
		u.confirm(w, r, confirmBody{Do: do, Count: count, Reason: reason, Current: current, confirmWords: words, Changed: confirmed != "" && confirmed != itoa(count), Hidden: hiddenOf(sent, count)})
		return
	}
	if _, err := u.Jobs.DecideAll(r.Context(), run, which, jobs.Deciding{Do: do, Reason: reason, Current: current, By: access.Of(r.Context()).User.DisplayName}); err != nil {
		u.Error(w, r, err)
		return
	}
	f := filterIn(r)
	if len(which.IDs) == 1 {
		http.Redirect(w, r, u.runAddress(r)+f.query(which.IDs[0])+"#detail", http.StatusSeeOther)
		return
	}
	http.Redirect(w, r, u.runAddress(r)+f.query(0), http.StatusSeeOther)
}

func (u *UI) confirm(w http.ResponseWriter, r *http.Request, body confirmBody) {
	f := filterIn(r)
	body.Back = u.runAddress(r) + f.query(f.Selected)
	body.Action = u.runAddress(r) + "/review" + f.query(f.Selected)
	u.show(w, r, http.StatusOK, "confirm", page{Title: u.t(r, "Decide about entries"), Section: "reports", Tab: tabJobs, Body: body})
}

// hiddenOf is what a form has sent, to be sent again when it is confirmed.
func hiddenOf(sent url.Values, count int) []hiddenField {
	fields := []hiddenField{{"confirmed", strconv.Itoa(count)}}
	for _, name := range []string{"do", "scope", "entry", "delivery"} {
		for _, value := range sent[name] {
			fields = append(fields, hiddenField{name, value})
		}
	}
	return fields
}

// chosenEntries are those that a form is about.
func chosenEntries(run int, do jobs.Decision, sent url.Values) (store.EntryQuery, error) {
	q := do.On(store.EntryQuery{RunID: run, At: number(sent.Get("delivery"))})
	if q.States == nil {
		return q, report.Problemf("do", "%q is no decision; accepted: %v", do, jobs.Decisions())
	}
	switch sent.Get("scope") {
	case "all":
		return q, nil
	case "review", "errors":
		wanted := statesOf(sent.Get("scope"))
		if q.States = slices.DeleteFunc(q.States, func(s store.EntryState) bool { return !slices.Contains(wanted, s) }); len(q.States) == 0 {
			return q, &report.Problem{Kind: report.Conflict, Message: "entries with errors can only be made anew"}
		}
		return q, nil
	}
	for _, text := range sent["entry"] {
		if id := number(text); id != 0 {
			q.IDs = append(q.IDs, id)
		}
	}
	switch {
	case len(q.IDs) == 0:
		return q, &report.Problem{Kind: report.Conflict, Message: "none of these entries waits for this decision; tick some, or choose all"}
	case len(q.IDs) > mostChosen:
		return q, report.Problemf("entry", "at most %d entries are accepted at once; choose all instead", mostChosen)
	}
	return q, nil
}
