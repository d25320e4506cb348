package pdf

import (
	"encoding/hex"
	"fmt"
	"io"
)

// A signature is made of all of a finished file but the signature itself (PAdES, EN 319
// 142-1). So it is written with room for it, and is put there when all else is done.

// Signature is what a document says of the signature that it gets.
type Signature struct {
	Signer   string // for people
	Reason   string
	Location string
	Contact  string
	Changes  Changes
	Room     int // bytes that the signature takes at most
}

// Changes are those of a signed document that leave its signature valid.
type Changes int

// The changes, as the format counts them. AnyChange says nothing of it.
const (
	AnyChange Changes = iota
	NoChange
	Filling // of form fields, and further signatures
)

// Unsigned is a finished document with room for its signature.
type Unsigned struct {
	size           int64
	ranges         int64 // where it is said what is signed
	begin, end     int64 // of the signature, with its angle brackets
	room           int
	signatureField bool
}

// rangesWidth is the room for the four numbers that say what is signed.
const rangesWidth = 48

// Seen tells whether the signature has a place on a page.
func (u *Unsigned) Seen() bool { return u.signatureField }

// Sign puts the signature into the file; sign makes it of what it is for.
func (u *Unsigned) Sign(file interface {
	io.ReaderAt
	io.WriterAt
}, sign func(signed io.Reader) ([]byte, error),
) error {
	ranges := fmt.Appendf(nil, "[0 %d %d %d]", u.begin, u.end, u.size-u.end)
	for len(ranges) < rangesWidth {
		ranges = append(ranges, ' ')
	}
	if _, err := file.WriteAt(ranges, u.ranges); err != nil {
		return err
	}
	made, err := sign(io.MultiReader(io.NewSectionReader(file, 0, u.begin), io.NewSectionReader(file, u.end, u.size-u.end)))
	if err != nil {
		return err
	}
	if len(made) > u.room {
		return fmt.Errorf("the signature has %d bytes, and there is room for %d", len(made), u.room)
	}
	_, err = file.WriteAt(hex.AppendEncode(nil, made), u.begin+1)
	return err
}

// writeSignature writes the signature with nothing in it. Unlike all other strings of a
// protected document it is not encrypted.
func (m *merger) writeSignature() {
	s := m.o.Sign
	d := dict{{"Type", name("Sig")}, {"Filter", name("Adobe.PPKLite")}, {"SubFilter", name("ETSI.CAdES.detached")}}
	for _, e := range []struct {
		key   name
		value string
	}{{"Name", s.Signer}, {"Reason", s.Reason}, {"Location", s.Location}, {"ContactInfo", s.Contact}} {
		if e.value != "" {
			d = append(d, entry{e.key, textOf(e.value)})
		}
	}
	if !m.o.Created.IsZero() {
		d = append(d, entry{"M", textOf(pdfTime(m.o.Created))})
	}
	if s.Changes != AnyChange {
		allowed := dict{{"Type", name("TransformParams")}, {"P", int(s.Changes)}, {"V", name("1.2")}}
		d = append(d, entry{"Reference", array{dict{{"Type", name("SigRef")}, {"TransformMethod", name("DocMDP")}, {"TransformParams", allowed}}}})
	}
	a := &appender{}
	if m.w.seal != nil {
		a.seal = m.w.seal.encrypt
	}
	u := &m.unsigned
	u.room = s.Room
	m.w.xref[m.form.signature] = location{kind: direct, offset: int(m.w.offset)}
	b := a.dict(fmt.Appendf(nil, "%d 0 obj\n", m.form.signature), d)
	b = append(b[:len(b)-len(">>")], "/ByteRange"...)
	u.ranges = m.w.offset + int64(len(b))
	b = fmt.Appendf(b, "%-*s/Contents", rangesWidth, "[0 0 0 0]")
	u.begin = m.w.offset + int64(len(b))
	b = fmt.Appendf(b, "<%0*d>", 2*s.Room, 0)
	u.end = m.w.offset + int64(len(b))
	m.w.write(append(b, ">>\nendobj\n"...))
}

// signUnseen gives the last part a field for the signature when no page has one: one
// without size, on its last page.
func (p *part) signUnseen() {
	f := &p.m.form
	if p.m.o.Sign == nil || len(p.m.nodes) < p.m.parts {
		return
	}
	for _, w := range f.widgets {
		if w.Signed && w.Kind == "signature" {
			p.m.unsigned.signatureField = true
			return
		}
	}
	w := &widget{fieldSpec: fieldSpec{Name: "quire-signature", Kind: "signature", Told: p.m.o.Sign.Signer, Signed: true}, parent: -1}
	f.widgets = append(f.widgets, w)
	for i := len(p.pages) - 1; i >= 0; i-- {
		num := p.pages[i]
		page, _ := p.objs[num].(dict)
		if num == 0 || page == nil {
			continue // another stands for it
		}
		r := ref{num: len(p.objs)}
		p.objs, p.nums = append(p.objs, w), append(p.nums, 0)
		w.num, w.page = p.ref(r), p.ref(ref{num: num})
		p.skip(r) // it is written with its field
		p.widgets[r.num] = w
		list, _ := p.f.array(page.get("Annots"))
		p.objs[num] = page.with("Annots", append(append(array{}, list...), r))
		return
	}
	w.num = p.m.w.alloc()
}

// unsign takes the signature of a field out of the copy: it was of the whole file that
// it stood in, and not of what becomes of it.
func (p *part) unsign(num, depth int) {
	d, _ := p.objs[num].(dict)
	if d == nil || depth > maxDepth {
		return
	}
	if d.name("FT") == "Sig" && d.get("V") != nil {
		p.skip(d.get("V"))
		p.objs[num] = d.without("V")
	}
	kids, _ := p.f.array(d.get("Kids"))
	for _, v := range kids {
		if r, ok := v.(ref); ok && r.num > 0 && r.num < len(p.objs) {
			p.unsign(r.num, depth+1)
		}
	}
}
