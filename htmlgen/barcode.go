package htmlgen

import (
	"math"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/htmlgen/symbol"
)

var barcode = define("barcode", "Barcode", "Media", "A text as bars that scanners read.", compileBarcode, icon("barcode"))

type barcodeProps struct {
	Format     string `json:"format" editor:"barcode-format" default:"CODE128" help:"Symbology: CODE128 (with sets A, B, C chosen, or CODE128A, CODE128B, CODE128C), GS1-128, CODE39, CODE93, EAN13, EAN8, UPC-A, UPC-E and ISBN (with an add-on of 2 or 5 digits behind a +), ITF, ITF14, MSI (MSI10, MSI11, MSI1010, MSI1110), Pharmacode, Codabar; of posts: Intelligent Mail (USPS), RM4SCC (Royal Mail), KIX (PostNL), Australia Post." ask:"The kind of barcode, such as CODE128, EAN13 or GS1-128, or that of a post: Intelligent Mail, RM4SCC, KIX, Australia Post."`
	Text       string `json:"text" means:"text" editor:"template" help:"Text template of what is encoded. Check digits are added where they are left out and verified where they are given; 9780521425575+51999 is an EAN with an add-on." ask:"What the code says. Check digits are added where they are left out, and verified where they are given."`
	ShowText   bool   `json:"showText" label:"Show text" default:"true"`
	Background string `json:"backgroundColor" label:"Background color" editor:"color" default:"#ffffff"`
	LineColor  string `json:"lineColor" label:"Line color" editor:"color" default:"#000000"`
	CodeMargin string `json:"codeMargin" label:"Margin" editor:"length" default:"0px" help:"Room around the code besides the quiet zones that its standard asks for, which are always there."`
	TextAlign  string `json:"textAlign" label:"Text align" enum:"left,center,right" default:"center"`
	TextMargin string `json:"textMargin" label:"Text margin" editor:"length" default:"2px"`
	FontSize   string `json:"fontSize" label:"Font size" editor:"length" default:"8pt"`
	Rotation   string `json:"rotation" enum:"none,90-clockwise,90-counter-clockwise,180" default:"none"`
	BarWidth   string `json:"barWidth" label:"Bar width" editor:"length" default:"1.5px" help:"Width of the narrowest bar. Codes of posts have the sizes of their standard."`
	BarHeight  string `json:"barHeight" label:"Bar height" editor:"length" default:"48px" help:"Codes of posts have the sizes of their standard."`
	Box
}

// readable is the width in pixels of the narrowest bar that scanners read from
// paper: 0.2 mm. A code without a width of its own is not squeezed further.
const readable = 0.75

// rotations are the turns in degrees clockwise.
var rotations = map[string]int{"90-clockwise": 90, "180": 180, "90-counter-clockwise": 270}

func compileBarcode(c *Context, e *Element, p *barcodeProps) {
	source := strings.TrimSpace(c.Expand(p.Text))
	bars, err := symbol.Encode(p.Format, source)
	if err != nil {
		c.noCode(e, &p.Box, err.Error())
		return
	}
	look := symbol.Look{
		Module: within(absolute(length(p.BarWidth)), 0.25, 20, 1.5), Height: within(absolute(length(p.BarHeight)), 2, 2000, 48),
		Margin: within(absolute(length(p.CodeMargin)), 0, 500, 0), TextMargin: within(absolute(length(p.TextMargin)), 0, 200, 2),
		FontSize: within(absolute(length(p.FontSize)), 2, 200, 10.67), Background: firstOf(cssValue(p.Background), "#ffffff"), Line: firstOf(cssValue(p.LineColor), "#000000"),
		ShowText: p.ShowText, TextAlign: p.TextAlign, Rotation: rotations[p.Rotation],
	}
	c.postalWidth(e, p, bars, bars.Width(look))
	c.Open(e, tag{name: "div", drawing: true, classes: strings.TrimSpace("q-code " + p.sized()), box: &p.Box, extra: func(s *style) {
		if p.Width == "" && look.Rotation%180 == 0 {
			least := bars.Width(look)
			if bars.Post == nil {
				least *= min(1, readable/look.Module)
			}
			s.add("--least", strconv.Itoa(int(least))+"px")
		}
	}})
	c.Attr("role", "img")
	c.Attr("aria-label", "Barcode: "+bars.Text)
	c.Attr("data-code", source)
	c.Attr("data-format", p.Format)
	c.Raw(">")
	c.Raw(bars.SVG(look))
	c.Raw("</div>\n")
}

// postalSlack is how far a code of a post may be stretched and keep within its
// standard.
const postalSlack = 0.08

// postalWidth warns of a code of a post that is drawn larger or smaller than the
// post reads.
func (c *Context) postalWidth(e *Element, p *barcodeProps, bars *symbol.Bars, natural float64) {
	given := absolute(length(p.Width))
	if bars.Post == nil || given == 0 || rotations[p.Rotation]%180 != 0 || math.Abs(given/natural-1) <= postalSlack {
		return
	}
	c.Warn(e, "the post may not read a %s code that is %.0f mm wide; it is %.0f mm without a width of its own", p.Format, given*25.4/96, natural*25.4/96)
}

// within is a value that lies between two bounds, or another.
func within(v, low, high, or float64) float64 {
	if v < low || v > high || v == 0 && low > 0 {
		return or
	}
	return v
}

// noCode prints a box with the reason where a code should be, and warns.
func (c *Context) noCode(e *Element, box *Box, reason string) {
	c.Warn(e, "%s", reason)
	c.Open(e, tag{name: "div", classes: "q-missing", box: box})
	c.Raw(">")
	c.Text(reason)
	c.Raw("</div>\n")
}
