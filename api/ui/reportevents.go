package ui

import (
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
}

// reportEventRoutes tell browsers what happens to a report that they show.
func (u *UI) reportEventRoutes() []route {
	sees := access.In(designer, store.Reports, store.Read).OrOwn()
	return []route{{http.MethodGet, "/api/ui/ws/{workspaceId}/reports/{report:[0-9]+}/events", sees, answer.Error, u.reportEvents}}
}

func (u *UI) reportEvents(w http.ResponseWriter, r *http.Request) {
	definition, err := u.definition(r)
	if err == nil {
		err = u.live.Serve(w, r, u.watchedReport(access.Of(r.Context()).Workspace.ID, definition.ID))
	}
	if err != nil {
		u.refuse(w, r, err)
	}
}

func reportKey(id int) string { return "report " + itoa(id) }

func (u *UI) watchedReport(workspace, id int) live.Subject {
	watch := func() live.Source { return (&reportWatch{ui: u, workspace: workspace, report: id}).next }
	return live.Subject{Key: reportKey(id), First: watch(), Source: watch}
}

// reportWatch asks for the state of a report again and again.
type reportWatch struct {
	ui        *UI
	workspace int
	report    int
	last      store.News
}

// next is the state, when it is another one than the last time.
func (w *reportWatch) next(ctx context.Context) (live.Event, error) {
	now, err := w.ui.Store.ReportNews(ctx, w.workspace, w.report)
	if err != nil || now == w.last {
		return live.Event{}, err
	}
	w.last = now
	data, err := json.Marshal(now)
	return live.Event{ID: fmt.Sprintf("%d.%d", now.Revision, now.Comments), Data: data}, err
}
