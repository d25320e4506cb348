package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
)

// worked is what scripts/officeedits/edit.py tells of a file.
type worked struct {
	File string
	// Of a workbook:
	Tables                                     int
	Totals, Filtered, Unfiltered, SortedTotals map[string]float64
	Sorted, Pivot                              [][]any
	// Of a document, its contents:
	Contents, Updated, Entered []string
	Charts                     []struct{ Before, After [][]float64 }
}

// python is Debian's: LibreOffice's library is made for it.
const python = "/usr/bin/python3"

// edits has LibreOffice change files.
func (o *libreOffice) edits(files ...string) (list []worked) {
	o.t.Helper()
	programs := filepath.Dir(o.program)
	libraries := filepath.Join(programs, "..", "..", "python3", "dist-packages")
	if _, err := os.Stat(filepath.Join(libraries, "uno.py")); err != nil {
		judges.Missing(o.t, "needs LibreOffice's library for Python: scripts/setup.sh test fetches it")
	}
	if _, err := os.Stat(python); err != nil {
		judges.Missing(o.t, "needs Debian's Python: ", err)
	}
	pipe := "quire" + strconv.Itoa(os.Getpid())
	profile := url.URL{Scheme: "file", Path: o.profile}
	ctx, end := context.WithCancel(o.t.Context())
	var listening sync.WaitGroup
	defer listening.Wait()
	defer end()
	listening.Go(func() {
		for again := true; again; { // it begins anew when it has made its profile
			office := exec.CommandContext(ctx, o.program, "--headless", "-env:UserInstallation="+profile.String(), "--accept=pipe,name="+pipe+";urp")
			office.Env = o.env
			_ = office.Run() // it ends when its work is done
			again = ctx.Err() == nil && office.ProcessState != nil && office.ProcessState.ExitCode() == restarts
		}
	})
	cmd := exec.Command(python, append([]string{"../../scripts/officeedits/edit.py", pipe}, files...)...)
	cmd.Env = append(o.env, "PYTHONPATH="+libraries+":"+programs, "URE_MORE_TYPES=file://"+filepath.Join(programs, "types", "offapi.rdb"))
	out, err := cmd.Output()
	if err != nil {
		o.t.Fatal(withErrors(err))
	}
	for line := range bytes.Lines(out) {
		var w worked
		if err := json.Unmarshal(line, &w); err != nil {
			o.t.Fatalf("%v in %.300s", err, line)
		}
		list = append(list, w)
	}
	if len(list) != len(files) {
		o.t.Fatalf("LibreOffice worked on %d of %d files", len(list), len(files))
	}
	return list
}

// TestOfficeTextsAreThoseOfDocuments: what LibreOffice reads in the documents of Word and
// the presentations of reports is what their documents say, in order, and nothing else.
func TestOfficeTextsAreThoseOfDocuments(t *testing.T) {
	ofDocuments(t)
	office, exported, folder := openLibreOffice(t, false), exporter(t), t.TempDir()
	folders := []string{"../../assets/demo"}
	if *everyOffice {
		folders = append(folders, "../../examples/gallery")
	}
	var files []string
	documents := map[string][]byte{}
	for _, bundle := range folders {
		ws := bundleIn(t, bundle)
		for _, r := range ws.Reports {
			for _, format := range []string{"docx", "pptx"} {
				if name := filepath.Base(bundle) + "~" + r.Code + "." + format; slices.Contains(takeMinutes, name) {
					continue
				}
				file := filepath.Join(folder, filepath.Base(bundle)+"~"+r.Code+"."+format)
				if err := os.WriteFile(file, exported(ws, r.Code, format), 0o600); err != nil {
					t.Fatal(err)
				}
				files = append(files, file)
				documents[file] = exported(ws, r.Code, "html")
			}
		}
	}
	texts := office.texts(files...)
	count := 0
	for _, file := range files {
		name, said := filepath.Base(file), texts[file]
		count += len(words(said))
		if lacks := lacking(said, string(documents[file])); lacks != "" && !slices.Contains(otherOrder, name) {
			t.Errorf("%s lacks %s", name, lacks)
		}
		more := added(t, documents[file], said, filepath.Ext(name) == ".pptx")
		for _, sheet := range whatIsSaid(t, documents[file]).sheets { // slides without a heading have the names of their pages
			if filepath.Ext(name) == ".pptx" && len(sheet.headings) == 0 {
				more = slices.DeleteFunc(more, func(w string) bool { return slices.Contains(words(sheet.name), w) })
			}
		}
		if len(more) > 0 {
			t.Errorf("%s says more: %q", name, more)
		}
	}
	t.Logf("%d files, %d words", len(files), count)
}

// texts are what documents and presentations say, in order, as LibreOffice writes them in
// a format of its own.
func (o *libreOffice) texts(files ...string) map[string]string {
	o.t.Helper()
	folder, found := o.t.TempDir(), map[string]string{}
	for from, to := range map[string]string{".docx": "fodt", ".pptx": "fodp"} {
		var some []string
		for _, file := range files {
			if filepath.Ext(file) == from {
				some = append(some, file)
			}
		}
		o.convert(to, folder, some...)
		for _, file := range some {
			content, err := os.Open(filepath.Join(folder, strings.TrimSuffix(filepath.Base(file), from)+"."+to))
			if err != nil {
				o.t.Fatal(err)
			}
			if found[file], err = openDocumentText(content); err != nil {
				o.t.Fatalf("%s: %v", file, err)
			}
			_ = content.Close()
		}
	}
	return found
}

// openDocumentText is what the body of a flat OpenDocument file says, a paragraph a line.
func openDocumentText(r io.Reader) (string, error) {
	var b strings.Builder
	d := xml.NewDecoder(r)
	body, skipped, paragraph := 0, 0, 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch name := token.Name.Local; {
			case skipped > 0 || slices.Contains([]string{"object", "binary-data", "desc", "title", "notes", "sequence-decls", "tracked-changes"}, name):
				skipped++
			case name == "body":
				body++
			case name == "p" || name == "h":
				paragraph++
			case name == "tab" || name == "s" || name == "line-break":
				b.WriteByte(' ')
			}
		case xml.EndElement:
			switch name := token.Name.Local; {
			case skipped > 0:
				skipped--
			case name == "body":
				body--
			case name == "p" || name == "h":
				paragraph--
				b.WriteByte('\n')
			}
		case xml.CharData:
			if body > 0 && skipped == 0 && paragraph > 0 {
				b.Write(token)
			}
		}
	}
}

// takeMinutes are presentations with tables so long that LibreOffice lays them out for
// minutes; TestSlidesSayWhatPagesSay reads them, too.
var takeMinutes = []string{"gallery~bank-statement.pptx", "gallery~loan-schedule.pptx", "gallery~sales-report.pptx", "gallery~pick-list.pptx"}

// otherOrder are files in which LibreOffice does not read the words of their documents one
// after the other: columns of a table that continue stand on later slides, as does a page
// that its author leaves out (TestSlidesSayWhatPagesSay knows which words), footnotes stand
// behind all else, and it turns the frames of a letter's window around (TestWordFilesAreValid
// reads them in order).
var otherOrder = []string{"gallery~statistics-bulletin.pptx", "gallery~statistics-bulletin.docx", "gallery~annual-report.docx", "gallery~annual-report.pptx", "gallery~annual-sustainability.docx", "gallery~annual-sustainability.pptx", "gallery~catalogue.pptx", "gallery~discharge-letter.docx"}

// added are words that a text has and a document has not, or, where it may repeat them,
// not at all. Numbers of pages are left out.
func added(t *testing.T, document []byte, said string, repeats bool) (list []string) {
	there := map[string]int{}
	for _, w := range words(blockTexts(t, document)) {
		there[w]++
	}
	for _, w := range words(said) {
		if repeats && there[w] > 0 {
			continue
		}
		if there[w]--; there[w] < 0 {
			if _, err := strconv.Atoi(w); err != nil {
				list = append(list, w)
			}
		}
	}
	return list
}

// blockTexts is what the bodies of a document say, a block a line.
func blockTexts(t *testing.T, document []byte) string {
	root, err := html.Parse(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(n *html.Node, inside bool)
	walk = func(n *html.Node, inside bool) {
		switch n.Data {
		case "svg", "script", "style", "math", "template", "head":
			return
		case "a", "abbr", "b", "bdi", "cite", "code", "em", "i", "mark", "s", "small", "strong", "sub", "sup", "time", "u":
		case "span":
			if hasClass(n, "q-leader") || n.Parent != nil && hasClass(n.Parent, "q-comb") { // boxes of letters
				b.WriteByte('\n')
			}
		default:
			if n.Type == html.ElementNode {
				b.WriteByte('\n')
				defer b.WriteByte('\n')
			}
		}
		for _, class := range []string{"q-hidden", "q-chart-data", "q-page-number", "q-page-count", "q-page-of", "q-header", "q-first-header", "q-footer", "q-carry", "q-again", "q-page-sum"} {
			if hasClass(n, class) {
				return
			}
		}
		inside = inside || hasClass(n, "q-body")
		if n.Type == html.TextNode && inside {
			b.WriteString(n.Data)
		}
		for c := range n.ChildNodes() {
			walk(c, inside)
		}
	}
	walk(root, false)
	return b.String()
}

// editedReport is one whose files people work on.
const editedReport = `{"version":1,"name":"Edited","pages":[
	{"id":1,"name":"Contents","elements":[{"type":"toc","props":{}}]},
	{"id":2,"name":"Orders","elements":[{"type":"heading","props":{"title":"Orders","level":"H1"}},
		{"type":"data-table","props":{"source":"$data.orders","footer":{"enabled":true,"text":"All"},"columns":[{"field":"region","title":"Region"},{"field":"product","title":"Product"},{"field":"amount","title":"Amount","format":"n;2","footer":{"aggregate":"sum"}}]}},
		{"type":"generic-chart","props":{"source":"$data.orders","height":"160px","altText":"Amounts","series":[{"chartType":"column","xField":"product","yField":"amount"}]}}]}],
	"dataSources":[{"name":"orders","type":"json","settings":{"content":[
		{"region":"North","product":"Oak","amount":100.5},{"region":"South","product":"Ash","amount":250},{"region":"North","product":"Elm","amount":75.25},{"region":"East","product":"Fir","amount":12},{"region":"South","product":"Yew","amount":33}]}}]}`

// TestOfficeFilesAreWorkedOn does in LibreOffice what people do with their files: it
// filters, sorts and sums up a table, changes the values of charts, and writes a heading.
func TestOfficeFilesAreWorkedOn(t *testing.T) {
	ofDocuments(t)
	office, exported, folder := openLibreOffice(t, false), exporter(t), t.TempDir()
	ws := &report.Workspace{Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-GB"}}}
	var r report.Report
	if err := json.Unmarshal([]byte(editedReport), &r); err != nil {
		t.Fatal(err)
	}
	ws.Reports = []report.NamedReport{{Code: "edited", Report: r}}
	var files []string
	for _, format := range []string{"xlsx", "docx", "pptx"} {
		file := filepath.Join(folder, "edited."+format)
		if err := os.WriteFile(file, exported(ws, "edited", format), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	found := office.edits(files...)
	book, document, deck := found[0], found[1], found[2]
	only := func(totals map[string]float64) float64 {
		values := slices.Collect(maps.Values(totals))
		if len(values) != 1 {
			t.Fatalf("totals %v", totals)
		}
		return values[0]
	}
	for what, c := range map[string]struct{ got, want float64 }{
		"the total":                         {only(book.Totals), 470.75},
		"that of the rows of North":         {only(book.Filtered), 175.75},
		"that of all rows once more":        {only(book.Unfiltered), 470.75},
		"that of the rows in another order": {only(book.SortedTotals), 470.75},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s is %v; want %v", what, c.got, c.want)
		}
	}
	if got := fmt.Sprint(book.Sorted); got != "[[South Ash 250] [North Oak 100.5] [North Elm 75.25] [South Yew 33] [East Fir 12]]" {
		t.Errorf("by falling amounts: %v", got)
	}
	for _, want := range []string{"East 12]", "North 175.75]", "South 283]", "470.75]"} {
		if got := fmt.Sprint(book.Pivot); !strings.Contains(got, want) {
			t.Errorf("the pivot table has no %q: %s", want, got)
		}
	}
	for _, w := range found {
		if len(w.Charts) != 1 || len(w.Charts[0].Before) != 1 || w.Charts[0].Before[0][0] != 100.5 && w.Charts[0].Before[0][0] != 250 || w.Charts[0].After[0][0] != 4321 || w.Charts[0].After[0][1] != w.Charts[0].Before[0][1] {
			t.Errorf("%s: the chart shows %+v", filepath.Base(w.File), w.Charts)
		}
	}
	if len(document.Contents) != 1 || document.Contents[0] != "Orders\t2" || document.Updated[0] != document.Contents[0] || document.Entered[0] != "Orders\t2\nWritten later\t2" {
		t.Errorf("the contents are %q, updated %q, with a heading more %q", document.Contents, document.Updated, document.Entered)
	}
	t.Logf("totals %v, of North %v; pivot %v; charts %v %v %v; contents %q", book.Totals, book.Filtered, book.Pivot, book.Charts, document.Charts, deck.Charts, document.Entered)
}
