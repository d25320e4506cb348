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

// lookEvery is how often memory is looked at; peaks that are shorter stay unseen.
const lookEvery = 100 * time.Millisecond

// watch notes the most memory that the service holds, until the function that it
// gives is called.
func (s *service) watch() (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for tick := time.NewTicker(lookEvery); ; {
			s.peak = max(s.peak, s.memory())
			select {
			case <-end:
				tick.Stop()
				return
			case <-tick.C:
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}
