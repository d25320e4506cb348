package backup

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

const (
	key    = report.Secret("0123456789abcdef0123456789abcdef")
	vector = report.Secret("fedcba9876543210")
)

func ok[T any](t testing.TB) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func quiet(string, int, int) {}

// place is an installation's settings.
func place(t *testing.T, database string) store.Config {
	dir := t.TempDir()
	if database == "" {
		database = "sqlite:" + filepath.Join(dir, "quire.db")
	}
	return store.Config{Database: database, Storage: "file://" + filepath.Join(dir, "contents"), Key: key, Vector: vector, Unsynced: true}
}

func folder(t *testing.T, path string) *store.Contents {
	c := ok[*store.Contents](t)(store.OpenContents(t.Context(), "Backup__Url", "file://"+path))
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// used is an installation with something of everything that is easily made.
func used(t *testing.T, c store.Config) *store.Store {
	ctx := t.Context()
	st := ok[*store.Store](t)(store.Open(ctx, c))
	t.Cleanup(func() { _ = st.Close() })
	_ = ok[*store.User](t)(st.CreateRootUser(ctx, "root@example.com", "Ünï \U0001F600", "Correct-horse-7"))
	w := ok[*store.Workspace](t)(st.CreateWorkspace(ctx, store.NewWorkspace{Name: "Acme", Code: "acme", Defaults: true}))
	must(t, st.PutConnection(ctx, w.ID, store.Connection{Name: "shop", Type: "postgres", Address: "postgres://secret"}))
	for i := range 3 {
		_ = ok[*store.FileRow](t)(st.PutFile(ctx, w.ID, fmt.Sprintf("%d.txt", i), "text/plain", strings.NewReader(fmt.Sprint("file ", i))))
	}
	return st
}

// restored restores the newest backup into another place and opens that.
func restored(t *testing.T, from *store.Contents, c store.Config) *store.Store {
	t.Helper()
	ctx := t.Context()
	tables := ok[*store.Tables](t)(store.OpenTables(ctx, c))
	contents := folder(t, strings.TrimPrefix(c.Storage, "file://"))
	m := ok[*Manifest](t)(Find(ctx, from, "", ""))
	must(t, m.Restore(ctx, from, Target{tables, contents}, quiet))
	must(t, tables.Close())
	st := ok[*store.Store](t)(store.Open(ctx, c))
	t.Cleanup(func() { _ = st.Close() })
	return st
}

// dump is every row that a backup has, by table.
func dump(t *testing.T, st *store.Store) map[string][]string {
	all := map[string][]string{}
	must(t, st.Tables().Snapshot(t.Context(), func(s *store.Snapshot) error {
		for _, table := range Tables() {
			if table.LeftOut != "" {
				continue
			}
			order := slices.Clone(s.Columns[table.Name])
			slices.SortFunc(order, func(a, b store.Column) int { return strings.Compare(a.Name, b.Name) })
			err := s.Rows(t.Context(), table.Name, "", nil, func(row []any) error {
				var b strings.Builder
				for _, c := range order { // rebuilt tables have theirs in another order
					i := slices.Index(s.Columns[table.Name], c)
					fmt.Fprintf(&b, "%s=%#v ", c.Name, row[i])
				}
				if text := b.String(); !strings.Contains(text, "backup-") {
					all[table.Name] = append(all[table.Name], text)
				}
				return nil
			})
			slices.Sort(all[table.Name])
			if err != nil {
				return err
			}
		}
		return nil
	}))
	return all
}

// A new table without a decision what backups do with it fails here.
func TestEveryTableIsDecidedAbout(t *testing.T) {
	for name, database := range map[string]string{"SQLite": "", "PostgreSQL": storetest.Postgres(t).Database(t)} {
		tables := ok[*store.Tables](t)(store.OpenTables(t.Context(), place(t, database)))
		defer tables.Close()
		latest := ok[int64](t)(tables.Latest())
		must(t, tables.MigrateTo(t.Context(), latest))
		columns := ok[map[string][]store.Column](t)(tables.Columns(t.Context()))
		for _, table := range Tables() {
			has := columns[table.Name]
			if has == nil {
				t.Errorf("%s: backups decide about the table %s, which is not there", name, table.Name)
			}
			delete(columns, table.Name)
			for _, c := range has {
				if names := strings.HasSuffix(c.Name, "content_key") || slices.Contains([]string{"preview_key", "payload_key", "data_key"}, c.Name); names != (c.Name == table.Content) {
					t.Errorf("%s: does %s.%s name a content? (Content is %q)", name, table.Name, c.Name, table.Content)
				}
			}
		}
		for table := range columns {
			t.Errorf("%s: decide in Tables() what backups do with the table %s", name, table)
		}
	}
}

// What was backed up of one database is the same in another of either kind.
func TestThereAndBack(t *testing.T) {
	postgres := storetest.Postgres(t)
	for _, c := range []struct {
		name     string
		from, to func() string
	}{
		{"SQLite to SQLite", func() string { return "" }, func() string { return "" }},
		{"SQLite to PostgreSQL", func() string { return "" }, func() string { return postgres.Database(t) }},
		{"PostgreSQL to SQLite", func() string { return postgres.Database(t) }, func() string { return "" }},
		{"PostgreSQL to PostgreSQL", func() string { return postgres.Database(t) }, func() string { return postgres.Database(t) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := t.Context()
			st, at := used(t, place(t, c.from())), folder(t, t.TempDir())
			m := ok[*Manifest](t)(Write(ctx, st, at, Options{Program: "test", Progress: quiet}))
			if m.Contents.Count != 3 || m.Contents.Copied != 3 || len(m.Contents.Missing) != 0 {
				t.Errorf("contents: %+v", m.Contents)
			}
			other := restored(t, at, place(t, c.to()))
			want, got := dump(t, st), dump(t, other)
			for _, table := range Tables() {
				if !slices.Equal(want[table.Name], got[table.Name]) {
					t.Errorf("%s: got\n%s\nwant\n%s", table.Name, strings.Join(got[table.Name], "\n"), strings.Join(want[table.Name], "\n"))
				}
			}
			w := ok[*store.Workspace](t)(other.WorkspaceByCode(ctx, "acme"))
			if shop := ok[*store.Connection](t)(other.Connection(ctx, w.ID, "shop")); shop.Address != "postgres://secret" {
				t.Error("the secret is another")
			}
			// Numbers go on where they were.
			before := ok[*store.Workspace](t)(st.CreateWorkspace(ctx, store.NewWorkspace{Name: "Next", Code: "next"}))
			if next := ok[*store.Workspace](t)(other.CreateWorkspace(ctx, store.NewWorkspace{Name: "Next", Code: "next"})); next.ID != before.ID {
				t.Errorf("the next workspace has the number %d, and %d where it came from", next.ID, before.ID)
			}
			// The same place again copies only what is new.
			if m := ok[*Manifest](t)(Write(ctx, st, at, Options{Progress: quiet})); m.Contents.Copied != 0 || m.Contents.Count != 3 {
				t.Errorf("the second backup copied %d of %d", m.Contents.Copied, m.Contents.Count)
			}
		})
	}
}

// What is deleted while a backup copies is still copied; one backup at a time.
func TestContentsAreHeld(t *testing.T) {
	ctx := t.Context()
	st := used(t, place(t, ""))
	release := ok[func()](t)(st.HoldContents(ctx))
	if _, err := st.HoldContents(ctx); err == nil {
		t.Error("two backups at the same time")
	}
	contents := st.Contents()
	_ = ok[int64](t)(contents.Put(ctx, "temp/x", "text/plain", strings.NewReader("x")))
	must(t, contents.Delete(ctx, "temp/x"))
	if size := ok[int64](t)(contents.Size(ctx, "temp/x")); size != 1 {
		t.Error("a content was deleted during a backup")
	}
	release()
	for end := time.Now().Add(time.Minute); ok[int64](t)(contents.Size(ctx, "temp/x")) != -1; time.Sleep(20 * time.Millisecond) { // a process knows of a hold for a second
		if time.Now().After(end) {
			t.Fatal("a content is not deleted after a backup")
		}
		must(t, contents.Delete(ctx, "temp/x"))
	}
}

func TestPruning(t *testing.T) {
	ctx := t.Context()
	st, dir := used(t, place(t, "")), t.TempDir()
	at := folder(t, dir)
	w := ok[*store.Workspace](t)(st.WorkspaceByCode(ctx, "acme"))
	for i := range 4 {
		_ = ok[*store.FileRow](t)(st.PutFile(ctx, w.ID, "once.txt", "text/plain", strings.NewReader(fmt.Sprint("once ", i))))
		_ = ok[*Manifest](t)(Write(ctx, st, at, Options{Keep: 2, Progress: quiet}))
		must(t, st.DeleteFile(ctx, w.ID, "once.txt"))
	}
	if all := ok[[]*Manifest](t)(List(ctx, at)); len(all) != 2 {
		t.Errorf("%d backups are kept; want 2", len(all))
	}
	found, _ := filepath.Glob(filepath.Join(dir, "contents", "files", "*", "*"))
	if len(found) != 5 { // three that go on, and one of each backup
		t.Errorf("%d contents are kept; want 5: %s", len(found), found)
	}
	_ = restored(t, at, place(t, ""))
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_ = ok[int](t)(z.Write([]byte(text)))
	must(t, z.Close())
	return b.Bytes()
}

func TestDamageIsFound(t *testing.T) {
	ctx := t.Context()
	st, dir := used(t, place(t, "")), t.TempDir()
	at := folder(t, dir)
	m := ok[*Manifest](t)(Write(ctx, st, at, Options{Progress: quiet}))
	contents, _ := filepath.Glob(filepath.Join(dir, "contents", "files", "*", "*"))
	for _, file := range []string{filepath.Join(dir, filepath.FromSlash(m.rows("users"))), filepath.Join(dir, filepath.FromSlash(m.contents())), contents[0]} {
		doc := ok[[]byte](t)(os.ReadFile(file))
		for _, bad := range [][]byte{zipped(t, "no row\n"), doc[:len(doc)-3], append(bytes.Clone(doc[:len(doc)/2]), append([]byte{doc[len(doc)/2] ^ 1}, doc[len(doc)/2+1:]...)...)} {
			must(t, os.WriteFile(file, bad, 0o600))
			c := place(t, "")
			tables := ok[*store.Tables](t)(store.OpenTables(ctx, c))
			target := Target{tables, folder(t, strings.TrimPrefix(c.Storage, "file://"))}
			if err := m.Restore(ctx, at, target, quiet); err == nil || !strings.Contains(err.Error(), "the backup is damaged") {
				t.Errorf("%s is damaged: %v", file, err)
			}
			must(t, os.WriteFile(file, doc, 0o600))
			if err := m.Restore(ctx, at, target, quiet); err != nil {
				t.Errorf("mended, it is not restored into the same place: %v", err)
			}
			if err := m.Restore(ctx, at, target, quiet); err == nil || !strings.Contains(err.Error(), "not empty") {
				t.Errorf("restored over what is there: %v", err)
			}
			must(t, tables.Close())
		}
	}
}

// What an attempt before left in the target is taken only when it is what the
// backup has, not one that is as long.
func TestContentsLeftInTheTargetAreLookedAt(t *testing.T) {
	ctx := t.Context()
	st, at := used(t, place(t, "")), folder(t, t.TempDir())
	m := ok[*Manifest](t)(Write(ctx, st, at, Options{Progress: quiet}))
	c := place(t, "")
	contents := folder(t, strings.TrimPrefix(c.Storage, "file://"))
	var keys []string
	must(t, m.listed(ctx, at, func(one contentCopy) error {
		keys = append(keys, one.Key)
		_, err := contents.Put(ctx, one.Key, one.Type, strings.NewReader(strings.Repeat("x", int(one.Size))))
		return err
	}))
	_ = restored(t, at, c)
	for _, key := range keys {
		if got, want := ok[string](t)(sumOf(ctx, contents, key)), ok[string](t)(sumOf(ctx, st.Contents(), key)); got != want {
			t.Errorf("%s is not what the backup has", key)
		}
	}
}

func TestRowsAsLines(t *testing.T) {
	columns := []store.Column{{Name: "a", Kind: store.KindInt}, {Name: "b", Kind: store.KindText}, {Name: "c", Kind: store.KindBytes}, {Name: "d", Kind: store.KindBool}, {Name: "e", Kind: store.KindText}}
	row := []any{int64(9007199254740993), "<\xff>", []byte{0, 255}, true, nil}
	at := folder(t, t.TempDir())
	sum := ok[string](t)(putLines(t.Context(), at, "x", func(line func(any) error) error { return line(written(slices.Clone(row))) }))
	must(t, lines(t.Context(), at, "x", sum, func(line []byte) error {
		got, err := read(line, columns)
		if fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", row) {
			t.Errorf("got %#v; want %#v", got, row)
		}
		return err
	}))
	_, _, err := put(context.Background(), at, "y", "", func(io.Writer) error { return io.ErrUnexpectedEOF })
	if err == nil || ok[int64](t)(at.Size(t.Context(), "y")) != -1 {
		t.Errorf("what failed halfway is there: %v", err)
	}
}
