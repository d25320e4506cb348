package font

import (
	"bytes"
	"errors"
	"io"

	"github.com/andybalholm/brotli"
)

// woff2Tags are the tables that WOFF2 has numbers for.
var woff2Tags = [...]string{
	"cmap", "head", "hhea", "hmtx", "maxp", "name", "OS/2", "post", "cvt ", "fpgm", "glyf", "loca", "prep", "CFF ", "VORG", "EBDT",
	"EBLC", "gasp", "hdmx", "kern", "LTSH", "PCLT", "VDMX", "vhea", "vmtx", "BASE", "GDEF", "GPOS", "GSUB", "EBSC", "JSTF", "MATH",
	"CBDT", "CBLC", "COLR", "CPAL", "SVG ", "sbix", "acnt", "avar", "bdat", "bloc", "bsln", "cvar", "fdsc", "feat", "fmtx", "fvar",
	"gvar", "hsty", "just", "lcar", "mort", "morx", "opbd", "prop", "trak", "Zapf", "Silf", "Glat", "Gloc", "Feat", "Sill",
}

var errWOFF2 = errors.New("its WOFF2 data are damaged")

// unpackWOFF2 gives the tables of a font in WOFF2. Those of outlines stay in the form
// that they are packed in.
func unpackWOFF2(b []byte) (map[string][]byte, error) {
	entries, data, err := openWOFF2(b)
	if err != nil {
		return nil, err
	}
	tables := map[string][]byte{}
	for _, e := range entries {
		tables[e.tag], data = data[:e.length], data[e.length:]
	}
	return tables, nil
}

// openWOFF2 gives the list of tables of a font in WOFF2, and all of them unpacked.
func openWOFF2(b []byte) ([]woff2Entry, []byte, error) {
	if len(b) < 48 || int(u32(b, 8)) != len(b) {
		return nil, nil, errWOFF2
	}
	if u32(b, 4) == tagTTC {
		return nil, nil, errors.New("it is a collection of fonts; bring each as a file of its own")
	}
	n, packed := int(u16(b, 12)), int(u32(b, 20))
	if n == 0 || n > mostTables {
		return nil, nil, errWOFF2
	}
	r := &woff2Directory{b: b, at: 48}
	entries := make([]woff2Entry, n)
	total := 0
	for i := range entries {
		entries[i] = r.entry()
		if total += entries[i].length; r.bad || total > MostBytes {
			return nil, nil, errWOFF2
		}
	}
	if packed > len(b)-r.at {
		return nil, nil, errWOFF2
	}
	data, err := io.ReadAll(io.LimitReader(brotli.NewReader(bytes.NewReader(b[r.at:r.at+packed])), int64(total)+1))
	if err != nil || len(data) != total {
		return nil, nil, errWOFF2
	}
	return entries, data, nil
}

type woff2Entry struct {
	tag         string
	length      int
	transformed bool // it has a form of WOFF2
}

// woff2Directory reads the list of tables.
type woff2Directory struct {
	b   []byte
	at  int
	bad bool
}

func (r *woff2Directory) byte() byte {
	if r.at >= len(r.b) {
		r.bad = true
		return 0
	}
	r.at++
	return r.b[r.at-1]
}

func (r *woff2Directory) entry() woff2Entry {
	flags := r.byte()
	var e woff2Entry
	if known := int(flags & 63); known < len(woff2Tags) {
		e.tag = woff2Tags[known]
	} else {
		e.tag = string([]byte{r.byte(), r.byte(), r.byte(), r.byte()})
	}
	e.length = r.number()
	plain := flags>>6 == 0
	if e.tag == "glyf" || e.tag == "loca" {
		plain = flags>>6 == 3
	}
	if !plain {
		e.length, e.transformed = r.number(), true
	}
	return e
}

// number reads one of 1 to 5 bytes, with 7 bits in each.
func (r *woff2Directory) number() int {
	n := 0
	for range 5 {
		c := r.byte()
		n = n<<7 | int(c&127)
		if c&128 == 0 {
			r.bad = r.bad || n > MostBytes
			return n
		}
	}
	r.bad = true
	return 0
}
