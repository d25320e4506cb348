// Package pptxtest reads presentations in tests: what their slides say, and what in them
// is wrong that Microsoft's own validator does not see.
package pptxtest

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quire-reports/quire/render/office/opc/opctest"
)

// Deck is a presentation.
type Deck struct {
	Slides []Slide
	Parts  map[string][]byte
	faults []string
}

// Slide is what a slide shows.
type Slide struct {
	Title    string
	Hidden   bool   // nobody sees the title
	Text     string // of the layout and the slide, as they are read, without a hidden title
	Own      string // the same without the layout's
	Tables   int
	Charts   int
	Pictures int
	Layout   string // its name
}

// Open reads a presentation.
func Open(t testing.TB, content []byte) *Deck {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	d := &Deck{Parts: map[string][]byte{}}
	for _, f := range r.File {
		part, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := d.Parts["/"+f.Name]; twice {
			d.fault("%s is there twice", f.Name)
		}
		d.Parts["/"+f.Name] = text
	}
	named := map[string]string{}
	for name, text := range d.Parts {
		named[name] = string(text)
	}
	d.faults = append(d.faults, opctest.Faults(named)...)
	for name, text := range d.Parts {
		if strings.HasSuffix(name, ".xml") || strings.HasSuffix(name, ".rels") {
			d.look(name, text)
		}
	}
	d.identities()
	d.read()
	return d
}

// Faults are what is wrong with it.
func (d *Deck) Faults() []string { return d.faults }

func (d *Deck) fault(format string, args ...any) {
	d.faults = append(d.faults, fmt.Sprintf(format, args...))
}

// node is an element.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Nodes   []node     `xml:",any"`
	Text    string     `xml:",chardata"`
}

func (n *node) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (n *node) each(do func(*node)) {
	do(n)
	for i := range n.Nodes {
		n.Nodes[i].each(do)
	}
}

// find is the first element of a name below; nil if there is none.
func (n *node) find(name string) (found *node) {
	n.each(func(at *node) {
		if found == nil && at.XMLName.Local == name {
			found = at
		}
	})
	return found
}

func (n *node) all(name string) (list []*node) {
	n.each(func(at *node) {
		if at.XMLName.Local == name {
			list = append(list, at)
		}
	})
	return list
}

func (d *Deck) parse(name string) *node {
	n := &node{}
	if err := xml.Unmarshal(d.Parts[name], n); err != nil {
		d.fault("%s is no XML: %v", name, err)
	}
	return n
}

// relations are the targets of a part by their ids.
func (d *Deck) relations(part string) map[string]string {
	found := map[string]string{}
	name := path.Join(path.Dir(part), "_rels", path.Base(part)+".rels")
	if _, there := d.Parts[name]; !there {
		return found
	}
	for _, r := range d.parse(name).Nodes {
		if _, twice := found[r.attr("Id")]; twice {
			d.fault("%s has %s twice", name, r.attr("Id"))
		}
		found[r.attr("Id")] = r.attr("Target")
		if _, there := d.Parts[r.attr("Target")]; r.attr("TargetMode") != "External" && !there {
			d.fault("%s leads to %s, which is not there", name, r.attr("Target"))
		}
	}
	return found
}

const relationNamespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

// look looks at one part: ids, relationships, tables, charts.
func (d *Deck) look(name string, text []byte) {
	root := d.parse(name)
	relations := d.relations(name)
	ids := map[string]bool{}
	root.each(func(n *node) {
		for _, a := range n.Attrs {
			if a.Name.Space == relationNamespace && relations[a.Value] == "" {
				d.fault("%s refers to %s, which is no relationship", name, a.Value)
			}
		}
		switch n.XMLName.Local {
		case "cNvPr":
			if ids[n.attr("id")] {
				d.fault("%s has the shape %s twice", name, n.attr("id"))
			}
			ids[n.attr("id")] = true
		case "tbl":
			d.grid(name, n)
		}
	})
	if bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0xFFFE || r == 0xFFFF }) {
		d.fault("%s has characters that XML does not know", name)
	}
}

// grid looks whether each row of a table has a cell for each column, and whether merged
// cells are of one that reaches over them.
func (d *Deck) grid(name string, table *node) {
	wide := len(table.all("gridCol"))
	rows := table.all("tr")
	covered := make([][]bool, len(rows))
	for r := range covered {
		covered[r] = make([]bool, wide)
	}
	for r, row := range rows {
		cells := row.all("tc")
		if len(cells) != wide {
			d.fault("%s: a row has %d cells for %d columns", name, len(cells), wide)
			return
		}
		for c, cell := range cells {
			merged := cell.attr("hMerge") == "1" || cell.attr("vMerge") == "1"
			if merged != covered[r][c] {
				d.fault("%s: the cell %d of row %d is merged (%t), and covered by another (%t)", name, c+1, r+1, merged, covered[r][c])
			}
			if merged {
				continue
			}
			across, down := span(cell.attr("gridSpan")), span(cell.attr("rowSpan"))
			if c+across > wide || r+down > len(rows) {
				d.fault("%s: a cell reaches out of its table", name)
				return
			}
			for dr := range down {
				for dc := range across {
					covered[r+dr][c+dc] = dr > 0 || dc > 0
				}
			}
		}
	}
}

func span(digits string) int {
	n, _ := strconv.Atoi(digits)
	return max(1, n)
}

// identities looks whether master and layouts, and slides, have numbers of their own.
func (d *Deck) identities() {
	seen := map[string]string{}
	for name := range d.Parts {
		if name != "/ppt/presentation.xml" && !strings.HasPrefix(name, "/ppt/slideMasters/slideMaster") {
			continue
		}
		d.parse(name).each(func(n *node) {
			kind := n.XMLName.Local
			if kind != "sldMasterId" && kind != "sldLayoutId" && kind != "sldId" {
				return
			}
			id := n.attr("id")
			if seen[id] != "" {
				d.fault("a %s and a %s have the number %s", seen[id], kind, id)
			}
			seen[id] = kind
			number, _ := strconv.ParseUint(id, 10, 32)
			if (number >= 1<<31) != (kind != "sldId") || number < 256 {
				d.fault("a %s has the number %s", kind, id)
			}
		})
	}
}

// read reads the slides.
func (d *Deck) read() {
	relations := d.relations("/ppt/presentation.xml")
	for _, id := range d.parse("/ppt/presentation.xml").all("sldId") {
		name := relations[attrIn(id, relationNamespace)]
		slide := d.parse(name)
		s := Slide{}
		var on []string
		for _, target := range d.relations(name) {
			if strings.HasPrefix(target, "/ppt/slideLayouts/") {
				layout := d.parse(target)
				s.Layout = layout.find("cSld").attr("name")
				on = append(on, said(layout, nil))
			}
		}
		if len(on) != 1 {
			d.fault("%s has %d layouts", name, len(on))
		}
		s.Tables, s.Charts, s.Pictures = len(slide.all("tbl")), len(slide.all("chart")), len(slide.all("pic"))
		titles := 0
		var hidden *node
		for _, sp := range slide.all("sp") {
			if ph := sp.find("ph"); ph == nil || ph.attr("type") != "title" {
				continue
			}
			titles++
			s.Title = strings.Join(strings.Fields(said(sp, nil)), " ")
			if off := sp.find("off"); off != nil && strings.HasPrefix(off.attr("y"), "-") {
				s.Hidden, hidden = true, sp
			}
		}
		if titles != 1 || s.Title == "" {
			d.fault("%s has %d titles (%q)", name, titles, s.Title)
		}
		s.Own = said(slide, hidden)
		s.Text = strings.Join(append(on, s.Own), "\n")
		d.Slides = append(d.Slides, s)
	}
}

func attrIn(n *node, space string) string {
	at := slices.IndexFunc(n.Attrs, func(a xml.Attr) bool { return a.Name.Space == space })
	if at < 0 {
		return ""
	}
	return n.Attrs[at].Value
}

// said is the text of an element, a line a paragraph.
func said(n, without *node) string {
	if n == without {
		return ""
	}
	switch n.XMLName.Local {
	case "t":
		return n.Text
	case "br":
		return " "
	}
	var b strings.Builder
	for i := range n.Nodes {
		b.WriteString(said(&n.Nodes[i], without))
	}
	if n.XMLName.Local == "p" {
		b.WriteByte('\n')
	}
	return b.String()
}
