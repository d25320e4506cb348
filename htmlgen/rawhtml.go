package htmlgen

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/quire-reports/quire/report/text"
)

var rawHTML = define("html", "HTML", "Text", "HTML of the author, cleaned of everything that is not content; text templates work in text and attributes.", compileHTML, icon("code-xml"))

type htmlProps struct {
	HTML        string `json:"html" label:"HTML" means:"text" editor:"html" help:"HTML; text templates work in text and attributes. Scripts, frames and forms are left out." ask:"Scripts, frames and forms are left out. Values such as {$params.month} work in texts and attributes."`
	ColumnCount int    `json:"columnCount" label:"Column count" min:"0" max:"12" help:"Number of text columns; 0 and 1 are one. Fewer are set where a column would be narrower than 5 em."`
	ColumnGap   string `json:"columnGap" label:"Column gap" editor:"length"`
	Break       bool   `json:"breakAcrossPages" label:"Break across pages"`
	Font
	Box
}

func compileHTML(c *Context, e *Element, p *htmlProps) {
	c.Open(e, tag{name: "div", breaks: p.Break, font: &p.Font, box: &p.Box, extra: func(s *style) {
		c.textColumns(s, &p.Box, p.ColumnCount, p.ColumnGap)
	}})
	c.Raw(">")
	c.Markup(e, p.HTML)
	c.Raw("</div>\n")
}

// Markup writes an author's HTML: its templates resolved with their values
// escaped, and cleaned of everything that is not content. Where the values
// cannot change what is harmless, the template is cleaned once and not its
// result for every row.
func (c *Context) Markup(e *Element, source string) {
	ready := once(e, "html:"+source, func() *text.Template {
		if _, fixed := c.ParseHTML(source).Static(); (fixed && !drawingWithIDs(source) && !idAttribute.MatchString(source)) || !valuesMatter(source) {
			return c.ParseHTML(c.clean(e, source))
		}
		return nil
	})
	if ready != nil {
		c.Template(ready, c.Env, text.EscapeHTML)
		return
	}
	c.Raw(c.clean(e, string(c.ParseHTML(source).Append(nil, c.Env, text.EscapeHTML))))
}

var checkedAttribute = regexp.MustCompile(`(?i)[\s"'/](?:href|src|style|id|class)\s*=\s*(?:"[^"]*\{|'[^']*\{|[^"'\s>]*\{)`)

// valuesMatter reports whether values stand in attributes that are checked, in
// tags, or come from expressions, whose code is no HTML.
func valuesMatter(source string) bool {
	return strings.Contains(source, "{[") || strings.Contains(source, "%{") || strings.Contains(source, "<{") ||
		checkedAttribute.MatchString(source) || idAttribute.MatchString(source) || drawingTag.MatchString(source)
}

// drawingWithIDs reports whether HTML holds drawings whose ids are to differ with
// every row.
func drawingWithIDs(source string) bool {
	return drawingTag.MatchString(source) && strings.Contains(strings.ToLower(source), "id")
}

// idAttribute gives a name, which is another in every row.
var idAttribute = regexp.MustCompile(`(?i)[\s"'/]id\s*=`)

// drawingTag begins what is no HTML.
var drawingTag = regexp.MustCompile(`(?i)<(?:svg|math)\b`)

// clean is HTML with only harmless elements and attributes, every one closed,
// and its pictures handed over by the server.
func (c *Context) clean(e *Element, source string) string {
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	drawings := c.takeDrawings(e, &source)
	c.tellOfLeftOut(e, source)
	nodes, err := html.ParseFragment(strings.NewReader(sanitizer().Sanitize(source)), root)
	if err != nil {
		c.Warn(e, "the HTML cannot be read: %v", err)
		return ""
	}
	var b bytes.Buffer
	for _, n := range nodes {
		c.cleanNode(e, n)
		if drawings != nil {
			putBack(n, drawings)
		}
		if err := html.Render(&b, n); err != nil {
			c.Warn(e, "the HTML cannot be written: %v", err)
		}
	}
	return b.String()
}

// takeDrawings takes SVG and MathML out of HTML, which has marks in their place.
func (c *Context) takeDrawings(e *Element, source *string) []string {
	if !drawingTag.MatchString(*source) {
		return nil
	}
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(*source), root)
	if err != nil {
		return nil // told of when what is left is read
	}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	drawings := []string{}
	c.foreign(e, root, &drawings)
	var b bytes.Buffer
	for n := root.FirstChild; n != nil; n = n.NextSibling {
		_ = html.Render(&b, n) // as it was read
	}
	*source = b.String()
	return drawings
}

// cleanNode checks styles, pictures and links of a tree, and takes away names
// that only the program may give.
func (c *Context) cleanNode(e *Element, n *html.Node) {
	kept := n.Attr[:0]
	for _, a := range n.Attr {
		switch {
		case strings.HasPrefix(a.Key, "data-") && ownMark(a.Key):
			c.Warn(e, "the attribute %s means something to Quire itself and was left out", a.Key)
			continue
		case a.Key == "style":
			if a.Val = c.cleanStyle(e, a.Val); a.Val == "" {
				continue
			}
		case a.Key == "src" && n.Data == "img":
			url, reason := c.imageURL(e, strings.TrimSpace(a.Val), Space{Width: c.sheetWidth})
			if url == "" {
				c.Warn(e, "%s", reason)
				continue
			}
			a.Val = url
		case a.Key == "href" && !linkable(a.Val):
			c.Warn(e, "the address %q is not allowed", clip(a.Val, 60))
			continue
		case a.Key == "class" && isAside(n, a.Val), a.Key == "class" && n.Data == "span" && a.Val == referenceClass:
		case a.Key == "class" && isNote(n, a.Val):
			if a.Val != text.Note {
				n.InsertBefore(aside(" ("), n.FirstChild)
				n.AppendChild(aside(")"))
			}
			a.Val = text.Note
		case a.Key == "class":
			a.Val = classNames(a.Val)
		case a.Key == "id":
			called := anchorName(a.Val)
			a.Val = c.anchor(called)
			c.aim(called, target{anchor: a.Val, title: clip(strings.Join(strings.Fields(wordsOf(n)), " "), 200)})
		}
		kept = append(kept, a)
	}
	n.Attr = kept
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		c.cleanNode(e, child)
	}
}

// isNote reports whether an element is a footnote: the author's own, or one that a
// format has made. One inside of another is a part of it.
func isNote(n *html.Node, class string) bool {
	if n.Data != "span" || class != "footnote" && class != text.Note {
		return false
	}
	for up := n.Parent; up != nil; up = up.Parent {
		if classOf(up) == text.Note {
			return false
		}
	}
	return true
}

// isAside reports whether an element is one of the parentheses of a footnote.
func isAside(n *html.Node, class string) bool {
	return class == text.NoteAside && n.Parent != nil && classOf(n.Parent) == text.Note
}

func aside(words string) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: "span", DataAtom: atom.Span, Attr: []html.Attribute{{Key: "class", Val: text.NoteAside}}}
	n.AppendChild(&html.Node{Type: html.TextNode, Data: words})
	return n
}

func classOf(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "class" {
			return a.Val
		}
	}
	return ""
}

// contentElements are the elements that authors may write.
var contentElements = []string{
	"p", "div", "span", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "b", "strong", "i", "em", "u", "s", "small", "sub", "sup",
	"mark", "code", "pre", "kbd", "samp", "var", "abbr", "cite", "q", "blockquote", "ul", "ol", "li", "dl", "dt", "dd", "table", "caption",
	"colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td", "figure", "figcaption", "img", "a", "address", "time", "section", "article",
	"header", "footer", "aside", "main", "bdi", "bdo", "ins", "del", "wbr", "ruby", "rt", "rp",
}

// withContents are the elements that are left out with all that they hold; of
// others only the tags go.
var withContents = []string{"frame", "frameset", "iframe", "noembed", "noframes", "noscript", "nostyle", "object", "script", "style"}

// tellOfLeftOut warns of elements that the cleaner takes away, once of each name.
func (c *Context) tellOfLeftOut(e *Element, source string) {
	if !mayLeaveOut(source) {
		return
	}
	told := map[string]bool{}
	tokens := html.NewTokenizer(strings.NewReader(source))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		b, _ := tokens.TagName()
		name := string(b)
		if told[name] || slices.Contains(contentElements, name) {
			continue
		}
		told[name] = true
		what := "its tags were left out, what it holds stays"
		if slices.Contains(withContents, name) {
			what = "it was left out with all that it holds"
		}
		c.Warn(e, "<%s> is not allowed in HTML of a report: %s", clip(name, 40), what)
	}
}

// mayLeaveOut is a quick look for tags of elements that are not allowed.
func mayLeaveOut(source string) bool {
	for {
		at := strings.IndexByte(source, '<')
		if at < 0 {
			return false
		}
		source = source[at+1:]
		end := strings.IndexFunc(source, func(r rune) bool { return r > 'z' || r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' })
		if end < 0 {
			end = len(source)
		}
		if end > 0 && !slices.Contains(contentElements, strings.ToLower(source[:end])) {
			return true
		}
	}
}

// sanitizer is the policy for authors' HTML: content and its look, nothing
// that loads, runs or asks for input.
func sanitizer() *bluemonday.Policy { return htmlPolicy }

var htmlPolicy = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements(contentElements...)
	p.AllowAttrs("class", "id", "title", "lang", "dir", "style", "role", "translate").Globally()
	p.AllowAttrs(ariaAttributes...).Globally()
	p.AllowDataAttributes()
	p.AllowAttrs("colspan", "rowspan", "scope", "align", "valign").OnElements("td", "th", "col", "colgroup")
	p.AllowAttrs("start", "type", "reversed", "value").OnElements("ol", "ul", "li")
	p.AllowAttrs("src", "alt", "width", "height").OnElements("img")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("datetime").OnElements("time")
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	p.AllowURLSchemeWithCustomPolicy("data", func(u *url.URL) bool { return strings.HasPrefix(u.Opaque, "image/") })
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	return p
}()

var ariaAttributes = []string{
	"aria-label", "aria-labelledby", "aria-describedby", "aria-description", "aria-details", "aria-hidden", "aria-level", "aria-roledescription",
	"aria-braillelabel", "aria-brailleroledescription", "aria-valuemin", "aria-valuemax", "aria-valuenow", "aria-valuetext", "aria-checked",
	"aria-current", "aria-sort", "aria-colcount", "aria-colindex", "aria-colspan", "aria-rowcount", "aria-rowindex", "aria-rowspan", "aria-setsize",
	"aria-posinset", "aria-orientation", "aria-selected", "aria-pressed", "aria-disabled", "aria-live", "aria-atomic", "aria-busy", "aria-owns",
}
