package xlsxtest

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// invariants are what a workbook keeps to besides its schema: names of sheets, the order
// of rows and cells, styles that are there, tables and merged cells that do not overlap,
// links and names that lead to sheets, bounds of Excel.
func (b *Book) invariants() (faults []string) {
	fault := func(format string, values ...any) { faults = append(faults, fmt.Sprintf(format, values...)) }
	names, tables := map[string]bool{}, map[string]bool{}
	for _, s := range b.sheets {
		if name := strings.ToLower(s.name); names[name] || name == "" || utf8.RuneCountInString(s.name) > 31 || strings.ContainsAny(s.name, `:\/?*[]`) || strings.Trim(s.name, "'") != s.name {
			fault("%q is no name of a sheet, or of two", s.name)
		} else {
			names[name] = true
		}
	}
	there := func(reference string) bool {
		sheet, _, found := cutLast(reference, "!")
		return !found || names[strings.ToLower(strings.ReplaceAll(strings.Trim(sheet, "'"), "''", "'"))]
	}
	var book struct {
		Names []struct {
			Name string `xml:"name,attr"`
			Text string `xml:",chardata"`
		} `xml:"definedNames>definedName"`
	}
	if err := xml.Unmarshal(b.parts["xl/workbook.xml"], &book); err != nil {
		fault("%v", err)
	}
	for _, n := range book.Names {
		if !there(n.Text) { // several areas are of one sheet
			fault("the name %s is of %s, which is not there", n.Name, n.Text)
		}
	}
	for _, s := range b.sheets {
		faults = append(faults, s.rows(len(b.codes))...)
		for _, link := range s.XML.Links {
			if !there(link.Location) {
				fault("%s %s: leads to %s, which is not there", s.name, link.Ref, link.Location)
			}
		}
		var taken []area
		for _, m := range s.XML.Merged {
			taken = append(taken, areaOf(m.Ref))
		}
		for i, a := range taken {
			if slices.ContainsFunc(taken[:i], a.meets) {
				fault("%s: merged cells overlap at %s", s.name, s.XML.Merged[i].Ref)
			}
		}
	}
	for name, text := range b.parts {
		if !strings.HasPrefix(name, "xl/tables/") || !strings.HasSuffix(name, ".xml") {
			continue
		}
		var t struct {
			ID      string `xml:"id,attr"`
			Name    string `xml:"displayName,attr"`
			Ref     string `xml:"ref,attr"`
			Columns []struct {
				Name string `xml:"name,attr"`
			} `xml:"tableColumns>tableColumn"`
		}
		if err := xml.Unmarshal(text, &t); err != nil {
			fault("%s: %v", name, err)
		}
		a, columns := areaOf(t.Ref), map[string]bool{}
		for _, c := range t.Columns {
			if key := strings.ToLower(c.Name); columns[key] || key == "" {
				fault("%s: the column %q is there twice, or has no name", name, c.Name)
			} else {
				columns[key] = true
			}
		}
		if key := strings.ToLower(t.Name); tables[key] || tables[t.ID] || key == "" || a.right-a.left+1 != len(t.Columns) || a.bottom <= a.top {
			fault("%s: the table %s (%s) of %s has %d columns", name, t.Name, t.ID, t.Ref, len(t.Columns))
		} else {
			tables[key], tables[t.ID] = true, true
		}
	}
	return faults
}

// rows looks at the rows, cells and columns of a sheet.
func (s *sheet) rows(styles int) (faults []string) {
	fault := func(format string, values ...any) {
		faults = append(faults, s.name+": "+fmt.Sprintf(format, values...))
	}
	for _, c := range s.XML.Cols {
		if width, err := strconv.ParseFloat(c.Width, 64); err != nil || width < 0 || width > 255 {
			fault("a column is %s wide", c.Width)
		}
	}
	row := 0
	for _, r := range s.XML.Rows {
		if r.Number <= row || r.Number > 1_048_576 {
			fault("the row %d stands below %d", r.Number, row)
		}
		if level, _ := strconv.Atoi(r.Level); level > 7 {
			fault("the row %d has the level %d", r.Number, level)
		}
		row = r.Number
		column := 0
		for _, c := range r.Cells {
			at := areaOf(c.Ref)
			if at.top != row || at.left <= column || at.left > 16_384 {
				fault("the cell %s stands in row %d behind column %d", c.Ref, row, column)
			}
			column = at.left
			if c.Style < 0 || c.Style >= styles {
				fault("the cell %s has the style %d of %d", c.Ref, c.Style, styles)
			}
			if utf8.RuneCountInString(c.Text) > 32_767 {
				fault("the cell %s has %d letters", c.Ref, utf8.RuneCountInString(c.Text))
			}
			if c.Type == "" && c.Value != "" {
				if _, err := strconv.ParseFloat(c.Value, 64); err != nil {
					fault("the cell %s has the number %q", c.Ref, c.Value)
				}
			}
			if c.Formula != "" && c.Value == "" {
				fault("the cell %s has no value beside its formula", c.Ref)
			}
		}
	}
	for _, at := range []string{s.XML.Header, s.XML.First, s.XML.Footer} {
		if utf8.RuneCountInString(at) > 255 {
			fault("a header or footer has %d letters", utf8.RuneCountInString(at))
		}
	}
	return faults
}

// area are cells from one corner to the other, counted from 1.
type area struct{ left, top, right, bottom int }

func areaOf(ref string) (a area) {
	from, to, several := strings.Cut(strings.ReplaceAll(ref, "$", ""), ":")
	if !several {
		to = from
	}
	corner := func(cell string) (column, row int) {
		letters := strings.TrimRight(cell, "0123456789")
		for _, r := range letters {
			column = column*26 + int(r-'A') + 1
		}
		row, _ = strconv.Atoi(cell[len(letters):])
		return column, row
	}
	a.left, a.top = corner(from)
	a.right, a.bottom = corner(to)
	return a
}

func (a area) meets(b area) bool {
	return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom
}

// cutLast is strings.Cut at the last separator.
func cutLast(s, separator string) (before, after string, found bool) {
	if at := strings.LastIndex(s, separator); at >= 0 {
		return s[:at], s[at+len(separator):], true
	}
	return s, "", false
}
