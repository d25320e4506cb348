// Package docxtest opens documents of Word in tests: their parts, their text, and what
// is wrong with them that validators of the standard miss.
package docxtest

import (
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/render/office/opc/opctest"
)

// File is a document of Word.
type File struct {
	Parts map[string]string // by name, with a slash before it
	faults
}

// faults are what is wrong.
type faults struct{ list []string }

func (f *faults) add(format string, values ...any) {
	f.list = append(f.list, fmt.Sprintf(format, values...))
}

// Open opens a document.
func Open(t testing.TB, content []byte) *File {
	t.Helper()
	return &File{Parts: opctest.Parts(t, content)}
}

// Text is the text of the document, without headers and footers: a line for each
// paragraph, blanks as one, without what fields count. Footnotes stand in parentheses in
// the place of their numbers.
func (f *File) Text() string {
	notes := map[string]*strings.Builder{}
	note := &strings.Builder{}
	f.walk("/word/footnotes.xml", func(e xml.StartElement) {
		if e.Name.Local == "footnote" {
			note = &strings.Builder{}
			notes[attr(e, "id")] = note
		}
	}, textInto(func() *strings.Builder { return note }))
	var b strings.Builder
	f.walk("/word/document.xml", func(e xml.StartElement) {
		switch e.Name.Local {
		case "p":
			b.WriteString("\n")
		case "tab", "br":
			b.WriteString(" ")
		case "footnoteReference":
			if note := notes[attr(e, "id")]; note != nil {
				b.WriteString(" (" + strings.TrimSpace(note.String()) + ")")
			} else {
				f.add("there is no footnote %s", attr(e, "id"))
			}
		}
	}, textInto(func() *strings.Builder { return &b }))
	return b.String()
}

// textInto writes the texts that walk meets.
func textInto(b func() *strings.Builder) func(name, text string) {
	return func(name, text string) {
		if name == "t" {
			b().WriteString(text)
		}
	}
}

// walk reads a part.
func (f *File) walk(part string, open func(xml.StartElement), text func(name, text string)) {
	d := xml.NewDecoder(strings.NewReader(f.Parts[part]))
	var names []string
	for {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			f.add("%s: %v", part, err)
			return
		}
		switch token := token.(type) {
		case xml.StartElement:
			names = append(names, token.Name.Local)
			open(token)
		case xml.EndElement:
			names = names[:len(names)-1]
			if text != nil {
				text("/"+token.Name.Local, "")
			}
		case xml.CharData:
			if text != nil && len(names) > 0 {
				text(names[len(names)-1], string(token))
			}
		}
	}
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// Faults are what keeps programs from opening the document, or from showing it as it is
// meant.
func (f *File) Faults() []string {
	f.list = opctest.Faults(f.Parts)
	f.ids()
	f.tables()
	return f.list
}

// ids looks at what refers to styles, lists and bookmarks, and at numbers that must
// differ.
func (f *File) ids() {
	styles, nums, marks, drawings := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	f.walk("/word/styles.xml", func(e xml.StartElement) {
		if e.Name.Local == "style" {
			styles[attr(e, "styleId")] = true
		}
	}, nil)
	f.walk("/word/numbering.xml", func(e xml.StartElement) {
		if e.Name.Local == "num" {
			nums[attr(e, "numId")] = true
		}
	}, nil)
	var wanted []string
	pageRef := regexp.MustCompile(`PAGEREF (\S+)`)
	for name := range f.Parts {
		if !strings.HasPrefix(name, "/word/") || path.Dir(name) != "/word" || !strings.HasSuffix(name, ".xml") {
			continue
		}
		open := map[string]bool{}
		f.walk(name, func(e xml.StartElement) {
			switch value := attr(e, "val"); e.Name.Local {
			case "pStyle", "rStyle", "tblStyle", "basedOn", "next":
				if !styles[value] {
					f.add("%s has the style %q, which is not there", name, value)
				}
			case "numId":
				if name != "/word/numbering.xml" && !nums[value] {
					f.add("%s has the list %q, which is not there", name, value)
				}
			case "docPr":
				if id := attr(e, "id"); drawings[id] {
					f.add("two drawings have the id %s", id)
				} else {
					drawings[id] = true
				}
			case "bookmarkStart":
				if mark := attr(e, "name"); marks[mark] || len(mark) > 40 {
					f.add("the bookmark %q is there twice, or too long", mark)
				} else {
					marks[mark] = true
				}
				open[attr(e, "id")] = true
			case "bookmarkEnd":
				if id := attr(e, "id"); !open[id] {
					f.add("the bookmark %s ends, and has not begun", id)
				} else {
					delete(open, id)
				}
			case "hyperlink":
				if anchor := attr(e, "anchor"); anchor != "" {
					wanted = append(wanted, anchor)
				}
			case "fldSimple":
				if m := pageRef.FindStringSubmatch(attr(e, "instr")); m != nil {
					wanted = append(wanted, m[1])
				}
			}
		}, nil)
		for id := range open {
			f.add("the bookmark %s does not end", id)
		}
	}
	for _, mark := range wanted {
		if !marks[mark] {
			f.add("the bookmark %q is referred to, and not there", mark)
		}
	}
	slices.Sort(f.list)
}

// tables looks at whether rows have as many cells as the table has columns, as wide as
// these, cells end with a paragraph, tables do not meet, and rows that pages repeat stand
// above all others.
func (f *File) tables() {
	for name := range f.Parts {
		if path.Dir(name) == "/word" && strings.HasSuffix(name, ".xml") {
			t := tables{faults: &f.faults, part: name}
			f.walk(name, t.open, t.close)
		}
	}
}

// table is one that is being read.
type table struct {
	grid      []int
	width     int // that it says it has
	row       int // how many columns of the row are taken
	cell      int // how wide the cell says it is
	span      int
	repeat    bool // the row
	body      bool // a row that is not repeated was there
	merged    map[int]bool
	merge     string
	continued map[int]bool
}

type tables struct {
	*faults
	part  string
	stack []*table
	last  string // what ended last
}

func (t *tables) open(e xml.StartElement) {
	number := func(attribute string) (n int) {
		if _, err := fmt.Sscan(attr(e, attribute), &n); err != nil {
			t.add("%s: %s: %v", t.part, e.Name.Local, err)
		}
		return n
	}
	if e.Name.Local == "tbl" {
		if t.last == "tbl" {
			t.add("%s: two tables meet, and become one", t.part)
		}
		t.stack = append(t.stack, &table{merged: map[int]bool{}})
	}
	t.last = ""
	if len(t.stack) == 0 {
		return
	}
	now := t.stack[len(t.stack)-1]
	switch e.Name.Local {
	case "gridCol":
		now.grid = append(now.grid, number("w"))
	case "tblW":
		now.width = number("w")
	case "tr":
		now.row, now.repeat, now.continued = 0, false, map[int]bool{}
	case "tblHeader":
		if now.repeat = true; now.body {
			t.add("%s: a row that pages repeat stands below one that they do not", t.part)
		}
	case "tc":
		now.span, now.cell, now.merge = 1, 0, ""
	case "tcW":
		now.cell = number("w")
	case "gridSpan":
		now.span = number("val")
	case "vMerge":
		if now.merge = attr(e, "val"); now.merge == "" {
			now.merge = "continue"
		}
	}
}

func (t *tables) close(element, _ string) {
	end, ended := strings.CutPrefix(element, "/")
	if !ended {
		return
	}
	if len(t.stack) > 0 {
		now := t.stack[len(t.stack)-1]
		switch end {
		case "tcPr":
			t.cell(now)
		case "tc":
			if t.last != "p" {
				t.add("%s: a cell ends with %q", t.part, t.last)
			}
		case "tr":
			if now.row != len(now.grid) {
				t.add("%s: a row has %d cells in a table of %d columns", t.part, now.row, len(now.grid))
			}
			now.body, now.merged = now.body || !now.repeat, now.continued
		case "tbl":
			sum := 0
			for _, w := range now.grid {
				sum += w
			}
			if sum != now.width {
				t.add("%s: a table is %d wide, and its columns are together %d", t.part, now.width, sum)
			}
			t.stack = t.stack[:len(t.stack)-1]
		}
	}
	switch end {
	case "p", "tbl", "sdt", "tc", "tr":
		t.last = end
	}
}

// cell looks at a cell whose properties are known.
func (t *tables) cell(now *table) {
	if now.row+now.span > len(now.grid) {
		now.row += now.span
		return // the end of the row tells
	}
	sum := 0
	for i := range now.span {
		sum += now.grid[now.row+i]
	}
	if d := now.cell - sum; d < -2*now.span || d > 2*now.span { // each is rounded
		t.add("%s: a cell is %d wide in columns of %d", t.part, now.cell, sum)
	}
	switch now.merge {
	case "restart":
		now.continued[now.row] = true
	case "continue":
		if !now.merged[now.row] {
			t.add("%s: a cell goes on from above, where none begins", t.part)
		}
		now.continued[now.row] = true
	}
	now.row += now.span
}
