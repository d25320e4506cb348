package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const newJob = `{"name":"Nightly","code":"nightly","active":true,"timezone":"Europe/Belgrade","reports":[{"report":"invoice","params":{"rate":0.10}}],` +
	`"schedule":{"kind":"monthly","start":"2026-01-01T07:00","which":"last","weekday":"friday"}}`

// TestJobsOverTheAPI makes a job, changes it and its schedule, and deletes it.
func TestJobsOverTheAPI(t *testing.T) {
	h := open(t)
	h.withJobs()
	job := func(name, method, path, body string, status int, has ...string) scenario {
		return scenario{name: name, method: method, path: jobsPath + path, who: "operator", body: body, status: status, has: has}
	}
	match := func(c scenario, tag string) scenario {
		c.header = header("If-Match", tag)
		return c
	}
	made := h.check(t, scenario{method: "POST", path: jobsPath, who: "operator", body: newJob, status: http.StatusCreated, answer: map[string]string{"ETag": `"1"`}}).Body.String()
	id := fmt.Sprint("/", member(t, made, "id"))
	h.run([]scenario{
		job("it is read by its code", "GET", "/NIGHTLY", "", 200, `"revision":1`, `"rate":0.10`, `"nextRunTimes":["20`, `"problems":[]`),
		job("it is read by its ID", "GET", id, "", 200, `"code":"nightly"`),
		job("there is one already", "POST", "", newJob, 409, `there is a job \"nightly\" already`),
		job("a misspelled member", "POST", "", strings.Replace(newJob, `"active"`, `"activ"`, 1), 400, "activ"),
		job("a schedule on no day", "POST", "", strings.Replace(newJob, "monthly", "fortnightly", 1), 400, "schedule.kind", "monthly"),
		match(job("a change of what was read", "PUT", "/nightly", strings.Replace(newJob, "Nightly", "Every night", 1), 200, `"revision":2`, "Every night"), `"1"`),
		match(job("a change of what was changed since", "PUT", "/nightly", newJob, 409, "has saved this job meanwhile: it is at revision 2, and your changes are based on 1"), `"1"`),
		match(job("a change of no revision", "PUT", "/nightly", newJob, 400, "If-Match"), "soon"),
		job("a change of whatever there is", "PUT", "/nightly", newJob, 200, `"revision":3`),
		job("a job made by its address", "PUT", "/weekly", strings.Replace(newJob, `"code":"nightly"`, `"code":"weekly"`, 1), 201, `"revision":1`),
		job("another code than the address", "PUT", "/daily", newJob, 400, "code", `must be \"daily\"`),
		job("a report that there is not, yet", "PUT", "/nightly", strings.Replace(newJob, "\"report\":\"", "\"report\":\"un", 1), 200,
			`"problems":[{"path":"reports[0].report","message":"there is no report \"un`),
		job("a job that is not there by ID", "PUT", "/99999", newJob, 404),
		job("its schedule", "GET", "/nightly/schedule", "", 200, `"which":"last"`, `"timezone":"Europe/Belgrade"`, `"nextRunTimes":["20`),
		job("another schedule", "PUT", "/nightly/schedule", `{"kind":"cron","cron":"0 7 * * 1"}`, 200, `"cron":"0 7 * * 1"`),
		job("a schedule that is none", "PUT", "/nightly/schedule", `{"kind":"cron","cron":"0 7"}`, 400, "cron", "minute, hour, day of month"),
		job("no schedule", "DELETE", "/nightly/schedule", "", 204),
		job("the schedule is gone, all else is there", "GET", "/nightly", "", 200, `"rate":0.10`, `"nextRunTimes":[]`),
		job("no run yet", "GET", "/nightly/runs", "", 200, "[]"),
		{name: "a viewer makes none", method: "POST", path: jobsPath, who: "viewer", body: newJob, status: 403},
		job("it is deleted", "DELETE", "/nightly", "", 204),
		job("it is gone", "DELETE", "/nightly", "", 404),
	})
}

// TestRunsOverTheAPI looks into a run and cancels one.
func TestRunsOverTheAPI(t *testing.T) {
	h := open(t)
	h.withJobs()
	started := h.check(t, scenario{method: "POST", path: jobsPath + "/monthly-statements/runs", who: "operator", body: "{}", status: 200}).Body.String()
	path := fmt.Sprintf("%s/monthly-statements/runs/%d", jobsPath, member(t, started, "jobRunId"))
	h.runStatus(t, path)
	get := func(name, path string, status int, has ...string) scenario {
		return scenario{name: name, path: path, who: "operator", status: status, has: has}
	}
	h.run([]scenario{
		get("runs", jobsPath+"/monthly-statements/runs", 200, `"finished":true`, `"entries":2`, `"endTime":"20`),
		get("entries", path+"/entries", 200, `"position":2,"state":"review"`, `"name":"Bojan.pdf"`),
		get("entries of a page", path+"/entries?after=1&limit=1", 200, `[{"position":2`),
		get("entries in no state", path+"/entries?state=lost", 400, "state", "review"),
		get("failed entries", path+"/entries?state=error", 200, "[]"),
		get("entries of no run", jobsPath+"/monthly-statements/runs/999/entries", 404),
		get("entries of another job's run", strings.Replace(path, "monthly-statements", "filed", 1)+"/entries", 404),
		{name: "what waits for its review is cancelled", method: "POST", path: path + "/cancel", who: "operator", status: 200, has: []string{`{"cancelled":2,"underWay":0}`}},
		{name: "nothing is left to cancel", method: "POST", path: path + "/cancel", who: "operator", status: 200, has: []string{`{"cancelled":0,"underWay":0}`}},
		{name: "a viewer cancels nothing", method: "POST", path: path + "/cancel", who: "viewer", status: 403},
	})
}

// TestDecisionsOverTheAPI: entries are approved, rejected and made anew, and
// their documents fetched, with a token.
func TestDecisionsOverTheAPI(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.withJobs()
	started := h.check(t, scenario{method: "POST", path: jobsPath + "/monthly-statements/runs", who: "operator", body: "{}", status: 200}).Body.String()
	path := fmt.Sprintf("%s/monthly-statements/runs/%d", jobsPath, member(t, started, "jobRunId"))
	h.runStatus(t, path)
	post := func(name, path, body string, status int, has ...string) {
		t.Helper()
		h.check(t, scenario{name: name, method: "POST", path: path, who: "operator", body: body, status: status, has: has})
	}
	get := func(path string, status int, has ...string) *httptest.ResponseRecorder {
		t.Helper()
		return h.check(t, scenario{path: path, who: "operator", status: status, has: has})
	}
	get(path+"/entries/2", 200, `"position":2,"state":"review"`)
	get(path+"/entries/3", 404, "no entry 3")
	if got := get(path+"/entries/1/documents/1", 200).Header().Get("Content-Disposition"); !strings.Contains(got, "Ana.pdf") {
		t.Errorf("the document is sent as %q", got)
	}
	get(path+"/entries/1/documents/9", 404, "no document 9")
	h.check(t, scenario{name: "a document for an author", path: path + "/entries/1/documents/1", who: "author", status: 403})
	if got := get(path+"/entries?limit=1", 200, `"position":1`).Header().Get("Link"); got != `<?after=1&limit=1&state=>; rel="next"` {
		t.Errorf("the next page is %q", got)
	}
	if got := get(path+"/entries?after=1&limit=1", 200, `"position":2`).Header().Get("Link"); got != "" {
		t.Errorf("after the last page comes %q", got)
	}
	post("no such entry", path+"/entries/approve", `{"positions":[3]}`, 404)
	post("no list", path+"/entries/approve", `{"positions":"1"}`, 400, "positions")
	post("no definition", path+"/entries/regenerate", `{"definition":"old"}`, 400, "accepted: run, current")
	post("one is rejected", path+"/entries/reject", `{"positions":[2],"reason":"wrong address"}`, 200, `{"entries":1}`)
	post("it was before", path+"/entries/reject", `{"positions":[2]}`, 200, `{"entries":0}`)
	post("approved in spite of it", path+"/entries/approve", `{"positions":[1,2]}`, 409, "entry 2 is rejected")
	if got := h.runStatus(t, path); !strings.Contains(got, `"review":1,"completed":0,"errors":1,"delivering":0,"rejected":1`) {
		t.Error(got)
	}
	post("made anew", path+"/entries/regenerate", `{"positions":[2],"definition":"current"}`, 200, `{"entries":1}`)
	h.runStatus(t, path)
	post("nothing is uncertain", path+"/entries/resend", "", 200, `{"entries":0}`)
	post("nothing failed of it", path+"/entries/retry", `{"positions":[1]}`, 409, "entry 1 is review")
	post("none is approved", path+"/entries/approve", `{"positions":[]}`, 200, `{"entries":0}`)
	post("all are approved", path+"/entries/approve", "", 200, `{"entries":2}`)
	post("they were before", path+"/entries/approve", `{"positions":[1,2]}`, 200, `{"entries":0}`)
	if got := h.runStatus(t, path); !strings.Contains(got, `"completed":2`) {
		t.Error(got)
	}
	post("no delivery of the run", path+"/deliveries/1/mark-delivered", "", 409, "not of the run as a whole")
	h.check(t, scenario{name: "a viewer decides nothing", method: "POST", path: path + "/entries/approve", who: "viewer", body: "{}", status: 403})
	for range 2 {
		h.check(t, scenario{method: "POST", path: jobsPath + "/monthly-statements/runs", who: "operator", body: "{}", status: 200})
	}
	runs := jobsPath + "/monthly-statements/runs"
	seen := map[int]bool{}
	for next := "?limit=1"; next != ""; {
		w := get(runs+next, 200)
		var page []struct{ JobRunID int }
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || len(page) != 1 || seen[page[0].JobRunID] {
			t.Fatalf("%v in %s", err, w.Body)
		}
		seen[page[0].JobRunID] = true
		_, next, _ = strings.Cut(w.Header().Get("Link"), "<")
		next, _, _ = strings.Cut(next, ">")
	}
	if len(seen) != 3 {
		t.Errorf("runs by pages: %v", seen)
	}
}

// TestExportsAreListed: one's own, by pages.
func TestExportsAreListed(t *testing.T) {
	t.Parallel()
	h := open(t)
	for range 3 {
		h.check(t, scenario{method: "POST", path: "/api/v1/ws/demo/reports/invoice/export", who: "viewer", body: "{}", status: 202})
	}
	w := h.check(t, scenario{path: "/api/v1/ws/demo/exports?limit=2", who: "viewer", status: 200, has: []string{`"status":"`, `"startTime":"20`}})
	next, isNext := strings.CutSuffix(strings.TrimPrefix(w.Header().Get("Link"), "<"), `&limit=2>; rel="next"`)
	if !isNext || !strings.HasPrefix(next, "?before=") {
		t.Fatalf("the next page is %q", w.Header().Get("Link"))
	}
	for _, query := range []string{next, "?offset=2"} {
		var page []struct{ ID int }
		if err := json.Unmarshal(h.check(t, scenario{path: "/api/v1/ws/demo/exports" + query + "&limit=2", who: "viewer", status: 200}).Body.Bytes(), &page); err != nil || len(page) != 1 {
			t.Errorf("%s: %v %v", query, page, err)
		}
	}
	h.check(t, scenario{path: "/api/v1/ws/demo/exports?before=yesterday", who: "viewer", status: 400, has: []string{`"path":"before"`}})
	h.check(t, scenario{name: "those of others", path: "/api/v1/ws/demo/exports", who: "root", status: 200, has: []string{"[]"}})
}
