package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"golang.org/x/net/html"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/render/office/docx/docxtest"
	"github.com/quire-reports/quire/render/office/pptx/pptxtest"
	"github.com/quire-reports/quire/render/office/xlsx/xlsxtest"
	"github.com/quire-reports/quire/render/pdfium"
	"github.com/quire-reports/quire/report"
)

var (
	officeReports = flag.Int("office-reports", 6, "how many generated reports are made into Office files that are validated")
	everyOffice   = flag.Bool("every-office-report", false, "validate the Office files of all reports of the gallery and the demo, not only of the demo")
)

// validator finds the Open XML SDK's validator.
func validator(t testing.TB) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		judges.Missing(t, "no folder for the Open XML validator: ", err)
	}
	found, _ := filepath.Glob(filepath.Join(cache, "quire", "ooxml", "node_modules", "@xarsh", "ooxml-validator-*", "ooxml-validator*"))
	if len(found) == 0 {
		judges.Missing(t, "needs the Open XML validator: scripts/setup.sh test fetches it")
	}
	return found[0]
}

// faultsOf is what the validator finds wrong with a file.
func faultsOf(program, file string) ([]string, error) {
	out, err := exec.Command(program, file).Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	var verdict struct {
		OK     bool
		Errors []struct{ Description, Path, Part string }
	}
	if err := json.Unmarshal(out, &verdict); err != nil {
		return nil, fmt.Errorf("%w: %.300s", err, out)
	}
	var faults []string
	for _, e := range verdict.Errors {
		faults = append(faults, fmt.Sprintf("%s (%s %s)", e.Description, e.Part, e.Path))
	}
	if verdict.OK != (len(faults) == 0) {
		return nil, fmt.Errorf("the validator says %.300s", out)
	}
	return faults, nil
}

// TestTheValidatorFindsFaults: the judges would tell.
func TestTheValidatorFindsFaults(t *testing.T) {
	program, exported := validator(t), exporter(t)
	file := filepath.Join(t.TempDir(), "broken.xlsx")
	content := exported(bundleIn(t, "../../assets/demo"), "price-list", "xlsx")
	broken := xlsxtest.Replaced(t, content, "xl/workbook.xml", `<sheets>`, `<sheets><nonsense/>`)
	if err := os.WriteFile(file, broken, 0o600); err != nil {
		t.Fatal(err)
	}
	if faults, err := faultsOf(program, file); err != nil || len(faults) == 0 {
		t.Errorf("a broken workbook has no faults: %v", err)
	}
	wrong := xlsxtest.Replaced(t, exported(bundleIn(t, "../../assets/demo"), "sales-report", "xlsx"), "xl/worksheets/sheet1.xml", `</f><v>`, `</f><v>1`)
	if err := os.WriteFile(file, wrong, 0o600); err != nil {
		t.Fatal(err)
	}
	if found := apachePOI(t, []string{file}); len(found) != 1 || len(found[0].Wrong) == 0 {
		t.Errorf("a formula with another value is not found: %+v", found)
	}
}

// TestWordFilesAreValid: documents of Word keep to the standard and to what it does not
// say, and hold all words of the report in their order.
func TestWordFilesAreValid(t *testing.T) {
	ofDocuments(t)
	program, folder, exported := validator(t), t.TempDir(), exporter(t)
	var files []string
	add := func(ws *report.Workspace, name, code string) {
		content := exported(ws, code, "docx")
		f := docxtest.Open(t, content)
		if faults := f.Faults(); len(faults) > 0 {
			t.Errorf("%s: %q", name, faults)
		}
		lacks := lacking(f.Text(), string(exported(ws, code, "html")))
		if lacks != "" { // a minute may have ended between the two
			lacks = lacking(docxtest.Open(t, exported(ws, code, "docx")).Text(), string(exported(ws, code, "html")))
		}
		if lacks != "" {
			t.Errorf("%s lacks %s", name, lacks)
		}
		file := filepath.Join(folder, name+".docx")
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	folders := []string{"../../assets/demo"}
	if *everyOffice {
		folders = append(folders, "../../examples/gallery")
	}
	for _, bundle := range folders {
		ws := bundleIn(t, bundle)
		for _, r := range ws.Reports {
			add(ws, filepath.Base(bundle)+"-"+r.Code, r.Code)
		}
	}
	ws := &report.Workspace{Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-GB"}, {Name: "العربية", Code: "ar", Culture: "ar-AE"}}}
	for seed := range uint64(*officeReports) {
		ws.Reports = []report.NamedReport{{Code: "random", Report: *randomReport(uint64(*firstSeed) + seed)}}
		add(ws, fmt.Sprintf("random-%d", uint64(*firstSeed)+seed), "random")
	}
	validate(t, program, files)
	t.Logf("%d documents of Word", len(files))
}

// lacking is the first word of the bodies of a document that another text does not have
// at its place.
func lacking(text, document string) string {
	root, err := html.Parse(strings.NewReader(document))
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	var walk func(n *html.Node, inside bool)
	walk = func(n *html.Node, inside bool) {
		class := ""
		for _, a := range n.Attr {
			if a.Key == "class" {
				class = " " + a.Val + " "
			}
		}
		for _, unseen := range []string{" q-hidden ", " q-chart-data ", " q-page-number ", " q-page-count ", " q-page-of ", " q-header ", " q-first-header ", " q-footer ", " q-attached-note ", " q-carry ", " q-again ", " q-page-sum "} {
			if strings.Contains(class, unseen) {
				return
			}
		}
		switch n.Data {
		case "svg", "script", "style", "math", "template", "head":
			return
		}
		inside = inside || strings.Contains(class, " q-body ")
		if n.Type == html.TextNode && inside {
			b.WriteString(n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, inside)
		}
	}
	walk(root, false)
	letters := func(s string) []rune {
		return []rune(strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) || r == '\u00AD' {
				return -1
			}
			return r
		}, s))
	}
	have, at := letters(text), 0
	want := letters(b.String())
	for i, r := range want {
		from := at
		for at < len(have) && have[at] != r {
			at++
		}
		if at == len(have) {
			return fmt.Sprintf("%q, after %q", string(want[i:min(i+30, len(want))]), string(have[max(from-30, 0):from]))
		}
		at++
	}
	return ""
}

// TestOfficeFilesAreValid: the workbooks and presentations of reports keep to the
// standard, the formulas of workbooks find what they show, and presentations have nothing
// that the validator does not see.
func TestOfficeFilesAreValid(t *testing.T) {
	ofDocuments(t)
	program, folder, exported := validator(t), t.TempDir(), exporter(t)
	var files, books []string
	slides := 0
	add := func(name string, ws *report.Workspace, code string) {
		for _, format := range []string{"xlsx", "pptx"} {
			content := exported(ws, code, format)
			file := filepath.Join(folder, name+"."+format)
			if err := os.WriteFile(file, content, 0o600); err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
			var faults []string
			if format == "xlsx" {
				faults, books = xlsxtest.Open(t, content).Faults(), append(books, file)
			} else {
				deck := pptxtest.Open(t, content)
				faults, slides = deck.Faults(), slides+len(deck.Slides)
			}
			if len(faults) > 0 {
				t.Errorf("%s: %q", filepath.Base(file), faults)
			}
		}
	}
	folders := []string{"../../assets/demo"}
	if *everyOffice {
		folders = append(folders, "../../examples/gallery")
	}
	for _, bundle := range folders {
		ws := bundleIn(t, bundle)
		for _, r := range ws.Reports {
			add(filepath.Base(bundle)+"-"+r.Code, ws, r.Code)
		}
	}
	ws := &report.Workspace{Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-GB"}, {Name: "العربية", Code: "ar", Culture: "ar-AE"}}}
	for seed := range uint64(*officeReports) {
		ws.Reports = []report.NamedReport{{Code: "random", Report: *randomReport(uint64(*firstSeed) + seed)}}
		add(fmt.Sprintf("random-%d", uint64(*firstSeed)+seed), ws, "random")
	}
	validate(t, program, files)
	t.Logf("%d workbooks, as many presentations with %d slides", len(books), slides)
	reread(t, books)
}

// reread has Apache POI read workbooks, compute their formulas and compare the values
// that charts keep with those of their cells.
func reread(t *testing.T, files []string) {
	var sum poiVerdict
	for _, found := range apachePOI(t, files) {
		if found.Sheets == 0 || len(found.Wrong) > 0 || found.Error != "" {
			t.Errorf("%s: %d sheets, %q %s", filepath.Base(found.File), found.Sheets, found.Wrong, found.Error)
		}
		sum.Tables += found.Tables
		sum.Formulas += found.Formulas
		sum.Points += found.Points
	}
	t.Logf("read by Apache POI: %d tables, %d formulas, %d points of charts", sum.Tables, sum.Formulas, sum.Points)
	if sum.Tables == 0 || sum.Formulas == 0 || *everyOffice && sum.Points == 0 {
		t.Error("nothing was there to compute")
	}
}

// poiVerdict is what Apache POI finds in an Office file.
type poiVerdict struct {
	File                             string
	Sheets, Tables, Formulas, Points int
	Titles                           []string // headings of a document, titles of slides
	Heads                            []int    // rows of the tables of a document that pages repeat
	Wrong                            []string // formulas and charts that say something else
	Error                            string
}

func apachePOI(t *testing.T, files []string) (list []poiVerdict) {
	t.Helper()
	for line := range bytes.Lines(javaJudge(t, "poi", "Read.java", files)) {
		var found poiVerdict
		if err := json.Unmarshal(line, &found); err != nil {
			t.Fatalf("Apache POI wrote %q: %v", line, err)
		}
		list = append(list, found)
	}
	return list
}

// validate validates files, as many at a time as there are processors.
func validate(t *testing.T, program string, files []string) {
	var all sync.WaitGroup
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, file := range files {
		all.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			faults, err := faultsOf(program, file)
			if err != nil || len(faults) > 0 {
				t.Errorf("%s: %v\n%s", filepath.Base(file), err, strings.Join(faults[:min(len(faults), 5)], "\n"))
			}
		})
	}
	all.Wait()
}

// exporter makes reports of workspaces, in a format, with one engine.
func exporter(t testing.TB) func(ws *report.Workspace, code, format string) []byte {
	t.Helper()
	exported := exporterThrough(t, unchanged)
	return func(ws *report.Workspace, code, format string) []byte {
		t.Helper()
		content, _ := exported(ws, code, format)
		return content
	}
}

// drawer is one for all tests: it keeps what it drew.
var drawer = pdfium.NewDrawer("")

func unchanged(p export.Printer) export.Printer { return p }

// exporterThrough is exporter with a printer around that of the engine, and gives the
// warnings, too.
func exporterThrough(t testing.TB, around func(export.Printer) export.Printer) func(ws *report.Workspace, code, format string) ([]byte, report.Problems) {
	t.Helper()
	s, err := loadSettings("", nil, map[string]string{"Log.Level": "error", "Scripts.TimeoutSeconds": "60"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := newEngine(t.Context(), s, slog.New(slog.DiscardHandler), data.Config{Inline: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.stop)
	return func(ws *report.Workspace, code, format string) ([]byte, report.Problems) {
		t.Helper()
		config := e.config
		config.Definitions, config.Zone, config.Printer, config.Pages = export.Bundle{Workspace: ws}, time.UTC, around(config.Printer), drawer
		f, err := export.New(config).Export(t.Context(), export.Request{Workspace: 1, Report: code, ExportOptions: report.ExportOptions{Format: format}})
		if err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		defer func() { _ = f.Close() }()
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var content bytes.Buffer
		if _, err := content.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		return content.Bytes(), f.Warnings
	}
}
