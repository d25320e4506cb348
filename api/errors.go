package api

import (
	"net/http"
	"strings"

	"github.com/gorilla/mux"

	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/scim"
	"github.com/quire-reports/quire/report"
)

func refuseJSON(w http.ResponseWriter, r *http.Request, err error) { answer.Error(w, r, err) }

// fail answers with an error in the form that fits the address: JSON for
// programs, a page for people.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if strings.HasPrefix(r.URL.Path, "/scim/") {
		scim.Error(w, r, err)
		return
	}
	if forPeople(r.URL.Path) {
		s.ui.Error(w, r, err)
		return
	}
	answer.Error(w, r, err)
}

func forPeople(path string) bool {
	for _, prefix := range []string{"/api", "/assets", "/healthz", "/readyz", "/metrics"} {
		if path == prefix || strings.HasPrefix(path, prefix+"/") {
			return false
		}
	}
	return true
}

func (s *server) notFound(w http.ResponseWriter, r *http.Request) {
	s.fail(w, r, report.NotFoundf("there is nothing at this address"))
}

func (s *server) methodNotAllowed(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		var match mux.RouteMatch
		asked := r.Clone(r.Context())
		asked.Method = method
		if s.router.Match(asked, &match) && match.MatchErr == nil {
			allowed = append(allowed, method)
		}
	}
	if r.Method == http.MethodOptions && len(allowed) > 0 {
		w.Header().Set("Allow", strings.Join(append(allowed, http.MethodOptions), ", "))
		w.WriteHeader(http.StatusNoContent)
		return
	}
	s.fail(w, r, answer.MethodNotAllowed(r.Method, allowed))
}
