package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"slices"
	"strings"
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

// undrawn names the filled fields of forms on the pages that have no picture of
// their value, or nothing. A reader makes those pictures when it opens the
// document on a screen (ISO 32000-2, 12.7.3, NeedAppearances); what is attached
// is only what a document itself shows.
func (p *part) undrawn(pages []attachedPage) string {
	var names []string
	for _, page := range pages {
		annotations, _ := p.f.array(page.dict.get("Annots"))
		for _, v := range annotations {
			field, _ := p.f.dict(v)
			if field.name("Subtype") != "Widget" || field.get("AP") != nil {
				continue
			}
			if title, filled := p.fieldValue(field); filled && !slices.Contains(names, title) {
				names = append(names, title)
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	const most = 5
	more := ""
	if len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
	}
	return fmt.Sprintf("the file holds no picture of what is filled in at %s%s, so it is not printed; save the form flattened (printed to a PDF)", strings.Join(names[:min(len(names), most)], ", "), more)
}

// fieldValue tells the name of a form's field, and whether it is filled in. Both
// may stand at the fields above it.
func (p *part) fieldValue(field dict) (title string, filled bool) {
	const deepest = 16
	for range deepest {
		if t, ok := field.get("T").(text); ok {
			title = strings.Trim(t.String()+"."+title, ".")
		}
		switch v, _ := p.f.resolve(field.get("V")); v := v.(type) {
		case text:
			filled = filled || len(v) > 0
		case name:
			filled = filled || v != "Off"
		}
		if field, _ = p.f.dict(field.get("Parent")); field == nil {
			break
		}
	}
	return fmt.Sprintf("%q", title), filled
}

// Damage says what is wrong with a document that can be attached all the same;
// empty when nothing is.
func (d *Document) Damage() string { return d.damage }
