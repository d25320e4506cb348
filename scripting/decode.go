package scripting

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"time"

	"github.com/quire-reports/quire/report"
)

var errFrame = errors.New("scripting: a child sent what cannot be read")

// reader takes a payload apart. The first fault stays in err and everything
// after it reads as zero.
type reader struct {
	buf []byte
	err error
}

func (r *reader) fail() {
	r.err = errFrame
	r.buf = nil
}

func (r *reader) byte() byte {
	if len(r.buf) == 0 {
		r.fail()
		return 0
	}
	b := r.buf[0]
	r.buf = r.buf[1:]
	return b
}

// uint reads a count or length, which no payload can hold more of than it has
// bytes.
func (r *reader) uint() int {
	n, size := binary.Uvarint(r.buf)
	if size <= 0 || n > math.MaxInt32 {
		r.fail()
		return 0
	}
	r.buf = r.buf[size:]
	return int(n)
}

// length reads the length of something whose items take a byte or more each.
func (r *reader) length() int {
	n := r.uint()
	if n > len(r.buf) {
		r.fail()
		return 0
	}
	return n
}

func (r *reader) int() int64 {
	n, size := binary.Varint(r.buf)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.buf = r.buf[size:]
	return n
}

func (r *reader) text() string {
	n := r.length()
	s := string(r.buf[:n])
	r.buf = r.buf[n:]
	return s
}

func (r *reader) float() float64 {
	if len(r.buf) < 8 {
		r.fail()
		return 0
	}
	f := math.Float64frombits(binary.LittleEndian.Uint64(r.buf))
	r.buf = r.buf[8:]
	return f
}

func (r *reader) names() []string {
	names := make([]string, r.length())
	for i := range names {
		names[i] = r.text()
	}
	return names
}

// decoder reads the values that a child sent as report values.
type decoder struct {
	reader
	shapes    []*report.Shape
	undefined bool // whether the value just read was undefined
}

func (d *decoder) value() any {
	tag := d.byte()
	d.undefined = tag == tagUndefined
	switch tag {
	case tagFalse, tagTrue:
		return tag == tagTrue
	case tagInt:
		return d.int()
	case tagFloat:
		return d.float()
	case tagString:
		return d.text()
	case tagDigits:
		return json.Number(d.text())
	case tagTime:
		return time.UnixMilli(d.int()).UTC()
	case tagArray:
		return d.array()
	case tagShape:
		d.shapes = append(d.shapes, report.NewShape(d.names()...))
		return d.object(len(d.shapes) - 1)
	case tagObject:
		return d.object(d.uint())
	}
	return nil
}

func (d *decoder) array() []any {
	items := make([]any, d.length())
	for i := range items {
		items[i] = d.value()
	}
	return items
}

func (d *decoder) object(shape int) any {
	if d.err != nil || shape >= len(d.shapes) {
		d.fail()
		return nil
	}
	s := d.shapes[shape]
	values := make([]any, len(s.Names()))
	for i := range values {
		values[i] = d.value()
	}
	return report.NewObject(s, values)
}
