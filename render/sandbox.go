package render

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Sandbox says whether browsers keep the processes that read documents in a
// sandbox.
type Sandbox string

// The choices. The zero value is SandboxAuto.
const (
	SandboxAuto Sandbox = "auto" // wherever the system allows it
	SandboxOn   Sandbox = "on"   // always: without it nothing is printed
	SandboxOff  Sandbox = "off"
)

// confinement is what the browsers of a pool have found out about the sandbox.
// What the first of them found is in force for all: a browser that is lost must
// not come back with less.
type confinement struct {
	c Config

	mu     sync.Mutex
	state  Sandbox // SandboxOn or SandboxOff; empty before the first start
	reason string  // why it is off
}

func newConfinement(c Config) *confinement {
	f := &confinement{c: c}
	if c.Sandbox == SandboxOff {
		f.settle(SandboxOff, "it is switched off")
	}
	return f
}

// start starts a browser, in the sandbox unless that is known to be impossible.
// One that ends at once is tried without, as there is no other way to know what
// a kernel, a container and a browser agree on.
func (f *confinement) start(ctx context.Context, dir string) (*process, error) {
	state, _ := f.snapshot()
	if state == SandboxOff {
		return startProcess(ctx, f.c, dir, false)
	}
	p, err := startProcess(ctx, f.c, dir, true)
	if err == nil {
		f.settle(SandboxOn, "")
		return p, nil
	}
	if state == SandboxOn || f.c.Sandbox == SandboxOn || errors.Is(err, errLate) || ctx.Err() != nil {
		return nil, err
	}
	p, bareErr := startProcess(ctx, f.c, dir, false)
	if bareErr != nil {
		return nil, err
	}
	f.settle(SandboxOff, err.Error())
	return p, nil
}

func (f *confinement) settle(state Sandbox, reason string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.state != "" {
		return
	}
	f.state, f.reason = state, reason
	if state == SandboxOn {
		f.c.Log.Info("the browser runs in its sandbox")
		return
	}
	f.c.Log.Warn("the browser runs without its sandbox: a fault of it would let documents read what the service can", "reason", reason)
}

func (f *confinement) snapshot() (state Sandbox, reason string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state, f.reason
}

// CheckSandbox starts a browser to find out whether it can be had in its
// sandbox. A browser that cannot be started either way is another matter, and
// no error.
func CheckSandbox(ctx context.Context, c Config) error {
	c = c.withDefaults()
	work := &workDir{base: c.Dir}
	defer work.remove()
	dir, err := work.get()
	if err != nil {
		return err
	}
	p, err := startProcess(ctx, c, dir, true)
	if err == nil {
		p.end()
		return nil
	}
	p, bareErr := startProcess(ctx, c, dir, false)
	if bareErr != nil {
		return nil
	}
	p.end()
	return fmt.Errorf("the system does not let the browser have its sandbox: %w", err)
}
