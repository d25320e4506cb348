package render

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// setPipeSize is F_SETPIPE_SZ, which package syscall has no name for.
const setPipeSize = 1031

// processAttributes puts the browser in a group of its own, so that all of it
// can be killed and a Ctrl-C in the terminal does not reach it before us, and
// has the kernel kill it when this program dies. The browser has no sandbox for
// root; so that it is not root, it gets a user namespace, in which our number is
// another and nothing may be done that its files' owner may not.
func processAttributes(sandboxed bool) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if sandboxed && os.Geteuid() == 0 {
		attr.Cloneflags = syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: userOfBrowser, HostID: 0, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: userOfBrowser, HostID: os.Getegid(), Size: 1}}
	}
	return attr
}

// userOfBrowser is the number of root's browser in its user namespace.
const userOfBrowser = 1000

// setChildSubreaper is PR_SET_CHILD_SUBREAPER.
const setChildSubreaper = 36

// adoptOrphans makes this program the parent of processes whose own parent has
// died, such as the renderers of a killed browser. Otherwise they go to the
// first process of the system, which in a container is often one that never
// collects them: they would stay as zombies.
func adoptOrphans() {
	syscall.Syscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0) // without it they only stay longer
}

// What of capabilities(7) is given up for the browser.
const (
	dropFromBounds = 24 // PR_CAPBSET_DROP
	capSysNice     = 23 // CAP_SYS_NICE
)

// renouncePriority lets what this thread starts come after the service for
// good: a browser of root's would give its threads a higher priority than ours.
func renouncePriority() {
	syscall.Syscall(syscall.SYS_PRCTL, dropFromBounds, capSysNice, 0) // others than root have nothing to give up
}

// strays finds the processes that work in a folder. Crash handlers leave the
// group of the browser that starts them; its folder they still name.
func strays(dir string) []int {
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return nil
	}
	var pids []int
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(b, []byte("="+dir)) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}

func enlargePipe(f *os.File) {
	raw, err := f.SyscallConn()
	if err != nil {
		return
	}
	raw.Control(func(fd uintptr) { //nolint:errcheck // only a smaller buffer
		syscall.Syscall(syscall.SYS_FCNTL, fd, setPipeSize, 1<<20)
	})
}

// smallSharedMemory says whether /dev/shm is too small for the browser, as in
// containers with the default of 64 MB: it crashes when it is full.
func smallSharedMemory() bool {
	var st syscall.Statfs_t
	if err := syscall.Statfs("/dev/shm", &st); err != nil {
		return true
	}
	return uint64(st.Bavail)*uint64(st.Bsize) < 512<<20
}
