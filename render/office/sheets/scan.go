package sheets

import (
	"strings"
	"unsafe"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// scanner finds the tags and texts of a document. It reads what htmlgen writes, where
// all elements are closed in order, as the tokenizer of net/html does (a test compares
// them), but in place: a table of 100,000 rows has millions of tags, and nothing of
// them is copied.
type scanner struct {
	doc      string
	at, next int // where the token begins and ends
	kind     html.TokenType
	name     atom.Atom
	text     string // of a text, as it stands in the document
	attrs    []attribute
	raw      string // the element whose text has no tags in it, while it is open
}

type attribute struct{ name, value string }

// scanFrom reads on at a place of the document, which must not be changed meanwhile.
func scanFrom(doc []byte, at int) *scanner {
	return &scanner{doc: unsafe.String(unsafe.SliceData(doc), len(doc)), next: at}
}

// read takes the next token; false at the end. Comments and declarations are none.
func (s *scanner) read() bool {
	for s.next < len(s.doc) {
		s.at, s.name = s.next, 0
		if s.raw != "" && s.rawText() {
			return true
		}
		rest := s.doc[s.at:]
		switch {
		case len(rest) > 1 && rest[0] == '<' && letter(rest[1]):
			return s.startTag()
		case len(rest) > 2 && rest[0] == '<' && rest[1] == '/' && letter(rest[2]):
			return s.endTag()
		case strings.HasPrefix(rest, "<!--"):
			s.next = s.past("-->")
		case len(rest) > 2 && rest[0] == '<' && strings.IndexByte("!?/", rest[1]) >= 0:
			s.next = s.past(">")
		default:
			s.plain()
			return true
		}
	}
	s.kind = html.ErrorToken
	return false
}

// plain reads a text up to the next tag.
func (s *scanner) plain() {
	end := s.at + 1 // what begins with a bracket and is no tag is text
	for {
		n := strings.IndexByte(s.doc[end:], '<')
		if n < 0 {
			end = len(s.doc)
			break
		}
		if end += n; end+1 < len(s.doc) && (letter(s.doc[end+1]) || strings.IndexByte("/!?", s.doc[end+1]) >= 0) {
			break
		}
		end++
	}
	s.kind, s.text, s.next = html.TextToken, unescaped(s.doc[s.at:end]), end
}

// rawText reads the text of an element that has no tags in it.
func (s *scanner) rawText() bool {
	end := s.at
	for {
		n := strings.Index(s.doc[end:], "</")
		if n < 0 {
			end = len(s.doc)
			break
		}
		end += n
		if after := s.doc[end+2:]; len(after) >= len(s.raw) && strings.EqualFold(after[:len(s.raw)], s.raw) {
			break
		}
		end += 2
	}
	text := s.doc[s.at:end]
	if s.raw == "title" || s.raw == "textarea" {
		text = unescaped(text)
	}
	s.raw = ""
	if text == "" {
		return false
	}
	s.kind, s.text, s.next = html.TextToken, text, end
	return true
}

// endTag reads a tag that ends an element; false if the document ends before.
func (s *scanner) endTag() bool {
	s.kind = html.EndTagToken
	s.next = s.at + len("</")
	s.name = s.tagName().atom()
	s.next = s.past(">")
	return s.doc[s.next-1] == '>'
}

// startTag reads a tag with its attributes; false if the document ends before.
func (s *scanner) startTag() bool {
	s.kind, s.attrs = html.StartTagToken, s.attrs[:0]
	s.next = s.at + 1
	name := s.tagName()
	s.name = name.atom()
	for s.next < len(s.doc) {
		switch c := s.doc[s.next]; {
		case c == '>':
			s.next++
			if s.kind == html.StartTagToken && isRaw(s.name) {
				s.raw = s.name.String()
			}
			return true
		case c == '/':
			s.next++
			if s.next < len(s.doc) && s.doc[s.next] == '>' {
				s.kind = html.SelfClosingTagToken
			}
		case blank(c):
			s.next++
		default:
			s.attribute()
		}
	}
	return false
}

func (s *scanner) attribute() {
	from, large := s.next, false
	for ; s.next < len(s.doc); s.next++ {
		c := s.doc[s.next]
		if blank(c) || c == '/' || c == '>' || c == '=' && s.next > from {
			break
		}
		large = large || 'A' <= c && c <= 'Z'
	}
	a := attribute{name: s.doc[from:s.next]}
	if large {
		a.name = strings.ToLower(a.name)
	}
	s.blanks()
	if s.next < len(s.doc) && s.doc[s.next] == '=' {
		s.next++
		s.blanks()
		a.value = s.value()
	}
	s.attrs = append(s.attrs, a)
}

func (s *scanner) value() string {
	var quote byte
	if s.next < len(s.doc) && (s.doc[s.next] == '"' || s.doc[s.next] == '\'') {
		quote = s.doc[s.next]
		s.next++
	}
	from, special := s.next, false
	for ; s.next < len(s.doc); s.next++ {
		c := s.doc[s.next]
		if c == quote && quote != 0 || quote == 0 && (blank(c) || c == '>') {
			break
		}
		special = special || c == '&' || c == '\r'
	}
	value := s.doc[from:s.next]
	if quote != 0 && s.next < len(s.doc) {
		s.next++
	}
	if special {
		return unescaped(value)
	}
	return value
}

func (s *scanner) blanks() {
	for s.next < len(s.doc) && blank(s.doc[s.next]) {
		s.next++
	}
}

// past is the place after the next such text, or the end.
func (s *scanner) past(text string) int {
	if n := strings.Index(s.doc[s.next:], text); n >= 0 {
		return s.next + n + len(text)
	}
	return len(s.doc)
}

type tagName string

func (s *scanner) tagName() tagName {
	from := s.next
	for s.next < len(s.doc) && !blank(s.doc[s.next]) && s.doc[s.next] != '/' && s.doc[s.next] != '>' {
		s.next++
	}
	return tagName(s.doc[from:s.next])
}

func (n tagName) atom() atom.Atom {
	switch n { // most tags of large documents
	case "td":
		return atom.Td
	case "tr":
		return atom.Tr
	case "span":
		return atom.Span
	}
	return atom.Lookup([]byte(strings.ToLower(string(n))))
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// isRaw reports elements whose text has no tags in it.
func isRaw(name atom.Atom) bool {
	switch name {
	case atom.Style, atom.Script, atom.Title, atom.Textarea, atom.Iframe, atom.Noembed, atom.Noframes, atom.Xmp:
		return true
	}
	return false
}

// unescaped is a text with the characters that its entities stand for.
func unescaped(text string) string {
	if strings.IndexByte(text, '&') >= 0 {
		text = html.UnescapeString(text)
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	}
	return text
}
