package scripting

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// limitProcess bounds the address space of this process to what it has now and
// the given bytes more (the Go runtime reserves far more than it uses, so an
// absolute number would say little), and forbids core dumps and written files.
func limitProcess(memory int64) {
	limit := addressSpace() + uint64(memory)
	_ = unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: limit, Max: limit})
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	_ = unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{})
	_ = unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 64, Max: 64})
}

// addressSpace is the size of this process in bytes.
func addressSpace() uint64 {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 4 << 30
	}
	pages, _, _ := bytes.Cut(statm, []byte(" "))
	n, err := strconv.ParseUint(string(pages), 10, 64)
	if err != nil {
		return 4 << 30
	}
	return n * uint64(os.Getpagesize())
}

// executable is this program, also when its file was replaced meanwhile.
func executable() (string, error) { return "/proc/self/exe", nil }
