package main

import (
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/store"
)

var upgradeEntries = flag.Int("upgrade-entries", 30, "entries of the run that goes on in TestRollingUpgrade, see make check-upgrade")

// TestRollingUpgrade puts this version in the place of the one before, process by
// process, and that one back again, while five requests a second come and a run goes
// on: no request fails, no entry is lost, none is delivered twice.
func TestRollingUpgrade(t *testing.T) {
	judges.Slow(t)
	if _, err := render.FindBrowser(""); err != nil {
		judges.Missing(t, "needs chromium-headless-shell or chromium")
	}
	before := programBefore(t)
	c := newCluster(t, before, "Shutdown__DelaySeconds=3")
	after := newProgram(t)
	after.dir, after.token = before.dir, before.token
	putJob(t, c.store, *upgradeEntries, toAllDestinations)
	from, to := c.tablesOf(t, before)

	b := newBalancer(t)
	services := []*running{c.serve, before.start(t, c.env...)}
	for _, s := range services {
		b.add(s.url)
	}
	for range 2 {
		c.workers = append(c.workers, before.worker(t, c.env...))
	}
	c.asker.url = b.url
	run := c.begin(t, "/jobs/invoices/runs", "{}", "jobRunId", "the-run")
	load := loadWith(t, c.asker, run)
	steps := 0
	step := func(what string, do func()) {
		t.Helper()
		steps++
		c.until(t, run, *upgradeEntries*steps/10) // spread over the run
		do()
		t.Logf("%s: %v", what, load)
	}
	for _, of := range []struct {
		name    string
		program *program
	}{{"this version", after}, {"the version before", before}} {
		for i := range services {
			step(fmt.Sprintf("service %d is of %s", i+1, of.name), func() {
				next := of.program.start(t, c.env...)
				b.add(next.url)
				b.untilReady(t, next.url)
				services[i].stop()
				b.remove(services[i].url)
				services[i] = next
			})
		}
		for i := range c.workers {
			step(fmt.Sprintf("worker %d is of %s", i+1, of.name), func() {
				c.workers[i].stop()
				c.workers[i] = of.program.worker(t, c.env...)
			})
		}
	}
	state := c.until(t, run, *upgradeEntries)
	exports := load.stop()
	c.serve = services[0]
	delivered := c.compare(t, run, *upgradeEntries)
	c.compareExports(t, exports)
	if now, _ := c.tablesOf(t, nil); now != to || from >= to {
		t.Errorf("the tables are of version %d, were of %d and should be of %d", now, from, to)
	}
	lost := *upgradeEntries - min(state.Status.Completed, delivered.whole)
	t.Logf("%v; entries %d, lost %d, doubled %d; tables from %d to %d", load, state.Entries, lost, delivered.doubled, from, to)
	if load.failed > 0 || lost != 0 || delivered.doubled != 0 || state.Status.Errors != 0 {
		t.Errorf("failed requests: %q; the run: %+v", load.errors, state)
	}
}

// programBefore builds the version before, of the commit that testdata names.
func programBefore(t *testing.T) *program {
	t.Helper()
	text, err := os.ReadFile("testdata/version-before")
	if err != nil {
		t.Fatal(err)
	}
	commit, tree := strings.TrimSpace(string(text)), filepath.Join(t.TempDir(), "before")
	if exec.Command("git", "cat-file", "-e", commit+"^{commit}").Run() != nil {
		t.Skip("needs the history of the repository, with commit " + commit) // a shallow clone has none
	}
	p := &program{binary: filepath.Join(t.TempDir(), "quire"), dir: t.TempDir()}
	build := `mkdir "$1" && git -C ../.. archive "$0" | tar -xC "$1" && cd "$1" && go build -trimpath -ldflags="-s -w" -o "$2" ./cmd/quire`
	if out, err := exec.Command("bash", "-o", "pipefail", "-c", build, commit, tree, p.binary).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return p
}

// tablesOf is which version the tables are of, and the newest that there is. With a
// program, they are first brought back to those that it makes of an empty database:
// the test, whose version is newer, has looked into them.
func (c *cluster) tablesOf(t *testing.T, of *program) (version, newest int64) {
	t.Helper()
	config, err := storeConfig(c.settings, slog.New(slog.DiscardHandler), false)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := store.OpenTables(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	if of != nil {
		made := exec.Command(of.binary, "migrate", "--status", "--data", t.TempDir())
		out, err := made.Output()
		if err != nil {
			t.Fatal(withErrors(err))
		}
		var known int64
		for line := range strings.Lines(string(out)) {
			if fields := strings.Fields(line); strings.HasPrefix(line, "not yet") {
				_, _ = fmt.Sscanf(fields[2], "%d_", &known)
			}
		}
		if err := tables.MigrateTo(t.Context(), known); err != nil {
			t.Fatalf("back to version %d: %v", known, err)
		}
	}
	all, version, err := tables.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return version, all[len(all)-1].Version
}

// until waits until so many entries are complete, or the run has finished.
func (c *cluster) until(t *testing.T, run string, entries int) runState {
	t.Helper()
	var state runState
	for end := time.Now().Add(20 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		var ok bool
		if state, ok = c.asker.state(run); ok && (state.Finished || entries < *upgradeEntries && state.Status.Completed >= entries) {
			return state
		}
	}
	t.Fatalf("the run does not go on: %+v", state)
	return state
}

// balancer sends requests to the services that say that they are ready, by turns, and
// never twice.
type balancer struct {
	url string

	mu    sync.Mutex
	ready map[string]bool
	turn  int
}

func newBalancer(t *testing.T) *balancer {
	b := &balancer{ready: map[string]bool{}}
	proxy := &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(b.next(r.In)) },
		Transport: &http.Transport{DisableKeepAlives: true},
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	b.url = server.URL
	return b
}

// add has a service asked four times a second whether it is ready.
func (b *balancer) add(address string) {
	b.mu.Lock()
	b.ready[address] = false
	b.mu.Unlock()
	go func() {
		client := http.Client{Timeout: time.Second}
		for tick := time.NewTicker(250 * time.Millisecond); ; <-tick.C {
			resp, err := client.Get(address + "/readyz")
			well := err == nil && resp.StatusCode == http.StatusOK
			if err == nil {
				resp.Body.Close()
			}
			b.mu.Lock()
			_, known := b.ready[address]
			if known {
				b.ready[address] = well
			}
			b.mu.Unlock()
			if !known {
				return
			}
		}
	}()
}

func (b *balancer) remove(address string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.ready, address)
}

func (b *balancer) isReady(address string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ready[address]
}

func (b *balancer) untilReady(t *testing.T, address string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !b.isReady(address); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s does not become ready", address)
		}
	}
}

// next is the service whose turn it is; when none is ready, a request waits.
func (b *balancer) next(r *http.Request) *url.URL {
	for {
		b.mu.Lock()
		var ready []string
		for address, well := range b.ready {
			if well {
				ready = append(ready, address)
			}
		}
		b.turn++
		turn := b.turn
		b.mu.Unlock()
		if len(ready) > 0 {
			slices.Sort(ready)
			target, _ := url.Parse(ready[turn%len(ready)])
			return target
		}
		select {
		case <-r.Context().Done():
			return &url.URL{Scheme: "http", Host: "none.invalid"}
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// load is five requests a second, and what came of them.
type load struct {
	end     chan struct{}
	waiting sync.WaitGroup

	mu           sync.Mutex
	sent, failed int
	errors       []string
	exports      []string
}

func loadWith(t *testing.T, a asker, run string) *load {
	l := &load{end: make(chan struct{})}
	requests := []struct {
		method, path, body string
		want               int
	}{
		{"GET", "/reports", "", 200},
		{"POST", "/reports/invoice/pdf", "{}", 200},
		{"GET", run + "/status", "", 200},
		{"POST", "/reports/invoice/export", "{}", 202},
		{"GET", "/jobs", "", 200},
	}
	l.waiting.Go(func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for i := 0; ; i++ {
			select {
			case <-l.end:
				return
			case <-tick.C:
			}
			r := requests[i%len(requests)]
			l.waiting.Go(func() {
				status, answer, err := a.do(r.method, r.path, r.body)
				l.mu.Lock()
				defer l.mu.Unlock()
				l.sent++
				switch {
				case err != nil || status != r.want:
					l.failed++
					l.errors = append(l.errors, fmt.Sprintf("%s %s: %d %.200s %v", r.method, r.path, status, answer, err))
				case status == http.StatusAccepted:
					l.exports = append(l.exports, numberOf(t, answer, "temporaryFileId"))
				}
			})
		}
	})
	return l
}

// stop ends it and gives the exports that were begun.
func (l *load) stop() []string {
	close(l.end)
	l.waiting.Wait()
	return l.exports
}

func (l *load) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return fmt.Sprintf("%d requests, %d failed", l.sent, l.failed)
}
