package pdf

import (
	"bytes"
	"unicode"
)

// The browser shows a soft hyphen at which no line ends as a blank without width, and
// says that its text is U+00AD. Programs that go by the glyphs read a blank within a
// word, and others find no word that has such a character in it. Nothing of it is seen:
// joinWords takes them out, and keeps the moves between the glyphs around them. At the
// end of a line a hyphen is shown, and stays.

// softHyphen is how the browser says the text of a soft hyphen.
var softHyphen = []byte("feff00ad")

// joinWords takes the soft hyphens that nobody sees out of the pages and forms.
func (p *part) joinWords() {
	if !p.m.o.Divided {
		return
	}
	t := &tagger{m: p.m, p: p, fonts: map[int]*font{}}
	joined := map[int][]byte{}
	for _, num := range p.pages {
		if num == 0 {
			continue // another stands for it
		}
		page, _ := p.objs[num].(dict)
		content, err := p.content(page.get("Contents"))
		if err != nil {
			continue
		}
		c := &canvas{page: num, content: content}
		c.resources, _ = p.f.dict(page.get("Resources"))
		if after := t.joined(c); len(after) < len(content) {
			joined[num] = bytes.Clone(p.m.w.deflate(after))
		}
	}
	t.setContents(joined)
	for num, v := range p.objs {
		f, ok := v.(stream)
		if !ok || f.dict.name("Subtype") != "Form" {
			continue
		}
		content, err := f.decode()
		if err != nil {
			continue
		}
		c := &canvas{form: num, content: content}
		c.resources, _ = p.f.dict(f.dict.get("Resources"))
		if after := t.joined(c); len(after) < len(content) {
			d := f.dict.without("Filter", "DecodeParms").with("Filter", name("FlateDecode"))
			p.objs[num] = stream{d, bytes.Clone(p.m.w.deflate(after))}
		}
	}
}

// joined is a content without soft hyphens that are not seen. Only what stands between
// the marks is read: contents are long.
func (t *tagger) joined(c *canvas) []byte {
	said := softHyphen
	if !bytes.Contains(c.content, said) {
		said = bytes.ToUpper(said)
	}
	j := &joiner{t: t, c: c}
	for rest := c.content; ; {
		at := bytes.Index(rest, said)
		if at < 0 {
			return append(j.out, rest...)
		}
		begin := max(bytes.LastIndex(rest[:at], []byte("/Span")), 0)
		end := bytes.Index(rest[at:], []byte("EMC"))
		if end < 0 {
			return append(j.out, rest...)
		}
		j.setFont(rest[:begin])
		j.out = append(j.out, rest[:begin]...)
		j.in, j.done, j.open = rest[begin:at+end+len("EMC")], 0, false
		scanContent(j.in, j.visit)
		j.out = append(j.out, j.in[j.done:]...)
		rest = rest[at+end+len("EMC"):]
	}
}

// setFont finds the font that a content ends in, if it names one or begins a text.
func (j *joiner) setFont(before []byte) {
	at := bytes.LastIndex(before, []byte(" Tf"))
	if bytes.LastIndex(before, []byte("BT")) > at {
		j.font = nil
		return
	}
	if at >= 0 {
		line := before[max(bytes.LastIndexByte(before[:at], '/'), 0) : at+len(" Tf")]
		scanContent(line, func(o *operator) {
			if o.name == "Tf" {
				j.font = j.t.fontOf(j.c, o.nameAt(line, 0))
			}
		})
	}
}

// joiner looks for a mark with the text U+00AD that holds one move at most and a glyph
// that is a blank.
type joiner struct {
	t    *tagger
	c    *canvas
	in   []byte
	out  []byte
	done int
	font *font

	mark, move, show span // of what has been met; empty for what has not
	open             bool
}

func (j *joiner) visit(o *operator) {
	here := span{o.start, o.end}
	switch {
	case o.name == "BDC":
		said, ok := o.actualText(j.in)
		j.open = ok && said == "\u00ad"
		j.mark, j.move, j.show = here, span{}, span{}
	case !j.open:
	case o.name == "Td" && j.move == span{} && j.show == span{}:
		j.move = here
	case o.name == "Tj" && j.show == span{} && len(o.args) == 1 && j.font.showsBlank(o.operand(j.in)):
		j.show = here
	case o.name == "EMC" && j.show != span{}:
		j.copyTo(j.mark.start)
		j.out = append(j.out, j.in[j.move.start:j.move.end]...)
		j.done = o.end
		j.open = false
	default:
		j.open = false
	}
}

func (j *joiner) copyTo(end int) {
	j.out = append(j.out, j.in[j.done:end]...)
	j.done = end
}

// showsBlank says whether a shown string is blanks alone.
func (f *font) showsBlank(operand []byte) bool {
	if f == nil {
		return false
	}
	blank := true
	f.eachCode(operand, func(code int) {
		for _, r := range f.text[code] {
			blank = blank && unicode.IsSpace(r)
		}
		blank = blank && f.text[code] != ""
	})
	return blank
}
