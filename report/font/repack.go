package font

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"github.com/andybalholm/brotli"
)

var errNotPacked = errors.New("its outlines are damaged")

// Unpack gives a font in WOFF2 as the TrueType or OpenType font that it was made of;
// others as they are. The tables are the same, their places and checksums may not be.
func Unpack(b []byte) ([]byte, error) {
	if len(b) < 12 || u32(b, 0) != tagWOFF2 {
		return b, nil
	}
	entries, data, err := openWOFF2(b)
	if err != nil {
		return nil, err
	}
	tables, transformed := map[string][]byte{}, map[string]bool{}
	for _, e := range entries {
		tables[e.tag], data = data[:e.length:e.length], data[e.length:]
		transformed[e.tag] = e.transformed
	}
	var glyphs *restored
	if transformed["glyf"] {
		if glyphs, err = restoreGlyphs(tables["glyf"]); err != nil {
			return nil, err
		}
		head := slices.Clone(tables["head"])
		if len(head) < 54 {
			return nil, errWOFF2
		}
		binary.BigEndian.PutUint16(head[50:], 1) // loca is long
		tables["glyf"], tables["loca"], tables["head"] = glyphs.glyf, glyphs.loca, head
	}
	if transformed["hmtx"] {
		if glyphs == nil {
			return nil, errWOFF2
		}
		if tables["hmtx"], err = restoreMetrics(tables["hmtx"], int(u16(tables["hhea"], 34)), glyphs.left); err != nil {
			return nil, err
		}
	}
	return sfnt(u32(b, 4), tables), nil
}

// restoreMetrics gives the widths of glyphs with the room at their left, which WOFF2
// may leave out where it is the least x.
func restoreMetrics(packed []byte, wide int, left []int16) ([]byte, error) {
	r := &reader{b: packed}
	flags := r.u8()
	wide = min(wide, len(left))
	widths := &reader{b: r.take(2 * wide)}
	side := func(i int, given bool) uint16 {
		if given {
			return uint16(r.u16())
		}
		return uint16(left[i])
	}
	var b []byte
	for i := range wide {
		b = binary.BigEndian.AppendUint16(b, uint16(widths.u16()))
		b = binary.BigEndian.AppendUint16(b, side(i, flags&1 == 0))
	}
	for i := wide; i < len(left); i++ {
		b = binary.BigEndian.AppendUint16(b, side(i, flags&2 == 0))
	}
	if r.bad || widths.bad {
		return nil, errWOFF2
	}
	return b, nil
}

// sfnt puts tables together to a font file.
func sfnt(flavor uint32, tables map[string][]byte) []byte {
	tags := slices.Sorted(maps.Keys(tables))
	n := len(tags)
	power := 1
	for power*2 <= n {
		power *= 2
	}
	b := binary.BigEndian.AppendUint32(nil, flavor)
	for _, v := range []int{n, power * 16, log2(power), n*16 - power*16} {
		b = binary.BigEndian.AppendUint16(b, uint16(v))
	}
	at := 12 + 16*n
	for _, tag := range tags {
		t := tables[tag]
		b = append(b, tag...)
		for _, v := range []uint32{checksum(t), uint32(at), uint32(len(t))} {
			b = binary.BigEndian.AppendUint32(b, v)
		}
		at += (len(t) + 3) &^ 3
	}
	for _, tag := range tags {
		b = append(b, tables[tag]...)
		for len(b)%4 != 0 {
			b = append(b, 0)
		}
	}
	return b
}

func log2(power int) int {
	n := 0
	for ; power > 1; power /= 2 {
		n++
	}
	return n
}

func checksum(table []byte) uint32 {
	var sum uint32
	for len(table) > 0 {
		var word [4]byte
		table = table[copy(word[:], table):]
		sum += binary.BigEndian.Uint32(word[:])
	}
	return sum
}

const (
	tagWOFF2    = 0x774f4632
	woff2Header = 48
	quality     = 9 // of compression: more takes ten times as long for a twentieth less
)

// Pack makes WOFF2 of a TrueType or OpenType font.
func Pack(sfnt []byte) ([]byte, error) {
	tables, err := parseTables(sfnt)
	if err != nil {
		return nil, err
	}
	var list, data []byte
	for _, tag := range slices.Sorted(maps.Keys(tables)) {
		t := tables[tag]
		switch tag {
		case "DSIG", "loca": // the one is of the file that was, the other comes with the outlines
			continue
		case "glyf":
			places, err := glyphPlaces(tables)
			if err != nil {
				return nil, err
			}
			packed := packGlyphs(t, places)
			if packed == nil {
				return nil, errNotPacked
			}
			list = appendEntry(list, "glyf", len(t), len(packed))
			list = appendEntry(list, "loca", 4*len(places), 0)
			data = append(data, packed...)
			continue
		case "head":
			if len(t) < 54 {
				return nil, errNotPacked
			}
			t = slices.Clone(t)
			binary.BigEndian.PutUint16(t[16:], u16(t, 16)|1<<11) // it has been through a change of form
			if len(tables["glyf"]) > 0 {
				binary.BigEndian.PutUint16(t[50:], 1)
			}
		}
		list = appendEntry(list, tag, len(t), -1)
		data = append(data, t...)
	}
	var packed bytes.Buffer
	w := brotli.NewWriterLevel(&packed, quality)
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	n := len(tables)
	if _, signed := tables["DSIG"]; signed {
		n--
	}
	length := (woff2Header + len(list) + packed.Len() + 3) &^ 3
	b := make([]byte, woff2Header, length)
	for at, v := range map[int]uint32{0: tagWOFF2, 4: u32(sfnt, 0), 8: uint32(length), 12: uint32(n) << 16, 16: uint32(len(sfnt)), 20: uint32(packed.Len())} {
		binary.BigEndian.PutUint32(b[at:], v)
	}
	b = append(append(b, list...), packed.Bytes()...)
	return b[:length], nil
}

// appendEntry writes a table into the list of WOFF2; packed is how long it is in the
// form of WOFF2, -1 when it has none.
func appendEntry(b []byte, tag string, length, packed int) []byte {
	if i := slices.Index(woff2Tags[:], tag); i >= 0 {
		b = append(b, byte(i))
	} else {
		b = append(append(b, 63), tag...)
	}
	b = appendNumber(b, length)
	if packed >= 0 {
		b = appendNumber(b, packed)
	}
	return b
}

// appendNumber writes what number reads.
func appendNumber(b []byte, n int) []byte {
	for shift := 28; shift > 0; shift -= 7 {
		if n>>shift > 0 {
			b = append(b, byte(n>>shift)|128)
		}
	}
	return append(b, byte(n&127))
}

// glyphPlaces are where the outlines begin in their table, and where the last ends.
func glyphPlaces(tables map[string][]byte) ([]int, error) {
	glyf, loca, head, maxp := tables["glyf"], tables["loca"], tables["head"], tables["maxp"]
	n := int(u16(maxp, 4)) + 1
	size, long := 2, u16(head, 50) == 1
	if long {
		size = 4
	}
	if len(loca) < n*size {
		return nil, errNotPacked
	}
	places := make([]int, n)
	for i := range places {
		if long {
			places[i] = int(u32(loca, 4*i))
		} else {
			places[i] = 2 * int(u16(loca, 2*i))
		}
		if places[i] > len(glyf) || i > 0 && places[i] < places[i-1] {
			return nil, errNotPacked
		}
	}
	return places, nil
}

// Outlines gives a font in WOFF2 as a TrueType font for files that place each letter
// themselves: its outlines, widths and characters.
func Outlines(b []byte) ([]byte, error) {
	plain, err := Unpack(b)
	if err != nil {
		return nil, err
	}
	tables, err := parseTables(plain)
	if err != nil {
		return nil, err
	}
	own := map[string][]byte{}
	for _, tag := range []string{"OS/2", "cmap", "cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post", "prep"} {
		if t := tables[tag]; t != nil {
			own[tag] = t
		}
	}
	return sfnt(u32(plain, 0), own), nil
}
