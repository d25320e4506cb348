package export

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/budget"
	"github.com/quire-reports/quire/report/text"
	"github.com/quire-reports/quire/scripting"
)

// run is one export on its way: what was asked, what was found, what was
// loaded.
type run struct {
	req    Request
	found  *resolved
	params *report.Object
	data   *data.Set
	locale *text.Locale
	now    time.Time
	// unknown are the names in a request that nothing has.
	unknown report.Problems
	typed   bool                           // it is for a program that calculates with the values
	slides  bool                           // it is a presentation
	alone   bool                           // it is a file that needs nothing else
	charted bool                           // it is for a program that draws charts itself
	batch   bool                           // it is of a job, and of no report
	chosen  map[string][]report.LookupItem // of the lookups with a source, by name
	samples *report.Object                 // values that were made for parameters; nil where none are

	documents documents // attached PDF files
	signer    *htmlgen.Signer
	lost      error // why a managed file that there is could not be read
	inner     []innerData
	invoice   *invoice // that the file is to be
}

// find finds the definitions of a run.
func (s *Service) find(ctx context.Context, req Request) (*run, error) {
	r := &run{req: req, now: s.cfg.Clock()}
	if req.Samples {
		r.samples = report.ObjectOf()
	}
	r.documents.find = func(ctx context.Context, name string) (*report.File, error) {
		return s.managed(ctx, r, name)
	}
	var err error
	if r.found, err = s.resolve(ctx, req); err != nil {
		return nil, err
	}
	r.locale = text.LocaleFor(firstText(r.found.language.Culture, r.found.language.Code))
	return r, nil
}

// prepare does everything up to the HTML: definitions, parameters, data.
func (s *Service) prepare(ctx context.Context, req Request) (*run, error) {
	ctx, done := timed(ctx, Data)
	defer done()
	r, err := s.find(ctx, req)
	if err != nil {
		return nil, err
	}
	if r.params, err = s.bind(ctx, r); err != nil {
		return nil, err
	}
	load := s.loadRequest(r)
	if load.Replace, err = s.replacements(ctx, r); err != nil {
		return nil, err
	}
	if req.Definition == nil {
		r.data, err = s.cfg.Loader.Load(ctx, load)
		return r, err
	}
	load.Previous = s.kept.of(&req)
	if r.data, err = s.cfg.Loader.Load(ctx, load); err == nil {
		s.kept.keep(&req, r.data)
	}
	return r, err
}

// loadRequest asks for the data sources of a run.
func (s *Service) loadRequest(r *run) data.Request {
	return data.Request{
		Sources: r.found.sources, Params: r.params, Dict: r.found.words, User: r.req.User, Workspace: r.req.Workspace,
		Zone: r.found.zone, Now: r.now, Locale: r.locale, Language: r.found.language.Code, Tolerant: r.req.Anyway,
	}
}

// bind turns the values given into the parameters of the report and, where
// those of the reports inside it are given, of these. Values that nobody
// asks for cause a warning.
func (s *Service) bind(ctx context.Context, r *run) (*report.Object, error) {
	bound, parameters, err := s.bindValues(ctx, r)
	if err != nil {
		return nil, err
	}
	return bound, r.tolerate(s.lookUp(ctx, r, parameters, bound))
}

// tolerate turns what is wrong with values into warnings where samples stand in
// for them.
func (r *run) tolerate(err error) error {
	var problems report.Problems
	if r.samples == nil || !errors.As(err, &problems) {
		return err
	}
	r.found.warnings = append(r.found.warnings, problems...)
	return nil
}

// bindValues does so as far as no source has to be asked.
func (s *Service) bindValues(ctx context.Context, r *run) (*report.Object, []report.Parameter, error) {
	given := r.req.Params
	if given == nil {
		given = report.ObjectOf()
	}
	parameters, unknown, err := s.asked(ctx, r, given)
	if err != nil {
		return nil, nil, err
	}
	r.unknown = unknown
	bound, err := s.cfg.Loader.BindParameters(ctx, parameters, data.Binding{Given: given, User: r.req.User, Zone: r.found.zone, Now: r.now, Samples: r.samples})
	return bound, parameters, r.tolerate(err)
}

// replacements are the values that stand in for data sources: uploaded data
// first, inline data over it. Names that no data source has cause a warning;
// when that is all of them, it is an error, as nothing that was sent would be shown.
func (s *Service) replacements(ctx context.Context, r *run) (map[string]any, error) {
	replace := map[string]any{}
	if r.req.TempDataID != 0 {
		uploaded, err := s.upload(ctx, r.req)
		if err != nil {
			return nil, err
		}
		if err := r.replaceBy(uploaded, "tempDataId", replace); err != nil {
			return nil, err
		}
	}
	if r.req.Data != nil {
		if err := r.replaceBy(r.req.Data, "data", replace); err != nil {
			return nil, err
		}
	}
	return replace, nil
}

func (s *Service) upload(ctx context.Context, req Request) (*report.Object, error) {
	if s.cfg.Uploads == nil {
		return nil, report.Problemf("tempDataId", "there is no temporary data here")
	}
	content, err := s.cfg.Uploads.TempData(ctx, req.Workspace, req.UserID, req.TempDataID)
	if err != nil {
		return nil, missingUpload(err)
	}
	defer func() { _ = content.Close() }()
	v, err := report.Reading{Doubled: true, Spend: budget.Meter(ctx)}.Value(content)
	if err != nil {
		return nil, err
	}
	o, ok := v.(*report.Object)
	if !ok {
		return nil, report.Problemf("tempDataId", "the uploaded data is no object with a member for each data source")
	}
	return o, nil
}

// missingUpload names the option: to those who may not see it, uploaded data does
// not exist.
func missingUpload(err error) error {
	var p *report.Problem
	if !errors.As(err, &p) || p.Kind != report.NotFound {
		return err
	}
	return &report.Problem{Kind: report.NotFound, Path: "tempDataId", Message: p.Message}
}

// compile makes the document. assetURL and the pictures depend on where it will
// be shown.
func (s *Service) compile(ctx context.Context, r *run, assetURL func(kind, name string) string, images *pictures, head string) (*htmlgen.Document, error) {
	ctx, done := timed(ctx, HTML)
	defer done()
	expressions := scripting.NewExpressions(ctx, s.cfg.Scripts, scripting.Scene{Zone: r.found.zone, Now: r.now, Locale: r.locale.Tag()})
	own := &ownFonts{ctx: ctx, service: s, run: r, images: images}
	var alone *htmlgen.Alone
	if r.alone {
		alone = s.alone(own.address(assetURL), own.has)
	}
	doc, err := htmlgen.Compile(ctx, &htmlgen.Input{
		Report: r.found.report, Template: r.found.template, Theme: r.found.theme,
		Data: r.data.Data, Params: r.params, Dict: r.found.words, User: r.req.User, Shown: r.shown(),
		Locale: r.locale, Zone: r.found.zone, Now: r.now,
		Scripts: &scripts{Expressions: expressions, engine: s.cfg.Scripts, run: r},
		Images:  images, Subreports: &subreports{service: s, run: r}, Documents: &r.documents, Fonts: fontFaces(), AssetURL: own.address(assetURL), Head: head, Glyphs: s.fonts, Printed: !images.inline,
		OwnFonts: own.faces, Alone: alone, TeX: texFormulas, Signer: r.signer,
		Origins: r.req.Definition != nil, Typed: r.typed, Charted: r.charted, Slides: r.slides, TableRows: canvasRows(r.req), MostBytes: s.cfg.MostBytes, Spend: budget.Meter(ctx),
		Files: func(name string) ([]byte, bool) {
			f, err := s.managed(ctx, r, name)
			if err != nil {
				return nil, false
			}
			return f.Content, true
		},
	})
	err = cmp.Or(err, images.refused)
	if err == nil && r.req.Definition == nil { // its editor sees the warning
		err = r.lost
	}
	if err != nil {
		return nil, err
	}
	doc.Warnings = slices.Concat(r.unknown, r.found.warnings, r.data.Warnings, own.warnings, doc.Warnings)
	return doc, nil
}

// managed reads a managed file. When there is one whose content cannot be read
// the export fails in the end: printed without it the document would be wrong,
// and look right.
func (s *Service) managed(ctx context.Context, r *run, name string) (*report.File, error) {
	f, err := s.cfg.Definitions.File(ctx, r.req.Workspace, name)
	var p *report.Problem
	if err != nil && r.lost == nil && !(errors.As(err, &p) && p.Kind == report.NotFound) {
		r.lost = err
	}
	return f, err
}

// shown are the parameters that are printed, with the labels of their values.
func (r *run) shown() []report.Parameter {
	var list []report.Parameter
	for _, p := range r.found.parameters {
		if p.Display {
			if items, ok := r.chosen[p.Name]; ok {
				p.Lookup = items
			}
			list = append(list, p)
		}
	}
	return list
}

// fontFaces are the embedded fonts as htmlgen takes them.
func fontFaces() []htmlgen.FontFace {
	faces := assets.FontFaces()
	list := make([]htmlgen.FontFace, len(faces))
	for i, f := range faces {
		list[i] = htmlgen.FontFace{Family: f.Family, Weight: f.Weight, Style: f.Style, UnicodeRange: f.UnicodeRange, File: f.File}
	}
	return list
}

// scripts is htmlgen's view of the script engine in one run.
type scripts struct {
	*scripting.Expressions
	engine scripting.Engine
	run    *run
}

// Render calls a renderer function for all rows of a column at once.
func (s *scripts) Render(ctx context.Context, call *htmlgen.RenderCall) ([]any, error) {
	r := s.run
	result, err := s.engine.Call(ctx, &scripting.Call{
		Path: call.Path, Source: call.Source, Names: call.Names, Rows: call.Rows,
		Args: []scripting.Arg{{Name: "$data", Value: call.Data}, {Name: "$params", Value: call.Params}, {Name: "$dict", Value: call.Dict}, {Name: "$user", Value: r.req.User.Value()}},
		Zone: r.found.zone, Now: r.now, Locale: r.locale.Tag(),
	})
	if err != nil {
		return nil, err
	}
	if len(result.Faults) > 0 {
		return result.Values, result.Faults[0].Problem
	}
	return result.Values, nil
}

// canvasRows is how many rows of each table are drawn while somebody edits the
// report: dozens of pages, which take a part of a second.
func canvasRows(req Request) int {
	if req.Definition == nil {
		return 0
	}
	return 2_000
}
