// Package export makes one file from one request: it finds the definitions,
// binds the parameters, loads the data, compiles the HTML, prints and finishes
// it. It is the only room that knows the whole way; definitions and uploaded
// data arrive through small interfaces, so that the same code serves the HTTP
// service and the command line.
package export

import (
	"context"
	"time"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/scripting"
)

// Request asks for one export. The zero value of every option means its
// default, except the two permissions, which are true by default.
type Request struct {
	Workspace  int
	UserID     int
	Report     string // ID, or code of the report type whose default report is meant
	Params     *report.Object
	Data       *report.Object // replaces data sources by name
	TempDataID int            // uploaded data that replaces data sources by name; Data wins
	Lang       string
	Timezone   string // IANA name; empty means the report's, then the server's
	Format     string // empty means pdf
	Template   string // code or ID; empty means the report's
	Theme      string // code or ID; empty means the report's

	// Definition is drawn instead of the stored one, for who is editing it. With
	// an empty Report it belongs to none: a specimen that runs no data source of
	// the workspace.
	Definition *report.Report
	// Refresh loads all data anew for who is editing; without it, data sources
	// whose definition and parameters are the same keep what they gave before.
	Refresh bool

	IncludeAttachments bool
	Accessible         bool
	// Conformance is a kind of PDF/A, one of Conformances; empty means none.
	Conformance   string
	Password      report.Secret
	AllowPrinting bool
	AllowCopying  bool
	ExcludePages  []int
}

// protected reports whether the PDF is to be encrypted.
func (r *Request) protected() bool {
	return r.Password != "" || !r.AllowPrinting || !r.AllowCopying
}

// Definitions finds reports and managed files. A report is referred to by its
// ID or its type's code; what does not exist, or not in this workspace, is a
// Problem of kind NotFound.
type Definitions interface {
	// Report with an empty reference is no report with the workspace's library.
	Report(ctx context.Context, workspace int, ref string) (*Definition, error)
	// Subreport finds a report by its own code, as other reports name it.
	Subreport(ctx context.Context, workspace int, code string) (*Definition, error)
	File(ctx context.Context, workspace int, name string) (*report.File, error)
}

// Definition is a report and the library of its workspace. Neither is changed.
type Definition struct {
	Report  *report.Report
	Library Library
}

// Library is what all reports of a workspace can use. Template and Theme find
// one by ID or code; the empty reference means the first, or nil when there is
// none.
type Library struct {
	Template     func(ref string) (*report.Template, error)
	Theme        func(ref string) (*report.Theme, error)
	Languages    []report.Language
	Dictionaries []report.Dictionary
	Parameters   []report.Parameter
	DataSources  []report.DataSource
}

// Uploads finds temporary data by its number; it is the JSON text of an object
// with a member per data source.
type Uploads interface {
	TempData(ctx context.Context, workspace, id int) ([]byte, error)
}

// Printer prints documents. *render.Pool is one.
type Printer interface {
	Print(ctx context.Context, job render.Job) (*render.Result, error)
}

// Config is what a Service works with. Definitions, Loader and Scripts are
// required; Printer is required for everything but html.
type Config struct {
	Definitions Definitions
	Uploads     Uploads
	Loader      *data.Loader
	Scripts     scripting.Engine
	Printer     Printer
	Guard       *egress.Guard // fetches pictures from other hosts; nil means none are
	Timeout     time.Duration // of one export; default 2 minutes
	MostBytes   int           // of one compiled document; default 256 MB
	SpoolDir    string        // folder for finished files; default the system's
	Clock       func() time.Time
	Zone        *time.Location // the server's time zone; default time.Local
}

// Service exports reports. It is safe for concurrent use.
type Service struct {
	cfg  Config
	kept *keptData
}

// New makes a Service.
func New(cfg Config) *Service {
	if cfg.Timeout <= 0 {
		cfg.Timeout = 2 * time.Minute
	}
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	if cfg.Zone == nil {
		cfg.Zone = time.Local
	}
	return &Service{cfg, newKeptData(cfg.Clock)}
}

// Export makes the file that a request asks for. The caller closes it.
func (s *Service) Export(ctx context.Context, req Request) (*File, error) {
	out, err := formatOf(req)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	run, err := s.prepare(ctx, req)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	file, err := out.write(ctx, s, run)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	if req.IncludeAttachments {
		file, err = s.pack(file, run)
	}
	return file, err
}
