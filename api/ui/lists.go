package ui

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// How many the lists show.
const (
	homeWorkspaces = 6 // with their reports; others only by name
	homeReports    = 8 // of each workspace
	pageReports    = 24
)

// shelf is a workspace with some of its reports.
type shelf struct {
	Workspace    store.Workspace
	Address      string
	Reports      []reportCard
	Listed, More bool   // whether reports are listed, and whether there are more
	OwnOnly      bool   // the role shows only reports that the user made
	MayCreate    bool   // the role makes reports
	Previous     string // addresses of the pages around
	Next         string
	List         string // the query of the list, to come back to it
	Manage       bool   // whether reports have a menu
}

// reportCard is a report in a list.
type reportCard struct {
	store.ReportRow
	Preview, PDF       string // PDF only for users who may run the report
	Image              string // address of the report's picture, once there is one
	Edit               string // address of the designer, for users who may write the report
	Share              string // address of the access rules, for users who may change them
	Address            string // below which lie the actions of the list
	MayCopy, MayDelete bool
}

// home lists the workspaces of the user with the first reports of each.
func (u *UI) home(w http.ResponseWriter, r *http.Request) {
	user := access.Of(r.Context()).User
	workspaces, err := u.Store.Workspaces(r.Context(), user)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	shelves := make([]shelf, len(workspaces))
	for i, ws := range workspaces {
		shelves[i] = shelf{Workspace: ws, Address: u.workspaceAddress(ws)}
		if i < homeWorkspaces && err == nil {
			err = u.fill(r.Context(), user, &shelves[i])
		}
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	u.show(w, r, http.StatusOK, "home", page{Title: u.t(r, "Reports"), Section: "reports", Body: shelves, Notice: u.notice(r, map[string]string{"deleted": "The workspace was deleted."})})
}

// fill puts the first reports on a shelf of the home page.
func (u *UI) fill(ctx context.Context, user *store.User, s *shelf) error {
	entered, err := u.Store.Enter(ctx, user, s.Workspace.Code)
	if err != nil {
		return err
	}
	return u.put(ctx, entered, s, store.ReportQuery{}, homeReports)
}

// put puts the reports of a query on a shelf.
func (u *UI) put(ctx context.Context, entered *store.Access, s *shelf, q store.ReportQuery, limit int) error {
	q.For, q.Limit = entered, limit+1
	rows, err := u.Store.Reports(ctx, entered.Workspace.ID, q)
	if err != nil {
		return err
	}
	s.Listed, s.OwnOnly = true, entered.OwnReportsOnly()
	if s.More = len(rows) > limit; s.More {
		rows = rows[:limit]
	}
	s.MayCreate = entered.Require(store.Reports, store.Write) == nil
	for _, row := range rows {
		card := u.card(s.Address, row)
		if entered.RequireRun(&row) != nil {
			card.PDF = ""
		}
		if entered.RequireSharing(&row) == nil {
			card.Share = card.Address + "/access"
		}
		if entered.RequireReport(&row, store.Write) == nil {
			card.Edit = card.Address + "/design"
		}
		card.MayCopy, card.MayDelete = s.MayCreate && card.Edit != "", entered.RequireReport(&row, store.Full) == nil
		s.Reports = append(s.Reports, card)
	}
	return nil
}

func (u *UI) workspaceAddress(ws store.Workspace) string { return u.PathBase + "/ws/" + ws.Code }

func (u *UI) card(workspace string, row store.ReportRow) reportCard {
	address := workspace + "/reports/" + strconv.Itoa(row.ID)
	card := reportCard{ReportRow: row, Address: address, Preview: address + "/preview", PDF: address + "/pdf"}
	if row.PreviewImage != nil {
		card.Image = address + "/preview-image?v=" + url.QueryEscape(*row.PreviewImage)
	}
	return card
}

// previewImage is the picture that a report has been given.
func (u *UI) previewImage(w http.ResponseWriter, r *http.Request) {
	definition, err := u.definition(r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	content, err := u.Store.PreviewImage(r.Context(), access.Of(r.Context()).Workspace.ID, definition.ID)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	defer content.Close()
	h := w.Header()
	h.Set("Content-Type", content.ContentType)
	h.Set("Cache-Control", "private, max-age=86400")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox") // an SVG opened by itself runs nothing
	_, _ = io.Copy(w, content)
}

// definition is the report of the address, if the caller may read it.
func (u *UI) definition(r *http.Request) (*store.ReportDefinition, error) {
	ref := pathVar(r, "report")
	if !report.IsID(ref) && !report.IsCode(ref) {
		return nil, report.NotFoundf("report %q does not exist", ref)
	}
	caller := access.Of(r.Context())
	definition, err := u.Store.ReportByIDOrType(r.Context(), caller.Workspace.ID, ref)
	if err != nil {
		return nil, err
	}
	return definition, caller.RequireReport(&definition.Row, store.Read)
}
