package text

import (
	"slices"
	"strconv"
	"strings"
)

// Most expressions of reports are comparisons like {$record.amount} > 0. Those
// made only of bindings, literals, arithmetic, comparisons, && || ?? ! and ?:
// are worked out here, with JavaScript's rules, without a script engine. What
// is beyond that, or meets values whose rules are longer, goes to the engine.

// simpleNode is a node of such an expression. Eval reports false when the
// engine has to do it.
type simpleNode interface {
	eval(row []any) (any, bool)
}

type literalNode struct{ value any }

func (n literalNode) eval([]any) (any, bool) { return n.value, true }

type bindingNode struct{ place int }

func (n bindingNode) eval(row []any) (any, bool) {
	if n.place >= len(row) {
		return nil, false
	}
	return row[n.place], true
}

type notNode struct{ of simpleNode }

func (n notNode) eval(row []any) (any, bool) {
	v, ok := n.of.eval(row)
	return !Truthy(v), ok
}

type chooseNode struct{ test, yes, no simpleNode }

func (n chooseNode) eval(row []any) (any, bool) {
	v, ok := n.test.eval(row)
	switch {
	case !ok:
		return nil, false
	case Truthy(v):
		return n.yes.eval(row)
	}
	return n.no.eval(row)
}

// logicNode is && || ??, which give one of their sides as it is.
type logicNode struct {
	op          string
	left, right simpleNode
}

func (n logicNode) eval(row []any) (any, bool) {
	v, ok := n.left.eval(row)
	if !ok {
		return nil, false
	}
	keep := v != nil // ??
	switch n.op {
	case "&&":
		keep = !Truthy(v)
	case "||":
		keep = Truthy(v)
	}
	if keep {
		return v, true
	}
	return n.right.eval(row)
}

type binaryNode struct {
	op          string
	left, right simpleNode
}

func (n binaryNode) eval(row []any) (any, bool) {
	l, ok := n.left.eval(row)
	if !ok {
		return nil, false
	}
	r, ok := n.right.eval(row)
	if !ok {
		return nil, false
	}
	return operate(n.op, l, r)
}

// simpleParser reads tokens by precedence.
type simpleParser struct {
	tokens []string
	names  []string
	failed bool
	depth  int
}

// maxSimple bounds the size and nesting of what is worked out here.
const maxSimple = 200

// parseSimple is the expression as nodes; nil when it is more than simple.
func parseSimple(code string, names []string) simpleNode {
	tokens := simpleTokens(code)
	if tokens == nil || len(tokens) > maxSimple {
		return nil
	}
	p := simpleParser{tokens: tokens, names: names}
	n := p.choose()
	if p.failed || len(p.tokens) > 0 {
		return nil
	}
	return n
}

// take consumes the next token when it is one of these.
func (p *simpleParser) take(ops ...string) string {
	if len(p.tokens) > 0 && slices.Contains(ops, p.tokens[0]) {
		op := p.tokens[0]
		p.tokens = p.tokens[1:]
		return op
	}
	return ""
}

func (p *simpleParser) fail() simpleNode {
	p.failed = true
	return literalNode{}
}

func (p *simpleParser) choose() simpleNode {
	if p.depth++; p.depth > maxSimple || p.failed {
		return p.fail()
	}
	test := p.either()
	if p.take("?") == "" {
		return test
	}
	yes := p.choose()
	if p.take(":") == "" {
		return p.fail()
	}
	return chooseNode{test, yes, p.choose()}
}

// either reads || and ??, which JavaScript does not let stand side by side.
func (p *simpleParser) either() simpleNode {
	n, used := p.both(), ""
	for {
		op := p.take("||", "??")
		if op == "" {
			return n
		}
		if used != "" && used != op {
			return p.fail()
		}
		used = op
		n = logicNode{op, n, p.both()}
	}
}

func (p *simpleParser) both() simpleNode {
	n := p.binary(0)
	for p.take("&&") != "" {
		n = logicNode{"&&", n, p.binary(0)}
	}
	return n
}

// binaryLevels are the operators of two numbers or texts, the loosest first.
func binaryLevels() [][]string {
	return [][]string{{"===", "!==", "==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}
}

func (p *simpleParser) binary(level int) simpleNode {
	levels := binaryLevels()
	if level == len(levels) {
		return p.unary()
	}
	n := p.binary(level + 1)
	for {
		op := p.take(levels[level]...)
		if op == "" {
			return n
		}
		n = binaryNode{op, n, p.binary(level + 1)}
	}
}

func (p *simpleParser) unary() simpleNode {
	if p.depth++; p.depth > maxSimple {
		return p.fail()
	}
	switch p.take("!", "-") {
	case "!":
		return notNode{p.unary()}
	case "-":
		return binaryNode{"*", literalNode{-1.0}, p.unary()}
	}
	return p.primary()
}

func (p *simpleParser) primary() simpleNode {
	if p.take("(") != "" {
		n := p.choose()
		if p.take(")") == "" {
			return p.fail()
		}
		return n
	}
	if len(p.tokens) == 0 {
		return p.fail()
	}
	token := p.tokens[0]
	p.tokens = p.tokens[1:]
	if i := slices.Index(p.names, token); i >= 0 {
		return bindingNode{i}
	}
	v, ok := simpleLiteral(token)
	if !ok {
		return p.fail()
	}
	return literalNode{v}
}

func simpleLiteral(token string) (any, bool) {
	switch token {
	case "true", "false":
		return token == "true", true
	case "null":
		return nil, true
	}
	if token[0] == '"' || token[0] == '\'' {
		return token[1 : len(token)-1], true
	}
	if strings.Trim(token, "0123456789.") != "" || len(token) > 1 && token[0] == '0' && token[1] != '.' {
		return nil, false // a name, or a number in another notation
	}
	f, err := strconv.ParseFloat(token, 64)
	return f, err == nil
}

// simpleTokens divides code; nil when there is something that is not simple.
func simpleTokens(code string) []string {
	var tokens []string
	for i := 0; i < len(code); {
		if isBlank(code[i]) {
			i++
			continue
		}
		n := simpleToken(code[i:])
		if n == 0 {
			return nil
		}
		tokens = append(tokens, code[i:i+n])
		i += n
	}
	return tokens
}

// simpleToken is the length of the token at the start; 0 when it is not simple.
func simpleToken(s string) int {
	switch b := s[0]; {
	case b == '"' || b == '\'':
		n := strings.IndexByte(s[1:], b)
		if n < 0 || strings.ContainsAny(s[1:1+n], "\\\n") {
			return 0
		}
		return n + 2
	case b >= '0' && b <= '9':
		n := 1
		for n < len(s) && (isIdent(s[n]) || s[n] == '.') {
			n++
		}
		return n
	case isIdent(b):
		n := 1
		for n < len(s) && isIdent(s[n]) {
			n++
		}
		return n
	}
	for _, op := range []string{"===", "!==", "==", "!=", "<=", ">=", "&&", "||", "??", "<", ">", "+", "-", "*", "/", "%", "!", "?", ":", "(", ")"} {
		if strings.HasPrefix(s, op) {
			return operatorLength(s, op)
		}
	}
	return 0
}

// operatorLength refuses the longer operators that begin alike.
func operatorLength(s, op string) int {
	for _, longer := range []string{"**", "++", "--", "<<", ">>", "=>", "?.", "//", "/*", "+=", "-=", "*=", "/=", "%=", "??=", "||=", "&&="} {
		if strings.HasPrefix(s, longer) {
			return 0
		}
	}
	return len(op)
}
