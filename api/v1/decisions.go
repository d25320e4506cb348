package v1

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/rights"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// decisionInput decides about entries of a run.
type decisionInput struct {
	RunPath
	Once
	raw
}

// decision is the body of one.
type decision struct {
	Positions  []int  `json:"positions"`
	Reason     string `json:"reason"`
	Definition string `json:"definition"`
	Delivery   int    `json:"delivery"`
}

// mostPositions bounds the entries that a body names.
const mostPositions = 10_000

func (q *decisionInput) decision(limit int64) (decision, error) {
	var d decision
	body, err := q.body(limit)
	if err != nil {
		return d, err
	}
	text, err := json.Marshal(body)
	if err != nil {
		return d, err
	}
	var wrong *json.UnmarshalTypeError
	switch err = json.Unmarshal(text, &d); {
	case errors.As(err, &wrong):
		return d, report.Problemf(wrong.Field, "is not of the type that is accepted: positions is a list of integers, delivery an integer, reason and definition are texts")
	case err != nil:
		return d, err
	case len(d.Positions) > mostPositions:
		return d, report.Problemf("positions", "at most %d positions are accepted; leave them out to choose all", mostPositions)
	case d.Delivery < 0:
		return d, report.Problemf("delivery", "is a position in the job's list, from 1")
	case d.Definition != "" && d.Definition != "run" && d.Definition != "current":
		return d, report.Problemf("definition", "%q is unknown; accepted: run, current", d.Definition)
	}
	return d, nil
}

// Decided is the answer to a decision about entries.
type Decided struct {
	N int `json:"entries" format:"int32" doc:"About how many entries it was made; those about which it had been made before are not counted."`
}

type decidedOutput struct{ Body Decided }

// decide makes a decision about entries of a run.
func (s *service) decide(do jobs.Decision) func(context.Context, *decisionInput) (*decidedOutput, error) {
	return func(ctx context.Context, q *decisionInput) (*decidedOutput, error) {
		ref, id, err := q.refs()
		if err != nil {
			return nil, err
		}
		caller := access.Of(ctx)
		run, job, err := s.Jobs.Run(ctx, caller.Workspace.ID, ref, id)
		if err != nil {
			return nil, err
		}
		given, err := q.decision(s.BodyLimit)
		if err == nil && given.Definition == "current" {
			err = rights.Judge{Store: s.Store}.Start(ctx, &caller.Access, job)
		}
		if err != nil {
			return nil, err
		}
		if given.Positions != nil && len(given.Positions) == 0 { // none, and never all by mistake
			return &decidedOutput{}, nil
		}
		d := jobs.Deciding{Do: do, Reason: given.Reason, Current: given.Definition == "current", By: caller.User.DisplayName}
		d.Once = store.Once{Key: q.Key, UserID: caller.User.ID}
		if d.Once.Request, err = json.Marshal(given); err != nil {
			return nil, err
		}
		which := store.EntryQuery{Positions: given.Positions, At: given.Delivery}
		if do == jobs.Regenerated && len(given.Positions) == 0 { // not what somebody rejected, or waits for a decision
			which.States = []store.EntryState{store.EntryError}
		}
		n, err := s.Jobs.Decide(ctx, run, which, d)
		return &decidedOutput{Decided{n}}, err
	}
}

// runAt is the run of an address.
func (s *service) runAt(ctx context.Context, p *RunPath) (*store.Run, error) {
	job, id, err := p.refs()
	if err != nil {
		return nil, err
	}
	run, _, err := s.Jobs.Run(ctx, access.Of(ctx).Workspace.ID, job, id)
	return run, err
}

// EntryPath is the address of an entry of a run.
type EntryPath struct {
	RunPath
	Entry int `path:"entryPosition" minimum:"1" maximum:"2147483647" doc:"Position of the entry in the run, from 1."`
}

type entryOutput struct {
	CacheControl string `header:"Cache-Control"`
	Body         RunEntry
}

// getEntry gives one entry of a run.
func (s *service) getEntry(ctx context.Context, p *EntryPath) (*entryOutput, error) {
	e, err := s.entryAt(ctx, p)
	if err != nil {
		return nil, err
	}
	body, err := s.entriesWithAll(ctx, []store.JobEntry{*e})
	if err != nil {
		return nil, err
	}
	return &entryOutput{"no-store", body[0]}, nil
}

func (s *service) entryAt(ctx context.Context, p *EntryPath) (*store.JobEntry, error) {
	run, err := s.runAt(ctx, &p.RunPath)
	if err != nil {
		return nil, err
	}
	found, err := s.Store.FindEntries(ctx, store.EntryQuery{RunID: run.ID, Positions: []int{p.Entry}, Limit: 1})
	if err == nil && len(found) == 0 {
		err = report.NotFoundf("the run has no entry %d", p.Entry)
	}
	if err != nil {
		return nil, err
	}
	return &found[0].JobEntry, nil
}

// DocumentPath is the address of a document of an entry.
type DocumentPath struct {
	EntryPath
	Document int `path:"documentPosition" minimum:"1" maximum:"1000" doc:"Position of the document in the list of the entry, from 1."`
}

// entryDocument is the file of a document.
func (s *service) entryDocument(ctx context.Context, p *DocumentPath) (*huma.StreamResponse, error) {
	e, err := s.entryAt(ctx, &p.EntryPath)
	if err != nil {
		return nil, err
	}
	documents, err := s.Store.Documents(ctx, e.ID)
	if err == nil && p.Document > len(documents) {
		err = report.NotFoundf("the entry has no document %d; it has %d", p.Document, len(documents))
	}
	if err != nil {
		return nil, err
	}
	d := documents[p.Document-1]
	content, err := s.Store.OpenDocument(ctx, &d)
	if err != nil {
		return nil, err
	}
	s.Store.Note(ctx, d.Downloaded(access.Of(ctx).Workspace.ID, e))
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		r, w := humamux.Unwrap(ctx)
		defer content.Close()
		if err := answer.File(w, r, answer.Download{Name: d.Name, ContentType: d.ContentType, Size: d.Size, Kept: true}, content); err != nil {
			answer.TraceOf(r.Context()).Err = err
		}
	}}, nil
}

// decideRun makes a decision about a delivery of a run as a whole.
func (s *service) decideRun(do jobs.Decision) func(context.Context, *DeliveryPath) (*struct{}, error) {
	return func(ctx context.Context, p *DeliveryPath) (*struct{}, error) {
		run, err := s.runAt(ctx, &p.RunPath)
		if err != nil {
			return nil, err
		}
		return nil, s.Jobs.DecideRunDelivery(ctx, run, p.Delivery, do, access.Of(ctx).User.DisplayName)
	}
}

// decisionRoutes are the endpoints that decide about entries and deliveries of
// runs.
func (s *service) decisionRoutes(one string) {
	watches, writes := access.In(access.Token, store.Jobs, store.Read).For(store.ScopeRead|store.ScopeJobs), access.In(access.Token, store.Jobs, store.Full)
	add(s, get("get-run-entry", one+"/entries/{entryPosition}", "An entry of a run"), watches, s.getEntry)
	document := get("get-run-entry-document", one+"/entries/{entryPosition}/documents/{documentPosition}", "A document of an entry")
	document.Responses = fileResponse()
	delete(document.Responses["200"].Headers, "Quire-Warnings")
	add(s, document, watches, s.entryDocument)
	for _, d := range []struct {
		do                         jobs.Decision
		summary, description, more string
	}{
		{jobs.Approved, "Approve entries and deliver them", "Without positions all that wait in review.", ""},
		{jobs.Rejected, "Reject entries", "Without positions all that wait in review. They are not delivered.", "reason"},
		{jobs.Regenerated, "Make the documents of entries anew", "Without positions all in the state error. With positions also those in review and those that were rejected. What was delivered already is not delivered again.", "definition"},
		{jobs.Retried, "Try failed deliveries of entries once more", "Without positions all entries in the state error that have one. Documents are not made anew.", "delivery"},
		{jobs.Resent, "Send uncertain deliveries of entries again", "Without positions all entries in the state error that have one. They may have arrived already.", "delivery"},
		{jobs.Marked, "Take uncertain deliveries of entries for delivered", "Without positions all entries in the state error that have one. Nothing is sent; an entry of which nothing else is missing is completed.", "delivery"},
	} {
		op := post(string(d.do)+"-entries", one+"/entries/"+string(d.do), d.summary)
		op.Description = d.description + " An entry that is named and that this cannot be decided about is a 409, and nothing is done; one about which it was decided already is passed over, so that a request may be repeated."
		op.Errors = []int{http.StatusConflict, http.StatusServiceUnavailable}
		op.Metadata = map[string]any{"body": decisionBody(d.more)}
		add(s, op, writes, s.decide(d.do))
	}
	for do, summary := range map[jobs.Decision]string{
		jobs.Retried: "Try a failed delivery of a run once more", jobs.Resent: "Send an uncertain delivery of a run again", jobs.Marked: "Take an uncertain delivery of a run for delivered",
	} {
		op := post(string(do)+"-run-delivery", one+"/deliveries/{position}/"+string(do), summary)
		op.DefaultStatus, op.Errors = http.StatusNoContent, []int{http.StatusConflict}
		add(s, op, writes, s.decideRun(do))
	}
}

func decisionBody(more string) *huma.RequestBody {
	members := map[string]*huma.Schema{
		"positions":  {Type: "array", Items: &huma.Schema{Type: "integer", Format: "int32"}, Description: "Positions of entries in the run, from 1. An empty list is none; without the member it is all."},
		"reason":     {Type: "string", Description: "Why, for people."},
		"definition": {Type: "string", Enum: []any{"run", "current"}, Description: "With which definition of the job: the one that the entry was made with (run, the default), or the one as it is now (current). The data stays that of the run."},
		"delivery":   {Type: "integer", Format: "int32", Description: "Only the delivery at this position of the job's list, from 1."},
	}
	for name := range members {
		if name != "positions" && name != more {
			delete(members, name)
		}
	}
	return jsonBody(&huma.Schema{Type: "object", AdditionalProperties: true, Properties: members}, false)
}

// page is a list with the address of what follows.
type page[T any] struct {
	Link string `header:"Link" doc:"Where the next page is (rel=next); absent on the last one."`
	Body []T    `nullable:"false"`
}

// nextPage is the header that leads there.
func nextPage(query string, args ...any) string {
	return "<?" + fmt.Sprintf(query, args...) + `>; rel="next"`
}

// ExportsQuery chooses exports.
type ExportsQuery struct {
	WorkspacePath
	Before string `query:"before" maxLength:"40" doc:"Only those behind a place in the list; the header Link has it."`
	Offset int    `query:"offset" minimum:"0" maximum:"1000000" doc:"How many to pass over."`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50" doc:"How many at most."`
}

// ListedExport is an export in a list.
type ListedExport struct {
	ExportStatus
	Report  *string   `json:"reportName" doc:"Null for a review document, and when the report is gone."`
	Format  *string   `json:"format"`
	Started Timestamp `json:"startTime"`
}

// exports lists the caller's exports that have not expired, the newest first.
func (s *service) exports(ctx context.Context, q *ExportsQuery) (*page[ListedExport], error) {
	caller := access.Of(ctx)
	which := store.ExportQuery{WorkspaceID: caller.Workspace.ID, UserID: caller.User.ID, Offset: q.Offset, Limit: q.Limit + 1}
	if q.Before != "" {
		var known bool
		if which.Before, known = store.ParseExportPlace(q.Before); !known {
			return nil, report.Problemf("before", "%q is no place in this list; the header Link of the page before has it", q.Before)
		}
	}
	rows, err := s.Store.Exports(ctx, which)
	if err != nil {
		return nil, err
	}
	out := &page[ListedExport]{Body: []ListedExport{}}
	if len(rows) > q.Limit {
		rows, out.Link = rows[:q.Limit], nextPage("before=%s&limit=%d", rows[q.Limit-1].Place(), q.Limit)
	}
	for i := range rows {
		out.Body = append(out.Body, ListedExport{exportStatus(&rows[i].ExportFile), optional(rows[i].ReportName), optional(rows[i].Format), Timestamp(rows[i].Created)})
	}
	return out, nil
}
