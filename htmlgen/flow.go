package htmlgen

import (
	"fmt"
	"strings"
)

var flow = define("flow", "Flow", "Layout", "A row or column of elements.", compileFlow, container, icon("columns-2"))

type flowProps struct {
	Orientation  string `json:"orientation" enum:"horizontal,vertical" default:"horizontal"`
	Wrap         bool   `json:"wrap"`
	AlignItems   string `json:"alignItems" label:"Align items" enum:",start,center,end,stretch,baseline"`
	JustifyItems string `json:"justifyItems" label:"Justify items" enum:",start,center,end,space-between,space-around,space-evenly"`
	Gap          string `json:"gap" editor:"lengths" help:"Room between the elements, px or percent."`
	Break        bool   `json:"breakAcrossPages" label:"Break across pages" help:"Whether a vertical flow may continue on the next page." ask:"A column may go on with the next page."`
	Font
	Box
}

func compileFlow(c *Context, e *Element, p *flowProps) {
	c.Open(e, tag{name: "div", classes: p.classes(), breaks: p.Break, font: &p.Font, box: &p.Box, extra: func(s *style) { p.css(s, c.outer(&p.Box)) }})
	c.Raw(">\n")
	c.inside(&p.Box, func() {
		if p.Orientation == "vertical" || p.Wrap {
			c.Children(e.Children)
		} else {
			c.row(e.Children, p.Gap)
		}
	})
	c.Raw("</div>\n")
}

// classes tell the style sheet what the author has set.
func (p *flowProps) classes() string {
	var classes []string
	if p.Orientation == "vertical" || strings.Contains(p.Style, "column") {
		classes = append(classes, "q-vertical")
	}
	if p.sets("align-items", p.AlignItems) {
		classes = append(classes, "q-aligned")
	}
	return strings.Join(classes, " ")
}

// css are the declarations of a flow so wide. A share of a height that is not
// given would be nothing, so gaps of columns are shares of the width.
func (p *flowProps) css(s *style, width float64) {
	gap := lengths(p.Gap)
	if p.Orientation == "vertical" {
		s.add("flex-direction", "column")
		if px, ok := pixels(gap, width, 0); ok && strings.HasSuffix(gap, "%") {
			gap = fmt.Sprintf("%.2fpx", px)
		}
	}
	if p.Wrap {
		s.add("flex-wrap", "wrap")
	}
	s.add("align-items", flexName(p.AlignItems))
	s.add("justify-content", flexName(p.JustifyItems))
	s.add("gap", gap)
}

// flexName is the flexbox name of an alignment; the short ones of grids would
// do nothing there.
func flexName(s string) string {
	if s == "start" || s == "end" {
		return "flex-" + s
	}
	return s
}
