package pdf

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"sort"
	"strings"
)

// destinations are the places that links of the document point at.
type destinations struct {
	anchors map[string]Anchor
	named   map[name]array // of the parts, with numbers of the document
	wanted  map[name]bool  // what links name
}

func newDestinations(anchors []Anchor) destinations {
	d := destinations{anchors: make(map[string]Anchor, len(anchors)), named: map[name]array{}, wanted: map[name]bool{}}
	for _, a := range anchors {
		if _, twice := d.anchors[a.ID]; !twice && a.ID != "" {
			d.anchors[a.ID] = a
		}
	}
	return d
}

// destinations takes over the named places of the part.
func (p *part) destinations(catalog dict) error {
	p.skip(catalog.get("Dests"))
	dests, err := p.f.dict(catalog.get("Dests"))
	if err != nil {
		return err
	}
	for _, e := range dests {
		a, err := p.f.array(e.value)
		if err != nil {
			return err
		}
		if place := p.place(a); place != nil && p.m.dests.named[e.key] == nil {
			p.m.dests.named[e.key] = place
		}
	}
	return nil
}

// place is an explicit destination with the page's number in the document.
func (p *part) place(a array) array {
	if len(a) == 0 {
		return nil
	}
	r, ok := a[0].(ref)
	if !ok {
		return nil
	}
	num := p.ref(r)
	if num == 0 {
		return nil
	}
	return append(array{ref{num: num}}, a[1:]...)
}

// link makes a link inside the document of an address that stands for one, and
// notes what it points at.
func (p *part) link(d dict) dict {
	if n, ok := d.get("Dest").(name); ok {
		p.m.dests.wanted[n] = true
		return d.with("Dest", short(n))
	}
	action, err := p.f.dict(d.get("A"))
	if err != nil || action.name("S") != "URI" {
		return d
	}
	uri, _ := action.get("URI").(text)
	id, inside := strings.CutPrefix(string(uri), LinkBase)
	if !inside {
		return d
	}
	d = d.without("A")
	if plain, err := url.PathUnescape(id); err == nil {
		id = plain
	}
	if _, known := p.m.dests.anchors[id]; !known && p.m.dests.named[name(id)] == nil {
		return d // a link to nowhere stays text
	}
	p.m.dests.wanted[name(id)] = true
	return d.with("Dest", short(name(id)))
}

// short is a name that readers take: they need to read no more than 127 bytes,
// and PDF/A allows no more.
func short(n name) name {
	const most = 127
	if len(n) <= most {
		return n
	}
	sum := sha256.Sum256([]byte(n))
	return name("to-" + hex.EncodeToString(sum[:16]))
}

// writeDests writes the named places, those that the parts had and those of
// anchors that links between parts need.
func (m *merger) writeDests() int {
	for n := range m.dests.wanted {
		if m.dests.named[n] != nil {
			continue
		}
		if a, ok := m.dests.find(n); ok {
			m.dests.named[n] = m.anchor(a)
		}
	}
	var d dict
	for n, place := range m.dests.named {
		if place != nil {
			d = append(d, entry{short(n), place})
		}
	}
	if len(d) == 0 {
		return 0
	}
	sort.Slice(d, func(i, j int) bool { return d[i].key < d[j].key })
	num := m.w.alloc()
	m.w.object(num, d, &appender{})
	return num
}

// find looks an anchor up as it is, and as an address would have it.
func (d *destinations) find(n name) (Anchor, bool) {
	if a, ok := d.anchors[string(n)]; ok {
		return a, true
	}
	plain, err := url.PathUnescape(string(n))
	if err != nil {
		return Anchor{}, false
	}
	a, ok := d.anchors[plain]
	return a, ok
}

// anchor is the destination of an anchor: CSS pixels from the upper left corner
// become points from the lower left; nil when there is no such page.
func (m *merger) anchor(a Anchor) array {
	if a.Page < 1 || a.Page > len(m.pages) {
		return nil
	}
	const points = 72.0 / 96
	page := m.pages[a.Page-1]
	return array{ref{num: page.num}, name("XYZ"), page.left + a.X*points, page.top - a.Y*points, nil}
}
