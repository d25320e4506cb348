package pdf

import "testing"

// TestRowsThatGoOnBesideALeftOutRow has cells reach down over a row that the
// browser leaves out because none of its own cells says anything.
func TestRowsThatGoOnBesideALeftOutRow(t *testing.T) {
	row := func(cells ...cell) *element {
		e := &element{role: "TR"}
		for i := range cells {
			e.kids = append(e.kids, kid{el: &element{role: "TD", cell: &cells[i]}})
		}
		return e
	}
	rows := []*element{
		row(cell{at: 2, of: 5, rows: 3, columns: 2}, cell{at: 5, of: 5, rows: 1, columns: 1}),
		row(cell{at: 1, of: 5, rows: 1, columns: 1}, cell{at: 4, of: 5, rows: 3, columns: 2}),
		row(),
		row(cell{at: 1, of: 5, rows: 1, columns: 1}, cell{at: 2, of: 5, rows: 1, columns: 1}, cell{at: 3, of: 5, rows: 1, columns: 1}),
	}
	rows[0].sign = continued
	level(rows)
	g := grid{width: 5} // of the parts before
	for i, r := range rows {
		g.beginRow(false)
		for _, k := range r.kids {
			g.take(k.el.cell)
		}
		if wrong := g.endRow(); wrong != "" {
			t.Errorf("row %d: %s", i, wrong)
		}
	}
}
