package htmlgen

import (
	"fmt"
	"math"
	"strings"
)

var rating = define("rating", "Rating", "Charts", "A value as stars, to half a star.", compileRating, colors(ColorsOfParts), icon("star"), looksBy(`
.q-rating svg{display:block;max-width:100%;height:auto}
:is(td,th)>.q-rating{margin-block:max(0px,(1lh - 12px)/2)}
`))

type ratingProps struct {
	Value   string `json:"value" editor:"template" help:"Number of stars, a value such as {$record.score}, or an expression; printed to half a star. Without a value all stars are empty."`
	Of      int    `json:"stars" min:"1" max:"10" default:"5" help:"How many stars there are."`
	Size    string `json:"size" editor:"length" default:"12px" help:"Height of a star."`
	Color   string `json:"color" editor:"color" default:"#b5790a"`
	Empty   string `json:"emptyColor" label:"Empty color" editor:"color" default:"#8a919c" help:"Color of the outline of stars."`
	AltText string `json:"altText" label:"Alt text" editor:"template" help:"Description for people who do not see the stars. Default: the value and how many stars there are."`
	Box
}

// star is the outline of a star in a square of 12 units, halfStar that of its half
// where reading begins at the left.
const (
	star     = "M6 .9l1.58 3.2 3.53.51-2.56 2.49.61 3.52L6 8.96l-3.16 1.66.61-3.52L.89 4.61l3.53-.51z"
	halfStar = "M6 .9v8.06l-3.16 1.66.61-3.52L.89 4.61l3.53-.51z"
	starWide = 13
)

func compileRating(c *Context, e *Element, p *ratingProps) {
	value, known := c.measure(e, "value", p.Value)
	if known && (value < 0 || value > float64(p.Of)) {
		c.warnAt(e, "value", "%s is not between 0 and %d stars", plainFloat(value), p.Of)
	}
	halves := int(math.Round(2 * min(max(value, 0), float64(p.Of))))
	said := "–"
	if known {
		said = c.formatted("n;0;2", value) + " / " + fmt.Sprint(p.Of)
	}
	size := within(absolute(length(p.Size)), 2, 400, 12)
	c.Open(e, tag{name: "div", drawing: true, box: &p.Box})
	c.Raw(` role="img"`)
	c.Attr("aria-label", firstOf(strings.TrimSpace(c.Expand(p.AltText)), said))
	wide := p.Of*starWide - 1
	c.Raw(`><svg aria-hidden="true"`)
	c.Attr("viewBox", fmt.Sprintf("0 0 %d 12", wide))
	c.Attr("width", tenths(float64(wide)*size/12))
	c.Attr("height", tenths(size))
	c.Raw(">")
	if c.Env.Locale.RightToLeft() {
		c.Raw(fmt.Sprintf(`<g transform="matrix(-1 0 0 1 %d 0)">`, wide))
	} else {
		c.Raw("<g>")
	}
	color, outline := firstOf(cssValue(p.Color), "#b5790a"), firstOf(cssValue(p.Empty), "#8a919c")
	for i := range p.Of {
		at := fmt.Sprintf("translate(%d 0)", i*starWide)
		switch left := halves - 2*i; {
		case left >= 2:
			c.starPart(star, at, color, color)
			continue
		case left == 1:
			c.starPart(halfStar, at, color, "none")
		}
		c.starPart(star, at, "none", outline)
	}
	c.Raw("</g></svg></div>\n")
}

func (c *Context) starPart(shape, at, fill, line string) {
	c.Raw("<path")
	c.Attr("transform", at)
	c.Attr("d", shape)
	c.Attr("fill", fill)
	c.Attr("stroke", line)
	c.Raw(` stroke-width=".8" stroke-linejoin="round"/>`)
}
