package pdfium

import "golang.org/x/sys/unix"

// limitProcess bounds what memory this process may have of its own, and forbids core
// dumps and written files.
func limitProcess(memory uint64) {
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: memory, Max: memory})
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	_ = unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{})
}

// executable is this program, also when its file was replaced meanwhile.
func executable() (string, error) { return "/proc/self/exe", nil }
