package render

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
)

// A large document is printed in chunks of pages: the browser's time for one
// print grows faster than the pages in it. When its pages have been made, they
// are taken out as HTML, chunk by chunk, and the tab that made them, which has
// grown by then, is closed. A fresh tab prints the chunks; slots that have
// nothing else to do help.

// chunk is some consecutive pages of a document, for any tab to print.
type chunk struct {
	index    int
	From, To int // numbers of the pages, from 1, both included
	html     []byte
	failures int
}

// division is what a paginated document was taken apart into; see quirePool.
type division struct {
	Head   string   `json:"head"`
	Chunks []*chunk `json:"chunks"`
}

// takeApart fetches the chunks from the tab in which the pages were made.
func (t *tab) takeApart(ctx context.Context, d *division) ([]*chunk, error) {
	head := appendEscaped(nil, d.Head)
	for i, c := range d.Chunks {
		value, err := t.evaluate(ctx, "quirePool.chunk("+strconv.Itoa(i)+")")
		if err != nil {
			return nil, err
		}
		c.index = i
		c.html = wholeDocument(head, rawString(value))
	}
	return d.Chunks, nil
}

// wholeDocument is the HTML of a chunk as a JSON string; its pieces are the
// insides of such strings.
func wholeDocument(head, pages []byte) []byte {
	const end = `</body></html>"`
	b := make([]byte, 0, 1+len(head)+len(pages)+len(end))
	b = append(b, '"')
	b = append(b, head...)
	b = append(b, pages...)
	return append(b, end...)
}

// chunkPrint is the printing of one document's chunks by several slots.
type chunkPrint struct {
	ctx   context.Context
	job   *Job
	parts []Part // by index; each is set by the slot that printed it

	mu     sync.Mutex
	left   []*chunk
	active int           // chunks that are being printed
	settle chan struct{} // closed and replaced when a chunk has ended
	helped int
	err    error
}

// printChunks prints chunks in the slot's tab, and in those of idle slots.
func (s *slot) printChunks(ctx context.Context, job *Job, res *Result, chunks []*chunk) error {
	ctx, cancel := context.WithCancel(ctx) // ends the helpers when one part fails
	defer cancel()
	res.Parts = make([]Part, len(chunks))
	p := &chunkPrint{ctx: ctx, job: job, parts: res.Parts, left: chunks, settle: make(chan struct{})}
	err := p.lead(s)
	cancel()
	p.end(s)
	res.Timings.Helpers = p.helped
	s.pool.stats.chunks.Add(int64(len(chunks)))
	s.pool.stats.helped.Add(int64(p.helped))
	return err
}

// lead prints until all chunks are done, and asks idle slots to help.
func (p *chunkPrint) lead(s *slot) error {
	for {
		p.askForHelp(s.pool.queue)
		c, wait := p.take()
		if c == nil && wait == nil {
			return p.err
		}
		if c == nil {
			<-wait // helpers end with the context
			continue
		}
		if err := p.print(s, c); err != nil {
			return err
		}
	}
}

// askForHelp offers a place to every slot that has nothing else to do, while
// there is more left than one tab should do.
func (p *chunkPrint) askForHelp(q *queue) {
	p.mu.Lock()
	n := len(p.left) - 1
	p.mu.Unlock()
	for idle := q.idle(); idle > 0 && n > 0; idle, n = idle-1, n-1 {
		q.offer(&helper{p})
	}
}

// helper is the part of another slot in the printing of a document's chunks.
type helper struct{ p *chunkPrint }

func (h *helper) key() string { return h.p.job.Key }

// run prints chunks until none is left, or until there is a job for the slot.
func (h *helper) run(ctx context.Context, s *slot) {
	defer s.pool.queue.release(h.key())
	for ctx.Err() == nil && s.tab != nil {
		c, _ := h.p.take()
		if c == nil {
			return
		}
		if h.p.print(s, c) == nil {
			h.p.count()
		}
		if s.pool.queue.waiting() > 0 {
			return
		}
	}
}

func (p *chunkPrint) count() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.helped++
}

// take takes the next chunk. Without one it returns what to wait for, or nil
// when all is done or lost.
func (p *chunkPrint) take() (*chunk, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.err != nil:
		return nil, nil
	case len(p.left) > 0:
		c := p.left[0]
		p.left = p.left[1:]
		p.active++
		return c, nil
	case p.active > 0:
		return nil, p.settle
	}
	return nil, nil
}

// give ends the work on a chunk. One that was lost with its tab is tried again
// by whoever is next.
func (p *chunkPrint) give(c *chunk, sp *spool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active--
	close(p.settle)
	p.settle = make(chan struct{})
	c.failures++
	switch {
	case err == nil:
		p.parts[c.index] = Part{First: c.From, Last: c.To, Size: sp.size, spool: sp}
		c.html = nil
	case errors.Is(err, ErrCrashed) && c.failures < attemptsTab:
		p.left = append([]*chunk{c}, p.left...)
	case p.err == nil:
		p.err = err
	}
}

// print prints a chunk in a slot's tab.
func (p *chunkPrint) print(s *slot, c *chunk) error {
	var sp *spool
	err := s.use(p.ctx, p.job, func(ctx context.Context, t *tab) error {
		if err := t.freshen(ctx, c.html, p.job.Resources); err != nil {
			return err
		}
		content := newParams(len(c.html)).str("frameId", t.target).raw("html", c.html)
		if _, err := t.fillRaw(ctx, content, "quirePool.adopt()"); err != nil {
			return err
		}
		var err error
		sp, err = s.printTab(ctx, t, p.job, true)
		t.bytes += chunkWear
		return err
	})
	p.give(c, sp, err)
	return err
}

// chunkWear is what a chunk counts for a tab's wear: a tab grows by some ten
// megabytes with each, and gives them back late.
const chunkWear = 8 << 20

// end waits for the helpers. Offers that nobody has taken find nothing to do.
func (p *chunkPrint) end(s *slot) {
	for {
		p.mu.Lock()
		if p.active == 0 {
			p.left = nil
			p.mu.Unlock()
			break
		}
		wait := p.settle
		p.mu.Unlock()
		<-wait
	}
	s.pool.queue.takeBack(func(t task) bool {
		h, ok := t.(*helper)
		return ok && h.p == p
	})
}

// freshTab puts a new tab into the place of one that has done heavy work. If
// that cannot be, the old one goes on.
func (s *slot) freshTab(ctx context.Context) {
	b := s.tab.b
	s.tab.bytes = s.pool.c.TabBytes // worn
	s.renew(b)
	if s.next == nil {
		return
	}
	wait(ctx, s.next.done, s.tab.ctx.Done())
	s.takeOpened(b)
}

// UnmarshalJSON reads [from, to].
func (c *chunk) UnmarshalJSON(b []byte) error {
	var pair [2]int
	err := json.Unmarshal(b, &pair)
	c.From, c.To = pair[0], pair[1]
	return err
}
