package pdfium

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// limitMemory bounds what memory this process may have of its own beside what it begins
// with, which is much where the race detector watches, and forbids core dumps.
func limitMemory(memory uint64) {
	memory += ownMemory()
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: memory, Max: memory})
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}

// limitWork forbids written files and bounds the time of processors from now on.
func limitWork(seconds uint64) {
	_ = unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{})
	var used unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &used) == nil {
		seconds += uint64(used.Utime.Sec+used.Stime.Sec) + 1
		_ = unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: seconds, Max: seconds})
	}
}

// ownMemory is how much this process could write to, in bytes.
func ownMemory() uint64 {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	const data = 5
	fields := bytes.Fields(statm)
	if len(fields) <= data {
		return 0
	}
	pages, _ := strconv.ParseUint(string(fields[data]), 10, 64)
	return pages * uint64(os.Getpagesize())
}

// executable is this program, also when its file was replaced meanwhile.
func executable() (string, error) { return "/proc/self/exe", nil }
