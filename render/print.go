package render

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"time"
)

// attempt prints a job in the slot's tab.
func (s *slot) attempt(ctx context.Context, it *item) (*Result, error) {
	res := &Result{}
	b := s.tab.b
	if it.needsWindow() {
		if err := s.toDrawn(ctx); err != nil {
			return nil, err
		}
	}
	err := s.print(ctx, it, res)
	if err == nil && it.onlyWindow && res.read == nil {
		if err = s.toDrawn(ctx); err == nil {
			err = s.print(ctx, it, res)
		}
	}
	if err != nil {
		res.Close()
		it.lostBrowser = b.lost() || b.diedTogether()
		return nil, err
	}
	return res, nil
}

// largeHTML is from which size on a document is expected to be printed in
// chunks; the tab for that is opened while the pages are being made.
const largeHTML = 1 << 20

// print is the way of a document through the browser: fill, paginate, print.
func (s *slot) print(ctx context.Context, it *item, res *Result) error {
	began := time.Now()
	var chunks []*chunk
	if len(it.job.HTML) > largeHTML {
		s.tab.bytes = s.pool.c.TabBytes // such a document wears a tab out
		s.renew(s.tab.b)
	}
	err := s.use(ctx, &it.job, func(ctx context.Context, t *tab) (err error) {
		if it.needsWindow() {
			t.undrawn = 0
		}
		if it.read != nil {
			if res.read, err = t.read(ctx, it); errors.Is(err, errOnlyWindow) {
				it.onlyWindow = true
				return nil
			}
			return err
		}
		chunks, err = s.load(ctx, t, it, res)
		res.Timings.Fill = time.Since(began)
		if err == nil && it.draw != "" {
			res.drawings, err = t.draw(ctx, it.draw)
		}
		if err == nil && it.picture != nil {
			res.picture, err = t.still(ctx, it.picture)
		}
		if err != nil || it.pagesOnly || len(chunks) > 0 {
			return err
		}
		return s.printWhole(ctx, t, &it.job, res)
	})
	if err == nil && len(chunks) > 0 {
		s.freshTab(ctx)
		err = s.printChunks(ctx, &it.job, res, chunks)
	}
	res.Timings.Print = time.Since(began) - res.Timings.Fill
	return err
}

// load fills the job's document into the tab, paginated if it asks for that. A
// large one comes back in chunks.
func (s *slot) load(ctx context.Context, t *tab, it *item, res *Result) ([]*chunk, error) {
	job := &it.job
	if err := t.freshen(ctx, job.HTML, job.Resources); err != nil {
		return nil, err
	}
	t.bytes += int64(len(job.HTML))
	if !job.Paginate {
		_, err := t.fill(ctx, job.HTML, "quirePool.ready()")
		if err == nil && job.HTMLOut {
			res.HTML, err = t.html(ctx)
		}
		return nil, err
	}
	size := s.pool.c.ChunkPages
	if it.pagesOnly {
		size = math.MaxInt32
	}
	p, err := t.paginate(ctx, job.HTML, size, job)
	if err != nil {
		return nil, err
	}
	res.Pages, res.Anchors, res.Warnings, res.Found = p.Pages, p.Anchors, p.Warnings, p.Found
	if job.HTMLOut {
		res.HTML = []byte(p.HTML)
	}
	if p.Division == nil {
		return nil, nil
	}
	return t.takeApart(ctx, p.Division)
}

// printWhole prints the document in the tab as one part.
func (s *slot) printWhole(ctx context.Context, t *tab, job *Job, res *Result) error {
	sp, err := s.printTab(ctx, t, job, t.isLarge(job))
	if err != nil {
		return err
	}
	t.bytes += sp.size + t.served.Load()
	part := Part{Size: sp.size, spool: sp}
	if n := len(res.Pages); n > 0 {
		part.First, part.Last = 1, n
	}
	res.Parts = []Part{part}
	return nil
}

// messageLimit is up to which size of HTML and resources the PDF is taken as
// one message instead of being read as a stream, which costs round trips.
const messageLimit = 2 << 20

func (t *tab) isLarge(job *Job) bool {
	return int64(len(job.HTML))+t.served.Load() > messageLimit
}

// printTab prints what the tab shows.
func (s *slot) printTab(ctx context.Context, t *tab, job *Job, stream bool) (*spool, error) {
	r, err := t.call(ctx, "Page.printToPDF", printParams(job, stream))
	if err != nil {
		return nil, err
	}
	dir, err := s.pool.dir.get()
	if err != nil {
		return nil, failWith(ErrStorage, err)
	}
	sp := &spool{dir: dir, limit: s.pool.c.MemoryPart}
	if stream {
		err = t.readStream(ctx, rawString(member(r, "stream")), sp)
	} else {
		err = writeBase64(sp, rawString(member(r, "data")))
	}
	if err == nil && sp.finish() != nil {
		err = fail(ErrStorage, "its file cannot be closed")
	}
	if err != nil {
		sp.remove()
		return nil, err
	}
	return sp, nil
}

// printParams: the pages' own sizes, no margins, nothing of the browser's.
func printParams(job *Job, stream bool) *params {
	p := newParams(256).
		bool("printBackground", true).bool("preferCSSPageSize", true).
		num("marginTop", 0).num("marginRight", 0).num("marginBottom", 0).num("marginLeft", 0).
		bool("generateTaggedPDF", job.Tagged).bool("generateDocumentOutline", job.Outline)
	if stream {
		p.str("transferMode", "ReturnAsStream")
	}
	return p
}

// streamPiece is how much of a stream is read at once.
const streamPiece = 1 << 20

func (t *tab) readStream(ctx context.Context, handle []byte, sp *spool) error {
	for {
		r, err := t.call(ctx, "IO.read", newParams(0).str("handle", string(handle)).num("size", streamPiece))
		if err != nil {
			return err
		}
		if string(member(r, "base64Encoded")) != "true" {
			return fail(ErrPageFailed, "the PDF is unreadable")
		}
		if err := writeBase64(sp, rawString(member(r, "data"))); err != nil {
			return err
		}
		if string(member(r, "eof")) == "true" {
			break
		}
	}
	_, err := t.call(ctx, "IO.close", newParams(0).str("handle", string(handle)))
	return err
}

func writeBase64(sp *spool, data []byte) error {
	b, err := base64.StdEncoding.AppendDecode(nil, data)
	if err != nil {
		return fmt.Errorf("reading the PDF: %w", err)
	}
	if _, err := sp.Write(b); err != nil {
		return failWith(ErrStorage, err)
	}
	return nil
}
