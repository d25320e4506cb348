package ui

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/rights"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// reportRoutes are what the list does with a report.
func (u *UI) reportRoutes() []route {
	const get, post = http.MethodGet, http.MethodPost
	var (
		writes  = access.In(access.Session, store.Reports, store.Write)
		changes = writes.OrOwn()
		deletes = access.In(access.Session, store.Reports, store.Full).OrOwn()
	)
	const one = "/ws/{workspaceId}/reports/{report:[0-9]+}"
	return []route{
		{post, one + "/duplicate", writes, u.toSignIn, u.duplicateReport},
		{post, one + "/subreport", changes, u.toSignIn, u.convertReport(true)},
		{post, one + "/standalone", changes, u.toSignIn, u.convertReport(false)},
		{get, one + "/move", deletes, u.toSignIn, u.movePage},
		{post, one + "/move", deletes, u.toSignIn, u.moveReport},
		{post, one + "/delete", deletes, u.toSignIn, u.deleteFromList},
		{post, one + "/restore", deletes, u.toSignIn, u.restoreFromList},
	}
}

// backToList sends the browser back to the list as it was when a form was sent,
// with what was done to which report.
func (u *UI) backToList(w http.ResponseWriter, r *http.Request, what string, id int) {
	sent, _ := url.ParseQuery(r.PostFormValue("list")) // what cannot be read is left out
	query := readList(sent.Get).Encoded()
	if query != "" {
		query += "&"
	}
	if what == "deleted" {
		query += "deleted=" + strconv.Itoa(id)
	} else {
		query += "done=" + what + "&report=" + strconv.Itoa(id)
	}
	http.Redirect(w, r, u.workspaceAddress(*access.Of(r.Context()).Workspace)+"?"+query, http.StatusSeeOther)
}

// ofList is the report of a form of the list, if the caller may do this much.
func (u *UI) ofList(w http.ResponseWriter, r *http.Request, level store.Level) (*store.ReportDefinition, error) {
	if _, err := readForm(w, r); err != nil {
		return nil, err
	}
	return u.owned(r, level)
}

func (u *UI) duplicateReport(w http.ResponseWriter, r *http.Request) {
	original, err := u.ofList(w, r, store.Write) // a copy shows all of it
	caller := access.Of(r.Context())
	var made *store.ReportDefinition
	if err == nil {
		made, err = u.Store.CreateReport(r.Context(), caller.Workspace.ID, store.NewReport{
			Name: original.Row.Name + " (copy)", Type: original.Report.Type, Owner: caller.User.ID, Definition: original.Report, SharedAs: original.ID, Unfinished: original.Row.Unfinished,
		})
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	u.backToList(w, r, "copied", made.ID)
}

// convertReport makes a report one that is only used inside others, or back.
func (u *UI) convertReport(inner bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		definition, err := u.ofList(w, r, store.Write)
		caller := access.Of(r.Context())
		if err == nil && definition.Report.Subreport != inner {
			changed := *definition.Report
			changed.Subreport = inner
			_, err = u.Store.SaveReport(r.Context(), caller.Workspace.ID, definition.ID, definition.Row.Revision, caller.User.ID, &changed)
		}
		if err != nil {
			u.Error(w, r, err)
			return
		}
		what := "standalone"
		if inner {
			what = "subreport"
		}
		u.backToList(w, r, what, definition.ID)
	}
}

func (u *UI) deleteFromList(w http.ResponseWriter, r *http.Request) {
	definition, err := u.ofList(w, r, store.Full)
	if err == nil {
		err = u.Store.DeleteReport(r.Context(), access.Of(r.Context()).Workspace.ID, definition.ID)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	u.backToList(w, r, "deleted", definition.ID)
}

// restoreFromList undoes deleteFromList, for those who may delete.
func (u *UI) restoreFromList(w http.ResponseWriter, r *http.Request) {
	caller, id := access.Of(r.Context()), number(pathVar(r, "report"))
	_, err := readForm(w, r)
	var gone *store.ReportRow
	if err == nil {
		gone, err = u.Store.DeletedReport(r.Context(), caller.Workspace.ID, id)
	}
	if err == nil {
		err = caller.RequireReport(gone, store.Full)
	}
	if err == nil {
		_, err = u.Store.RestoreReport(r.Context(), caller.Workspace.ID, id)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	u.backToList(w, r, "restored", id)
}

// moveBody is the content of the page that moves a report.
type moveBody struct {
	Name, Address, Back string
	Places              []store.Workspace
	Fault               fault
}

func (u *UI) movePage(w http.ResponseWriter, r *http.Request) {
	u.showMove(w, r, http.StatusOK, fault{})
}

func (u *UI) showMove(w http.ResponseWriter, r *http.Request, status int, wrong fault) {
	definition, err := u.owned(r, store.Full)
	var places []store.Workspace
	if err == nil {
		places, err = u.otherPlaces(r)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	back := u.workspaceAddress(*access.Of(r.Context()).Workspace)
	address := back + "/reports/" + itoa(definition.ID) + "/move"
	u.show(w, r, status, "move", page{Title: u.t(r, "Move {0}", definition.Row.Name), Section: "reports", Tab: tabReports, Body: moveBody{definition.Row.Name, address, back, places, wrong}})
}

// otherPlaces are the workspaces that the caller may move a report to.
func (u *UI) otherPlaces(r *http.Request) ([]store.Workspace, error) {
	caller := access.Of(r.Context())
	all, err := u.Store.WorkspacesAllowing(r.Context(), caller.User, store.Reports, store.Write)
	places := []store.Workspace{}
	for _, ws := range all {
		if ws.ID != caller.Workspace.ID {
			places = append(places, ws)
		}
	}
	return places, err
}

func (u *UI) moveReport(w http.ResponseWriter, r *http.Request) {
	definition, err := u.ofList(w, r, store.Full)
	var places []store.Workspace
	if err == nil {
		places, err = u.otherPlaces(r)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	caller, target := access.Of(r.Context()), number(r.PostForm.Get("workspace"))
	address := ""
	err = report.Problemf("workspace", "choose a workspace where you may write reports")
	for _, ws := range places {
		if ws.ID == target {
			address = u.workspaceAddress(ws) + "?report=" + itoa(definition.ID) + "&done=moved"
			if err = u.judgeMove(r, ws, definition.Report); err != nil {
				break
			}
			_, err = u.Store.MoveReport(r.Context(), caller.Workspace.ID, definition.ID, ws.ID, caller.User.ID)
		}
	}
	u.finish(w, r, err, address, "", func(status int, wrong fault) { u.showMove(w, r, status, wrong) })
}

// judgeMove judges a report by the role of the caller where it goes to: there
// its names lead to other things.
func (u *UI) judgeMove(r *http.Request, to store.Workspace, definition *report.Report) error {
	there, err := u.Store.Enter(r.Context(), access.Of(r.Context()).User, to.Code)
	if err != nil {
		return err
	}
	return rights.Judge{Store: u.Store}.New(r.Context(), there, definition)
}
