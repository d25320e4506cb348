package pdf

import (
	"crypto/sha256"
	"errors"
	"io"
)

// merger writes the objects of several parts as one document.
type merger struct {
	w     *writer
	o     Options
	parts int // how many there will be

	encrypt int // object number of the encryption dictionary; 0 without
	root    int // of the page tree
	nodes   array
	pages   []pageInfo
	known   map[[sha256.Size]byte]int // streams that were written, by content
	dests   destinations
	tags    structure
	tagger  *tagger // nil when the document is not accessible
	lang    string
	outline ref // of a single part that came with one
	// replaced are the printed pages that attached ones stand for.
	replaced map[int]replacement
	missing  []Missing

	sRGB  int            // number of its colour space; 0 without
	spots map[string]int // of those of inks, by name
	// unread says that some content could not be read, and has the colours of the browser.
	unread bool
	form   fillable
	// unsigned is where the signature goes.
	unsigned Unsigned
	used     map[int]bool // the places of the inks that are on any page
}

// pageInfo is what links need to know of a page.
type pageInfo struct {
	num    int
	height float64 // in points
	top    float64 // upper edge, in points
	left   float64
}

func newMerger(out io.Writer, o Options, parts int) *merger {
	m := &merger{o: o, parts: parts, known: map[[sha256.Size]byte]int{}, spots: map[string]int{}, used: map[int]bool{}}
	var seal *sealer
	var enc dict
	if o.Protect != nil {
		seal, enc = o.Protect.encryption()
	}
	m.w = newWriter(out, seal, o.version())
	if enc != nil {
		m.encrypt = m.w.alloc()
		m.w.plain(m.encrypt, enc)
	}
	m.root = m.w.alloc()
	m.dests = newDestinations(o.Anchors)
	if o.Accessible {
		m.tagger = &tagger{m: m}
	}
	return m
}

// part is a file on its way into the document.
type part struct {
	m    *merger
	f    *file
	objs []any // by number; nil when there is none, or it is not copied
	nums []int // numbers in the document, by number in the part
	node int   // of the part's pages
	base int   // added to keys of the parent tree
	mark string
	app  appender

	leaves  []bool          // objects that are pages
	first   int             // number of its first page in the document
	pages   []int           // object numbers in the part; 0 for one that is replaced
	widgets map[int]*widget // of fields, by the numbers of their links
	pageOf  map[int]int     // page in the document, by the number of an annotation
}

// add copies a part into the document.
func (m *merger) add(b []byte, passwords []string) error {
	f, err := open(b)
	if err != nil {
		return err
	}
	if err := f.unlockAny(passwords); err != nil {
		return err
	}
	p := &part{m: m, f: f, nums: make([]int, len(f.xref)), node: m.w.alloc(), base: m.tags.next, widgets: map[int]*widget{}}
	if m.parts > 1 {
		p.mark = partMark(len(m.nodes))
	}
	p.app.ref = p.ref
	m.nodes = append(m.nodes, ref{num: p.node})
	if err := p.load(); err != nil {
		return err
	}
	catalog, err := f.dict(f.trailer.get("Root"))
	if err != nil {
		return err
	}
	return p.copy(catalog)
}

// load reads all objects. What only holds the file together is left out.
func (p *part) load() error {
	p.objs = make([]any, len(p.f.xref))
	p.leaves = make([]bool, len(p.f.xref))
	before := p.f.read
	for num := range p.f.xref {
		v, err := p.f.object(num)
		if err != nil {
			return err
		}
		if p.f.read-before > maxOverlap*len(p.f.b) {
			return damaged("its objects overlap")
		}
		if s, ok := v.(stream); ok && containsName([]name{"XRef", "ObjStm"}, s.dict.name("Type")) {
			continue
		}
		p.objs[num] = v
	}
	for _, key := range []name{"Root", "Info", "Encrypt"} {
		p.skip(p.f.trailer.get(key))
	}
	return nil
}

// skip leaves an object out of the copy.
func (p *part) skip(v any) {
	if r, ok := v.(ref); ok && r.num > 0 && r.num < len(p.objs) {
		p.objs[r.num] = nil
	}
}

func (p *part) copy(catalog dict) error {
	if p.m.lang == "" {
		lang, _ := catalog.get("Lang").(text)
		p.m.lang = lang.String()
	}
	if err := p.pageTree(catalog.get("Pages")); err != nil {
		return err
	}
	p.joinWords()
	p.letters()
	p.fields()
	p.adopt(catalog)
	p.signUnseen()
	p.press()
	if p.m.tagger != nil {
		p.base = 0
		if err := p.m.tagger.add(p, catalog); err != nil {
			return err
		}
	} else if err := p.structure(catalog); err != nil {
		return err
	}
	p.share()
	if err := p.destinations(catalog); err != nil {
		return err
	}
	if r, ok := catalog.get("Outlines").(ref); ok && p.m.parts == 1 && !p.m.o.Outline {
		p.m.outline = ref{num: p.ref(r)}
	}
	p.emit()
	return p.m.w.err
}

// ref is the number that an object of the part has in the document.
func (p *part) ref(r ref) int {
	if r.num <= 0 || r.num >= len(p.nums) {
		return 0
	}
	if p.nums[r.num] == 0 {
		if p.objs[r.num] == nil {
			return 0
		}
		p.nums[r.num] = p.m.w.alloc()
	}
	return p.nums[r.num]
}

// share finds streams that another part had as well, such as a logo on every
// page or a font, so that they are written once. First those that refer to
// nothing, then images, whose masks have been found by then.
func (p *part) share() {
	for _, leaf := range []bool{true, false} {
		for num, v := range p.objs {
			s, ok := v.(stream)
			if !ok || p.nums[num] != 0 || hasRef(s.dict) == leaf || !leaf && s.dict.name("Subtype") != "Image" {
				continue
			}
			key := p.fingerprint(s)
			if known := p.m.known[key]; known != 0 {
				p.nums[num], p.objs[num] = known, nil
				continue
			}
			p.m.known[key] = p.ref(ref{num: num})
		}
	}
}

func (p *part) fingerprint(s stream) (key [sha256.Size]byte) {
	h := sha256.New()
	h.Write(p.app.value(nil, s.dict))
	h.Write(s.raw)
	h.Sum(key[:0])
	return key
}

func hasRef(v any) bool {
	switch v := v.(type) {
	case ref:
		return true
	case array:
		for _, e := range v {
			if hasRef(e) {
				return true
			}
		}
	case dict:
		for _, e := range v {
			if hasRef(e.value) {
				return true
			}
		}
	}
	return false
}

// emit writes what is left of the objects.
func (p *part) emit() {
	for num, v := range p.objs {
		if v == nil {
			continue
		}
		to := p.ref(ref{num: num})
		if s, ok := v.(stream); ok {
			p.m.w.stream(to, p.adaptTags(s.dict), s.raw, &p.app)
			continue
		}
		p.m.w.object(to, p.adapt(v), &p.app)
	}
}

// adapt changes what must be different in the document: links to other parts,
// and what belongs to the structure.
func (p *part) adapt(v any) any {
	d, ok := v.(dict)
	if !ok {
		return v
	}
	if d.name("Subtype") == "Link" {
		d = p.link(d)
		if p.m.o.Archive != NoArchive {
			d = d.with("F", 4) // is printed
		}
	}
	return p.adaptTags(d)
}

// finish writes what holds the document together.
func (m *merger) finish() error {
	if len(m.pages) == 0 {
		return errors.New("there are no pages")
	}
	plain := &appender{}
	m.w.object(m.root, dict{{"Type", name("Pages")}, {"Count", len(m.pages)}, {"Kids", m.nodes}}, plain)
	root := m.w.alloc()
	catalog, err := m.catalog()
	if err != nil {
		return err
	}
	m.w.object(root, catalog, plain)
	trailer := dict{{"Root", ref{num: root}}, {"Info", ref{num: m.info()}}}
	if m.encrypt != 0 {
		trailer = trailer.with("Encrypt", ref{num: m.encrypt})
	}
	if m.form.signature != 0 {
		m.writeSignature()
	}
	return m.w.finish(trailer)
}

func (m *merger) catalog() (dict, error) {
	d := dict{{"Type", name("Catalog")}, {"Version", name(m.o.version())}, {"Pages", ref{num: m.root}}}
	if m.o.Protect != nil {
		adbe := dict{{"BaseVersion", name("1.7")}, {"ExtensionLevel", 8}}
		d = d.with("Extensions", dict{{"ADBE", adbe}})
	}
	if m.o.Lang != "" {
		m.lang = m.o.Lang
	}
	if m.lang != "" {
		d = d.with("Lang", textOf(m.lang))
	}
	if num := m.writeDests(); num != 0 {
		d = d.with("Dests", ref{num: num})
	}
	if m.o.Outline {
		m.outline = ref{num: m.writeOutline()}
	}
	if m.outline.num != 0 {
		d = d.with("Outlines", m.outline)
	}
	if labels := m.pageLabels(); labels != nil {
		d = d.with("PageLabels", labels)
	}
	if m.tagger != nil {
		d = m.tagger.finish(d)
	} else {
		d = m.tags.catalog(m, d)
	}
	d, err := m.acroForm(d)
	if err != nil {
		return nil, err
	}
	d = d.with("ViewerPreferences", dict{{"DisplayDocTitle", true}})
	d, err = m.intended(d)
	return d.with("Metadata", ref{num: m.writeXMP()}), err
}

// intended enters what the document is for into the catalog: an archive or a press.
func (m *merger) intended(d dict) (dict, error) {
	if m.o.Press != nil {
		return m.pressCatalog(d)
	}
	return m.archiveCatalog(d), nil
}
