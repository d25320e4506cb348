package pdf

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"strconv"
)

// A document for a printing house is PDF/X-4 (ISO 15930-7): it says for which inks on
// which paper it was made, where its pages are cut, and has nothing that is not printed.
// It is PDF/A-2b as well, which programs that judge files know better.

// Press makes the document PDF/X-4, which excludes Protect, Accessible and links.
type Press struct {
	Condition Condition
	// Inks are the colours that are printed as they say. Others stay colours of
	// sRGB, which the printing house turns into its own; greys, and so black text, are
	// printed with black alone.
	Inks []Ink
}

// Ink is how a colour of the pages is printed.
type Ink struct {
	Place string  // where it is stated, for whoever is told of it
	Color [3]byte // red, green, blue
	// CMYK is what it is mixed of, in shares from 0 to 1; of one with a name, what
	// stands for it where there is no such ink.
	CMYK [4]float64
	Spot string // name of an ink of its own, such as PANTONE 186 C; empty for a mixed one
}

// Condition is a kind of printing: a press, its inks and a paper.
type Condition struct {
	Name string // in the registry of characterisations of the ICC
	Info string // in words
	file string
}

// Conditions are the kinds of printing that the program has profiles of.
func Conditions() []Condition {
	return []Condition{
		{"FOGRA39", "Coated paper by ISO 12647-2, as is usual in Europe", "fogra39.icc"},
		{"CGATS TR 006", "GRACoL coated paper, as is usual in America", "tr006.icc"},
	}
}

//go:embed profiles/*.icc
var profiles embed.FS

func (c Condition) profile() ([]byte, error) { return fs.ReadFile(profiles, "profiles/"+c.file) }

// pressCatalog enters the intended kind of printing into the catalog.
func (m *merger) pressCatalog(d dict) (dict, error) {
	c := m.o.Press.Condition
	b, err := c.profile()
	if err != nil {
		return nil, fmt.Errorf("there is no profile of the printing condition %q: %w", c.Name, err)
	}
	profile := m.w.alloc()
	m.w.stream(profile, dict{{"N", 4}, {"Filter", name("FlateDecode")}}, bytes.Clone(m.w.deflate(b)), &appender{})
	intent := func(kind name) dict {
		return dict{
			{"Type", name("OutputIntent")},
			{"S", kind},
			{"OutputConditionIdentifier", text(c.Name)},
			{"OutputCondition", text(c.Info)},
			{"RegistryName", text("http://www.color.org")},
			{"Info", text(c.Info)},
			{"DestOutputProfile", ref{num: profile}},
		}
	}
	return d.with("OutputIntents", array{intent("GTS_PDFX"), intent("GTS_PDFA1")}), nil
}

// isPress says whether the document says that it is PDF/X.
func (m *merger) isPress() bool {
	return m.o.Press != nil && len(m.o.Attached) == 0 && len(m.missing) == 0 && !m.unread
}

// unused are the inks that nothing is printed with.
func (m *merger) unused() (list []Ink) {
	if m.o.Press == nil {
		return nil
	}
	for i, ink := range m.o.Press.Inks {
		if !m.used[i] {
			list = append(list, ink)
		}
	}
	return list
}

// pressClaims are what PDF/X asks for in the description, with what PDF/A wants to be
// told of it.
const pressClaims = `<rdf:Description rdf:about="" xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"><pdfxid:GTS_PDFXVersion>` + pdfX4 + `</pdfxid:GTS_PDFXVersion></rdf:Description>`

const pdfX4 = "PDF/X-4"

// pressDescription is what PDF/X asks for beside what says that it is.
func (m *merger) pressDescription() string {
	return `<pdf:Trapped>False</pdf:Trapped><xmpMM:DocumentID>uuid:` + m.documentID() + `</xmpMM:DocumentID><xmpMM:VersionID>1</xmpMM:VersionID><xmpMM:RenditionClass>default</xmpMM:RenditionClass>`
}

// documentID is the same for the same bytes.
func (m *merger) documentID() string {
	s := m.w.sum.Sum(nil)
	return fmt.Sprintf("%x-%x-%x-%x-%x", s[:4], s[4:6], s[6:8], s[8:10], s[10:16])
}

// The names that content is given for its colours.
const (
	defaultRGB = name("DefaultRGB")
	inkName    = "QuInk"
	allInks    = "QuAll" // prints on the plate of each ink
)

// press makes the pages of the part fit for the press: their colours, their edges and
// what is not printed.
func (p *part) press() {
	o := &p.m.o
	if o.Press == nil && o.Bleed == 0 && !o.CropMarks {
		return
	}
	t := &tagger{m: p.m, p: p}
	pages := map[int][]byte{}
	for _, num := range p.pages {
		if num == 0 {
			continue // another stands for it
		}
		page, _ := p.objs[num].(dict)
		content, err := p.content(page.get("Contents"))
		if err != nil {
			p.m.unread = true
			continue
		}
		if o.Press != nil {
			content = p.m.inked(content)
			p.dropAnnotations(page)
			page = page.without("Annots")
			p.objs[num] = page.with("Resources", p.colored(page.get("Resources")))
		}
		if o.CropMarks {
			content = p.m.marked(content, p.trimOf(page))
		}
		pages[num] = bytes.Clone(p.m.w.deflate(content))
	}
	t.setContents(pages)
	if o.Press != nil {
		p.colorObjects()
	}
}

// dropAnnotations leaves what a page has beside its content out of the copy.
func (p *part) dropAnnotations(page dict) {
	list, _ := p.f.array(page.get("Annots"))
	for _, a := range list {
		p.skip(a)
	}
	p.skip(page.get("Annots"))
}

// colorObjects gives all that is drawn beside the pages' own content its colours.
func (p *part) colorObjects() {
	masks := p.luminous()
	for num, v := range p.objs {
		switch v := v.(type) {
		case stream:
			d := v.dict
			if d.name("Subtype") == "Form" || d.get("PatternType") == 1 {
				if content, err := v.decode(); err != nil {
					p.m.unread = true
				} else if !masks[num] {
					v.raw = bytes.Clone(p.m.w.deflate(p.m.inked(content)))
					d = d.without("Filter", "DecodeParms").with("Filter", name("FlateDecode"))
				}
				if d.get("Resources") != nil {
					d = d.with("Resources", p.colored(d.get("Resources")))
				}
				if group, _ := p.f.dict(d.get("Group")); group != nil && !masks[num] {
					// It is mixed in the colours of the press, as all around it: black stays black alone.
					d = d.with("Group", group.without("CS"))
				}
			}
			p.objs[num] = stream{p.m.pressed(d).(dict), v.raw}
		default:
			p.objs[num] = p.m.pressed(v)
		}
	}
}

// colored are resources with the colour spaces that the content names.
func (p *part) colored(v any) any {
	own, _ := p.f.dict(v)
	spaces, _ := p.f.dict(own.get("ColorSpace"))
	spaces = spaces.with(defaultRGB, placed{p.m.rgb()})
	for i, ink := range p.m.o.Press.Inks {
		if ink.Spot != "" {
			spaces = spaces.with(name(inkName+strconv.Itoa(i)), placed{p.m.separation(ink.Spot, ink.CMYK)})
		}
	}
	if p.m.o.CropMarks {
		spaces = spaces.with(allInks, placed{p.m.separation("All", [4]float64{1, 1, 1, 1})})
	}
	return own.with("ColorSpace", spaces)
}

// pressed is a value in which no colour is that of a device with red, green and blue
// lamps.
func (m *merger) pressed(v any) any {
	switch v := v.(type) {
	case name:
		if v == "DeviceRGB" {
			return placed{m.rgb()}
		}
	case array:
		out := make(array, len(v))
		for i := range v {
			out[i] = m.pressed(v[i])
		}
		return out
	case dict:
		out := make(dict, 0, len(v))
		for _, e := range v {
			if e.key != "Alternate" {
				e.value = m.pressed(e.value)
				out = append(out, e)
			}
		}
		return out
	}
	return v
}

// rgb is the number of the colour space sRGB.
func (m *merger) rgb() int {
	if m.sRGB == 0 {
		profile := m.w.alloc()
		m.sRGB = m.w.alloc()
		m.w.stream(profile, dict{{"N", 3}, {"Filter", name("FlateDecode")}}, bytes.Clone(m.w.deflate(sRGBProfile())), &appender{})
		m.w.object(m.sRGB, array{name("ICCBased"), ref{num: profile}}, &appender{})
	}
	return m.sRGB
}

// separation is the number of the colour space of an ink of its own.
func (m *merger) separation(ink string, cmyk [4]float64) int {
	if m.spots[ink] == 0 {
		full := make(array, len(cmyk))
		for i, share := range cmyk {
			full[i] = share
		}
		tint := dict{{"FunctionType", 2}, {"Domain", array{0, 1}}, {"C0", array{0, 0, 0, 0}}, {"C1", full}, {"N", 1}}
		m.spots[ink] = m.w.alloc()
		m.w.object(m.spots[ink], array{name("Separation"), name(ink), name("DeviceCMYK"), tint}, &appender{})
	}
	return m.spots[ink]
}

// luminous are the forms, by number, whose light is a mask: they are mixed in colours of
// their own.
func (p *part) luminous() map[int]bool {
	found := map[int]bool{}
	var look func(v any)
	look = func(v any) {
		switch v := v.(type) {
		case stream:
			look(v.dict)
		case array:
			for _, e := range v {
				look(e)
			}
		case dict:
			if g, ok := v.get("G").(ref); ok && v.name("S") == "Luminosity" {
				found[g.num] = true
			}
			for _, e := range v {
				look(e.value)
			}
		}
	}
	for _, v := range p.objs {
		look(v)
	}
	return found
}
