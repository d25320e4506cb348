package htmlgen

import (
	"strings"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

var link = define("link", "Link", "Text", "A link that works in the PDF.", compileLink, looks(linkLook), icon("link"))

type linkProps struct {
	Text      string `json:"text" means:"text" editor:"template" default:"Link" empty:"the link has no text to follow; say where it leads" help:"Text; { begins a value: data, a parameter, the page number."`
	Href      string `json:"href" label:"Address" editor:"template" empty:"the link leads nowhere; give it an address, or make it a text" help:"Address, a text template: https:, http:, mailto:, tel:, or #name for a heading." ask:"A web address, mailto:, tel:, or #name for a heading."`
	TextAlign string `json:"textAlign" label:"Text align" enum:",left,center,right"`
	Font
	Box
}

func linkLook(t *report.Theme, _ func(string) string) *report.TextStyle { return &t.Text.Link }

func compileLink(c *Context, e *Element, p *linkProps) {
	c.Open(e, tag{name: "div", font: &p.Font, box: &p.Box, extra: func(s *style) { s.add("text-align", p.TextAlign) }})
	c.Raw(">")
	href := strings.TrimSpace(string(c.Parse(p.Href).Append(nil, c.Env, text.EscapeURL)))
	switch {
	case href == "":
		c.Warn(e, "the link has no address")
		c.Print(p.Text)
	case !linkable(href):
		c.Warn(e, "the address %q is not allowed; accepted: https:, http:, mailto:, tel: and #name", clip(href, 60))
		c.Print(p.Text)
	default:
		c.Raw("<a")
		c.Attr("href", href)
		c.Raw(">")
		c.Print(p.Text)
		c.Raw("</a>")
	}
	c.Raw("</div>\n")
}

// linkable reports whether readers may be sent to an address.
func linkable(href string) bool {
	scheme, _, found := strings.Cut(href, ":")
	if strings.HasPrefix(href, "#") {
		return len(href) > 1
	}
	if !found {
		return false
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto", "tel":
		return true
	}
	return false
}
