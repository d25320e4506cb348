package render

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
)

// A large document is printed in chunks of pages: the browser's time for one
// print grows faster than the pages in it. The tab of the document prints from
// the front; idle tabs of other slots take chunks from the back, as HTML that
// is moved out of the document.

// chunk is a range of pages, from 1, both included.
type chunk struct{ index, from, to int }

func (c chunk) args() string { return strconv.Itoa(c.from) + "," + strconv.Itoa(c.to) }

// chunks divides pages evenly, so that the last chunk is not a stray page.
// There is one chunk when the document should be printed whole.
func (s *slot) chunks(pages int) []chunk {
	size := s.pool.c.ChunkPages
	if pages <= size+size/2 {
		return make([]chunk, 1)
	}
	n := (pages + size - 1) / size
	list := make([]chunk, n)
	for i := range list {
		list[i] = chunk{index: i, from: pages*i/n + 1, to: pages * (i + 1) / n}
	}
	return list
}

// chunkWork is a chunk that has been moved out of its document, for another
// tab to print.
type chunkWork struct {
	chunk
	ctx   context.Context
	job   *Job
	html  []byte // as a JSON string
	taken atomic.Bool
	done  chan struct{} // closed when sp or err is set
	sp    *spool
	err   error
}

// run prints the chunk in the tab of a slot that had nothing else to do.
func (w *chunkWork) run(ctx context.Context, s *slot) {
	defer close(w.done)
	w.taken.Store(true)
	ctx, cancel := joinContext(w.ctx, ctx)
	defer cancel(nil)
	w.err = s.use(ctx, w.job.Resources, func(ctx context.Context, t *tab) error {
		var err error
		w.sp, err = w.print(ctx, s, t)
		return err
	})
}

func (w *chunkWork) print(ctx context.Context, s *slot, t *tab) (*spool, error) {
	if err := t.freshen(ctx, w.html, w.job.Resources); err != nil {
		return nil, err
	}
	p := newParams(len(w.html)).str("frameId", t.target).raw("html", w.html)
	if _, err := t.fillRaw(ctx, p, "quirePool.adopt()"); err != nil {
		return nil, err
	}
	t.bytes += int64(len(w.html))
	return s.printTab(ctx, t, w.job, true)
}

// finished says whether the chunk has been printed or has failed.
func (w *chunkWork) finished() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

// chunkPrinter prints the chunks of one document.
type chunkPrinter struct {
	s     *slot
	t     *tab
	job   *Job
	head  []byte       // what precedes the pages, inside of a JSON string
	left  []chunk      // still in the document
	moved []*chunkWork // offered to other slots
	parts []Part
}

// printChunks prints a document whose pages have been made.
func (s *slot) printChunks(ctx context.Context, t *tab, job *Job, res *Result, chunks []chunk) error {
	ctx, cancel := context.WithCancel(ctx) // ends the helpers when one part fails
	defer cancel()
	res.Parts = make([]Part, len(chunks))
	p := &chunkPrinter{s: s, t: t, job: job, left: chunks, parts: res.Parts}
	err := p.print(ctx)
	cancel()
	p.release()
	res.Timings.Helpers = len(p.moved)
	s.pool.stats.chunks.Add(int64(len(chunks)))
	return err
}

func (p *chunkPrinter) print(ctx context.Context) error {
	head, err := p.t.evaluate(ctx, "quirePool.relink(); quirePool.head()")
	if err != nil {
		return err
	}
	p.head = rawString(head)
	for len(p.left) > 0 {
		if err := p.share(ctx); err != nil {
			return err
		}
		c := p.left[0]
		p.left = p.left[1:]
		if err := p.printHere(ctx, c); err != nil {
			return err
		}
	}
	return p.collect(ctx)
}

// share moves chunks out of the document, from its end, for slots that would
// take them.
func (p *chunkPrinter) share(ctx context.Context) error {
	for len(p.left) > 1 && p.wanted() {
		last := p.left[len(p.left)-1]
		value, err := p.t.evaluate(ctx, "quire.extract("+last.args()+")")
		if err != nil {
			return err
		}
		p.left = p.left[:len(p.left)-1]
		w := &chunkWork{chunk: last, ctx: ctx, job: p.job, html: p.document(value), done: make(chan struct{})}
		p.moved = append(p.moved, w)
		p.s.pool.queue.offer(w)
	}
	return nil
}

// wanted says whether another chunk should be moved: for each idle slot, and
// one in reserve for each slot that is printing for us, because the document's
// tab can move nothing while it prints.
func (p *chunkPrinter) wanted() bool {
	waiting, working := 0, 0
	for _, w := range p.moved {
		switch {
		case w.finished():
		case w.taken.Load():
			working++
		default:
			waiting++
		}
	}
	return p.s.pool.queue.idle() > 0 || waiting < working
}

// document is the HTML of moved pages as a JSON string.
func (p *chunkPrinter) document(pages []byte) []byte {
	const end = `</body></html>`
	b := make([]byte, 0, len(p.head)+len(pages)+len(end)+2)
	b = append(b, '"')
	b = append(b, p.head...)
	b = append(b, rawString(pages)...)
	b = append(b, end...)
	return append(b, '"')
}

// printHere prints a chunk in the document's own tab.
func (p *chunkPrinter) printHere(ctx context.Context, c chunk) error {
	if _, err := p.t.evaluate(ctx, "quire.show("+c.args()+"); null"); err != nil {
		return err
	}
	sp, err := p.s.printTab(ctx, p.t, p.job, true)
	if err != nil {
		return err
	}
	p.put(c, sp)
	return nil
}

func (p *chunkPrinter) put(c chunk, sp *spool) {
	p.parts[c.index] = Part{First: c.from, Last: c.to, Size: sp.size, spool: sp}
}

// collect waits for the moved chunks. Those that nobody has taken, or that were
// lost with their helper, are printed here: the document is no longer needed.
func (p *chunkPrinter) collect(ctx context.Context) error {
	for i := len(p.moved) - 1; i >= 0; i-- {
		w := p.moved[i]
		if !p.s.pool.queue.takeBack(w) {
			if err := w.wait(ctx); err == nil {
				p.s.pool.stats.helped.Add(1)
				continue
			} else if !errors.Is(err, ErrCrashed) {
				return fmt.Errorf("pages %d to %d: %w", w.from, w.to, err)
			}
		}
		sp, err := w.print(ctx, p.s, p.t)
		if err != nil {
			return err
		}
		w.sp = sp
	}
	for _, w := range p.moved {
		p.put(w.chunk, w.sp)
		w.sp = nil
	}
	return nil
}

func (w *chunkWork) wait(ctx context.Context) error {
	select {
	case <-w.done:
		return w.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// release takes back what was offered and drops what nobody will ask for.
func (p *chunkPrinter) release() {
	for _, w := range p.moved {
		if !p.s.pool.queue.takeBack(w) && w.taken.Load() {
			<-w.done
		}
		if w.sp != nil {
			w.sp.remove()
		}
	}
}
