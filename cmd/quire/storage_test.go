package main

import (
	"bytes"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quire-reports/quire/store"
)

// openedStore opens the store of a data folder, as serve does.
func openedStore(t *testing.T, log *slog.Logger, env ...string) (*settings, *store.Store) {
	t.Helper()
	s, err := loadSettings("", append(env, "RootUser__Password=secret-7a!", "Storage__Sync=false"), nil)
	if err != nil {
		t.Fatal(err)
	}
	st, err := openStore(t.Context(), s, log, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return s, st
}

// Finding A4: when the storage failed at the first start, the user was there
// and the demo workspace was not, then and ever after.
func TestFirstStartIsAtomic(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, st := openedStore(t, slog.New(slog.DiscardHandler), "DataDir="+dir)
	inTheWay := filepath.Join(dir, "files", "files") // where the demo's pictures go
	if err := os.WriteFile(inTheWay, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := firstStart(t.Context(), s, st); err == nil {
		t.Fatal("the storage took the demo workspace, though it cannot")
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := firstStart(t.Context(), s, st); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := st.WorkspaceByCode(t.Context(), "demo"); err != nil {
		t.Error(err)
	}
	if _, err := st.UserByEmail(t.Context(), s.RootEmail); err != nil {
		t.Error(err)
	}
}

// A process on PostgreSQL whose files are in a folder of its own says so: others
// would not find them.
func TestFilesOfOneProcessAreWarnedOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		database, storage string
		warned            bool
	}{
		{"postgres://db/quire", "", true},
		{"postgres://db/quire", "file:///srv/shared", false},
		{"postgres://db/quire", "s3://quire", false},
		{"", "", false},
	} {
		s, err := loadSettings("", []string{"ConnectionStrings__Database=" + c.database, "Storage__Url=" + c.storage}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		s.warnOfOwnFolder(slog.New(slog.NewTextHandler(&log, nil)))
		if warned := strings.Contains(log.String(), "Storage.Url"); warned != c.warned {
			t.Errorf("%+v: %s", c, &log)
		}
	}
}

// Finding A8: a document whose logo was lost came with 200, without the logo.
func TestAnExportWithoutAManagedFileFails(t *testing.T) {
	t.Parallel()
	s := startService(t)
	const invoice = "/api/v1/ws/demo/reports/invoice/"
	s.ok(http.MethodPost, invoice+"pdf", "{}")
	err := filepath.WalkDir(filepath.Join(s.settings.DataDir, "files", "files"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			err = os.Remove(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"pdf", "html"} {
		a := s.call(http.MethodPost, invoice+"pdf", `{"format":"`+format+`"}`)
		if a.status != http.StatusBadRequest || !bytes.Contains(a.body, []byte("is lost; upload it again")) {
			t.Errorf("%s: status %d: %.300s", format, a.status, a.body)
		}
	}
}
