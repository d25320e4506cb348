package chart

import "math"

// scale maps values to pixels. After fix its values are finite and differ.
type scale struct {
	lo, hi   float64 // values
	from, to float64 // pixels
}

// at is the pixel of a value; what lies far outside is put where it is not seen
// either.
func (s scale) at(v float64) float64 {
	// halved, so that the span of the largest numbers is one too
	span := s.hi/2 - s.lo/2
	at := s.from + (v/2-s.lo/2)/span*(s.to-s.from)
	if math.IsNaN(at) {
		return s.from
	}
	return max(-far, min(far, at))
}

// inside reports whether a value lies on the scale.
func (s scale) inside(v float64) bool { return v >= s.lo && v <= s.hi }

// limit keeps values where sums and products of them are finite.
const limit = 1e250

// finite reports a value that can be drawn.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// extent is the least and the greatest of values.
type extent struct {
	lo, hi float64
	any    bool
}

func (e *extent) add(v float64) {
	if !finite(v) {
		return
	}
	v = max(-limit, min(limit, v))
	if !e.any {
		*e = extent{v, v, true}
		return
	}
	e.lo, e.hi = min(e.lo, v), max(e.hi, v)
}

// widen makes an extent that has no span have one.
func (e *extent) widen() {
	if !e.any {
		*e = extent{0, 1, true}
		return
	}
	size := max(math.Abs(e.lo), math.Abs(e.hi))
	if e.hi-e.lo > size*1e-9 && e.hi-e.lo > 1e-250 {
		return
	}
	switch {
	case size < 1e-240:
		e.lo, e.hi = 0, 1
	case e.lo > 0:
		e.lo, e.hi = 0, e.hi*1.25
	default:
		e.lo, e.hi = e.lo*1.25, 0
	}
}

// niceStep is the least of 1, 2, 2.5, 5 times a power of ten that divides a
// span into at most n parts.
func niceStep(span float64, n int) float64 {
	raw := span / float64(max(n, 1))
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if m*power >= raw*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// Decimals is how many decimals multiples of a step need.
func Decimals(step float64) int {
	for d := range 13 {
		scaled := step * math.Pow(10, float64(d))
		if math.Abs(scaled-math.Round(scaled)) < 1e-6*max(1, scaled) && scaled > 0.5 {
			return d
		}
	}
	return 12
}

// tick is a place on an axis with its label.
type tick struct {
	v          float64
	label, sub string
	major      bool // begins a coarser unit
	hide       bool
}

// snapStep is the nice step that divides an extent into about n parts and adds
// least to it when it is widened to whole steps.
func snapStep(e extent, n int) float64 {
	best, cost := niceStep(e.hi-e.lo, n), math.Inf(1)
	span := e.hi - e.lo
	for k := max(1, n-2); k <= n+n/3+1; k++ {
		step := niceStep(span, k)
		parts := math.Ceil(e.hi/step-1e-9) - math.Floor(e.lo/step+1e-9)
		waste := (parts*step - span) / span
		if c := waste + 0.25*math.Abs(math.Log(parts/float64(n))); c < cost {
			best, cost = step, c
		}
	}
	return best
}

// wholeStep is a step that leads from whole numbers to whole numbers.
func wholeStep(step float64) float64 {
	switch {
	case step < 1:
		return 1
	case step == 2.5:
		return 5
	}
	return step
}

// numberTicks are the multiples of a nice step within the extent; with snap the
// extent is widened to whole steps. One tick tells no scale, so there are two
// where about as many as asked for would be one.
func numberTicks(e *extent, n int, snapLo, snapHi, whole bool) (values []float64, step float64) {
	for own := *e; ; n++ {
		*e = own
		values, step = aboutTicks(e, n, snapLo, snapHi, whole)
		if len(values) > 1 || n >= 4 {
			return values, step
		}
	}
}

func aboutTicks(e *extent, n int, snapLo, snapHi, whole bool) (values []float64, step float64) {
	step = niceStep(e.hi-e.lo, n)
	if snapLo || snapHi {
		step = snapStep(*e, n)
	}
	if whole {
		step = wholeStep(step)
	}
	first, last := math.Floor(e.lo/step+1e-9), math.Ceil(e.hi/step-1e-9)
	if snapLo {
		e.lo = min(e.lo, first*step)
	}
	if snapHi {
		e.hi = max(e.hi, last*step)
	}
	const most = 200
	for i := first; i <= last && len(values) < most; i++ {
		v := i * step
		if v == 0 {
			v = 0 // no minus zero
		}
		if v >= e.lo-step*1e-9 && v <= e.hi+step*1e-9 {
			values = append(values, v)
		}
		if i+1 == i {
			break
		}
	}
	return values, step
}
