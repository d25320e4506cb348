package ui

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/rights"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// JobDrafts is what the editor of jobs asks of a job that may not be saved.
type JobDrafts interface {
	Check(ctx context.Context, workspace int, job *report.Job) (report.Problems, error)
	PlannedTimes(job *report.Job, n int) ([]time.Time, error)
	Look(ctx context.Context, d jobs.Draft) (*jobs.Look, error)
	TryDelivery(ctx context.Context, d jobs.Draft, delivery int, mailTo string) (*jobs.Trial, error)
}

// jobDraftRoutes are what the editor of jobs asks. Everybody who may write jobs
// may ask: a saved job could do the same.
func (u *UI) jobDraftRoutes() []route {
	writes := access.In(designer, store.Jobs, store.Full)
	const all = "/api/ui/ws/{workspaceId}/jobs"
	return []route{
		{http.MethodGet, all + "/choices", writes, u.refuse, u.jobChoices},
		{http.MethodGet, all + "/parameters", writes, u.refuse, u.jobReportParameters},
		{http.MethodPost, all + "/check", writes, u.refuse, u.checkJob},
		{http.MethodPost, all + "/run", writes, u.refuse, u.runJobSource},
		{http.MethodPost, all + "/look", writes, u.refuse, u.lookAtJob},
		{http.MethodPost, all + "/trial", writes, u.refuse, u.tryDelivery},
	}
}

// jobChoices are what the fields of a job offer.
type jobChoices struct {
	Destinations []destinationChoice `json:"destinations"`
	Connections  []connectionChoice  `json:"connections"`
	Connects     string              `json:"connects"` // what the caller may do with them: nothing, read, or full
	Reports      []reportChoice      `json:"reports"`
	Types        []typeChoice        `json:"types"`
	Email        string              `json:"email"` // the caller's, where tests of mails go
}

type destinationChoice struct {
	Name     string           `json:"name"`
	Label    string           `json:"label"`
	Help     string           `json:"help"`
	Connects bool             `json:"connects,omitempty"`
	ToPerson bool             `json:"toPerson,omitempty"` // tests of it can go to the caller
	Settings []export.Setting `json:"settings"`
}

type connectionChoice struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

type reportChoice struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

type typeChoice struct {
	Code   string `json:"code"`
	Name   string `json:"name"`
	Report string `json:"report"` // its default report; empty when it has none
}

func (u *UI) jobChoices(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	workspace := caller.Workspace.ID
	out := jobChoices{Connections: []connectionChoice{}, Reports: []reportChoice{}, Types: []typeChoice{}, Email: caller.User.Email}
	for _, d := range deliver.Types() {
		out.Destinations = append(out.Destinations, destinationChoice{d.Name, d.Label, d.Help, len(d.ConnectionFields()) > 0, d.ToPerson, export.Settings(d.Fields())})
	}
	var connections []store.Connection
	var err error
	if caller.Role.Allows(store.DataSources, store.Read) {
		out.Connects = "read"
		if caller.Role.Allows(store.DataSources, store.Full) {
			out.Connects = "full"
		}
		connections, err = u.Store.Connections(r.Context(), workspace)
	}
	var reports []store.ReportRow
	if err == nil {
		reports, err = u.Store.Reports(r.Context(), workspace, store.ReportQuery{For: &caller.Access})
	}
	var types []store.ReportType
	if err == nil {
		types, err = u.Store.ReportTypesFor(r.Context(), &caller.Access)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	for _, c := range connections {
		out.Connections = append(out.Connections, connectionChoice{c.Name, c.Type})
	}
	for _, row := range reports {
		if caller.RequireRun(&row) == nil {
			out.Reports = append(out.Reports, reportChoice{row.ID, row.Name})
		}
	}
	for _, t := range types {
		if t.DefaultReportName != nil {
			out.Types = append(out.Types, typeChoice{t.Code, t.Name, *t.DefaultReportName})
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	answer.JSON(w, http.StatusOK, out)
}

// jobReportParameters are the parameters and data sources of a report, which a
// job gives values to.
func (u *UI) jobReportParameters(w http.ResponseWriter, r *http.Request) {
	type parameter struct {
		Name     string `json:"name"`
		Label    string `json:"label"`
		Type     string `json:"type"`
		Required bool   `json:"required,omitempty"`
	}
	out := struct {
		Parameters []parameter `json:"parameters"`
		Sources    []string    `json:"sources"`
	}{[]parameter{}, []string{}}
	caller, ref := access.Of(r.Context()), queryText(r, "report")
	definition, err := u.Store.ReportByIDOrType(r.Context(), caller.Workspace.ID, ref)
	if err == nil {
		err = caller.RequireRun(&definition.Row)
	}
	var asked []export.Asked
	if err == nil {
		asked, err = u.Export.Parameters(r.Context(), export.Request{Workspace: caller.Workspace.ID, UserID: caller.User.ID, Report: ref})
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	for _, p := range asked {
		out.Parameters = append(out.Parameters, parameter{p.Name, cmp.Or(p.Label, p.Name), cmp.Or(p.Type, report.ParameterText), p.Required})
	}
	for _, s := range definition.Report.DataSources {
		out.Sources = append(out.Sources, cmp.Or(s.Name, s.Reuse))
	}
	w.Header().Set("Cache-Control", "no-store")
	answer.JSON(w, http.StatusOK, out)
}

// draftBody is a job that is being edited with what is asked about it.
type draftBody struct {
	Job        *report.Object `json:"job"`
	Params     *report.Object `json:"params"`
	Entry      int            `json:"entry"`
	Refresh    bool           `json:"refresh"`
	Source     string         `json:"source"`
	Delivery   int            `json:"delivery"`
	Recipients bool           `json:"recipients"` // whether a test mail goes to its recipients
}

// readDraft reads a body with a job. What is wrong with the job itself is in
// problems, so that the rest can be looked at all the same.
func (u *UI) readDraft(r *http.Request) (body draftBody, draft jobs.Draft, problems report.Problems, err error) {
	if err = u.readBody(r, &body); err != nil {
		return body, draft, nil, err
	}
	if body.Job == nil {
		return body, draft, nil, report.Problemf("job", "the job is missing")
	}
	job := new(report.Job)
	problems = report.AssignInto(body.Job, job, "")
	caller := access.Of(r.Context())
	return body, jobs.Draft{Workspace: caller.Workspace.ID, UserID: caller.User.ID, Job: job, Params: body.Params, Entry: body.Entry, Refresh: body.Refresh}, problems, nil
}

// readRightDraft is readDraft for what needs a job that can be read, and that
// the caller could save: what it names beyond the stored job of its code is
// judged.
func (u *UI) readRightDraft(r *http.Request) (draftBody, jobs.Draft, error) {
	body, draft, problems, err := u.readDraft(r)
	if err == nil {
		err = problems.Err()
	}
	if err == nil {
		err = u.judgeDraft(r, draft.Job)
	}
	return body, draft, err
}

// judgeDraft judges what a job names beyond the stored job of its code.
func (u *UI) judgeDraft(r *http.Request, job *report.Job) error {
	all, err := u.Store.Resources(r.Context(), access.Of(r.Context()).Workspace.ID, store.JobKind)
	if err != nil {
		return err
	}
	known := new(report.Job)
	for _, one := range all {
		if stored := one.Definition.(*report.Job); strings.EqualFold(stored.Code, job.Code) {
			known = stored
		}
	}
	return u.judge(r, job, known)
}

// shownDates is how many dates of a schedule the editor shows.
const shownDates = 10

// jobCheck is what is wrong with a job, and when it would run.
type jobCheck struct {
	Problems []namedWarning `json:"problems"`
	Readable bool           `json:"readable"` // whether it is a job at all: every member known and of the right type
	Dates    []string       `json:"dates"`    // by the clocks of the job's time zone
}

func (u *UI) checkJob(w http.ResponseWriter, r *http.Request) {
	_, draft, problems, err := u.readDraft(r)
	readable := len(problems) == 0
	if err == nil {
		err = u.judgeDraft(r, draft.Job)
	}
	var found report.Problems
	if errors.As(err, &found) { // what it names beyond the caller's rights is not looked at
		err = nil
	} else if err == nil {
		found, err = u.Jobs.Check(r.Context(), draft.Workspace, draft.Job)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	problems = append(problems, found...)
	out := jobCheck{Problems: []namedWarning{}, Readable: readable, Dates: []string{}}
	said := map[namedWarning]bool{}
	for _, p := range problems {
		if one := (namedWarning{p.Path, u.told(r, p.Message)}); !said[one] {
			said[one] = true
			out.Problems = append(out.Problems, one)
		}
	}
	times, err := u.Jobs.PlannedTimes(draft.Job, shownDates)
	if err == nil { // else it is among the problems
		for _, t := range times {
			out.Dates = append(out.Dates, t.Format(time.RFC3339))
		}
	}
	answer.JSON(w, http.StatusOK, out)
}

// runJobSource runs one data source of a job.
func (u *UI) runJobSource(w http.ResponseWriter, r *http.Request) {
	body, draft, err := u.readRightDraft(r)
	var ran *export.SourceRun
	if err == nil {
		alone := draft.Job.DataReport()
		ask := export.SourceRequest{Source: body.Source, Steps: -1, Request: export.Request{
			Workspace: draft.Workspace, UserID: draft.UserID, Definition: alone, Lang: draft.Job.Language, Timezone: draft.Job.Timezone, Params: draft.Params, Refresh: true,
		}}
		if err = u.Export.Check(alone).Err(); err == nil && draft.Job.RunAs != "" {
			ask.User, err = u.Store.RunsAs(r.Context(), draft.Workspace, draft.Job.RunAs)
		}
		if err == nil {
			ran, err = u.Export.RunSource(r.Context(), ask)
		}
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	answer.JSON(w, http.StatusOK, answerOf(ran))
}

// jobLook is what a run would begin with.
type jobLook struct {
	Entries int           `json:"entries"`
	Record  any           `json:"record"`
	Data    any           `json:"data"`
	Filled  []filledField `json:"filled"`
}

type filledField struct {
	Path    string `json:"path"`
	Value   string `json:"value"`
	Problem string `json:"problem,omitempty"`
}

func (u *UI) lookAtJob(w http.ResponseWriter, r *http.Request) {
	_, draft, err := u.readRightDraft(r)
	var look *jobs.Look
	if err == nil {
		look, err = u.Jobs.Look(r.Context(), draft)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	out := jobLook{Entries: look.Entries, Record: inRow.of(look.Record, 0), Data: inSample.of(look.Data, 0), Filled: []filledField{}}
	for _, f := range look.Filled {
		out.Filled = append(out.Filled, filledField(f))
	}
	answer.JSON(w, http.StatusOK, out)
}

// trialAnswer is what became of a test delivery.
type trialAnswer struct {
	Entries   int             `json:"entries"`
	Documents []string        `json:"documents"`
	Skipped   bool            `json:"skipped,omitempty"`
	Receipt   json.RawMessage `json:"receipt,omitempty"`
}

func (u *UI) tryDelivery(w http.ResponseWriter, r *http.Request) {
	body, draft, err := u.readRightDraft(r)
	mailTo := access.Of(r.Context()).User.Email
	if body.Recipients {
		mailTo = ""
	}
	if err == nil {
		err = rights.Judge{Store: u.Store}.Start(r.Context(), &access.Of(r.Context()).Access, draft.Job)
	}
	var trial *jobs.Trial
	if err == nil {
		trial, err = u.Jobs.TryDelivery(r.Context(), draft, body.Delivery, mailTo)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	answer.JSON(w, http.StatusOK, trialAnswer{trial.Entries, append([]string{}, trial.Documents...), trial.Skipped, json.RawMessage(trial.Receipt)})
}
