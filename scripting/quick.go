package scripting

import (
	"strings"
	"unicode/utf8"
)

// Most expressions of a report compare a value or two: {$record.amount} > 0.
// Those are evaluated here, without a child, when they use nothing but
// literals, bound names, comparisons, arithmetic, && || ?? ! and ?:. The
// results are exactly those of JavaScript, which tests check against goja;
// whatever else an expression does makes parseQuick give up, and the child
// runs it.

// quick is a node of such an expression.
type quick struct {
	op    string // "" for a literal or a name
	value any    // of a literal
	name  int    // of a bound name; -1 for a literal
	args  []*quick
}

// quickParser reads an expression by precedence. Anything it does not know
// sets failed.
type quickParser struct {
	src    string
	names  []string
	depth  int
	failed bool
}

// parseQuick is the expression as a tree, or nil when it needs the engine.
func parseQuick(src string, names []string) *quick {
	if len(src) > 2000 {
		return nil
	}
	p := &quickParser{src: src, names: names}
	e := p.conditional()
	p.blank()
	if p.failed || p.src != "" {
		return nil
	}
	return e
}

func (p *quickParser) blank() { p.src = strings.TrimLeft(p.src, " \t\r\n") }

func (p *quickParser) fail() *quick {
	p.failed = true
	p.src = ""
	return &quick{name: -1}
}

// accept reads an operator that no longer operator begins with.
func (p *quickParser) accept(op string, notBefore string) bool {
	p.blank()
	rest, ok := strings.CutPrefix(p.src, op)
	if !ok || rest != "" && strings.IndexByte(notBefore, rest[0]) >= 0 {
		return false
	}
	p.src = rest
	return true
}

func (p *quickParser) conditional() *quick {
	if p.depth++; p.depth > 50 {
		return p.fail()
	}
	defer func() { p.depth-- }()
	test := p.either()
	if !p.acceptQuestion() {
		return test
	}
	yes := p.conditional()
	if !p.accept(":", "") {
		return p.fail()
	}
	return &quick{op: "?", name: -1, args: []*quick{test, yes, p.conditional()}}
}

// acceptQuestion reads the ? of a conditional, not ?. or ??.
func (p *quickParser) acceptQuestion() bool { return p.accept("?", "?.") }

// either reads a chain of || or a chain of ??; JavaScript forbids mixing them
// without parentheses.
func (p *quickParser) either() *quick {
	left, hasAnd := p.both()
	if p.accept("??", "=") {
		if hasAnd {
			return p.fail()
		}
		for {
			right := p.comparison(0)
			left = &quick{op: "??", name: -1, args: []*quick{left, right}}
			if !p.accept("??", "=") {
				break
			}
		}
		if p.peek("||") || p.peek("&&") {
			return p.fail()
		}
		return left
	}
	for p.accept("||", "=") {
		right, _ := p.both()
		left = &quick{op: "||", name: -1, args: []*quick{left, right}}
		if p.peek("??") {
			return p.fail()
		}
	}
	return left
}

func (p *quickParser) peek(op string) bool {
	p.blank()
	return strings.HasPrefix(p.src, op)
}

func (p *quickParser) both() (e *quick, hasAnd bool) {
	e = p.comparison(0)
	for p.accept("&&", "=") {
		hasAnd = true
		e = &quick{op: "&&", name: -1, args: []*quick{e, p.comparison(0)}}
	}
	return e, hasAnd
}

// operator is an operator and the characters that would make it another one.
type operator struct{ text, notBefore string }

// levels are the left-associative operators from the loosest to the tightest.
var levels = [][]operator{
	{{"===", ""}, {"!==", ""}, {"==", "="}, {"!=", "="}},
	{{"<=", ""}, {">=", ""}, {"<", "<=!"}, {">", ">="}},
	{{"+", "+="}, {"-", "-="}},
	{{"*", "*="}, {"/", "/*="}, {"%", "="}},
}

// relational is the level of < and its like.
const relational = 1

func (p *quickParser) comparison(level int) *quick {
	if level == len(levels) {
		return p.unary()
	}
	left := p.comparison(level + 1)
	for {
		op := p.anyOf(levels[level])
		if op == "" {
			return left
		}
		if level == relational && strings.ContainsAny(left.op, "<>") {
			return p.fail() // goja reads a < b < c from the right; it shall not matter who evaluates it
		}
		left = &quick{op: op, name: -1, args: []*quick{left, p.comparison(level + 1)}}
	}
}

func (p *quickParser) anyOf(ops []operator) string {
	for _, o := range ops {
		if p.accept(o.text, o.notBefore) {
			return o.text
		}
	}
	return ""
}

func (p *quickParser) unary() *quick {
	if p.depth++; p.depth > 50 {
		return p.fail()
	}
	defer func() { p.depth-- }()
	for _, o := range []operator{{"!", "="}, {"-", "-="}, {"+", "+="}} {
		if p.accept(o.text, o.notBefore) {
			arg := p.unary()
			if p.peek("**") { // -a ** b is a syntax error, and ** is the engine's
				return p.fail()
			}
			return &quick{op: "unary" + o.text, name: -1, args: []*quick{arg}}
		}
	}
	return p.primary()
}

func (p *quickParser) primary() *quick {
	p.blank()
	if p.src == "" {
		return p.fail()
	}
	var e *quick
	switch c := p.src[0]; {
	case c == '(':
		p.src = p.src[1:]
		e = p.conditional()
		if !p.accept(")", "") {
			return p.fail()
		}
	case c == '"' || c == '\'':
		e = p.quoted(c)
	case isDigit(c):
		e = p.number()
	default:
		e = p.word()
	}
	return p.notFollowed(e)
}

// notFollowed gives up on what would go on: members, calls, templates, **, ++.
func (p *quickParser) notFollowed(e *quick) *quick {
	p.blank()
	if p.src == "" {
		return e
	}
	if strings.IndexByte(".([`", p.src[0]) >= 0 || strings.HasPrefix(p.src, "?.") || p.peek("++") || p.peek("--") || p.peek("**") {
		return p.fail()
	}
	return e
}

func (p *quickParser) quoted(quote byte) *quick {
	var b strings.Builder
	for i := 1; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == quote:
			p.src = p.src[i+1:]
			if text := b.String(); utf8.ValidString(text) {
				return &quick{value: text, name: -1}
			}
			return p.fail()
		case c == '\n' || c == '\r':
			return p.fail()
		case c == '\\':
			i++
			if i == len(p.src) || strings.IndexByte(`\'"nt`, p.src[i]) < 0 {
				return p.fail()
			}
			b.WriteByte(unescape(p.src[i]))
		default:
			b.WriteByte(c)
		}
	}
	return p.fail()
}

func unescape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	}
	return c
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// number reads plain decimal numbers; other notations are the engine's.
func (p *quickParser) number() *quick {
	n := 0
	for n < len(p.src) && (isDigit(p.src[n]) || p.src[n] == '.') {
		n++
	}
	text := p.src[:n]
	p.src = p.src[n:]
	if len(text) > 1 && text[0] == '0' && text[1] != '.' || strings.Count(text, ".") > 1 || strings.HasSuffix(text, ".") {
		return p.fail()
	}
	if p.src != "" && isWord(p.src[0]) {
		return p.fail()
	}
	return &quick{value: stringToNumber(text), name: -1}
}

// isWord is whether a byte can be part of a name; all of Unicode counts, so
// that names with letters of it are left to the engine.
func isWord(c byte) bool {
	return c == '_' || c == '$' || c == '\\' || isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

func (p *quickParser) word() *quick {
	n := 0
	for n < len(p.src) && isWord(p.src[n]) {
		n++
	}
	text := p.src[:n]
	p.src = p.src[n:]
	for i, name := range p.names {
		if name == text {
			return &quick{name: i}
		}
	}
	switch text {
	case "true", "false":
		return &quick{value: text == "true", name: -1}
	case "null":
		return &quick{value: nil, name: -1}
	case "undefined":
		return &quick{value: undefined{}, name: -1}
	}
	return p.fail()
}
