package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// memory is what the service and all that it has started hold, in megabytes: pages
// that several of them share count once.
func (s *service) memory() float64 {
	kilobytes := 0.0
	for _, pid := range s.processes() {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if err != nil {
			continue // it has ended
		}
		_, line, _ := strings.Cut(string(text), "\nPss:")
		var held float64
		_, _ = fmt.Sscan(line, &held) // of a process that is ending there is none
		kilobytes += held
	}
	return kilobytes / 1024
}

// seldom is how much longer than a look at memory the time to the next one is. The
// kernel walks all pages of a process for a look; more often, it would take a
// processor from what is measured. Peaks that are shorter stay unseen.
const seldom = 20

// watch notes the most memory that the service holds, until the function that it
// gives is called.
func (s *service) watch() (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			began := time.Now()
			s.peak = max(s.peak, s.memory())
			select {
			case <-end:
				return
			case <-time.After(seldom * time.Since(began)):
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}
