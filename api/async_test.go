package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

const asyncPath = "/api/v1/ws/demo/reports/invoice/export"

// work does what is queued until the test ends.
func (h *house) work() {
	h.t.Helper()
	ctx, stop := context.WithCancel(h.t.Context())
	done := make(chan error, 1)
	service := h.jobs // a test may put another in its place meanwhile
	go func() { done <- service.Work(ctx) }()
	h.t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			h.t.Error(err)
		}
	})
}

// begin starts an export and gives the address of its file.
func (h *house) begin(t *testing.T, who, body string) string {
	t.Helper()
	w := h.check(t, scenario{method: "POST", path: asyncPath, who: who, body: body, status: 202})
	var started map[string]int
	if err := json.Unmarshal(w.Body.Bytes(), &started); err != nil || started["temporaryFileId"] <= 0 || len(started) != 1 {
		t.Fatalf("%v in %s", err, w.Body)
	}
	return fmt.Sprintf("/api/v1/ws/demo/exports/%d", started["temporaryFileId"])
}

// ended polls the status, as clients do.
func (h *house) ended(t *testing.T, who, path string) string {
	t.Helper()
	return h.endedMeanwhile(t, who, path, func() {})
}

// endedMeanwhile does something each time before it asks.
func (h *house) endedMeanwhile(t *testing.T, who, path string, do func()) string {
	t.Helper()
	wait := 5 * time.Millisecond
	for begin := time.Now(); time.Since(begin) < 20*time.Second; time.Sleep(wait) {
		wait = min(2*wait, 50*time.Millisecond) // the limit of requests goes by a clock that stands
		do()
		w := h.do(scenario{path: path + "/status", who: who})
		if w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if !strings.Contains(w.Body.String(), "InProgress") {
			return strings.TrimSpace(w.Body.String())
		}
	}
	t.Fatal("the export did not end")
	return ""
}

func TestAsynchronousExport(t *testing.T) {
	h := open(t)
	path := h.begin(t, "viewer", `{"params":{"year":2026.10},"data":{"lines":[{"b":1,"a":2}]},"format":"PDF","lang":null,"excludePages":[2,3],"tempDataId":null,"accessible":true}`)
	id, expires := path[strings.LastIndex(path, "/")+1:], h.clock.Now().Add(24*time.Hour).UTC().Format("2006-01-02T15:04:05.000Z")
	h.run([]scenario{
		{name: "waiting", path: path + "/status", who: "viewer", status: 200, has: []string{
			fmt.Sprintf(`{"id":%s,"status":"InProgress","isReady":false,"errorMessage":null,"expiryTime":"%s","name":null,"contentSize":null,"contentType":null,"warnings":[]}`, id, expires),
		}, answer: map[string]string{"Cache-Control": "no-store"}},
		{name: "too early", path: path + "/content", who: "viewer", status: 400, has: []string{"is not ready yet"}},
	})
	h.work()
	want := fmt.Sprintf(`{"id":%s,"status":"Completed","isReady":true,"errorMessage":null,"expiryTime":"%s","name":"Sample report.pdf","contentSize":15,"contentType":"application/pdf","warnings":[]}`, id, expires)
	if got := h.ended(t, "viewer", path); got != want {
		t.Errorf("%s; want %s", got, want)
	}
	r := h.export.last
	if h.jsonOf(r.Params) != `{"year":2026.10}` || h.jsonOf(r.Data) != `{"lines":[{"b":1,"a":2}]}` || r.Format != "pdf" || !r.Accessible || len(r.ExcludePages) != 2 || r.DenyPrinting || r.UserID != h.users["viewer"].ID {
		t.Errorf("asked for %+v", r)
	}
	download := map[string]string{
		"Content-Type": "application/pdf", "Content-Length": "15",
		"Content-Disposition": `attachment; filename="Sample report.pdf"; filename*=UTF-8''Sample%20report.pdf`,
	}
	h.run([]scenario{
		{name: "fetched", path: path + "/content", who: "viewer", status: 200, has: []string{"%PDF-1.7 sample"}, answer: download},
		{name: "fetched again, whatever is accepted", path: path + "/content", who: "viewer", header: header("Accept", "application/json"), status: 200, has: []string{"%PDF-1.7 sample"}, answer: download},
		{name: "its headers", method: "HEAD", path: path + "/content", who: "viewer", status: 200, lacks: []string{"%PDF"}, answer: download},
		{name: "a part", path: path + "/content", who: "viewer", header: header("Range", "bytes=5-7"), status: 206, has: []string{"1.7"}, lacks: []string{"%PDF", "sample"}, answer: map[string]string{"Content-Range": "bytes 5-7/15", "Content-Length": "3"}},
		{name: "several parts are all of it", path: path + "/content", who: "viewer", header: header("Range", "bytes=0-0,5-7"), status: 200, has: []string{"%PDF-1.7 sample"}, answer: download},
		{name: "a part behind the end", path: path + "/content", who: "viewer", header: header("Range", "bytes=15-"), status: 416},
		{name: "of a browser", path: path + "/content", header: header("Cookie", h.session("viewer")), status: 200},
		{name: "without a token", path: path + "/status", status: 401},
	})
	h.clock.Advance(24*time.Hour - time.Millisecond)
	h.check(t, scenario{path: path + "/status", who: "viewer", status: 200})
	h.clock.Advance(time.Millisecond)
	h.check(t, scenario{path: path + "/status", who: "viewer", status: 404, has: []string{`"error":"export`, "has expired"}})
	h.check(t, scenario{path: path + "/content", who: "viewer", status: 404})
}

func TestHowAsynchronousExportsFail(t *testing.T) {
	h := open(t)
	h.work()
	for name, c := range map[string]struct {
		err    error
		file   string
		reason string
	}{
		"the author's fault": {err: report.Problemf("params.year", "must be a number, not \"x\""), reason: `"errorMessage":"params.year: must be a number, not \"x\""`},
		"our fault":          {err: &report.Problem{Kind: report.Failed, Message: "the browser could not print the document"}, reason: `"errorMessage":"the browser could not print the document"`},
		"a secret fault":     {err: errors.New("dial unix /run/secret-place"), reason: "something went wrong inside the service"},
	} {
		t.Run(name, func(t *testing.T) {
			h.export.mu.Lock()
			h.export.export = func(export.Request) (*export.File, error) { return nil, c.err }
			h.export.mu.Unlock()
			path := h.begin(t, "viewer", "{}")
			status := h.endedMeanwhile(t, "viewer", path, func() { h.clock.Advance(time.Second) }) // attempts wait by the clock of the test
			if !strings.Contains(status, c.reason) || !strings.Contains(status, `"status":"Failed","isReady":false`) || strings.Contains(status, "secret-place") {
				t.Error(status)
			}
			h.check(t, scenario{path: path + "/content", who: "viewer", status: 400, has: []string{"failed and has no content"}, lacks: []string{"secret-place"}})
		})
	}
	h.export.mu.Lock()
	h.export.export = func(export.Request) (*export.File, error) { return newFile("empty.pdf", "application/pdf", ""), nil }
	h.export.mu.Unlock()
	path := h.begin(t, "viewer", "{}")
	h.ended(t, "viewer", path)
	h.check(t, scenario{path: path + "/status", who: "viewer", status: 200, has: []string{`"status":"Completed","isReady":false`, `"contentSize":0`}})
	h.check(t, scenario{path: path + "/content", who: "viewer", status: 400, has: []string{"is empty"}})
}

func TestRefusedAsynchronousExports(t *testing.T) {
	h := open(t)
	start := func(name, body string, status int, has ...string) scenario {
		return scenario{name: name, method: "POST", path: asyncPath, who: "viewer", body: body, status: status, has: has}
	}
	h.run([]scenario{
		start("time zone", `{"timezone":"Mars/Olympus"}`, 400, "unknown time zone"),
		start("format", `{"format":"odt"}`, 400, "unknown format", "accepted"),
		start("protected html", `{"format":"html","password":"x"}`, 400, "protect PDF files only"),
		start("denied printing of html", `{"format":"html","allowPrinting":false}`, 400, "protect PDF files only"),
		start("pages", `{"excludePages":"first"}`, 400, "excludePages"),
		start("a list for an object", `{"params":[1]}`, 400, "params"),
		start("no JSON", `{"params":`, 400),
		{name: "a media type", method: "POST", path: asyncPath, who: "viewer", body: "a=1", header: header("Content-Type", "text/plain"), status: 415},
		{name: "a report", method: "POST", path: "/api/v1/ws/demo/reports/none/export", who: "viewer", body: "{}", status: 404},
		{name: "by GET", path: asyncPath, who: "viewer", status: 405},
		{name: "a long key", method: "POST", path: asyncPath, who: "viewer", body: "{}", header: header("Idempotency-Key", strings.Repeat("k", 201)), status: 400},
		{name: "no bytes at all", method: "POST", path: asyncPath, who: "viewer", header: header("Content-Type", "application/json"), status: 202},
	})
	for _, id := range []string{"0", "-1", "x", "1.5", "999", "2147483648", "99999999999999999999", "%20", "1e3"} {
		for _, part := range []string{"status", "content"} {
			h.check(t, scenario{name: id, path: "/api/v1/ws/demo/exports/" + id + "/" + part, who: "viewer", status: 404, has: []string{`"error"`}})
		}
	}
}

// TestExportsOfOthers: they take Full on reports, and the review document of a
// run Read on jobs; for everybody else they do not exist. The role of a person
// may also be one of our own making.
func TestExportsOfOthers(t *testing.T) {
	h := open(t)
	for name, levels := range map[string]map[store.Category]store.Level{
		"overseer": {store.Reports: store.Full}, "clerk": {store.Jobs: store.Read},
	} {
		role := must[*store.Role](t)(h.store.CreateRole(t.Context(), h.demo.ID, store.Role{Name: name, Levels: levels}))
		h.addMember(name, h.demo.ID, role.ID)
	}
	made := func(kind, who string) string {
		id := must[int](t)(h.store.CreateExport(t.Context(), store.NewExport{
			WorkspaceID: h.demo.ID, UserID: h.users[who].ID, Kind: kind, Priority: store.Interactive, Lifetime: time.Hour, Report: map[string]string{store.ExportTask: "1"}[kind],
		}))
		must[bool](t)(h.store.CompleteExport(t.Context(), id, store.Finished{Name: "a.pdf", ContentType: "application/pdf"}, strings.NewReader("%PDF")))
		return "exports/" + itoa(id)
	}
	export, review := made(store.ExportTask, "author"), made(store.ReviewTask, "operator")
	const see, own, not = 200, 200, 404
	for who, expected := range map[string][2]int{
		"author": {own, not}, "operator": {not, own}, "viewer": {not, not}, "guest": {not, not}, "stranger": {not, not}, "lonely": {not, not},
		"root": {see, see}, "administrator": {see, see}, "overseer": {see, not}, "clerk": {not, see},
	} {
		for i, path := range []string{export, review} {
			status := expected[i]
			h.check(t, scenario{path: "/api/v1/ws/demo/" + path + "/status", who: who, status: status})
			h.check(t, scenario{path: "/api/v1/ws/demo/" + path + "/content", who: who, status: status})
			h.check(t, scenario{path: "/ws/demo/" + path + "/file", header: header("Cookie", h.session(who)), status: status})
			if status == not {
				h.check(t, scenario{method: "DELETE", path: "/api/v1/ws/demo/" + path, who: who, status: not})
			}
		}
	}
	h.check(t, scenario{path: "/api/v1/ws/other-house/" + export + "/status", who: "stranger", status: 404})
	h.check(t, scenario{path: "/api/v1/ws/other-house/" + export + "/content", who: "root", status: 404})
	h.check(t, scenario{name: "seeing is not removing", method: "DELETE", path: "/api/v1/ws/demo/" + review, who: "clerk", status: 403, has: []string{"Full on jobs"}})
	for who, listed := range map[string][2]bool{"administrator": {true, true}, "overseer": {true, false}, "clerk": {false, false}, "author": {true, false}, "operator": {false, true}} {
		page := h.opened(t, who, "/ws/demo/exports")
		for i, path := range []string{export, review} {
			if strings.Contains(page, path) != listed[i] {
				t.Errorf("%s sees %s in the list: want %v", who, path, listed[i])
			}
		}
	}
}

func TestAsynchronousExportsAreIdempotent(t *testing.T) {
	h := open(t)
	start := func(who, key, body string, status int) string {
		t.Helper()
		return h.check(t, scenario{method: "POST", path: asyncPath, who: who, body: body, header: header("Idempotency-Key", key), status: status}).Body.String()
	}
	first := start("viewer", "order-7", `{"params":{"n":1}}`, 202)
	if again := start("viewer", "order-7", `{"params":{"n":1}}`, 202); again != first {
		t.Errorf("sent again: %s; want %s", again, first)
	}
	start("viewer", "order-7", `{"params":{"n":2}}`, 409)
	if other := start("author", "order-7", `{"params":{"n":1}}`, 202); other == first {
		t.Error("another user got the same file")
	}
	if fresh := start("viewer", "", `{"params":{"n":1}}`, 202); fresh == first {
		t.Error("without a key nothing is repeated")
	}
}

// TestPasswordsAreGoneWithTheTask: the password reaches the export, is stored
// nowhere as it is, and is not stored at all once the task has ended.
func TestPasswordsAreGoneWithTheTask(t *testing.T) {
	h := open(t)
	path := h.begin(t, "viewer", `{"password":"correct horse","allowCopying":"False"}`)
	tasks, err := h.store.ClaimTasks(t.Context(), store.Claim{Owner: "looking", Worst: store.Interactive, Most: 1, Lease: time.Millisecond})
	if err != nil || len(tasks) != 1 || tasks[0].Sealed == "" || strings.Contains(fmt.Sprintf("%+v", tasks[0]), "horse") {
		t.Fatalf("queued as %+v, %v", tasks, err)
	}
	h.clock.Advance(time.Second)
	h.work()
	h.ended(t, "viewer", path)
	if r := h.export.last; r.Password != "correct horse" || !r.DenyCopying || r.DenyPrinting {
		t.Errorf("asked for %+v", r)
	}
	for begin := time.Now(); ; time.Sleep(time.Millisecond) {
		if waiting, running, _ := h.store.QueueSize(t.Context()); waiting+running == 0 {
			break
		}
		if time.Since(begin) > 10*time.Second {
			t.Fatal("the task is still there")
		}
	}
}
