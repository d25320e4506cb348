package picture

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Bounds of a drawing. What is used several times counts as often.
const (
	mostElements = 200_000
	mostFilters  = 2_000 // steps of filters
	mostBlur     = 250   // standard deviation, in units of the drawing
	mostShadows  = 20    // in one style
	mostDepth    = 200   // of elements inside each other
	mostNested   = 3     // drawings inside drawings
	mostText     = 32 << 20
)

// node is an element with what it uses.
type node struct {
	name     string
	cost     float64 // its own: 1, and what markers repeat
	steps    float64 // of filters
	children []*node
	uses     []string // ids; once each time
	repeats  float64  // how often what it uses is drawn
	sum      *total
	open     bool // it is being summed up
}

type total struct{ elements, steps float64 }

// vetDrawing reads an SVG file and refuses what would take too long to draw.
func vetDrawing(content []byte, nested int) error {
	if len(content) > mostText {
		return tooMuch("%d MB of SVG; accepted: %d MB", len(content)>>20, mostText>>20)
	}
	d := drawing{ids: map[string]*node{}, nested: nested}
	if err := d.read(content); err != nil {
		return err
	}
	sum, err := d.total(d.root)
	switch {
	case err != nil:
		return err
	case sum.elements > mostElements:
		return tooMuch("%.0f elements, each counted as often as it is used; accepted: %d", sum.elements, mostElements)
	case sum.steps > mostFilters:
		return tooMuch("%.0f steps of filters; accepted: %d", sum.steps, mostFilters)
	}
	return nil
}

type drawing struct {
	root   *node
	ids    map[string]*node
	nested int
}

func (d *drawing) read(content []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(content))
	decoder.Strict = false
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // only ASCII counts
	d.root = &node{}
	open := []*node{d.root}
	for {
		token, err := decoder.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return nil // the browser shows nothing of what is broken, or what was read so far
		}
		at := open[len(open)-1]
		switch t := token.(type) {
		case xml.Directive:
			if err := vetEntities(string(t)); err != nil {
				return err
			}
		case xml.StartElement:
			n, err := d.element(&t)
			if err != nil {
				return err
			}
			at.children = append(at.children, n)
			if open = append(open, n); len(open) > mostDepth {
				return tooMuch("more than %d elements inside each other", mostDepth)
			}
		case xml.EndElement:
			if len(open) > 1 {
				open = open[:len(open)-1]
			}
		case xml.CharData:
			if at.name == "style" {
				if err := VetCSS(string(t)); err != nil {
					return err
				}
			}
		}
	}
}

var entity = regexp.MustCompile(`(?is)<!ENTITY\s+\S+\s+(?:"([^"]*)"|'([^']*)')`)

// vetEntities: programs that draw declare short names for addresses. Elements
// and entities inside of entities are how a few bytes become millions.
func vetEntities(directive string) error {
	for _, m := range entity.FindAllStringSubmatch(directive, -1) {
		if value := m[1] + m[2]; strings.ContainsAny(value, "<&%") || len(value) > 1000 {
			return errors.New("declares entities that hold elements or other entities, which is not accepted")
		}
	}
	return nil
}

func (d *drawing) element(t *xml.StartElement) (*node, error) {
	n := &node{name: t.Name.Local, cost: 1, repeats: 1}
	if strings.HasPrefix(n.name, "fe") {
		n.steps = 1
	}
	vertices := 1.0
	for _, a := range t.Attr {
		switch name := a.Name.Local; {
		case name == "id":
			if d.ids[a.Value] == nil {
				d.ids[a.Value] = n
			}
		case name == "href" && strings.HasPrefix(a.Value, "#"):
			n.uses = append(n.uses, a.Value[1:])
		case name == "href" && strings.HasPrefix(strings.ToLower(a.Value), "data:"):
			if err := d.inside(a.Value); err != nil {
				return nil, fmt.Errorf("a picture inside of it %w", err)
			}
		case name == "d" || name == "points":
			vertices = float64(1 + strings.Count(a.Value, " ") + strings.Count(a.Value, ","))
		case name == "stdDeviation" || name == "radius":
			for _, number := range strings.FieldsFunc(a.Value, func(r rune) bool { return r == ' ' || r == ',' }) {
				if v, err := strconv.ParseFloat(number, 64); err == nil && v > mostBlur {
					return nil, tooMuch("%s is %s; accepted: %d", name, number, mostBlur)
				}
			}
		default:
			if name == "style" {
				if err := VetCSS(a.Value); err != nil {
					return nil, err
				}
			}
			for _, m := range reference.FindAllStringSubmatch(a.Value, -1) {
				n.uses = append(n.uses, m[1])
			}
			if strings.HasPrefix(name, "marker-mid") || name == "style" && strings.Contains(a.Value, "marker") {
				n.repeats = -1 // as often as there are vertices
			}
		}
	}
	if n.repeats < 0 {
		n.repeats = vertices
	}
	return n, nil
}

var reference = regexp.MustCompile(`url\(\s*['"]?#([^'")\s]+)`)

// total is what an element draws with all inside it and all it uses.
func (d *drawing) total(n *node) (total, error) {
	if n.sum != nil {
		return *n.sum, nil
	}
	if n.open {
		return total{}, nil // a browser draws nothing that uses itself
	}
	n.open = true
	sum := total{n.cost, n.steps}
	for _, child := range n.children {
		s, err := d.total(child)
		if err != nil {
			return sum, err
		}
		sum.elements, sum.steps = sum.elements+s.elements, sum.steps+s.steps
	}
	for _, id := range n.uses {
		if target := d.ids[id]; target != nil {
			s, err := d.total(target)
			if err != nil {
				return sum, err
			}
			sum.elements, sum.steps = sum.elements+n.repeats*s.elements, sum.steps+n.repeats*s.steps
		}
	}
	n.open, n.sum = false, &sum
	return sum, nil
}

// inside vets a picture that stands in a drawing.
func (d *drawing) inside(address string) error {
	if d.nested >= mostNested {
		return tooMuch("drawings inside drawings more than %d deep", mostNested)
	}
	return vetURI(address, d.nested+1)
}

// VetURI is Vet for a data: address.
func VetURI(address string) error { return vetURI(address, 0) }

func vetURI(address string, nested int) error {
	kind, content, err := DataURI(address)
	if err != nil {
		return err
	}
	if strings.HasPrefix(kind, "image/svg") {
		return vetDrawing(content, nested)
	}
	_, err = Vet(content, false)
	return err
}

// DataURI is what a data: address holds.
func DataURI(address string) (kind string, content []byte, err error) {
	head, body, ok := strings.Cut(address, ",")
	if !ok {
		return "", nil, errors.New("is no data: address")
	}
	head = strings.ToLower(head[len("data:"):])
	kind, _, _ = strings.Cut(head, ";")
	if plain, err := url.PathUnescape(body); err == nil {
		body = plain
	}
	if !strings.HasSuffix(strings.TrimSpace(head), "base64") {
		return kind, []byte(body), nil
	}
	body = strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n", r) {
			return -1
		}
		return r
	}, body)
	content, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(body, "="))
	if err != nil {
		return kind, nil, errors.New("has a broken data: address")
	}
	return kind, content, nil
}
