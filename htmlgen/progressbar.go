package htmlgen

import (
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report"
)

var progressBar = define("progress-bar", "Progress bar", "Charts", "A value as a bar between a least and a greatest one; in tables, by the component renderer, a data bar.", compileProgressBar, colors(ColorsOfParts), icon("battery-medium"), looksBy(`
.q-progress-bar{min-width:24px}
:is(td,th)>.q-progress-bar{margin-block:max(0px,(1lh - 8px)/2)}
.q-progress-bar svg{display:block;width:100%}
`))

type progressBarProps struct {
	Value    string `json:"value" editor:"template" help:"Number, a value such as {$record.share}, or an expression. Without a value the bar is empty."`
	Min      string `json:"min" label:"Least value" editor:"template" default:"0" help:"Where the bar begins: a number, a value or an expression. Below zero, values have bars from zero to both sides."`
	Max      string `json:"max" label:"Greatest value" editor:"template" default:"100" help:"Where the bar ends: a number, a value or an expression; 1 for shares. A larger value fills the bar, with a gap before its end."`
	Color    string `json:"color" editor:"color" default:"var(--primary)"`
	Negative string `json:"negativeColor" label:"Negative color" editor:"color" default:"#b3261e" help:"Color of values below zero."`
	Track    string `json:"trackColor" label:"Track color" editor:"color" default:"#e3e6ea" help:"Color of what is left of the bar."`
	AltText  string `json:"altText" label:"Alt text" editor:"template" help:"Description for people who do not see the bar. Default: the value in percent of the greatest, or as it is where the least is below zero."`
	Box
}

// barHeight is the height in pixels of a bar without one.
const barHeight = 8

// barUnits is the length of a bar in its own units, barGap where the gap of a
// value beyond its ends begins.
const barUnits, barGap = 100, 96

func compileProgressBar(c *Context, e *Element, p *progressBarProps) {
	low, hasLow := c.measure(e, "min", p.Min)
	high, hasHigh := c.measure(e, "max", p.Max)
	value, hasValue := c.measure(e, "value", p.Value)
	if hasLow && hasHigh && low >= high {
		c.warnAt(e, "max", "the greatest value is %s, and the least is %s; it must be above it", plainFloat(high), plainFloat(low))
	}
	hasValue = hasValue && hasLow && hasHigh && low < high
	c.Open(e, tag{name: "div", drawing: true, box: &p.Box})
	c.Raw(` role="img"`)
	c.Attr("aria-label", firstOf(strings.TrimSpace(c.Expand(p.AltText)), c.barText(value, low, high, hasValue)))
	c.Raw(`><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"`)
	c.Attr("height", strconv.Itoa(int(within(absolute(length(p.Height)), 1, 2000, barHeight))))
	c.Raw(">")
	c.barPart(0, barUnits, firstOf(cssValue(p.Track), "#e3e6ea"))
	if hasValue {
		c.bar(p, value, low, high)
	}
	c.Raw("</svg></div>\n")
}

// measure is a number that a setting gives: written there, by a path, or by an
// expression. What is neither a number nor empty is a warning.
func (c *Context) measure(e *Element, setting, source string) (float64, bool) {
	source = strings.TrimSpace(source)
	if source == "" {
		return 0, false
	}
	if v, ok := plainNumber(source); ok {
		return v, true
	}
	return c.numberIn(e, setting, c.Lookup(e, source))
}

// numberIn is a value of a setting as a number; false where it is empty. What is neither
// is a warning.
func (c *Context) numberIn(e *Element, setting string, v any) (float64, bool) {
	if v == nil || v == "" {
		return 0, false
	}
	n, ok := plainNumber(v)
	if !ok {
		c.warnAt(e, setting, "%s is no number", report.Show(v))
	}
	return n, ok
}

func plainFloat(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// barText is what a bar says to those who do not see it.
func (c *Context) barText(value, low, high float64, known bool) string {
	switch {
	case !known:
		return "–"
	case low < 0:
		return c.formatted("n;0;2", value)
	}
	return c.formatted("p;0;1", (value-low)/(high-low))
}

// bar draws a value from zero, or from the end that is nearer to it.
func (c *Context) bar(p *progressBarProps, value, low, high float64) {
	at := func(v float64) float64 { return barUnits * (min(max(v, low), high) - low) / (high - low) }
	zero := at(0)
	from, to := min(zero, at(value)), max(zero, at(value))
	color := firstOf(cssValue(p.Color), "var(--primary)")
	if value < 0 {
		color = firstOf(cssValue(p.Negative), "#b3261e")
	}
	switch {
	case value > high && to-from > barUnits-barGap:
		c.barPart(from, barGap-1.5, color)
		c.barPart(barGap, barUnits, color)
	case value < low && zero > barUnits-barGap:
		c.barPart(0, barUnits-barGap, color)
		c.barPart(barUnits-barGap+1.5, to, color)
	case to > from:
		c.barPart(from, to, color)
	}
	if low < 0 && high > 0 {
		c.barPart(zero-0.25, zero+0.25, "var(--text)")
	}
}

// barPart draws a part of a bar, from the right where that is read first.
func (c *Context) barPart(from, to float64, color string) {
	if c.Env.Locale.RightToLeft() {
		from, to = barUnits-to, barUnits-from
	}
	width := hundredths(to - from)
	c.Raw("<path")
	c.Attr("d", "M"+hundredths(from)+" 0h"+width+"v8h-"+width+"z")
	c.Attr("fill", color)
	c.Raw("/>")
}
