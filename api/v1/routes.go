package v1

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/store"
)

// routes declares every endpoint in the order of the specification.
func (s *service) routes() {
	var (
		token   = access.Token
		browser = access.Token | access.Session | access.Preview
		reading = access.In(token, store.Reports, store.Read)

		making   = reading.OrOwn().For(store.ScopeExport)
		fetching = access.In(browser, store.Reports, store.Read).OrOwn().For(store.ScopeRead | store.ScopeExport)
		watching = access.In(token, store.Jobs, store.Read).For(store.ScopeRead | store.ScopeJobs)
	)
	add(s, get("list-workspaces", "/workspaces", "Workspaces the caller can access"), access.Known(token), s.workspaces)
	add(s, get("list-reports", "/ws/{workspaceId}/reports", "Reports of a workspace"), reading.OrOwn(), s.reports)
	add(s, get("get-report", "/ws/{workspaceId}/reports/{reportIdOrTypeCode}", "A report"), reading.OrOwn(), s.oneReport)
	add(s, get("list-report-parameters", "/ws/{workspaceId}/reports/{reportIdOrTypeCode}/parameters", "Parameters of a report: the members of params"), reading.OrOwn(), s.reportParameters)
	add(s, get("list-report-data-sources", "/ws/{workspaceId}/reports/{reportIdOrTypeCode}/data-sources", "Data sources of a report: the members of data"), reading.OrOwn(), s.reportSources)
	add(s, get("list-report-pages", "/ws/{workspaceId}/reports/{reportIdOrTypeCode}/pages", "Pages of a report"), reading.OrOwn(), s.pages)
	add(s, s.queryExport("/ws/{workspaceId}/reports/{reportIdOrTypeCode}/pdf"), access.In(browser, store.Reports, store.Read).OrOwn().For(store.ScopeExport), s.exportQuery)
	add(s, s.bodyExport("/ws/{workspaceId}/reports/{reportIdOrTypeCode}/pdf"), making, s.exportBody)
	add(s, s.asyncExport("/ws/{workspaceId}/reports/{reportIdOrTypeCode}/export"), making, s.startExport)
	add(s, get("get-export-status", "/ws/{workspaceId}/exports/{tempFileId}/status", "State of an asynchronous export"), fetching, s.exportStatus)
	add(s, s.content("/ws/{workspaceId}/exports/{tempFileId}/content"), fetching, s.exportContent)
	add(s, get("list-exports", "/ws/{workspaceId}/exports", "The caller's asynchronous exports"), reading.OrOwn().For(store.ScopeRead|store.ScopeExport), s.exports)
	add(s, method(http.MethodDelete, "delete-export", "/ws/{workspaceId}/exports/{tempFileId}", "Cancel an export, or remove its file"), reading.OrOwn(), s.deleteExport)
	add(s, s.upload("/ws/{workspaceId}/temporary-data"), reading.For(store.ScopeExport), s.putTempData)
	add(s, get("list-jobs", "/ws/{workspaceId}/jobs", "Jobs of a workspace"), access.In(token, store.Jobs, store.Read), s.jobList)
	add(s, s.run("/ws/{workspaceId}/jobs/{jobIdOrCode}/runs"), access.In(token, store.Jobs, store.Full).For(store.ScopeJobs), s.startRun)
	add(s, get("get-run-status", "/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/status", "How far a run is"), watching, s.runStatus)
	add(s, s.review("/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/generate-review-document"), access.In(token, store.Jobs, store.Full), s.startReview)
	add(s, s.deliverRun("/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/deliver"), access.In(token, store.Jobs, store.Full), s.deliver)
	s.jobRoutes()
	s.auditRoutes()
	add(s, get("list-report-types", "/ws/{workspaceId}/report-types", "Report types of a workspace"), reading.OrOwn(), s.reportTypes)
	add(s, get("list-templates", "/ws/{workspaceId}/templates", "Templates of a workspace"), access.In(token, store.Templates, store.Read), s.templates)
	add(s, get("list-themes", "/ws/{workspaceId}/themes", "Themes of a workspace"), access.In(token, store.Themes, store.Read), s.themes)
	add(s, s.nonce("/nonce-tokens"), access.InAny(token, store.Reports, store.Read).For(store.ScopeRead|store.ScopeExport), s.createNonce)
	s.describeEvents()
	s.allowNewMembers()
	s.explainDefinitions()
	s.describeFaults()
}

// allowNewMembers takes back the promise of huma that answers never get more members.
func (s *service) allowNewMembers() {
	for _, schema := range s.api.OpenAPI().Components.Schemas.Map() {
		schema.AdditionalProperties = nil
	}
}

// explainDefinitions gives the members of definitions the words and the rules
// of package report, whose tags huma does not know.
func (s *service) explainDefinitions() {
	schemas := s.api.OpenAPI().Components.Schemas
	for name, schema := range schemas.Map() {
		t := schemas.TypeFromRef("#/components/schemas/" + name)
		if t == nil || t.Kind() != reflect.Struct || !strings.HasSuffix(t.PkgPath(), "/report") && t != reflect.TypeFor[JobDefinition]() {
			continue
		}
		schema.Required = nil
		for _, f := range reflect.VisibleFields(t) {
			member, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if property := schema.Properties[member]; property != nil && property.Ref == "" {
				property.Description = f.Tag.Get("help")
				for _, choice := range export.Choices(f.Tag.Get("from")) {
					property.Enum = append(property.Enum, choice)
				}
			}
			if f.Tag.Get("required") == "true" || member == "code" && t == reflect.TypeFor[JobDefinition]() {
				schema.Required = append(schema.Required, member)
			}
		}
	}
}

func get(id, path, summary string) huma.Operation {
	return huma.Operation{OperationID: id, Method: http.MethodGet, Path: Base + path, Summary: summary}
}

func post(id, path, summary string) huma.Operation {
	return huma.Operation{OperationID: id, Method: http.MethodPost, Path: Base + path, Summary: summary, DefaultStatus: http.StatusOK}
}

func (s *service) queryExport(path string) huma.Operation {
	op := get("export-report", path, "Export a report; options in the query")
	op.Description = "The path ends in /pdf for every format. Protection is accepted only by the POST form, as queries end up in logs."
	op.Parameters = s.queryParameters(input.InQuery)
	op.Responses = fileResponse()
	return op
}

func (s *service) bodyExport(path string) huma.Operation {
	op := post("export-report-with-body", path, "Export a report; options in the body")
	op.Description = "For large data and for protected PDF files. The path ends in /pdf for every format."
	op.Metadata = map[string]any{"body": s.bodyOptions(input.InBody)}
	op.Responses = fileResponse()
	return op
}

func (s *service) asyncExport(path string) huma.Operation {
	op := post("start-export", path, "Export a report without waiting for it")
	op.Description = "Answers at once with the number of a temporary file. Ask for its status until isReady is true, then fetch its content."
	op.DefaultStatus = http.StatusAccepted
	op.Errors = []int{http.StatusConflict}
	body := s.bodyOptions(input.InAsync)
	body.Content["application/json"].Schema.Properties["webhook"] = webhookMember()
	op.Metadata = map[string]any{"body": body}
	return op
}

func (s *service) content(path string) huma.Operation {
	op := get("get-export-content", path, "The file of an asynchronous export")
	op.Description = "400 while the file is not ready, when it failed, and when it is empty; 404 once it has expired."
	op.Errors = []int{http.StatusBadRequest}
	op.Responses = fileResponse()
	return op
}

func (s *service) run(path string) huma.Operation {
	op := post("start-run", path, "Start a run of a job")
	op.Description = "400 when the job is not active."
	op.Errors = []int{http.StatusConflict}
	op.Metadata = map[string]any{"body": runBody()}
	return op
}

func (s *service) review(path string) huma.Operation {
	op := post("generate-review-document", path, "One PDF file of all entries of a run")
	op.Description = "Answers at once with the number of a temporary file, like an asynchronous export."
	op.DefaultStatus = http.StatusAccepted
	op.Errors = []int{http.StatusConflict}
	return op
}

func (s *service) deliverRun(path string) huma.Operation {
	op := post("deliver-run", path, "Deliver the entries of a run that wait in review")
	op.Description = "400 for a job without review; 409 with the counts while entries are being made. Delivering a run twice delivers nothing twice."
	op.Errors = []int{http.StatusBadRequest, http.StatusConflict}
	return op
}

func (s *service) upload(path string) huma.Operation {
	op := post("upload-temporary-data", path, "Upload data for later exports")
	op.Metadata = map[string]any{"body": tempDataBody()}
	return op
}

// add registers one endpoint. Bodies are read by our own decoder, so huma gets
// to know their description only afterwards.
func add[I, O any](s *service, op huma.Operation, need access.Need, handler func(context.Context, *I) (*O, error)) {
	body, _ := op.Metadata["body"].(*huma.RequestBody)
	op.Metadata = map[string]any{"need": need}
	op.Tags = []string{tagOf(op.Path)}
	op.Description = strings.TrimSpace(op.Description + "\n\n" + need.String() + " " + need.Tokens(op.Method))
	op.Errors = append(op.Errors, errorsOf(op, need, body != nil)...)
	op.Security = []map[string][]string{{"token": {}}}
	if need.Ways&access.Preview != 0 {
		op.Security = append(op.Security, map[string][]string{"nonce": {}})
	}
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{}
	}
	huma.Register(s.api, op, handler)
	delete(op.Responses, "422") // huma's own; ours is 400
	if body != nil {
		path := s.api.OpenAPI().Paths[op.Path]
		for _, described := range []*huma.Operation{path.Post, path.Put} {
			if described != nil && described.OperationID == op.OperationID {
				described.RequestBody = body
			}
		}
	}
}

// tagOf is the heading an endpoint stands under in the explorer.
func tagOf(path string) string {
	switch {
	case strings.HasSuffix(path, "/pdf"), strings.HasSuffix(path, "/export"), strings.Contains(path, "/exports"):
		return "Exports"
	case strings.HasSuffix(path, "/temporary-data"), strings.HasSuffix(path, "/nonce-tokens"):
		return "Data and access"
	}
	if strings.HasSuffix(path, "/audit") {
		return "Audit log"
	}
	if strings.Contains(path, "/jobs") {
		return "Jobs"
	}
	return "Lists"
}

// errorsOf lists the statuses of an endpoint beside its success.
func errorsOf(op huma.Operation, need access.Need, hasBody bool) []int {
	codes := []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests}
	if need.Place == access.Workspace {
		codes = append(codes, http.StatusNotFound)
	}
	exports := strings.HasSuffix(op.Path, "/pdf")
	if hasBody {
		codes = append(codes, http.StatusUnsupportedMediaType)
	}
	if hasBody || exports { // the body, or the document that is made
		codes = append(codes, http.StatusRequestEntityTooLarge)
	}
	if exports {
		codes = append(codes, http.StatusServiceUnavailable, http.StatusGatewayTimeout)
	}
	if hasBody || len(op.Parameters) > 0 {
		codes = append(codes, http.StatusBadRequest)
	}
	slices.Sort(codes)
	return codes
}
