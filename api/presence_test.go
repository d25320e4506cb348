package api

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// hearing is a page that follows a report.
type hearing struct {
	t     *testing.T
	who   string
	lines *bufio.Scanner
	leave context.CancelFunc
}

func (h *house) hearing(t *testing.T, server *httptest.Server, who, one, query string) *hearing {
	t.Helper()
	return h.following(t, server, who, one+"/events"+query)
}

func (h *house) following(t *testing.T, server *httptest.Server, who, address string) *hearing {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	t.Cleanup(leave)
	req := must[*http.Request](t)(http.NewRequestWithContext(ctx, http.MethodGet, server.URL+address, nil))
	req.Header.Set("Cookie", h.session(who))
	res := must[*http.Response](t)(http.DefaultClient.Do(req))
	t.Cleanup(func() { _ = res.Body.Close() })
	return &hearing{t, who, bufio.NewScanner(res.Body), leave}
}

// until reads events until one has all of some texts and none of others, which begin with "no ".
func (l *hearing) until(texts ...string) {
	l.t.Helper()
	for l.lines.Scan() {
		data, ok := strings.CutPrefix(l.lines.Text(), "data: ")
		for _, text := range texts {
			without, negative := strings.CutPrefix(text, "no ")
			ok = ok && strings.Contains(data, without) != negative
		}
		if ok {
			return
		}
	}
	l.t.Fatalf("the stream of the %s ended before %q", l.who, texts)
}

// next is the next event that tells of anybody; empty at the end of the stream.
func (l *hearing) next() string {
	for l.lines.Scan() {
		if data, ok := strings.CutPrefix(l.lines.Text(), "data: "); ok && data != "{}" {
			return data
		}
	}
	return ""
}

// Those who edit a report hear who else does, until that page is gone; who may
// only see it hears nothing of them.
func TestPresence(t *testing.T) {
	t.Parallel()
	h := open(t)
	server := httptest.NewServer(h.handler)
	t.Cleanup(server.Close) // once the streams have been left
	const one = "/api/ui/ws/demo/reports/1"
	author := h.hearing(t, server, "author", one, "?tab=author-page")
	author.until(`"revision":1`)
	viewer := h.hearing(t, server, "viewer", one, "")
	viewer.until(`"revision":1`)
	other := h.hearing(t, server, "administrator", one, "?tab=other-page")
	other.until(`"revision":1`)

	h.send(t, "administrator", http.MethodPut, one+"/presence", "", `{"tab":"other-page","selected":["title"]}`, 204)
	author.until(`"tab":"other-page"`, `"selected":["title"]`, fmt.Sprintf(`"userId":%d`, h.users["administrator"].ID))
	h.send(t, "author", http.MethodPut, one+"/presence", "", `{"tab":"author-page"}`, 204)
	other.until(`"tab":"author-page"`)
	h.send(t, "viewer", http.MethodPut, one+"/presence", "", `{"tab":"viewer-page"}`, 403)
	h.send(t, "author", http.MethodPut, one+"/presence", "", `{"tab":"x"}`, 400)

	// A second stream of the same page, as after a broken connection, keeps it there.
	again := h.hearing(t, server, "administrator", one, "?tab=other-page")
	again.until(`"tab":"other-page"`)
	other.leave()
	h.send(t, "administrator", http.MethodPut, one+"/presence", "", `{"tab":"other-page","selected":["total"]}`, 204)
	author.until(`"tab":"other-page"`, `"selected":["total"]`)
	again.leave()
	author.until("no other-page", "author-page")

	h.send(t, "author", http.MethodPost, one+"/threads", "", `{"text":"Look"}`, 201)
	viewer.until(`"comments":1`, "no people")

	// Who saved is told with the revision, again to those who may change the report.
	report := h.send(t, "administrator", http.MethodGet, one, "", "", 200)
	definition := string(must[[]byte](t)(json.Marshal(report["definition"])))
	h.send(t, "administrator", http.MethodPut, one, `"1"`, definition, 200)
	author.until(`"revision":2`, `"by":"`+h.users["administrator"].DisplayName+`"`)
	viewer.until(`"revision":2`, "no by")
}

// So do those who edit a definition of the library, and who comes late is told whom
// they missed.
func TestPresenceInTheLibrary(t *testing.T) {
	t.Parallel()
	h := open(t)
	server := httptest.NewServer(h.handler)
	t.Cleanup(server.Close) // once the streams have been left
	const all = "/api/ui/ws/demo/themes"
	made := h.send(t, "author", http.MethodPost, all, "", `{"name":"Bold","code":"bold"}`, 201)
	one := fmt.Sprintf("%s/%v", all, made["id"])
	author := h.hearing(t, server, "author", one, "?tab=author-page")
	author.until(`"revision":1`)
	h.send(t, "administrator", http.MethodPut, one+"/presence", "", `{"tab":"other-page"}`, 204)
	author.until(`"tab":"other-page"`)
	h.send(t, "administrator", http.MethodPut, one, `"1"`, `{"name":"Bolder","code":"bold"}`, 200)
	name := h.users["administrator"].DisplayName
	author.until(`"revision":2`, `"by":"`+name+`"`)
	if late := h.send(t, "author", http.MethodPut, one, `"1"`, `{"name":"Late","code":"bold"}`, 409); late["by"] != name {
		t.Errorf("by %v", late["by"])
	}
	h.send(t, "viewer", http.MethodPut, one+"/presence", "", `{"tab":"viewer-page"}`, 403)
	h.send(t, "author", http.MethodGet, all+"/999/events", "", "", 404)
}

// Lists hear who has open what they list, of what their reader may change.
func TestPresenceInLists(t *testing.T) {
	t.Parallel()
	h := open(t)
	server := httptest.NewServer(h.handler)
	t.Cleanup(server.Close) // once the streams have been left
	const all = "/api/ui/ws/demo/"
	kind := h.send(t, "administrator", http.MethodPost, all+"reportTypes", "", `{"name":"Letters","code":"letters"}`, 201)["id"]
	template := h.send(t, "author", http.MethodPost, all+"templates", "", `{"name":"Envelope","code":"envelope","layouts":[{}]}`, 201)["id"]
	h.opened(t, "author", "/ws/demo", `reports/open?of=`, `data-open="1"`)
	second := h.send(t, "author", http.MethodPost, all+"reports", "", `{"name":"Stock list","type":"sales"}`, 201)["id"]
	reports := h.following(t, server, "author", all+"reports/open?of=1,x,-1")
	types := h.following(t, server, "administrator", all+"reportTypes/open")
	templates := h.following(t, server, "author", all+"templates/open")
	others := h.following(t, server, "author", fmt.Sprintf("%sreports/open?of=%v", all, second))
	viewers := h.following(t, server, "viewer", all+"reports/open?of=1")
	for _, list := range []*hearing{reports, types, templates, others, viewers} {
		list.until("{}")
	}
	who := fmt.Sprintf(`[{"userId":%d,"name":%q}]`, h.users["administrator"].ID, h.users["administrator"].DisplayName)
	for _, one := range []string{"reports/1", fmt.Sprintf("reportTypes/%v", kind), fmt.Sprintf("templates/%v", template)} {
		for _, tab := range []string{"one-page", "other-page"} {
			h.send(t, "administrator", http.MethodPut, all+one+"/presence", "", `{"tab":"`+tab+`"}`, 204)
		}
	}
	reports.until(`"1":` + who)
	types.until(fmt.Sprintf(`{"%v":%s}`, kind, who))
	templates.until(fmt.Sprintf(`{"%v":%s}`, template, who))

	// In one that is open, all of it is heard.
	one := fmt.Sprintf("%sreportTypes/%v", all, kind)
	there := h.hearing(t, server, "administrator", one, "?tab=one-page")
	there.until(`"revision":1`, `"tab":"other-page"`)
	h.send(t, "administrator", http.MethodPut, one, `"1"`, `{"name":"Mail","code":"letters"}`, 200)
	there.until(`"revision":2`)

	// Neither who asks for another report nor who may not change it was told.
	h.send(t, "administrator", http.MethodPut, fmt.Sprintf("%sreports/%v/presence", all, second), "", `{"tab":"one-page"}`, 204)
	if got, want := others.next(), fmt.Sprintf(`{"%v":%s}`, second, who); got != want {
		t.Errorf("who asks for another report heard %s; want %s", got, want)
	}
	viewers.leave()
	if got := viewers.next(); got != "" {
		t.Errorf("the viewer heard %s", got)
	}
}

// Who may not see a thing any more hears nothing of it, nor of those who have it
// open: streams end within seconds, not when they are old.
func TestStreamsEndWithRights(t *testing.T) {
	t.Parallel()
	h := open(t)
	server := httptest.NewServer(h.handler)
	t.Cleanup(server.Close) // once the streams have been left
	const all = "/api/ui/ws/demo/"
	began := time.Now()
	streams := map[string]*hearing{
		"a list":       h.following(t, server, "author", all+"reports/open?of=1"),
		"a report":     h.hearing(t, server, "author", all+"reports/1", "?tab=author-page"),
		"a signed-out": h.hearing(t, server, "operator", all+"reports/1", ""),
	}
	stays := h.hearing(t, server, "viewer", all+"reports/1", "")
	if err := h.store.RemoveMember(t.Context(), h.demo.ID, h.users["author"].ID); err != nil {
		t.Fatal(err)
	}
	if err := h.store.EndSessionsOf(t.Context(), h.users["operator"].ID, ""); err != nil {
		t.Fatal(err)
	}
	for what, l := range streams {
		for l.lines.Scan() {
			if strings.Contains(l.lines.Text(), "administrator") {
				t.Errorf("%s: heard %s", what, l.lines.Text())
			}
		}
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("the streams ended after %v", took)
	}
	h.send(t, "administrator", http.MethodPost, all+"reports/1/threads", "", `{"text":"Look"}`, 201)
	stays.until(`"comments":1`)
}
