package chart

import (
	"math"
	"strconv"

	"github.com/quire-reports/quire/render/office/opc"
)

// axisAt is an axis in its place.
type axisAt struct {
	*Axis
	id, cross int
	side      string // b, l, t or r
	far       bool   // it stands at the other end
	silent    bool   // it is there for the one it crosses
	low       bool   // it stands at the least value of the one it crosses, not at its zero
}

// axes writes the axes that the plots need.
func (w *writer) axes() {
	first, second := false, false
	turned, points, between := false, false, false
	for _, p := range w.c.Plots {
		if p.Kind == Pie {
			return
		}
		first, second = first || !p.Second, second || p.Second
		turned, points, between = turned || p.Turned, points || p.Kind == Points, between || p.Kind == Columns || p.Kind == Lines
	}
	below, beside, above := "b", "l", "r"
	if turned {
		below, beside, above = "l", "b", "t"
	}
	base, value, other := &w.c.Base, &w.c.Value, &w.c.Second
	far := base.Inverted // the axis of values stands where the places begin
	if w.c.Mirrored {
		if turned {
			below, value, other = "r", inverted(value), inverted(other)
		} else {
			base, beside, above = inverted(base), "r", "l"
		}
	}
	if first {
		w.axis(axisAt{Axis: base, id: baseID, cross: valueID, side: below, low: value.Log}, points, between)
		w.axis(axisAt{Axis: value, id: valueID, cross: baseID, side: beside, far: far, low: base.Log}, true, between)
	}
	if second {
		w.axis(axisAt{Axis: base, id: secondBaseID, cross: secondID, side: below, silent: first, low: other.Log}, points, between)
		w.axis(axisAt{Axis: other, id: secondID, cross: secondBaseID, side: above, far: first}, true, between)
	}
}

// inverted is an axis that runs the other way.
func inverted(a *Axis) *Axis {
	made := *a
	made.Inverted = !made.Inverted
	return &made
}

// axis writes an axis; between says that values stand between its ticks.
func (w *writer) axis(a axisAt, numbers, between bool) {
	name := "c:catAx"
	switch {
	case numbers:
		name = "c:valAx"
	case a.Days:
		name = "c:dateAx"
	}
	w.Open(name)
	w.val("c:axId", strconv.Itoa(a.id))
	w.Open("c:scaling")
	if numbers && a.Log {
		w.val("c:logBase", "10")
	}
	w.val("c:orientation", map[bool]string{true: "maxMin", false: "minMax"}[a.Inverted])
	if numbers {
		w.bound("c:max", a.Max)
		w.bound("c:min", a.Min)
	}
	w.Close()
	w.flag("c:delete", a.Hidden || a.silent)
	w.val("c:axPos", a.side)
	if a.Lines && !a.silent {
		w.Open("c:majorGridlines").Open("c:spPr").Open("a:ln").Int("w", 6350)
		w.fill(lineColor, 0)
		w.Close().Close().Close()
	}
	if a.Title != "" && !a.silent {
		w.title(a.Title, a.side == "l" || a.side == "r")
	}
	w.Open("c:numFmt").Attr("formatCode", code(a.Code)).Attr("sourceLinked", "0").Close()
	w.val("c:majorTickMark", "none")
	w.val("c:minorTickMark", "none")
	w.val("c:tickLblPos", map[bool]string{true: "nextTo", false: "low"}[a.id == valueID || a.id == secondID]) // below, also of values below zero
	w.Open("c:spPr").Open("a:ln").Int("w", 6350)
	if name == "c:valAx" && !a.Numbers || a.id == valueID || a.id == secondID {
		w.Open("a:noFill").Close()
	} else {
		line := w.c.Color
		if line == "" {
			line = lineColor
		}
		w.fill(line, 0)
	}
	w.Close().Close()
	w.val("c:crossAx", strconv.Itoa(a.cross))
	crosses := "autoZero"
	switch {
	case a.far:
		crosses = "max"
	case a.low:
		crosses = "min"
	}
	w.val("c:crosses", crosses)
	switch name {
	case "c:catAx":
		w.flag("c:auto", false)
		w.val("c:lblAlgn", "ctr")
		w.val("c:lblOffset", "100")
		w.flag("c:noMultiLvlLbl", true)
	case "c:dateAx":
		w.flag("c:auto", false)
		w.val("c:lblOffset", "100")
		w.val("c:baseTimeUnit", "days")
	default:
		w.val("c:crossBetween", map[bool]string{true: "between", false: "midCat"}[between])
		if a.Whole && !a.Log {
			w.val("c:majorUnit", "1")
		}
	}
	w.Close()
}

const lineColor = "D0D3D9"

func (w *writer) bound(name string, v float64) {
	if !math.IsNaN(v) {
		w.val(name, opc.Digits(v))
	}
}

func (w *writer) title(text string, upright bool) {
	w.Open("c:title").Open("c:tx").Open("c:rich").Open("a:bodyPr")
	if upright {
		w.Attr("rot", "-5400000").Attr("vert", "horz")
	}
	w.Close().Open("a:lstStyle").Close().Open("a:p").Open("a:pPr").Open("a:defRPr").Int("sz", w.size()).Attr("b", "0").Close().Close()
	w.Open("a:r").Open("a:rPr").Attr("lang", "en-US").Int("sz", w.size()).Attr("b", "0").Close().Leaf("a:t", text).Close().Close()
	w.Close().Close()
	w.flag("c:overlay", false)
	w.Close()
}
