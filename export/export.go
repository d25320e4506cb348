// Package export makes one file from one request: it finds the definitions,
// binds the parameters, loads the data, compiles the HTML, prints and finishes
// it. It is the only room that knows the whole way; definitions and uploaded
// data arrive through small interfaces, so that the same code serves the HTTP
// service and the command line.
package export

import (
	"context"
	"io"
	"strconv"
	"time"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/render/pdfium"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/budget"
	"github.com/quire-reports/quire/report/font"
	"github.com/quire-reports/quire/report/font/subset"
	"github.com/quire-reports/quire/scripting"
)

// Request asks for one export. Its options are declared here and in
// report.ExportOptions, and nowhere else; see there for the tags. The zero
// value of every option means its default.
type Request struct {
	Workspace int `json:"-"`
	UserID    int `json:"-"`
	// User is the person who looks: $user. The rights that count, and the
	// temporary data, are those of UserID.
	User   report.Person `json:"-"`
	Report string        `json:"-"` // ID, or code of the report type whose default report is meant
	// Entry says of which run and entry of a job it is a document; empty for others.
	Entry string `json:"-"`

	// Definition is drawn instead of the stored one, while somebody edits it. With
	// an empty Report it belongs to none: a specimen that runs no data source of
	// the workspace.
	Definition *report.Report `json:"-"`
	// Refresh loads all data anew while somebody edits; without it, data sources
	// whose definition and parameters are the same keep what they gave before.
	Refresh bool `json:"-"`
	// Samples gives required parameters without a value one made from their type,
	// for a preview of how the report is going to look.
	Samples bool `json:"-"`
	// Anyway draws what can be drawn while somebody edits: data sources that fail
	// cause a warning and have no value.
	Anyway bool `json:"-"`

	// Strict refuses names in Data and TempDataID that are no data sources of the
	// report even where others are; for callers that read no warnings.
	Strict bool `json:"-"`

	Params     *report.Object `json:"params" help:"Report parameter values by name."`
	Data       *report.Object `json:"data" help:"Inline data: a member per data source, which it replaces."` // wins over TempDataID
	TempDataID int            `json:"tempDataId" in:"query,async" help:"Uploaded temporary data that replaces data sources."`
	Lang       string         `json:"lang" help:"Preferred language of the report."`
	Timezone   string         `json:"timezone" help:"IANA time zone of dates and times. Default: the report's, then the server's."`
	report.ExportOptions
	Password     report.Secret `json:"password" in:"body,async" help:"Encrypts the PDF with AES-256."`
	ExcludePages []int         `json:"excludePages" in:"async" help:"IDs of the pages to leave out."`
}

// protected reports whether the PDF is to be encrypted.
func (r *Request) protected() bool { return r.Password != "" || r.DenyPrinting || r.DenyCopying }

// Definitions finds reports and managed files. A report is referred to by its
// ID or its type's code; what does not exist, or not in this workspace, is a
// Problem of kind NotFound. *store.Store is one, and so is Bundle.
type Definitions interface {
	// Report with an empty reference is no report with the workspace's library.
	Report(ctx context.Context, workspace int, ref string) (*report.Definition, error)
	// Subreport finds a report by its own code, as other reports name it.
	Subreport(ctx context.Context, workspace int, code string) (*report.Definition, error)
	File(ctx context.Context, workspace int, name string) (*report.File, error)
	// FontFiles are the managed files that are fonts by their names.
	FontFiles(ctx context.Context, workspace int) ([]report.FileStamp, error)
}

// Uploads finds temporary data of a user by its number; it is the JSON text of
// an object with a member per data source. *store.Store is one.
type Uploads interface {
	TempData(ctx context.Context, workspace, user, id int) (io.ReadCloser, error)
}

// Printer prints documents. *render.Pool is one.
type Printer interface {
	Print(ctx context.Context, job render.Job) (*render.Result, error)
	// Draw makes pictures of the elements with an attribute.
	Draw(ctx context.Context, job render.Job, attribute string) ([]render.Drawing, render.Timings, error)
	// Picture makes a picture of a page.
	Picture(ctx context.Context, job render.Job, still render.Still) (*render.Picture, render.Timings, error)
	// Read lays a document out and reads it back.
	Read(ctx context.Context, job render.Job, reading render.Reading) (*render.Read, error)
	// Room is nil when a document of a key would be let in.
	Room(ctx context.Context, key string) error
}

// Config is what a Service works with. Definitions, Loader and Scripts are
// required; Printer is required for everything but html.
type Config struct {
	Definitions Definitions
	Uploads     Uploads
	Loader      *data.Loader
	Scripts     scripting.Engine
	Printer     Printer
	Priority    render.Priority   // of printing; Background for what was accepted and nobody waits for
	Guard       *egress.Guard     // fetches pictures from other hosts; nil means none are
	Connections data.Connections  // have the keys that sign; nil means none
	Timeout     time.Duration     // of one export; default 2 minutes
	MostBytes   int               // of one compiled document; default 256 MB
	Budget      *budget.Budget    // of memory; nil means none is counted
	Fonts       *font.Library     // that the printing browser finds by itself; nil means those of the system
	SpoolDir    string            // folder for finished files; default the system's
	NoOffice    bool              // the formats of Office are switched off
	Pages       *pdfium.Drawer    // draws pages of attached PDF files; nil means one of its own
	Subset      *subset.Subsetter // makes the fonts of HTML files small; nil means one of its own
	// Signed is called for every signature that is made, also where no file comes of it
	// in the end; it may be nil.
	Signed func(ctx context.Context, s Signed)
	// Observe is called after every export; it may be nil.
	Observe func(ctx context.Context, made Made)
	Clock   func() time.Time
	Zone    *time.Location // the server's time zone; default time.Local
}

// Service exports reports. It is safe for concurrent use.
type Service struct {
	cfg  Config
	kept *keptData

	fonts  *fonts
	scaler *scaler
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
	if cfg.Fonts == nil {
		cfg.Fonts = &font.Library{Dirs: font.SystemDirs()}
	}
	if cfg.Pages == nil {
		cfg.Pages = pdfium.NewDrawer("")
	}
	if cfg.Subset == nil {
		cfg.Subset = subset.New(assets.HarfBuzz, "")
	}
	return &Service{cfg, newKeptData(cfg.Clock), newFonts(cfg.Fonts), newScaler()}
}

// enter says of which workspace and user what is done with a context is, for all
// that is shared out between them.
func (s *Service) enter(ctx context.Context, workspace, user int) (inside context.Context, leave func()) {
	ctx, leave = s.cfg.Budget.Enter(ctx, workspace)
	return scripting.For(ctx, strconv.Itoa(workspace), strconv.Itoa(user)), leave
}

// Formats names the formats that files can be made in, the default first.
func (s *Service) Formats() []string { return FormatsWith(!s.cfg.NoOffice) }

// Export makes the file that a request asks for. The caller closes it.
func (s *Service) Export(ctx context.Context, req Request) (*File, error) {
	return s.observed(ctx, &req, func(ctx context.Context) (*File, error) { return s.export(ctx, req) })
}

func (s *Service) export(ctx context.Context, req Request) (*File, error) {
	if err := req.Check(s.Formats()).Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	ctx, leave := s.enter(ctx, req.Workspace, req.UserID)
	defer leave()
	if err := s.room(ctx, &req); err != nil {
		return nil, timedOut(ctx, err)
	}
	run, err := s.prepare(ctx, req)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	if err := run.bill(); err != nil {
		return nil, err
	}
	if req.InvoiceXML {
		return run.invoiceFile(), nil
	}
	file, err := formatOf(&req).write(ctx, s, run)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	if req.IncludeAttachments {
		file, err = s.pack(file, run)
	}
	return file, err
}

// room refuses what would wait for nothing: its data are not asked for.
func (s *Service) room(ctx context.Context, req *Request) error {
	if !formatOf(req).printed || req.InvoiceXML || s.cfg.Priority == render.Background {
		return nil
	}
	return printProblem(s.cfg.Printer.Room(ctx, strconv.Itoa(req.Workspace)), 0)
}
