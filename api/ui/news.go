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

// News tells how far reports and definitions of the library are, and who has them open.
type News interface {
	ReportNews(ctx context.Context, workspaceID, id int) (store.News, error)
	ResourceNews(ctx context.Context, workspaceID int, kind store.Kind, id int) (store.News, error)
	ReportTypeNews(ctx context.Context, workspaceID, id int) (store.News, error)
	OpenReports(ctx context.Context, workspaceID int) (map[int][]store.Present, error)
	OpenReportTypes(ctx context.Context, workspaceID int) (map[int][]store.Present, error)
	OpenResources(ctx context.Context, workspaceID int, kind store.Kind) (map[int][]store.Present, error)
	Presence(ctx context.Context, o store.Opened) ([]store.Present, error)
	BePresent(ctx context.Context, o store.Opened, p store.Present) error
	EndPresence(ctx context.Context, o store.Opened, userID int, tab string) error
}

// newsRoutes tell browsers what happens to what they show.
func (u *UI) newsRoutes() []route {
	sees := access.In(designer, store.Reports, store.Read).OrOwn()
	edits := access.In(designer, store.Reports, store.Write).OrOwn()
	const report = "/api/ui/ws/{workspaceId}/reports/{report:[0-9]+}"
	routes := []route{
		{http.MethodGet, report + "/events", sees, answer.Error, u.events(u.followedReport)},
		{http.MethodPut, report + "/presence", edits, answer.Error, u.bePresent(u.followedReport)},
	}
	defined := func(name string, category store.Category, find follow) {
		one := "/api/ui/ws/{workspaceId}/" + name + "/{resource:[0-9]+}"
		routes = append(routes,
			route{http.MethodGet, one + "/events", access.In(designer, category, store.Read), answer.Error, u.events(find)},
			route{http.MethodPut, one + "/presence", access.In(designer, category, store.Full), answer.Error, u.bePresent(find)},
		)
	}
	for _, kind := range store.Kinds() {
		defined(string(kind), kind.Category(), u.followedResource(kind))
	}
	defined("reportTypes", store.Configuration, u.followedReportType)
	return routes
}

// followed is what a browser follows: a report, or a definition of the library.
type followed struct {
	name   string // the same for all who follow it
	opened store.Opened
	refuse error // why the caller may not change it
	news   func(ctx context.Context) (store.News, error)
}

// edits tells whether the caller may change it.
func (f *followed) edits() bool { return f.refuse == nil }

// follow finds what the address names, if the caller may see it.
type follow func(r *http.Request) (*followed, error)

func (u *UI) followedReport(r *http.Request) (*followed, error) {
	definition, err := u.definition(r)
	if err != nil {
		return nil, err
	}
	caller, id := access.Of(r.Context()), definition.ID
	workspace := caller.Workspace.ID
	return &followed{
		name: nameOfReport(id), opened: store.OpenReport(id), refuse: caller.RequireReport(&definition.Row, store.Write),
		news: func(ctx context.Context) (store.News, error) { return u.Store.ReportNews(ctx, workspace, id) },
	}, nil
}

func (u *UI) followedResource(kind store.Kind) follow {
	return func(r *http.Request) (*followed, error) {
		caller, id := access.Of(r.Context()), resourceID(r)
		workspace := caller.Workspace.ID
		f := &followed{
			name: nameOfResource(kind, id), opened: store.OpenResource(id), refuse: caller.Require(kind.Category(), store.Full),
			news: func(ctx context.Context) (store.News, error) { return u.Store.ResourceNews(ctx, workspace, kind, id) },
		}
		_, err := f.news(r.Context()) // it is there, and of this workspace
		return f, err
	}
}

func (u *UI) followedReportType(r *http.Request) (*followed, error) {
	caller, id := access.Of(r.Context()), resourceID(r)
	workspace := caller.Workspace.ID
	f := &followed{
		name: nameOfReportType(id), opened: store.OpenReportType(id), refuse: caller.Require(store.Configuration, store.Full),
		news: func(ctx context.Context) (store.News, error) { return u.Store.ReportTypeNews(ctx, workspace, id) },
	}
	_, err := f.news(r.Context())
	return f, err
}

func nameOfReport(id int) string     { return "report " + itoa(id) }
func nameOfReportType(id int) string { return "report type " + itoa(id) }
func nameOfResource(kind store.Kind, id int) string {
	return "library " + string(kind) + " " + itoa(id)
}

func (u *UI) events(find follow) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f, err := find(r)
		if err == nil {
			err = u.whilePresent(r, f, func() error { return u.stream(w, r, u.watched(find)) })
		}
		if err != nil {
			u.refuse(w, r, err)
		}
	}
}

// newsKey is what something is watched by: those who may change it hear who
// else does.
func newsKey(name string, edits bool) string {
	if edits {
		return name + " edited"
	}
	return name
}

// wake has all hear at once of what happened to something.
func (u *UI) wake(name string) {
	u.live.Wake(newsKey(name, false))
	u.live.Wake(newsKey(name, true))
}

func (u *UI) watched(find follow) func(*http.Request) (live.Subject, error) {
	return func(r *http.Request) (live.Subject, error) {
		f, err := find(r)
		if err != nil {
			return live.Subject{}, err
		}
		watch := func() live.Source { return (&newsWatch{ui: u, followed: f}).next }
		return live.Subject{Key: newsKey(f.name, f.edits()), First: watch(), Source: watch}, nil
	}
}

// newsWatch asks for the state of something again and again.
type newsWatch struct {
	ui *UI
	*followed
	last []byte
}

// told is how far something is, and who is in it.
type told struct {
	store.News
	People []present `json:"people,omitempty"`
}

// next is the state, when it is another one than the last time.
func (w *newsWatch) next(ctx context.Context) (live.Event, error) {
	var now told
	var err error
	if now.News, err = w.news(ctx); err == nil && w.edits() {
		now.People, err = w.ui.presence(ctx, w.opened)
	}
	if err != nil {
		return live.Event{}, err
	}
	if !w.edits() {
		now.By = "" // names of others are for those who may change it
	}
	data, err := json.Marshal(now)
	if err != nil || bytes.Equal(data, w.last) {
		return live.Event{}, err
	}
	w.last = data
	return live.Event{ID: fmt.Sprintf("%d.%d", now.Revision, now.Comments), Data: data}, nil
}
