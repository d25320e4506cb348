package formula

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Temml writes MathML with classes and styles for three browsers. What is left here are
// elements and attributes of MathML, in few words.

var elements = []string{
	"mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "msup", "msub", "msubsup", "mfrac", "msqrt", "mroot", "mover", "munder", "munderover",
	"mmultiscripts", "mprescripts", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom", "menclose",
}

var attributes = []string{
	"displaystyle", "scriptlevel", "mathvariant", "form", "fence", "separator", "stretchy", "symmetric", "largeop", "movablelimits", "accent",
	"accentunder", "lspace", "rspace", "minsize", "maxsize", "linethickness", "columnalign", "width", "height", "depth", "voffset", "notation",
	"mathcolor", "mathbackground", "columnspan", "rowspan", "columnspacing", "rowspacing", "columnlines", "rowlines",
}

// simple is what stands in the element math of Temml's markup.
func simple(markup string) (string, error) {
	nodes, err := html.ParseFragment(strings.NewReader(markup), &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil || len(nodes) != 1 || nodes[0].Data != "math" {
		return "", errors.New("it is no formula of TeX")
	}
	var b strings.Builder
	for n := nodes[0].FirstChild; n != nil; n = n.NextSibling {
		if err := write(&b, n); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

func write(b *strings.Builder, n *html.Node) error {
	if n.Type == html.TextNode {
		b.WriteString(html.EscapeString(n.Data))
		return nil
	}
	if n.Type != html.ElementNode {
		return nil
	}
	class := " " + value(n, "class") + " "
	switch {
	case strings.Contains(class, " tml-eqn ") || strings.Contains(class, " tml-tageqn "):
		return errors.New("it numbers its lines, which is for documents of LaTeX; a star behind the name of the environment, as in align*, sets it without, and the setting Number numbers it")
	case strings.Contains(class, " tml-cancel "):
		return nil // Temml draws by it what the notation of its element says
	case !slices.Contains(elements, n.Data):
		return fmt.Errorf("it makes a <%s>, which cannot be printed", n.Data)
	}
	name, more := n.Data, styled(n)
	switch {
	case strings.Contains(class, " tml-left "):
		more = append(more, [2]string{"columnalign", "left"})
	case strings.Contains(class, " tml-right "):
		more = append(more, [2]string{"columnalign", "right"})
	case strings.Contains(class, " tml-jot "):
		more = append(more, [2]string{"rowspacing", "1.4ex"})
	}
	if name == "mrow" && slices.ContainsFunc(more, func(a [2]string) bool { return a[0] == "notation" }) {
		name = "menclose"
	}
	arrange(n)
	if base, ok := primed(n); ok {
		return writePrimed(b, n, base)
	}
	if name == "mover" && isAccent(n) {
		more = append(more, [2]string{"accent", "true"})
	}
	b.WriteString("<" + name)
	for _, a := range n.Attr {
		if slices.Contains(attributes, a.Key) {
			more = append(more, [2]string{a.Key, a.Val})
		}
	}
	for _, a := range more {
		b.WriteString(" " + a[0] + `="` + html.EscapeString(a[1]) + `"`)
	}
	b.WriteString(">")
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if err := write(b, child); err != nil {
			return err
		}
	}
	b.WriteString("</" + name + ">")
	return nil
}

func value(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// isAccent says whether what an element has above it is a sign over a letter.
func isAccent(n *html.Node) bool {
	last := n.LastChild
	return last != nil && last.Data == "mo" && strings.Contains(value(last, "style"), "math-depth") && value(last, "stretchy") == "false"
}

// arrange puts signs that the font can stretch in place of those that it cannot.
func arrange(n *html.Node) {
	first, last := n.FirstChild, n.LastChild
	switch n.Data {
	case "mover", "munder", "munderover":
	default:
		return
	}
	if sign := lone(first); sign != nil && longer[sign.Data] != "" {
		sign.Data = longer[sign.Data]
	}
	if sign := lone(last); sign != nil && value(last, "stretchy") == "true" && n.Data == "mover" {
		switch letters := utf8.RuneCountInString(words(first)); {
		case sign.Data == "→" && letters > 1:
			sign.Data = "\u20d7"
		case sign.Data == "ˆ" && letters > 2:
			sign.Data = "\u0302"
		}
	}
}

// longer are arrows with a text above or below them.
var longer = map[string]string{"→": "⟶", "←": "⟵", "↔": "⟷", "⇒": "⟹", "⇐": "⟸", "⇔": "⟺"}

// lone is the text of an operator.
func lone(n *html.Node) *html.Node {
	if n == nil || n.Data != "mo" || n.FirstChild == nil || n.FirstChild.NextSibling != nil || n.FirstChild.Type != html.TextNode {
		return nil
	}
	return n.FirstChild
}

// words are the texts in an element.
func words(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		b.WriteString(words(child))
	}
	return b.String()
}

// primed says whether what an element has raised are primes, which fonts raise already.
func primed(n *html.Node) (base *html.Node, ok bool) {
	if n.Data != "msup" && n.Data != "msubsup" || n.FirstChild == nil {
		return nil, false
	}
	text := words(n.LastChild)
	return n.FirstChild, text != "" && strings.Trim(text, "′″‴⁗") == ""
}

func writePrimed(b *strings.Builder, n, base *html.Node) error {
	if n.Data == "msubsup" {
		b.WriteString("<msub>")
	}
	b.WriteString("<mrow>")
	if err := write(b, base); err != nil {
		return err
	}
	b.WriteString(`<mo lspace="0em" rspace="0em">` + doubled.Replace(words(n.LastChild)) + "</mo></mrow>")
	if n.Data != "msubsup" {
		return nil
	}
	if err := write(b, base.NextSibling); err != nil {
		return err
	}
	b.WriteString("</msub>")
	return nil
}

// doubled are primes in one sign.
var doubled = strings.NewReplacer("′′′′", "⁗", "′′′", "‴", "′′", "″")

var declaration = regexp.MustCompile(`(?:^|;)\s*([a-z-]+):\s*([#a-z0-9. ]+)`)

// perEm is how many points of Temml's an em has.
const perEm = 11.9552

// styled are the attributes by which the style of an element is kept, in its cells the
// room at both sides and lines.
func styled(n *html.Node) [][2]string {
	var list [][2]string
	var style strings.Builder
	for _, m := range declaration.FindAllStringSubmatch(value(n, "style"), -1) {
		property, v := m[1], strings.TrimSpace(m[2])
		switch {
		case property == "color":
			list = append(list, [2]string{"mathcolor", v})
		case property == "background-color":
			list = append(list, [2]string{"mathbackground", v})
		case property == "border" && n.Data == "mrow":
			list = append(list, [2]string{"notation", "box"})
		case n.Data != "mtd":
		case property == "padding-left" || property == "padding-right":
			if points, ok := strings.CutSuffix(v, "pt"); ok {
				if f, err := strconv.ParseFloat(points, 64); err == nil {
					v = strconv.FormatFloat(f/perEm, 'f', 2, 64) + "em"
				}
			}
			style.WriteString(property + ":" + v + ";")
		case strings.HasPrefix(property, "border-"):
			style.WriteString(property + ":" + v + ";")
		}
	}
	if style.Len() > 0 {
		list = append(list, [2]string{"style", style.String()})
	}
	return list
}
