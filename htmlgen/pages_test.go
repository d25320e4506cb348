package htmlgen

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// compilePages compiles a report and gives its sections without their regions.
func compilePages(t *testing.T, pages ...report.Page) (sections []string, warnings report.Problems) {
	t.Helper()
	in := testInput(t, nil)
	in.Report.Pages = pages
	doc, err := Compile(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range regexp.MustCompile(`(?s)<section class="[^>]*>.*?</section>`).FindAllString(string(doc.HTML), -1) {
		sections = append(sections, regexp.MustCompile(`<[^>]*>`).ReplaceAllStringFunc(s, func(tag string) string {
			if strings.HasPrefix(tag, "<section") {
				return tag
			}
			return ""
		}))
	}
	return sections, doc.Warnings
}

func textElement(s string) report.Element {
	return report.Element{Type: "text", Props: map[string]any{"text": s}}
}

func TestASubreportPageIsThePagesOfTheReport(t *testing.T) {
	no := false
	sections, warnings := compilePages(t,
		report.Page{ID: 1, Name: "Cover", Elements: []report.Element{textElement("Cover of {$data.company.name}")}},
		report.Page{
			ID: 7, Name: "Terms", Type: report.PageTypeSubreport, Report: "terms", Count: &no,
			Repeat: &report.Repeat{Source: "$data.tree"}, Parameters: []report.Mapping{{Name: "who", Value: "{$it.record.name}"}},
		},
		report.Page{ID: 8, Name: "Mirror", Type: report.PageTypeSubreport, Report: "mirror"})
	want := []string{
		`<section class="q-sheet" data-page="1" data-name="Cover" data-count="1" `,
		`<section class="q-sheet" data-page="7" data-name="A" data-count="0" `,
		`<section class="q-sheet" data-page="7" data-name="B" data-count="0" `,
		`<section class="q-sheet" data-page="8" data-name="A" data-count="1" `,
	}
	if len(sections) != len(want) {
		t.Fatalf("%d sections: %s", len(sections), sections)
	}
	for i := range want {
		if !strings.HasPrefix(sections[i], want[i]) {
			t.Errorf("section %d: %s", i, sections[i])
		}
	}
	if !strings.Contains(sections[1], "1 Terms for Assets") || !strings.Contains(sections[1], "its own data Sum") {
		t.Errorf("the subreport's page holds %s", sections[1])
	}
	if got := warnings[len(warnings)-1].Error(); got != `pages[2] → mirror: pages[0].elements[0]: subreport "m": the report contains itself: mirror → MIRROR` {
		t.Errorf("warnings: %s", got)
	}
}

func TestADocumentMergePageHasASheetForEachPageOfThePDF(t *testing.T) {
	page := func(from, to int, name string) report.Page {
		return report.Page{ID: 2, Name: "Terms", Type: report.PageTypeDocumentMerge, Document: name, StartPage: from, EndPage: to}
	}
	for _, c := range []struct {
		name    string
		page    report.Page
		want    []string
		warning string
	}{
		{"all pages", page(0, 0, "terms.pdf"), []string{
			`<section class="q-sheet q-attached" data-page="2" data-name="Terms" data-count="1" data-width="595.28px" data-height="841.89px" data-attached="0#1" data-margin="0 0 0 0">terms.pdf · 1`,
			`<section class="q-sheet q-attached" data-page="2" data-name="Terms" data-count="1" data-width="841.89px" data-height="595.28px" data-attached="0#2" data-margin="0 0 0 0">terms.pdf · 2`,
		}, ""},
		{"from the second on", page(2, 9, "{$dict.x|terms.pdf}"), []string{
			`<section class="q-sheet q-attached" data-page="2" data-name="Terms" data-count="1" data-width="841.89px" data-height="595.28px" data-attached="0#2" data-margin="0 0 0 0">terms.pdf · 2`,
		}, ""},
		{"beyond its end", page(3, 0, "terms.pdf"), []string{
			`<section class="q-sheet" data-page="2" data-name="Terms" data-count="1" data-width="210mm" data-height="297mm" data-margin="18mm 18mm 16mm 18mm" data-background="#ffffff">` + "\n" +
				`terms.pdf has 2 pages; page 3 does not exist`,
		}, "terms.pdf has 2 pages; page 3 does not exist"},
		{"no such file", page(0, 0, "gone.pdf"), []string{
			`<section class="q-sheet" data-page="2" data-name="Terms" data-count="1" data-width="210mm" data-height="297mm" data-margin="18mm 18mm 16mm 18mm" data-background="#ffffff">` + "\n" +
				`there is no managed file "gone.pdf"`,
		}, `there is no managed file "gone.pdf"`},
	} {
		got, warnings := compilePages(t, c.page)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if (c.warning == "") != (len(warnings) == 0) || c.warning != "" && !strings.Contains(warnings.Error(), c.warning) {
			t.Errorf("%s: warnings: %v", c.name, warnings)
		}
	}
}

func TestPageTypesAreValidated(t *testing.T) {
	problems := Validate(&report.Report{Pages: []report.Page{
		{ID: 1, Type: report.PageTypeSubreport, Elements: []report.Element{textElement("lost")}},
		{ID: 2, Type: report.PageTypeDocumentMerge, StartPage: 4, EndPage: 2},
	}})
	want := "pages[0].report: a subreport page names the code of a report\n" +
		"pages[0].elements: a subreport page has no elements of its own\n" +
		"pages[1].document: a document-merge page names a managed PDF file\n" +
		"pages[1].endPage: the end page lies before the start page"
	var got []string
	for _, p := range problems {
		got = append(got, p.Error())
	}
	if diff := cmp.Diff(want, strings.Join(got, "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParametersAtTheTopOfTheReport(t *testing.T) {
	in := testInput(t, nil)
	in.Report.Pages = []report.Page{{ID: 1, Elements: []report.Element{textElement("x")}}}
	in.Locale = text.LocaleFor("de-DE")
	in.Params = report.ObjectOf("year", int64(2027), "limit", int64(25000), "share", 12.5, "none", nil)
	in.Shown = []report.Parameter{{Name: "year", Label: "Year", Type: report.ParameterNumber}, {Name: "limit", Type: report.ParameterNumber}, {Name: "share", Type: report.ParameterNumber}, {Name: "none", Type: report.ParameterNumber}}
	doc, err := Compile(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	want := `<dl class="q-parameters"><div><dt>Year</dt><dd>2027</dd></div><div><dt>limit</dt><dd>25.000</dd></div><div><dt>share</dt><dd>12,5</dd></div></dl>`
	if !strings.Contains(string(doc.HTML), want) {
		t.Errorf("not found: %s", want)
	}
}

func TestGuidesOfTheDesignerAreNotPrinted(t *testing.T) {
	printed := func(d report.PageDesign) string {
		in := testInput(t, []report.Element{textElement("Hello")})
		in.Report.Pages[0].Design, in.Template.Layouts[0].Design = d, d
		doc, err := Compile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		return string(doc.HTML)
	}
	guides := report.PageDesign{Guides: []report.Guide{{Axis: "x", At: "40mm"}, {Axis: "y", At: "1in"}}}
	if diff := cmp.Diff(printed(report.PageDesign{}), printed(guides)); diff != "" {
		t.Error(diff)
	}
}
