package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// TestSearch finds by a part of a name what a person may see, and nothing else.
func TestSearch(t *testing.T) {
	h := open(t)
	h.withJobs()
	for _, c := range []struct {
		name, who, q string
		has, lacks   []string
	}{
		{"reports by a part, whatever the case", "administrator", "INVOICE", []string{`"kind":"report","name":"Invoice"`, `"edit":"/ws/demo/reports/`}, nil},
		{"jobs", "administrator", "statem", []string{`"kind":"job","name":"Statements","where":"Demo","address":"/ws/demo/jobs/`}, nil},
		{"no jobs for who may not see them", "viewer", "statem", []string{"[]"}, nil},
		{"who may only read gets no designer", "viewer", "invoice", []string{`"kind":"report","name":"Invoice"`}, []string{`"edit"`, `"kind":"job"`}},
		{"workspaces", "viewer", "demo", []string{`"kind":"workspace"`, `"address":"/ws/demo"`}, nil},
		{"of a workspace without a role nothing", "stranger", "invoice", nil, []string{"nvoice"}},
		{"nothing asked, nothing found", "administrator", " ", []string{"[]"}, []string{"kind"}},
		{"nothing is called so", "administrator", "wibble", []string{"[]"}, nil},
	} {
		h.check(t, scenario{name: c.name, path: "/api/ui/search?q=" + strings.ReplaceAll(c.q, " ", "+"), header: http.Header{"Cookie": {h.session(c.who)}}, status: 200, has: c.has, lacks: c.lacks})
	}
	var all []struct{ Kind string }
	w := h.check(t, scenario{path: "/api/ui/search?q=e", header: http.Header{"Cookie": {h.session("root")}}, status: 200})
	if err := json.Unmarshal(w.Body.Bytes(), &all); err != nil || len(all) == 0 || len(all) > 20 {
		t.Errorf("%d found, %v", len(all), err)
	}
	h.check(t, scenario{path: "/api/ui/search?q=a", status: 401})
}
