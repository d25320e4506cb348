package pdf

import (
	"bytes"
	"strings"
	"unicode/utf16"
)

// font is how codes of a font are read as text.
type font struct {
	wide bool // codes have two bytes
	text map[int]string
	// Of wide fonts, in thousandths of the size:
	widths map[int]float64
	usual  float64
}

// width is how far a code moves on.
func (f *font) width(code int) float64 {
	if w, ok := f.widths[code]; ok {
		return w
	}
	return f.usual
}

// readWidths reads the widths of a wide font: lists for codes that follow one
// another, and one width for a range.
func (t *tagger) readWidths(f *font, d dict) {
	list, _ := t.p.f.array(d.get("DescendantFonts"))
	if len(list) != 1 {
		return
	}
	cid, _ := t.p.f.dict(list[0])
	f.widths, f.usual = map[int]float64{}, 1000
	if v := cid.get("DW"); v != nil {
		f.usual = number(v)
	}
	w, _ := t.p.f.array(cid.get("W"))
	for i := 0; i+1 < len(w); {
		from, _ := w[i].(int)
		if each, _ := t.p.f.array(w[i+1]); each != nil {
			for k, v := range each {
				f.widths[from+k] = number(v)
			}
			i += 2
			continue
		}
		to, _ := w[i+1].(int)
		if i+2 < len(w) && to-from <= maxRange {
			for code := from; code <= to; code++ {
				f.widths[code] = number(w[i+2])
			}
		}
		i += 3
	}
}

// fontOf is the font of a name on a canvas; nil when there is none.
func (t *tagger) fontOf(c *canvas, key name) *font {
	if f, ok := c.fonts[key]; ok {
		return f
	}
	if c.fonts == nil {
		c.fonts = map[name]*font{}
	}
	fonts, _ := t.p.f.dict(c.resources.get("Font"))
	c.fonts[key] = t.readFont(fonts.get(key))
	return c.fonts[key]
}

func (t *tagger) readFont(v any) *font {
	r, ok := v.(ref)
	if f := t.fonts[r.num]; ok && f != nil {
		return f
	}
	d, err := t.p.f.dict(v)
	if err != nil || d == nil {
		return nil
	}
	f := &font{wide: d.name("Subtype") == "Type0", text: map[int]string{}}
	if s, _ := t.p.f.resolve(d.get("ToUnicode")); s != nil {
		if s, ok := s.(stream); ok {
			if b, err := s.decode(); err == nil {
				readUnicode(b, func(code int, value []byte) { f.text[code] = utf16Text(value) })
			}
		}
	}
	if f.wide {
		t.readWidths(f, d)
	}
	if ok {
		t.fonts[r.num] = f
	}
	return f
}

func utf16Text(b []byte) string {
	var units []uint16
	for i := 0; i+1 < len(b); i += 2 {
		units = append(units, uint16(b[i])<<8|uint16(b[i+1]))
	}
	return string(utf16.Decode(units))
}

// maxRange bounds the ranges of a font's table.
const maxRange = 1 << 16

// readUnicode visits the entries of a font's table of codes. The values are
// UTF-16.
func readUnicode(b []byte, visit func(code int, value []byte)) {
	scanUnicode(b, func(entry []text, _ span) {
		if len(entry) == 2 {
			visit(codeOf(entry[0]), entry[1])
			return
		}
		from, to := codeOf(entry[0]), codeOf(entry[1])
		if to-from > maxRange || len(entry[2]) < 2 {
			return
		}
		for code := from; code <= to; code++ {
			value := bytes.Clone(entry[2])
			last := int(value[len(value)-2])<<8 | int(value[len(value)-1])
			last += code - from
			value[len(value)-2], value[len(value)-1] = byte(last>>8), byte(last)
			visit(code, value)
		}
	})
}

func codeOf(b []byte) int {
	n := 0
	for _, c := range b[:min(len(b), 4)] {
		n = n<<8 | int(c)
	}
	return n
}

// scanUnicode visits the entries of a table as they are written: pairs, or
// triples for ranges, with the place of the last of them.
func scanUnicode(b []byte, visit func(entry []text, last span)) {
	l := &lexer{b: b}
	size := 0
	var entry []text
	for {
		l.space()
		if l.i >= len(b) {
			return
		}
		at := l.i
		if b[at] != '<' || l.has("<<") {
			if !isRegular(b[at]) || isNumeric(b[at]) {
				if !l.skipOperand() {
					l.i++
				}
				continue
			}
			switch string(l.word()) {
			case "beginbfchar":
				size = 2
			case "beginbfrange":
				size = 3
			case "endbfchar", "endbfrange":
				size = 0
			}
			entry = entry[:0]
			continue
		}
		v, err := l.hex()
		if err != nil {
			return
		}
		s, _ := v.(text)
		if size == 0 {
			continue
		}
		if entry = append(entry, s); len(entry) == size {
			visit(entry, span{at, l.i})
			entry = entry[:0]
		}
	}
}

// appendText adds the text of a shown string or array of strings.
func (f *font) appendText(dst, operand []byte) []byte {
	f.eachText(operand, func(piece string) { dst = append(dst, piece...) })
	return dst
}

// eachText visits the texts of the codes of a shown string or array of strings.
func (f *font) eachText(operand []byte, visit func(string)) {
	f.eachCode(operand, func(code int) { visit(f.text[code]) })
}

// eachCode visits the codes of a shown string or array of strings.
func (f *font) eachCode(operand []byte, visit func(int)) {
	if f == nil {
		return
	}
	l := &lexer{b: operand}
	v, err := l.value()
	if err != nil {
		return
	}
	list, ok := v.(array)
	if !ok {
		list = array{v}
	}
	for _, v := range list {
		s, _ := v.(text)
		step := 1
		if f.wide {
			step = 2
		}
		for i := 0; i+step <= len(s); i += step {
			visit(codeOf(s[i : i+step]))
		}
	}
}

// fixFonts sees to it that every font can be read as text: values that stand for
// nothing become a space without width.
func (t *tagger) fixFonts() {
	for num, v := range t.p.objs {
		d, ok := v.(dict)
		if !ok || d.name("Type") != "Font" || strings.HasPrefix(string(d.name("Subtype")), "CIDFont") {
			continue
		}
		r, ok := d.get("ToUnicode").(ref)
		if !ok {
			t.fail(0, "the font %s has no table of characters", d.name("BaseFont"))
			continue
		}
		if s, ok := t.p.objs[r.num].(stream); ok {
			t.p.objs[r.num] = t.fixUnicode(s)
		}
		t.checkEmbedded(num, d)
	}
}

// checkEmbedded notes a font that is not in the file.
func (t *tagger) checkEmbedded(_ int, d dict) {
	if d.name("Subtype") == "Type3" {
		return
	}
	if list, _ := t.p.f.array(d.get("DescendantFonts")); len(list) == 1 {
		d, _ = t.p.f.dict(list[0])
	}
	descriptor, _ := t.p.f.dict(d.get("FontDescriptor"))
	for _, key := range []name{"FontFile", "FontFile2", "FontFile3"} {
		if descriptor.get(key) != nil {
			return
		}
	}
	t.fail(0, "the font %s is not embedded", d.name("BaseFont"))
}

func (t *tagger) fixUnicode(s stream) stream {
	b, err := s.decode()
	if err != nil {
		return s
	}
	var out []byte
	done := 0
	scanUnicode(b, func(entry []text, last span) {
		if value := entry[len(entry)-1]; isNothing(value) {
			out = append(append(out, b[done:last.start]...), "<200B>"...)
			done = last.end
		}
	})
	if done == 0 {
		return s
	}
	out = append(out, b[done:]...)
	d := s.dict.without("Filter", "DecodeParms").with("Filter", name("FlateDecode"))
	return stream{d, bytes.Clone(t.m.w.deflate(out))}
}

// isNothing says whether a value is one that a table must not have.
func isNothing(value []byte) bool {
	if len(value) == 0 {
		return true
	}
	for i := 0; i+1 < len(value); i += 2 {
		if u := codeOf(value[i : i+2]); u == 0 || u == 0xfeff || u == 0xfffe {
			return true
		}
	}
	return false
}
