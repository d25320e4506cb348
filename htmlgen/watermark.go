package htmlgen

import (
	"math"
	"strings"

	"github.com/quire-reports/quire/htmlgen/chart"
)

var watermark = define("watermark", "Watermark", "Layout", "A text or picture that stands freely on pages, such as DRAFT across them or a stamp in a corner; visible says when.", compileWatermark, colors(ColorsOfParts), icon("stamp"), looksBy(`
.q-watermark{max-width:none}
.q-watermark>svg{display:block;overflow:visible}
`))

type watermarkProps struct {
	Text     string `json:"text" means:"text" editor:"template" default:"DRAFT" help:"Text template, in one line. A picture counts instead." ask:"One line. A picture counts instead."`
	ImageURL string `json:"imageUrl" label:"Picture" editor:"template" names:"file" means:"picture" help:"Picture in place of the text: name of a managed file, https: address or data: URI; a text template." ask:"In place of the text: a file of the workspace, or a web address."`
	Pages    string `json:"pages" enum:"all,first,following,last,odd,even" default:"all" help:"On which of the pages that this page or layout becomes: all, the first, all after it, the last, or those with an odd or even place in the document."`
	Layer    string `json:"layer" enum:"behind,above" default:"behind" help:"Whether it stands behind what is printed or above it."`
	Place    string `json:"place" enum:"center,top,bottom,top-start,top-end,bottom-start,bottom-end" default:"center" help:"Where it stands on the paper; start is where reading begins."`
	Offset   string `json:"offset" editor:"length" default:"12mm" help:"Distance from the edges of the paper."`
	Angle    int    `json:"angle" min:"-180" max:"180" default:"-45" help:"Turn in degrees, clockwise."`
	Opacity  int    `json:"opacity" label:"Opacity in percent" min:"1" max:"100" default:"12"`
	Size     string `json:"size" editor:"length" help:"Width of the picture, or height of the letters. Default: what the paper has room for, in a corner a quarter of its width."`
	Frame    bool   `json:"frame" help:"Whether the text has a frame, as a rubber stamp has."`
	Font     string `json:"fontFamily" editor:"font" help:"Font family; default the theme's."`
	Weight   string `json:"fontWeight" enum:",300,400,500,600,700,800" default:"700"`
	Color    string `json:"color" editor:"color" default:"var(--text)"`
}

// onPaper is how much of the paper's width and height a watermark takes at most, and
// inCorner how much of its width one that stands at an edge.
const onPaper, inCorner = 0.86, 0.25

// lineOfMark is the height of a line of a watermark, frameOfMark the room in a frame
// around it, in sizes of the letters.
const lineOfMark, frameOfMark = 1.2, 0.5

func compileWatermark(c *Context, e *Element, p *watermarkProps) {
	switch {
	case c.in.forWord() && (p.Pages == "last" || p.Pages == "odd" || p.Pages == "even"):
		c.Warn(e, "documents of Word have watermarks on all pages of a section, on its first or on those after it; this one is left out")
		return
	case c.in.Typed:
		c.Warn(e, "workbooks have no watermarks; this one is left out")
		return
	}
	mark := c.markText
	if p.ImageURL != "" {
		mark = c.markPicture
	}
	wide, high, draw := mark(e, p)
	if draw == nil {
		return
	}
	sin, cos := math.Sincos(float64(p.Angle) * math.Pi / 180)
	boxWide, boxHigh := wide*math.Abs(cos)+high*math.Abs(sin), wide*math.Abs(sin)+high*math.Abs(cos)
	c.Open(e, tag{name: "div", classes: "q-on-pages", box: &Box{}})
	c.Attr("data-pages", p.Pages)
	c.Attr("data-layer", p.Layer)
	c.Attr("style", c.markPlace(p, boxWide, boxHigh))
	c.Raw(` aria-hidden="true"><svg`)
	c.Attr("width", tenths(boxWide))
	c.Attr("height", tenths(boxHigh))
	c.Attr("viewBox", "0 0 "+tenths(boxWide)+" "+tenths(boxHigh))
	c.Raw("><g")
	c.Attr("transform", "translate("+tenths(boxWide/2)+" "+tenths(boxHigh/2)+") rotate("+plainFloat(float64(p.Angle))+")")
	c.Raw(">")
	draw()
	c.Raw("</g></svg></div>\n")
}

func tenths(v float64) string { return plainFloat(math.Round(v*10) / 10) }

// markPlace is where the box of a watermark stands on the paper.
func (c *Context) markPlace(p *watermarkProps, wide, high float64) string {
	x, y := (c.paper[0]-wide)/2, (c.paper[1]-high)/2
	offset := within(absolute(length(p.Offset)), 0, 2000, 0)
	switch up, _, _ := strings.Cut(p.Place, "-"); up {
	case "top":
		y = offset
	case "bottom":
		y = c.paper[1] - high - offset
	}
	start, end := strings.HasSuffix(p.Place, "-start"), strings.HasSuffix(p.Place, "-end")
	if c.Env.Locale.RightToLeft() {
		start, end = end, start
	}
	switch {
	case start:
		x = offset
	case end:
		x = c.paper[0] - wide - offset
	}
	var s style
	s.add("left", tenths(x)+"px")
	s.add("top", tenths(y)+"px")
	s.add("width", tenths(wide)+"px")
	s.add("height", tenths(high)+"px")
	return s.String()
}

// inCorner reports whether a watermark stands in a corner.
func (p *watermarkProps) inCorner() bool {
	return strings.HasSuffix(p.Place, "-start") || strings.HasSuffix(p.Place, "-end")
}

// markText measures the text of a watermark; draw is nil where there is none.
func (c *Context) markText(e *Element, p *watermarkProps) (wide, high float64, draw func()) {
	shown := strings.Join(strings.Fields(c.Shown(p.Text)), " ")
	if shown == "" {
		return 0, 0, nil
	}
	room := 0.0
	if p.Frame {
		room = frameOfMark
	}
	unitWide, unitHigh := chart.MeasureSans(shown, 1, p.Weight >= "600")+2*room, lineOfMark+room
	size := within(absolute(length(p.Size)), 1, 4000, 0)
	if size == 0 {
		size = c.markSize(p, unitWide, unitHigh)
	}
	wide, high = unitWide*size, unitHigh*size
	c.namesFont(p.Font, func(format string, args ...any) { c.Warn(e, format, args...) })
	color, opacity := firstOf(cssValue(p.Color), "var(--text)"), plainFloat(float64(p.Opacity)/100)
	return wide, high, func() {
		if p.Frame {
			line := size * 0.08
			c.Raw(`<rect fill="none"`)
			c.Attr("x", tenths(-wide/2+line/2))
			c.Attr("y", tenths(-high/2+line/2))
			c.Attr("width", tenths(wide-line))
			c.Attr("height", tenths(high-line))
			c.Attr("rx", tenths(size*0.15))
			c.Attr("stroke", color)
			c.Attr("stroke-width", tenths(line))
			c.Attr("stroke-opacity", opacity)
			c.Raw("/>")
		}
		var s style
		if own := fontFamilies(p.Font); own != "" {
			s.add("font-family", own+",var(--font)")
		}
		s.add("font-size", tenths(size)+"px")
		s.add("font-weight", p.Weight)
		c.Raw(`<text text-anchor="middle"`)
		c.Attr("y", tenths(size*0.36)) // half the height of capitals
		c.Attr("fill", color)
		c.Attr("fill-opacity", opacity)
		c.Attr("style", s.String())
		c.Raw(">")
		c.Text(shown)
		c.Raw("</text>")
	}
}

// markSize is the size of letters that the paper has room for, given how wide and high
// the text is in sizes of its letters.
func (c *Context) markSize(p *watermarkProps, wide, high float64) float64 {
	sin, cos := math.Sincos(float64(p.Angle) * math.Pi / 180)
	across, down := wide*math.Abs(cos)+high*math.Abs(sin), wide*math.Abs(sin)+high*math.Abs(cos)
	if p.inCorner() {
		return min(c.paper[0]*inCorner/across, c.paper[1]*inCorner/down)
	}
	return min(c.paper[0]*onPaper/across, c.paper[1]*onPaper/down)
}

// markPicture is the picture of a watermark in a square as wide as it is.
func (c *Context) markPicture(e *Element, p *watermarkProps) (wide, high float64, draw func()) {
	side := within(absolute(length(p.Size)), 1, 4000, 0)
	if side == 0 {
		side = c.markSize(p, 1, 1)
	}
	url, reason := c.imageURL(e, strings.TrimSpace(c.Expand(p.ImageURL)), Space{Width: side, Height: side})
	if url == "" {
		c.Warn(e, "%s", reason)
		return 0, 0, nil
	}
	return side, side, func() {
		c.Raw("<image")
		c.Attr("href", url)
		c.Attr("x", tenths(-side/2))
		c.Attr("y", tenths(-side/2))
		c.Attr("width", tenths(side))
		c.Attr("height", tenths(side))
		c.Attr("opacity", plainFloat(float64(p.Opacity)/100))
		c.Raw("/>")
	}
}
