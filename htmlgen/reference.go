package htmlgen

import (
	"bytes"
	"strconv"

	"golang.org/x/net/html"

	"github.com/quire-reports/quire/report/text"
)

// target is what references can name.
type target struct {
	anchor, number, title string
	paged                 bool // it stands on pages with numbers
	more                  bool // others have its name, too
}

// reference prints something of a target.
type reference struct {
	what text.ReferredTo
	name string
	from *Element
	runs bool // it stands in the text, and not in a header or footer
}

// referenceClass is that of the places of references while not all targets are known.
const referenceClass = "q-ref"

const (
	referenceStart = `<span class="` + referenceClass + `">`
	referenceEnd   = `</span>`
)

// anchor makes an anchor's name unique in the document.
func (c *Context) anchor(name string) string {
	free := name
	for c.anchors[free] > 0 {
		c.anchors[name]++
		free = name + "-" + strconv.Itoa(c.anchors[name])
	}
	c.anchors[free] = 1
	return free
}

// aim makes something the target of references to a name. The first keeps it.
func (c *Context) aim(name string, t target) {
	if known := c.targets[name]; known != nil {
		known.more = true
		return
	}
	t.paged = c.counts
	c.targets[name] = &t
}

// refer appends the place of a reference, which is written when all is known.
func (c *Context) refer(dst []byte, what text.ReferredTo, name string) []byte {
	r := reference{what, anchorName(name), c.at, c.inBody}
	if c.apart {
		c.Warn(c.at, "references in large tables of workbooks are printed as names")
		return text.AppendEscaped(dst, name, text.EscapeText)
	}
	at, known := c.referred[r]
	if !known {
		if c.referred == nil {
			c.referred = map[reference]int{}
		}
		at = len(c.references)
		c.referred[r] = at
		c.references = append(c.references, r)
	}
	dst = append(dst, referenceStart...)
	return append(strconv.AppendInt(dst, int64(at), 10), referenceEnd...)
}

// writeReferences puts into the places of references what they print.
func (c *Context) writeReferences() {
	if len(c.references) == 0 {
		return
	}
	body := c.buf
	c.buf = make([]byte, 0, len(body)+len(body)/8)
	for {
		before, after, found := bytes.Cut(body, []byte(referenceStart))
		c.buf = append(c.buf, before...)
		if !found {
			return
		}
		number, rest, _ := bytes.Cut(after, []byte(referenceEnd))
		if at, err := strconv.Atoi(string(number)); err == nil && at >= 0 && at < len(c.references) {
			c.reference(&c.references[at])
		}
		body = rest
	}
}

// reference writes what a reference prints; what it cannot print is told, and shown
// by its name in brackets.
func (c *Context) reference(r *reference) {
	t := c.targets[r.name]
	if t == nil {
		c.Warn(r.from, "a reference names %q, which no heading, caption or id of the report has", r.name)
		c.Text("[" + r.name + "]")
		return
	}
	if t.more {
		c.Warn(r.from, "a reference names %q, a name given more than once; the first is meant", r.name)
	}
	words := firstOf(t.title, t.number, "["+r.name+"]")
	page := false
	switch r.what {
	case text.PageOf:
		page = t.paged && !c.in.Typed
		switch {
		case c.in.Typed:
			c.Warn(nil, "workbooks have no pages; references to the numbers of pages print titles")
		case !t.paged:
			c.Warn(r.from, "%q stands where pages have no numbers; the reference to its page prints its title", r.name)
		}
	case text.NumberOf:
		if t.number == "" {
			c.Warn(r.from, "a reference asks for the number of %q, which has none; its title is printed", r.name)
		} else {
			words = t.number
		}
	case text.TitleOf:
		if t.title == "" {
			c.Warn(r.from, "a reference asks for the title of %q, which has none", r.name)
		}
	}
	if r.runs {
		c.Raw(`<a class="` + referenceClass + `"`)
		c.Attr("href", "#"+t.anchor)
		c.Raw(">")
	}
	if page {
		c.Raw(`<span class="q-page-of"`)
		c.Attr("data-target", t.anchor)
		c.Raw("></span>")
	} else {
		c.Text(words)
	}
	if r.runs {
		c.Raw("</a>")
	}
}

// wordsOf is the text in a tree of HTML.
func wordsOf(n *html.Node) string {
	switch class := classOf(n); {
	case n.Type == html.TextNode:
		return n.Data
	case class == "footnote", class == text.Note, class == referenceClass:
		return ""
	}
	words := ""
	for child := n.FirstChild; child != nil && len(words) < 1000; child = child.NextSibling {
		words += wordsOf(child)
	}
	return words
}
