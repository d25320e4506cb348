package scripting

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// escapeVariable makes the test's program a child that tries to get out; its
// value is the parent's process number.
const escapeVariable = "QUIRE_TEST_ESCAPE"

// attempt is a system call that a confined child must not get through.
type attempt struct {
	name string
	nr   uintptr
	args [6]uintptr
}

// pathOf is a name for a system call; the tests' program keeps it alive.
func pathOf(s string) uintptr {
	p, err := unix.BytePtrFromString(s)
	if err != nil {
		panic(err)
	}
	kept = append(kept, p)
	return uintptr(unsafe.Pointer(p))
}

var (
	kept    []*byte
	scratch [4096]byte
)

// attempts are what a fault of the engine would let somebody try.
func attempts(parent int) []attempt {
	buffer := uintptr(unsafe.Pointer(&scratch[0]))
	here, pid := ^uintptr(99), uintptr(parent)
	open := func(name string, flags int) [6]uintptr {
		return [6]uintptr{here, pathOf(name), uintptr(flags), 0o600}
	}
	at := func(name string) [6]uintptr { return [6]uintptr{here, pathOf(name), buffer, 0, 0} }
	proc := fmt.Sprintf("/proc/%d/", parent)
	return []attempt{
		{"read a file", unix.SYS_OPENAT, open("/etc/passwd", unix.O_RDONLY)},
		{"read a folder", unix.SYS_OPENAT, open("/", unix.O_RDONLY|unix.O_DIRECTORY)},
		{"reach a path", unix.SYS_OPENAT, open("/etc", unix.O_PATH)},
		{"make a file", unix.SYS_OPENAT, open("escape", unix.O_CREAT|unix.O_WRONLY)},
		{"make a file without a name", unix.SYS_OPENAT, open(os.TempDir(), unix.O_TMPFILE|unix.O_RDWR)},
		{"write a device", unix.SYS_OPENAT, open("/dev/null", unix.O_WRONLY)},
		{"read the parent's environment", unix.SYS_OPENAT, open(proc+"environ", unix.O_RDONLY)},
		{"read the parent's memory", unix.SYS_OPENAT, open(proc+"mem", unix.O_RDWR)},
		{"read the parent's files", unix.SYS_OPENAT, open(proc+"fd/0", unix.O_RDONLY)},
		{"read the parent's map", unix.SYS_OPENAT, open(proc+"maps", unix.O_RDONLY)},
		{"read its own memory", unix.SYS_OPENAT, open("/proc/self/mem", unix.O_RDWR)},
		{"open by openat2", unix.SYS_OPENAT2, [6]uintptr{here, pathOf("/etc/passwd"), buffer, 24}},
		{"look at a file", unix.SYS_STATX, [6]uintptr{here, pathOf("/etc/passwd"), 0, 0x7ff, buffer}},
		{"ask for access", unix.SYS_FACCESSAT, at("/etc/passwd")},
		{"read a link", unix.SYS_READLINKAT, [6]uintptr{here, pathOf("/proc/self/exe"), buffer, 4096}},
		{"make a folder", unix.SYS_MKDIRAT, [6]uintptr{here, pathOf("escape"), 0o700}},
		{"make a device", unix.SYS_MKNODAT, [6]uintptr{here, pathOf("escape"), unix.S_IFIFO | 0o600, 0}},
		{"make a link", unix.SYS_SYMLINKAT, [6]uintptr{pathOf("/etc"), here, pathOf("escape")}},
		{"link a file", unix.SYS_LINKAT, [6]uintptr{here, pathOf("kept"), here, pathOf("escape"), 0}},
		{"rename a file", unix.SYS_RENAMEAT2, [6]uintptr{here, pathOf("kept"), here, pathOf("escape"), 0}},
		{"remove a file", unix.SYS_UNLINKAT, [6]uintptr{here, pathOf("kept"), 0}},
		{"change a mode", unix.SYS_FCHMODAT, [6]uintptr{here, pathOf("kept"), 0o777}},
		{"change an owner", unix.SYS_FCHOWNAT, [6]uintptr{here, pathOf("kept"), uintptr(os.Getuid()), uintptr(os.Getgid()), 0}},
		{"cut a file", unix.SYS_TRUNCATE, [6]uintptr{pathOf("kept"), 0}},
		{"change a folder", unix.SYS_CHDIR, [6]uintptr{pathOf("/")}},
		{"change the root", unix.SYS_CHROOT, [6]uintptr{pathOf("/")}},
		{"watch files", unix.SYS_INOTIFY_INIT1, [6]uintptr{}},
		{"size of a file system", unix.SYS_STATFS, [6]uintptr{pathOf("/"), buffer}},
		{"a socket of the internet", unix.SYS_SOCKET, [6]uintptr{unix.AF_INET, unix.SOCK_STREAM, 0}},
		{"a socket of IPv6", unix.SYS_SOCKET, [6]uintptr{unix.AF_INET6, unix.SOCK_DGRAM, 0}},
		{"a socket of this machine", unix.SYS_SOCKET, [6]uintptr{unix.AF_UNIX, unix.SOCK_STREAM, 0}},
		{"a socket of the kernel", unix.SYS_SOCKET, [6]uintptr{unix.AF_NETLINK, unix.SOCK_RAW, 0}},
		{"a pair of sockets", unix.SYS_SOCKETPAIR, [6]uintptr{unix.AF_UNIX, unix.SOCK_STREAM, 0, buffer}},
		{"another program", unix.SYS_EXECVE, [6]uintptr{pathOf("/bin/true"), 0, 0}},
		{"another program by its file", unix.SYS_EXECVEAT, [6]uintptr{here, pathOf("/bin/true"), 0, 0, 0}},
		{"a process", unix.SYS_CLONE, [6]uintptr{uintptr(unix.SIGCHLD)}},
		{"a process in a user namespace", unix.SYS_CLONE, [6]uintptr{uintptr(unix.SIGCHLD) | unix.CLONE_NEWUSER}},
		{"a process by clone3", unix.SYS_CLONE3, [6]uintptr{buffer, 88}},
		{"a namespace", unix.SYS_UNSHARE, [6]uintptr{unix.CLONE_FS}},
		{"a namespace of others", unix.SYS_SETNS, [6]uintptr{0, 0}},
		{"trace the parent", unix.SYS_PTRACE, [6]uintptr{unix.PTRACE_SEIZE, pid}},
		{"be traced", unix.SYS_PTRACE, [6]uintptr{unix.PTRACE_TRACEME}},
		{"read memory of the parent", unix.SYS_PROCESS_VM_READV, [6]uintptr{pid, buffer, 0, buffer, 0, 0}},
		{"write memory of the parent", unix.SYS_PROCESS_VM_WRITEV, [6]uintptr{pid, buffer, 0, buffer, 0, 0}},
		{"signal the parent", unix.SYS_KILL, [6]uintptr{pid, 0}},
		{"signal everybody", unix.SYS_KILL, [6]uintptr{^uintptr(0), 0}},
		{"signal a thread of the parent", unix.SYS_TGKILL, [6]uintptr{pid, pid, 0}},
		{"signal any thread", unix.SYS_TKILL, [6]uintptr{pid, 0}},
		{"queue a signal", unix.SYS_RT_SIGQUEUEINFO, [6]uintptr{pid, 0, buffer}},
		{"hold the parent", unix.SYS_PIDFD_OPEN, [6]uintptr{pid, 0}},
		{"take a file of the parent", unix.SYS_PIDFD_GETFD, [6]uintptr{0, 0, 0}},
		{"priority of the parent", unix.SYS_SETPRIORITY, [6]uintptr{unix.PRIO_PROCESS, pid, 0}},
		{"limits of the parent", unix.SYS_PRLIMIT64, [6]uintptr{pid, unix.RLIMIT_CPU, 0, buffer}},
		{"its own limits", unix.SYS_PRLIMIT64, [6]uintptr{0, unix.RLIMIT_NOFILE, 0, buffer}},
		{"a file in memory", unix.SYS_MEMFD_CREATE, [6]uintptr{pathOf("escape"), 0}},
		{"a ring", unix.SYS_IO_URING_SETUP, [6]uintptr{1, buffer}},
		{"a program for the kernel", unix.SYS_BPF, [6]uintptr{0, buffer, 48}},
		{"counters of the kernel", unix.SYS_PERF_EVENT_OPEN, [6]uintptr{buffer, 0, ^uintptr(0), ^uintptr(0), 0}},
		{"faults of memory", unix.SYS_USERFAULTFD, [6]uintptr{1}},
		{"keys of the kernel", unix.SYS_KEYCTL, [6]uintptr{unix.KEYCTL_GET_KEYRING_ID, ^uintptr(2), 0}},
		{"mount", unix.SYS_MOUNT, [6]uintptr{pathOf("none"), pathOf("."), pathOf("tmpfs"), 0, 0}},
		{"open a file system", unix.SYS_FSOPEN, [6]uintptr{pathOf("tmpfs"), 0}},
		{"clone a file system", unix.SYS_OPEN_TREE, [6]uintptr{here, pathOf("/"), 0}},
		{"a module of the kernel", unix.SYS_FINIT_MODULE, [6]uintptr{0, pathOf(""), 0}},
		{"another user", unix.SYS_SETUID, [6]uintptr{uintptr(os.Getuid())}},
		{"more of a process", unix.SYS_PRCTL, [6]uintptr{unix.PR_SET_DUMPABLE, 1}},
		{"memory to execute", unix.SYS_MMAP, [6]uintptr{0, 4096, unix.PROT_READ | unix.PROT_WRITE | unix.PROT_EXEC, unix.MAP_PRIVATE | unix.MAP_ANON, ^uintptr(0), 0}},
		{"memory that becomes code", unix.SYS_MPROTECT, [6]uintptr{buffer &^ 4095, 4096, unix.PROT_READ | unix.PROT_WRITE | unix.PROT_EXEC}},
		{"shared memory", unix.SYS_SHMGET, [6]uintptr{0, 4096, unix.IPC_CREAT | 0o600}},
		{"a queue of messages", unix.SYS_MQ_OPEN, [6]uintptr{pathOf("escape"), unix.O_CREAT | unix.O_RDWR, 0o600, 0}},
		{"another filter", unix.SYS_SECCOMP, [6]uintptr{unix.SECCOMP_GET_ACTION_AVAIL, 0, buffer}},
	}
}

// escapeMain tries everything after confine and writes what each attempt came to.
func escapeMain() {
	parent, err := strconv.Atoi(os.Getenv(escapeVariable))
	if err != nil {
		return
	}
	list := attempts(parent)
	if _, err := confine(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	came := make([]int, len(list))
	for i, a := range list {
		_, _, errno := syscall.Syscall6(a.nr, a.args[0], a.args[1], a.args[2], a.args[3], a.args[4], a.args[5])
		came[i] = int(errno)
	}
	if err := json.NewEncoder(os.Stdout).Encode(came); err != nil {
		os.Exit(4)
	}
	os.Exit(0)
}

func TestEscapes(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "kept"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Dir, cmd.Env = dir, append(os.Environ(), fmt.Sprintf("%s=%d", escapeVariable, os.Getpid()))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var came []int
	if err := json.Unmarshal(out, &came); err != nil {
		t.Fatal(err)
	}
	list := attempts(os.Getpid())
	if len(came) != len(list) || len(list) < 60 {
		t.Fatalf("%d of %d attempts were made", len(came), len(list))
	}
	through := 0
	for i, a := range list {
		errno := syscall.Errno(came[i])
		t.Logf("%-32s %v", a.name, errno)
		if errno != unix.EPERM && !(a.nr == unix.SYS_CLONE3 && errno == unix.ENOSYS) {
			through++
			t.Errorf("%s got through: %v", a.name, errno)
		}
	}
	t.Logf("%d attempts, %d got through", len(list), through)
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("the folder has %v, %v", left, err)
	}
}

// Every thread of a real child has the filter when it says hello, before it was
// sent anything.
func TestChildrenAreConfined(t *testing.T) {
	p, err := startProcess(64 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer p.kill()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", p.cmd.Process.Pid))
	if err != nil || len(threads) < 2 {
		t.Fatalf("%d threads, %v", len(threads), err)
	}
	for _, file := range threads {
		status, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		if !strings.Contains(string(status), "Seccomp:\t2\n") || !strings.Contains(string(status), "NoNewPrivs:\t1\n") {
			t.Errorf("%s:\n%s", file, status)
		}
	}
}

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		p, err := startProcess(64 << 20)
		if err != nil {
			b.Fatal(err)
		}
		p.kill()
	}
}
