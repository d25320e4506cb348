package render

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// ticks a second are what the kernel counts processor time in, for programs.
const ticks = 100

// tabProcesses are the processes of a browser's tabs, by their numbers: of those
// given, or when none are of all.
func tabProcesses(browser int, among []int) map[int]tabProcess {
	files := make([]string, len(among))
	for i, pid := range among {
		files[i] = "/proc/" + strconv.Itoa(pid) + "/stat"
	}
	if len(among) == 0 {
		files, _ = filepath.Glob("/proc/[0-9]*/stat") // the pattern is right
	}
	found := map[int]tabProcess{}
	group := []byte(strconv.Itoa(browser))
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		// pid (name) state parent group …; the name may hold anything
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 22 || !bytes.Equal(fields[2], group) {
			continue
		}
		dir := filepath.Dir(file)
		command, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err != nil || !bytes.Contains(command, []byte("--type=renderer")) {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(dir))
		number := func(i int) int64 {
			n, _ := strconv.ParseInt(string(fields[i]), 10, 64)
			return n
		}
		found[pid] = tabProcess{memory: number(21) * int64(os.Getpagesize()), cpu: time.Duration(number(11)+number(12)) * (time.Second / ticks)}
	}
	return found
}
