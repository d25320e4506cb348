package render

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// workDir is the folder of one pool for profiles and spool files. A lock on a
// file inside tells whether its owner lives: the kernel gives the lock up with
// the process, whatever it died of.
type workDir struct {
	base string

	mu   sync.Mutex
	path string
	lock *os.File
}

const (
	dirPrefix = "quire-render-"
	lockName  = "owner.lock"
)

// get makes the folder at the first call that succeeds, and again if somebody
// has removed it.
func (d *workDir) get() (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.path != "" {
		if _, err := os.Stat(filepath.Join(d.path, lockName)); err == nil {
			return d.path, nil
		}
		d.release()
	}
	cleanStale(d.base)
	if err := d.make(); err != nil {
		return "", fmt.Errorf("making a folder for the browser: %w", err)
	}
	return d.path, nil
}

func (d *workDir) make() error {
	path, err := os.MkdirTemp(d.base, dirPrefix)
	if err != nil {
		return err
	}
	lock, err := os.OpenFile(filepath.Join(path, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		os.RemoveAll(path)
		return err
	}
	if err := flock(lock); err != nil {
		lock.Close()
		os.RemoveAll(path)
		return err
	}
	d.path, d.lock = path, lock
	return nil
}

// remove removes the folder with everything in it.
func (d *workDir) remove() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.release()
}

func (d *workDir) release() {
	if d.path == "" {
		return
	}
	removeAll(d.path)
	d.lock.Close()
	d.path, d.lock = "", nil
}

func flock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// cleanStale removes the folders of pools whose program was killed.
func cleanStale(base string) {
	dirs, err := filepath.Glob(filepath.Join(base, dirPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range dirs {
		removeIfStale(dir)
	}
}

func removeIfStale(dir string) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR, 0)
	if err != nil {
		return // being made just now, or another user's
	}
	defer f.Close()
	if flock(f) != nil {
		return // its owner lives
	}
	for _, pid := range strays(dir) {
		syscall.Kill(pid, syscall.SIGKILL) // a browser whose owner died
	}
	profiles, _ := filepath.Glob(filepath.Join(dir, "browser-*")) // the pattern is right
	for _, profile := range profiles {
		removeSocket(profile)
	}
	removeAll(dir)
}
