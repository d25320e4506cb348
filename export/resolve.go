package export

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/quire-reports/quire/report"
)

// resolved is a report with everything its codes stand for put in place.
type resolved struct {
	report     *report.Report
	template   *report.Template // nil means the built-in one
	theme      *report.Theme    // nil means the built-in one
	language   report.Language
	fallback   report.Language // default language of the workspace, for missing dictionary entries
	zone       *time.Location
	words      *report.Object // $dict
	parameters []report.Parameter
	sources    []report.SourceUse
	global     []string // names of the global data sources, read or not
	warnings   report.Problems
}

// resolve finds everything that a request's report refers to.
func (s *Service) resolve(ctx context.Context, req Request) (*resolved, error) {
	found, err := s.cfg.Definitions.Report(ctx, req.Workspace, req.Report)
	if err != nil {
		return nil, err
	}
	def, shared := found.Report, &found.Library
	if req.Definition != nil {
		def = req.Definition
	} else if err := s.finished(found); err != nil {
		return nil, err
	}
	if req.Report == "" {
		shared.DataSources = nil // a specimen runs nothing
	}
	r := &resolved{}
	if err := r.leaveOut(def, req.ExcludePages); err != nil {
		return nil, err
	}
	if r.zone, err = s.zone(req.Timezone, def.Timezone); err != nil {
		return nil, err
	}
	if err := look(req, r, shared); err != nil {
		return nil, err
	}
	if err := r.languages(req.Lang, shared); err != nil {
		return nil, err
	}
	r.complete(shared)
	return r, nil
}

// complete puts dictionaries, parameters and data sources in place.
func (r *resolved) complete(shared *report.Library) {
	def := r.report
	r.words = dictionary(included(def, func(i *report.Include) []report.Dictionary { return i.Dictionaries }, shared.Dictionaries), r.language.Code, def.Language, r.fallback.Code)
	r.parameters = r.useParameters(included(def, func(i *report.Include) []report.Parameter { return i.Parameters }, shared.Parameters))
	r.useLookups(included(def, func(i *report.Include) []report.DataSource { return i.DataSources }, shared.DataSources))
	r.sources = r.useSources(included(def, func(i *report.Include) []report.DataSource { return i.DataSources }, shared.DataSources))
}

// leaveOut leaves pages out before anything is loaded for them.
func (r *resolved) leaveOut(def *report.Report, exclude []int) error {
	r.report = def
	if len(exclude) == 0 {
		return nil
	}
	if err := unknownPages(def, exclude).Err(); err != nil {
		return err
	}
	cut := *def
	cut.Pages = nil
	for _, p := range def.Pages {
		if !slices.Contains(exclude, p.ID) {
			cut.Pages = append(cut.Pages, p)
		}
	}
	r.report = &cut
	if len(cut.Pages) == 0 {
		return report.Problemf("excludePages", "all pages of the report would be left out; keep at least one")
	}
	return nil
}

// included lists the resources a report carries, then the workspace's.
func included[T any](def *report.Report, of func(*report.Include) []T, shared []T) []T {
	if def.Include == nil || len(of(def.Include)) == 0 {
		return shared
	}
	return slices.Concat(of(def.Include), shared)
}

// zone is the time zone that a request asks for, or the report's, or the
// server's.
func (s *Service) zone(asked, reports string) (*time.Location, error) {
	if asked != "" {
		return loadZone("timezone", asked)
	}
	if reports != "" {
		return loadZone("report.timezone", reports)
	}
	return s.cfg.Zone, nil
}

func loadZone(path, name string) (*time.Location, error) {
	if !strings.EqualFold(name, "local") {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone, nil
		}
	}
	return nil, report.Problemf(path, "unknown time zone %q; use an IANA name such as Europe/Belgrade", name)
}

// look finds template and theme: those asked for, else the report's, else the
// template's theme, else the workspace's first.
func look(req Request, r *resolved, shared *report.Library) (err error) {
	def := r.report
	include := def.Include
	if include == nil {
		include = &report.Include{}
	}
	ref := firstText(req.Template, def.Template)
	r.template = byCode(include.Templates, ref, func(t *report.Template) string { return t.Code })
	if r.template == nil {
		if r.template, err = shared.Template(ref); err != nil {
			return optionProblem("template", err)
		}
	}
	ref = firstText(req.Theme, def.Theme)
	if ref == "" && r.template != nil {
		ref = r.template.Theme
	}
	r.theme = byCode(include.Themes, ref, func(t *report.Theme) string { return t.Code })
	if r.theme == nil {
		if r.theme, err = shared.Theme(ref); err != nil {
			return optionProblem("theme", err)
		}
	}
	return nil
}

// optionProblem makes a missing template or theme a fault of the option that
// names it: the address of the request itself exists.
func optionProblem(option string, err error) error {
	if p, ok := err.(*report.Problem); ok {
		return &report.Problem{Kind: report.Invalid, Path: option, Message: p.Message}
	}
	return err
}

// byCode finds an included resource; the empty reference means the first.
func byCode[T any](items []T, ref string, code func(*T) string) *T {
	for i := range items {
		if ref == "" || strings.EqualFold(code(&items[i]), ref) {
			return &items[i]
		}
	}
	return nil
}

func firstText(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// english is the language of a workspace that declares none.
var english = report.Language{Name: "English", Code: "en", Culture: "en-US"}

// languages picks the report's language. An unknown lang that looks like a
// language tag is taken as a culture, so that a report without dictionaries can
// be printed in any; anything else is refused.
func (r *resolved) languages(asked string, shared *report.Library) error {
	all := included(r.report, func(i *report.Include) []report.Language { return i.Languages }, shared.Languages)
	r.fallback = english
	if len(all) > 0 {
		r.fallback = all[0]
	}
	r.language = r.fallback
	ref := strings.ReplaceAll(firstText(asked, r.report.Language), "_", "-") // de_DE is written, too
	if ref == "" {
		return nil
	}
	for _, l := range all {
		if strings.EqualFold(strings.ReplaceAll(l.Code, "_", "-"), ref) || strings.EqualFold(strings.ReplaceAll(l.Culture, "_", "-"), ref) {
			r.language = l
			return nil
		}
	}
	if !isLanguageTag(ref) {
		return report.Problemf("lang", "%q is no language; accepted: %s, or a tag such as de-CH", ref, languageCodes(all))
	}
	r.language = report.Language{Name: ref, Code: ref, Culture: ref}
	return nil
}

// isLanguageTag accepts what looks like a BCP 47 tag: letters and digits in
// groups of at most eight, the first of two or three letters.
func isLanguageTag(s string) bool {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '_' })
	if len(parts) == 0 || len(parts[0]) < 2 || len(parts[0]) > 3 || len(s) > 35 {
		return false
	}
	for _, p := range parts {
		if len(p) > 8 || strings.ContainsFunc(p, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
		}) {
			return false
		}
	}
	return true
}

func languageCodes(all []report.Language) string {
	codes := []string{}
	for _, l := range all {
		codes = append(codes, l.Code)
	}
	if len(codes) == 0 {
		return "en"
	}
	return strings.Join(codes, ", ")
}

// dictionary is $dict: each entry in the first of the languages that it has, or
// in what one is a variety of: de for de-CH. One that has none of them is not
// there, so that fallbacks are printed. Earlier dictionaries win.
func dictionary(all []report.Dictionary, languages ...string) *report.Object {
	words := report.ObjectOf()
	for _, d := range all {
		for entry, texts := range d.Entries {
			if _, taken := words.Get(entry); taken {
				continue
			}
			if text, ok := translation(texts, languages); ok {
				words.Set(entry, text)
			}
		}
	}
	return words
}

func translation(texts map[string]string, languages []string) (string, bool) {
	for _, language := range languages {
		language = strings.ReplaceAll(language, "_", "-")
		for _, code := range []string{language, strings.SplitN(language, "-", 2)[0]} {
			for given, text := range texts {
				if strings.EqualFold(strings.ReplaceAll(given, "_", "-"), code) {
					return text, true
				}
			}
		}
	}
	return "", false
}

// useParameters are the report's parameters with the reusable ones in place,
// and the global ones that it does not define itself.
func (r *resolved) useParameters(shared []report.Parameter) []report.Parameter {
	var used []report.Parameter
	has := func(name string) bool {
		return slices.ContainsFunc(used, func(p report.Parameter) bool { return p.Name == name })
	}
	for _, use := range r.report.Parameters {
		p := use.Parameter
		if use.Reuse != "" {
			i := slices.IndexFunc(shared, func(p report.Parameter) bool { return p.Name == use.Reuse })
			if i < 0 {
				r.warn("parameters", "there is no reusable parameter %q", use.Reuse)
				continue
			}
			p = shared[i]
			p.Name = firstText(use.Name, use.Reuse)
		}
		used = append(used, p)
	}
	for _, p := range shared {
		if p.Scope == report.ScopeGlobal && !has(p.Name) {
			used = append(used, p)
		}
	}
	return used
}

// useLookups puts reusable data sources into the lookups that name one.
func (r *resolved) useLookups(shared []report.DataSource) {
	for i := range r.parameters {
		source := r.parameters[i].LookupSource
		if source == nil || source.Reuse == "" {
			continue
		}
		at := slices.IndexFunc(shared, func(d report.DataSource) bool { return d.Name == source.Reuse })
		if at < 0 {
			r.warn("parameters", "the lookup of %q uses the data source %q, which does not exist", r.parameters[i].Name, source.Reuse)
			continue
		}
		own := *source
		own.Type, own.Settings = shared[at].Type, shared[at].Settings
		r.parameters[i].LookupSource = &own
	}
}

// useSources are the report's data sources with the reusable ones in place,
// and the global ones that it reads without defining them itself.
func (r *resolved) useSources(shared []report.DataSource) []report.SourceUse {
	var used []report.SourceUse
	has := func(name string) bool {
		return slices.ContainsFunc(used, func(s report.SourceUse) bool { return s.Name == name })
	}
	for _, use := range r.report.DataSources {
		if use.Reuse != "" {
			i := slices.IndexFunc(shared, func(d report.DataSource) bool { return d.Name == use.Reuse })
			if i < 0 {
				r.warn("dataSources", "there is no reusable data source %q", use.Reuse)
				continue
			}
			name := firstText(use.Name, use.Reuse)
			use.DataSource = shared[i]
			use.Name = name
		}
		used = append(used, use)
	}
	reads := sync.OnceValue(r.definitionText)
	for _, d := range shared {
		if d.Scope == report.ScopeGlobal {
			r.global = append(r.global, d.Name)
		}
		if d.Scope == report.ScopeGlobal && !has(d.Name) && strings.Contains(reads(), "$data."+d.Name) {
			used = append(used, report.SourceUse{DataSource: d})
		}
	}
	return used
}

// definitionText is the report and its template as text, to find out what they
// read.
func (r *resolved) definitionText() string {
	var b strings.Builder
	for _, v := range []any{r.report, r.template} {
		doc, err := report.MarshalDefinition(v)
		if err != nil {
			r.warn("", "the definition cannot be searched for data sources: %v", err)
		}
		b.Write(doc)
	}
	return b.String()
}

func (r *resolved) warn(path, format string, args ...any) {
	r.warnings = append(r.warnings, report.Problemf(path, format, args...))
}
