package htmlgen

import (
	"bytes"
	"html"
	"regexp"
	"strings"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text/hyphen"
)

// The browser that prints has no dictionaries. Words get soft hyphens while the
// document is made, by the language of the report, where the author asks for it, in
// justified text, and in narrow cells of tables. Office files have none: Word and Excel
// make lines of their own, and the lines of presentations are read from the browser,
// which does not say where within a word one ends at a soft hyphen.

const (
	leastInText  = 5 // letters of a word that is divided
	leastInCells = 8 // the same in cells that nobody spoke of, if there is room for fewer
)

// Hyphens is the setting for text.
type Hyphens struct {
	Hyphens string `json:"hyphens" label:"Hyphenation" enum:",auto,none" help:"Whether words are divided where lines end, by the language of the report. Default: in justified text."`
}

var (
	dividesCSS = regexp.MustCompile(`(?i)(?:^|[;{\s"']|-webkit-)hyphens\s*:\s*auto`)
	keepsCSS   = regexp.MustCompile(`(?i)(?:^|[;{\s"']|-webkit-)hyphens\s*:\s*(?:none|manual)`)
	justifyCSS = regexp.MustCompile(`(?i)text-align\s*:\s*justify`)
)

// divides says whether words of a text are divided: the setting says it, or CSS of the
// element, or that the text is justified.
func (h *Hyphens) divides(align, css string) bool {
	switch {
	case h.Hyphens != "":
		return h.Hyphens == "auto"
	case keepsCSS.MatchString(css):
		return false
	}
	return align == "justify" || dividesCSS.MatchString(css) || justifyCSS.MatchString(css)
}

// divider divides words in the report's language; nil where there are no patterns, or
// others make the lines.
func (c *Context) divider() *hyphen.Divider {
	if c.in.forOffice() {
		return nil
	}
	if c.dividers == nil {
		c.dividers = new(*hyphen.Divider)
		if h := hyphen.For(c.Env.Locale.Tag()); h != nil {
			*c.dividers = h.Divider()
		}
	}
	return *c.dividers
}

// tellUndivided warns of an element that asks for what there is not.
func (c *Context) tellUndivided(e *Element, asked string) {
	if asked == "auto" && c.divider() == nil && !c.in.forOffice() {
		c.Warn(e, "words of the language %q are not divided: there are no patterns for it", c.Env.Locale.Tag())
	}
}

// hyphenate puts soft hyphens into the words of the markup that was written from a
// place on.
func (c *Context) hyphenate(start, least int) {
	if !hasWord(c.buf[start:], least) || c.stopped() != nil {
		return
	}
	d := c.divider()
	if d == nil {
		return
	}
	w := dividing{d: d, least: least, in: c.buf[start:], out: c.dividing[:0]}
	w.run()
	c.dividing = w.out
	c.buf = append(c.buf[:start], w.out...)
}

// hasWord says whether markup may have a word of so many letters; most cells have none.
// Apostrophes, as &#39; too, are letters of words in some languages.
func hasWord(s []byte, least int) bool {
	run := 0
	for _, b := range s {
		if b < 'A' && strings.IndexByte("'&#39;", b) < 0 {
			run = 0
		} else if run++; run >= least {
			return true
		}
	}
	return false
}

// dividing is markup while its words are divided.
type dividing struct {
	d       *hyphen.Divider
	least   int
	in, out []byte
}

func (w *dividing) run() {
	for len(w.in) > 0 {
		n := bytes.IndexByte(w.in, '<')
		if n < 0 {
			n = len(w.in)
		}
		w.text(w.in[:n])
		w.in = w.in[n:]
		if len(w.in) > 0 {
			w.tag()
		}
	}
}

func (w *dividing) text(s []byte) {
	t := string(s)
	if strings.Contains(t, "&#") {
		t = quotes.Replace(t)
	}
	w.out = w.d.Append(w.out, t, w.least)
}

// quotes are characters that need not be written as they are by those who write HTML.
var quotes = strings.NewReplacer("&#39;", "'", "&#34;", `"`)

// tag copies a tag, with all that is in the element if nothing of it is divided.
func (w *dividing) tag() {
	end := tagEnd(w.in)
	tag := w.in[:end]
	w.copy(end)
	name := tagName(tag)
	if name == "" || !undivided(name, tag) {
		return
	}
	for depth := 1; depth > 0 && len(w.in) > 0; {
		n := bytes.IndexByte(w.in, '<')
		if n < 0 {
			n = len(w.in)
		}
		w.copy(n)
		if len(w.in) == 0 {
			return
		}
		end := tagEnd(w.in)
		switch inner := w.in[:end]; {
		case tagName(inner) == name && inner[len(inner)-2] != '/':
			depth++
		case len(inner) > 1 && inner[1] == '/' && tagName(append([]byte("<"), inner[2:]...)) == name:
			depth--
		}
		w.copy(end)
	}
}

func (w *dividing) copy(n int) {
	w.out = append(w.out, w.in[:n]...)
	w.in = w.in[n:]
}

// tagEnd is the length of the tag that markup begins with; attributes may hold >.
func tagEnd(s []byte) int {
	if bytes.HasPrefix(s, []byte("<!--")) {
		if n := bytes.Index(s, []byte("-->")); n >= 0 {
			return n + 3
		}
		return len(s)
	}
	quote := byte(0)
	for i, b := range s {
		switch {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '"' || b == '\'':
			quote = b
		case b == '>':
			return i + 1
		}
	}
	return len(s)
}

// tagName is the name in a start tag; "" for other tags.
func tagName(tag []byte) string {
	i := 1
	for i < len(tag) && (tag[i] >= 'a' && tag[i] <= 'z' || tag[i] >= 'A' && tag[i] <= 'Z' || tag[i] >= '0' && tag[i] <= '9') {
		i++
	}
	if i == 1 {
		return ""
	}
	return strings.ToLower(string(tag[1:i]))
}

// undivided says whether nothing in an element is divided: code, headings, drawings,
// text in another language, and what the author keeps from it.
func undivided(name string, tag []byte) bool {
	switch name {
	case "br", "img", "hr", "wbr", "input", "col":
		return false
	case "code", "pre", "kbd", "samp", "var", "svg", "math", "style", "script", "h1", "h2", "h3", "h4", "h5", "h6":
		return true
	}
	return bytes.Contains(tag, []byte(` lang="`)) || bytes.Contains(tag, []byte(` translate="no"`)) ||
		bytes.Contains(tag, []byte("hyphens")) && keepsCSS.MatchString(html.UnescapeString(string(tag)))
}

// isHyphens knows the setting for hyphenation.
func isHyphens(f report.Field) bool { return f.Name == "hyphens" }
