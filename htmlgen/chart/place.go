package chart

import "math"

// placer remembers which parts of a plot are taken by labels. It looks only at
// what is near, so that its cost grows with the number of labels alone.
type placer struct {
	box   Rect
	cols  int
	cells [][]Rect
}

const placerCell = 40

func newPlacer(box Rect) *placer {
	cols, rows := int(box.W/placerCell)+1, int(box.H/placerCell)+1
	return &placer{box: box, cols: cols, cells: make([][]Rect, cols*rows)}
}

// each calls do with the cells that a box lies in.
func (p *placer) each(r Rect, do func(cell int) bool) bool {
	x0, x1 := int((r.X-p.box.X)/placerCell), int((r.X+r.W-p.box.X)/placerCell)
	y0, y1 := int((r.Y-p.box.Y)/placerCell), int((r.Y+r.H-p.box.Y)/placerCell)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if i := y*p.cols + x; x < p.cols && i < len(p.cells) && !do(i) {
				return false
			}
		}
	}
	return true
}

// take reserves a box if it lies inside the plot and is free.
func (p *placer) take(r Rect) bool {
	if math.IsNaN(r.X+r.Y+r.W+r.H) || !p.box.holds(r) {
		return false
	}
	r.X, r.Y = max(r.X, p.box.X), max(r.Y, p.box.Y)
	free := p.each(r, func(cell int) bool {
		for _, o := range p.cells[cell] {
			if r.overlaps(o) {
				return false
			}
		}
		return true
	})
	if !free {
		return false
	}
	p.each(r, func(cell int) bool {
		p.cells[cell] = append(p.cells[cell], r)
		return true
	})
	return true
}
