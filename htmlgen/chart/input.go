package chart

import (
	"math"
	"time"
)

// Style is what a chart takes from its theme as sizes in pixels; colours stay
// CSS variables.
type Style struct {
	LabelSize, TitleSize float64
	LegendSize           float64
	LegendBold           bool
	LegendMarker         float64
	LegendGap            float64
	Measure              Measure // nil: MeasureSans
	RightToLeft          bool
	GuidelineWidth       float64
	ZeroWidth            float64
}

func (s *Style) complete() {
	or := func(v *float64, def float64) {
		if !(*v > 0 && *v < 400) {
			*v = def
		}
	}
	or(&s.LabelSize, 10.67)
	or(&s.TitleSize, 12)
	or(&s.LegendSize, 10.67)
	or(&s.LegendMarker, 8)
	or(&s.LegendGap, 14)
	or(&s.GuidelineWidth, 0.5)
	or(&s.ZeroWidth, 1)
	if s.Measure == nil {
		s.Measure = MeasureSans
	}
}

func (s *Style) labels() texts { return texts{s.Measure, s.LabelSize, false, true} }
func (s *Style) titles() texts { return texts{s.Measure, s.TitleSize, false, false} }
func (s *Style) legend() texts { return texts{s.Measure, s.LegendSize, s.LegendBold, false} }

// Kind is how a series is drawn.
type Kind int

// The kinds of series.
const (
	Line Kind = iota
	Area
	Column // upright, or lying where the chart is turned
	Scatter
	Range  // the band between Y0 and Y
	Marker // a line across the plot
)

// Point is one value of a series. X is the number of the category, the time in
// milliseconds since 1970, or a number; a Y that is no finite number is a gap.
type Point struct {
	X, Y, Y0 float64
	Label    string
}

// Gap is the value of what is missing.
func Gap() float64 { return math.NaN() }

// Series is one set of values.
type Series struct {
	Name      string
	Legend    string // its entry in the legend; empty: none
	Kind      Kind
	Points    []Point
	Color     string // CSS
	Ink       string // CSS colour that is legible on Color
	Width     float64
	Dash      string
	Opacity   float64 // of the whole series; 0 is 1
	Smooth    bool
	Filled    bool // a line's area
	Fill      string
	FillAlpha float64 // 0: by kind
	Shape     string  // of the marker: circle, square, triangle; empty: none
	ShapeSize float64
	Second    bool    // on the secondary value axis
	Stack     string  // series with the same name stand on each other
	Size      float64 // of a column: share of its slot
	Offset    float64
	Units     bool // Size and Offset are in the unit of X instead
	Labels    bool
	Place     string                   // of labels: auto, above, below, inside
	Total     func(sum float64) string // the label at the end of its stack of columns; nil: none
	Trend     Trend
	Period    int // of a moving average; less than two are two
}

// AxisKind is what an axis measures.
type AxisKind int

// The kinds of axes.
const (
	Numeric AxisKind = iota
	Time
	Category
)

// Axis is one axis of a chart.
type Axis struct {
	Kind       AxisKind
	Title      string
	Min, Max   float64 // NaN: from the values
	Inverted   bool
	Normalised bool // stacks are shares of their sum
	Log        bool // of numbers that are no shares: each power of ten has the same room
	Snap       bool // begins and ends at ticks
	Ticks      int  // about how many; 0: what fits
	Guidelines bool
	Hidden     bool
	Lanes      bool // every second slot has a background
	Categories []string
	// Calendar tells whether a word of a category, in lower case, is the name of a
	// month or of a day; nil: none is.
	Calendar func(word string) bool
	Zone     *time.Location
	// Number writes a value of an axis whose ticks are a step apart and whose
	// greatest value is most; Moment writes the label of a time tick and, if
	// any, the coarser one below it.
	Number func(v, step, most float64) string
	Moment func(t time.Time, unit Unit) (label, below string)
}

// XY is a chart with axes.
type XY struct {
	Width, Height float64
	Style         Style
	Base          Axis   // of X
	Value, Second Axis   // of Y
	Turned        bool   // X runs down, Y to the right
	LaneFill      string // CSS colour of swimlanes
	Legend        string // top, right, bottom, left, or none
	Series        []Series
	Empty         string               // what a chart without values says
	Warn          func(message string) // told what has no room; may be nil
}

// maxSize bounds the size of a chart, against figures that no page holds.
const maxSize = 20_000

func size(v, def float64) float64 {
	if !(v > 0) || v > maxSize {
		return def
	}
	return v
}
