package htmlgen

import (
	"strings"

	"github.com/quire-reports/quire/report/text"
)

// Typography is what components of running text share.
type Typography struct {
	TextAlign     string `json:"textAlign" label:"Text align" enum:",left,center,right,justify" help:"Default: the start of the line."`
	VerticalAlign string `json:"verticalAlign" label:"Vertical align" enum:"top,middle,bottom" default:"top"`
	Whitespace    string `json:"whitespace" enum:"trim,preserve" default:"trim" help:"Whether blanks and line breaks print as typed."`
	Hyphens
	Font
	Box
}

func (t *Typography) css(s *style) {
	s.add("text-align", t.TextAlign)
	if t.TextAlign == "justify" {
		s.add("text-wrap", "wrap") // pretty lines of paragraphs know nothing of the gaps in justified ones
	}
}

// classes are the names for alignment and white space.
func (t *Typography) classes() string {
	var names []string
	if t.VerticalAlign != "top" {
		names = append(names, "q-"+t.VerticalAlign)
	}
	if t.Whitespace == "preserve" {
		names = append(names, "q-preserve")
	}
	return strings.Join(names, " ")
}

// words writes a template inside an element of running text.
func (c *Context) words(t *Typography, source string) {
	template := c.Parse(source)
	start := len(c.buf)
	c.Template(template, c.Env, text.EscapeText)
	if t.Whitespace != "preserve" {
		c.buf = append(c.buf[:start], strings.TrimSpace(string(c.buf[start:]))...)
	}
	c.tellUndivided(c.at, t.Hyphens.Hyphens)
	if t.divides(t.TextAlign, t.Style) {
		c.hyphenate(start, leastInText)
	}
}

// wrapped writes the words in a box of their own when the element is a column
// that places them.
func (c *Context) wrapped(t *Typography, source string) {
	if t.VerticalAlign == "top" {
		c.words(t, source)
		return
	}
	c.Raw("<div>")
	c.words(t, source)
	c.Raw("</div>")
}
