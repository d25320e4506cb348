package chart

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Measure gives the width of a text in pixels at a font size.
type Measure func(text string, size float64, bold bool) float64

// safety is what kerning-less sums are widened by, so that a face a little
// wider than Inter still fits where the layout puts it.
const safety = 1.03

// MeasureSans is the Measure of common sans faces. It knows the advance widths
// of Inter for European scripts and of Noto Sans for most others, and takes averages
// elsewhere. Letters that join are taken one by one, and are never wider together.
func MeasureSans(text string, size float64, bold bool) float64 {
	sum := 0
	for _, r := range text {
		sum += advance(r, bold)
	}
	return float64(sum) / 200 * size * safety
}

// advance is the width of a character in 1/200 em.
func advance(r rune, bold bool) int {
	pick := func(regular, semibold string, first rune) int {
		if bold {
			return int(semibold[r-first])
		}
		return int(regular[r-first])
	}
	switch {
	case r < 0x20:
		return 0
	case r <= 0x7e:
		return pick(regularASCII, semiboldASCII, 0x20)
	case r >= 0xa0 && r <= 0x17f:
		return pick(regularLatin, semiboldLatin, 0xa0)
	case r >= 0x384 && r <= 0x3ce:
		return pick(regularGreek, semiboldGreek, 0x384)
	case r >= 0x400 && r <= 0x45f:
		return pick(regularCyrillic, semiboldCyrillic, 0x400)
	case r >= 0x2010 && r <= 0x2026:
		return pick(regularPunctuation, semiboldPunctuation, 0x2010)
	case r == 0x20ac:
		return pick(regularEuro, semiboldEuro, 0x20ac)
	case r == 0x2212:
		return pick(regularMinus, semiboldMinus, 0x2212)
	}
	if w, known := blockAdvance(r); known {
		if bold {
			return (w*boldShare + 99) / 100
		}
		return w
	}
	return otherAdvance(r)
}

// boldShare is how wide bold letters of Noto Sans are at most, on the average of a
// script (Malayalam), in hundredths of regular ones.
const boldShare = 110

func blockAdvance(r rune) (width int, known bool) {
	i, _ := slices.BinarySearchFunc(blocks, r, func(b block, r rune) int { return cmp.Compare(b.first+rune(len(b.advances))-1, r) })
	if i == len(blocks) || r < blocks[i].first {
		return 0, false
	}
	return int(blocks[i].advances[r-blocks[i].first]) * 2, true
}

// otherAdvance is an average width for scripts without a table.
func otherAdvance(r rune) int {
	switch {
	case isMark(r):
		return 0
	case r == 0x202f || r >= 0x2000 && r <= 0x200f:
		return 50
	case r >= 0x590 && r <= 0x8ff, r >= 0xfb1d && r <= 0xfdff, r >= 0xfe70 && r <= 0xfeff: // Arabic, and rare Hebrew
		return 115
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe4f, r >= 0xff00 && r <= 0xff60, r >= 0x20000 && r <= 0x3ffff: // full width
		return 200
	case r >= 0x1f000:
		return 250
	}
	return 130
}

// isMark reports combining marks, which take no room of their own.
func isMark(r rune) bool {
	return r >= 0x300 && r <= 0x36f || r >= 0x591 && r <= 0x5bd || r >= 0x64b && r <= 0x65f || r == 0x670 || r >= 0x200b && r <= 0x200f || r >= 0xfe00 && r <= 0xfe0f
}

// texts measures and shortens texts in one font.
type texts struct {
	measure Measure
	size    float64
	bold    bool
	tabular bool // its figures are all as wide as the widest
}

func (t texts) width(s string) float64 {
	w := t.measure(s, t.size, t.bold)
	if t.tabular {
		w += tabularExtra(s, t.bold) * t.size
	}
	return w
}

// tabularExtra is how much wider the figures and signs of a text are as tabular
// ones, in font sizes: in Inter all are as wide as the plus.
func tabularExtra(s string, bold bool) float64 {
	const figure, parenthesis = 130, 78
	sum := 0
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9', r == '-', r == '−', r == '+':
			sum += max(0, figure-advance(r, bold))
		case r == '(', r == ')':
			sum += max(0, parenthesis-advance(r, bold))
		}
	}
	return float64(sum) / 200 * safety
}

// line is the height of a line of the font.
func (t texts) line() float64 { return t.size * 1.2 }

// fit shortens a text with an ellipsis until it is at most so wide; "" when
// not even one character fits.
func (t texts) fit(s string, room float64) string {
	if t.width(s) <= room {
		return s
	}
	runes := []rune(s)
	lo, hi := 0, len(runes)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if t.width(string(runes[:mid])+"…") <= room {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	for lo > 0 && lo < len(runes) && unicode.IsMark(runes[lo]) {
		lo-- // a letter without its marks is another one
	}
	for lo > 0 && (runes[lo-1] == ' ' || runes[lo-1] == ',' || runes[lo-1] == '-' || isMark(runes[lo-1])) {
		lo--
	}
	if lo == 0 {
		return ""
	}
	return string(runes[:lo]) + "…"
}

// wrapCut breaks a text at blanks into at most n lines of a width and shortens
// what does not fit.
func (t texts) wrapCut(s string, room float64, n int) []string {
	if lines, ok := t.wrap(s, room, n); ok {
		return lines
	}
	var lines []string
	for len(lines) < n-1 {
		end := 0
		for i := 0; i <= len(s); i++ {
			if (i == len(s) || s[i] == ' ') && t.width(s[:i]) <= room {
				end = i
			}
		}
		if end == 0 || end == len(s) {
			break
		}
		lines = append(lines, s[:end])
		s = s[end+1:]
	}
	return append(lines, t.fit(s, room))
}

// wrap breaks a text at blanks into at most n lines of a width; false when it
// does not fit whole.
func (t texts) wrap(s string, room float64, n int) ([]string, bool) {
	var lines []string
	start, last := 0, -1
	for i := 0; i <= len(s); i++ {
		if i < len(s) && (s[i] != ' ' || i+1 < len(s) && strings.IndexByte("%/&+-.,;:)", s[i+1]) >= 0) {
			continue // no line begins with a sign
		}
		if t.width(s[start:i]) > room {
			if last < 0 {
				return nil, false
			}
			lines = append(lines, s[start:last])
			start = last + 1
			if t.width(s[start:i]) > room {
				return nil, false
			}
		}
		last = i
	}
	lines = append(lines, s[start:])
	return lines, len(lines) <= n
}
