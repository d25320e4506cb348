package xlsx

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/render/office/opc"
)

// SheetConfig is what a sheet has besides its rows.
type SheetConfig struct {
	Name    string // as SheetName makes them
	Columns []Column
	// FreezeRows and FreezeColumns stay where they are while the rest is moved.
	FreezeRows, FreezeColumns int
	// TitleRows, the first and the last of them, are printed on every page.
	TitleRows     [2]int
	RowLevels     int // the deepest level of its rows' outline
	RightToLeft   bool
	SummaryAbove  bool // of an outline; otherwise sums stand below what they sum up
	HideGridlines bool
	Page          Page
}

// Column is how wide a column is and how its cells look that say nothing else.
type Column struct {
	Width  float64 // in characters of the base font; 0: Excel's own
	Style  StyleID
	Level  int // of the outline
	Hidden bool
}

// Page is how a sheet is printed.
type Page struct {
	Landscape bool
	Paper     int // by Excel's numbers: 9 is A4, 1 is Letter; 0: the printer's
	FitWidth  bool
	// Margins in inches: left, right, top, bottom, header, footer.
	Margins [6]float64
	// Header and Footer with Excel's codes: &L, &C, &R, &P, &N.
	Header, Footer string
	// First says that the first page has FirstHeader in place of Header.
	First       bool
	FirstHeader string
}

// Row is a row with its cells.
type Row struct {
	Cells  []Cell
	Height float64 // points; 0: Excel's own
	Fixed  bool    // it keeps the height whatever its cells hold
	Level  int     // of the outline
}

// Cell is one cell. Which of its values counts its kind says.
type Cell struct {
	Kind    Kind
	Number  float64 // also of moments, as Serial makes them
	Text    string
	Bool    bool
	Formula string // without the equals sign; the value is what it computes to
	Style   StyleID
	Link    string // an address outside, or #'Sheet'!A1 in the workbook
	Tip     string // of the link
}

// Kind is what a cell holds.
type Kind int

// The kinds of cells.
const (
	Empty Kind = iota
	Number
	Text
	Bool
)

// Sheet is the sheet that is being written.
type Sheet struct {
	wb           *Workbook
	config       SheetConfig
	part, id     string
	x            *opc.XML
	row          int
	names        []string // of its columns
	filter       string
	tables       []Table
	merged       []string
	drawings     []drawn
	links        []link
	cut, dropped int // texts that were too long, links that were too many
	ended        bool
}

type link struct{ ref, address, tip string }

// Table is a range with a name that Excel sorts and filters. The cells of its
// first row hold the names of its columns.
type Table struct {
	Name    string
	Row     int // of the names, from 1
	Column  int
	Columns []string
	Rows    int // below the names
	Totals  bool
	Style   string // such as TableStyleLight1; empty: none
	Banded  bool
}

// Style gives the number of a style.
func (wb *Workbook) Style(s Style) StyleID {
	s.rightToLeft = wb.config.RightToLeft
	return wb.styles.add(s)
}

// Sheet ends the sheet before, if any, and begins one.
func (wb *Workbook) Sheet(c SheetConfig) (*Sheet, error) {
	if len(wb.sheets) > 0 {
		if err := wb.last().end(); err != nil {
			return nil, err
		}
	}
	if name := SheetName(c.Name, wb.hasSheet); name != c.Name {
		return nil, fmt.Errorf("a sheet cannot be named %q; %q would do", c.Name, name)
	}
	s := &Sheet{wb: wb, config: c, part: fmt.Sprintf("/xl/worksheets/sheet%d.xml", len(wb.sheets)+1)}
	s.id = wb.pkg.Relate(workbookPart, relationNamespace+"/worksheet", s.part)
	w, err := wb.pkg.Part(s.part, contentTypes+"worksheet+xml")
	if err != nil {
		return nil, err
	}
	s.x = opc.NewXML(w)
	s.begin()
	wb.sheets = append(wb.sheets, s)
	return s, nil
}

func (wb *Workbook) hasSheet(name string) bool {
	for _, s := range wb.sheets {
		if strings.EqualFold(s.config.Name, name) {
			return true
		}
	}
	return false
}

func (s *Sheet) begin() {
	x, c := s.x, &s.config
	x.Open("worksheet").Attr("xmlns", mainNamespace).Attr("xmlns:r", relationNamespace)
	x.Open("sheetPr").Open("outlinePr").Attr("summaryBelow", digit(!c.SummaryAbove)).Close()
	if c.Page.FitWidth {
		x.Open("pageSetUpPr").Attr("fitToPage", "1").Close()
	}
	x.Close()
	s.beginView()
	x.Open("sheetFormatPr").Attr("defaultRowHeight", "15")
	if c.RowLevels > 0 {
		x.Int("outlineLevelRow", min(c.RowLevels, mostLevel))
	}
	if level := outline(c.Columns); level > 0 {
		x.Int("outlineLevelCol", level)
	}
	x.Close()
	s.beginColumns()
	x.Open("sheetData")
}

func (s *Sheet) beginView() {
	x, c := s.x, &s.config
	x.Open("sheetViews").Open("sheetView")
	if c.HideGridlines {
		x.Attr("showGridLines", "0")
	}
	if c.RightToLeft {
		x.Attr("rightToLeft", "1")
	}
	x.Int("workbookViewId", 0)
	if c.FreezeRows > 0 || c.FreezeColumns > 0 {
		pane := "bottomRight"
		x.Open("pane")
		if c.FreezeColumns > 0 {
			x.Int("xSplit", c.FreezeColumns)
		} else {
			pane = "bottomLeft"
		}
		if c.FreezeRows > 0 {
			x.Int("ySplit", c.FreezeRows)
		} else {
			pane = "topRight"
		}
		x.Attr("topLeftCell", Ref(c.FreezeRows+1, c.FreezeColumns+1)).Attr("activePane", pane).Attr("state", "frozen").Close()
		x.Open("selection").Attr("pane", pane).Close()
	}
	x.Close().Close()
}

func outline(columns []Column) (deepest int) {
	for _, c := range columns {
		deepest = max(deepest, min(c.Level, mostLevel))
	}
	return deepest
}

func (s *Sheet) beginColumns() {
	if len(s.config.Columns) == 0 {
		return
	}
	x := s.x
	x.Open("cols")
	for i, c := range s.config.Columns {
		x.Open("col").Int("min", i+1).Int("max", i+1)
		if c.Width > 0 {
			x.Number("width", math.Min(c.Width, mostWidth)).Attr("customWidth", "1")
		} else {
			x.Attr("width", "9.140625") // the schema wants one
		}
		if c.Style != 0 {
			x.Int("style", int(c.Style))
		}
		if c.Hidden {
			x.Attr("hidden", "1")
		}
		if c.Level > 0 {
			x.Int("outlineLevel", min(c.Level, mostLevel))
		}
		x.Close()
	}
	x.Close()
}

func digit(on bool) string {
	if on {
		return "1"
	}
	return "0"
}

// ErrFull is a sheet that has as many rows as Excel takes.
var ErrFull = errors.New("the sheet is full: Excel takes 1,048,576 rows")

// Row writes the next row and tells its number, from 1.
func (s *Sheet) Row(r Row) (number int, err error) {
	if s.ended {
		return 0, errors.New("the sheet has ended")
	}
	if s.row == MostRows {
		return 0, ErrFull
	}
	if len(r.Cells) > MostColumns {
		return 0, fmt.Errorf("a row of %d cells; Excel takes %d", len(r.Cells), MostColumns)
	}
	s.row++
	x := s.x
	x.Open("row").Int("r", s.row)
	if r.Height > 0 {
		x.Number("ht", math.Min(r.Height, mostHeight))
		if r.Fixed {
			x.Attr("customHeight", "1")
		}
	}
	if r.Level > 0 {
		x.Int("outlineLevel", min(r.Level, mostLevel))
	}
	for i := range r.Cells {
		if len(s.names) <= i {
			s.names = append(s.names, ColumnName(i+1))
		}
		s.cell(&r.Cells[i], s.names[i])
	}
	x.Close()
	return s.row, nil
}

// Skip leaves rows empty.
func (s *Sheet) Skip(rows int) { s.row = min(s.row+rows, MostRows) }

func (s *Sheet) cell(c *Cell, column string) {
	if c.Kind == Empty && c.Style == 0 && c.Formula == "" {
		return
	}
	x, style := s.x, c.Style
	if c.Kind == Text && c.Formula == "" && looksComputed(c.Text) {
		style = s.wb.styles.quoted(style)
	}
	x.Open("c").Ref("r", column, s.row)
	if style != 0 {
		x.Int("s", int(style))
	}
	switch {
	case c.Kind == Number && !math.IsNaN(c.Number) && !math.IsInf(c.Number, 0):
		s.formula(c)
		x.Open("v").Digits(c.Number).Close()
	case c.Kind == Number:
		x.Attr("t", "e")
		s.formula(c)
		x.Leaf("v", "#NUM!")
	case c.Kind == Bool:
		x.Attr("t", "b")
		s.formula(c)
		x.Leaf("v", digit(c.Bool))
	case c.Kind == Text && c.Formula != "":
		x.Attr("t", "str")
		s.formula(c)
		x.Leaf("v", s.fit(c.Text))
	case c.Kind == Text:
		x.Attr("t", "inlineStr").Open("is").Open("t").Attr("xml:space", "preserve").Text(s.fit(c.Text)).Close().Close()
	default:
		s.formula(c)
	}
	x.Close()
	s.link(c, column)
}

// looksComputed says whether who edits a text would make a formula of it.
func looksComputed(text string) bool {
	return text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0]))
}

func (s *Sheet) formula(c *Cell) {
	if c.Formula != "" {
		s.x.Leaf("f", c.Formula)
	}
}

// fit is as much of a text as a cell takes.
func (s *Sheet) fit(text string) string {
	if len(text) <= mostText {
		return text
	}
	short := cut(text, mostText)
	if len(short) < len(text) {
		s.cut++
	}
	return short
}

func (s *Sheet) link(c *Cell, column string) {
	switch {
	case c.Link == "":
	case len(s.links) == mostLinks:
		s.dropped++
	default:
		s.links = append(s.links, link{column + strconv.Itoa(s.row), c.Link, c.Tip})
	}
}

// Filter puts arrows for filters over a range such as A3:F40.
func (s *Sheet) Filter(ref string) { s.filter = ref }

// Merge makes one cell of a range such as A1:F1 whose first cell holds something.
func (s *Sheet) Merge(ref string) { s.merged = append(s.merged, ref) }

// Rows is how many rows there are so far.
func (s *Sheet) Rows() int { return s.row }

// Table makes a table of rows that were written.
func (s *Sheet) Table(t Table) { s.tables = append(s.tables, t) }
