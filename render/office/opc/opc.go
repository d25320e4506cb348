// Package opc writes packages of the Open Packaging Conventions (ECMA-376, part
// 2): the ZIP files with parts, types and relationships that Word, Excel and
// PowerPoint read. Parts are written one after the other and never held in
// memory; the same parts give the same bytes. It is a leaf.
package opc

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/flate"
)

// packing is how hard parts are packed: about as small as the standard library makes
// them by itself, in half of its time.
const packing = 5

// Types of relationships that packages of all kinds have.
const (
	relationships    = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	OfficeDocument   = relationships + "officeDocument"
	CoreProperties   = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
	coreContentType  = "application/vnd.openxmlformats-package.core-properties+xml"
	relsContentType  = "application/vnd.openxmlformats-package.relationships+xml"
	corePart         = "/docProps/core.xml"
	packageNamespace = "http://schemas.openxmlformats.org/package/2006/"
)

// modified is the time of all parts. A file has none of its own, so that the same
// content gives the same bytes; ZIP files know no time before 1980.
var modified = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// Writer writes a package.
type Writer struct {
	zip       *zip.Writer
	overrides []override
	rels      map[string][]relationship // by part; "" is the package
	ids       map[target]string         // of rels
	sources   []string                  // the keys of rels, in order
	names     map[string]bool           // of parts, in lower case: names differ by more than that
	err       error
}

type override struct{ part, contentType string }

type relationship struct {
	id       string
	kind     string
	address  string
	external bool
}

// target is what a part is related to.
type target struct {
	part, kind, address string
	external            bool
}

// extensions are the types of parts by what their names end with; all others
// name theirs one by one.
var extensions = []override{
	{"jpeg", "image/jpeg"},
	{"jpg", "image/jpeg"},
	{"png", "image/png"},
	{"rels", relsContentType},
	{"svg", "image/svg+xml"},
	{"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
	{"xml", "application/xml"},
}

// Core is what a package says of itself; all of it may be empty.
type Core struct {
	Title, Creator, Subject string
	Language                string    // by BCP 47
	Created                 time.Time // zero: not said
}

// NewWriter begins a package whose main part is the given one. The first entries
// of the ZIP file are what programs recognise a package by.
func NewWriter(w io.Writer, main string, core Core) *Writer {
	pack := zip.NewWriter(w)
	pack.RegisterCompressor(zip.Deflate, newPacker)
	p := &Writer{zip: pack, rels: map[string][]relationship{}, ids: map[target]string{}, names: map[string]bool{}}
	p.Relate("", OfficeDocument, main)
	p.Relate("", CoreProperties, corePart)
	p.writeRelationships("")
	p.writeCore(core)
	return p
}

// packers are those that have worked: a new one takes more time than a small part.
var packers sync.Pool

// packer packs one part.
type packer struct{ *flate.Writer }

func newPacker(w io.Writer) (io.WriteCloser, error) {
	if used, ok := packers.Get().(*flate.Writer); ok {
		used.Reset(w)
		return packer{used}, nil
	}
	made, err := flate.NewWriter(w, packing)
	return packer{made}, err
}

// Close ends the part.
func (p packer) Close() error {
	err := p.Writer.Close()
	if err == nil {
		p.Reset(io.Discard) // it keeps nothing of this file alive
		packers.Put(p.Writer)
	}
	return err
}

// Part begins a part and ends the one before. Its name begins with a slash.
func (p *Writer) Part(name, contentType string) (io.Writer, error) {
	if p.err != nil {
		return nil, p.err
	}
	if !strings.HasPrefix(name, "/") || strings.Contains(name, "//") || strings.HasSuffix(name, "/") {
		return nil, fmt.Errorf("%q is no name of a part; accepted: /folder/file.xml", name)
	}
	if p.names[strings.ToLower(name)] {
		return nil, fmt.Errorf("there already is a part %q", name)
	}
	p.names[strings.ToLower(name)] = true
	if byExtension(name) != contentType {
		p.overrides = append(p.overrides, override{name, contentType})
	}
	w, err := p.zip.CreateHeader(&zip.FileHeader{Name: name[1:], Method: method(contentType), Modified: modified})
	if err != nil {
		p.err = err
	}
	return w, err
}

// method is how a part is packed: pictures and workbooks behind charts are packed already.
func method(contentType string) uint16 {
	switch contentType {
	case "image/png", "image/jpeg", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":
		return zip.Store
	}
	return zip.Deflate
}

func byExtension(name string) string {
	for _, e := range extensions {
		if strings.HasSuffix(name, "."+e.part) {
			return e.contentType
		}
	}
	return ""
}

// Relate says that a part is related to another, and gives the id by which it
// refers to it. The relationships of a part are written when the package ends.
func (p *Writer) Relate(part, kind, other string) (id string) {
	return p.relate(target{part, kind, other, false})
}

// RelateOutside is Relate for an address outside of the package.
func (p *Writer) RelateOutside(part, kind, address string) (id string) {
	return p.relate(target{part, kind, address, true})
}

func (p *Writer) relate(t target) string {
	if id, known := p.ids[t]; known {
		return id
	}
	if _, known := p.rels[t.part]; !known {
		p.sources = append(p.sources, t.part)
	}
	id := fmt.Sprintf("rId%d", len(p.rels[t.part])+1)
	p.ids[t] = id
	p.rels[t.part] = append(p.rels[t.part], relationship{id, t.kind, t.address, t.external})
	return id
}

// Close writes what is known only in the end. The package is whole when it gives
// no error.
func (p *Writer) Close() error {
	for _, part := range p.sources {
		if part != "" {
			p.writeRelationships(part)
		}
	}
	p.writeTypes()
	if p.err != nil {
		return p.err
	}
	return p.zip.Close()
}

func (p *Writer) writeRelationships(part string) {
	p.write(relationshipsOf(part), relsContentType, func(x *XML) {
		x.Open("Relationships").Attr("xmlns", packageNamespace+"relationships")
		for _, r := range p.rels[part] {
			x.Open("Relationship").Attr("Id", r.id).Attr("Type", r.kind).Attr("Target", r.address)
			if r.external {
				x.Attr("TargetMode", "External")
			}
			x.Close()
		}
		x.Close()
	})
}

// relationshipsOf names the part with the relationships of another.
func relationshipsOf(part string) string {
	at := strings.LastIndexByte(part, '/') + 1
	if part == "" {
		return "/_rels/.rels"
	}
	return part[:at] + "_rels/" + part[at:] + ".rels"
}

func (p *Writer) writeCore(c Core) {
	p.write(corePart, coreContentType, func(x *XML) {
		x.Open("cp:coreProperties").Attr("xmlns:cp", packageNamespace+"metadata/core-properties").
			Attr("xmlns:dc", "http://purl.org/dc/elements/1.1/").Attr("xmlns:dcterms", "http://purl.org/dc/terms/").
			Attr("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance")
		for _, member := range []struct{ name, value string }{
			{"dc:title", c.Title}, {"dc:subject", c.Subject}, {"dc:creator", c.Creator}, {"dc:language", c.Language},
		} {
			if member.value != "" {
				x.Open(member.name).Text(member.value).Close()
			}
		}
		if !c.Created.IsZero() {
			x.Open("dcterms:created").Attr("xsi:type", "dcterms:W3CDTF").Text(c.Created.UTC().Format(time.RFC3339)).Close()
		}
		x.Close()
	})
}

func (p *Writer) writeTypes() {
	p.write("/[Content_Types].xml", "application/xml", func(x *XML) {
		x.Open("Types").Attr("xmlns", packageNamespace+"content-types")
		for _, e := range extensions {
			x.Open("Default").Attr("Extension", e.part).Attr("ContentType", e.contentType).Close()
		}
		for _, o := range p.overrides {
			x.Open("Override").Attr("PartName", o.part).Attr("ContentType", o.contentType).Close()
		}
		x.Close()
	})
}

// write writes a whole part; the first fault is kept for the end.
func (p *Writer) write(name, contentType string, content func(*XML)) {
	w, err := p.Part(name, contentType)
	if err != nil {
		p.err = err
		return
	}
	x := NewXML(w)
	content(x)
	if err := x.End(); err != nil && p.err == nil {
		p.err = err
	}
}
