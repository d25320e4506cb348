package htmlgen

import (
	"errors"
	"fmt"
	"strings"

	"github.com/quire-reports/quire/report"
)

var advancedChart = define("advanced-chart", "Advanced chart", "Charts", "A chart of Apache ECharts, described by a function and drawn on the server.", compileAdvancedChart, icon("chart-spline"))

type advancedChartProps struct {
	Options    string `json:"options" editor:"code" help:"JavaScript function that receives $data, $params, $dict and $user (inside repeats also $it and $record) and returns the option object of Apache ECharts 6. Colours may be var(--name) of the theme."`
	AltText    string `json:"altText" label:"Alt text" editor:"template" help:"Description for people who do not see the chart. Default: Chart."`
	Decorative bool   `json:"decorative" help:"The chart says nothing; readers skip it."`
	Box
}

// advancedChartHeight is the height of a chart that gives none, in px.
const advancedChartHeight = 320

func compileAdvancedChart(c *Context, e *Element, p *advancedChartProps) {
	width := within(c.px(p.Width, c.room, c.room), 20, 8000, 640)
	height := within(c.px(p.Height, 0, advancedChartHeight), 20, 8000, advancedChartHeight)
	svg, err := c.advancedSVG(e, p, width, height)
	if err != nil {
		c.noChart(e, &p.Box, height, messageOf(err))
		return
	}
	c.Open(e, tag{name: "figure", classes: "q-chart", box: &p.Box, extra: func(s *style) { c.keepReadable(s, width) }})
	c.describe(p.AltText, p.Decorative)
	c.Raw(">")
	c.Raw(svg)
	c.Raw("</figure>\n")
}

func (c *Context) advancedSVG(e *Element, p *advancedChartProps, width, height float64) (string, error) {
	if strings.TrimSpace(p.Options) == "" {
		return "", fmt.Errorf("the chart has no function")
	}
	if c.in.Scripts == nil {
		return "", fmt.Errorf("scripts cannot be run here")
	}
	svg, err := c.in.Scripts.Chart(c.ctx, &ChartCall{
		Path: e.path + ".props.options", Source: p.Options,
		Data: c.scope.data, Params: c.scope.params, Dict: c.scope.dict, Items: c.scope.items, Record: c.scope.record,
		Width: width, Height: height, Theme: c.advancedTheme(), Colors: c.colors(),
	})
	if err != nil {
		return "", err
	}
	c.drawings++
	return cleanSVG(svg, fmt.Sprintf("c%d-", c.drawings))
}

// messageOf is what an error says, without the place, which the warning has.
func messageOf(err error) string {
	if p, ok := errors.AsType[*report.Problem](err); ok {
		return p.Message
	}
	return err.Error()
}

// firstNumber is the first that is not zero.
func firstNumber(numbers ...float64) float64 {
	for _, n := range numbers {
		if n != 0 {
			return n
		}
	}
	return 0
}

// describe writes what a chart is to those who do not see it.
func (c *Context) describe(alt string, decorative bool) {
	if decorative {
		c.Raw(` aria-hidden="true"`)
		return
	}
	c.Raw(` role="img"`)
	c.Attr("aria-label", firstOf(strings.TrimSpace(c.Expand(alt)), "Chart"))
}

// noChart prints a box with the reason where a chart should be, and warns.
func (c *Context) noChart(e *Element, box *Box, height float64, reason string) {
	c.Warn(e, "%s", reason)
	c.Open(e, tag{name: "div", classes: "q-missing", box: box, extra: func(s *style) {
		if box.Height == "" {
			s.add("height", cssPixels(height))
		}
	}})
	c.Raw(">")
	c.Text(clip(reason, 200))
	c.Raw("</div>\n")
}
