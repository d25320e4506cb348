package store

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/quire-reports/quire/store/storetest"
)

// Work that another process queues is told of at once, also after the connection
// was lost.
func TestWhatIsQueuedElsewhereIsToldOf(t *testing.T) {
	t.Parallel()
	f := openFixture(t, Config{Database: storetest.Postgres(t).Database(t)})
	w := f.workspace("acme")
	other := ok[*Store](t)(Open(t.Context(), f.config))
	t.Cleanup(func() { _ = other.Close() })
	ctx, stop := context.WithCancel(t.Context())
	told, ended := make(chan struct{}, 100), make(chan struct{})
	go func() {
		defer close(ended)
		other.ListenQueue(ctx, func() { told <- struct{}{} })
	}()
	hear := func(what string) {
		t.Helper()
		select {
		case <-told:
		case <-time.After(30 * time.Second):
			t.Fatal("nothing is told: " + what)
		}
	}
	hear("it listens")
	f.newExport(w, "{}")
	hear("an export")
	if _, err := f.db.exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"); err != nil {
		t.Fatal(err)
	}
	hear("it listens again")
	f.newRun(w, f.newJob(w), `1`)
	hear("a run")
	stop()
	<-ended
}

// Where nothing can be told, nobody waits for it.
func TestNobodyListensInVain(t *testing.T) {
	t.Parallel()
	pooled := storetest.PgBouncer(t, storetest.Postgres(t).Database(t))
	for _, f := range []*fixture{sqliteFixture(t), openFixture(t, Config{Database: pooled, Storage: "file://" + filepath.Join(t.TempDir(), "contents")})} {
		f.ListenQueue(t.Context(), func() { t.Error("something is told") })
		f.newExport(f.workspace("acme"), "{}")
	}
}
