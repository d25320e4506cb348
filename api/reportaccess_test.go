package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/quire-reports/quire/store"
)

// restrict gives a report of the demo workspace access rules by the API.
func (h *house) restrict(t *testing.T, who string, report any, rules string) {
	t.Helper()
	h.send(t, who, http.MethodPut, fmt.Sprintf("/api/ui/ws/demo/reports/%v/access", report), "", `{"everybody":false,"rules":[`+rules+`]}`, 204)
}

// rule is one of a person of the demo workspace.
func (h *house) rule(who, level string) string {
	return fmt.Sprintf(`{"user":%d,"level":%q}`, h.users[who].ID, level)
}

// Screens A4: what the access rules of a report say holds wherever it is met.
func TestAccessRulesHoldEverywhere(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.narrowRoles(t)
	invoice := must[*store.ReportDefinition](t)(h.store.ReportByIDOrType(t.Context(), h.demo.ID, "invoice"))
	id := invoice.ID
	h.restrict(t, "administrator", id, h.rule("operator", "run")+","+h.rule("viewer", "see")+","+h.rule("author", "edit")+","+h.rule("guest", "run"))
	one := fmt.Sprintf("/ws/demo/reports/%d", id)
	v1, ui := "/api/v1"+one, "/api/ui"+one
	may := map[string]int{"administrator": 3, "root": 3, "author": 3, "operator": 2, "guest": 2, "viewer": 1, "reports-only": 0, "all": 0}
	statuses := func(unseen, seen, run, edit int) [4]int { return [4]int{unseen, seen, run, edit} }
	for who, level := range may {
		t.Run(who, func(t *testing.T) {
			cookie := header("Cookie", h.session(who))
			for _, c := range []struct {
				scenario
				want [4]int
			}{
				{scenario{path: v1 + "/pages"}, statuses(404, 200, 200, 200)},
				{scenario{path: "/api/v1/ws/demo/reports/invoice/pages"}, statuses(404, 200, 200, 200)},
				{scenario{path: v1 + "/pdf"}, statuses(404, 403, 200, 200)},
				{scenario{path: "/api/v1/ws/demo/reports/invoice/pdf"}, statuses(404, 403, 200, 200)},
				{scenario{path: v1 + "/pdf", body: `{}`}, statuses(404, 403, 200, 200)},
				{scenario{path: v1 + "/export", body: `{}`}, statuses(404, 403, 202, 202)},
				{scenario{path: one + "/preview", header: cookie}, statuses(404, 200, 200, 200)},
				{scenario{path: one + "/preview?thumbnail=true", header: cookie}, statuses(404, 200, 200, 200)},
				{scenario{path: "/ws/demo/reports/invoice/preview", header: cookie}, statuses(404, 200, 200, 200)},
				{scenario{path: one + "/pdf", header: cookie}, statuses(404, 403, 200, 200)},
				{scenario{path: ui}, statuses(404, 200, 200, 200)},
				{scenario{path: ui + "/versions"}, statuses(404, 403, 403, 200)},
				{scenario{path: one + "/design", header: cookie}, statuses(404, 403, 403, 200)},
				{scenario{path: ui + "/render", body: `{"definition":{"version":1,"name":"x"}}`}, statuses(404, 403, 403, 200)},
				{scenario{path: ui + "/access"}, map[bool][4]int{true: statuses(0, 0, 0, 200), false: statuses(404, 403, 403, 403)}[who == "root" || who == "administrator"]},
			} {
				c.status = c.want[level]
				if c.header == nil {
					c.who = who
				}
				h.check(t, c.scenario)
			}
			named := level > 0
			for path, words := range map[string]string{
				"/api/v1/ws/demo/reports": `"name":"Invoice","reportTypeId"`, "/api/v1/ws/demo/report-types": `"defaultReportName":"Invoice"`, "/api/ui/ws/demo/reports": `"code":"invoice","name":"Invoice"`,
			} {
				w := h.check(t, scenario{path: path, who: who, status: 200})
				if has := strings.Contains(w.Body.String(), words); has != named {
					t.Errorf("%s names the report: %v\n%s", path, has, w.Body)
				}
			}
			for _, path := range []string{"/", "/ws/demo", "/ws/demo?q=invoice"} {
				page := h.opened(t, who, path)
				if has := strings.Contains(page, one+"/preview"); has != named {
					t.Errorf("%s shows the report: %v", path, has)
				}
				if has := strings.Contains(page, one+`/pdf"`); has != (level > 1) {
					t.Errorf("%s offers the file: %v", path, has)
				}
			}
		})
	}

	// In other definitions it is there for who may run it.
	for who, status := range map[string]int{"author": 201, "reports-only": 403} {
		h.send(t, who, http.MethodPost, "/api/ui/ws/demo/reports", "", `{"definition":{"version":1,"name":"Outer","pages":[{"id":1,"name":"p","type":"subreport","report":"invoice"}]}}`, status)
	}
	h.withJobs()
	for who, want := range map[string]bool{"operator": true, "all": false} {
		w := h.check(t, scenario{path: "/api/ui/ws/demo/jobs/choices", who: who, status: 200})
		if has := strings.Contains(w.Body.String(), `"name":"Invoice"}`); has != want {
			t.Errorf("%s is offered the report: %v", who, has)
		}
		job := fmt.Sprintf(`{"name":"J","code":"j-%s","reports":[{"report":"%d"}]}`, who, id)
		h.send(t, who, http.MethodPost, "/api/v1/ws/demo/jobs", "", job, map[bool]int{true: 201, false: 403}[want])
		h.send(t, who, http.MethodPost, "/api/v1/ws/demo/jobs/monthly-statements/runs", "", `{}`, map[bool]int{true: 200, false: 403}[want])
	}
}

// A frame of another site shows what its token's user sees.
func TestAccessRulesHoldInFrames(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.restrict(t, "administrator", 1, h.rule("operator", "run"))
	for who, status := range map[string]int{"operator": 200, "viewer": 404} {
		h.check(t, scenario{path: "/ws/demo/reports/invoice/preview?nonce=" + h.nonce(who), status: status})
	}
}

// An export that waits is not made for who lost the report meanwhile.
func TestAccessRulesHoldWhenTheQueueExports(t *testing.T) {
	t.Parallel()
	h := open(t)
	mine := h.begin(t, "viewer", `{}`)
	theirs := h.begin(t, "operator", `{}`)
	h.restrict(t, "administrator", 1, h.rule("operator", "run"))
	h.work()
	if status := h.ended(t, "operator", theirs); !strings.Contains(status, `"Completed"`) {
		t.Error(status)
	}
	if status := h.ended(t, "viewer", mine); !strings.Contains(status, `"Failed"`) || !strings.Contains(status, "does not exist") {
		t.Error(status)
	}
}

// The maker of a report, and who has Full on reports, change its rules; those
// that name nobody keep neither out. A copy is as closed as the original.
func TestWhoChangesAccessRules(t *testing.T) {
	t.Parallel()
	h := open(t)
	made := h.send(t, "author", http.MethodPost, "/api/ui/ws/demo/reports", "", `{"name":"Mine"}`, 201)
	path := fmt.Sprintf("/api/ui/ws/demo/reports/%v", made["id"])
	h.restrict(t, "author", made["id"], "")
	h.send(t, "viewer", http.MethodGet, path, "", "", 404)
	h.send(t, "author", http.MethodGet, path, "", "", 200)
	h.send(t, "administrator", http.MethodGet, path, "", "", 200)
	copied := h.send(t, "administrator", http.MethodPost, "/api/ui/ws/demo/reports", "", fmt.Sprintf(`{"from":%v}`, made["id"]), 201)
	h.send(t, "author", http.MethodGet, fmt.Sprintf("/api/ui/ws/demo/reports/%v", copied["id"]), "", "", 404)

	var all struct {
		Everybody bool
		Rules     []struct {
			Role, User         int
			Name, Email, Level string
		}
	}
	w := h.check(t, scenario{path: path + "/access", who: "author", status: 200, has: []string{`"name":"Viewer"`, `"email":"viewer@example.com"`}, lacks: []string{`"name":"Administrator"`}})
	noError(t, json.Unmarshal(w.Body.Bytes(), &all))
	if all.Everybody || len(all.Rules) < 5 {
		t.Errorf("%+v", all)
	}
	h.send(t, "author", http.MethodPut, path+"/access", "", w.Body.String(), 204) // what it gives it takes
	for body, at := range map[string]string{
		`{"rules":[{"user":1,"role":1,"level":"see"}]}`: `"path":"rules[0]"`,
		`{"rules":[{"user":1,"level":"own"}]}`:          `"path":"rules[0].level"`,
		`{"rules":[{"user":999999,"level":"see"}]}`:     `"path":"users"`,
		`{"rules":[{"role":999999,"level":"see"}]}`:     `"path":"roles"`,
		`{"rulez":[]}`: `"path":"rulez"`,
	} {
		h.check(t, scenario{method: http.MethodPut, path: path + "/access", who: "author", body: body, status: 400, has: []string{at}})
	}
	h.send(t, "author", http.MethodPut, path+"/access", "", `{"everybody":true}`, 204)
	h.send(t, "viewer", http.MethodGet, path, "", "", 200)
	h.send(t, "viewer", http.MethodPut, path+"/access", "", `{"everybody":true}`, 403)
	h.send(t, "operator", http.MethodGet, path+"/access", "", "", 403)
}

// The form of the card's menu does the same.
func TestTheFormOfAccessRules(t *testing.T) {
	t.Parallel()
	h := open(t)
	const form = "/ws/demo/reports/2/access"
	if page := h.opened(t, "author", "/ws/demo"); strings.Contains(page, form) {
		t.Error("who may not change the rules is led to them")
	}
	h.opened(t, "administrator", "/ws/demo", `href="`+form+`"`)
	h.opened(t, "administrator", form, "Who may see Plain invoice", `value="everybody" class="open" checked`, "viewer@example.com", `<span class="hidden">viewer: Run</span>`)
	viewer := fmt.Sprintf("user-%d", h.users["viewer"].ID)
	w := h.sent(t, "administrator", form, 303, "who", "some", viewer, "see", "user-999999", "edit")
	leads(t, w, "/ws/demo?report=2&done=shared")
	h.opened(t, "administrator", w.Header().Get("Location"), "Who may see Plain invoice is saved.", ">restricted</span>")
	h.opened(t, "administrator", form, `name="`+viewer+`" value="see" checked`, `value="some" checked`)
	h.check(t, scenario{path: "/api/v1/ws/demo/reports/2/pages", who: "viewer", status: 200})
	h.check(t, scenario{path: "/api/v1/ws/demo/reports/2/pages", who: "operator", status: 404})
	h.sent(t, "administrator", form, 422)
	h.sent(t, "administrator", form, 422, "who", "some", viewer, "own")
	h.sent(t, "administrator", form, 303, "who", "everybody", viewer, "see")
	h.check(t, scenario{path: "/api/v1/ws/demo/reports/2/pages", who: "operator", status: 200})
}

// Who sees a report may know its address; who else sees it is told to who keeps it.
func TestSharingTellsWhoSeesAReport(t *testing.T) {
	t.Parallel()
	h := open(t)
	made := h.send(t, "author", http.MethodPost, "/api/ui/ws/demo/reports", "", `{"name":"Mine & yours"}`, 201)
	path := fmt.Sprintf("/api/ui/ws/demo/reports/%v", made["id"])
	readers := func(who string) string {
		var told struct {
			Link, Frame, Request, Access string
			Restricted                   bool
			Readers                      []struct{ Name, Kind, May string }
		}
		w := h.check(t, scenario{path: path + "/share", who: who, status: 200})
		if err := json.Unmarshal(w.Body.Bytes(), &told); err != nil {
			t.Fatal(err)
		}
		here := fmt.Sprintf("/ws/demo/reports/%v", made["id"])
		if told.Link != "http://example.com"+here+"/preview" || !strings.Contains(told.Frame, `title="Mine &amp; yours"`) || !strings.Contains(told.Request, fmt.Sprintf(`"reports": %v}`, made["id"])) {
			t.Errorf("the addresses are %+v", told)
		}
		if (told.Access != "") != (told.Readers != nil) {
			t.Errorf("%s is told %+v", who, told)
		}
		list := []string{fmt.Sprint(told.Restricted)}
		for _, r := range told.Readers {
			list = append(list, fmt.Sprintf("%s %s: %s", r.Kind, r.Name, r.May))
		}
		return strings.Join(list, "; ")
	}
	author, operator := h.users["author"].DisplayName, h.users["operator"].DisplayName
	want := "false; Person " + author + ": Everything, as its maker; Role Administrator: Everything; Role Viewer: Run; Role Author: Edit; Role Operator: Run"
	if got := readers("author"); !strings.HasPrefix(got, want) {
		t.Errorf("open: %s", got)
	}
	if got := readers("viewer"); got != "false" {
		t.Errorf("a viewer is told %s", got)
	}
	h.restrict(t, "author", made["id"], h.rule("operator", "see")+","+h.rule("author", "edit"))
	if got, want := readers("administrator"), "true; Person "+author+": Everything, as its maker; Role Administrator: Everything"; !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "; Person "+operator+": See") {
		t.Errorf("restricted: %s", got)
	}
	h.send(t, "viewer", http.MethodGet, path+"/share", "", "", 404)
	page := h.check(t, scenario{path: strings.TrimPrefix(path, "/api/ui") + "/share", header: header("Cookie", h.session("author")), status: 200})
	if !strings.Contains(page.Body.String(), "?nonce=NONCE") || !strings.Contains(page.Body.String(), operator) {
		t.Error(page.Body)
	}
}
