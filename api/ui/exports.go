package ui

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/live"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// ExportFiles is what the page of exports reads.
type ExportFiles interface {
	Exports(ctx context.Context, q store.ExportQuery) ([]store.ExportRow, error)
	Export(ctx context.Context, workspaceID, id int) (*store.ExportFile, error)
	OpenExport(ctx context.Context, f *store.ExportFile) (*store.Content, error)
}

// exportRoutes are the pages of exports. Everybody sees their own, users with
// Full on reports all.
func (u *UI) exportRoutes() []route {
	const get, post = http.MethodGet, http.MethodPost
	reads := access.In(access.Session, store.Reports, store.Read).OrOwn()
	const (
		all = "/ws/{workspaceId}/exports"
		one = all + "/{export:[0-9]+}"
	)
	return []route{
		{get, all, reads, u.toSignIn, u.exportsPage},
		{get, all + "/events", reads, u.Error, u.exportEvents},
		{get, one + "/file", reads, u.toSignIn, u.exportContent},
		{post, one + "/cancel", reads, u.toSignIn, u.cancelExport},
	}
}

// shownExports is how many exports a page lists.
const shownExports = 50

// exportsBody is the content of the page of exports.
type exportsBody struct {
	Address, Events, Script string
	Exports                 []exportRow
	All                     bool // those of everybody, not only one's own
	Previous, Next          string
	Room                    int
}

type exportRow struct {
	store.ExportRow
	Address   string
	Title     string
	StateName string
	May       bool // cancel it
	Took      *timingPanel
}

// Busy tells whether the file is still being made.
func (e exportRow) Busy() bool { return e.Status == store.ExportInProgress }

// Ready tells whether the file can be had.
func (e exportRow) Ready() bool { return e.Status == store.ExportCompleted }

// Failed tells whether there will be no file.
func (e exportRow) Failed() bool { return e.Status == store.ExportFailed }

// exportStates are the states of exports for people.
func exportStates() map[store.ExportStatus]string {
	return map[store.ExportStatus]string{
		store.ExportInProgress: say("being made"), store.ExportCompleted: say("completed"), store.ExportFailed: say("failed"),
	}
}

// exportsOf are the exports that the page lists for a caller: their own, and
// with Full on reports all that they may see.
func exportsOf(caller *access.Caller) store.ExportQuery {
	q := store.ExportQuery{WorkspaceID: caller.Workspace.ID, UserID: caller.User.ID}
	if caller.Require(store.Reports, store.Full) == nil {
		q.Others = caller.ExportsOfOthers()
	}
	return q
}

func (u *UI) exportsAddress(caller *access.Caller) string {
	return u.workspaceAddress(*caller.Workspace) + "/exports"
}

func (u *UI) exportsPage(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	q := exportsOf(caller)
	number, _ := strconv.Atoi(queryText(r, "page")) // anything else is the first
	number = min(max(number, 1), 100_000)
	q.Limit = shownExports + 1
	var here bool
	if q.Before, here = store.ParseExportPlace(queryText(r, "before")); !here {
		q.After, here = store.ParseExportPlace(queryText(r, "after"))
	}
	if !here {
		q.Offset = (number - 1) * shownExports
	}
	rows, err := u.Store.Exports(r.Context(), q)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	address := u.exportsAddress(caller)
	body := exportsBody{Address: address, Events: address + "/events", Script: u.Assets + "/live.js", All: len(q.Others) > 0, Room: shownExports}
	more := len(rows) > shownExports
	if backward := q.After != (store.ExportPlace{}); backward {
		rows, more = rows[max(0, len(rows)-shownExports):], true
	} else if more {
		rows = rows[:shownExports]
	}
	if number > 1 {
		body.Previous = address + "?page=" + itoa(number-1)
		if number > 2 && len(rows) > 0 {
			body.Previous += "&after=" + rows[0].Place().String()
		}
	}
	if more && len(rows) > 0 {
		body.Next = address + "?page=" + itoa(number+1) + "&before=" + rows[len(rows)-1].Place().String()
	}
	for _, row := range rows {
		body.Exports = append(body.Exports, exportRow{row, address + "/" + itoa(row.ID), u.exportTitle(r, row), u.t(r, exportStates()[row.Status]), caller.RequireExport(&row.ExportFile, store.Full) == nil, u.timingOf(u.language(r), row.Timing)})
	}
	u.show(w, r, http.StatusOK, "exports", page{
		Title: u.t(r, "Exports of {0}", caller.Workspace.Name), Section: "reports", Tab: tabExports, Live: true, Refresh: true, Body: body,
		Notice: u.notice(r, map[string]string{"cancelled": "The export was cancelled."}),
	})
}

// exportTitle is what was exported, for people.
func (u *UI) exportTitle(r *http.Request, row store.ExportRow) string {
	switch {
	case row.ReportName != "":
		return row.ReportName
	case row.Report == "":
		return u.t(r, "Review document")
	}
	return u.t(r, "A report that was deleted")
}

// exportEvents tells the browser that something in its list has changed.
func (u *UI) exportEvents(w http.ResponseWriter, r *http.Request) {
	err := u.stream(w, r, func(r *http.Request) (live.Subject, error) {
		q := exportsOf(access.Of(r.Context()))
		q.Limit = shownExports
		return live.Subject{
			Key:    fmt.Sprintf("exports %d %d %v", q.WorkspaceID, q.UserID, q.Others),
			First:  u.watchedExports(q),
			Source: func() live.Source { return u.watchedExports(q) },
		}, nil
	})
	if err != nil {
		u.Error(w, r, err)
	}
}

// watchedExports tells whenever the list is another than before.
func (u *UI) watchedExports(q store.ExportQuery) live.Source {
	last := ""
	return func(ctx context.Context) (live.Event, error) {
		rows, err := u.Store.Exports(ctx, q)
		if err != nil {
			return live.Event{}, err
		}
		sum := sha256.New()
		for _, row := range rows {
			fmt.Fprintf(sum, "%d %s\n", row.ID, row.Status)
		}
		now := hex.EncodeToString(sum.Sum(nil)[:8])
		if now == last {
			return live.Event{}, nil
		}
		last = now
		data, err := json.Marshal(map[string]string{"list": now})
		return live.Event{ID: now, Data: data}, err
	}
}

// exportFile is the export of the address, if the caller has a level on it.
func (u *UI) exportFile(r *http.Request, level store.Level) (*store.ExportFile, error) {
	caller := access.Of(r.Context())
	missing := report.NotFoundf("export %s does not exist or has expired", pathVar(r, "export"))
	id, err := strconv.ParseInt(pathVar(r, "export"), 10, 32)
	if err != nil {
		return nil, missing
	}
	f, err := u.Store.Export(r.Context(), caller.Workspace.ID, int(id))
	if err == nil {
		err = caller.RequireExport(f, level)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (u *UI) exportContent(w http.ResponseWriter, r *http.Request) {
	f, err := u.exportFile(r, store.Read)
	if err == nil && f.Status != store.ExportCompleted {
		err = &report.Problem{Kind: report.Conflict, Message: "the export is not ready"}
	}
	var content *store.Content
	if err == nil {
		content, err = u.Store.OpenExport(r.Context(), f)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	defer content.Close()
	u.Store.Note(r.Context(), f.Downloaded())
	w.Header().Set("Cache-Control", "no-store")
	_ = answer.File(w, r, answer.Download{Name: f.Name, ContentType: f.ContentType, Size: f.Size, Kept: true}, content) // fails only when the client is gone
}

func (u *UI) cancelExport(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	f, err := u.exportFile(r, store.Full)
	if err == nil {
		err = u.Jobs.CancelExport(r.Context(), caller.Workspace.ID, f.ID, caller.User.DisplayName)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	u.done(w, r, u.exportsAddress(caller), "cancelled")
}
