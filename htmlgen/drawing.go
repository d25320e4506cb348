package htmlgen

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/quire-reports/quire/htmlgen/formula"
)

// Drawings (SVG) and formulas (MathML) that stand in an author's HTML are taken
// element by element: what draws is kept, what runs, loads or moves is not. One
// that would cost more than a bound is left out as a whole.

const (
	maxDrawn      = 20_000    // elements, each counted as often as it is used
	maxDrawnDepth = 60        // of elements inside each other
	maxDrawnText  = 1 << 20   // bytes of attributes and text
	maxDrawnPath  = 256 << 10 // bytes of one attribute
)

// foreign takes the drawings and formulas out of a tree, each leaving a mark,
// and returns them clean.
func (c *Context) foreign(e *Element, n *html.Node, out *[]string) {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if child.Type != html.ElementNode || child.Namespace == "" {
			c.foreign(e, child, out)
			continue
		}
		drawn, err := c.drawing(e, child)
		if err != nil {
			c.Warn(e, "the <%s> was left out: %v", child.Data, err)
		}
		mark := &html.Node{Type: html.TextNode, Data: drawingMark(len(*out))}
		*out = append(*out, drawn)
		n.InsertBefore(mark, child)
		n.RemoveChild(child)
		child = mark
	}
}

// drawingMark stands for a drawing while the HTML around it is cleaned. An
// author who writes one gets the same clean drawing, and only between tags.
func drawingMark(i int) string { return fmt.Sprintf("\uE0D1%d\uE0D2", i) }

// putBack replaces the marks in a text by the drawings.
func putBack(n *html.Node, drawings []string) {
	if n.Type == html.TextNode && strings.Contains(n.Data, "\uE0D1") {
		text := html.EscapeString(n.Data)
		for i, d := range drawings {
			text = strings.ReplaceAll(text, drawingMark(i), d)
		}
		n.Type, n.Data = html.RawNode, text
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		putBack(child, drawings)
	}
}

// drawing is one drawing or formula, clean.
func (c *Context) drawing(e *Element, root *html.Node) (string, error) {
	if root.Data == "math" {
		c.formulas = true
		if tex := strings.TrimSpace(attributeOf(root, "tex")); tex != "" {
			return c.writtenFormula(root, tex)
		}
	}
	cost := drawingCost{targets: map[string]*html.Node{}, known: map[*html.Node]int{}}
	if err := cost.measure(root, 1); err != nil {
		return "", err
	}
	if _, err := cost.of(root); err != nil {
		return "", err
	}
	c.drawings++
	d := drawer{c: c, e: e, svg: svgCleaner{prefix: fmt.Sprintf("d%d-", c.drawings), names: map[string]string{}}}
	d.element(root, true)
	if root.Data == "math" && c.in.Typed {
		return html.EscapeString(formula.Line(inside(root))), nil
	}
	return string(d.svg.out.Bytes()), nil
}

// drawingCost tells how much there is to draw.
type drawingCost struct {
	targets map[string]*html.Node // by their ids
	known   map[*html.Node]int    // elements in each; -1 while it is counted
	bytes   int
}

func (m *drawingCost) measure(n *html.Node, depth int) error {
	if depth > maxDrawnDepth {
		return fmt.Errorf("its elements stand more than %d deep in each other", maxDrawnDepth)
	}
	m.bytes += len(n.Data)
	for _, a := range n.Attr {
		if m.bytes += len(a.Val); len(a.Val) > maxDrawnPath && !strings.HasPrefix(a.Val, "data:") {
			return fmt.Errorf("its attribute %s is longer than %d KB", a.Key, maxDrawnPath>>10)
		}
		if _, twice := m.targets[a.Val]; a.Key == "id" && !twice {
			m.targets[a.Val] = n
		}
	}
	if m.bytes > maxDrawnText {
		return fmt.Errorf("it is larger than %d KB", maxDrawnText>>10)
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if err := m.measure(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// of counts the elements that drawing one draws, what it refers to included.
func (m *drawingCost) of(n *html.Node) (int, error) {
	if n.Type != html.ElementNode {
		return 0, nil
	}
	switch known, ok := m.known[n]; {
	case ok && known < 0:
		return 0, errors.New("it refers to itself")
	case ok:
		return known, nil
	}
	m.known[n] = -1
	sum := 1
	add := func(other *html.Node) error {
		more, err := m.of(other)
		if sum += more; err == nil && sum > maxDrawn {
			err = fmt.Errorf("it draws more than %d elements", maxDrawn)
		}
		return err
	}
	for _, a := range n.Attr {
		for _, id := range referredTo(a) {
			if target := m.targets[id]; target != nil {
				if err := add(target); err != nil {
					return 0, err
				}
			}
		}
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if err := add(child); err != nil {
			return 0, err
		}
	}
	m.known[n] = sum
	return sum, nil
}

// referredTo are the ids that an attribute names.
func referredTo(a html.Attribute) (ids []string) {
	if id, ok := strings.CutPrefix(strings.TrimSpace(a.Val), "#"); ok && a.Key == "href" {
		return []string{id}
	}
	for _, m := range svgReference.FindAllStringSubmatch(a.Val, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// drawer writes a drawing.
type drawer struct {
	c   *Context
	e   *Element
	svg svgCleaner
}

func (d *drawer) element(n *html.Node, outermost bool) {
	if !drawable(n) {
		d.c.Warn(d.e, "<%s> in a drawing or formula is not allowed and was left out", clip(n.Data, 40))
		return
	}
	out := &d.svg.out
	out.Raw("<" + n.Data)
	if outermost && n.Data == "svg" {
		d.described(n)
	}
	for _, a := range n.Attr {
		value, ok := d.attribute(n, a)
		switch {
		case ok:
			out.Attr(a.Key, value)
		case a.Key != "xmlns" && a.Namespace != "xmlns" && a.Namespace != "xml" && a.Key != "version" && a.Key != "class":
			d.c.Warn(d.e, "%s=%q of <%s> is not allowed and was left out", a.Key, clip(a.Val, 60), n.Data)
		}
	}
	out.Raw(">")
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		switch child.Type {
		case html.TextNode:
			out.Text(child.Data)
		case html.ElementNode:
			d.element(child, false)
		}
	}
	out.Raw("</" + n.Data + ">")
}

// described makes a drawing a picture for screen readers, with its title as its
// description where it has no other.
func (d *drawer) described(n *html.Node) {
	has := func(key string) bool {
		return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
	}
	if has("role") || has("aria-hidden") {
		return
	}
	d.svg.out.Attr("role", "img")
	for child := n.FirstChild; child != nil && !has("aria-label"); child = child.NextSibling {
		if child.Data == "title" && child.FirstChild != nil {
			d.svg.out.Attr("aria-label", strings.TrimSpace(child.FirstChild.Data))
			return
		}
	}
}

// drawable reports whether an element only draws.
func drawable(n *html.Node) bool {
	if n.Namespace == "math" {
		return slices.Contains(mathElements, n.Data)
	}
	return n.Namespace == "svg" && (svgElement(n.Data) || n.Data == "title" || n.Data == "desc" || n.Data == "symbol" || n.Data == "marker")
}

func (d *drawer) attribute(n *html.Node, a html.Attribute) (string, bool) {
	switch {
	case a.Namespace != "" && (a.Namespace != "xlink" || a.Key != "href"):
		return "", false
	case a.Key == "role", strings.HasPrefix(a.Key, "aria-"):
		return a.Val, true
	case strings.HasPrefix(a.Key, "data-"):
		return a.Val, !ownMark(a.Key)
	case a.Key == "class":
		names := classNames(a.Val)
		return names, names != ""
	case a.Key == "style":
		kept := d.c.cleanStyle(d.e, a.Val)
		return kept, kept != ""
	case a.Key == "href" && n.Namespace == "math":
		return "", false
	case n.Namespace == "math" && a.Key != "id":
		return a.Val, slices.Contains(mathAttributes, a.Key)
	case slices.Contains(markerAttributes, a.Key):
		return d.svg.references(a.Val)
	}
	return d.svg.attribute(a.Key, a.Val)
}

// ownMark reports whether a data attribute tells our own programs something, so
// that an author must not write it.
func ownMark(key string) bool {
	return slices.Contains(ownMarks, key) || strings.HasPrefix(key, "data-quire")
}

var ownMarks = []string{
	"data-anew", "data-attached", "data-b", "data-background", "data-begins", "data-beside", "data-break", "data-break-before", "data-carry", "data-shape", "data-start-on", "data-sums", "data-until", "data-chart", "data-code", "data-continue", "data-count", "data-d", "data-dir", "data-document", "data-drawn", "data-ending", "data-entries",
	"data-events", "data-f", "data-fail", "data-field", "data-format", "data-from", "data-hang", "data-height", "data-hide-print", "data-id", "data-index", "data-keep",
	"data-inner", "data-inner-end", "data-keep-next", "data-keep-prev", "data-layer", "data-listed", "data-margin", "data-n", "data-name", "data-narrow", "data-node", "data-number", "data-of", "data-outline", "data-overflow", "data-page", "data-pages", "data-part",
	"data-picture", "data-ref", "data-repeat", "data-repeated", "data-rows", "data-said", "data-same", "data-sheets", "data-space", "data-sum", "data-target", "data-toc", "data-width", "data-workbook",
}

var markerAttributes = []string{
	"marker-start", "marker-mid", "marker-end", "markerWidth", "markerHeight", "markerUnits", "orient", "refX", "refY", "textLength", "lengthAdjust",
	"letter-spacing", "word-spacing", "text-decoration", "font-variant", "alignment-baseline", "baseline-shift", "rotate", "pathLength", "color", "display",
	"visibility", "overflow", "vector-effect", "maskContentUnits", "spreadMethod", "fr", "stroke-linejoin", "text-rendering", "color-interpolation",
}

var mathElements = []string{
	"math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "msup", "msub", "msubsup", "mfrac", "msqrt", "mroot", "mover", "munder", "munderover",
	"mmultiscripts", "mprescripts", "none", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom", "menclose", "merror", "semantics",
}

var mathAttributes = []string{
	"display", "displaystyle", "scriptlevel", "mathvariant", "mathsize", "mathcolor", "mathbackground", "dir", "form", "fence", "separator", "stretchy",
	"symmetric", "largeop", "movablelimits", "accent", "accentunder", "lspace", "rspace", "minsize", "maxsize", "linethickness", "columnalign", "rowalign",
	"columnspacing", "rowspacing", "columnlines", "rowlines", "columnspan", "rowspan", "frame", "width", "height", "depth", "voffset", "notation", "alttext",
}
