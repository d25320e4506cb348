package htmlgen

import (
	"strings"

	"github.com/quire-reports/quire/htmlgen/symbol"
)

var qrCode = define("qr-code", "QR code", "Media", "A text as a square that phones read.", compileQRCode, icon("qr-code"), looksBy(`
.q-qr-code{flex:none}
.q-qr-code svg{width:100%;max-height:100%}
`))

type qrCodeProps struct {
	Text       string `json:"text" means:"text" editor:"template" help:"Text template of what is encoded, for example an address." ask:"What the code says, such as a web address."`
	ImageURL   string `json:"imageUrl" label:"Logo" editor:"template" names:"file" means:"picture" help:"Logo in the middle: name of a managed file, https: address or data: URI. The error correction is then H." ask:"A picture in its middle: a file of the workspace, or a web address."`
	Background string `json:"backgroundColor" label:"Background color" editor:"color" default:"#ffffff"`
	Color      string `json:"color" editor:"color" default:"#000000"`
	Correction string `json:"errorCorrection" label:"Error correction" enum:",L,M,Q,H" help:"How much of the code may be covered or damaged: 7, 15, 25 or 30 percent. Default: M, or L for texts that only it holds."`
	NoQuiet    bool   `json:"noQuietZone" label:"No quiet zone" help:"Leaves out the light zone around the code; what is around it must then be light."`
	Box
}

// qrSize is the side of a code without a width.
const qrSize = "96px"

func compileQRCode(c *Context, e *Element, p *qrCodeProps) {
	source := strings.TrimSpace(c.Expand(p.Text))
	look := symbol.QRLook{Background: firstOf(cssValue(p.Background), "#ffffff"), Color: firstOf(cssValue(p.Color), "#000000"), NoQuiet: p.NoQuiet}
	level := p.Correction
	if ref := strings.TrimSpace(c.Expand(p.ImageURL)); ref != "" {
		url, reason := c.imageURL(e, ref, Space{Width: c.sheetWidth})
		if url == "" {
			c.Warn(e, "%s", reason)
		} else {
			look.Logo, level = url, "H"
		}
	}
	modules, err := symbol.QR(source, level)
	if err != nil {
		c.noCode(e, &p.Box, err.Error())
		return
	}
	c.Open(e, tag{name: "div", drawing: true, classes: "q-code", box: &p.Box, extra: func(s *style) {
		if p.Width == "" && !p.Grow {
			s.add("width", firstOf(length(p.Height), qrSize))
		}
	}})
	c.Attr("role", "img")
	c.Attr("aria-label", "QR code: "+source)
	c.Attr("data-code", source)
	c.Attr("data-format", "QR")
	c.Raw(">")
	c.Raw(symbol.QRSVG(modules, look))
	c.Raw("</div>\n")
}
