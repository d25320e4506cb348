package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/store"
)

// The tests of this file try every route that leads to what somebody made,
// against every kind of caller and of owner. What a caller may is said here once
// more, in other words than in the service.

// persons are what people may in the demo workspace; who is not in it may nothing.
var persons = map[string]struct {
	reports, jobs store.Level
	inside        bool
}{
	"root":          {store.Full, store.Full, true},
	"administrator": {store.Full, store.Full, true},
	"overseer":      {store.Full, store.None, true},
	"author":        {store.Write, store.None, true},
	"viewer":        {store.Read, store.None, true},
	"operator":      {store.Read, store.Full, true},
	"clerk":         {store.None, store.Read, true},
	"guest":         {store.None, store.None, true},
	"stranger":      {},
	"lonely":        {},
	"":              {}, // nobody
}

// Nonces of the viewer: one without a scope, used for the preview of an invoice;
// one whose scope names the thing; and one whose scope names another.
const (
	unscoped     = "a nonce without scope"
	scopedTo     = "a nonce with it in its scope"
	scopedBeside = "a nonce with another in its scope"
)

// The owners of things. Those of elsewhere are the caller's own in another
// workspace.
const (
	own       = "own"
	others    = "other's"
	elsewhere = "other workspace"
)

func everyCaller() []string {
	list := []string{unscoped, scopedTo, scopedBeside}
	for who := range persons {
		list = append(list, who)
	}
	return list
}

func isNonce(caller string) bool { return strings.HasPrefix(caller, "a nonce") }

// tally counts the cells of a table.
type tally struct{ tried, wronglyAllowed, wronglyRefused int }

// cell notes what came of one.
func (n *tally) cell(t *testing.T, what string, may bool, w *httptest.ResponseRecorder) {
	t.Helper()
	n.tried++
	refused := w.Code == 401 || w.Code == 403 || w.Code == 404 || w.Code == 303 && strings.Contains(w.Header().Get("Location"), "/sign-in")
	switch {
	case may && refused:
		n.wronglyRefused++
		t.Errorf("%s: refused with %d: %.200s", what, w.Code, w.Body)
	case !may && !refused:
		n.wronglyAllowed++
		t.Errorf("%s: allowed with %d", what, w.Code)
	}
}

func (n *tally) tell(t *testing.T, table string) {
	t.Helper()
	t.Logf("%s: tried / wrongly allowed / wrongly refused = %d / %d / %d", table, n.tried, n.wronglyAllowed, n.wronglyRefused)
	if n.tried == 0 {
		t.Error("nothing was tried")
	}
}

// withPersons adds the roles that the usual ones do not cover.
func (h *house) withPersons() {
	h.t.Helper()
	for name, levels := range map[string]map[store.Category]store.Level{"overseer": {store.Reports: store.Full}, "clerk": {store.Jobs: store.Read}} {
		role := must[*store.Role](h.t)(h.store.CreateRole(h.t.Context(), h.demo.ID, store.Role{Name: name, Levels: levels}))
		h.addMember(name, h.demo.ID, role.ID)
	}
}

// thing is what somebody made, or wants of it.
type thing struct {
	kind      string
	workspace int
	id        int
}

// ownerOf is the user who made the thing of a cell.
func ownerOf(caller, owner string) string {
	maker := caller
	if caller == "" || isNonce(caller) {
		maker = "viewer"
	}
	if owner != others {
		return maker
	}
	if maker == "author" {
		return "operator"
	}
	return "author"
}

func (h *house) makes(t *testing.T, kind, owner string, workspace int) thing {
	t.Helper()
	made := thing{kind, workspace, 0}
	user, ctx := h.users[owner].ID, t.Context()
	switch kind {
	case "export", "review document", "export under way":
		task := map[string]string{"export": store.ExportTask, "review document": store.ReviewTask, "export under way": store.ExportTask}[kind]
		made.id = must[int](t)(h.store.CreateExport(ctx, store.NewExport{
			WorkspaceID: workspace, UserID: user, Kind: task, Priority: store.Interactive, Lifetime: 10 * time.Hour, Report: map[string]string{store.ExportTask: "1"}[task],
		}))
		if kind != "export under way" {
			must[bool](t)(h.store.CompleteExport(ctx, made.id, store.Finished{Name: "a.pdf", ContentType: "application/pdf"}, strings.NewReader("%PDF")))
		}
	case "temporary data":
		id, _, err := h.store.PutTempData(ctx, workspace, user, noUpload())
		if err != nil {
			t.Fatal(err)
		}
		made.id = id
	case "report":
		types := must[[]store.ReportType](t)(h.store.ReportTypes(ctx, workspace))
		if len(types) == 0 { // the other workspace has none; its reports are asked for by a number of its own
			made.id = 987654
			break
		}
		made.id = must[*store.ReportDefinition](t)(h.store.CreateReport(ctx, workspace, store.NewReport{Name: "Made", Type: "invoice", Owner: user})).ID
	}
	return made
}

// mayDo says what a caller may do with a thing: see it, or remove it.
func mayDo(caller, owner string, made thing, removing bool) bool {
	if owner == elsewhere {
		return false
	}
	if isNonce(caller) {
		return caller == scopedTo && !removing && (owner == own || made.kind == "report") && made.kind != "export under way"
	}
	p := persons[caller]
	switch {
	case !p.inside:
		return false
	case made.kind == "temporary data":
		return owner == own && p.reports >= store.Read // and the report with it
	case owner == own:
		return true
	case made.kind == "report":
		return p.reports >= store.Read
	case made.kind == "review document" && removing:
		return p.jobs == store.Full
	case made.kind == "review document":
		return p.jobs >= store.Read
	}
	return p.reports == store.Full
}

// ownedRoutes are the routes to things: which kinds they take, and the address.
// One whose pattern names a thing and that is not here fails the test.
var ownedRoutes = []struct {
	pattern, address string // {id} is the thing's
	body             string
	kinds            []string
	removes          bool
}{
	{pattern: "GET /api/v1/ws/{workspaceId}/exports/{tempFileId}/status", address: "/api/v1/ws/demo/exports/{id}/status", kinds: []string{"export", "review document"}},
	{pattern: "GET /api/v1/ws/{workspaceId}/exports/{tempFileId}/content", address: "/api/v1/ws/demo/exports/{id}/content", kinds: []string{"export", "review document"}},
	{pattern: "DELETE /api/v1/ws/{workspaceId}/exports/{tempFileId}", address: "/api/v1/ws/demo/exports/{id}", kinds: []string{"export", "review document"}, removes: true},
	{pattern: "GET /ws/{workspaceId}/exports/{export}/file", address: "/ws/demo/exports/{id}/file", kinds: []string{"export", "review document"}},
	{pattern: "POST /ws/{workspaceId}/exports/{export}/cancel", address: "/ws/demo/exports/{id}/cancel", kinds: []string{"export under way"}, removes: true},
	{pattern: "GET /api/v1/ws/{workspaceId}/reports/{report}/pdf", address: "/api/v1/ws/demo/reports/invoice/pdf?tempDataId={id}", kinds: []string{"temporary data"}},
	{pattern: "GET /ws/{workspaceId}/reports/{report}/preview", address: "/ws/demo/reports/invoice/preview?tempDataId={id}", kinds: []string{"temporary data"}},
	{pattern: "GET /ws/{workspaceId}/reports/{report}/pdf", address: "/ws/demo/reports/invoice/pdf?tempDataId={id}", kinds: []string{"temporary data"}},
	{pattern: "GET /api/v1/ws/{workspaceId}/reports/{report}/pdf", address: "/api/v1/ws/demo/reports/{id}/pdf", kinds: []string{"report"}},
	{pattern: "POST /api/v1/ws/{workspaceId}/reports/{report}/pdf", address: "/api/v1/ws/demo/reports/{id}/pdf", body: "{}", kinds: []string{"report"}},
	{pattern: "POST /api/v1/ws/{workspaceId}/reports/{report}/export", address: "/api/v1/ws/demo/reports/{id}/export", body: "{}", kinds: []string{"report"}},
	{pattern: "GET /api/v1/ws/{workspaceId}/reports/{report}/pages", address: "/api/v1/ws/demo/reports/{id}/pages", kinds: []string{"report"}},
	{pattern: "GET /ws/{workspaceId}/reports/{report}/preview", address: "/ws/demo/reports/{id}/preview", kinds: []string{"report"}},
	{pattern: "GET /ws/{workspaceId}/reports/{report}/pdf", address: "/ws/demo/reports/{id}/pdf", kinds: []string{"report"}},
}

// credentials are what a caller shows to a route about a thing.
func (h *house) credentials(t *testing.T, caller string, made thing, need access.Need) http.Header {
	t.Helper()
	switch {
	case caller == "":
		return http.Header{}
	case caller == unscoped:
		return h.entered(t, previewPath, h.nonce("viewer"))
	case isNonce(caller):
		named := made
		if caller == scopedBeside {
			named = h.makes(t, made.kind, "viewer", h.demo.ID)
		}
		value, _, err := h.store.CreatePreviewSession(t.Context(), h.grant("viewer", scopeOf(h.demo.ID, named)))
		if err != nil {
			t.Fatal(err)
		}
		return header("Cookie", "quire_preview_1="+value)
	case need.Ways&access.Token != 0:
		return header("Authorization", "Bearer "+h.tokens[caller])
	}
	return header("Cookie", h.session(caller))
}

// scopeOf names a thing without asking whether the user may see it: that is to
// be refused when it is used.
func scopeOf(workspace int, named thing) store.Scope {
	scope := store.Scope{Settled: true, Workspace: workspace}
	switch named.kind {
	case "temporary data":
		scope.AllReports, scope.TempData = true, named.id
	case "report":
		scope.Reports = []int{named.id}
	default:
		scope.AllReports, scope.Exports = true, []int{named.id}
	}
	return scope
}

func TestEveryRouteAgainstEveryOwner(t *testing.T) {
	judges.Slow(t)
	t.Parallel()
	h := open(t)
	h.withUploads()
	h.withPersons()
	house := must[*store.Access](t)(h.store.Enter(t.Context(), h.users["root"], "other-house"))
	needs, leads := map[string]access.Need{}, regexp.MustCompile(`\{(tempFileId|export)`)
	for _, route := range h.routes {
		needs[nameOf(route)] = route.Need
	}
	known := map[string]bool{}
	var n tally
	for _, route := range ownedRoutes {
		need, exists := needs[route.pattern]
		if known[route.pattern] = true; !exists {
			t.Errorf("%s is no route", route.pattern)
			continue
		}
		method, _, _ := strings.Cut(route.pattern, " ")
		for _, kind := range route.kinds {
			for _, caller := range everyCaller() {
				for _, owner := range []string{own, others, elsewhere} {
					workspace := h.demo.ID
					if owner == elsewhere {
						workspace = house.Workspace.ID
					}
					made := h.makes(t, kind, ownerOf(caller, owner), workspace)
					may := mayDo(caller, owner, made, route.removes) && (!isNonce(caller) || need.Ways&access.Preview != 0)
					h.clock.Advance(100 * time.Millisecond) // the limit of requests goes by it
					w := h.do(scenario{
						method: method, path: strings.Replace(route.address, "{id}", strconv.Itoa(made.id), 1), body: route.body,
						header: h.credentials(t, caller, made, need),
					})
					n.cell(t, fmt.Sprintf("%s by %q, %s %s", route.pattern, caller, owner, kind), may, w)
				}
			}
		}
	}
	for name := range needs {
		if leads.MatchString(name) && !known[name] {
			t.Errorf("%s leads to what somebody made and is not in the table", name)
		}
	}
	n.tell(t, "exports, review documents, temporary data, reports")
}

// TestEveryRouteAgainstNonces: no route but those of previews takes a nonce or
// its cookie, with or without a scope.
func TestEveryRouteAgainstNonces(t *testing.T) {
	judges.Slow(t)
	t.Parallel()
	h := open(t, streamsEnd)
	var n tally
	all := `{"workspace":"demo","reports":"*","download":true}`
	for _, route := range h.routes {
		if route.Need.Open || route.Need.Ways&access.Preview != 0 {
			continue
		}
		for name, scope := range map[string]string{"without scope": "", "with the widest scope": all} {
			h.clock.Advance(100 * time.Millisecond)
			request, path := requestOf(route)
			request.Header.Set("Cookie", h.entered(t, previewPath, h.scoped(t, scope)).Get("Cookie"))
			w := httptest.NewRecorder()
			h.handler.ServeHTTP(w, request)
			n.cell(t, route.Method+" "+path+" with the cookie of a nonce "+name, false, w)

			request, path = requestOf(route)
			query := request.URL.Query()
			query.Set("nonce", h.scoped(t, scope))
			request.URL.RawQuery = query.Encode()
			w = httptest.NewRecorder()
			h.handler.ServeHTTP(w, request)
			n.cell(t, route.Method+" "+path+" with a nonce "+name, false, w)
		}
	}
	n.tell(t, "every other route with a nonce")
}

// TestEveryRouteOfRuns: all of a run takes Read on jobs, or Full to change it;
// whose run it is makes no difference, and no nonce opens it. What the queue
// works off has the rights of who asked, too.
func TestEveryRouteOfRuns(t *testing.T) {
	judges.Slow(t)
	t.Parallel()
	h := open(t, streamsEnd)
	h.withPersons()
	h.withJobs()
	run := h.startRun(t, "filed")
	id, err := strconv.Atoi(run)
	if err != nil {
		t.Fatal(err)
	}
	entries := must[[]store.JobEntry](t)(h.store.Entries(t.Context(), id, 0, 1))
	job, _, err := h.store.Job(t.Context(), h.demo.ID, "filed")
	if err != nil || len(entries) != 1 {
		t.Fatal(err, entries)
	}
	var n tally
	for _, route := range h.routes {
		if !strings.Contains(route.Path, "{jobRunId}") && !strings.Contains(route.Path, "{run:") {
			continue
		}
		if route.Method == http.MethodGet && strings.Contains(route.Path, "deliveries/{") {
			t.Fatalf("%s: make what it leads to", route.Path)
		}
		for _, caller := range everyCaller() {
			for workspace, inside := range map[string]bool{"demo": true, "other-house": false} {
				path := strings.NewReplacer("{workspaceId}", workspace, "{jobIdOrCode}", "filed", "{jobRunId}", run, "{job:[0-9]+}", strconv.Itoa(job), "{run:[0-9]+}", run,
					"{entry:[0-9]+}", strconv.Itoa(entries[0].ID), "{entryPosition}", "1", "{documentPosition}", "1", "{document:[0-9]+}", "1", "{position}", "1", "{delivery:[0-9]+}", "1").Replace(route.Path)
				request, _ := requestOf(route)
				request.URL.Path, request.RequestURI = path, path
				for name, values := range h.credentials(t, caller, thing{kind: "report", id: 1}, route.Need) {
					request.Header[name] = values
				}
				may := inside && !isNonce(caller) && persons[caller].jobs >= store.Read
				if route.Method != http.MethodGet {
					if may = may && persons[caller].jobs == store.Full; may {
						continue // what it changes is tested elsewhere
					}
				}
				h.clock.Advance(100 * time.Millisecond)
				w := httptest.NewRecorder()
				h.handler.ServeHTTP(w, request)
				n.cell(t, fmt.Sprintf("%s %s by %q", route.Method, path, caller), may, w)
			}
		}
	}
	n.tell(t, "runs")
}

// TestTheQueueHasTheRightsOfWhoAsked: temporary data is its maker's also when the
// export is made later.
func TestTheQueueHasTheRightsOfWhoAsked(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.withUploads()
	h.work()
	var n tally
	for _, caller := range []string{"root", "administrator", "author", "viewer", "operator"} {
		for _, owner := range []string{own, others} {
			made := h.makes(t, "temporary data", ownerOf(caller, owner), h.demo.ID)
			w := h.check(t, scenario{method: "POST", path: asyncPath, who: caller, body: fmt.Sprintf(`{"tempDataId":%d}`, made.id), status: 202})
			var started map[string]int
			if err := json.Unmarshal(w.Body.Bytes(), &started); err != nil {
				t.Fatal(err)
			}
			status := h.ended(t, caller, fmt.Sprintf("/api/v1/ws/demo/exports/%d", started["temporaryFileId"]))
			if n.tried++; strings.Contains(status, "Completed") != (owner == own) || owner == others && !strings.Contains(status, "does not exist") {
				n.wronglyAllowed++
				t.Errorf("%s with %s temporary data: %s", caller, owner, status)
			}
		}
	}
	n.tell(t, "temporary data in the queue")
}
