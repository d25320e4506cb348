package scripting

import (
	"container/list"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
	"github.com/evanw/esbuild/pkg/api"
)

// scriptName is the file name that positions carry inside goja.
const scriptName = "script"

// compiled is a script ready to run.
type compiled struct {
	program *goja.Program
	source  string // the author's text
	prefix  int    // characters put before the text on its first line
	isBody  bool   // the program's value is a function made around a body
}

// form is one way to read an author's text.
type form struct {
	before, after string
	trim          bool // semicolons at the end do not belong to the form
	isBody        bool
	accept        func(*ast.Program) (suffix string, ok bool)
}

// forms in the order they are tried: what is an expression is one, then a
// program that ends in an expression or a function, then the body of a
// function.
var forms = []form{
	{before: "(", after: "\n)", trim: true},
	{before: "{", after: "\n}", accept: endsInValue}, // a block, so that const and let can run for every row
	{before: "(function(){", after: "\n})", isBody: true},
	{before: "(async function(){", after: "\n})", isBody: true},
}

// endsInValue takes a block whose last statement has a value; a function
// declared last is that value.
func endsInValue(p *ast.Program) (suffix string, ok bool) {
	if len(p.Body) == 0 {
		return "", false
	}
	block, ok := p.Body[len(p.Body)-1].(*ast.BlockStatement) // behind what lowering needs
	if !ok || len(block.List) == 0 {
		return "", false
	}
	switch last := block.List[len(block.List)-1].(type) {
	case *ast.ExpressionStatement:
		return "", true
	case *ast.FunctionDeclaration:
		return "\n;" + last.Function.Name.Name.String(), true
	}
	return "", false
}

// syntaxFault is a script that does not parse.
type syntaxFault struct {
	message      string
	line, column int
}

func (f *syntaxFault) Error() string { return f.message }

// compile reads a script in the form that fits, lowering its syntax when goja
// does not know it.
func compile(source string) (*compiled, error) {
	if len(source) > maxSource {
		return nil, &syntaxFault{message: fmt.Sprintf("the script is larger than %d kB", maxSource>>10), line: 1, column: 1}
	}
	if strings.TrimRight(source, "; \t\r\n") == "" {
		return nil, &syntaxFault{message: "the script is empty", line: 1, column: 1}
	}
	for _, f := range forms {
		if c := f.compile(f.text(source), source, nil); c != nil {
			return c, nil
		}
	}
	return compileLowered(source)
}

// text is the program that a form makes of the author's text.
func (f form) text(source string) string {
	if f.trim {
		source = strings.TrimRight(source, "; \t\r\n")
	}
	return f.before + source + f.after
}

// compile is the program of a form, or nil when the text has another form.
func (f form) compile(text, source string, sourceMap []byte) *compiled {
	tree, err := parse(text, sourceMap)
	if err != nil {
		return nil
	}
	if f.accept != nil {
		suffix, ok := f.accept(tree)
		if !ok {
			return nil
		}
		end := strings.LastIndexByte(text, '}')
		if tree, err = parse(text[:end]+suffix+text[end:], sourceMap); err != nil {
			return nil
		}
	}
	program, err := goja.CompileAST(tree, false)
	if err != nil {
		return nil
	}
	return &compiled{program: program, source: source, prefix: len(f.before), isBody: f.isBody}
}

func parse(text string, sourceMap []byte) (*ast.Program, error) {
	if sourceMap == nil {
		return parser.ParseFile(nil, scriptName, text, 0, parser.WithDisableSourceMaps)
	}
	text += "\n//# sourceMappingURL=map"
	load := func(string) ([]byte, error) { return sourceMap, nil }
	return parser.ParseFile(nil, scriptName, text, 0, parser.WithSourceMapLoader(load))
}

// compileLowered is compile through esbuild, which knows all syntax and has
// the better messages.
func compileLowered(source string) (*compiled, error) {
	fault := &syntaxFault{message: "the script is no function, expression or statements with return", line: 1, column: 1}
	for _, f := range forms {
		lowered, sourceMap, problem := lower(f.text(source))
		if problem == nil {
			if c := f.compile(lowered, source, sourceMap); c != nil {
				return c, nil
			}
			problem = gojaFault(lowered, sourceMap)
		}
		if problem == nil {
			continue
		}
		if problem.line == 1 {
			problem.column -= len(f.before)
		}
		if last := strings.Count(source, "\n") + 1; problem.line > last { // what a form puts behind
			problem.line, problem.column = last, len(source)-strings.LastIndexByte(source, '\n')
		}
		if problem.later(fault) {
			fault = problem
		}
	}
	return nil, fault
}

// later is whether a form got further into the text before it failed, which
// makes its message the one about the author's mistake.
func (f *syntaxFault) later(g *syntaxFault) bool {
	return f.line > g.line || f.line == g.line && f.column > g.column
}

// lower rewrites newer syntax as older.
func lower(text string) (code string, sourceMap []byte, fault *syntaxFault) {
	r := api.Transform(text, api.TransformOptions{
		Target: api.ES2017, Sourcemap: api.SourceMapExternal, Sourcefile: scriptName, LogLevel: api.LogLevelSilent,
	})
	if len(r.Errors) == 0 {
		return string(r.Code), r.Map, nil
	}
	m := r.Errors[0]
	fault = &syntaxFault{message: m.Text, line: 1, column: 1}
	if m.Location != nil {
		fault.line = m.Location.Line
		column := min(m.Location.Column, len(m.Location.LineText))
		fault.column = utf8.RuneCountInString(m.Location.LineText[:column]) + 1
	}
	return "", nil, fault
}

// gojaFault is why goja refuses a lowered text, if it does.
func gojaFault(text string, sourceMap []byte) *syntaxFault {
	_, err := parse(text, sourceMap)
	var many parser.ErrorList
	if !errors.As(err, &many) || len(many) == 0 {
		return nil
	}
	return &syntaxFault{message: many[0].Message, line: many[0].Position.Line, column: many[0].Position.Column}
}

// parameters are the names of a function's parameters, "" for a pattern, and
// whether its text could be read.
func parameters(function string) (names []string, ok bool) {
	tree, err := parse("("+function+"\n)", nil)
	if err != nil {
		// goja's text of x => ({a: x}) lacks the last bracket.
		tree, err = parse("("+function+")\n)", nil)
	}
	if err != nil || len(tree.Body) != 1 {
		return nil, false
	}
	statement, ok := tree.Body[0].(*ast.ExpressionStatement)
	if !ok {
		return nil, false
	}
	var list *ast.ParameterList
	switch f := statement.Expression.(type) {
	case *ast.FunctionLiteral:
		list = f.ParameterList
	case *ast.ArrowFunctionLiteral:
		list = f.ParameterList
	default:
		return nil, false
	}
	for _, b := range list.List {
		name := ""
		if id, ok := b.Target.(*ast.Identifier); ok {
			name = id.Name.String()
		}
		names = append(names, name)
	}
	return names, true
}

// programs remembers compiled scripts, the most recent ones up to a number and
// a size of source text.
type programs struct {
	maxCount, maxBytes int
	bytes              int
	order              *list.List // of *compiled, most recent first
	bySource           map[string]*list.Element
}

func newPrograms(maxCount, maxBytes int) *programs {
	return &programs{maxCount: maxCount, maxBytes: maxBytes, order: list.New(), bySource: map[string]*list.Element{}}
}

func (p *programs) get(source string) (*compiled, error) {
	if e, ok := p.bySource[source]; ok {
		p.order.MoveToFront(e)
		return e.Value.(*compiled), nil
	}
	c, err := compile(source)
	if err != nil {
		return nil, err
	}
	p.bySource[source] = p.order.PushFront(c)
	p.bytes += len(source)
	for p.order.Len() > 1 && (p.order.Len() > p.maxCount || p.bytes > p.maxBytes) {
		old := p.order.Remove(p.order.Back()).(*compiled)
		p.bytes -= len(old.source)
		delete(p.bySource, old.source)
	}
	return c, nil
}

// excerpt is the part of a line around a column, at most 80 characters.
func excerpt(source string, line, column int) string {
	lines := strings.Split(source, "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	text := []rune(strings.TrimRight(lines[line-1], "\r"))
	from := 0
	if len(text) > 80 {
		from = max(0, min(column-40, len(text)-80))
	}
	return strings.TrimSpace(string(text[from:min(from+80, len(text))]))
}
