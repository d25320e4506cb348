package htmlgen

import (
	"math"

	"github.com/quire-reports/quire/htmlgen/chart"
	"github.com/quire-reports/quire/report/text"
)

// mostSteps is how many steps the scale of an axis has at most in Office, which takes
// those of 1, 2 or 5 times a power of ten.
const mostSteps = 10

// scale says how the numbers at an axis of Office look: they are the ends of steps that
// Office takes, not values, and have the decimals of a step. Whole says that the values are
// whole and so near each other that a step would be none.
func (c *Context) scale(a *chart.Axis, format string, series []chart.Series, value func(chart.Point) float64) (code string, whole bool) {
	low, high, whole := math.Inf(1), math.Inf(-1), true
	stacked := 0
	for i := range series {
		if series[i].Stack != "" {
			stacked++
		}
		for _, q := range series[i].Points {
			if v := value(q); !math.IsNaN(v) && !math.IsInf(v, 0) {
				low, high, whole = min(low, v), max(high, v), whole && v == math.Trunc(v)
			}
		}
	}
	if low > high {
		return "", false
	}
	if stacked > 1 { // as high as they may be together
		low, high = min(low, low*float64(stacked)), max(high, high*float64(stacked))
	}
	places := 0
	if a.Log {
		places = placesOf(positive(a.Min, positive(low, 1)))
	} else {
		low, high = scaleEnds(a, low, high)
		step := niceStep((high - low) / mostSteps)
		places, whole = placesOf(step), whole && step < 1 && (high-low) > 0
	}
	if whole && !a.Log {
		places = 0
	}
	made, _ := text.ParseFormat(firstOf(format, c.theme.Formats.Number)).SheetCode(c.Env, places)
	return made.Code, whole && !a.Log
}

// scaleEnds are where the scale of an axis ends: where it was told to, or at its values,
// and at zero unless they are far from it in comparison to each other.
func scaleEnds(a *chart.Axis, low, high float64) (from, to float64) {
	const far = 5. / 6
	if low > 0 && low < far*high {
		low = 0
	}
	if high < 0 && high > far*low {
		high = 0
	}
	if !math.IsNaN(a.Min) {
		low = a.Min
	}
	if !math.IsNaN(a.Max) {
		high = a.Max
	}
	return low, high
}

// niceStep is the smallest of 1, 2 and 5 times a power of ten that is not below a length.
func niceStep(least float64) float64 {
	if least <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, f := range []float64{1, 2, 5} {
		if f*power >= least*(1-1e-9) {
			return f * power
		}
	}
	return 10 * power
}

// mostPlaces is how many decimals a scale has at most.
const mostPlaces = 9

// placesOf is how many decimals the first digit of a number needs.
func placesOf(v float64) int {
	return min(max(0, int(math.Ceil(-math.Log10(v)-1e-9))), mostPlaces)
}
