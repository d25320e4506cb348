package htmlgen

import "strconv"

var tof = define("tof", "Table of figures", "Text", "The figure captions of a channel with the pages they stand on.", compileTOF, icon("list-ordered"))

type tofProps struct {
	Channel      string `json:"channel" label:"List" enum:"general,tables,charts,images" default:"general" help:"Which captions are listed." ask:"Which captions it has."`
	RightAlign   bool   `json:"rightAlignPageNumbers" label:"Right align page numbers" default:"true"`
	TabLeader    string `json:"tabLeader" label:"Dots before the page number" enum:"none,dots,dashes,underscores" default:"dots"`
	LeaderColor  string `json:"leaderColor" label:"Leader color" editor:"color"`
	ColumnCount  int    `json:"columnCount" label:"Column count" min:"1" max:"6" default:"1"`
	ColumnGap    string `json:"columnGap" label:"Column gap" editor:"length" default:"24px"`
	FillBehavior string `json:"fillBehavior" label:"Fill columns" enum:"balance,auto" default:"balance" help:"Whether columns become equally long or are filled one after the other." ask:"To the same length, or one after the other."`
	SampleCount  int    `json:"sampleCount" label:"Lines on the canvas" min:"0" max:"100" default:"10" help:"How many sample lines the designer shows; print has the real ones." ask:"How many are shown while designing; print has the real ones."`
	EmptyText    string `json:"emptyText" label:"Empty text" editor:"template" help:"Printed when the channel has no captions." ask:"What stands there when there are no captions."`
	Font
	Box
}

func compileTOF(c *Context, e *Element, p *tofProps) {
	look := &listLook{rightAlign: p.RightAlign, lead: p.TabLeader, leadColor: p.LeaderColor}
	c.Open(e, tag{name: "nav", breaks: true, font: &p.Font, box: &p.Box, extra: func(s *style) {
		look.css(s)
		if p.ColumnCount > 1 {
			s.add("column-count", strconv.Itoa(p.ColumnCount))
			s.add("column-gap", length(p.ColumnGap))
			s.add("column-fill", p.FillBehavior)
		}
	}})
	c.Raw(">\n")
	listed, scope := c.contents, c.scope
	c.Defer(func() {
		outer := c.scope
		c.scope = scope
		figures := listed.figuresOf(p.Channel)
		for i := range figures {
			c.listEntry(look, "q-tof-entry", "", &figures[i], true, false)
		}
		if len(figures) == 0 && p.EmptyText != "" {
			c.Raw(`<div class="q-empty-text">`)
			c.Print(p.EmptyText)
			c.Raw("</div>\n")
		}
		c.scope = outer
	})
	c.Raw("</nav>\n")
}
