package render

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is one browser process with its profile folder and the connection to
// it. It does not restart itself; see supervisor.go.
type process struct {
	cmd        *exec.Cmd
	conn       *conn
	dir        string // profile and temporary files; removed with the process
	pid        int
	version    string
	windowless bool // tabs can be such that never draw their window
	guard      *guard
	stderr     tail
	exited     chan struct{} // closed when the process is reaped
	endOnce    sync.Once
}

// startProcess starts a browser, in its sandbox or without, and waits until it
// answers.
func startProcess(ctx context.Context, c Config, dir string, sandboxed bool) (*process, error) {
	path, err := FindBrowser(c.Path)
	if err != nil {
		return nil, err
	}
	adoptOrphans()
	p := &process{exited: make(chan struct{})}
	if p.dir, err = os.MkdirTemp(dir, "browser-"); err != nil {
		return nil, fmt.Errorf("making the profile folder: %w", err)
	}
	if c.Fontconfig, err = fontconfig(c, p.dir); err != nil {
		os.RemoveAll(p.dir)
		return nil, err
	}
	if err := p.start(c, unwrap(path), sandboxed); err != nil {
		os.RemoveAll(p.dir)
		return nil, fmt.Errorf("starting %s: %w", path, err)
	}
	ctx, cancel := context.WithTimeout(ctx, c.StartTimeout)
	defer cancel()
	if err := p.greet(ctx); err != nil {
		p.end()
		return nil, fmt.Errorf("starting %s: %w%s", path, err, p.lastWords())
	}
	return p, nil
}

func (p *process) start(c Config, path string, sandboxed bool) error {
	toBrowser, w, err := pipe()
	if err != nil {
		return err
	}
	defer toBrowser.Close()
	r, fromBrowser, err := pipe()
	if err != nil {
		w.Close()
		return err
	}
	defer fromBrowser.Close()
	p.windowless = canBeWindowless(path)
	p.cmd = exec.Command(path, flags(c, p.dir, sandboxed)...)
	p.cmd.ExtraFiles = []*os.File{toBrowser, fromBrowser} // descriptors 3 and 4
	p.cmd.Env = environment(c, p.dir)
	p.cmd.Stderr = &p.stderr
	p.cmd.WaitDelay = time.Second // a grandchild may hold stderr open
	p.cmd.SysProcAttr = processAttributes(sandboxed)
	if err := p.run(); err != nil {
		r.Close()
		w.Close()
		return err
	}
	p.guard = startGuard(p.pid)
	p.conn = newConn(r, w)
	return nil
}

// run starts the command from a thread that lives as long as the process: on
// Linux the kernel sends the death signal when the thread that started the
// child ends, not when the program does (go.dev/issue/27505).
func (p *process) run() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		renouncePriority()
		err := p.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		p.cmd.Wait() // how it ended does not matter; that it ended does
		close(p.exited)
	}()
	if err := <-started; err != nil {
		return err
	}
	p.pid = p.cmd.Process.Pid
	return nil
}

// errLate is a browser that is there, but too slow.
var errLate = errors.New("it did not answer in time")

// greet waits for the first answer.
func (p *process) greet(ctx context.Context) error {
	result, err := p.conn.call(ctx, "", "Browser.getVersion", nil)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return errLate
	case errors.Is(err, errLost):
		return errors.New("it ended at once")
	case err != nil:
		return err
	}
	p.version = string(rawString(member(result, "product")))
	return nil
}

// alive asks the browser for a sign of life.
func (p *process) alive(ctx context.Context, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_, err := p.conn.call(ctx, "", "Browser.getVersion", nil)
	return err
}

// end kills the browser with all its children, waits for it, and removes its
// folder. A polite close would only save a profile that is thrown away.
func (p *process) end() {
	p.endOnce.Do(func() {
		left := strays(p.dir) // found by their command lines, while they have them
		killGroup(p.pid)
		<-p.exited
		p.guard.dismiss()
		p.conn.close()
		for _, pid := range left {
			syscall.Kill(pid, syscall.SIGKILL) // most were in the group
		}
		reap(-p.pid)
		for _, pid := range left {
			reap(pid)
		}
		removeSocket(p.dir)
		removeAll(p.dir)
	})
}

// removeAll tries again for a moment: children of the browser that are just
// dying can still write into the folder.
func removeAll(dir string) {
	for range 20 {
		if os.RemoveAll(dir) == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// lastWords is what the browser wrote before it failed, for the log.
func (p *process) lastWords() string {
	if s := p.stderr.String(); s != "" {
		return ": " + s
	}
	return ""
}

// pipe makes a pipe with a large buffer where the system allows it: documents
// and PDF data pass through it.
func pipe() (r, w *os.File, err error) {
	if r, w, err = os.Pipe(); err != nil {
		return nil, nil, err
	}
	enlargePipe(w)
	return r, w, nil
}

// socketRoom is how long a folder may be in which the browser makes a socket:
// the whole name, .../org.chromium.Chromium.zcrUIE/SingletonSocket, must fit
// into 107 bytes. With a longer one the socket goes to the system's folder for
// temporary files.
const socketRoom = 107 - 48

// removeSocket removes the folder of the browser's socket, to which the profile
// has a link, wherever it is. A browser that is killed leaves it.
func removeSocket(profile string) {
	socket, err := os.Readlink(filepath.Join(profile, "SingletonSocket"))
	if err == nil && filepath.Base(socket) == "SingletonSocket" {
		os.RemoveAll(filepath.Dir(socket))
	}
}

// environment is the program's own with folders of the process's own, so that
// nothing the browser writes stays behind.
func environment(c Config, dir string) []string {
	var env []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if name == "PATH" || name == "LANG" || name == "LD_LIBRARY_PATH" || strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "FONTCONFIG_") {
			env = append(env, kv)
		}
	}
	env = append(env, "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir, "DBUS_SESSION_BUS_ADDRESS=disabled:")
	if len(dir) <= socketRoom {
		env = append(env, "TMPDIR="+dir)
	}
	if c.Fontconfig != "" {
		env = append(env, "FONTCONFIG_FILE="+c.Fontconfig)
	}
	return env
}

// tail keeps the last bytes written to it.
type tail struct {
	mu sync.Mutex
	b  []byte
}

const tailSize = 2000

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if extra := len(t.b) - tailSize; extra > 0 {
		t.b = append(t.b[:0], t.b[extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.b))
}

const (
	// orphanTime is how long a killed process may take to be left to this program: until
	// its parent, which was killed with it, is dead.
	orphanTime = 2 * time.Second
	// reapTime is how long the children of a killed browser may take to die.
	reapTime = 20 * time.Second
)

// reap waits for processes that a killed browser has left behind: one, or with
// a negative number a group. They are left to this program, see adoptOrphans;
// where that is not possible, to the system's first process.
func reap(pid int) {
	for began := time.Now(); ; {
		done, err := syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		switch waited := time.Since(began); {
		case done == pid, done == 0 && waited > reapTime:
			return
		case errors.Is(err, syscall.ECHILD) && (waited > orphanTime || syscall.Kill(pid, 0) != nil):
			return
		case done <= 0:
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// killGroup kills a process and everything it started. A stopped process dies
// of it too.
func killGroup(pid int) {
	if pid > 0 {
		syscall.Kill(-pid, syscall.SIGKILL) // it may be gone already
	}
}
