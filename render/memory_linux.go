package render

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// tabProcesses are the processes of a browser's tabs, and how much memory each
// takes.
func tabProcesses(browser int) map[int]int64 {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	found := map[int]int64{}
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
		pages, _ := strconv.ParseInt(string(fields[21]), 10, 64)
		found[pid] = pages * int64(os.Getpagesize())
	}
	return found
}
