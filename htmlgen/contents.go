package htmlgen

import (
	"slices"

	"github.com/quire-reports/quire/report/text"
)

// contents is what lists of a document are made of: its headings, pages and
// figures in the order they print. A subreport may have contents of its own.
type contents struct {
	entries   []contentsEntry
	headings  [6]int         // heading numbers counted so far
	figures   map[string]int // figure numbers by channel
	equations int            // formulas with numbers so far
}

func newContents() *contents { return &contents{figures: map[string]int{}} }

// contentsEntry is a line of a table of contents or of figures.
type contentsEntry struct {
	kind    entryKind
	level   int    // 1 to 6, of headings
	channel string // of figures
	number  string // printed before the title, already a text
	title   string
	anchor  string
}

type entryKind uint8

const (
	headingEntry entryKind = iota
	pageEntry
	figureEntry
)

// record puts a line into the lists, if the page it stands on counts and it is
// no header or footer, which stand on many.
func (c *Context) record(entry contentsEntry) {
	if c.counts {
		c.contents.entries = append(c.contents.entries, entry)
	}
}

// deferred is a part of the body that is written when all else is known.
type deferred struct {
	at    int      // place in the body
	of    *Element // whose part it is
	write func()
}

// Defer leaves a place in the document to be written after everything else: a
// table of contents stands before what it lists.
func (c *Context) Defer(write func()) {
	c.later = append(c.later, deferred{c.Len(), c.at, write})
}

// writeDeferred fills the places left. Each is written on its own and put in
// where it belongs.
func (c *Context) writeDeferred() {
	if len(c.later) == 0 {
		return
	}
	body, later := c.buf, c.later
	c.buf, c.later = make([]byte, 0, len(body)+len(body)/8), nil
	from := 0
	for _, d := range later {
		c.buf = append(c.buf, body[from:d.at]...)
		c.behind = len(body) - d.at
		c.at = d.of
		if c.stopped() == nil {
			d.write()
		}
		from = d.at
	}
	_ = c.stopped() // while it is known where
	c.buf, c.behind = append(c.buf, body[from:]...), 0
}

// listLook is what the tables of contents and of figures share.
type listLook struct {
	rightAlign bool
	lead       string
	leadColor  string
}

// css are the declarations that the lines of a list take from it.
func (l *listLook) css(s *style) {
	s.add("--leader-style", leaderStyles[l.lead])
	s.add("--leader-color", cssValue(l.leadColor))
}

// leaderStyles are the CSS border styles of leaders.
var leaderStyles = map[string]string{"dots": "dotted", "dashes": "dashed", "underscores": "solid"}

// listEntry writes a line: number, title, leader and the page, which the
// paginator fills in. One that leads others stays on the page of the first.
func (c *Context) listEntry(l *listLook, class, styles string, entry *contentsEntry, page, leads bool) {
	c.Raw(`<a class="q-entry `)
	c.Raw(class)
	c.Raw(`"`)
	if leads {
		c.BoolAttr("data-keep-next")
	}
	c.Attr("href", "#"+entry.anchor)
	c.Attr("style", styles)
	c.Raw(`><span class="q-entry-title">`)
	if entry.number != "" {
		c.Raw(`<span class="q-number">`)
		c.Text(entry.number)
		c.Raw("</span> ")
	}
	c.Text(entry.title)
	c.Raw("</span>")
	if page {
		if l.rightAlign {
			c.Raw(`<span class="q-leader`)
			if leaderStyles[l.lead] == "" {
				c.Raw(" q-leader-none")
			}
			c.Raw(`" aria-hidden="true"></span>`)
		}
		c.Raw(`<span class="q-page-of"`)
		c.Attr("data-target", entry.anchor)
		c.Raw("></span>")
	}
	c.Raw("</a>\n")
}

// withRoot is the environment with one more root in scope, such as $heading.
func (c *Context) withRoot(name string, value any) *text.Env {
	env := *c.Env
	env.Scope = text.ScopeFunc(func(root string) (any, bool) {
		if root == name {
			return value, true
		}
		return c.scope.Lookup(root)
	})
	return &env
}

// figuresOf are the entries of a channel.
func (k *contents) figuresOf(channel string) []contentsEntry {
	return slices.DeleteFunc(slices.Clone(k.entries), func(e contentsEntry) bool { return e.kind != figureEntry || e.channel != channel })
}
