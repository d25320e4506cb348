package ui

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// resource is a definition of the library as the designer reads it.
type resource struct {
	ID         int `json:"id"`
	Revision   int `json:"revision"`
	Definition any `json:"definition"`
}

// libraryRoutes are the addresses of each kind of definition.
func (u *UI) libraryRoutes() []route {
	var routes []route
	for _, kind := range store.Kinds() {
		all := "/api/ui/ws/{workspaceId}/" + string(kind)
		one := all + "/{resource:[0-9]+}"
		read := access.In(designer, kind.Category(), store.Read)
		write := access.In(designer, kind.Category(), store.Full)
		routes = append(routes,
			route{http.MethodGet, all, read, answer.Error, u.listResources(kind)},
			route{http.MethodPost, all, write, answer.Error, u.createResource(kind)},
			route{http.MethodPut, all + "/order", write, answer.Error, u.orderResources(kind)},
			route{http.MethodPut, one, write, answer.Error, u.saveResource(kind)},
			route{http.MethodDelete, one, write, answer.Error, u.deleteResource(kind)},
		)
	}
	return routes
}

func (u *UI) listResources(kind store.Kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		found, err := u.Store.Resources(r.Context(), access.Of(r.Context()).Workspace.ID, kind)
		if err != nil {
			answer.Error(w, r, err)
			return
		}
		list := make([]resource, len(found))
		for i, f := range found {
			list[i] = resource(f)
		}
		w.Header().Set("Cache-Control", "no-store")
		answer.JSON(w, http.StatusOK, list)
	}
}

func (u *UI) createResource(kind store.Kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		text, err := u.readText(r)
		var id int
		if err == nil {
			id, err = u.Store.CreateResource(r.Context(), access.Of(r.Context()).Workspace.ID, kind, text)
		}
		if err != nil {
			answer.Error(w, r, err)
			return
		}
		w.Header().Set("ETag", etag(1))
		answer.JSON(w, http.StatusCreated, map[string]int{"id": id, "revision": 1})
	}
}

// saveResource writes a definition that was read at the revision of If-Match.
func (u *UI) saveResource(kind store.Kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		revision, err := ifMatch(r)
		var text []byte
		if err == nil {
			text, err = u.readText(r)
		}
		if err == nil {
			revision, err = u.Store.SaveResource(r.Context(), access.Of(r.Context()).Workspace.ID, kind, resourceID(r), revision, text)
		}
		if err != nil {
			answer.Error(w, r, err)
			return
		}
		w.Header().Set("ETag", etag(revision))
		answer.JSON(w, http.StatusOK, map[string]int{"revision": revision})
	}
}

func (u *UI) deleteResource(kind store.Kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := u.Store.DeleteResource(r.Context(), access.Of(r.Context()).Workspace.ID, kind, resourceID(r)); err != nil {
			answer.Error(w, r, err)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

// orderResources takes {"order": [ids]}.
func (u *UI) orderResources(kind store.Kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Order []int `json:"order"`
		}
		err := u.readBody(r, &body)
		if err == nil {
			err = u.Store.OrderResources(r.Context(), access.Of(r.Context()).Workspace.ID, kind, body.Order)
		}
		if err != nil {
			answer.Error(w, r, err)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

// resourceID is the number in the address; one that is too large is of nothing.
func resourceID(r *http.Request) int {
	id, err := strconv.ParseInt(pathVar(r, "resource"), 10, 32)
	if err != nil {
		return 0
	}
	return int(id)
}

// readText is the body as JSON text.
func (u *UI) readText(r *http.Request) ([]byte, error) {
	body, err := input.Body(r, u.BodyLimit)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, report.Problemf("", "the body cannot be read")
	}
	return text, nil
}
