package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/unicode/bidi"
)

// The browser draws words that are read from right to left as glyphs from left
// to right, and letters of Arabic as pieces of which several make one letter. What
// a program reads from that is not the text, so the elements say it: their
// ActualText has the letters in the order in which they are written and spoken.

// glyphs is what one text object shows: pieces of text from left to right.
type glyphs struct {
	x        float64    // where it begins, in points
	origin   [2]float64 // of the fragment that it belongs to
	size     float64
	pieces   []string
	reversed bool // the pieces are in reverse order
}

// fragment is a run of text in one direction, as the browser lays lines out of
// them: glyphs of several fonts with one origin.
type fragment struct {
	x, y, size float64
	dir        direction
	text       string
}

// direction is that of a piece of text; none for blanks and punctuation.
type direction byte

const (
	neutral direction = iota
	leftToRight
	rightToLeft
)

// directionOf is the direction of the first letter or digit. A digit stands from
// left to right in every script.
func directionOf(s string) direction {
	for i := 0; i < len(s); {
		p, n := bidi.LookupString(s[i:])
		switch p.Class() {
		case bidi.L, bidi.EN, bidi.AN:
			return leftToRight
		case bidi.R, bidi.AL, bidi.RLO, bidi.RLE, bidi.RLI:
			return rightToLeft
		}
		i += max(n, 1)
	}
	return neutral
}

func (g *glyphs) text() string {
	pieces := g.pieces
	if g.reversed {
		pieces = slices.Clone(pieces)
		slices.Reverse(pieces)
	}
	return strings.Join(pieces, "")
}

// isRightToLeft says whether a language is written from right to left.
func isRightToLeft(lang string) bool {
	tag, err := language.Parse(lang)
	if err != nil {
		return false
	}
	script, _ := tag.Script()
	switch script.String() {
	case "Arab", "Hebr", "Syrc", "Thaa", "Nkoo", "Adlm", "Rohg", "Mand", "Samr":
		return true
	}
	return false
}

// spoken is the text of marks that follow one another, in the order of speech;
// empty when none of it is read from right to left.
func spoken(marks []*mark, base direction) string {
	all := fragments(marks)
	if !slices.ContainsFunc(all, func(f fragment) bool { return f.dir == rightToLeft }) {
		return ""
	}
	var lines []string
	for len(all) > 0 {
		n := 1
		for n < len(all) && math.Abs(all[n].y-all[0].y) <= all[0].size/2 {
			n++
		}
		line := all[:n]
		slices.SortStableFunc(line, func(a, b fragment) int { return cmp.Compare(a.x, b.x) })
		lines = append(lines, speakLine(line, base))
		all = all[n:]
	}
	return joinLines(lines)
}

// fragments joins the glyphs of fragments.
func fragments(marks []*mark) []fragment {
	var list []fragment
	var same []glyphs
	flush := func() {
		if len(same) > 0 {
			list = append(list, fragmentOf(same))
		}
		same = same[:0]
	}
	for _, m := range marks {
		for _, g := range m.shown {
			if len(same) > 0 && same[0].origin != g.origin {
				flush()
			}
			same = append(same, g)
		}
	}
	flush()
	return list
}

func fragmentOf(runs []glyphs) fragment {
	slices.SortStableFunc(runs, func(a, b glyphs) int { return cmp.Compare(a.x, b.x) })
	f := fragment{x: runs[0].x, y: runs[0].origin[1], size: runs[0].size}
	for i := range runs {
		switch d := directionOf(runs[i].text()); {
		case runs[i].reversed:
			f.dir = rightToLeft
		case f.dir == neutral:
			f.dir = d
		}
	}
	if f.dir == rightToLeft {
		slices.Reverse(runs)
	}
	var b strings.Builder
	for i := range runs {
		b.WriteString(runs[i].text())
	}
	f.text = b.String()
	return f
}

// joinLines puts the blanks back at which lines were broken.
func joinLines(lines []string) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 && !strings.HasSuffix(lines[i-1], " ") && !strings.HasPrefix(l, " ") {
			b.WriteByte(' ')
		}
		b.WriteString(l)
	}
	return b.String()
}

// speakLine turns a line, which is given from left to right, into the order of
// speech: the bidirectional algorithm backwards.
func speakLine(line []fragment, base direction) string {
	if base == rightToLeft {
		return turned(line)
	}
	var b strings.Builder
	for i := 0; i < len(line); {
		if line[i].dir != rightToLeft {
			b.WriteString(line[i].text)
			i++
			continue
		}
		end := lastOfTurn(line, i) + 1
		b.WriteString(turned(line[i:end]))
		i = end
	}
	return b.String()
}

// lastOfTurn is the last of the fragments that are turned together: numbers
// between words that are read from right to left are part of their sequence.
func lastOfTurn(line []fragment, from int) int {
	last := from
	for i := from + 1; i < len(line); i++ {
		switch {
		case line[i].dir == rightToLeft:
			last = i
		case hasLetter(line[i].text):
			return last
		}
	}
	return last
}

// hasLetter says whether a text has a letter that is read from left to right.
func hasLetter(s string) bool {
	for i := 0; i < len(s); {
		p, n := bidi.LookupString(s[i:])
		if p.Class() == bidi.L {
			return true
		}
		i += max(n, 1)
	}
	return false
}

// turned is a line from right to left, in which what is read from left to right
// keeps its order.
func turned(line []fragment) string {
	var b strings.Builder
	for end := len(line); end > 0; {
		from := end - 1
		for from > 0 && line[from].dir == leftToRight && line[from-1].dir == leftToRight {
			from--
		}
		for _, f := range line[from:end] {
			b.WriteString(f.text)
		}
		end = from
	}
	return b.String()
}

// speak puts marks that have words read from right to left into elements that
// say their text.
func (t *tagger) speak(e *element, kids []kid) []kid {
	if !t.reversed || e.isPicture() {
		return kids
	}
	base := leftToRight
	lang := e.language()
	if lang == "" {
		lang = t.m.o.Lang
	}
	if isRightToLeft(lang) {
		base = rightToLeft
	}
	var out []kid
	for i := 0; i < len(kids); {
		var marks []*mark
		end := i
		for end < len(kids) && kids[end].mark != nil {
			marks = append(marks, kids[end].mark)
			end++
		}
		if said := spoken(marks, base); said != "" {
			out = append(out, kid{el: &element{role: "Span", kids: kids[i:end], said: said}})
			i = end
			continue
		}
		end = max(end, i+1)
		out = append(out, kids[i:end]...)
		i = end
	}
	return out
}
