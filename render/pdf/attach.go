package pdf

import (
	"errors"
	"fmt"
	"slices"
)

// Document is a PDF file whose pages can take the places of printed ones.
type Document struct {
	b      []byte
	sizes  []Size
	damage string
}

// Size is the size of a page in CSS pixels, 96 to the inch, as it is shown.
type Size struct{ Width, Height float64 }

// Pages are the sizes of the document's pages.
func (d *Document) Pages() []Size { return d.sizes }

// Attached puts a page of a document in the place of a printed page.
type Attached struct {
	At       int // number of the printed page, from 1
	Document *Document
	Page     int // number of the document's page, from 1
}

// OpenDocument reads a PDF file. Its errors are for people.
func OpenDocument(b []byte) (*Document, error) {
	p, pages, err := openAttached(b)
	if err != nil {
		return nil, err
	}
	d := &Document{b: b, damage: p.damage(pages), sizes: make([]Size, len(pages))}
	if d.damage == "" {
		d.damage = p.undrawn(pages)
	}
	for i, page := range pages {
		d.sizes[i] = p.size(page.dict)
	}
	return d, nil
}

// attachedPage is a page of a document, with what it inherits.
type attachedPage struct {
	num  int
	dict dict
}

func openAttached(b []byte) (*part, []attachedPage, error) {
	f, err := open(b)
	if err != nil {
		return nil, nil, err
	}
	if err := f.unlockAttached(); err != nil {
		return nil, nil, err
	}
	p := &part{f: f, nums: make([]int, len(f.xref))}
	if err := p.load(); err != nil {
		return nil, nil, err
	}
	catalog, err := f.dict(f.trailer.get("Root"))
	if err != nil {
		return nil, nil, err
	}
	var pages []attachedPage
	err = p.walkPages(catalog.get("Pages"), nil, 0, func(num int, page dict) { pages = append(pages, attachedPage{num, page}) })
	switch {
	case err != nil:
	case len(pages) == 0:
		err = errors.New("it has no pages")
	case len(pages) > maxAttached:
		err = fmt.Errorf("it has %d pages; at most %d can be attached", len(pages), maxAttached)
	}
	return p, pages, err
}

// unlockAttached opens a file that needs no password, where those who restricted
// it let others copy from it.
func (f *file) unlockAttached() error {
	enc, err := f.dict(f.trailer.get("Encrypt"))
	if err != nil || enc == nil {
		return err
	}
	if r, _ := enc.get("R").(int); r != 6 {
		return errors.New("it is protected in an old way; only open PDF files, and those of AES-256 (revision 6) without a password to open them, can be attached")
	}
	if err := f.unlock(""); errors.Is(err, ErrPassword) {
		return errors.New("it is protected; only PDF files that open without a password can be attached")
	} else if err != nil {
		return err
	}
	if bits, _ := enc.get("P").(int); bits&permitCopy == 0 {
		return errors.New("its permissions do not allow copying from it, so it cannot be attached")
	}
	return nil
}

// maxAttached is how many pages a document may have of which some are attached.
const maxAttached = 10_000

// defaultBox is what a page without a size of its own has, in points: A4.
var defaultBox = [4]float64{0, 0, 595, 842}

// size is how large a page is shown: its crop box, turned.
func (p *part) size(page dict) Size {
	box := p.rectangle(page.get("MediaBox"), defaultBox)
	box = p.rectangle(page.get("CropBox"), box)
	const px = 96.0 / 72
	s := Size{(box[2] - box[0]) * px, (box[3] - box[1]) * px}
	if unit := number(page.get("UserUnit")); unit > 0 && unit < 1000 {
		s.Width, s.Height = s.Width*unit, s.Height*unit
	}
	if turn, _ := page.get("Rotate").(int); turn%180 != 0 {
		s.Width, s.Height = s.Height, s.Width
	}
	return s
}

// rectangle is a box with its corners in order, or the other one when it is none.
func (p *part) rectangle(v any, or [4]float64) [4]float64 {
	a, _ := p.f.array(v)
	if len(a) != 4 {
		return or
	}
	var box [4]float64
	for i := range box {
		v, _ := p.f.resolve(a[i])
		box[i] = number(v)
	}
	box = [4]float64{min(box[0], box[2]), min(box[1], box[3]), max(box[0], box[2]), max(box[1], box[3])}
	if w, h := box[2]-box[0], box[3]-box[1]; w < 1 || h < 1 || w > 15000 || h > 15000 {
		return or
	}
	return box
}

// replacement is what stands in the place of a printed page.
type replacement struct {
	node int // of the page tree, that holds the page alone
	page pageInfo
}

// attach copies the pages that take the places of printed ones into the
// document. A page that is attached twice is copied twice, because a page has
// one parent; its streams are shared.
func (m *merger) attach(list []Attached) error {
	m.replaced = map[int]replacement{}
	for len(list) > 0 {
		var batch, rest []Attached
		for _, a := range list {
			same := len(batch) == 0 || a.Document == batch[0].Document && !slices.ContainsFunc(batch, func(b Attached) bool { return b.Page == a.Page })
			if same {
				batch = append(batch, a)
			} else {
				rest = append(rest, a)
			}
		}
		if err := m.attachBatch(batch); err != nil {
			return fmt.Errorf("attaching pages: %w", err)
		}
		list = rest
	}
	return nil
}

func (m *merger) attachBatch(batch []Attached) error {
	p, pages, err := openAttached(batch[0].Document.b)
	if err != nil {
		return err
	}
	p.m, p.app.ref = m, p.ref
	keep := make([]bool, len(p.objs))
	for _, a := range batch {
		if a.Page < 1 || a.Page > len(pages) {
			return fmt.Errorf("there is no page %d of %d", a.Page, len(pages))
		}
		page := pages[a.Page-1]
		node := m.w.alloc()
		own := p.plainPage(page.dict).with("Parent", placed{node})
		p.objs[page.num] = own
		p.reach(ref{num: page.num}, keep)
		top, height := p.box(own)
		m.replaced[a.At] = replacement{node, pageInfo{num: p.ref(ref{num: page.num}), top: top, height: height}}
	}
	for num := range p.objs {
		if !keep[num] {
			p.objs[num] = nil
		}
	}
	p.share()
	p.emitPlain()
	return m.w.err
}

// pageEntries are what an attached page keeps: what it looks like.
func pageEntries() []name {
	return []name{"Type", "Resources", "MediaBox", "CropBox", "BleedBox", "TrimBox", "ArtBox", "Rotate", "Contents", "UserUnit", "Group"}
}

func (p *part) plainPage(page dict) dict {
	var own dict
	for _, e := range page {
		if containsName(pageEntries(), e.key) {
			own = append(own, e)
		}
	}
	annotations, _ := p.f.array(page.get("Annots"))
	var kept array
	for _, v := range annotations {
		d, err := p.f.dict(v)
		if plain := p.plainAnnotation(d); err == nil && plain != nil {
			kept = append(kept, plain)
		}
	}
	if len(kept) > 0 {
		own = own.with("Annots", kept)
	}
	return own
}

// plainAnnotation is an annotation that shows something or leads to a web
// address, without what would run or what leads elsewhere in its document; nil
// for any other.
func (p *part) plainAnnotation(d dict) dict {
	if len(d) == 0 {
		return nil
	}
	action, _ := p.f.dict(d.get("A"))
	leads := action.name("S") == "URI"
	if d.name("Subtype") == "Popup" || d.get("AP") == nil && !leads {
		return nil
	}
	d = d.without("A", "AA", "Dest", "P", "Parent", "Popup", "IRT", "StructParent", "PA")
	if leads {
		d = d.with("A", dict{{"S", name("URI")}, {"URI", action.get("URI")}})
	}
	return d
}

// reach marks an object and all it refers to.
func (p *part) reach(v any, keep []bool) {
	queue := []any{v}
	for len(queue) > 0 {
		v := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		switch v := v.(type) {
		case ref:
			if v.num > 0 && v.num < len(keep) && !keep[v.num] && p.objs[v.num] != nil {
				keep[v.num] = true
				queue = append(queue, p.objs[v.num])
			}
		case array:
			queue = append(queue, v...)
		case dict:
			for _, e := range v {
				queue = append(queue, e.value)
			}
		case stream:
			queue = append(queue, v.dict)
		}
	}
}

// emitPlain writes the objects as they are.
func (p *part) emitPlain() {
	for num, v := range p.objs {
		if v == nil {
			continue
		}
		to := p.ref(ref{num: num})
		if s, ok := v.(stream); ok {
			p.m.w.stream(to, s.dict, s.raw, &p.app)
			continue
		}
		p.m.w.object(to, v, &p.app)
	}
}
