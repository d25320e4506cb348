package render

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"testing"
	"time"
)

// TestOthersStandStillForPages: while a page is printed that somebody waits for, the
// tab of a document that nobody waits for stands still, but not for ever; and no tab
// does when all is done.
func TestOthersStandStillForPages(t *testing.T) {
	needProc(t)
	p := newPool(t, func(c *Config) { faulty(c); c.Timeout = 10 * time.Minute; c.Stall = 10 * time.Minute })
	p.moments.Crowd = func() float64 { return 2 }
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := p.Print(ctx, Job{HTML: page("for ever"), Paginate: true, Key: "a", Priority: Background})
		ended <- err
	}()
	stood := func() (d time.Duration) {
		for _, s := range p.slots {
			if t := s.busy.Load(); t != nil {
				if piece := t.piece.Load(); piece != nil {
					d = max(d, piece.Stood())
				}
			}
		}
		return d
	}
	began := time.Now()
	for stood() == 0 && time.Since(began) < standstill {
		mustPrint(t, p, Job{HTML: page("a page"), Paginate: true, Key: "b"})
	}
	for range 5 {
		mustPrint(t, p, Job{HTML: page("a page"), Paginate: true, Key: "b"})
	}
	if d, passed := stood(), time.Since(began); d == 0 || d > passed*3/4 {
		t.Errorf("of %v it stood still for %v", passed, d)
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("an endless document has ended")
	}
	for pid := range tabProcesses(p.Health().Browsers[0].PID, nil) {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err == nil && stat[bytes.LastIndexByte(stat, ')')+2] == 'T' {
			t.Errorf("tab %d stands still", pid)
		}
	}
	mustPrint(t, p, Job{HTML: page("after"), Paginate: true, Key: "a"})
}
