package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/report"
)

// officeFound is what a reader that nobody of Quire wrote finds in an Office file;
// scripts/officereaders/read.py writes it.
type officeFound struct {
	File      string
	Wrong     []string
	Core      struct{ Title, Author, Language, Created string }
	Languages []string
	Charts    []chartFound
	Pictures  []pictureFound
	// Of documents:
	Paragraphs []struct{ Style, Text string }
	Tables     []tableFound
	Sections   []sectionFound
	Fields     []string
	// Of workbooks:
	Sheets []sheetFound
	// Of presentations:
	Width, Height float64
	Slides        []slideFound
}

type sectionFound struct {
	Width, Height         float64
	Margin                []float64
	Landscape, Continuous bool
	FirstHeader           *string
	Header, Footer        string
	Fields                []string
}

type sheetFound struct {
	Name                                string
	Rows                                [][]string
	Freeze, Filter, PrintTitles, Footer string
	Tables                              []string
	Landscape                           bool
	Paper, Merged, Numbers, Formulas    int
	Pictures                            int
	Charts                              []chartFound
}

type slideFound struct {
	Title, Layout                string
	Placeholders                 []string
	LayoutTitle, Numbered, Notes bool
	Tables                       []tableFound
	Charts                       []chartFound
	Pictures                     []pictureFound
}

type pictureFound struct {
	Alt        string
	Decorative bool
}

type chartFound struct {
	pictureFound
	Series []seriesFound
}

type seriesFound struct {
	Kind, Name string
	Values     []*float64
	Categories []string
	Places     []*float64
}

type tableFound struct {
	Style, Caption string
	Columns, Rows  int
	Head           json.RawMessage // rows of a document's; whether there is one of a slide's
	RightToLeft    bool
	Cells          [][]string
}

// readOffice has the readers of Office files read some.
func readOffice(t testing.TB, files []string) (list []officeFound) {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		judges.Missing(t, "no folder for the readers of Office files: ", err)
	}
	folder := filepath.Join(cache, "quire", "officereaders")
	if _, err := os.Stat(filepath.Join(folder, "sum")); err != nil {
		judges.Missing(t, "needs python-docx, openpyxl and python-pptx: scripts/setup.sh test installs them")
	}
	cmd := exec.Command(filepath.Join(folder, "bin", "python"), append([]string{"../../scripts/officereaders/read.py"}, files...)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(withErrors(err))
	}
	for line := range bytes.Lines(out) {
		var found officeFound
		if err := json.Unmarshal(line, &found); err != nil {
			t.Fatalf("%v in %.300s", err, line)
		}
		list = append(list, found)
	}
	return list
}

// overhearing is a printer that keeps the document that it was given last.
type overhearing struct {
	export.Printer
	document []byte
}

func (o *overhearing) Read(ctx context.Context, job render.Job, reading render.Reading) (*render.Read, error) {
	o.document = job.HTML
	return o.Printer.Read(ctx, job, reading)
}

// TestReadersFindWhatReportsSay has python-docx, openpyxl and python-pptx read the Office
// files of reports, and compares what they find with what the reports say.
func TestReadersFindWhatReportsSay(t *testing.T) {
	ofDocuments(t)
	folder := t.TempDir()
	made := officeMaker(t)
	var files []string
	truths, warned := map[string]*said{}, map[string]string{}
	folders := []string{"../../assets/demo"}
	if *everyOffice {
		folders = append(folders, "../../examples/gallery")
	}
	for _, bundle := range folders {
		ws := bundleIn(t, bundle)
		for _, r := range ws.Reports {
			for _, format := range []string{"docx", "xlsx", "pptx"} {
				content, document, warnings := made(ws, r.Code, format)
				name := filepath.Base(bundle) + "~" + r.Code + "." + format
				if format != "xlsx" {
					truths[name] = whatIsSaid(t, document)
				} else {
					truths[name] = truths[strings.TrimSuffix(name, "xlsx")+"docx"]
				}
				warned[name] = warnings
				file := filepath.Join(folder, name)
				if err := os.WriteFile(file, content, 0o600); err != nil {
					t.Fatal(err)
				}
				files = append(files, file)
			}
		}
	}
	var counted tallyOfReaders
	poi := apachePOI(t, files)
	for i, found := range readOffice(t, files) {
		name := filepath.Base(found.File)
		t.Run(name, func(t *testing.T) {
			c := comparison{t: t, said: truths[name], found: &found, warned: warned[name], tally: &counted}
			c.about()
			c.again(&poi[i])
			switch filepath.Ext(name) {
			case ".docx":
				c.word()
			case ".xlsx":
				c.workbook()
			case ".pptx":
				c.presentation()
			}
		})
	}
	t.Logf("%d files: %+v", len(files), counted)
	if counted.Tables == 0 || counted.Headings == 0 || *everyOffice && (counted.Charts == 0 || counted.Fields == 0) {
		t.Error("nothing was there to compare")
	}
}

// officeMaker makes Office files of reports, and gives besides what was in them before they
// were files: the document with its charts, and warnings.
func officeMaker(t *testing.T) func(ws *report.Workspace, code, format string) (content, document []byte, warnings string) {
	heard := &overhearing{}
	exported := exporterThrough(t, func(p export.Printer) export.Printer {
		heard.Printer = p
		return heard
	})
	return func(ws *report.Workspace, code, format string) ([]byte, []byte, string) {
		content, warnings := exported(ws, code, format)
		return content, heard.document, allWarnings(warnings)
	}
}

// allWarnings are warnings, a line each.
func allWarnings(warnings report.Problems) string {
	var b strings.Builder
	for _, w := range warnings {
		b.WriteString(w.Error() + "\n")
	}
	return b.String()
}

// tallyOfReaders is how much was compared.
type tallyOfReaders struct{ Charts, Points, PointsOfPOI, Tables, Rows, Headings, Fields, Pictures, Sections, Slides int }

// comparison is of what a report says with what a reader found.
type comparison struct {
	t      *testing.T
	said   *said
	found  *officeFound
	warned string
	tally  *tallyOfReaders
}

func (c *comparison) fault(format string, args ...any) {
	c.t.Helper()
	c.t.Errorf(format, args...)
}

// about compares what the files say of themselves.
func (c *comparison) about() {
	if len(c.found.Wrong) > 0 {
		c.fault("%q", c.found.Wrong)
	}
	if core := c.found.Core; core.Title != c.said.title || core.Language != c.said.language || core.Author == "" || core.Created == "" {
		c.fault("it says of itself %+v; the report is %q in %q", core, c.said.title, c.said.language)
	}
}

// again compares with what Apache POI finds.
func (c *comparison) again(poi *poiVerdict) {
	if poi.Error != "" || len(poi.Wrong) > 0 {
		c.fault("Apache POI: %s %q", poi.Error, poi.Wrong)
	}
	var titles []string
	var heads []int
	for _, p := range c.found.Paragraphs {
		if strings.HasPrefix(p.Style, "Heading ") {
			titles = append(titles, squeeze(p.Text))
		}
	}
	for _, t := range c.found.Tables {
		var head int
		if t.Style == tableStyle && json.Unmarshal(t.Head, &head) == nil {
			heads = append(heads, head)
		}
	}
	for _, s := range c.found.Slides {
		titles = append(titles, s.Title)
	}
	for i := range poi.Titles {
		poi.Titles[i] = squeeze(poi.Titles[i])
	}
	c.tally.PointsOfPOI += poi.Points
	if !slices.Equal(poi.Titles, titles) || !slices.Equal(poi.Heads, heads) {
		c.fault("Apache POI finds the titles %q and the header rows %v; the others %q and %v", poi.Titles, poi.Heads, titles, heads)
	}
}

// tableStyle is that of tables of data in documents; others put things side by side.
const tableStyle = "Quire Table"

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// charts compares those that were found, in their order. Others are pictures, and warned of.
func (c *comparison) charts(found []chartFound, alts bool) {
	var left []saidChart
	for _, chart := range c.said.charts {
		at := slices.IndexFunc(found, func(f chartFound) bool { return sameChart(&chart, &f, alts) })
		if at < 0 {
			left = append(left, chart)
			continue
		}
		found = slices.Delete(found, at, at+1)
		c.tally.Charts++
		for _, values := range chart.series() {
			c.tally.Points += len(values)
		}
	}
	if len(found) > 0 {
		doc, _ := json.Marshal(found)
		c.fault("charts that the report does not have: %.1000s", doc)
	}
	for _, chart := range left { // nothing of Office draws them; see package plots
		if excused := " picture"; len(chart.Series) > 0 && !strings.Contains(c.warned, excused) && !strings.Contains(c.warned, "its values alone") {
			c.fault("the chart %q is not there, and nobody is told", chart.Alt)
		}
		if alts {
			c.said.pictures = append(c.said.pictures, saidPicture{alt: chart.Alt, decorative: chart.Alt == ""})
		}
	}
}

func sameChart(chart *saidChart, found *chartFound, alts bool) bool {
	if alts && squeeze(chart.Alt) != found.Alt {
		return false
	}
	want := chart.series()
	for _, s := range chart.Series {
		if s.Kind == "marker" && !slices.ContainsFunc(found.Series, func(f seriesFound) bool { return f.Name == s.Name }) {
			delete(want, s.Name) // a line across the chart that Office does not draw
		}
	}
	names := map[string]bool{}
	for _, s := range found.Series {
		names[s.Name] = true
		line := slices.ContainsFunc(chart.Series, func(w seriesSaid) bool { return w.Kind == "marker" && w.Name == s.Name })
		var values [][2]float64
		for i, v := range s.Values {
			if v == nil {
				continue
			}
			place := float64(i)
			if i < len(s.Places) && s.Places[i] != nil {
				place = *s.Places[i]
			}
			values = append(values, [2]float64{place, *v})
		}
		slices.SortStableFunc(values, byPlace)
		if line {
			values = values[:min(len(values), 1)] // as long as the chart is wide
		}
		if !slices.EqualFunc(want[s.Name], values, func(a, b [2]float64) bool { return near(a[1], b[1]) }) {
			return false
		}
		if chart.Base.Kind == "category" && len(s.Categories) > 0 && !slices.EqualFunc(chart.Categories, s.Categories, func(a, b string) bool { return squeeze(a) == b }) {
			return false
		}
	}
	return len(names) == len(want)
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// pictures compares what describes them.
func (c *comparison) pictures(found []pictureFound) {
	c.tally.Pictures += len(found)
	left := slices.Clone(found)
	for _, p := range c.said.pictures {
		alt := squeeze(p.alt)
		at := slices.IndexFunc(left, func(f pictureFound) bool { return f.Alt == alt && (f.Decorative || !p.decorative) })
		if at < 0 {
			c.fault("the picture %q (decorative: %t) is not there; there are %+v", alt, p.decorative, left)
			continue
		}
		left = slices.Delete(left, at, at+1)
	}
	for _, f := range left {
		if f.Alt == "" && !f.Decorative && !strings.Contains(c.warned, "is a picture") {
			c.fault("a picture has no description: %+v", f)
		}
	}
}

// word compares a document of Word.
func (c *comparison) word() {
	f := c.found
	if !slices.Contains(f.Languages, c.said.language) {
		c.fault("the language is %v", f.Languages)
	}
	c.headings()
	c.tablesOfWord()
	c.sections()
	c.fields()
	c.charts(f.Charts, true)
	c.pictures(f.Pictures)
}

func (c *comparison) styled(style string) (texts []string) {
	for _, p := range c.found.Paragraphs {
		if strings.EqualFold(p.Style, style) {
			texts = append(texts, p.Text)
		}
	}
	return texts
}

func (c *comparison) headings() {
	var found []saidHeading
	for _, p := range c.found.Paragraphs {
		var level int
		if _, err := fmt.Sscanf(p.Style, "Heading %d", &level); err == nil {
			text := p.Text
			if c.said.contents == 0 { // nothing is lost where other text stands in the line of a heading
				text, _, _ = strings.Cut(text, "\t")
			}
			found = append(found, saidHeading{level, text, !strings.HasSuffix(p.Style, "unlisted")})
		}
		if strings.HasPrefix(p.Style, "?") {
			c.fault("%q has a style that is not there: %s", p.Text, p.Style)
		}
	}
	c.tally.Headings += len(found)
	if !slices.Equal(found, c.said.headings) {
		c.fault("the headings are %+v; want %+v", found, c.said.headings)
	}
	if got := c.styled("Caption"); !slices.Equal(got, c.said.captions) {
		c.fault("the captions are %q; want %q", got, c.said.captions)
	}
}

func (c *comparison) tablesOfWord() {
	var found []tableFound
	for _, t := range c.found.Tables {
		if t.Style == tableStyle {
			found = append(found, t)
		}
	}
	if len(found) != len(c.said.tables) {
		c.fault("%d tables; want %d", len(found), len(c.said.tables))
		return
	}
	for i, want := range c.said.tables {
		got := found[i]
		head := 0
		if want.repeated {
			head = want.head
		}
		c.tally.Tables++
		c.tally.Rows += got.Rows
		if got.Columns != want.columns || got.Rows != len(want.rows) || string(got.Head) != fmt.Sprint(head) || got.Caption != squeeze(want.caption) {
			c.fault("the table %d has %d columns and %d rows, %s of them repeated, and is called %q; want %d, %d, %d, %q", i+1, got.Columns, got.Rows, got.Head, got.Caption, want.columns, len(want.rows), head, want.caption)
		}
	}
}

func (c *comparison) sections() {
	at := 0
	for i, s := range c.found.Sections {
		if s.Continuous {
			continue
		}
		if at >= len(c.said.sheets) {
			c.fault("there are %d sections and more; want %d", at+1, len(c.said.sheets))
			return
		}
		want := c.said.sheets[at]
		at++
		c.tally.Sections++
		if math.Abs(s.Width-want.width) > 0.05 || math.Abs(s.Height-want.height) > 0.05 || s.Landscape != (want.width > want.height) {
			c.fault("the section %d is %g × %g mm (landscape: %t); want %g × %g", i+1, s.Width, s.Height, s.Landscape, want.width, want.height)
		}
		for _, side := range []int{1, 3} { // above and below are headers and footers
			if !want.attached && math.Abs(s.Margin[side]-want.margin[side%len(want.margin)]) > 0.05 {
				c.fault("the section %d has the margins %v; want %v", i+1, s.Margin, want.margin)
			}
		}
		fields := strings.Join(s.Fields, " ")
		if want.uncounted { // its pages have no numbers
			want.number, want.count = false, false
		}
		if want.number != strings.Contains(fields, "PAGE") || want.count && !strings.Contains(fields, "NUMPAGES") && !strings.Contains(fields, "PAGEREF") {
			c.fault("the header and footer of section %d have the fields %q; want a number: %t, a count: %t", i+1, fields, want.number, want.count)
		}
	}
	if at != len(c.said.sheets) {
		c.fault("there are %d sections; want %d", at, len(c.said.sheets))
	}
}

func (c *comparison) fields() {
	got := map[string]int{}
	for _, code := range c.found.Fields {
		kind := strings.Fields(code)[0]
		if kind == "TOC" && strings.Contains(code, `\c`) {
			kind = "TOC of figures"
		}
		got[kind]++
		c.tally.Fields++
	}
	for kind, want := range map[string]int{"TOC": c.said.contents, "TOC of figures": c.said.figures, "SEQ": c.said.numbered, "PAGEREF": c.said.entries} {
		if got[kind] != want {
			c.fault("%d fields %s; want %d", got[kind], kind, want)
		}
	}
}

// workbook compares a workbook.
func (c *comparison) workbook() {
	var charts []chartFound
	for _, s := range c.found.Sheets {
		charts = append(charts, s.Charts...)
	}
	c.charts(charts, false)
	for _, want := range c.said.tables {
		c.tally.Tables++
		if want.head == 0 {
			continue
		}
		heads := filled(want.rows[want.head-1])
		if len(heads) == 0 {
			continue
		}
		at := slices.IndexFunc(c.found.Sheets, func(s sheetFound) bool {
			return slices.ContainsFunc(s.Rows, func(row []string) bool { return containsInOrder(filled(row), heads) })
		})
		if at < 0 {
			c.fault("no sheet has the header %q", heads)
		}
	}
}

// filled are the texts that say something.
func filled(row []string) (texts []string) {
	for _, text := range row {
		if text = squeeze(text); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// containsInOrder compares texts without blanks: lines that a page breaks have some.
func containsInOrder(list, want []string) bool {
	at := 0
	for _, text := range list {
		if at < len(want) && strings.ReplaceAll(text, " ", "") == strings.ReplaceAll(want[at], " ", "") {
			at++
		}
	}
	return at == len(want)
}

// presentation compares a presentation.
func (c *comparison) presentation() {
	f := c.found
	c.tally.Slides += len(f.Slides)
	if len(f.Languages) > 1 || len(f.Languages) == 1 && f.Languages[0] != c.said.language {
		c.fault("the languages are %v", f.Languages)
	}
	var charts []chartFound
	var pictures []pictureFound
	var rows [][]string
	titles := map[string]bool{}
	for i, s := range f.Slides {
		if strings.Join(s.Placeholders, " ") != "TITLE" || s.Title == "" || titles[s.Title] || !s.LayoutTitle || s.Notes {
			c.fault("slide %d has the title %q (there before: %t), the placeholders %v; its layout has a title: %t; notes: %t", i+1, s.Title, titles[s.Title], s.Placeholders, s.LayoutTitle, s.Notes)
		}
		titles[s.Title] = true
		charts, pictures = append(charts, s.Charts...), append(pictures, s.Pictures...)
		for _, table := range s.Tables {
			c.tally.Tables++
			for _, row := range table.Cells {
				rows = append(rows, filled(row))
			}
		}
	}
	for _, sheet := range c.said.sheets {
		if len(sheet.headings) > 0 && !titles[sheet.headings[0]] {
			c.fault("no slide has the title %q; there are %v", sheet.headings[0], slices.Sorted(maps.Keys(titles)))
		}
	}
	for _, table := range c.said.tables {
		if table.continued { // parts of its rows stand on several slides
			continue
		}
		for _, row := range table.rows {
			c.tally.Rows++
			if want := filled(row); len(want) > 0 && !slices.ContainsFunc(rows, func(r []string) bool { return containsInOrder(r, want) }) {
				c.fault("no table of the slides has the row %q", want)
			}
		}
	}
	c.charts(charts, true)
	c.pictures(pictures)
}
