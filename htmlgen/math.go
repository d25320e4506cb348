package htmlgen

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/quire-reports/quire/htmlgen/formula"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

var mathType = define("math", "Formula", "Text", "A formula of TeX or MathML, with or without a number.", compileMath, icon("radical"), looksBy(`
.q-math{display:grid;grid-template-columns:1fr auto 1fr;min-width:max-content;column-gap:1em;align-items:baseline;margin:.4em 0 .9em}
.q-math>math{grid-column:2}
.q-math>.q-math-number{grid-column:3;justify-self:end;white-space:nowrap}
.q-math-start{grid-template-columns:auto 1fr}
.q-math-start>math{grid-column:1}
.q-math-start>.q-math-number{grid-column:2}
.q-math-end{grid-template-columns:1fr auto auto}
.q-math-inline{margin-block:0}
.q-math.q-missing{display:block;direction:ltr;min-width:0;overflow-wrap:anywhere}
`))

type mathProps struct {
	TeX       string `json:"tex" label:"TeX" editor:"tex" default:"\\bar{x} = \\frac{1}{n} \\sum_{i=1}^{n} x_i" help:"The formula as LaTeX writes it, such as \\frac{a}{b}, x_i^2, \\sqrt{x}, \\begin{pmatrix}…\\end{pmatrix}. A value such as {$record.mean:n;2} stands there as a number or as words; a setting that is nothing but one value is that formula." ask:"As LaTeX writes it: \\frac{a}{b}, x_i^2, \\sqrt{x}. Values such as {$params.limit} work in it."`
	MathML    string `json:"mathml" label:"MathML" editor:"html" help:"The formula as MathML, the element math or what stands in it, in place of TeX; values in texts are text." ask:"In place of TeX."`
	Display   string `json:"display" enum:"block,inline" default:"block" help:"block sets the formula as on a line of its own, with limits above and below their signs; inline as in a line of text, which is lower."`
	Number    string `json:"number" label:"Number" editor:"template" help:"Text template of its number at the end of the line, such as ({$equation.number}), which counts the formulas that have one; empty for none." ask:"At the end of the line, such as ({$equation.number}), which counts."`
	Anchor    string `json:"anchor" label:"Anchor" editor:"template" help:"Name of the formula for references such as {['name']:numberOf}."`
	AltText   string `json:"altText" label:"Alt text" editor:"template" help:"What screen readers say in PDF and Office files. Default: the TeX, and of MathML the formula as a line of text." ask:"What screen readers say where they cannot read formulas. By itself the TeX."`
	TextAlign string `json:"textAlign" label:"Text align" enum:",left,center,right" help:"Where the formula stands; default the middle." ask:"By itself in the middle."`
	FontSize  string `json:"fontSize" editor:"length" help:"For example 12pt."`
	Color     string `json:"color" editor:"color"`
	Box
}

// mathCSS is for documents with formulas, and names the font for them.
var mathCSS = ownStyle("math.css")

// mathFamily is the family of that font.
const mathFamily = "STIX Two Math"

func compileMath(c *Context, e *Element, p *mathProps) {
	block := p.Display != "inline"
	markup, alt := c.formula(e, p, block)
	number := ""
	if strings.TrimSpace(p.Number) != "" {
		c.contents.equations++
		env := c.withRoot("$equation", report.ObjectOf("number", strconv.Itoa(c.contents.equations)))
		number = strings.TrimSpace(c.Parse(p.Number).Text(env))
	}
	var classes []string
	if markup == "" {
		classes = append(classes, "q-missing")
	}
	if left := p.TextAlign == "left"; left || p.TextAlign == "right" {
		side := "q-math-end"
		if left != c.Env.Locale.RightToLeft() {
			side = "q-math-start"
		}
		classes = append(classes, side)
	}
	if !block {
		classes = append(classes, "q-math-inline")
	}
	c.Open(e, tag{name: "div", classes: strings.Join(classes, " "), box: &p.Box, extra: func(s *style) {
		s.add("font-size", length(p.FontSize))
		s.add("color", cssValue(p.Color))
	}})
	if name := anchorName(c.Expand(p.Anchor)); name != "" {
		anchor := c.anchor("equation-" + name)
		c.aim(name, target{anchor: anchor, number: number, title: firstOf(number, alt)})
		c.Attr("id", anchor)
	}
	c.Raw(">")
	if markup == "" {
		c.Text(alt)
	}
	c.Raw(markup)
	if number != "" {
		c.Raw(`<span class="q-math-number">`)
		c.Text(number)
		c.Raw("</span>")
	}
	c.Raw("</div>\n")
}

// writtenFormula is an author's element math whose attribute tex has the formula.
func (c *Context) writtenFormula(root *html.Node, tex string) (string, error) {
	block := attributeOf(root, "display") == "block"
	inner, err := c.tex(tex, block)
	if err != nil {
		return "", fmt.Errorf("its TeX cannot be read: %w", err)
	}
	return c.mathElement(block, firstOf(attributeOf(root, "alttext"), tex), inner), nil
}

// mathElement is the element math around a formula; workbooks have a line of text.
func (c *Context) mathElement(block bool, said, inner string) string {
	if c.in.Typed {
		return html.EscapeString(formula.Line(inner))
	}
	var w Writer
	w.Raw("<math")
	if block {
		w.Attr("display", "block")
	}
	w.Attr("alttext", said)
	w.Raw(">" + inner + "</math>")
	return string(w.Bytes())
}

// formula is the element math of a formula, and what is said of it; no element where
// the formula cannot be read, which is told.
func (c *Context) formula(e *Element, p *mathProps, block bool) (markup, alt string) {
	alt = strings.TrimSpace(c.Expand(p.AltText))
	if strings.TrimSpace(p.MathML) != "" {
		source := string(c.ParseHTML(p.MathML).Append(nil, c.Env, text.EscapeHTML))
		root := mathRoot(source)
		if root == nil {
			c.warnAt(e, "mathml", "it is no MathML: accepted is the element math, or what stands in it, such as <mfrac><mi>a</mi><mi>b</mi></mfrac>")
			return "", firstOf(alt, clip(source, 200))
		}
		said := firstOf(alt, attributeOf(root, "alttext"), formula.Line(inside(root)))
		nameMath(root, block, said)
		markup, err := c.drawing(e, root)
		if err != nil {
			c.warnAt(e, "mathml", "the formula was left out: %v", err)
		}
		return markup, said
	}
	tex := strings.TrimSpace(c.parsed("tex "+p.TeX, func(string) *text.Template { return text.ParseTeX(p.TeX) }).TeX(c.Env))
	if tex == "" {
		c.warnAt(e, "tex", "the formula is empty; write TeX, such as \\frac{a}{b}, or MathML")
		return "", firstOf(alt, "–")
	}
	inner, err := c.tex(tex, block)
	if err != nil {
		c.warnAt(e, "tex", "the formula is printed as text, as it cannot be read: %v; accepted are the commands that LaTeX and amsmath have for formulas", err)
		return "", tex
	}
	c.formulas = true
	alt = firstOf(alt, tex)
	return c.mathElement(block, alt, inner), alt
}

// tex is what stands in the element math for a formula of TeX.
func (c *Context) tex(tex string, block bool) (string, error) {
	if c.in.TeX == nil {
		return "", errors.New("TeX is not known here")
	}
	return c.in.TeX.MathML(tex, block)
}

// mathRoot is the element math of a source, which is made of what stands in it where it
// has none.
func mathRoot(source string) *html.Node {
	if !drawingTag.MatchString(source) {
		source = "<math>" + source + "</math>"
	}
	nodes, err := html.ParseFragment(strings.NewReader(strings.TrimSpace(source)), &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil || len(nodes) != 1 || nodes[0].Data != "math" {
		return nil
	}
	for child := nodes[0].FirstChild; child != nil; child = child.NextSibling {
		if child.Type == html.ElementNode {
			return nodes[0]
		}
	}
	return nil
}

// nameMath gives an element math what this component says of it.
func nameMath(root *html.Node, block bool, said string) {
	root.Attr = slices.DeleteFunc(root.Attr, func(a html.Attribute) bool { return a.Key == "display" || a.Key == "alttext" || a.Key == "tex" })
	if block {
		root.Attr = append(root.Attr, html.Attribute{Key: "display", Val: "block"})
	}
	root.Attr = append(root.Attr, html.Attribute{Key: "alttext", Val: said})
}

func attributeOf(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// inside is what stands in an element.
func inside(n *html.Node) string {
	var b strings.Builder
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		_ = html.Render(&b, child) // a Builder takes all
	}
	return b.String()
}
