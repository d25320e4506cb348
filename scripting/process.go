package scripting

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quire-reports/quire/internal/priority"
)

// childEnv marks a child's environment, so that a program that forgot
// ChildMain does not start itself without end.
const childEnv = "QUIRE_SCRIPT_CHILD"

// startLimit is how long a child may take until it says hello.
const startLimit = 20 * time.Second

// process is a running child, seen from the service. One call at a time.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	outMu  sync.Mutex
	out    *bufio.Writer
	frames chan frame // closed when the child is gone
	stderr tail
	lacks  string // what of its confinement the system does not have
	once   sync.Once
	gone   chan struct{}

	calls    int
	lowered  atomic.Bool // it comes after other children, for good
	idleFrom time.Time
}

type frame struct {
	kind    byte
	payload []byte
}

// errGone is a child that ended by itself.
var errGone = errors.New("the script process ended")

func startProcess(memory int64) (*process, error) {
	if os.Getenv(childEnv) != "" {
		return nil, errors.New("scripting: ChildMain is not called first in main of this program")
	}
	path, err := executable()
	if err != nil {
		return nil, fmt.Errorf("finding the program to run scripts with: %w", err)
	}
	p := &process{frames: make(chan frame, 1), gone: make(chan struct{})}
	p.cmd = exec.Command(path, childArgument, strconv.FormatInt(memory, 10))
	p.cmd.Env = []string{childEnv + "=1", "GOTRACEBACK=none", "GOMAXPROCS=2", "ZONEINFO=" + os.Getenv("ZONEINFO")}
	if zone, ok := os.LookupEnv("TZ"); ok {
		p.cmd.Env = append(p.cmd.Env, "TZ="+zone)
	}
	p.cmd.Dir = os.TempDir()
	p.cmd.Stderr = &p.stderr
	if err := p.pipes(); err != nil {
		return nil, err
	}
	return p, p.hello()
}

func (p *process) pipes() error {
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("starting a script process: %w", err)
	}
	priority.Lower(p.cmd.Process.Pid, priority.Work)
	p.stdin, p.out = stdin, bufio.NewWriterSize(stdin, 1<<16)
	go p.read(stdout)
	return nil
}

// read hands on what the child sends until it is gone.
func (p *process) read(stdout io.Reader) {
	defer close(p.gone)
	in := bufio.NewReaderSize(stdout, 1<<16)
	for {
		kind, payload, err := readFrame(in)
		if err != nil {
			break
		}
		p.frames <- frame{kind, payload}
	}
	close(p.frames)
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

func (p *process) hello() error {
	timer := time.NewTimer(startLimit)
	defer timer.Stop()
	select {
	case f, ok := <-p.frames:
		if ok && f.kind == frameHello {
			p.lacks = string(f.payload)
			return nil
		}
	case <-timer.C:
	}
	p.kill()
	return fmt.Errorf("a script process did not start: %s", p.stderr.String())
}

// kill ends the child and waits until it is gone.
func (p *process) kill() {
	p.once.Do(func() {
		_ = p.cmd.Process.Kill()
		_ = p.stdin.Close()
	})
	for range p.frames { // lets the reader end
	}
	<-p.gone
}

// call runs a request. The hard limit covers what the child's own watchdog
// cannot stop: native code, regular expressions, a parser that hangs, and a child
// that does not go on at all.
func (p *process) call(ctx context.Context, payload []byte, wanted []any, hard timeLimit) (*response, error) {
	p.calls++
	spent := hard.begin(p.cmd.Process.Pid)
	timer := time.NewTimer(time.Duration(hard))
	defer timer.Stop()
	long := time.NewTimer(longCall)
	defer long.Stop()
	sent := make(chan error, 1)
	go func() { sent <- p.send(frameCall, payload) }()
	for {
		select {
		case err := <-sent:
			if err != nil {
				return nil, p.ended()
			}
			sent = nil
		case f, ok := <-p.frames:
			if !ok {
				return nil, p.ended()
			}
			if f.kind == frameResult {
				return decodeResponse(f.payload)
			}
			if err := p.answer(f, wanted); err != nil {
				return nil, p.ended()
			}
		case <-ctx.Done():
			return p.cancelled(ctx)
		case <-timer.C:
			rest, over := spent.rest()
			if over != "" {
				p.kill()
				return &response{fault: interruption(over), retired: true}, nil
			}
			timer.Reset(rest)
		case <-long.C:
			if rest := longCall - spent.worked(); rest > 0 {
				long.Reset(max(rest, leastRest))
			} else {
				p.giveWay()
			}
		}
	}
}

// longCall is after how much time of a processor a script comes after those of other
// children. By the clock, a busy machine would make each script a long one, and starve it
// for that.
const longCall = 500 * time.Millisecond

// giveWay lets a script that takes long come after those of other children. The
// child is not used for another one.
func (p *process) giveWay() {
	p.lowered.Store(true)
	priority.Lower(p.cmd.Process.Pid, priority.LongWork)
}

func (p *process) send(kind byte, payload []byte) error {
	p.outMu.Lock()
	defer p.outMu.Unlock()
	return writeFrame(p.out, kind, payload)
}

// answer sends a value that the script turned out to want.
func (p *process) answer(f frame, wanted []any) error {
	r := reader{buf: f.payload}
	n := r.uint()
	if f.kind != frameWant || r.err != nil || n >= len(wanted) {
		p.kill()
		return errFrame
	}
	e := newEncoder()
	e.value(wanted[n], 0)
	return p.send(frameValue, e.buf)
}

// cancelGrace is how long a child has to notice that nobody waits any more.
const cancelGrace = 100 * time.Millisecond

// cancelled asks the child to stop, so that it can be used again, and kills it
// when it does not.
func (p *process) cancelled(ctx context.Context) (*response, error) {
	go func() { _ = p.send(frameInterrupt, nil) }()
	select {
	case f, ok := <-p.frames:
		if ok && f.kind == frameResult {
			return &response{retired: true}, ctx.Err()
		}
	case <-time.After(cancelGrace):
	}
	p.kill()
	return &response{retired: true}, ctx.Err()
}

// ended says what a child died of.
func (p *process) ended() error {
	p.kill()
	return fmt.Errorf("%w: %s", errGone, p.stderr.String())
}

// tail keeps the first lines of what a child writes to standard error.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := 4096 - len(t.buf); room > 0 {
		t.buf = append(t.buf, b[:min(room, len(b))]...)
	}
	return len(b), nil
}

// String is what was written, or that nothing was.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := strings.TrimSpace(string(t.buf)); s != "" {
		return s
	}
	return "it said nothing"
}
