package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/live"
	"github.com/quire-reports/quire/store"
)

// openerRoutes tell lists who has open what they list.
func (u *UI) openerRoutes() []route {
	const workspace = "/api/ui/ws/{workspaceId}/"
	routes := []route{
		{http.MethodGet, workspace + "reports/open", access.In(designer, store.Reports, store.Read).OrOwn(), answer.Error, u.openers(u.openReports)},
		{http.MethodGet, workspace + "reportTypes/open", access.In(designer, store.Configuration, store.Read), answer.Error, u.openers(openOf(store.Configuration, "report types", u.Store.OpenReportTypes))},
	}
	for _, kind := range store.Kinds() {
		open := func(ctx context.Context, workspaceID int) (map[int][]store.Present, error) {
			return u.Store.OpenResources(ctx, workspaceID, kind)
		}
		routes = append(routes, route{http.MethodGet, workspace + string(kind) + "/open", access.In(designer, kind.Category(), store.Read), answer.Error, u.openers(openOf(kind.Category(), string(kind), open))})
	}
	return routes
}

// opened is what a list asks for: who has things open, as far as the caller is told.
// Those who hear the same have one key, and one question for all of them.
type opened struct {
	key  string
	open func(ctx context.Context) (map[int][]store.Present, error)
}

// nobody is what those hear who may change nothing in a list.
var nobody = opened{"open: nobody", func(context.Context) (map[int][]store.Present, error) { return nil, nil }}

// openReports are the reports that the list names in its address, of those that the
// caller may change: as in the designer, others are not told of.
func (u *UI) openReports(r *http.Request) (opened, error) {
	caller := access.Of(r.Context())
	ids := []int{}
	for _, id := range strings.SplitN(queryText(r, "of"), ",", pageReports+1) {
		if n := number(id); n > 0 && len(ids) < pageReports {
			ids = append(ids, n)
		}
	}
	rows, err := u.Store.Reports(r.Context(), caller.Workspace.ID, store.ReportQuery{For: &caller.Access, Subreports: true, IDs: ids})
	if err != nil {
		return nobody, err
	}
	theirs := map[int]bool{}
	for i := range rows {
		if caller.RequireReport(&rows[i], store.Write) == nil {
			theirs[rows[i].ID] = true
		}
	}
	if len(theirs) == 0 {
		return nobody, nil
	}
	workspace, key := caller.Workspace.ID, "open: reports of "+itoa(caller.Workspace.ID)
	for _, id := range slices.Sorted(maps.Keys(theirs)) {
		key += " " + itoa(id)
	}
	return opened{key, func(ctx context.Context) (map[int][]store.Present, error) {
		open, err := u.Store.OpenReports(ctx, workspace)
		maps.DeleteFunc(open, func(id int, _ []store.Present) bool { return !theirs[id] })
		return open, err
	}}, nil
}

// openOf are the definitions of a category, for users who may change them.
func openOf(category store.Category, name string, open func(ctx context.Context, workspaceID int) (map[int][]store.Present, error)) func(r *http.Request) (opened, error) {
	return func(r *http.Request) (opened, error) {
		caller := access.Of(r.Context())
		if caller.Require(category, store.Full) != nil {
			return nobody, nil
		}
		workspace := caller.Workspace.ID
		return opened{"open: " + name + " of " + itoa(workspace), func(ctx context.Context) (map[int][]store.Present, error) { return open(ctx, workspace) }}, nil
	}
}

func (u *UI) openers(find func(r *http.Request) (opened, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := u.stream(w, r, func(r *http.Request) (live.Subject, error) {
			o, err := find(r)
			watch := func() live.Source { return u.openSource(o) }
			return live.Subject{Key: o.key, First: watch(), Source: watch}, err
		})
		if err != nil {
			u.refuse(w, r, err)
		}
	}
}

// opener is a person who has something open.
type opener struct {
	UserID  int    `json:"userId"`
	Name    string `json:"name"`
	Picture string `json:"picture,omitempty"` // its address
}

// openSource tells who has what open, when that is another than the last time.
func (u *UI) openSource(o opened) live.Source {
	var last []byte
	return func(ctx context.Context) (live.Event, error) {
		open, err := o.open(ctx)
		if err != nil {
			return live.Event{}, err
		}
		told := make(map[int][]opener, len(open))
		for id, people := range open {
			for _, p := range people {
				told[id] = append(told[id], opener{p.UserID, p.Name, u.pictureAddress(p.Picture)})
			}
		}
		data, err := json.Marshal(told)
		if err != nil || bytes.Equal(data, last) {
			return live.Event{}, err
		}
		last = data
		return live.Event{Data: data}, nil
	}
}
