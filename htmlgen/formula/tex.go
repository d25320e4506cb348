// Package formula makes MathML of formulas that are written in TeX, by Temml, and
// reads formulas as a line of text.
package formula

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
)

const (
	mostBytes = 8 << 10         // of one formula
	mostTime  = 3 * time.Second // for one; usual ones take some milliseconds
	mostDepth = 2000            // of calls
	mostMade  = 2000            // formulas that are remembered
)

// TeX makes MathML of TeX. It is safe for concurrent use.
type TeX struct {
	program func() *goja.Program
	engines sync.Pool

	mu   sync.Mutex
	made map[string]made
}

// made is what a formula became: elements of MathML, or why it is none.
type made struct {
	mathML string
	err    error
}

// New makes a TeX of Temml's source, which is read when the first formula comes.
func New(source func() string) *TeX {
	return &TeX{
		made:    map[string]made{},
		program: sync.OnceValue(func() *goja.Program { return goja.MustCompile("temml", source(), false) }),
	}
}

// engine is Temml in a machine of its own.
type engine struct {
	vm     *goja.Runtime
	render goja.Callable
}

func (t *TeX) start() *engine {
	if e, ok := t.engines.Get().(*engine); ok {
		return e
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(mostDepth)
	if _, err := vm.RunProgram(t.program()); err != nil {
		panic("formula: Temml: " + err.Error())
	}
	render, _ := goja.AssertFunction(vm.Get("temml").ToObject(vm).Get("renderToString"))
	return &engine{vm, render}
}

// MathML is what stands inside the element math: elements of MathML Core, with none but
// the attributes of this package. Display sets it as on a line of its own. An error says
// to people what TeX it does not read, and where.
func (t *TeX) MathML(tex string, display bool) (string, error) {
	key := fmt.Sprint(display, tex)
	t.mu.Lock()
	m, known := t.made[key]
	t.mu.Unlock()
	if known {
		return m.mathML, m.err
	}
	m.mathML, m.err = t.make(tex, display)
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.made) >= mostMade {
		clear(t.made)
	}
	t.made[key] = m
	return m.mathML, m.err
}

func (t *TeX) make(tex string, display bool) (string, error) {
	switch {
	case len(tex) > mostBytes:
		return "", fmt.Errorf("it is longer than %d KB", mostBytes>>10)
	case remark.MatchString(tex):
		return "", errors.New(`a percent sign is \%; without the backslash it begins a remark, and the rest of the line would be lost`)
	case numbering.MatchString(tex):
		return "", fmt.Errorf("%s is for documents of LaTeX; the setting Number gives the formula its number, and Anchor the name for references", numbering.FindString(tex))
	}
	e := t.start()
	markup, err := e.make(tex, display)
	if err != nil {
		return "", err
	}
	t.engines.Put(e) // one that failed may be in any state
	return simple(markup)
}

var (
	remark    = regexp.MustCompile(`(?:^|[^\\])(?:\\\\)*%`)
	numbering = regexp.MustCompile(`\\(?:tag|label|ref|eqref|nonumber|notag)\b`)
)

func (e *engine) make(tex string, display bool) (string, error) {
	options := e.vm.NewObject()
	_ = options.Set("displayMode", display)
	_ = options.Set("throwOnError", true)
	late := time.AfterFunc(mostTime, func() { e.vm.Interrupt("late") })
	markup, err := e.render(goja.Undefined(), e.vm.ToValue(tex), options)
	late.Stop()
	if err == nil {
		return markup.String(), nil
	}
	var thrown *goja.Exception
	if !errors.As(err, &thrown) {
		return "", errors.New("it takes too long or is nested too deeply to be set")
	}
	return "", fault(thrown.Value().ToObject(e.vm), tex)
}

// fault says for people what Temml found.
func fault(thrown *goja.Object, tex string) error {
	message := "it is no formula of TeX"
	if v := thrown.Get("message"); v != nil {
		message = v.String()
	}
	message, _, _ = strings.Cut(message, "\n")
	ends := strings.Contains(message, "end of input")
	message = places.ReplaceAllString(strings.TrimPrefix(message, "ParseError: "), "")
	message = strings.TrimRight(strings.TrimSpace(message), ": ")
	at := -1
	if v := thrown.Get("position"); v != nil && !goja.IsUndefined(v) && !goja.IsNull(v) {
		at = int(v.ToInteger())
	}
	switch letters := []rune(tex); { // Temml counts few signs as two
	case at >= 0 && at < len(letters):
		return fmt.Errorf("at character %d, %q: %s", at+1, string(letters[at:min(at+20, len(letters))]), message)
	case ends:
		return fmt.Errorf("at its end: %s", message)
	}
	return errors.New(message)
}

var places = regexp.MustCompile(` at (?:position \d+|end of input).*$`)
