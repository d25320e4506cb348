package render

import (
	"context"
	"encoding/base64"
	"fmt"
	"time"
)

// attempt prints a job in the slot's tab.
func (s *slot) attempt(ctx context.Context, it *item) (*Result, error) {
	res := &Result{}
	b := s.tab.b
	err := s.use(ctx, it.job.Resources, func(ctx context.Context, t *tab) error {
		return s.print(ctx, t, it, res)
	})
	if err != nil {
		res.Close()
		it.lostBrowser = b.lost()
		return nil, err
	}
	return res, nil
}

// print is the way of a document through a tab: fill, paginate, print.
func (s *slot) print(ctx context.Context, t *tab, it *item, res *Result) error {
	began := time.Now()
	if err := t.load(ctx, &it.job, res); err != nil {
		return err
	}
	filled := time.Now()
	res.Timings.Fill = filled.Sub(began)
	if it.pagesOnly {
		return nil
	}
	var err error
	if chunks := s.chunks(len(res.Pages)); len(chunks) > 1 {
		err = s.printChunks(ctx, t, &it.job, res, chunks)
	} else {
		err = s.printWhole(ctx, t, &it.job, res)
	}
	res.Timings.Print = time.Since(filled)
	t.bytes += int64(len(it.job.HTML)) + res.Size() + t.served.Load()
	return err
}

// load fills the job's document into the tab, paginated if it asks for that.
func (t *tab) load(ctx context.Context, job *Job, res *Result) error {
	if err := t.freshen(ctx, job.HTML, job.Resources); err != nil {
		return err
	}
	if job.Paginate {
		p, err := t.paginate(ctx, job.HTML)
		if err != nil {
			return err
		}
		res.Pages, res.Anchors, res.Warnings = p.Pages, p.Anchors, p.Warnings
	} else if _, err := t.fill(ctx, job.HTML, "quirePool.ready()"); err != nil {
		return err
	}
	if !job.HTMLOut {
		return nil
	}
	var err error
	res.HTML, err = t.html(ctx)
	return err
}

// printWhole prints the document in the tab as one part.
func (s *slot) printWhole(ctx context.Context, t *tab, job *Job, res *Result) error {
	sp, err := s.printTab(ctx, t, job, t.isLarge(job))
	if err != nil {
		return err
	}
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
