package font

import (
	"cmp"
	"errors"
	"slices"
)

// Set is a set of characters.
type Set struct{ spans []span } // in order, apart from each other

type span struct{ low, high rune }

// Has tells whether a character is in the set.
func (s Set) Has(r rune) bool {
	i, found := slices.BinarySearchFunc(s.spans, r, func(e span, r rune) int { return cmp.Compare(e.low, r) })
	return found || i > 0 && s.spans[i-1].high >= r
}

// Len is how many characters the set has.
func (s Set) Len() int {
	n := 0
	for _, e := range s.spans {
		n += int(e.high-e.low) + 1
	}
	return n
}

// Union is the set of what any of some sets has.
func Union(sets ...Set) Set {
	var all []span
	for _, s := range sets {
		all = append(all, s.spans...)
	}
	return setOf(all)
}

func setOf(spans []span) Set {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.low, b.low) })
	var joined []span
	for _, e := range spans {
		if last := len(joined) - 1; last >= 0 && e.low <= joined[last].high+1 {
			joined[last].high = max(joined[last].high, e.high)
			continue
		}
		joined = append(joined, e)
	}
	return Set{joined}
}

var errCmap = errors.New(`its table "cmap" is damaged`)

// mostSpans bounds the table of characters of one font.
const mostSpans = 1 << 17

// characters are those that a font has a glyph for.
func characters(cmap []byte) (Set, error) {
	if len(cmap) < 4 {
		return Set{}, errCmap
	}
	var spans []span
	for i := range int(u16(cmap, 2)) {
		e := 4 + 8*i
		if e+8 > len(cmap) {
			return Set{}, errCmap
		}
		platform, at := u16(cmap, e), int(u32(cmap, e+4))
		if platform != 0 && platform != 3 {
			continue
		}
		if at >= len(cmap) {
			return Set{}, errCmap
		}
		var err error
		if spans, err = appendChars(spans, cmap[at:]); err != nil || len(spans) > mostSpans {
			return Set{}, errCmap
		}
	}
	return setOf(spans), nil
}

// appendChars adds what a subtable has, in the three forms that fonts use for
// Unicode. Others, such as that of variation selectors, add nothing.
func appendChars(spans []span, t []byte) ([]span, error) {
	switch u16(t, 0) {
	case 4:
		return appendSegments(spans, t)
	case 6:
		first := rune(u16(t, 6))
		for i := range rune(u16(t, 8)) {
			if u16(t, 10+2*int(i)) != 0 {
				spans = append(spans, span{first + i, first + i})
			}
		}
	case 12:
		n := int(u32(t, 12))
		if n > (len(t)-16)/12 {
			return nil, errCmap
		}
		for i := range n {
			e := 16 + 12*i
			low, high := rune(u32(t, e)), rune(u32(t, e+4))
			if u32(t, e+8) == 0 {
				low++ // the first of them has the glyph of none
			}
			if low <= high && low >= 0 && high <= 0x10ffff {
				spans = append(spans, span{low, high})
			}
		}
	}
	return spans, nil
}

// appendSegments adds the characters up to U+FFFF.
func appendSegments(spans []span, t []byte) ([]span, error) {
	n := int(u16(t, 6)) / 2
	if 16+8*n > len(t) {
		return nil, errCmap
	}
	for i := range n {
		high, low := u16(t, 14+2*i), u16(t, 16+2*n+2*i)
		delta, offset := u16(t, 16+4*n+2*i), int(u16(t, 16+6*n+2*i))
		if low > high || low == 0xffff {
			continue
		}
		at := 16 + 6*n + 2*i + offset
		for c := rune(low); c <= rune(high); c++ {
			glyph := uint16(c) + delta
			if offset != 0 {
				if glyph = u16(t, at+2*int(c-rune(low))); glyph != 0 {
					glyph += delta
				}
			}
			if glyph == 0 {
				continue
			}
			if k := len(spans) - 1; k >= 0 && spans[k].high == c-1 && spans[k].low >= rune(low) {
				spans[k].high = c
				continue
			}
			spans = append(spans, span{c, c})
		}
	}
	return spans, nil
}
