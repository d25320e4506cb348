package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// millisecondsATick is of the clock in which Linux counts processes' time.
const millisecondsATick = 10

// spent is the time of processors that the service and all that it has started
// have had, those that have ended included.
func (s *service) spent() (cost, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return cost{}, err
	}
	type process struct{ parent, ticks int }
	all := map[int]process{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // it has ended
		}
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		p := process{}
		p.parent, _ = strconv.Atoi(fields[1])
		for _, f := range fields[11:15] { // its own and its ended children's, in programs and in the system
			n, _ := strconv.Atoi(f)
			p.ticks += n
		}
		all[pid] = p
	}
	var c cost
	for pid, p := range all {
		if pid == s.process.Process.Pid {
			c.service += float64(p.ticks * millisecondsATick)
			continue
		}
		for at := pid; at > 1; at = all[at].parent {
			if at == s.process.Process.Pid {
				c.rest += float64(p.ticks * millisecondsATick)
				break
			}
		}
	}
	return c, nil
}
