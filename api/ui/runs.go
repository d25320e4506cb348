package ui

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// runBody is the content of the page of a run.
type runBody struct {
	Job      *report.Job
	Run      *store.Run
	Status   *jobs.RunStatus
	Entries  []entryRow
	Selected *entryDetail  // the entry beside the list; nil without any
	Whole    []deliveryRow // deliveries of the run as a whole
	Failed   int           // entries with deliveries that failed
	Unsure   int           // entries with deliveries that are uncertain
	States   []stateChoice
	Search   string
	Found    int    // entries that the filter leaves
	From, To int    // of those, the ones on the page
	Done     int    // share of entries that are through, in percent
	Events   string // address of what happens next
	Script   string
	Room     int // how many entries a page has
	Address  string
	Query    string // of the address, with the entry
	Back     string
	Previous string // addresses of the entries around
	Next     string
	May      bool
	Took     *timingPanel
	Chosen   bool // whether an entry was chosen, and not just the first is shown
}

// Filtered tells whether not all entries are listed.
func (b runBody) Filtered() bool { return b.Found != b.Status.Entries }

// Decides tells whether there is something to decide about many entries.
func (b runBody) Decides() bool {
	return b.May && b.Status.Review+b.Status.Errors > 0 && b.Status.Entries > 0
}

// runPart is a part of the bar of a run: the entries in a state, behind those before.
type runPart struct {
	State   string
	From, N int
}

// Parts are all parts of the bar but what is queued, its ground.
func (b runBody) Parts() []runPart {
	parts := []runPart{{State: "completed", N: b.Status.Completed}, {State: "review", N: b.Status.Review}, {State: "errors", N: b.Status.Errors}, {State: "delivering", N: b.Status.Delivering}}
	for i := range parts[1:] {
		parts[i+1].From = parts[i].From + parts[i].N
	}
	return parts
}

// entryRow is an entry in the list.
type entryRow struct {
	store.FoundEntry
	Link      string
	StateName string
	Current   bool
}

// entryDetail is an entry with all that is known of it.
type entryDetail struct {
	store.JobEntry
	Address    string
	Query      string // to come back to the same list
	StateName  string
	Documents  []documentRow
	Deliveries []deliveryRow
}

type documentRow struct {
	store.JobDocument
	Address string
	PDF     bool
}

type deliveryRow struct {
	store.JobDeliveryRow
	StateName string
}

// stateNames are the states of entries and deliveries for people.
func stateNames() map[string]string {
	return map[string]string{
		string(store.EntryQueued): say("queued"), string(store.EntryRendering): say("being made"), string(store.EntryReview): say("in review"),
		string(store.EntryDelivering): say("being delivered"), string(store.EntryCompleted): say("completed"), string(store.EntryError): say("error"),
		string(store.EntryRejected): say("rejected"), string(store.DeliverySending): say("being sent"), string(store.DeliverySent): say("sent"),
		string(store.DeliveryCollected): say("goes with the delivery of the run"), string(store.DeliveryWaiting): say("to be tried once more"),
		string(store.DeliverySkipped): say("left out, as its condition says"), string(store.DeliveryFailed): say("failed"), string(store.DeliveryUncertain): say("perhaps sent; look at the destination"),
	}
}

// Waits tells whether the entry waits for approval.
func (e entryDetail) Waits() bool { return e.State == store.EntryReview }

func (u *UI) runPage(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	run, job, err := u.runOf(r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	begun := u.Clock() // before anything is read, so that no change is missed
	f := filterIn(r)
	body := runBody{Job: job, Run: run, Address: u.runAddress(r), Back: u.jobsAddress(caller) + "/" + pathVar(r, "job"), Room: shownEntries, Search: f.Search, States: u.stateChoices(r, f.State)}
	if body.Status, err = u.Jobs.Status(r.Context(), caller.Workspace.ID, pathVar(r, "job"), run.ID); err == nil {
		err = u.listEntries(r, &body, f)
	}
	if err == nil {
		err = u.selectEntry(r, &body, f)
	}
	if err == nil {
		body.Whole, err = u.wholeDeliveries(r, run)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	timed, err := u.Store.RunTimings(r.Context(), run.ID, mostTimed)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	body.Took = u.runTiming(u.language(r), body.Address, timed)
	if body.Failed, body.Unsure, err = u.unsettled(r, run, body.Status); err != nil {
		u.Error(w, r, err)
		return
	}
	body.May, body.Chosen = caller.Require(store.Jobs, store.Full) == nil, f.Selected != 0
	body.Done, body.Script = doneShare(body.Status), u.Assets+"/live.js"
	body.Events = body.Address + "/events?since=" + strconv.FormatInt(begun.UnixMilli(), 10)
	u.show(w, r, http.StatusOK, "run", page{Title: u.t(r, "Run of {0}", job.Name), Section: "reports", Tab: tabJobs, Live: true, Refresh: !body.Status.Finished, Body: body})
}

// unsettled counts the entries in errors with deliveries that failed, and with
// those that are uncertain.
func (u *UI) unsettled(r *http.Request, run *store.Run, status *jobs.RunStatus) (failed, unsure int, err error) {
	if status.Errors == 0 {
		return 0, 0, nil
	}
	if failed, err = u.Store.CountEntries(r.Context(), jobs.Retried.On(store.EntryQuery{RunID: run.ID})); err != nil {
		return 0, 0, err
	}
	unsure, err = u.Store.CountEntries(r.Context(), jobs.Resent.On(store.EntryQuery{RunID: run.ID}))
	return failed, unsure, err
}

// listEntries puts a page of entries into the list.
func (u *UI) listEntries(r *http.Request, body *runBody, f entryFilter) error {
	q := f.find(body.Run.ID)
	found, err := u.Store.FindEntries(r.Context(), q)
	if err != nil {
		return err
	}
	q.After, q.Before = 0, 0
	if body.Found, err = u.Store.CountEntries(r.Context(), q); err != nil {
		return err
	}
	names := stateNames()
	for _, e := range found {
		body.Entries = append(body.Entries, entryRow{FoundEntry: e, Link: body.Address + f.query(e.ID), StateName: u.t(r, names[string(e.State)])})
	}
	passed := (f.Page - 1) * shownEntries
	first, last := 0, 0
	if body.To = passed + len(found); len(found) > 0 {
		body.From, first, last = passed+1, found[0].Position, found[len(found)-1].Position
	}
	switch {
	case f.Page == 2:
		body.Previous = body.Address + f.at(1, 0, 0).query(0)
	case f.Page > 2:
		body.Previous = body.Address + f.at(f.Page-1, 0, first).query(0)
	}
	if body.To < body.Found && last > 0 {
		body.Next = body.Address + f.at(f.Page+1, last, 0).query(0)
	}
	return nil
}

// selectEntry shows the chosen entry beside the list, or else the first of it.
func (u *UI) selectEntry(r *http.Request, body *runBody, f entryFilter) error {
	id := f.Selected
	if id == 0 && len(body.Entries) > 0 {
		id = body.Entries[0].ID
	}
	body.Query = f.query(id)
	if id == 0 {
		return nil
	}
	for i := range body.Entries {
		body.Entries[i].Current = body.Entries[i].ID == id
	}
	e, err := u.Store.Entry(r.Context(), id)
	if err != nil || e.RunID != body.Run.ID {
		return report.NotFoundf("entry %d does not exist", id)
	}
	body.Selected, err = u.detailOf(r, body.Address, e)
	if err == nil {
		body.Selected.Query = body.Query
	}
	return err
}

func (u *UI) detailOf(r *http.Request, address string, e *store.JobEntry) (*entryDetail, error) {
	names := stateNames()
	d := &entryDetail{JobEntry: *e, Address: address + "/entries/" + itoa(e.ID), StateName: u.t(r, names[string(e.State)])}
	documents, err := u.Store.Documents(r.Context(), e.ID)
	if err != nil {
		return nil, err
	}
	for _, doc := range documents {
		// What is made anew has another key, and so another address.
		address := d.Address + "/documents/" + itoa(doc.Position) + "?v=" + fingerprint([]byte(doc.Key))
		d.Documents = append(d.Documents, documentRow{doc, address, isPDF(doc.ContentType)})
	}
	deliveries, err := u.Store.Deliveries(r.Context(), e.ID)
	for _, row := range deliveries {
		d.Deliveries = append(d.Deliveries, deliveryRow{row, u.t(r, names[string(row.State)])})
	}
	return d, err
}

// wholeDeliveries are what became of the deliveries of a run as a whole.
func (u *UI) wholeDeliveries(r *http.Request, run *store.Run) ([]deliveryRow, error) {
	found, err := u.Store.RunDeliveries(r.Context(), run.ID)
	names := stateNames()
	rows := make([]deliveryRow, len(found))
	for i, d := range found {
		name := names[string(d.State)]
		if d.State == store.DeliverySkipped {
			name = say("left out, as no entry goes with it")
		}
		rows[i] = deliveryRow{d, u.t(r, name)}
	}
	return rows, err
}

// Failed tells whether the delivery can be tried once more.
func (d deliveryRow) Failed() bool { return d.State == store.DeliveryFailed }

// Unsure tells whether somebody has to find out whether it arrived.
func (d deliveryRow) Unsure() bool { return d.State == store.DeliveryUncertain }

// wholeQuestion asks whether a decision about a delivery of a run is meant.
type wholeQuestion struct {
	Action          string
	Do              jobs.Decision
	Ask, Means, Yes string
}

// askWhole is the function ask of templates.
func askWhole(address string, position int, do jobs.Decision) wholeQuestion {
	q := map[jobs.Decision]wholeQuestion{
		jobs.Retried: {Ask: say("Try once more …"), Means: say("All documents that go with it are sent."), Yes: say("Try once more")},
		jobs.Resent:  {Ask: say("Send again …"), Means: say("It may have arrived already: look at the destination first. What arrived would be there twice."), Yes: say("Send again")},
		jobs.Marked:  {Ask: say("Mark as delivered …"), Means: say("Nothing is sent. Look at the destination first."), Yes: say("Mark as delivered")},
	}[do]
	q.Action, q.Do = address+"/deliveries/"+itoa(position)+"/retry", do
	return q
}

// decideDelivery does what was decided about a delivery of a run as a whole: it
// is tried once more unless the form says otherwise.
func (u *UI) decideDelivery(w http.ResponseWriter, r *http.Request) {
	run, _, err := u.runOf(r)
	var sent url.Values
	if err == nil {
		sent, err = readForm(w, r)
	}
	if err == nil {
		do := cmp.Or(jobs.Decision(sent.Get("do")), jobs.Retried)
		err = u.Jobs.DecideRunDelivery(r.Context(), run, number(pathVar(r, "delivery")), do, access.Of(r.Context()).User.DisplayName)
	}
	u.backToRun(w, r, err)
}
