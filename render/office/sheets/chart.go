package sheets

import (
	"math"

	"github.com/quire-reports/quire/render/office/opc"
	"github.com/quire-reports/quire/render/office/plots"
	"github.com/quire-reports/quire/render/office/xlsx"
)

// chartMark is a chart of the document.
type chartMark struct {
	*plots.Mark
	id, alt string
	data    *sheet // where its values stand, if not below it
}

// readChart reads what a chart shows; nil where that is nothing.
func readChart(doc, id, alt string) *chartMark {
	if m := plots.Read(doc); m != nil {
		return &chartMark{Mark: m, id: id, alt: alt}
	}
	return nil
}

// apartAt is from how many values on they stand on a sheet of their own.
const apartAt = 60

// charted writes a chart and, where they stand below it, its values.
func (w *writing) charted(m *chartMark) error {
	if len(m.Grid.Removed) > 0 {
		w.warn(m.id, "a line across the chart is not in the workbook (%s)", m.Grid.Removed[0])
	}
	if m.Lacks != "" {
		w.warn(m.id, "the workbook has the chart as a picture beside its values, for it has %s, which Excel does not draw", m.Lacks)
		if m.data != nil {
			return nil
		}
		return w.chartValues(m)
	}
	name, first := w.of.name, 0
	place := xlsx.Place{Row: w.Rows() + 1, Column: 1, Width: m.Width, Height: m.Height, Alt: m.alt}
	w.Skip(int(math.Ceil(m.Height/rowPixels)) + 1)
	if m.data != nil {
		name, first = m.data.name, 1
	} else {
		first = w.Rows() + 1
	}
	drawn := m.Chart(name, first, plots.Look{Text: w.Looks.Text, Color: w.Color})
	w.Chart(place, func(x *opc.XML) { drawn.Write(x) })
	if m.data != nil {
		return nil
	}
	return w.chartValues(m)
}

// chartValues writes the values of a chart as a table.
func (w *writing) chartValues(m *chartMark) error {
	g := &m.Grid
	head := make([]xlsx.Cell, len(g.Head))
	bold := w.wb.Style(xlsx.Style{Font: xlsx.Font{Bold: true, Color: w.Looks.Header.Color}, Fill: w.Looks.Header.Fill, Wrap: true})
	over := w.wb.Style(xlsx.Style{Font: xlsx.Font{Bold: true, Color: w.Looks.Header.Color}, Fill: w.Looks.Header.Fill, Wrap: true, Horizontal: "right"})
	for i, title := range g.Head {
		head[i] = cellOf(noValue, "", oneLine(title))
		if head[i].Style = over; i == 0 {
			head[i].Style = bold
		}
	}
	if _, err := w.Row(xlsx.Row{Cells: head}); err != nil {
		return err
	}
	styles := make([]xlsx.StyleID, len(g.Codes))
	for i, code := range g.Codes {
		if code != "" && code != general {
			styles[i] = w.wb.Style(xlsx.Style{Format: code})
		}
	}
	for _, r := range g.Rows {
		cells := make([]xlsx.Cell, len(r))
		for i, v := range r {
			switch v := v.(type) {
			case float64:
				cells[i] = xlsx.Cell{Kind: xlsx.Number, Number: v, Style: styles[i]}
			case string:
				cells[i] = cellOf(noValue, "", oneLine(v))
			}
		}
		if _, err := w.Row(xlsx.Row{Cells: cells}); err != nil {
			return err
		}
	}
	return nil
}
