package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Parse reads a template. It never fails: braces that hold no placeholder are
// literal text, and wrong formats are in Problems.
func Parse(source string) *Template { return parse(source, nil) }

// mostRoom is for how many parts there is room from the first on.
const mostRoom = 16

func parse(source string, m *markup) *Template {
	room := 2*strings.Count(source, "{") + 1
	p := parser{t: &Template{source: source, parts: make([]part, 0, min(room, mostRoom))}, src: source, closes: matchBraces(source), markup: m}
	for p.at < len(source) {
		p.next()
	}
	p.flush()
	return p.t
}

type parser struct {
	t      *Template
	src    string
	at     int
	lit    strings.Builder
	closes []int32 // of each opening brace, the place of its closing one, or -1
	markup *markup // nil: the template is no HTML
	failed int     // how often the end of an expression was looked for in vain
}

// maxFailed bounds those searches: each may go over the whole rest.
const maxFailed = 50

// matchBraces finds the closing brace of every opening one, in one pass.
func matchBraces(s string) []int32 {
	if strings.IndexByte(s, '{') < 0 {
		return nil
	}
	closes := make([]int32, len(s))
	var open []int32
	for i := range len(s) {
		switch {
		case s[i] == '{':
			closes[i] = -1
			open = append(open, int32(i))
		case s[i] == '}' && len(open) > 0:
			closes[open[len(open)-1]] = int32(i)
			open = open[:len(open)-1]
		}
	}
	return closes
}

// expressionEnd is codeEnd within the template.
func (p *parser) expressionEnd(rest string, end byte) int {
	if p.failed >= maxFailed {
		return -1
	}
	at := codeEnd(rest, end)
	if at < 0 {
		p.failed++
	}
	return at
}

// next reads one literal stretch, doubled brace or placeholder.
func (p *parser) next() {
	rest := p.src[p.at:]
	switch {
	case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "}}"):
		p.keep(1)
		p.at++
	case rest[0] == '{' && p.inline(), rest[0] == '{' && p.placeholder(), rest[0] == '%' && p.percent():
	default:
		if p.t.Stray == "" && strings.HasPrefix(rest, "{$") {
			p.t.Stray = strayRun(rest)
		}
		p.keep(literalRun(rest))
	}
}

// maxStray bounds how much of a stray placeholder is shown.
const maxStray = 40

// strayRun is what was meant as a placeholder: to its end, or to the next one.
func strayRun(s string) string {
	if end := 1 + strings.IndexAny(s[1:], "{}\n"); end > 0 {
		if s[end] == '}' {
			end++
		}
		s = s[:end]
	}
	if len(s) > maxStray {
		s = strings.ToValidUTF8(s[:maxStray], "") + "…"
	}
	return s
}

// literalRun is how many bytes can be taken over without a look: at least one.
func literalRun(s string) int {
	if i := strings.IndexAny(s[1:], "{}%"); i >= 0 {
		return 1 + i
	}
	return len(s)
}

func (p *parser) keep(n int) {
	p.lit.WriteString(p.src[p.at : p.at+n])
	p.at += n
}

func (p *parser) flush() {
	if p.lit.Len() > 0 {
		p.t.parts = append(p.t.parts, part{literal: p.lit.String()})
		if p.markup != nil {
			p.markup.read(p.lit.String())
		}
		p.lit.Reset()
	}
}

// add appends a placeholder that takes the next n bytes of the source.
func (p *parser) add(h *placeholder, n int) {
	p.flush()
	h.source = p.src[p.at : p.at+n]
	h.lost = h.source + " leads to no value"
	for _, problem := range h.format.Problems {
		problem.Message = h.source + ": " + problem.Message
		p.t.Problems = append(p.t.Problems, problem)
	}
	added := part{value: h}
	if p.markup != nil {
		added.place = p.markup.place()
	}
	p.t.parts = append(p.t.parts, added)
	p.at += n
}

// inline reads {[ expression ]:formats|fallback}.
func (p *parser) inline() bool {
	rest := p.src[p.at:]
	if len(rest) < 2 || rest[1] != '[' {
		return false
	}
	end := p.expressionEnd(rest[2:], ']')
	if end < 0 {
		return false
	}
	tail := rest[2+end+1:]
	size := closing(tail)
	if size < 0 || !startsFormats(tail[:size]) {
		p.failed++
		return false
	}
	h := &placeholder{expr: ParseExpression(p.code(rest[2 : 2+end]))}
	h.readFormats(p.code(tail[:size]))
	p.add(h, 2+end+1+size+1)
	return true
}

// percent reads %{ expression }. A percent sign before an ordinary placeholder
// is only a percent sign: "{$record.rate}%{$record.name}".
func (p *parser) percent() bool {
	rest := p.src[p.at:]
	if len(rest) < 2 || rest[1] != '{' {
		return false
	}
	end := p.expressionEnd(rest[2:], '}')
	if end < 0 || isPlainPath(rest[2:2+end]) {
		return false
	}
	p.add(&placeholder{expr: ParseExpression(p.code(rest[2 : 2+end]))}, 2+end+1)
	return true
}

// placeholder reads {path:formats|fallback}.
func (p *parser) placeholder() bool {
	end := int(p.closes[p.at])
	if end < 0 {
		return false
	}
	h := parsePlaceholder(p.code(p.src[p.at+1 : end]))
	if h == nil {
		return false
	}
	p.add(h, end+1-p.at)
	return true
}

// parsePlaceholder reads what stands between the braces, or nil when it is no
// placeholder.
func parsePlaceholder(body string) *placeholder {
	n := pathLength(body)
	if !isPath(body[:n]) {
		return nil
	}
	h := &placeholder{path: ParsePath(body[:n])}
	h.readFormats(body[n:])
	return h
}

// pathLength is how far a path goes: to the formats, the fallback or the end.
func pathLength(body string) int {
	if i := strings.IndexAny(body, ":|"); i >= 0 {
		return i
	}
	return len(body)
}

func startsFormats(s string) bool {
	return s == "" || s[0] == ':' || s[0] == '|'
}

// readFormats reads ":format;options:format|fallback".
func (h *placeholder) readFormats(s string) {
	if i := topIndex(s, '|'); i >= 0 {
		h.fallback, h.hasFall = s[i+1:], true
		s = s[:i]
	}
	h.format = ParseFormat(s)
}

// topIndex is the first place of a byte outside braces.
func topIndex(s string, b byte) int {
	depth := 0
	for i := range len(s) {
		switch {
		case s[i] == '{':
			depth++
		case s[i] == '}':
			depth--
		case s[i] == b && depth == 0:
			return i
		}
	}
	return -1
}

// closing is the place of the brace that closes, inner pairs skipped; -1 when
// there is none.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

// isPath reports whether text is the path of a placeholder: a keyword or a
// name, and members. A name that is no keyword must stand without blanks, so
// that braces of other languages stay what they are.
func isPath(s string) bool {
	trimmed := strings.TrimSpace(s)
	if trimmed == "" || strings.ContainsAny(s, "{}\n\r\";") {
		return false
	}
	root, members, more := strings.Cut(trimmed, ".")
	if strings.HasPrefix(root, "$") {
		return isName(root[1:]) && (!more || members != "")
	}
	return len(trimmed) == len(s) && isName(root) && (!more || members != "")
}

// isName reports whether text is a name: letters, digits, _ and -, no digit
// first.
func isName(s string) bool {
	for i, r := range s {
		switch {
		case r == '_' || unicode.IsLetter(r):
		case i > 0 && (r == '-' || unicode.IsDigit(r) || unicode.IsMark(r)):
		default:
			return false
		}
	}
	return s != "" && utf8.ValidString(s)
}

// isPlainPath reports whether text is what an ordinary placeholder with a
// keyword holds, without blanks or operators.
func isPlainPath(s string) bool {
	n := pathLength(s)
	if !strings.HasPrefix(s, "$") || strings.HasPrefix(s[n:], "||") {
		return false
	}
	for part := range strings.SplitSeq(s[1:n], ".") {
		if !isName(part) && arrayIndex(part) < 0 {
			return false
		}
	}
	return true
}
