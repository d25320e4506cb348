package jobs

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

// printer makes files without a browser: printing is tested where it happens.
type printer func(context.Context, export.Request) (*export.File, error)

func (p printer) Export(ctx context.Context, req export.Request) (*export.File, error) {
	return p(ctx, req)
}

func (printer) CheckNames(context.Context, export.Request) error { return nil }

func printed(req export.Request) *export.File {
	return export.NewFile(req.Report+".pdf", "application/pdf", []byte("%PDF-1.7 "+req.Report))
}

// place is a store with a workspace and a user in it.
type place struct {
	t      testing.TB
	store  *store.Store
	config store.Config
	ws     int
	user   int
}

// migrated are databases with all tables.
var migrated = storetest.Migrated{Open: func(ctx context.Context, database, storage string) (io.Closer, error) {
	return store.Open(ctx, store.Config{Database: database, Storage: storage, Key: placeKey, Vector: placeVector, Unsynced: true})
}}

const placeKey, placeVector = "0123456789abcdef0123456789abcdef", "fedcba9876543210"

func newPlace(t testing.TB, c store.Config) *place {
	t.Helper()
	c.Key, c.Vector = placeKey, placeVector
	c.Unsynced = true // a test's data need not survive a power cut
	if c.Database == "" {
		c.Database, c.Exclusive = migrated.SQLite(t), true
	}
	if c.Storage == "" {
		c.Storage = "file://" + t.TempDir()
	}
	st, err := store.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	user, err := st.CreateRootUser(t.Context(), "root@example.com", "Root", "Correct-horse-7")
	if err != nil {
		t.Fatal(err)
	}
	ws, err := st.ImportWorkspace(t.Context(), sampleWorkspace())
	if err != nil {
		t.Fatal(err)
	}
	return &place{t, st, c, ws.Workspace.ID, user.ID}
}

func sampleWorkspace() report.Workspace {
	return report.Workspace{Version: report.Version, Name: "Acme", Code: "acme"}
}

// service makes a Service that works until the test, or stop, ends it.
func (p *place) service(do printer, change ...func(*Config)) (s *Service, stop func()) {
	p.t.Helper()
	c := Config{
		Store: p.store, Export: do, Poll: 10 * time.Millisecond, Backoff: time.Millisecond,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
	for _, f := range change {
		f(&c)
	}
	s = New(c)
	ctx, cancel := context.WithCancel(p.t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Work(ctx) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			if err := <-done; err != nil {
				p.t.Error(err)
			}
		})
	}
	p.t.Cleanup(stop)
	return s, stop
}

func (p *place) start(s *Service, req export.Request) int {
	p.t.Helper()
	req.Workspace, req.UserID = p.ws, p.user
	id, err := s.StartExport(p.t.Context(), ExportRequest{Request: req}, "")
	if err != nil {
		p.t.Fatal(err)
	}
	return id
}

// ended waits for a file to be completed or failed.
func (p *place) ended(id int) *store.ExportFile {
	p.t.Helper()
	for begin := time.Now(); time.Since(begin) < 20*time.Second; time.Sleep(2 * time.Millisecond) {
		f, err := p.store.Export(p.t.Context(), p.ws, id)
		if store.Away(err) != nil { // as a client, that asks again
			continue
		}
		if err != nil {
			p.t.Fatal(err)
		}
		if f.Status != store.ExportInProgress {
			return f
		}
	}
	p.t.Fatalf("export %d did not end", id)
	return nil
}

func (p *place) idle() {
	p.t.Helper()
	for begin := time.Now(); ; time.Sleep(2 * time.Millisecond) {
		waiting, running, err := p.store.QueueSize(p.t.Context())
		if err == nil && waiting+running == 0 {
			return
		}
		if time.Since(begin) > 20*time.Second {
			p.t.Fatalf("%d tasks wait, %d run, %v", waiting, running, err)
		}
	}
}

func TestARequestComesOutOfTheQueueAsItWentIn(t *testing.T) {
	p := newPlace(t, store.Config{})
	data := report.ObjectOf("sales", []any{report.ObjectOf("z", "ж", "a", true)})
	want := export.Request{
		Workspace: p.ws, UserID: p.user, Report: "7", Params: report.ObjectOf("customer", "Ђорђе"), Data: data, TempDataID: 3, Lang: "sr",
		Timezone: "Europe/Belgrade", Password: "hush", ExcludePages: []int{2, 4},
		ExportOptions: report.ExportOptions{Format: "pdf", Template: "letter", Theme: "2", IncludeAttachments: true, Accessible: true, DenyCopying: true},
	}
	got := make(chan export.Request, 1)
	s, _ := p.service(func(_ context.Context, r export.Request) (*export.File, error) {
		got <- r
		return printed(r), nil
	})
	id := p.start(s, want)
	object := cmp.Transformer("object", func(o *report.Object) string {
		text, _ := o.MarshalJSON()
		return string(text)
	})
	if d := cmp.Diff(want, <-got, object); d != "" {
		t.Error(d)
	}
	if f := p.ended(id); f.Status != store.ExportCompleted || f.Name != "7.pdf" || f.Size != 10 {
		t.Errorf("ended as %+v", f)
	}
	p.idle()
}

func TestHowExportsEnd(t *testing.T) {
	busy := &report.Problem{Kind: report.Busy, Message: "too many exports are waiting"}
	for _, c := range []struct {
		name     string
		do       func(attempt int) error
		status   store.ExportStatus
		reason   string
		attempts int
	}{
		{"at once", func(int) error { return nil }, store.ExportCompleted, "", 1},
		{"at the second attempt", func(n int) error { return map[int]error{1: busy}[n] }, store.ExportCompleted, "", 2},
		{"after a fault inside", func(n int) error { return map[int]error{1: io.ErrUnexpectedEOF, 2: busy}[n] }, store.ExportCompleted, "", 3},
		{"never", func(int) error { return busy }, store.ExportFailed, "too many exports are waiting", makeAttempts},
		{"never, for a secret reason", func(int) error { return errors.New("dial unix /run/secret-place") }, store.ExportFailed, "something went wrong inside the service; its log tells what", makeAttempts},
		{"with the author's fault", func(int) error { return report.Problemf("params.year", "must be a number") }, store.ExportFailed, "params.year: must be a number", 1},
		{"with a panic", func(int) error { panic("no such row") }, store.ExportFailed, "something went wrong inside the service; its log tells what", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var attempts atomic.Int32
			p := newPlace(t, store.Config{})
			s, _ := p.service(func(_ context.Context, r export.Request) (*export.File, error) {
				if err := c.do(int(attempts.Add(1))); err != nil {
					return nil, err
				}
				return printed(r), nil
			})
			f := p.ended(p.start(s, export.Request{Report: "1"}))
			if f.Status != c.status || f.Error != c.reason || int(attempts.Load()) != c.attempts {
				t.Errorf("%s %q after %d attempts; want %s %q after %d", f.Status, f.Error, attempts.Load(), c.status, c.reason, c.attempts)
			}
			p.idle()
		})
	}
}

// blocking prints nothing until it is let go or its context ends.
func blocking(began chan<- string, release <-chan struct{}) printer {
	return func(ctx context.Context, r export.Request) (*export.File, error) {
		began <- r.Report
		select {
		case <-release:
			return printed(r), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func TestTimeLimit(t *testing.T) {
	p := newPlace(t, store.Config{})
	s, _ := p.service(blocking(make(chan string, 1), nil), func(c *Config) { c.Timeout = 50 * time.Millisecond })
	f := p.ended(p.start(s, export.Request{Report: "1"}))
	if f.Status != store.ExportFailed || f.Error != "it took longer than the time limit of 50ms" {
		t.Errorf("%s %q", f.Status, f.Error)
	}
}

func TestADeletedExportIsGivenUp(t *testing.T) {
	p := newPlace(t, store.Config{})
	began := make(chan string, 1)
	stopped := make(chan struct{})
	s, _ := p.service(func(ctx context.Context, r export.Request) (*export.File, error) {
		defer close(stopped)
		return blocking(began, nil)(ctx, r)
	}, func(c *Config) { c.Lease = 60 * time.Millisecond })
	id := p.start(s, export.Request{Report: "1"})
	<-began
	if err := p.store.DeleteExport(t.Context(), p.ws, id); err != nil {
		t.Fatal(err)
	}
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		t.Fatal("it went on")
	}
	p.idle()
}

// TestStopping: what ends in time is completed; what does not goes back and is
// done by the next process, and the attempt does not count.
func TestStopping(t *testing.T) {
	p := newPlace(t, store.Config{})
	began, release := make(chan string, 2), make(chan struct{})
	quick := make(chan struct{})
	s, stop := p.service(func(ctx context.Context, r export.Request) (*export.File, error) {
		if r.Report == "quick" {
			return blocking(began, quick)(ctx, r)
		}
		return blocking(began, release)(ctx, r)
	}, func(c *Config) { c.Drain = 2 * time.Second })
	first, second := p.start(s, export.Request{Report: "quick"}), p.start(s, export.Request{Report: "slow"})
	<-began
	<-began
	time.AfterFunc(20*time.Millisecond, func() { close(quick) })
	stop()
	if f := p.ended(first); f.Status != store.ExportCompleted {
		t.Errorf("the quick one: %+v", f)
	}
	tasks, err := p.store.ClaimTasks(t.Context(), store.Claim{Owner: "next", Worst: store.Batch, Most: 5, Lease: time.Minute})
	if err != nil || len(tasks) != 1 || tasks[0].Subject != second || tasks[0].Attempts != 1 {
		t.Errorf("left: %+v, %v", tasks, err)
	}
}

// TestTakeover: a process that died holds its task for a lease; then another
// does it. One that dies every time is not tried for ever.
func TestTakeover(t *testing.T) {
	p := newPlace(t, store.Config{})
	id := p.start(New(Config{Store: p.store}), export.Request{Report: "1"})
	if tasks, err := p.store.ClaimTasks(t.Context(), store.Claim{Owner: "dead", Worst: store.Batch, Most: 1, Lease: 2 * time.Second}); err != nil || len(tasks) != 1 {
		t.Fatal(tasks, err)
	}
	deadly := p.start(New(Config{Store: p.store}), export.Request{Report: "2"})
	if tasks, err := p.store.ClaimTasks(t.Context(), store.Claim{Owner: "dead", Worst: store.Interactive, Most: 1, Lease: time.Millisecond}); err != nil || len(tasks) != 1 {
		t.Fatal(tasks, err)
	}
	for range makeAttempts {
		time.Sleep(3 * time.Millisecond)
		if tasks, err := p.store.ClaimSuspect(t.Context(), "dead", "", true, time.Millisecond, 0); err != nil || len(tasks) != 1 {
			t.Fatal(tasks, err)
		}
	}
	p.service(func(_ context.Context, r export.Request) (*export.File, error) { return printed(r), nil })
	if f := p.ended(id); f.Status != store.ExportCompleted {
		t.Errorf("taken over: %+v", f)
	}
	if f := p.ended(deadly); f.Status != store.ExportFailed || !strings.HasPrefix(f.Error, "given up after 5 attempts") {
		t.Errorf("deadly: %s %q", f.Status, f.Error)
	}
}

// TestManyExportsOnManyProcesses: on shared parts, several processes, of which
// some stop without a word, do everything once.
func TestManyExportsOnManyProcesses(t *testing.T) {
	p := newPlace(t, store.Config{Database: migrated.Postgres(t, storetest.Postgres(t)), Redis: storetest.Redis(t), Storage: storetest.S3(t)})
	var mu sync.Mutex
	made := map[string]int{}
	do := func(_ context.Context, r export.Request) (*export.File, error) {
		time.Sleep(time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		made[r.Report]++
		return printed(r), nil
	}
	starter := New(Config{Store: p.store})
	var ids []int
	for i := range 60 {
		ids = append(ids, p.start(starter, export.Request{Report: "r" + string(rune('A'+i))}))
	}
	// A process dies with five tasks in its hands.
	if tasks, err := p.store.ClaimTasks(t.Context(), store.Claim{Owner: "dead", Worst: store.Batch, Most: 5, Lease: 200 * time.Millisecond}); err != nil || len(tasks) != 5 {
		t.Fatal(tasks, err)
	}
	for range 3 {
		p.service(do)
	}
	for _, id := range ids {
		if f := p.ended(id); f.Status != store.ExportCompleted {
			t.Errorf("export %d: %s %s", id, f.Status, f.Error)
		}
	}
	p.idle()
	for name, n := range made {
		if n != 1 {
			t.Errorf("%s was made %d times", name, n)
		}
	}
}

func TestIdempotentStart(t *testing.T) {
	p := newPlace(t, store.Config{})
	s := New(Config{Store: p.store})
	req := ExportRequest{Request: export.Request{Workspace: p.ws, UserID: p.user, Report: "1"}}
	first, err := s.StartExport(t.Context(), req, "order-1")
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.StartExport(t.Context(), req, "order-1")
	if err != nil || again != first {
		t.Errorf("sent again: %d, %v; want %d", again, err, first)
	}
	req.Password = "other"
	_, err = s.StartExport(t.Context(), req, "order-1")
	var problem *report.Problem
	if !errors.As(err, &problem) || problem.Kind != report.Conflict {
		t.Errorf("the key with another password: %v", err)
	}
}

// One workspace cannot fill the queue of all.
func TestTheQueueOfAWorkspaceIsBounded(t *testing.T) {
	p := newPlace(t, store.Config{})
	s := New(Config{Store: p.store, Queue: 3})
	req := ExportRequest{Request: export.Request{Workspace: p.ws, UserID: p.user, Report: "1"}}
	for range 3 {
		if _, err := s.StartExport(t.Context(), req, ""); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.StartExport(t.Context(), req, "")
	var problem *report.Problem
	if !errors.As(err, &problem) || problem.Kind != report.Busy || !strings.Contains(problem.Message, "has 3 exports in the queue") {
		t.Errorf("%v", err)
	}
	task, err := p.store.ClaimTasks(t.Context(), store.Claim{Owner: "w", Worst: store.Interactive, Most: 1, Lease: time.Minute})
	if err == nil {
		err = p.store.FinishTask(t.Context(), &task[0])
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.StartExport(t.Context(), req, ""); err != nil {
		t.Errorf("after one is done: %v", err)
	}
}
