package scripting

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quire-reports/quire/report"
)

// Config is how scripts may run.
type Config struct {
	// Processes is how many scripts run at the same time, and one more while one
	// owner has them all (see For); default one a processor, at most 8.
	Processes int
	// OfUser is how many scripts of one user may run or wait at the same time;
	// further ones get a Problem; default 200.
	OfUser int
	// Memory is what one script may use, in bytes; default 256 MB.
	Memory int64
	// Timeout is how much time of a processor one call may take, and three times as
	// much on the clock; default 5 s.
	Timeout time.Duration
	// Log is told when a process had to be replaced; default nothing.
	Log *slog.Logger
}

func (c Config) withDefaults() Config {
	if c.Processes <= 0 {
		c.Processes = min(runtime.NumCPU(), 8)
	}
	if c.OfUser <= 0 {
		c.OfUser = 200
	}
	if c.Memory <= 0 {
		c.Memory = 256 << 20
	}
	if c.Timeout <= 0 {
		c.Timeout = 5 * time.Second
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// Bounds of a child's life.
const (
	maxCallsOfChild = 20_000          // then it is replaced, whatever it may have gathered
	idleLimit       = 2 * time.Minute // of all children but the last, which stays warm
	hardGrace       = 250 * time.Millisecond
)

// Pool is the Engine: child processes, started when the first script runs and
// kept for the next ones.
type Pool struct {
	config Config
	places *places

	mu      sync.Mutex
	idle    []*process // most recently used last
	stopped bool
	reaper  *time.Timer
	spare   sync.WaitGroup
	told    sync.Once

	busy, started, replaced atomic.Int64
}

// New makes an engine. It starts no process yet.
func New(config Config) *Pool {
	config = config.withDefaults()
	return &Pool{config: config, places: newPlaces(config.Processes, config.OfUser)}
}

var errStoppedPool = errors.New("scripting: the engine is stopped")

// Stats are what a pool does now, and counters since it was made.
type Stats struct {
	Busy, Idle int   // children
	Waiting    int   // calls that wait for their turn
	Started    int64 // children
	Replaced   int64 // children that were ended after a call: over a limit, broken or worn
}

// Stats is what the pool does.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	idle := len(p.idle)
	p.mu.Unlock()
	return Stats{Busy: int(p.busy.Load()), Idle: idle, Waiting: p.places.waiting(), Started: p.started.Load(), Replaced: p.replaced.Load()}
}

// Call runs a function; see Engine.
func (p *Pool) Call(ctx context.Context, call *Call) (*Result, error) {
	for i, row := range call.Rows {
		if len(row) != len(call.Names) {
			return nil, fmt.Errorf("scripting: row %d has %d values for %d names", i, len(row), len(call.Names))
		}
	}
	if len(call.Names) > 0 && len(call.Rows) == 0 {
		return &Result{}, nil
	}
	timeout := call.Timeout
	if timeout <= 0 {
		timeout = p.config.Timeout
	}
	payload, wanted, err := encodeRequest(call, timeout)
	if err != nil {
		return nil, &report.Problem{Kind: report.Failed, Path: call.Path, Message: err.Error()}
	}
	if len(payload) > maxFrame {
		return nil, &report.Problem{Kind: report.TooLarge, Path: call.Path, Message: "the data handed to the script is larger than 1 GB"}
	}
	res, err := p.run(ctx, payload, wanted, timeout)
	if err != nil {
		return nil, p.problem(err, call)
	}
	return p.result(res, call, timeout)
}

// run sends a request to a child, when one is free.
func (p *Pool) run(ctx context.Context, payload []byte, wanted []any, timeout time.Duration) (*response, error) {
	if err := p.places.take(ctx); err != nil {
		return nil, err
	}
	defer p.places.release(ctx)
	p.busy.Add(1)
	defer p.busy.Add(-1)
	child, err := p.take()
	if err != nil {
		return nil, err
	}
	hard := timeout + hardGrace + time.Duration(len(payload)/(20<<20))*time.Second
	res, err := child.call(ctx, payload, wanted, timeLimit(hard))
	p.give(child, err == nil && !res.retired)
	return res, err
}

// take is an idle child that lives, or a new one.
func (p *Pool) take() (*process, error) {
	for {
		child, err := p.pop()
		if child == nil || err != nil {
			break
		}
		select {
		case <-child.gone:
			child.kill()
			continue
		default:
			return child, nil
		}
	}
	if p.isStopped() {
		return nil, errStoppedPool
	}
	return p.start()
}

// start starts a child, and tells once what its confinement lacks.
func (p *Pool) start() (*process, error) {
	child, err := startProcess(p.config.Memory)
	if err == nil {
		p.started.Add(1)
	}
	if err == nil && child.lacks != "" {
		p.told.Do(func() { p.config.Log.Warn("scripts are confined less than they could be", "lacks", child.lacks) })
	}
	return child, err
}

func (p *Pool) isStopped() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stopped
}

func (p *Pool) pop() (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return nil, errStoppedPool
	}
	n := len(p.idle)
	if n == 0 {
		return nil, nil
	}
	child := p.idle[n-1]
	p.idle = p.idle[:n-1]
	return child, nil
}

// give takes a child back, or ends it and warms up another in the background.
func (p *Pool) give(child *process, healthy bool) {
	if healthy && child.calls < maxCallsOfChild && !child.lowered.Load() && p.keep(child) {
		return
	}
	child.kill()
	p.replaced.Add(1)
	p.warmSpare()
}

func (p *Pool) keep(child *process) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return false
	}
	child.idleFrom = time.Now()
	p.idle = append(p.idle, child)
	if p.reaper == nil && len(p.idle) > 1 {
		p.reaper = time.AfterFunc(idleLimit, p.reap)
	}
	return true
}

// warmSpare starts a child unless one is idle.
func (p *Pool) warmSpare() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped || len(p.idle) > 0 {
		return
	}
	p.spare.Go(func() {
		if err := p.Warm(); err != nil {
			p.config.Log.Warn("a script process could not be replaced", "error", err)
		}
	})
}

// Warm starts a child ahead of the first script.
func (p *Pool) Warm() error {
	child, err := p.start()
	if err != nil {
		return err
	}
	if !p.keep(child) {
		child.kill()
	}
	return nil
}

// reap ends children that were idle for long, except the last one.
func (p *Pool) reap() {
	p.mu.Lock()
	var old []*process
	for len(p.idle) > 1 && time.Since(p.idle[0].idleFrom) >= idleLimit {
		old = append(old, p.idle[0])
		p.idle = p.idle[1:]
	}
	p.reaper = nil
	if len(p.idle) > 1 && !p.stopped {
		p.reaper = time.AfterFunc(idleLimit, p.reap)
	}
	p.mu.Unlock()
	for _, child := range old {
		child.kill()
	}
}

// Stop ends all children. Calls that run end with an error.
func (p *Pool) Stop() {
	p.mu.Lock()
	p.stopped = true
	if p.reaper != nil {
		p.reaper.Stop()
	}
	p.mu.Unlock()
	p.spare.Wait()
	p.mu.Lock()
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, child := range idle {
		child.kill()
	}
}
