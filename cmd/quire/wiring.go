package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"time"

	"github.com/quire-reports/quire/api"
	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/scripting"
	"github.com/quire-reports/quire/store"
)

// engine is what exports need: the script processes, the data loader and the
// browser pool.
type engine struct {
	scripts *scripting.Pool
	loader  *data.Loader
	guard   *egress.Guard
	pool    *render.Pool
	config  export.Config
	mail    *mailServer
}

// newEngine starts what exports need. Browsers and script processes start in
// the background.
func newEngine(s *settings, log *slog.Logger, inline data.Config) (*engine, error) {
	guard, err := egress.New(egress.Config{AllowHosts: s.AllowHosts})
	if err != nil {
		return nil, err
	}
	mail, err := newMailServer(s, destinations(s, guard))
	if err != nil {
		guard.Close()
		return nil, err
	}
	e := &engine{guard: guard, mail: mail, scripts: scripting.New(scripting.Config{Log: log})}
	inline.Scripts, inline.Egress, inline.MaxRows, inline.Log = e.scripts, guard, s.Rows, log
	e.loader = data.NewLoader(inline)
	e.pool = render.New(render.Config{Path: s.BrowserPath, Script: []byte(assets.Paginator()), Tabs: s.BrowserWorkers, Log: log})
	e.config = export.Config{
		Loader: e.loader, Scripts: e.scripts, Printer: e.pool, Guard: guard,
		Timeout: time.Duration(s.ExportTimeout) * time.Second, MostBytes: s.DocumentMB << 20,
	}
	return e, nil
}

// stop ends the processes; nothing is left behind.
func (e *engine) stop() {
	e.pool.Stop()
	e.scripts.Stop()
	e.loader.Close()
	e.mail.close()
	e.guard.Close()
}

// newJobs puts what nobody waits for on the store and the engine.
func newJobs(s *settings, st *store.Store, e *engine, log *slog.Logger) *jobs.Service {
	found := definitions{st}
	c := e.config
	c.Definitions, c.Uploads = found, found
	c.Timeout = time.Duration(s.AsyncTimeout) * time.Second
	workers := s.ExportWorkers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	exports := export.New(c)
	outside := deliverer{st, destinations(s, e.guard), e.mail}
	return jobs.New(jobs.Config{
		Store: st, Export: exports, Batch: exports, Workers: workers, Timeout: c.Timeout, Log: log,
		Retention: time.Duration(s.RetentionHours) * time.Hour, Queue: s.MostQueued,
		Deliver: outside, Tell: outside, MailServer: s.Mail.Host != "",
	})
}

// destinations are what deliveries work with.
func destinations(s *settings, guard *egress.Guard) *deliver.Env {
	return &deliver.Env{Egress: guard, Folders: s.DeliveryFolders}
}

// newHandler puts the HTTP side on the store, the engine and the jobs.
func newHandler(ctx context.Context, s *settings, st *store.Store, e *engine, work *jobs.Service, log *slog.Logger) http.Handler {
	found := definitions{st}
	e.config.Definitions, e.config.Uploads = found, found
	outside := destinations(s, e.guard)
	return api.New(api.Config{
		Mail: e.mail.shown(),
		Probe: func(ctx context.Context, kind deliver.Type, connection map[string]any, learned func(string, report.Secret)) (string, error) {
			return kind.Probe(ctx, outside, connection, learned)
		},
		SignIn: func(ctx context.Context, kind deliver.Type, connection map[string]any, code, redirect, verifier string) (report.Secret, error) {
			return deliver.SignIn(ctx, outside, kind, connection, code, redirect, verifier)
		},
		Store: st, Export: export.New(e.config), Jobs: work, Formats: export.Formats(),
		PathBase: s.PathBase, PublicURL: s.PublicURL, Explorer: s.ExplorerEnabled, FrameAncestors: s.FrameAncestors,
		BodyLimit: int64(s.BodyMB) << 20, Assets: assets.Public(), Logger: log, Version: version, Stopping: ctx.Done(),
		Checks: checks(st, e),
	})
}

// checks are what the service needs to be ready.
func checks(st *store.Store, e *engine) []api.Check {
	list := []api.Check{{Name: "browser", Ask: e.browserReady}}
	for _, part := range st.Parts() {
		list = append(list, api.Check{Name: part.Name, Ask: part.Ping})
	}
	return list
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
	return fmt.Errorf("the browser is %s", health.State)
}

// definitions gives exports what the store holds.
type definitions struct{ store *store.Store }

// Report implements export.Definitions.
func (d definitions) Report(ctx context.Context, workspace int, ref string) (*export.Definition, error) {
	if ref == "" {
		library, err := d.store.Library(ctx, workspace)
		return definition(&store.ReportDefinition{Report: &report.Report{}, Library: library}, err)
	}
	return definition(d.store.ReportByIDOrType(ctx, workspace, ref))
}

// Subreport implements export.Definitions.
func (d definitions) Subreport(ctx context.Context, workspace int, code string) (*export.Definition, error) {
	return definition(d.store.ReportByCode(ctx, workspace, code))
}

func definition(found *store.ReportDefinition, err error) (*export.Definition, error) {
	if err != nil {
		return nil, err
	}
	l := found.Library
	return &export.Definition{Report: found.Report, Library: export.Library{
		Template:     optional(l.Template),
		Theme:        optional(l.Theme),
		Languages:    store.Definitions(l.Languages),
		Dictionaries: store.Definitions(l.Dictionaries),
		Parameters:   store.Definitions(l.Parameters),
		DataSources:  store.Definitions(l.DataSources),
	}}, nil
}

// optional makes the empty reference mean none where the library has none.
func optional[T any](find func(string) (*T, error)) func(string) (*T, error) {
	return func(ref string) (*T, error) {
		found, err := find(ref)
		if ref == "" && store.IsNotFound(err) {
			return nil, nil
		}
		return found, err
	}
}

// File implements export.Definitions.
func (d definitions) File(ctx context.Context, workspace int, name string) (*report.File, error) {
	row, content, err := d.store.OpenFile(ctx, workspace, name)
	if err != nil {
		return nil, err
	}
	defer content.Close()
	b, err := io.ReadAll(content)
	if err != nil {
		return nil, err
	}
	return &report.File{Name: row.Name, ContentType: row.ContentType, Content: b}, nil
}

// TempData implements export.Uploads.
func (d definitions) TempData(ctx context.Context, workspace, id int) ([]byte, error) {
	content, err := d.store.TempData(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	defer content.Close()
	return io.ReadAll(content)
}
