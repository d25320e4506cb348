package api

import (
	"fmt"
	"strings"
	"testing"
	"time"
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
	for _, want := range []string{"Finished", ">2 in review<", "in review", "Approve and deliver all in review", "/documents/1"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	documents := hrefs(page, "/documents/1")
	if w := h.do(scenario{path: documents[0], header: header("Cookie", h.session("operator"))}); w.Code != 200 || w.Header().Get("Content-Type") != "application/pdf" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	first, second := strings.TrimSuffix(documents[0], "/documents/1"), strings.TrimSuffix(documents[1], "/documents/1")
	h.sent(t, "operator", first+"/approve", 303)
	h.sent(t, "operator", second+"/reject", 303, "reason", "wrong address")
	page = h.finished(t, run)
	if !strings.Contains(page, "Wrong address.") || !strings.Contains(page, "1 completed") {
		t.Errorf("in\n%s", page)
	}
	h.sent(t, "operator", second+"/regenerate", 303)
	if page = h.finished(t, run); !strings.Contains(page, "1 in review") {
		t.Errorf("in\n%s", page)
	}
	h.sent(t, "operator", run+"/deliver", 303)
	if page = h.finished(t, run); !strings.Contains(page, "2 completed") {
		t.Errorf("in\n%s", page)
	}
	h.opened(t, "operator", one, "2 completed")
	h.sent(t, "viewer", run+"/deliver", 403)
	h.do(scenario{path: run + "/entries/999/documents/1", header: header("Cookie", h.session("operator"))})
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
		if address, _, _ := strings.Cut(part, `"`); strings.HasSuffix(address, end) {
			found = append(found, address)
		}
	}
	return found
}
