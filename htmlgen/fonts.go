package htmlgen

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// FontFace is one font file that a document may use: a family in one weight and
// style, for the characters of UnicodeRange (the CSS descriptor; empty for all).
type FontFace struct {
	Family, Weight, Style, UnicodeRange, File string
}

// fallbackFamilies stand behind every family, so that scripts and signs that it
// lacks look the same on every machine.
const fallbackFamilies = `"Noto Sans Arabic","Noto Sans Hebrew","Noto Sans Symbols 2",sans-serif`

// usedFaces are the faces whose family the document names and of whose
// characters it holds any: a page of Latin text loads no Greek.
func usedFaces(faces []FontFace, css string, body []byte) []FontFace {
	runes := runesOf(body)
	named := map[string]bool{}
	var used []FontFace
	for _, f := range faces {
		known, asked := named[f.Family]
		if !asked {
			quoted := `"` + f.Family + `"`
			escaped := "&#34;" + f.Family + "&#34;"
			known = strings.Contains(css, quoted) || bytes.Contains(body, []byte(escaped)) || bytes.Contains(body, []byte(f.Family))
			named[f.Family] = known
		}
		if known && covers(f.UnicodeRange, runes) {
			used = append(used, f)
		}
	}
	return used
}

// runeSet is which characters a document holds: a bit for each up to U+FFFF,
// and one for all beyond.
type runeSet struct {
	bits   [1 << 10]uint64
	beyond bool
}

func runesOf(body []byte) *runeSet {
	s := &runeSet{}
	s.bits[0] = ^uint64(0) // control characters and punctuation are always there
	s.bits[1] = ^uint64(0)
	for i := 0; i < len(body); {
		if body[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(body[i:])
		i += n
		if r > 0xffff {
			s.beyond = true
		} else {
			s.bits[r>>6] |= 1 << (r & 63)
		}
	}
	return s
}

// covers reports whether a range such as "U+0000-00FF,U+0131,U+4??" holds any of
// the characters.
func covers(ranges string, s *runeSet) bool {
	if ranges == "" {
		return true
	}
	for _, part := range strings.Split(ranges, ",") {
		low, high := runeRange(strings.TrimSpace(part))
		if high > 0xffff && s.beyond {
			return true
		}
		for r := low; r <= min(high, 0xffff); r++ {
			if s.bits[r>>6]&(1<<(r&63)) != 0 {
				return true
			}
		}
	}
	return false
}

func runeRange(part string) (low, high int64) {
	part = strings.TrimPrefix(strings.TrimPrefix(part, "U+"), "u+")
	first, last, found := strings.Cut(part, "-")
	if !found {
		last = strings.ReplaceAll(first, "?", "F")
		first = strings.ReplaceAll(first, "?", "0")
	}
	low, err1 := strconv.ParseInt(first, 16, 32)
	high, err2 := strconv.ParseInt(last, 16, 32)
	if err1 != nil || err2 != nil {
		return 0, -1
	}
	return low, high
}
