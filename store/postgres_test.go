package store

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib" // for statements of an administrator

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store/storetest"
)

// Finding A6: a pooler in transaction mode gives each transaction another
// connection, on which statements prepared before are unknown or in the way, and
// locks of a session stay behind.
func TestPgBouncerInTransactionMode(t *testing.T) {
	t.Parallel()
	address, storage := storetest.PgBouncer(t, storetest.Postgres(t).Database(t)), "file://"+filepath.Join(t.TempDir(), "contents")
	var stores [3]*Store
	var wg sync.WaitGroup
	for i := range stores { // together, on an empty database
		wg.Go(func() {
			s, err := Open(t.Context(), Config{Database: address, Storage: storage, Key: testKey, Vector: testVector})
			if err != nil {
				t.Error(err)
				return
			}
			t.Cleanup(func() { _ = s.Close() })
			stores[i] = s
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	f := &fixture{Store: stores[0], t: t}
	f.root = ok[*User](t)(f.CreateRootUser(t.Context(), "root@example.com", "Root", rootSecret))
	w := f.workspace("acme")
	const clients, each = 12, 10
	for c := range clients {
		s := stores[c%len(stores)]
		wg.Go(func() {
			for range each {
				id, err := s.CreateExport(t.Context(), NewExport{WorkspaceID: w.ID, UserID: f.root.ID, Kind: ExportTask, Payload: []byte("{}"), Report: "1", Format: "pdf", Lifetime: time.Hour})
				if err == nil {
					_, err = s.CompleteExport(t.Context(), id, Finished{Name: "a.pdf", ContentType: "application/pdf"}, strings.NewReader("content"))
				}
				if err == nil {
					_, err = s.Export(t.Context(), w.ID, id)
				}
				if err == nil {
					_, _, err = s.PutTempData(t.Context(), w.ID, f.root.ID, upload("{}", nil))
				}
				if err == nil {
					_, err = s.Exports(t.Context(), ExportQuery{WorkspaceID: w.ID, UserID: f.root.ID, Limit: 5})
				}
				if err != nil {
					t.Errorf("%v (%v)", err, Cause(err))
					return
				}
			}
		})
	}
	wg.Wait()
	claimed := map[int64]bool{}
	for _, s := range stores {
		for _, task := range ok[[]Task](t)(s.ClaimTasks(t.Context(), Claim{Owner: "one", Worst: Batch, Most: clients * each / 2, Lease: time.Minute})) {
			claimed[task.ID] = true
		}
	}
	if len(claimed) != clients*each {
		t.Errorf("%d tasks were claimed; want %d", len(claimed), clients*each)
	}
}

// A server that restarts behind a pooler is away: the pooler answers in its place, with
// a code of its own.
func TestTheServerBehindPgBouncerIsAway(t *testing.T) {
	t.Parallel()
	server := storetest.PrivatePostgres(t)
	address := server.Database(t)
	f := openFixture(t, Config{Database: storetest.PgBouncer(t, address)})
	w := f.workspace("acme")
	// Of a server that ends PgBouncer tells those whom it was working for.
	administrator := ok[*sql.DB](t)(sql.Open("pgx", address))
	defer administrator.Close()
	said := make(chan error)
	go func() {
		var n int
		said <- f.db.get(t.Context(), &n, "SELECT COUNT(*) FROM pg_sleep(600)")
	}()
	for end, working := time.Now().Add(time.Minute), false; !working; time.Sleep(5 * time.Millisecond) {
		f.must(administrator.QueryRow("SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)' AND state = 'active')").Scan(&working))
		if time.Now().After(end) {
			t.Fatal("the server does not work on the question")
		}
	}
	server.Away(t, func() {
		// Those who ask from now on wait at PgBouncer, which keeps them for minutes.
		began := time.Now()
		if _, err := f.Library(t.Context(), w.ID); Away(err) == nil || time.Since(began) > 3*latestTakes {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		err := <-said
		var code *pgconn.PgError
		if !errors.As(err, &code) || !strings.HasPrefix(code.Code, pgConnection) || Away(err) == nil {
			t.Errorf("%v is not what PgBouncer says of a server that is away", err)
		}
	})
	for end := time.Now().Add(time.Minute); ; {
		_, err := f.Library(t.Context(), w.ID)
		if err == nil {
			return
		}
		if Away(err) == nil || time.Now().After(end) {
			t.Fatalf("the server is back, and the answer is %v", err)
		}
	}
}

// A pooler that lends a connection for one statement only is refused at the start; what
// else would fail is the first change.
func TestPgBouncerInStatementMode(t *testing.T) {
	t.Parallel()
	address := storetest.PgBouncerIn(t, "statement", storetest.Postgres(t).Database(t))
	s, err := Open(t.Context(), Config{Database: address, Storage: "file://" + t.TempDir(), Key: testKey, Vector: testVector})
	if err == nil {
		_ = s.Close()
	}
	var p *report.Problem
	if !errors.As(err, &p) || p.Path != "ConnectionStrings__Database" || !strings.Contains(p.Message, "pool_mode = transaction") {
		t.Errorf("%v; want what the pooler must be set to", err)
	}
}

// Finding A10: a database that takes no more changes, as after a switch-over, is
// away, and is used again when it takes them.
func TestADatabaseTurnsReadOnly(t *testing.T) {
	t.Parallel()
	address := storetest.Postgres(t).Database(t)
	f := openFixture(t, Config{Database: address})
	w := f.workspace("acme")
	administrator := ok[*sql.DB](t)(sql.Open("pgx", address))
	defer administrator.Close()
	turn := func(readOnly string) {
		t.Helper()
		name := address[strings.LastIndex(address, "/")+1:]
		name, _, _ = strings.Cut(name, "?")
		_, err := administrator.Exec("ALTER DATABASE " + name + " SET default_transaction_read_only = " + readOnly)
		f.must(err)
	}
	ready := func() error { return f.Parts()[0].Ping(t.Context()) }
	f.must(ready())
	turn("on")
	_, err := administrator.Exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
	f.must(err)
	for range 5 {
		_, err := f.CreateNonce(t.Context(), f.grant())
		if Away(err) == nil {
			t.Errorf("a write on a database that takes none: %v", err)
		}
		if ready() == nil {
			t.Error("it says that it is ready")
		}
		ok[[]ExportRow](t)(f.Exports(t.Context(), ExportQuery{WorkspaceID: w.ID, Limit: 1})) // reading goes on
	}
	_, err = administrator.Exec("SET default_transaction_read_only = off")
	f.must(err)
	turn("off")
	deadline := time.Now().Add(30 * time.Second)
	for ready() != nil && time.Now().Before(deadline) { // connections are given up once a second
	}
	f.must(ready())
	for range 20 {
		ok[string](t)(f.CreateNonce(t.Context(), f.grant()))
	}
}
