package api

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/quire-reports/quire/store"
)

// Issue 18, point 7: what people say about a report, from the first word on.
func TestComments(t *testing.T) {
	t.Parallel()
	h, mail := mailing(t, open)
	one := "/api/ui/ws/demo/reports/1"
	viewer, author := h.users["viewer"], h.users["author"]
	h.send(t, "operator", http.MethodPost, one+"/threads", "", fmt.Sprintf(`{"element":"total","text":"@%s, is this right?","mentions":[%d]}`, viewer.DisplayName, viewer.ID), 201)
	if letter := <-mail; letter[0] != viewer.Email || !strings.Contains(letter[1], "mentions you in a comment on Invoice") || !strings.Contains(letter[2], "is this right?") || !strings.Contains(letter[2], "http://example.com/ws/demo/reports/1/comments#thread-1") {
		t.Errorf("mailed: %q", letter)
	}
	// Who may change the report is led to the thread, in their language.
	noError(t, h.store.ChangeProfile(t.Context(), author.ID, store.Profile{Language: "de"}))
	h.send(t, "viewer", http.MethodPost, one+"/threads/1/comments", "", fmt.Sprintf(`{"text":"Ask @%s","mentions":[%d]}`, author.DisplayName, author.ID), 201)
	if letter := <-mail; letter[0] != author.Email || !strings.Contains(letter[1], "erwähnt Sie") || !strings.Contains(letter[2], "/ws/demo/reports/1/design#thread-1") {
		t.Errorf("mailed: %q", letter)
	}
	h.check(t, scenario{path: one + "/threads", who: "viewer", status: 200, has: []string{`"element":"total"`, `"resolved":null`, `"mine":true,"deletes":true`, `"mine":false,"deletes":false`, fmt.Sprintf(`"mentions":[{"userId":%d,"name":%q}]`, author.ID, author.DisplayName)}})
	h.check(t, scenario{path: one + "/people", who: "viewer", status: 403})
	h.check(t, scenario{path: one + "/people", who: "author", status: 200, has: []string{fmt.Sprintf(`"id":%d,"name":%q`, author.ID, author.DisplayName)}, lacks: []string{"@example.com\",\"email"}})

	resolved := h.send(t, "viewer", http.MethodPost, one+"/threads/1/resolve", "", "", 200)
	if resolved["resolvedBy"] != viewer.DisplayName || resolved["resolved"] == nil {
		t.Errorf("resolved: %v", resolved)
	}
	h.send(t, "viewer", http.MethodPost, one+"/threads/1/reopen", "", "", 200)
	h.send(t, "viewer", http.MethodPut, one+"/comments/2", "", `{"text":"Ask somebody else"}`, 200)
	h.send(t, "viewer", http.MethodPut, one+"/comments/1", "", `{"text":"Not mine"}`, 403)
	h.send(t, "viewer", http.MethodDelete, one+"/comments/1", "", "", 403)
	h.send(t, "administrator", http.MethodDelete, one+"/comments/2", "", "", 204)
	h.send(t, "viewer", http.MethodPost, one+"/comments/2/restore", "", "", 200)
	for _, body := range []string{`{}`, `{"text":"@nobody","mentions":[999]}`, fmt.Sprintf(`{"text":"not named","mentions":[%d]}`, viewer.ID)} {
		h.send(t, "viewer", http.MethodPost, one+"/threads", "", body, 400)
	}
	h.send(t, "viewer", http.MethodPost, one+"/threads/999/comments", "", `{"text":"Where?"}`, 404)
	for action, who := range map[store.Action]string{"comment.made": "viewer", "comment.resolved": "viewer", "comment.reopened": "viewer", "comment.changed": "viewer", "comment.deleted": "administrator", "comment.restored": "viewer"} {
		h.told(t, action, h.users[who].Email, "Invoice")
	}
	if log := h.check(t, scenario{path: "/api/v1/audit?limit=1000", who: "root", status: 200}).Body.String(); strings.Contains(log, "is this right?") {
		t.Error("the log has what was said")
	}
}

// Who may not see a report learns nothing of what is said about it, and is not
// named there.
func TestCommentsFollowTheAccessRules(t *testing.T) {
	t.Parallel()
	h := open(t)
	one := "/api/ui/ws/demo/reports/1"
	h.send(t, "viewer", http.MethodPost, one+"/threads", "", `{"text":"Between us"}`, 201)
	h.restrict(t, "administrator", 1, h.rule("operator", "see"))
	for _, path := range []string{"/threads", "/events"} {
		h.check(t, scenario{path: one + path, who: "viewer", status: 404})
	}
	h.send(t, "viewer", http.MethodPost, one+"/threads/1/comments", "", `{"text":"And now?"}`, 404)
	h.check(t, scenario{path: one + "/threads", who: "operator", status: 200, has: []string{"Between us"}})
	viewer := h.users["viewer"]
	h.send(t, "operator", http.MethodPost, one+"/threads/1/comments", "", fmt.Sprintf(`{"text":"@%s","mentions":[%d]}`, viewer.DisplayName, viewer.ID), 400)
}

// A browser hears of what happens to a report that it shows.
func TestReportEvents(t *testing.T) {
	t.Parallel()
	h := open(t)
	server := httptest.NewServer(h.handler)
	defer server.Close()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	req := must[*http.Request](t)(http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/api/ui/ws/demo/reports/1/events", nil))
	req.Header.Set("Cookie", h.session("viewer"))
	res := must[*http.Response](t)(http.DefaultClient.Do(req))
	defer func() { _ = res.Body.Close() }()
	lines := bufio.NewScanner(res.Body)
	hears := func(want string) {
		t.Helper()
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				if data == want {
					return
				}
				if !strings.HasPrefix(data, `{"revision":1,"comments":0`) { // told first, and again to all
					t.Fatalf("heard %s, want %s", data, want)
				}
			}
		}
		t.Fatalf("the stream ended before %s", want)
	}
	hears(`{"revision":1,"comments":0}`)
	h.send(t, "author", http.MethodPost, "/api/ui/ws/demo/reports/1/threads", "", `{"text":"Look"}`, 201)
	hears(`{"revision":1,"comments":1}`)
}
