package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

var (
	tenants   = flag.Duration("tenants", 0, "how long TestHonestBesideHostile goes on; make check-tenants takes 10 minutes")
	attacking = flag.String("attacks", "", "which of the attacks TestHonestBesideHostile makes, by their names with commas between, all at once; none alone before")
)

// TestHonestBesideHostile asks for a page twice a second in one workspace, first
// alone and then while others do what they can to stop everybody: pictures and
// tables that are too much, endless scripts, huge bodies, more requests than there
// is room for, an endless queue and bodies that never end. What was accepted is
// done. With -tenants each of them is there alone for a while before all are, none
// of the honest requests may fail, and 95 % of them take at most three times as
// long as on the idle service; short runs on busy machines only tell it.
func TestHonestBesideHostile(t *testing.T) {
	judges.Slow(t)
	startService(t) // skips without a browser
	idle, hostile := 3*time.Second, 10*time.Second
	if *tenants > 0 {
		idle, hostile = 30*time.Second, *tenants
	}
	p, notes := newProgram(t), &notebook{}
	p.log = notes
	env := []string{"ConnectionStrings__Database=" + storetest.Postgres(t).Database(t), "Storage__Sync=false", "Log__Level=info", "Log__Format=json"}
	r := p.start(t, env...)
	s, err := loadSettings("", append(env, "DataDir="+p.dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	st, err := openStore(t.Context(), s, slog.New(slog.DiscardHandler), false)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	var others []*tenant
	for _, a := range attacks {
		if *attacking == "" || slices.Contains(strings.Split(*attacking, ","), a.name) {
			others = append(others, newTenant(t, st, r.url, a.name))
		}
	}

	honest := &tenant{url: r.url, code: "demo", token: p.token}
	demo, err := st.WorkspaceByCode(t.Context(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	if *tenants > 0 {
		honest.asksApart(t, idle) // by then the service has drawn its demo's pictures
		notes.phases(demo.ID)
	}
	alone := honest.asksApart(t, idle)
	t.Logf("alone:  %v\n%s", alone, notes.phases(demo.ID))
	for _, o := range others {
		if *tenants > 0 && *attacking == "" {
			beside, peak := r.besides(t, honest, idle, o)
			t.Logf("beside %s: %v; peak memory of all processes: %v; answers %v\n%s", o.code, beside, peak, o.told(), notes.phases(demo.ID))
		}
	}
	beside, peak := r.besides(t, honest, hostile, others...)
	t.Logf("beside all: %v; peak memory of all processes: %v\n%s", beside, peak, notes.phases(demo.ID))
	for _, o := range others {
		t.Logf("%s: answers %v", o.code, o.told())
	}
	if len(alone.Failed) > 0 || *tenants > 0 && len(beside.Failed) > 0 {
		t.Errorf("%d honest requests failed alone, %d beside the others", len(alone.Failed), len(beside.Failed))
	}
	if *tenants > 0 && beside.p95() > 3*alone.p95() {
		t.Errorf("95 %% are done in %v, alone in %v", beside.p95(), alone.p95())
	}
	all, lost := 0, 0
	for _, o := range others {
		for _, id := range o.accepted {
			all++
			if end := o.ended(t, id); end != "Completed" {
				lost++
				t.Logf("export %d ended as %s", id, end)
			}
		}
	}
	t.Logf("exports accepted while all this went on: %d, lost: %d", all, lost)
	if lost > 0 || all == 0 && slices.ContainsFunc(others, func(o *tenant) bool { return o.code == "queue" }) {
		t.Errorf("%d of %d accepted exports were lost", lost, all)
	}
}

// attacks are what hostile tenants do, by how many clients.
var attacks = []struct {
	name    string
	clients int
	attack  func(n *tenant, ctx context.Context, client int)
}{
	{"bombs", 4, (*tenant).bombs},
	{"loops", 20, (*tenant).loops},
	{"bodies", 4, (*tenant).bodies},
	{"flood", 150, (*tenant).flood},
	{"queue", 4, (*tenant).queue},
	{"slow", 40, (*tenant).slow},
}

// besides asks for the honest tenant's page while others attack, and weighs all
// processes in megabytes.
func (r *running) besides(t *testing.T, honest *tenant, howLong time.Duration, others ...*tenant) (beside waits, peak weight) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), howLong)
	defer stop()
	var crowd sync.WaitGroup
	for _, a := range attacks {
		for _, o := range others {
			for client := range a.clients {
				if o.code == a.name {
					crowd.Go(func() { a.attack(o, ctx, client) })
				}
			}
		}
	}
	crowd.Go(func() {
		for ctx.Err() == nil {
			if w := weigh(r.process.Process.Pid); w.all() > peak.all() {
				peak = w
			}
			time.Sleep(time.Second)
		}
	})
	beside = honest.asksApart(t, howLong)
	crowd.Wait()
	return beside, peak
}

// weight is the memory of the service and of what it has started, in megabytes.
type weight struct{ service, browsers, scripts int }

func weigh(service int) weight {
	w := weight{service: proportionalKB(service) >> 10}
	for _, pid := range descendants(service) {
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if strings.Contains(string(command), "script-child") {
			w.scripts += proportionalKB(pid) >> 10
		} else {
			w.browsers += proportionalKB(pid) >> 10
		}
	}
	return w
}

func (w weight) all() int { return w.service + w.browsers + w.scripts }

func (w weight) String() string {
	return fmt.Sprintf("%d MB (service %d, browsers %d, scripts %d)", w.all(), w.service, w.browsers, w.scripts)
}

// notebook keeps the lines that a program logs of documents.
type notebook struct {
	mu    sync.Mutex
	rest  []byte // of a line that is not whole yet
	lines []documentLine
}

type documentLine struct {
	Msg, Result string
	Workspace   int
	MS          float64
	Phases      map[string]float64
}

func (n *notebook) Write(b []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.rest = append(n.rest, b...)
	for {
		line, rest, whole := bytes.Cut(n.rest, []byte("\n"))
		if !whole {
			return len(b), nil
		}
		n.rest = rest
		var l documentLine
		if json.Unmarshal(line, &l) == nil && l.Msg == "document" {
			n.lines = append(n.lines, l)
		}
	}
}

// phases are how long the documents of a workspace, logged since this was asked last,
// took in each phase, and how many of others there were meanwhile.
func (n *notebook) phases(workspace int) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	by, others := map[string][]float64{}, 0
	for _, l := range n.lines {
		if l.Workspace != workspace {
			others++
			continue
		}
		by["all"] = append(by["all"], l.MS)
		for phase, ms := range l.Phases {
			by[phase] = append(by[phase], ms)
		}
	}
	n.lines = nil
	text := fmt.Sprintf("  in the service (ms: median, 95 %%, longest; %d documents of others):", others)
	for _, phase := range slices.Sorted(maps.Keys(by)) {
		sorted := slices.Sorted(slices.Values(by[phase]))
		text += fmt.Sprintf(" %s %.0f %.0f %.0f;", phase, sorted[len(sorted)/2], sorted[len(sorted)*95/100], sorted[len(sorted)-1])
	}
	return text
}

// tenant is somebody with a workspace of their own.
type tenant struct {
	url, code, token string

	mu       sync.Mutex
	answers  map[int]int // by status; 0 is none
	accepted []int
}

func newTenant(t *testing.T, st *store.Store, url, name string) *tenant {
	t.Helper()
	ctx := t.Context()
	reports := map[string]string{
		"page":  `{"version":1,"name":"Page","type":"other","pages":[{"id":1,"elements":[{"type":"paragraph","props":{"text":"One page"}}]}]}`,
		"bomb":  `{"version":1,"name":"Bomb","type":"other","pages":[{"id":1,"elements":[{"type":"raw-html","props":{"html":` + quoted(svgBomb()) + `}}]}]}`,
		"rows":  `{"version":1,"name":"Rows","type":"other","dataSources":[{"name":"rows","type":"javascript","settings":{"function":"() => Array.from({length: 150000}, (_, i) => ({a: i, b: 'x'.repeat(40), c: i / 7}))"}}],"pages":[{"id":1,"elements":[{"type":"data-table","props":{"source":"$data.rows"}}]}]}`,
		"loop":  `{"version":1,"name":"Loop","type":"other","dataSources":[{"name":"rows","type":"javascript","settings":{"function":"() => { for (;;) {} }"}}],"pages":[{"id":1,"elements":[]}]}`,
		"eater": `{"version":1,"name":"Eater","type":"other","dataSources":[{"name":"rows","type":"javascript","settings":{"function":"() => { const all = []; for (;;) all.push('x'.repeat(1e6) + all.length); }"}}],"pages":[{"id":1,"elements":[]}]}`,
	}
	content := report.Workspace{Version: 1, Name: name, Code: name}
	for code, text := range reports {
		def, problems := report.ParseReport([]byte(text))
		if len(problems) > 0 {
			t.Fatal(code, problems)
		}
		def.Type = code
		content.Reports = append(content.Reports, report.NamedReport{Code: code, Report: *def})
		content.ReportTypes = append(content.ReportTypes, report.ReportType{Name: code, Code: code, DefaultReport: code})
	}
	if _, err := st.ImportWorkspace(ctx, content); err != nil {
		t.Fatal(err)
	}
	w, err := st.WorkspaceByCode(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	roles, err := st.Roles(ctx, w.ID)
	if err != nil {
		t.Fatal(err)
	}
	user, err := st.CreateUser(ctx, store.NewUser{Email: fmt.Sprintf("%s@example.com", name)})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(roles, func(r store.Role) bool { return r.BuiltIn })
	if err := st.SetMember(ctx, w.ID, user.ID, roles[at].ID); err != nil {
		t.Fatal(err)
	}
	token, err := st.CreateToken(ctx, user.ID, store.NewToken{Name: "attack"})
	if err != nil {
		t.Fatal(err)
	}
	return &tenant{url: url, code: name, token: token, answers: map[int]int{}}
}

func quoted(s string) string {
	text, _ := json.Marshal(s) // a string
	return string(text)
}

// svgBomb is 2 KB of which a browser makes 10^9 circles.
func svgBomb() string {
	s := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle id="a0" r="4"/>`
	for i := range 9 {
		s += fmt.Sprintf(`<g id="a%d">%s</g>`, i+1, strings.Repeat(fmt.Sprintf(`<use href="#a%d"/>`, i), 10))
	}
	return s + "</svg>"
}

// ask sends a request and notes the answer's status.
func (n *tenant) ask(ctx context.Context, method, path string, body io.Reader) (int, []byte) {
	req, err := http.NewRequestWithContext(ctx, method, n.url+"/api/v1/ws/"+n.code+path, body)
	if err != nil {
		return 0, nil
	}
	req.Header.Set("Authorization", "Bearer "+n.token)
	req.Header.Set("Content-Type", "application/json")
	status, answer := 0, []byte(nil)
	if resp, err := http.DefaultClient.Do(req); err == nil {
		status = resp.StatusCode
		answer, _ = io.ReadAll(resp.Body)
		resp.Body.Close()
	}
	if n.answers != nil && ctx.Err() == nil {
		n.mu.Lock()
		n.answers[status]++
		n.mu.Unlock()
	}
	return status, answer
}

func (n *tenant) told() map[int]int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.answers
}

// waits are how long honest requests took, and what the others ended with.
type waits struct {
	Took   []time.Duration
	Failed []int
}

func (w waits) p95() time.Duration {
	sorted := slices.Sorted(slices.Values(w.Took))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[len(sorted)*95/100]
}

func (w waits) String() string {
	sorted, failed := slices.Sorted(slices.Values(w.Took)), map[int]int{}
	for _, status := range w.Failed {
		failed[status]++
	}
	if len(sorted) == 0 {
		sorted = []time.Duration{0}
	}
	return fmt.Sprintf("%d requests, %d failed %v, median %v, 95 %% in %v, longest %v", len(w.Took)+len(w.Failed), len(w.Failed), failed, sorted[len(sorted)/2], w.p95(), sorted[len(sorted)-1])
}

// asks for the demo's invoice twice a second, whether or not the ones before are
// done.
func (n *tenant) asks(ctx context.Context, howLong time.Duration) waits {
	var mu sync.Mutex
	var all waits
	var under sync.WaitGroup
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for range int(howLong / (500 * time.Millisecond)) {
		under.Go(func() {
			began := time.Now()
			status, _ := n.ask(context.WithoutCancel(ctx), "POST", "/reports/invoice/pdf", strings.NewReader("{}"))
			mu.Lock()
			defer mu.Unlock()
			if status == http.StatusOK {
				all.Took = append(all.Took, time.Since(began))
			} else {
				all.Failed = append(all.Failed, status)
			}
		})
		<-tick.C
	}
	under.Wait()
	return all
}

// askEnv makes a process of the tests ask for documents instead.
const askEnv = "QUIRE_TEST_ASKS"

// asking is who asks, and for how long.
type asking struct {
	URL, Code, Token string
	HowLong          time.Duration
}

// askMain asks for documents when this process was started for it.
func askMain() {
	var a asking
	if json.Unmarshal([]byte(os.Getenv(askEnv)), &a) != nil {
		return
	}
	n := &tenant{url: a.URL, code: a.Code, token: a.Token}
	if err := json.NewEncoder(os.Stdout).Encode(n.asks(context.Background(), a.HowLong)); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// asksApart is asks in a process of its own: in this one others send hundreds of
// megabytes, and it would be timed how long that takes.
func (n *tenant) asksApart(t *testing.T, howLong time.Duration) (all waits) {
	t.Helper()
	who, err := json.Marshal(asking{n.url, n.code, n.token, howLong})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), askEnv+"="+string(who)), os.Stderr
	answer, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(answer, &all)
	}
	if err != nil {
		t.Fatal("asking for documents:", err)
	}
	return all
}

func (n *tenant) bombs(ctx context.Context, client int) {
	for ctx.Err() == nil {
		n.ask(ctx, "GET", "/reports/"+[]string{"bomb", "rows"}[client%2]+"/pdf", nil)
	}
}

// flood asks for pages from as many clients as find no room, with a short pause for
// those that are sent away.
func (n *tenant) flood(ctx context.Context, _ int) {
	for ctx.Err() == nil {
		if status, _ := n.ask(ctx, "GET", "/reports/page/pdf", nil); status != http.StatusOK {
			select {
			case <-ctx.Done():
			case <-time.After(300 * time.Millisecond):
			}
		}
	}
}

func (n *tenant) loops(ctx context.Context, client int) {
	for ctx.Err() == nil {
		n.ask(ctx, "GET", "/reports/"+[]string{"loop", "eater"}[client%2]+"/pdf", nil)
	}
}

// bodies sends 60 MB at a time, as data and as temporary data.
func (n *tenant) bodies(ctx context.Context, client int) {
	path, name := "/reports/rows/pdf", "data"
	if client%2 == 1 {
		path, name = "/temporary-data", "content"
	}
	body := `{"` + name + `":{"rows":[` + strings.Repeat("0,", 30<<20) + `0]}}`
	for ctx.Err() == nil {
		n.ask(ctx, "POST", path, strings.NewReader(body))
	}
}

var accepted atomic.Int64

func (n *tenant) queue(ctx context.Context, _ int) {
	most := int64(200) // all of it is waited for in the end
	if *tenants > 0 {
		most = 2000
	}
	for ctx.Err() == nil && accepted.Add(1) <= most {
		status, answer := n.ask(ctx, "POST", "/reports/page/export", strings.NewReader("{}"))
		var started struct{ TemporaryFileID int }
		if status == http.StatusAccepted && json.Unmarshal(answer, &started) == nil {
			n.mu.Lock()
			n.accepted = append(n.accepted, started.TemporaryFileID)
			n.mu.Unlock()
		}
	}
}

// ended waits until an export has ended and tells how.
func (n *tenant) ended(t *testing.T, id int) string {
	t.Helper()
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		status, answer := n.ask(t.Context(), "GET", fmt.Sprintf("/exports/%d/status", id), nil)
		var s exportStatus
		if status == http.StatusOK && json.Unmarshal(answer, &s) == nil && s.Status != "InProgress" {
			return s.Status
		}
	}
	return "not at all"
}

// slow holds connections that promise a megabyte and send a byte a second.
func (n *tenant) slow(ctx context.Context, _ int) {
	for ctx.Err() == nil {
		n.trickle(ctx)
	}
}

func (n *tenant) trickle(ctx context.Context) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(n.url, "http://"))
	if err != nil {
		return
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /api/v1/ws/%s/temporary-data HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{", n.code, n.token)
	for ctx.Err() == nil {
		if _, err := conn.Write([]byte(" ")); err != nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}
