package htmlgen

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/quire-reports/quire/htmlgen/chart"
	"github.com/quire-reports/quire/report/text"
)

var timeline = define("timeline", "Timeline", "Data", "What happened when: dates beside a line, along an axis of time, or periods as bars.", compileTimeline, colors(ColorsOfParts), icon("timeline"), looksBy(`
.q-timeline{margin:0 0 10pt;font-size:9pt;line-height:1.35}
ol.q-timeline{padding:0;list-style:none}
.q-tl-when{color:var(--muted);font-variant-numeric:tabular-nums}
.q-tl-group{color:var(--muted);font-size:.86em}
.q-tl-title{font-weight:600}
.q-tl-down>li{position:relative;display:grid;grid-template-columns:minmax(0,var(--tl-dates)) minmax(0,1fr);column-gap:2.4em;padding-bottom:.9em;break-inside:avoid}
.q-tl-down>li::before{content:"";position:absolute;inset-block:0;inset-inline-start:calc(var(--tl-dates) + 1.2em - .75pt);border-inline-start:1.5pt solid var(--tl-line)}
.q-tl-down>.q-tl-first::before{top:.65em}
.q-tl-down>.q-tl-last::before{bottom:auto;height:.65em}
.q-tl-down>:is(.q-tl-first.q-tl-last,.q-tl-last.q-cut-start)::before{display:none}
.q-tl-down>.q-tl-last{padding-bottom:0}
.q-tl-down>li::after{content:"";position:absolute;top:.3em;inset-inline-start:calc(var(--tl-dates) + .85em);width:.7em;height:.7em;border-radius:50%;background:var(--tl-color)}
.q-tl-down>li.q-cut-start::before{top:0!important}
.q-tl-down>li.q-cut-start::after{display:none}
.q-tl-down .q-tl-when{text-align:end}
.q-tl-steps{display:grid;grid-template-columns:repeat(var(--tl-columns),minmax(0,1fr))}
.q-tl-steps>li{position:relative;padding-block:.75em 1em;padding-inline:0 1em;margin-top:.35em;border-top:1.5pt solid var(--tl-line)}
.q-tl-steps>.q-tl-last{border-top-color:transparent}
.q-tl-steps>li::after{content:"";position:absolute;top:calc(-.35em - .75pt);inset-inline-start:0;width:.7em;height:.7em;border-radius:50%;background:var(--tl-color)}
.q-tl-axis>div{display:flex}
.q-tl-axis>div>span{flex:none;overflow:hidden;white-space:nowrap;padding-inline-start:3pt;border-inline-start:.5pt solid var(--tl-line)}
.q-tl-axis>div>span:last-child{border-inline-end:.5pt solid var(--tl-line)}
.q-tl-axis{color:var(--muted);font-size:.8em;font-weight:400;font-variant-numeric:tabular-nums}
.q-tl-across{display:grid;grid-template-columns:100%}
.q-tl-across>*{grid-column:1}
.q-tl-across>.q-tl-axis{position:relative;background:var(--surface);padding-block:2.5pt}
.q-tl-across>.q-tl-axis>i{position:absolute;height:2.5pt;background:var(--tl-color)}
.q-tl-entry{padding-inline-start:.5em;padding-bottom:.4em}
.q-tl-below{padding-block:.4em 0}
.q-tl-pole{border-inline-start:1pt solid var(--tl-color)}
table.q-timeline{width:100%;border-collapse:collapse;table-layout:fixed}
.q-tl-bars :is(th,td){padding:0;text-align:start;vertical-align:top;font-weight:400}
.q-tl-bars>thead>tr>:first-child,.q-tl-bars>tbody>tr>th{padding-inline-end:1em}
.q-tl-bars>tbody>tr>th{padding-block:.35em;border-bottom:.5pt solid var(--line)}
.q-tl-bars>tbody>.q-tl-of>th{padding-top:.8em;font-weight:600}
.q-tl-bars>tbody>tr>td{position:relative;border-bottom:.5pt solid var(--line)}
.q-tl-bars .q-tl-when{font-size:.86em}
.q-tl-track{position:absolute;inset:0}
.q-tl-track>svg{position:absolute;inset:0;width:100%;height:100%}
.q-tl-track>i{position:absolute;top:.55em;height:.9em;border-radius:1.5pt;background:var(--tl-color)}
.q-tl-track>.q-tl-moment{width:.8em;margin-inline-start:-.4em;height:.8em;border-radius:0;transform:rotate(45deg)}
`))

type timelineProps struct {
	Entries []timelineEntry `json:"entries" means:"text" help:"Entries that are written by hand; those of the data follow them." one:"Entry"`
	Source  string          `json:"source" label:"Data source" editor:"binding" help:"Array of rows, for example $data.events; each is an entry." ask:"A list of the data: each of its rows is an entry."`
	transformProps
	Date      string `json:"dateField" label:"Date field" editor:"field" default:"date" help:"Field of the date, or of the day on which a period begins: a day, a month (2026-03), a year or a time."`
	End       string `json:"endField" label:"End field" editor:"field" help:"Field of the last day, month or year of a period."`
	Title     string `json:"title" editor:"template" default:"{$record.title}" help:"What happened; the row is $record." ask:"What happened, in a few words."`
	Text      string `json:"text" editor:"template" help:"More about it, below the title; the row is $record." ask:"More about it, below the title."`
	Group     string `json:"groupField" label:"Group field" editor:"field" help:"Field of what entries belong to: printed beside their titles, and above the bars of each; groups have colors of their own."`
	ColorOf   string `json:"colorField" label:"Color field" editor:"field" help:"Field of a CSS color for the marker or bar."`
	Kind      string `json:"kind" enum:"vertical,horizontal,bars" default:"vertical" help:"vertical has the dates beside a line; horizontal has them along one; bars has a row for each entry below an axis of time."`
	Scale     string `json:"scale" enum:"time,even" default:"time" help:"Whether a horizontal timeline is an axis of time, or has the same room for each entry."`
	Order     string `json:"order" enum:"date,newest,given" default:"date" help:"By date, the newest first, or as the entries are given. An axis of time has them by date."`
	Format    string `json:"dateFormat" label:"Date format" editor:"format" help:"Such as d or d;dd MMM yyyy. Default: a day, month, year or time as exactly as it is given, in the language of the report."`
	Dates     bool   `json:"showDates" label:"Print the dates" default:"true"`
	Labels    string `json:"labelWidth" label:"Label width" editor:"length" help:"Width of the dates, or of the titles of bars. Default: that of the longest date; 30%."`
	EmptyText string `json:"emptyText" label:"Empty text" editor:"template" help:"Shown when there are no entries. Default: No data, in the language of the report."`
	Marker    string `json:"markerColor" label:"Marker color" editor:"color" default:"var(--primary)" help:"Color of markers and bars without one of their own."`
	Line      string `json:"lineColor" label:"Line color" editor:"color" default:"var(--line)"`
	Font
	Box
}

type timelineEntry struct {
	Date  string `json:"date" editor:"template" help:"Date, or day on which a period begins, such as 2026-03-01, 2026-03, 2026 or {$data.project.start}."`
	End   string `json:"end" editor:"template" help:"Last day, month or year of a period."`
	Title string `json:"title" editor:"template"`
	Text  string `json:"text" editor:"template"`
	Group string `json:"group" editor:"template"`
	Color string `json:"color" editor:"color"`
}

// happening is an entry as it is drawn.
type happening struct {
	from, to           timePoint
	title, text, group string
	color              string
}

// timePoint is a date of an entry: when it begins and ends, and how it is printed.
type timePoint struct {
	at, end time.Time
	format  string
	shown   string
	known   bool
}

// drawnTimeline is what a timeline shows.
type drawnTimeline struct {
	c       *Context
	e       *Element
	p       *timelineProps
	entries []happening
	groups  map[string]int // their places in the order in which they first appear
	wrong   int            // dates of rows that are none
}

func compileTimeline(c *Context, e *Element, p *timelineProps) {
	t := &drawnTimeline{c: c, e: e, p: p, groups: map[string]int{"": 0}}
	t.read()
	if t.wrong > mostNamed {
		c.Warn(e, "the dates of %d entries are missing or wrong; the first %d are named", t.wrong, mostNamed)
	}
	t.order()
	switch {
	case len(t.entries) == 0:
		t.empty()
	case c.in.forOffice():
		t.table()
	case p.Kind == "bars":
		t.bars()
	case p.Kind == "horizontal" && p.Scale == "even":
		t.steps()
	case p.Kind == "horizontal":
		t.across()
	default:
		t.down()
	}
}

// read collects the entries.
func (t *drawnTimeline) read() {
	c, p := t.c, t.p
	for i := range p.Entries {
		o := &p.Entries[i]
		at := fmt.Sprintf("entries[%d].", i)
		t.add(happening{
			from: t.written(at+"date", o.Date), to: t.written(at+"end", o.End),
			title: c.Shown(o.Title), text: c.Shown(o.Text), group: c.Shown(o.Group), color: cssValue(o.Color),
		}, at+"date", 0)
	}
	if p.Source == "" {
		return
	}
	rows := c.SourceRows(t.e, p.Source)
	for _, f := range []struct{ setting, field string }{{"dateField", p.Date}, {"endField", p.End}, {"groupField", p.Group}, {"colorField", p.ColorOf}} {
		c.missingField(t.e, f.setting, rows, f.field)
	}
	for i, row := range c.each(rows) {
		var h happening
		c.withRecord(row, func() {
			h = happening{
				from: t.dated(i, row, "dateField", p.Date), to: t.dated(i, row, "endField", p.End),
				title: c.Shown(p.Title), text: c.Shown(p.Text), group: t.field(row, p.Group), color: cssValue(t.field(row, p.ColorOf)),
			}
		})
		t.add(h, "dateField", i+1)
	}
}

// mostNamed is how many dates that are missing or wrong are named.
const mostNamed = 10

func (t *drawnTimeline) field(row any, field string) string {
	if field == "" {
		return ""
	}
	v, _ := t.c.fieldPath(field).Of(row)
	return strings.TrimSpace(t.c.formatted("", v))
}

func (t *drawnTimeline) written(setting, source string) timePoint {
	v := t.c.Parse(source).Sole(t.c.Env)
	point := t.point(v)
	if !point.known && point.shown != "" {
		t.fault(setting, "%q is no date", clip(point.shown, mostReason))
	}
	return point
}

func (t *drawnTimeline) dated(i int, row any, setting, field string) timePoint {
	if field == "" {
		return timePoint{}
	}
	v, _ := t.c.fieldPath(field).Of(row)
	point := t.point(v)
	if !point.known && point.shown != "" {
		t.fault(setting, "row %d: %q in the field %q is no date", i+1, clip(point.shown, mostReason), field)
	}
	return point
}

// add takes an entry in. One without a date, or whose end lies before it, is told of.
// Entries that are written by hand have no row.
func (t *drawnTimeline) add(h happening, setting string, row int) {
	none := !h.from.known && h.from.shown == ""
	turned := h.to.known && h.from.known && h.to.end.Before(h.from.at)
	switch {
	case none && row > 0:
		t.fault(setting, "row %d has no date in the field %q", row, t.p.Date)
	case none:
		t.fault(setting, "the entry %q has no date", h.title)
	case turned && row > 0:
		t.fault(setting, "row %d: the period ends on %s, before it begins on %s; the end is left out", row, h.to.shown, h.from.shown)
	case turned:
		t.fault(setting, "the period ends on %s, before it begins on %s; the end is left out", h.to.shown, h.from.shown)
	}
	if turned {
		h.to = timePoint{}
	}
	if _, known := t.groups[h.group]; !known {
		t.groups[h.group] = len(t.groups)
	}
	t.entries = append(t.entries, h)
}

// fault tells of a date; of many the first ones.
func (t *drawnTimeline) fault(setting, format string, args ...any) {
	if t.wrong++; t.wrong <= mostNamed {
		t.c.warnAt(t.e, setting, format, args...)
	}
}

// point reads a date. A day, month or year lasts until it is over.
func (t *drawnTimeline) point(v any) timePoint {
	c := t.c
	at, ok := time.Time{}, false
	switch v := v.(type) {
	case time.Time:
		at, ok = v, true
		if c.Env.Zone != nil {
			at = v.In(c.Env.Zone)
		}
	case string:
		at, ok = text.ParseTime(strings.TrimSpace(v), c.Env.Zone)
	}
	if !ok {
		return timePoint{shown: strings.TrimSpace(c.formatted("", v))}
	}
	written, _ := v.(string)
	format, end := "dt", at
	h, m, s := at.Clock()
	switch written = strings.TrimSpace(written); {
	case len(written) == len("2006"):
		format, end = "d;yyyy", at.AddDate(1, 0, 0)
	case len(written) == len("2006-01"):
		format, end = "d;yyyyMMM", at.AddDate(0, 1, 0)
	case h+m+s == 0:
		format, end = "d", at.AddDate(0, 0, 1)
	}
	format = firstOf(t.p.Format, format)
	return timePoint{at: at, end: end, format: format, shown: c.formatted(format, at), known: true}
}

// order puts the entries in their order; those without a date come last.
func (t *drawnTimeline) order() {
	if t.p.Order == "given" && (t.p.Kind != "horizontal" || t.p.Scale == "even") {
		return
	}
	newest := t.p.Order == "newest" && (t.p.Kind != "horizontal" || t.p.Scale == "even")
	slices.SortStableFunc(t.entries, func(a, b happening) int {
		switch {
		case a.from.known != b.from.known:
			return cmp.Compare(boolInt(b.from.known), boolInt(a.from.known))
		case newest:
			a, b = b, a
		}
		return a.from.at.Compare(b.from.at)
	})
}

// color is the colour of an entry: its own, its group's, or the timeline's.
func (t *drawnTimeline) color(h *happening) string {
	if h.color == "" && h.group != "" {
		return paletteColor(t.groups[h.group] - 1)
	}
	return firstOf(h.color, cssValue(t.p.Marker), "var(--primary)")
}

// when is the date of an entry, or its period.
func (h *happening) when() string {
	if h.to.shown == "" || h.to.shown == h.from.shown {
		return h.from.shown
	}
	return h.from.shown + " – " + h.to.shown
}

// open begins the element.
func (t *drawnTimeline) open(name, classes string, breaks bool, extra func(*style)) {
	t.c.Open(t.e, tag{name: name, classes: classes, breaks: breaks, font: &t.p.Font, box: &t.p.Box, extra: func(s *style) {
		s.add("--tl-line", firstOf(cssValue(t.p.Line), "var(--line)"))
		if extra != nil {
			extra(s)
		}
	}})
}

func (t *drawnTimeline) empty() {
	t.open("div", "q-empty-text", false, nil)
	t.c.Raw(">")
	t.c.Text(firstOf(t.c.Shown(t.p.EmptyText), noData(t.c.Env.Locale)))
	t.c.Raw("</div>\n")
}

// texts writes the parts of an entry that are there.
func (t *drawnTimeline) texts(h *happening, dated bool) {
	if dated && t.p.Dates {
		t.part("when", h.when())
	}
	t.titled(h)
	t.part("text", h.text)
}

// titled writes the title of an entry, and what it belongs to.
func (t *drawnTimeline) titled(h *happening) {
	if h.title == "" {
		t.part("group", h.group)
		return
	}
	t.c.Raw(`<div><span class="q-tl-title">`)
	t.c.Text(h.title)
	t.c.Raw("</span>")
	if h.group != "" {
		t.c.Raw(` <span class="q-tl-group">`)
		t.c.Text(h.group)
		t.c.Raw("</span>")
	}
	t.c.Raw("</div>")
}

func (t *drawnTimeline) part(class, shown string) {
	if shown != "" {
		t.c.Raw(`<div class="q-tl-` + class + `">`)
		t.c.Text(shown)
		t.c.Raw("</div>")
	}
}

// asWide makes digits as wide as they are where they stand below each other.
var asWide = strings.NewReplacer("1", "0", "2", "0", "3", "0", "4", "0", "5", "0", "6", "0", "7", "0", "8", "0", "9", "0")

// down has the dates beside a line.
func (t *drawnTimeline) down() {
	widest := 0.0 // in em
	for i := range t.entries {
		h := &t.entries[i]
		from := h.from.shown
		if h.when() != from {
			from += " –"
		}
		for _, shown := range []string{from, h.to.shown} {
			widest = max(widest, chart.MeasureSans(asWide.Replace(shown), 1, false))
		}
	}
	dates := firstOf(length(t.p.Labels), fmt.Sprintf("min(%sem,30%%)", hundredths(math.Ceil(widest*20+1)/20)))
	if !t.p.Dates {
		dates = "0em"
	}
	t.open("ol", "q-tl-down", true, func(s *style) { s.add("--tl-dates", dates) })
	t.c.Raw(">\n")
	t.items(func(h *happening) {
		t.c.Raw(`<div class="q-tl-when">`)
		if t.p.Dates {
			t.c.Text(h.when())
		}
		t.c.Raw("</div><div>")
		t.texts(h, false)
		t.c.Raw("</div>")
	})
	t.c.Raw("</ol>\n")
}

// items writes the entries as items of a list.
func (t *drawnTimeline) items(content func(h *happening)) {
	for i := range t.entries {
		if t.c.stopped() != nil {
			return
		}
		h := &t.entries[i]
		var classes []string
		if i == 0 {
			classes = append(classes, "q-tl-first")
		}
		if i == len(t.entries)-1 {
			classes = append(classes, "q-tl-last")
		}
		t.c.Raw("<li")
		t.c.Attr("class", strings.Join(classes, " "))
		t.c.Attr("style", "--tl-color:"+t.color(h))
		t.c.Raw(">")
		content(h)
		t.c.Raw("</li>\n")
	}
}

// stepRoom is the width in pixels that an entry of even steps has at least.
const stepRoom = 110

// steps has the same room for each entry, in as many lines as they need.
func (t *drawnTimeline) steps() {
	room := t.c.outer(&t.p.Box) - t.c.horizontal(t.p.Padding)
	most := max(1, int(room/stepRoom))
	lines := (len(t.entries) + most - 1) / most
	columns := (len(t.entries) + lines - 1) / lines
	t.open("ol", "q-tl-steps", true, func(s *style) { s.add("--tl-columns", fmt.Sprint(columns)) })
	t.c.Raw(">\n")
	t.items(func(h *happening) { t.texts(h, true) })
	t.c.Raw("</ol>\n")
}

// table is the timeline in a document of Office: a row for each entry, and in workbooks
// a cell for each of its parts.
func (t *drawnTimeline) table() {
	c := t.c
	t.open("table", "q-data-table", true, nil)
	c.Raw("><tbody>\n")
	ends, grouped, more := false, false, false
	for i := range t.entries {
		h := &t.entries[i]
		ends, grouped, more = ends || h.to.shown != "", grouped || h.group != "", more || h.text != ""
	}
	for i := range t.entries {
		if c.stopped() != nil {
			break
		}
		h := &t.entries[i]
		c.Raw("<tr>")
		if c.in.Typed {
			t.dateCell(&h.from)
			if ends {
				t.dateCell(&h.to)
			}
			t.cell(grouped, h.group)
			t.cell(true, h.title)
			t.cell(more, h.text)
		} else {
			t.cell(t.p.Dates, h.when())
			c.Raw("<td>")
			t.texts(h, false)
			c.Raw("</td>")
		}
		c.Raw("</tr>\n")
	}
	c.Raw("</tbody></table>\n")
}

func (t *drawnTimeline) cell(wanted bool, shown string) {
	if wanted {
		t.c.Raw("<td>")
		t.c.Text(shown)
		t.c.Raw("</td>")
	}
}

func (t *drawnTimeline) dateCell(point *timePoint) {
	t.c.Raw("<td")
	if point.known {
		t.c.typed(point.at, t.c.format(point.format))
	}
	t.c.Raw(">")
	t.c.Text(point.shown)
	t.c.Raw("</td>")
}
