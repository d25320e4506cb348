package api

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
	"github.com/quire-reports/quire/store"
)

// rows stands in for the loading of data, which is tested where it happens.
type rows struct {
	mu    sync.Mutex // workers ask side by side
	given export.BatchRequest
}

func (*rows) Check(*report.Report) report.Problems { return nil }

func (*rows) CheckUse(context.Context, int, *report.JobReport) (report.Problems, error) {
	return nil, nil
}

func (*rows) CheckRun(context.Context, export.BatchRequest) error { return nil }

func (*rows) JobNames(_ context.Context, _ int, job *report.Job) (names export.JobNames, _ report.Problems, _ error) {
	for _, source := range job.DataSources {
		names.Sources = append(names.Sources, source.Name)
	}
	for _, p := range job.Parameters {
		names.Parameters = append(names.Parameters, p.Name)
	}
	return names, nil, nil
}

func (r *rows) LoadBatch(_ context.Context, req export.BatchRequest) (*export.Batch, error) {
	r.mu.Lock()
	r.given = req
	r.mu.Unlock()
	list := []any{report.ObjectOf("name", "Ana"), report.ObjectOf("name", "Bojan")}
	return &export.Batch{Params: req.Params, Data: report.ObjectOf("customers", list)}, nil
}

func (*rows) Texts(_ context.Context, req export.TextRequest) (*text.Env, error) {
	return &text.Env{Scope: req.Lookup}, nil
}

func (*rows) Join(_ context.Context, title string, _ time.Time, chapters []export.Chapter) (*export.File, error) {
	names := title
	for _, c := range chapters {
		names += "\n" + c.Title
	}
	return export.NewFile("Review.pdf", "application/pdf", []byte("%PDF "+names)), nil
}

func (*rows) Archive(_ context.Context, title string, _ time.Time, files []report.Document) (*export.File, error) {
	return export.NewFile(title+".zip", "application/zip", []byte(fmt.Sprint(len(files)))), nil
}

// withJobs puts jobs into the demo workspace and works on what is queued.
func (h *house) withJobs() *rows {
	h.t.Helper()
	batch := h.withIdleJobs()
	h.work()
	return batch
}

// withIdleJobs puts jobs into the demo workspace; what is queued waits.
func (h *house) withIdleJobs() *rows {
	h.t.Helper()
	for _, doc := range []string{
		`{"name":"Statements","code":"monthly-statements","description":"To customers","active":true,"reviewRequired":true,"repeat":"customers",
		  "dataSources":[{"name":"customers","type":"json","settings":{"content":"[]"}}],
		  "reports":[{"report":"invoice","fileName":"{$record.name}"}]}`,
		`{"name":"Resting","code":"resting","reports":[{"report":"invoice"}]}`,
		`{"name":"Filed","code":"filed","active":true,"reports":[{"report":"invoice","fileName":"All"}]}`,
	} {
		if _, err := h.store.CreateResource(h.t.Context(), h.demo.ID, store.JobKind, []byte(doc)); err != nil {
			h.t.Fatal(err)
		}
	}
	batch := &rows{}
	h.jobs = jobs.New(jobs.Config{Store: h.store, Export: h.export, Batch: batch, Clock: h.clock.Now, Poll: 5 * time.Millisecond})
	h.handler, h.routes = build(Config{Store: h.store, Export: h.export, Jobs: h.jobs, Clock: h.clock.Now})
	return batch
}

const jobsPath = "/api/v1/ws/demo/jobs"

// member reads an integer of an answer.
func member(t *testing.T, body, name string) int {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(body), &m); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	n, _ := m[name].(float64)
	return int(n)
}

func (h *house) runStatus(t *testing.T, path string) string {
	t.Helper()
	for begin := time.Now(); time.Since(begin) < 20*time.Second; time.Sleep(25 * time.Millisecond) {
		body := h.check(t, scenario{path: path + "/status", who: "operator", status: 200, answer: map[string]string{"Cache-Control": "no-store"}}).Body.String()
		if strings.Contains(body, `"finished":true`) {
			return strings.TrimSpace(body)
		}
	}
	t.Fatal("the run does not finish")
	return ""
}

// TestJobs goes the way of a client: list, run, poll, review, deliver.
func TestJobs(t *testing.T) {
	h := open(t)
	batch := h.withJobs()
	list := h.check(t, scenario{path: jobsPath, who: "operator", status: 200, has: []string{
		`"name":"Statements","description":"To customers","code":"monthly-statements","reviewRequired":true,"isActive":true,"lastRunTime":null}`,
		`"name":"Resting","description":"","code":"resting","reviewRequired":false,"isActive":false,"lastRunTime":null}`,
	}}).Body.String()
	var listed []struct{ ID int }
	if err := json.Unmarshal([]byte(list), &listed); err != nil || len(listed) != 3 {
		t.Fatalf("%v in %s", err, list)
	}

	begun := h.clock.Now()
	started := h.check(t, scenario{method: "POST", path: jobsPath + "/Monthly-Statements/runs", who: "operator", body: `{"params":{"year":2026.10},"data":{"x":null}}`, status: 200}).Body.String()
	run := member(t, started, "jobRunId")
	path := fmt.Sprintf("%s/%d/runs/%d", jobsPath, listed[0].ID, run)
	if got, want := h.runStatus(t, path), `{"finished":true,"entries":2,"status":{"queued":0,"review":2,"completed":0,"errors":0,"delivering":0,"rejected":0},"cancelled":false,"errorMessage":null}`; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	if h.jsonOf(batch.given.Params) != `{"year":2026.10}` || h.jsonOf(batch.given.Data) != `{"x":null}` {
		t.Errorf("asked for %+v", batch.given)
	}
	h.check(t, scenario{path: jobsPath, who: "operator", status: 200, has: []string{`"lastRunTime":"` + begun.UTC().Format("2006-01-02T15:04:05.000Z") + `"`}})

	review := h.check(t, scenario{method: "POST", path: path + "/generate-review-document", who: "operator", status: 202}).Body.String()
	file := fmt.Sprintf("/api/v1/ws/demo/exports/%d", member(t, review, "temporaryFileId"))
	h.ended(t, "operator", file)
	h.check(t, scenario{path: file + "/content", who: "operator", status: 200, has: []string{"Statements, run", "1. Ana", "2. Bojan"}})

	h.check(t, scenario{method: "POST", path: path + "/deliver", who: "operator", status: 200, has: []string{`{"delivered":2}`}})
	if got, want := h.runStatus(t, path), `"completed":2,"errors":0`; !strings.Contains(got, want) {
		t.Errorf("%s; want %s", got, want)
	}
	h.check(t, scenario{name: "twice", method: "POST", path: path + "/deliver", who: "operator", status: 200, has: []string{`{"delivered":0}`}})
}

func TestWhatJobsRefuse(t *testing.T) {
	h := open(t)
	h.withJobs()
	filed := member(t, h.check(t, scenario{method: "POST", path: jobsPath + "/filed/runs", who: "operator", header: header("Content-Type", "application/json"), status: 200}).Body.String(), "jobRunId")
	path := fmt.Sprintf("%s/filed/runs/%d", jobsPath, filed)
	h.runStatus(t, path)
	post := func(name, path, body string, status int, has ...string) scenario {
		return scenario{name: name, method: "POST", path: path, who: "operator", body: body, status: status, has: has}
	}
	h.run([]scenario{
		post("a run of an inactive job", jobsPath+"/resting/runs", "{}", 400, "is not active"),
		post("a run of no job", jobsPath+"/none/runs", "{}", 404),
		post("a run of no job by ID", jobsPath+"/999/runs", "{}", 404),
		post("a list for parameters", jobsPath+"/filed/runs", `{"params":[1],"data":"x"}`, 400, "params", "data"),
		post("delivery without review", path+"/deliver", "", 400, "needs no review"),
		post("delivery of no run", jobsPath+"/filed/runs/999/deliver", "", 404),
		post("delivery of a malformed run", jobsPath+"/filed/runs/x1/deliver", "", 404),
		post("a run of another job", fmt.Sprintf("%s/monthly-statements/runs/%d/deliver", jobsPath, filed), "", 404),
		post("review of no run", jobsPath+"/filed/runs/2147483648/generate-review-document", "", 404),
		{name: "status of no run", path: jobsPath + "/filed/runs/0/status", who: "operator", status: 404},
		{name: "in another workspace", path: strings.Replace(path, "demo", "other-house", 1) + "/status", who: "root", status: 404},
		{name: "started by a viewer", method: "POST", path: jobsPath + "/filed/runs", who: "viewer", body: "{}", status: 403, has: []string{"Full"}},
		{name: "delivered by an author", method: "POST", path: path + "/deliver", who: "author", status: 403},
	})
	key := header("Idempotency-Key", "night-1")
	first := h.check(t, scenario{method: "POST", path: jobsPath + "/filed/runs", who: "operator", body: "{}", header: key, status: 200}).Body.String()
	if again := h.check(t, scenario{method: "POST", path: jobsPath + "/filed/runs", who: "operator", body: "{}", header: key, status: 200}).Body.String(); again != first {
		t.Errorf("sent again: %s; want %s", again, first)
	}
	h.check(t, scenario{method: "POST", path: jobsPath + "/filed/runs", who: "operator", body: `{"params":{"a":1}}`, header: key, status: 409})
}
