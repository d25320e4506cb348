package pdf

import "bytes"

// operator is one instruction of a content stream with its operands, as places
// in the stream.
type operator struct {
	name       string
	start, end int // from the first operand to after the name
	args       []span
}

type span struct{ start, end int }

// maxOperands is what is kept of an operator's operands; none has more.
const maxOperands = 8

// scanContent visits the operators of a content stream in order. It ends at
// what it cannot read.
func scanContent(b []byte, visit func(*operator)) {
	l := &lexer{b: b}
	op := &operator{args: make([]span, 0, maxOperands)}
	for {
		l.space()
		if l.i >= len(b) {
			return
		}
		at := l.i
		if len(op.args) == 0 {
			op.start = at
		}
		if !isRegular(b[at]) || isNumeric(b[at]) {
			if !l.skipOperand() {
				return
			}
			if len(op.args) < maxOperands {
				op.args = append(op.args, span{at, l.i})
			}
			continue
		}
		op.name = string(l.word())
		if op.name == "BI" && !l.skipInlineImage() {
			return
		}
		op.end = l.i
		visit(op)
		op.args = op.args[:0]
	}
}

func isNumeric(c byte) bool { return c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' }

// skipOperand goes past a value without reading it.
func (l *lexer) skipOperand() bool {
	switch c := l.b[l.i]; {
	case c == '(':
		return l.skipLiteral()
	case l.has("<<"), c == '[':
		return l.skipNested()
	case c == '<':
		end := bytes.IndexByte(l.b[l.i:], '>')
		l.i += end + 1
		return end >= 0
	case c == '/':
		l.i++
		l.word()
		return true
	case isNumeric(c):
		l.word()
		return true
	}
	return false
}

func (l *lexer) skipLiteral() bool {
	depth := 0
	for ; l.i < len(l.b); l.i++ {
		switch l.b[l.i] {
		case '\\':
			l.i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				l.i++
				return true
			}
		}
	}
	return false
}

// skipNested goes past a dictionary or an array.
func (l *lexer) skipNested() bool {
	depth := 0
	for l.i < len(l.b) {
		switch c := l.b[l.i]; {
		case c == '(':
			if !l.skipLiteral() {
				return false
			}
			continue
		case c == '[' || l.has("<<"):
			depth++
		case c == ']' || l.has(">>"):
			depth--
		}
		if l.has("<<") || l.has(">>") {
			l.i++
		}
		l.i++
		if depth == 0 {
			return true
		}
	}
	return false
}

// skipInlineImage goes past the dictionary and the data after BI.
func (l *lexer) skipInlineImage() bool {
	for i := l.i; i+3 < len(l.b); i++ {
		if isSpace(l.b[i]) && l.b[i+1] == 'E' && l.b[i+2] == 'I' && isSpace(l.b[i+3]) {
			l.i = i + 3
			return true
		}
	}
	return false
}

// numbers reads the operands as numbers.
func (o *operator) numbers(b []byte, into []float64) bool {
	if len(o.args) < len(into) {
		return false
	}
	for i := range into {
		a := o.args[i]
		into[i] = parseNumber(b[a.start:a.end])
	}
	return true
}

// parseNumber reads the numbers that content streams have, which know no exponent.
func parseNumber(b []byte) float64 {
	sign, n, scale := 1.0, 0.0, 0.0
	for _, c := range b {
		switch {
		case c == '-':
			sign = -1
		case c == '.':
			scale = 1
		case c >= '0' && c <= '9':
			n = n*10 + float64(c-'0')
			scale *= 10
		}
	}
	if scale > 1 {
		n /= scale
	}
	return sign * n
}

// name is the operand as a name.
func (o *operator) nameAt(b []byte, i int) name {
	if i >= len(o.args) || b[o.args[i].start] != '/' {
		return ""
	}
	return (&lexer{b: b[:o.args[i].end], i: o.args[i].start}).name()
}

// markID is the number of the marked content that BDC begins; -1 for one
// without.
func (o *operator) markID(b []byte) int {
	if o.name != "BDC" || len(o.args) < 2 {
		return -1
	}
	v, err := (&lexer{b: b[:o.args[1].end], i: o.args[1].start}).value()
	d, ok := v.(dict)
	if err != nil || !ok {
		return -1
	}
	if id, ok := d.get("MCID").(int); ok && id >= 0 {
		return id
	}
	return -1
}

// What an operator does to the page.
type effect byte

const (
	noEffect  effect = iota
	pathBegin        // of a path, which ends with one of the next two
	pathPaint
	pathEnd
	showText
	textBegin
	textEnd
	paintOther // a picture, a form or a shading
	markBegin
	markEnd
)

func (o *operator) effect() effect {
	switch o.name {
	case "m", "re":
		return pathBegin
	case "f", "F", "f*", "B", "B*", "b", "b*", "S", "s":
		return pathPaint
	case "n":
		return pathEnd
	case "Tj", "TJ", "'", `"`:
		return showText
	case "BT":
		return textBegin
	case "ET":
		return textEnd
	case "Do", "sh", "BI":
		return paintOther
	case "BMC", "BDC":
		return markBegin
	case "EMC":
		return markEnd
	}
	return noEffect
}
