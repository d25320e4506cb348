package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/quire-reports/quire/api"
	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/examples/gallery"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/htmlgen/symbol"
	"github.com/quire-reports/quire/internal/accounting"
	"github.com/quire-reports/quire/internal/tracing"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/render/pdfium"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/budget"
	"github.com/quire-reports/quire/report/font"
	"github.com/quire-reports/quire/report/font/subset"
	"github.com/quire-reports/quire/report/starter"
	"github.com/quire-reports/quire/scripting"
	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/store"
)

// engine is what exports need: the script processes, the data loader and the
// browser pool.
type engine struct {
	scripts *scripting.Pool
	loader  *data.Loader
	guard   *egress.Guard
	pool    *render.Pool // nil: nothing is printed here
	config  export.Config
	budget  *budget.Budget
	mail    *mailServer
	watched *watched            // nil: nobody watches
	tracer  *tracing.Tracer     // nil: nothing is traced
	usage   *accounting.Counter // what was made for workspaces; nil with watched
}

// newEngine starts what exports need. Browsers and script processes start in
// the background.
func newEngine(ctx context.Context, s *settings, log *slog.Logger, inline data.Config) (*engine, error) {
	if err := checkSandbox(ctx, s); err != nil {
		return nil, err
	}
	guard, err := egress.New(egress.Config{AllowHosts: s.AllowHosts})
	if err != nil {
		return nil, err
	}
	mail, err := newMailServer(s, destinations(s, guard))
	if err != nil {
		guard.Close()
		return nil, err
	}
	e := &engine{guard: guard, mail: mail, scripts: scripting.New(scriptConfig(s, log))}
	scripts := export.TimeScripts(e.scripts)
	inline.Scripts, inline.Egress, inline.MaxRows, inline.Log = scripts, guard, s.Rows, log
	memory := findMemory("/")
	memory.limit(log)
	if !inline.Inline { // else there is nobody to share with
		e.budget = memory.budget(s)
	}
	e.loader = data.NewLoader(inline)
	e.config = export.Config{
		Loader: e.loader, Scripts: scripts, Guard: guard, Connections: inline.Connections,
		Timeout: time.Duration(s.ExportTimeout) * time.Second, MostBytes: s.DocumentMB << 20, Budget: e.budget,
		NoOffice: !s.Office, Pages: pdfium.NewDrawer(compiled(s, inline.Inline, "pdfium")), Subset: subset.New(assets.HarfBuzz, compiled(s, inline.Inline, "harfbuzz")),
		Fonts: &font.Library{Dirs: append(font.SystemDirs(), fontDirs(s)...)},
	}
	if !s.noBrowser {
		e.pool = render.New(browserConfig(s, log))
		e.config.Printer = e.pool
	}
	return e, nil
}

func scriptConfig(s *settings, log *slog.Logger) scripting.Config {
	return scripting.Config{
		Processes: s.ScriptProcesses, OfUser: s.UserScripts, Memory: int64(s.ScriptMemoryMB) << 20,
		Timeout: time.Duration(s.ScriptTimeout) * time.Second, Log: log,
	}
}

func browserConfig(s *settings, log *slog.Logger) render.Config {
	return render.Config{
		Path: s.BrowserPath, Script: []byte(assets.Paginator()), Reader: []byte(assets.Reader()), Tabs: s.BrowserWorkers, Queue: s.BrowserWaiting, OfKey: s.WorkspaceWaiting, Sandbox: render.Sandbox(s.BrowserSandbox),
		FontDirs: fontDirs(s), Log: log, Stall: time.Duration(s.BrowserStall) * time.Second, TabMemory: findMemory("/").tab(s), TabsMemory: findMemory("/").tabs(),
	}
}

// checkSandbox refuses to start without the sandbox when it is asked for.
func checkSandbox(ctx context.Context, s *settings) error {
	if s.BrowserSandbox != string(render.SandboxOn) || s.noBrowser {
		return nil
	}
	if err := render.CheckSandbox(ctx, browserConfig(s, nil)); err != nil {
		return fmt.Errorf("setting Browser.Sandbox: %w; allow user namespaces (in a container by the profile deploy/seccomp.json), or set it to auto or off", err)
	}
	return nil
}

// fontDirs are the folders of fonts beside those of the system.
func fontDirs(s *settings) []string {
	if s.FontsDir == "" {
		return nil
	}
	return []string{s.FontsDir}
}

// stop ends the processes; nothing is left behind.
func (e *engine) stop() {
	if e.pool != nil {
		e.pool.Stop()
	}
	e.scripts.Stop()
	e.loader.Close()
	e.mail.close()
	e.guard.Close()
}

// newJobs puts what nobody waits for on the store and the engine; role is what this
// process is.
func newJobs(s *settings, st *store.Store, e *engine, role string, log *slog.Logger) *jobs.Service {
	c := e.config
	c.Definitions, c.Uploads, c.Priority, c.Signed = st, st, render.Background, signedIn(st)
	c.Timeout = time.Duration(s.AsyncTimeout) * time.Second
	workers := s.ExportWorkers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	exports := export.New(c)
	host, _ := os.Hostname() // only people read it
	outside := &jobs.Outbox{Store: st, Env: destinations(s, e.guard), Installed: e.mail.installed()}
	return jobs.New(jobs.Config{
		Observe: e.watched.observer(), Tracer: e.tracer, Work: s.work(), Host: host, Role: role, Version: version,
		Store: st, RequireRun: st.RequireRun, Export: exports, Batch: exports, Workers: workers, Timeout: c.Timeout, Log: log, Formats: exports.Formats(),
		Retention: time.Duration(s.RetentionHours) * time.Hour, Queue: s.MostQueued, Drain: s.stopTimes().grace,
		Deliver: outside, Tell: outside, Installed: slices.Collect(maps.Keys(outside.Installed)),
	})
}

// signedIn tells the audit log of a store what is signed.
func signedIn(st *store.Store) func(context.Context, export.Signed) {
	return func(ctx context.Context, s export.Signed) {
		st.Note(ctx, store.Signed(s.Request.Workspace, s.Request.Signature, s.Request.Report, s.Request.Entry, s.Certificate))
	}
}

// newPictures makes what draws the reports of lists, which nobody waits for.
func newPictures(st *store.Store, e *engine, log *slog.Logger) *jobs.Pictures {
	c := e.config
	c.Definitions, c.Uploads, c.Priority = st, st, render.Background
	return &jobs.Pictures{Store: st, Export: export.New(c), Log: log, Settled: 3 * time.Second, Every: 2 * time.Second}
}

// destinations are what deliveries work with.
func destinations(s *settings, guard *egress.Guard) *deliver.Env {
	return &deliver.Env{Egress: guard, Folders: s.DeliveryFolders}
}

// signInAt is where people sign in besides.
type signInAt struct {
	providers   []*sso.Provider
	directories []*sso.Directory
}

// newHandler puts the HTTP side on the store, the engine and the jobs. What
// monitors ask has a handler of its own when it has an address; else that is nil.
func newHandler(s *settings, st *store.Store, e *engine, work *jobs.Service, at signInAt, log *slog.Logger, signals stopSignals) (service, watch http.Handler) {
	e.config.Definitions, e.config.Uploads, e.config.Signed = st, st, signedIn(st)
	exports := export.New(e.config)
	c := api.Config{
		Formats: exports.Formats(), Providers: at.providers, Directories: at.directories, AutoRedirect: s.AutoRedirect, Mail: e.mail.shown(), SecondFactor: s.SecondFactor, QRCode: qrCode, ConnectionTypes: connectionTypes(destinations(s, e.guard)),
		Store: st, Export: exports, Jobs: work,
		PathBase: s.PathBase, PublicURL: s.PublicURL, TrustedProxies: s.TrustedProxies, Explorer: s.ExplorerEnabled, FrameAncestors: s.FrameAncestors,
		BodyLimit: int64(s.BodyMB) << 20, RequestsPerSecond: s.RequestsPerSecond, Assets: assets.Public(), Icons: assets.Icons(), Layouts: startingPoints(assets.Starts()), Gallery: startingPoints(gallery.Files), Logger: log, Version: version, Leaving: signals.leaving, Stopping: signals.stopping,
		Checks: checks(st, e), Details: e.tells(work.Details(s.ExportsInService)), Budget: e.budget, Metrics: e.watched.figures(), Profiling: s.Profiling,
	}
	if s.MetricsAddress == "" {
		return e.tracer.Handler(s.PathBase, api.New(c)), nil
	}
	service, watch = api.NewApart(c)
	return e.tracer.Handler(s.PathBase, service), watch
}

// startingPoints are the reports of a workspace that is built in, for new ones to
// begin with.
func startingPoints(bundle fs.FS) []starter.Point {
	ws, problems := report.ReadWorkspace(bundle)
	if problems != nil {
		panic(problems) // embedded; the tests read it
	}
	points, err := starter.Points(ws)
	if err != nil {
		panic(err)
	}
	return points
}

// qrCode is a text as a QR code in SVG.
func qrCode(text string) (string, error) {
	modules, err := symbol.QR(text, "M")
	if err != nil {
		return "", err
	}
	return symbol.QRSVG(modules, symbol.QRLook{Background: "#fff", Color: "#000"}), nil
}

// checks are the parts of the service. Without the database nothing is answered;
// without the others some requests are, and the rest say 503 by themselves.
func checks(st *store.Store, e *engine) []api.Check {
	var list []api.Check
	if e.pool != nil {
		list = append(list, api.Check{Name: "browser", Ask: e.browserReady})
	}
	for _, part := range st.Parts() {
		list = append(list, api.Check{Name: part.Name, Ask: part.Ping, Needed: part.Name == "database"})
	}
	return list
}

// tells adds the details of the engine to those of another part of this process.
func (e *engine) tells(also func() map[string]string) func() map[string]string {
	return func() map[string]string {
		all := also()
		maps.Copy(all, e.details())
		return all
	}
}

// details is what root users see besides of /readyz.
func (e *engine) details() map[string]string {
	if e.pool == nil {
		return nil
	}
	health := e.pool.Health()
	switch health.Sandbox {
	case render.SandboxOn:
		return map[string]string{"sandbox": "on"}
	case render.SandboxOff:
		return map[string]string{"sandbox": "off: " + oneLine(errors.New(health.SandboxReason))}
	}
	return map[string]string{"sandbox": "not known yet"}
}

// browserReady is nil when documents can be printed.
func (e *engine) browserReady(context.Context) error {
	health := e.pool.Health()
	if health.State == render.Ready {
		return nil
	}
	for _, b := range health.Browsers {
		if b.LastError != "" {
			return fmt.Errorf("the browser is %s: %s", health.State, b.LastError)
		}
	}
	if health.State == render.Starting {
		return api.ErrStarting
	}
	return fmt.Errorf("the browser is %s", health.State)
}
