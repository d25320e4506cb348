package main

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"
)

// A request that takes longer than the service waits when it stops gets an
// answer, and one that ends in time its own.
func TestRequestsUnderWayWhenTheServiceStops(t *testing.T) {
	begun := make(chan struct{})
	handler := http.NewServeMux()
	handler.HandleFunc("/long", func(w http.ResponseWriter, r *http.Request) {
		begun <- struct{}{}
		<-r.Context().Done()
		http.Error(w, context.Cause(r.Context()).Error(), http.StatusServiceUnavailable)
	})
	handler.HandleFunc("/short", func(http.ResponseWriter, *http.Request) {
		begun <- struct{}{}
		time.Sleep(50 * time.Millisecond)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- runServer(ctx, &http.Server{Handler: handler}, listener, 200*time.Millisecond, slog.New(slog.DiscardHandler))
	}()
	answers := map[string]chan string{}
	for _, path := range []string{"/long", "/short"} {
		answers[path] = make(chan string, 1)
		go func() {
			answer, err := http.Get("http://" + listener.Addr().String() + path)
			if err != nil {
				answers[path] <- err.Error()
				return
			}
			defer answer.Body.Close()
			body, _ := io.ReadAll(answer.Body)
			answers[path] <- answer.Status + " " + string(body)
		}()
		<-begun
	}
	stop()
	for path, want := range map[string]string{"/long": "503 Service Unavailable the service is stopping; try again in a moment\n", "/short": "200 OK "} {
		if got := <-answers[path]; got != want {
			t.Errorf("%s: %q; want %q", path, got, want)
		}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
