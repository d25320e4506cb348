package htmlgen

import (
	"maps"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report"
)

// colors are the theme's colours by the names of their CSS variables, with the
// palette of charts.
func (c *Context) colors() map[string]string {
	colors := map[string]string{"text": c.theme.Page.Color}
	for _, color := range c.theme.Colors {
		name := variableName(color.Name)
		colors[name], colors["color-"+name] = color.Value, color.Value
	}
	for i, color := range c.theme.Chart.Palette {
		colors["chart-"+strconv.Itoa(i+1)] = color
	}
	for name, value := range colors {
		colors[name] = plainColor(value, colors)
	}
	return colors
}

// plainColor follows a variable to its value, a few times at most.
func plainColor(value string, colors map[string]string) string {
	for range 4 {
		name, ok := strings.CutPrefix(strings.TrimSpace(value), "var(--")
		if !ok {
			break
		}
		value = colors[strings.TrimSuffix(name, ")")]
	}
	return value
}

// advancedTheme is the theme's own for advanced charts, over one that makes them
// look like the other charts.
func (c *Context) advancedTheme() any {
	colors := c.colors()
	of := func(value string) string { return plainColor(value, colors) }
	ch := &c.theme.Chart
	size := firstNumber(absolute(length(ch.LabelSize)), 10.67)
	label := map[string]any{"color": of(ch.LabelColor), "fontSize": size}
	line := map[string]any{"lineStyle": map[string]any{"color": of(ch.GuidelineColor), "width": 1}}
	axis := func(split bool) map[string]any {
		return map[string]any{
			"axisLine": map[string]any{"show": !split, "lineStyle": map[string]any{"color": of(ch.GuidelineColor)}}, "axisTick": map[string]any{"show": false},
			"axisLabel": label, "nameTextStyle": label, "splitLine": map[string]any{"show": split, "lineStyle": line["lineStyle"]},
		}
	}
	palette := make([]any, len(ch.Palette))
	for i, color := range ch.Palette {
		palette[i] = of(color)
	}
	theme := map[string]any{
		"color": palette, "backgroundColor": "transparent",
		"textStyle":    map[string]any{"fontFamily": c.theme.Page.FontFamily, "color": of(c.theme.Page.Color), "fontSize": size},
		"title":        map[string]any{"textStyle": map[string]any{"fontSize": firstNumber(absolute(length(ch.TitleSize)), 12), "fontWeight": 600, "color": of(c.theme.Page.Color)}},
		"legend":       map[string]any{"textStyle": map[string]any{"fontSize": firstNumber(absolute(length(c.theme.Legend.FontSize)), size), "color": of(firstOf(c.theme.Legend.Color, c.theme.Page.Color))}, "itemWidth": 12, "itemHeight": 8, "icon": "roundRect"},
		"categoryAxis": axis(false), "valueAxis": axis(true), "timeAxis": axis(false), "logAxis": axis(true),
		"line": map[string]any{"symbol": "circle", "symbolSize": 4, "lineStyle": map[string]any{"width": 2}},
	}
	for name, value := range c.theme.AdvancedChart {
		theme[name] = value
	}
	for _, name := range labelledSeries {
		theme[name] = withoutOutline(theme[name])
	}
	return ordered(theme)
}

// labelledSeries are the types of series whose labels Apache ECharts outlines by
// itself.
var labelledSeries = []string{
	"bar", "boxplot", "chord", "custom", "effectScatter", "funnel", "graph", "heatmap", "line", "lines", "map", "pictorialBar", "pie", "radar",
	"sankey", "scatter", "sunburst", "themeRiver", "tree", "treemap",
}

// withoutOutline is the theme of a type of series whose labels have no outline
// unless the author gives them one: the browser writes outlined letters as a Type 3
// font, which printers draw coarsely.
func withoutOutline(series any) any {
	own := func(v any) map[string]any {
		m, _ := v.(map[string]any)
		if m = maps.Clone(m); m == nil {
			m = map[string]any{}
		}
		return m
	}
	s := own(series)
	label := own(s["label"])
	if _, given := label["textBorderColor"]; !given {
		label["textBorderColor"] = "none"
	}
	s["label"] = label
	return s
}

// ordered makes objects of maps, so that the same theme is always written the
// same way.
func ordered(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	o := report.ObjectOf()
	for _, name := range sortedKeys(m) {
		o.Set(name, ordered(m[name]))
	}
	return o
}
