package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plainStep is s: the text of the value as it is.
type plainStep struct{}

func (plainStep) apply(p *pipe) { p.text() }

// aroundStep is prefix, suffix and wrap.
type aroundStep struct{ before, after string }

func (s aroundStep) apply(p *pipe) {
	p.spare = append(p.spare[:0], p.text()...)
	p.begin()
	p.out = append(append(append(p.out, s.before...), p.spare...), s.after...)
}

// caseStep is uppercase and lowercase, by the rules of the language.
type caseStep struct{ upper bool }

func (s caseStep) apply(p *pipe) {
	p.spare = append(p.spare[:0], p.text()...)
	p.begin()
	special := p.locale().special
	for i := 0; i < len(p.spare); {
		r, n := utf8.DecodeRune(p.spare[i:])
		p.out = appendCased(p.out, r, s.upper, special)
		i += n
	}
}

// appendCased is one letter in the other case; special holds the rules of
// Turkish and its like. The German ß has no single capital.
func appendCased(dst []byte, r rune, upper bool, special unicode.SpecialCase) []byte {
	switch {
	case upper && r == 'ß':
		return append(dst, "SS"...)
	case upper:
		return utf8.AppendRune(dst, special.ToUpper(r))
	}
	return utf8.AppendRune(dst, special.ToLower(r))
}

// titleStep is capitalize (the first letter) and titlecase (of each word).
type titleStep struct{ every bool }

func (s titleStep) apply(p *pipe) {
	p.spare = append(p.spare[:0], p.text()...)
	p.begin()
	special := p.locale().special
	start := true
	for i := 0; i < len(p.spare); {
		r, n := utf8.DecodeRune(p.spare[i:])
		switch {
		case start && unicode.IsLetter(r):
			p.out = utf8.AppendRune(p.out, special.ToTitle(r))
			start = false
		default:
			p.out = append(p.out, p.spare[i:i+n]...)
			start = s.every && startsWord(r, start)
		}
		i += n
	}
}

// startsWord reports whether a letter after r begins a word.
func startsWord(r rune, start bool) bool {
	return unicode.IsSpace(r) || r == '-' || r == '/' || start && !unicode.IsDigit(r)
}

// urlencodeStep encodes the text as one component of a URL.
type urlencodeStep struct{}

func (urlencodeStep) apply(p *pipe) {
	p.text()
	p.out = escapeTail(p.out, p.start, urlComponent)
}

// ellipsisStep shortens to length characters, the three dots among them.
type ellipsisStep struct {
	length int
	where  string
}

func (s ellipsisStep) apply(p *pipe) {
	t := p.text()
	n := utf8.RuneCount(t)
	if n <= s.length {
		return
	}
	front, back := s.length-3, 0
	switch s.where {
	case "start":
		front, back = 0, front
	case "middle":
		front = (s.length - 2) / 2
		back = s.length - 3 - front
	}
	tail := runeOffset(t, n-back)
	p.spare = append(append(p.spare[:0], "..."...), t[tail:]...)
	p.out = append(p.out[:p.start+runeOffset(t, front)], p.spare...)
}

// runeOffset is the byte place of the n-th character.
func runeOffset(s []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRune(s[at:])
		at += size
	}
	return at
}

// padStep fills the text on the left to a length. One of the signs stays before
// and does not count.
type padStep struct {
	length int
	fill   rune
	signs  string
}

func (s padStep) apply(p *pipe) {
	t := p.text()
	if r, size := utf8.DecodeRune(t); strings.ContainsRune(s.signs, r) {
		t = t[size:]
	}
	n := s.length - utf8.RuneCount(t)
	if n <= 0 {
		return
	}
	p.spare = append(p.spare[:0], t...)
	p.out = p.out[:len(p.out)-len(t)]
	for range n {
		p.out = utf8.AppendRune(p.out, s.fill)
	}
	p.out = append(p.out, p.spare...)
}
