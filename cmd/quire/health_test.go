package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

func TestHealthTellsItsParts(t *testing.T) {
	status := http.StatusOK
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(`{"status":"ready","checks":{"database":"ok","browser":"ok"},"details":{"sandbox":"on"}}`))
	}))
	defer service.Close()
	s := &settings{Address: "127.0.0.1:1", PathBase: "/reports", MetricsAddress: strings.TrimPrefix(service.URL, "http://")}
	var out bytes.Buffer
	if err := health(s, &out); err != nil || out.String() != "browser: ok\ndatabase: ok\nsandbox: on\n" {
		t.Errorf("%v, %q", err, &out)
	}
	status = http.StatusServiceUnavailable
	if err := health(s, &out); err == nil || !strings.Contains(err.Error(), "not ready: 503") {
		t.Errorf("a service that is not ready: %v", err)
	}
}

// What restarts containers must not ask for databases: a worker that only waits
// for one lives.
func TestAliveFitsServiceAndWorker(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/reports/healthz" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	s := &settings{Address: strings.TrimPrefix(service.URL, "http://"), PathBase: "/reports"}
	if err := alive(s, time.Now()); err != nil {
		t.Errorf("a service: %v", err)
	}
	service.Close()
	if err := alive(s, time.Now()); err == nil {
		t.Error("nobody lives, and nobody says so")
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if showLife(ctx); alive(s, time.Now()) == nil {
		t.Error("a worker that has been stopped shows life")
	}
	ctx, stop = context.WithCancel(t.Context())
	defer stop()
	go showLife(ctx)
	for end := time.Now().Add(20 * time.Second); alive(s, time.Now()) != nil; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a worker does not show life")
		}
	}
	if err := alive(s, time.Now().Add(2*signLasts)); err == nil || !strings.Contains(err.Error(), "has not shown that it lives for") {
		t.Errorf("a worker that hangs: %v", err)
	}
	if info, err := os.Stat(signOfLife()); err != nil || !info.IsDir() {
		t.Errorf("%v, %v", info, err)
	}
}
