package store

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store/storetest"
)

// Findings B9 and B7: there was one key for ever.
func TestKeysRotate(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		testKeysRotate(t, Config{Database: "sqlite:" + filepath.Join(t.TempDir(), "quire.db")})
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		testKeysRotate(t, Config{Database: storetest.Postgres(t).Database(t)})
	})
}

func testKeysRotate(t *testing.T, c Config) {
	f := openFixture(t, c)
	w := f.workspace("acme")
	old, fresh := Keys{testKey, testVector}, Keys{"another-key-of-exactly-32-chars!", "another-vector-1"}
	const connections, tasks = 12, 7
	want := map[string]report.Secret{}
	for i := range connections {
		name := fmt.Sprintf("shop %d/ü", i)
		want[name] = report.Secret(fmt.Sprintf("postgres://u:p%d@db/shop", i))
		f.must(f.PutConnection(t.Context(), w.ID, Connection{Name: name, Type: "postgres", Address: want[name]}))
	}
	for range tasks {
		f.newExport(w, "{}")
	}
	factor := NewSecondFactor()
	_ = ok[[]string](t)(f.SetSecondFactor(t.Context(), f.root.ID, factor, codeAt(t, factor, f.clock.Now())))
	_ = ok[string](t)(f.ProviderKey(t.Context(), "company", func() (string, error) { return "signs", nil }))
	open := func(now Keys, others ...Keys) error {
		_ = f.Close() // it may be closed
		config := f.config
		config.Key, config.Vector, config.Old = now.Key, now.Vector, others
		s, err := Open(t.Context(), config)
		if err == nil {
			f.Store = s
		}
		return err
	}
	reads := func() {
		t.Helper()
		got := map[string]report.Secret{}
		for name := range want {
			got[name] = ok[*Connection](t)(f.Connection(t.Context(), w.ID, name)).Address
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
	f.must(open(fresh, old))
	reads()
	n := ok[int](t)(f.resealColumn(t.Context(), sealedColumns()[0])) // and then it is killed
	if n != connections {
		t.Errorf("%d resealed; want %d", n, connections)
	}
	f.must(open(old, fresh)) // a process that has not got its new settings yet
	reads()
	f.must(f.PutConnection(t.Context(), w.ID, Connection{Name: "late", Type: "postgres", Address: "postgres://late"}))
	want["late"] = "postgres://late"
	f.must(open(fresh, old))
	reads()
	// What was killed begins again: the headers, the late one twice, the second factor, the key of the provider, the tasks.
	if n := ok[int](t)(f.Reseal(t.Context())); n != connections+3+1+tasks {
		t.Errorf("%d resealed; want %d", n, connections+3+1+tasks)
	}
	if n := ok[int](t)(f.Reseal(t.Context())); n != 0 {
		t.Errorf("%d resealed, though all were", n)
	}
	f.isKind(open(old), report.Invalid)
	f.must(open(fresh))
	reads()
	f.clock.Advance(totpStep)
	f.must(f.UseCode(t.Context(), f.root.ID, codeAt(t, factor, f.clock.Now())))
	for _, task := range f.claim("one", tasks) {
		if _, secret, err := f.TaskPayload(t.Context(), &task); err != nil || secret != "open sesame" {
			t.Errorf("%v, %v", secret, err)
		}
	}
}
