package htmlgen

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// paper sizes, upright, as CSS lengths.
var paperSizes = map[string][2]string{
	"A3": {"297mm", "420mm"}, "A4": {"210mm", "297mm"}, "A5": {"148mm", "210mm"}, "A6": {"105mm", "148mm"},
	"Letter": {"8.5in", "11in"}, "Legal": {"8.5in", "14in"}, "Tabloid": {"11in", "17in"},
}

// paper is the width and height of a layout's sheets.
func paper(l *report.Layout) (width, height string) {
	size, ok := paperSizes[l.Size]
	if !ok {
		size = paperSizes["A4"]
	}
	if l.Size == "Custom" {
		size = [2]string{firstOf(length(l.Width), size[0]), firstOf(length(l.Height), size[1])}
	} else if l.Orientation == "landscape" {
		size[0], size[1] = size[1], size[0]
	}
	return size[0], size[1]
}

// sheet writes the section of one page, if it is visible.
func (c *Context) sheet(plan *sheetPlan) {
	c.at = nil
	if c.stopped() != nil || !c.pageVisible(plan) {
		return
	}
	switch plan.page.Type {
	case report.PageTypeSubreport:
		c.subreportPages(plan)
	case report.PageTypeDocumentMerge:
		c.attachedPages(plan)
	default:
		c.ownSheet(plan)
	}
}

// ownSheet writes the section of a page that has elements of its own.
func (c *Context) ownSheet(plan *sheetPlan) {
	c.sheetStart(plan)
	c.region("q-first-header", plan.firstHeader, nil)
	c.region("q-header", plan.header, nil)
	c.region("q-footer", plan.footer, nil)
	c.region("q-body", plan.body, plan)
	c.Raw("</section>\n")
}

func (c *Context) sheetStart(plan *sheetPlan) {
	layout := *plan.layout
	report.ApplyDefaults(&layout)
	width, height := paper(&layout)
	c.room, c.inRow, c.beside = c.sheetRoom(&layout), false, false
	c.sheetWidth = c.room
	c.paper = [2]float64{absolute(width), absolute(height)}
	c.sheetTop, c.headed = c.px(layout.Margin.Top, 0, 0), len(plan.header)+len(plan.firstHeader) > 0
	c.Raw(`<section class="q-sheet"`)
	c.Raw(` data-page="`)
	c.Int(plan.page.ID)
	c.Raw(`"`)
	c.Attr("data-name", plan.page.Name)
	if plan.page.Counts() {
		c.Raw(` data-count="1"`)
	} else {
		c.Raw(` data-count="0"`)
	}
	c.sheetNumbers(plan.page.Restart)
	c.sheetStartsOn(plan.page.StartOn)
	c.Attr("data-toc", strings.TrimSpace(c.Expand(plan.page.TOCLabel)))
	c.Attr("data-width", width)
	c.Attr("data-height", height)
	m := layout.Margin
	c.Attr("data-margin", strings.Join([]string{margin(m.Top), margin(m.Right), margin(m.Bottom), margin(m.Left)}, " "))
	background := firstOf(cssValue(layout.Background), c.theme.Page.Background)
	c.Attr("data-background", background)
	if c.in.Alone != nil { // for the column that is read before there are pages
		c.Attr("style", "--paper:"+background)
	}
	c.inWorkbook(plan.page.Workbook)
	c.Raw(">\n")
}

// sheetNumbers lets the numbers of pages begin anew with the sheet whose start tag is
// open, if it or the subreport that begins with it says so.
func (c *Context) sheetNumbers(restart bool) {
	if restart || c.beginsAnew {
		c.numbersAnew(nil)
	}
	c.beginsAnew = false
}

// sheetStartsOn says on which pages the sheet whose start tag is open may begin, or the
// subreport that begins with it.
func (c *Context) sheetStartsOn(own string) {
	if on := firstOf(c.startOn, own); on == "odd" || on == "even" {
		c.Raw(` data-start-on="` + on + `"`)
	}
	c.startOn = ""
}

// margin is a length, or none when it is not one.
func margin(s string) string { return firstOf(length(s), "0") }

// region writes one part of a sheet. In the body of a plan placeholders are
// filled; a body that has none ends with what the page holds.
func (c *Context) region(class string, list []*Element, plan *sheetPlan) {
	if len(list) == 0 && plan == nil {
		return
	}
	c.Raw(`<div class="` + class + `"`)
	outer := c.filling
	c.filling = plan
	c.counts = plan != nil && plan.page.Counts()
	c.inBody = plan != nil
	if plan != nil {
		c.pageAnchor(plan)
	}
	c.Raw(">")
	if plan != nil {
		c.shownParameters(plan)
	}
	c.Children(list)
	if plan != nil {
		c.unplaced(plan)
	}
	c.filling, c.counts = outer, false
	c.Raw("</div>\n")
}

// pageAnchor makes the body a target of the table of contents.
func (c *Context) pageAnchor(plan *sheetPlan) {
	called := "page-" + strconv.Itoa(plan.page.ID)
	anchor := c.anchor(called)
	title := firstOf(strings.TrimSpace(c.Expand(plan.page.TOCLabel)), plan.page.Name)
	c.record(contentsEntry{kind: pageEntry, title: title, anchor: anchor})
	c.aim(called, target{anchor: anchor, title: title})
	c.Attr("id", anchor)
}

// shownParameters prints the parameters with Display at the top of the first
// page.
func (c *Context) shownParameters(plan *sheetPlan) {
	if len(c.in.Shown) == 0 || plan.path != "pages[0]" || len(c.within) > 0 {
		return
	}
	c.Raw(`<dl class="q-parameters">`)
	for _, p := range c.in.Shown {
		value, _ := c.in.Params.Get(p.Name)
		if list, several := value.([]any); value == nil || several && len(list) == 0 {
			continue
		}
		c.Raw("<div><dt>")
		c.Text(firstOf(p.Label, p.Name))
		c.Raw("</dt><dd>")
		switch v := value.(type) {
		case *report.Object:
			c.Text(c.period(v))
		case bool:
			c.Text(c.in.Locale.Truth(v))
		default:
			c.buf = parameterFormat(p.Type, value).Append(c.buf, parameterLabel(p, value), c.Env, text.EscapeText)
		}
		c.Raw("</dd></div>")
	}
	c.Raw("</dl>")
}

// likeYear reports whether a number may be a year, which has no thousands.
func likeYear(value any) bool {
	n, err := strconv.Atoi(fmt.Sprint(value))
	return err == nil && n > 0 && n < 10_000
}

func parameterFormat(kind string, value any) text.Format {
	switch {
	case kind == report.ParameterDate:
		return text.ParseFormat("d")
	case kind == report.ParameterNumber && !likeYear(value):
		return text.ParseFormat("n")
	}
	return text.ParseFormat("")
}

// period is a range of months in words, its end being the first day after it;
// one that begins or ends within a month is written in days.
func (c *Context) period(value *report.Object) string {
	from, _ := value.Get("from")
	to, _ := value.Get("to")
	pattern := "MMMMyyyy"
	if !strings.HasSuffix(fmt.Sprint(from), "-01") || !strings.HasSuffix(fmt.Sprint(to), "-01") {
		pattern = ""
	}
	first, last := c.formatted("d;"+pattern, from), c.formatted("daybefore;"+pattern, to)
	if first == last {
		return first
	}
	return first + " – " + last
}

// parameterLabel is what a lookup shows for a value, or for each of several.
func parameterLabel(p report.Parameter, value any) any {
	if list, ok := value.([]any); ok {
		labels := make([]any, len(list))
		for i, v := range list {
			labels[i] = parameterLabel(p, v)
		}
		return labels
	}
	for _, item := range p.Lookup {
		if item.Value == value && item.Label != "" {
			return item.Label
		}
	}
	return value
}
