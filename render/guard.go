package render

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// guard is a shell that waits for this program to die, by whatever cause, and
// then kills a browser's process group. The browser notices by itself that its
// pipes are closed, and on Linux the kernel kills it; but processes that stand
// still at that moment, or that a start script has put between us and the
// browser, would stay.
type guard struct {
	cmd  *exec.Cmd
	hold *os.File // our end of the pipe; the kernel closes it with us
}

// startGuard starts a guard; without a shell there is none.
func startGuard(pgid int) *guard {
	r, w, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer r.Close()
	cmd := exec.Command("/bin/sh", "-c", `read -r _; kill -KILL -"$0"`, strconv.Itoa(pgid))
	cmd.Stdin = r
	cmd.Env = []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // it must outlive a Ctrl-C
	if err := cmd.Start(); err != nil {
		w.Close()
		return nil
	}
	return &guard{cmd: cmd, hold: w}
}

// dismiss ends the guard without letting it do its work.
func (g *guard) dismiss() {
	if g == nil {
		return
	}
	g.cmd.Process.Kill()
	g.cmd.Wait() //nolint:errcheck // it was killed
	g.hold.Close()
}
