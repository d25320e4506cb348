package api

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/export/signing"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

// clock is a time that tests move.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// exporter is the one fake: printing is tested where it happens.
type exporter struct {
	mu       sync.Mutex
	last     export.Request
	shown    export.PreviewRequest
	export   func(export.Request) (*export.File, error)
	pictures int // how many were drawn
	preview  func(export.PreviewRequest) (*export.Preview, error)
	source   func(export.SourceRequest) (*export.SourceRun, error)
	asked    []export.Asked // further parameters
}

func (e *exporter) Export(ctx context.Context, r export.Request) (*export.File, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last = r
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if e.export != nil {
		return e.export(r)
	}
	return newFile("Sample report.pdf", "application/pdf", "%PDF-1.7 sample"), nil
}

// Describe tells of an invoice.
func (e *exporter) Describe(context.Context, int, string) (*export.Described, error) {
	return &export.Described{
		Parameters: []report.Parameter{
			{Name: "year", Label: "Year", Type: report.ParameterNumber, Required: true},
			{Name: "kind", Type: report.ParameterLookup, Multiple: true, Default: "{$params.year}", Lookup: []report.LookupItem{{Value: 1.5, Label: "All"}, {Value: "open"}}},
		},
		Sources: []report.SourceUse{{DataSource: report.DataSource{Name: "lines", DisplayName: "Lines", Type: "sql", Settings: map[string]any{"query": "select secret"}}}},
	}, nil
}

func (e *exporter) CheckNames(context.Context, export.Request) error { return nil }

func (e *exporter) Preview(_ context.Context, r export.PreviewRequest) (*export.Preview, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.shown = r
	if e.preview != nil {
		return e.preview(r)
	}
	return &export.Preview{HTML: []byte(sampleHTML), CSP: samplePolicy}, nil
}

// Parameters are those of the sales report, without anything worked out.
func (e *exporter) Parameters(context.Context, export.Request) ([]export.Asked, error) {
	var asked []export.Asked
	for _, r := range demoContent().Reports {
		if r.Code == "sales" {
			for _, use := range r.Report.Parameters {
				p := use.Parameter
				if use.Reuse != "" {
					p = demoContent().Parameters[0]
				}
				asked = append(asked, export.Asked{Parameter: p, Choices: p.Lookup})
			}
		}
	}
	return append(asked, e.asked...), nil
}

// Check refuses reports with a certain title.
func (e *exporter) Check(def *report.Report) report.Problems {
	if def.Title == "refused" {
		return report.Problems{report.Problemf("pages[0].elements[0].type", "unknown element type \"tabel\"")}
	}
	return nil
}

// RunSource gives what the test says.
func (e *exporter) Picture(_ context.Context, r export.PictureRequest) (*export.Picture, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.pictures++
	return &export.Picture{ContentType: "image/webp", Content: []byte("page " + strconv.Itoa(r.Page)), Page: r.Page}, nil
}

func (e *exporter) RunSource(_ context.Context, r export.SourceRequest) (*export.SourceRun, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last = r.Request
	return e.source(r)
}

const (
	samplePolicy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:"
	sampleHTML   = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Invoice</title>
<script src="/assets/preview.js" defer></script></head><body class="q-doc"><h1 id="title">Invoice 4711</h1></body></html>`
)

// house is the whole handler over a real store.
type house struct {
	t       testing.TB
	store   *store.Store
	clock   *clock
	export  *exporter
	jobs    *jobs.Service
	handler http.Handler
	routes  []Route
	users   map[string]*store.User
	tokens  map[string]string
	log     *lockedBuffer
	demo    store.Workspace
	// contents is the folder of the contents.
	contents string
	// wire is the OpenAPI document, once it was needed.
	wire     *wire
	wireOnce sync.Once
	lawless  bool // a test has it answer what it never does
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func must[T any](t testing.TB) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

const password = report.Secret("Correct-horse-7")

// migrated are databases with all tables.
var migrated = storetest.Migrated{Open: func(ctx context.Context, database, storage string) (io.Closer, error) {
	return store.Open(ctx, store.Config{Database: database, Storage: storage, Key: "0123456789abcdef0123456789abcdef", Vector: "fedcba9876543210", Unsynced: true})
}}

// open builds a house on SQLite; change adjusts the configuration.
func open(t testing.TB, change ...func(*Config)) *house {
	t.Helper()
	return openOn(t, migrated.SQLite(t), change...)
}

func openOn(t testing.TB, database string, change ...func(*Config)) *house {
	t.Helper()
	return openParts(t, store.Config{Database: database}, change...)
}

func openParts(t testing.TB, at store.Config, change ...func(*Config)) *house {
	t.Helper()
	h := &house{
		t: t, contents: filepath.Join(t.TempDir(), "contents"), clock: &clock{now: time.Now().Truncate(time.Millisecond)}, export: &exporter{},
		users: map[string]*store.User{}, tokens: map[string]string{}, log: &lockedBuffer{},
	}
	at.Storage, at.Unsynced = "file://"+h.contents, true // a test's data need not survive a power cut
	at.Key, at.Vector = "0123456789abcdef0123456789abcdef", "fedcba9876543210"
	at.Clock, at.ConnectionTypes, at.InvitationDays = h.clock.Now, connectionTypes(), 7
	h.store = must[*store.Store](t)(store.Open(t.Context(), at))
	t.Cleanup(func() {
		_ = h.store.Close()
		*h = house{t: t} // package testing holds what tests that run side by side clean up, until the last one has ended
	})
	h.jobs = jobs.New(jobs.Config{Store: h.store, RequireRun: h.store.RequireRun, Export: h.export, Clock: h.clock.Now, Poll: 5 * time.Millisecond, Backoff: time.Millisecond})
	h.fill()
	c := Config{
		ConnectionTypes: connectionTypes(),
		Store:           h.store, Export: h.export, Jobs: h.jobs, Explorer: true, Clock: h.clock.Now, Version: "0.1.0",
		Logger: slog.New(slog.NewTextHandler(h.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Assets: fstest.MapFS{"quire-report.js": {Data: []byte(`customElements`)}, "preview.js": {Data: []byte(`document.documentElement.dataset.ready = "yes"`)}, "fonts/inter.woff2": {Data: []byte("wOF2")}},
	}
	for _, f := range change {
		f(&c)
	}
	h.handler, h.routes = build(c)
	return h
}

// fill makes two workspaces and users with every kind of role.
func (h *house) fill() {
	ctx := h.t.Context()
	demo := must[*store.Imported](h.t)(h.store.ImportWorkspace(ctx, demoContent()))
	h.demo = demo.Workspace
	other := must[*store.Imported](h.t)(h.store.ImportWorkspace(ctx, report.Workspace{Name: "Other house", Code: "other-house"}))
	h.addUser("root", store.NewUser{IsRoot: true})
	guest := must[*store.Role](h.t)(h.store.CreateRole(ctx, h.demo.ID, store.Role{Name: "Guest", Levels: map[store.Category]store.Level{}}))
	roles := must[[]store.Role](h.t)(h.store.Roles(ctx, h.demo.ID))
	for _, role := range roles {
		h.addMember(strings.ToLower(role.Name), h.demo.ID, role.ID)
	}
	if h.users["guest"] == nil {
		h.addMember("guest", h.demo.ID, guest.ID)
	}
	for _, role := range must[[]store.Role](h.t)(h.store.Roles(ctx, other.Workspace.ID)) {
		if role.Name == "Viewer" {
			h.addMember("stranger", other.Workspace.ID, role.ID)
		}
	}
	h.addUser("lonely", store.NewUser{})
}

func (h *house) addMember(name string, workspace, role int) {
	user := h.addUser(name, store.NewUser{})
	if err := h.store.SetMember(h.t.Context(), workspace, user.ID, role); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) addUser(name string, n store.NewUser) *store.User {
	n.Email, n.DisplayName = name+"@example.com", name
	if n.IsRoot {
		n.Password = password
	}
	user := must[*store.User](h.t)(h.store.CreateUser(h.t.Context(), n))
	h.users[name] = user
	h.tokens[name] = must[string](h.t)(h.store.CreateToken(h.t.Context(), user.ID, store.NewToken{Name: "test"}))
	return user
}

// demoContent is a workspace with two report types and three reports.
func demoContent() report.Workspace {
	yes := true
	page := report.Page{ID: 1, Name: "Invoice", Count: &yes}
	return report.Workspace{
		Name: "Demo", Code: "demo", Description: "Reports that show the product",
		Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-US"}},
		ReportTypes: []report.ReportType{
			{Name: "Invoice", Code: "invoice", DefaultReport: "invoice"},
			{Name: "Sales", Code: "sales", Description: "Figures", DefaultReport: "sales"},
		},
		Templates: []report.Template{{Name: "Letter paper", Code: "letter", Layouts: []report.Layout{{}}}},
		Themes:    []report.Theme{{Name: "Harbour", Code: "harbour"}, {Name: "Meadow", Code: "meadow"}},
		Reports: []report.NamedReport{
			{Code: "invoice", Report: report.Report{Version: 1, Name: "Invoice", Type: "invoice", Pages: []report.Page{page, {ID: 2, Name: "Terms", Type: "document-merge"}}}},
			{Code: "invoice-plain", Report: report.Report{Version: 1, Name: "Plain invoice", Type: "invoice", Theme: "meadow", Pages: []report.Page{page}}},
			{Code: "sales", Report: report.Report{Version: 1, Name: "Sales", Type: "sales", Pages: []report.Page{page}, Parameters: []report.ParameterUse{
				{Parameter: report.Parameter{Name: "year", Label: "Year", Type: "number", Required: true, Group: "Period"}},
				{Parameter: report.Parameter{Name: "from", Type: "date"}},
				{Parameter: report.Parameter{Name: "region", Type: "lookup", Lookup: []report.LookupItem{{Value: "n", Label: "North"}, {Value: "s"}}}},
				{Parameter: report.Parameter{Name: "details", Type: "switch", Default: true}},
			}}},
		},
	}
}

// scenario is one request and what must come back.
type scenario struct {
	name   string
	method string // default GET, or POST with a body
	path   string
	who    string // whose token; "" sends none
	header http.Header
	body   string
	status int
	has    []string // words in the body
	lacks  []string
	answer map[string]string // headers of the answer; a value is part of it
}

func (h *house) run(cases []scenario) {
	h.t.Helper()
	for _, c := range cases {
		h.t.(*testing.T).Run(c.name, func(t *testing.T) { h.check(t, c) })
	}
}

func (h *house) check(t *testing.T, c scenario) *httptest.ResponseRecorder {
	t.Helper()
	w := h.do(c)
	if w.Code != c.status {
		t.Errorf("%s %s: status %d; want %d\n%s", c.method, c.path, w.Code, c.status, w.Body)
		if w.Code == http.StatusInternalServerError {
			t.Log(h.log.String())
		}
	}
	for _, word := range c.has {
		if !strings.Contains(w.Body.String(), word) {
			t.Errorf("%s: the answer lacks %q:\n%s", c.path, word, w.Body)
		}
	}
	for _, word := range c.lacks {
		if strings.Contains(w.Body.String(), word) {
			t.Errorf("%s: the answer has %q:\n%s", c.path, word, w.Body)
		}
	}
	for name, value := range c.answer {
		if got := w.Header().Get(name); !strings.Contains(got, value) {
			t.Errorf("%s: header %s is %q; want %q", c.path, name, got, value)
		}
	}
	return w
}

// do sends the request of a case.
func (h *house) do(c scenario) *httptest.ResponseRecorder {
	if c.method == "" {
		c.method = http.MethodGet
		if c.body != "" {
			c.method = http.MethodPost
		}
	}
	var body io.Reader
	if c.body != "" {
		body = strings.NewReader(c.body)
	}
	r := httptest.NewRequest(c.method, c.path, body)
	maps.Copy(r.Header, c.header)
	if c.body != "" && r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.who != "" {
		r.Header.Set("Authorization", "Bearer "+h.tokens[c.who])
	}
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	h.conforms(r, w)
	return w
}

func header(namesAndValues ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(namesAndValues); i += 2 {
		h.Set(namesAndValues[i], namesAndValues[i+1])
	}
	return h
}

func newFile(name, contentType, content string) *export.File {
	return export.NewFile(name, contentType, []byte(content))
}

// named makes the exporter give a file of another name.
func (e *exporter) named(name string) {
	e.export = func(export.Request) (*export.File, error) { return newFile(name, "application/pdf", "%PDF"), nil }
}

func readObject(content io.ReadCloser) (report.Object, error) {
	defer content.Close()
	value, err := report.ReadValue(content)
	if err != nil {
		return report.Object{}, err
	}
	return *value.(*report.Object), nil
}

// connectionTypes are those of the service, which nothing is reached with here.
func connectionTypes() report.ConnectionTypes {
	return append(append(data.ConnectionTypes(), deliver.ConnectionTypes(&deliver.Env{})...), signing.ConnectionType(&signing.Env{}))
}
