package ui

import (
	"fmt"
	"html"
	"net/http"
	"strconv"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/store"
)

// reportShareRoutes tell how others come to see a report. Who sees it may know its
// address; who else sees it is for those who may change that.
func (u *UI) reportShareRoutes() []route {
	const one = "/ws/{workspaceId}/reports/{report:[0-9]+}/share"
	return []route{
		{http.MethodGet, one, access.In(access.Session, store.Reports, store.Read).OrOwn(), u.toSignIn, u.sharePage},
		{http.MethodGet, "/api/ui" + one, access.In(designer, store.Reports, store.Read).OrOwn(), u.refuse, u.readShare},
	}
}

// sharing is how others come to see a report.
type sharing struct {
	Name       string   `json:"name"`
	Link       string   `json:"link"`              // for people who sign in
	Frame      string   `json:"frame"`             // the element of a page that shows the report
	Request    string   `json:"request"`           // how a server asks for the nonce of the frame
	Restricted bool     `json:"restricted"`        // whether only some of the workspace see it
	Readers    []reader `json:"readers,omitempty"` // only for users who may change that
	Access     string   `json:"access,omitempty"`  // where that is changed
}

// reader is a role, a group or somebody that may see a report.
type reader struct {
	Name  string `json:"name"`
	Email string `json:"email,omitempty"`
	Kind  string `json:"kind"` // Role, Group or Person, in the language of the page
	May   string `json:"may"`  // as well
}

// sharingOf is what the caller may know of how others see the report of the
// address.
func (u *UI) sharingOf(r *http.Request) (*sharing, error) {
	definition, err := u.owned(r, store.Read)
	if err != nil {
		return nil, err
	}
	caller, row := access.Of(r.Context()), &definition.Row
	here := u.workspaceAddress(*caller.Workspace) + "/reports/" + strconv.Itoa(row.ID)
	link := u.origin(r) + here + "/preview"
	out := &sharing{
		Name: row.Name, Link: link, Restricted: row.Access != nil,
		Frame: fmt.Sprintf(`<iframe src="%s?nonce=NONCE" title="%s" style="width: 100%%; height: 80vh; border: 0"></iframe>`, link, html.EscapeString(row.Name)),
		Request: fmt.Sprintf(`curl -X POST -H "Authorization: Bearer $TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"workspace": %q, "reports": %d}' \
  %s/api/v1/nonce-tokens`, caller.Workspace.Code, row.ID, u.origin(r)+u.PathBase),
	}
	if caller.RequireSharing(row) != nil {
		return out, nil
	}
	out.Access = here + "/access"
	out.Readers, err = u.readersOf(r, row)
	return out, err
}

// readersOf lists the people who may see a report: its maker and roles first,
// then those whom its rules name.
func (u *UI) readersOf(r *http.Request, row *store.ReportRow) ([]reader, error) {
	var out []reader
	if row.OwnerID != 0 {
		maker, err := u.Store.UserByID(r.Context(), row.OwnerID)
		if err != nil {
			return nil, err
		}
		out = append(out, reader{maker.DisplayName, maker.Email, u.t(r, "Person"), u.t(r, "Everything, as its maker")})
	}
	roles, err := u.Store.Roles(r.Context(), access.Of(r.Context()).Workspace.ID)
	if err != nil {
		return nil, err
	}
	for _, role := range roles {
		if may := roleMay(&role, row.Access == nil); may != "" {
			out = append(out, reader{Name: role.Name, Kind: u.t(r, "Role"), May: u.t(r, may)})
		}
	}
	if row.Access == nil {
		return out, nil
	}
	rules, err := u.rulesOf(r, row)
	for _, rule := range rules.Rules {
		share, err := store.ParseShare("", rule.Level)
		if err != nil || rule.User != 0 && rule.User == row.OwnerID {
			continue // none, or named already
		}
		out = append(out, reader{rule.Name, rule.Email, u.t(r, kindOfRule(rule)), u.t(r, share.Label())})
	}
	return out, err
}

// roleMay is what a role does with a report that has no rule for it; rules that
// are there keep out whom they do not name, but not Full.
func roleMay(role *store.Role, everybody bool) string {
	switch {
	case role.Allows(store.Reports, store.Full):
		return say("Everything")
	case everybody && role.Allows(store.Reports, store.Write):
		return store.ShareEdit.Label()
	case everybody && role.Allows(store.Reports, store.Read):
		return store.ShareRun.Label()
	}
	return ""
}

func kindOfRule(rule accessRule) string {
	switch {
	case rule.Role != 0:
		return say("Role")
	case rule.Group != 0:
		return say("Group")
	}
	return say("Person")
}

func (u *UI) readShare(w http.ResponseWriter, r *http.Request) {
	out, err := u.sharingOf(r)
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	answer.JSON(w, http.StatusOK, out)
}

func (u *UI) sharePage(w http.ResponseWriter, r *http.Request) {
	out, err := u.sharingOf(r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	u.show(w, r, http.StatusOK, "share", page{Title: u.t(r, "Share {0}", out.Name), Section: "reports", Tab: tabReports, Body: out})
}
