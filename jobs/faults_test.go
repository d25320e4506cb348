package jobs

import (
	"context"
	"database/sql"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

// unsteady puts a server between the service and S3 that breaks connections
// for as long as down is set.
func unsteady(t *testing.T, storage string, down *atomic.Bool) string {
	t.Helper()
	address, _ := url.Parse(storage)
	query := address.Query()
	target, err := url.Parse(query.Get("endpoint"))
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			panic(http.ErrAbortHandler)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	query.Set("endpoint", server.URL)
	address.RawQuery = query.Encode()
	return address.String()
}

// TestFaultsOfSharedParts breaks all connections to PostgreSQL again and again
// and takes S3 away for a second while three processes work. Every export is
// completed, with its own content.
func TestFaultsOfSharedParts(t *testing.T) {
	var down atomic.Bool
	database := migrated.Postgres(t, storetest.Postgres(t))
	p := newPlace(t, store.Config{Database: database, Redis: storetest.Redis(t), Storage: unsteady(t, storetest.S3(t), &down)})
	starter := New(Config{Store: p.store})
	const all = 80
	var ids []int
	for i := range all {
		ids = append(ids, p.start(starter, export.Request{Report: strconv.Itoa(i)}))
	}
	admin, err := sql.Open("pgx", database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close() }()
	for range 3 {
		p.service(func(_ context.Context, r export.Request) (*export.File, error) {
			time.Sleep(40 * time.Millisecond)
			return printed(r), nil
		}, func(c *Config) { c.Lease, c.Backoff = time.Second, 150*time.Millisecond })
	}
	broken := 0
	var faults sync.WaitGroup
	faults.Go(func() {
		for range 10 {
			time.Sleep(120 * time.Millisecond)
			var n int
			err := admin.QueryRow(`SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`).Scan(&n)
			if err != nil {
				t.Error(err)
			}
			broken += n
		}
	})
	time.Sleep(100 * time.Millisecond)
	down.Store(true)
	time.Sleep(time.Second)
	down.Store(false)
	faults.Wait()
	lost := 0
	for i, id := range ids {
		f := p.ended(id)
		if f.Status != store.ExportCompleted {
			t.Errorf("export %d: %s %s", id, f.Status, f.Error)
			lost++
			continue
		}
		content, err := p.store.OpenExport(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		buffer := make([]byte, 64)
		for n := 1; n > 0; {
			n, _ = content.Read(buffer)
			b.Write(buffer[:n])
		}
		_ = content.Close()
		if want := "%PDF-1.7 " + strconv.Itoa(i); b.String() != want {
			t.Errorf("export %d holds %q; want %q", id, b.String(), want)
		}
	}
	p.idle()
	t.Logf("connections broken: %d, storage away for 1 s, exports: %d, lost: %d", broken, all, lost)
	if broken == 0 {
		t.Error("nothing was broken")
	}
}

// TestStorageIsAwayForLong: while contents cannot be kept, tasks are tried
// again without running out of attempts.
func TestStorageIsAwayForLong(t *testing.T) {
	const tries = 4 * makeAttempts
	folder := t.TempDir()
	blocked := filepath.Join(folder, "documents") // a file where a folder belongs
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPlace(t, store.Config{Storage: "file://" + folder})
	p.job(mailed())
	box := &mailbox{answer: func(Delivery, int) error { return nil }}
	var printed atomic.Int32
	s, _ := p.service(func(ctx context.Context, r export.Request) (*export.File, error) {
		if printed.Add(1) == tries {
			if err := os.Remove(blocked); err != nil {
				t.Error(err)
			}
		}
		return plain(ctx, r)
	}, withBatch(p), func(c *Config) { c.Deliver = box })
	run := p.run(s, "statements")
	if d := cmp.Diff(&RunStatus{Finished: true, Entries: 3, Completed: 3}, p.finished(s, "statements", run)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(allMailed, box.all()); d != "" {
		t.Error(d)
	}
	if printed.Load() < tries {
		t.Errorf("the storage came back too early: %d", printed.Load())
	}
}
