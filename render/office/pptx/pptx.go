// Package pptx writes presentations of PowerPoint (PresentationML, ECMA-376 part 1) of
// documents that were read as pages: a slide a page. Texts are text boxes that break
// where the page breaks them, tables are tables, charts are charts with their data. What
// the pages of a layout have in common, their headers and footers, stands on a layout of
// the presentation. It is a leaf.
package pptx

import (
	"fmt"
	"io"

	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/office/opc"
	"github.com/quire-reports/quire/render/office/theme"
)

// Options are what a presentation needs besides the document.
type Options struct {
	About opc.Core
	Theme theme.Theme
	// Font names what stands for a font of the document; nil: all are there.
	Font func(family string) string
	// Color makes a colour of CSS one of six hexadecimal digits or of the theme, such as
	// accent1; nil: charts have the colours that PowerPoint gives them.
	Color func(css string) (color string, ok bool)
	// Resource is what an address in the document stands for; nil: nothing.
	Resource func(address string) (content []byte, contentType string, ok bool)
	// Drawings are the pictures that the browser made; see layout.ImageOf.
	Drawings []Drawing
	// Alive tells from time to time whether to go on; may be nil.
	Alive func() error
}

// Drawing is a picture that the browser made.
type Drawing struct {
	PNG           []byte // empty: nothing is to be seen
	Width, Height float64
}

// Warning is what did not become part of the presentation, or not as it is printed.
type Warning struct {
	ID      string // of the element in the document; empty: of no single one
	Message string
}

const (
	mainNamespace     = "http://schemas.openxmlformats.org/presentationml/2006/main"
	drawingNamespace  = "http://schemas.openxmlformats.org/drawingml/2006/main"
	relationNamespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	contentTypes      = "application/vnd.openxmlformats-officedocument.presentationml."

	presentationPart = "/ppt/presentation.xml"
	masterPart       = "/ppt/slideMasters/slideMaster1.xml"
	themePart        = "/ppt/theme/theme1.xml"
)

// Write writes the presentation of a document.
func Write(w io.Writer, d *layout.Document, o Options) ([]Warning, error) {
	if d.State != layout.Pages {
		return nil, fmt.Errorf("a presentation is made of pages, not of a document in the state %q", d.State)
	}
	o.Theme = o.Theme.Complete()
	k := &deck{Options: o, doc: d, warned: map[Warning]bool{}, layoutOf: map[string]*slideLayout{}, names: map[string]bool{}, media: map[[32]byte]string{}, titles: map[string]int{}}
	if k.Alive == nil {
		k.Alive = func() error { return nil }
	}
	k.pkg = opc.NewWriter(w, presentationPart, o.About)
	k.measure()
	k.number()
	k.findAnchors()
	for i := range d.Sheets {
		if err := k.Alive(); err != nil {
			return nil, err
		}
		if err := k.slide(i); err != nil {
			return nil, err
		}
	}
	if err := k.finish(); err != nil {
		return nil, err
	}
	return k.warnings, k.pkg.Close()
}

// deck is a presentation in the making.
type deck struct {
	Options
	doc           *layout.Document
	pkg           *opc.Writer
	width, height float64 // of the slides, in pixels
	first         int     // number of the first slide
	counted       bool    // slides are numbered as their pages are
	layouts       []*slideLayout
	layoutOf      map[string]*slideLayout
	names         map[string]bool // of layouts
	slideIDs      []string        // relationships
	anchors       map[string]int  // slides by the names of places on them
	media         map[[32]byte]string
	charts        int
	titles        map[string]int
	before        lastTitle
	shared        int // slides with headers and footers of their own
	warnings      []Warning
	warned        map[Warning]bool
}

func (k *deck) warn(id, format string, args ...any) {
	w := Warning{id, fmt.Sprintf(format, args...)}
	if !k.warned[w] {
		k.warned[w] = true
		k.warnings = append(k.warnings, w)
	}
}

// part writes a part that is small.
func (k *deck) part(name, contentType string, content func(*opc.XML)) error {
	w, err := k.pkg.Part(name, contentType)
	if err != nil {
		return err
	}
	x := opc.NewXML(w)
	content(x)
	return x.End()
}

// number decides whether the slides can count as the pages do: PowerPoint counts all of
// them, from a number on that the presentation names.
func (k *deck) number() {
	k.first, k.counted = 1, true
	begun := false
	for i := range k.doc.Sheets {
		n := k.doc.Sheets[i].Number
		switch {
		case n == 0:
		case !begun:
			k.first, begun = n-i, true
		case n-i != k.first:
			k.counted = false
		}
	}
	if k.first < 0 || k.first > 9999 {
		k.first, k.counted = 1, false
	}
}

// findAnchors finds the slides that links lead to.
func (k *deck) findAnchors() {
	k.anchors = map[string]int{}
	for i := range k.doc.Sheets {
		var find func(n *layout.Node)
		find = func(n *layout.Node) {
			if n == nil {
				return
			}
			for _, name := range n.Anchors {
				if _, known := k.anchors[name]; !known {
					k.anchors[name] = i
				}
			}
			for c := range n.Children {
				find(&n.Children[c])
			}
		}
		s := &k.doc.Sheets[i]
		find(s.Header)
		find(s.Body)
		find(s.Footer)
	}
}
