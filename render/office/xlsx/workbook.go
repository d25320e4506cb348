// Package xlsx writes Excel workbooks (SpreadsheetML, ECMA-376 part 1): rows as
// they come, which are never held in memory. Numbers are numbers, texts are texts,
// formulas have the values that they will compute to. It is a leaf: what stands in
// which cell others decide.
package xlsx

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/quire-reports/quire/render/office/opc"
)

const (
	mainNamespace     = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relationNamespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	contentTypes      = "application/vnd.openxmlformats-officedocument.spreadsheetml."
	workbookPart      = "/xl/workbook.xml"
)

// Config is what a workbook has as a whole.
type Config struct {
	About opc.Core
	Base  Font              // of cells that have no other; empty: Calibri of 11 points
	Warn  func(note string) // what Excel's limits left out
	// RightToLeft says that cells with a style are read from right to left. Without it
	// the first letter of a text decides, and a text without one, such as two dates with a
	// dash, is read from left to right.
	RightToLeft bool
}

// Workbook is a workbook that is being written. Its methods, and those of its
// sheets, are for one goroutine.
type Workbook struct {
	pkg    *opc.Writer
	config Config
	styles *styles
	sheets []*Sheet
	tables int

	drawings, charts int
	media            map[[sha256.Size]byte]string // parts of pictures
	names            map[string]bool              // of tables, in lower case
}

// New begins a workbook.
func New(w io.Writer, c Config) *Workbook {
	if c.Base.Name == "" {
		c.Base.Name = "Calibri"
	}
	if c.Base.Size == 0 {
		c.Base.Size = 11
	}
	if c.Warn == nil {
		c.Warn = func(string) {}
	}
	return &Workbook{pkg: opc.NewWriter(w, workbookPart, c.About), config: c, styles: newStyles(c.Base), names: map[string]bool{}, media: map[[sha256.Size]byte]string{}}
}

// Close ends the last sheet and the workbook. It needs at least one sheet.
func (wb *Workbook) Close() error {
	if len(wb.sheets) == 0 {
		return errors.New("a workbook needs a sheet")
	}
	if err := wb.last().end(); err != nil {
		return err
	}
	stylesPart := "/xl/styles.xml"
	wb.pkg.Relate(workbookPart, relationNamespace+"/styles", stylesPart)
	if err := wb.part(stylesPart, contentTypes+"styles+xml", wb.styles.write); err != nil {
		return err
	}
	if err := wb.part(workbookPart, contentTypes+"sheet.main+xml", wb.write); err != nil {
		return err
	}
	return wb.pkg.Close()
}

func (wb *Workbook) last() *Sheet { return wb.sheets[len(wb.sheets)-1] }

// part writes a part that is small.
func (wb *Workbook) part(name, contentType string, content func(*opc.XML)) error {
	w, err := wb.pkg.Part(name, contentType)
	if err != nil {
		return err
	}
	x := opc.NewXML(w)
	content(x)
	return x.End()
}

func (wb *Workbook) write(x *opc.XML) {
	x.Open("workbook").Attr("xmlns", mainNamespace).Attr("xmlns:r", relationNamespace)
	x.Open("bookViews").Open("workbookView").Close().Close()
	x.Open("sheets")
	for i, s := range wb.sheets {
		x.Open("sheet").Attr("name", s.config.Name).Int("sheetId", i+1).Attr("r:id", s.id).Close()
	}
	x.Close()
	wb.writeNames(x)
	// What is shown is what was computed; who changes a cell sees the new sums.
	x.Open("calcPr").Attr("fullCalcOnLoad", "1").Close()
	x.Close()
}

// writeNames writes the names by which Excel knows print titles and filters.
func (wb *Workbook) writeNames(x *opc.XML) {
	opened := false
	name := func(kind string, sheet int, hidden bool, ref string) {
		if !opened {
			x.Open("definedNames")
			opened = true
		}
		x.Open("definedName").Attr("name", "_xlnm."+kind).Int("localSheetId", sheet)
		if hidden {
			x.Attr("hidden", "1")
		}
		x.Text(ref).Close()
	}
	for i, s := range wb.sheets {
		if s.filter != "" {
			from, to, _ := strings.Cut(s.filter, ":")
			name("_FilterDatabase", i, true, quoted(s.config.Name)+"!"+absolute(from)+":"+absolute(to))
		}
		if t := s.config.TitleRows; t != [2]int{} {
			name("Print_Titles", i, false, fmt.Sprintf("%s!$%d:$%d", quoted(s.config.Name), t[0], t[1]))
		}
	}
	if opened {
		x.Close()
	}
}

// quoted is the name of a sheet as formulas have it.
func quoted(sheet string) string { return "'" + strings.ReplaceAll(sheet, "'", "''") + "'" }

// absolute puts the signs before column and row that keep a reference in place.
func absolute(ref string) string {
	at := strings.IndexAny(ref, "0123456789")
	return "$" + ref[:at] + "$" + ref[at:]
}
