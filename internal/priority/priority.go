// Package priority lets processes that this one has started come after it, and
// after each other, when there is less processor time than all of them ask for.
// It is a leaf.
package priority

import (
	"runtime"
	"syscall"
)

// By how much a process comes after this program itself. Whoever only asks how
// far something is, or for one page, does not wait behind what takes long.
const (
	Later    = 5  // tabs with documents that nobody waits for
	Work     = 10 // scripts
	LongWork = 19 // what has turned out to take long
)

// unknownCrowd stands for how many want each processor where it is not known: too
// many.
const unknownCrowd = 2

// Lower lets a process with all of its threads come after this one. Nobody but
// the system's administrator can raise it again. What is gone, or belongs to
// somebody else, is left alone.
func Lower(pid, by int) {
	own, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
	if err != nil {
		return // then all are equal
	}
	if runtime.GOOS == "linux" {
		own = 20 - own // the kernel's own way of counting
	}
	for _, thread := range threads(pid) {
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, thread, own+by)
	}
}
