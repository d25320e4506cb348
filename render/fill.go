package render

import (
	"context"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// helperScript is what the pool itself needs in the isolated world, next to the
// paginator.
//
// tag prepares pages for tagged PDF.
// ready waits for the fonts and images of a document that is not paginated, and
// of pages that were taken out of another document. It makes the layout, which asks
// for fonts, and looks at them by itself: document.fonts.ready waits for the window to
// be drawn.
// seek finds on which pages, and in which elements, any of some characters stand.
// fields lays a link over each place of a form that can be filled in. Its address, which
// the browser hands through with its place, says what package pdf needs to make a field
// of it. Boxes that are not ticked show their mark, which is taken for their other state.
// divide takes a document apart whose pages have just been made, if it has more
// than a number of them: in the same task, so that the browser does not lay out
// hundreds of pages that are printed elsewhere. It points the links inside the
// document at an address of their own: the browser drops links whose target is
// not in the same chunk, and keeps addresses; package pdf turns them back.
const helperScript = `
globalThis.quirePool = {
  async ready() {
    await Promise.all([...document.images].map(i => {
      i.loading = "eager";
      return i.complete || new Promise(done => i.onload = i.onerror = done);
    }));
    for (;;) {
      document.documentElement.offsetHeight;
      const loading = [...document.fonts].filter(f => f.status === "loading");
      if (loading.length === 0) break;
      await Promise.all(loading.map(f => f.loaded.catch(() => 0)));
    }
    return null;
  },
  async adopt() {
    if (globalThis.quire && quire.adopt) await quire.adopt();
    return this.ready();
  },
  tag(result) {
    if (quire.tag) result.warnings = [...(result.warnings || []), ...quire.tag()];
    return result;
  },
  fields(result) {
    const mixed = s => s.opacity !== "1" || s.filter !== "none" || s.mixBlendMode !== "normal" || s.clipPath !== "none" || s.maskImage !== "none";
    const isMixed = el => el !== null && (mixed(getComputedStyle(el)) || isMixed(el.parentElement));
    for (const el of document.querySelectorAll(".q-page [data-field]")) {
      if (isMixed(el)) { // which is drawn as one picture, of which the field is a part
        const id = el.closest("[data-id]")?.getAttribute("data-id") ?? "";
        (result.warnings ??= []).push({ id, message: "cannot be filled in: it stands in something translucent, masked or with a filter" });
        continue;
      }
      const s = getComputedStyle(el), rtl = s.direction === "rtl";
      const at = { start: rtl ? "right" : "left", end: rtl ? "left" : "right" };
      const field = {
        ...JSON.parse(el.getAttribute("data-field")),
        size: parseFloat(s.fontSize) * (el.getBoundingClientRect().width / el.offsetWidth || 1),
        family: s.fontFamily.split(",")[0].replace(/["']/g, ""), color: s.color, align: at[s.textAlign] ?? s.textAlign,
      };
      const a = document.createElement("a");
      a.href = '` + FieldBase + `' + encodeURIComponent(JSON.stringify(field));
      a.setAttribute("aria-label", field.told);
      a.style.cssText = "position:absolute;display:block;inset:0 " + (field.state || field.comb ? "0" : "1.5px"); // viewers have some room of their own
      el.removeAttribute("role");
      el.removeAttribute("aria-label");
      const mark = el.querySelector("svg");
      if (mark) mark.style.visibility = "visible";
      el.append(a);
    }
    return result;
  },
  seek(result, sought) {
    const any = new Set(sought), pages = document.querySelectorAll(".q-page"), found = new Map();
    pages.forEach((page, i) => {
      const walk = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) {
        const here = [...new Set(walk.currentNode.data)].filter(c => any.has(c));
        if (here.length === 0) continue;
        const id = walk.currentNode.parentElement.closest("[data-id]")?.getAttribute("data-id") ?? "", key = i + " " + id;
        found.set(key, { id, page: i + 1, text: [...new Set([...(found.get(key)?.text ?? ""), ...here])].join("") });
      }
    });
    result.found = [...found.values()].slice(0, 2000);
    return result;
  },
  divide(result, size, wantHTML) {
    const pages = result.pages.length;
    if (wantHTML) result.html = this.html();
    if (pages <= size * 1.5) return result;
    this.relink();
    const n = Math.ceil(pages / size), chunks = [];
    for (let i = 0; i < n; i++) chunks.push([Math.floor(pages * i / n) + 1, Math.floor(pages * (i + 1) / n)]);
    this.chunks = chunks.map(([from, to]) => quire.extract(from, to));
    result.division = { head: this.head(), chunks };
    document.body.replaceChildren();
    return result;
  },
  chunk(i) {
    const html = this.chunks[i];
    this.chunks[i] = null;
    return html;
  },
  relink() {
    for (const a of document.querySelectorAll('a[href^="#"]')) {
      const id = a.getAttribute('href').slice(1);
      if (id) a.setAttribute('href', '` + LinkBase + `' + id);
    }
  },
  head() {
    const d = document.documentElement;
    const attrs = n => [...n.attributes].map(a => ' ' + a.name + '="' + a.value.replace(/&/g, '&amp;').replace(/"/g, '&quot;') + '"').join('');
    return '<!doctype html><html' + attrs(d) + '>' + document.head.outerHTML + '<body' + attrs(document.body) + '>';
  },
  html() { return '<!doctype html>' + document.documentElement.outerHTML; },
};
null`

// LinkBase is what links inside a document begin with in the parts of a large
// result; the id of the target follows. Package pdf makes links of them.
const LinkBase = ResourceBase + ".goto#"

// FieldBase is what the addresses of links over form fields begin with; what is known of
// the field follows, as JSON.
const FieldBase = ResourceBase + ".field#"

// pieceSize is how much HTML goes to the browser in one message. The browser
// ends the connection at a message of 100 MB.
const pieceSize = 48 << 20

// paginated is what quire.paginate() comes back with, and what divide adds.
type paginated struct {
	Pages    []PageInfo `json:"pages"`
	Anchors  []Anchor   `json:"anchors"`
	Warnings []Warning  `json:"warnings"`
	Found    []Found    `json:"found"`
	HTML     string     `json:"html"`
	Division *division  `json:"division"`
}

// fill puts a document into the tab and runs an expression over it. Both
// commands are sent at once: the tab works on them in order, and a small
// document is not kept waiting for a second message.
func (t *tab) fill(ctx context.Context, html []byte, expression string) ([]byte, error) {
	if len(html) > pieceSize {
		return t.fillPieces(ctx, html, expression)
	}
	p := newParams(len(html)+len(html)/8).str("frameId", t.target)
	p.key("html")
	p.b = appendQuoted(p.b, html)
	return t.fillRaw(ctx, p, expression)
}

func (t *tab) fillRaw(ctx context.Context, content *params, expression string) ([]byte, error) {
	first, err := t.b.conn.send(ctx, t.session, "Page.setDocumentContent", content)
	if err != nil {
		return nil, err
	}
	second, err := t.b.conn.send(ctx, t.session, "Runtime.evaluate", t.evaluateParams(expression))
	if err != nil {
		return nil, err
	}
	if _, err := first.wait(ctx); err != nil {
		return nil, err
	}
	r, err := second.wait(ctx)
	if err != nil {
		return nil, err
	}
	return evaluated(r)
}

// fillPieces writes a very large document in several messages.
func (t *tab) fillPieces(ctx context.Context, html []byte, expression string) ([]byte, error) {
	if _, err := t.evaluate(ctx, "document.open(); null"); err != nil {
		return nil, err
	}
	for len(html) > 0 {
		n := pieceEnd(html, pieceSize)
		var b []byte
		b = append(b, "document.write("...)
		b = appendQuoted(b, html[:n])
		b = append(b, "); null"...)
		if _, err := t.evaluate(ctx, string(b)); err != nil {
			return nil, err
		}
		html = html[n:]
	}
	if _, err := t.evaluate(ctx, "document.close(); null"); err != nil {
		return nil, err
	}
	return t.evaluate(ctx, expression)
}

// pieceEnd is where a piece of at most size bytes ends without splitting a
// character.
func pieceEnd(html []byte, size int) int {
	if len(html) <= size {
		return len(html)
	}
	for n := size; n > size-utf8.UTFMax; n-- {
		if utf8.RuneStart(html[n]) {
			return n
		}
	}
	return size
}

// paginate fills a document and makes its pages. With more than size and a half
// of them it is taken apart.
func (t *tab) paginate(ctx context.Context, html []byte, size int, job *Job) (*paginated, error) {
	if !t.script {
		return nil, fail(ErrPageFailed, "there is no paginator")
	}
	result := "r"
	if job.Tagged {
		result = "quirePool.tag(r)"
	}
	if job.Fields {
		result = "quirePool.fields(" + result + ")"
	}
	if job.Seek != "" {
		result = "quirePool.seek(" + result + ", " + string(appendQuoted(nil, []byte(job.Seek))) + ")"
	}
	expression := fmt.Sprintf("quire.paginate(undefined, %t, %d).then(r => quirePool.divide(%s, %d, %t))", !job.HTMLOut, job.Bleed, result, size, job.HTMLOut)
	value, err := t.fill(ctx, html, expression)
	if err != nil {
		return nil, err
	}
	p := &paginated{}
	if err := json.Unmarshal(value, p); err != nil {
		return nil, fail(ErrPageFailed, "the paginator's answer is unreadable: %v", err)
	}
	return p, nil
}

// html returns the document as it is now.
func (t *tab) html(ctx context.Context) ([]byte, error) {
	value, err := t.evaluate(ctx, "quirePool.html()")
	if err != nil {
		return nil, err
	}
	var s string
	if err := json.Unmarshal(value, &s); err != nil {
		return nil, fmt.Errorf("reading the document: %w", err)
	}
	return []byte(s), nil
}
