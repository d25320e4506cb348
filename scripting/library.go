package scripting

import (
	"fmt"

	"github.com/dop251/goja"
)

// loaded is a library compiled by a child.
type loaded struct{ source, finish *goja.Program }

// libraries are what a child has compiled. There are as many as the program has,
// which is few.
type libraries map[[2]string]*loaded

// get is the library of a call; nil when it has none.
func (l *libraries) get(req *request) (*loaded, error) {
	if req.library == "" && req.finish == "" {
		return nil, nil
	}
	key := [2]string{req.library, req.finish}
	if known := (*l)[key]; known != nil {
		return known, nil
	}
	source, err := goja.Compile("library", req.library, false)
	if err != nil {
		return nil, fmt.Errorf("compiling the library: %w", err)
	}
	finish, err := goja.Compile("finish", "("+req.finish+")", false)
	if err != nil {
		return nil, fmt.Errorf("compiling what finishes a result: %w", err)
	}
	if *l == nil {
		*l = libraries{}
	}
	(*l)[key] = &loaded{source, finish}
	return (*l)[key], nil
}

// open runs the library in the runtime and keeps what finishes results.
func (r *run) open() error {
	if r.library == nil {
		return nil
	}
	if _, err := r.vm.RunProgram(r.library.source); err != nil {
		return err
	}
	v, err := r.vm.RunProgram(r.library.finish)
	if err != nil {
		return err
	}
	finish, ok := goja.AssertFunction(v)
	if !ok {
		return fmt.Errorf("what finishes results is no function")
	}
	r.finish = finish
	return nil
}

// finished is a result as the library leaves it.
func (r *run) finished(v goja.Value) (goja.Value, error) {
	if r.finish == nil {
		return v, nil
	}
	return r.finish(goja.Undefined(), v)
}
