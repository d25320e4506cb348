package htmlgen

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report"
)

// Charts are laid out on the server, so they have to know about how much room
// they have. The guess follows page, flows, paddings and widths; where it is
// wrong the chart is scaled and nothing is lost.

// pixels is a CSS length as pixels; percentages are of a whole. False: it is no
// length, or one that only a browser knows.
func pixels(s string, whole, em float64) (float64, bool) {
	s = length(s)
	digits := len(strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz%"))
	v, err := strconv.ParseFloat(s[:digits], 64)
	if err != nil {
		return 0, false
	}
	unit, ok := map[string]float64{
		"": 1, "px": 1, "pt": 96.0 / 72, "pc": 16, "in": 96, "mm": 96 / 25.4, "cm": 96 / 2.54, "em": em, "rem": em, "%": whole / 100,
	}[s[digits:]]
	return v * unit, ok
}

// em is the font size of the page's text in pixels.
func (c *Context) em() float64 {
	const usual = 16
	v, ok := pixels(c.theme.Page.FontSize, usual, usual)
	if !ok || v <= 0 {
		return usual
	}
	return v
}

// px is a length in pixels, or a default when it is none.
func (c *Context) px(s string, whole, def float64) float64 {
	if v, ok := pixels(s, whole, c.em()); ok {
		return v
	}
	return def
}

// sheetRoom is the width of a page between its margins.
func (c *Context) sheetRoom(l *report.Layout) float64 {
	width, _ := paper(l)
	whole := c.px(width, 0, 794)
	return max(0, whole-c.px(l.Margin.Left, whole, 0)-c.px(l.Margin.Right, whole, 0))
}

// horizontal is the sum of the left and right of a list of lengths, as margin
// and padding take.
func (c *Context) horizontal(list string) float64 {
	parts := strings.Fields(lengths(list))
	switch len(parts) {
	case 0:
		return 0
	case 1:
		return 2 * c.px(parts[0], c.room, 0)
	case 4:
		return c.px(parts[1], c.room, 0) + c.px(parts[3], c.room, 0)
	}
	return 2 * c.px(parts[1], c.room, 0)
}

// vertical is the sum of the top and bottom of a list of lengths.
func (c *Context) vertical(list string) float64 {
	parts := strings.Fields(lengths(list))
	switch len(parts) {
	case 0:
		return 0
	case 1, 2:
		return 2 * c.px(parts[0], c.room, 0)
	}
	return c.px(parts[0], c.room, 0) + c.px(parts[2], c.room, 0)
}

// outer is the width that an element takes of the room, without its margins.
func (c *Context) outer(b *Box) float64 {
	if v, ok := pixels(b.Width, c.room, c.em()); ok && v > 0 {
		return v
	}
	return max(0, c.room-c.horizontal(b.Margin))
}

// inside compiles what is inside an element with the room that it leaves.
func (c *Context) inside(b *Box, compile func()) {
	room, inRow := c.room, c.inRow
	c.room, c.inRow = max(0, c.outer(b)-c.horizontal(b.Padding)), false
	compile()
	c.room, c.inRow = room, inRow
}

// boxed is implemented by the settings of every element that has a Box.
type boxed interface{ boxOf() *Box }

func (b *Box) boxOf() *Box { return b }

// firm is implemented by the settings of elements that keep their room beside
// others: tables and charts.
type firm interface{ firm() }

func (*dataTableProps) firm()     {}
func (*tableProps) firm()         {}
func (*chartFrame) firm()         {}
func (*advancedChartProps) firm() {}

// holdsFirm tells whether elements hold a firm one. What such a one stands in
// must not be pressed either.
func holdsFirm(list []*Element) bool {
	return slices.ContainsFunc(list, func(e *Element) bool {
		_, is := e.props.(firm)
		return is || holdsFirm(e.Children)
	})
}

// keepReadable keeps what is beside a chart, or beside what holds one, from
// pressing it so much that its labels of 8 pt would be smaller than 5.
func (c *Context) keepReadable(s *style, width float64) {
	if c.beside {
		s.add("min-width", cssPixels(0.7*width))
	}
}

// keepRoom keeps a table that stands beside something from being pressed to a
// strip: it has half of its share, or what it needs where that is less.
func (c *Context) keepRoom(s *style, b *Box) {
	if c.beside && b.Width == "" {
		s.add("min-width", "calc-size(max-content,min(size,"+cssPixels(c.room/2)+"))")
	}
}

// row compiles elements that stand side by side, each as often as it is
// repeated: those with a width take it, the others share what is left, but have at
// least half of an equal share: widths give way where they leave nothing.
func (c *Context) row(list []*Element, gap string) {
	whole := c.room
	left, free, all := whole, 0, 0
	widths := make([]float64, len(list))
	for i, e := range list {
		times := 1
		if e.repeat != nil {
			times = len(c.items(e, e.repeat))
		}
		all += times
		if b, ok := e.props.(boxed); ok {
			if v, ok := pixels(b.boxOf().Width, whole, c.em()); ok && v > 0 {
				widths[i] = v
				left -= v * float64(times)
				continue
			}
		}
		free += times
	}
	if parts := strings.Fields(lengths(gap)); len(parts) > 0 && all > 1 {
		left -= float64(all-1) * c.px(parts[len(parts)-1], whole, 0)
	}
	beside := c.beside
	for i, e := range list {
		c.room, c.inRow, c.beside = whole, true, true // explicit widths are shares of the whole
		if widths[i] == 0 {
			c.room = max(left/float64(max(1, free)), whole/float64(2*all))
		}
		c.Child(e)
	}
	c.room, c.inRow, c.beside = whole, false, beside
}
