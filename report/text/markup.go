package text

import (
	"html"
	"regexp"
	"strings"
)

// ParseHTML reads a template that is HTML, for EscapeHTML. Entities in
// placeholders stand for their characters, as editors of HTML store them, and
// values in attributes without quotes stay inside, too.
func ParseHTML(source string) *Template {
	return parse(source, &markup{})
}

// entity is a whole one: code may hold an & before a name.
var entity = regexp.MustCompile(`&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]\w{1,31});`)

// code is what a placeholder holds, as its author means it.
func (p *parser) code(s string) string {
	if p.markup == nil || strings.IndexByte(s, '&') < 0 {
		return s
	}
	return entity.ReplaceAllStringFunc(s, html.UnescapeString)
}

// markup is where in HTML a template has come to.
type markup struct {
	in   markupPlace
	last string // the end of what was read, which may begin a tag or comment
}

type markupPlace uint8

const (
	inText   markupPlace = iota
	inTag                // between the attributes
	inAssign             // after =
	inDouble
	inSingle
	inBare // a value without quotes
	inComment
)

// place is how a value that stands here is escaped.
func (m *markup) place() Escaper {
	switch m.in {
	case inDouble, inSingle:
		return EscapeAttr
	case inAssign, inBare:
		m.in = inBare
		return escapeBare
	}
	return EscapeHTML
}

// read goes over text of the author.
func (m *markup) read(s string) {
	for i := range len(s) {
		m.next(s[i], s[i+1:])
		m.last = s[max(0, i-1) : i+1]
	}
}

// words are what a piece of HTML prints; without HTML all of it.
func (m *markup) words(s string) string {
	if m == nil {
		return s
	}
	var words strings.Builder
	for i := range len(s) {
		before := m.in
		m.next(s[i], s[i+1:])
		m.last = s[max(0, i-1) : i+1]
		if before == inText && m.in == inText {
			words.WriteByte(s[i])
		}
	}
	return html.UnescapeString(words.String())
}

func (m *markup) next(b byte, rest string) {
	switch m.in {
	case inText:
		switch {
		case b == '<' && strings.HasPrefix(rest, "!--"):
			m.in = inComment
		case b == '<' && (rest == "" || rest[0] == '/' || isLetter(rest[0])):
			m.in = inTag
		}
	case inComment:
		if b == '>' && m.last == "--" {
			m.in = inText
		}
	case inDouble, inSingle:
		if b == '"' && m.in == inDouble || b == '\'' && m.in == inSingle {
			m.in = inTag
		}
	default:
		m.inside(b)
	}
}

// inside reads on in a tag, outside of quotes.
func (m *markup) inside(b byte) {
	switch {
	case b == '>':
		m.in = inText
	case isBlank(b) || b == '\f':
		if m.in == inBare {
			m.in = inTag
		}
	case m.in == inTag && b == '=':
		m.in = inAssign
	case m.in == inAssign && b == '"':
		m.in = inDouble
	case m.in == inAssign && b == '\'':
		m.in = inSingle
	case m.in == inAssign:
		m.in = inBare
	}
}

// bareEntity is attrEntity where a blank would end the value.
func bareEntity(b byte) string {
	switch b {
	case ' ':
		return "&#32;"
	case '\t':
		return "&#9;"
	case '\n':
		return "&#10;"
	case '\f':
		return "&#12;"
	case '\r':
		return "&#13;"
	}
	return attrEntity(b)
}
