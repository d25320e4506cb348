package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/render/office/docx/docxtest"
	"github.com/quire-reports/quire/render/office/pptx/pptxtest"
	"github.com/quire-reports/quire/render/office/xlsx/xlsxtest"
	"github.com/quire-reports/quire/report"
)

// extreme is a report that nobody prints every day, and what its files must have.
type extreme struct {
	definition string
	large      bool // takes minutes
	sections   int
	sheets     int
	slides     int
	charts     int    // in each of the files
	table      int    // columns of the widest table of the document of Word
	says       string // what each of the files says
	warns      map[string]string
}

// pagesOf are n pages of a definition, in which # is the number of the page.
func pagesOf(n int, page string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = strings.ReplaceAll(page, "#", fmt.Sprint(i+1))
	}
	return strings.Join(list, ",")
}

func extremes() map[string]extreme {
	const rows = `"dataSources":[{"name":"rows","type":"javascript","settings":{"function":"() => [...Array(%d).keys()].map(i => Object.fromEntries([...Array(%d).keys()].map(j => ['c' + j, (i + 1) * (j + 1)])))"}}]`
	chart := func(id int, props string) string {
		return fmt.Sprintf(`{"id":"c%d","type":"%s}}`, id, props)
	}
	return map[string]extreme{
		"nothing": {
			definition: `"pages":[]`, sections: 1, sheets: 1,
			warns: map[string]string{"docx": "the document of Word is empty", "xlsx": "the workbook is empty", "pptx": "the presentation is empty"},
		},
		"a page without a word": {definition: `"pages":[{"name":"Blank","elements":[]}]`, sections: 1, sheets: 1, slides: 1},
		"fifty columns": {
			definition: fmt.Sprintf(rows, 30, 50) + `,"pages":[{"name":"Wide","elements":[{"id":"t","type":"data-table","props":{"source":"$data.rows"}}]}]`,
			sections:   1, sheets: 1, slides: -1, table: 50, says: "1500",
			warns: map[string]string{"docx": "is wider than the page", "pptx": "is wider than the page"},
		},
		"Arabic": {
			definition: fmt.Sprintf(rows, 5, 3) + `,"title":"تقرير المبيعات","language":"ar","pages":[{"name":"المبيعات","elements":[
				{"type":"heading","props":{"title":"المبيعات حسب الشهر","level":"H1"}},{"type":"paragraph","props":{"text":"نمت المبيعات في كل المناطق."}},
				{"type":"data-table","props":{"source":"$data.rows"}},
				{"type":"generic-chart","props":{"source":"$data.rows","height":"120px","altText":"المبيعات","series":[{"chartType":"column","xField":"c0","yField":"c1"}]}}]}]`,
			sections: 1, sheets: 1, slides: 1, charts: 1, table: 3, says: "المبيعات حسب الشهر",
		},
		"charts alone": {
			definition: fmt.Sprintf(rows, 6, 3) + `,"pages":[{"name":"Charts","elements":[` + strings.Join([]string{
				chart(1, `generic-chart","props":{"source":"$data.rows","height":"120px","altText":"Columns","dataTable":true,"series":[{"chartType":"column","xField":"c0","yField":"c1"}]`),
				chart(2, `generic-chart","props":{"source":"$data.rows","height":"120px","altText":"Lines","series":[{"chartType":"line","xField":"c0","yField":"c1"},{"chartType":"line","xField":"c0","yField":"c2"}]`),
				chart(3, `pie-chart","props":{"source":"$data.rows","height":"120px","altText":"Slices","dataTable":true,"nameField":"c0","valueField":"c1"`),
				chart(4, `generic-chart","props":{"source":"$data.rows","height":"120px","altText":"Points","series":[{"chartType":"scatter","xField":"c1","yField":"c2"}]`),
			}, ",") + `]}]`,
			sections: 1, sheets: 1, slides: 1, charts: 4,
		},
		"two hundred sheets": {
			definition: fmt.Sprintf(rows, 2, 2) + `,"pages":[` + pagesOf(200, `{"id":#,"name":"Month #","elements":[{"type":"heading","props":{"title":"Month #","level":"H1"}},{"type":"data-table","props":{"source":"$data.rows"}}]}`) + `]`,
			large:      true, sections: 200, sheets: 201, slides: 200, table: 2, says: "Month 200",
		},
		"four hundred pages": {
			definition: fmt.Sprintf(rows, 15_000, 5) + `,"pages":[{"id":1,"name":"Contents","elements":[{"type":"toc"}]},{"id":2,"name":"Rows","elements":[{"type":"heading","props":{"title":"All rows","level":"H1"}},{"type":"data-table","props":{"source":"$data.rows"}},{"type":"heading","props":{"title":"The end","level":"H1"}}]}]`,
			large:      true, sections: 2, sheets: 1, slides: -400, table: 5, says: "75000",
			warns: map[string]string{"pptx": "is much taller than the page and was broken"},
		},
	}
}

// TestOfficeExtremes: reports that are empty, long, wide or written from right to left are files
// that validators, Apache POI and other readers accept, or warnings say what they lack.
func TestOfficeExtremes(t *testing.T) {
	ofDocuments(t)
	program, folder := validator(t), t.TempDir()
	exported := exporterThrough(t, unchanged)
	for name, test := range extremes() {
		if test.large && !*everyOffice {
			continue
		}
		t.Run(name, func(t *testing.T) {
			def, err := report.ParseReport([]byte(`{"version":1,"name":"Extreme",` + test.definition + `}`))
			if err != nil {
				t.Fatal(err)
			}
			ws := &report.Workspace{
				Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-GB"}, {Name: "العربية", Code: "ar", Culture: "ar-AE"}},
				Reports:   []report.NamedReport{{Code: "extreme", Report: *def}},
			}
			var files []string
			for _, format := range []string{"docx", "xlsx", "pptx"} {
				began := time.Now()
				content, warnings := exported(ws, "extreme", format)
				t.Logf("%s: %d kB in %.1f s, %d warnings", format, len(content)>>10, time.Since(began).Seconds(), len(warnings))
				if want := test.warns[format]; want != "" && !strings.Contains(allWarnings(warnings), want) || want == "" && len(warnings) > 0 {
					t.Errorf("%s: it warns of %q; want %q", format, allWarnings(warnings), want)
				}
				faults, text := looked(t, content, format)
				if len(faults) > 0 {
					t.Errorf("%s: %.1000q", format, faults)
				}
				if plain := strings.NewReplacer(",", "", " ", "", "\n", "").Replace; !strings.Contains(plain(text), plain(test.says)) {
					t.Errorf("%s does not say %q", format, test.says)
				}
				file := filepath.Join(folder, strings.ReplaceAll(name, " ", "-")+"."+format)
				if err := os.WriteFile(file, content, 0o600); err != nil {
					t.Fatal(err)
				}
				files = append(files, file)
			}
			validate(t, program, files)
			for _, verdict := range apachePOI(t, files) {
				if verdict.Error != "" || len(verdict.Wrong) > 0 {
					t.Errorf("Apache POI: %s: %s %.500q", filepath.Base(verdict.File), verdict.Error, verdict.Wrong)
				}
			}
			for i, found := range readOffice(t, files) {
				test.find(t, &found, i)
			}
		})
	}
}

// looked is what in a file is wrong that validators miss, and what it says.
func looked(t *testing.T, content []byte, format string) (faults []string, text string) {
	t.Helper()
	switch format {
	case "docx":
		f := docxtest.Open(t, content)
		return f.Faults(), f.Text()
	case "xlsx":
		b := xlsxtest.Open(t, content)
		return b.Faults(), b.String()
	}
	deck := pptxtest.Open(t, content)
	for _, slide := range deck.Slides {
		text += slide.Own + "\n"
	}
	return deck.Faults(), text
}

// find looks for what a file must have.
func (e *extreme) find(t *testing.T, found *officeFound, format int) {
	if len(found.Wrong) > 0 {
		t.Errorf("%s: %.500q", filepath.Base(found.File), found.Wrong)
	}
	charts := len(found.Charts)
	switch format {
	case 0:
		widest := 0
		for _, table := range found.Tables {
			if table.Style == tableStyle {
				widest = max(widest, table.Columns)
			}
		}
		if len(found.Sections) != e.sections || widest != e.table {
			t.Errorf("%d sections, a table of %d columns; want %d, %d", len(found.Sections), widest, e.sections, e.table)
		}
	case 1:
		for _, s := range found.Sheets {
			charts += len(s.Charts)
		}
		if len(found.Sheets) != e.sheets {
			t.Errorf("%d sheets; want %d", len(found.Sheets), e.sheets)
		}
	case 2:
		for _, s := range found.Slides {
			charts += len(s.Charts)
		}
		if n := len(found.Slides); n != e.slides && (e.slides >= 0 || n < -e.slides) {
			t.Errorf("%d slides; want %d (below zero: at least)", n, e.slides)
		}
	}
	if charts != e.charts {
		t.Errorf("%s: %d charts; want %d", filepath.Base(found.File), charts, e.charts)
	}
}
