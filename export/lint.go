package export

import (
	"fmt"
	"strconv"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
)

// Finding is something about a report that works but is most likely not meant.
type Finding struct {
	Rule    string `json:"rule"`
	Path    string `json:"path"` // into the definition, or below "template"
	Message string `json:"message"`
	// Repair is a change that mends it; nil where only the author can tell what is right.
	Repair *Repair `json:"repair,omitempty"`
}

// offer is a repair that sets a setting; nil takes it away.
func offer(path string, value any, label string, args ...any) *Repair {
	return &Repair{fmt.Sprintf(label, args...), path, value}
}

// Repair is one change of the definition.
type Repair struct {
	Label string `json:"label"` // what it does, such as "Make it an H2"
	Path  string `json:"path"`  // of the setting
	Value any    `json:"value"` // its new value; nil takes the setting away
}

// Rules, the values of Finding.Rule.
const (
	RuleDeadBinding     = "dead-binding"
	RuleAltText         = "alt-text"
	RuleHeadingOrder    = "heading-order"
	RuleEmptyText       = "empty-text"
	RuleContrast        = "contrast"
	RuleUnusedSource    = "unused-source"
	RuleUnusedParameter = "unused-parameter"
	RuleDuplicateName   = "duplicate-name"
	RuleUndeclared      = "undeclared-dependency"
	RuleHiddenFooter    = "hidden-footer"
	RuleRunningSum      = "running-sum"
	RuleSmallText       = "small-text"
	RuleTypefaces       = "typefaces"
	RuleNumbers         = "numbers"
	RuleInvoice         = "invoice"
)

// Severity tells how much a finding matters: a warning is most likely not meant,
// a hint is what could be better, or is not done yet.
func (f Finding) Severity() string {
	switch f.Rule {
	case RuleDeadBinding, RuleContrast, RuleUndeclared, RuleDuplicateName, RuleHiddenFooter, RuleRunningSum, RuleInvoice:
		return "warning"
	}
	return "hint"
}

// maxFindings bounds what one report is told.
const maxFindings = 200

// LintInput is a report with everything that it refers to in place. Nothing of
// it is changed.
type LintInput struct {
	Report     *report.Report
	Template   *report.Template // nil means the built-in one
	Theme      *report.Theme    // nil means the built-in one
	Sources    []report.SourceUse
	Parameters []report.Parameter
	Params     *report.Object // values, of parameters that are not declared too
	Words      *report.Object // $dict
	Data       *report.Object // what the sources gave
}

// lint finds what is odd about the report of a run.
func (s *Service) lint(r *run) []Finding {
	return Lint(&LintInput{
		Report: r.found.report, Template: r.found.template, Theme: r.found.theme, Sources: r.found.sources,
		Parameters: r.found.parameters, Params: r.params, Words: r.found.words, Data: r.data.Data,
	})
}

// Lint finds what is odd about a report: bindings that lead nowhere, what people
// who do not see well would miss, and what is there for nothing. It looks at the
// settings by the schema of the components, so that a new one needs no code here.
func Lint(in *LintInput) []Finding {
	l := &linter{
		in: in, types: map[string]*htmlgen.Type{}, seen: map[[3]string]bool{}, palette: htmlgen.NewPalette(in.Theme),
		reads: reads{data: map[string]bool{}, params: map[string]bool{}},
	}
	types := htmlgen.Types()
	for i := range types {
		l.types[types[i].Name] = &types[i]
	}
	l.report()
	l.typefaces()
	l.unused()
	l.undeclared()
	l.doubled()
	l.invoice()
	return l.findings
}

// linter is one run of Lint.
type linter struct {
	in       *LintInput
	types    map[string]*htmlgen.Type
	palette  *htmlgen.Palette
	findings []Finding
	seen     map[[3]string]bool
	reads    reads
	faces    []face
	level    int // of the last heading; 0 when it is not known
}

func (l *linter) find(rule, path, format string, args ...any) {
	l.mend(nil, rule, path, format, args...)
}

// mend finds something that a repair mends.
func (l *linter) mend(r *Repair, rule, path, format string, args ...any) {
	f := Finding{rule, path, fmt.Sprintf(format, args...), r}
	key := [3]string{rule, path, f.Message}
	if l.seen[key] || len(l.findings) >= maxFindings {
		return
	}
	l.seen[key] = true
	l.findings = append(l.findings, f)
}

// report walks the definition, then the layouts of the template that it uses.
func (l *linter) report() {
	plain := *l.in.Report
	plain.DataSources, plain.Parameters, plain.Include = nil, nil, nil
	tree := asObject(&plain)
	base := visit{shade: l.pageShade(nil)}
	if l.in.Template != nil {
		base.scope = l.templateItems(l.in.Template)
	}
	pages, _ := tree.Get("pages")
	l.group(report.Fields[report.Report](), without(tree, "pages"), "", base)
	list, _ := pages.([]any)
	for i, page := range list {
		l.page(&l.in.Report.Pages[i], object(page), place("pages", i), base)
	}
	l.layouts()
}

func (l *linter) page(page *report.Page, tree *report.Object, path string, at visit) {
	if t := l.in.Template; t != nil && len(t.Layouts) > 0 {
		layout := &t.Layouts[max(0, htmlgen.LayoutFor(t, page.PageType))]
		at.shade = l.pageShade(layout)
		if l.holdsHeading(layout.Body) {
			l.level = 0
		}
	}
	at.shade.background.known = at.shade.background.known && !l.hasPictureBehind(page.Elements)
	if page.Type == report.PageTypeSubreport || page.Type == report.PageTypeDocumentMerge {
		l.level = 0
	}
	l.group(report.Fields[report.Page](), tree, path, at)
}

// layouts walks the layouts of the template that the report uses.
func (l *linter) layouts() {
	t := l.in.Template
	if t == nil || len(t.Layouts) == 0 {
		return
	}
	used := map[int]bool{}
	for i := range l.in.Report.Pages {
		used[max(0, htmlgen.LayoutFor(t, l.in.Report.Pages[i].PageType))] = true
	}
	for i := range t.Layouts {
		if used[i] {
			l.level = 0
			l.group(report.Fields[report.Layout](), asObject(&t.Layouts[i]), place("template.layouts", i), visit{shade: l.pageShade(&t.Layouts[i])})
		}
	}
}

// templateItems are the names in $it that page elements may find because the
// template repeats around its placeholders.
func (l *linter) templateItems(t *report.Template) *lintScope {
	var scope *lintScope
	for i := range t.Layouts {
		eachElement(t.Layouts[i].Body, func(e *report.Element) {
			if e.Repeat != nil {
				scope = &lintScope{outer: scope, alias: firstText(e.Repeat.Alias, "record")}
			}
		})
	}
	return scope
}

func (l *linter) holdsHeading(list []report.Element) (holds bool) {
	eachElement(list, func(e *report.Element) {
		t := l.types[e.Type]
		holds = holds || t != nil && t.Meaning("level") != nil
	})
	return holds
}

func eachElement(list []report.Element, visit func(*report.Element)) {
	for i := range list {
		visit(&list[i])
		eachElement(list[i].Children, visit)
	}
}

// asObject is a definition as plain values; what cannot be written is empty.
func asObject(definition any) *report.Object {
	doc, err := report.MarshalDefinition(definition)
	if err != nil {
		return report.ObjectOf()
	}
	v, _ := report.ParseValue(doc)
	return object(v)
}

// object is a value as an object; an empty one when it is none.
func object(v any) *report.Object {
	if o, ok := v.(*report.Object); ok {
		return o
	}
	return report.ObjectOf()
}

func without(o *report.Object, name string) *report.Object {
	rest := report.ObjectOf()
	for member, v := range o.All() {
		if member != name {
			rest.Set(member, v)
		}
	}
	return rest
}

func place(list string, i int) string { return report.JoinPath(list, "["+strconv.Itoa(i)+"]") }
