package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
)

// maxShown bounds what is unpacked of a document to look for damage.
const maxShown = 512 << 20

// damage unpacks what the pages show and says what is wrong with it, or nothing.
// Readers show what they can of a damaged stream, so it is no reason to refuse a
// document. Nothing is kept of what is unpacked.
func (p *part) damage(pages []attachedPage) string {
	keep := make([]bool, len(p.objs))
	for _, page := range pages {
		for _, e := range p.plainPage(page.dict) {
			if e.key == "Contents" || e.key == "Resources" || e.key == "Annots" {
				p.reach(e.value, keep)
			}
		}
	}
	left := int64(maxShown)
	var z io.ReadCloser
	for num, v := range p.objs {
		s, ok := v.(stream)
		if !keep[num] || !ok || s.dict.get("Filter") != any(name("FlateDecode")) {
			continue
		}
		var err error
		if z == nil {
			z, err = zlib.NewReader(bytes.NewReader(s.raw))
		} else {
			err = z.(zlib.Resetter).Reset(bytes.NewReader(s.raw), nil)
		}
		var n int64
		if err == nil {
			n, err = io.Copy(io.Discard, io.LimitReader(z, left+1))
		}
		if err != nil {
			return fmt.Sprintf("the data of object %d is damaged (%v), so a page may not look as it should", num, err)
		}
		if left -= n; left < 0 {
			return fmt.Sprintf("its pages unpack to more than %d MB", maxShown>>20)
		}
	}
	return ""
}

// Damage says what is wrong with a document that can be attached all the same;
// empty when nothing is.
func (d *Document) Damage() string { return d.damage }
