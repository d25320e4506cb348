package priority

import (
	"time"

	"golang.org/x/sys/unix"
)

// ProcessorTime is how much time of processors a process has had, with all of its
// threads; 0 when it is gone.
func ProcessorTime(pid int) time.Duration {
	const scheduler = 2 // CPUCLOCK_SCHED; see clock_getcpuclockid(3)
	var t unix.Timespec
	if unix.ClockGettime(int32(^pid<<3|scheduler), &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
