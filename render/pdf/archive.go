package pdf

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Archive is a kind of PDF/A.
type Archive string

// The kinds. Archive2A is for accessible documents; Archive3B may have files
// with it.
const (
	NoArchive Archive = ""
	Archive2A Archive = "2A"
	Archive2B Archive = "2B"
	Archive3B Archive = "3B"
)

// Embedded is a file inside of the document: the data that it shows.
type Embedded struct {
	Name        string
	ContentType string
	Content     []byte
	Description string // default: Data of the document
	// Alternative says that it says the same as the pages; otherwise it is data of them.
	Alternative bool
}

// Invoice makes the document an electronic one by Factur-X, which Archive3B has to
// be asked for with. Its XML is the last file that is embedded; programs find it by its
// name.
type Invoice struct{ Level, File, Version string }

// archive is the kind of PDF/A that the document is, none when something keeps
// it from that.
func (m *merger) archive() Archive {
	if m.isPress() {
		return Archive2B
	}
	if m.o.Archive == NoArchive || len(m.unmet()) > 0 && m.o.Archive == Archive2A || len(m.o.Attached) > 0 || len(m.missing) > 0 {
		return NoArchive
	}
	return m.o.Archive
}

// unmet is what keeps the document from what it was to be.
func (m *merger) unmet() []Unmet {
	var list []Unmet
	if m.tagger != nil {
		list = m.tagger.unmet
	} else if len(m.o.Attached) > 0 && (m.o.Archive != NoArchive || m.o.Press != nil) {
		list = append(list, Unmet{Message: "pages of an attached PDF may not be fit for it"})
	}
	if m.o.Press != nil && m.unread {
		list = append(list, Unmet{Message: "some of its content cannot be read"})
	}
	if len(m.missing) > 0 && (m.tagger != nil || m.o.Archive != NoArchive || m.o.Press != nil) {
		list = append(slices.Clone(list), Unmet{Page: m.missing[0].Page, Message: "some of its text has no glyphs"})
	}
	return list
}

// archiveCatalog enters what PDF/A asks for into the catalog.
func (m *merger) archiveCatalog(d dict) dict {
	if m.o.Archive == NoArchive {
		return d
	}
	profile := m.w.alloc()
	m.w.stream(profile, dict{{"N", 3}, {"Filter", name("FlateDecode")}}, bytes.Clone(m.w.deflate(sRGBProfile())), &appender{})
	const sRGB = "sRGB IEC61966-2.1"
	d = d.with("OutputIntents", array{dict{
		{"Type", name("OutputIntent")},
		{"S", name("GTS_PDFA1")},
		{"OutputConditionIdentifier", text(sRGB)},
		{"Info", text(sRGB)},
		{"DestOutputProfile", ref{num: profile}},
	}})
	return m.embed(d)
}

// embed writes the files and enters them into the catalog.
func (m *merger) embed(d dict) dict {
	if len(m.o.Embedded) == 0 {
		return d
	}
	var files, names array
	for i, e := range m.o.Embedded {
		content, file := m.w.alloc(), m.w.alloc()
		params := dict{{"Size", len(e.Content)}}
		if !m.o.Created.IsZero() {
			params = params.with("ModDate", text(pdfTime(m.o.Created)))
		}
		stream := dict{{"Type", name("EmbeddedFile")}, {"Subtype", name(e.ContentType)}, {"Params", params}, {"Filter", name("FlateDecode")}}
		m.w.stream(content, stream, bytes.Clone(m.w.deflate(e.Content)), &appender{})
		m.w.object(file, dict{
			{"Type", name("Filespec")},
			{"F", textOf(e.Name)},
			{"UF", textOf(e.Name)},
			{"Desc", textOf(cmp.Or(e.Description, "Data of the document"))},
			{"AFRelationship", name(map[bool]string{true: "Alternative", false: "Data"}[e.Alternative])},
			{"EF", dict{{"F", ref{num: content}}, {"UF", ref{num: content}}}},
		}, &appender{})
		files = append(files, ref{num: file})
		key := fmt.Sprintf("%05d", i) // they have to be in order
		if m.o.Invoice != nil && i == len(m.o.Embedded)-1 {
			key = e.Name
		}
		names = append(names, text(key), ref{num: file})
	}
	return d.with("AF", files).with("Names", dict{{"EmbeddedFiles", dict{{"Names", names}}}})
}

// claims are what the document says of its own conformance, as XMP.
func (m *merger) claims() string {
	var b bytes.Buffer
	kind := m.archive()
	if m.conforms() {
		b.WriteString(`<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"><pdfuaid:part>1</pdfuaid:part></rdf:Description>`)
	}
	if kind != NoArchive {
		fmt.Fprintf(&b, `<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>%c</pdfaid:part><pdfaid:conformance>%c</pdfaid:conformance></rdf:Description>`, kind[0], kind[1])
	}
	var explained []property
	if m.isPress() {
		b.WriteString(pressClaims)
		explained = append(explained,
			property{"PDF/X identification", "http://www.npes.org/pdfx/ns/id/", "pdfxid", "GTS_PDFXVersion", "Text", "Kind of PDF/X that the document conforms to"},
			property{"Adobe PDF", "http://ns.adobe.com/pdf/1.3/", "pdf", "Trapped", "Text", "Whether the document has been trapped"})
	}
	if kind != NoArchive && m.conforms() {
		explained = append(explained, property{"PDF/UA identification", "http://www.aiim.org/pdfua/ns/id/", "pdfuaid", "part", "Integer", "Part of ISO 14289 that the document conforms to"})
	}
	if in := m.o.Invoice; in != nil && kind == Archive3B {
		fmt.Fprintf(&b, `<rdf:Description rdf:about="" xmlns:fx="%s"><fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>%s</fx:DocumentFileName><fx:Version>%s</fx:Version><fx:ConformanceLevel>%s</fx:ConformanceLevel></rdf:Description>`, facturX, in.File, in.Version, in.Level)
		for _, p := range [][2]string{{"DocumentType", "Kind of the invoice"}, {"DocumentFileName", "Name of the XML file in the document"}, {"Version", "Version of the standard that the XML file keeps to"}, {"ConformanceLevel", "Profile of the XML file"}} {
			explained = append(explained, property{"Factur-X PDFA Extension Schema", facturX, "fx", p[0], "Text", p[1]})
		}
	}
	if len(explained) > 0 {
		b.WriteString(extension(explained...))
	}
	return b.String()
}

// facturX is the namespace of what an electronic invoice says of itself.
const facturX = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"

// property is one of the description that PDF/A does not know.
type property struct{ schema, namespace, prefix, name, kind, description string }

// extension explains properties, as PDF/A asks for. Those of a schema follow each other.
func extension(list ...property) string {
	var b strings.Builder
	b.WriteString(`<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag>`)
	for i, p := range list {
		if i == 0 || list[i-1].prefix != p.prefix {
			fmt.Fprintf(&b, `<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>%s</pdfaSchema:schema><pdfaSchema:namespaceURI>%s</pdfaSchema:namespaceURI><pdfaSchema:prefix>%s</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>`, p.schema, p.namespace, p.prefix)
		}
		fmt.Fprintf(&b, `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>%s</pdfaProperty:name><pdfaProperty:valueType>%s</pdfaProperty:valueType><pdfaProperty:category>%s</pdfaProperty:category><pdfaProperty:description>%s</pdfaProperty:description></rdf:li>`, p.name, p.kind, map[bool]string{true: "external", false: "internal"}[p.prefix == "fx"], p.description)
		if i == len(list)-1 || list[i+1].prefix != p.prefix {
			b.WriteString(`</rdf:Seq></pdfaSchema:property></rdf:li>`)
		}
	}
	b.WriteString(`</rdf:Bag></pdfaExtension:schemas></rdf:Description>`)
	return b.String()
}
