package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/live"
	"github.com/quire-reports/quire/store"
)

// ReportEvents tells how far reports are.
type ReportEvents interface {
	ReportNews(ctx context.Context, workspaceID, id int) (store.News, error)
	Presence(ctx context.Context, reportID int) ([]store.Present, error)
	BePresent(ctx context.Context, reportID int, p store.Present) error
	EndPresence(ctx context.Context, reportID, userID int, tab string) error
}

// reportEventRoutes tell browsers what happens to a report that they show.
func (u *UI) reportEventRoutes() []route {
	sees := access.In(designer, store.Reports, store.Read).OrOwn()
	edits := access.In(designer, store.Reports, store.Write).OrOwn()
	const one = "/api/ui/ws/{workspaceId}/reports/{report:[0-9]+}"
	return []route{
		{http.MethodGet, one + "/events", sees, answer.Error, u.reportEvents},
		{http.MethodPut, one + "/presence", edits, answer.Error, u.bePresent},
	}
}

func (u *UI) reportEvents(w http.ResponseWriter, r *http.Request) {
	definition, err := u.definition(r)
	if err == nil {
		caller := access.Of(r.Context())
		edits := caller.RequireReport(&definition.Row, store.Write) == nil
		err = u.whilePresent(r, definition.ID, func() error {
			return u.live.Serve(w, r, u.watchedReport(caller.Workspace.ID, definition.ID, edits))
		})
	}
	if err != nil {
		u.refuse(w, r, err)
	}
}

// reportKey is what a report is watched by: those who may change it hear who
// else does.
func reportKey(id int, edits bool) string {
	if edits {
		return "report " + itoa(id) + " edited"
	}
	return "report " + itoa(id)
}

// wakeReport has all hear at once of what happened to a report.
func (u *UI) wakeReport(id int) {
	u.live.Wake(reportKey(id, false))
	u.live.Wake(reportKey(id, true))
}

func (u *UI) watchedReport(workspace, id int, edits bool) live.Subject {
	watch := func() live.Source {
		return (&reportWatch{ui: u, workspace: workspace, report: id, edits: edits}).next
	}
	return live.Subject{Key: reportKey(id, edits), First: watch(), Source: watch}
}

// reportWatch asks for the state of a report again and again.
type reportWatch struct {
	ui        *UI
	workspace int
	report    int
	edits     bool
	last      []byte
}

// reportNews is how far a report is, and who is in it.
type reportNews struct {
	store.News
	People []present `json:"people,omitempty"`
}

// next is the state, when it is another one than the last time.
func (w *reportWatch) next(ctx context.Context) (live.Event, error) {
	var now reportNews
	var err error
	if now.News, err = w.ui.Store.ReportNews(ctx, w.workspace, w.report); err == nil && w.edits {
		now.People, err = w.ui.presence(ctx, w.report)
	}
	if err != nil {
		return live.Event{}, err
	}
	if !w.edits {
		now.By = "" // names of others are for those who may change it
	}
	data, err := json.Marshal(now)
	if err != nil || bytes.Equal(data, w.last) {
		return live.Event{}, err
	}
	w.last = data
	return live.Event{ID: fmt.Sprintf("%d.%d", now.Revision, now.Comments), Data: data}, nil
}
