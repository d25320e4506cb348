package opc

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"time"
)

// packed writes a small package.
func packed(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	p := NewWriter(&b, "/xl/workbook.xml", Core{Title: "Sales <2026>", Creator: "Quire", Language: "de", Created: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)})
	if first, again := p.Relate("/xl/workbook.xml", "sheet", "/xl/sheet1.xml"), p.Relate("/xl/workbook.xml", "sheet", "/xl/sheet1.xml"); first != "rId1" || again != first {
		t.Errorf("related as %s, and again as %s", first, again)
	}
	p.RelateOutside("/xl/workbook.xml", "link", "https://example.com/?a=1&b=2")
	for name, kind := range map[string]string{"/xl/workbook.xml": "application/workbook+xml"} {
		w, err := p.Part(name, kind)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(w, "<workbook/>")
	}
	if _, err := p.Part("/XL/Workbook.xml", "application/xml"); err == nil {
		t.Error("two parts have one name")
	}
	if _, err := p.Part("xl/x.xml", "application/xml"); err == nil {
		t.Error("a part has no name of one")
	}
	if w, err := p.Part("/xl/media/a.png", "image/png"); err != nil {
		t.Fatal(err)
	} else if _, err := w.Write([]byte("\x89PNG")); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPackage(t *testing.T) {
	content := packed(t)
	for i := range 20 { // after other packages, too: what packs is used again
		other := NewWriter(io.Discard, "/a.xml", Core{})
		if w, err := other.Part("/a.xml", "application/xml"); err != nil {
			t.Fatal(err)
		} else if _, err := io.WriteString(w, strings.Repeat("<workbook/>"+strings.Repeat("x", i), 9000)); err != nil {
			t.Fatal(err)
		}
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(content, packed(t)) {
			t.Fatal("the same parts give other bytes")
		}
	}
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for i, f := range r.File {
		if i == 0 && f.Name != "_rels/.rels" {
			t.Errorf("the first entry is %s; programs look for _rels/.rels", f.Name)
		}
		opened, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(opened)
		if err != nil {
			t.Fatal(err)
		}
		parts[f.Name] = string(text)
	}
	const header = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	for name, want := range map[string]string{
		"_rels/.rels": header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="/xl/workbook.xml"/>` +
			`<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="/docProps/core.xml"/></Relationships>`,
		"xl/_rels/workbook.xml.rels": header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="sheet" Target="/xl/sheet1.xml"/>` +
			`<Relationship Id="rId2" Type="link" Target="https://example.com/?a=1&amp;b=2" TargetMode="External"/></Relationships>`,
		"docProps/core.xml": header + `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` +
			`<dc:title>Sales &lt;2026&gt;</dc:title><dc:creator>Quire</dc:creator><dc:language>de</dc:language><dcterms:created xsi:type="dcterms:W3CDTF">2026-11-23T12:00:00Z</dcterms:created></cp:coreProperties>`,
	} {
		if parts[name] != want {
			t.Errorf("%s is\n%s\nwant\n%s", name, parts[name], want)
		}
	}
	types := parts["[Content_Types].xml"]
	for _, want := range []string{`<Default Extension="png" ContentType="image/png"/>`, `<Override PartName="/xl/workbook.xml" ContentType="application/workbook+xml"/>`} {
		if !strings.Contains(types, want) {
			t.Errorf("the types lack %s: %s", want, types)
		}
	}
	if strings.Contains(types, `PartName="/xl/media/a.png"`) {
		t.Error("a part whose name says what it is, is named again")
	}
}

// Of a stranger's text a document has all that XML can say, and is read as it was.
func TestXMLHoldsAnyText(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a < b && c > d", "a < b && c > d"},
		{`"quoted" & 'this'`, `"quoted" & 'this'`},
		{"line\nnext\r\n\ttab", "line\nnext\r\n\ttab"},
		{"\x00\x07bell\x1f\uFFFE", "bell"},
		{"no UTF-8: \xff\xfe", "no UTF-8: \uFFFD\uFFFD"},
		{"漢字 🙂 مرحبا", "漢字 🙂 مرحبا"},
	} {
		var b bytes.Buffer
		x := NewXML(&b)
		x.Open("a").Attr("b", test.text).Leaf("c", test.text).Close()
		if err := x.End(); err != nil {
			t.Fatal(err)
		}
		var got struct {
			B string `xml:"b,attr"`
			C string `xml:"c"`
		}
		if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
			t.Errorf("%q: %v in %s", test.text, err, b.String())
		}
		if got.B != test.want || got.C != test.want {
			t.Errorf("%q is read as %q in an attribute and %q as text; want %q", test.text, got.B, got.C, test.want)
		}
	}
	x := NewXML(io.Discard)
	x.Open("a")
	if err := x.End(); err == nil {
		t.Error("an open element is the end of a document")
	}
}

func FuzzXML(f *testing.F) {
	f.Add("a\x00<b>\"&\xff")
	f.Fuzz(func(t *testing.T, text string) {
		var b bytes.Buffer
		x := NewXML(&b)
		x.Open("a").Attr("b", text).Text(text).Close()
		if err := x.End(); err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(b.Bytes(), new(struct{})); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}
