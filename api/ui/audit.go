package ui

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// auditRoutes are the pages of the audit log: of everything for root users, and
// of a workspace for its administrators.
func (u *UI) auditRoutes() []route {
	return []route{
		{http.MethodGet, "/audit", access.RootOnly(access.Session), u.toSignIn, u.auditPage},
		{http.MethodGet, "/ws/{workspaceId}/audit", access.In(access.Session, store.Configuration, store.Full), u.toSignIn, u.auditPage},
	}
}

// shownEvents is how many events a page lists.
const shownEvents = 100

// auditBody is the content of the page of the audit log.
type auditBody struct {
	Address           string
	Whole             bool // of every workspace
	Actions           []actionChoice
	Outcomes          []choice
	From, To, Search  string
	Filtered, Shifted bool // something is left out; the newest are
	Events            []auditRow
	Older             string
}

// actionChoice are the actions of a kind of thing, to choose from.
type actionChoice struct {
	Kind    choice
	Actions []choice
}

// auditRow is an event in words.
type auditRow struct {
	store.AuditEvent
	Who, What, OutcomeName, Kind string
	Details                      []auditDetail
}

type auditDetail struct{ Name, Value string }

// Bad tells whether it is marked.
func (r auditRow) Bad() bool { return r.Outcome != store.Done }

func (u *UI) auditPage(w http.ResponseWriter, r *http.Request) {
	q, body := u.auditQuery(r)
	rows, err := u.Store.AuditEvents(r.Context(), q)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	if len(rows) > shownEvents {
		rows = rows[:shownEvents]
		values := r.URL.Query()
		values.Set("before", strconv.FormatInt(rows[shownEvents-1].ID, 10))
		body.Older = body.Address + "?" + values.Encode()
	}
	for _, e := range rows {
		body.Events = append(body.Events, u.auditRow(r, e))
	}
	p := page{Title: u.t(r, "Audit log"), Section: "audit", Body: body}
	if !body.Whole {
		p.Title, p.Section, p.Tab = u.t(r, "Audit log of {0}", access.Of(r.Context()).Workspace.Name), "reports", tabAudit
	}
	u.show(w, r, http.StatusOK, "audit", p)
}

// auditQuery reads what the form asks for; what cannot be read asks for nothing.
func (u *UI) auditQuery(r *http.Request) (store.AuditQuery, auditBody) {
	q := store.AuditQuery{Action: queryText(r, "action"), Outcome: store.Outcome(queryText(r, "outcome")), Search: strings.TrimSpace(queryText(r, "q")), Limit: shownEvents + 1}
	q.Before, _ = strconv.ParseInt(queryText(r, "before"), 10, 64)
	q.From, _ = time.Parse(time.DateOnly, queryText(r, "from"))
	if day, err := time.Parse(time.DateOnly, queryText(r, "to")); err == nil {
		q.To = day.AddDate(0, 0, 1) // the whole day
	}
	body := auditBody{Address: u.PathBase + "/audit", Whole: true, Search: q.Search, Shifted: q.Before > 0}
	if ws := access.Of(r.Context()).Workspace; ws != nil {
		q.WorkspaceID, body.Address, body.Whole = ws.ID, u.workspaceAddress(*ws)+"/audit", false
	}
	if !q.From.IsZero() {
		body.From = q.From.Format(time.DateOnly)
	}
	if !q.To.IsZero() {
		body.To = q.To.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	body.Actions = u.actionChoices(r, q.Action)
	for _, o := range store.Outcomes() {
		body.Outcomes = append(body.Outcomes, choice{string(o), u.t(r, outcomeNames()[o]), o == q.Outcome})
	}
	body.Filtered = q.Action != "" || q.Outcome != "" || q.Search != "" || body.From != "" || body.To != ""
	return q, body
}

func (u *UI) actionChoices(r *http.Request, chosen string) []actionChoice {
	var list []actionChoice
	for _, a := range store.Actions() {
		kind, _, _ := strings.Cut(string(a.Action), ".")
		if n := len(list); n == 0 || list[n-1].Kind.Value != kind {
			list = append(list, actionChoice{Kind: choice{kind, u.t(r, actionKinds()[kind]), kind == chosen}})
		}
		last := &list[len(list)-1]
		last.Actions = append(last.Actions, choice{string(a.Action), u.t(r, a.Label), string(a.Action) == chosen})
	}
	return list
}

func (u *UI) auditRow(r *http.Request, e store.AuditEvent) auditRow {
	row := auditRow{AuditEvent: e, Who: e.Actor, What: string(e.Action), OutcomeName: u.t(r, outcomeNames()[e.Outcome]), Kind: u.t(r, actorNames()[e.ActorKind])}
	if row.Who == "" {
		row.Who, row.Kind = row.Kind, ""
	}
	actions := store.Actions()
	if i := slices.IndexFunc(actions, func(a store.ActionText) bool { return a.Action == e.Action }); i >= 0 {
		row.What = u.t(r, actions[i].Label)
	}
	detail := map[string]json.RawMessage{}
	_ = json.Unmarshal(e.Detail, &detail) // what is no object has no members
	names := make([]string, 0, len(detail))
	for name := range detail {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if text := strings.Trim(string(detail[name]), `"`); text != "null" && text != "" {
			row.Details = append(row.Details, auditDetail{name, text})
		}
	}
	for _, known := range []auditDetail{{"request", e.Request}, {"token", idText(e.TokenID)}, {e.TargetKind, e.TargetID}} {
		if known.Value != "" {
			row.Details = append(row.Details, known)
		}
	}
	return row
}

func idText(id *int) string {
	if id == nil {
		return ""
	}
	return strconv.Itoa(*id)
}

func outcomeNames() map[store.Outcome]string {
	return map[store.Outcome]string{store.Done: say("done"), store.Refused: say("refused"), store.Faulty: say("failed")}
}

func actorNames() map[store.ActorKind]string {
	return map[store.ActorKind]string{
		store.ByPerson: "", store.ByToken: say("access token"), store.ByPreview: say("embedded preview"), store.ByNobody: say("not signed in"),
		store.ByJob: say("queued work"), store.ByCommand: say("command line"), store.BySystem: say("the service"),
	}
}

// actionKinds are what actions are about, for people.
func actionKinds() map[string]string {
	return map[string]string{
		"session": say("Sign-ins"), "user": say("Accounts"), "token": say("Access tokens"), "nonce": say("Nonces"), "preview": say("Embedded previews"),
		"workspace": say("Workspaces"), "member": say("Members"), "role": say("Roles"), "connection": say("Connections"), "file": say("Files"),
		"report": say("Reports"), "library": say("Library"), "data": say("Temporary data"), "export": say("Exports"), "run": say("Runs of jobs"),
		"delivery": say("Deliveries"), "keys": say("Encryption keys"), "service": say("Service"),
	}
}
