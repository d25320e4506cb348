// Package api is the HTTP side of Quire: it decodes requests, settles who is
// calling, calls one function of another room and encodes the result. The
// public API lives in api/v1, the pages for people and the preview in api/ui;
// this package puts them on one router with what all of them share: request
// identifiers, the log, limits, health, metrics and static files.
package api

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/mux"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/api/scim"
	"github.com/quire-reports/quire/api/ui"
	v1 "github.com/quire-reports/quire/api/v1"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/budget"
	"github.com/quire-reports/quire/report/starter"
	"github.com/quire-reports/quire/sso"
)

// Store is what requests read and write. *store.Store is one.
type Store interface {
	OnServer() bool // the database is a server, which may be away
	access.Store
	v1.Store
	ui.Store
	scim.Store
	access.SessionStore
	access.AttemptStore
}

// Exporter makes files and previews. *export.Service is one.
type Exporter interface {
	v1.Exporter
	ui.Exporter
}

// Jobs is what does the work that nobody waits for. *jobs.Service is one.
type Jobs interface {
	v1.Jobs
	ui.Jobs
}

// Mail is the mail server of the installation.
type Mail = ui.Mail

// Config is what the handler works with. Store, Export and Jobs are required.
type Config struct {
	Store   Store
	Export  Exporter
	Jobs    Jobs
	Formats []string // accepted output formats; default those that there are
	// PathBase, such as "/reports", comes before every path; PublicURL is the
	// address under which people reach the service. Both may be empty.
	PathBase, PublicURL string
	// TrustedProxies are those whose word is taken for where a request comes from.
	TrustedProxies []netip.Prefix
	Explorer       bool     // whether /api/explorer is served
	FrameAncestors []string // origins that may embed previews; default any
	BodyLimit      int64    // of a request, in bytes; default 64 MB
	// Reading is how slowly bodies may arrive.
	Reading Reading
	// RequestsPerSecond bounds what one user may ask for; default 500.
	RequestsPerSecond int
	// Budget is the memory that requests may take; nil means none is counted.
	Budget *budget.Budget
	Assets fs.FS // files below /assets; may be nil
	Icons  fs.FS // drawings of the interface, {name}.svg; may be nil
	// Layouts and Gallery are what new reports can begin with; may be none.
	Layouts, Gallery []starter.Point
	Checks           []Check
	Details          func() map[string]string // what /readyz tells root users besides; may be nil
	Metrics          *prometheus.Registry     // default: one with the process's own
	// Profiling serves profiles of the process where metrics have an address of
	// their own, and nowhere else.
	Profiling bool
	Logger    *slog.Logger     // default: nothing is logged
	Clock     func() time.Time // default time.Now
	// ConnectionTypes are those that connections can be of.
	ConnectionTypes report.ConnectionTypes
	Providers       []*sso.Provider                   // at which people sign in; may be none
	Directories     []*sso.Directory                  // whose passwords people enter here; may be none
	AutoRedirect    string                            // name of the provider that people are sent to for signing in; may be empty
	SecondFactor    string                            // who needs one: optional, root or required
	QRCode          func(text string) (string, error) // draws a text as SVG; may be nil
	Mail            *ui.Mail                          // the mail server of the installation; may be nil
	Leaving         <-chan struct{}                   // closed when no more requests should be sent here; those that come are still answered
	Stopping        <-chan struct{}                   // closed when the service stops; streams end then
	Version         string

	metricsApart bool // metrics have a handler of their own
}

func (c *Config) fill() {
	if c.Formats == nil {
		c.Formats = export.Formats()
	}
	if c.FrameAncestors == nil {
		c.FrameAncestors = []string{"*"}
	}
	if c.BodyLimit <= 0 {
		c.BodyLimit = 64 << 20
	}
	c.Reading.fill()
	if c.RequestsPerSecond <= 0 {
		c.RequestsPerSecond = 500
	}
	if c.Metrics == nil {
		c.Metrics = prometheus.NewRegistry()
		c.Metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	c.PathBase = strings.TrimRight(c.PathBase, "/")
}

// server is the handler while it is put together.
type server struct {
	Config
	proxies *access.Proxies
	cookies access.Cookies
	gate    *access.Gate
	ui      *ui.UI
	router  *mux.Router
	metrics *metrics
	routes  []Route
	parts   sync.Map // what /readyz last found of each part, by its name
}

// Route is an address that the handler serves and what it needs.
type Route struct {
	Method, Path string
	Need         access.Need
}

// New makes the handler of the whole service.
func New(c Config) http.Handler {
	handler, _ := build(c)
	return handler
}

// NewApart makes the handler of the service without its metrics, and one for
// an address that only monitors reach: metrics, and health with every part.
func NewApart(c Config) (service, watch http.Handler) {
	c.metricsApart = true
	s := newServer(c)
	return s.serve(), s.watch()
}

// NewWatch makes the handler for monitors of a process that serves nobody else,
// such as a worker. Of the Config it takes what is about health and metrics.
func NewWatch(c Config) http.Handler {
	c.fill()
	return (&server{Config: c}).watch()
}

// build also returns the routes, which a test walks through.
func build(c Config) (http.Handler, []Route) {
	s := newServer(c)
	return s.serve(), s.routes
}

func newServer(c Config) *server {
	c.fill()
	public, err := url.Parse(c.PublicURL)
	if err != nil || public.Host == "" {
		public = nil
	}
	proxies := &access.Proxies{Trusted: c.TrustedProxies, Log: c.Logger}
	cookies := access.Cookies{PathBase: c.PathBase, Public: public, Proxies: proxies}
	sessions := access.NewSessions(c.Store, cookies)
	s := &server{Config: c, proxies: proxies, cookies: cookies, router: mux.NewRouter().SkipClean(true), metrics: newMetrics(c.Metrics), gate: &access.Gate{
		Store: c.Store, Sessions: sessions, Cookies: cookies, CrossOrigin: crossOrigin(public), Budget: c.Budget, Remote: c.Store.OnServer(),
		Limits:       access.NewLimiter(time.Second/time.Duration(c.RequestsPerSecond), 2*c.RequestsPerSecond, "too many requests; wait and try again", c.Clock),
		Provisioning: access.NewLimiter(time.Second/provisioningPace, provisioningBurst, "too many requests; wait and try again", c.Clock),
	}}
	return s
}

// serve puts everything on the router.
func (s *server) serve() http.Handler {
	c := s.Config
	options := input.NewReader(c.Formats)
	s.ui = ui.New(ui.Config{
		Store: c.Store, Export: c.Export, Jobs: c.Jobs, Options: options, Sessions: s.gate.Sessions, Attempts: access.NewAttempts(c.Store, s.cookies, ui.TooManyAttempts, c.Clock), Logger: c.Logger, Guard: s.guard, PathBase: c.PathBase, BodyLimit: c.BodyLimit,
		Assets: c.PathBase + "/assets", FrameAncestors: c.FrameAncestors, Explorer: c.Explorer, Version: c.Version, Clock: c.Clock, Stopping: c.Stopping, ConnectionTypes: c.ConnectionTypes, PublicURL: c.PublicURL, Mail: c.Mail, Providers: c.Providers, Directories: c.Directories, AutoRedirect: c.AutoRedirect, SecondFactor: c.SecondFactor, QRCode: c.QRCode, Icons: c.Icons, Layouts: c.Layouts, Gallery: c.Gallery, Formats: c.Formats,
	})
	v1.Register(s.router, v1.Config{
		Store: c.Store, Export: c.Export, Jobs: c.Jobs, Options: options, BodyLimit: c.BodyLimit, PathBase: c.PathBase, Server: s.address(), Version: c.Version,
		Guard: func(method, path string, need access.Need, next http.Handler) http.Handler {
			return s.guard(method, path, need, refuseJSON, next)
		},
	})
	s.ui.Register(s.router)
	scim.Register(s.router, scim.Config{Store: c.Store, Guard: s.guard, Address: s.addressFor, BodyLimit: c.BodyLimit})
	s.serveRest()
	return s.wrap()
}

// crossOrigin refuses what pages of other sites send with our cookies. Behind
// a proxy that changes the host, the public address is ours, too.
func crossOrigin(public *url.URL) *http.CrossOriginProtection {
	protection := http.NewCrossOriginProtection()
	if public != nil {
		_ = protection.AddTrustedOrigin(public.Scheme + "://" + public.Host) // parsed before
	}
	return protection
}

// address is where clients find the service, for the API's description.
func (s *server) address() string {
	if s.PublicURL != "" {
		return strings.TrimRight(s.PublicURL, "/") + s.PathBase
	}
	if s.PathBase != "" {
		return s.PathBase
	}
	return "/"
}

// How often one token for provisioning may ask: in a second, and at once.
const (
	provisioningPace  = 50
	provisioningBurst = 500
)

// addressFor is where the client of a request finds the service.
func (s *server) addressFor(r *http.Request) string {
	if s.PublicURL != "" {
		return s.address()
	}
	scheme := "http"
	if s.cookies.Encrypted(r) {
		scheme = "https"
	}
	return scheme + "://" + r.Host + s.PathBase
}

// guard puts a need before a handler and remembers both.
func (s *server) guard(method, path string, need access.Need, refuse func(http.ResponseWriter, *http.Request, error), next http.Handler) http.Handler {
	s.routes = append(s.routes, Route{method, path, need})
	return s.gate.Guard(need, refuse, next)
}

// open registers a route for everybody.
func (s *server) open(path string, handler http.Handler) {
	s.router.Path(path).Methods(http.MethodGet, http.MethodHead).Handler(s.guard(http.MethodGet, path, access.Open(), s.fail, handler))
}

// serveRest registers what belongs to no other package.
func (s *server) serveRest() {
	s.open("/healthz", http.HandlerFunc(alive))
	s.open("/readyz", http.HandlerFunc(s.ready))
	if !s.metricsApart {
		s.open("/metrics", s.serveMetrics())
	}
	if s.Assets != nil {
		files := newAssets(s.Assets)
		s.open("/assets/{file:.*}", files)
		s.open("/embed/quire-report.js", files.only("quire-report.js"))
	}
	if s.Explorer {
		s.serveExplorer()
	}
	s.router.NotFoundHandler = http.HandlerFunc(s.notFound)
	s.router.MethodNotAllowedHandler = http.HandlerFunc(s.methodNotAllowed)
}

// Check asks one part of the service whether it works.
type Check struct {
	Name string // database, browser, redis, storage
	Ask  func(ctx context.Context) error
	// Needed is whether nothing can be answered without the part.
	Needed bool
}
