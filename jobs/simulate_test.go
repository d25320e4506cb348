package jobs

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
	"github.com/quire-reports/quire/store"
)

var wholeDays = flag.Bool("simulate", false, "TestADayOfManyWorkspaces, see make simulate")

// world is an installation whose time is simulated. Its processes, the queue, the turns
// and the slices are the real ones; only the printer and the destination sleep, and all
// clocks are those of the simulation.
type world struct {
	workspaces, processes, places int
	load                          float64       // of the time of all places, over all that comes
	lasts                         time.Duration // for how long work comes
	database                      string
	*testing.T
	*place
	ids []int

	mu      sync.Mutex
	random  *rand.Rand                 // how long documents take
	coming  *rand.Rand                 // what comes, which is the same however it is worked on
	waits   map[string][]time.Duration // until something begins, by its kind
	waiting map[int]int                // documents, by workspace
	window  window
	seen    []window
	open    int // documents that are not made
}

// window is what happened between two looks.
type window struct {
	least map[int]int           // how few documents of a workspace waited
	had   map[int]time.Duration // time of places that workspaces were given
	begun map[int]int           // documents of them that were begun
	busy  time.Duration
	tasks int // documents and deliveries
}

const (
	// meanDocument is how long a document takes, on average, and a delivery always.
	meanDocument, oneDelivery = 2 * time.Minute, 2 * time.Second
	lookEvery                 = 10 * time.Minute
)

// arrival is a kind of what comes: how many of a hundred, and of how many documents.
type arrival struct {
	kind        string
	share       float64
	least, most int
}

func arrivals() []arrival {
	return []arrival{
		{"export that somebody waits for", 60, 1, 1},
		{"entry of a run of 1 to 20", 39.5, 1, 20},
		{"entry of a run of 200 to 2,000", 0.5, 200, 2000},
	}
}

// Export sleeps for as long as a document takes.
func (w *world) Export(_ context.Context, req export.Request) (*export.File, error) {
	w.mu.Lock()
	takes := time.Duration(float64(meanDocument) * math.Exp(w.random.NormFloat64()*0.8-0.32)) // lognormal, of that mean
	of, _ := req.Params.Get("of")
	at, _ := req.Params.Get("at")
	came, _ := time.Parse(time.RFC3339Nano, fmt.Sprint(at))
	kind := fmt.Sprint(of)
	w.waits[kind] = append(w.waits[kind], time.Since(came))
	w.waiting[req.Workspace]--
	if n := w.waiting[req.Workspace]; n < w.window.least[req.Workspace] {
		w.window.least[req.Workspace] = n
	}
	w.window.had[req.Workspace] += takes
	w.window.begun[req.Workspace]++
	w.window.busy += takes
	w.window.tasks++
	w.mu.Unlock()
	time.Sleep(takes)
	w.mu.Lock()
	w.open--
	w.mu.Unlock()
	return printed(req), nil
}

func (w *world) CheckNames(context.Context, export.Request) error { return nil }

func (w *world) Deliver(context.Context, Delivery, []report.Document) (Receipt, error) {
	w.mu.Lock()
	w.window.tasks++
	w.mu.Unlock()
	time.Sleep(oneDelivery)
	return "{}", nil
}

// simulatedData is the data of runs: as many rows as their data say.
type simulatedData struct{ Batch }

func (simulatedData) CheckRun(context.Context, export.BatchRequest) error { return nil }

func (simulatedData) LoadBatch(_ context.Context, req export.BatchRequest) (*export.Batch, error) {
	rows, _ := req.Data.Get("rows")
	return &export.Batch{Params: report.ObjectOf(), Data: report.ObjectOf("rows", rows)}, nil
}

func (simulatedData) Texts(_ context.Context, req export.TextRequest) (*text.Env, error) {
	return &text.Env{Now: req.Now, Scope: text.ScopeFunc(req.Lookup)}, nil
}

// begin makes the workspaces and starts the processes.
func (w *world) begin() *Service {
	w.place = newPlace(w.T, store.Config{Database: w.database, Clock: time.Now, Exclusive: true})
	job := report.Job{
		Name: "Letters", Code: "letters", Active: true, Repeat: "rows",
		DataSources: []report.SourceUse{{DataSource: report.DataSource{Name: "rows", Type: "json", Settings: map[string]any{"content": "[]"}}}},
		Reports:     []report.JobReport{{Report: "letter", Params: map[string]any{"of": "{$record.of}", "at": "{$record.at}"}}},
		Deliveries:  []report.JobDelivery{{Type: "local", Settings: map[string]any{"to": "x"}}},
	}
	for i := range w.workspaces {
		ws, err := w.store.ImportWorkspace(w.Context(), report.Workspace{Version: report.Version, Name: fmt.Sprint("Workspace ", i), Code: fmt.Sprint("w", i)})
		if err != nil {
			w.Fatal(err)
		}
		w.ws = ws.Workspace.ID
		w.ids = append(w.ids, w.ws)
		w.job(job)
	}
	var first *Service
	for range w.processes {
		s, _ := w.service(nil, func(c *Config) {
			c.Export, c.Batch, c.Deliver = w, simulatedData{}, w
			c.Workers, c.Poll, c.Clock, c.Tick = w.places, 5*time.Second, time.Now, time.Hour
		})
		if first == nil {
			first = s
		}
	}
	return first
}

// zipf is how much of all that comes is of a workspace: of the first twice as much as of
// the second, three times as much as of the third.
func (w *world) zipf() []float64 {
	sums, sum := make([]float64, w.workspaces), 0.0
	for i := range sums {
		sum += 1 / float64(i+1)
		sums[i] = sum
	}
	for i := range sums {
		sums[i] /= sum
	}
	return sums
}

// perDocument is the time of places that a document takes with its delivery.
func perDocument() time.Duration { return meanDocument + oneDelivery }

// comes makes what comes, until that ends. By day, the first half, twice as much comes as
// at night; large runs come then.
func (w *world) comes(s *Service) {
	began, sums := time.Now(), w.zipf()
	mean := 0.0 // documents of an arrival
	for _, a := range arrivals() {
		mean += a.share / 100 * float64(a.least+a.most) / 2
	}
	every := float64(perDocument()) * mean / (w.load * float64(w.processes*w.places))
	for {
		w.mu.Lock()
		wait, which, of := w.coming.ExpFloat64()*every, w.coming.Float64(), w.coming.Float64()*100
		size := w.coming.Float64()
		w.mu.Unlock()
		if night := time.Since(began) > w.lasts/2; night {
			wait *= 1.5
		} else {
			wait *= 0.75
		}
		time.Sleep(time.Duration(wait))
		if time.Since(began) > w.lasts {
			return
		}
		at, _ := slices.BinarySearch(sums, which)
		ws := w.ids[min(at, len(w.ids)-1)]
		for _, a := range arrivals() {
			if of -= a.share; of < 0 {
				w.arrives(s, ws, a, a.least+int(size*float64(a.most-a.least+1)))
				break
			}
		}
	}
}

func (w *world) arrives(s *Service, ws int, a arrival, documents int) {
	w.mu.Lock()
	w.waiting[ws] += documents
	w.open += documents
	w.mu.Unlock()
	now := time.Now().Format(time.RFC3339Nano)
	var err error
	if a.most == 1 {
		_, err = s.StartExport(w.Context(), ExportRequest{Request: export.Request{Workspace: ws, UserID: w.user, Report: "letter", Params: report.ObjectOf("of", a.kind, "at", now)}}, "")
	} else {
		rows := make([]any, documents)
		for i := range rows {
			rows[i] = report.ObjectOf("of", a.kind, "at", now)
		}
		_, err = s.StartRun(w.Context(), RunRequest{Workspace: ws, UserID: w.user, Job: "letters", Data: report.ObjectOf("rows", rows)}, "")
	}
	if err != nil {
		w.Error(err)
	}
}

// looks notes what happened between looks until ctx ends.
func (w *world) looks(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		w.mu.Lock()
		w.seen = append(w.seen, w.window)
		w.window = newWindow(w.waiting)
		w.mu.Unlock()
	}
}

func newWindow(waiting map[int]int) window {
	least := map[int]int{}
	for ws, n := range waiting {
		if n > 0 {
			least[ws] = n
		}
	}
	return window{least: least, had: map[int]time.Duration{}, begun: map[int]int{}}
}

// jain is Jain's index: 1 when all have the same, 1/n when one of n has all.
func jain(had []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, x := range had {
		sum, squares = sum+x, squares+x*x
	}
	if squares == 0 {
		return 1
	}
	return sum * sum / (float64(len(had)) * squares)
}

// muchWaits is from how many documents on that wait all the time a workspace asks for more
// than it gets.
const muchWaits = 100

// fairness is Jain's index over the workspaces of which much waited all through a
// window, by documents that were begun and by time; nil when that were less than two.
func (v window) fairness() (byTurns, byTime []float64) {
	var turns, times []float64
	for ws, n := range v.least {
		if n >= muchWaits {
			turns, times = append(turns, float64(v.begun[ws])), append(times, v.had[ws].Seconds())
		}
	}
	if len(turns) < 2 {
		return nil, nil
	}
	return []float64{jain(turns)}, []float64{jain(times)}
}

// simulated is what came of it.
type simulated struct {
	rows        []string // of a table
	turns, time float64  // Jain's index, the mean of all windows
	worst       float64  // of the turns
	compared    int      // windows in which much of two workspaces or more waited
	fullest     float64  // share of the places that were taken in the fullest window
	rate        float64  // tasks a second then
	documents   int
	took        time.Duration
}

func (w *world) simulate() (result simulated) {
	w.random, w.coming = rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(3, 4))
	w.waits, w.waiting = map[string][]time.Duration{}, map[int]int{}
	w.window = newWindow(nil)
	s := w.begin()
	ctx, stop := context.WithCancel(w.Context())
	var looking sync.WaitGroup
	looking.Go(func() { w.looks(ctx) })
	began := time.Now()
	w.comes(s)
	for end := time.Now().Add(4 * w.lasts); w.left() > 0; time.Sleep(time.Second) {
		if time.Now().After(end) {
			w.Fatalf("%d documents are left", w.left())
		}
	}
	result.took = time.Since(began)
	stop()
	looking.Wait()
	w.conclude(&result)
	return result
}

func (w *world) left() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.open
}

func (w *world) conclude(r *simulated) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range arrivals() {
		waits := w.waits[a.kind]
		slices.Sort(waits)
		r.documents += len(waits)
		cells := []string{a.kind, fmt.Sprint(len(waits))}
		for _, p := range []float64{0.5, 0.9, 0.95, 0.99, 1} {
			cells = append(cells, shortly(percentile(waits, p)))
		}
		r.rows = append(r.rows, "| "+strings.Join(cells, " | ")+" |")
	}
	var turns, times []float64
	r.worst = 1
	for _, v := range w.seen {
		byTurns, byTime := v.fairness()
		turns, times = append(turns, byTurns...), append(times, byTime...)
		full := v.busy.Seconds() / (lookEvery.Seconds() * float64(w.processes*w.places))
		r.fullest = min(max(r.fullest, full), 1) // what was begun counts whole
		r.rate = max(r.rate, float64(v.tasks)/lookEvery.Seconds())
	}
	r.turns, r.time, r.compared = mean(turns), mean(times), len(turns)
	for _, x := range turns {
		r.worst = min(r.worst, x)
	}
}

func mean(of []float64) float64 {
	sum := 0.0
	for _, x := range of {
		sum += x
	}
	return sum / math.Max(1, float64(len(of)))
}

func percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(p*float64(len(sorted))), len(sorted)-1)]
}

// shortly writes a time for a table.
func shortly(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 10*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f min", d.Minutes())
}

// TestADayOfManyWorkspaces lets real processes work on what many workspaces ask for, in
// a time that is simulated.
func TestADayOfManyWorkspaces(t *testing.T) {
	if !*wholeDays {
		t.Skip("takes minutes; runs with -simulate")
	}
	loads := []float64{0.7, 0.9, 1.1}
	size := func() *world { return &world{workspaces: 1000, processes: 25, places: 8, lasts: 24 * time.Hour} }
	for _, load := range loads {
		t.Run(fmt.Sprintf("load %.0f %%", 100*load), func(t *testing.T) {
			begin := time.Now()
			var r simulated
			database := migrated.SQLite(t)
			synctest.Test(t, func(t *testing.T) {
				w := size()
				w.T, w.load, w.database = t, load, database
				r = w.simulate()
			})
			t.Logf("%d documents in %v of simulated time, %v of real time", r.documents, r.took.Round(time.Minute), time.Since(begin).Round(time.Second))
			t.Logf("Jain's index by turns %.3f (worst %.3f), by time %.3f, in %d windows; places taken %.0f %%, %.1f tasks/s at most", r.turns, r.worst, r.time, r.compared, 100*r.fullest, r.rate)
			t.Log("\n" + strings.Join(r.rows, "\n"))
			if r.compared == 0 || r.turns < 0.9 {
				t.Errorf("turns are not fair, or nobody waited: Jain's index is %.3f in %d windows", r.turns, r.compared)
			}
		})
	}
}
