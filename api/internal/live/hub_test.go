package live

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quire-reports/quire/report"
)

// watched is a subject that counts how often it is asked, and has one event for
// each time.
type watched struct {
	asked, made atomic.Int64
	last        int64 // the event that ends it; 0: none
	fault       error
}

func (w *watched) subject() Subject {
	return Subject{
		Key:   "run 1",
		First: func(context.Context) (Event, error) { return Event{ID: "0", Data: []byte(`{"first":true}`)}, w.fault },
		Source: func() Source {
			w.made.Add(1)
			return func(context.Context) (Event, error) {
				n := w.asked.Add(1)
				return Event{ID: fmt.Sprint(n), Data: fmt.Appendf(nil, `{"n":%d}`, n), Last: n == w.last}, nil
			}
		},
	}
}

// serve is a service with the time limits of ours, only shorter.
func serve(t *testing.T, h *Hub, s Subject) *httptest.Server {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h.Serve(w, r, s); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	}))
	server.Config.ReadTimeout, server.Config.WriteTimeout = 100*time.Millisecond, 100*time.Millisecond
	server.Start()
	t.Cleanup(server.Close)
	return server
}

// listen reads lines of a stream until there are some with an event, or until
// its end.
func listen(t *testing.T, url string, events int) []string {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" || res.Header.Get("X-Accel-Buffering") != "no" {
		t.Errorf("%d %v", res.StatusCode, res.Header)
	}
	var found []string
	for lines := bufio.NewScanner(res.Body); len(found) < events && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "data: ") || strings.HasPrefix(lines.Text(), ":") {
			found = append(found, lines.Text())
		}
	}
	return found
}

// TestStream outlives the time limits of the server, and ends with its subject.
func TestStream(t *testing.T) {
	w := &watched{last: 20}
	h := NewHub(Config{Interval: 20 * time.Millisecond})
	got := listen(t, serve(t, h, w.subject()).URL, 1000)
	if len(got) != 21 || got[0] != `data: {"first":true}` || got[20] != `data: {"n":20}` {
		t.Errorf("%d lines: %q", len(got), got)
	}
	h.quiet(t)
}

// quiet fails unless nothing is watched, and no source asked, any more.
func (h *Hub) quiet(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		h.mu.Lock()
		topics, open := len(h.topics), h.open
		h.mu.Unlock()
		if topics == 0 && open == 0 && !polls() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("something is still watched")
}

// polls tells whether a source is asked.
func polls() bool {
	all := make([]byte, 4<<20)
	return strings.Contains(string(all[:runtime.Stack(all, true)]), "(*Hub).poll(")
}

// TestManyListeners share one source, and nothing is asked once they are gone.
func TestManyListeners(t *testing.T) {
	w := &watched{}
	h := NewHub(Config{Interval: 20 * time.Millisecond})
	server := serve(t, h, w.subject())
	heard := make(chan int)
	for range 20 {
		go func() { heard <- len(listen(t, server.URL, 5)) }()
	}
	for range 20 {
		if n := <-heard; n != 5 {
			t.Errorf("heard %d events", n)
		}
	}
	if h.quiet(t); w.made.Load() != 1 {
		t.Errorf("%d sources for one subject", w.made.Load())
	}
	if asked := w.asked.Load(); asked > 100 {
		t.Errorf("asked %d times for 20 listeners of 5 events", asked)
	}
}

func TestStreamsEnd(t *testing.T) {
	stopping := make(chan struct{})
	for name, c := range map[string]struct {
		config Config
		after  func()
	}{
		"the service stops": {Config{Interval: time.Hour, Stopping: stopping}, func() { close(stopping) }},
		"the stream is old": {Config{Interval: time.Hour, Life: 50 * time.Millisecond}, func() {}},
	} {
		t.Run(name, func(t *testing.T) {
			h := NewHub(c.config)
			time.AfterFunc(50*time.Millisecond, c.after)
			if got := listen(t, serve(t, h, (&watched{}).subject()).URL, 1000); len(got) != 1 {
				t.Errorf("got %q", got)
			}
			h.quiet(t)
		})
	}
}

func TestSignsOfLife(t *testing.T) {
	h := NewHub(Config{Interval: time.Hour, Beat: 10 * time.Millisecond})
	got := listen(t, serve(t, h, (&watched{}).subject()).URL, 3)
	if strings.Join(got, "|") != `data: {"first":true}|:|:` {
		t.Errorf("got %q", got)
	}
}

func TestRefusedStreams(t *testing.T) {
	for what, c := range map[string]struct {
		config Config
		other  int // who has a stream already
	}{"one too many": {Config{Most: 1}, 7}, "one too many of a listener": {Config{Each: 1}, 0}} {
		h := NewHub(c.config)
		if !h.enter(c.other) {
			t.Fatal("the first is refused")
		}
		var p *report.Problem
		err := h.Serve(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil), (&watched{}).subject())
		if !errors.As(err, &p) || p.Kind != report.Busy {
			t.Errorf("%s: %v", what, err)
		}
		h.leave(c.other)
		h.quiet(t)
	}
	h := NewHub(Config{})
	gone := report.NotFoundf("run 1 does not exist")
	w := httptest.NewRecorder()
	if err := h.Serve(w, httptest.NewRequest("GET", "/", nil), (&watched{fault: gone}).subject()); !errors.Is(err, gone) || w.Body.Len() > 0 {
		t.Errorf("a fault before the first event: %v, %q", err, w.Body)
	}
	h.quiet(t)
}

// TestRightsEnd while somebody listens: nothing is told after, and a stream of
// which nothing is heard ends with its next sign of life.
func TestRightsEnd(t *testing.T) {
	for name, config := range map[string]Config{
		"with the next event":        {Interval: 20 * time.Millisecond, Trust: time.Nanosecond},
		"with the next sign of life": {Interval: time.Hour, Beat: 20 * time.Millisecond, Trust: time.Nanosecond},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			s := (&watched{}).subject()
			s.Still = func() error {
				if asked.Add(1) > 2 {
					return errors.New("no member any more")
				}
				return nil
			}
			h := NewHub(config)
			if got := listen(t, serve(t, h, s).URL, 1000); len(got) != 3 {
				t.Errorf("heard %q; want the first and two more", got)
			}
			h.quiet(t)
		})
	}
	t.Run("trusted for a while", func(t *testing.T) {
		s := (&watched{last: 5}).subject()
		s.Still = func() error { return errors.New("asked too early") }
		if got := listen(t, serve(t, NewHub(Config{Interval: time.Millisecond, Trust: time.Hour}), s).URL, 1000); len(got) != 6 {
			t.Errorf("heard %q", got)
		}
	})
}

// TestSlowListener loses its stream instead of holding up the others.
func TestSlowListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHub(Config{Interval: time.Millisecond})
		events, unwatch := h.watch((&watched{}).subject())
		defer unwatch()
		time.Sleep(time.Minute)
		n := 0
		for range events {
			n++
		}
		if n != waiting {
			t.Errorf("%d events waited; want %d", n, waiting)
		}
	})
}
