package htmlgen

import (
	"fmt"
	"strings"

	"github.com/quire-reports/quire/report"
)

var keyValueGrid = define("key-value-grid", "Key-value grid", "Data", "Names and values below each other.", compileKeyValueGrid, colors(ColorsOfParts), icon("list-tree"))

type keyValueProps struct {
	Items          []keyValueItem `json:"items" means:"text" help:"The rows." one:"Row"`
	KeyWidth       string         `json:"keyWidth" label:"Key width" editor:"length" default:"35%"`
	DividerWidth   string         `json:"dividerWidth" label:"Divider width" editor:"length" help:"Width of the column between key and value. Default: that of the divider text."`
	RowHeight      string         `json:"singleRowHeight" label:"Single row height" editor:"length" help:"Height that a row has at least."`
	DividerText    string         `json:"dividerText" label:"Divider text" editor:"template" help:"Printed between key and value, for example a colon."`
	OddBackground  string         `json:"oddRowBackground" label:"Odd row background" editor:"color" help:"Default: the theme's."`
	EvenBackground string         `json:"evenRowBackground" label:"Even row background" editor:"color" help:"Default: the theme's."`
	RowGap         string         `json:"rowGap" label:"Row gap" editor:"length" help:"Default: the theme's."`
	CellGap        string         `json:"cellGap" label:"Cell gap" editor:"length" help:"Default: the theme's."`
	RowBorder      string         `json:"rowBorder" label:"Border" editor:"border" help:"Line below each row. Default: the theme's."`
	Break          bool           `json:"breakAcrossPages" label:"Break across pages" default:"true"`
	Font
	Box

	elements map[int][]*Element // of rows whose value is elements
}

type keyValueItem struct {
	Key      string           `json:"key" label:"Name" editor:"template"`
	Value    string           `json:"value" editor:"template"`
	Elements []report.Element `json:"elements" help:"Elements in place of the value."`
	Hide     string           `json:"hideCondition" label:"Hidden when" editor:"expression" help:"Expression; the row is left out when it is true." ask:"A formula: the row is left out when it gives yes."`
	CSS      string           `json:"additionalCss" label:"Own CSS" editor:"css" help:"CSS declarations for the row, a text template." ask:"For the row, such as font-weight: 600."`
}

func (p *keyValueProps) prepare(prep *preparer, path string) {
	p.elements = map[int][]*Element{}
	for i := range p.Items {
		if defs := p.Items[i].Elements; len(defs) > 0 {
			p.elements[i] = prep.elements(defs, fmt.Sprintf("%s.items[%d].elements", path, i))
		}
	}
}

func compileKeyValueGrid(c *Context, e *Element, p *keyValueProps) {
	c.Open(e, tag{name: "dl", breaks: p.Break, font: &p.Font, box: &p.Box, extra: p.css})
	c.Raw(">\n")
	shown := 0
	for i := range p.Items {
		if item := &p.Items[i]; item.Hide == "" || !c.isTrue(e, item.Hide) {
			shown++
			c.keyValueRow(e, p, i, shown)
		}
	}
	c.Raw("</dl>\n")
}

func (p *keyValueProps) css(s *style) {
	// Keys and dividers give way before values have no room.
	columns := "minmax(0," + firstOf(length(p.KeyWidth), "35%") + ")"
	if width := length(p.DividerWidth); width != "" {
		columns += " minmax(0," + width + ")"
	} else if p.divided() {
		columns += " fit-content(30%)"
	}
	s.add("--kv-columns", columns+" minmax(10%,1fr)")
	s.add("--kv-row-height", length(p.RowHeight))
	s.add("--kv-odd-background", cssValue(p.OddBackground))
	s.add("--kv-even-background", cssValue(p.EvenBackground))
	s.add("--kv-row-gap", length(p.RowGap))
	s.add("--kv-cell-gap", length(p.CellGap))
	s.add("--kv-border", cssValue(p.RowBorder))
}

func (p *keyValueProps) divided() bool { return p.DividerText != "" || p.DividerWidth != "" }

// keyValueRow writes a row; nth counts the rows shown, from 1.
func (c *Context) keyValueRow(e *Element, p *keyValueProps, i, nth int) {
	item := &p.Items[i]
	class := "q-kv-odd"
	if nth%2 == 0 {
		class = "q-kv-even"
	}
	c.Raw(`<div class="q-kv-row ` + class + `"`)
	c.Attr("style", c.ownStyle(e, item.CSS))
	c.Raw("><dt>")
	c.Print(item.Key)
	c.Raw("</dt>")
	if p.divided() {
		c.Raw(`<dd class="q-kv-divider">`)
		c.Print(p.DividerText)
		c.Raw("</dd>")
	}
	c.Raw("<dd")
	if len(p.elements[i]) == 0 {
		c.templateOrigins(item.Value)
		c.typedTemplate(c.Parse(strings.TrimSpace(item.Value)))
	}
	c.Raw(">")
	if elements := p.elements[i]; len(elements) > 0 {
		c.Raw("\n")
		room := c.room
		c.room = p.valueRoom(c)
		c.Children(elements)
		c.room = room
	} else {
		c.Print(strings.TrimSpace(item.Value))
	}
	c.Raw("</dd></div>\n")
}

// valueRoom is the width that keys and dividers leave a value. A divider
// without a width is counted with the most that it may take.
func (p *keyValueProps) valueRoom(c *Context) float64 {
	whole := c.outer(&p.Box) - c.horizontal(p.Padding)
	const usualGap = 12
	gap := c.px(p.CellGap, whole, usualGap)
	taken := c.px(p.KeyWidth, whole, whole*0.35) + gap
	if p.divided() {
		taken += c.px(p.DividerWidth, whole, whole*0.3) + gap
	}
	return max(whole*0.1, whole-taken)
}
