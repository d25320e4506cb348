package ui

import (
	"encoding/csv"
	"net/http"
	"strconv"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// usageRoutes are what was made for all workspaces, for root users, and for one,
// for its administrators: as a page and as CSV.
func (u *UI) usageRoutes() []route {
	root, administrator := access.RootOnly(access.Session), access.In(access.Session, store.Configuration, store.Full)
	return []route{
		{http.MethodGet, "/usage", root, u.toSignIn, u.usagePage},
		{http.MethodGet, "/usage.csv", root, u.toSignIn, u.usageCSV},
		{http.MethodGet, "/ws/{workspaceId}/usage", administrator, u.toSignIn, u.usagePage},
		{http.MethodGet, "/ws/{workspaceId}/usage.csv", administrator, u.toSignIn, u.usageCSV},
	}
}

// mostUsage bounds what a page lists; the file has all.
const mostUsage = 500

// usageBody is the content of the page of usage.
type usageBody struct {
	Address, File string
	Whole         bool // of every workspace
	By            []choice
	From, To      string
	Rows          []usageRow
	Sum           store.Usage
	Cut           bool
}

type usageRow struct {
	store.Usage
	Link  string // of the usage of its workspace
	Share int    // of the most pages of a row, of 100
}

func (u *UI) usagePage(w http.ResponseWriter, r *http.Request) {
	rows, body, err := u.usage(r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	most := int64(1)
	for _, row := range rows {
		body.Sum.Documents, body.Sum.Pages, body.Sum.Bytes = body.Sum.Documents+row.Documents, body.Sum.Pages+row.Pages, body.Sum.Bytes+row.Bytes
		most = max(most, row.Pages)
	}
	if body.Cut = len(rows) > mostUsage; body.Cut {
		rows = rows[:mostUsage]
	}
	for _, row := range rows {
		body.Rows = append(body.Rows, usageRow{row, u.PathBase + "/ws/" + row.Code + "/usage", int(row.Pages * 100 / most)})
	}
	p := page{Title: u.t(r, "Usage"), Section: "usage", Body: body}
	if !body.Whole {
		p.Title, p.Section, p.Tab = u.t(r, "Usage of {0}", access.Of(r.Context()).Workspace.Name), "reports", tabUsage
	}
	u.show(w, r, http.StatusOK, "usage", p)
}

// mostUsageDays bounds what is listed by day: a row for each and each workspace.
const mostUsageDays = 400

// usage is what the form asks for: by day the last 31 of them, by month the last
// twelve, unless it says otherwise.
func (u *UI) usage(r *http.Request) ([]store.Usage, usageBody, error) {
	q := store.UsageQuery{ByMonth: queryText(r, "by") == "month", To: u.Clock().UTC()}
	q.From = q.To.AddDate(0, 0, -30)
	if q.ByMonth {
		q.From = time.Date(q.To.Year(), q.To.Month()-11, 1, 0, 0, 0, 0, time.UTC)
	}
	for _, end := range []struct {
		name string
		day  *time.Time
	}{{"from", &q.From}, {"to", &q.To}} {
		text := queryText(r, end.name)
		if text == "" {
			continue
		}
		day, err := time.Parse(time.DateOnly, text)
		if err != nil {
			return nil, usageBody{}, report.Problemf(end.name, "%q is no day; accepted: such as 2026-11-25", text)
		}
		*end.day = day
	}
	if !q.ByMonth && q.To.Sub(q.From) > mostUsageDays*24*time.Hour {
		return nil, usageBody{}, report.Problemf("from", "by day at most %d days are listed; choose months, or fewer days", mostUsageDays)
	}
	body := usageBody{Address: u.PathBase + "/usage", Whole: true, From: q.From.Format(time.DateOnly), To: q.To.Format(time.DateOnly)}
	if ws := access.Of(r.Context()).Workspace; ws != nil {
		q.WorkspaceID, body.Address, body.Whole = ws.ID, u.workspaceAddress(*ws)+"/usage", false
	}
	body.By = []choice{{"day", u.t(r, "Day"), !q.ByMonth}, {"month", u.t(r, "Month"), q.ByMonth}}
	body.File = body.Address + ".csv"
	if r.URL.RawQuery != "" {
		body.File += "?" + r.URL.Query().Encode()
	}
	rows, err := u.Store.Usage(r.Context(), q)
	return rows, body, err
}

// usageCSV is the same as a file for spreadsheets and bills.
func (u *UI) usageCSV(w http.ResponseWriter, r *http.Request) {
	rows, _, err := u.usage(r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="usage.csv"`)
	w.Header().Set("Cache-Control", "no-store")
	out := csv.NewWriter(w)
	_ = out.Write([]string{"period", "workspaceId", "workspaceCode", "workspace", "documents", "pages", "bytes"}) // fails with Flush
	for _, row := range rows {
		_ = out.Write([]string{row.Period, strconv.Itoa(row.WorkspaceID), row.Code, export.PlainCell(row.Workspace), strconv.FormatInt(row.Documents, 10), strconv.FormatInt(row.Pages, 10), strconv.FormatInt(row.Bytes, 10)})
	}
	out.Flush() // fails only when the client is gone
}
