package pdf

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestColorsBecomeInks(t *testing.T) {
	inks := []Ink{
		{Color: [3]byte{0xc8, 0x10, 0x2e}, Spot: "PANTONE 186 C", CMYK: [4]float64{0.02, 1, 0.85, 0.06}},
		{Color: [3]byte{0, 0x33, 0x66}, CMYK: [4]float64{1, 0.6, 0, 0.4}},
	}
	for _, tt := range []struct{ name, in, want string }{
		{"text is black alone", "0 0 0 RG 0 0 0 rg BT (a) Tj ET", "0 G 0 g BT (a) Tj ET"},
		{"white is no ink", "1 1 1 rg 0 0 9 9 re f", "1 g 0 0 9 9 re f"},
		{"a grey", ".5 .5 .5 RG 0 0 m 9 9 l S", "0.5 G 0 0 m 9 9 l S"},
		{"nearly grey", ".5 .5 .502 rg", ".5 .5 .502 rg"},
		{"an ink of its own", ".7843 .0627 .1804 rg 0 0 9 9 re f", "/QuInk0 cs 1 scn 0 0 9 9 re f"},
		{"as a line", ".7843 .0627 .1804 RG", "/QuInk0 CS 1 SCN"},
		{"mixed", "0 .2 .4 rg 0 .2 .4 RG", "1 0.6 0 0.4 k 1 0.6 0 0.4 K"},
		{"the next shade is another colour", "0 .2 .404 rg", "0 .2 .404 rg"},
		{"in a text", "BT (0 0 0 rg) Tj ET", "BT (0 0 0 rg) Tj ET"},
		{"too few numbers", "0 0 rg", "0 0 rg"},
		{"another space", "/P4 scn /Cs1 cs 0 0 0 sc", "/P4 scn /Cs1 cs 0 0 0 sc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMerger(io.Discard, Options{Press: &Press{Inks: inks}}, 1)
			if got := string(m.inked([]byte(tt.in))); got != tt.want {
				t.Errorf("%s became %s, want %s", tt.in, got, tt.want)
			}
		})
	}
}

// onPress is a document of two pages for a printing house.
func onPress(t testing.TB, change func(*Options)) (*file, Info, []byte) {
	t.Helper()
	o := Options{
		Title: "Folder", Created: time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC), Bleed: 12, CropMarks: true,
		Press:   &Press{Condition: Conditions()[0], Inks: []Ink{{Place: "theme.inks[0]", Color: [3]byte{1, 2, 3}, Spot: "Gold"}}},
		Anchors: []Anchor{{ID: "a", Page: 1, X: 40, Y: 80, Level: 1, Text: "A"}}, Outline: true,
	}
	if change != nil {
		change(&o)
	}
	var out bytes.Buffer
	info, err := Finish(context.Background(), &out, load(t, "links.pdf", "tagged.pdf"), o)
	if err != nil {
		t.Fatal(err)
	}
	f, err := open(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return f, info, out.Bytes()
}

// pageDicts are the pages of a file of this package, in order.
func pageDicts(t testing.TB, f *file) (pages []dict) {
	t.Helper()
	for num := range f.xref {
		v, err := f.object(num)
		if err != nil {
			t.Fatal(err)
		}
		if d, ok := v.(dict); ok && d.name("Type") == "Page" {
			pages = append(pages, d)
		}
	}
	return pages
}

func TestADocumentForThePress(t *testing.T) {
	f, info, b := onPress(t, nil)
	check(t, b, "")
	for _, want := range []string{"%PDF-1.6", "GTS_PDFXVersion>PDF/X-4<", "pdfaid:part>2<", "pdf:Trapped>False<", "xmpMM:DocumentID>uuid:", "xmp:MetadataDate>2026-11-28T12:00:00Z<"} {
		if !bytes.Contains(b, []byte(want)) {
			t.Errorf("it does not say %s", want)
		}
	}
	catalog, _ := f.dict(f.trailer.get("Root"))
	intents, _ := f.array(catalog.get("OutputIntents"))
	if len(intents) != 2 || intents[0].(dict).name("S") != "GTS_PDFX" {
		t.Fatalf("its intents are %v", intents)
	}
	profile, _ := f.resolve(intents[0].(dict).get("DestOutputProfile"))
	if icc, err := profile.(stream).decode(); err != nil || string(icc[12:20]) != "prtrCMYK" {
		t.Errorf("its profile is no one of a press: %v", err)
	}
	if diff := cmp.Diff([]Ink{{Place: "theme.inks[0]", Color: [3]byte{1, 2, 3}, Spot: "Gold"}}, info.Unused); diff != "" {
		t.Error(diff)
	}
	p := &part{f: f}
	pages := pageDicts(t, f)
	if len(pages) != 2 {
		t.Fatalf("%d pages", len(pages))
	}
	for i, page := range pages {
		if page.get("Annots") != nil {
			t.Errorf("page %d has links", i+1)
		}
		media, bleed, trim := p.rectangle(page.get("MediaBox"), defaultBox), p.rectangle(page.get("BleedBox"), defaultBox), p.rectangle(page.get("TrimBox"), defaultBox)
		if trim != grown(bleed, -9) || bleed != grown(media, -17) {
			t.Errorf("the edges of page %d are %v in %v in %v", i+1, trim, bleed, media)
		}
		resources, _ := f.dict(page.get("Resources"))
		spaces, _ := f.dict(resources.get("ColorSpace"))
		if spaces.get(defaultRGB) == nil || spaces.get("QuInk0") == nil || spaces.get("QuAll") == nil {
			t.Errorf("the colours of page %d are %v", i+1, spaces)
		}
		content, err := p.content(page.get("Contents"))
		if err != nil || bytes.Contains(content, []byte("0 0 0 rg")) || strings.Count(string(content), " l S") != 8 {
			t.Errorf("page %d shows %.300s: %v", i+1, content, err)
		}
	}
	dests, _ := f.dict(catalog.get("Dests"))
	outlines, _ := f.dict(catalog.get("Outlines"))
	first, _ := f.dict(outlines.get("First"))
	place, _ := f.array(first.get("Dest"))
	trim := p.rectangle(pages[0].get("TrimBox"), defaultBox)
	if len(place) < 4 || number(place[2]) != trim[0]+30 || number(place[3]) != trim[3]-60 {
		t.Errorf("the outline leads to %v of a page cut at %v; places are %v", place, trim, dests)
	}
	if bytes.Contains(b, []byte("DeviceRGB")) || bytes.Contains(b, []byte("/URI")) {
		t.Error("it has colours of lamps, or actions")
	}
}

func TestABleedWithoutAPress(t *testing.T) {
	f, _, b := onPress(t, func(o *Options) { o.Press, o.CropMarks, o.Accessible = nil, false, true })
	check(t, b, "")
	p := &part{f: f}
	for i, page := range pageDicts(t, f) {
		media, trim := p.rectangle(page.get("MediaBox"), defaultBox), p.rectangle(page.get("TrimBox"), defaultBox)
		if trim != grown(media, -9) {
			t.Errorf("the edges of page %d are %v in %v", i+1, trim, media)
		}
	}
	if bytes.Contains(b, []byte("GTS_PDFX")) {
		t.Error("it says that it is PDF/X")
	}
}

// An ink is used where something is painted with it, and not where its colour is chosen.
func TestInksAreUsedWhereSomethingIsPainted(t *testing.T) {
	for in, want := range map[string]bool{
		"0 0 0 rg /X1 Do":                      false,
		"0 0 0 rg 0 0 9 9 re f":                true,
		"0 0 0 RG 0 0 m 9 9 l S":               true,
		"q 0 0 0 rg Q 1 0 0 rg BT (a) Tj ET":   false,
		"0 0 0 rg q 1 0 0 rg f Q BT (a) Tj ET": true,
		"0 0 0 rg /P1 scn /Pattern cs f":       false,
	} {
		m := newMerger(io.Discard, Options{Press: &Press{Inks: []Ink{{Spot: "Soot"}}}}, 1)
		m.inked([]byte(in))
		if got := len(m.unused()) == 0; got != want {
			t.Errorf("after %s the ink is used: %t", in, got)
		}
	}
}

// A content that cannot be read has the colours of the browser: the file does not say
// that it is PDF/X.
func TestUnreadContentIsNoPDFX(t *testing.T) {
	b := bytes.Replace(load(t, "links.pdf")[0], []byte("/FlateDecode"), []byte("/LZWXDecode0"), 1)
	var out bytes.Buffer
	info, err := Finish(context.Background(), &out, []bytesPart{b}, Options{Press: &Press{Condition: Conditions()[0]}})
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(out.Bytes(), []byte("GTS_PDFXVersion")) || bytes.Contains(out.Bytes(), []byte("pdfaid:part")) || len(info.Unmet) != 1 {
		t.Errorf("it says that it is PDF/X; what keeps it from that is %v", info.Unmet)
	}
}

func TestWhatPDFXCannotBe(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"tagged":     func(o *Options) { o.Accessible = true },
		"protected":  func(o *Options) { o.Protect = &Protection{} },
		"an archive": func(o *Options) { o.Archive = Archive3B },
		"no profile": func(o *Options) { o.Press.Condition = Condition{Name: "newspaper"} },
	} {
		o := Options{Press: &Press{Condition: Conditions()[1]}}
		change(&o)
		if _, err := Finish(context.Background(), io.Discard, load(t, "links.pdf"), o); err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEveryConditionHasAProfile(t *testing.T) {
	for _, c := range Conditions() {
		b, err := c.profile()
		if err != nil || len(b) < 1<<10 || string(b[36:40]) != "acsp" || string(b[12:20]) != "prtrCMYK" {
			t.Errorf("%s: %d bytes, %v", c.Name, len(b), err)
		}
	}
}
