package export

import (
	"bytes"
	"context"
	"time"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
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

	documents documents // attached PDF files
}

// find finds the definitions of a run.
func (s *Service) find(ctx context.Context, req Request) (*run, error) {
	r := &run{req: req, now: s.cfg.Clock()}
	r.documents.find = func(ctx context.Context, name string) (*report.File, error) {
		return s.cfg.Definitions.File(ctx, req.Workspace, name)
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
	r, err := s.find(ctx, req)
	if err != nil {
		return nil, err
	}
	if r.params, err = s.bind(ctx, r); err != nil {
		return nil, err
	}
	replace, err := s.replacements(ctx, req)
	if err != nil {
		return nil, err
	}
	load := s.loadRequest(r)
	load.Replace = replace
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
		Sources: r.found.sources, Params: r.params, Dict: r.found.words, Workspace: r.req.Workspace,
		Zone: r.found.zone, Now: r.now, Locale: r.locale, Language: r.found.language.Code,
	}
}

// bind turns the values given into the report's parameters.
func (s *Service) bind(ctx context.Context, r *run) (*report.Object, error) {
	given := r.req.Params
	if given == nil {
		given = report.ObjectOf()
	}
	return s.cfg.Loader.BindParameters(ctx, r.found.parameters, given, r.found.zone, r.now)
}

// replacements are the values that stand in for data sources: uploaded data
// first, inline data over it.
func (s *Service) replacements(ctx context.Context, req Request) (map[string]any, error) {
	replace := map[string]any{}
	if req.TempDataID != 0 {
		uploaded, err := s.upload(ctx, req)
		if err != nil {
			return nil, err
		}
		for name, v := range uploaded.All() {
			replace[name] = v
		}
	}
	if req.Data != nil {
		for name, v := range req.Data.All() {
			if v != nil {
				replace[name] = v
			}
		}
	}
	return replace, nil
}

func (s *Service) upload(ctx context.Context, req Request) (*report.Object, error) {
	if s.cfg.Uploads == nil {
		return nil, report.Problemf("tempDataId", "there is no temporary data here")
	}
	doc, err := s.cfg.Uploads.TempData(ctx, req.Workspace, req.TempDataID)
	if err != nil {
		return nil, optionProblem("tempDataId", err)
	}
	v, err := report.ReadValue(bytes.NewReader(doc))
	if err != nil {
		return nil, err
	}
	o, ok := v.(*report.Object)
	if !ok {
		return nil, report.Problemf("tempDataId", "the uploaded data is no object with a member for each data source")
	}
	return o, nil
}

// compile makes the document. assetURL and the pictures depend on where it will
// be shown.
func (s *Service) compile(ctx context.Context, r *run, assetURL func(kind, name string) string, images *pictures, head string) (*htmlgen.Document, error) {
	expressions := scripting.NewExpressions(ctx, s.cfg.Scripts, scripting.Scene{Zone: r.found.zone, Now: r.now, Locale: r.locale.Tag()})
	doc, err := htmlgen.Compile(ctx, &htmlgen.Input{
		Report: r.found.report, Template: r.found.template, Theme: r.found.theme,
		Data: r.data.Data, Params: r.params, Dict: r.found.words, Shown: shown(r.found.parameters),
		Locale: r.locale, Zone: r.found.zone, Now: r.now,
		Scripts: &scripts{Expressions: expressions, engine: s.cfg.Scripts, run: r},
		Images:  images, Subreports: &subreports{service: s, run: r}, Documents: &r.documents, Fonts: fontFaces(), AssetURL: assetURL, Head: head,
		Origins: r.req.Definition != nil, TableRows: canvasRows(r.req), MostBytes: s.cfg.MostBytes,
		Files: func(name string) ([]byte, bool) {
			f, err := s.cfg.Definitions.File(ctx, r.req.Workspace, name)
			if err != nil {
				return nil, false
			}
			return f.Content, true
		},
	})
	if err != nil {
		return nil, err
	}
	doc.Warnings = append(append(r.found.warnings, r.data.Warnings...), doc.Warnings...)
	return doc, nil
}

func shown(parameters []report.Parameter) []report.Parameter {
	var list []report.Parameter
	for _, p := range parameters {
		if p.Display {
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
		Args: []scripting.Arg{{Name: "$data", Value: call.Data}, {Name: "$params", Value: call.Params}, {Name: "$dict", Value: call.Dict}},
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

// canvasRows is how many rows of each table are drawn for who is editing the
// report: dozens of pages, which take a part of a second.
func canvasRows(req Request) int {
	if req.Definition == nil {
		return 0
	}
	return 2_000
}
