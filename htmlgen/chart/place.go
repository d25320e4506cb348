package chart

import "math"

// placer remembers which parts of a plot are taken by labels. It looks only at
// what is near, so that its cost grows with the number of labels alone.
type placer struct {
	box   Rect
	cols  int
	cells [][]Rect
	marks []mark // what is drawn where
	wide  int    // of the marks
}

// mark says what is drawn at a place.
type mark uint8

const (
	markedLine mark = 1 << iota // lines and points
	markedBody                  // columns
)

// markCell is the size of a mark in pixels.
const markCell = 4

const placerCell = 40

func newPlacer(box Rect) *placer {
	cols, rows := int(box.W/placerCell)+1, int(box.H/placerCell)+1
	return &placer{box: box, cols: cols, cells: make([][]Rect, cols*rows)}
}

// mark notes that something is drawn at a place.
func (p *placer) mark(x, y float64, what mark) {
	if p.marks == nil {
		p.wide = int(p.box.W/markCell) + 1
		p.marks = make([]mark, p.wide*(int(p.box.H/markCell)+1))
	}
	if x >= p.box.X && y >= p.box.Y && x < p.box.X+p.box.W && y < p.box.Y+p.box.H {
		p.marks[int((y-p.box.Y)/markCell)*p.wide+int((x-p.box.X)/markCell)] |= what
	}
}

// markLine notes a straight line.
func (p *placer) markLine(x0, y0, x1, y1 float64) {
	n := int(min(2*far, max(math.Abs(x1-x0), math.Abs(y1-y0)))/markCell) + 1
	for i := range min(n, 4000) {
		t := float64(i) / float64(n)
		p.mark(x0+(x1-x0)*t, y0+(y1-y0)*t, markedLine)
	}
}

// markBody notes a filled box.
func (p *placer) markBody(r Rect) {
	x1, y1 := min(r.X+r.W, p.box.X+p.box.W), min(r.Y+r.H, p.box.Y+p.box.H)
	for y := max(r.Y, p.box.Y); y < y1; y += markCell {
		for x := max(r.X, p.box.X); x < x1; x += markCell {
			p.mark(x, y, markedBody)
		}
	}
}

// covered is how many marks of some kinds a box would hide.
func (p *placer) covered(r Rect, kinds mark) int {
	if p.marks == nil {
		return 0
	}
	n := 0
	for y := r.Y; y < r.Y+r.H; y += markCell {
		for x := r.X; x < r.X+r.W; x += markCell {
			i, j := int((x-p.box.X)/markCell), int((y-p.box.Y)/markCell)
			if at := j*p.wide + i; i >= 0 && j >= 0 && i < p.wide && at < len(p.marks) && p.marks[at]&kinds != 0 {
				n++
			}
		}
	}
	return n
}

// each calls do with the cells that a box lies in.
func (p *placer) each(r Rect, do func(cell int) bool) bool {
	x0, x1 := int(max(0, r.X-p.box.X)/placerCell), int((r.X+r.W-p.box.X)/placerCell)
	y0, y1 := int(max(0, r.Y-p.box.Y)/placerCell), int((r.Y+r.H-p.box.Y)/placerCell)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if i := y*p.cols + x; x < p.cols && i < len(p.cells) && !do(i) {
				return false
			}
		}
	}
	return true
}

// free reports whether a box lies inside the plot and no label is there.
func (p *placer) free(r Rect) bool {
	if math.IsNaN(r.X+r.Y+r.W+r.H) || !p.box.holds(r) {
		return false
	}
	return p.each(r, func(cell int) bool {
		for _, o := range p.cells[cell] {
			if r.overlaps(o) {
				return false
			}
		}
		return true
	})
}

// release gives up the box that was reserved last.
func (p *placer) release(r Rect) {
	p.each(r, func(cell int) bool {
		p.cells[cell] = p.cells[cell][:len(p.cells[cell])-1]
		return true
	})
}

// take reserves a box.
func (p *placer) take(r Rect) {
	p.each(r, func(cell int) bool {
		p.cells[cell] = append(p.cells[cell], r)
		return true
	})
}
