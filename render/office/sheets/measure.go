package sheets

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/quire-reports/quire/render/office/xlsx"
)

// Widths that columns have by themselves, in characters.
const (
	widestText   = 48.0 // longer texts are wrapped
	widestLabel  = 32.0
	narrowest    = 4.0
	mostWrapHead = 24.0
)

// measuring reads a table for its widths, heads and groups.
type measuring struct {
	*book
	table *table
	rows  *rowReader
	grid  grid
	keys  map[int]*key
	seen  int
}

func (m *measuring) measure() error {
	t := m.table
	m.keys = map[int]*key{}
	defer m.rows.stop()
	var part atom.Atom
	for r := m.rows.nextRow(); r != nil; r = m.rows.nextRow() {
		if m.seen++; m.seen%1024 == 0 {
			if err := m.Alive(); err != nil {
				return err
			}
		}
		if r.part != part {
			m.grid.endPart()
			part = r.part
		}
		cells := m.grid.place(r)
		for len(t.widths) < len(cells) {
			t.widths = append(t.widths, narrowest)
			t.wrapped = append(t.wrapped, false)
			t.names = append(t.names, "")
		}
		m.row(r)
		m.cellPictures(r, cells)
		for i := range cells {
			m.cell(r, i, cells[i])
		}
	}
	t.columns = len(t.widths)
	for _, level := range sortedLevels(m.keys) {
		t.keys = append(t.keys, *m.keys[level])
	}
	if t.columns+len(t.keys) > xlsx.MostColumns {
		m.warn(t.id, "a sheet has 16,384 columns; the table has %d, and those beyond are left out", t.columns)
		t.columns, t.keys = min(t.columns, xlsx.MostColumns), nil
	}
	return nil
}

func (m *measuring) row(r *row) {
	t := m.table
	switch r.kind {
	case headRow:
		if r.part == atom.Thead {
			t.heads++
		}
	case captionRow:
		t.captions = true
		t.levels = max(t.levels, r.level)
	case groupFooterRow:
		t.footers = true
		t.levels = max(t.levels, r.level)
	case totalRow:
		t.total = true
	case bodyRow:
		t.rows++
		if r.level > 0 {
			t.tree = true
			t.levels = max(t.levels, r.level)
		}
	}
	for _, g := range r.begins {
		t.levels = max(t.levels, g.Level)
		if g.Name == "" || g.Printed {
			continue
		}
		k := m.keys[g.Level]
		if k == nil {
			k = &key{level: g.Level, name: g.Name, width: m.characters(g.Name, true, 1)}
			m.keys[g.Level] = k
		}
		k.width = min(widestLabel, max(k.width, m.characters(g.Key, false, 1)))
	}
}

func (m *measuring) cell(r *row, i int, p placed) {
	t := m.table
	if p.cell == nil {
		return
	}
	bold := r.kind != bodyRow
	if p.colSpan > 1 && r.kind == headRow {
		t.spanned = true
	}
	if r.kind == headRow {
		if r.part == atom.Thead && !p.follows {
			t.names[i] = oneLine(p.text)
		}
		if p.colSpan == 1 {
			whole := m.characters(oneLine(p.text), true, 1) + 2 // and the arrow of a filter
			t.widths[i] = max(t.widths[i], min(whole, max(mostWrapHead, m.characters(longestWord(p.text), true, 1)+2)))
		}
		return
	}
	if p.colSpan > 1 || p.text == "" || r.kind == emptyRow {
		return
	}
	t.lines = t.lines || strings.Contains(p.text, "\n")
	width := m.characters(p.text, bold, 1)
	if r.level > 0 && i == 0 && r.kind == bodyRow {
		width += float64(r.level)
	}
	switch {
	case p.kind == isNumber || p.kind == isMoment:
		width++
	case bold && i == 0: // a label, which may reach over the next columns
		width = min(width, widestLabel)
	case width > widestText:
		t.wrapped[i] = true
		width = widestText
	}
	t.widths[i] = max(t.widths[i], width)
}

func sortedLevels(keys map[int]*key) []int {
	var levels []int
	for level := range keys {
		levels = append(levels, level)
	}
	slices.Sort(levels)
	return levels
}
