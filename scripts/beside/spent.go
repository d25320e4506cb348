package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// millisecondsATick is of the clock in which Linux counts processes' time.
const millisecondsATick = 10

// process is one of the machine, with the time of processors that it and its ended
// children have had.
type process struct{ parent, ticks int }

// machine are all processes.
func machine() (map[int]process, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
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
	return all, nil
}

// below tells whether a process is the service or comes of it.
func (s *service) below(pid int, all map[int]process) bool {
	for at := pid; at > 1; at = all[at].parent {
		if at == s.process.Process.Pid {
			return true
		}
	}
	return false
}

// processes are the service and all that it has started.
func (s *service) processes() (list []int) {
	all, _ := machine() // without /proc there is no time of processors either
	for pid := range all {
		if s.below(pid, all) {
			list = append(list, pid)
		}
	}
	return list
}

// spent is the time of processors that the service and all that it has started
// have had, those that have ended included.
func (s *service) spent() (cost, error) {
	all, err := machine()
	if err != nil {
		return cost{}, err
	}
	var c cost
	for pid, p := range all {
		switch {
		case pid == s.process.Process.Pid:
			c.service += float64(p.ticks * millisecondsATick)
		case s.below(pid, all):
			c.rest += float64(p.ticks * millisecondsATick)
		}
	}
	return c, nil
}
