package plots

import (
	"io"
	"math"
	"strings"

	"github.com/quire-reports/quire/render/office/xlsx"
)

// Sheet is the sheet of the workbook behind a chart; its first row is the head.
const Sheet = "Sheet1"

// Workbook writes the workbook behind a chart, which Chart(Sheet, 1, …) refers to.
func (m *Mark) Workbook(w io.Writer) error {
	wb := xlsx.New(w, xlsx.Config{})
	columns := make([]xlsx.Column, len(m.Grid.Head))
	for i := range columns {
		columns[i].Width = 14
	}
	sheet, err := wb.Sheet(xlsx.SheetConfig{Name: Sheet, Columns: columns})
	if err != nil {
		return err
	}
	head := make([]xlsx.Cell, len(m.Grid.Head))
	bold := wb.Style(xlsx.Style{Font: xlsx.Font{Bold: true}})
	for i, title := range m.Grid.Head {
		head[i] = text(title)
		head[i].Style = bold
	}
	if _, err := sheet.Row(xlsx.Row{Cells: head}); err != nil {
		return err
	}
	styles := make([]xlsx.StyleID, len(m.Grid.Codes))
	for i, code := range m.Grid.Codes {
		if code != "" && code != "General" {
			styles[i] = wb.Style(xlsx.Style{Format: code})
		}
	}
	for _, r := range m.Grid.Rows {
		cells := make([]xlsx.Cell, len(r))
		for i, v := range r {
			switch v := v.(type) {
			case float64:
				if !math.IsNaN(v) && !math.IsInf(v, 0) {
					cells[i] = xlsx.Cell{Kind: xlsx.Number, Number: v, Style: styles[i]}
				}
			case string:
				cells[i] = text(v)
			}
		}
		if _, err := sheet.Row(xlsx.Row{Cells: cells}); err == xlsx.ErrFull {
			break
		} else if err != nil {
			return err
		}
	}
	return wb.Close()
}

// text is a cell with a text in one line, as charts have it.
func text(s string) xlsx.Cell {
	if s = oneLine(s); s == "" {
		return xlsx.Cell{}
	}
	return xlsx.Cell{Kind: xlsx.Text, Text: s}
}

// oneLine is a text without breaks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
