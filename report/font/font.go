// Package font reads font files: TrueType, OpenType, collections of them, and
// WOFF2. It tells their names and which characters they have; it draws nothing.
package font

import (
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Font is what one font says of itself.
type Font struct {
	Family string   // the name by which a style sheet asks for it
	Names  []string // all names of the family, in several languages
	Weight int      // 100 to 900
	Italic bool
	// Variable says that it has all weights.
	Variable bool
	Chars    Set
}

// Format is what style sheets call the kind of a font file, with the type that it
// is sent as; both are empty for files that are no fonts by their names.
func Format(name string) (format, contentType string) {
	switch strings.ToLower(path.Ext(name)) {
	case ".ttf":
		return "truetype", "font/ttf"
	case ".otf":
		return "opentype", "font/otf"
	case ".woff2":
		return "woff2", "font/woff2"
	case ".woff":
		return "woff", "font/woff"
	case ".ttc", ".otc":
		return "collection", "font/collection"
	}
	return "", ""
}

// MostBytes is how large the file of a font may be, unpacked too.
const MostBytes = 64 << 20

// Parse reads a font file that somebody brings along. The error says what is
// wrong with it.
func Parse(b []byte) (*Font, error) {
	if len(b) > MostBytes {
		return nil, fmt.Errorf("it is larger than %d MB", MostBytes>>20)
	}
	tables, err := parseTables(b)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"head", "hhea", "hmtx", "maxp", "cmap", "name"} {
		if len(tables[name]) == 0 {
			return nil, fmt.Errorf("its table %q is missing", name)
		}
	}
	if len(tables["glyf"]) == 0 && len(tables["CFF "]) == 0 && len(tables["CFF2"]) == 0 {
		return nil, errors.New("it has no outlines")
	}
	if head := tables["head"]; len(head) < 54 || u32(head, 12) != 0x5f0f3cf5 {
		return nil, errors.New(`its table "head" is damaged`)
	}
	f, err := read(tables)
	if err == nil && f.Chars.Len() == 0 {
		err = errors.New("it has no characters")
	}
	if err == nil && f.Family == "" {
		err = errors.New("it does not say the name of its family")
	}
	return f, err
}

func parseTables(b []byte) (map[string][]byte, error) {
	if len(b) < 12 {
		return nil, errNoFont
	}
	switch u32(b, 0) {
	case tagWOFF2:
		return unpackWOFF2(b)
	case 0x774f4646:
		return nil, errors.New("it is a WOFF font of the first version; bring it as WOFF2, TTF or OTF")
	case tagTTC:
		return nil, errors.New("it is a collection of fonts; bring each as a file of its own")
	}
	dir, err := directory(bytesAt(b), int64(len(b)), 0)
	if err != nil {
		return nil, err
	}
	tables := map[string][]byte{}
	for tag, t := range dir {
		tables[tag] = b[t.offset : t.offset+t.length]
	}
	return tables, nil
}

var errNoFont = errors.New("it is no TrueType, OpenType or WOFF2 font")

// read takes what a Font has from its tables.
func read(tables map[string][]byte) (*Font, error) {
	f := &Font{Weight: 400, Variable: len(tables["fvar"]) > 0}
	f.Family, f.Names = families(tables["name"])
	if os2 := tables["OS/2"]; len(os2) >= 64 {
		if w := int(u16(os2, 4)); w >= 1 && w <= 1000 {
			f.Weight = w
		}
		f.Italic = u16(os2, 62)&1 != 0
	}
	var err error
	f.Chars, err = characters(tables["cmap"])
	return f, err
}

// place is where a table is in its file.
type place struct{ offset, length int64 }

const (
	tagTTC     = 0x74746366
	mostTables = 256
)

// directory reads where the tables of the font at an offset are.
func directory(r io.ReaderAt, size, at int64) (map[string]place, error) {
	var head [12]byte
	if _, err := r.ReadAt(head[:], at); err != nil {
		return nil, errNoFont
	}
	switch u32(head[:], 0) {
	case 0x00010000, 0x4f54544f, 0x74727565:
	default:
		return nil, errNoFont
	}
	n := int64(u16(head[:], 4))
	if n == 0 || n > mostTables {
		return nil, errNoFont
	}
	entries := make([]byte, 16*n)
	if _, err := r.ReadAt(entries, at+12); err != nil {
		return nil, errors.New("its table of contents is cut off")
	}
	tables := map[string]place{}
	for e := entries; len(e) > 0; e = e[16:] {
		t := place{int64(u32(e, 8)), int64(u32(e, 12))}
		if t.offset+t.length > size {
			return nil, fmt.Errorf("its table %q is cut off", e[:4])
		}
		tables[string(e[:4])] = t
	}
	return tables, nil
}

// bytesAt reads from memory.
type bytesAt []byte

func (b bytesAt) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 || at > int64(len(b)) {
		return 0, io.EOF
	}
	n := copy(p, b[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func u16(b []byte, at int) uint16 {
	if at < 0 || at+2 > len(b) {
		return 0
	}
	return uint16(b[at])<<8 | uint16(b[at+1])
}

func u32(b []byte, at int) uint32 { return uint32(u16(b, at))<<16 | uint32(u16(b, at+2)) }
