package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/scripting"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

var manyKills = flag.Bool("faults", false, "TestTheLedgerSurvivesKills, see make check-faults")

// killedWorker is where a process of TestTheLedgerSurvivesKills works.
type killedWorker struct{ Database, Storage, Folder string }

// killedWorkerOf is the variable of a process that is one.
const killedWorkerOf = "QUIRE_TEST_LEDGER_WORKER"

// killedWorkerMain works until it is killed, if this process is to.
func killedWorkerMain() {
	text := os.Getenv(killedWorkerOf)
	if text == "" {
		return
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0) // the test has ended
	}()
	if err := workUntilKilled(text); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func workUntilKilled(text string) error {
	var w killedWorker
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		return err
	}
	ctx := context.Background()
	st, err := store.Open(ctx, store.Config{Database: w.Database, Storage: w.Storage, Key: placeKey, Vector: placeVector, Unsynced: true, Connections: 16})
	if err != nil {
		return err
	}
	engine := scripting.New(scripting.Config{})
	batch := export.New(export.Config{Definitions: st, Loader: data.NewLoader(data.Config{Scripts: engine}), Scripts: engine})
	return New(Config{
		Store: st, Batch: batch, Export: sleeper{}, Deliver: keyed{w.Folder},
		Workers: 8, Lease: 3 * time.Second, Poll: 100 * time.Millisecond, Tick: time.Second, Backoff: 50 * time.Millisecond,
	}).Work(ctx)
}

// keyed is a destination that takes each key once: a file of the delivery and the key.
type keyed struct{ folder string }

func (k keyed) Deliver(_ context.Context, d Delivery, documents []report.Document) (Receipt, error) {
	if len(documents) != 1 {
		return "", &Uncertain{fmt.Sprintf("%d documents", len(documents))}
	}
	name := strings.Join([]string{d.Run, d.Entry, d.Settings["as"].(string), documents[0].Name, d.Key}, "~")
	f, err := os.OpenFile(filepath.Join(k.folder, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist) && d.Interrupted:
		return `{"again":true}`, nil
	case errors.Is(err, fs.ErrExist):
		return "", &Uncertain{"the key is known, though no attempt was cut short"}
	case err != nil:
		return "", err
	}
	return "{}", f.Close()
}

// TestTheLedgerSurvivesKills runs three jobs of two workspaces, of 10,000 entries with two
// deliveries each, one of them after a review, on PostgreSQL behind PgBouncer, with four processes. They are killed
// again and again, the connections to the server are broken, and it is restarted. Every
// document must arrive once at each destination.
func TestTheLedgerSurvivesKills(t *testing.T) {
	if !*manyKills {
		t.Skip("takes minutes; runs with -faults")
	}
	server := storetest.PrivatePostgres(t)
	direct := migrated.Postgres(t, server)
	p := newPlace(t, store.Config{Database: storetest.PgBouncer(t, direct), Storage: "file://" + t.TempDir()})
	other, err := p.store.ImportWorkspace(t.Context(), report.Workspace{Version: report.Version, Name: "Other", Code: "other"})
	if err != nil {
		t.Fatal(err)
	}
	second := *p
	second.ws = other.Workspace.ID
	folder := t.TempDir()
	f := &killing{t: t, server: server, direct: direct, worker: killedWorker{p.config.Database, p.config.Storage, folder}}
	runs := []*killedRun{
		{place: p, job: "large", entries: 8000},
		{place: p, job: "small", entries: 500},
		{place: &second, job: "other", entries: 1500, reviewed: true},
	}
	s := New(Config{Store: p.store})
	for _, r := range runs {
		job := letters(r.entries)
		job.Name, job.Code, job.ReviewRequired = r.job, r.job, r.reviewed
		job.Deliveries = []report.JobDelivery{{Type: "local", Settings: map[string]any{"as": "a"}}, {Type: "local", Settings: map[string]any{"as": "b"}}}
		r.place.job(job)
		r.id = r.place.run(s, r.job)
	}
	began := time.Now()
	f.until(func() bool { return finishedAll(t, s, runs) })
	t.Logf("10,000 entries in %v; killed %d times, connections broken %d times, PostgreSQL restarted %d times",
		time.Since(began).Round(time.Second), f.kills.Load(), f.broken, f.restarts)
	lost, doubled := compareDelivered(t, runs, folder)
	t.Logf("lost: %d, doubled: %d", lost, doubled)
	if lost != 0 || doubled != 0 || f.kills.Load() < 100 {
		t.Error("want none, after at least 100 kills")
	}
}

// killedRun is a run of the test and what its status was last.
type killedRun struct {
	*place
	job     string
	entries int
	id      int
	last    *RunStatus

	reviewed bool // all of it is approved as soon as it is made
}

// finishedAll tells whether all runs are finished; a database that is away says nothing.
func finishedAll(t *testing.T, s *Service, runs []*killedRun) bool {
	all := true
	for _, r := range runs {
		status, err := s.Status(t.Context(), r.ws, r.job, r.id)
		if err != nil && store.Away(err) == nil {
			t.Fatal(err)
		}
		if err == nil {
			r.last = status
		}
		if err == nil && status.Finished && status.Review > 0 {
			if _, err := s.Deliver(t.Context(), r.ws, r.job, r.id); err != nil && store.Away(err) == nil {
				t.Fatal(err)
			}
		}
		all = all && err == nil && status.Finished && status.Review == 0
	}
	return all
}

// compareDelivered compares what the destinations have with the entries.
func compareDelivered(t *testing.T, runs []*killedRun, folder string) (lost, doubled int) {
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	arrived := map[string]int{}
	for _, f := range list {
		arrived[f.Name()[:strings.LastIndex(f.Name(), "~")]]++ // without the key
	}
	for _, r := range runs {
		for i := range r.entries {
			for _, as := range []string{"a", "b"} {
				name := fmt.Sprintf("%d~%d~%s~Customer %d.pdf", r.id, i+1, as, i)
				if arrived[name] == 0 {
					lost++
				}
				doubled += max(0, arrived[name]-1)
				delete(arrived, name)
			}
		}
		if r.last.Entries != r.entries || r.last.Completed != r.entries {
			t.Errorf("%s ended as %+v", r.job, r.last)
		}
	}
	if len(arrived) > 0 {
		t.Errorf("%d arrived that belong to no entry", len(arrived))
	}
	return lost, doubled
}

// killing keeps four processes at work and breaks what it can.
type killing struct {
	t      *testing.T
	server *storetest.PostgresServer
	direct string // address of the database without the pooler
	worker killedWorker

	kills            atomic.Int32
	broken, restarts int
}

// most is how often processes are killed at most.
const most = 300

// until works and breaks until done.
func (k *killing) until(done func() bool) {
	ctx, stop := context.WithCancel(k.t.Context())
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() { k.process(ctx, rand.New(rand.NewPCG(1, uint64(i)))) })
	}
	begin := time.Now()
	for n := 1; !done(); n++ {
		if time.Since(begin) > 30*time.Minute {
			k.t.Error("it does not end")
			break
		}
		time.Sleep(time.Second)
		if n%5 == 0 && k.breakConnections() == nil {
			k.broken++
		}
		if n%40 == 0 {
			k.server.Restart(k.t, 500*time.Millisecond)
			k.restarts++
		}
	}
	stop()
	all.Wait()
}

func (k *killing) breakConnections() error {
	db, err := sql.Open("pgx", k.direct)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
	return err
}

// process starts a worker, kills it after some seconds and starts it again.
func (k *killing) process(ctx context.Context, random *rand.Rand) {
	text, err := json.Marshal(k.worker)
	if err != nil {
		k.t.Error(err)
		return
	}
	for ctx.Err() == nil {
		lives := time.Duration(300+random.IntN(2200)) * time.Millisecond
		if k.kills.Load() >= most {
			lives = time.Hour
		}
		living, kill := context.WithTimeout(ctx, lives)
		cmd := exec.CommandContext(living, os.Args[0])
		cmd.Env = append(os.Environ(), killedWorkerOf+"="+string(text))
		input, err := cmd.StdinPipe() // it ends with this process
		if err == nil {
			_ = cmd.Run() // most end by being killed
		}
		if errors.Is(living.Err(), context.DeadlineExceeded) {
			k.kills.Add(1)
		} else if ctx.Err() == nil {
			select { // the server restarts
			case <-ctx.Done():
			case <-time.After(200 * time.Millisecond):
			}
		}
		kill()
		if input != nil {
			_ = input.Close()
		}
	}
}
