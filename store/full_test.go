package store

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/quire-reports/quire/report"
)

// A disk that is full makes people wait, with a sentence that says for what; of
// what was begun nothing stays.
func TestTheDiskIsFull(t *testing.T) {
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("needs to be root on Linux, to mount a small disk")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("cannot mount a small disk: ", err)
	}
	defer func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }()
	contents := ok[*Contents](t)(openContents(t.Context(), "file://"+dir, true))
	_, err := contents.Put(t.Context(), "exports/a/b", "", io.LimitReader(zeroes{}, 4<<20))
	fullUp(t, err, "the storage of contents has no room left on its disk")
	left := ok[[]string](t)(filepath.Glob(filepath.Join(dir, "exports/a/*")))
	if len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if _, err := contents.Put(t.Context(), "exports/a/c", "", strings.NewReader("there is room for this")); err != nil {
		t.Error(err)
	}
}

func TestTheDatabaseIsFull(t *testing.T) {
	f := sqliteFixture(t)
	if _, err := f.db.write.Exec("PRAGMA max_page_count = 1"); err != nil { // that is, as many as it has
		t.Fatal(err)
	}
	var err error
	for range 2000 {
		if _, err = f.CreateNonce(t.Context(), f.grant()); err != nil {
			break
		}
	}
	fullUp(t, err, "the database has no room left on its disk")
}

func fullUp(t *testing.T, err error, says string) {
	t.Helper()
	found, ok := errors.AsType[*report.Problem](err)
	if !ok || found.Kind != report.Busy || !strings.Contains(found.Message, says) {
		t.Errorf("%v; want %q", err, says)
	}
}
