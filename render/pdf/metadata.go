package pdf

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"
)

// producer names this program in every document.
const producer = "Quire (Chromium, Skia/PDF)"

// info writes the document's description in the old form, which viewers show.
func (m *merger) info() int {
	d := dict{}
	for _, e := range []struct {
		key   name
		value string
	}{
		{"Title", m.o.Title},
		{"Author", m.o.Author},
		{"Subject", m.o.Subject},
		{"Keywords", m.o.Keywords},
		{"Creator", m.o.Creator},
		{"Producer", producer},
	} {
		if e.value != "" {
			d = d.with(e.key, textOf(e.value))
		}
	}
	if !m.o.Created.IsZero() {
		at := textOf(pdfTime(m.o.Created))
		d = d.with("CreationDate", at).with("ModDate", at)
	}
	if m.o.Press != nil {
		d = d.with("Trapped", name("False"))
		if m.isPress() {
			d = d.with("GTS_PDFXVersion", text(pdfX4))
		}
	}
	num := m.w.alloc()
	m.w.object(num, d, &appender{})
	return num
}

// pdfTime writes a time as PDF does: D:20261120223021+01'00'.
func pdfTime(t time.Time) string {
	zone := t.Format("-07:00")
	return "D:" + t.Format("20060102150405") + strings.Replace(zone, ":", "'", 1) + "'"
}

// writeXMP writes the description in the new form, which tools read.
func (m *merger) writeXMP() int {
	var b bytes.Buffer
	b.WriteString("<?xpacket begin=\"\uFEFF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n" +
		`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
		`<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">`)
	xmlElement(&b, `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">`, m.o.Title, `</rdf:li></rdf:Alt></dc:title>`)
	xmlElement(&b, `<dc:creator><rdf:Seq><rdf:li>`, m.o.Author, `</rdf:li></rdf:Seq></dc:creator>`)
	xmlElement(&b, `<dc:description><rdf:Alt><rdf:li xml:lang="x-default">`, m.o.Subject, `</rdf:li></rdf:Alt></dc:description>`)
	xmlElement(&b, `<dc:language><rdf:Bag><rdf:li>`, m.lang, `</rdf:li></rdf:Bag></dc:language>`)
	xmlElement(&b, `<pdf:Keywords>`, m.o.Keywords, `</pdf:Keywords>`)
	xmlElement(&b, `<pdf:Producer>`, producer, `</pdf:Producer>`)
	xmlElement(&b, `<xmp:CreatorTool>`, m.o.Creator, `</xmp:CreatorTool>`)
	if !m.o.Created.IsZero() {
		at := m.o.Created.Format(time.RFC3339)
		fmt.Fprintf(&b, `<xmp:CreateDate>%[1]s</xmp:CreateDate><xmp:ModifyDate>%[1]s</xmp:ModifyDate><xmp:MetadataDate>%[1]s</xmp:MetadataDate>`, at)
	}
	if m.isPress() {
		b.WriteString(m.pressDescription())
	}
	b.WriteString("</rdf:Description>" + m.claims() + "</rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>")
	num := m.w.alloc()
	m.w.stream(num, dict{{"Type", name("Metadata")}, {"Subtype", name("XML")}}, b.Bytes(), &appender{})
	return num
}

// conforms says whether the document is what PDF/UA asks for.
func (m *merger) conforms() bool { return m.tagger != nil && len(m.unmet()) == 0 }

// xmlElement writes a value between two pieces of XML, and nothing without it.
func xmlElement(b *bytes.Buffer, before, value, after string) {
	if value == "" {
		return
	}
	b.WriteString(before)
	xml.EscapeText(b, []byte(value)) //nolint:errcheck // a buffer takes everything
	b.WriteString(after)
}
