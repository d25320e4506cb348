package scripting

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"
	"github.com/dop251/goja/file"
)

// Causes of an interrupt, told to the runtime by the watchdog.
type cause string

const (
	causeTime   cause = "time"
	causeWait   cause = "wait"
	causeMemory cause = "memory"
	causeCancel cause = "cancel"
)

// fault is what a run died of, as a child reports it. The kinds other than
// script end the whole call.
type fault struct {
	kind    faultKind
	message string
}

type faultKind byte

const (
	faultNone faultKind = iota
	faultScript
	faultTime
	faultMemory
	faultCancel
	faultSyntax
	faultWait
)

// explain words an error of a run for the author of the script, with the place
// in the author's own text.
func (r *run) explain(err error) *fault {
	var interrupted *goja.InterruptedError
	if errors.As(err, &interrupted) {
		c, _ := interrupted.Value().(cause)
		return interruption(c)
	}
	var deep *goja.StackOverflowError
	if errors.As(err, &deep) {
		return r.at(fmt.Sprintf("functions call each other more than %d levels deep", maxCalls), deep.Stack())
	}
	var thrown *goja.Exception
	if errors.As(err, &thrown) {
		return r.thrown(thrown.Value(), thrown.Stack())
	}
	var rejected *rejection
	if errors.As(err, &rejected) {
		return r.thrown(rejected.value, nil)
	}
	return &fault{faultScript, err.Error()}
}

func interruption(c cause) *fault {
	switch c {
	case causeMemory:
		return &fault{kind: faultMemory}
	case causeCancel:
		return &fault{kind: faultCancel}
	case causeWait:
		return &fault{kind: faultWait}
	}
	return &fault{kind: faultTime}
}

// thrown words a thrown value. Asking it for its text runs the script's code
// again, which may throw or be interrupted in turn.
func (r *run) thrown(v goja.Value, stack []goja.StackFrame) *fault {
	var text, trace string
	err := try(r.vm, func() { text, trace = describeThrown(r.vm, v) })
	if err != nil {
		text = "the script threw a value that cannot be shown"
	}
	if f := r.at(text, stack); len(stack) > 0 {
		return f
	}
	if line, column, ok := placeInTrace(trace); ok {
		return r.atLine(text, line, column)
	}
	return &fault{faultScript, text}
}

func describeThrown(vm *goja.Runtime, v goja.Value) (text, trace string) {
	o, ok := v.(*goja.Object)
	if !ok {
		stringify, _ := goja.AssertFunction(vm.Get("JSON").ToObject(vm).Get("stringify"))
		if s, isText := v.Export().(string); isText {
			return fmt.Sprintf("the script threw %q", clip(s, 300)), ""
		}
		return "the script threw " + show(v, stringify), ""
	}
	if o.ClassName() == "Error" {
		if s := o.Get("stack"); s != nil {
			trace = s.String()
		}
		return clip(o.String(), 500), trace
	}
	stringify, _ := goja.AssertFunction(vm.Get("JSON").ToObject(vm).Get("stringify"))
	return "the script threw " + clip(show(o, stringify), 300), ""
}

// at adds the innermost place that is in the author's text.
func (r *run) at(text string, stack []goja.StackFrame) *fault {
	for i := range stack {
		if stack[i].SrcName() == scriptName {
			p := stack[i].Position()
			return r.atPosition(text, p)
		}
	}
	return &fault{faultScript, text}
}

func (r *run) atPosition(text string, p file.Position) *fault {
	return r.atLine(text, p.Line, p.Column)
}

func (r *run) atLine(text string, line, column int) *fault {
	if line == 1 {
		column = max(1, column-r.script.prefix)
	}
	return &fault{faultScript, placed(text, r.script.source, line, column)}
}

// placed adds line, column and the text there to a message.
func placed(message, source string, line, column int) string {
	where := fmt.Sprintf("line %d, column %d", line, column)
	if there := excerpt(source, line, column); there != "" {
		where += ": " + there
	}
	return message + " (" + where + ")"
}

var placedAt = regexp.MustCompile(`\(line (\d+), column (\d+)(?:: [^\n]*)?\)$`)

// placeIn reads what placed has added to a message; 0 when it has added nothing.
func placeIn(message string) (line, column int) {
	m := placedAt.FindStringSubmatch(message)
	if m == nil {
		return 0, 0
	}
	line, _ = strconv.Atoi(m[1])
	column, _ = strconv.Atoi(m[2])
	return line, column
}

var tracePlace = regexp.MustCompile(`\b` + scriptName + `:(\d+):(\d+)`)

// placeInTrace finds the first place of the author's text in an error's stack.
func placeInTrace(trace string) (line, column int, ok bool) {
	m := tracePlace.FindStringSubmatch(trace)
	if m == nil {
		return 0, 0, false
	}
	line, _ = strconv.Atoi(m[1])
	column, _ = strconv.Atoi(m[2])
	return line, column, true
}

// explainSyntax words a script that does not parse.
func explainSyntax(f *syntaxFault, source string) *fault {
	message := strings.TrimSuffix(f.message, ".")
	if r, n := utf8.DecodeRuneInString(message); r != utf8.RuneError && n > 0 {
		message = "SyntaxError: " + message
	}
	return &fault{faultSyntax, placed(message, source, f.line, max(1, f.column))}
}
