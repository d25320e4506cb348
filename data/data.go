package data

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"time"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
	"github.com/quire-reports/quire/scripting"
)

// Config is what a Loader works with. Everything has a default, but sources
// that need a missing part say so.
type Config struct {
	Scripts     scripting.Engine // runs JavaScript
	Egress      *egress.Guard    // makes outgoing requests
	Connections Connections      // finds databases and services by name

	// Inline allows sources to carry their own database connection, for runs
	// without a server. A server leaves it off: who writes reports must not be
	// able to reach any database from it.
	Inline bool
	// SQLiteFolders are the folders whose files SQLite connections may open;
	// none means no SQLite source works. Inline runs name the report's own.
	SQLiteFolders []string

	MaxRows    int           // of one source; default 1,000,000
	MaxBytes   int64         // of one source's values, about; default 512 MB
	Timeout    time.Duration // of one database query; default 30 s
	Parallel   int           // sources of one report loaded at the same time; default 8
	CacheBytes int           // of pasted content kept parsed; default 32 MB
	Log        *slog.Logger  // default nothing
}

func (c Config) withDefaults() Config {
	if c.MaxRows <= 0 {
		c.MaxRows = 1_000_000
	}
	if c.MaxBytes <= 0 {
		c.MaxBytes = 512 << 20
	}
	if c.Timeout <= 0 {
		c.Timeout = 30 * time.Second
	}
	if c.Parallel <= 0 {
		c.Parallel = 8
	}
	if c.CacheBytes <= 0 {
		c.CacheBytes = 32 << 20
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// Loader loads data sets. It keeps database connections and parsed content
// between runs and is safe for use by several goroutines.
type Loader struct {
	config    Config
	types     map[string]Type
	parsed    *cache
	databases *databases
	mongos    *mongos
}

// NewLoader makes a loader. It opens nothing yet.
func NewLoader(config Config) *Loader {
	config = config.withDefaults()
	l := &Loader{config: config, types: map[string]Type{}, parsed: newCache(config.CacheBytes), databases: newDatabases(config.SQLiteFolders), mongos: newMongos()}
	for _, t := range Types() {
		l.types[t.Name] = t
	}
	return l
}

// Close ends database connections.
func (l *Loader) Close() {
	l.databases.close()
	l.mongos.close()
}

// Connections finds a connection of a workspace by its name. What does not
// exist is a *report.Problem.
type Connections interface {
	Connection(ctx context.Context, workspace int, name string) (*Connection, error)
}

// Connection is how to reach a database or a service.
type Connection struct {
	Type string
	// Address of a database is postgres://…, mysql://… or the driver's own
	// form, sqlserver://…, or a SQLite file; of a service its base URL.
	Address report.Secret
	Headers []Header // of a service: sent with every request
}

// Header is one header of an outgoing request.
type Header struct {
	Name  string
	Value report.Secret
}

// Request is one run of a report's data sources.
type Request struct {
	Sources []report.SourceUse // resolved: reusable ones have type and settings
	Params  *report.Object
	Dict    *report.Object
	User    report.Person // who looks: $user
	// Replace holds values that stand in for sources of these names, which are
	// then not run. Names of no source are added to the set.
	Replace   map[string]any
	Workspace int // whose connections are meant
	// Scheduled is a run of a job: hooks of API sources always run, see only
	// $params, and cannot say that they are not ready.
	Scheduled bool

	// Tolerant turns what fails into warnings: those sources have no value.
	Tolerant bool

	// Previous is what an earlier run of the report gave, or an empty Set when
	// there will be later ones. Sources whose inputs are still the same are not
	// run again; a source that is reloads those that depend on it, and only them.
	Previous *Set

	Zone     *time.Location
	Now      time.Time
	Locale   *text.Locale
	Language string // code, for scripts
}

// Set is what was loaded.
type Set struct {
	// Data has a member for every source, in the order of the definitions.
	Data     *report.Object
	Warnings report.Problems
	// Sources says how each source went, in the same order.
	Sources []SourceResult
}

// SourceResult is how one source went.
type SourceResult struct {
	Name     string
	Replaced bool
	NotReady bool // its request builder returned false; the set has no value of it
	Took     time.Duration
	Logs     []string // what its script wrote to the console
	Kept     bool     // its value is that of the previous run

	inputs   [sha256.Size]byte
	value    any
	warnings report.Problems
}
