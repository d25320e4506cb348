// Package v1 is the public API below /api/v1/. Each endpoint is one line in
// routes.go, which gives its address, need, decoding and description, and a
// handler of a few lines that calls one function and turns its result into the
// JSON promised to clients. Callers are identified before; see access.
package v1

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
	"github.com/gorilla/mux"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/api/internal/rights"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Store is what the endpoints read and write. *store.Store is one.
type Store interface {
	rights.Store
	Note(ctx context.Context, e store.Event)
	AuditEvents(ctx context.Context, q store.AuditQuery) ([]store.AuditEvent, error)
	Workspaces(ctx context.Context, u *store.User) ([]store.Workspace, error)
	Reports(ctx context.Context, workspaceID int, q store.ReportQuery) ([]store.ReportRow, error)
	ReportByIDOrType(ctx context.Context, workspaceID int, ref string) (*store.ReportDefinition, error)
	ReportTypesFor(ctx context.Context, a *store.Access) ([]store.ReportType, error)
	Templates(ctx context.Context, workspaceID int) ([]store.NamedRow, error)
	Themes(ctx context.Context, workspaceID int) ([]store.NamedRow, error)
	PutTempData(ctx context.Context, workspaceID, userID int, content store.Upload) (int, time.Time, error)
	HasTempData(ctx context.Context, workspaceID, userID, id int) error
	CreateNonce(ctx context.Context, g store.Grant) (string, error)
	Enter(ctx context.Context, u *store.User, ref string) (*store.Access, error)
	Export(ctx context.Context, workspaceID, id int) (*store.ExportFile, error)
	Jobs(ctx context.Context, workspaceID int) ([]store.JobRow, error)
	OpenExport(ctx context.Context, f *store.ExportFile) (*store.Content, error)
	DeleteExport(ctx context.Context, workspaceID, id int) error
	Job(ctx context.Context, workspaceID int, ref string) (int, *report.Job, error)
	Resources(ctx context.Context, workspaceID int, kind store.Kind) ([]store.Resource, error)
	CreateResource(ctx context.Context, workspaceID int, kind store.Kind, text []byte) (int, error)
	SaveResource(ctx context.Context, workspaceID int, kind store.Kind, id, revision int, text []byte) (int, error)
	DeleteResource(ctx context.Context, workspaceID int, kind store.Kind, id int) error
	Runs(ctx context.Context, jobID, before, limit int) ([]store.Run, error)
	FindEntries(ctx context.Context, q store.EntryQuery) ([]store.FoundEntry, error)
	OpenDocument(ctx context.Context, d *store.JobDocument) (*store.Content, error)
	Exports(ctx context.Context, q store.ExportQuery) ([]store.ExportRow, error)
	EntriesIn(ctx context.Context, runID int, state store.EntryState, after, limit int) ([]store.JobEntry, error)
	Documents(ctx context.Context, entryID int) ([]store.JobDocument, error)
	DocumentsOf(ctx context.Context, entryIDs []int) (map[int][]store.JobDocument, error)
	DeliveriesOf(ctx context.Context, entryIDs []int) (map[int][]store.JobDeliveryRow, error)
	RunDeliveries(ctx context.Context, runID int) ([]store.JobDeliveryRow, error)
}

// Jobs starts what nobody waits for. *jobs.Service is one.
type Jobs interface {
	StartExport(ctx context.Context, req jobs.ExportRequest, idempotencyKey string) (id int, err error)
	StartRun(ctx context.Context, req jobs.RunRequest, idempotencyKey string) (id int, err error)
	Status(ctx context.Context, workspace int, job string, run int) (*jobs.RunStatus, error)
	StatusOf(ctx context.Context, runs []store.Run) ([]*jobs.RunStatus, error)
	StartReview(ctx context.Context, workspace, userID int, job string, run int, idempotencyKey string) (id int, err error)
	Deliver(ctx context.Context, workspace int, job string, run int) (int, error)
	Run(ctx context.Context, workspace int, job string, run int) (*store.Run, *report.Job, error)
	Cancel(ctx context.Context, workspace int, job string, run int) (store.Cancelled, error)
	Decide(ctx context.Context, run *store.Run, which store.EntryQuery, d jobs.Deciding) (int, error)
	DecideRunDelivery(ctx context.Context, run *store.Run, position int, d jobs.Decision, by string) error
	NextTimes(job *report.Job, n int) ([]time.Time, error)
	Check(ctx context.Context, workspace int, job *report.Job) (report.Problems, error)
	CheckSchedule(job *report.Job) report.Problems
}

// Exporter makes files. *export.Service is one.
type Exporter interface {
	Export(ctx context.Context, req export.Request) (*export.File, error)
	Describe(ctx context.Context, workspace int, report string) (*export.Described, error)
}

// Config is what the API works with; all of it is required but PathBase.
type Config struct {
	Store     Store
	Export    Exporter
	Jobs      Jobs
	Options   *input.Reader
	Guard     func(method, path string, need access.Need, next http.Handler) http.Handler
	BodyLimit int64
	PathBase  string
	Server    string // address of the service in the description
	Version   string // of the product
}

// Base is the path of every endpoint.
const Base = "/api/v1"

// service holds what the handlers need.
type service struct {
	Config
	api huma.API
}

// Register puts the endpoints and their description on a router.
func Register(router *mux.Router, c Config) {
	answer.UseProblems()
	s := &service{Config: c}
	s.api = humamux.New(router, s.description(), humamux.WithRouteCustomizer(func(op *huma.Operation, route *mux.Route) {
		need := op.Metadata["need"].(access.Need) // every route has one; see add
		handler := c.Guard(op.Method, op.Path, need, route.GetHandler())
		route.Handler(handler)
		if op.Method == http.MethodGet {
			router.Path(op.Path).Methods(http.MethodHead).Handler(handler) // the server leaves the body out
		}
	}))
	s.routes()
	s.describe(router)
}
