package ui

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/api/internal/rights"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// resource is a definition of the library as the designer reads it.
type resource struct {
	ID         int            `json:"id"`
	Revision   int            `json:"revision"`
	Definition any            `json:"definition"`
	Problems   []namedWarning `json:"problems"` // what is to be mended before it prints
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
			route{http.MethodGet, all, read, u.refuse, u.listResources(kind)},
			route{http.MethodPost, all, write, u.refuse, u.createResource(kind)},
			route{http.MethodPut, all + "/order", write, u.refuse, u.orderResources(kind)},
			route{http.MethodPut, one, write, u.refuse, u.saveResource(kind)},
			route{http.MethodDelete, one, write, u.refuse, u.deleteResource(kind)},
			route{http.MethodPost, one + "/restore", write, u.refuse, u.restoreResource(kind)},
		)
	}
	return routes
}

func (u *UI) listResources(kind store.Kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		found, err := u.Store.Resources(r.Context(), access.Of(r.Context()).Workspace.ID, kind)
		if err != nil {
			u.refuse(w, r, err)
			return
		}
		changes := access.Of(r.Context()).Require(kind.Category(), store.Full) == nil
		list := make([]resource, len(found))
		for i, f := range found {
			if list[i] = u.resourceOf(r, f); !changes { // who cannot mend them is not told what the problems say
				list[i].Definition, list[i].Problems = export.ForReaders(f.Definition), []namedWarning{}
			}
		}
		w.Header().Set("Cache-Control", "no-store")
		answer.JSON(w, http.StatusOK, list)
	}
}

func (u *UI) createResource(kind store.Kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		text, err := u.readText(r)
		if err == nil {
			err = u.judgeResource(r, kind, 0, text)
		}
		var id int
		if err == nil {
			id, err = u.Store.CreateResource(r.Context(), access.Of(r.Context()).Workspace.ID, kind, text)
		}
		if err != nil {
			u.refuse(w, r, err)
			return
		}
		u.writeResource(w, r, kind, id, http.StatusCreated)
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
			err = u.judgeResource(r, kind, resourceID(r), text)
		}
		if err == nil {
			_, err = u.Store.SaveResource(r.Context(), access.Of(r.Context()).Workspace.ID, kind, resourceID(r), revision, text)
		}
		if err != nil {
			u.refuse(w, r, err)
			return
		}
		u.wake(nameOfResource(kind, resourceID(r)))
		u.writeResource(w, r, kind, resourceID(r), http.StatusOK)
	}
}

// resourceOf is a definition with what is to be mended in it. That a definition
// is not finished keeps nobody from saving it.
func (u *UI) resourceOf(r *http.Request, found store.Resource) resource {
	problems := report.Unfinished(found.Definition)
	switch definition := found.Definition.(type) {
	case *report.Template:
		carried := &report.Report{Include: &report.Include{Templates: []report.Template{*definition}}}
		problems = append(problems, u.Export.Check(carried).Within("include.templates[0]")...)
	case *report.DataSource:
		problems = append(problems, u.Export.Check(&report.Report{DataSources: []report.SourceUse{{DataSource: *definition}}}).Within("dataSources[0]")...)
	case *report.Job:
		problems = append(problems, definition.Check()...)
	}
	return resource{found.ID, found.Revision, found.Definition, u.warningsOf(r, problems)}
}

// writeResource answers with a definition as it is stored.
func (u *UI) writeResource(w http.ResponseWriter, r *http.Request, kind store.Kind, id, status int) {
	found, err := u.Store.Resources(r.Context(), access.Of(r.Context()).Workspace.ID, kind)
	i := slices.IndexFunc(found, func(one store.Resource) bool { return one.ID == id })
	if err == nil && i < 0 {
		err = report.NotFoundf("this was deleted just now")
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	w.Header().Set("ETag", etag(found[i].Revision))
	answer.JSON(w, status, u.resourceOf(r, found[i]))
}

// restoreResource undoes a deletion.
func (u *UI) restoreResource(kind store.Kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := u.Store.RestoreResource(r.Context(), access.Of(r.Context()).Workspace.ID, kind, resourceID(r)); err != nil {
			u.refuse(w, r, err)
			return
		}
		u.writeResource(w, r, kind, resourceID(r), http.StatusOK)
	}
}

// judgeResource judges a definition that is to take the place of the one with
// the ID, or of none.
func (u *UI) judgeResource(r *http.Request, kind store.Kind, id int, text []byte) error {
	caller := access.Of(r.Context())
	made, known := definitionOf(kind), definitionOf(kind)
	if made == nil {
		return nil // it names nothing
	}
	_ = report.ReadStored(text, made) // what cannot be read is not stored either
	all, err := u.Store.Resources(r.Context(), caller.Workspace.ID, kind)
	if err != nil {
		return err
	}
	for _, one := range all {
		if one.ID == id && id != 0 {
			known = one.Definition
		}
	}
	if job, ok := made.(*report.Job); ok {
		return rights.Judge{Store: u.Store}.Job(r.Context(), &caller.Access, job, known.(*report.Job))
	}
	return u.judge(r, made, known)
}

// definitionOf is an empty definition of a kind that can name something, or nil.
func definitionOf(kind store.Kind) any {
	switch kind {
	case store.JobKind:
		return new(report.Job)
	case store.TemplateKind:
		return new(report.Template)
	case store.ThemeKind:
		return new(report.Theme)
	case store.SharedParameters:
		return new(report.Parameter)
	}
	return nil
}

func (u *UI) deleteResource(kind store.Kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := u.Store.DeleteResource(r.Context(), access.Of(r.Context()).Workspace.ID, kind, resourceID(r)); err != nil {
			u.refuse(w, r, err)
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
			u.refuse(w, r, err)
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
