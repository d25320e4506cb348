package font

import (
	"encoding/binary"
	"math"
)

// WOFF2 writes the outlines of TrueType fonts in a form of its own, which packs
// better: https://www.w3.org/TR/WOFF2/#glyf_table_format. Both directions are here.

const (
	onCurve     = 1
	xShort      = 2
	yShort      = 4
	repeats     = 8
	xSame       = 16 // or positive, where short
	ySame       = 32
	overlapping = 64

	argsAreWords     = 1
	hasScale         = 8
	moreComponents   = 32
	hasXYScale       = 64
	hasTwoByTwo      = 128
	hasInstructions  = 256
	glyphHeader      = 10
	transformHeader  = 36
	overlapFlag      = 1
	mostPointsOfOne  = 1 << 16
	compositeOfGlyph = math.MaxUint16 // -1 contours
)

// point is one of an outline, as far from the one before.
type point struct {
	dx, dy int
	on     bool
}

// outline is what a simple glyph is drawn by.
type outline struct {
	ends         []int // of contours: the number of their last points
	points       []point
	instructions []byte
	overlap      bool
}

// box is the smallest that holds all points: least x and y, most x and y.
func (o *outline) box() [4]int16 {
	var x, y int
	b := [4]int{math.MaxInt, math.MaxInt, math.MinInt, math.MinInt}
	for _, p := range o.points {
		x, y = x+p.dx, y+p.dy
		b = [4]int{min(b[0], x), min(b[1], y), max(b[2], x), max(b[3], y)}
	}
	if len(o.points) == 0 {
		return [4]int16{}
	}
	return [4]int16{int16(b[0]), int16(b[1]), int16(b[2]), int16(b[3])}
}

// reader reads numbers one after the other; what is beyond the end is 0, and told.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.bad, r.b = true, nil
		return nil
	}
	got := r.b[:n:n]
	r.b = r.b[n:]
	return got
}

func (r *reader) u8() int {
	if b := r.take(1); b != nil {
		return int(b[0])
	}
	return 0
}

func (r *reader) u16() int {
	if b := r.take(2); b != nil {
		return int(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (r *reader) u32() int {
	if b := r.take(4); b != nil {
		return int(binary.BigEndian.Uint32(b))
	}
	return 0
}

// short reads what WOFF2 calls 255UInt16.
func (r *reader) short() int {
	switch c := r.u8(); c {
	case 253:
		return r.u16()
	case 254:
		return 506 + r.u8()
	case 255:
		return 253 + r.u8()
	default:
		return c
	}
}

// appendShort writes what short reads.
func appendShort(b []byte, n int) []byte {
	switch {
	case n < 253:
		return append(b, byte(n))
	case n < 506:
		return append(b, 255, byte(n-253))
	case n < 762:
		return append(b, 254, byte(n-506))
	default:
		return append(b, 253, byte(n>>8), byte(n))
	}
}

// component reads one part of a composite glyph and whether others follow and
// instructions stand behind them.
func (r *reader) component() (part []byte, more, instructed bool) {
	from := r.b
	flags := r.u16()
	size := 2 + 2 // the glyph, two arguments
	if flags&argsAreWords != 0 {
		size += 2
	}
	switch {
	case flags&hasScale != 0:
		size += 2
	case flags&hasXYScale != 0:
		size += 4
	case flags&hasTwoByTwo != 0:
		size += 8
	}
	r.take(size)
	if r.bad {
		return nil, false, false
	}
	return from[:2+size], flags&moreComponents != 0, flags&hasInstructions != 0
}

// simple reads a simple glyph of a table "glyf", behind its header.
func (r *reader) simple(contours int) *outline {
	o := &outline{}
	for range contours {
		o.ends = append(o.ends, r.u16())
	}
	n := 0
	if contours > 0 {
		n = o.ends[contours-1] + 1
	}
	for i := 1; i < contours; i++ {
		r.bad = r.bad || o.ends[i] < o.ends[i-1]
	}
	o.instructions = r.take(r.u16())
	flags := make([]byte, 0, min(n, len(r.b)*256))
	for len(flags) < n && !r.bad {
		flag := byte(r.u8())
		flags = append(flags, flag)
		if flag&repeats != 0 {
			for range r.u8() {
				flags = append(flags, flag)
			}
		}
	}
	if r.bad || len(flags) != n {
		r.bad = true
		return o
	}
	o.overlap = n > 0 && flags[0]&overlapping != 0
	o.points = make([]point, n)
	for i, flag := range flags {
		o.points[i].dx = r.step(flag, xShort, xSame)
		o.points[i].on = flag&onCurve != 0
	}
	for i, flag := range flags {
		o.points[i].dy = r.step(flag, yShort, ySame)
	}
	return o
}

// step reads how far a point is along one axis.
func (r *reader) step(flag, short, same byte) int {
	switch {
	case flag&short != 0 && flag&same != 0:
		return r.u8()
	case flag&short != 0:
		return -r.u8()
	case flag&same != 0:
		return 0
	}
	return int(int16(r.u16()))
}

// appendSimple writes a simple glyph as the table "glyf" has it.
func appendSimple(b []byte, o *outline, box [4]int16) []byte {
	b = binary.BigEndian.AppendUint16(b, uint16(len(o.ends)))
	b = appendBox(b, box)
	for _, end := range o.ends {
		b = binary.BigEndian.AppendUint16(b, uint16(end))
	}
	b = binary.BigEndian.AppendUint16(b, uint16(len(o.instructions)))
	b = append(b, o.instructions...)
	var xs, ys []byte
	for i, p := range o.points {
		var flag byte
		if p.on {
			flag = onCurve
		}
		if o.overlap && i == 0 {
			flag |= overlapping
		}
		var f byte
		xs, f = appendStep(xs, p.dx, xShort, xSame)
		flag |= f
		ys, f = appendStep(ys, p.dy, yShort, ySame)
		b = append(b, flag|f)
	}
	b = append(b, xs...)
	return append(b, ys...)
}

func appendStep(b []byte, d int, short, same byte) (written []byte, flag byte) {
	switch {
	case d == 0:
		return b, same
	case d > 0 && d < 256:
		return append(b, byte(d)), short | same
	case d < 0 && d > -256:
		return append(b, byte(-d)), short
	}
	return binary.BigEndian.AppendUint16(b, uint16(int16(d))), 0
}

func appendBox(b []byte, box [4]int16) []byte {
	for _, v := range box {
		b = binary.BigEndian.AppendUint16(b, uint16(v))
	}
	return b
}
