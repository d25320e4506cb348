package deliver

import (
	"context"
	"errors"
	"io"
	"time"
)

// upload is a session in which a drive takes a large document part by part. It
// keeps the document with the last part.
type upload interface {
	// part sends one and tells where the next begins.
	part(ctx context.Context, from io.Reader, start, size int64) (next int64, err error)
	// next asks where the next part begins, after one that failed.
	next(ctx context.Context) (int64, error)
	// drop gives the session up.
	drop(ctx context.Context)
}

const (
	maxResumed = 4                // how often an upload goes on after a part that failed
	maxDrop    = 5 * time.Second  // for giving an upload up
	maxPause   = 30 * time.Second // a drive that asks for more is asked again by the queue
)

// sendParts sends a document in parts of a size. When one fails and that may
// pass, it goes on from where the drive says.
func (d *delivery) sendParts(ctx context.Context, doc *document, size int64, to upload) error {
	from := &parts{doc: doc}
	defer from.close()
	failed := 0
	for start := int64(0); start < doc.Size; {
		next, err := from.send(ctx, start, min(size, doc.Size-start), to)
		if err == nil && next <= start {
			err = temporary("the drive took nothing of a part of %q", doc.name)
		}
		if doc.failed() != nil {
			err = doc.failed()
		}
		if err == nil {
			start = next
			continue
		}
		if failed++; failed > maxResumed || doc.failed() != nil || !d.pause(ctx, err, failed) {
			ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), min(d.env.idle(), maxDrop))
			defer cancel()
			to.drop(ending)
			return err
		}
		from.close()
		if next, err := to.next(ctx); err == nil {
			start = next
		}
	}
	return nil
}

// lostUpload is the error for a session that a drive no longer knows.
func lostUpload(label, place string) *Error {
	return temporary("%s no longer knows the upload of %s", label, place)
}

// pause waits before an upload goes on; false when it should not.
func (d *delivery) pause(ctx context.Context, err error, failed int) bool {
	var own *Error
	if !errors.As(err, &own) || own.Permanent || own.RetryAfter > maxPause || ctx.Err() != nil {
		return false
	}
	first := d.env.again
	if first == 0 {
		first = time.Second
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(max(own.RetryAfter, first<<(failed-1))):
		return true
	}
}

// parts reads a document in pieces.
type parts struct {
	doc  *document
	from io.ReadCloser
	at   int64
}

func (p *parts) send(ctx context.Context, start, size int64, to upload) (next int64, err error) {
	if p.from == nil || p.at != start {
		p.close()
		if p.from, err = p.doc.open(ctx); err != nil {
			return 0, err
		}
		p.at = 0
		if _, err := io.CopyN(io.Discard, p, start); err != nil {
			return 0, err
		}
	}
	return to.part(ctx, io.LimitReader(p, size), start, size)
}

func (p *parts) Read(b []byte) (int, error) {
	n, err := p.from.Read(b)
	p.at += int64(n)
	return n, err
}

func (p *parts) close() {
	if p.from != nil {
		_ = p.from.Close()
		p.from = nil
	}
}
