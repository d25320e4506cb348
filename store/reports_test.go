package store

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/quire-reports/quire/report"
)

func firstProblem(err error) *report.Problem {
	var p *report.Problem
	if errors.As(err, &p) {
		return p
	}
	return nil
}

func (f *fixture) sample() *Workspace {
	f.t.Helper()
	w := ok[*Imported](f.t)(f.ImportWorkspace(f.ctx(), sampleBundle())).Workspace
	return &w
}

func testLists(f *fixture) {
	w := f.sample()
	now := f.clock.Now().UTC()
	want := []ReportRow{
		{Code: "invoice-2026", Name: "Invoice", TypeName: "Invoice", TypeCode: "invoice", TemplateName: "Corporate", ThemeName: "Paper", IsDefault: true, Revision: 1, Updated: now},
		{Code: "invoice-old", Name: "Invoice (old)", TypeName: "Invoice", TypeCode: "invoice", TemplateName: "Corporate", ThemeName: "Blue", Revision: 1, Updated: now},
		{Code: "letter", Name: "Letter", TypeName: "Letter", TypeCode: "letters", TemplateName: "Plain", ThemeName: "Blue", IsDefault: true, Revision: 1, Updated: now},
		{Code: "address", Name: "Address block", TypeName: "Letter", TypeCode: "letters", TemplateName: "Corporate", ThemeName: "Blue", IsSubreport: true, Revision: 1, Updated: now},
		{Code: "alone", Name: "Stands alone", TypeName: "Other", TypeCode: "other", TemplateName: "Own template", ThemeName: "Own theme", IsDefault: true, Revision: 1, Updated: now},
	}
	numbers := cmpopts.IgnoreFields(ReportRow{}, "ID", "TypeID")
	list := func(q ReportQuery) []ReportRow { return ok[[]ReportRow](f.t)(f.Reports(f.ctx(), w.ID, q)) }
	for name, c := range map[string]struct {
		query ReportQuery
		want  []ReportRow
	}{
		"all":            {ReportQuery{Subreports: true}, want},
		"printable":      {ReportQuery{}, []ReportRow{want[0], want[1], want[2], want[4]}},
		"one type":       {ReportQuery{Type: "INVOICE"}, want[:2]},
		"unknown type":   {ReportQuery{Type: "none"}, []ReportRow{}},
		"from the third": {ReportQuery{Offset: 2}, []ReportRow{want[2], want[4]}},
		"one":            {ReportQuery{Offset: 1, Limit: 1}, want[1:2]},
		"past the end":   {ReportQuery{Offset: 100}, []ReportRow{}},
		"negative":       {ReportQuery{Offset: -1, Limit: -1, Type: "letters"}, want[2:3]},
	} {
		if diff := cmp.Diff(c.want, list(c.query), numbers); diff != "" {
			f.t.Errorf("%s: %s", name, diff)
		}
	}
	all := list(ReportQuery{})
	types := ok[[]ReportType](f.t)(f.ReportTypes(f.ctx(), w.ID))
	wantTypes := []ReportType{
		{ID: all[0].TypeID, Name: "Invoice", Description: "What customers pay", Code: "invoice", Revision: 1, DefaultReportID: &all[0].ID, DefaultReportName: ptr("Invoice")},
		{ID: all[2].TypeID, Name: "Letter", Code: "letters", Revision: 1, DefaultReportID: &all[2].ID, DefaultReportName: ptr("Letter")},
		{ID: types[2].ID, Name: "Empty", Code: "empty", Revision: 1},
		{ID: all[3].TypeID, Name: "Other", Code: "other", Revision: 1, DefaultReportID: &all[3].ID, DefaultReportName: ptr("Stands alone")},
	}
	if diff := cmp.Diff(wantTypes, types); diff != "" {
		f.t.Error(diff)
	}
	codes := cmpopts.IgnoreFields(NamedRow{}, "ID")
	if diff := cmp.Diff([]NamedRow{{Name: "Corporate", Code: "corporate"}, {Name: "Plain", Code: "plain"}}, ok[[]NamedRow](f.t)(f.Templates(f.ctx(), w.ID)), codes); diff != "" {
		f.t.Error(diff)
	}
	if diff := cmp.Diff([]NamedRow{{Name: "Blue", Code: "blue"}, {Name: "Paper", Code: "paper"}}, ok[[]NamedRow](f.t)(f.Themes(f.ctx(), w.ID)), codes); diff != "" {
		f.t.Error(diff)
	}
	pages := ok[[]PageRow](f.t)(f.Pages(f.ctx(), w.ID, "invoice"))
	if diff := cmp.Diff([]PageRow{{7, "Invoice", "page"}, {3, "Terms", "document-merge"}}, pages); diff != "" {
		f.t.Error(diff)
	}
	empty := f.workspace("empty")
	if rows := ok[[]ReportRow](f.t)(f.Reports(f.ctx(), empty.ID, ReportQuery{})); rows == nil || len(rows) != 0 {
		f.t.Errorf("reports of an empty workspace: %v", rows)
	}
}

func testReferences(f *fixture) {
	w, other := f.sample(), f.workspace("other")
	rows := ok[[]ReportRow](f.t)(f.Reports(f.ctx(), w.ID, ReportQuery{}))
	for ref, want := range map[string]string{"invoice": "invoice-2026", "Letters": "letter", "OTHER": "alone", itoa(rows[1].ID): "invoice-old"} {
		d := ok[*ReportDefinition](f.t)(f.ReportByIDOrType(f.ctx(), w.ID, ref))
		if d.Row.Code != want || d.Report.Name != d.Row.Name || d.ID != d.Row.ID {
			f.t.Errorf("%s is %+v", ref, d.Row)
		}
	}
	if d := ok[*ReportDefinition](f.t)(f.ReportByCode(f.ctx(), w.ID, "ADDRESS")); d.Row.Code != "address" {
		f.t.Errorf("by code: %+v", d.Row)
	}
	for _, ref := range []string{"empty", "invoice-2026", "999999", "99999999999999999999", "", "0", "-1", "1e3", "' OR 1=1 --"} {
		_, err := f.ReportByIDOrType(f.ctx(), w.ID, ref)
		f.isKind(err, report.NotFound)
	}
	_, err := f.ReportByIDOrType(f.ctx(), other.ID, itoa(rows[0].ID))
	f.isKind(err, report.NotFound)

	themes := ok[[]NamedRow](f.t)(f.Themes(f.ctx(), w.ID))
	for ref, want := range map[string]string{"": "Blue", "paper": "Paper", "PAPER": "Paper", itoa(themes[1].ID): "Paper"} {
		if theme := ok[*report.Theme](f.t)(f.ThemeByRef(f.ctx(), w.ID, ref)); theme.Name != want {
			f.t.Errorf("theme %q is %s", ref, theme.Name)
		}
	}
	_, err = f.ThemeByRef(f.ctx(), w.ID, "corporate")
	if p := firstProblem(err); p == nil || p.Path != "theme" || p.Message != `unknown theme "corporate"; accepted: blue, paper` {
		f.t.Errorf("unknown theme: %v", err)
	}
	_, err = f.TemplateByRef(f.ctx(), other.ID, "")
	f.isKind(err, report.NotFound)
}

// testLibrary: what is decoded is kept and shared until it changes.
// testNamesOfBefore: names that were accepted once keep nothing from being read.
func testNamesOfBefore(f *fixture) {
	w := f.sample()
	for _, table := range []string{"reports", "resources"} {
		_ = ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE "+table+` SET document = REPLACE(document, '"name":"', '"name":"two\nlines '), revision = revision + 1 WHERE workspace_id = ?`, w.ID))
	}
	d := ok[*ReportDefinition](f.t)(f.ReportByIDOrType(f.ctx(), w.ID, "invoice"))
	if !strings.HasPrefix(d.Report.Name, "two\nlines ") {
		f.t.Errorf("%q", d.Report.Name)
	}
	_, err := f.SaveReport(f.ctx(), w.ID, d.ID, d.Row.Revision, f.root.ID, d.Report)
	f.isKind(err, report.Invalid)
}

func testLibrary(f *fixture) {
	w := f.sample()
	definition := func() *ReportDefinition {
		return ok[*ReportDefinition](f.t)(f.ReportByIDOrType(f.ctx(), w.ID, "invoice"))
	}
	first := definition()
	if again := definition(); again.Report != first.Report || again.Library != first.Library {
		f.t.Error("decoded again without a change")
	}
	source, found := first.Library.DataSource("Customers")
	if !found || source.Type != "csv" {
		f.t.Errorf("data source %+v", source)
	}
	parameter, found := first.Library.Parameter("customerId")
	if !found || parameter.Default == nil || !parameter.Required {
		f.t.Errorf("parameter %+v", parameter)
	}
	if _, found := first.Library.Parameter("customerid"); found {
		f.t.Error("parameters are found without case")
	}

	changed := sampleBundle()
	changed.Themes[1].Name = "Cardboard"
	ok[*Imported](f.t)(f.ImportWorkspace(f.ctx(), changed))
	second := definition()
	if second.Report != first.Report {
		f.t.Error("the report was decoded again when a theme changed")
	}
	if second.Row.ThemeName != "Cardboard" || first.Row.ThemeName != "Paper" {
		f.t.Errorf("theme %q, before %q", second.Row.ThemeName, first.Row.ThemeName)
	}
	if second.Library.Templates[0].Definition != first.Library.Templates[0].Definition {
		f.t.Error("a template was decoded again when a theme changed")
	}
	changed.Reports[0].Report.Title = "New title"
	ok[*Imported](f.t)(f.ImportWorkspace(f.ctx(), changed))
	if third := definition(); third.Report.Title != "New title" || third.Row.Revision != 2 {
		f.t.Errorf("report after a change: %q, revision %d", third.Report.Title, third.Row.Revision)
	}
}

func TestCacheIsBounded(t *testing.T) {
	c := newCache(100)
	for id := range 5 {
		c.put(cacheKey{"report", id}, 1, id, 30)
		c.get(cacheKey{"report", 0})
	}
	var kept []int
	for id := range 5 {
		if v, _ := c.get(cacheKey{"report", id}); v != nil {
			kept = append(kept, id)
		}
	}
	if diff := cmp.Diff([]int{0, 3, 4}, kept); diff != "" || c.size != 90 {
		t.Errorf("kept %v, %d bytes", kept, c.size)
	}
	c.put(cacheKey{"report", 0}, 3, "new", 10)
	c.put(cacheKey{"report", 0}, 2, "late", 10)
	if v, revision := c.get(cacheKey{"report", 0}); v != "new" || revision != 3 || c.size != 70 {
		t.Errorf("%v of revision %d, %d bytes", v, revision, c.size)
	}
	c.put(cacheKey{"library", 0}, 1, "huge", 1000)
	if v, _ := c.get(cacheKey{"library", 0}); v != "huge" || len(c.items) != 1 {
		t.Errorf("after a huge one: %v, %d items", v, len(c.items))
	}
}

func TestReferencesAndCodes(t *testing.T) {
	for ref, want := range map[string]int{"12": 12, "0": 0, "2147483647": 2147483647, "2147483648": 0, "007": 7, "a1": -1, "": -1, "-1": -1, "1-1": -1, "١": -1} {
		id, isID := refID(ref)
		if !isID {
			id = -1
		}
		if id != want {
			t.Errorf("%q is %d, want %d", ref, id, want)
		}
	}
	for code, accepted := range map[string]bool{"invoice": true, "2026-01": true, "A_b-9": true, "_": true, "2026": false, "": false, "a b": false, "a/b": false, "ž": false, "a.b": false} {
		if err := checkCode("code", code); (err == nil) != accepted {
			t.Errorf("%q: %v", code, err)
		}
	}
}

// BenchmarkDefinition is what an export pays to the store when nothing changed.
func BenchmarkDefinition(b *testing.B) {
	f := sqliteFixture(b)
	w := f.sample()
	b.ReportAllocs()
	for b.Loop() {
		ok[*ReportDefinition](b)(f.ReportByIDOrType(b.Context(), w.ID, "invoice"))
	}
}

// BenchmarkToken is what a request pays to be known.
func BenchmarkToken(b *testing.B) {
	f := sqliteFixture(b)
	token := ok[string](b)(f.CreateToken(b.Context(), f.root.ID, NewToken{Name: "bench"}))
	b.ReportAllocs()
	for b.Loop() {
		ok[*User](b)(f.UserByToken(b.Context(), token))
	}
}
