package deliver

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/quire-reports/quire/report"
)

// document is a report.Document that a destination is given.
type document struct {
	report.Document
	name    string                // portable, and no other of the delivery has it
	number  string                // its place in the delivery, from 1
	sum     string                // hexadecimal SHA-256, once it is known
	failure atomic.Pointer[Error] // why it could not be read, if it could not
}

// prepare makes names portable and different, and content types such that they
// can stand in any header.
func prepare(docs []report.Document) []*document {
	prepared := make([]*document, len(docs))
	used := map[string]bool{}
	for i, d := range docs {
		d.ContentType = mediaType(d.ContentType)
		prepared[i] = &document{Document: d, name: unusedName(SafeName(d.Name), used), number: strconv.Itoa(i + 1)}
	}
	return prepared
}

// mediaType is a content type written anew, or the one for bytes of any kind.
func mediaType(contentType string) string {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || !strings.Contains(kind, "/") || !isASCII(kind) {
		return "application/octet-stream"
	}
	return cmp.Or(mime.FormatMediaType(kind, params), "application/octet-stream")
}

// open gives the bytes of a document. Reading fails when the context ends, and
// at the end when there were more or fewer bytes than announced, so that no cut
// document is taken for a whole one.
func (d *document) open(ctx context.Context) (io.ReadCloser, error) {
	if d.Open == nil {
		return nil, d.unreadable(errors.New("nothing gives its content"))
	}
	r, err := d.Open(ctx)
	if err != nil {
		return nil, d.unreadable(err)
	}
	return &documentReader{ctx: ctx, doc: d, from: r}, nil
}

func (d *document) unreadable(why error) *Error {
	e := temporary("the document %q could not be read: %s", d.name, plain(why.Error()))
	e.cause = why
	d.failure.Store(e)
	return e
}

// failed is why the document could not be read, if it could not. HTTP clients
// read in goroutines of their own.
func (d *document) failed() error {
	if e := d.failure.Load(); e != nil {
		return e
	}
	return nil
}

// hash is the document's hexadecimal SHA-256.
func (d *document) hash(ctx context.Context) (string, error) {
	if d.sum != "" {
		return d.sum, nil
	}
	r, err := d.open(ctx)
	if err != nil {
		return "", err
	}
	defer r.Close()
	sum, err := hashOf(r)
	if err == nil {
		d.sum = sum
	}
	return sum, err
}

func hashOf(r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

type documentReader struct {
	ctx  context.Context
	doc  *document
	from io.ReadCloser
	read int64
}

func (r *documentReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.from.Read(p)
	r.read += int64(n)
	switch {
	case r.read > r.doc.Size:
		return 0, r.doc.unreadable(errors.New("it is longer than announced"))
	case err == io.EOF && r.read < r.doc.Size:
		return n, r.doc.unreadable(errors.New("it is shorter than announced"))
	case err != nil && err != io.EOF && !errors.Is(err, r.ctx.Err()):
		return n, r.doc.unreadable(err)
	}
	return n, err
}

func (r *documentReader) Close() error { return r.from.Close() }
