package htmlgen

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// FontFace is one font file that a document may use: a family in one weight and
// style, for the characters of UnicodeRange (the CSS descriptor; empty for all).
type FontFace struct {
	Family, Weight, Style, UnicodeRange, File string

	Format string // as CSS calls it; empty means woff2
}

// fallbackFamilies stand behind every family, so that scripts and signs that it
// lacks look the same on every machine.
const fallbackFamilies = `"Noto Sans Arabic","Noto Sans Hebrew","Noto Sans Symbols 2",sans-serif`

// usedFaces are the faces whose family the document names and of whose
// characters it holds any: a page of Latin text loads no Greek. A document that
// brings its fonts along has no italics where nothing is slanted.
func (c *Context) usedFaces(css string, body []byte, runes *runeSet) []FontFace {
	named, upright := map[string]bool{}, map[string]bool{}
	if c.in.Alone != nil && !slants(css, body) {
		for _, f := range c.faces {
			upright[f.Family] = upright[f.Family] || f.Style == "normal"
		}
	}
	var used []FontFace
	for _, f := range c.faces {
		known, asked := named[f.Family]
		if !asked {
			quoted := `"` + f.Family + `"`
			escaped := "&#34;" + f.Family + "&#34;"
			known = c.named[strings.ToLower(f.Family)] || strings.Contains(css, quoted) || bytes.Contains(body, []byte(escaped)) || bytes.Contains(body, []byte(f.Family))
			named[f.Family] = known
		}
		// A browser takes italics for upright text where a family has nothing else.
		spared := f.Style != "normal" && upright[f.Family]
		if known && !spared && covers(f.UnicodeRange, runes) {
			used = append(used, f)
		}
	}
	return used
}

// manyBytes is a document that hardly grows by styles and fonts, so that it is not searched.
const manyBytes = 1 << 20

// slanting is what slants text: what styles say, and elements that browsers slant, in
// any case.
var slanting = []string{"italic", "oblique", "<em", "<i>", "<i ", "<cite", "<dfn", "<var", "<address"}

// slants reports whether a document may have slanted text. Its words may say so
// too, and do no harm.
func slants(css string, body []byte) bool {
	if len(body) > manyBytes {
		return true
	}
	styles, body := strings.ToLower(css), bytes.ToLower(body)
	return slices.ContainsFunc(slanting, func(mark string) bool {
		return strings.Contains(styles, mark) || bytes.Contains(body, []byte(mark))
	})
}

// runeSet is which characters a document holds: a bit for each up to U+FFFF,
// and a list of those beyond.
type runeSet struct {
	bits   [1 << 10]uint64
	beyond map[rune]bool
}

// mostBeyond bounds the list: more are as many as any one font has.
const mostBeyond = 1 << 16

// each visits the characters after ASCII in their order.
func (s *runeSet) each(visit func(rune)) {
	for i := 2; i < len(s.bits); i++ {
		for word := s.bits[i]; word != 0; word &= word - 1 {
			visit(rune(i<<6 + bits.TrailingZeros64(word)))
		}
	}
	for _, r := range slices.Sorted(maps.Keys(s.beyond)) {
		visit(r)
	}
}

// has says whether any character of a range is in the set.
func (s *runeSet) has(low, high rune) bool {
	for r := low; r <= min(high, 0xffff); r++ {
		if s.bits[r>>6]&(1<<(r&63)) != 0 {
			return true
		}
	}
	if high > 0xffff {
		for r := range s.beyond {
			if r >= low && r <= high {
				return true
			}
		}
	}
	return false
}

// highBits are those that no byte of ASCII has.
const highBits = 0x8080808080808080

func runesOf(body []byte) *runeSet {
	s := &runeSet{}
	s.bits[0] = ^uint64(0) // control characters and punctuation are always there
	s.bits[1] = ^uint64(0)
	for i := 0; i < len(body); {
		if body[i] < utf8.RuneSelf {
			i++
			for i+8 <= len(body) && binary.LittleEndian.Uint64(body[i:])&highBits == 0 {
				i += 8
			}
			continue
		}
		r, n := utf8.DecodeRune(body[i:])
		i += n
		switch {
		case r <= 0xffff:
			s.bits[r>>6] |= 1 << (r & 63)
		case len(s.beyond) < mostBeyond:
			if s.beyond == nil {
				s.beyond = map[rune]bool{}
			}
			s.beyond[r] = true
		}
	}
	return s
}

// covers reports whether a range such as "U+0000-00FF,U+0131,U+4??" holds any of
// the characters.
func covers(ranges string, s *runeSet) bool {
	return anyRange(ranges, func(low, high rune) bool { return s.has(low, high) })
}

// inRanges reports whether ranges hold a character.
func inRanges(ranges string, r rune) bool {
	return anyRange(ranges, func(low, high rune) bool { return low <= r && r <= high })
}

func anyRange(ranges string, test func(low, high rune) bool) bool {
	if ranges == "" {
		return true
	}
	for part := range strings.SplitSeq(ranges, ",") {
		if test(runeRange(strings.TrimSpace(part))) {
			return true
		}
	}
	return false
}

func runeRange(part string) (low, high rune) {
	part = strings.TrimPrefix(strings.TrimPrefix(part, "U+"), "u+")
	first, last, found := strings.Cut(part, "-")
	if !found {
		last = strings.ReplaceAll(first, "?", "F")
		first = strings.ReplaceAll(first, "?", "0")
	}
	from, err1 := strconv.ParseInt(first, 16, 32)
	to, err2 := strconv.ParseInt(last, 16, 32)
	if err1 != nil || err2 != nil {
		return 0, -1
	}
	return rune(from), rune(to)
}
