package export

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
	"github.com/quire-reports/quire/scripting"
)

// BatchRequest asks for the data of a run of a job, which all its entries
// share.
type BatchRequest struct {
	Workspace          int
	Parameters         []report.ParameterUse
	Sources            []report.SourceUse
	Params, Data       *report.Object // values of parameters, and of data sources instead of their own
	Language, Timezone string
	User               report.Person // as whom the job runs
}

// Batch is the data of a run.
type Batch struct{ Params, Data *report.Object }

// LoadBatch loads it. Anything that is wrong with a source stops it, also what
// a report would only warn of: there is nobody to read the warning.
func (s *Service) LoadBatch(ctx context.Context, req BatchRequest) (*Batch, error) {
	ctx, leave := s.enter(ctx, req.Workspace, 0) // jobs count as one user
	defer leave()
	r, err := s.batchRun(ctx, req)
	if err != nil {
		return nil, err
	}
	if len(r.found.warnings) > 0 {
		return nil, r.found.warnings
	}
	if r.params, err = s.bind(ctx, r); err != nil {
		return nil, err
	}
	load := s.loadRequest(r)
	load.Scheduled = true
	if load.Replace, err = s.replacements(ctx, r); err != nil {
		return nil, err
	}
	if len(r.unknown) > 0 {
		return nil, r.unknown
	}
	set, err := s.cfg.Loader.Load(ctx, load)
	if err != nil {
		return nil, err
	}
	return &Batch{r.params, set.Data}, nil
}

// batchRun is a run of no report: parameters and data sources in the language
// and time zone of a job.
func (s *Service) batchRun(ctx context.Context, req BatchRequest) (*run, error) {
	shared, err := s.cfg.Definitions.Report(ctx, req.Workspace, "")
	if err != nil {
		return nil, err
	}
	r := &run{
		req:   Request{Workspace: req.Workspace, Params: req.Params, Data: req.Data, User: req.User, Strict: true},
		batch: true,
		found: &resolved{report: &report.Report{Parameters: req.Parameters, DataSources: req.Sources}},
		now:   s.cfg.Clock(),
	}
	if r.found.zone, err = s.zone(req.Timezone, ""); err != nil {
		return nil, err
	}
	if err := r.found.languages(req.Language, &shared.Library); err != nil {
		return nil, err
	}
	r.found.complete(&shared.Library)
	r.locale = text.LocaleFor(firstText(r.found.language.Culture, r.found.language.Code))
	return r, nil
}

// TextRequest says for whom templates and expressions outside of reports are
// filled: file names, conditions, mails.
type TextRequest struct {
	Workspace          int
	Language, Timezone string
	Now                time.Time
	Lookup             text.ScopeFunc // values beside $dict
}

// Texts makes the surroundings in which templates and expressions are filled.
func (s *Service) Texts(ctx context.Context, req TextRequest) (*text.Env, error) {
	r, err := s.batchRun(ctx, BatchRequest{Workspace: req.Workspace, Language: req.Language, Timezone: req.Timezone})
	if err != nil {
		return nil, err
	}
	return &text.Env{
		Locale: r.locale, Zone: r.found.zone, Now: req.Now,
		Expr: scripting.NewExpressions(ctx, s.cfg.Scripts, scripting.Scene{Zone: r.found.zone, Now: req.Now, Locale: r.locale.Tag()}),
		Scope: text.ScopeFunc(func(root string) (any, bool) {
			if root == "$dict" {
				return r.found.words, true
			}
			return req.Lookup(root)
		}),
	}, nil
}

// Chapter is a PDF file that becomes a part of a larger one.
type Chapter struct {
	report.Document
	Title     string          // in the outline; empty for one that belongs to the chapter before
	Passwords []report.Secret // one of them opens it, if it is protected
}

// passwords are the passwords of a chapter in plain text.
func (c Chapter) passwords() []string {
	list := make([]string, len(c.Passwords))
	for i, p := range c.Passwords {
		list[i] = p.Reveal()
	}
	return list
}

// Join makes one PDF file of several, with an outline entry for each; created
// is the time that it tells. The file is open, also when chapters were
// protected. It holds one of them in memory at a time.
func (s *Service) Join(ctx context.Context, title string, created time.Time, chapters []Chapter) (*File, error) {
	options := pdf.Options{Title: title, Creator: creator, Created: created, Outline: true}
	page := 1
	for i, c := range chapters {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		pages, err := pagesOf(ctx, c)
		if err != nil {
			return nil, &report.Problem{Kind: report.Failed, Message: fmt.Sprintf("%s cannot be joined with the others: %v", c.Title, err)}
		}
		if c.Title != "" {
			options.Anchors = append(options.Anchors, pdf.Anchor{ID: fmt.Sprintf("chapter-%d", i+1), Page: page, Level: 1, Text: c.Title})
		}
		page += pages
	}
	out := &spool{dir: s.cfg.SpoolDir}
	info, err := pdf.Finish(ctx, out, parts(ctx, chapters), options)
	if err != nil {
		out.discard()
		return nil, err
	}
	file, err := out.finish(fileName(title, "pdf"), "application/pdf")
	if err == nil {
		file.Pages = info.Pages
	}
	return file, err
}

func pagesOf(ctx context.Context, c Chapter) (int, error) {
	r, err := c.Open(ctx)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(r); err != nil {
		return 0, err
	}
	return pdf.PageCount(b.Bytes(), c.passwords())
}

type chapterPart struct {
	Chapter
	ctx context.Context
}

func (p chapterPart) Open() (io.ReadCloser, error) { return p.Chapter.Open(p.ctx) }

func (p chapterPart) Passwords() []string { return p.passwords() }

func parts(ctx context.Context, chapters []Chapter) []chapterPart {
	list := make([]chapterPart, len(chapters))
	for i, c := range chapters {
		list[i] = chapterPart{c, ctx}
	}
	return list
}

// Archive makes one ZIP file of several documents; created is the time that it tells of
// each. The same documents give the same bytes.
func (s *Service) Archive(ctx context.Context, title string, created time.Time, documents []report.Document) (*File, error) {
	out := &spool{dir: s.cfg.SpoolDir}
	z := zip.NewWriter(out)
	for _, d := range documents {
		err := ctx.Err()
		if err == nil {
			err = archive(z, d.Name, func() (io.ReadCloser, error) { return d.Open(ctx) }, created.UTC())
		}
		if err != nil {
			out.discard()
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		out.discard()
		return nil, err
	}
	return out.finish(fileName(title, "zip"), "application/zip")
}

// FileName makes a name that every system takes out of a title.
func FileName(title, extension string) string { return fileName(title, extension) }
