package text

import "strings"

// codeScanner walks JavaScript just well enough to know where strings,
// comments, regular expressions and template literals are, so that braces in
// them are not taken for bindings or ends.
type codeScanner struct {
	src  string
	at   int
	open []byte // the brackets that are open; '`' for ${ in a template literal
	last byte   // the last byte of code that was no blank
	word int    // where the identifier that ends at last began
}

// next moves past one token and returns its start. Only single bytes of code
// and identifiers come back as code; everything else is skipped over.
func (c *codeScanner) next() (start int, code bool) {
	start = c.at
	b := c.src[c.at]
	switch {
	case b == '"' || b == '\'':
		c.at = quotedEnd(c.src, c.at)
	case b == '`':
		c.template(c.at + 1)
	case strings.HasPrefix(c.src[c.at:], "//"):
		c.at = endAt(c.src, c.at, "\n")
		return start, false
	case strings.HasPrefix(c.src[c.at:], "/*"):
		c.at = endAt(c.src, c.at+2, "*/")
		return start, false
	case b == '/' && c.regexMayStart():
		c.at = regexEnd(c.src, c.at)
	case isIdent(b):
		c.identifier()
		return start, true
	default:
		return start, c.punctuation(b)
	}
	c.last = b
	return start, false
}

func (c *codeScanner) identifier() {
	c.word = c.at
	for c.at < len(c.src) && isIdent(c.src[c.at]) {
		c.at++
	}
	c.last = c.src[c.at-1]
}

// punctuation moves past one byte and keeps track of brackets. A brace that
// closes ${ goes on with the template literal.
func (c *codeScanner) punctuation(b byte) bool {
	c.at++
	switch b {
	case ' ', '\t', '\n', '\r':
		return true
	case '(', '[', '{':
		c.open = append(c.open, b)
	case ')', ']', '}':
		if n := len(c.open); n > 0 {
			back := c.open[n-1] == '`'
			c.open = c.open[:n-1]
			if back {
				c.template(c.at)
				c.last = '`'
				return false
			}
		}
	}
	c.last = b
	return true
}

// template moves past the text of a template literal, to its end or into ${.
func (c *codeScanner) template(from int) {
	for i := from; i < len(c.src); i++ {
		switch {
		case c.src[i] == '\\':
			i++
		case c.src[i] == '`':
			c.at = i + 1
			return
		case strings.HasPrefix(c.src[i:], "${"):
			c.open = append(c.open, '`')
			c.at = i + 2
			return
		}
	}
	c.at = len(c.src)
}

// regexMayStart tells a regular expression from a division by what stands
// before it.
func (c *codeScanner) regexMayStart() bool {
	if c.last == 0 || strings.IndexByte("(,=:[!&|?{};+-*%<>~^", c.last) >= 0 {
		return true
	}
	return isIdent(c.last) && c.word < c.at && strings.TrimRight(c.src[c.word:c.at], " \t\n\r") == "return"
}

func isIdent(b byte) bool { return isAlphanumeric(b) || b == '_' || b == '$' || b >= 0x80 }

// quotedEnd is the place after a string.
func quotedEnd(s string, at int) int {
	for i := at + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[at], '\n':
			return i + 1
		}
	}
	return len(s)
}

// regexEnd is the place after a regular expression; when it does not end soon
// on its line, the slash is taken alone.
func regexEnd(s string, at int) int {
	const longest = 1000 // bounds the search, which may be in vain for every slash
	class := false
	for i := at + 1; i < min(len(s), at+longest); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '\n':
			return at + 1
		case s[i] == '[':
			class = true
		case s[i] == ']':
			class = false
		case s[i] == '/' && !class:
			return i + 1
		}
	}
	return at + 1
}

// endAt is the place after the next end, or the end of all.
func endAt(s string, from int, end string) int {
	if from > len(s) {
		return len(s)
	}
	if i := strings.Index(s[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(s)
}

// codeEnd is where code ends: at the first closing bracket of a kind that
// nothing inside opened; -1 when there is none.
func codeEnd(s string, end byte) int {
	c := codeScanner{src: s}
	for c.at < len(s) {
		if s[c.at] == end && len(c.open) == 0 {
			return c.at
		}
		c.next()
	}
	return -1
}
