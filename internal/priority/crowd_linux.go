package priority

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
)

// Crowd is how many threads of the system want each processor at the moment, the
// asking one included: more than one have to wait for each other. The kernel
// tells it as the first number of the fourth field of /proc/loadavg (proc(5)).
func Crowd() float64 {
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return unknownCrowd
	}
	fields := bytes.Fields(load)
	if len(fields) < 4 {
		return unknownCrowd
	}
	running, _, _ := bytes.Cut(fields[3], []byte("/"))
	n, err := strconv.Atoi(string(running))
	if err != nil {
		return unknownCrowd
	}
	return float64(n) / float64(runtime.NumCPU())
}
