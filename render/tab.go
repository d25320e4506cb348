package render

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/quire-reports/quire/internal/priority"
)

// tab is a warm tab: open, standing on an empty page, with the paginator in an
// isolated world. Documents are filled into it one after the other. It is used
// by one goroutine at a time.
type tab struct {
	b          *browser
	stats      *counters
	context    string // browser context, so that tabs share no process and no cache
	target     string // also the id of the main frame
	session    string
	world      []byte // execution context of the isolated world, as JSON
	script     bool   // the paginator is there
	reader     bool   // the reader is there, too; see read.go
	windowless bool   // it never draws its window; see windows.go

	init      []string    // scripts for the isolated world
	emptying  atomic.Bool // the empty page is asked for by us
	resources atomic.Pointer[Resources]
	served    atomic.Int64 // bytes of resources for the current document
	files     servedFiles

	uses    int
	undrawn int // of them since one had use for the window
	bytes   int64
	pid     atomic.Int64                   // of its process; 0 when it is not known
	turn    atomic.Int64                   // counts its documents
	later   atomic.Bool                    // its process comes after those of documents that somebody waits for
	lowered atomic.Bool                    // its process comes after those of other tabs, for good
	piece   atomic.Pointer[priority.Piece] // its document; nil when it has none

	ctx  context.Context // ends, with the reason, when the tab is lost
	lose context.CancelCauseFunc
}

// Limits of single steps; the job's own limit is usually what counts.
const (
	openLimit   = 10 * time.Second
	closeLimit  = 3 * time.Second
	brokenLimit = 10 * time.Second // of closing, until the browser is taken for broken
	decideLimit = 30 * time.Second
)

// openTab opens a tab and makes it ready for documents; drawn is one that draws its
// window.
func openTab(ctx context.Context, b *browser, drawn bool, script []byte, stats *counters) (*tab, error) {
	ctx, cancel := context.WithTimeout(ctx, openLimit)
	defer cancel()
	t := &tab{b: b, stats: stats, script: len(script) > 0, windowless: b.windowless && !drawn, init: []string{helperScript, string(script)}}
	t.ctx, t.lose = context.WithCancelCause(context.Background())
	if err := t.create(ctx); err != nil {
		return nil, fmt.Errorf("opening a tab: %w", err)
	}
	alive, end := t.bind(ctx) // what has died answers nothing more
	defer end(nil)
	if err := t.prepare(alive); err != nil {
		t.close(closeLimit)
		return nil, fmt.Errorf("preparing a tab: %w", err)
	}
	stats.tabsOpened.Add(1)
	b.proved.Store(true)
	return t, nil
}

func (t *tab) create(ctx context.Context) error {
	t.b.opening.Lock()
	defer t.b.opening.Unlock()
	var before map[int]tabProcess
	settled := t.b.look(ctx, func(there map[int]tabProcess) bool {
		before = there
		return len(there) > t.b.living() // the browser's own page has one, too
	})
	if err := t.attach(ctx); err != nil || !settled {
		return err
	}
	t.b.look(ctx, func(there map[int]tabProcess) bool {
		for pid := range there {
			if _, old := before[pid]; !old {
				t.pid.Store(int64(pid))
			}
		}
		return t.pid.Load() != 0
	})
	return nil
}

// lookLimit is how long processes are looked for that start a moment after the
// browser has told of their tab.
const (
	lookLimit = time.Second
	lookPause = 5 * time.Millisecond
)

// look looks at the processes of tabs until done says that it has seen enough.
func (b *browser) look(ctx context.Context, done func(map[int]tabProcess) bool) bool {
	for end := time.Now().Add(lookLimit); runtime.GOOS == "linux" && ctx.Err() == nil && time.Now().Before(end); sleep(ctx, lookPause) {
		if done(tabProcesses(b.pid, nil)) {
			b.grown.Store(true)
			return true
		}
	}
	return false
}

// attach has the browser make a tab, in a process of its own.
func (t *tab) attach(ctx context.Context) error {
	r, err := t.b.call(ctx, "Target.createBrowserContext", newParams(0).bool("disposeOnDetach", true))
	if err != nil {
		return err
	}
	t.context = string(rawString(member(r, "browserContextId")))
	r, err = t.b.call(ctx, "Target.createTarget", newParams(0).str("url", "about:blank").str("browserContextId", t.context).bool("enableBeginFrameControl", t.windowless))
	if err != nil {
		return err
	}
	t.target = string(rawString(member(r, "targetId")))
	r, err = t.b.call(ctx, "Target.attachToTarget", newParams(0).str("targetId", t.target).bool("flatten", true))
	if err != nil {
		return err
	}
	t.session = string(rawString(member(r, "sessionId")))
	t.b.add(t)
	t.b.conn.handle(t.session, t.event)
	return nil
}

// prepare turns on what a tab needs, and puts the empty page into it.
func (t *tab) prepare(ctx context.Context) error {
	if _, err := t.call(ctx, "Inspector.enable", nil); err != nil { // tells of crashes
		return err
	}
	if _, err := t.call(ctx, "Fetch.enable", newParams(0).raw("patterns", []byte(`[{"urlPattern":"*"}]`))); err != nil {
		return err
	}
	return t.empty(ctx)
}

// empty opens the empty page and puts the paginator into its isolated world.
func (t *tab) empty(ctx context.Context) error {
	t.emptying.Store(true)
	defer t.emptying.Store(false)
	t.files.clear()
	if _, err := t.call(ctx, "Page.navigate", newParams(0).str("url", emptyPage)); err != nil {
		return err
	}
	r, err := t.call(ctx, "Page.createIsolatedWorld", newParams(0).str("frameId", t.target).str("worldName", "quire"))
	if err != nil {
		return err
	}
	t.world, t.reader = append([]byte(nil), member(r, "executionContextId")...), false
	for _, script := range t.init {
		if _, err := t.evaluate(ctx, script); err != nil {
			return err
		}
	}
	return nil
}

// event handles what the browser says about this tab.
func (t *tab) event(method string, params []byte) {
	switch method {
	case "Fetch.requestPaused":
		t.intercept(params)
	case "Inspector.targetCrashed", "Inspector.detached": // the latter when the browser does not know how the process ended
		t.died()
	}
}

func (t *tab) call(ctx context.Context, method string, p *params) ([]byte, error) {
	return t.b.conn.call(ctx, t.session, method, p)
}

// close closes the tab and everything of it. It says whether the browser did
// so in time; if not, the process must go.
func (t *tab) close(limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	defer t.b.remove(t)
	t.lose(errTabCrashed)
	_, err := t.b.call(ctx, "Target.disposeBrowserContext", newParams(0).str("browserContextId", t.context))
	var p *protocolError
	if errors.As(err, &p) || errors.Is(err, errLost) {
		return nil // it is gone already
	}
	return err
}

// bind is a context for a job in the tab: it ends, with the reason, when the
// tab is lost.
func (t *tab) bind(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	return joinContext(ctx, t.ctx)
}

// evaluateParams are the parameters for running an expression in the isolated
// world and waiting for what it promises.
func (t *tab) evaluateParams(expression string) *params {
	return newParams(len(expression)).str("expression", expression).raw("contextId", t.world).
		bool("returnByValue", true).bool("awaitPromise", true)
}

// evaluate runs an expression in the isolated world and returns its value as
// JSON.
func (t *tab) evaluate(ctx context.Context, expression string) ([]byte, error) {
	r, err := t.call(ctx, "Runtime.evaluate", t.evaluateParams(expression))
	if err != nil {
		return nil, err
	}
	return evaluated(r)
}

// evaluated takes the value out of an answer to Runtime.evaluate.
func evaluated(r []byte) ([]byte, error) {
	if details := member(r, "exceptionDetails"); details != nil {
		return nil, fail(ErrPageFailed, "%s", exceptionText(details))
	}
	return member(member(r, "result"), "value"), nil
}

func exceptionText(details []byte) string {
	var e struct {
		Text      string `json:"text"`
		Exception struct {
			Description string `json:"description"`
			Value       any    `json:"value"`
		} `json:"exception"`
	}
	if json.Unmarshal(details, &e) != nil {
		return "a script failed"
	}
	text, _, _ := strings.Cut(e.Exception.Description, "\n")
	if text == "" && e.Exception.Value != nil {
		text = fmt.Sprint(e.Exception.Value)
	}
	if text == "" {
		text = e.Text
	}
	return text
}
