package api

import (
	"net/http"
	"net/http/pprof"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// watch is what monitors ask at an address of their own: metrics, health with
// every part and, if wanted, profiles.
func (s *server) watch() http.Handler {
	inner := http.NewServeMux()
	inner.HandleFunc("GET /healthz", alive)
	inner.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) { s.answerReady(w, r, true) })
	inner.Handle("GET /metrics", s.serveMetrics())
	if s.Profiling {
		inner.HandleFunc("GET /debug/pprof/", pprof.Index)
		inner.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		inner.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		inner.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return inner
}

func (s *server) serveMetrics() http.Handler {
	return promhttp.HandlerFor(s.Metrics, promhttp.HandlerOpts{})
}
