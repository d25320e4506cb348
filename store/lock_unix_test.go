//go:build unix

package store

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestReleasedLocksAreFree: also while a child that is being started still has the
// file open.
func TestReleasedLocksAreFree(t *testing.T) {
	file := filepath.Join(t.TempDir(), "quire.db.lock")
	held := ok[*fileLock](t)(lockFile(file))
	child := ok[int](t)(syscall.Dup(int(held.file.Fd())))
	defer func() { _ = syscall.Close(child) }()
	if _, err := lockFile(file); err == nil {
		t.Error("two have the lock")
	}
	if err := held.release(); err != nil {
		t.Fatal(err)
	}
	if err := ok[*fileLock](t)(lockFile(file)).release(); err != nil {
		t.Error(err)
	}
}
