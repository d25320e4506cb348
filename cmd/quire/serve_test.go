package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
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
		ended <- runServer(ctx, &http.Server{Handler: handler}, listener, stopTimes{grace: 200 * time.Millisecond}, slog.New(slog.DiscardHandler))
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

// told closes itself when something is written to it.
type told struct {
	once   sync.Once
	closed chan struct{}
}

func (t *told) Write(p []byte) (int, error) {
	t.once.Do(func() { close(t.closed) })
	return len(p), nil
}

// A balancer needs time to notice that a service stops: until then whom it sends
// is answered, on new connections, too, and no stream ends.
func TestRequestsAreTakenForTheDelayOfAStop(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	stopping := make(chan struct{})
	server := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	server.RegisterOnShutdown(func() { close(stopping) })
	server.SetKeepAlivesEnabled(false)
	ctx, stop := context.WithCancel(t.Context())
	log := &told{closed: make(chan struct{})}
	ended := make(chan error, 1)
	go func() {
		ended <- runServer(ctx, server, listener, stopTimes{delay: time.Hour, grace: time.Hour}, slog.New(slog.NewTextHandler(log, nil)))
	}()
	stop()
	<-log.closed
	answer, err := http.Get("http://" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	select {
	case <-stopping:
		t.Error("streams have ended")
	default:
	}
	_ = server.Close()
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("the delay did not end with the server: %v", err)
	}
}

// A start that ends as the address is taken leaves the first user, and the password
// that is shown only once, to the next one.
func TestATakenAddressMakesNobody(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	s, err := loadSettings("", []string{"Address=" + taken.Addr().String(), "DataDir=" + t.TempDir(), "Log.Level=error"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := serve(t.Context(), s); err == nil || !strings.Contains(err.Error(), "setting Address") {
		t.Fatalf("it started at a taken address: %v", err)
	}
	st, err := openStore(t.Context(), s, slog.New(slog.DiscardHandler), true)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if there, err := st.HasUsers(t.Context()); err != nil || there {
		t.Errorf("there is a user: %t, %v", there, err)
	}
}
