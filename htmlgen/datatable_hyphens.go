package htmlgen

import "slices"

// divideWords settles in which columns words are divided, and from how many letters on.
func (t *table) divideWords() {
	t.c.tellUndivided(t.e, t.p.Hyphens)
	if t.c.divider() == nil {
		return
	}
	kept := t.p.NoCellWrap || t.p.FixedLayout && t.p.NarrowCells != "wrap"
	letters := t.cellRoom()
	for _, col := range t.columns {
		asked := firstOf(col.p.Hyphens, t.p.Hyphens)
		switch {
		case asked == "none" || asked == "" && (keepsCSS.MatchString(col.p.CustomStyle) || keepsCSS.MatchString(t.p.Style)):
		case asked == "auto" || dividesCSS.MatchString(col.p.CustomStyle) || dividesCSS.MatchString(t.p.Style):
			col.least, col.headLeast = leastInText, leastInText
		case !kept:
			col.least = max(leastInCells, int(letters(col))+1)
			col.headLeast = col.least
		}
		if col.quantity || len(col.elements) > 0 {
			col.least = 0
		}
		if t.p.NoHeaderWrap {
			col.headLeast = 0
		}
	}
}

// cellRoom guesses for how many letters columns have room: they are as wide as they are
// told, or have their part of what those leave.
func (t *table) cellRoom() func(col *column) float64 {
	const (
		padding = 12   // of a cell, in pixels
		letter  = 0.65 // of a wide letter, in em: a word that just fits parts before its own hyphen
	)
	whole, em := t.c.outer(&t.p.Box), t.c.em()
	free, others := whole, 0
	for _, col := range t.columns {
		if w := t.c.px(col.p.Width, whole, 0); w > 0 {
			free -= w
		} else {
			others++
		}
	}
	size := max(1, t.c.px(firstOf(t.p.FontSize, t.c.theme.Table.Cells.FontSize), em, em))
	return func(col *column) float64 {
		return max(0, t.c.px(col.p.Width, whole, free/float64(max(1, others)))-padding) / (letter * size)
	}
}

// dividesWords says whether an element has a setting by which its words are divided.
func (e *Element) dividesWords() bool {
	return e != nil && e.typ != nil && slices.ContainsFunc(e.typ.Props, isHyphens)
}
