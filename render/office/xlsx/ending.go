package xlsx

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/quire-reports/quire/render/office/opc"
)

// end writes what comes after the rows, in the order of the schema (18.3.1.99),
// and then the parts that belong to the sheet.
func (s *Sheet) end() error {
	if s.ended {
		return nil
	}
	s.ended = true
	x := s.x
	x.Close() // sheetData
	if s.filter != "" {
		x.Open("autoFilter").Attr("ref", s.filter).Close()
	}
	s.endMerged()
	s.endLinks()
	s.endPage()
	drawing := s.endDrawings()
	parts := s.endTables()
	x.Close()
	if err := x.End(); err != nil {
		return err
	}
	s.tell()
	if err := s.writeDrawings(drawing); err != nil {
		return err
	}
	for i, part := range parts {
		if err := s.wb.part(part, contentTypes+"table+xml", s.tables[i].writer(s.wb, part)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sheet) endMerged() {
	if len(s.merged) == 0 {
		return
	}
	s.x.Open("mergeCells").Int("count", len(s.merged))
	for _, ref := range s.merged {
		s.x.Open("mergeCell").Attr("ref", ref).Close()
	}
	s.x.Close()
}

func (s *Sheet) tell() {
	if s.cut > 0 {
		s.wb.config.Warn(fmt.Sprintf("sheet %q: %d texts are longer than the 32,767 characters that Excel takes in a cell and were cut", s.config.Name, s.cut))
	}
	if s.dropped > 0 {
		s.wb.config.Warn(fmt.Sprintf("sheet %q: Excel takes 65,530 links; %d more are plain text", s.config.Name, s.dropped))
	}
}

func (s *Sheet) endLinks() {
	if len(s.links) == 0 {
		return
	}
	x := s.x
	x.Open("hyperlinks")
	for _, l := range s.links {
		x.Open("hyperlink").Attr("ref", l.ref)
		if place, inside := strings.CutPrefix(l.address, "#"); inside {
			x.Attr("location", place)
		} else {
			x.Attr("r:id", s.wb.pkg.RelateOutside(s.part, relationNamespace+"/hyperlink", l.address))
		}
		if l.tip != "" {
			x.Attr("tooltip", cut(l.tip, mostHeader))
		}
		x.Close()
	}
	x.Close()
}

func (s *Sheet) endPage() {
	x, p := s.x, &s.config.Page
	if p.Margins != [6]float64{} {
		x.Open("pageMargins")
		for i, name := range []string{"left", "right", "top", "bottom", "header", "footer"} {
			x.Number(name, p.Margins[i])
		}
		x.Close()
	}
	if p.Landscape || p.Paper > 0 || p.FitWidth {
		x.Open("pageSetup")
		if p.Paper > 0 {
			x.Int("paperSize", p.Paper)
		}
		if p.FitWidth {
			x.Int("fitToHeight", 0) // as many pages as it needs
		}
		if p.Landscape {
			x.Attr("orientation", "landscape")
		}
		x.Close()
	}
	s.endHeaders()
}

func (s *Sheet) endHeaders() {
	x, p := s.x, &s.config.Page
	if p.Header == "" && p.Footer == "" && !p.First {
		return
	}
	x.Open("headerFooter")
	list := []struct{ name, text string }{{"oddHeader", p.Header}, {"oddFooter", p.Footer}}
	if p.First {
		x.Attr("differentFirst", "1")
		list = append(list, []struct{ name, text string }{{"firstHeader", p.FirstHeader}, {"firstFooter", p.Footer}}...)
	}
	for _, part := range list {
		if part.text != "" {
			x.Leaf(part.name, cut(part.text, mostHeader))
		}
	}
	x.Close()
}

func (s *Sheet) endTables() (parts []string) {
	if len(s.tables) == 0 {
		return nil
	}
	s.x.Open("tableParts").Int("count", len(s.tables))
	for range s.tables {
		s.wb.tables++
		part := fmt.Sprintf("/xl/tables/table%d.xml", s.wb.tables)
		s.x.Open("tablePart").Attr("r:id", s.wb.pkg.Relate(s.part, relationNamespace+"/table", part)).Close()
		parts = append(parts, part)
	}
	s.x.Close()
	return parts
}

func (t *Table) writer(wb *Workbook, part string) func(*opc.XML) {
	id := strings.TrimSuffix(part[strings.LastIndex(part, "table")+len("table"):], ".xml")
	name := wb.tableName(t.Name, id)
	return func(x *opc.XML) {
		last := t.Row + max(t.Rows, 1) // Excel wants a row
		ref := Ref(t.Row, t.Column) + ":"
		whole := last
		if t.Totals {
			whole++
		}
		right := t.Column + len(t.Columns) - 1
		x.Open("table").Attr("xmlns", mainNamespace).Attr("id", id).Attr("name", name).Attr("displayName", name).Attr("ref", ref+Ref(whole, right))
		if t.Totals {
			x.Int("totalsRowCount", 1)
		} else {
			x.Attr("totalsRowShown", "0")
		}
		x.Open("autoFilter").Attr("ref", ref+Ref(last, right)).Close()
		x.Open("tableColumns").Int("count", len(t.Columns))
		for i, column := range UniqueNames(t.Columns) {
			x.Open("tableColumn").Int("id", i+1).Attr("name", column).Close()
		}
		x.Close()
		if t.Style != "" {
			x.Open("tableStyleInfo").Attr("name", t.Style).Attr("showFirstColumn", "0").Attr("showLastColumn", "0").
				Attr("showRowStripes", digit(t.Banded)).Attr("showColumnStripes", "0").Close()
		}
		x.Close()
	}
}

// UniqueNames are the names that the columns of a table have: none is empty, and
// no two are the same but for the size of letters. The cells of its first row must
// say the same.
func UniqueNames(columns []string) []string {
	names := make([]string, len(columns))
	taken := map[string]bool{}
	for i, column := range columns {
		name := column
		if strings.TrimSpace(name) == "" {
			name = fmt.Sprintf("Column %d", i+1)
		}
		first := name
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s %d", first, n)
		}
		taken[strings.ToLower(name)] = true
		names[i] = name
	}
	return names
}

// tableName makes a name that formulas may use, and that is not that of a cell.
func (wb *Workbook) tableName(text, id string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, cut(text, mostHeader-len(id)-1))
	if name == "" || !unicode.IsLetter([]rune(name)[0]) {
		name = "Table_" + name
	}
	if looksLikeCell(name) || wb.names[strings.ToLower(name)] {
		name += "_" + id
	}
	wb.names[strings.ToLower(name)] = true
	return name
}

// looksLikeCell says whether a name is one that a cell has: A1, R1C1, R or C.
func looksLikeCell(name string) bool {
	letters := strings.TrimRight(name, "0123456789")
	return len(letters) <= 3 || strings.EqualFold(letters, "R") || strings.EqualFold(letters, "C") ||
		strings.HasPrefix(strings.ToUpper(name), "R") && strings.ContainsAny(strings.ToUpper(name), "C") && strings.ContainsAny(name, "0123456789")
}
