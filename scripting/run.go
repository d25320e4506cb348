package scripting

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// maxCalls bounds how deep functions may call each other.
const maxCalls = 5000

// run is one call inside a child: a runtime that is thrown away afterwards.
type run struct {
	vm      *goja.Runtime
	script  *compiled
	request *request
	reviver *reviver
	out     *harvester
	console *console
	stopped func() bool

	callee goja.Callable
	params []parameter

	library *loaded // nil: none
	finish  goja.Callable
}

// parameter says what a function's parameter is given: the argument of a
// name, or all of them in one object.
type parameter struct {
	name   string
	bundle bool
}

func newRun(script *compiled, req *request, fetch func(int) []byte, stopped func() bool) *run {
	vm := goja.New()
	vm.SetMaxCallStackSize(maxCalls)
	now := req.now
	started := time.Now()
	vm.SetTimeSource(func() time.Time { return now.Add(time.Since(started)) })
	r := &run{vm: vm, script: script, request: req, stopped: stopped, console: &console{}}
	r.reviver = &reviver{vm: vm, reader: reader{buf: req.values}}
	r.reviver.fetch = func(n int) goja.Value {
		held := reviver{vm: vm, reader: reader{buf: fetch(n)}}
		return held.value()
	}
	r.out = newHarvester(vm, stopped)
	return r
}

// prepare sets the scene and evaluates the script to its function or value.
func (r *run) prepare() error {
	r.console.install(r.vm)
	installGlobals(r.vm)
	installLocale(r.vm, r.request.locale)
	for _, name := range r.request.args {
		if err := r.vm.Set(name, r.reviver.value()); err != nil {
			return err
		}
	}
	if r.reviver.err != nil {
		return r.reviver.err
	}
	return r.open()
}

// bindRow sets the values of the next row.
func (r *run) bindRow() error {
	for _, name := range r.request.names {
		if err := r.vm.Set(name, r.reviver.value()); err != nil {
			return err
		}
	}
	return r.reviver.err
}

// once runs the function for the values that are bound now.
func (r *run) once() (goja.Value, error) {
	if r.callee == nil {
		v, err := r.vm.RunProgram(r.script.program)
		if err != nil {
			return nil, err
		}
		callee, ok := goja.AssertFunction(v)
		if !ok {
			return r.settled(v)
		}
		r.callee = callee
		r.params = r.parametersOf(v)
	}
	v, err := r.callee(goja.Undefined(), r.arguments()...)
	if err != nil {
		return nil, err
	}
	return r.settled(v)
}

var errPending = errors.New("the function returned a promise that never ends; there are no timers or requests to wait for")

// settled is what a promise came to, or the value itself.
func (r *run) settled(v goja.Value) (goja.Value, error) {
	o, ok := v.(*goja.Object)
	if !ok || o.ExportType() != reflect.TypeFor[*goja.Promise]() {
		return v, nil
	}
	p := o.Export().(*goja.Promise)
	switch p.State() {
	case goja.PromiseStateFulfilled:
		return p.Result(), nil
	case goja.PromiseStateRejected:
		return nil, &rejection{p.Result()}
	}
	return nil, errPending
}

// rejection is what an async function threw.
type rejection struct{ value goja.Value }

func (r *rejection) Error() string { return "rejected" }

// parametersOf decides what each parameter of the author's function is given.
func (r *run) parametersOf(function goja.Value) []parameter {
	if r.script.isBody {
		return nil
	}
	all := append(append([]string(nil), r.request.names...), r.request.args...)
	rows := len(r.request.names) > 0
	names, ok := parameters(function.String())
	if !ok {
		return []parameter{{bundle: true}}
	}
	list := make([]parameter, len(names))
	for i, n := range names {
		list[i] = parameterFor(n, i, all, len(names) == 1 && !rows)
	}
	return list
}

// parameterFor: a parameter named like an argument, with or without the dollar
// sign, gets it; a pattern, or the only parameter where no values of a row come
// first, gets all arguments in one object; other names get the arguments in
// their order.
func parameterFor(name string, at int, all []string, only bool) parameter {
	for _, a := range all {
		if name == a || name != "" && name == strings.TrimPrefix(a, "$") {
			return parameter{name: a}
		}
	}
	if name == "" || only || at >= len(all) {
		return parameter{bundle: true}
	}
	return parameter{name: all[at]}
}

func (r *run) arguments() []goja.Value {
	values := make([]goja.Value, len(r.params))
	for i, p := range r.params {
		if p.bundle {
			values[i] = r.bundle()
		} else {
			values[i] = r.vm.Get(p.name)
		}
	}
	return values
}

// bundle is an object of all arguments.
func (r *run) bundle() goja.Value {
	o := r.vm.NewObject()
	for _, names := range [][]string{r.request.args, r.request.names} {
		for _, n := range names {
			setOwn(o, n, r.vm.Get(n))
			if short := strings.TrimPrefix(n, "$"); short != n {
				_ = o.DefineDataProperty(short, r.vm.Get(n), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
			}
		}
	}
	return o
}

// try runs something that may run the script's code, and returns what that
// threw, interrupts included.
func try(vm *goja.Runtime, f func()) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *goja.InterruptedError:
			err = x
		case *goja.StackOverflowError:
			err = x
		default:
			panic(x)
		}
	}()
	if thrown := vm.Try(f); thrown != nil {
		return thrown
	}
	return nil
}

// all runs every row and encodes what came of it.
func (r *run) all() *response {
	res := &response{}
	if err := r.prepare(); err != nil {
		res.fault = r.explain(err)
		return res
	}
	rows := max(1, r.request.rows)
	for i := range rows {
		if err := r.row(); err != nil {
			res.add(i, r.explain(err))
			r.out.byte(tagNull)
		}
		if r.stopped() || res.fatal() || len(r.request.names) == 0 && res.failed > 0 {
			break
		}
	}
	res.values, res.logs = r.out.buf, r.console.lines
	return res
}

func (r *run) row() error {
	if err := r.bindRow(); err != nil {
		return fmt.Errorf("reading the arguments: %w", err)
	}
	v, err := r.once()
	if err == nil {
		v, err = r.finished(v)
	}
	if err != nil {
		return err
	}
	return r.out.result(v)
}
