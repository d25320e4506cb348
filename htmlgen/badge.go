package htmlgen

import "strings"

var badge = define("badge", "Badge", "Text", "A value as a small label, with a text and a look for each value.", compileBadge, colors(ColorsOfParts), icon("badge"))

type badgeProps struct {
	Value       string         `json:"value" means:"text" editor:"template" help:"Text template; its text is looked up among the mappings." ask:"What it is of. How it looks is found among the looks below."`
	Mappings    []badgeMapping `json:"configure" label:"Looks" help:"What prints for which value; the first that fits counts." ask:"Which text and look it has for which value; the first that fits counts." one:"Value"`
	ShowMissing bool           `json:"showMissingValues" label:"Print values without a look" default:"true" help:"Whether a value without a mapping prints as it is. An empty value never prints." ask:"A value that has no look is printed as it is. An empty one never is."`
	Font
	Box
}

type badgeMapping struct {
	Value string `json:"value" help:"The value, compared without case." ask:"The value that it is for; capitals do not matter."`
	Text  string `json:"text" editor:"template" help:"What prints. Default: the value."`
	Class string `json:"class" help:"CSS classes; success, warning, danger, info and neutral have a look." ask:"success, warning, danger, info, neutral, or CSS classes of your own."`
	Style string `json:"style" editor:"css"`
}

func compileBadge(c *Context, e *Element, p *badgeProps) {
	value := strings.TrimSpace(c.Expand(p.Value))
	shown := p.find(value)
	if shown == nil {
		if value == "" || !p.ShowMissing {
			return
		}
		shown = &badgeMapping{}
	}
	c.Open(e, tag{name: "div", font: &p.Font, box: &p.Box})
	c.Raw(`><span`)
	c.Attr("class", strings.TrimSpace("q-badge-label "+classNames(shown.Class)))
	c.Attr("style", c.ownStyle(e, shown.Style))
	c.Raw(">")
	if shown.Text == "" {
		c.Print(p.Value)
	} else {
		c.Print(shown.Text)
	}
	c.Raw("</span></div>\n")
}

// find is the mapping of a value; nil when there is none.
func (p *badgeProps) find(value string) *badgeMapping {
	for i := range p.Mappings {
		if strings.EqualFold(strings.TrimSpace(p.Mappings[i].Value), value) {
			return &p.Mappings[i]
		}
	}
	return nil
}
