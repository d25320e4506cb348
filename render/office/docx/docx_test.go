package docx

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/office/docx/docxtest"
	"github.com/quire-reports/quire/render/office/opc"
	"github.com/quire-reports/quire/render/office/theme"
)

var update = flag.Bool("update", false, "rewrite golden files")

// dot is a picture of one pixel.
var dot = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82")

func options() Options {
	return Options{
		About: opc.Core{Title: "Sales <2026>", Creator: "Quire", Language: "en", Created: time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC)},
		Theme: theme.Theme{Name: "Acme", Link: "0000EE"}, Drawings: [][]byte{dot, dot},
	}
}

func written(t testing.TB, d *layout.Document, o Options) (*docxtest.File, []Warning, []byte) {
	t.Helper()
	var b bytes.Buffer
	warnings, err := Write(&b, d, o)
	if err != nil {
		t.Fatal(err)
	}
	f := docxtest.Open(t, b.Bytes())
	if faults := f.Faults(); len(faults) > 0 {
		t.Errorf("it has faults: %q", faults)
	}
	return f, warnings, b.Bytes()
}

func read(t testing.TB, file string) *layout.Document {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	d, err := layout.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestWrite is a golden of documents as the tab reads them: sections, headers, contents,
// lists, tables with spans, captions, pictures.
func TestWrite(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("there is nothing to write")
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			f, warnings, content := written(t, read(t, name), options())
			if _, _, again := written(t, read(t, name), options()); !bytes.Equal(content, again) {
				t.Error("the same document gives other bytes")
			}
			var b strings.Builder
			var parts []string
			for part := range f.Parts {
				if strings.HasPrefix(part, "/word/") && strings.HasSuffix(part, ".xml") && !strings.Contains(part, "theme") && !strings.Contains(part, "settings") {
					parts = append(parts, part)
				}
			}
			slices.Sort(parts)
			for _, part := range parts {
				b.WriteString(part + "\n" + strings.NewReplacer("<w:p>", "\n<w:p>", "<w:tr>", "\n<w:tr>", "<w:tbl>", "\n<w:tbl>", "<w:style ", "\n<w:style ", "<w:sectPr>", "\n<w:sectPr>").Replace(f.Parts[part]) + "\n")
			}
			for _, w := range warnings {
				b.WriteString("! " + w.ID + ": " + w.Message + "\n")
			}
			golden := strings.TrimSuffix(file, ".json") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(golden); err != nil || string(want) != b.String() {
				t.Errorf("it is not %s (%v); -update rewrites it\n%s", golden, err, b.String())
			}
		})
	}
}

// sheetOf is a document with one page that holds nodes.
func sheetOf(nodes ...layout.Node) *layout.Document {
	return &layout.Document{
		State: layout.Flow, Language: "en",
		Styles: []layout.Style{{Font: "Inter", Size: 12, Color: "202020", LineHeight: 18}, {Name: "card", Font: "Inter", Size: 12, Color: "202020", Background: "EEF2F680", Padding: &layout.Sides{8, 8, 8, 8}}},
		Sheets: []layout.Sheet{{ID: "1", Width: 794, Height: 1123, Margin: layout.Sides{60, 60, 60, 60}, Body: &layout.Node{Kind: layout.Block, Children: nodes}}},
	}
}

func paragraph(text string) layout.Node { return layout.Node{Kind: layout.Paragraph, Text: text} }

func cell(text string, columns, rows int) layout.Node {
	return layout.Node{Kind: layout.Cell, Text: text, Cell: &layout.CellOf{Columns: columns, Rows: rows}}
}

func row(cells ...layout.Node) layout.Node { return layout.Node{Kind: layout.Row, Children: cells} }

func TestFootnotes(t *testing.T) {
	note := func(text string) layout.Node {
		return layout.Node{Kind: layout.Note, Children: []layout.Node{{Kind: layout.Block, Children: []layout.Node{
			{Kind: layout.Paragraph, Children: []layout.Node{{Kind: layout.Text, Text: text}, {Kind: layout.Link, Ref: "https://example.org/" + text, Text: "more"}}},
		}}}}
	}
	line := func(text string) layout.Node {
		return layout.Node{Kind: layout.Paragraph, Children: []layout.Node{{Kind: layout.Text, Text: text}, note(text)}}
	}
	inCell := cell("", 1, 1)
	inCell.Children = []layout.Node{line("two")}
	table := layout.Node{Kind: layout.Table, Table: &layout.TableOf{Columns: []float64{100}}, Children: []layout.Node{row(inCell)}}
	f, warnings, _ := written(t, sheetOf(line("one"), table), options())
	if len(warnings) > 0 {
		t.Errorf("warnings %v", warnings)
	}
	for part, wants := range map[string][]string{
		documentPart:                     {`one</w:t></w:r><w:r><w:footnoteReference w:id="1"/>`, `two</w:t></w:r><w:r><w:footnoteReference w:id="2"/>`},
		footnotesPart:                    {`<w:footnote w:id="1"><w:p`, `<w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> </w:t></w:r><w:r><w:t>one</w:t>`, `<w:footnote w:id="2"><w:p`},
		"/word/_rels/footnotes.xml.rels": {"https://example.org/one", "https://example.org/two"},
	} {
		for _, want := range wants {
			if !strings.Contains(f.Parts[part], want) {
				t.Errorf("%s lacks %s: %s", part, want, f.Parts[part])
			}
		}
	}
}

// Tables with spans that overlap, reach out of the table or leave columns open have
// whole rows anyway.
func TestTablesAreWhole(t *testing.T) {
	for name, rows := range map[string][]layout.Node{
		"a cell over two rows":       {row(cell("a", 1, 2), cell("b", 1, 1), cell("c", 1, 1)), row(cell("d", 1, 1), cell("e", 1, 1))},
		"over rows and columns":      {row(cell("a", 2, 3), cell("b", 1, 1)), row(cell("c", 1, 1)), row(cell("d", 1, 1)), row(cell("e", 3, 1))},
		"wider than the table":       {row(cell("a", 9, 1)), row(cell("b", 1, 1))},
		"more rows than there are":   {row(cell("a", 1, 70_000), cell("b", 1, 1), cell("c", 1, 1))},
		"spans that meet":            {row(cell("a", 1, 1), cell("b", 1, 2), cell("c", 1, 1)), row(cell("d", 3, 1))},
		"rows without cells":         {row(), row(cell("a", 1, 1))},
		"a table that holds nothing": nil,
	} {
		t.Run(name, func(t *testing.T) {
			table := layout.Node{Kind: layout.Table, Table: &layout.TableOf{Columns: []float64{100, 50, 80}, Head: min(1, len(rows)), Repeat: true}, Children: rows}
			f, _, _ := written(t, sheetOf(table, table, paragraph("after")), options())
			if !strings.Contains(f.Text(), "after") {
				t.Errorf("the text is %q", f.Text())
			}
		})
	}
}

// TestWideTablesAreSmaller: where a table is wider than its room its rows are as much lower
// as its text is smaller.
func TestWideTablesAreSmaller(t *testing.T) {
	for width, height := range map[float64]string{300: "600", 1348: "300"} { // the room is 674 wide
		high := row(cell("24,262", 1, 1))
		high.Style = 2
		d := sheetOf(layout.Node{Kind: layout.Table, Table: &layout.TableOf{Columns: []float64{width}}, Children: []layout.Node{high}})
		d.Styles = append(d.Styles, layout.Style{Height: 40})
		f, _, _ := written(t, d, options())
		if text, want := f.Parts["/word/document.xml"], `<w:trHeight w:val="`+height+`"`; !strings.Contains(text, want) {
			t.Errorf("%g wide: no %s in\n%s", width, want, text)
		}
	}
}

// TestLinksToBlocksArrive refers to what is around paragraphs, such as pages, flows and
// rows: the next paragraph is where they lead.
func TestLinksToBlocksArrive(t *testing.T) {
	link := func(to string) layout.Node {
		return layout.Node{Kind: layout.Paragraph, Children: []layout.Node{{Kind: layout.Link, Ref: "#" + to, Text: "see " + to}}}
	}
	chair := row(cell("Arc lounge chair", 1, 1), cell("1,380.00", 1, 1))
	chair.Anchors = []string{"row"}
	d := sheetOf(
		link("page"), link("flow"), link("table"), link("row"), link("empty"),
		layout.Node{Kind: layout.Block, Anchors: []string{"page"}, Children: []layout.Node{{Kind: layout.Block, Anchors: []string{"flow"}, Children: []layout.Node{paragraph("Terms")}}}},
		layout.Node{Kind: layout.Table, Anchors: []string{"table"}, Table: &layout.TableOf{Columns: []float64{400, 200}}, Children: []layout.Node{chair}},
		layout.Node{Kind: layout.Block, Anchors: []string{"empty"}},
	)
	f, _, _ := written(t, d, options())
	if text := f.Parts["/word/document.xml"]; strings.Count(text, "<w:bookmarkStart ") != 5 || strings.Count(text, "<w:hyperlink w:anchor=") != 5 {
		t.Errorf("not all of the links lead somewhere:\n%s", text)
	}
}

// TestBoxesSideBySide: room that a box begins with is kept, and a picture stands in the
// middle of its box, not of the wider column.
func TestBoxesSideBySide(t *testing.T) {
	at := func(x, width float64) *layout.Box { return &layout.Box{X: x, Width: width, Height: 60} }
	spacer := layout.Node{Kind: layout.Block, Style: 2}
	picture := layout.Node{Kind: layout.Image, Box: at(90, 20), Image: &layout.ImageOf{Drawing: 1, Alt: "Signature"}}
	d := sheetOf(layout.Node{Kind: layout.Flex, Children: []layout.Node{
		{Kind: layout.Block, Box: at(0, 200), Children: []layout.Node{picture, paragraph("For the city, which signs first")}},
		{Kind: layout.Block, Box: at(300, 200), Children: []layout.Node{spacer, paragraph("For the contractor")}},
	}})
	d.Styles = append(d.Styles, layout.Style{Height: 40})
	f, _, _ := written(t, d, options())
	text := f.Parts["/word/document.xml"]
	if _, after, _ := strings.Cut(text, `<w:jc w:val="center"/>`); !strings.HasPrefix(after, `</w:pPr><w:r><w:drawing>`) || !strings.Contains(text, `w:right="1500"`) {
		t.Errorf("the picture is not in the middle of its box:\n%s", text)
	}
	if before, _, _ := strings.Cut(text, "For the contractor"); !strings.Contains(before[strings.LastIndex(before, "<w:p>"):], `w:before="600"`) {
		t.Errorf("the room is lost:\n%s", text)
	}
}

// TestTextsBesideOthersAreAsWide: text of several lines ends where it does on the page, one
// line has all the room there is.
func TestTextsBesideOthersAreAsWide(t *testing.T) {
	for height, indent := range map[float64]bool{48: true, 16: false} {
		text := paragraph("words that are many")
		text.Box = &layout.Box{X: 120, Width: 100, Height: height}
		first := layout.Node{Kind: layout.Block, Box: &layout.Box{Width: 100, Height: 60}, Children: []layout.Node{paragraph("a"), paragraph("b")}}
		f, _, _ := written(t, sheetOf(layout.Node{Kind: layout.Flex, Children: []layout.Node{first, text}}), options())
		_, cell, _ := strings.Cut(f.Parts["/word/document.xml"], "<w:t>b</w:t>")
		cell, _, _ = strings.Cut(cell, "</w:tbl>")
		if got := strings.Contains(cell, `w:right="`); got != indent {
			t.Errorf("%g pixels high: indented %v, want %v\n%s", height, got, indent, cell)
		}
	}
}

// TestFrames: text that stands freely on the first page has frames of Word, and nothing
// after it.
func TestFrames(t *testing.T) {
	d := sheetOf(paragraph("Dear Ann"))
	d.Sheets[0].Framed = []layout.Node{{Kind: layout.Block, Box: &layout.Box{X: 90, Y: 170, Width: 280, Height: 40}, Children: []layout.Node{paragraph("Ann Lee")}}}
	f, _, _ := written(t, d, options())
	before, after, _ := strings.Cut(f.Parts["/word/document.xml"], "Dear Ann")
	if !strings.Contains(before, `<w:framePr w:w="4200" w:wrap="around" w:vAnchor="page" w:hAnchor="page" w:x="1350" w:y="2550"/>`) || strings.Count(before+after, "w:framePr") != 1 {
		t.Errorf("the address is not where it should be:\n%s", before)
	}
	f, _, _ = written(t, read(t, "bulletin.json"), options())
	if strings.Contains(f.Parts["/word/document.xml"], "w:framePr") {
		t.Error("a document without such text has a frame")
	}
}

// TestTilesAreEquallyHigh: boxes with a ground beside each other are as high as on the page.
func TestTilesAreEquallyHigh(t *testing.T) {
	tile := func(x float64, texts ...layout.Node) layout.Node {
		return layout.Node{Kind: layout.Block, Style: 2, Box: &layout.Box{X: x, Width: 200, Height: 80}, Children: texts}
	}
	d := sheetOf(layout.Node{Kind: layout.Flex, Children: []layout.Node{tile(0, paragraph("a"), paragraph("b"), paragraph("c")), tile(300, paragraph("d"), paragraph("e"))}})
	d.Styles = append(d.Styles, layout.Style{Background: "EEEEEE"})
	f, _, _ := written(t, d, options())
	if n := strings.Count(f.Parts["/word/document.xml"], `<w:trHeight w:val="1200" w:hRule="atLeast"/>`); n != 2 {
		t.Errorf("%d of 2 tiles are as high as on the page", n)
	}
}

// TestItemsInLinesAndBoxes: items with a line below are parted by it, items in boxes do not
// become one, and a box around several paragraphs is drawn once.
func TestItemsInLinesAndBoxes(t *testing.T) {
	edge := layout.Edge{Width: 1, Color: "204060"}
	line := layout.Style{Border: &layout.Border{layout.Bottom: edge}, Padding: &layout.Sides{4, 0, 4, 0}}
	box := layout.Style{Border: &layout.Border{edge, edge, edge, edge}, Padding: &layout.Sides{4, 8, 4, 8}}
	item := func(style int, texts ...string) layout.Node {
		n := layout.Node{Kind: layout.Item, Style: style}
		for _, text := range texts {
			n.Children = append(n.Children, paragraph(text))
		}
		return n
	}
	list := func(items ...layout.Node) layout.Node {
		return layout.Node{Kind: layout.List, List: &layout.ListOf{Marker: "none"}, Children: items}
	}
	for name, c := range map[string]struct {
		list  layout.Node
		lines []string // of each paragraph
	}{
		"lines": {list(item(2, "a"), item(2, "b")), []string{"bottom between 204060", "bottom between 204060"}},
		"boxes": {list(item(3, "a"), item(3, "b")), []string{"top left bottom right 204060", "top left bottom right 204061"}},
		"a box of three": {
			list(item(3, "a", "b", "c")),
			[]string{"top left right 204060", "left right 204060", "left bottom right 204060"},
		},
	} {
		d := sheetOf(c.list)
		d.Styles = append(d.Styles, line, box)
		f, _, _ := written(t, d, options())
		var lines []string
		for _, p := range regexp.MustCompile(`<w:pBdr>.*?</w:pBdr>`).FindAllString(f.Parts["/word/document.xml"], -1) {
			var sides []string
			for _, m := range regexp.MustCompile(`<w:(top|left|bottom|right|between) `).FindAllStringSubmatch(p, -1) {
				sides = append(sides, m[1])
			}
			lines = append(lines, strings.Join(append(sides, regexp.MustCompile(`w:color="(\w+)"`).FindStringSubmatch(p)[1]), " "))
		}
		if !slices.Equal(lines, c.lines) {
			t.Errorf("%s: %q, want %q", name, lines, c.lines)
		}
	}
}

// TestBordersWithoutAColor are not drawn: Word refuses a border whose colour says nothing.
func TestBordersWithoutAColor(t *testing.T) {
	d := sheetOf(layout.Node{Kind: layout.Table, Table: &layout.TableOf{Columns: []float64{400}}, Children: []layout.Node{row(cell("a", 1, 1))}}, layout.Node{Kind: layout.Paragraph, Style: 1, Text: "b"})
	clear := layout.Edge{Width: 2, Line: "solid"}
	d.Styles = append(d.Styles, layout.Style{Font: "Inter", Size: 12, Color: "202020", Border: &layout.Border{clear, clear, clear, clear}})
	d.Sheets[0].Body.Children[0].Children[0].Children[0].Style, d.Sheets[0].Body.Children[1].Style = 2, 2
	f, _, _ := written(t, d, options())
	if text := f.Parts["/word/document.xml"] + f.Parts["/word/styles.xml"]; strings.Contains(text, `w:color=""`) {
		t.Error("a border has an empty colour")
	}
}

// Of a stranger's text and addresses nothing leads where it should not, and all is read
// as it was.
func TestHostileContent(t *testing.T) {
	link := func(ref string) layout.Node {
		return layout.Node{Kind: layout.Paragraph, Children: []layout.Node{{Kind: layout.Link, Ref: ref, Text: "go"}}}
	}
	deep := paragraph("deepest")
	for range 60 {
		deep = layout.Node{Kind: layout.Block, Style: 1, Children: []layout.Node{paragraph("x"), deep}}
	}
	d := sheetOf(paragraph("\x00<w:p>&amp;\uFFFE\"' \t\u00ADx"), link("javascript:alert(1)"), link("file:///etc/passwd"), link("#nowhere"), link("https://example.com/a b?c=ü&d=\"1\""), link("https://[::1"), deep,
		layout.Node{Kind: layout.Image, Box: &layout.Box{Width: 10, Height: 10}, Image: &layout.ImageOf{Source: "https://elsewhere.example/x.png", Alt: "Lost"}},
		layout.Node{Kind: layout.Image, Box: &layout.Box{Width: 1e6, Height: 10}, Image: &layout.ImageOf{Drawing: 2, What: "a formula"}, ID: "e2"},
		layout.Node{Kind: layout.Paragraph, Children: []layout.Node{{Kind: layout.Field, Field: layout.PageOf, Ref: "nowhere", Text: "7"}}},
		layout.Node{Kind: layout.List, List: &layout.ListOf{Marker: `"` + strings.Repeat("→", 400) + `"`}, Children: []layout.Node{{Kind: layout.Item}}})
	f, warnings, _ := written(t, d, options())
	text := f.Text()
	for _, want := range []string{`<w:p>&amp;"'`, "go", "deepest", "[Lost]", "7"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q", want)
		}
	}
	rels := f.Parts["/word/_rels/document.xml.rels"]
	if strings.Contains(rels, "javascript") || strings.Contains(rels, "passwd") || !strings.Contains(rels, "https://example.com/a%20b?c=") {
		t.Errorf("it leads to %s", rels)
	}
	if len(warnings) != 2 || warnings[1].ID != "e2" || !strings.Contains(warnings[1].Message, "a formula is a picture") {
		t.Errorf("the warnings are %+v", warnings)
	}
}

// Documents that hold nothing are valid, too.
// TestSectionsBeginOnOddPages: where a page says so, and before the paper's size, as
// the order of ECMA-376 17.6.17 is.
func TestSectionsBeginOnOddPages(t *testing.T) {
	sheet := func(on string) layout.Sheet {
		return layout.Sheet{Width: 794, Height: 1123, StartOn: on, Body: &layout.Node{Kind: layout.Block}}
	}
	f, _, _ := written(t, &layout.Document{State: layout.Flow, Styles: []layout.Style{{}}, Sheets: []layout.Sheet{sheet(""), sheet("odd"), sheet("even")}}, options())
	var got []string
	for _, m := range regexp.MustCompile(`<w:sectPr>.*?</w:sectPr>`).FindAllString(f.Parts["/word/document.xml"], -1) {
		kind := regexp.MustCompile(`<w:type w:val="(\w+)"/><w:pgSz `).FindStringSubmatch(m)
		got = append(got, strings.Join(kind[min(1, len(kind)):], ""))
	}
	if all := strings.Join(got, ","); all != ",oddPage,evenPage" {
		t.Errorf("sections begin on %q", all)
	}
}

func TestEmptyDocuments(t *testing.T) {
	for name, d := range map[string]*layout.Document{
		"no sheets":     {State: layout.Flow, Styles: []layout.Style{{}}},
		"an empty page": sheetOf(),
		"an empty card": sheetOf(layout.Node{Kind: layout.Block, Style: 1, Children: []layout.Node{{Kind: layout.Block}}}),
	} {
		t.Run(name, func(t *testing.T) { written(t, d, options()) })
	}
	if _, err := Write(&bytes.Buffer{}, &layout.Document{State: layout.Pages, Styles: []layout.Style{{}}}, options()); err == nil {
		t.Error("pages are written")
	}
}

// Who has gone is not written for.
func TestWriteEnds(t *testing.T) {
	gone := options()
	gone.Alive = func() error { return os.ErrDeadlineExceeded }
	if _, err := Write(&bytes.Buffer{}, sheetOf(paragraph("x")), gone); err != os.ErrDeadlineExceeded {
		t.Errorf("written with %v", err)
	}
}

// The judge of these tests would tell.
func TestFaultsAreFound(t *testing.T) {
	_, _, content := written(t, read(t, "bulletin.json"), options())
	for name, change := range map[string][3]string{
		"a style that is not there":     {"/word/document.xml", `w:val="Heading1"`, `w:val="Heading9"`},
		"a list that is not there":      {"/word/document.xml", `<w:numId w:val="1"/>`, `<w:numId w:val="77"/>`},
		"a picture that is nothing":     {"/word/document.xml", ` r:embed="`, ` r:embed="x`},
		"a cell too few":                {"/word/document.xml", `<w:gridSpan w:val="3"/>`, ``},
		"a bookmark that does not end":  {"/word/document.xml", `<w:bookmarkEnd w:id="1"/>`, ``},
		"a bookmark of another name":    {"/word/document.xml", `w:name="_Toc00000003"`, `w:name="_Toc00000099"`},
		"two drawings of one number":    {"/word/document.xml", `<wp:docPr id="2"`, `<wp:docPr id="1"`},
		"a part without a type":         {"/[Content_Types].xml", `PartName="/word/document.xml"`, `PartName="/word/other.xml"`},
		"a relationship to what is not": {"/word/_rels/document.xml.rels", `/word/styles.xml`, `/word/style.xml`},
		"what is no XML":                {"/word/document.xml", `<w:body>`, `<w:body`},
		"a letter that XML has not":     {"/word/document.xml", `<w:body>`, "<w:body>\x01"},
		"an attribute twice":            {"/word/document.xml", `<w:pgSz `, `<w:pgSz w:w="1" `},
		"a column of another width":     {"/word/document.xml", `<w:gridCol w:w="`, `<w:gridCol w:w="1`},
		"a cell of another width":       {"/word/document.xml", `<w:tcW w:w="`, `<w:tcW w:w="9`},
		"tables that meet":              {"/word/document.xml", `</w:tbl>`, `</w:tbl><w:tbl><w:tblPr><w:tblW w:w="0"/></w:tblPr><w:tblGrid/></w:tbl>`},
		"a repeated row below":          {"/word/document.xml", `</w:tr></w:tbl>`, `</w:tr><w:tr><w:trPr><w:tblHeader/></w:trPr></w:tr></w:tbl>`},
		"a part that nothing leads to":  {"/word/_rels/document.xml.rels", `Target="/word/settings.xml"`, `Target="/word/styles.xml"`},
		"one relationship twice":        {"/word/_rels/document.xml.rels", `Id="rId2"`, `Id="rId1"`},
	} {
		t.Run(name, func(t *testing.T) {
			f := docxtest.Open(t, content)
			changed := strings.Replace(f.Parts[change[0]], change[1], change[2], 1)
			if changed == f.Parts[change[0]] {
				t.Fatalf("%s has no %s", change[0], change[1])
			}
			f.Parts[change[0]] = changed
			if len(f.Faults()) == 0 {
				t.Error("nobody finds it")
			}
		})
	}
}

// What stands freely on pages is in the headers of those that have it.
func TestStamps(t *testing.T) {
	stamp := func(pages string, above bool, x float64) layout.Stamp {
		return layout.Stamp{Pages: pages, Above: above, Node: layout.Node{Kind: layout.Image, Box: &layout.Box{X: x, Y: 220, Width: 300, Height: 300}, Image: &layout.ImageOf{Drawing: 1, Decorative: true}}}
	}
	for name, c := range map[string]struct {
		stamps           []layout.Stamp
		first, following string // offsets from the left
	}{
		"none":              {nil, "", ""},
		"all pages":         {[]layout.Stamp{stamp("all", false, 10)}, "", "95250"},
		"the first":         {[]layout.Stamp{stamp("first", true, 20)}, "190500", ""},
		"all but the first": {[]layout.Stamp{stamp("following", false, -4)}, "", "-38100"},
		"each its own":      {[]layout.Stamp{stamp("first", true, 20), stamp("all", true, 10), stamp("following", true, 30)}, "190500 95250", "95250 285750"},
	} {
		t.Run(name, func(t *testing.T) {
			d := sheetOf(paragraph("text"))
			d.Sheets[0].Header = &layout.Node{Kind: layout.Block, Children: []layout.Node{paragraph("head")}}
			d.Sheets[0].Stamps = c.stamps
			f, _, _ := written(t, d, options())
			titled := strings.Contains(f.Parts["/word/document.xml"], "<w:titlePg/>")
			if wanted := name != "none" && name != "all pages"; titled != wanted {
				t.Errorf("a first page of its own: %t", titled)
			}
			found := map[string]string{}
			for _, m := range regexp.MustCompile(`<w:headerReference w:type="(\w+)" r:id="(\w+)"/>`).FindAllStringSubmatch(f.Parts["/word/document.xml"], -1) {
				target := regexp.MustCompile(`Id="` + m[2] + `"[^>]*Target="([^"]+)"`).FindStringSubmatch(f.Parts["/word/_rels/document.xml.rels"])
				part := f.Parts[target[1]]
				if !strings.Contains(part, "head") {
					t.Errorf("the header of %s pages is lost", m[1])
				}
				var at []string
				for _, o := range regexp.MustCompile(`<wp:positionH relativeFrom="page"><wp:posOffset>(-?\d+)<`).FindAllStringSubmatch(part, -1) {
					at = append(at, o[1])
				}
				found[m[1]] = strings.Join(at, " ")
			}
			if found["default"] != c.following || found["first"] != c.first {
				t.Errorf("they stand at %q", found)
			}
		})
	}
}

// FuzzWrite: whatever is in the document, there is one of Word without faults.
func FuzzWrite(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.json")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := layout.Decode(text)
		if err != nil || d.State != layout.Flow {
			return
		}
		written(t, d, options())
	})
}
