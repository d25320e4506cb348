package sheets

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/quire-reports/quire/render/office/opc"
	"github.com/quire-reports/quire/render/office/xlsx"
	"github.com/quire-reports/quire/render/office/xlsx/xlsxtest"
)

var update = flag.Bool("update", false, "rewrite golden files")

func config() Config {
	return Config{
		About: opc.Core{Title: "Sales", Language: "en"}, Index: "Contents",
		Codes: []string{"General", "#,##0.00", `[$-409]mmmm d\, yyyy`, "0%"},
		Color: func(css string) (string, bool) {
			return strings.ToUpper(strings.TrimPrefix(css, "#")), strings.HasPrefix(css, "#")
		},
		Looks: Looks{Header: Look{Fill: "DDDDDD", Bold: true}, Footer: Look{Bold: true}, Text: "222222"},
	}
}

// TestDocuments: documents and the cells that are made of them.
func TestDocuments(t *testing.T) {
	files, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name, isDocument := strings.CutSuffix(f.Name(), ".html")
		if !isDocument {
			continue
		}
		t.Run(name, func(t *testing.T) {
			doc, err := os.ReadFile("testdata/" + f.Name())
			if err != nil {
				t.Fatal(err)
			}
			content, warnings := made(t, string(doc), config())
			book := xlsxtest.Open(t, content)
			got := book.String()
			for _, w := range warnings {
				got += fmt.Sprintf("! %s: %s\n", w.ID, w.Message)
			}
			golden := "testdata/" + name + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if faults := book.Faults(); len(faults) > 0 {
				t.Errorf("formulas find other totals: %q", faults)
			}
			if again, _ := made(t, string(doc), config()); !bytes.Equal(content, again) {
				t.Error("the same document gives other bytes")
			}
		})
	}
}

func made(t testing.TB, doc string, c Config) ([]byte, []Warning) {
	t.Helper()
	var b bytes.Buffer
	warnings, err := Write(&b, []byte(doc), c)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), warnings
}

// TestRightToLeft: cells of workbooks that are written from right to left begin at the
// right, whatever stands in them, and are read from there.
func TestRightToLeft(t *testing.T) {
	c := config()
	c.RightToLeft = true
	const doc = `<html dir="rtl"><body><section class="q-sheet" data-name="P"><div class="q-header"><p>City</p><p>Department</p></div><div class="q-body"><p>2025/9/1 – 2026/8/31</p><table class="q-data-table">
		<thead><tr><th>المعلم</th><th>المادة</th></tr></thead><tbody><tr><td>A. Petrović</td><td class="q-branch">الرياضيات</td></tr></tbody></table></div></section></body></html>`
	content, _ := made(t, doc, c)
	book := xlsxtest.Open(t, content)
	if want := `header: "&L&8 Department&R&8 City"`; !strings.Contains(book.String(), want) {
		t.Errorf("no %s in\n%s", want, book)
	}
	_, formats, _ := strings.Cut(book.Part("xl/styles.xml"), "<cellXfs ")
	formats, _, _ = strings.Cut(formats, "</cellXfs>")
	for _, format := range strings.Split(formats, "<xf ")[2:] { // the first is that of cells without a style
		if !strings.Contains(format, `readingOrder="2"`) || strings.Contains(format, `horizontal="left"`) {
			t.Errorf("a format of cells is %s", format)
		}
	}
	if n := strings.Count(formats, `horizontal="right"`); n < 2 {
		t.Errorf("%d formats begin at the right:\n%s", n, formats)
	}
}

// TestGroupFootersLookLikeTheirGroups: they have the colour and the line of the group's
// level, not those of the table's footer.
func TestGroupFootersLookLikeTheirGroups(t *testing.T) {
	w := &tableWriting{}
	line := xlsx.Edge{Line: "thin", Color: "00FF00"}
	for name, c := range map[string]struct {
		groups []Look
		level  int
		want   Look
	}{
		"of the first level":          {[]Look{{Color: "112233", Fill: "EEEEEE", LineTop: line, LineFoot: line}, {Color: "445566"}}, 1, Look{Bold: true, Color: "112233", LineTop: line}},
		"deeper than the theme knows": {[]Look{{Color: "112233"}, {Color: "445566"}}, 5, Look{Bold: true, Color: "445566"}},
		"of a theme without groups":   {nil, 1, Look{Bold: true}},
	} {
		w.writing = &writing{book: &book{Config: Config{Looks: Looks{Footer: Look{Color: "FF0000"}, Groups: c.groups}}}}
		if got := w.look(styleKey{kind: groupFooterRow, level: c.level}); got != c.want {
			t.Errorf("%s: %+v; want %+v", name, got, c.want)
		}
	}
}

// TestFootersHaveRoom: printed margins are as high as the lines of headers and footers.
func TestFootersHaveRoom(t *testing.T) {
	for _, test := range []struct {
		footer []mark
		want   float64 // inches
	}{
		{nil, 0.5},
		{[]mark{{"Halden Furniture AB"}}, 0.75},
		{[]mark{{"Halden Furniture AB\nGöteborg"}, {"Page \x00P"}}, 0.75},
		{[]mark{{"Halden Furniture AB"}, {"hello@halden.example\n+46 31 555 01 20\nwww.halden.example"}, {"Bank\nIBAN\nVAT no."}, {"Page \x00P"}}, 1.28},
	} {
		p := page{width: 595, height: 842, margins: [4]float64{36, 36, 36, 36}, footer: test.footer}
		if got := p.setup(false).Margins; math.Abs(got[3]-test.want) > 0.001 || got[2] != 0.5 {
			t.Errorf("%q: the margins are %v; want %g below", test.footer, got, test.want)
		}
	}
}

// TestEndsWithItsContext: nobody waits for a workbook that is not wanted any more.
func TestEndsWithItsContext(t *testing.T) {
	doc := `<section class="q-sheet" data-name="P"><div class="q-body"><table><tbody>` + strings.Repeat("<tr><td>a</td></tr>", 5000) + `</tbody></table></div></section>`
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := config()
	c.Alive = ctx.Err
	if _, err := Write(io.Discard, []byte(doc), c); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}

// TestTablesOfAnySize: a document without pages, a table without rows, one with more
// rows than a sheet has.
func TestTablesOfAnySize(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<section class="q-sheet" data-name="P"><div class="q-body"><table data-id="big"><thead><tr><th>N</th></tr></thead><tbody>`)
	for range xlsx.MostRows + 10 {
		b.WriteString("<tr><td></td></tr>")
	}
	b.WriteString("</tbody></table></div></section>")
	warnings, err := Write(io.Discard, []byte(b.String()), config())
	if err != nil || len(warnings) != 1 || warnings[0].ID != "big" || !strings.Contains(warnings[0].Message, "1,048,576") {
		t.Errorf("%v %v", warnings, err)
	}
}

// TestRowsStandElsewhere: a document whose rows stand elsewhere in pieces gives the workbook
// of the whole document.
func TestRowsStandElsewhere(t *testing.T) {
	content, err := os.ReadFile("testdata/orders.html")
	if err != nil {
		t.Fatal(err)
	}
	doc, c := string(content), config()
	want, wantWarnings := made(t, doc, c)
	var tables [][]string
	for at := strings.Index(doc, "<tbody>"); at >= 0; at = strings.Index(doc, "<tbody>") {
		end := at + strings.Index(doc[at:], "</tbody>")
		tables = append(tables, strings.SplitAfter(doc[at+len("<tbody>"):end], "</tr>"))
		doc = doc[:at] + fmt.Sprintf(`<tbody data-rows="%d">`, len(tables)-1) + doc[end:]
	}
	if len(tables) == 0 {
		t.Fatal("it has no tables")
	}
	c.Rows = func(table, piece int, room []byte) ([]byte, bool) {
		clear(room[:cap(room)]) // nothing of the piece before is there any more
		if piece >= len(tables[table]) {
			return nil, false
		}
		return append(room[:0], tables[table][piece]...), true
	}
	if got, warnings := made(t, doc, c); !bytes.Equal(got, want) || fmt.Sprint(warnings) != fmt.Sprint(wantWarnings) {
		t.Errorf("got\n%s\nwant\n%s", xlsxtest.Open(t, got), xlsxtest.Open(t, want))
	}
}

// TestManySheetsAndColumns: 200 pages of one name, the last with a table of 50 columns.
func TestManySheetsAndColumns(t *testing.T) {
	const page = `<section class="q-sheet" data-name="A page with a rather long name"><div class="q-body">`
	var b strings.Builder
	for range 199 {
		b.WriteString(page + "<p>Text</p></div></section>")
	}
	cells := func(tag string) string { return "<tr>" + strings.Repeat("<"+tag+">n</"+tag+">", 50) + "</tr>" }
	b.WriteString(page + `<table><thead>` + cells("th") + `</thead><tbody>` + cells("td") + `</tbody></table></div></section>`)
	content, warnings := made(t, b.String(), config())
	got := xlsxtest.Open(t, content).String()
	if n := strings.Count("\n"+got, "\n== "); n != 201 || !strings.HasPrefix(got, "== Contents\n") || !strings.Contains(got, "== A page with a rather long (200)\n") || len(warnings) > 0 {
		t.Errorf("%d sheets, %v: %.300s", n, warnings, got)
	}
	if !strings.Contains(got, `AX "n"`) {
		t.Error("the 50th column is missing")
	}
}

// TestFaultsAreFound: the judge of workbooks would tell.
func TestFaultsAreFound(t *testing.T) {
	doc, err := os.ReadFile("testdata/orders.html")
	if err != nil {
		t.Fatal(err)
	}
	content, _ := made(t, string(doc), config())
	if faults := xlsxtest.Open(t, content).Faults(); len(faults) > 0 {
		t.Fatalf("%q", faults)
	}
	for name, change := range map[string][3]string{
		"a sheet without a name":       {"xl/workbook.xml", `<sheet name="`, `<sheet name="[`},
		"a name that leads nowhere":    {"xl/workbook.xml", `localSheetId="0"`, `localSheetId="0">'Nowhere'!$1:$2</definedName><definedName name="other"`},
		"a style that is not there":    {"xl/worksheets/sheet1.xml", ` s="`, ` s="99`},
		"a row in the place of others": {"xl/worksheets/sheet1.xml", `<row r="4"`, `<row r="1"`},
		"a cell of another row":        {"xl/worksheets/sheet1.xml", `<c r="A1"`, `<c r="A7"`},
		"a relationship to nothing":    {"xl/_rels/workbook.xml.rels", `/xl/styles.xml`, `/xl/style.xml`},
		"a part without a type":        {"[Content_Types].xml", `PartName="/xl/styles.xml"`, `PartName="/xl/style.xml"`},
	} {
		t.Run(name, func(t *testing.T) {
			if len(xlsxtest.Open(t, xlsxtest.Replaced(t, content, change[0], change[1], change[2])).Faults()) == 0 {
				t.Error("nobody finds it")
			}
		})
	}
}

// FuzzWrite: whatever is in the document, there is a workbook whose parts are XML.
func FuzzWrite(f *testing.F) {
	files, _ := os.ReadDir("testdata")
	for _, file := range files {
		if strings.HasSuffix(file.Name(), ".html") {
			doc, _ := os.ReadFile("testdata/" + file.Name())
			f.Add(string(doc))
		}
	}
	f.Add(`<section class="q-sheet"><table>`)
	f.Add(`<section class="q-sheet"><table><tr><td colspan="99999999" rowspan=99999999>a</table>`)
	f.Add(`<section class="q-sheet"><div class="q-body"><table><tr><td rowspan=3 colspan=2>a<table><tr><td>b</td></tr></table></td></tr></table><dl><dt>a<dd>b</section>`)
	f.Fuzz(func(t *testing.T, doc string) {
		content, _ := made(t, doc, config())
		// What a broken document says of its sums may be wrong.
		if faults := xlsxtest.Open(t, content).Invalid(); len(faults) > 0 {
			t.Errorf("%q", faults)
		}
	})
}
