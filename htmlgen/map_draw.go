package htmlgen

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/quire-reports/quire/htmlgen/chart"
	"github.com/quire-reports/quire/htmlgen/geo"
)

// mapDrawing writes a map in a size.
type mapDrawing struct {
	*drawnMap
	Writer
	style   chart.Style
	shapes  []geo.Shape
	pattern string // of shapes without a value
	taken   []chart.Rect
}

func (m *drawnMap) draw(width, height float64) []byte {
	d := &mapDrawing{drawnMap: m, style: m.c.chartStyle(&m.p.chartFrame)}
	d.Raw(fmt.Sprintf(`<svg class="q-c" viewBox="0 0 %s %s" width="%s" height="%s" aria-hidden="true" focusable="false">`, hundredths(width), hundredths(height), hundredths(width), hundredths(height)))
	if len(m.features) == 0 {
		d.text("q-c-empty", width/2, height/2, "middle", "", m.c.emptyText(&m.p.chartFrame))
		d.Raw("</svg>")
		return d.buf
	}
	m.c.drawings++
	d.pattern = fmt.Sprintf("q-map-%d", m.c.drawings)
	if m.missing {
		d.Raw(`<defs><pattern id="` + d.pattern + `" width="20" height="20" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0v20" stroke="var(--muted)" stroke-width="5" stroke-opacity=".55" fill="none"/></pattern></defs>`)
	}
	legend := d.legend(width)
	top, room := 0.0, height-legend.high
	switch {
	case room < height*0.4: // the map is what matters
		m.c.Warn(m.e, "the legend has no room beside the map and is left out")
		legend, room = mapLegendRows{}, height
	case m.p.Legend.Position == "top":
		top = legend.high
	}
	edge := max(1, m.p.OutlineW)
	margin := edge
	if m.largest > 0 {
		margin = min(m.p.CircleSize/2, width/4, room/4)
	}
	d.shapes = geo.Draw(m.features, geo.Projection(m.p.Projection), max(1, width-2*margin), max(1, room-2*margin))
	d.Raw(fmt.Sprintf(`<g transform="translate(%s %s)">`, hundredths(margin), hundredths(top+margin)))
	d.areas()
	d.circles()
	d.labels(chart.Rect{X: -margin, Y: -margin, W: width, H: room})
	d.Raw("</g>")
	at := 0.0
	if m.p.Legend.Position != "top" {
		at = height - legend.high
	}
	legend.write(d, at)
	d.Raw("</svg>")
	return d.buf
}

func (d *mapDrawing) text(class string, x, y float64, anchor, fill, shown string) {
	d.Raw("<text")
	d.Attr("class", class)
	d.Attr("x", hundredths(x))
	d.Attr("y", hundredths(y))
	d.Attr("text-anchor", anchor)
	if fill != "" {
		d.Attr("style", "fill:"+fill)
	}
	d.Raw(">")
	d.Text(shown)
	d.Raw("</text>")
}

// fill is how a shape is filled.
func (d *mapDrawing) fill(r *region) (color string, share float64) {
	switch {
	case r.class >= 0:
		return d.classes[r.class].color, d.classes[r.class].share
	case d.p.ValueField != "" && d.p.Source != "":
		return "url(#" + d.pattern + ")", 1
	}
	return firstOf(cssValue(d.p.Land), "#dde1e6"), 1
}

func (d *mapDrawing) filled(color string, share float64) {
	d.Attr("fill", color)
	if share < 1 {
		d.Attr("fill-opacity", hundredths(share))
	}
}

// areas draws the shapes, those of lines and points above the others.
func (d *mapDrawing) areas() {
	outline := firstOf(cssValue(d.p.Outline), "#ffffff")
	d.Raw(fmt.Sprintf(`<g transform="scale(%g)" stroke-linejoin="round" fill-rule="evenodd"`, geo.Unit))
	d.Attr("stroke-width", hundredths(d.p.OutlineW/geo.Unit))
	d.Raw(">")
	for i := range d.shapes {
		if s := &d.shapes[i]; s.Area != "" {
			color, share := d.fill(&d.regions[i])
			d.Raw("<path")
			d.filled(color, share)
			d.Attr("stroke", outline)
			if d.regions[i].class < 0 && d.missing {
				d.Raw(` style="stroke:var(--muted)" stroke-opacity=".55"`)
			}
			d.Attr("d", s.Area)
			d.Raw("/>")
		}
	}
	for i := range d.shapes {
		if s := &d.shapes[i]; s.Line != "" {
			color, share := d.fill(&d.regions[i])
			if d.regions[i].class < 0 {
				color, share = "var(--muted)", 1
			}
			d.Raw(`<path fill="none"`)
			d.Attr("stroke", color)
			d.Attr("stroke-opacity", hundredths(share))
			d.Attr("stroke-width", hundredths(1.5/geo.Unit))
			d.Attr("d", s.Line)
			d.Raw("/>")
		}
	}
	d.Raw("</g>")
	for i := range d.shapes {
		if math.IsNaN(d.regions[i].size) {
			color, share := d.fill(&d.regions[i])
			for _, p := range d.shapes[i].Dots {
				d.circle(p, 3, color, share, outline)
			}
		}
	}
}

func (d *mapDrawing) circle(at geo.Point, radius float64, color string, share float64, outline string) {
	d.Raw("<circle")
	d.Attr("cx", hundredths(at.X))
	d.Attr("cy", hundredths(at.Y))
	d.Attr("r", hundredths(radius))
	d.filled(color, share)
	d.Attr("stroke", outline)
	d.Raw(` stroke-width="0.75"/>`)
}

const circleShare = 0.7

func (d *mapDrawing) radius(size float64) float64 {
	if !(size > 0) || d.largest == 0 {
		return 0
	}
	return max(0.75, d.p.CircleSize/2*math.Sqrt(size/d.largest))
}

// circles draws the amounts, small ones above large ones.
func (d *mapDrawing) circles() {
	var order []int
	for i := range d.shapes {
		if d.shapes[i].Shown && d.regions[i].size > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.regions[b].size, d.regions[a].size) })
	for _, i := range order {
		d.circle(d.shapes[i].Place, d.radius(d.regions[i].size), firstOf(cssValue(d.p.Circle), "var(--accent)"), circleShare, "#ffffff")
	}
}

// labels writes what stands on shapes: on the largest first, and never over each other
// or out of the map.
func (d *mapDrawing) labels(box chart.Rect) {
	if d.p.Labels == "" || d.p.Labels == "none" {
		return
	}
	order := make([]int, 0, len(d.shapes))
	for i := range d.shapes {
		if d.shapes[i].Shown {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.shapes[b].Size, d.shapes[a].Size) })
	for _, i := range order {
		if radius := d.radius(d.regions[i].size); radius > 0 {
			p := d.shapes[i].Place
			d.taken = append(d.taken, chart.Rect{X: p.X - radius, Y: p.Y - radius, W: 2 * radius, H: 2 * radius})
		}
	}
	var left []string
	d.Raw(`<g class="q-c-data">`)
	for _, i := range order {
		if lines := d.said(&d.regions[i]); len(lines) > 0 && !d.label(i, lines, box) {
			left = append(left, d.regions[i].name)
		}
	}
	d.Raw("</g>")
	if len(left) > 0 {
		d.c.Warn(d.e, "shapes without room for their labels: %s", someOf(left))
	}
}

func (d *mapDrawing) said(r *region) (lines []string) {
	if d.p.Labels != "value" && r.name != "" {
		lines = append(lines, r.name)
	}
	if d.p.Labels != "name" && !math.IsNaN(r.value) {
		lines = append(lines, d.drawnMap.shown(r.value))
	}
	return lines
}

// label writes a label where it has room; false where it has none.
func (d *mapDrawing) label(i int, lines []string, box chart.Rect) bool {
	s, r := &d.shapes[i], &d.regions[i]
	size := d.style.LabelSize
	wide := 0.0
	for _, line := range lines {
		wide = max(wide, d.style.Measure(line, size, false))
	}
	high := 1.2 * size * float64(len(lines))
	x, y, anchor, ink := s.Place.X, s.Place.Y, "middle", "var(--text)"
	at := chart.Rect{X: x - wide/2, Y: y - high/2, W: wide, H: high}
	switch radius := d.radius(r.size); {
	case len(s.Dots) > 0: // beside it
		anchor, x = "start", x+max(radius, 3)+3
		at.X = x
		if at.X+wide > box.X+box.W {
			anchor, x = "end", s.Place.X-max(radius, 3)-3
			at.X = x - wide
		}
	case radius > 0: // below it
		at.Y = y + radius + 1
	}
	if len(s.Dots) == 0 && s.Area != "" && wide > 0.9*s.Wide {
		return false
	}
	if r.class >= 0 && len(s.Dots) == 0 {
		ink = d.c.inkOnTint(d.classes[r.class].color, d.classes[r.class].share)
	}
	if at.X < box.X || at.Y < box.Y || at.X+at.W > box.X+box.W || at.Y+at.H > box.Y+box.H {
		return false
	}
	for _, o := range d.taken {
		if at.X < o.X+o.W && o.X < at.X+at.W && at.Y < o.Y+o.H && o.Y < at.Y+at.H {
			return false
		}
	}
	d.taken = append(d.taken, at)
	for n, line := range lines {
		d.text("", x, at.Y+size*(1.2*float64(n)+0.95), anchor, ink, line)
	}
	return true
}

// mapLegendRows is a legend that is laid out.
type mapLegendRows struct {
	title string
	items []mapLegendItem
	size  float64
	high  float64
}

type mapLegendItem struct {
	x, y   float64
	class  *valueClass // nil: no value
	radius float64     // of a circle
	text   string
	high   float64 // of its line
}

const swatchWide, swatchGap = 16, 5

// legend lays out the classes, what stands for no value, and circles.
func (d *mapDrawing) legend(width float64) mapLegendRows {
	l := mapLegendRows{size: firstPositive(d.style.LegendSize, 10.67)}
	if d.p.Legend.Position == "none" || len(d.classes) == 0 && d.largest == 0 {
		return l
	}
	line := 1.5 * l.size
	x, y := 0.0, 0.5*l.size
	if l.title = d.c.Shown(d.p.Legend.Title); l.title != "" {
		y += line
	}
	put := func(item mapLegendItem) {
		sample := max(swatchWide, 2*item.radius)
		wide := sample + swatchGap + d.style.Measure(item.text, l.size, d.style.LegendBold)
		if x > 0 && x+wide > width {
			x, y = 0, y+line
		}
		item.x, item.y, item.high = x, y, line
		l.items = append(l.items, item)
		x += wide + max(10, d.style.LegendGap)
	}
	for i := range d.classes {
		put(mapLegendItem{class: &d.classes[i], text: d.classes[i].label})
	}
	if d.missing {
		put(mapLegendItem{text: noData(d.c.Env.Locale)})
	}
	if d.largest > 0 {
		if x > 0 {
			x, y = 0, y+line
		}
		line = max(line, d.p.CircleSize+3)
		for _, v := range []float64{d.largest / 10, d.largest / 3, d.largest} {
			v = roundDown(v)
			put(mapLegendItem{radius: d.radius(v), text: d.c.formatted(firstOf(d.p.SizeFormat, "n;0;2"), v)})
		}
	}
	l.high = y + line
	return l
}

func firstPositive(v, or float64) float64 {
	if v > 0 {
		return v
	}
	return or
}

// roundDown is the next of 1, 2 and 5, ten times or a tenth and so on, that is not above
// a number.
func roundDown(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	ten := math.Pow(10, math.Floor(math.Log10(v)))
	for _, n := range []float64{5, 2, 1} {
		if n*ten <= v*(1+1e-9) {
			return n * ten
		}
	}
	return ten
}

// swatch draws the colour of a class, or what stands for no value, in the units of shapes.
func (d *mapDrawing) swatch(k *valueClass, x, y, wide, high float64) {
	d.Raw(fmt.Sprintf(`<path transform="scale(%g)"`, geo.Unit))
	w := hundredths(wide / geo.Unit)
	d.Attr("d", "M"+hundredths(x/geo.Unit)+" "+hundredths(y/geo.Unit)+"h"+w+"v"+hundredths(high/geo.Unit)+"h-"+w+"z")
	if k != nil {
		d.filled(k.color, k.share)
	} else {
		d.filled("url(#"+d.pattern+")", 1)
		d.Raw(` stroke="var(--muted)" stroke-opacity=".55" stroke-width="3"`)
	}
	d.Raw("/>")
}

func (l *mapLegendRows) write(d *mapDrawing, top float64) {
	if len(l.items) == 0 {
		return
	}
	d.Raw(`<g class="q-c-legend">`)
	mirror := func(x float64) float64 { return x }
	anchor := "start"
	if d.style.RightToLeft {
		width := d.c.outer(&d.p.Box) - d.c.horizontal(d.p.Padding)
		mirror, anchor = func(x float64) float64 { return width - x }, "end"
	}
	if l.title != "" {
		d.text("q-c-title", mirror(0), top+1.5*l.size, anchor, "", l.title)
	}
	for _, item := range l.items {
		middle := top + item.y + item.high/2
		sample := float64(swatchWide)
		if item.radius > 0 {
			sample = max(sample, 2*item.radius)
			d.circle(geo.Point{X: mirror(item.x + sample/2), Y: middle}, item.radius, firstOf(cssValue(d.p.Circle), "var(--accent)"), circleShare, "#ffffff")
		} else {
			d.swatch(item.class, min(mirror(item.x), mirror(item.x+sample)), middle-0.4*l.size, sample, 0.8*l.size)
		}
		d.text("", mirror(item.x+sample+swatchGap), middle+0.36*l.size, anchor, "", item.text)
	}
	d.Raw("</g>")
}
