package htmlgen

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/quire-reports/quire/htmlgen/chart"
)

// timeAxis is an axis of time with its ticks.
type timeAxis struct {
	ticks []time.Time
	unit  chart.Unit
}

const (
	tickRoom = 40  // pixels that a part of an axis has at least
	tickSize = 0.8 // of its labels, as a share of the text's
)

// axis divides the time of the entries so finely as its labels have room in a width.
func (t *drawnTimeline) axis(from, to time.Time, width float64) timeAxis {
	size := tickSize * t.c.px(t.p.FontSize, width, 12)
	for parts := max(1, int(width/tickRoom)); ; parts = parts * 3 / 4 {
		end := to
		if t.wholeDays() {
			end = later(to, from.AddDate(0, 0, parts))
		}
		var a timeAxis
		a.ticks, a.unit = chart.Ticks(from, end, parts)
		if parts <= 1 || t.fits(a, width, size) {
			return a
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// wholeDays tells whether no entry has a time of day.
func (t *drawnTimeline) wholeDays() bool {
	return !slices.ContainsFunc(t.entries, func(h happening) bool {
		hour, minute, second := h.from.at.Clock()
		return h.from.known && hour+minute+second > 0
	})
}

// fits tells whether each label has room in its part.
func (t *drawnTimeline) fits(a timeAxis, width, size float64) bool {
	for i, tick := range a.ticks[:len(a.ticks)-1] {
		label, _ := t.c.chartMoment(tick, a.unit)
		if chart.MeasureSans(label, size, false)+6 > width*(a.share(a.ticks[i+1])-a.share(tick)) {
			return false
		}
	}
	return true
}

func (a timeAxis) first() time.Time { return a.ticks[0] }
func (a timeAxis) last() time.Time  { return a.ticks[len(a.ticks)-1] }

// share is how far a time is on the way from end to end.
func (a timeAxis) share(at time.Time) float64 {
	whole := a.last().Sub(a.first())
	return min(1, max(0, float64(at.Sub(a.first()))/float64(max(1, whole))))
}

// write writes the parts of an axis with their labels, above them what they are parts of.
func (t *drawnTimeline) writeAxis(a timeAxis, width float64) {
	size := tickSize * t.c.px(t.p.FontSize, width, 12)
	type part struct {
		label string
		share float64
	}
	var parts, wholes []part
	for i, tick := range a.ticks[:len(a.ticks)-1] {
		label, whole := t.c.chartMoment(tick, a.unit)
		share := a.share(a.ticks[i+1]) - a.share(tick)
		parts = append(parts, part{label, share})
		if n := len(wholes); n > 0 && wholes[n-1].label == whole {
			wholes[n-1].share += share
		} else {
			wholes = append(wholes, part{whole, share})
		}
	}
	line := func(list []part) {
		t.c.Raw("<div>")
		for _, p := range list {
			t.c.Raw(`<span style="width:` + percent(p.share) + `">`)
			if chart.MeasureSans(p.label, size, false)+6 <= width*p.share || len(list) == 1 {
				t.c.Text(p.label)
			}
			t.c.Raw("</span>")
		}
		t.c.Raw("</div>")
	}
	if wholes[0].label != "" {
		line(wholes)
	}
	line(parts)
}

func percent(share float64) string { return plainFloat(round3(100*share)) + "%" }

func round3(v float64) float64 { return float64(int64(v*1000+0.5)) / 1000 }

// extent is the first and the last time of the entries that have one.
func (t *drawnTimeline) extent() (from, to time.Time, any bool) {
	for i := range t.entries {
		h := &t.entries[i]
		if !h.from.known {
			continue
		}
		if !any || h.from.at.Before(from) {
			from = h.from.at
		}
		to = later(to, h.from.at)
		if h.to.known {
			to = later(to, h.to.end)
		}
		any = true
	}
	return from, to, any
}

// mostLanes is how many entries stand above each other on one side of an axis.
const mostLanes = 8

// across has the entries above and below an axis of time, each as a flag on a pole. Of
// those that would stand in each other's way the earlier one stands farther from the
// axis, so that no pole goes through a text.
func (t *drawnTimeline) across() {
	from, to, known := t.extent()
	if !known {
		t.down()
		return
	}
	t.dateless()
	room := max(1, t.c.outer(&t.p.Box)-t.c.horizontal(t.p.Padding))
	flag := min(max(room*0.18, 90), 150, room*0.6)
	latest := t.entries[len(t.entries)-1].from.at
	a := t.axis(from, to, room)
	for range 6 { // the last flag stands on the axis, too
		over := a.share(latest) - (1 - flag/room)
		if over <= 0 {
			break
		}
		whole := float64(latest.Sub(a.first())) / (1 - flag/room)
		a = t.axis(a.first(), later(a.last(), a.first().Add(time.Duration(whole))), room)
	}
	lanes, above, below := t.lanes(a, flag/room)
	if lanes == nil {
		t.c.Warn(t.e, "the %d entries stand too close to each other for an axis of time of this width; they stand below each other instead", len(t.entries))
		t.down()
		return
	}
	t.flags(a, room, flag/room, lanes, above, below)
}

// dateless leaves out what has no place on an axis.
func (t *drawnTimeline) dateless() {
	left := 0
	t.entries = slices.DeleteFunc(t.entries, func(h happening) bool {
		if !h.from.known {
			left++
		}
		return !h.from.known
	})
	if left > 0 {
		t.c.Warn(t.e, "entries without a date have no place on the axis and are left out: %d", left)
	}
}

// lanes gives each entry its distance from the axis, from 1; every other one stands below
// it. Nil: there is no room for them.
func (t *drawnTimeline) lanes(a timeAxis, flag float64) (lanes []int, above, below int) {
	const gap = 0.01
	lanes = make([]int, len(t.entries))
	for i := len(t.entries) - 1; i >= 0; i-- {
		end := a.share(t.entries[i].from.at) + flag + gap
		for j := i + 2; j < len(lanes) && a.share(t.entries[j].from.at) < end; j += 2 {
			lanes[i] = max(lanes[i], lanes[j])
		}
		if lanes[i]++; lanes[i] > mostLanes {
			return nil, 0, 0
		}
		if i%2 == 0 {
			above = max(above, lanes[i])
		} else {
			below = max(below, lanes[i])
		}
	}
	return lanes, above, below
}

func (t *drawnTimeline) flags(a timeAxis, room, flag float64, lanes []int, above, below int) {
	c := t.c
	t.open("ol", "q-tl-across", false, nil)
	c.Raw(">\n" + `<li class="q-tl-axis" aria-hidden="true" style="grid-row:` + fmt.Sprint(above+1) + `">`)
	t.writeAxis(a, room)
	for i := range t.entries {
		if h := &t.entries[i]; h.to.known {
			from := a.share(h.from.at)
			c.Raw("<i")
			c.Attr("style", fmt.Sprintf("%s:0;inset-inline-start:%s;width:%s;--tl-color:%s", [2]string{"top", "bottom"}[i%2], percent(from), percent(a.share(h.to.end)-from), t.color(h)))
			c.Raw("></i>")
		}
	}
	c.Raw("</li>\n")
	for i := range t.entries {
		h := &t.entries[i]
		at := a.share(h.from.at)
		row, from, to, class := above+1-lanes[i], above+1-lanes[i], above+1, "q-tl-entry"
		if i%2 == 1 {
			row, from, to, class = above+1+lanes[i], above+2, above+2+lanes[i], "q-tl-entry q-tl-below"
		}
		place := "margin-inline-start:" + percent(at)
		c.Raw(`<li class="` + class + `" style="grid-row:` + fmt.Sprint(row) + ";" + place + ";width:" + percent(min(flag, 1-at)) + `">`)
		t.texts(h, true)
		c.Raw("</li>\n" + `<li class="q-tl-pole" aria-hidden="true"`)
		c.Attr("style", fmt.Sprintf("grid-row:%d/%d;%s;--tl-color:%s", from, to, place, t.color(h)))
		c.Raw("></li>\n")
	}
	c.Raw("</ol>\n")
}

// bars has a row for each entry below an axis of time, those of a group together.
func (t *drawnTimeline) bars() {
	c := t.c
	from, to, known := t.extent()
	if !known {
		t.down()
		return
	}
	labels := firstOf(length(t.p.Labels), "30%")
	whole := max(1, c.outer(&t.p.Box)-c.horizontal(t.p.Padding))
	room := max(whole*0.1, whole-c.px(labels, whole, whole*0.3))
	a := t.axis(from, to, room)
	t.open("table", "q-tl-bars", true, nil)
	c.Raw(`><colgroup><col style="width:` + labels + `"><col></colgroup>` + "\n" + `<thead><tr><td></td><td><div class="q-tl-axis" aria-hidden="true">`)
	t.writeAxis(a, room)
	c.Raw("</div></td></tr></thead>\n<tbody>\n")
	lines := t.lines(a)
	slices.SortStableFunc(t.entries, func(x, y happening) int { return t.groups[x.group] - t.groups[y.group] })
	group := ""
	for i := range t.entries {
		if c.stopped() != nil {
			break
		}
		h := &t.entries[i]
		if h.group != group {
			group = h.group
			c.Raw(`<tr class="q-tl-of" data-keep-next><th colspan="2" scope="rowgroup">`)
			c.Text(group)
			c.Raw("</th></tr>\n")
		}
		t.bar(a, h, lines)
	}
	c.Raw("</tbody></table>\n")
}

// lines draws the ticks of an axis across a row.
func (t *drawnTimeline) lines(a timeAxis) string {
	var d strings.Builder
	for _, tick := range a.ticks {
		x := 1000 * a.share(tick)
		if t.c.Env.Locale.RightToLeft() {
			x = 1000 - x
		}
		d.WriteString("M" + tenths(x) + " 0v1")
	}
	return `<svg viewBox="0 0 1000 1" preserveAspectRatio="none" aria-hidden="true"><path fill="none" stroke="var(--tl-line)" stroke-width=".5" vector-effect="non-scaling-stroke" d="` + d.String() + `"/></svg>`
}

func (t *drawnTimeline) bar(a timeAxis, h *happening, lines string) {
	c := t.c
	c.Raw(`<tr><th scope="row">`)
	t.part("title", h.title)
	if t.p.Dates {
		t.part("when", h.when())
	}
	t.part("text", h.text)
	c.Raw(`</th><td><div class="q-tl-track"`)
	if t.p.Dates || h.when() == "" {
		c.Raw(` aria-hidden="true"`)
	} else {
		c.Raw(` role="img"`)
		c.Attr("aria-label", h.when())
	}
	c.Raw(">" + lines)
	if h.from.known {
		from := a.share(h.from.at)
		place := "inset-inline-start:" + percent(from)
		if h.to.known {
			place += ";width:max(2pt," + percent(a.share(h.to.end)-from) + ")"
			c.Raw("<i")
		} else {
			c.Raw(`<i class="q-tl-moment"`)
		}
		c.Attr("style", place+";--tl-color:"+t.color(h))
		c.Raw("></i>")
	}
	c.Raw("</div></td></tr>\n")
}
