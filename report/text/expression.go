package text

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

// Expressions runs JavaScript for {[ … ]} and for visible and condition
// expressions. Package scripting implements it.
type Expressions interface {
	// Eval runs one expression once for each row of values, which the code
	// knows by the names. The error is a *report.Problem when the expression is
	// at fault.
	Eval(code string, names []string, rows [][]any) ([]any, error)
}

// Expression is JavaScript with bindings in braces:
// "{$params.showAll} && {$record.amount} != 0".
type Expression struct {
	source   string
	code     string
	names    []string
	bindings []*placeholder
	simple   simpleNode // what needs no engine; nil when it is more
}

// ParseExpression reads an expression; the forms {[ … ]} and %{ … } are taken
// too. Faults of the JavaScript show when it is run.
func ParseExpression(source string) *Expression {
	e := &Expression{source: strings.TrimSpace(source)}
	code := unwrap(e.source)
	b := binder{e: e, scan: codeScanner{src: code}, named: map[string]string{}}
	b.run()
	e.code = b.code.String()
	if strings.TrimSpace(e.code) == "" {
		e.simple = literalNode{}
	} else {
		e.simple = parseSimple(e.code, e.names)
	}
	return e
}

// unwrap drops the braces of an inline expression that is the whole text.
func unwrap(s string) string {
	switch {
	case len(s) >= 4 && strings.HasPrefix(s, "{[") && strings.HasSuffix(s, "]}") && codeEnd(s[2:], ']') == len(s)-4:
		return s[2 : len(s)-2]
	case len(s) >= 3 && strings.HasPrefix(s, "%{") && codeEnd(s[2:], '}') == len(s)-3:
		return s[2 : len(s)-1]
	}
	return s
}

// String is the expression as written.
func (e *Expression) String() string { return e.source }

// IsEmpty reports whether there is no expression at all.
func (e *Expression) IsEmpty() bool { return e.source == "" }

// Code is the JavaScript, with Names in place of the bindings.
func (e *Expression) Code() string { return e.code }

// Names are the names by which the code knows its bindings.
func (e *Expression) Names() []string { return e.names }

// Values are the values of the bindings in a run, in the order of Names: a row
// for Expressions.Eval.
func (e *Expression) Values(env *Env) []any {
	if len(e.bindings) == 0 {
		return nil
	}
	values := make([]any, len(e.bindings))
	for i, b := range e.bindings {
		values[i] = b.bound(env)
	}
	return values
}

// bound is the value of a binding: its text when it has formats.
func (h *placeholder) bound(env *Env) any {
	v := h.get(env)
	switch {
	case isEmpty(v) && h.hasFall:
		return h.fallback
	case h.format.IsZero():
		return v
	}
	return h.format.Apply(v, env)
}

// Eval is the value of the expression in a run.
func (e *Expression) Eval(env *Env) (any, error) {
	row := e.Values(env)
	if e.simple != nil {
		if v, ok := e.simple.eval(row); ok {
			return v, nil
		}
	}
	values, err := e.EvalRows(env, [][]any{row})
	if err != nil || len(values) == 0 {
		return nil, err
	}
	return values[0], nil
}

// EvalRows is the value of the expression for several rows of Values, in one
// round trip to the engine, or none when the expression is simple.
func (e *Expression) EvalRows(env *Env, rows [][]any) ([]any, error) {
	if values, ok := e.simpleRows(rows); ok {
		return values, nil
	}
	if env == nil || env.Expr == nil {
		return nil, report.Problemf("", "the expression %s cannot be run here", e.source)
	}
	values, err := env.Expr.Eval(e.code, e.names, rows)
	if err == nil && len(values) != len(rows) {
		return nil, fmt.Errorf("expression %s: %d values for %d rows", e.source, len(values), len(rows))
	}
	return values, err
}

func (e *Expression) simpleRows(rows [][]any) ([]any, bool) {
	if e.simple == nil {
		return nil, false
	}
	values := make([]any, len(rows))
	for i, row := range rows {
		v, ok := e.simple.eval(row)
		if !ok {
			return nil, false
		}
		values[i] = v
	}
	return values, true
}

// Visible is the truth of a visible expression: without one, true; with one
// that fails, true with a warning, so that nothing is lost unseen.
func (e *Expression) Visible(env *Env) bool {
	if e == nil || e.IsEmpty() {
		return true
	}
	v, err := e.Eval(env)
	if err != nil {
		env.warn(e.source + ": " + err.Error())
		return true
	}
	return Truthy(v)
}

// Truthy is JavaScript's truth of a value.
func Truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case int64:
		return v != 0
	case int:
		return v != 0
	case float64:
		return v != 0 && !math.IsNaN(v)
	case json.Number:
		return strings.ContainsAny(mantissa(string(v)), "123456789")
	}
	return true
}

func mantissa(number string) string {
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		return number[:i]
	}
	return number
}

// maxBinding bounds the search for the end of a binding.
const maxBinding = 1000

// binder turns bindings into names. Keywords outside braces ("$data.rows[0]")
// become names too.
type binder struct {
	e     *Expression
	scan  codeScanner
	code  strings.Builder
	named map[string]string // names by the text of their bindings
}

func (b *binder) run() {
	src := b.scan.src
	for b.scan.at < len(src) {
		if size := bindingSize(src[b.scan.at:]); size > 0 {
			b.bind(parsePlaceholder(src[b.scan.at+1:b.scan.at+size-1]), size)
			continue
		}
		start, code := b.scan.next()
		token := src[start:b.scan.at]
		b.code.WriteString(token)
		if code && slices.Contains(Roots(), token) && !afterDot(src[:start]) {
			b.name(token, &placeholder{source: token, path: ParsePath(token), lost: token + " has no value here"})
		}
	}
}

func afterDot(before string) bool {
	return strings.HasSuffix(strings.TrimRight(before, " \t\n"), ".")
}

// bind writes the name of a binding, padded to the width of its source so that
// the columns of JavaScript's errors are those of the author's text.
func (b *binder) bind(h *placeholder, size int) {
	h.source = b.scan.src[b.scan.at : b.scan.at+size]
	h.lost = h.source + " leads to no value"
	name := b.named[h.source]
	if name == "" {
		name = fmt.Sprintf("_v%d", len(b.e.names))
		b.name(name, h)
	}
	b.code.WriteString(name)
	b.code.WriteString(strings.Repeat(" ", max(0, size-len(name))))
	b.scan.at += size
	b.scan.last, b.scan.word = '0', b.scan.at
}

// name adds a binding; the same text is bound once.
func (b *binder) name(name string, h *placeholder) {
	if b.named[h.source] != "" {
		return
	}
	b.named[h.source] = name
	b.e.names = append(b.e.names, name)
	b.e.bindings = append(b.e.bindings, h)
}

// bindingSize is the length of a binding at the start of code, or 0. A keyword
// path may have formats; a name of a source or alias stands alone, since
// {a: 1} is JavaScript.
func bindingSize(s string) int {
	if s[0] != '{' {
		return 0
	}
	size := closing(s[1:min(len(s), maxBinding)])
	if size < 0 {
		return 0
	}
	body := s[1 : size+1]
	path := body[:pathLength(body)]
	root, _, _ := strings.Cut(path, ".")
	switch {
	case slices.Contains(Roots(), strings.TrimSpace(root)) && isPath(path):
		return size + 2
	case len(path) == len(body) && isPath(body) && !strings.ContainsAny(body, " \t-"):
		return size + 2
	}
	return 0
}
