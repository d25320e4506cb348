package render

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quire-reports/quire/internal/priority"
)

// faulty is the paginator with faults that documents ask for by their words.
func faulty(c *Config) {
	c.Script = append(c.Script, `;{
		const real = quire.paginate, kept = [];
		quire.paginate = (...a) => {
			const text = document.body.textContent;
			while (text.includes("all memory")) kept.push(new Uint8Array(1 << 20).fill(1));
			if (text.includes("much memory")) while (kept.push(new Uint8Array(1 << 20).fill(1)) < 260);
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

// TestDocumentsThatTakeTooMuchTogether: of two that take what one may, the heavier is
// ended, and the other goes on.
func TestDocumentsThatTakeTooMuchTogether(t *testing.T) {
	needProc(t)
	p := newPool(t, func(c *Config) {
		faulty(c)
		c.TabMemory, c.TabsMemory = 480<<20, 600<<20
		c.Stall, c.Timeout = 10*time.Minute, 10*time.Minute
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	for _, key := range []string{"a", "b"} {
		go func() {
			_, err := p.Print(ctx, Job{HTML: page("much memory for ever"), Paginate: true, Key: key})
			ended <- err
		}()
	}
	if err := <-ended; !errors.Is(err, ErrHeavy) {
		t.Errorf("the heavier ends with %v", err)
	}
	mustPrint(t, p, Job{HTML: page("a page"), Paginate: true, Key: "c"})
	if cancel(); !errors.Is(<-ended, context.Canceled) {
		t.Error("the other one did not go on")
	}
}

// TestTabsAreLookedAtWhileTheyWork: an idle browser's processes are left alone, for
// hours; those of one with a document are looked at until it has ended.
func TestTabsAreLookedAtWhileTheyWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &browser{process: &process{pid: -1, exited: make(chan struct{})}, begun: make(chan struct{}, 1), tabs: map[string]*tab{}}
		one := &tab{b: b, ctx: t.Context()}
		b.tabs["one"] = one
		go b.weigh(Config{}.withDefaults(), &burden{})
		looked := func(within time.Duration) bool {
			b.worked.Store(-1)
			time.Sleep(within)
			return b.worked.Load() != -1
		}
		for range 3 {
			if looked(time.Hour) {
				t.Error("an idle browser's processes are looked at")
			}
			b.begin(one, &priority.Piece{})
			for range lookAgain + 1 {
				if !looked(weighEvery + time.Millisecond) {
					t.Error("a document goes unwatched")
				}
			}
			one.piece.Store(nil)
			time.Sleep(weighEvery)
		}
		close(b.exited)
	})
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
