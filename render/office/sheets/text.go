package sheets

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words gathers the text of an element as it reads: blanks in a row are one, unless
// they are kept, and lines end at breaks and between blocks.
type words struct {
	b    strings.Builder
	gap  bool // a blank stands before what comes
	kept bool // blanks print as typed
}

func (w *words) add(s string) {
	if w.kept {
		w.b.WriteString(s)
		return
	}
	for _, r := range s {
		if r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' {
			w.gap = true
			continue
		}
		if w.gap && w.b.Len() > 0 && !strings.HasSuffix(w.b.String(), "\n") {
			w.b.WriteByte(' ')
		}
		w.gap = false
		w.b.WriteRune(r)
	}
}

// line ends the line, if it has anything.
func (w *words) line() {
	w.gap = false
	if w.b.Len() > 0 && !strings.HasSuffix(w.b.String(), "\n") {
		w.b.WriteByte('\n')
	}
}

// take gives the text and begins anew.
func (w *words) take() string {
	s := strings.Trim(w.b.String(), "\n")
	w.b.Reset()
	w.gap = false
	return s
}

func (w *words) empty() bool { return w.b.Len() == 0 }

// usualWidth is about how wide a text is, in ems.
func usualWidth(text string, bold bool) float64 {
	width := 0.0
	for _, r := range text {
		switch {
		case strings.ContainsRune(" .,;:!'|il()[]-", r):
			width += 0.3
		case r >= 0x1100 && (unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hangul, r) || unicode.Is(unicode.Hiragana, r) || unicode.Is(unicode.Katakana, r) || r >= 0x1f000):
			width++
		case unicode.IsUpper(r) || strings.ContainsRune("mwMW%@", r):
			width += 0.68
		default:
			width += 0.54
		}
	}
	if bold {
		width *= 1.06
	}
	return width
}

// Sizes of Excel's cells with its usual font, Calibri of 11 points: a digit is 7
// pixels wide and 5 pixels of a column are margin (18.3.1.13 of ECMA-376 part 1).
const (
	fontPixels  = 11 * 96.0 / 72 * 0.88 // it is narrower than the faces of screens
	digitPixels = 7
	edgePixels  = 5
	lineHeight  = 15.0 // points
)

// characters is the width of a column, in Excel's measure, that shows a text in the
// usual font made larger.
func (b *book) characters(text string, bold bool, scale float64) float64 {
	widest := 0.0
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) > mostMeasured {
			line = line[:mostMeasured]
		}
		widest = max(widest, b.Measure(line, bold))
	}
	return math.Ceil((widest*fontPixels*scale+edgePixels+2)/digitPixels*10) / 10
}

// mostMeasured is how much of a line is measured: no column becomes so wide.
const mostMeasured = 400

// lines is about how many lines a text takes in a width of so many characters.
func (b *book) lines(text string, bold bool, scale, width float64) int {
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		room := max(1, width*digitPixels-edgePixels)
		n += max(1, int(math.Ceil(b.Measure(line, bold)*fontPixels*scale/room)))
	}
	return n
}

// longestWord is the part of a text that cannot be broken.
func longestWord(text string) string {
	longest, most := "", 0
	for _, word := range strings.Fields(text) {
		if n := utf8.RuneCountInString(word); n > most {
			longest, most = word, n
		}
	}
	return longest
}

func equalNames(a, b string) bool { return strings.EqualFold(a, b) }

// oneLine is a text without breaks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
