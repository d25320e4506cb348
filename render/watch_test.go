package render

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
)

// faulty is the paginator with faults that documents ask for by their words.
func faulty(c *Config) {
	c.Script = append(c.Script, `;{
		const real = quire.paginate, kept = [];
		quire.paginate = (...a) => {
			const text = document.body.textContent;
			while (text.includes("all memory")) kept.push(new Uint8Array(1 << 20).fill(1));
			while (text.includes("for ever"));
			for (const end = Date.now() + 2000; text.includes("for a while") && Date.now() < end;);
			return real(...a);
		};
	}`...)
}

// besides prints small documents in the other tab until the job has ended, and
// checks that none of them fails.
func besides(t *testing.T, p *Pool, job Job) error {
	t.Helper()
	mustPrint(t, p, Job{HTML: page("before"), Paginate: true})
	over, end := context.WithCancel(t.Context())
	var neighbours sync.WaitGroup
	neighbours.Go(func() {
		for n := 0; over.Err() == nil || n == 0; n++ {
			res, err := p.Print(context.Background(), Job{HTML: page("a neighbour"), Paginate: true, Key: "other"})
			if err != nil {
				t.Errorf("a neighbour fails: %v", err)
				return
			}
			res.Close()
		}
	})
	_, err := p.Print(context.Background(), job)
	end()
	neighbours.Wait()
	mustPrint(t, p, Job{HTML: page("after"), Paginate: true})
	return err
}

// TestADocumentThatTakesAllMemoryFailsAlone: it is ended long before it has
// taken gigabytes, and is not tried again.
func TestADocumentThatTakesAllMemoryFailsAlone(t *testing.T) {
	needProc(t)
	p := newPool(t, func(c *Config) {
		faulty(c)
		c.TabMemory = 500 << 20
		c.Stall = 10 * time.Minute
		c.Timeout = 10 * time.Minute
	})
	if err := besides(t, p, Job{HTML: page("all memory"), Paginate: true}); !errors.Is(err, ErrHeavy) {
		t.Errorf("it ends with %v", err)
	}
	if s := p.Stats(); s.Retried > 0 || s.BrowserLost > 0 {
		t.Errorf("%+v", s)
	}
}

// TestAStarvedDocumentGoesOn: a tab that gets no time to work, as on a machine that
// is far too busy, is not taken for one that is stuck.
func TestAStarvedDocumentGoesOn(t *testing.T) {
	needProc(t)
	p := newPool(t, func(c *Config) { faulty(c); c.Tabs = 1; c.Stall = 4 * time.Second; c.Timeout = 10 * time.Minute })
	mustPrint(t, p, Job{HTML: page("before"), Paginate: true})
	printed := make(chan error, 1)
	go func() {
		res, err := p.Print(context.Background(), Job{HTML: page("for a while"), Paginate: true})
		if err == nil {
			res.Close()
		}
		printed <- err
	}()
	for p.Health().Running == 0 {
		runtime.Gosched()
	}
	tabs := tabProcesses(p.Health().Browsers[0].PID, nil)
	for pid := range tabs {
		_ = syscall.Kill(pid, syscall.SIGSTOP)
	}
	time.Sleep(6 * time.Second) // more than its limit, and less than its patience
	for pid := range tabs {
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
	if err := <-printed; err != nil || len(tabs) == 0 {
		t.Errorf("%d tabs, %v", len(tabs), err)
	}
}

// TestADocumentThatIsStuckFailsSoon: long before its time limit.
func TestADocumentThatIsStuckFailsSoon(t *testing.T) {
	p := newPool(t, func(c *Config) { faulty(c); c.Stall = 5 * time.Second; c.Timeout = 10 * time.Minute })
	began := time.Now()
	if err := besides(t, p, Job{HTML: page("for ever"), Paginate: true}); !errors.Is(err, ErrStuck) {
		t.Errorf("it ends with %v", err)
	}
	if took := time.Since(began); took > standstill {
		t.Errorf("it took %v", took)
	}
}
