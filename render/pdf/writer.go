package pdf

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"
	"strconv"
	"sync"
)

// writer writes a document object by object. Objects without data are packed
// into object streams: the structure of a tagged document is its largest part,
// and shrinks to a tenth.
type writer struct {
	out    io.Writer
	sum    hash.Hash // of all that was written; the document's identifier
	offset int64
	err    error
	xref   []location // by object number
	seal   *sealer    // nil without encryption

	packed  []int  // numbers of the objects that wait
	offsets []int  // of each in body
	body    []byte // their values
	packer  *packer
}

// packer packs bytes.
type packer struct {
	zip    *zlib.Writer
	packed bytes.Buffer
}

// packers are used again: each takes nearly a megabyte, more than all else of a page.
// Those that have packed more than mostPacked are left: they would hold it for long.
var packers = sync.Pool{New: func() any {
	p := &packer{}
	p.zip = zlib.NewWriter(&p.packed)
	return p
}}

const mostPacked = 1 << 20

// An object stream is closed when it holds this much; a reader unpacks all of
// it to read one object.
const (
	packObjects = 400
	packBytes   = 128 << 10
)

func newWriter(out io.Writer, seal *sealer, version string) *writer {
	w := &writer{out: out, sum: sha256.New(), xref: make([]location, 1), seal: seal, packer: packers.Get().(*packer)}
	w.write([]byte("%PDF-" + version + "\n%\xe2\xe3\xcf\xd3\n"))
	return w
}

// alloc reserves an object number.
func (w *writer) alloc() int {
	w.xref = append(w.xref, location{})
	return len(w.xref) - 1
}

func (w *writer) write(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.out.Write(b)
	w.offset += int64(n)
	w.sum.Write(b[:n])
	if err != nil {
		w.err = fmt.Errorf("writing the PDF: %w", err)
	}
}

// object writes a value under a number.
func (w *writer) object(num int, v any, a *appender) {
	w.packed = append(w.packed, num)
	w.offsets = append(w.offsets, len(w.body))
	w.body = a.value(w.body, v)
	w.body = append(w.body, '\n')
	if len(w.packed) >= packObjects || len(w.body) >= packBytes {
		w.pack()
	}
}

// pack writes the waiting objects as an object stream.
func (w *writer) pack() {
	if len(w.packed) == 0 {
		return
	}
	container := w.alloc()
	var table []byte
	for i, num := range w.packed {
		w.xref[num] = location{kind: inStream, offset: container, gen: i}
		table = strconv.AppendInt(table, int64(num), 10)
		table = append(table, ' ')
		table = strconv.AppendInt(table, int64(w.offsets[i]), 10)
		table = append(table, ' ')
	}
	d := dict{{"Type", name("ObjStm")}, {"N", len(w.packed)}, {"First", len(table)}, {"Filter", name("FlateDecode")}}
	w.stream(container, d, w.deflate(table, w.body), &appender{})
	w.packed, w.offsets, w.body = w.packed[:0], w.offsets[:0], w.body[:0]
}

// deflate packs bytes; the result is valid until the next call.
func (w *writer) deflate(pieces ...[]byte) []byte {
	p := w.packer
	p.packed.Reset()
	p.zip.Reset(&p.packed)
	for _, piece := range pieces {
		p.zip.Write(piece) //nolint:errcheck // a buffer takes everything
	}
	p.zip.Close()
	return p.packed.Bytes()
}

// stream writes an object with data. The data is encrypted when the document
// is, but for the cross-reference, which must stay readable.
func (w *writer) stream(num int, d dict, raw []byte, a *appender) {
	if w.seal != nil && d.name("Type") != "XRef" {
		raw = w.seal.encrypt(raw)
		a = &appender{ref: a.ref, seal: w.seal.encrypt}
	}
	w.xref[num] = location{kind: direct, offset: int(w.offset)}
	var b []byte
	b = strconv.AppendInt(b, int64(num), 10)
	b = append(b, " 0 obj\n"...)
	b = a.value(b, d.without("Length").with("Length", len(raw)))
	b = append(b, "\nstream\n"...)
	w.write(b)
	w.write(raw)
	w.write([]byte("\nendstream\nendobj\n"))
}

// plain writes an object that must be neither packed nor encrypted.
func (w *writer) plain(num int, v any) {
	w.xref[num] = location{kind: direct, offset: int(w.offset)}
	b := fmt.Appendf(nil, "%d 0 obj\n", num)
	b = (&appender{}).value(b, v)
	w.write(append(b, "\nendobj\n"...))
}

// finish writes the cross-reference and the end.
func (w *writer) finish(trailer dict) error {
	w.pack()
	num := w.alloc()
	start := w.offset
	w.xref[num] = location{kind: direct, offset: int(start)}
	id := text(w.sum.Sum(nil)[:16])
	d := dict{
		{"Type", name("XRef")},
		{"Size", len(w.xref)},
		{"W", array{1, 5, 2}},
		{"Filter", name("FlateDecode")},
		{"ID", array{id, id}},
	}
	w.stream(num, append(d, trailer...), w.deflate(w.rows()), &appender{})
	if w.packer.packed.Cap() <= mostPacked {
		packers.Put(w.packer)
	}
	w.packer = nil
	w.write(fmt.Appendf(nil, "startxref\n%d\n%%%%EOF\n", start))
	return w.err
}

func (w *writer) rows() []byte {
	b := make([]byte, 0, len(w.xref)*8)
	for _, at := range w.xref {
		var row [8]byte
		binary.BigEndian.PutUint64(row[:], uint64(at.offset)<<16|uint64(at.gen&0xffff))
		b = append(b, byte(at.kind))
		b = append(b, row[1:]...)
	}
	return b
}
