package scripting

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// confine takes from this process, with all its threads, what a script never
// needs: files, network, other processes. It comes before the first byte from
// outside is read. A part that the kernel does not have is named, and the others
// hold; without the filter of system calls there is no child.
func confine() (lacks string, err error) {
	runtime.LockOSThread() // whose flag it is; the filter hands it on to all
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return "", fmt.Errorf("giving up privileges: %w", err)
	}
	if err := landlock(); err != nil {
		lacks = "Landlock: " + err.Error()
	}
	if err := filterCalls(); err != nil {
		return lacks, fmt.Errorf("filtering system calls: %w", err)
	}
	return lacks, nil
}

// What Landlock has by its version; see landlock(7).
const (
	landlockFiles1  = 1<<13 - 1
	landlockNetwork = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	landlockScopes  = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
)

// landlock forbids every file, connection and signal: all is handled, and no
// rule allows any.
func landlock() error {
	version, _, errno := syscall.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return errno
	}
	rules, size := landlockRules(int(version))
	fd, _, errno := syscall.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), size, 0)
	if errno != 0 {
		return errno
	}
	defer syscall.Close(int(fd))
	// Each thread is restricted by itself, and each needs the flag first.
	if _, _, errno := syscall.AllThreadsSyscall6(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0); errno != 0 {
		return errno
	}
	if _, _, errno := syscall.AllThreadsSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// landlockAttr is struct landlock_ruleset_attr: what is handled, and so forbidden.
type landlockAttr struct{ files, network, scopes uint64 }

// landlockRules are all that a version of Landlock knows, and how much of them it
// reads: it refuses what it does not know.
func landlockRules(version int) (rules landlockAttr, size uintptr) {
	rules.files, size = landlockFiles1, unsafe.Sizeof(rules.files)
	if version >= 2 {
		rules.files |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		rules.files |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 4 {
		rules.network, size = landlockNetwork, unsafe.Offsetof(rules.scopes)
	}
	if version >= 5 {
		rules.files |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if version >= 6 {
		rules.scopes, size = landlockScopes, unsafe.Sizeof(rules)
	}
	return rules, size
}

// allowedCalls are those that the Go runtime makes while scripts run, pipes
// included. Others get EPERM.
var allowedCalls = []uint32{
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_CLOSE,
	unix.SYS_FUTEX, unix.SYS_SCHED_YIELD, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY, unix.SYS_RESTART_SYSCALL,
	unix.SYS_MUNMAP, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_BRK, unix.SYS_MREMAP,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK,
	unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_SCHED_GETAFFINITY, unix.SYS_GETRANDOM, unix.SYS_MEMBARRIER,
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EVENTFD2,
	unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, // of the C library's threads, in programs that have it
	unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
}

// threadFlags are the flags of clone that a thread has, and none that another
// process or namespace would.
const (
	threadFlags    = unix.CLONE_VM | unix.CLONE_THREAD | unix.CLONE_SIGHAND
	forbiddenFlags = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_PTRACE | unix.CLONE_VFORK
	offsetOfNumber = 0
	offsetOfArch   = 4
	offsetOfFirst  = 16 // low half of the first argument; arguments have 8 bytes
	offsetOfThird  = 32
)

// filterCalls installs the filter in all threads at once.
func filterCalls() error {
	arch, ok := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	if !ok {
		return errors.ErrUnsupported
	}
	filter := callFilter(arch, uint32(os.Getpid()))
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	thread, _, errno := syscall.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	runtime.KeepAlive(filter)
	if errno != 0 {
		return errno
	}
	if thread != 0 {
		return fmt.Errorf("thread %d cannot have it", thread)
	}
	return nil
}

func load(at uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
}

// jump goes on after so many instructions.
func jump(test uint16, k uint32, yes, no uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: k, Jt: yes, Jf: no}
}

func end(action uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
}

// callFilter lets through the calls of the list, threads of this process and
// signals to them, and memory that is not to be executed.
func callFilter(arch, pid uint32) []unix.SockFilter {
	const allow = unix.SECCOMP_RET_ALLOW
	refuse := unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	f := []unix.SockFilter{load(offsetOfArch), jump(unix.BPF_JEQ, arch, 1, 0), end(unix.SECCOMP_RET_KILL_PROCESS), load(offsetOfNumber)}
	for _, nr := range allowedCalls {
		f = append(f, jump(unix.BPF_JEQ, nr, 0, 1), end(allow))
	}
	// The C library asks for clone only where clone3 is not there.
	f = append(f, jump(unix.BPF_JEQ, unix.SYS_CLONE3, 0, 1), end(unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS)))
	f = append(f,
		jump(unix.BPF_JEQ, unix.SYS_CLONE, 0, 5), load(offsetOfFirst), jump(unix.BPF_JSET, forbiddenFlags, 3, 0),
		unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: threadFlags}, jump(unix.BPF_JEQ, threadFlags, 0, 1), end(allow))
	// After a clone the number is not what was loaded last; what comes to here has another.
	f = append(f, load(offsetOfNumber), jump(unix.BPF_JEQ, unix.SYS_TGKILL, 0, 3), load(offsetOfFirst), jump(unix.BPF_JEQ, pid, 0, 1), end(allow))
	f = append(f, load(offsetOfNumber), jump(unix.BPF_JEQ, unix.SYS_MMAP, 1, 0), jump(unix.BPF_JEQ, unix.SYS_MPROTECT, 0, 3), load(offsetOfThird), jump(unix.BPF_JSET, unix.PROT_EXEC, 1, 0), end(allow))
	return append(f, end(refuse))
}
