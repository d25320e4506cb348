// Package docxtest opens documents of Word in tests: their parts, their text, and what
// is wrong with them that validators of the standard miss.
package docxtest

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
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
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	f := &File{Parts: map[string]string{}}
	for _, entry := range r.File {
		opened, err := entry.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(opened)
		if err != nil {
			t.Fatal(err)
		}
		f.Parts["/"+entry.Name] = string(text)
	}
	return f
}

// Text is the text of the document, without headers and footers: a line for each
// paragraph, blanks as one, without what fields count.
func (f *File) Text() string {
	var b strings.Builder
	f.walk("/word/document.xml", func(e xml.StartElement) {
		switch e.Name.Local {
		case "p":
			b.WriteString("\n")
		case "tab", "br":
			b.WriteString(" ")
		}
	}, func(name, text string) {
		if name == "t" {
			b.WriteString(text)
		}
	})
	return b.String()
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
	f.list = nil
	f.types()
	f.relations()
	f.ids()
	f.tables()
	return f.list
}

func (f *File) types() {
	known := f.Parts["/[Content_Types].xml"]
	for name := range f.Parts {
		ending := strings.TrimPrefix(path.Ext(name), ".")
		if name != "/[Content_Types].xml" && !strings.Contains(known, `PartName="`+name+`"`) && !strings.Contains(known, `Extension="`+ending+`"`) {
			f.add("%s has no content type", name)
		}
	}
	for _, part := range regexp.MustCompile(`PartName="([^"]+)"`).FindAllStringSubmatch(known, -1) {
		if _, there := f.Parts[part[1]]; !there {
			f.add("%s has a content type, and is not there", part[1])
		}
	}
}

func (f *File) relations() {
	for name, content := range f.Parts {
		if !strings.HasSuffix(name, ".xml") || strings.Contains(name, "_rels/") {
			continue
		}
		rels := path.Join(path.Dir(name), "_rels", path.Base(name)+".rels")
		ids := map[string]bool{}
		f.walk(rels, func(e xml.StartElement) {
			if e.Name.Local != "Relationship" {
				return
			}
			ids[attr(e, "Id")] = true
			if target := attr(e, "Target"); attr(e, "TargetMode") != "External" {
				if _, there := f.Parts[target]; !there {
					f.add("%s refers to %s, which is not there", name, target)
				}
			}
		}, nil)
		for _, id := range regexp.MustCompile(` r:(?:id|embed)="([^"]*)"`).FindAllStringSubmatch(content, -1) {
			if !ids[id[1]] {
				f.add("%s refers to %s, which is nothing", name, id[1])
			}
		}
	}
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

// tables looks at whether rows have as many cells as the table has columns, and cells
// end with a paragraph.
func (f *File) tables() {
	type table struct{ grid, row int }
	for name := range f.Parts {
		if path.Dir(name) != "/word" || !strings.HasSuffix(name, ".xml") {
			continue
		}
		var open []table
		span, last := 0, ""
		f.walk(name, func(e xml.StartElement) {
			switch e.Name.Local {
			case "tbl":
				open = append(open, table{})
			case "gridCol":
				open[len(open)-1].grid++
			case "tr":
				open[len(open)-1].row = 0
			case "tc":
				span = 1
				open[len(open)-1].row++
			case "gridSpan":
				if _, err := fmt.Sscan(attr(e, "val"), &span); err != nil {
					f.add("%s: %v", name, err)
				}
				open[len(open)-1].row += span - 1
			}
		}, func(element, _ string) {
			end, ended := strings.CutPrefix(element, "/")
			if !ended {
				return
			}
			switch end {
			case "tr":
				if t := open[len(open)-1]; t.row != t.grid {
					f.add("%s: a row has %d cells in a table of %d columns", name, t.row, t.grid)
				}
			case "tc":
				if last != "p" {
					f.add("%s: a cell ends with %q", name, last)
				}
			case "tbl":
				open = open[:len(open)-1]
			}
			last = end
		})
	}
}
