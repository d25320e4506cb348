package htmlgen

import (
	"fmt"
	"strings"

	"github.com/quire-reports/quire/report"
)

var heading = define("heading", "Heading", "Text", "A heading; only headings enter the outline.", compileHeading, looks(headingLook), icon("heading"))

type headingProps struct {
	Level          string `json:"level" means:"level" enum:"H1,H2,H3,H4,H5,H6" default:"H3"`
	Title          string `json:"title" means:"text" editor:"template" default:"Heading" empty:"the heading is empty; give it a title, or use a spacer for room" help:"Text; { begins a value: data, a parameter, the page number."`
	InTOC          bool   `json:"includeInToc" label:"Include in table of contents" default:"true" help:"Also whether the heading is in the outline."`
	AutoNumber     bool   `json:"autoNumber" label:"Auto number"`
	NumberTemplate string `json:"numberTemplate" editor:"template" default:"{$heading.number}" help:"How the number prints; $heading.number is 2.1.3."`
	TextAlign      string `json:"textAlign" label:"Text align" enum:",left,center,right"`
	Anchor         string `json:"anchor" editor:"template" help:"Name that links can point at as #name, and references such as {['name']:pageOf}. Default: made from the title."`
	Font
	Box
}

func headingLook(t *report.Theme, setting func(name string) string) *report.TextStyle {
	return map[string]*report.TextStyle{"H1": &t.Text.H1, "H2": &t.Text.H2, "H3": &t.Text.H3, "H4": &t.Text.H4, "H5": &t.Text.H5, "H6": &t.Text.H6}[setting("level")]
}

func compileHeading(c *Context, e *Element, p *headingProps) {
	level := int(p.Level[1] - '0')
	title := c.Shown(p.Title)
	name := strings.ToLower(p.Level)
	c.Open(e, tag{name: name, font: &p.Font, box: &p.Box, extra: func(s *style) { s.add("text-align", p.TextAlign) }})
	called := firstOf(anchorName(c.Expand(p.Anchor)), "h-"+anchorName(c.Expand(p.Title)))
	anchor := c.anchor(called)
	c.Attr("id", anchor)
	if p.InTOC {
		c.Raw(fmt.Sprintf(` data-outline="%d"`, level))
	}
	if !p.KeepNext {
		c.BoolAttr("data-keep-next")
	}
	c.Raw(">")
	number := ""
	if p.AutoNumber {
		number = c.headingNumber(p.NumberTemplate, level)
		c.Raw(`<span class="q-number">`)
		c.Text(number)
		c.Raw("</span> ")
	}
	c.Text(title)
	c.aim(called, target{anchor: anchor, number: number, title: title})
	if p.InTOC {
		c.record(contentsEntry{kind: headingEntry, level: level, number: number, title: title, anchor: anchor})
	}
	c.Raw("</" + name + ">\n")
}

// headingNumber is the next number of a level through its template.
func (c *Context) headingNumber(source string, level int) string {
	number := report.ObjectOf("number", c.contents.nextHeading(level))
	return strings.TrimSpace(c.Parse(source).Text(c.withRoot("$heading", number)))
}

// nextHeading is the number of the next heading of a level: "2.1.3".
func (k *contents) nextHeading(level int) string {
	k.headings[level-1]++
	clear(k.headings[level:])
	var b strings.Builder
	for _, count := range k.headings[:level] {
		if count > 0 || b.Len() > 0 {
			fmt.Fprintf(&b, ".%d", count)
		}
	}
	return b.String()[1:]
}

// anchorName writes a text as an anchor: letters, digits and hyphens.
func anchorName(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127:
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() > 60 {
			break
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}
