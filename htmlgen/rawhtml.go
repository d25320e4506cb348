package htmlgen

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/quire-reports/quire/report/text"
)

var rawHTML = define("html", "HTML", "Text", "HTML of the author, cleaned of everything that is not content; text templates work in text and attributes.", compileHTML)

type htmlProps struct {
	HTML        string `json:"html" editor:"html" help:"HTML; text templates work in text and attributes. Scripts, frames and forms are left out."`
	ColumnCount int    `json:"columnCount" label:"Column count" min:"0" max:"12" help:"Number of text columns; 0 and 1 are one."`
	ColumnGap   string `json:"columnGap" label:"Column gap" editor:"length"`
	Break       bool   `json:"breakAcrossPages" label:"Break across pages"`
	Font
	Box
}

func compileHTML(c *Context, e *Element, p *htmlProps) {
	c.Open(e, tag{name: "div", breaks: p.Break, font: &p.Font, box: &p.Box, extra: p.css})
	c.Raw(">")
	c.Markup(e, p.HTML)
	c.Raw("</div>\n")
}

func (p *htmlProps) css(s *style) { textColumns(s, p.ColumnCount, p.ColumnGap) }

// Markup writes an author's HTML: its templates resolved with their values
// escaped, and cleaned of everything that is not content. Where the values
// cannot change what is harmless, the template is cleaned once and not its
// result for every row.
func (c *Context) Markup(e *Element, source string) {
	ready := once(e, "html:"+source, func() *text.Template {
		if _, fixed := c.Parse(source).Static(); fixed || !valuesMatter(source) {
			return c.Parse(c.clean(e, source))
		}
		return nil
	})
	if ready != nil {
		c.Template(ready, c.Env, text.EscapeHTML)
		return
	}
	c.Raw(c.clean(e, string(c.Parse(source).Append(nil, c.Env, text.EscapeHTML))))
}

var checkedAttribute = regexp.MustCompile(`(?i)[\s"'/](?:href|src|style|id|class)\s*=\s*(?:"[^"]*\{|'[^']*\{|[^"'\s>]*\{)`)

// valuesMatter reports whether values stand in attributes that are checked, in
// tags, or come from expressions, whose code is no HTML.
func valuesMatter(source string) bool {
	return strings.Contains(source, "{[") || strings.Contains(source, "%{") || strings.Contains(source, "<{") ||
		checkedAttribute.MatchString(source) || strings.Contains(strings.ToLower(source), " id=")
}

// clean is HTML with only harmless elements and attributes, every one closed,
// and its pictures handed over by the server.
func (c *Context) clean(e *Element, source string) string {
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(sanitizer().Sanitize(source)), root)
	if err != nil {
		c.Warn(e, "the HTML cannot be read: %v", err)
		return ""
	}
	var b bytes.Buffer
	for _, n := range nodes {
		c.cleanNode(e, n)
		if err := html.Render(&b, n); err != nil {
			c.Warn(e, "the HTML cannot be written: %v", err)
		}
	}
	return b.String()
}

// cleanNode checks styles, pictures and links of a tree, and takes away names
// that only the program may give.
func (c *Context) cleanNode(e *Element, n *html.Node) {
	kept := n.Attr[:0]
	for _, a := range n.Attr {
		switch {
		case a.Key == "style":
			if a.Val = c.cleanStyle(e, a.Val); a.Val == "" {
				continue
			}
		case a.Key == "src" && n.Data == "img":
			url, reason := c.imageURL(strings.TrimSpace(a.Val))
			if url == "" {
				c.Warn(e, "%s", reason)
				continue
			}
			a.Val = url
		case a.Key == "href" && !linkable(a.Val):
			c.Warn(e, "the address %q is not allowed", clip(a.Val, 60))
			continue
		case a.Key == "class":
			a.Val = classNames(a.Val)
		case a.Key == "id":
			a.Val = c.anchor(anchorName(a.Val))
		}
		kept = append(kept, a)
	}
	n.Attr = kept
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		c.cleanNode(e, child)
	}
}

// sanitizer is the policy for authors' HTML: content and its look, nothing
// that loads, runs or asks for input.
func sanitizer() *bluemonday.Policy { return htmlPolicy }

var htmlPolicy = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "div", "span", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "b", "strong", "i", "em", "u", "s", "small", "sub", "sup",
		"mark", "code", "pre", "kbd", "samp", "var", "abbr", "cite", "q", "blockquote", "ul", "ol", "li", "dl", "dt", "dd", "table", "caption",
		"colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td", "figure", "figcaption", "img", "a", "address", "time", "section", "article",
		"header", "footer", "aside", "main", "bdi", "bdo", "ins", "del", "wbr", "ruby", "rt", "rp")
	p.AllowAttrs("class", "id", "title", "lang", "dir", "style").Globally()
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
