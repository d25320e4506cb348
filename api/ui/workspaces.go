package ui

import (
	"net/http"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// workspaceBody is a workspace in a form.
type workspaceBody struct {
	Name, Description, Code string
	Defaults                bool
	Root                    bool  // the caller may delete it
	Limit                   int64 // of a bundle
	Fault, Wrong            fault // of the form, and of the bundle
}

func (u *UI) newWorkspacePage(w http.ResponseWriter, r *http.Request) {
	u.showNewWorkspace(w, r, http.StatusOK, workspaceBody{Defaults: true})
}

func (u *UI) showNewWorkspace(w http.ResponseWriter, r *http.Request, status int, body workspaceBody) {
	body.Limit = u.BodyLimit
	u.show(w, r, status, "new-workspace", page{Title: u.t(r, "New workspace"), Section: "reports", Body: body})
}

func (u *UI) createWorkspace(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	body := workspaceBody{Name: sent.Get("name"), Description: sent.Get("description"), Code: strings.TrimSpace(sent.Get("code")), Defaults: sent.Has("defaults")}
	made, err := u.Store.CreateWorkspace(r.Context(), store.NewWorkspace{Name: body.Name, Code: body.Code, Description: optional(body.Description), Defaults: body.Defaults})
	address := ""
	if err == nil {
		address = u.workspaceAddress(*made)
	}
	u.finish(w, r, err, address, "", func(status int, wrong fault) {
		body.Fault = wrong
		u.showNewWorkspace(w, r, status, body)
	})
}

func (u *UI) settingsPage(w http.ResponseWriter, r *http.Request) {
	u.showSettings(w, r, http.StatusOK, settingsOf(access.Of(r.Context()).Workspace, fault{}))
}

func settingsOf(ws *store.Workspace, wrong fault) workspaceBody {
	body := workspaceBody{Name: ws.Name, Fault: wrong}
	if ws.Description != nil {
		body.Description = *ws.Description
	}
	return body
}

func (u *UI) showSettings(w http.ResponseWriter, r *http.Request, status int, body workspaceBody) {
	caller := access.Of(r.Context())
	body.Code, body.Root = caller.Workspace.Code, caller.User.IsRoot
	u.show(w, r, status, "settings", page{
		Title: u.t(r, "Settings of {0}", caller.Workspace.Name), Section: "reports", Tab: tabSettings, Body: body,
		Notice: u.notice(r, map[string]string{"saved": "The settings are saved."}),
	})
}

func (u *UI) saveSettings(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	ws := access.Of(r.Context()).Workspace
	body := workspaceBody{Name: sent.Get("name"), Description: sent.Get("description")}
	err = u.Store.UpdateWorkspace(r.Context(), ws.ID, body.Name, optional(body.Description))
	u.finish(w, r, err, u.workspaceAddress(*ws)+"/settings", "saved", func(status int, wrong fault) {
		body.Fault = wrong
		u.showSettings(w, r, status, body)
	})
}

// deleteWorkspace cannot be undone, so it asks for the code of what goes.
func (u *UI) deleteWorkspace(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	ws := access.Of(r.Context()).Workspace
	if strings.EqualFold(strings.TrimSpace(sent.Get("code")), ws.Code) {
		err = u.Store.DeleteWorkspace(r.Context(), ws.ID)
	} else {
		err = report.Problemf("code", "to delete the workspace, enter its code %s", ws.Code)
	}
	u.finish(w, r, err, u.PathBase+"/", "deleted", func(status int, wrong fault) {
		u.showSettings(w, r, status, settingsOf(ws, wrong))
	})
}
