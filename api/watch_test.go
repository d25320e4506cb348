package api

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
)

// A process that serves nobody tells monitors how it is, and what it does when
// its operator asks for that.
func TestWatchOfAWorker(t *testing.T) {
	t.Parallel()
	leaving := make(chan struct{})
	var away error
	watch := NewWatch(Config{
		Profiling: true, Leaving: leaving,
		Checks: []Check{{Name: "database", Needed: true, Ask: func(context.Context) error { return away }}},
	})
	ask := func(path string, status int, has string) {
		t.Helper()
		w := httptest.NewRecorder()
		watch.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != status || !strings.Contains(w.Body.String(), has) {
			t.Errorf("%s: %d %.200s, want %d with %q", path, w.Code, w.Body, status, has)
		}
	}
	ask("/healthz", 200, "ok")
	ask("/readyz", 200, `"database":"ok"`)
	ask("/metrics", 200, "go_goroutines")
	ask("/debug/pprof/goroutine?debug=1", 200, "goroutine profile")
	ask("/debug/pprof/symbol", 200, "num_symbols")
	ask("/sign-in", 404, "")
	away = errors.New("refused")
	ask("/readyz", 503, `"database":"failing"`)
	away = nil
	close(leaving)
	ask("/readyz", 503, "stopping")
	ask("/healthz", 200, "ok")
}
