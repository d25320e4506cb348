package chart

import "math"

// axis is an axis while its chart is drawn.
type axis struct {
	*Axis
	ext              extent
	scale            scale
	ticks            []tick
	step             float64
	value            bool    // an axis of Y
	labelNeed        float64 // pixels that data labels beyond the values take
	most             float64 // the greatest value
	fixedLo, fixedHi bool
	points           bool // shows points, which stay off its ends
	used             bool
	empty            bool // without values and bounds
	parts            bool // has values that are not whole
	written          int  // labels that had room
}

// whole reports whether the axis counts: half a piece on an axis of pieces is
// none.
func (a *axis) whole() bool { return !a.parts && !a.Normalised && whole(a.Min) && whole(a.Max) }

// whole reports whether there is no value or one without a fraction.
func whole(v float64) bool { return !finite(v) || v == math.Trunc(v) }

// bound makes the extent one that a scale can have: the author's bounds, zero
// where values grow from it or are not far, room for labels, some span. The plot
// is about so long.
func (a *axis) bound(fromZero bool, length float64) {
	a.empty = !a.ext.any && !finite(a.Min) && !finite(a.Max)
	switch {
	case a.Kind == Time:
		a.boundTime()
		return
	case a.Log:
		a.boundLog(length)
		return
	}
	e := &a.ext
	if a.value && e.any {
		near := e.lo > 0 && e.lo < e.hi*0.5 || e.hi < 0 && e.hi > e.lo*0.5
		if fromZero || near {
			e.add(0)
		}
	}
	e.widen()
	a.most = e.hi
	if a.labelNeed > 0 && a.value && !a.Normalised {
		a.roomForLabels(length)
	}
	if a.Normalised && e.lo >= 0 {
		*e = extent{0, 1, true}
	}
	if pad := (e.hi - e.lo) * 0.03; a.points && a.value && !a.Normalised {
		if e.lo != 0 {
			e.lo -= pad
		}
		if e.hi != 0 {
			e.hi += pad
		}
	}
	a.author()
}

// past is how many pixels of the labels of the greatest value lie beyond the
// end of the axis.
func (a *axis) past() float64 {
	span := a.scale.hi - a.scale.lo
	if a.labelNeed == 0 || a.Inverted || a.Normalised || !(span > 0) {
		return 0
	}
	inside := (a.scale.hi - a.most) / span * math.Abs(a.scale.to-a.scale.from)
	return max(0, min(a.labelNeed, a.labelNeed-inside))
}

// roomForLabels leaves room beyond the outermost values of an axis about so
// long.
func (a *axis) roomForLabels(length float64) {
	share := max(0.05, min(0.3, a.labelNeed/length))
	room := (a.ext.hi - a.ext.lo) * share / (1 - share)
	if a.ext.hi > 0 {
		a.ext.hi += room
	}
	if a.ext.lo < 0 {
		a.ext.lo -= room
	}
}

// author applies Min and Max unless they leave no span.
func (a *axis) author() {
	lo, hi := a.ext.lo, a.ext.hi
	if finite(a.Min) {
		lo, a.fixedLo = max(-limit, min(limit, a.Min)), true
	}
	if finite(a.Max) {
		hi, a.fixedHi = max(-limit, min(limit, a.Max)), true
	}
	if hi-lo > max(math.Abs(hi), math.Abs(lo))*1e-9 && hi-lo > 1e-250 {
		a.ext.lo, a.ext.hi = lo, hi
		return
	}
	switch {
	case a.fixedLo && !a.fixedHi:
		a.ext.lo, a.ext.hi = lo, lo+max(1, math.Abs(lo))
	case a.fixedHi && !a.fixedLo:
		a.ext.lo, a.ext.hi = hi-max(1, math.Abs(hi)), hi
	default: // both are wrong
		a.fixedLo, a.fixedHi = false, false
	}
}

// boundTime bounds a time axis: a single moment stands in the middle of a day.
func (a *axis) boundTime() {
	e := &a.ext
	if !e.any {
		*e = extent{0, Day.Milliseconds(), true}
	}
	lo, hi := e.lo, e.hi
	if finite(a.Min) {
		lo, a.fixedLo = a.Min, true
	}
	if finite(a.Max) {
		hi, a.fixedHi = a.Max, true
	}
	lo, hi = max(earliest, lo), min(latest, hi)
	if hi-lo < 1 {
		middle := max(earliest+Day.Milliseconds(), min(latest-Day.Milliseconds(), lo))
		lo, hi = middle-Day.Milliseconds()/2, middle+Day.Milliseconds()/2
		a.fixedLo, a.fixedHi = false, false
	}
	e.lo, e.hi = lo, hi
}

// outside reports whether a value lies beyond an end that the author set.
func (a *axis) outside(v float64) bool {
	return a.fixedLo && v < a.ext.lo || a.fixedHi && v > a.ext.hi
}

// setScale puts the extent, or what the ticks made of it, on pixels.
func (a *axis) setScale(from, to float64) {
	if a.Inverted {
		from, to = to, from
	}
	if a.scale.lo == a.scale.hi {
		a.scale.lo, a.scale.hi = a.ext.lo, a.ext.hi
	}
	a.scale.from, a.scale.to = from, to
}

// makeTicks finds about n ticks and their labels; it may widen the extent to
// them once.
func (a *axis) makeTicks(n int) {
	switch a.Kind {
	case Category:
		a.categoryTicks()
	case Time:
		a.timeTicks(n)
	default:
		if a.Log {
			a.logTicks(n)
		} else {
			a.numberTicks(n)
		}
	}
}

func (a *axis) numberTicks(n int) {
	e := a.ext
	if a.empty {
		a.scale.lo, a.scale.hi, a.ticks = e.lo, e.hi, nil
		return
	}
	values, step := numberTicks(&e, n, a.Snap && !a.fixedLo, a.Snap && !a.fixedHi, a.whole())
	a.step = step
	a.scale.lo, a.scale.hi = e.lo, e.hi
	most := max(math.Abs(e.lo), math.Abs(e.hi))
	format := a.Number
	if format == nil {
		format = plainNumber
	}
	a.ticks = a.ticks[:0]
	for _, v := range values {
		a.ticks = append(a.ticks, tick{v: v, label: format(v, step, most)})
	}
}

func (a *axis) timeTicks(n int) {
	e := a.ext
	if a.empty {
		a.scale.lo, a.scale.hi, a.ticks = e.lo, e.hi, nil
		return
	}
	step := stepFor(e.hi-e.lo, n)
	a.step = step.length()
	moments := timeTicks(&e, step, a.zone(), a.Snap && !a.fixedLo, a.Snap && !a.fixedHi)
	a.scale.lo, a.scale.hi = e.lo, e.hi
	format := a.Moment
	if format == nil {
		format = plainMoment
	}
	a.ticks = a.ticks[:0]
	last := ""
	for _, t := range moments {
		label, below := format(t, step.unit)
		k := tick{v: millis(t), label: label, sub: below, major: last != "" && below != last}
		last = below
		a.ticks = append(a.ticks, k)
	}
}

func (a *axis) categoryTicks() {
	a.scale.lo, a.scale.hi = a.ext.lo, a.ext.hi
	a.ticks = a.ticks[:0]
	for i, name := range a.Categories {
		a.ticks = append(a.ticks, tick{v: float64(i), label: name})
	}
}
