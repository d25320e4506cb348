package pdf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// What is typed into a field is drawn by whoever shows the file, with a font that the
// file brings along: not the browser's, which have only the letters of the pages, but a
// whole one of the same family, with the letters of western European languages.

// typed is how what is filled in looks: its font, size, colour and place.
func (m *merger) typed(w *widget) (dict, error) {
	font, err := m.typeface(w.Family)
	if err != nil {
		return nil, err
	}
	const pt = 72.0 / 96
	look := []byte("/" + string(font) + " ")
	look = append(appendFloat(look, math.Round(min(max(w.Size, 2), 400)*pt*100)/100), " Tf "...)
	for _, share := range colorOf(w.Color) {
		look = append(appendFloat(look, share), ' ')
	}
	d := dict{{"DA", text(append(look, "rg"...))}}
	switch w.Align {
	case "center":
		d = append(d, entry{"Q", 1})
	case "right":
		d = append(d, entry{"Q", 2})
	}
	return d, nil
}

// colorOf reads a colour as browsers say it: rgb(0, 0, 0) or color(srgb 0 0 0).
func colorOf(s string) (shares [3]float64) {
	whole := 255.0
	if list, is := strings.CutPrefix(s, "color(srgb "); is {
		s, whole = "("+list, 1
	}
	_, list, _ := strings.Cut(s, "(")
	numbers := strings.FieldsFunc(list, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	for i := range min(3, len(numbers)) {
		v, _ := strconv.ParseFloat(numbers[i], 64)
		shares[i] = math.Round(min(v/whole, 1)*1000) / 1000
	}
	return shares
}

// typeface is the name of the font of a family among the form's resources.
func (m *merger) typeface(family string) (name, error) {
	if m.o.Typing == nil {
		return "", errors.New("there is no font for form fields")
	}
	face, err := m.o.Typing(family)
	if err != nil {
		return "", fmt.Errorf("reading the font of form fields: %w", err)
	}
	called := name("Qu" + face.Name)
	if m.form.fonts.get(called) != nil {
		return called, nil
	}
	d, err := m.embedFace(face)
	if err != nil {
		return "", fmt.Errorf("reading the font of form fields: %w", err)
	}
	num := m.w.alloc()
	m.w.object(num, d, &appender{})
	m.form.fonts = append(m.form.fonts, entry{called, ref{num: num}})
	return called, nil
}

// embedFace writes a TrueType font of which the characters of Windows-1252 are used.
func (m *merger) embedFace(f Face) (dict, error) {
	t, err := trueType(f.TrueType)
	if err != nil {
		return nil, err
	}
	file, about := m.w.alloc(), m.w.alloc()
	m.w.stream(file, dict{{"Length1", len(f.TrueType)}, {"Filter", name("FlateDecode")}}, bytes.Clone(m.w.deflate(f.TrueType)), &appender{})
	widths := make(array, 0, 224)
	for code := 32; code < 256; code++ {
		widths = append(widths, t.width(windows1252(code)))
	}
	head, hhea := t.tables["head"], t.tables["hhea"]
	box := make(array, 4)
	for i := range box {
		box[i] = t.scaled(int16At(head, 36+2*i))
	}
	const nonsymbolic = 32
	m.w.object(about, dict{
		{"Type", name("FontDescriptor")},
		{"FontName", name(f.Name)},
		{"Flags", nonsymbolic},
		{"FontBBox", box},
		{"ItalicAngle", 0},
		{"Ascent", t.scaled(int16At(hhea, 4))},
		{"Descent", t.scaled(int16At(hhea, 6))},
		{"CapHeight", t.scaled(int16At(t.tables["OS/2"], 88))},
		{"StemV", 80},
		{"FontFile2", ref{num: file}},
	}, &appender{})
	return dict{
		{"Type", name("Font")},
		{"Subtype", name("TrueType")},
		{"BaseFont", name(f.Name)},
		{"Encoding", name("WinAnsiEncoding")},
		{"FirstChar", 32},
		{"LastChar", 255},
		{"Widths", widths},
		{"FontDescriptor", ref{num: about}},
	}, nil
}

// outlines is a TrueType font that is to be embedded.
type outlines struct {
	tables map[string][]byte
	glyphs map[rune]int
}

// trueType reads the tables of a font that belongs to the program.
func trueType(b []byte) (*outlines, error) {
	t := &outlines{tables: map[string][]byte{}}
	bad := errors.New("it is no TrueType font")
	if len(b) < 12 {
		return nil, bad
	}
	for i := range int(binary.BigEndian.Uint16(b[4:])) {
		if 28+16*i > len(b) {
			return nil, bad
		}
		e := b[12+16*i:]
		at, n := uint64(binary.BigEndian.Uint32(e[8:])), uint64(binary.BigEndian.Uint32(e[12:]))
		if at+n > uint64(len(b)) {
			return nil, bad
		}
		t.tables[string(e[:4])] = b[at : at+n]
	}
	for tag, least := range map[string]int{"head": 54, "hhea": 36, "hmtx": 4, "OS/2": 90, "cmap": 4, "glyf": 1} {
		if len(t.tables[tag]) < least {
			return nil, fmt.Errorf("its table %q is missing", tag)
		}
	}
	t.readGlyphs()
	return t, nil
}

// readGlyphs reads which glyph a character has, as format 4 says it.
func (t *outlines) readGlyphs() {
	t.glyphs = map[rune]int{}
	cmap := t.tables["cmap"]
	for i := range int(uint16At(cmap, 2)) {
		at := int(uint16At(cmap, 8+8*i))<<16 | int(uint16At(cmap, 10+8*i))
		if at+14 > len(cmap) || uint16At(cmap, at) != 4 {
			continue
		}
		sub := cmap[at:]
		n := int(uint16At(sub, 6)) / 2
		for s := range n {
			last, first := int(uint16At(sub, 14+2*s)), int(uint16At(sub, 16+2*n+2*s))
			delta, offset := int(uint16At(sub, 16+4*n+2*s)), int(uint16At(sub, 16+6*n+2*s))
			for c := first; c <= last && c < 0xffff; c++ {
				g := c
				if offset != 0 {
					if g = int(uint16At(sub, 16+6*n+2*s+offset+2*(c-first))); g == 0 {
						continue
					}
				}
				t.glyphs[rune(c)] = (g + delta) & 0xffff
			}
		}
	}
}

// width is that of a character, in thousandths of the size.
func (t *outlines) width(r rune) int {
	glyph := min(t.glyphs[r], max(int(uint16At(t.tables["hhea"], 34))-1, 0))
	return t.scaled(int(uint16At(t.tables["hmtx"], 4*glyph)))
}

func (t *outlines) scaled(v int) int {
	return int(math.Round(float64(v) * 1000 / float64(max(int(uint16At(t.tables["head"], 18)), 1))))
}

func uint16At(b []byte, at int) uint16 {
	if at < 0 || at+2 > len(b) {
		return 0
	}
	return binary.BigEndian.Uint16(b[at:])
}

func int16At(b []byte, at int) int { return int(int16(uint16At(b, at))) }

// windows1252 is the character of a code.
func windows1252(code int) rune {
	if code < 0x80 || code > 0x9f {
		return rune(code)
	}
	return []rune("€•‚ƒ„…†‡ˆ‰Š‹Œ•Ž••‘’“”•–—˜™š›œ•žŸ")[code-0x80]
}
