package render

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// browser is a running process and the tabs in it.
type browser struct {
	*process
	uses   atomic.Int64
	proved atomic.Bool  // a tab could be opened
	heavy  atomic.Int64 // when a tab's process was ended for its memory, until the tab is told

	begun   chan struct{} // holds one when a tab has got a document
	opening sync.Mutex    // one tab is made at a time, so that its process is known
	grown   atomic.Bool   // there are processes of new tabs
	worked  atomic.Int64  // nanoseconds of processors that its tabs have had, as far as they still are there

	mu      sync.Mutex
	tabs    map[string]*tab // by session
	retired bool            // a newer process has taken over
	empty   chan struct{}   // closed when it is retired and its last tab is gone
	deaths  [2]time.Time    // of tabs, the last first
}

func newBrowser(p *process) *browser {
	b := &browser{process: p, begun: make(chan struct{}, 1), tabs: map[string]*tab{}, empty: make(chan struct{})}
	p.conn.handle("", b.event)
	return b
}

// event handles what the browser says about tabs as a whole.
func (b *browser) event(method string, params []byte) {
	if method != "Target.detachedFromTarget" {
		return
	}
	b.mu.Lock()
	t := b.tabs[string(rawString(member(params, "sessionId")))]
	b.mu.Unlock()
	if t != nil {
		t.died()
	}
}

func (b *browser) add(t *tab) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tabs[t.session] = t
}

func (b *browser) remove(t *tab) {
	b.conn.unhandle(t.session)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tabs[t.session] != t {
		return
	}
	delete(b.tabs, t.session)
	b.signalEmpty()
}

// retire marks the browser as replaced; it is ended when its tabs are gone.
func (b *browser) retire() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.retired = true
	b.signalEmpty()
}

func (b *browser) signalEmpty() {
	if !b.retired || len(b.tabs) > 0 {
		return
	}
	select {
	case <-b.empty:
	default:
		close(b.empty)
	}
}

func (b *browser) countTabs() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.tabs)
}

// together is within what time tabs die of the same, such as the process that
// makes theirs: it is not their documents that they died of.
const together = 2 * time.Second

// noteDeath notes that a tab has died.
func (b *browser) noteDeath() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.deaths = [2]time.Time{time.Now(), b.deaths[0]}
}

// diedTogether reports whether tabs have died together just now.
func (b *browser) diedTogether() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return time.Since(b.deaths[1]) < together
}

// living is how many tabs have not died.
func (b *browser) living() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.tabs {
		if t.ctx.Err() == nil {
			n++
		}
	}
	return n
}

// lost says whether the process or the connection to it is gone.
func (b *browser) lost() bool {
	select {
	case <-b.exited:
		return true
	case <-b.conn.done:
		return true
	default:
		return false
	}
}

// call is a command to the browser as a whole.
func (b *browser) call(ctx context.Context, method string, p *params) ([]byte, error) {
	return b.conn.call(ctx, "", method, p)
}
