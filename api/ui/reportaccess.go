package ui

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// reportAccessRoutes are the access rules of a report. Its maker and those with
// Full on reports see and change them.
func (u *UI) reportAccessRoutes() []route {
	const get, post, one = http.MethodGet, http.MethodPost, "/ws/{workspaceId}/reports/{report:[0-9]+}/access"
	page, script := access.In(access.Session, store.Reports, store.Full).OrOwn(), access.In(designer, store.Reports, store.Full).OrOwn()
	return []route{
		{get, one, page, u.toSignIn, u.accessPage},
		{post, one, page, u.toSignIn, u.saveAccessForm},
		{get, "/api/ui" + one, script, u.refuse, u.readAccess},
		{http.MethodPut, "/api/ui" + one, script, u.refuse, u.saveAccess},
	}
}

// shared is the report of the address, if the caller may change who sees it.
func (u *UI) shared(r *http.Request) (*store.ReportDefinition, error) {
	definition, err := u.definition(r)
	if err != nil {
		return nil, err
	}
	return definition, access.Of(r.Context()).RequireSharing(&definition.Row)
}

// accessRule is what a role, a member or a group may do with a report.
type accessRule struct {
	Role  int    `json:"role,omitempty"`
	User  int    `json:"user,omitempty"`
	Group int    `json:"group,omitempty"`
	Name  string `json:"name"`
	Email string `json:"email,omitempty"`
	Level string `json:"level"` // none, see, run or edit
}

// accessAnswer are the access rules of a report: every role, every group and
// every member of the workspace with what the rules give them, none included.
type accessAnswer struct {
	Everybody bool         `json:"everybody"` // whether everybody with Read sees it, and there are no rules
	Rules     []accessRule `json:"rules"`
}

// rulesOf lists every role, group and member with their share of a report.
// People who are in the workspace only through a group are listed as well.
func (u *UI) rulesOf(r *http.Request, row *store.ReportRow) (out accessAnswer, err error) {
	workspace := access.Of(r.Context()).Workspace.ID
	rules := row.Access
	if out.Everybody = rules == nil; rules == nil {
		rules = &store.ReportAccess{}
	}
	roles, err := u.Store.Roles(r.Context(), workspace)
	if err != nil {
		return out, err
	}
	groups, err := u.Store.GroupMembers(r.Context(), workspace)
	if err != nil {
		return out, err
	}
	members, err := u.Store.Members(r.Context(), workspace)
	if err != nil {
		return out, err
	}
	byGroup, err := u.Store.PeopleByGroups(r.Context(), workspace)
	listed := map[int]bool{}
	for _, role := range roles {
		if !role.Allows(store.Reports, store.Full) { // whom no rule keeps out
			out.Rules = append(out.Rules, accessRule{Role: role.ID, Name: role.Name, Level: rules.Roles[role.ID].String()})
		}
	}
	for _, g := range groups {
		out.Rules = append(out.Rules, accessRule{Group: g.GroupID, Name: g.Name, Level: rules.Groups[g.GroupID].String()})
	}
	for _, m := range members {
		listed[m.UserID] = true
		out.Rules = append(out.Rules, accessRule{User: m.UserID, Name: m.DisplayName, Email: m.Email, Level: rules.Users[m.UserID].String()})
	}
	for _, m := range byGroup {
		if !listed[m.UserID] {
			listed[m.UserID] = true
			out.Rules = append(out.Rules, accessRule{User: m.UserID, Name: m.DisplayName, Email: m.Email, Level: rules.Users[m.UserID].String()})
		}
	}
	return out, err
}

func (u *UI) readAccess(w http.ResponseWriter, r *http.Request) {
	definition, err := u.shared(r)
	var out accessAnswer
	if err == nil {
		out, err = u.rulesOf(r, &definition.Row)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	answer.JSON(w, http.StatusOK, out)
}

// saveAccess takes what readAccess gives; people who are not in it, or with no
// share, get nothing.
func (u *UI) saveAccess(w http.ResponseWriter, r *http.Request) {
	definition, err := u.shared(r)
	var body accessAnswer
	if err == nil {
		err = u.readBody(r, &body)
	}
	if err == nil && !body.Everybody && body.Rules == nil {
		err = report.Problemf("rules", "say everybody: true, or who may see the report; an empty list is nobody but its maker and those with Full on reports")
	}
	var rules *store.ReportAccess
	if err == nil && !body.Everybody {
		rules, err = readRules(body.Rules)
	}
	if err == nil {
		err = u.Store.SetReportAccess(r.Context(), access.Of(r.Context()).Workspace.ID, definition.ID, rules)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func readRules(given []accessRule) (*store.ReportAccess, error) {
	rules := &store.ReportAccess{Roles: map[int]store.Share{}, Users: map[int]store.Share{}, Groups: map[int]store.Share{}}
	for i, rule := range given {
		at := fmt.Sprintf("rules[%d]", i)
		named := 0
		for _, id := range []int{rule.Role, rule.User, rule.Group} {
			if id != 0 {
				named++
			}
		}
		if named != 1 {
			return nil, report.Problemf(at, "name either a role, a user or a group")
		}
		if rule.Level == store.ShareNone.String() {
			continue
		}
		share, err := store.ParseShare(at+".level", rule.Level)
		if err != nil {
			return nil, err
		}
		switch {
		case rule.Role != 0:
			rules.Roles[rule.Role] = share
		case rule.Group != 0:
			rules.Groups[rule.Group] = share
		default:
			rules.Users[rule.User] = share
		}
	}
	return rules, nil
}

// accessBody is the content of the page of access rules.
type accessBody struct {
	Name, Address, Back string
	Everybody           bool
	Groups              []accessGroup
	Shares              []store.Share
	Fault               fault
}

// accessGroup are the roles, the groups or the members.
type accessGroup struct {
	Caption, Head string
	Rows          []accessRow
}

// accessRow is a role, a group or a member in the form.
type accessRow struct {
	accessRule
	Field   string
	Choices []shareChoice
}

type shareChoice struct {
	Share   store.Share
	Checked bool
}

func (u *UI) accessPage(w http.ResponseWriter, r *http.Request) {
	u.showAccess(w, r, http.StatusOK, fault{})
}

func (u *UI) showAccess(w http.ResponseWriter, r *http.Request, status int, wrong fault) {
	definition, err := u.shared(r)
	var rules accessAnswer
	if err == nil {
		rules, err = u.rulesOf(r, &definition.Row)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	back := u.workspaceAddress(*access.Of(r.Context()).Workspace)
	body := accessBody{
		Name: definition.Row.Name, Address: back + "/reports/" + itoa(definition.ID) + "/access", Back: back,
		Everybody: rules.Everybody, Shares: append([]store.Share{store.ShareNone}, store.Shares()...), Fault: wrong,
	}
	body.Groups = []accessGroup{{Caption: u.t(r, "What roles may do with it"), Head: u.t(r, "Role")}, {Caption: u.t(r, "What groups may do with it"), Head: u.t(r, "Group")}, {Caption: u.t(r, "What people may do with it, beside what their role may"), Head: u.t(r, "Member")}}
	for _, rule := range rules.Rules {
		row := accessRow{accessRule: rule, Field: fieldOf(rule)}
		for _, s := range body.Shares {
			row.Choices = append(row.Choices, shareChoice{s, s.String() == rule.Level})
		}
		group := &body.Groups[0]
		switch {
		case rule.Group != 0:
			group = &body.Groups[1]
		case rule.User != 0:
			group = &body.Groups[2]
		}
		group.Rows = append(group.Rows, row)
	}
	u.show(w, r, status, "access", page{Title: u.t(r, "Who may see {0}", body.Name), Section: "reports", Tab: tabReports, Body: body})
}

func fieldOf(rule accessRule) string {
	switch {
	case rule.Role != 0:
		return "role-" + itoa(rule.Role)
	case rule.Group != 0:
		return "group-" + itoa(rule.Group)
	}
	return "user-" + itoa(rule.User)
}

func (u *UI) saveAccessForm(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	var definition *store.ReportDefinition
	if err == nil {
		definition, err = u.shared(r)
	}
	var rules *store.ReportAccess
	if err == nil {
		rules, err = u.sentRules(r, sent, definition)
	}
	address := ""
	if err == nil {
		address = u.workspaceAddress(*access.Of(r.Context()).Workspace) + "?report=" + itoa(definition.ID) + "&done=shared"
		err = u.Store.SetReportAccess(r.Context(), access.Of(r.Context()).Workspace.ID, definition.ID, rules)
	}
	u.finish(w, r, err, address, "", func(status int, wrong fault) { u.showAccess(w, r, status, wrong) })
}

// sentRules are the rules of the form; nil for everybody.
func (u *UI) sentRules(r *http.Request, sent url.Values, definition *store.ReportDefinition) (*store.ReportAccess, error) {
	switch sent.Get("who") {
	case "everybody":
		return nil, nil
	case "some":
	default:
		return nil, report.Problemf("who", "choose who may see the report")
	}
	known, err := u.rulesOf(r, &definition.Row)
	if err != nil {
		return nil, err
	}
	for i := range known.Rules {
		if level := sent.Get(fieldOf(known.Rules[i])); level != "" {
			known.Rules[i].Level = level
		}
	}
	return readRules(known.Rules)
}
