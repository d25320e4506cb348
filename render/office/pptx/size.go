package pptx

import (
	"math"

	"github.com/quire-reports/quire/render/layout"
)

// Bounds of slides (ECMA-376 part 1, 19.7.12): 1 to 56 inches, in pixels.
const (
	leastSlide = 96.0
	mostSlide  = 56 * 96.0
	emu        = 9525 // units of DrawingML that a pixel is
)

// measure finds the size of the slides, which all have the same: that of the largest
// page, and of those as large that which most pages have.
func (k *deck) measure() {
	type size struct{ width, height float64 }
	count := map[size]int{}
	exact := map[size]size{}
	best := size{960, 540}
	for i := range k.doc.Sheets {
		s := &k.doc.Sheets[i]
		at := size{math.Round(s.Width), math.Round(s.Height)}
		count[at]++
		exact[at] = size{s.Width, s.Height}
		area, most := at.width*at.height, best.width*best.height
		if i == 0 || area > most*1.01 || area > most*0.99 && count[at] > count[best] {
			best = at
		}
	}
	if len(count) > 1 {
		k.warn("", "slides have one size, which is that of the largest page; other pages stand in the middle of theirs, and smaller where they are too large")
	}
	if e, known := exact[best]; known {
		best = e
	}
	fits := func(v float64) float64 { return min(max(v, leastSlide), mostSlide) }
	scale := min(1, mostSlide/best.width, mostSlide/best.height)
	scale = max(scale, min(leastSlide/best.width, mostSlide/best.height), min(leastSlide/best.height, mostSlide/best.width))
	if scale != 1 {
		k.warn("", "slides are 1 to 56 inches wide and high; pages of %.2f × %.2f inches are drawn %.2f times as large", best.width/96, best.height/96, scale)
	}
	k.width, k.height = fits(best.width*scale), fits(best.height*scale)
}

// placing is how lengths of a page become those of its slide.
type placing struct{ scale, left, top float64 }

// place is how a page stands on its slide.
func (k *deck) place(s *layout.Sheet) placing {
	largest := k.largestScale()
	p := placing{scale: min(largest, k.width/s.Width, k.height/s.Height)}
	if math.Abs(p.scale-1) < 0.002 { // paper is measured in millimetres
		p.scale = 1
	}
	p.left, p.top = (k.width-s.Width*p.scale)/2, (k.height-s.Height*p.scale)/2
	if math.Abs(p.left) < 1 {
		p.left = 0
	}
	if math.Abs(p.top) < 1 {
		p.top = 0
	}
	return p
}

// largestScale is how much larger pages may be drawn: only as much as the least size of
// slides asks for.
func (k *deck) largestScale() float64 {
	scale := 1.0
	for i := range k.doc.Sheets {
		s := &k.doc.Sheets[i]
		if s.Width >= leastSlide && s.Height >= leastSlide {
			return 1
		}
		scale = max(scale, min(k.width/s.Width, k.height/s.Height))
	}
	return scale
}

// units are lengths of DrawingML; where they are on the slide for x and y.
func (p placing) x(v float64) int      { return units(p.left + v*p.scale) }
func (p placing) y(v float64) int      { return units(p.top + v*p.scale) }
func (p placing) length(v float64) int { return units(v * p.scale) }

// points are hundredths of points.
func (p placing) points(v float64) int { return int(math.Round(v * p.scale * 75)) }

func units(v float64) int { return int(math.Round(v * emu)) }
