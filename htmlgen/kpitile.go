package htmlgen

import (
	"math"
	"strings"

	"github.com/quire-reports/quire/htmlgen/chart"
)

var kpiTile = define("kpi-tile", "KPI tile", "Charts", "A figure with its label, what it was before or should be, and a sparkline.", compileKPITile, colors(ColorsOfParts), icon("square-activity"), looksBy(`
.q-kpi-tile{display:flex;flex-direction:column;padding:9pt 11pt;background:var(--surface);border-radius:3pt;line-height:1.3}
.q-flow:not(.q-vertical)>.q-kpi-tile{flex:1 1 0;min-width:min-content;min-width:calc-size(min-content,min(size,60%))}
.q-kpi-label{color:var(--muted);font-size:8pt}
.q-kpi-value{margin-top:1pt;font-size:var(--kpi-size);font-weight:600;line-height:1.2;font-variant-numeric:tabular-nums}
.q-kpi-value.q-none{color:var(--muted);font-weight:400}
.q-kpi-change{margin-top:3pt;font-size:8pt;color:var(--muted)}
.q-kpi-change>.q-badge-label{font-size:inherit;margin-inline-end:.35em;border:.6pt solid transparent;font-variant-numeric:tabular-nums;vertical-align:baseline}
.q-kpi-change>.danger{border-color:currentColor}
.q-kpi-than{display:inline-block;max-width:100%;margin-block:1.5pt}
.q-kpi-spark{margin-top:auto;padding-top:6pt}
.q-kpi-spark>svg{display:block;width:100%}
`))

type kpiTileProps struct {
	Label        string `json:"label" means:"text" editor:"template" default:"Label" help:"What the figure is."`
	Value        string `json:"value" editor:"template" help:"The figure as it is printed, such as {$data.year.revenue:c;EUR;0}."`
	EmptyText    string `json:"emptyText" label:"Empty text" editor:"template" help:"Shown below a dash when there is no value. Default: No data, in the language of the report."`
	Compared     string `json:"compareWith" label:"Compare with" editor:"template" help:"What the figure was before or should be, such as {$data.year.before:c;EUR;0}; without it nothing is compared."`
	CompareLabel string `json:"compareLabel" label:"Comparison label" editor:"template" help:"What it is compared with, for example Last year or Target."`
	ShowCompared bool   `json:"showCompared" label:"Print what it is compared with" default:"true"`
	Change       string `json:"change" enum:"percent,difference" default:"percent" help:"How the change is told."`
	ChangeFormat string `json:"changeFormat" label:"Format of the change" editor:"format" help:"Default: p;0;1;+ of a percentage, n;0;2;+ of a difference."`
	Better       string `json:"better" enum:"higher,lower,neither" default:"higher" help:"Which direction is good, and so green; the other is red and has an outline."`
	Size         string `json:"size" enum:"small,medium,large" default:"medium" help:"Size of the figure. One that the tile has no room for becomes smaller."`
	Source       string `json:"source" label:"Sparkline" editor:"binding" help:"Array of rows or numbers that a sparkline below shows." ask:"A list of rows or numbers that a sparkline below shows, such as $record.months."`
	transformProps
	Field   string `json:"valueField" label:"Value field" editor:"field" help:"Field of the values of the sparkline; without one the items are the values."`
	Kind    string `json:"kind" label:"Kind of sparkline" enum:"line,bar,win-loss" default:"line"`
	Spark   string `json:"sparklineColor" label:"Color of the sparkline" editor:"color" default:"var(--primary)"`
	AltText string `json:"altText" label:"Alt text" editor:"template" help:"Description of the sparkline. Default: its values, of many the first, the last, the least and the greatest."`
	Font
	Box
}

// The sizes of figures, and the least to which one is made smaller, in pixels; words
// become smaller by a share at most.
var kpiSizes = map[string]float64{"small": 18, "medium": 25, "large": 36}

const leastKPI, inTwoLines = 11.0, 0.7

// kpiPadding is what the style sheet leaves free at the sides of a tile, in pixels;
// kpiSparkHeight the height of its sparkline.
const kpiPadding, kpiSparkHeight = 2 * 11 * 96.0 / 72, 26

func compileKPITile(c *Context, e *Element, p *kpiTileProps) {
	c.Open(e, tag{name: "div", box: &p.Box})
	c.Raw(`><div class="q-kpi-label">`)
	c.Print(p.Label)
	c.Raw("</div>\n")
	if shown := c.Shown(p.Value); shown == "" {
		c.kpiEmpty(p)
	} else {
		c.kpiValue(e, p, shown)
		c.kpiChange(e, p)
	}
	if p.Source != "" {
		spark := &sparklineProps{Source: p.Source, transformProps: p.transformProps, Field: p.Field, Kind: p.Kind, Last: true, Color: p.Spark, AltText: p.AltText}
		if values := c.sparkValues(e, spark); anyNumber(values) {
			c.Raw(`<div class="q-kpi-spark q-drawing"`)
			c.sparkDrawing(e, spark, values, kpiSparkHeight)
		}
	}
	c.Raw("</div>\n")
}

// kpiEmpty says that there is no figure.
func (c *Context) kpiEmpty(p *kpiTileProps) {
	c.Raw(`<div class="q-kpi-value q-none" style="--kpi-size:` + cssPixels(kpiSizes[p.Size]) + `">–</div>` + "\n" + `<div class="q-kpi-change">`)
	c.Text(firstOf(c.Shown(p.EmptyText), noData(c.Env.Locale)))
	c.Raw("</div>\n")
}

func (c *Context) kpiValue(e *Element, p *kpiTileProps, shown string) {
	room := c.outer(&p.Box) - kpiPadding
	if p.Padding != "" {
		room = c.outer(&p.Box) - c.horizontal(p.Padding)
	}
	size := kpiSizes[p.Size]
	const slack = 1.08 // fonts are not as wide as the one that is measured
	if wide := slack * chart.MeasureSans(shown, size, true); wide > room && p.FontSize == "" {
		least := leastKPI
		if strings.Contains(shown, " ") { // words go on in a second line
			least = max(leastKPI, size*inTwoLines)
		} else if size*room/wide < leastKPI {
			c.warnAt(e, "value", "%s has no room in one line of the tile and is broken; make it wider, or the format shorter, such as n;0;1;c", shown)
		}
		size = max(least, size*room/wide)
	}
	c.namesFont(p.FontFamily, func(format string, args ...any) { c.Warn(e, format, args...) })
	var s style
	s.add("--kpi-size", cssPixels(size))
	p.Font.css(&s)
	c.Raw(`<div class="q-kpi-value"`)
	c.Attr("style", s.String())
	c.typedTemplate(c.Parse(p.Value))
	c.Raw(">")
	c.Print(p.Value)
	c.Raw("</div>\n")
}

// kpiChange writes how the figure differs from what it is compared with.
func (c *Context) kpiChange(e *Element, p *kpiTileProps) {
	if p.Compared == "" {
		return
	}
	c.Raw(`<div class="q-kpi-change">`)
	if change, known := c.kpiDifference(e, p); known {
		c.kpiBadge(p, change)
	} else {
		c.Raw("– ")
	}
	behind := c.Shown(p.CompareLabel)
	if p.ShowCompared {
		behind = strings.TrimSpace(behind + " " + c.Shown(p.Compared))
	}
	if behind != "" {
		c.Raw(`<span class="q-kpi-than">`)
		c.Text(behind)
		c.Raw("</span>")
	}
	c.Raw("</div>\n")
}

// kpiShift is a change, and how it is printed.
type kpiShift struct {
	by    float64
	shown string
}

// kpiDifference is how the figure differs; false where one of the two is no number.
func (c *Context) kpiDifference(e *Element, p *kpiTileProps) (kpiShift, bool) {
	value, known := c.soleNumber(e, "value", p.Value)
	before, compared := c.soleNumber(e, "compareWith", p.Compared)
	if !known || !compared {
		return kpiShift{}, false
	}
	by, format := value-before, "n;0;2;+"
	switch {
	case p.Change == "percent" && before != 0:
		by, format = by/math.Abs(before), "p;0;1;+"
	case p.Change == "percent" && by != 0:
		c.warnAt(e, "compareWith", "of 0 there is no percentage; the difference is printed")
		return kpiShift{by, c.formatted(format, by)}, true
	case p.Change == "percent":
		format = "p;0;1;+"
	}
	if p.ChangeFormat != "" {
		format = p.ChangeFormat
	}
	shown := c.formatted(format, by)
	if shown == c.formatted(format, 0.0) || shown == c.formatted(format, -by) { // too little to be seen
		by = 0
	}
	return kpiShift{by, shown}, true
}

// soleNumber is the number that a template prints, whatever stands around it.
func (c *Context) soleNumber(e *Element, setting, source string) (float64, bool) {
	return c.numberIn(e, setting, c.Parse(source).Sole(c.Env))
}

// kpiBadge writes a change with an arrow, in the look of good or bad.
func (c *Context) kpiBadge(p *kpiTileProps, change kpiShift) {
	arrow, look := "=", "neutral"
	switch {
	case change.by > 0:
		arrow = "↑"
	case change.by < 0:
		arrow = "↓"
	}
	if p.Better != "neither" && change.by != 0 {
		look = "danger"
		if change.by > 0 == (p.Better == "higher") {
			look = "success"
		}
	}
	c.Raw(`<span class="q-badge-label ` + look + `"><span aria-hidden="true">` + arrow + ` </span>`)
	c.Text(change.shown)
	c.Raw("</span> ")
}

// anyNumber tells whether a sparkline has anything to show.
func anyNumber(values []float64) bool {
	for _, v := range values {
		if !math.IsNaN(v) {
			return true
		}
	}
	return false
}
