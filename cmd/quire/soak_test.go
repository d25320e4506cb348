package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var soak = flag.Duration("soak", 0, "how long TestSoak loads the service; make soak takes 10 minutes")

// TestSoak loads the service with everything it does and looks whether
// processes, heap and browser memory come back. Without -soak it is skipped.
func TestSoak(t *testing.T) {
	if *soak == 0 {
		t.Skip("runs with -soak 10m, see make soak")
	}
	s := startService(t)
	warm := func() { s.load(t, 30*time.Second) }
	warm()
	before := s.usage(t)
	t.Logf("before: %v", before)
	for end := time.Now().Add(*soak); time.Now().Before(end); {
		s.load(t, min(time.Minute, time.Until(end)+time.Second))
		t.Logf("during: %v", s.usage(t))
	}
	after := s.usage(t)
	t.Logf("after:  %v", after)
	if after.processes > before.processes {
		t.Errorf("%d processes, before %d", after.processes, before.processes)
	}
	if after.heap > before.heap*11/10 {
		t.Errorf("heap of %d kB, before %d", after.heap, before.heap)
	}
	if after.browser > before.browser*11/10 {
		t.Errorf("browser memory of %d kB, before %d", after.browser, before.browser)
	}
}

// usage is what the service and its children occupy, after a collection.
type usage struct{ processes, heap, browser int }

func (u usage) String() string {
	return fmt.Sprintf("%d processes, %d kB heap, %d kB in browsers", u.processes, u.heap, u.browser)
}

func (s *service) usage(t *testing.T) usage {
	processes := settled()
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u := usage{heap: int(m.HeapAlloc / 1024)}
	for _, pid := range processes {
		u.processes++
		u.browser += proportionalKB(pid)
	}
	return u
}

// settled are the processes of the service when they have been the same for a second, or
// after a minute: tabs are renewed in the background.
func settled() []int {
	now := descendants(os.Getpid())
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		before := now
		time.Sleep(time.Second)
		if now = descendants(os.Getpid()); slices.Equal(now, before) {
			break
		}
	}
	return now
}

// descendants are the processes below one, by /proc.
func descendants(root int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		doc, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(doc), ") ")
		fields := strings.Fields(rest)
		if len(fields) > 1 && fields[0] != "Z" {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			parent, _ := strconv.Atoi(fields[1])
			children[parent] = append(children[parent], pid)
		}
	}
	var all []int
	for queue := children[root]; len(queue) > 0; queue = queue[1:] {
		all = append(all, queue[0])
		queue = append(queue, children[queue[0]]...)
	}
	return all
}

// proportionalKB is the memory of a process, shared pages counted by share.
func proportionalKB(pid int) int {
	doc, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(doc), "\n") {
		if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
			kb, _ := strconv.Atoi(strings.Fields(rest)[0])
			return kb
		}
	}
	return 0
}

// load asks for every kind of answer with four clients for a while. Nothing may
// fail.
func (s *service) load(t *testing.T, howLong time.Duration) {
	requests := []func() answer{
		func() answer { return s.call(http.MethodPost, "/api/v1/ws/demo/reports/invoice/pdf", "{}") },
		func() answer { return s.call(http.MethodGet, "/api/v1/ws/demo/reports/statement/pdf?lang=de", nil) },
		func() answer { return s.call(http.MethodGet, "/api/v1/ws/demo/reports/sales/pdf", nil) },
		func() answer {
			return s.call(http.MethodGet, "/api/v1/ws/demo/reports/product-sheet/pdf?accessible=true", nil)
		},
		func() answer {
			return s.call(http.MethodGet, "/api/v1/ws/demo/reports/price-list/pdf?format=html", nil)
		},
		func() answer {
			return s.call(http.MethodPost, "/api/v1/ws/demo/reports/letter/pdf", `{"password": "a", "includeAttachments": true}`)
		},
		func() answer { return s.call(http.MethodGet, "/ws/demo/reports/letter/preview?nonce="+s.nonce(), nil) },
		func() answer {
			return s.call(http.MethodPost, "/api/v1/ws/demo/temporary-data", `{"content": {"items": []}}`)
		},
		func() answer { return s.call(http.MethodGet, "/api/v1/ws/demo/reports", nil) },
	}
	end := time.Now().Add(howLong)
	var next atomic.Int64
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for time.Now().Before(end) && !t.Failed() {
				i := int(next.Add(1)) % len(requests)
				if a := requests[i](); a.status != http.StatusOK {
					t.Errorf("request %d: status %d: %.300s", i, a.status, a.body)
				}
			}
		})
	}
	clients.Wait()
}
