package api

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/store"
)

// TestJobPages goes the way of a person: list, run, look at the documents,
// approve one, reject another and make it anew, deliver the rest.
func TestJobPages(t *testing.T) {
	h := open(t)
	h.withJobs()
	jobs, err := h.store.Jobs(t.Context(), h.demo.ID)
	if err != nil {
		t.Fatal(err)
	}
	list := h.opened(t, "operator", "/ws/demo/jobs", "Statements", "with review", "Never run", "Resting", `<span class="tag">resting</span>`)
	one := fmt.Sprintf("/ws/demo/jobs/%d", jobs[0].ID)
	if !strings.Contains(list, `href="`+one+`"`) {
		t.Errorf("no link to the job in\n%s", list)
	}
	h.opened(t, "operator", one, "This job has not run yet.", "Start a run")
	h.opened(t, "operator", fmt.Sprintf("/ws/demo/jobs/%d", jobs[1].ID), "The job rests.")

	run := h.sent(t, "operator", one+"/run", 303).Header().Get("Location")
	if !strings.HasPrefix(run, one+"/runs/") {
		t.Fatal(run)
	}
	page := h.finished(t, run)
	for _, want := range []string{"Made; waiting for review", ">2 in review<", "in review", "Approve and deliver all in review", "/documents/1"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	// The first entry is shown; one decision later it is the second.
	documents := hrefs(page, "/documents/1")
	if len(documents) != 1 {
		t.Fatalf("documents %v in\n%s", documents, page)
	}
	if w := h.do(scenario{path: documents[0], header: header("Cookie", h.session("operator"))}); w.Code != 200 || w.Header().Get("Content-Type") != "application/pdf" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	first, _, _ := strings.Cut(documents[0], "/documents/1")
	next := h.sent(t, "operator", first+"/approve?state=review", 303).Header().Get("Location")
	if !strings.HasPrefix(next, run+"?entry=") || !strings.HasSuffix(next, "&state=review#detail") {
		t.Fatalf("sent on to %s", next)
	}
	next = strings.TrimSuffix(next, "#detail")
	shown, _, _ := strings.Cut(hrefs(h.opened(t, "operator", next, `aria-current="true"`, "Bojan"), "/documents/1")[0], "/documents/1")
	if second := shown; second == first {
		t.Error("the same entry again")
	}
	h.sent(t, "operator", shown+"/reject", 303, "reason", "wrong address")
	page = h.finished(t, run)
	if !strings.Contains(page, "Wrong address.") || !strings.Contains(page, "1 completed") {
		t.Errorf("in\n%s", page)
	}
	h.sent(t, "operator", shown+"/regenerate", 303)
	if page = h.finished(t, run); !strings.Contains(page, ">1 in review<") {
		t.Errorf("in\n%s", page)
	}
	asked := h.sent(t, "operator", run+"/review", 200, "scope", "review", "do", "approve").Body.String()
	if !strings.Contains(asked, "Approve the entry?") || !strings.Contains(asked, `name="confirmed" value="1"`) {
		t.Errorf("no question in\n%s", asked)
	}
	h.sent(t, "operator", run+"/review", 303, "scope", "review", "do", "approve", "confirmed", "1")
	if page = h.finished(t, run); !strings.Contains(page, "2 completed") {
		t.Errorf("in\n%s", page)
	}
	h.opened(t, "operator", one, "2 completed")
	h.sent(t, "viewer", run+"/review", 403)
	h.do(scenario{path: run + "/entries/999/documents/1", header: header("Cookie", h.session("operator"))})
}

// TestReviewOfMany decides about ticked entries and about all, and never about
// more than was confirmed.
func TestReviewOfMany(t *testing.T) {
	h := open(t)
	h.withJobs()
	jobs, err := h.store.Jobs(t.Context(), h.demo.ID)
	if err != nil {
		t.Fatal(err)
	}
	run := h.sent(t, "operator", fmt.Sprintf("/ws/demo/jobs/%d/run", jobs[0].ID), 303).Header().Get("Location")
	page := h.finished(t, run)
	var ids []string
	for _, part := range strings.Split(page, `name="entry" value="`)[1:] {
		id, _, _ := strings.Cut(part, `"`)
		ids = append(ids, id)
	}
	if len(ids) != 2 {
		t.Fatalf("entries %v in\n%s", ids, page)
	}
	decide := func(status int, want string, form ...string) {
		t.Helper()
		if w := h.sent(t, "operator", run+"/review", status, form...); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%v: no %q in\n%s", form, want, w.Body)
		}
	}
	decide(409, "tick some", "do", "approve", "scope", "selected")
	decide(409, "can only be made anew", "do", "approve", "scope", "errors")
	decide(400, "no decision", "do", "burn", "scope", "review")
	decide(200, "the number of entries has changed", "do", "approve", "scope", "review", "confirmed", "1")
	decide(200, `id="reason"`, "do", "reject", "entry", ids[0], "confirmed", "1") // without a reason
	decide(303, "", "do", "reject", "entry", ids[0], "confirmed", "1", "reason", "wrong address")
	decide(409, "tick some", "do", "approve", "scope", "selected", "entry", ids[0]) // it is not in review any more
	decide(303, "", "do", "approve", "scope", "review", "confirmed", "1")
	decide(303, "", "do", "regenerate", "scope", "errors", "confirmed", "1")
	if page := h.finished(t, run); !strings.Contains(page, ">1 in review<") || !strings.Contains(page, ">1 completed<") {
		t.Errorf("in\n%s", page)
	}
	for query, want := range map[string][2]string{
		"?state=review":    {"1. Ana", "2. Bojan"},
		"?state=completed": {"2. Bojan", "1. Ana"},
		"?q=BOJ":           {"2. Bojan", "1. Ana"},
		"?q=1":             {"1. Ana", "2. Bojan"},
		"?q=100%25":        {"No entry is like that.", "1. Ana"},
		"?page=7":          {"", "1. Ana"},
	} {
		if page := h.opened(t, "operator", run+query, want[0]); strings.Contains(page, want[1]) {
			t.Errorf("%s lists %s", query, want[1])
		}
	}
}

// finished is the page of a run that has nothing queued any more.
func (h *house) finished(t *testing.T, run string) string {
	t.Helper()
	for begin := time.Now(); time.Since(begin) < 20*time.Second; time.Sleep(5 * time.Millisecond) {
		w := h.do(scenario{path: run, header: header("Cookie", h.session("operator"))})
		if strings.Contains(w.Body.String(), " data-finished>") {
			return w.Body.String()
		}
	}
	t.Fatal("the run does not finish")
	return ""
}

// hrefs are the addresses on a page that end so.
func hrefs(page, end string) []string {
	var found []string
	for _, part := range strings.Split(page, `href="`)[1:] {
		if address, _, _ := strings.Cut(part, `"`); strings.HasSuffix(address, end) || strings.Contains(address, end+"?") {
			found = append(found, address)
		}
	}
	return found
}

// TestARunDeliveryIsTriedOnceMore shows what became of the delivery of a run as
// a whole, and tries it again.
func TestARunDeliveryIsTriedOnceMore(t *testing.T) {
	h := open(t)
	h.withJobs() // delivers to nowhere
	id, err := h.store.CreateResource(t.Context(), h.demo.ID, store.JobKind, []byte(`{"name":"Summed","code":"summed","active":true,"reports":[{"report":"invoice","fileName":"All"}],
		"deliveries":[{"type":"local","per":"run","settings":{"path":"x"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	started := h.check(t, scenario{method: "POST", path: jobsPath + "/summed/runs", who: "operator", body: "{}", status: 200}).Body.String()
	run := member(t, started, "jobRunId")
	if got := h.runStatus(t, fmt.Sprintf("%s/summed/runs/%d", jobsPath, run)); !strings.Contains(got, `"completed":1`) || !strings.Contains(got, "delivers to nowhere") {
		t.Errorf("%s", got)
	}
	page := fmt.Sprintf("/ws/demo/jobs/%d/runs/%d", id, run)
	h.opened(t, "operator", page, "Delivery 1 of the run", "failed", "This service delivers to nowhere", "Try once more", "goes with the delivery of the run")
	public := fmt.Sprintf("%s/summed/runs/%d/deliveries", jobsPath, run)
	h.check(t, scenario{path: public, who: "operator", status: 200, has: []string{`"state":"failed"`, "delivers to nowhere"}})
	h.check(t, scenario{method: "POST", path: public + "/1/retry", who: "operator", status: 204})
	h.runStatus(t, fmt.Sprintf("%s/summed/runs/%d", jobsPath, run))
	leads(t, h.sent(t, "operator", page+"/deliveries/1/retry", 303), page)
	h.sent(t, "operator", page+"/deliveries/7/retry", 409)
}

// TestDeliveriesAreSettledInTheBrowser: what is uncertain is marked as delivered
// or sent again, one by one or all, once it is confirmed.
func TestDeliveriesAreSettledInTheBrowser(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.withJobs()
	jobs, err := h.store.Jobs(t.Context(), h.demo.ID)
	if err != nil {
		t.Fatal(err)
	}
	run := h.sent(t, "operator", fmt.Sprintf("/ws/demo/jobs/%d/run", jobs[0].ID), 303).Header().Get("Location")
	if page := h.finished(t, run); !strings.Contains(page, "Cancel the run now") {
		t.Errorf("what waits for its review cannot be cancelled in\n%s", page)
	}
	entries, err := h.store.FindEntries(t.Context(), store.EntryQuery{RunID: number(t, run[strings.LastIndex(run, "/")+1:]), Limit: 10})
	if err != nil || len(entries) != 2 {
		t.Fatal(entries, err)
	}
	for _, e := range entries { // as if its process had died while it was sent
		_, err := h.store.MoveEntry(t.Context(), e.ID, store.EntryDelivering, "", store.EntryReview)
		if err == nil {
			_, err = h.store.BeginDelivery(t.Context(), e.ID, 1)
		}
		if err == nil {
			err = h.store.EndDelivery(t.Context(), e.ID, 1, store.DeliveryUncertain, "it may have been sent", "")
		}
		if err == nil {
			_, err = h.store.MoveEntry(t.Context(), e.ID, store.EntryError, "it may have been sent", store.EntryDelivering)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	h.opened(t, "operator", run, "2 entries of which it is uncertain whether they arrived", `value="resend"`, `value="mark-delivered"`, "2 with errors")
	id := fmt.Sprint(entries[0].ID)
	decide := func(status int, want string, form ...string) {
		t.Helper()
		if w := h.sent(t, "operator", run+"/review", status, form...); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%v: no %q in\n%s", form, want, w.Body)
		}
	}
	decide(409, "tick some", "do", "retry", "entry", id, "delivery", "1")
	decide(200, "Mark what is uncertain of the entry as delivered?", "do", "mark-delivered", "entry", id, "delivery", "1")
	decide(303, "", "do", "mark-delivered", "entry", id, "delivery", "1", "confirmed", "1")
	if page := h.finished(t, run); !strings.Contains(page, ">1 completed<") {
		t.Errorf("in\n%s", page)
	}
	decide(200, "Make the entry anew?", "do", "regenerate", "entry", fmt.Sprint(entries[1].ID))
	decide(200, "at the destination first", "do", "resend", "scope", "all")
	decide(303, "", "do", "resend", "scope", "all", "confirmed", "1")
	h.finished(t, run)
	h.sent(t, "viewer", run+"/review", 403, "do", "resend", "scope", "all")
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
