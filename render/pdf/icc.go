package pdf

import (
	"encoding/binary"
	"math"
)

// sRGBProfile is the colour profile of sRGB (IEC 61966-2-1), adapted to the
// white point D50, as an ICC profile of version 2.
func sRGBProfile() []byte {
	var p iccProfile
	p.tag("desc", iccDescription("sRGB IEC61966-2.1"))
	p.tag("cprt", append([]byte("text\x00\x00\x00\x00"), "No copyright, use freely\x00"...))
	p.tag("wtpt", iccXYZ(0.9642, 1, 0.8249))
	p.tag("rXYZ", iccXYZ(0.4360747, 0.2225045, 0.0139322))
	p.tag("gXYZ", iccXYZ(0.3850649, 0.7168786, 0.0971045))
	p.tag("bXYZ", iccXYZ(0.1430804, 0.0606169, 0.7141733))
	p.tag("rTRC", iccCurve())
	p.same("gTRC")
	p.same("bTRC")
	return p.bytes()
}

// iccProfile collects the tags of a profile.
type iccProfile struct {
	table []byte
	data  []byte
	count int
	last  [2]uint32 // offset in data and size of the last tag
}

func (p *iccProfile) tag(name string, value []byte) {
	p.last = [2]uint32{uint32(len(p.data)), uint32(len(value))}
	p.data = append(p.data, value...)
	for len(p.data)%4 != 0 {
		p.data = append(p.data, 0)
	}
	p.same(name)
}

// same gives another tag the value of the last one.
func (p *iccProfile) same(name string) {
	p.table = append(p.table, name...)
	p.table = binary.BigEndian.AppendUint32(p.table, p.last[0])
	p.table = binary.BigEndian.AppendUint32(p.table, p.last[1])
	p.count++
}

const iccHeader = 128

func (p *iccProfile) bytes() []byte {
	start := iccHeader + 4 + len(p.table)
	for i := 0; i < len(p.table); i += 12 {
		at := p.table[i+4:]
		binary.BigEndian.PutUint32(at, binary.BigEndian.Uint32(at)+uint32(start))
	}
	h := make([]byte, iccHeader, start+len(p.data))
	binary.BigEndian.PutUint32(h, uint32(start+len(p.data)))
	binary.BigEndian.PutUint32(h[8:], 0x02100000) // version 2.1
	copy(h[12:], "mntrRGB XYZ ")
	for i, v := range []uint16{2026, 1, 1} {
		binary.BigEndian.PutUint16(h[24+2*i:], v)
	}
	copy(h[36:], "acsp")
	copy(h[68:], iccXYZ(0.9642, 1, 0.8249)[8:])
	h = binary.BigEndian.AppendUint32(h, uint32(p.count))
	return append(append(h, p.table...), p.data...)
}

func iccXYZ(x, y, z float64) []byte {
	b := []byte("XYZ \x00\x00\x00\x00")
	for _, v := range []float64{x, y, z} {
		b = binary.BigEndian.AppendUint32(b, uint32(math.Round(v*65536)))
	}
	return b
}

func iccDescription(s string) []byte {
	b := []byte("desc\x00\x00\x00\x00")
	b = binary.BigEndian.AppendUint32(b, uint32(len(s)+1))
	b = append(append(b, s...), 0)
	return append(b, make([]byte, 4+4+2+1+67)...) // no Unicode and no Macintosh name
}

// iccCurve is how sRGB's values become light.
func iccCurve() []byte {
	const steps = 1024
	b := []byte("curv\x00\x00\x00\x00")
	b = binary.BigEndian.AppendUint32(b, steps)
	for i := range steps {
		v := float64(i) / (steps - 1)
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		b = binary.BigEndian.AppendUint16(b, uint16(math.Round(v*65535)))
	}
	return b
}
