package htmlgen

import (
	"strconv"
	"strings"

	"github.com/quire-reports/quire/htmlgen/symbol"
)

var matrixCode = define("matrix-code", "Matrix code", "Media", "A text as a code in two dimensions: DataMatrix, GS1 DataMatrix, Aztec or PDF417.", compileMatrixCode, icon("scan-qr-code"))

type matrixCodeProps struct {
	Format     string `json:"format" enum:"DataMatrix,GS1 DataMatrix,Aztec,PDF417" default:"DataMatrix" help:"Symbology of the code. GS1 DataMatrix checks the application identifiers of its text." ask:"The kind of code. GS1 DataMatrix verifies what its text has."`
	Text       string `json:"text" means:"text" editor:"template" help:"Text template of what is encoded, of characters of ISO 8859-1; for GS1 DataMatrix identifiers in parentheses, each with its value: (01)09501101530003(10)AB-123." ask:"What the code says. GS1 DataMatrix has identifiers in parentheses: (01)09501101530003(10)AB-123."`
	ModuleSize string `json:"moduleSize" label:"Module size" editor:"length" default:"2px" help:"Width of the smallest square or bar. A width of the code counts instead."`
	Background string `json:"backgroundColor" label:"Background color" editor:"color" default:"#ffffff"`
	Color      string `json:"color" editor:"color" default:"#000000"`
	Box
}

func compileMatrixCode(c *Context, e *Element, p *matrixCodeProps) {
	source := strings.TrimSpace(c.Expand(p.Text))
	code, err := symbol.EncodeMatrix(p.Format, source)
	if err != nil {
		c.noCode(e, &p.Box, err.Error())
		return
	}
	look := symbol.MatrixLook{
		Module:     within(absolute(length(p.ModuleSize)), 0.25, 40, 2),
		Background: firstOf(cssValue(p.Background), "#ffffff"), Color: firstOf(cssValue(p.Color), "#000000"),
	}
	c.Open(e, tag{name: "div", drawing: true, classes: strings.TrimSpace("q-code " + p.sized()), box: &p.Box, extra: func(s *style) {
		if p.Width == "" {
			width, _ := code.Size()
			s.add("--least", strconv.Itoa(int(width*min(look.Module, readable)))+"px")
		}
	}})
	c.Attr("role", "img")
	c.Attr("aria-label", p.Format+" code: "+code.Text)
	c.Attr("data-code", source)
	c.Attr("data-format", p.Format)
	c.Raw(">")
	c.Raw(code.SVG(look))
	c.Raw("</div>\n")
}
