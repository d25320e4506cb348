package api

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

// refusal is a request that is refused, and the whole sentence that says why.
type refusal struct {
	name, method, path string
	who                string // default operator
	body               string
	header             http.Header
	status             int
	says               string
}

func (h *house) refuse(t *testing.T, cases []refusal) {
	t.Helper()
	for _, c := range cases {
		if c.who == "" {
			c.who = "operator"
		}
		w := h.do(scenario{method: c.method, path: c.path, who: c.who, body: c.body, header: c.header})
		var p struct {
			Status        int
			Error, Detail string
		}
		err := json.Unmarshal(w.Body.Bytes(), &p)
		if w.Code != c.status || p.Status != c.status || p.Error != c.says || p.Detail != c.says || err != nil {
			t.Errorf("%s: %s %s by %s with %q: %d %q; want %d %q", c.name, c.method, c.path, c.who, c.body, w.Code, p.Error, c.status, c.says)
		}
	}
}

// onEveryDatabase runs a test on SQLite, and on PostgreSQL with Redis.
func onEveryDatabase(t *testing.T, test func(t *testing.T, h *house)) {
	t.Run("SQLite", func(t *testing.T) { test(t, open(t)) })
	t.Run("PostgreSQL and Redis", func(t *testing.T) {
		test(t, openParts(t, store.Config{Database: migrated.Postgres(t, storetest.Postgres(t)), Redis: storetest.Redis(t)}))
	})
}

const demoPath = "/api/v1/ws/demo"

// asynchronous are endpoints 6 to 8 and 10 to 14, each with the place of its
// last ID, and what a missing one of those is called.
var asynchronous = []struct {
	method, path string
	who          string
	missing      string
}{
	{"GET", demoPath + "/exports/%s/status", "viewer", "export %q does not exist or has expired"},
	{"GET", demoPath + "/exports/%s/content", "viewer", "export %q does not exist or has expired"},
	{"POST", jobsPath + "/%s/runs", "operator", "job %q does not exist"},
	{"GET", jobsPath + "/filed/runs/%s/status", "operator", "run %q does not exist"},
	{"GET", jobsPath + "/%s/runs/1/status", "operator", "job %q does not exist"},
	{"POST", jobsPath + "/filed/runs/%s/generate-review-document", "operator", "run %q does not exist"},
	{"POST", jobsPath + "/%s/runs/1/generate-review-document", "operator", "job %q does not exist"},
	{"POST", jobsPath + "/filed/runs/%s/deliver", "operator", "run %q does not exist"},
	{"POST", jobsPath + "/%s/runs/1/deliver", "operator", "job %q does not exist"},
}

// TestMalformedIDs: whatever stands where an ID belongs is an ID of nothing.
func TestMalformedIDs(t *testing.T) {
	onEveryDatabase(t, func(t *testing.T, h *house) {
		h.withJobs()
		var cases []refusal
		for _, e := range asynchronous {
			for written, id := range map[string]string{
				"0": "0", "-1": "-1", "99999999999999999999": "99999999999999999999", "2147483648": "2147483648", "abc": "abc", "1.5": "1.5", "1e3": "1e3",
				"+1": "+1", "0x1": "0x1", "%201": " 1", "1%00": "1\x00", "%2e%2e": "..", "1;2": "1;2", "١": "١", "%F0%9F%92%A5": "💥", "1%27--": "1'--",
			} {
				cases = append(cases, refusal{name: "malformed", method: e.method, path: fmt.Sprintf(e.path, written), who: e.who, status: 404, says: fmt.Sprintf(e.missing, id)})
			}
			for _, trick := range []string{"..%2F1", "1%2F..%2F2", "%2Fetc%2Fpasswd"} {
				cases = append(cases, refusal{name: "a trick", method: e.method, path: fmt.Sprintf(e.path, trick), who: e.who, status: 404, says: "there is nothing at this address"})
			}
		}
		for written, says := range map[string]string{
			"0": "report 0 does not exist", "-1": `there is no report type "-1" with a default report`, "99999999999999999999": "report 99999999999999999999 does not exist",
			"abc": `there is no report type "abc" with a default report`, "1.5": `report "1.5" does not exist`, "%2e%2e": `report ".." does not exist`, "..%2F1": "there is nothing at this address",
		} {
			cases = append(cases, refusal{name: "a report", method: "POST", path: demoPath + "/reports/" + written + "/export", body: "{}", status: 404, says: says})
		}
		for written, says := range map[string]string{"0": "workspace 0 does not exist", "99999999999999999999": "workspace 99999999999999999999 does not exist", "nowhere": "workspace nowhere does not exist", "1.5": `workspace "1.5" does not exist`} {
			cases = append(cases, refusal{name: "a workspace", method: "GET", path: "/api/v1/ws/" + written + "/jobs", status: 404, says: says})
		}
		h.refuse(t, cases)
	})
}

// TestForeignExportsAndRuns: what belongs to another workspace, or to one in
// which the caller has no role, is not there; a role that may not do it says so.
func TestForeignExportsAndRuns(t *testing.T) {
	onEveryDatabase(t, func(t *testing.T, h *house) {
		h.withJobs()
		run := h.startRun(t, "filed")
		export := h.begin(t, "author", "{}")
		h.ended(t, "author", export)
		id := export[strings.LastIndex(export, "/")+1:]
		type endpoint struct{ method, path, level string }
		jobs := []endpoint{
			{"GET", "/jobs", "Read"},
			{"POST", "/jobs/filed/runs", "Full"},
			{"GET", "/jobs/filed/runs/" + run + "/status", "Read"},
			{"POST", "/jobs/filed/runs/" + run + "/generate-review-document", "Full"},
			{"POST", "/jobs/filed/runs/" + run + "/deliver", "Full"},
		}
		exports := []endpoint{{method: "POST", path: "/reports/invoice/export"}, {method: "GET", path: "/exports/" + id + "/status"}, {method: "GET", path: "/exports/" + id + "/content"}}
		var cases []refusal
		for _, e := range append(jobs, exports...) {
			cases = append(cases,
				refusal{name: "of another workspace", method: e.method, path: demoPath + e.path, who: "stranger", status: 404, says: "workspace demo does not exist"},
				refusal{name: "of none", method: e.method, path: demoPath + e.path, who: "lonely", status: 404, says: "workspace demo does not exist"},
				refusal{name: "elsewhere", method: e.method, path: "/api/v1/ws/other-house" + e.path, who: "operator", status: 404, says: "workspace other-house does not exist"})
		}
		for _, e := range jobs {
			for who, role := range map[string]string{"viewer": "Viewer", "author": "Author"} {
				cases = append(cases, refusal{name: "role", method: e.method, path: demoPath + e.path, who: who, status: 403, says: fmt.Sprintf("this needs a role with %s on jobs; your role %s has No access", e.level, role)})
			}
		}
		for _, e := range jobs[1:] {
			cases = append(cases, refusal{name: "root elsewhere", method: e.method, path: "/api/v1/ws/other-house" + e.path, who: "root", status: 404, says: `job "filed" does not exist`})
		}
		for _, e := range exports[1:] {
			cases = append(cases,
				refusal{name: "root elsewhere", method: e.method, path: "/api/v1/ws/other-house" + e.path, who: "root", status: 404, says: "export " + id + " does not exist or has expired"},
				refusal{name: "not one's own", method: e.method, path: demoPath + e.path, who: "guest", status: 404, says: "export " + id + " does not exist or has expired"})
		}
		for _, e := range jobs[2:] {
			other := strings.Replace(e.path, "filed", "monthly-statements", 1)
			cases = append(cases, refusal{name: "of another job", method: e.method, path: demoPath + other, status: 404, says: "run " + run + " does not exist"})
		}
		h.refuse(t, cases)
	})
}

// TestWrongBodies: a value of the wrong type is refused, by its name.
func TestWrongBodies(t *testing.T) {
	onEveryDatabase(t, func(t *testing.T, h *house) {
		h.withJobs()
		runs := jobsPath + "/filed/runs"
		var cases []refusal
		for body, says := range map[string]string{
			`[]`:                       "the body must be a JSON object, not a list",
			`1`:                        "the body must be a JSON object, not the number 1",
			`"x"`:                      `the body must be a JSON object, not "x"`,
			`{`:                        "the JSON ends too early, at byte 1",
			`{"a":1}{"b":2}`:           "text after the end of the JSON value at byte 8",
			`{"params":[1]}`:           "params: must be an object, not a list",
			`{"params":5}`:             "params: must be an object, not the number 5",
			`{"params":"x"}`:           `params: must be an object as JSON text, or base64 of it, not "x"`,
			`{"data":true}`:            "data: must be an object, not true",
			`{"params":1,"data":true}`: "params: must be an object, not the number 1 (and 1 more)",
		} {
			cases = append(cases,
				refusal{name: "a run", method: "POST", path: runs, body: body, status: 400, says: says},
				refusal{name: "an export", method: "POST", path: asyncPath, body: body, status: 400, says: says})
		}
		for body, says := range map[string]string{
			`{"tempDataId":"x"}`:             `tempDataId: must be a whole number within 32 bits, not "x"`,
			`{"tempDataId":-1}`:              "tempDataId: must be the number that an upload of temporary data gave, not -1",
			`{"timezone":"Mars/Olympus"}`:    `timezone: unknown time zone "Mars/Olympus"; use an IANA name such as Europe/Berlin`,
			`{"format":"odt"}`:               `format: unknown format "odt"; accepted: pdf, html, docx, xlsx, pptx`,
			`{"includeAttachments":"maybe"}`: `includeAttachments: must be true or false, not "maybe"`,
			`{"accessible":{}}`:              "accessible: must be true or false, not an object",
			`{"excludePages":5}`:             "excludePages: must be a list of whole numbers, not the number 5",
			`{"excludePages":["a"]}`:         `excludePages[0]: must be a whole number within 32 bits, not "a"`,
			`{"template":[]}`:                "template: must be text, not a list",
		} {
			cases = append(cases, refusal{name: "an option", method: "POST", path: asyncPath, body: body, status: 400, says: says})
		}
		h.refuse(t, append(cases,
			refusal{name: "a form", method: "POST", path: runs, body: "a=1", header: header("Content-Type", "application/x-www-form-urlencoded"), status: 415, says: `Content-Type "application/x-www-form-urlencoded" is not accepted; accepted: application/json`},
			refusal{name: "another method", method: "PUT", path: runs, body: "{}", status: 405, says: "PUT is not accepted here; accepted: GET, HEAD, POST"},
			refusal{name: "a status is read", method: "DELETE", path: demoPath + "/exports/1/status", status: 405, says: "DELETE is not accepted here; accepted: GET, HEAD"},
			refusal{name: "a long key", method: "POST", path: runs, body: "{}", header: header("Idempotency-Key", strings.Repeat("k", 201)), status: 400, says: "Idempotency-Key: expected length <= 200"},
		))
	})
}

// TestTooEarlyTooLateAndTwice: what is asked for at the wrong time.
func TestTooEarlyTooLateAndTwice(t *testing.T) {
	onEveryDatabase(t, func(t *testing.T, h *house) {
		h.withJobs()
		run := h.startRun(t, "filed")
		review := h.startRun(t, "monthly-statements")
		finished := h.begin(t, "author", "{}")
		h.ended(t, "author", finished)
		let := make(chan struct{})
		h.export.mu.Lock()
		h.export.export = func(export.Request) (*export.File, error) {
			<-let
			return newFile("late.pdf", "application/pdf", "%PDF"), nil
		}
		h.export.mu.Unlock()
		waiting := h.begin(t, "author", "{}")
		number := func(path string) string { return path[strings.LastIndex(path, "/")+1:] }
		h.refuse(t, []refusal{
			{name: "too early", method: "GET", path: waiting + "/content", who: "author", status: 400, says: "export " + number(waiting) + " is not ready yet; ask for its status until isReady is true"},
			{name: "without review", method: "POST", path: jobsPath + "/filed/runs/" + run + "/deliver", status: 400, says: `job "Filed" needs no review: its entries are delivered by themselves`},
			{name: "inactive", method: "POST", path: jobsPath + "/resting/runs", body: "{}", status: 400, says: `job "Resting" is not active; activate it to run it`},
			{name: "unknown", method: "POST", path: jobsPath + "/quarterly/runs", body: "{}", status: 404, says: `job "quarterly" does not exist`},
			{name: "unknown by ID", method: "POST", path: jobsPath + "/4711/runs", body: "{}", status: 404, says: `job "4711" does not exist`},
		})
		close(let)
		h.ended(t, "author", waiting)

		deliver := scenario{method: "POST", path: jobsPath + "/monthly-statements/runs/" + review + "/deliver", who: "operator", status: 200}
		for _, n := range []string{`{"delivered":2}`, `{"delivered":0}`, `{"delivered":0}`} {
			deliver.has = []string{n}
			h.check(t, deliver)
		}
		h.sameKey(t)
		h.clock.Advance(24 * time.Hour)
		for _, path := range []string{finished, waiting} {
			for _, part := range []string{"/status", "/content"} {
				h.refuse(t, []refusal{{name: "expired", method: "GET", path: path + part, who: "author", status: 404, says: "export " + number(path) + " does not exist or has expired"}})
			}
		}
	})
}

// sameKey sends keys twice: for the same the answer is the same, for something
// else it is refused.
func (h *house) sameKey(t *testing.T) {
	t.Helper()
	const used = "Idempotency-Key: this key was used for another request; use a new key for each request"
	for path, success := range map[string]int{jobsPath + "/filed/runs": 200, asyncPath: 202} {
		key := header("Idempotency-Key", "order-4711")
		first := h.check(t, scenario{method: "POST", path: path, who: "operator", body: `{"params":{"n":1}}`, header: key, status: success}).Body.String()
		again := h.check(t, scenario{method: "POST", path: path, who: "operator", body: `{"params":{"n":1}}`, header: key, status: success}).Body.String()
		if first != again {
			t.Errorf("%s: sent again: %s; want %s", path, again, first)
		}
		h.refuse(t, []refusal{{name: "a key for something else", method: "POST", path: path, body: `{"params":{"n":2}}`, header: key, status: 409, says: used}})
	}
}

// startRun starts a run and waits until it has finished.
func (h *house) startRun(t *testing.T, job string) string {
	t.Helper()
	body := h.check(t, scenario{method: "POST", path: jobsPath + "/" + job + "/runs", who: "operator", body: "{}", status: 200}).Body.String()
	id := strconv.Itoa(member(t, body, "jobRunId"))
	h.runStatus(t, jobsPath+"/"+job+"/runs/"+id)
	return id
}

// TestDeletedExports: a file that was swept is as gone as one that never was.
func TestDeletedExports(t *testing.T) {
	onEveryDatabase(t, func(t *testing.T, h *house) {
		h.work()
		path := h.begin(t, "author", "{}")
		h.ended(t, "author", path)
		h.clock.Advance(24 * time.Hour)
		if swept, err := h.store.Sweep(t.Context()); err != nil || swept.Contents != 1 {
			t.Fatalf("%+v %v", swept, err)
		}
		id := path[strings.LastIndex(path, "/")+1:]
		says := "export " + id + " does not exist or has expired"
		h.refuse(t, []refusal{
			{name: "status", method: "GET", path: path + "/status", who: "author", status: 404, says: says},
			{name: "content", method: "GET", path: path + "/content", who: "author", status: 404, says: says},
		})
		_ = filepath.WalkDir(filepath.Join(h.contents, "exports"), func(path string, d fs.DirEntry, _ error) error {
			if d != nil && !d.IsDir() {
				t.Errorf("the content is still there: %s", path)
			}
			return nil
		})
	})
}
