package api

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/store"
)

// A key of the workspace signs for those alone who see its connections, whichever way
// they ask; others get no file, and nothing is queued.
func TestWhoMayNotSeeAConnectionCannotSignWithIt(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.narrowRoles(t)
	var signed atomic.Int32
	h.export.export = func(r export.Request) (*export.File, error) {
		if r.Signature != "" {
			signed.Add(1)
		}
		return newFile("a.pdf", "application/pdf", "%PDF"), nil
	}
	const one = "/api/v1/ws/demo/reports/invoice/"
	refusal := []string{"signing files with a connection needs a role with Read on data sources; your role no-data has No access"}
	for _, way := range []scenario{
		{name: "query", path: one + "pdf?signature=seal"},
		{name: "body", method: http.MethodPost, path: one + "pdf", body: `{"signature":"seal"}`},
		{name: "async", method: http.MethodPost, path: one + "export", body: `{"signature":"seal"}`},
	} {
		way.who, way.status, way.has = "no-data", 403, refusal
		h.check(t, way)
	}
	if w := h.do(scenario{path: "/ws/demo/reports/invoice/pdf?signature=seal", header: header("Cookie", h.session("no-data"), "Accept-Language", "de")}); w.Code != 403 || !strings.Contains(w.Body.String(), "Dateien mit einer Verbindung zu signieren braucht eine Rolle mit Lesen auf Datenquellen") {
		t.Errorf("in the browser: %d %s", w.Code, w.Body)
	}
	if w := h.do(scenario{path: "/ws/demo/reports/invoice/preview?signature=seal&nonce=" + h.scopedOf(t, "all", `{"workspace":"demo","reports":["invoice"]}`)}); w.Code != 403 || !strings.Contains(w.Body.String(), "not by the link of a nonce") {
		t.Errorf("by a nonce: %d", w.Code)
	}
	h.work()
	if n := signed.Load(); n != 0 {
		t.Errorf("%d files were signed", n)
	}
	h.check(t, scenario{path: one + "pdf?signature=seal", who: "all", status: 200})
	mine := h.begin(t, "all", `{"signature":"seal"}`)
	if status := h.ended(t, "all", mine); !strings.Contains(status, `"Completed"`) || signed.Load() != 2 {
		t.Errorf("%d signed: %s", signed.Load(), status)
	}
}

// An export that waits is not signed for who lost the right meanwhile.
func TestTheQueueDoesNotSignForWhoLostTheRight(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.narrowRoles(t)
	mine, plain := h.begin(t, "all", `{"signature":"seal"}`), h.begin(t, "all", `{}`)
	role := must[*store.Role](t)(h.store.CreateRole(t.Context(), h.demo.ID, store.Role{Name: "less", Levels: levels{store.Reports: store.Write}}))
	noError(t, h.store.SetMember(t.Context(), h.demo.ID, h.users["all"].ID, role.ID))
	h.work()
	if status := h.ended(t, "all", mine); !strings.Contains(status, `"Failed"`) || !strings.Contains(status, "needs a role with Read on data sources") {
		t.Error(status)
	}
	if status := h.ended(t, "all", plain); !strings.Contains(status, `"Completed"`) {
		t.Error(status)
	}
}

// Who may write jobs gets no more by a job that signs than by the connection: its
// signature stays while what is signed stays, and nothing else is signed with it.
func TestAJobSignsWhatWhoSeesTheConnectionLetIt(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.narrowRoles(t)
	h.withJobs()
	job := func(name, rows, reports string) string {
		return fmt.Sprintf(`{"name":%q,"code":"sealed","active":true,"dataSources":[{"name":"q","type":"json","settings":{"content":[%s]}}],"repeat":"q","reports":[%s]}`, name, rows, reports)
	}
	const one, invoice = "/api/v1/ws/demo/jobs/sealed", `{"report":"2","signature":"seal"}`
	h.send(t, "no-data", http.MethodPost, "/api/v1/ws/demo/jobs", "", job("Sealed", "1", invoice), 403)
	h.send(t, "all", http.MethodPost, "/api/v1/ws/demo/jobs", "", job("Sealed", "1", invoice), 201)
	h.send(t, "no-data", http.MethodPut, one, "", job("Renamed", "1", invoice), 200)
	h.send(t, "no-data", http.MethodPut, one, "", job("Renamed", "1", invoice+`,{"report":"2"}`), 200)
	for name, changed := range map[string]string{
		"other rows":       job("Renamed", "2", invoice),
		"another report":   job("Renamed", "1", `{"report":"1","signature":"seal"}`),
		"other parameters": job("Renamed", "1", `{"report":"2","signature":"seal","params":{"customer":"Ada"}}`),
		"other data":       job("Renamed", "1", `{"report":"2","signature":"seal","data":{"lines":[]}}`),
		"another key":      job("Renamed", "1", `{"report":"2","signature":"other"}`),
		"one more":         job("Renamed", "1", invoice+`,{"report":"1","signature":"seal"}`),
	} {
		h.check(t, scenario{name: name, who: "no-data", method: http.MethodPut, path: one, body: changed, status: 403, has: []string{`.signature"`, "Read on data sources"}})
		h.check(t, scenario{name: name + " for trial", who: "no-data", method: http.MethodPost, path: "/api/ui/ws/demo/jobs/trial", body: `{"job":` + changed + `,"delivery":0}`, status: 403})
	}
	h.send(t, "no-data", http.MethodPost, one+"/runs", "", `{}`, 200) // as it was attached
	h.send(t, "no-data", http.MethodPut, one, "", job("Renamed", "2", `{"report":"2"}`), 200)
	h.send(t, "no-data", http.MethodPut, one, "", job("Renamed", "2", invoice), 403)
}
