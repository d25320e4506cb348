package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/net/html"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/render/office/xlsx"
	"github.com/quire-reports/quire/render/office/xlsx/xlsxtest"
	"github.com/quire-reports/quire/report/text"
)

// libreOffice is a LibreOffice that works in a folder of a test.
type libreOffice struct {
	t       testing.TB
	program string
	env     []string
	profile string
}

// recalculate says whether LibreOffice computes the formulas of a workbook that it
// opens, or believes the values beside them.
const recalculate = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>%d</value></prop></item>
</oor:items>`

func openLibreOffice(t testing.TB, computes bool) *libreOffice {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		judges.Missing(t, "no folder for LibreOffice: ", err)
	}
	folder := filepath.Join(cache, "quire", "libreoffice")
	if _, err := os.Stat(filepath.Join(folder, "sum")); err != nil {
		judges.Missing(t, "needs LibreOffice: scripts/setup.sh test fetches it")
	}
	programs := filepath.Join(folder, "root", "usr", "lib", "libreoffice", "program")
	libraries, _ := filepath.Glob(filepath.Join(folder, "root", "usr", "lib", "*-linux-gnu"))
	o := &libreOffice{t: t, program: filepath.Join(programs, "soffice.bin"), profile: t.TempDir()}
	o.env = append(os.Environ(), "LD_LIBRARY_PATH="+strings.Join(append([]string{programs}, libraries...), ":"), "HOME="+o.profile)
	mode := 1 // never
	if computes {
		mode = 0 // always
	}
	user := filepath.Join(o.profile, "user")
	if err := os.MkdirAll(user, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(user, "registrymodifications.xcu"), fmt.Appendf(nil, recalculate, mode), 0o600); err != nil {
		t.Fatal(err)
	}
	return o
}

// restarts is how LibreOffice ends that has made its profile and wants to begin anew.
const restarts = 81

// convert makes files of another format into a folder.
func (o *libreOffice) convert(format, folder string, files ...string) {
	o.t.Helper()
	profile := url.URL{Scheme: "file", Path: o.profile}
	for {
		cmd := exec.Command(o.program, append([]string{"--headless", "-env:UserInstallation=" + profile.String(), "--convert-to", format, "--outdir", folder}, files...)...)
		cmd.Env = o.env
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == restarts {
			continue
		}
		if err != nil {
			o.t.Fatalf("LibreOffice: %v: %s", err, out)
		}
		return
	}
}

// shownCells is the filter that writes all sheets, each to a file, with their cells
// as they are shown.
const shownCells = `csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,true,false,false,-1`

// shown are the cells of workbooks as LibreOffice shows them, by the names of file
// and sheet.
func (o *libreOffice) shown(files ...string) map[string][][]string {
	o.t.Helper()
	folder := o.t.TempDir()
	o.convert(shownCells, folder, files...)
	written, _ := filepath.Glob(filepath.Join(folder, "*.csv"))
	found := map[string][][]string{}
	for _, file := range written {
		content, err := os.ReadFile(file)
		if err != nil {
			o.t.Fatal(err)
		}
		r := csv.NewReader(bytes.NewReader(content))
		r.FieldsPerRecord = -1
		rows, err := r.ReadAll()
		if err != nil {
			o.t.Fatalf("%s: %v", file, err)
		}
		found[strings.TrimSuffix(filepath.Base(file), ".csv")] = rows
	}
	return found
}

// formatCase is a number or time of a sheet and how Quire prints it.
type formatCase struct{ language, format, code, value, want string }

// formatCases writes a workbook with a cell for each format, language and value
// whose code is said to be exact.
func formatCases(t *testing.T, file string) (cases []formatCase) {
	t.Helper()
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	book := xlsx.New(out, xlsx.Config{})
	sheet, err := book.Sheet(xlsx.SheetConfig{Name: "Formats"})
	if err != nil {
		t.Fatal(err)
	}
	add := func(c formatCase, number float64) {
		cases = append(cases, c)
		if _, err := sheet.Row(xlsx.Row{Cells: []xlsx.Cell{{Kind: xlsx.Number, Number: number, Style: book.Style(xlsx.Style{Format: c.code})}}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, language := range []string{"en-US", "de-DE", "fr-FR", "sr-Latn-RS", "ja-JP", "pt-BR", "cs-CZ", "sv-SE", "tr-TR", "it-IT"} {
		env := &text.Env{Locale: text.LocaleFor(language), Zone: time.UTC}
		for _, format := range []string{"n", "n;2", "n;2;4", "n;0;3", "n;0;0;+", "n;2;2;a", "p", "p;0", "p;1;3", "ps;1", "c;USD", "c;EUR", "c;EUR;0", "c;JPY", "c;USD;2;2;a", "f;2", "f", "n;0:suffix; kg", "n;2:wrap;(;)", "prefix;No. ", "n;1:prefix;~", "zeropad;6", "n;1", "n;3", "n;0;2;+", "p;2", "p;0;0;+", "ps", "ps;0;2", "c;GBP", "c;CHF;2", "c;USD;0;2", "f;4", "n;2:suffix; %", "n;0:prefix;(:suffix;)"} {
			for _, v := range []float64{0, 1, -1, 5.25, -12.5, 1234.5, -1234567.891, 0.5, 0.1234, -0.1234, 0.0004, -0.0004, 1.5004, 9.99996, 105000} {
				f := text.ParseFormat(format)
				if cell, ok := f.SheetValue(v, env); ok && cell.Exact {
					add(formatCase{language, format, cell.Code, fmt.Sprint(v), string(f.Append(nil, v, env, text.Raw))}, v)
				}
			}
		}
		for _, format := range []string{"d", "d;yyMd", "d;yyyyMMMMdd", "d;yyyyMMMd", "d;DDDDyyyyMMMMd", "d;DDDyyyyMd", "d;MMMM", "d;MMMMyyyy", "t", "t;HHmm", "t;hhmmA", "dt", "dt;yyyyMMddHHmmss", "d;Md:prefix;due ", "d;yyyyMM", "d;yyyy", "t;HHmmss", "dt;yyyyMMMMddHHmm", "d;DDDD"} {
			for _, v := range []time.Time{time.Date(2026, 3, 4, 9, 5, 7, 0, time.UTC), time.Date(2026, 11, 23, 17, 45, 0, 0, time.UTC)} {
				f := text.ParseFormat(format)
				serial, _ := xlsx.Serial(v)
				if cell, ok := f.SheetValue(v, env); ok && cell.Exact {
					add(formatCase{language, format, cell.Code, v.Format(time.DateTime), string(f.Append(nil, v, env, text.Raw))}, serial)
				}
			}
		}
	}
	if err := errors.Join(book.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestNumberFormatsShowWhatPagesPrint: LibreOffice shows a cell by the code that was
// made of a format as Quire prints the value, but for what follows the reader's
// language and not the file: separators, and the sign of negative numbers.
func TestNumberFormatsShowWhatPagesPrint(t *testing.T) {
	t.Parallel()
	judges.Slow(t)
	office, file := openLibreOffice(t, false), filepath.Join(t.TempDir(), "formats.xlsx")
	cases := formatCases(t, file)
	rows := office.shown(file)["formats-Formats"]
	if len(rows) != len(cases) {
		t.Fatalf("%d rows of %d", len(rows), len(cases))
	}
	for i, c := range cases {
		want, got := plainSpaces.Replace(c.want), plainSpaces.Replace(rows[i][0])
		if shortNames.MatchString(c.format) {
			want, got = lettersAndDots.ReplaceAllString(want, ""), lettersAndDots.ReplaceAllString(got, "")
		}
		if got != want && got != inEnglish(want, c.language) {
			t.Errorf("%s %q %s by %s: LibreOffice shows %q, pages print %q", c.language, c.format, c.value, c.code, got, want)
		}
	}
	languages := map[string]map[string]bool{}
	for _, c := range cases {
		if languages[c.format] == nil {
			languages[c.format] = map[string]bool{}
		}
		languages[c.format][c.language] = true
	}
	wide := 0
	for format, in := range languages {
		if len(in) >= 6 {
			wide++
		} else {
			t.Logf("%q: %d languages", format, len(in))
		}
	}
	if wide < 40 {
		t.Errorf("%d formats in six languages and more; want 40", wide)
	}
	t.Logf("%d values; %d formats, %d of them in six languages and more", len(cases), len(languages), wide)
}

var (
	plainSpaces = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "−", "-")
	// Every program has its own short names of months and days ("nov", "nov.").
	shortNames     = regexp.MustCompile(`[^M]MMM[^M]|[^D]DDD[^D]`)
	lettersAndDots = regexp.MustCompile(`[\pL.]+`)
)

// inEnglish is a number of another language with the separators of English.
func inEnglish(s, language string) string {
	one := plainSpaces.Replace(string(text.ParseFormat("n;1").Append(nil, 11111.5, &text.Env{Locale: text.LocaleFor(language)}, text.Raw)))
	point := one[strings.LastIndex(one, "1")+1 : strings.LastIndex(one, "5")]
	group := strings.Trim(one[:strings.LastIndex(one, "1")], "1")
	return regexp.MustCompile(`(\d)(`+regexp.QuoteMeta(point)+`|`+regexp.QuoteMeta(group)+`)(\d)`).ReplaceAllStringFunc(s, func(found string) string {
		if found[1:len(found)-1] == point {
			return found[:1] + "." + found[len(found)-1:]
		}
		return found[:1] + "," + found[len(found)-1:]
	})
}

// TestWorkbooksSayWhatDocumentsSay: LibreOffice computes the values that workbooks
// keep beside their formulas, and what their cells and the names of their sheets show
// has every word of the document, as often.
func TestWorkbooksSayWhatDocumentsSay(t *testing.T) {
	ofDocuments(t)
	exported, kept, computed, folder := exporter(t), openLibreOffice(t, false), openLibreOffice(t, true), t.TempDir()
	documents := map[string][]byte{}
	write := func(name string, content []byte) string {
		file := filepath.Join(folder, name+".xlsx")
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	folders := []string{"../../assets/demo"}
	if *everyOffice {
		folders = append(folders, "../../examples/gallery")
	}
	var files []string
	for _, bundle := range folders {
		ws := bundleIn(t, bundle)
		for _, r := range ws.Reports {
			name := filepath.Base(bundle) + "~" + r.Code
			files = append(files, write(name, exported(ws, r.Code, "xlsx")))
			documents[name] = exported(ws, r.Code, "html")
		}
	}
	before, after := kept.shown(files...), computed.shown(files...)
	if len(before) < len(files) || len(before) != len(after) {
		t.Fatalf("%d and %d sheets of %d files", len(before), len(after), len(files))
	}
	texts := map[string]string{}
	for sheet, rows := range before {
		if diff := differentCells(rows, after[sheet]); len(diff) > 0 {
			t.Errorf("%s: %q", sheet, diff[:min(len(diff), 5)])
		}
		for name := range documents {
			if title, ok := strings.CutPrefix(sheet, name+"-"); ok {
				texts[name] += " " + title
				for _, row := range rows {
					texts[name] += "\n" + strings.Join(row, "\n")
				}
			}
		}
	}
	for name, document := range documents {
		if lost := wordsLost(t, document, texts[name]); strings.Join(lost, " ") != rightlyLost[name] {
			t.Errorf("%s: not in the workbook: %q; want %q", name, lost, rightlyLost[name])
		}
	}
	wrong := write("wrong", xlsxtest.Replaced(t, exported(bundleIn(t, "../../assets/demo"), "sales-report", "xlsx"), "xl/worksheets/sheet1.xml", `</f><v>`, `</f><v>1`))
	keptWrong, computedWrong := kept.shown(wrong), computed.shown(wrong)
	if !slices.ContainsFunc(slices.Collect(maps.Keys(keptWrong)), func(sheet string) bool {
		return len(differentCells(keptWrong[sheet], computedWrong[sheet])) > 0
	}) {
		t.Error("a formula beside another value is not found")
	}
	t.Logf("%d sheets of %d workbooks", len(before), len(files))
}

// elsewhere is what a workbook says in another place than its cells, or not at all:
// headers and footers are those of printed sheets, contents its sheets themselves,
// drawings and pages of PDF files are pictures, for which notes stand; texts for screen
// readers alone are left out, and so is what only pages that go on have.
var elsewhere = []string{"q-header", "q-first-header", "q-footer", "q-toc", "q-tof", "q-hidden", "q-chart-data", "q-attached-note", "q-carry", "q-again", "q-page-sum"}

// rightlyLost are words that a workbook leaves out.
var rightlyLost = map[string]string{
	"demo~sales-report":     "35m",                              // €3.5m is a number of a cell, with all its digits
	"gallery~catalogue":     "Alder Sons Catalogue 2026 winter", // a cover: its author leaves it out of workbooks
	"gallery~annual-report": "Charts Tables",
	"gallery~tax-form":      "0 4 1 7 2 3 8 6 Q R S T H A L V O N E D 5 I", // letters of boxes, which are one value in a cell
}

// documentWords are the words of a document that stand in its pages' bodies.
func documentWords(t *testing.T, document []byte) []string {
	root, err := html.Parse(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	var visible strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			visible.WriteString(n.Data + "\n")
		case n.Type == html.ElementNode && slices.Contains([]string{"head", "style", "script", "svg", "math"}, n.Data):
			return
		}
		for _, a := range n.Attr {
			if a.Key == "class" && slices.ContainsFunc(strings.Fields(a.Val), func(class string) bool { return slices.Contains(elsewhere, class) }) {
				return
			}
		}
		for child := range n.ChildNodes() {
			walk(child)
		}
	}
	walk(root)
	return words(visible.String())
}

// wordsLost are words that a document has more often than a text.
func wordsLost(t *testing.T, document []byte, in string) (lost []string) {
	there := map[string]int{}
	for _, w := range words(in) {
		there[w]++
	}
	for _, w := range documentWords(t, document) {
		if down := roundedDown(w); there[w] == 0 && there[down] > 0 {
			w = down
		}
		if there[w]--; there[w] == -1 {
			lost = append(lost, w)
		}
	}
	return lost
}

// roundedDown is the number that LibreOffice shows for one that ends in a half which
// is less in binary: 28.55 % is 28.6 % for Quire and Excel, and 28.5 % there.
func roundedDown(w string) string {
	if n, err := strconv.Atoi(w); err == nil && n > 0 {
		return strconv.Itoa(n - 1)
	}
	return w
}

// words are the words of a text without what programs and languages write each in
// their way: separators of numbers, and signs.
func words(s string) []string {
	s = strings.NewReplacer("Sept", "Sep", "\u00ad", "").Replace(s)
	return strings.FieldsFunc(regexp.MustCompile(`(\d)[.,\x{a0}\x{202f}’](\d)`).ReplaceAllString(s, "$1$2"), func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.N)
	})
}

func differentCells(a, b [][]string) (list []string) {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || !slices.Equal(a[i], b[i]) {
			list = append(list, fmt.Sprintf("row %d: %q, computed %q", i+1, a[min(i, len(a)-1)], b[min(i, len(b)-1)]))
		}
	}
	return list
}
