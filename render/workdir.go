package render

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// workDir is the folder of one pool for profiles and spool files. A lock on the
// folder itself tells whether its owner lives: the kernel gives the lock up with
// the process, whatever it died of and whatever it had done by then.
type workDir struct {
	base string

	mu   sync.Mutex
	path string
	lock *os.File
}

const dirPrefix = "quire-render-"

// makeTries is how often a folder is made that others, who clean up, take for
// left behind before it is locked.
const makeTries = 10

// get makes the folder at the first call that succeeds, and again if somebody
// has removed it.
func (d *workDir) get() (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.path != "" {
		if _, err := os.Stat(d.path); err == nil {
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
	for range makeTries {
		path, err := os.MkdirTemp(d.base, dirPrefix)
		if err != nil {
			return err
		}
		if lock := lockDir(path); lock != nil {
			d.path, d.lock = path, lock
			return nil
		}
	}
	return fmt.Errorf("somebody removes folders below %s as soon as they are made", d.base)
}

// lockDir locks a folder that is there; nil when somebody else has it, or has
// just removed it.
func lockDir(path string) *os.File {
	f, err := os.Open(path)
	if err != nil {
		return nil // another user's
	}
	held, err := f.Stat()
	if err == nil && flock(f) == nil {
		if there, err := os.Stat(path); err == nil && os.SameFile(held, there) {
			return f
		}
	}
	f.Close()
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
	lock := lockDir(dir)
	if lock == nil {
		return // its owner lives
	}
	defer lock.Close()
	for _, pid := range strays(dir) {
		syscall.Kill(pid, syscall.SIGKILL) // a browser whose owner died
	}
	profiles, _ := filepath.Glob(filepath.Join(dir, "browser-*")) // the pattern is right
	for _, profile := range profiles {
		removeSocket(profile)
	}
	removeAll(dir)
}
