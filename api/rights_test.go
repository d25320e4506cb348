package api

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/store"
)

type levels = map[store.Category]store.Level

// as makes a member of the demo workspace with a role of its own.
func (h *house) as(t *testing.T, name string, l levels) {
	t.Helper()
	role := must[*store.Role](t)(h.store.CreateRole(t.Context(), h.demo.ID, store.Role{Name: name, Levels: l}))
	h.addMember(name, h.demo.ID, role.ID)
}

// narrowRoles are the roles that reach only a part of what a definition names.
func (h *house) narrowRoles(t *testing.T) {
	t.Helper()
	h.as(t, "reports-only", levels{store.Reports: store.Write})
	h.as(t, "jobs-only", levels{store.Jobs: store.Full})
	h.as(t, "no-data", levels{
		store.Reports: store.Write, store.Jobs: store.Full, store.Templates: store.Full, store.Themes: store.Read, store.Files: store.Read, store.Configuration: store.Full,
	})
	h.as(t, "all", levels{
		store.Reports: store.Write, store.Jobs: store.Full, store.Templates: store.Full, store.Themes: store.Read, store.Files: store.Read, store.Configuration: store.Full, store.DataSources: store.Read,
	})
}

// library puts what definitions name into the demo workspace.
func (h *house) library(t *testing.T) {
	t.Helper()
	noError(t, h.store.PutConnection(t.Context(), h.demo.ID, store.Connection{Name: "shop", Type: "postgres", Address: "postgres://report:x@db.internal/shop"}))
	for kind, doc := range map[store.Kind]string{
		store.SharedSources:    `{"name":"orders","type":"sql","scope":"global","settings":{"connection":"shop","query":"select * from orders"}}`,
		store.SharedParameters: `{"name":"customer","type":"lookup","lookupSource":{"type":"sql","settings":{"connection":"shop","query":"select id from customers"}}}`,
	} {
		must[int](t)(h.store.CreateResource(t.Context(), h.demo.ID, kind, []byte(doc)))
	}
	must[*store.FileRow](t)(h.store.PutFile(t.Context(), h.demo.ID, "secret.png", "image/png", strings.NewReader("\x89PNG\r\n\x1a\n")))
}

// newNames are definitions of reports that name one thing each.
var newNames = map[string]struct{ members, path, needs string }{
	"a connection":         {`"dataSources":[{"name":"q","type":"sql","settings":{"connection":"shop","query":"select * from salaries"}}]`, "dataSources[0].settings.connection", "Read on data sources"},
	"a lookup":             {`"parameters":[{"name":"p","type":"lookup","lookupSource":{"type":"sql","settings":{"connection":"shop","query":"select 1"}}}]`, "parameters[0].lookupSource.settings.connection", "Read on data sources"},
	"a reusable source":    {`"dataSources":[{"reuse":"orders"}]`, "dataSources[0].reuse", "Read on data sources"},
	"a global source":      {`"title":"{$data.orders.0.id}"`, "title", "Read on data sources"},
	"a reusable parameter": {`"parameters":[{"reuse":"customer"}]`, "parameters[0].reuse", "Read on configuration"},
	"in another case":      {`"include":{"dataSources":[{"name":"ORDERS","type":"json","settings":{"content":[]}}]},"dataSources":[{"reuse":"orders"}]`, "dataSources[0].reuse", "Read on data sources"},
	"global by a name":     {`"dataSources":[{"name":"l","type":"json","settings":{"content":{"$data.orders":1}}}]`, "dataSources[0].settings.content.$data.orders", "Read on data sources"},
	"style of a theme":     {`"include":{"themes":[{"name":"T","code":"t","externalCss":["secret.css"]}]}`, "include.themes[0].externalCss[0]", "Read on managed files"},
	"a managed picture":    {`"pages":[{"id":1,"name":"p","elements":[{"type":"img","props":{"imageUrl":"secret.png"}}]}]`, "pages[0].elements[0].props.imageUrl", "Read on managed files"},
	"any managed picture":  {`"pages":[{"id":1,"name":"p","elements":[{"type":"img","props":{"imageUrl":"{$params.p}"}}]}]`, "pages[0].elements[0].props.imageUrl", "Read on managed files"},
	"an attached document": {`"pages":[{"id":1,"name":"p","type":"document-merge","document":"terms.pdf"}]`, "pages[0].document", "Read on managed files"},
	"a template":           {`"template":"letter"`, "template", "Read on templates"},
	"a theme":              {`"theme":"harbour"`, "theme", "Read on themes"},
}

// Security A3: no role reaches through a definition what is kept from it.
func TestAReportNamesOnlyWhatItsAuthorReaches(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.narrowRoles(t)
	h.library(t)
	h.export.source = func(export.SourceRequest) (*export.SourceRun, error) { return &export.SourceRun{}, nil }
	stored := must[*store.ReportDefinition](t)(h.store.CreateReport(t.Context(), h.demo.ID, store.NewReport{Name: "Stored"}))
	one := fmt.Sprintf("/api/ui/ws/demo/reports/%d", stored.ID)
	for name, c := range newNames {
		t.Run(name, func(t *testing.T) {
			definition := `{"version":1,"name":"New",` + c.members + `}`
			for _, way := range []scenario{
				{name: "render", method: http.MethodPost, path: one + "/render", body: `{"definition":` + definition + `}`},
				{name: "run", method: http.MethodPost, path: one + "/run", body: `{"source":"q","definition":` + definition + `}`},
				{name: "save", method: http.MethodPut, path: one, body: definition, header: header("If-Match", `"1"`, "Content-Type", "application/json")},
				{name: "create", method: http.MethodPost, path: "/api/ui/ws/demo/reports", body: `{"definition":` + definition + `}`},
				{name: "create a copy", method: http.MethodPost, path: "/api/ui/ws/demo/reports", body: fmt.Sprintf(`{"from":%d,"definition":%s}`, stored.ID, definition)},
			} {
				way.who, way.status, way.has = "reports-only", 403, []string{`"path":"` + c.path + `"`, c.needs, "your role reports-only has No access"}
				h.check(t, way)
			}
		})
	}
	if d := must[*store.ReportDefinition](t)(h.store.ReportByIDOrType(t.Context(), h.demo.ID, fmt.Sprint(stored.ID))); d.Row.Revision != 1 {
		t.Error("something was saved")
	}
	// Who reaches it may name it.
	for name, c := range newNames {
		h.check(t, scenario{name: name, method: http.MethodPost, path: one + "/render", who: "all", body: `{"definition":{"version":1,"name":"New",` + c.members + `}}`, status: 200})
	}
}

// What somebody else attached stays, whatever is edited beside it; and it can be
// looked at in the designer.
func TestWhatIsAttachedStays(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.narrowRoles(t)
	h.library(t)
	h.export.source = func(export.SourceRequest) (*export.SourceRun, error) { return &export.SourceRun{}, nil }
	definition := func(title, query, more string) string {
		return fmt.Sprintf(`{"version":1,"name":"Stock","title":%q,"template":"letter","parameters":[{"reuse":"customer"}],
			"dataSources":[{"name":"q","type":"sql","settings":{"connection":"shop","query":%q}}%s],
			"pages":[{"id":1,"name":"{$data.orders}","elements":[{"type":"img","props":{"imageUrl":"secret.png"}}]}]}`, title, query, more)
	}
	made := h.send(t, "author", http.MethodPost, "/api/ui/ws/demo/reports", "", `{"definition":`+definition("First", "select 1", "")+`}`, 201)
	one := fmt.Sprintf("/api/ui/ws/demo/reports/%v", made["id"])
	own := `,{"name":"own","type":"json","settings":{"content":[]}}`
	h.send(t, "reports-only", http.MethodPut, one, `"1"`, definition("Second", "select 1", own), 200)
	h.send(t, "reports-only", http.MethodPost, one+"/render", "", `{"definition":`+definition("Third", "select 1", own)+`}`, 200)
	h.send(t, "reports-only", http.MethodPost, one+"/run", "", `{"source":"q","definition":`+definition("Third", "select 1", "")+`}`, 200)
	h.send(t, "reports-only", http.MethodPost, "/api/ui/ws/demo/reports", "", fmt.Sprintf(`{"from":%v}`, made["id"]), 201)
	h.sent(t, "reports-only", fmt.Sprintf("/ws/demo/reports/%v/duplicate", made["id"]), 303)
	// Another query of the same connection is another thing.
	for path, source := range map[string]string{"/render": "", "/run": `"source":"q",`} {
		h.check(t, scenario{method: http.MethodPost, path: one + path, who: "reports-only", body: `{` + source + `"definition":` + definition("Third", "select * from salaries", "") + `}`, status: 403, has: []string{`"path":"dataSources[0].settings.connection"`}})
	}
	h.send(t, "reports-only", http.MethodPut, one, `"2"`, definition("Third", "select * from salaries", ""), 403)
	// Nor does a name that was hidden by a source of the report's own become free.
	hidden := h.send(t, "author", http.MethodPost, "/api/ui/ws/demo/reports", "", `{"definition":{"version":1,"name":"H","title":"{$data.orders}","dataSources":[{"name":"orders","type":"json","settings":{"content":[]}}]}}`, 201)
	h.send(t, "reports-only", http.MethodPut, fmt.Sprintf("/api/ui/ws/demo/reports/%v", hidden["id"]), `"1"`, `{"version":1,"name":"H","title":"{$data.orders}"}`, 403)
}

// A report that goes to another workspace names what is there.
func TestAMovedReportIsJudgedWhereItGoes(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.library(t)
	other := must[[]store.Workspace](t)(h.store.Workspaces(t.Context(), h.users["root"]))
	to := other[slices.IndexFunc(other, func(w store.Workspace) bool { return w.Code == "other-house" })]
	role := must[*store.Role](t)(h.store.CreateRole(t.Context(), to.ID, store.Role{Name: "Writer", Levels: levels{store.Reports: store.Write}}))
	noError(t, h.store.SetMember(t.Context(), to.ID, h.users["administrator"].ID, role.ID))
	made := h.send(t, "administrator", http.MethodPost, "/api/ui/ws/demo/reports", "", `{"definition":{"version":1,"name":"M",`+newNames["a connection"].members+`}}`, 201)
	w := h.sent(t, "administrator", fmt.Sprintf("/ws/demo/reports/%v/move", made["id"]), 403, "workspace", fmt.Sprint(to.ID))
	if !strings.Contains(w.Body.String(), "your role Writer has No access") {
		t.Error(w.Body)
	}
	h.send(t, "administrator", http.MethodGet, fmt.Sprintf("/api/ui/ws/demo/reports/%v", made["id"]), "", "", 200)
}

// Sample pages draw what a template of the workspace shows, and nothing else.
func TestASpecimenShowsNothingElse(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.library(t)
	h.as(t, "templates-only", levels{store.Templates: store.Full, store.Themes: store.Full})
	render := func(status int, members string) {
		t.Helper()
		for _, kind := range []string{"templates", "themes"} {
			h.send(t, "templates-only", http.MethodPost, "/api/ui/ws/demo/"+kind+"/render", "", `{"definition":{"version":1,"name":"S",`+members+`}}`, status)
		}
	}
	render(200, `"template":"letter"`)
	render(403, newNames["a managed picture"].members)
	render(403, newNames["a lookup"].members)
	render(403, `"pages":[{"id":1,"name":"p","elements":[{"type":"subreport","props":{"report":"invoice"}}]}]`)
	paper := `{"name":"Paper","code":"paper","layouts":[{"header":[{"type":"img","props":{"imageUrl":"secret.png"}}]}]}`
	h.send(t, "templates-only", http.MethodPost, "/api/ui/ws/demo/templates", "", paper, 403)
	h.send(t, "administrator", http.MethodPost, "/api/ui/ws/demo/templates", "", paper, 201)
	render(200, `"include":{"templates":[`+paper+`]}`)
	style := `{"name":"Style","code":"style","externalCss":["secret.css"]}`
	h.send(t, "templates-only", http.MethodPost, "/api/ui/ws/demo/themes", "", style, 403)
	render(403, `"include":{"themes":[`+style+`]}`)
	h.send(t, "administrator", http.MethodPost, "/api/ui/ws/demo/themes", "", style, 201)
	render(200, `"include":{"themes":[`+style+`]}`)
}

// What the library holds is judged as well: a parameter asks a database.
func TestALibraryNamesOnlyWhatItsAuthorReaches(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.narrowRoles(t)
	h.library(t)
	const parameter = `{"name":"p","type":"lookup","lookupSource":{"type":"sql","settings":{"connection":"shop","query":"select * from salaries"}}}`
	h.check(t, scenario{method: http.MethodPost, path: "/api/ui/ws/demo/parameters", who: "no-data", body: parameter, status: 403, has: []string{`"path":"lookupSource.settings.connection"`, "Read on data sources"}})
	made := h.send(t, "all", http.MethodPost, "/api/ui/ws/demo/parameters", "", parameter, 201)
	one := fmt.Sprintf("/api/ui/ws/demo/parameters/%v", made["id"])
	h.send(t, "no-data", http.MethodPut, one, `"1"`, strings.Replace(parameter, `"name":"p"`, `"name":"p","label":"P"`, 1), 200)
	h.send(t, "no-data", http.MethodPut, one, `"2"`, strings.Replace(parameter, "salaries", "pensions", 1), 403)
}

// newJobNames are jobs that name one thing each.
var newJobNames = map[string]struct{ members, path, needs string }{
	"a connection":      {`"dataSources":[{"name":"q","type":"sql","settings":{"connection":"shop","query":"select * from salaries"}}],"repeat":"q"`, "dataSources[0].settings.connection", "Read on data sources"},
	"a reusable source": {`"dataSources":[{"reuse":"orders"}],"repeat":"orders"`, "dataSources[0].reuse", "Read on data sources"},
	"a delivery":        {`"deliveries":[{"type":"sftp","connection":"shop"}]`, "deliveries[0].connection", "Read on data sources"},
	"a signature":       {`"reports":[{"report":"9","signature":"shop"}]`, "reports[0].signature", "Read on data sources"},
	"a webhook":         {`"webhook":"shop"`, "webhook", "Read on data sources"},
	"a report":          {`"reports":[{"report":"invoice"}]`, "reports[0].report", "Read on reports"},
	"a report by ID":    {`"reports":[{"report":"2","includeAttachments":true}]`, "reports[0].report", "Read on reports"},
}

func TestAJobNamesOnlyWhatItsAuthorReaches(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.narrowRoles(t)
	h.library(t)
	h.withJobs()
	h.export.source = func(export.SourceRequest) (*export.SourceRun, error) {
		t.Error("a source was run")
		return &export.SourceRun{}, nil
	}
	const api, ui = "/api/v1/ws/demo/jobs", "/api/ui/ws/demo/jobs"
	old := h.send(t, "jobs-only", http.MethodPost, api, "", `{"name":"Old","code":"old","active":false}`, 201)
	for name, c := range newJobNames {
		t.Run(name, func(t *testing.T) {
			job := func(code string) string {
				return `{"name":"J","code":"` + code + `","active":true,` + c.members + `}`
			}
			for _, way := range []scenario{
				{name: "create", method: http.MethodPost, path: api, body: job("new")},
				{name: "put a new one", method: http.MethodPut, path: api + "/new", body: job("new")},
				{name: "put an old one", method: http.MethodPut, path: api + "/old", body: job("old")},
				{name: "create in the library", method: http.MethodPost, path: ui, body: job("new")},
				{name: "save in the library", method: http.MethodPut, path: fmt.Sprintf("%s/%v", ui, old["id"]), body: job("old"), header: header("If-Match", `"1"`, "Content-Type", "application/json")},
				{name: "run a source", method: http.MethodPost, path: ui + "/run", body: `{"source":"q","job":` + job("old") + `}`},
				{name: "look", method: http.MethodPost, path: ui + "/look", body: `{"job":` + job("old") + `}`},
				{name: "trial", method: http.MethodPost, path: ui + "/trial", body: `{"job":` + job("old") + `}`},
			} {
				way.who, way.status, way.has = "jobs-only", 403, []string{`"path":"` + c.path + `"`, c.needs, "your role jobs-only has No access"}
				h.check(t, way)
			}
			// The check says so, and nothing of what else there is.
			h.check(t, scenario{
				method: http.MethodPost, path: ui + "/check", who: "jobs-only", body: `{"job":` + job("old") + `}`, status: 200,
				has: []string{`"path":"` + c.path + `"`, c.needs}, lacks: []string{"is of type", "there is"},
			})
		})
	}
	for _, row := range must[[]store.JobRow](t)(h.store.Jobs(t.Context(), h.demo.ID)) {
		if row.Job.Name == "J" {
			t.Errorf("%+v was saved", row.Job)
		}
	}
}

// A job that somebody else has made can be edited; whoever starts it, now or by
// a schedule, may run its reports.
func TestAJobIsStartedByWhoMayRunItsReports(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.narrowRoles(t)
	h.library(t)
	h.withJobs()
	const job = `{"name":%q,"code":"sums","active":true,"dataSources":[{"name":"q","type":"json","settings":{"content":[{"a":1}]}},{"name":"s","type":"sql","settings":{"connection":"shop","query":"select 1"}}],"repeat":"q","reports":[{"report":"2"}],"deliveries":[{"type":"sftp","connection":"shop"}]%s}`
	id := h.send(t, "all", http.MethodPost, "/api/v1/ws/demo/jobs", "", fmt.Sprintf(job, "Sums", ""), 201)["id"]
	const one = "/api/v1/ws/demo/jobs/sums"
	h.send(t, "jobs-only", http.MethodPut, one, "", fmt.Sprintf(job, "All sums", ""), 200)
	for who, status := range map[string]int{"jobs-only": 403, "operator": 200} {
		h.send(t, who, http.MethodPost, one+"/runs", "", `{}`, status)
		h.sent(t, who, fmt.Sprintf("/ws/demo/jobs/%v/run", id), map[int]int{403: 403, 200: 303}[status])
	}
	const schedule = `{"kind":"daily","start":"2030-01-01T07:00"}`
	h.send(t, "jobs-only", http.MethodPut, one+"/schedule", "", schedule, 403)
	h.send(t, "jobs-only", http.MethodPut, one, "", fmt.Sprintf(job, "All sums", `,"schedule":`+schedule), 403)
	h.send(t, "operator", http.MethodPut, one+"/schedule", "", schedule, 200)
	h.send(t, "jobs-only", http.MethodPut, one, "", fmt.Sprintf(job, "Sums again", `,"schedule":`+schedule), 200)
	h.send(t, "jobs-only", http.MethodPut, one, "", strings.Replace(fmt.Sprintf(job, "Sums", ""), `"report":"2"`, `"report":"2","includeAttachments":true`, 1), 403)
	h.send(t, "jobs-only", http.MethodPost, "/api/ui/ws/demo/jobs/trial", "", `{"job":`+fmt.Sprintf(job, "Sums", "")+`,"delivery":0}`, 403)
	h.send(t, "jobs-only", http.MethodDelete, one+"/schedule", "", "", 204)
}

func TestChoicesTellOnlyWhatTheCallerSees(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.narrowRoles(t)
	h.library(t)
	const choices = "/api/ui/ws/demo/jobs/choices"
	h.check(t, scenario{path: choices, who: "operator", status: 200, has: []string{`"connections":[]`, `"name":"Invoice"`, `"code":"invoice"`}, lacks: []string{`"shop"`}})
	h.check(t, scenario{path: choices, who: "all", status: 200, has: []string{`"connections":[{"name":"shop"`}})
	h.check(t, scenario{path: choices, who: "jobs-only", status: 200, has: []string{`"connections":[]`, `"reports":[]`, `"types":[]`}})
	const parameters = "/api/ui/ws/demo/jobs/parameters?report="
	h.check(t, scenario{path: parameters + "invoice", who: "operator", status: 200})
	h.check(t, scenario{path: parameters + "invoice", who: "jobs-only", status: 404})
}

// Who may only read gets what a form needs, and no settings of sources, scripts
// or connections.
func TestReadersGetDefinitionsWithoutSettings(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.narrowRoles(t)
	h.library(t)
	h.withJobs()
	h.as(t, "jobs-reader", levels{store.Jobs: store.Read})
	h.as(t, "data-reader", levels{store.DataSources: store.Read, store.Configuration: store.Read, store.Templates: store.Read})
	const secret = `"settings":{"connection":"shop","query":"select salary"}`
	made := h.send(t, "author", http.MethodPost, "/api/ui/ws/demo/reports", "", `{"definition":{"version":1,"name":"Pay","title":"{$data.q.0.salary}",
		"parameters":[{"name":"year","type":"number","required":true,"default":2026},{"name":"who","type":"lookup","default":"{$data.q.0.salary}","lookupSource":{"type":"sql","dependencies":["$params.year"],`+secret+`}}],
		"dataSources":[{"name":"q","type":"sql",`+secret+`},{"name":"js","type":"javascript","settings":{"function":"() => salary()"}}],
		"include":{"dataSources":[{"name":"i","type":"sql",`+secret+`}]},
		"pages":[{"id":1,"name":"Staff","visible":"salary()","elements":[{"type":"data-table","props":{"source":"$data.q","columns":[{"renderer":"function","function":"v => salary()"}]}}]}]}}`, 201)
	one := fmt.Sprintf("/api/ui/ws/demo/reports/%v", made["id"])
	hidden := []string{"salary", "shop"}
	for _, who := range []string{"viewer", "operator"} {
		h.check(t, scenario{path: one, who: who, status: 200, lacks: hidden, has: []string{
			`"name":"Pay"`, `"revision":1`, `"name":"Staff"`, `"name":"year"`, `"required":true`, `"default":2026`, `"name":"who"`, `"dependencies":["$params.year"]`,
		}})
		h.check(t, scenario{path: one + "/versions", who: who, status: 403, lacks: hidden})
		h.check(t, scenario{path: one + "/versions/1", who: who, status: 403, lacks: hidden})
	}
	h.check(t, scenario{path: one, who: "author", status: 200, has: hidden})
	h.check(t, scenario{path: one + "/versions", who: "author", status: 200, has: []string{`"revision":1`}})

	job := `{"name":"Pay","code":"pay","dataSources":[{"name":"q","type":"sql",` + secret + `}],"parameters":[{"name":"p","type":"lookup","lookupSource":{"type":"sql",` + secret + `}}],
		"reports":[{"report":"2","fileName":"Slip","password":"salary"}],"deliveries":[{"type":"sftp","connection":"shop","settings":{"folder":"salary"}}],"webhook":"shop"}`
	h.send(t, "all", http.MethodPost, "/api/v1/ws/demo/jobs", "", job, 201)
	for who, seen := range map[string]bool{"jobs-reader": false, "jobs-only": true} {
		for _, path := range []string{"/api/v1/ws/demo/jobs/pay", "/api/ui/ws/demo/jobs"} {
			c := scenario{path: path, who: who, status: 200, has: []string{`"code":"pay"`, `"name":"q"`, `"fileName":"Slip"`, `"type":"sftp"`}}
			if seen {
				c.has = append(c.has, hidden...)
			} else {
				c.lacks = hidden
			}
			h.check(t, c)
		}
	}

	h.send(t, "administrator", http.MethodPost, "/api/ui/ws/demo/templates", "", `{"name":"Pay","code":"pay","layouts":[{"body":[{"type":"data-table","props":{"columns":[{"field":"a","renderer":"function","function":"v => salary()"}]}}]}]}`, 201)
	h.check(t, scenario{path: "/api/ui/ws/demo/templates", who: "viewer", status: 200, has: []string{`"code":"pay"`, `"field":"a"`}, lacks: hidden})
	h.check(t, scenario{path: "/api/ui/ws/demo/templates", who: "author", status: 200, has: []string{"salary()"}})
	for _, kind := range []string{"dataSources", "parameters"} {
		h.check(t, scenario{path: "/api/ui/ws/demo/" + kind, who: "data-reader", status: 200, has: []string{`"name":`}, lacks: []string{"shop", "select"}})
		h.check(t, scenario{path: "/api/ui/ws/demo/" + kind, who: "administrator", status: 200, has: []string{"shop", "select"}})
	}
}
