package font

import (
	"encoding/binary"
	"slices"
)

// restored are outlines as fonts have them.
type restored struct {
	glyf, loca []byte  // loca in the long form
	left       []int16 // least x of each glyph
}

// restoreGlyphs takes the outlines out of the form that they are packed in.
func restoreGlyphs(packed []byte) (*restored, error) {
	r := &reader{b: packed}
	r.u16()
	options, count := r.u16(), r.u16()
	r.u16() // the form of loca
	var sizes [7]int
	for i := range sizes {
		sizes[i] = r.u32()
	}
	var streams [7]reader
	for i, size := range sizes {
		streams[i].b = r.take(size)
	}
	contours, counts, flags, glyphs, composites, boxes, instructions := &streams[0], &streams[1], &streams[2], &streams[3], &streams[4], &streams[5], &streams[6]
	boxed := boxes.take((count + 31) >> 5 << 2)
	var overlaps []byte
	if options&overlapFlag != 0 {
		overlaps = r.take((count + 7) >> 3)
	}
	out := &restored{left: make([]int16, count), loca: make([]byte, 0, 4*count+4)}
	for i := range count {
		if r.bad || contours.bad || len(out.glyf) > MostBytes {
			return nil, errWOFF2
		}
		out.loca = binary.BigEndian.AppendUint32(out.loca, uint32(len(out.glyf)))
		n := contours.u16()
		hasBox := bit(boxed, i)
		var box [4]int16
		if hasBox {
			for k := range box {
				box[k] = int16(boxes.u16())
			}
		}
		switch {
		case n == 0:
			if hasBox {
				return nil, errWOFF2
			}
			continue
		case n == compositeOfGlyph:
			if !hasBox {
				return nil, errWOFF2
			}
			out.glyf = appendBox(binary.BigEndian.AppendUint16(out.glyf, compositeOfGlyph), box)
			out.glyf = appendComposite(out.glyf, composites, glyphs, instructions)
		default:
			o := packedOutline(n, counts, flags, glyphs, instructions)
			o.overlap = bit(overlaps, i)
			if !hasBox {
				box = o.box()
			}
			out.glyf = appendSimple(out.glyf, o, box)
		}
		out.left[i] = box[0]
		for len(out.glyf)%4 != 0 {
			out.glyf = append(out.glyf, 0)
		}
	}
	for _, s := range streams {
		if s.bad {
			return nil, errWOFF2
		}
	}
	out.loca = binary.BigEndian.AppendUint32(out.loca, uint32(len(out.glyf)))
	return out, nil
}

// bit is one of a row that begins with the highest of each byte.
func bit(row []byte, i int) bool { return i>>3 < len(row) && row[i>>3]&(0x80>>(i&7)) != 0 }

func appendComposite(b []byte, composites, glyphs, instructions *reader) []byte {
	for more, instructed := true, false; more; {
		var part []byte
		var has bool
		part, more, has = composites.component()
		b = append(b, part...)
		if instructed = instructed || has; instructed && !more {
			code := instructions.take(glyphs.short())
			b = binary.BigEndian.AppendUint16(b, uint16(len(code)))
			b = append(b, code...)
		}
	}
	return b
}

// packedOutline reads a simple glyph in the form that it is packed in.
func packedOutline(contours int, counts, flags, glyphs, instructions *reader) *outline {
	o := &outline{}
	n := 0
	for range contours {
		if n += counts.short(); n > mostPointsOfOne || counts.bad {
			counts.bad = true
			return o
		}
		o.ends = append(o.ends, n-1)
	}
	kinds := flags.take(n)
	o.points = make([]point, len(kinds))
	for i, kind := range kinds {
		o.points[i] = glyphs.triplet(int(kind))
	}
	o.instructions = instructions.take(glyphs.short())
	return o
}

// triplet reads a point: https://www.w3.org/TR/WOFF2/#triplet_decoding.
func (r *reader) triplet(kind int) point {
	p := point{on: kind < 128}
	kind &= 127
	signed := func(positive, n int) int {
		if positive&1 == 0 {
			return -n
		}
		return n
	}
	switch {
	case kind < 10:
		p.dy = signed(kind, kind&14<<7+r.u8())
	case kind < 20:
		p.dx = signed(kind, (kind-10)&14<<7+r.u8())
	case kind < 84:
		k, b := kind-20, r.u8()
		p.dx, p.dy = signed(kind, 1+k&0x30+b>>4), signed(kind>>1, 1+k&0x0c<<2+b&15)
	case kind < 120:
		k := kind - 84
		p.dx, p.dy = signed(kind, 1+k/12<<8+r.u8()), signed(kind>>1, 1+k%12>>2<<8+r.u8())
	case kind < 124:
		a, b, c := r.u8(), r.u8(), r.u8()
		p.dx, p.dy = signed(kind, a<<4+b>>4), signed(kind>>1, b&15<<8+c)
	default:
		p.dx, p.dy = signed(kind, r.u16()), signed(kind>>1, r.u16())
	}
	return p
}

// appendTriplet writes a point and gives its kind.
func appendTriplet(b []byte, p point) (written []byte, kind byte) {
	x, y := max(p.dx, -p.dx), max(p.dy, -p.dy)
	signs := 0
	if p.dx >= 0 {
		signs = 1
	}
	if p.dy >= 0 {
		signs += 2
	}
	k := 0
	switch {
	case x == 0 && y < 1280:
		k, b = y>>8<<1+signs>>1, append(b, byte(y))
	case y == 0 && x < 1280:
		k, b = 10+x>>8<<1+signs&1, append(b, byte(x))
	case x < 65 && y < 65:
		k, b = 20+(x-1)&0x30+(y-1)&0x30>>2+signs, append(b, byte((x-1)&15<<4|(y-1)&15))
	case x < 769 && y < 769:
		k, b = 84+12*((x-1)>>8)+(y-1)>>8<<2+signs, append(b, byte(x-1), byte(y-1))
	case x < 4096 && y < 4096:
		k, b = 120+signs, append(b, byte(x>>4), byte(x&15<<4|y>>8), byte(y))
	default:
		k, b = 124+signs, append(b, byte(x>>8), byte(x), byte(y>>8), byte(y))
	}
	if !p.on {
		k += 128
	}
	return b, byte(k)
}

// packGlyphs brings outlines into the form that WOFF2 packs. Nil means that a glyph is
// damaged.
func packGlyphs(glyf []byte, places []int) []byte {
	count := len(places) - 1
	boxed, overlaps := make([]byte, (count+31)>>5<<2), make([]byte, (count+7)>>3)
	var contours, counts, flags, glyphs, composites, boxes, instructions []byte
	anyOverlap := false
	for i := range count {
		r := &reader{b: glyf[places[i]:places[i+1]]}
		if len(r.b) == 0 {
			contours = append(contours, 0, 0)
			continue
		}
		n := r.u16()
		head := r.take(glyphHeader - 2)
		if n == 0 { // whatever stands behind draws nothing
			contours = append(contours, 0, 0)
			continue
		}
		contours = binary.BigEndian.AppendUint16(contours, uint16(n))
		if n == compositeOfGlyph {
			boxed[i>>3] |= 0x80 >> (i & 7)
			boxes = append(boxes, head...)
			instructed := false
			for more := true; more; {
				var part []byte
				var has bool
				part, more, has = r.component()
				composites = append(composites, part...)
				instructed = instructed || has
			}
			if instructed {
				code := r.take(r.u16())
				glyphs = appendShort(glyphs, len(code))
				instructions = append(instructions, code...)
			}
		} else {
			o := r.simple(n)
			last := -1
			for _, end := range o.ends {
				counts = appendShort(counts, end-last)
				last = end
			}
			for _, p := range o.points {
				var kind byte
				glyphs, kind = appendTriplet(glyphs, p)
				flags = append(flags, kind)
			}
			glyphs = appendShort(glyphs, len(o.instructions))
			instructions = append(instructions, o.instructions...)
			if !slices.Equal(appendBox(nil, o.box()), head) {
				boxed[i>>3] |= 0x80 >> (i & 7)
				boxes = append(boxes, head...)
			}
			if o.overlap {
				overlaps[i>>3] |= 0x80 >> (i & 7)
				anyOverlap = true
			}
		}
		if r.bad {
			return nil
		}
	}
	options := 0
	if anyOverlap {
		options = overlapFlag
	}
	b := binary.BigEndian.AppendUint16(make([]byte, 2, transformHeader), uint16(options))
	b = binary.BigEndian.AppendUint16(b, uint16(count))
	b = append(b, 0, 1) // loca is long
	boxes = append(boxed, boxes...)
	streams := [][]byte{contours, counts, flags, glyphs, composites, boxes, instructions}
	for _, s := range streams {
		b = binary.BigEndian.AppendUint32(b, uint32(len(s)))
	}
	for _, s := range streams {
		b = append(b, s...)
	}
	if anyOverlap {
		b = append(b, overlaps...)
	}
	return b
}
