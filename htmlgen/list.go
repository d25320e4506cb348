package htmlgen

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report/text"
)

var list = define("list", "List", "Text", "A bulleted or numbered list.", compileList, container, icon("list"))

type listProps struct {
	Items  []string `json:"items" editor:"template" help:"Text templates, one an item; further items come from the elements inside the list." ask:"What it says, one by one. What the elements in the list say follows." one:"Item"`
	Source string   `json:"source" editor:"binding" help:"Array whose entries are the items, printed by the item template." ask:"A list of the data: each of its entries is an item, as the text of an item says."`
	transformProps
	ItemTemplate  string `json:"itemTemplate" label:"Text of an item" editor:"template" scope:"$it.item" default:"{$it.item}" help:"How an entry of the source prints; the entry is $it.item." ask:"{$it.item} is the entry."`
	StartValue    int    `json:"startValue" label:"Start value" default:"1"`
	BulletType    string `json:"bulletType" label:"Bullet type" enum:"disc,circle,square,decimal,upper-alpha,lower-alpha,upper-roman,lower-roman,none" default:"disc"`
	ListIndent    string `json:"listIndent" label:"List indent" editor:"length" default:"1.6em"`
	MarkerColor   string `json:"markerColor" label:"Marker color" editor:"color"`
	ListItemStyle string `json:"listItemStyle" label:"List item style" editor:"css"`
	Font
	Box
}

// numbered reports whether the markers count.
func (p *listProps) numbered() bool {
	switch p.BulletType {
	case "disc", "circle", "square", "none":
		return false
	}
	return true
}

func compileList(c *Context, e *Element, p *listProps) {
	var rows []any
	if p.Source != "" {
		rows = c.SourceRows(e, p.Source)
	}
	name := "ul"
	if p.numbered() {
		name = "ol"
	}
	indent := firstOf(p.roomOfMarkers(len(p.Items)+len(rows)+len(e.Children)), length(p.ListIndent))
	c.Open(e, tag{name: name, breaks: true, font: &p.Font, box: &p.Box, extra: func(s *style) {
		s.add("list-style-type", p.BulletType)
		s.add("--indent", indent)
		s.add("--marker", cssValue(p.MarkerColor))
	}})
	if p.numbered() && p.StartValue != 1 {
		c.Attr("start", strconv.Itoa(p.StartValue))
	}
	c.Raw(">")
	item := c.ownStyle(e, p.ListItemStyle)
	for _, source := range p.Items {
		c.listItem(item, source, func() { c.Template(c.Parse(source), c.Env, text.EscapeText) })
	}
	if p.Source != "" {
		origins := c.rowOrigins(p.Source)
		for i, entry := range c.each(rows) {
			undo := c.scope.pushItem("item", entry, i)
			if len(e.steps) > 0 {
				c.from("$it.item", "")
			} else {
				c.from("$it.item", origins(i))
			}
			c.listItem(item, p.ItemTemplate, func() { c.Template(c.Parse(p.ItemTemplate), c.Env, text.EscapeText) })
			undo()
		}
	}
	c.inside(&p.Box, func() {
		c.room = max(0, c.room-c.px(indent, c.room, 0))
		c.listElements(e, item)
	})
	c.Raw("</" + name + ">\n")
}

// listElements writes the elements in a list, each as an item.
func (c *Context) listElements(e *Element, item string) {
	for _, child := range e.Children {
		if child.Type().Name == "list" {
			c.listInList(child)
			continue
		}
		before := c.Len()
		c.listItem(item, "", func() { c.Child(child) })
		if strings.HasSuffix(string(c.buf[before:]), "></li>\n") && c.Len()-before <= len("<li></li>\n")+len(` style=""`)+len(item) {
			c.buf = c.buf[:before] // the element was not visible
		}
	}
}

const itemEnd = "</li>\n"

// listInList writes a list as part of the item before it, or of one without a
// marker where there is none: its own items have markers.
func (c *Context) listInList(child *Element) {
	before := len(c.buf)
	if bytes.HasSuffix(c.buf, []byte(itemEnd)) {
		c.buf = c.buf[:before-len(itemEnd)]
	} else {
		c.Raw(`<li style="list-style-type:none">`)
	}
	begin := len(c.buf)
	c.Child(child)
	if len(c.buf) == begin && begin > before { // the list was not visible
		c.buf = c.buf[:before]
		return
	}
	c.Raw(itemEnd)
}

// listItem writes an item, of a template or of an element.
func (c *Context) listItem(style, template string, content func()) {
	c.Raw("<li")
	c.Attr("style", style)
	c.templateOrigins(template)
	c.Raw(">")
	content()
	c.Raw(itemEnd)
}
