package store

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// A file is on disk for good once it was synced and then the folder that names
// it, and so is a new folder.

// SyncFolder puts the names in a folder on disk. Windows does so by itself, and
// some network file systems have no such thing.
func SyncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	err := syncPath(path)
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}

// syncPath puts on disk what a path names.
func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// MakeFolder makes a folder, and those above it that are missing, on disk.
func MakeFolder(path string) error {
	var changed []string
	for at := filepath.Clean(path); at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil {
			break
		}
		changed = append(changed, filepath.Dir(at))
	}
	err := os.MkdirAll(path, 0o700)
	for _, folder := range changed {
		err = errors.Join(err, SyncFolder(folder))
	}
	return err
}
