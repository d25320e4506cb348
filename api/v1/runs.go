package v1

import (
	"context"
	"encoding/json"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// Run is a run in a list.
type Run struct {
	ID      int        `json:"jobRunId" format:"int32"`
	Started Timestamp  `json:"startTime"`
	Ended   *Timestamp `json:"endTime" nullable:"true" doc:"Null while something of it is to be done."`
	RunStatus
}

// RunsQuery chooses runs.
type RunsQuery struct {
	JobPath
	Before int `query:"before" minimum:"0" maximum:"2147483647" doc:"jobRunId of the last run of the page before."`
	Limit  int `query:"limit" minimum:"1" maximum:"500" default:"50" doc:"How many at most."`
}

// runs lists the runs of a job, the newest first.
func (s *service) runs(ctx context.Context, q *RunsQuery) (*page[Run], error) {
	id, _, _, err := s.job(ctx, &q.JobPath)
	if err != nil {
		return nil, err
	}
	rows, err := s.Store.Runs(ctx, id, q.Before, q.Limit+1)
	if err != nil {
		return nil, err
	}
	out := &page[Run]{Body: []Run{}}
	if len(rows) > q.Limit {
		rows, out.Link = rows[:q.Limit], nextPage("before=%d&limit=%d", rows[q.Limit-1].ID, q.Limit)
	}
	status, err := s.Jobs.StatusOf(ctx, rows)
	if err != nil {
		return nil, err
	}
	for i, r := range rows {
		out.Body = append(out.Body, Run{r.ID, Timestamp(r.Created), asTime(r.Ended), statusBody(status[i])})
	}
	return out, nil
}

// RunEntry is one entry of a run.
type RunEntry struct {
	Position   int             `json:"position" format:"int32" doc:"From 1, in the order of the rows."`
	State      string          `json:"state" enum:"queued,rendering,review,delivering,completed,error,rejected"`
	Error      *string         `json:"errorMessage"`
	Warnings   []string        `json:"warnings" nullable:"false" doc:"What did not stop it but should be mended, such as a path in a template that leads nowhere."`
	Documents  []RunDocument   `json:"documents" nullable:"false"`
	Deliveries []EntryDelivery `json:"deliveries" nullable:"false"`
}

// RunDocument is a document of an entry.
type RunDocument struct {
	Name        string `json:"name"`
	ContentType string `json:"contentType"`
	ContentSize int64  `json:"contentSize"`
}

// EntryDelivery is what became of a delivery of an entry, or of a run as a whole.
type EntryDelivery struct {
	Position int             `json:"position" format:"int32" doc:"In the job's list, from 1."`
	State    string          `json:"state" enum:"sending,sent,skipped,failed,uncertain,collected,waiting" doc:"waiting: somebody had it tried once more; collected: the documents go with the delivery of the whole run; uncertain: it may have been sent, and is not sent again by itself."`
	Attempts int             `json:"attempts" format:"int32"`
	Error    *string         `json:"errorMessage"`
	Warnings []string        `json:"warnings" nullable:"false" doc:"What did not stop it but should be mended."`
	Receipt  json.RawMessage `json:"receipt,omitempty" doc:"What was delivered, and where to."`
	Updated  Timestamp       `json:"updateTime"`
}

// EntriesQuery chooses entries.
type EntriesQuery struct {
	RunPath
	State string `query:"state" enum:"queued,rendering,review,delivering,completed,error,rejected" doc:"Only entries in this state."`
	After int    `query:"after" minimum:"0" maximum:"2147483647" doc:"Position of the last entry of the page before."`
	Limit int    `query:"limit" minimum:"1" maximum:"500" default:"100" doc:"How many at most."`
}

// entries lists entries of a run.
func (s *service) entries(ctx context.Context, q *EntriesQuery) (*page[RunEntry], error) {
	run, err := s.runAt(ctx, &q.RunPath)
	if err != nil {
		return nil, err
	}
	rows, err := s.Store.EntriesIn(ctx, run.ID, store.EntryState(q.State), q.After, q.Limit+1)
	if err != nil {
		return nil, err
	}
	out := &page[RunEntry]{}
	if len(rows) > q.Limit {
		rows, out.Link = rows[:q.Limit], nextPage("after=%d&limit=%d&state=%s", rows[q.Limit-1].Position, q.Limit, q.State)
	}
	out.Body, err = s.entriesWithAll(ctx, rows)
	return out, err
}

// entriesWithAll are entries with their documents and deliveries.
func (s *service) entriesWithAll(ctx context.Context, rows []store.JobEntry) ([]RunEntry, error) {
	ids := make([]int, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	documents, err := s.Store.DocumentsOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	deliveries, err := s.Store.DeliveriesOf(ctx, ids)
	list := make([]RunEntry, len(rows))
	for i := range rows {
		list[i] = entryBody(&rows[i], documents[rows[i].ID], deliveries[rows[i].ID])
	}
	return list, err
}

func entryBody(e *store.JobEntry, documents []store.JobDocument, deliveries []store.JobDeliveryRow) RunEntry {
	reason, warnings := e.Told()
	entry := RunEntry{
		Position: e.Position, State: string(e.State), Error: optional(reason), Warnings: append([]string{}, warnings...),
		Documents: []RunDocument{}, Deliveries: []EntryDelivery{},
	}
	for _, d := range documents {
		entry.Documents = append(entry.Documents, RunDocument{d.Name, d.ContentType, d.Size})
	}
	for _, d := range deliveries {
		entry.Deliveries = append(entry.Deliveries, told(d))
	}
	return entry
}

func told(d store.JobDeliveryRow) EntryDelivery {
	reason, warnings := d.Told()
	t := EntryDelivery{d.Position, string(d.State), d.Attempts, optional(reason), append([]string{}, warnings...), nil, Timestamp(time.UnixMilli(d.Updated))}
	if d.Receipt != "" {
		t.Receipt = json.RawMessage(d.Receipt)
	}
	return t
}

// runDeliveries lists the deliveries of a run as a whole.
func (s *service) runDeliveries(ctx context.Context, p *RunPath) (*list[EntryDelivery], error) {
	run, err := s.runAt(ctx, p)
	if err != nil {
		return nil, err
	}
	rows, err := s.Store.RunDeliveries(ctx, run.ID)
	return listOf(rows, err, told)
}

// DeliveryPath is the address of a delivery of a run as a whole.
type DeliveryPath struct {
	RunPath
	Delivery int `path:"position" minimum:"1" maximum:"1000" doc:"Position of the delivery in the job's list, from 1."`
}

// optional is null for an empty text.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Cancelled is the answer to a cancellation.
type Cancelled struct {
	N        int `json:"cancelled" format:"int32" doc:"How many entries end undelivered; documents that are made stay."`
	UnderWay int `json:"underWay" format:"int32" doc:"How many were being sent at that moment, and go on to their end: entries, and deliveries of the run as a whole. Nothing else is sent."`
}

type cancelledOutput struct{ Body Cancelled }

// cancelRun ends what of a run has not left.
func (s *service) cancelRun(ctx context.Context, p *RunPath) (*cancelledOutput, error) {
	job, run, err := p.refs()
	if err != nil {
		return nil, err
	}
	c, err := s.Jobs.Cancel(ctx, access.Of(ctx).Workspace.ID, job, run)
	return &cancelledOutput{Cancelled{c.Entries, c.UnderWay}}, err
}

// deleteExport cancels an export that is not ready, and removes one that is.
func (s *service) deleteExport(ctx context.Context, p *ExportPath) (*struct{}, error) {
	f, err := s.exportFile(ctx, p.File)
	if err != nil {
		return nil, err
	}
	caller := access.Of(ctx)
	if err := caller.RequireExport(f, store.Full); err != nil {
		return nil, err
	}
	return nil, s.Store.DeleteExport(ctx, caller.Workspace.ID, f.ID)
}
