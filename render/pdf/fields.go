package pdf

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// A field that can be filled in begins as a link over its place, whose address says what
// it is. The link becomes a widget; what the browser drew there becomes its appearance
// (lift.go), so that the page shows the same as on paper, and what is filled in later
// takes its place. Widgets of one name are places of one field.

// FieldBase is what the addresses of links over fields begin with; what is known of the
// field follows, as JSON.
const FieldBase = "https://quire.invalid/.field#"

// Face is a font for what is filled in.
type Face struct {
	Name     string // PostScript name
	TrueType []byte
}

// fieldSpec is what the address of a link says of a field.
type fieldSpec struct {
	Name     string      `json:"name"`
	Kind     string      `json:"kind"`
	Told     string      `json:"told"`
	Group    string      `json:"group"`
	Value    string      `json:"value"`
	Options  [][2]string `json:"options"`
	State    string      `json:"state"`
	On       bool        `json:"on"`
	Required bool        `json:"required"`
	ReadOnly bool        `json:"readOnly"`
	Most     int         `json:"most"`
	Comb     bool        `json:"comb"`
	Size     float64     `json:"size"` // of letters, in CSS pixels
	Family   string      `json:"family"`
	Color    string      `json:"color"`
	Align    string      `json:"align"`
	Signed   bool        `json:"signed"` // the document's signature is shown here
}

func (f *fieldSpec) isBox() bool { return f.Kind == "checkbox" || f.Kind == "radio" }

// widget is the place of a field on a page. It is written when the document ends, when
// all places of its field are known.
type widget struct {
	fieldSpec
	rect   [4]float64
	num    int // object number in the document
	page   int
	parent int    // key of the parent tree; -1 for none
	look   []byte // what the browser drew there
	normal any    // its appearances
	text   dict   // resources of its look
}

// fillable is what can be filled in in the document.
type fillable struct {
	widgets []*widget
	fonts   dict
	roots   array
	taken   map[string]bool // names of fields that are not below others
	signed  bool            // it has a place for a signature
	// signature is the number of the signature of the document; 0 without.
	signature int
}

// fields makes widgets of the part's links over fields.
func (p *part) fields() {
	t := &tagger{m: p.m, p: p, fonts: map[int]*font{}}
	contents := map[int][]byte{}
	for _, num := range p.pages {
		if num == 0 {
			continue // another stands for it
		}
		page, _ := p.objs[num].(dict)
		places := p.widgetsOf(num, page)
		if len(places) == 0 {
			continue
		}
		content, err := p.content(page.get("Contents"))
		if err == nil {
			resources, _ := p.f.dict(page.get("Resources"))
			l := &lifter{places: places}
			l.s = surveyor{t: t, c: &canvas{page: num, content: content, resources: resources}, ctm: identity()}
			contents[num] = append([]byte(nil), p.m.w.deflate(l.lift())...)
			for _, w := range places {
				w.text = dict{{"Font", resources.get("Font")}, {"ExtGState", resources.get("ExtGState")}}
			}
		}
		for _, w := range places {
			p.appearance(w)
		}
	}
	t.setContents(contents)
}

// widgetsOf takes the links over fields out of the copy.
func (p *part) widgetsOf(num int, page dict) (places []*widget) {
	list, _ := p.f.array(page.get("Annots"))
	for _, v := range list {
		r, _ := v.(ref)
		d, _ := p.f.dict(v)
		action, _ := p.f.dict(d.get("A"))
		uri, _ := action.get("URI").(text)
		written, is := strings.CutPrefix(string(uri), FieldBase)
		if !is || r.num <= 0 || r.num >= len(p.objs) {
			continue
		}
		w := &widget{rect: p.rectangle(d.get("Rect"), [4]float64{}), page: p.ref(ref{num: num}), parent: -1}
		plain, err := url.PathUnescape(written)
		if err != nil || json.Unmarshal([]byte(plain), &w.fieldSpec) != nil || w.Name == "" || w.rect[2] == 0 {
			continue
		}
		w.num = p.ref(r)
		p.skip(r)
		p.widgets[r.num] = w
		p.m.form.widgets = append(p.m.form.widgets, w)
		places = append(places, w)
	}
	return places
}

// appearance writes how a widget looks, in each of its states.
func (p *part) appearance(w *widget) {
	width, height := w.rect[2]-w.rect[0], w.rect[3]-w.rect[1]
	d := dict{{"Type", name("XObject")}, {"Subtype", name("Form")}, {"BBox", array{0, 0, width, height}}, {"Resources", w.text}, {"Filter", name("FlateDecode")}}
	draw := func(look []byte, d dict) ref {
		num := p.m.w.alloc()
		p.m.w.stream(num, d, append([]byte(nil), p.m.w.deflate(look)...), &p.app)
		return ref{num: num}
	}
	look := matrix{1, 0, 0, 1, -w.rect[0], -w.rect[1]}.appendTo([]byte("q\n"))
	look = append(append(look, w.look...), "Q\n"...)
	w.look, w.text = nil, nil
	switch {
	case w.isBox():
		w.normal = dict{{name(w.state()), draw(look, d)}, {"Off", draw(nil, d.without("Resources"))}}
	case w.Kind == "signature":
		w.normal = draw(look, d)
	default:
		w.normal = draw(append(append([]byte("/Tx BMC\n"), look...), "EMC\n"...), d)
	}
}

// state is the name of the state that a box or circle is in when it is ticked.
func (w *widget) state() name {
	if w.State == "Off" || w.State == "" {
		return "Yes"
	}
	return short(name(w.State))
}

// adopt takes over the fields of a part that this package has finished before. A name
// that another part has already gets a number behind it.
func (p *part) adopt(catalog dict) {
	form, err := p.dict(catalog.get("AcroForm"))
	if err != nil || form == nil {
		return
	}
	f := &p.m.form
	p.skip(catalog.get("AcroForm"))
	fields, _ := p.f.array(form.get("Fields"))
	for _, v := range fields {
		r, _ := v.(ref)
		if r.num <= 0 || r.num >= len(p.objs) {
			continue
		}
		d, _ := p.objs[r.num].(dict)
		own, _ := d.get("T").(text)
		p.unsign(r.num, 0)
		d, _ = p.objs[r.num].(dict)
		if called := f.free(own.String()); called != own.String() {
			p.objs[r.num] = d.with("T", textOf(called))
		}
		f.roots = append(f.roots, ref{num: p.ref(r)})
	}
	resources, _ := p.f.dict(form.get("DR"))
	fonts, _ := p.f.dict(resources.get("Font"))
	for _, e := range fonts {
		if r, ok := e.value.(ref); ok && f.fonts.get(e.key) == nil {
			f.fonts = append(f.fonts, entry{e.key, ref{num: p.ref(r)}})
		}
	}
	flags, _ := form.get("SigFlags").(int)
	f.signed = f.signed || flags&1 != 0
}

// free is a name that no field has that stands below no other.
func (f *fillable) free(wanted string) string {
	if f.taken == nil {
		f.taken = map[string]bool{}
	}
	called := wanted
	for n := 2; f.taken[called]; n++ {
		called = fmt.Sprintf("%s-%d", wanted, n)
	}
	f.taken[called] = true
	return called
}

// fieldNode is a part of a name, up to a point: of a field, or of all whose names
// go on.
type fieldNode struct {
	part    string
	num     int
	below   []*fieldNode
	widgets []*widget
}

// child is the node of the next part of a name. A field has none below it, and no two
// kinds of fields have one name.
func (n *fieldNode) child(m *merger, part string, of *widget) *fieldNode {
	called := part
	for i := 2; ; i++ {
		at := -1
		for k, c := range n.below {
			if c.part == called {
				at = k
			}
		}
		if at < 0 {
			c := &fieldNode{part: called}
			n.below = append(n.below, c)
			return c
		}
		c := n.below[at]
		if of == nil && len(c.widgets) == 0 || of != nil && len(c.widgets) > 0 && c.widgets[0].Kind == of.Kind {
			return c
		}
		called = fmt.Sprintf("%s-%d", part, i)
	}
}

// acroForm writes the fields and enters them into the catalog.
func (m *merger) acroForm(catalog dict) (dict, error) {
	f := &m.form
	root := &fieldNode{}
	for _, w := range f.widgets {
		at := root
		parts := strings.FieldsFunc(w.Name, func(r rune) bool { return r == '.' })
		for i, part := range parts {
			if i < len(parts)-1 {
				at = at.child(m, part, nil)
			}
		}
		leaf := "field"
		if len(parts) > 0 {
			leaf = parts[len(parts)-1]
		}
		at = at.child(m, leaf, w)
		at.widgets = append(at.widgets, w)
	}
	for _, n := range root.below {
		n.part = f.free(n.part)
		if err := m.writeField(n, 0); err != nil {
			return nil, err
		}
		f.roots = append(f.roots, ref{num: n.num})
	}
	if len(f.roots) == 0 {
		return catalog, nil
	}
	d := dict{{"Fields", f.roots}, {"DR", dict{{"Font", f.fonts}}}}
	if len(f.fonts) > 0 {
		d = d.with("DA", text("/"+string(f.fonts[0].key)+" 0 Tf 0 g"))
	}
	if f.signed {
		d = d.with("SigFlags", 1)
	}
	if f.signature != 0 {
		d = d.with("SigFlags", 3) // changes are appended
		if m.o.Sign.Changes != AnyChange {
			catalog = catalog.with("Perms", dict{{"DocMDP", ref{num: f.signature}}})
		}
	}
	num := m.w.alloc()
	m.w.object(num, d, &appender{})
	return catalog.with("AcroForm", ref{num: num}), nil
}

// writeField writes a node and what is below it.
func (m *merger) writeField(n *fieldNode, above int) error {
	d := dict{{"T", textOf(n.part)}}
	if above != 0 {
		d = append(d, entry{"Parent", ref{num: above}})
	}
	alone := len(n.widgets) == 1 && n.widgets[0].Kind != "radio"
	if alone {
		n.num = n.widgets[0].num
	} else {
		n.num = m.w.alloc()
	}
	if len(n.widgets) == 0 {
		var kids array
		for _, c := range n.below {
			if err := m.writeField(c, n.num); err != nil {
				return err
			}
			kids = append(kids, ref{num: c.num})
		}
		m.w.object(n.num, d.with("Kids", kids), &appender{})
		return nil
	}
	field, err := m.fieldDict(n.widgets)
	if err != nil {
		return err
	}
	d = append(d, field...)
	if alone {
		m.w.object(n.num, append(d, n.widgets[0].dict(d.get("V"))...), &appender{})
		return nil
	}
	var kids array
	for _, w := range n.widgets {
		kids = append(kids, ref{num: w.num})
		own := w.dict(d.get("V"))
		m.w.object(w.num, append(own, entry{"Parent", ref{num: n.num}}, entry{"TU", textOf(w.Told)}), &appender{})
	}
	m.w.object(n.num, d.with("Kids", kids), &appender{})
	return nil
}

// Flags of fields.
const (
	flagReadOnly  = 1 << 0
	flagRequired  = 1 << 1
	flagMultiline = 1 << 12
	flagNoneOff   = 1 << 14
	flagRadio     = 1 << 15
	flagCombo     = 1 << 17
	flagComb      = 1 << 24
)

// fieldDict is what a field is, with its value.
func (m *merger) fieldDict(places []*widget) (dict, error) {
	w := places[0]
	flags := 0
	if w.ReadOnly {
		flags |= flagReadOnly
	}
	if w.Required {
		flags |= flagRequired
	}
	d := dict{{"TU", textOf(cmp.Or(w.Group, w.Told))}}
	switch w.Kind {
	case "checkbox", "radio":
		if w.Kind == "radio" {
			flags |= flagRadio | flagNoneOff
		}
		value := name("Off")
		for _, w := range places {
			if w.On {
				value = w.state()
			}
		}
		d = append(d, entry{"FT", name("Btn")}, entry{"V", value})
	case "signature":
		m.form.signed = true
		d = append(d, entry{"FT", name("Sig")})
		if w.Signed && m.o.Sign != nil && m.form.signature == 0 {
			m.form.signature = m.w.alloc()
			d = append(d, entry{"V", ref{num: m.form.signature}})
		}
	default:
		typed, err := m.typed(w)
		if err != nil {
			return nil, err
		}
		d = append(d, typed...)
		if w.Value != "" {
			d = append(d, entry{"V", textOf(w.Value)}, entry{"DV", textOf(w.Value)})
		}
		switch {
		case w.Kind == "choice":
			flags |= flagCombo
			options := make(array, len(w.Options))
			for i, o := range w.Options {
				options[i] = array{textOf(o[0]), textOf(o[1])}
			}
			d = append(d, entry{"FT", name("Ch")}, entry{"Opt", options})
		default:
			d = append(d, entry{"FT", name("Tx")})
			if w.Kind == "multiline" {
				flags |= flagMultiline
			}
			if w.Most > 0 {
				d = append(d, entry{"MaxLen", w.Most})
			}
			if w.Comb && w.Most > 0 && w.Kind != "multiline" {
				flags |= flagComb
			}
		}
	}
	if flags != 0 {
		d = append(d, entry{"Ff", flags})
	}
	return d, nil
}

// dict is what a widget is on its page, while its field has a value.
func (w *widget) dict(value any) dict {
	d := dict{
		{"Type", name("Annot")},
		{"Subtype", name("Widget")},
		{"Rect", boxArray(w.rect)},
		{"F", 4}, // is printed
		{"BS", dict{{"W", 0}}},
	}
	if w.page != 0 {
		d = append(d, entry{"P", ref{num: w.page}})
	}
	if w.normal != nil {
		d = append(d, entry{"AP", dict{{"N", w.normal}}})
	}
	if w.isBox() {
		state := name("Off")
		if value == w.state() {
			state = w.state()
		}
		d = append(d, entry{"AS", state})
	}
	if w.parent >= 0 {
		d = append(d, entry{"StructParent", w.parent})
	}
	return d
}
