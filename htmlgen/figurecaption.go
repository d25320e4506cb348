package htmlgen

import (
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report"
)

var figureCaption = define("figure-caption", "Figure caption", "Text", "The caption of a figure, a table or a chart; the table of figures of its channel lists it.", compileFigureCaption, looks(figureCaptionLook), icon("captions"))

type figureCaptionProps struct {
	Channel   string `json:"channel" label:"List" enum:"general,tables,charts,images" default:"general" help:"Which table of figures lists the caption; each channel counts for itself." ask:"The table of figures that it stands in; each counts for itself."`
	Name      string `json:"name" label:"Number" editor:"template" default:"Figure {$figure.number}" help:"Text template; $figure.number counts the captions of the channel." ask:"How it is numbered; {$figure.number} is its number."`
	Title     string `json:"title" means:"text" editor:"template" help:"Text template: what the figure shows." ask:"What the figure shows."`
	Anchor    string `json:"anchor" label:"Anchor" editor:"template" help:"Name of the caption for references such as {['name']:numberOf}."`
	Position  string `json:"position" enum:"below,above" default:"below" help:"Where the caption stands; it stays on the page of its figure."`
	TextAlign string `json:"textAlign" label:"Text align" enum:",left,center,right"`
	Font
	Box
}

func figureCaptionLook(t *report.Theme, _ func(string) string) *report.TextStyle { return &t.Figure }

func compileFigureCaption(c *Context, e *Element, p *figureCaptionProps) {
	c.contents.figures[p.Channel]++
	number := strconv.Itoa(c.contents.figures[p.Channel])
	env := c.withRoot("$figure", report.ObjectOf("number", number))
	name := strings.TrimSpace(c.Parse(p.Name).Text(env))
	title := strings.TrimSpace(c.Parse(p.Title).Text(env))
	anchor := c.anchor("figure-" + p.Channel + "-" + number)
	if called := anchorName(c.Expand(p.Anchor)); called != "" {
		c.aim(called, target{anchor: anchor, number: name, title: title})
	}
	c.record(contentsEntry{kind: figureEntry, channel: p.Channel, number: name, title: title, anchor: anchor})
	c.Open(e, tag{name: "div", font: &p.Font, box: &p.Box, extra: func(s *style) { s.add("text-align", p.TextAlign) }})
	c.Attr("id", anchor)
	switch {
	case p.Position == "below":
		c.BoolAttr("data-keep-prev")
	case !p.KeepNext:
		c.BoolAttr("data-keep-next")
	}
	c.Raw(">")
	if name != "" {
		c.Raw(`<span class="q-figure-name">`)
		c.Text(name)
		c.Raw("</span> ")
	}
	c.Text(title)
	c.Raw("</div>\n")
}
