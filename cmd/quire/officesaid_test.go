package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// said is what a report says, by the document that HTML, PDF and Office files share: what
// readers of Office files have to find again.
type said struct {
	title, language string
	sheets          []saidSheet
	headings        []saidHeading
	tables          []saidTable
	charts          []saidChart
	pictures        []saidPicture
	captions        []string
	numbered        int // captions
	contents        int // tables of contents
	figures         int // tables of figures
	entries         int // of both, and other numbers of pages
	quotes          int
}

type saidSheet struct {
	name          string
	width, height float64 // mm
	margin        []float64
	attached      bool
	uncounted     bool
	number, count bool     // header or footer print the page's number, and how many there are
	headings      []string // of the first level
}

type saidHeading struct {
	level  int
	text   string
	listed bool // in tables of contents, if there is one
}

type saidTable struct {
	columns, head int
	repeated      bool // the head, on every page
	continued     bool // its columns, on further sheets
	rows          [][]string
	caption       string
}

type saidPicture struct {
	alt        string
	decorative bool
}

// saidChart is what htmlgen says of a chart.
type saidChart struct {
	Alt        string `json:"-"`
	Lacks      string
	Base       struct{ Kind string }
	Categories []string
	Series     []seriesSaid
}

type seriesSaid struct {
	Name, Kind string
	Points     [][]*float64
}

// whatIsSaid reads such a document.
func whatIsSaid(t *testing.T, document []byte) *said {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	s := &said{}
	s.walk(root, place{})
	return s
}

// place is where a node of the document stands.
type place struct{ body, furniture, picture bool }

func hasAttribute(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func hasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attribute(n, "class")), class)
}

func (s *said) sheet() *saidSheet { return &s.sheets[len(s.sheets)-1] }

func (s *said) walk(n *html.Node, at place) {
	if n.Type == html.ElementNode {
		if hasClass(n, "q-chart-data") { // for screen readers alone; Office files have the chart's own
			return
		}
		s.element(n, &at)
	}
	for c := range n.ChildNodes() {
		s.walk(c, at)
	}
}

func (s *said) element(n *html.Node, at *place) {
	switch {
	case n.Data == "html":
		s.language = attribute(n, "lang")
	case n.Data == "title" && !at.body && s.title == "":
		s.title = squeezed(n)
	case hasClass(n, "q-sheet"):
		s.begin(n)
	case hasClass(n, "q-body"):
		at.body = true
	case hasClass(n, "q-header"), hasClass(n, "q-first-header"), hasClass(n, "q-footer"):
		at.furniture = true
	case at.furniture && hasClass(n, "q-page-number"):
		s.sheet().number = true
	case at.furniture && hasClass(n, "q-page-count"):
		s.sheet().count = true
	}
	if !at.body {
		return
	}
	switch {
	case len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6':
		h := saidHeading{int(n.Data[1] - '0'), squeezed(n), hasAttribute(n, "data-outline")}
		s.headings = append(s.headings, h)
		if h.level == 1 {
			s.sheet().headings = append(s.sheet().headings, h.text)
		}
	case n.Data == "table":
		s.tables = append(s.tables, tableSaid(n))
	case n.Data == "template":
		s.chart(n)
	case n.Data == "img" && !at.picture:
		alt := attribute(n, "alt")
		s.pictures = append(s.pictures, saidPicture{alt, alt == ""})
	case attribute(n, "role") == "img" && hasAttribute(n, "aria-label") && !hasAttribute(n, "data-field") && !at.picture: // fields are text in a frame
		at.picture = true
		s.pictures = append(s.pictures, saidPicture{attribute(n, "aria-label"), false})
	case hasClass(n, "q-figure-caption"):
		s.captions = append(s.captions, squeezed(n))
	case hasClass(n, "q-figure-name"):
		s.numbered++
	case hasClass(n, "q-toc"):
		s.contents += min(countOf(n, "q-entry")-countOf(n, "q-toc-page"), 1) // lists of pages are none
	case hasClass(n, "q-tof"):
		s.figures += min(countOf(n, "q-entry"), 1)
	case hasClass(n, "q-page-of"):
		s.entries++
	case n.Data == "blockquote":
		s.quotes++
	}
}

// countOf is how many nodes of a class are below another.
func countOf(n *html.Node, class string) (found int) {
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && hasClass(c, class) {
			found++
		}
	}
	return found
}

func (s *said) begin(n *html.Node) {
	sheet := saidSheet{
		name: attribute(n, "data-name"), attached: hasAttribute(n, "data-attached"), uncounted: attribute(n, "data-count") == "0",
		width: millimetres(attribute(n, "data-width")), height: millimetres(attribute(n, "data-height")),
	}
	for _, m := range strings.Fields(attribute(n, "data-margin")) {
		sheet.margin = append(sheet.margin, millimetres(m))
	}
	if sheet.attached { // a page of a PDF file, of which there is a picture
		s.pictures = append(s.pictures, saidPicture{alt: squeezed(n)})
	}
	s.sheets = append(s.sheets, sheet)
}

// millimetres is a length of CSS.
func millimetres(css string) float64 {
	for unit, mm := range map[string]float64{"mm": 1, "cm": 10, "in": 25.4, "pt": 25.4 / 72, "px": 25.4 / 96} {
		if digits, ok := strings.CutSuffix(css, unit); ok {
			if v, err := strconv.ParseFloat(digits, 64); err == nil {
				return v * mm
			}
		}
	}
	return 0
}

func (s *said) chart(n *html.Node) {
	doc := attribute(n, "data-chart")
	if doc == "" {
		return
	}
	var c saidChart
	if err := json.Unmarshal([]byte(doc), &c); err != nil {
		c.Lacks = fmt.Sprint(err)
	}
	if c.Alt = attribute(n.Parent, "aria-label"); c.Alt == "" {
		for box := range n.Parent.ChildNodes() {
			c.Alt = cmp.Or(c.Alt, attribute(box, "aria-label"))
		}
	}
	if c.Alt != "" { // then it was taken for a picture
		s.pictures = s.pictures[:len(s.pictures)-1]
	}
	s.charts = append(s.charts, c)
}

// series are the values of a chart by the names of its series: those that are there, with
// their places, in order.
func (c *saidChart) series() map[string][][2]float64 {
	made := map[string][][2]float64{}
	for _, s := range c.Series {
		values := [][2]float64{}
		for _, p := range s.Points {
			if p[1] != nil && (p[0] != nil || s.Kind == "marker") {
				place := 0.0
				if p[0] != nil {
					place = *p[0]
				}
				values = append(values, [2]float64{place, *p[1]})
			}
		}
		slices.SortStableFunc(values, byPlace)
		made[strings.Join(strings.Fields(s.Name), " ")] = values
	}
	return made
}

// byPlace orders the values of a series.
func byPlace(a, b [2]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }

// squeezed is the text that people see of a node, without what differs by pages.
func squeezed(n *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			return
		}
		if n.Data == "svg" || n.Data == "template" || n.Data == "math" || hasClass(n, "q-hidden") || hasClass(n, "q-page-of") || hasClass(n, "q-carry") || hasClass(n, "q-again") || hasClass(n, "q-page-sum") {
			return
		}
		if n.Data == "br" {
			b.WriteByte(' ')
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(n)
	return strings.Join(strings.Fields(b.String()), " ")
}

// tableSaid is a table with the texts of its cells, those of rows in it left out.
func tableSaid(table *html.Node) (t saidTable) {
	t.continued = hasAttribute(table, "data-continue")
	var reach []int // how many rows a cell above reaches into this column
	var walk func(n *html.Node, head bool)
	walk = func(n *html.Node, head bool) {
		for c := range n.ChildNodes() {
			if hasClass(c, "q-carry") || hasClass(c, "q-again") || hasClass(c, "q-page-sum") {
				continue // only pages that go on have it
			}
			switch c.Data {
			case "caption":
				t.caption = strings.TrimSpace(textOfNode(c))
			case "thead":
				walk(c, true)
			case "tbody", "tfoot":
				walk(c, false)
			case "tr":
				if head {
					t.repeated = t.repeated || hasAttribute(c, "data-repeat")
					t.head++
				}
				var texts []string
				at := 0
				skip := func() {
					for ; at < len(reach) && reach[at] > 0; at++ {
						reach[at]--
					}
				}
				for cell := range c.ChildNodes() {
					if cell.Data != "td" && cell.Data != "th" {
						continue
					}
					skip()
					texts = append(texts, squeezed(cell))
					for range spanOf(cell, "colspan") {
						for len(reach) <= at {
							reach = append(reach, 0)
						}
						reach[at] = spanOf(cell, "rowspan") - 1
						at++
					}
				}
				skip()
				t.rows = append(t.rows, texts)
			}
		}
	}
	walk(table, false)
	t.columns = len(reach)
	return t
}

func spanOf(n *html.Node, name string) int {
	v, _ := strconv.Atoi(attribute(n, name))
	return max(v, 1)
}
