package ui

import (
	"net/http"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// reportTypeRoutes are the addresses of report types. They look like those of
// the library's kinds.
func (u *UI) reportTypeRoutes() []route {
	const all = "/api/ui/ws/{workspaceId}/reportTypes"
	const one = all + "/{resource:[0-9]+}"
	read := access.In(designer, store.Configuration, store.Read)
	write := access.In(designer, store.Configuration, store.Full)
	return []route{
		{http.MethodGet, all, read, u.refuse, u.listReportTypes},
		{http.MethodPost, all, write, u.refuse, u.putReportType},
		{http.MethodPut, one, write, u.refuse, u.putReportType},
		{http.MethodDelete, one, write, u.refuse, u.deleteReportType},
		{http.MethodPost, one + "/restore", write, u.refuse, u.restoreReportType},
	}
}

func (u *UI) listReportTypes(w http.ResponseWriter, r *http.Request) {
	workspace := access.Of(r.Context()).Workspace.ID
	found, err := u.Store.ReportTypesFor(r.Context(), &access.Of(r.Context()).Access)
	var reports []store.ReportRow
	if err == nil {
		reports, err = u.Store.Reports(r.Context(), workspace, store.ReportQuery{})
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	codes := map[int]string{}
	for _, row := range reports {
		codes[row.ID] = row.Code
	}
	list := make([]resource, len(found))
	for i, t := range found {
		definition := report.ReportType{Name: t.Name, Code: t.Code, Description: t.Description}
		if t.DefaultReportID != nil {
			definition.DefaultReport = codes[*t.DefaultReportID]
		}
		list[i] = resource{t.ID, t.Revision, definition, []namedWarning{}}
	}
	w.Header().Set("Cache-Control", "no-store")
	answer.JSON(w, http.StatusOK, list)
}

// putReportType makes a report type, or changes the one of the address that was
// read at the revision of If-Match.
func (u *UI) putReportType(w http.ResponseWriter, r *http.Request) {
	var body report.ReportType
	err := u.readBody(r, &body)
	id, revision, status := resourceID(r), 0, http.StatusCreated
	if err == nil && id != 0 {
		status = http.StatusOK
		revision, err = ifMatch(r)
	}
	if err == nil {
		id, err = u.Store.PutReportType(r.Context(), access.Of(r.Context()).Workspace.ID, id, revision, body)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	u.wake(nameOfReportType(id))
	answer.JSON(w, status, resource{id, revision + 1, body, []namedWarning{}})
}

func (u *UI) restoreReportType(w http.ResponseWriter, r *http.Request) {
	if err := u.Store.RestoreReportType(r.Context(), access.Of(r.Context()).Workspace.ID, resourceID(r)); err != nil {
		u.refuse(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (u *UI) deleteReportType(w http.ResponseWriter, r *http.Request) {
	if err := u.Store.DeleteReportType(r.Context(), access.Of(r.Context()).Workspace.ID, resourceID(r)); err != nil {
		u.refuse(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// listedReport is a report as the designer chooses one.
type listedReport struct {
	ID        int    `json:"id"`
	Code      string `json:"code"`
	Name      string `json:"name"`
	Type      string `json:"type"`
	Subreport bool   `json:"subreport"`
}

// listReports lists the reports that the caller may see, those used inside
// others among them.
func (u *UI) listReports(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	rows, err := u.Store.Reports(r.Context(), caller.Workspace.ID, store.ReportQuery{For: &caller.Access, Subreports: true, Type: r.URL.Query().Get("type")})
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	list := make([]listedReport, len(rows))
	for i, row := range rows {
		list[i] = listedReport{row.ID, row.Code, row.Name, row.TypeCode, row.IsSubreport}
	}
	w.Header().Set("Cache-Control", "no-store")
	answer.JSON(w, http.StatusOK, list)
}
