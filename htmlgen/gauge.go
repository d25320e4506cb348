package htmlgen

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/htmlgen/chart"
)

var gauge = define("gauge", "Gauge", "Charts", "A value between two ends, with its target and bands: a bar or a half circle.", compileGauge, colors(ColorsOfParts), icon("gauge"), looksBy(`
.q-gauge{min-width:24px;line-height:1.3;font-size:8pt;font-variant-numeric:tabular-nums}
.q-gauge.q-radial{width:180px}
.q-gauge-head,.q-gauge-scale{display:flex;justify-content:space-between;align-items:baseline;column-gap:1em}
.q-gauge-head{flex-wrap:wrap;margin-bottom:2pt}
.q-gauge-value{font-weight:600}
.q-gauge-value.q-none{font-weight:400;color:var(--muted)}
.q-gauge-note,.q-gauge-scale{color:var(--muted)}
.q-gauge-head .q-gauge-note{margin-inline-start:.6em}
.q-gauge-scale{margin-top:1pt;font-size:7pt}
.q-gauge svg{display:block;width:100%}
.q-radial>.q-gauge-value{margin-top:-1.3em;text-align:center;font-size:var(--gauge-size);line-height:1.2}
.q-radial>.q-gauge-name{margin-top:1pt;text-align:center}
.q-radial>.q-gauge-note{text-align:center}
`))

type gaugeProps struct {
	Label       string      `json:"label" means:"text" editor:"template" help:"What the value is."`
	Value       string      `json:"value" editor:"template" help:"The value as it is printed, such as {$record.share:p;0}. Without a value the gauge says so."`
	Min         string      `json:"min" label:"Least value" editor:"template" default:"0" help:"Where the gauge begins."`
	Max         string      `json:"max" label:"Greatest value" editor:"template" default:"100" help:"Where the gauge ends; 1 for shares."`
	Target      string      `json:"target" editor:"template" help:"What the value should be: a line across the gauge."`
	TargetLabel string      `json:"targetLabel" label:"Target label" editor:"template" help:"What the target is called; with it, it is printed."`
	Bands       []gaugeBand `json:"bands" help:"Parts of the gauge, from its beginning on." one:"Band"`
	Kind        string      `json:"kind" enum:"bullet,radial" default:"bullet"`
	ShowValue   bool        `json:"showValue" label:"Print the value" default:"true"`
	ShowEnds    bool        `json:"showEnds" label:"Print the ends"`
	EmptyText   string      `json:"emptyText" label:"Empty text" editor:"template" help:"Shown when there is no value. Default: No data, in the language of the report."`
	Color       string      `json:"color" editor:"color" default:"var(--primary)"`
	TargetColor string      `json:"targetColor" label:"Target color" editor:"color" default:"var(--text)"`
	Thickness   string      `json:"thickness" editor:"length" help:"Height of the bar with its bands, or width of the half circle. Default: 14px, or a tenth of the width."`
	AltText     string      `json:"altText" label:"Alt text" editor:"template" help:"Description for people who do not see the drawing. Default: the value, the ends, the target and the band."`
	Box
}

type gaugeBand struct {
	To    string `json:"to" editor:"template" help:"Where the band ends."`
	Label string `json:"label" editor:"template" help:"What a value in the band is, for example low; printed beside it."`
	Color string `json:"color" editor:"color" help:"Default: a grey, lighter from band to band."`
}

// gaugePoint is a value of a gauge, and how it is printed.
type gaugePoint struct {
	at    float64
	shown string
	known bool
}

// gaugePart is a band with its ends.
type gaugePart struct {
	from, to float64
	label    string
	color    string
	share    float64 // of its colour, which shows what is behind
}

// drawnGauge is what a gauge shows.
type drawnGauge struct {
	c                        *Context
	p                        *gaugeProps
	value, low, high, target gaugePoint
	parts                    []gaugePart
}

func compileGauge(c *Context, e *Element, p *gaugeProps) {
	g := &drawnGauge{c: c, p: p}
	g.value, g.target = c.gaugePoint(e, "value", p.Value), c.gaugePoint(e, "target", p.Target)
	g.low, g.high = c.gaugePoint(e, "min", p.Min), c.gaugePoint(e, "max", p.Max)
	if g.low.known && g.high.known && g.low.at >= g.high.at {
		c.warnAt(e, "max", "the greatest value is %s, and the least is %s; it must be above it", plainFloat(g.high.at), plainFloat(g.low.at))
	}
	if !g.low.known || !g.high.known || g.low.at >= g.high.at {
		g.value.known, g.target.known = false, false
	} else {
		g.parts = g.bands(e)
		g.within(e)
	}
	if p.Kind == "radial" {
		g.radial(e)
	} else {
		g.bullet(e)
	}
}

func (c *Context) gaugePoint(e *Element, setting, source string) gaugePoint {
	at, known := c.soleNumber(e, setting, source)
	shown := c.Shown(source)
	if _, written := c.Parse(source).Static(); written && known {
		shown = c.formatted("n;0;2", at)
	}
	return gaugePoint{at, shown, known}
}

// within tells of what lies beyond the ends. A target there is not drawn.
func (g *drawnGauge) within(e *Element) {
	beyond := func(p gaugePoint) bool { return p.known && (p.at < g.low.at || p.at > g.high.at) }
	if beyond(g.value) {
		g.c.warnAt(e, "value", "%s lies beyond the ends of the gauge, %s and %s, and is drawn at the end", g.value.shown, g.low.shown, g.high.shown)
	}
	if beyond(g.target) {
		g.c.warnAt(e, "target", "%s lies beyond the ends of the gauge, %s and %s, and is not drawn", g.target.shown, g.low.shown, g.high.shown)
	}
}

// bands are the parts of the gauge; one that does not end behind the one before is
// told of and left out.
func (g *drawnGauge) bands(e *Element) []gaugePart {
	var parts []gaugePart
	from := g.low.at
	for i := range g.p.Bands {
		b := &g.p.Bands[i]
		setting := fmt.Sprintf("bands[%d].to", i)
		to := g.c.gaugePoint(e, setting, b.To)
		if !to.known || to.at <= from {
			g.c.warnAt(e, setting, "the band ends at %s, which must be above %s; it is left out", firstOf(to.shown, "–"), plainFloat(from))
			continue
		}
		part := gaugePart{from: from, to: min(to.at, g.high.at), label: g.c.Shown(b.Label), color: cssValue(b.Color), share: 1}
		if part.color == "" {
			part.color, part.share = "var(--text)", 0.3*math.Pow(0.55, float64(i))
		}
		if part.to > part.from {
			parts = append(parts, part)
		}
		from = to.at
	}
	return parts
}

// band is what the band of the value is called.
func (g *drawnGauge) band() string {
	if g.value.known {
		for _, part := range g.parts {
			if g.value.at <= part.to {
				return part.label
			}
		}
	}
	return ""
}

// note is what stands beside the value: its band, and the target.
func (g *drawnGauge) note() string {
	var said []string
	if band := g.band(); band != "" {
		said = append(said, band)
	}
	if label := g.c.Shown(g.p.TargetLabel); label != "" && g.target.known {
		said = append(said, label+" "+g.target.shown)
	}
	return strings.Join(said, " · ")
}

// valueClass is the look of the value, or of what stands for it.
func (g *drawnGauge) valueClass() string {
	if g.value.known {
		return "value"
	}
	return "value q-none"
}

// shown is the value, or what stands for it.
func (g *drawnGauge) shown() string {
	if g.value.known {
		return g.value.shown
	}
	return firstOf(g.c.Shown(g.p.EmptyText), noData(g.c.Env.Locale))
}

// said is what the gauge says to those who do not see it.
func (g *drawnGauge) said() string {
	if alt := strings.TrimSpace(g.c.Expand(g.p.AltText)); alt != "" {
		return alt
	}
	if !g.value.known {
		return g.shown()
	}
	said := []string{g.value.shown + " (" + g.low.shown + " – " + g.high.shown + ")"}
	if note := g.note(); note != "" {
		said = append(said, note)
	}
	return strings.Join(said, "; ")
}

// share is how far a value is on the way from end to end.
func (g *drawnGauge) share(v float64) float64 {
	return (min(max(v, g.low.at), g.high.at) - g.low.at) / (g.high.at - g.low.at)
}

func (g *drawnGauge) open(e *Element, classes string) {
	g.c.Open(e, tag{name: "div", classes: classes, box: &g.p.Box})
	g.c.Raw(">")
}

// text writes a text in a box of its own, where there is one.
func (g *drawnGauge) text(name, class, shown string) {
	if shown != "" {
		g.c.Raw("<" + name + ` class="q-gauge-` + class + `">`)
		g.c.Text(shown)
		g.c.Raw("</" + name + ">")
	}
}

func (g *drawnGauge) bullet(e *Element) {
	p := g.p
	g.open(e, "")
	if label, shows := g.c.Shown(p.Label), p.ShowValue || !g.value.known; label != "" || shows {
		g.c.Raw(`<div class="q-gauge-head">`)
		g.text("span", "name", label)
		if shows {
			g.c.Raw("<span>")
			g.text("span", g.valueClass(), g.shown())
			if note := g.note(); note != "" {
				g.c.Raw(" ")
				g.text("span", "note", note)
			}
			g.c.Raw("</span>")
		}
		g.c.Raw("</div>\n")
	}
	g.draw("0 0 100 20", ` preserveAspectRatio="none" height="`+tenths(within(absolute(length(p.Thickness)), 2, 400, 14))+`"`, 100, g.bar)
	g.scale()
	g.c.Raw("</div>\n")
}

// draw writes the drawing, mirrored where reading begins at the right.
func (g *drawnGauge) draw(box, size string, wide int, parts func()) {
	g.c.Raw(`<div class="q-drawing" role="img"`)
	g.c.Attr("aria-label", g.said())
	g.c.Raw(`><svg aria-hidden="true" viewBox="` + box + `"` + size + ">")
	if g.c.Env.Locale.RightToLeft() {
		g.c.Raw(fmt.Sprintf(`<g transform="matrix(-1 0 0 1 %d 0)">`, wide))
	} else {
		g.c.Raw("<g>")
	}
	parts()
	g.c.Raw("</g></svg></div>\n")
}

// bar draws bands, in their middle the value, and the target across.
func (g *drawnGauge) bar() {
	if len(g.parts) == 0 {
		g.rect(0, 0, 100, 20, "var(--text)", 0.1)
	}
	for _, part := range g.parts {
		from := 100 * g.share(part.from)
		g.rect(from, 0, 100*g.share(part.to)-from, 20, part.color, part.share)
	}
	if g.value.known {
		zero := 100 * g.share(0)
		at := 100 * g.share(g.value.at)
		g.rect(min(zero, at), 6, math.Abs(at-zero), 8, firstOf(cssValue(g.p.Color), "var(--primary)"), 1)
	}
	if t := g.target; t.known && t.at >= g.low.at && t.at <= g.high.at {
		g.line("M"+hundredths(100*g.share(t.at))+" 2v16", "2")
	}
}

func (g *drawnGauge) rect(x, y, wide, high float64, color string, share float64) {
	g.c.Raw("<path")
	g.c.Attr("d", "M"+hundredths(x)+" "+hundredths(y)+"h"+hundredths(wide)+"v"+hundredths(high)+"h-"+hundredths(wide)+"z")
	g.c.Attr("fill", color)
	g.opacity("fill", share)
	g.c.Raw("/>")
}

func (g *drawnGauge) opacity(of string, share float64) {
	if share < 1 {
		g.c.Attr(of+"-opacity", hundredths(share))
	}
}

// line draws the target, as wide on paper whatever the drawing is stretched to.
func (g *drawnGauge) line(d, wide string) {
	g.c.Raw(`<path fill="none" vector-effect="non-scaling-stroke"`)
	g.c.Attr("d", d)
	g.c.Attr("stroke", firstOf(cssValue(g.p.TargetColor), "var(--text)"))
	g.c.Attr("stroke-width", wide)
	g.c.Raw("/>")
}

// scale writes the ends, where they are wanted.
func (g *drawnGauge) scale() {
	if !g.p.ShowEnds {
		return
	}
	g.c.Raw(`<div class="q-gauge-scale"><span>`)
	g.c.Text(g.low.shown)
	g.c.Raw("</span><span>")
	g.c.Text(g.high.shown)
	g.c.Raw("</span></div>\n")
}

// A half circle is drawn in units of a 200th of its width. Bands are a ring of their own
// outside of it.
const (
	gaugeMiddle = 100.0
	bandWide    = 6.0
	bandRoom    = 9.0
	radialWidth = 180 // pixels, without a width
)

func (g *drawnGauge) radial(e *Element) {
	p, c := g.p, g.c
	width := c.px(p.Width, c.room, radialWidth) - c.horizontal(p.Padding)
	thick := 20.0
	if p.Thickness != "" {
		thick = within(200*c.px(p.Thickness, width, 0)/max(1, width), 2, 60, thick)
	}
	radius := gaugeMiddle - 1 - thick/2
	if len(g.parts) > 0 {
		radius -= bandRoom
	}
	size := 0.13 * width
	room := 0.8 * 2 * (radius - thick/2) * width / 200
	if wide := chart.MeasureSans(g.shown(), size, true); wide > room {
		size = max(8, size*room/wide)
	}
	g.open(e, "q-radial")
	g.draw("0 0 200 102", "", 200, func() { g.arcs(radius, thick) })
	if p.ShowValue || !g.value.known {
		c.Raw(`<div class="q-gauge-` + g.valueClass() + `" style="--gauge-size:` + cssPixels(size) + `">`)
		c.Text(g.shown())
		c.Raw("</div>\n")
	}
	g.scale()
	g.text("div", "name", c.Shown(p.Label))
	if p.ShowValue {
		g.text("div", "note", g.note())
	}
	c.Raw("</div>\n")
}

// arcs draws the half circle, its value, the bands around it, and the target across.
func (g *drawnGauge) arcs(radius, thick float64) {
	g.arc(radius, thick, 0, 1, "var(--text)", 0.1)
	for _, part := range g.parts {
		g.arc(gaugeMiddle-bandWide/2, bandWide, g.share(part.from), g.share(part.to), part.color, part.share)
	}
	if g.value.known {
		zero, at := g.share(0), g.share(g.value.at)
		g.arc(radius, thick, min(zero, at), max(zero, at), firstOf(cssValue(g.p.Color), "var(--primary)"), 1)
	}
	if t := g.target; t.known && t.at >= g.low.at && t.at <= g.high.at {
		share := g.share(t.at)
		g.line("M"+onCircle(radius-thick/2-2, share)+"L"+onCircle(radius+thick/2+2, share), "2.5")
	}
}

func (g *drawnGauge) arc(radius, thick, from, to float64, color string, share float64) {
	if to <= from {
		return
	}
	g.c.Raw(`<path fill="none"`)
	r := hundredths(radius)
	g.c.Attr("d", "M"+onCircle(radius, from)+"A"+r+" "+r+" 0 0 1 "+onCircle(radius, to))
	g.c.Attr("stroke", color)
	g.opacity("stroke", share)
	g.c.Attr("stroke-width", hundredths(thick))
	g.c.Raw("/>")
}

// onCircle is the point of a share of the half circle.
func onCircle(radius, share float64) string {
	angle := math.Pi * (1 - share)
	return hundredths(gaugeMiddle+radius*math.Cos(angle)) + " " + hundredths(gaugeMiddle-radius*math.Sin(angle))
}

func hundredths(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}
