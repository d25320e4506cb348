package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/render/office/opc"
)

var (
	update = flag.Bool("update", false, "rewrite golden files")
	keep   = flag.String("keep", "", "also write the workbook of the tests to this file")
)

// written writes a workbook that uses everything there is.
func written(t testing.TB, warn func(string)) []byte {
	t.Helper()
	var b bytes.Buffer
	wb := New(&b, Config{About: opc.Core{Title: "Sales", Language: "en"}, Base: Font{Name: "Inter", Size: 10}, Warn: warn})
	head := wb.Style(Style{Font: Font{Bold: true, Color: "FFFFFF"}, Fill: "1F4E8C", Horizontal: "center", Wrap: true, Bottom: Edge{"thin", "102A4C"}})
	money := wb.Style(Style{Format: `#,##0.00\ [$€-407]`})
	day := wb.Style(Style{Format: `[$-407]d\.\ mmmm\ yyyy`})
	sum := wb.Style(Style{Font: Font{Bold: true}, Format: `#,##0.00\ [$€-407]`, Top: Edge{"double", ""}})
	percent := wb.Style(Style{Format: "0.00%"})
	link := wb.Style(Style{Font: Font{Underline: true, Color: "0563C1"}})
	add := func(s *Sheet, r Row) int {
		n, err := s.Row(r)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	text := func(text string, style StyleID) Cell { return Cell{Kind: Text, Text: text, Style: style} }
	number := func(v float64, style StyleID) Cell { return Cell{Kind: Number, Number: v, Style: style} }

	s, err := wb.Sheet(SheetConfig{
		Name: "Orders & returns", Columns: []Column{{Width: 18.5}, {Width: 14, Style: money}, {Width: 20}, {Width: 300}, {}, {Hidden: true, Level: 1}},
		FreezeRows: 3, FreezeColumns: 1, RowLevels: 1, TitleRows: [2]int{3, 3},
		Page: Page{Landscape: true, Paper: 9, FitWidth: true, Margins: [6]float64{0.7, 0.7, 0.75, 0.75, 0.3, 0.3}, Header: "&LHalden", Footer: "&C&P / &N"},
	})
	if err != nil {
		t.Fatal(err)
	}
	add(s, Row{Cells: []Cell{text("Orders", wb.Style(Style{Font: Font{Size: 16, Bold: true}}))}, Height: 24})
	s.Skip(1)
	add(s, Row{Cells: []Cell{text("Branch", head), text("Revenue", head), text("Day", head), text("Note", head), text("Share", head), text("Key", head)}})
	started, _ := Serial(time.Date(2026, 11, 23, 6, 0, 0, 0, time.UTC))
	for i, note := range []string{"=1+1", " kept  as it is\nsecond line", "+49 30 1234", "漢字 🙂 \x00 <b>", "https"} {
		c := text(note, 0)
		if note == "https" {
			c = Cell{Kind: Text, Text: "our site", Style: link, Link: "https://example.com/?a=1&b=2", Tip: "opens the site"}
		}
		add(s, Row{Cells: []Cell{text("Branch "+strconv.Itoa(i), 0), number(1234.5*float64(i)-0.1, money), number(started+float64(i), day), c, {Kind: Bool, Bool: i%2 == 0}}, Level: 1})
	}
	add(s, Row{Cells: []Cell{text("Total", sum), {Kind: Number, Number: 12344.5, Formula: "SUBTOTAL(109,B4:B8)", Style: sum}, {}, {Kind: Text, Text: "5 rows", Formula: `COUNTA(A4:A8)&" rows"`}, {Kind: Number, Number: math.NaN(), Style: percent}}})
	s.Filter("A3:E8")
	s.Merge("A1:C1")
	s.Chart(Place{Row: 12, Column: 2, Width: 400, Height: 260.5, Name: "Revenue", Alt: "Revenue & more"}, func(x *opc.XML) {
		x.Open("c:chartSpace").Attr("xmlns:c", chartNamespace).Open("c:chart").Open("c:plotArea").Close().Close().Close()
	})
	s.Picture(Place{Row: 30, Column: 1, Width: 16, Height: 16}, []byte("\x89PNG\r\n"), "image/png")

	s, err = wb.Sheet(SheetConfig{Name: "Table's own", RightToLeft: true, SummaryAbove: true, HideGridlines: true, FreezeRows: 1})
	if err != nil {
		t.Fatal(err)
	}
	names := UniqueNames([]string{"Name", "", "name"})
	add(s, Row{Cells: []Cell{text(names[0], 0), text(names[1], 0), text(names[2], 0)}})
	for i := range 3 {
		add(s, Row{Cells: []Cell{text("x", 0), number(float64(i), 0), {Kind: Text, Text: "back", Link: "#'Orders & returns'!A1"}}})
	}
	s.Table(Table{Name: "A1", Row: 1, Column: 1, Columns: names, Rows: 3, Style: "TableStyleLight1", Banded: true})
	add(s, Row{Cells: []Cell{text(strings.Repeat("é", 40_000), 0)}})
	if err := wb.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// parts are the parts of a package by their names.
func parts(t testing.TB, content []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range r.File {
		opened, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(opened)
		if err != nil {
			t.Fatal(err)
		}
		found[f.Name] = string(text)
	}
	return found
}

func TestWorkbook(t *testing.T) {
	var warned []string
	content := written(t, func(note string) { warned = append(warned, note) })
	if *keep != "" {
		if err := os.WriteFile(*keep, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(content, written(t, func(string) {})) {
		t.Error("the same cells give other bytes")
	}
	if want := []string{`sheet "Table's own": 1 texts are longer than the 32,767 characters that Excel takes in a cell and were cut`}; !slices.Equal(warned, want) {
		t.Errorf("it warns %q; want %q", warned, want)
	}
	got := parts(t, content)
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if strings.HasSuffix(name, ".png") {
			continue
		}
		if name == "xl/worksheets/sheet2.xml" {
			got[name] = strings.ReplaceAll(got[name], strings.Repeat("é", 32_767), "é…")
		}
		golden := filepath.Join("testdata", strings.NewReplacer("[", "", "]", "", "/", "_").Replace(name))
		readable := strings.ReplaceAll(got[name], "><", ">\n<") + "\n"
		if *update {
			if err := os.WriteFile(golden, []byte(readable), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || string(want) != readable {
			t.Errorf("%s is not %s (%v); -update rewrites it\n%s", name, golden, err, readable)
		}
	}
	whole(t, got)
}

// whole holds a package against what the schemas cannot say: references that lead
// somewhere, styles that are there.
func whole(t *testing.T, parts map[string]string) {
	t.Helper()
	related := regexp.MustCompile(`r:(?:id|embed)="([^"]*)"`)
	styled := regexp.MustCompile(` s(?:tyle)?="(\d+)"`)
	count, _ := strconv.Atoi(regexp.MustCompile(`<cellXfs count="(\d+)"`).FindStringSubmatch(parts["xl/styles.xml"])[1])
	for name, text := range parts {
		if strings.HasSuffix(name, ".png") {
			continue
		}
		if err := xml.NewDecoder(strings.NewReader(text)).Decode(new(struct{})); err != nil {
			t.Errorf("%s is no XML: %v", name, err)
		}
		dir, file := filepath.Split(name)
		rels := parts[dir+"_rels/"+file+".rels"]
		for _, m := range related.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(rels, `Id="`+m[1]+`"`) {
				t.Errorf("%s refers to %s, which is nothing", name, m[1])
			}
		}
		for _, m := range regexp.MustCompile(`Target="/([^"]*)"`).FindAllStringSubmatch(text, -1) {
			if _, there := parts[m[1]]; !there {
				t.Errorf("%s leads to %s, which is not there", name, m[1])
			}
		}
		if strings.HasPrefix(name, "xl/worksheets/sheet") {
			for _, m := range styled.FindAllStringSubmatch(text, -1) {
				if n, _ := strconv.Atoi(m[1]); n >= count {
					t.Errorf("%s has style %d of %d", name, n, count)
				}
			}
		}
	}
}

func TestWhatIsRefused(t *testing.T) {
	wb := New(io.Discard, Config{})
	if err := wb.Close(); err == nil {
		t.Error("a workbook has no sheet")
	}
	wb = New(io.Discard, Config{})
	for name, refused := range map[string]bool{"A/B": true, "": true, "'x'": true, "Good": false} {
		if _, err := wb.Sheet(SheetConfig{Name: name}); (err != nil) != refused {
			t.Errorf("a sheet %q: %v", name, err)
		}
	}
	if _, err := wb.Sheet(SheetConfig{Name: "GOOD"}); err == nil {
		t.Error("two sheets have one name")
	}
	s, err := wb.Sheet(SheetConfig{Name: "Full"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Row(Row{Cells: make([]Cell, MostColumns+1)}); err == nil {
		t.Error("a row has too many cells")
	}
	s.Skip(2 * MostRows)
	if _, err := s.Row(Row{}); err != ErrFull {
		t.Errorf("a row too many: %v", err)
	}
	if _, err := wb.Sheet(SheetConfig{Name: "Next"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Row(Row{}); err == nil {
		t.Error("a sheet that has ended takes rows")
	}
}

func TestNames(t *testing.T) {
	taken := map[string]bool{}
	for _, test := range []struct{ text, want string }{
		{"Sales 2026", "Sales 2026"},
		{"Sales 2026", "Sales 2026 (2)"},
		{"Q1/Q2: [all]", "Q1 Q2 all"},
		{"'quoted'", "quoted"},
		{"", "Sheet"},
		{"***", "Sheet (2)"},
		{"history", "Sheet history"},
		{"A title that is longer than thirty-one characters", "A title that is longer than thi"},
		{"A title that is longer than thirty-one characters", "A title that is longer than (2)"},
		{strings.Repeat("🙂", 20), strings.Repeat("🙂", 15)},
	} {
		got := SheetName(test.text, func(name string) bool { return taken[name] })
		if got != test.want {
			t.Errorf("%q becomes %q; want %q", test.text, got, test.want)
		}
		taken[got] = true
	}
	for column, want := range map[int]string{1: "A", 26: "Z", 27: "AA", 52: "AZ", 702: "ZZ", 703: "AAA", MostColumns: "XFD"} {
		if got := ColumnName(column); got != want {
			t.Errorf("column %d is %s; want %s", column, got, want)
		}
	}
	wb := New(io.Discard, Config{})
	for _, test := range []struct{ text, want string }{
		{"Orders", "Orders"}, {"orders", "orders_2"}, {"Orders by branch", "Orders_by_branch"}, {"2026", "Table_2026"}, {"A1", "A1_5"}, {"R1C1", "R1C1_6"}, {"Größe", "Größe"}, {"", "Table_"},
	} {
		id := map[string]string{"orders": "2", "A1": "5", "R1C1": "6"}[test.text]
		if got := wb.tableName(test.text, id); got != test.want {
			t.Errorf("a table %q is named %q; want %q", test.text, got, test.want)
		}
	}
}

func TestSerial(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	for _, test := range []struct {
		at   time.Time
		want float64
		ok   bool
	}{
		{time.Date(1900, 3, 1, 0, 0, 0, 0, time.UTC), 61, true},
		{time.Date(1900, 2, 28, 0, 0, 0, 0, time.UTC), 0, false},
		{time.Date(2026, 11, 23, 18, 0, 0, 0, time.UTC), 46349.75, true},
		{time.Date(2026, 11, 23, 18, 0, 0, 0, berlin), 46349.75, true}, // by its own clock
		{time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC), 2958465, true},
		{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), 0, false},
	} {
		if got, ok := Serial(test.at); got != test.want || ok != test.ok {
			t.Errorf("%v is %v, %v; want %v, %v", test.at, got, ok, test.want, test.ok)
		}
	}
}

// TestManyLinks writes more links than Excel takes.
func TestManyLinks(t *testing.T) {
	var warned []string
	wb := New(io.Discard, Config{Warn: func(note string) { warned = append(warned, note) }})
	s, err := wb.Sheet(SheetConfig{Name: "Links"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range mostLinks + 10 {
		if _, err := s.Row(Row{Cells: []Cell{{Kind: Text, Text: "x", Link: fmt.Sprint("https://example.com/", i)}}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := wb.Close(); err != nil {
		t.Fatal(err)
	}
	if want := []string{`sheet "Links": Excel takes 65,530 links; 10 more are plain text`}; !slices.Equal(warned, want) {
		t.Errorf("it warns %q", warned)
	}
}

// BenchmarkRows writes 100,000 rows of ten cells.
func BenchmarkRows(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		wb := New(io.Discard, Config{})
		money := wb.Style(Style{Format: "#,##0.00"})
		s, err := wb.Sheet(SheetConfig{Name: "Rows"})
		if err != nil {
			b.Fatal(err)
		}
		cells := make([]Cell, 10)
		for row := range 100_000 {
			for i := range cells {
				if i%2 == 0 {
					cells[i] = Cell{Kind: Number, Number: float64(row*i) / 4, Style: money}
				} else {
					cells[i] = Cell{Kind: Text, Text: "text of a cell"}
				}
			}
			if _, err := s.Row(Row{Cells: cells}); err != nil {
				b.Fatal(err)
			}
		}
		if err := wb.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
