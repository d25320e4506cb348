package priority

import (
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// Moments are those in which something short is done for somebody who waits. Where
// processors are short, the processes of others stand still meanwhile: those whose
// work takes long or is waited for by nobody, and those that work for owners who claim
// much more. Nobody stands still for an owner who claims much more, and none for more
// than half of the time. The zero value is ready.
type Moments struct {
	// Crowd is how many want each processor; by default it is looked for.
	Crowd func() float64

	mu     sync.Mutex
	pieces map[*Piece]bool
	armed  bool // it is looked again soon
}

// Task is what a process does.
type Task struct {
	Owner  string
	Claim  time.Duration // what the owner has had and asks for of what there is for all
	Waited bool          // somebody waits for it
	Long   bool          // it takes long
}

// Piece is a piece of work on its way.
type Piece struct {
	Task
	m       *Moments
	process *os.Process // nil when it is not known
	began   time.Time
	cpu     time.Duration // of the process, at that time

	stands bool
	since  time.Time     // when that has changed
	owed   time.Duration // for how long it goes on before it stands still again
	stood  time.Duration // in all, without this time
}

const (
	// longestStand is for how long a process stands still without having gone on.
	longestStand = 300 * time.Millisecond
	// momentLook is how often it is looked who has to stand still.
	momentLook = 20 * time.Millisecond
	// muchMore is how many times as much an owner claims who gives way.
	muchMore = 2
	// modest is what an owner may claim without giving way to those who claim less: a
	// fifth of one tab all the time.
	modest = 3 * time.Second
)

// Begin says that a process has a task from now on, until End.
func (m *Moments) Begin(pid int, t Task) *Piece {
	now := time.Now()
	p := &Piece{Task: t, m: m, began: now, since: now}
	if pid > 0 {
		p.process, _ = os.FindProcess(pid) // a handle: the number may be somebody else's later
		p.cpu = ProcessorTime(pid)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pieces == nil {
		m.pieces = map[*Piece]bool{}
	}
	m.pieces[p] = true
	m.settle()
	return p
}

// TakesLong says that the work has turned out to take long.
func (p *Piece) TakesLong() {
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	p.Long = true
	p.m.settle()
}

// Stands says whether it stands still.
func (p *Piece) Stands() bool {
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	return p.stands
}

// Stood is for how long it has stood still.
func (p *Piece) Stood() time.Duration {
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	if p.stands {
		return p.stood + time.Since(p.since)
	}
	return p.stood
}

// End says that the work is done. It tells how long it lasted, and how much time of
// processors its process had for it, as far as that is known.
func (p *Piece) End() (lasted, worked time.Duration) {
	m, now := p.m, time.Now()
	lasted = now.Sub(p.began)
	worked = lasted
	m.mu.Lock()
	defer m.mu.Unlock()
	if p.process != nil {
		if cpu := ProcessorTime(p.process.Pid); cpu > p.cpu {
			worked = cpu - p.cpu
		}
		p.goOn(now)
		p.process.Release() //nolint:errcheck // it does not fail
	}
	delete(m.pieces, p)
	m.settle()
	return lasted, worked
}

// settle lets pieces stand still, and go on, as it has to be now. It is looked again
// while that may change without anybody saying so.
func (m *Moments) settle() {
	now, waits := time.Now(), false
	short := m.short()
	for p := range m.pieces {
		gives := short && m.gives(p)
		waits = waits || gives
		switch {
		case p.stands && (!gives || now.Sub(p.since) >= longestStand):
			p.goOn(now)
		case !p.stands && gives && now.Sub(p.since) >= p.owed:
			p.stand(now)
		}
	}
	if waits && !m.armed {
		m.armed = true
		time.AfterFunc(momentLook, m.look)
	}
}

func (m *Moments) look() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.armed = false
	m.settle()
}

// gives says whether a piece gives way to another.
func (m *Moments) gives(p *Piece) bool {
	if p.process == nil {
		return false
	}
	for u := range m.pieces {
		switch {
		case u.Owner == p.Owner || !u.Waited || u.Long:
		case u.Claim > modest && u.Claim > muchMore*p.Claim: // it is the one to give way
		case p.Long || !p.Waited || p.Claim > modest && p.Claim > muchMore*u.Claim:
			return true
		}
	}
	return false
}

// short reports whether more want processors than there are; who stands still wants
// one, too.
func (m *Moments) short() bool {
	if len(m.pieces) < 2 {
		return false
	}
	for p := range m.pieces {
		if p.stands {
			return true
		}
	}
	if m.Crowd != nil {
		return m.Crowd() > 1
	}
	return len(m.pieces) > runtime.GOMAXPROCS(0) || Crowd() > 1 // in a container there may be fewer than the system has
}

func (p *Piece) stand(now time.Time) {
	if p.process.Signal(syscall.SIGSTOP) == nil {
		p.stands, p.since = true, now
	}
}

func (p *Piece) goOn(now time.Time) {
	if !p.stands {
		return
	}
	_ = p.process.Signal(syscall.SIGCONT) // it may be gone
	p.owed = now.Sub(p.since)
	p.stood += p.owed
	p.stands, p.since = false, now
}
