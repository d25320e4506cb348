// Package ui is what people see in a browser without the designer: signing in,
// the list of reports, access tokens, and the preview of a report, which also
// lives in frames of other sites. Pages are rendered here on the server, with
// templates in pages/ and one style sheet, and run no script but the preview's.
package ui

import (
	"context"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/mux"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/api/internal/live"
	"github.com/quire-reports/quire/api/internal/rights"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/starter"
	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/store"
)

// Store is what the pages read and write. *store.Store is one.
type Store interface {
	Note(ctx context.Context, e store.Event)
	AuditEvents(ctx context.Context, q store.AuditQuery) ([]store.AuditEvent, error)
	Usage(ctx context.Context, q store.UsageQuery) ([]store.Usage, error)
	RootOnlyHere() bool
	TokenIdleDays() int
	SignIn(ctx context.Context, email string, password report.Secret, known bool) (*store.User, error)
	SessionsOf(ctx context.Context, userID int) ([]store.Session, error)
	EndSessionOf(ctx context.Context, userID int, ref string) error
	EndSessionsOf(ctx context.Context, userID int, but string) error
	ForgetDevices(ctx context.Context, userID int, but []string) error
	Workspaces(ctx context.Context, u *store.User) ([]store.Workspace, error)
	Enter(ctx context.Context, u *store.User, ref string) (*store.Access, error)
	Reports(ctx context.Context, workspaceID int, q store.ReportQuery) ([]store.ReportRow, error)
	ReportByIDOrType(ctx context.Context, workspaceID int, ref string) (*store.ReportDefinition, error)
	PreviewImage(ctx context.Context, workspaceID, reportID int) (*store.Content, error)
	SetPreviewImage(ctx context.Context, workspaceID, reportID int, contentType string, from io.Reader) error
	PicturePage(ctx context.Context, workspaceID, reportID int) (int, error)
	SetPicturePage(ctx context.Context, workspaceID, reportID, page, revision int) error
	CreateToken(ctx context.Context, userID int, n store.NewToken) (string, error)
	Tokens(ctx context.Context, userID int) ([]store.Token, error)
	AllTokens(ctx context.Context, search string) ([]store.Token, error)
	WithdrawToken(ctx context.Context, tokenID int) error
	RevokeToken(ctx context.Context, userID, tokenID int) error
	rights.Store
	Operation
	Identities
	Directories
	SecondFactors
	Authoring
	Runs
	ExportFiles
	ServiceAccounts
	Administration
	Profiles
	Groups
	Transfers
	Comments
	News
	RunsAs(ctx context.Context, workspaceID int, email string) (report.Person, error)
}

// Authoring is what the designer writes.
type Authoring interface {
	CreateReport(ctx context.Context, workspaceID int, n store.NewReport) (*store.ReportDefinition, error)
	SaveReport(ctx context.Context, workspaceID, id, revision, userID int, def *report.Report) (int, error)
	SaveDraft(ctx context.Context, workspaceID, id, revision, userID int, def *report.Report, unfinished bool) (int, error)
	DeleteReport(ctx context.Context, workspaceID, id int) error
	RestoreReport(ctx context.Context, workspaceID, id int) (*store.ReportDefinition, error)
	ReportVersions(ctx context.Context, workspaceID, id int) ([]store.Version, error)
	ReportVersion(ctx context.Context, workspaceID, id, revision int) (*report.Report, error)
	VersionPicture(ctx context.Context, workspaceID, id, revision int) (*store.VersionPicture, error)
	NameVersion(ctx context.Context, workspaceID, id, revision int, name string) error

	Resources(ctx context.Context, workspaceID int, kind store.Kind) ([]store.Resource, error)
	CreateResource(ctx context.Context, workspaceID int, kind store.Kind, text []byte) (id int, err error)
	SaveResource(ctx context.Context, workspaceID int, kind store.Kind, id, revision int, text []byte) (int, error)
	DeleteResource(ctx context.Context, workspaceID int, kind store.Kind, id int) error
	RestoreResource(ctx context.Context, workspaceID int, kind store.Kind, id int) error
	OrderResources(ctx context.Context, workspaceID int, kind store.Kind, ids []int) error

	ReportTypesFor(ctx context.Context, a *store.Access) ([]store.ReportType, error)
	PutReportType(ctx context.Context, workspaceID, id, revision int, t report.ReportType) (int, error)
	RestoreReportType(ctx context.Context, workspaceID, id int) error
	DeleteReportType(ctx context.Context, workspaceID, id int) error
	Connections(ctx context.Context, workspaceID int) ([]store.Connection, error)
}

// Exporter makes previews and files. *export.Service is one.
type Exporter interface {
	Export(ctx context.Context, req export.Request) (*export.File, error)
	Preview(ctx context.Context, req export.PreviewRequest) (*export.Preview, error)
	Parameters(ctx context.Context, req export.Request) ([]export.Asked, error)
	Check(def *report.Report) report.Problems
	RunSource(ctx context.Context, req export.SourceRequest) (*export.SourceRun, error)
	Picture(ctx context.Context, req export.PictureRequest) (*export.Picture, error)
}

// Config is what the pages work with.
type Config struct {
	Store    Store
	Export   Exporter
	Jobs     Jobs
	Options  *input.Reader
	Sessions *access.Sessions
	Attempts *access.Attempts
	Logger   *slog.Logger
	Guard    func(method, path string, need access.Need, refuse func(http.ResponseWriter, *http.Request, error), next http.Handler) http.Handler
	PathBase string
	// BodyLimit is the largest body in bytes.
	BodyLimit int64
	// Assets is the address below which the preview finds scripts and fonts.
	Assets string
	// Formats are those of exports.
	Formats []string
	// FrameAncestors are the origins that may embed previews.
	FrameAncestors []string
	Explorer       bool // whether to link to the API explorer
	Version        string
	Clock          func() time.Time
	// ConnectionTypes are those that connections can be of.
	ConnectionTypes report.ConnectionTypes
	// PublicURL is the address under which people reach the service, without
	// PathBase; empty: that of the request.
	PublicURL string
	// Mail is the mail server of the installation; may be nil.
	Mail *Mail
	// SecondFactor is which users need one: FactorOptional, the default, and so
	// on.
	SecondFactor string
	// QRCode draws a text as SVG; may be nil.
	QRCode func(text string) (string, error)
	// Icons are the drawings beside words, {name}.svg; may be nil: none are shown.
	Icons fs.FS
	// Layouts and Gallery are what new reports can begin with; may be none.
	Layouts, Gallery []starter.Point
	// Providers are where people sign in besides; may be none.
	Providers []*sso.Provider
	// AutoRedirect is the name of the provider that people are sent to at once
	// for signing in; empty: they choose.
	AutoRedirect string
	// Directories are those whose passwords people enter here; may be none.
	Directories []*sso.Directory
	// Stopping is closed when the service stops; what goes on for long ends then.
	Stopping <-chan struct{}
}

// UI serves the pages.
type UI struct {
	Config
	pages   *pages
	texts   *texts
	schema  func() export.DesignSchema
	live    *live.Hub
	streams streams // of reports
	stills  stills  // of starting points

	letters  chan struct{} // places for links that are mailed
	darkroom chan struct{} // one place to decode a picture
}

// New makes a UI.
func New(c Config) *UI {
	u := &UI{
		Config: c,
		schema: sync.OnceValue(export.Schema),
		live:   live.NewHub(live.Config{Stopping: c.Stopping}),

		letters:  make(chan struct{}, mostLetters),
		darkroom: make(chan struct{}, 1),
	}
	u.texts = allTexts()
	u.pages = newPages(c.PathBase, u.texts, c.Icons)
	return u
}

// designer is how the designer comes in, and scripts that do what it does.
const designer = access.Session | access.Token

// route is an address, what it needs, how it refuses, and what it does.
type route struct {
	method, path string
	need         access.Need
	refuse       func(http.ResponseWriter, *http.Request, error)
	handler      http.HandlerFunc
}

// Register puts the pages on a router.
func (u *UI) Register(router *mux.Router) {
	var (
		open   = access.Open()
		known  = access.Known(access.Session)
		viewer = access.In(access.Token|access.Session|access.Preview, store.Reports, store.Read).OrOwn()
		reader = access.In(access.Session, store.Reports, store.Read).OrOwn()

		reading  = access.In(designer, store.Reports, store.Read).OrOwn()
		writing  = access.In(designer, store.Reports, store.Write)
		owning   = writing.OrOwn()
		deleting = access.In(designer, store.Reports, store.Full).OrOwn()
	)
	const authoring = "/api/ui/ws/{workspaceId}/reports"
	routes := []route{
		{http.MethodGet, "/sign-in", open, u.Error, u.signInPage},
		{http.MethodPost, "/sign-in", open, u.Error, u.signIn},
		{http.MethodPost, "/sign-out", known, u.toSignIn, u.signOut},
		{http.MethodPost, "/language", known, u.toSignIn, u.chooseLanguage},
		{http.MethodGet, "/devices", known, u.toSignIn, u.devicesPage},
		{http.MethodPost, "/devices/end", known, u.toSignIn, u.endOtherSessions},
		{http.MethodPost, "/devices/{session}/end", known, u.toSignIn, u.endSession},
		{http.MethodGet, "/", known, u.toSignIn, u.home},
		{http.MethodGet, "/ws/{workspaceId}", reader, u.toSignIn, u.workspace},
		{http.MethodGet, "/ws/{workspaceId}/reports/{report}/preview", viewer, u.frameError, u.preview},
		{http.MethodGet, "/ws/{workspaceId}/reports/{report}/pdf", reader, u.toSignIn, u.pdf},
		{http.MethodGet, "/ws/{workspaceId}/reports/{report}/preview-image", viewer, u.Error, u.previewImage},
		{http.MethodGet, "/api/ui/search", known, u.refuse, u.search},
		{http.MethodGet, "/ui/canvas", open, u.Error, u.canvas},
		{http.MethodGet, "/ui/{file}", open, u.Error, u.static},
		{http.MethodPost, "/ws/{workspaceId}/reports", access.In(access.Session, store.Reports, store.Write), u.toSignIn, u.createFromForm},
		{http.MethodGet, "/ws/{workspaceId}/reports/{report:[0-9]+}/design", access.In(access.Session, store.Reports, store.Write).OrOwn(), u.toSignIn, u.designPage},
		{http.MethodGet, "/ws/{workspaceId}/library", reader, u.toSignIn, u.libraryPage},
		{http.MethodGet, "/ws/{workspaceId}/templates/{resource:[0-9]+}/design", access.In(access.Session, store.Templates, store.Full), u.toSignIn, u.templatePage},
		{http.MethodPost, "/api/ui/ws/{workspaceId}/templates/render", access.In(designer, store.Templates, store.Read), u.refuse, u.renderSpecimen},
		{http.MethodPost, "/api/ui/ws/{workspaceId}/themes/render", access.In(designer, store.Themes, store.Read), u.refuse, u.renderSpecimen},
		{http.MethodGet, authoring, reading, u.refuse, u.listReports},
		{http.MethodGet, "/api/ui/components", access.Known(designer), u.refuse, u.components},
		{http.MethodPost, authoring + "/{report:[0-9]+}/render", owning, u.refuse, u.renderDesign},
		{http.MethodPost, authoring + "/{report:[0-9]+}/run", owning, u.refuse, u.runSource},
		{http.MethodPost, "/api/ui/ws/{workspaceId}/dataSources/run", access.In(designer, store.DataSources, store.Full), u.refuse, u.runShared},
		{http.MethodGet, "/api/ui/ws/{workspaceId}/connections", access.In(designer, store.DataSources, store.Read), u.refuse, u.connections},
		{http.MethodPost, authoring, writing, u.refuse, u.createReport},
		{http.MethodGet, authoring + "/{report:[0-9]+}", reading, u.refuse, u.readReport},
		{http.MethodPut, authoring + "/{report:[0-9]+}", owning, u.refuse, u.saveReport},
		{http.MethodDelete, authoring + "/{report:[0-9]+}", deleting, u.refuse, u.deleteReport},
		{http.MethodPost, authoring + "/{report:[0-9]+}/restore", writing, u.refuse, u.restoreReport},
		{http.MethodGet, authoring + "/{report:[0-9]+}/versions", owning, u.refuse, u.reportVersions},
		{http.MethodGet, authoring + "/{report:[0-9]+}/versions/{revision:[0-9]+}", owning, u.refuse, u.reportVersion},
		{http.MethodGet, authoring + "/{report:[0-9]+}/versions/{revision:[0-9]+}/picture", owning, u.refuse, u.versionPicture},
		{http.MethodPut, authoring + "/{report:[0-9]+}/versions/{revision:[0-9]+}", owning, u.refuse, u.nameVersion},
	}
	routes = slices.Concat(routes, u.libraryRoutes(), u.reportTypeRoutes(), u.administrationRoutes(), u.reportRoutes(), u.reportAccessRoutes(), u.reportShareRoutes(), u.commentRoutes(), u.newsRoutes(), u.openerRoutes(), u.fileRoutes(), u.connectionRoutes(), u.jobRoutes(), u.exportRoutes(), u.mailRoutes(), u.auditRoutes(), u.usageRoutes(), u.operationRoutes(), u.jobDraftRoutes(), u.providerRoutes(), u.directoryRoutes(), u.invitationRoutes(), u.forgottenRoutes(), u.secondFactorRoutes(), u.passkeyRoutes(), u.tokenRoutes(), u.serviceAccountRoutes(), u.groupRoutes(), u.provisioningRoutes(), u.profileRoutes(), u.ownDataRoutes(), u.pictureRoutes(), u.startRoutes(), u.bundleRoutes(), u.transferRoutes())
	for _, route := range routes {
		methods := []string{route.method}
		if route.method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
		router.Path(route.path).Methods(methods...).Handler(u.Guard(route.method, route.path, route.need, route.refuse, route.handler))
	}
}
