package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gocloud.dev/blob"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

var allFaults = flag.Bool("faults", false, "TestARunSurvivesFaults with 1,000 entries and ten seconds without S3, see make check-faults")

// smallSlices is the build tag of a program of whose runs only a few entries wait in the
// queue, as otherwise of those with more than 5,000.
const smallSlices = "smallslices"

// faultSize is how much a fault test does.
type faultSize struct {
	entries, exports int
	every            time.Duration // between two kills
	storageAway      time.Duration
}

// TestARunSurvivesFaults runs a job with three deliveries an entry and two of the run on
// PostgreSQL, Redis and S3, with a service and three workers. Meanwhile workers
// and browsers are killed, PostgreSQL and Redis are restarted, and the network
// to S3 is cut. Every entry must be delivered once, and nothing be left behind.
func TestARunSurvivesFaults(t *testing.T) {
	size := faultSize{entries: 60, exports: 6, every: 500 * time.Millisecond, storageAway: 2 * time.Second}
	switch {
	case *allFaults:
		size = faultSize{entries: 1000, exports: 40, every: time.Second, storageAway: 10 * time.Second}
	case testing.Short():
		t.Skip("takes half a minute")
	}
	if _, err := render.FindBrowser(""); err != nil {
		judges.Missing(t, "needs chromium-headless-shell or chromium")
	}
	c := newCluster(t, newProgram(t, smallSlices))
	putJob(t, c.store, size.entries, toAllDestinations)
	for range 3 {
		c.workers = append(c.workers, c.program.worker(t, c.env...))
	}
	began := time.Now()
	run := c.begin(t, "/jobs/invoices/runs", "{}", "jobRunId", "the-run")
	got, exports := c.survive(t, run, size)
	took := time.Since(began)

	delivered := c.compare(t, run, size.entries)
	c.compareExports(t, exports)
	c.stop(t)
	c.nothingLeft(t, len(exports), size.entries)
	lost := size.entries - min(got.Status.Completed, delivered.whole)
	t.Logf("%d entries in %v (%.1f a second), finished %v", got.Entries, took.Round(time.Second), float64(got.Entries)/took.Seconds(), got.Finished)
	t.Logf("faults injected: %d (workers killed: %d, browser processes killed: %d, PostgreSQL restarted: 1, Redis restarted: 1, S3 away for %v: 1, answers of the webhook lost: %d)",
		c.workersKilled+c.browsersKilled+3+c.hook.dropped, c.workersKilled, c.browsersKilled, size.storageAway, c.hook.dropped)
	t.Logf("requests the webhook knew by their key: %d", c.hook.again)
	t.Logf("entries lost: %d", lost)
	t.Logf("entries doubled: %d", delivered.doubled)
	if got.ErrorMessage != nil {
		t.Errorf("the run says %q", *got.ErrorMessage)
	}
	if lost != 0 || delivered.doubled != 0 || got.Status.Completed != size.entries {
		t.Errorf("%+v", got)
	}
	if c.workersKilled == 0 || c.browsersKilled == 0 {
		t.Error("too little was killed to test anything")
	}
}

// TestARunSurvivesKills runs a job on SQLite, in a service that is killed again and again.
// Every entry must be delivered once.
func TestARunSurvivesKills(t *testing.T) {
	if !*allFaults {
		t.Skip("takes minutes; runs with -faults")
	}
	startService(t) // skips without a browser
	const entries, most = 400, 100
	p, hook, folder := newProgram(t, smallSlices), newHookReceiver(t), t.TempDir()
	env := []string{"Deliveries__Folders=" + folder, "Egress__AllowHosts=127.0.0.1"}
	r := p.start(t, env...)
	s, err := loadSettings("", append(slices.Clone(env), "DataDir="+p.dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	st, err := openStore(t.Context(), s, slog.New(slog.DiscardHandler), false)
	if err != nil {
		t.Fatal(err)
	}
	demo, err := st.WorkspaceByCode(t.Context(), "demo")
	if err == nil {
		err = st.PutConnection(t.Context(), demo.ID, store.Connection{Name: "customer", Type: "webhook", Address: report.Secret(`{"address": "` + hook.url + `", "secret": "0123456789abcdef"}`)})
	}
	if err != nil {
		t.Fatal(err)
	}
	putJob(t, st, entries, func(j *report.Job) {
		j.Deliveries = []report.JobDelivery{
			{Type: "local", Settings: map[string]any{"path": "invoices"}},
			{Type: "webhook", Connection: "customer", Settings: map[string]any{"content": "multipart"}},
		}
	})
	defer st.Close()
	run := asker{r.url, p.token}.run(t)
	kills := 0
	var before runState
	for kills < most && !before.Finished {
		time.Sleep(time.Duration(500+(kills*337)%1500) * time.Millisecond) // while different things are being done
		// On a busy machine something must be done before the next kill, or else nothing ever is.
		now, ok := asker{r.url, p.token}.state(run)
		if !ok || now == before {
			continue
		}
		if before = now; !now.Finished {
			r.kill(t)
			r = p.start(t, env...)
			kills++
		}
	}
	got := asker{r.url, p.token}.finished(t, run, 20*time.Minute) // what was alone when it was killed waits
	files, err := os.ReadDir(filepath.Join(folder, "invoices"))
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]int{}
	for _, d := range hook.taken {
		told[d.entry]++
	}
	doubled := len(hook.differs) + max(0, len(files)-entries)
	for _, n := range told {
		doubled += n - 1
	}
	lost := entries - min(got.Status.Completed, len(files), len(told))
	id, _ := strconv.Atoi(run[strings.LastIndex(run, "/")+1:])
	list, err := st.Entries(t.Context(), id, 0, entries+1)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.State != store.EntryCompleted {
			t.Errorf("entry %d is %s: %s", e.Position, e.State, e.Error)
		}
	}
	t.Logf("killed %d times, %d entries, lost: %d, doubled: %d; requests the webhook knew by their key: %d", kills, got.Entries, lost, doubled, hook.again)
	if lost != 0 || doubled != 0 || kills < most/4 {
		t.Errorf("%+v", got)
	}
}

// toAllDestinations lets a job deliver to all destinations of a cluster, entry by entry and
// as a whole.
func toAllDestinations(j *report.Job) {
	j.Deliveries = []report.JobDelivery{
		{Type: "local", Settings: map[string]any{"path": "invoices"}},
		{Type: "webhook", Connection: "customer", Settings: map[string]any{"content": "multipart"}},
		{Type: "s3", Connection: "archive", Settings: map[string]any{"path": "invoices"}},
		{Per: report.PerRun, Pack: report.PackZIP, PackName: "All", Type: "local", Settings: map[string]any{"path": "run"}},
		{Per: report.PerRun, Pack: report.PackZIP, Type: "webhook", Connection: "customer", Settings: map[string]any{"content": "multipart"}},
	}
}

// cluster is a service with three workers on servers of their own.
type cluster struct {
	program  *program
	env      []string
	temp     string // temporary folder of all processes
	folder   string // of the deliveries
	postgres *storetest.PostgresServer
	redis    *storetest.RedisServer
	s3       *storetest.S3Server
	network  *brokenNet
	hook     *hookReceiver
	settings *settings
	store    *store.Store
	serve    *running
	workers  []*running
	asker    asker

	storageBack                   time.Time
	workersKilled, browsersKilled int
}

// newCluster starts a program as its service; env is for all its processes.
func newCluster(t *testing.T, of *program, env ...string) *cluster {
	t.Helper()
	c := &cluster{program: of, folder: t.TempDir(), hook: newHookReceiver(t)}
	var err error
	if c.temp, err = os.MkdirTemp("", "quire-faults-"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(c.temp) })
	c.postgres, c.redis, c.s3 = storetest.PrivatePostgres(t), storetest.PrivateRedis(t), storetest.PrivateS3(t, "quire", "archive")
	c.network = newBrokenNet(t, c.s3.Endpoint)
	c.env = []string{
		"ConnectionStrings__Database=" + c.postgres.Database(t), "ConnectionStrings__Redis=" + c.redis.Address(),
		"Storage__Url=" + c.s3.Storage("quire", c.network.url), "Deliveries__Folders=" + c.folder, "Egress__AllowHosts=127.0.0.1",
		"Browser__Workers=1", "Exports__Workers=2", "TMPDIR=" + c.temp,
	}
	c.env = append(c.env, env...)
	c.serve = c.program.start(t, c.env...)
	c.asker = asker{c.serve.url, c.program.token}
	if c.settings, err = loadSettings("", append(slices.Clone(c.env), "DataDir="+c.program.dir), nil); err != nil {
		t.Fatal(err)
	}
	c.settings.Storage = c.s3.Storage("quire", c.s3.Endpoint) // the test itself has no faults
	if c.store, err = openStore(t.Context(), c.settings, slog.New(slog.DiscardHandler), false); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.store.Close() })
	demo, err := c.store.WorkspaceByCode(t.Context(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	for _, connection := range []store.Connection{
		{Name: "customer", Type: "webhook", Address: report.Secret(`{"address": "` + c.hook.url + `", "secret": "0123456789abcdef"}`)},
		{Name: "archive", Type: "s3", Address: report.Secret(fmt.Sprintf(`{"endpoint": %q, "bucket": "archive", "accessKey": %q, "secretKey": %q}`, c.network.url, c.s3.AccessKey, c.s3.SecretKey))},
	} {
		if err := c.store.PutConnection(t.Context(), demo.ID, connection); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// begin starts something as a client does that may not start it twice: with a
// key, until it is told that it was accepted.
func (c *cluster) begin(t *testing.T, path, body, member, key string) string {
	t.Helper()
	var status int
	var answer []byte
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		var err error
		if status, answer, err = c.asker.doWith("POST", path, body, map[string]string{"Idempotency-Key": key}); err == nil && (status == 200 || status == 202) {
			return path + "/" + numberOf(t, answer, member)
		}
		if err == nil && status < 500 {
			break
		}
	}
	t.Fatalf("%s: %d %s", path, status, answer)
	return ""
}

// patience is how many times the pause between two kills is waited for progress.
const patience = 10

// survive injects faults until the run has finished.
func (c *cluster) survive(t *testing.T, run string, size faultSize) (runState, []string) {
	t.Helper()
	var exports []string
	parts := []struct {
		name string
		harm func()
	}{
		{"Redis", func() { c.redis.Restart(t, time.Second) }},
		{"PostgreSQL", func() { c.postgres.Restart(t, time.Second) }},
		{"S3", func() {
			c.network.cut(true)
			c.storageBack = time.Now().Add(size.storageAway)
			time.AfterFunc(size.storageAway, func() { c.network.cut(false) })
		}},
	}
	harmed := 0
	var before runState
	var killed time.Time
	for end := time.Now().Add(15 * time.Minute); time.Now().Before(end); time.Sleep(size.every) {
		state, ok := c.asker.state(run)
		if ok && state.Finished && harmed == len(parts) {
			return state, exports
		}
		if len(exports) < size.exports {
			export := c.begin(t, "/reports/invoice/export", "{}", "temporaryFileId", "export-"+strconv.Itoa(len(exports)))
			exports = append(exports, export[strings.LastIndex(export, "/")+1:])
		}
		// One part after the other is harmed, spread over the run.
		if ok && harmed < len(parts) && state.Status.Completed*(len(parts)+1) >= size.entries*(harmed+1) {
			t.Logf("%s goes away after %d entries", parts[harmed].name, state.Status.Completed)
			parts[harmed].harm()
			harmed++
			continue
		}
		// On a busy machine a new worker must get to its first entry before it
		// is killed, or else nothing is ever done.
		if (!ok || !state.Finished) && (state.Status != before.Status || time.Since(killed) > patience*size.every) {
			c.killSomething(t)
			before, killed = state, time.Now()
		}
	}
	state, _ := c.asker.state(run)
	t.Fatalf("the run does not finish: %+v", state)
	return state, nil
}

// killSomething kills a worker, which is replaced, or a browser process, which
// the worker has to replace. While the storage is away no worker can start: it ends with
// an error, and what keeps it running, which the test has not, would start it again.
func (c *cluster) killSomething(t *testing.T) {
	t.Helper()
	pids := []int{c.serve.process.Process.Pid}
	for _, w := range c.workers {
		pids = append(pids, w.process.Process.Pid)
	}
	found := browsers(t, pids...)
	if rand.IntN(2) == 0 && len(found) > 0 {
		if killProcess(found[rand.IntN(len(found))]) {
			c.browsersKilled++
		}
		return
	}
	if time.Now().Before(c.storageBack) {
		return
	}
	i := rand.IntN(len(c.workers))
	c.workers[i].kill(t)
	c.workers[i] = c.program.worker(t, c.env...)
	c.workersKilled++
}

// delivered is what the destinations hold of a run.
type delivered struct{ whole, doubled int }

// compare fetches every document back from where it was delivered, compares it
// with the one that was made and looks for what is there twice.
func (c *cluster) compare(t *testing.T, run string, entries int) (found delivered) {
	t.Helper()
	id, err := strconv.Atoi(run[strings.LastIndex(run, "/")+1:])
	if err != nil {
		t.Fatal(err)
	}
	list, err := c.store.Entries(t.Context(), id, 0, entries+1)
	if err != nil || len(list) != entries {
		t.Fatalf("%d entries, %v", len(list), err)
	}
	counts := store.Counts{}
	for _, e := range list {
		counts[e.State]++
	}
	if told, err := c.store.RunCounts(t.Context(), id); err != nil || !maps.Equal(told, counts) {
		t.Errorf("by the counts of the run its entries are %v, by the entries %v; %v", told, counts, err)
	}
	archive := openBucket(t, c.s3.Storage("archive", c.s3.Endpoint))
	hooks := map[string][]hookDelivery{}
	for _, d := range c.hook.taken {
		hooks[d.entry] = append(hooks[d.entry], d)
	}
	all := map[string]string{} // SHA-256 by name
	for _, e := range list {
		documents, err := c.store.Documents(t.Context(), e.ID)
		if err != nil || len(documents) != 1 || documents[0].Name != fmt.Sprintf("Invoice 2026-%04d.pdf", e.Position) {
			t.Errorf("entry %d (%s %s): %+v %v", e.Position, e.State, e.Error, documents, err)
			continue
		}
		content, err := c.store.OpenDocument(t.Context(), &documents[0])
		if err != nil {
			t.Fatal(err)
		}
		made, err := io.ReadAll(content)
		if err := errors.Join(err, content.Close()); err != nil {
			t.Fatal(err)
		}
		all[documents[0].Name] = sha(made)
		filed, errFiled := os.ReadFile(filepath.Join(c.folder, "invoices", documents[0].Name))
		stored, errStored := archive.ReadAll(t.Context(), "invoices/"+documents[0].Name)
		told := hooks[strconv.Itoa(e.Position)]
		if len(told) > 1 {
			found.doubled++
			t.Errorf("entry %d reached the webhook as %d deliveries", e.Position, len(told))
		}
		if err := errors.Join(errFiled, errStored); err != nil || len(told) == 0 ||
			!slices.Equal([]string{sha(filed), sha(stored)}, []string{sha(made), sha(made)}) || !slices.Equal(told[0].documents, []string{sha(made)}) {
			t.Errorf("entry %d: made %d, filed %d, stored %d bytes, told %+v, %v", e.Position, len(made), len(filed), len(stored), told, err)
			continue
		}
		found.whole++
	}
	found.doubled += c.surplus(t, archive, entries)
	if n := len(hooks[""]); n != 1 {
		found.doubled += max(0, n-1)
		t.Errorf("the webhook was told %d times of the run as a whole", n)
	}
	packed := zipped(t, filepath.Join(c.folder, "run"))
	if !maps.Equal(packed, all) {
		t.Errorf("the ZIP file of the run has %d documents that are not the %d made", len(packed), len(all))
	}
	for _, key := range c.hook.differs {
		found.doubled++
		t.Errorf("the webhook was sent different bodies with the key %s", key)
	}
	return found
}

// surplus counts the files beyond one for each entry.
func (c *cluster) surplus(t *testing.T, archive *blob.Bucket, entries int) (n int) {
	t.Helper()
	var files []string
	err := filepath.WalkDir(filepath.Join(c.folder, "invoices"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	objects := keysOf(t, archive, "")
	for _, names := range [][]string{files, objects} {
		if len(names) != entries {
			t.Errorf("%d files for %d entries: %q", len(names), entries, unexpected(names))
			n += max(0, len(names)-entries)
		}
	}
	return n
}

// compareExports: the exports that were asked for meanwhile are all there.
func (c *cluster) compareExports(t *testing.T, exports []string) {
	t.Helper()
	for _, text := range exports {
		id, _ := strconv.Atoi(text)
		s := c.asker.ended(t, id)
		code, content, err := c.asker.do("GET", "/exports/"+text+"/content", "")
		if s.Status != "Completed" || err != nil || code != 200 || int64(len(content)) != *s.ContentSize || !strings.HasPrefix(string(content), "%PDF-") {
			t.Errorf("export %s: %s %s, %d, %d bytes, %v", text, s.Status, deref(s.ErrorMessage), code, len(content), err)
		}
	}
}

// stop ends all processes as an operator does.
func (c *cluster) stop(t *testing.T) {
	t.Helper()
	for _, r := range append([]*running{c.serve}, c.workers...) {
		r.stop()
		if !r.process.ProcessState.Success() {
			t.Errorf("a process ended with %v", r.process.ProcessState)
		}
	}
}

// nothingLeft looks for temporary files, processes, tasks and contents that
// belong to nothing.
func (c *cluster) nothingLeft(t *testing.T, exports, entries int) {
	t.Helper()
	if pids := processes(t, c.temp); len(pids) > 0 {
		t.Errorf("%d processes are left: %v", len(pids), pids)
	}
	left, err := os.ReadDir(c.temp)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range left {
		if file.Name() == "quire-worker-alive" {
			continue // a sign of life, which ends with its time and not with its process
		}
		var inside []string
		_ = filepath.WalkDir(filepath.Join(c.temp, file.Name()), func(path string, _ fs.DirEntry, _ error) error {
			inside = append(inside, strings.TrimPrefix(path, c.temp))
			return nil
		})
		t.Errorf("the temporary folder holds %q", inside[:min(20, len(inside))])
	}
	waiting, running, err := c.store.QueueSize(t.Context())
	if err != nil || waiting+running > 0 {
		t.Errorf("%d tasks wait and %d are held, %v", waiting, running, err)
	}
	bucket := openBucket(t, c.settings.Storage)
	before := len(keysOf(t, bucket, ""))
	swept := c.sweepLater(t)
	for prefix, want := range map[string]int{"documents/": entries, "exports/": exports, "runs/": 1, "requests/": 0, "temp/": 0} {
		if keys := keysOf(t, bucket, prefix); len(keys) != want {
			t.Errorf("%d contents in %s; want %d", len(keys), prefix, want)
		}
	}
	t.Logf("contents: %d, of which the sweeper removed %d that belonged to nothing", before, swept)
}

// sweepLater looks for orphans as the service does when they are old enough.
func (c *cluster) sweepLater(t *testing.T) int {
	t.Helper()
	later, err := store.Open(t.Context(), store.Config{
		Database: c.settings.Database, Redis: c.settings.Redis, Storage: c.settings.Storage, Key: c.settings.Key, Vector: c.settings.Vector,
		Clock: func() time.Time { return time.Now().Add(7 * time.Hour) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = later.Close() }()
	swept, err := later.SweepOrphans(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return swept.Orphans
}
