package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
)

func itoa(n int) string { return strconv.Itoa(n) }

// sampleBundle is a workspace with something in every place.
func sampleBundle() report.Workspace {
	return report.Workspace{
		Version: report.Version, Name: "Nordlicht Energie", Code: "Nordlicht", Description: "Demo of a utility",
		Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-GB"}, {Name: "Српски", Code: "sr", Culture: "sr-Cyrl-RS"}},
		ReportTypes: []report.ReportType{
			{Name: "Invoice", Code: "invoice", Description: "What customers pay", DefaultReport: "invoice-2026"},
			{Name: "Letter", Code: "letters"},
			{Name: "Empty", Code: "empty"},
		},
		PageTypes:    []report.PageType{{Name: "Content", Code: "content", Description: "Ordinary pages"}, {Name: "Cover", Code: "cover"}},
		Parameters:   []report.Parameter{{Name: "customerId", Label: "Customer", Required: true, Type: "lookup", Scope: "global", Default: json.Number("12345678901234567890"), Lookup: []report.LookupItem{{Value: "a", Label: "A"}}}},
		Dictionaries: []report.Dictionary{{Name: "Labels", Code: "labels", Entries: map[string]map[string]string{"total": {"en": "Total", "sr": "Укупно"}}}},
		DataSources: []report.DataSource{
			{Name: "customers", DisplayName: "Customers", Type: "json", Scope: "reusable", Settings: map[string]any{"content": `[{"id":1}]`}},
			{Name: "Customers", Type: "csv", Scope: "global", Settings: map[string]any{"content": "a;b"}},
		},
		Templates: []report.Template{
			{Name: "Corporate", Code: "corporate", Theme: "blue", Layouts: []report.Layout{{PageType: "content", Size: "A4", Margin: report.Margin{Top: "20mm"}, Footer: []report.Element{{ID: "f1", Type: "text", Props: map[string]any{"text": "{$page.number}"}}}}}},
			{Name: "Plain", Code: "plain", Layouts: []report.Layout{{}}},
		},
		Jobs: []report.Job{{
			Name: "Statements", Code: "statements", Active: true, Repeat: "meters", Timezone: "Europe/Belgrade",
			DataSources: []report.SourceUse{{Reuse: "meters"}}, Reports: []report.JobReport{{Report: "invoice", FileName: "{$record.number}"}},
			Schedule:   &report.JobSchedule{Kind: "monthly", Start: "2026-01-01T07:00", Which: "last", Weekday: "friday"},
			Deliveries: []report.JobDelivery{{Type: "local", Settings: map[string]any{"path": "statements"}}},
		}},
		Themes: []report.Theme{
			{Name: "Blue", Code: "blue", Colors: []report.Color{{Name: "primary", Value: "#0a58ca"}}, CustomCSS: ".x > .y { color: red }"},
			{Name: "Paper", Code: "paper"},
		},
		Reports: []report.NamedReport{
			{Code: "invoice-2026", Report: report.Report{
				Version: 1, Kind: "report", Name: "Invoice", Type: "invoice", Theme: "paper", Template: "CORPORATE", Language: "en", Timezone: "Europe/Belgrade", Title: "Invoice {$params.no}",
				Pages:       []report.Page{{ID: 7, Name: "Invoice", PageType: "content", Count: ptr(false), Elements: []report.Element{{ID: "t", Type: "text", Props: map[string]any{"text": "<b>&"}}}}, {ID: 3, Name: "Terms", Type: "document-merge"}},
				DataSources: []report.SourceUse{{Reuse: "customers", DataSource: report.DataSource{Name: "customers", Type: "json"}, Dependencies: []string{"$params.customerId"}}},
			}},
			{Code: "invoice-old", Report: report.Report{Version: 1, Name: "Invoice (old)", Type: "invoice"}},
			{Code: "letter", Report: report.Report{Version: 1, Name: "Letter", Type: "Letters", Template: "plain", Pages: []report.Page{{Name: "One"}, {ID: 4, Name: "Two"}, {Name: "Three"}}}},
			{Code: "address", Report: report.Report{Version: 1, Name: "Address block", Type: "letters", Subreport: true}},
			{Code: "alone", Report: report.Report{Version: 1, Name: "Stands alone", Include: &report.Include{
				Templates: []report.Template{{Name: "Own template", Code: "own", Theme: "own", Layouts: []report.Layout{{}}}},
				Themes:    []report.Theme{{Name: "Own theme", Code: "own"}},
			}}},
		},
		Files: []report.File{{Name: "logo.svg", ContentType: "image/svg+xml", Content: []byte("<svg/>")}, {Name: "terms/agb.pdf", ContentType: "application/pdf", Content: []byte("%PDF-1.7")}},
	}
}

// expectedBundle is what comes back: page IDs filled in, the default reports
// named, and type Other for the report without one.
func expectedBundle() report.Workspace {
	w := sampleBundle()
	w.Reports[2].Report.Pages[0].ID, w.Reports[2].Report.Pages[2].ID = 5, 6
	w.ReportTypes[1].DefaultReport = "letter"
	w.ReportTypes = append(w.ReportTypes, report.ReportType{Name: "Other", Code: "other", DefaultReport: "alone"})
	return w
}

// asJSON makes bundles comparable: numbers and objects may have other Go types.
func asJSON(t testing.TB, w *report.Workspace) string {
	t.Helper()
	type all report.Workspace
	text := ok[[]byte](t)(json.MarshalIndent(struct {
		*all
		D any `json:"d"`
		S any `json:"s"`
		T any `json:"t"`
		H any `json:"h"`
		R any `json:"r"`
		F any `json:"f"`
	}{(*all)(w), w.Dictionaries, w.DataSources, w.Templates, w.Themes, w.Reports, w.Files}, "", " "))
	return string(text)
}

func testBundle(f *fixture) {
	im := ok[*Imported](f.t)(f.ImportWorkspace(f.ctx(), sampleBundle()))
	if want := (Imported{Workspace: im.Workspace, Created: 23}); *im != want {
		f.t.Errorf("imported %+v, want %+v", im, want)
	}
	expected := expectedBundle()
	got := ok[*report.Workspace](f.t)(f.ExportWorkspace(f.ctx(), "NORDLICHT"))
	if diff := cmp.Diff(asJSON(f.t, &expected), asJSON(f.t, got)); diff != "" {
		f.t.Error(diff)
	}
	_, err := f.ExportWorkspace(f.ctx(), "nobody")
	f.isKind(err, report.NotFound)
}

func testImportAgain(f *fixture) {
	first := ok[*Imported](f.t)(f.ImportWorkspace(f.ctx(), sampleBundle()))
	l := ok[*Library](f.t)(f.Library(f.ctx(), first.Workspace.ID))
	keys := f.keys()
	for _, again := range []report.Workspace{sampleBundle(), *ok[*report.Workspace](f.t)(f.ExportWorkspace(f.ctx(), "nordlicht"))} {
		im := ok[*Imported](f.t)(f.ImportWorkspace(f.ctx(), again))
		if im.Created+im.Updated != 0 || im.Workspace != first.Workspace && im.Workspace.ID != first.Workspace.ID {
			f.t.Errorf("imported again: %+v", im)
		}
	}
	if l != ok[*Library](f.t)(f.Library(f.ctx(), first.Workspace.ID)) {
		f.t.Error("importing the same again made the library out of date")
	}
	if diff := cmp.Diff(keys, f.keys()); diff != "" {
		f.t.Errorf("contents: %s", diff)
	}

	before := ok[[]ReportRow](f.t)(f.Reports(f.ctx(), first.Workspace.ID, ReportQuery{Subreports: true}))
	changed := sampleBundle()
	changed.Code, changed.Name, changed.Description = "NORDLICHT", "Renamed", ""
	changed.Themes = []report.Theme{{Name: "Navy", Code: "BLUE"}}
	changed.Reports = changed.Reports[:2]
	changed.Reports[0].Report.Name = "Invoice 2026"
	changed.Reports[0].Report.Type = "letters" // so the type needs another default report
	changed.ReportTypes[0].DefaultReport = ""
	changed.Files[0].Content = []byte("<svg>new</svg>")
	im := ok[*Imported](f.t)(f.ImportWorkspace(f.ctx(), changed))
	if im.Workspace.ID != first.Workspace.ID || im.Created != 0 || im.Updated != 3 {
		f.t.Errorf("changed: %+v", im)
	}
	after := ok[[]ReportRow](f.t)(f.Reports(f.ctx(), first.Workspace.ID, ReportQuery{Subreports: true}))
	if len(after) != len(before) || after[0].ID != before[0].ID || after[0].Name != "Invoice 2026" || after[0].ThemeName != "Paper" {
		f.t.Errorf("reports %+v", after)
	}
	types := ok[[]ReportType](f.t)(f.ReportTypes(f.ctx(), first.Workspace.ID))
	if *types[0].DefaultReportName != "Invoice (old)" {
		f.t.Errorf("default report %q", *types[0].DefaultReportName)
	}
	if theme := ok[*report.Theme](f.t)(f.ThemeByRef(f.ctx(), first.Workspace.ID, "blue")); theme.Name != "Navy" {
		f.t.Errorf("theme %+v", theme)
	}
	if len(f.keys()) != len(keys) {
		f.t.Errorf("contents %v", f.keys())
	}
	w := ok[*Workspace](f.t)(f.WorkspaceByCode(f.ctx(), "nordlicht"))
	if w.Name != "Renamed" || w.Description != nil || w.Code != "Nordlicht" {
		f.t.Errorf("workspace %+v", w)
	}
}

func testFaultyBundles(f *fixture) {
	ok[*Imported](f.t)(f.ImportWorkspace(f.ctx(), sampleBundle()))
	keys := f.keys()
	for want, spoil := range map[string]func(*report.Workspace){
		"themes[1].code":                   func(w *report.Workspace) { w.Themes[1].Code = "12" },
		"themes[1]":                        func(w *report.Workspace) { w.Themes[1].Code = "Blue" },
		"templates[0].code":                func(w *report.Workspace) { w.Templates[0].Code = "a b" },
		"dataSources[1]":                   func(w *report.Workspace) { w.DataSources[1].Name = "customers" },
		"parameters[0].name":               func(w *report.Workspace) { w.Parameters[0].Name = "" },
		"reportTypes[2].code":              func(w *report.Workspace) { w.ReportTypes[2].Code = "" },
		"reportTypes[0].defaultReport":     func(w *report.Workspace) { w.ReportTypes[0].DefaultReport = "letter" },
		"reports.letter.type":              func(w *report.Workspace) { w.Reports[2].Report.Type = "leters" },
		"reports.LETTER":                   func(w *report.Workspace) { w.Reports[1].Code = "LETTER"; slices.Reverse(w.Reports[1:3]) },
		"reports.invoice-2026.pages[1].id": func(w *report.Workspace) { w.Reports[0].Report.Pages[1].ID = 7 },
		"reports.letter.pages[1].type":     func(w *report.Workspace) { w.Reports[2].Report.Pages[1].Type = "chapter" },
		"files.name":                       func(w *report.Workspace) { w.Files[1].Name = "../../etc/passwd" },
		"code":                             func(w *report.Workspace) { w.Code = "2026" },
	} {
		w := sampleBundle()
		w.Name, w.Files[0].Content = "Spoilt", []byte("spoilt")
		spoil(&w)
		_, err := f.ImportWorkspace(f.ctx(), w)
		var path string
		if p := firstProblem(err); p != nil {
			path = p.Path
		}
		if !strings.HasPrefix(path, want) {
			f.t.Errorf("%s: %v", want, err)
		}
	}
	if diff := cmp.Diff(keys, f.keys()); diff != "" {
		f.t.Errorf("contents left behind: %s", diff)
	}
	if w := ok[*Workspace](f.t)(f.WorkspaceByCode(f.ctx(), "nordlicht")); w.Name != "Nordlicht Energie" {
		f.t.Errorf("a refused bundle changed the workspace: %+v", w)
	}
}

// testImportRace: imports of one workspace at once end as one workspace.
func testImportRace(f *fixture) {
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			w := sampleBundle()
			w.Reports[0].Report.Title = fmt.Sprintf("Title %d", i)
			// Two who make the same workspace: one may be told that it exists.
			if _, err := f.ImportWorkspace(f.ctx(), w); err != nil {
				f.isKindSoft(err, report.Conflict)
			}
		})
	}
	wg.Wait()
	if all := ok[[]Workspace](f.t)(f.Workspaces(f.ctx(), f.root)); len(all) != 1 {
		f.t.Errorf("workspaces %+v", all)
	}
	ok[*Imported](f.t)(f.ImportWorkspace(f.ctx(), sampleBundle()))
	expected := expectedBundle()
	got := ok[*report.Workspace](f.t)(f.ExportWorkspace(f.ctx(), "nordlicht"))
	if diff := cmp.Diff(asJSON(f.t, &expected), asJSON(f.t, got)); diff != "" {
		f.t.Error(diff)
	}
	f.clock.Advance(2 * orphanAge)
	if swept := ok[Swept](f.t)(f.SweepOrphans(f.ctx())); swept.Orphans != 0 || len(f.keys()) != 2 {
		f.t.Errorf("orphans %+v, contents %v", swept, f.keys())
	}
}

// isKindSoft is isKind for other goroutines.
func (f *fixture) isKindSoft(err error, kind report.Kind) {
	if p := firstProblem(err); p == nil || p.Kind != kind {
		f.t.Errorf("got %v; want a Problem of kind %d", err, kind)
	}
}
