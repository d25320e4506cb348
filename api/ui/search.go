package ui

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/store"
)

// mostFound bounds what a search gives; who finds too much types on.
const mostFound = 20

// found is something that people search by its name and go to.
type found struct {
	Kind    string `json:"kind"` // report, job or workspace
	Name    string `json:"name"`
	Where   string `json:"where,omitempty"` // the workspace that it is in
	Address string `json:"address"`
	Edit    string `json:"edit,omitempty"` // of the designer, for users who may change it
}

// search finds reports, jobs and workspaces by a part of their name, those of
// the workspace place first.
func (u *UI) search(w http.ResponseWriter, r *http.Request) {
	q := strings.TrimSpace(r.URL.Query().Get("q"))
	list := []found{}
	if q != "" {
		var err error
		if list, err = u.find(r.Context(), access.Of(r.Context()).User, q, r.URL.Query().Get("place")); err != nil {
			u.refuse(w, r, err)
			return
		}
	}
	answer.JSON(w, http.StatusOK, list)
}

func (u *UI) find(ctx context.Context, user *store.User, q, place string) ([]found, error) {
	workspaces, err := u.Store.Workspaces(ctx, user)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(workspaces, func(a, b store.Workspace) int {
		return here(b, place) - here(a, place)
	})
	list := []found{}
	for _, ws := range workspaces {
		if contains(ws.Name, q) {
			list = append(list, found{Kind: "workspace", Name: ws.Name, Address: u.workspaceAddress(ws)})
		}
	}
	for _, ws := range workspaces {
		if len(list) >= mostFound {
			break
		}
		some, err := u.findIn(ctx, user, ws, q)
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
	}
	return list[:min(len(list), mostFound)], nil
}

// here is 1 for the workspace that is searched first.
func here(ws store.Workspace, place string) int {
	if strconv.Itoa(ws.ID) == place {
		return 1
	}
	return 0
}

// findIn finds what a user may see in a workspace.
func (u *UI) findIn(ctx context.Context, user *store.User, ws store.Workspace, q string) ([]found, error) {
	entered, err := u.Store.Enter(ctx, user, ws.Code)
	if err != nil {
		return nil, err
	}
	rows, err := u.Store.Reports(ctx, ws.ID, store.ReportQuery{For: entered, Search: q, Subreports: true, Limit: mostFound})
	if err != nil {
		return nil, err
	}
	var list []found
	for _, row := range rows {
		hit := found{Kind: "report", Name: row.Name, Where: ws.Name, Address: u.workspaceAddress(ws) + "/reports/" + itoa(row.ID) + "/preview"}
		if entered.RequireReport(&row, store.Write) == nil {
			hit.Edit = u.workspaceAddress(ws) + "/reports/" + itoa(row.ID) + "/design"
		}
		list = append(list, hit)
	}
	if entered.Require(store.Jobs, store.Read) != nil {
		return list, nil
	}
	jobs, err := u.Store.Jobs(ctx, ws.ID)
	for _, job := range jobs {
		if contains(job.Job.Name, q) {
			list = append(list, found{Kind: "job", Name: job.Job.Name, Where: ws.Name, Address: u.workspaceAddress(ws) + "/jobs/" + itoa(job.ID)})
		}
	}
	return list, err
}

// contains tells whether a name has a part, whatever its case.
func contains(name, part string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(part))
}
