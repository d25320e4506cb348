package render

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/render/layout"
)

var update = flag.Bool("update", false, "rewrite golden files")

// readerPool has the paginator and the reader that are built into assets.
func readerPool(t testing.TB) *Pool {
	t.Helper()
	reader, err := os.ReadFile("../assets/dist/read.js")
	if err != nil {
		t.Fatal(err)
	}
	c := func(c *Config) {
		c.Script, c.Reader, c.Timeout, c.Stall = realScript(t), reader, 2*time.Minute, time.Minute
	}
	return newPool(t, c)
}

// bulletin is three pages of all that documents hold. Its font is every browser's own and
// its lines have exact heights, so that boxes are the same everywhere.
const bulletin = `<!doctype html><html lang="en"><head><meta charset="utf-8"><style>
*{box-sizing:border-box} body{margin:0;font:10px/16px monospace;color:#203040} h1,h2,p,ul,ol,dl,figure{margin:0} .q-entry{display:flex} .q-leader{flex:1;border-bottom:1px dotted}
table{border-collapse:collapse} td,th{padding:2px 4px;text-align:left} .r{text-align:right} .card{background:#eef;padding:8px;border:1px solid #336} .half{opacity:.5}
</style></head><body class="q-doc q-pending">
<section class="q-sheet" data-page="1" data-name="Sales" data-count="1" data-width="400px" data-height="300px" data-margin="20px" data-background="#fffff0">
<div class="q-header"><div style="display:flex"><div style="flex:1">Acme <b>Ltd</b></div><div>Page <span class="q-page-number"></span> of <span class="q-page-count"></span></div></div></div>
<div class="q-body" id="page-1">
<h1 class="q-el q-heading" data-id="e1" id="h-sales" data-outline="1" style="font-size:20px;line-height:24px">Sales</h1>
<nav class="q-el q-toc" data-id="e2"><a class="q-entry q-toc-2" href="#h-costs"><span class="q-entry-title"><span class="q-number">2</span> Costs</span><span class="q-leader"></span><span class="q-page-of" data-target="h-costs"></span></a></nav>
<p data-id="e3" class="q-el" data-break="auto">Words that  are
 many <a href="https://example.com/a?b=1">with a <i>link</i></a>, a break<br>and <span class="half">what is pale</span>, so that lines wrap somewhere on this narrow page.</p>
<div class="q-el card" data-id="e4"><p style="font-weight:700">Note</p><p>H<sub>2</sub>O</p></div>
<table class="q-el q-data-table" data-id="e5" data-break="auto"><thead><tr data-repeat><th>City</th><th class="r" colspan="2">Sold</th></tr></thead>
<tbody><tr><td rowspan="2" style="width:100px">Bregenz</td><td style="width:60px">1</td><td style="width:40px" class="r">12.50</td></tr><tr><td>2</td><td class="r">7.00</td></tr></tbody><tfoot><tr><td colspan="3">All</td></tr></tfoot></table>
<ol start="3" style="list-style-type:upper-roman"><li>three<ul style="list-style-type:disc"><li>inner</li></ul></li><li>four</li></ol>
<figure class="q-el q-chart" data-id="e6" role="img" aria-label="Sold by city" style="width:120px"><svg width="120" height="40"><rect width="60" height="40" fill="#00f"/></svg><template data-chart='{"kind": "x"}'></template></figure>
<div class="q-el q-figure-caption" data-id="e7" data-keep-prev id="figure-charts-1"><span class="q-figure-name">Chart 1</span> Sold</div>
<h2 class="q-el q-heading" data-id="e8" id="h-costs" data-outline="2" data-break-before="page" style="font-size:14px;line-height:16px">Costs</h2>
<div class="q-el q-svg" style="transform:rotate(90deg);width:60px;height:20px" data-id="e9">turned</div>
<div class="q-el" style="position:absolute;left:10px;top:5px;width:50px" data-id="e10">Draft</div>
<hr class="q-el q-separator" data-id="e11" style="border:0;margin:0;background:#c00;height:2px;width:100px">
</div></section></body></html>`

// TestRead is a golden of both states of a document: what is read before it is
// paginated and after it.
func TestRead(t *testing.T) {
	t.Parallel()
	p := readerPool(t)
	for _, state := range []layout.State{layout.Flow, layout.Pages} {
		r, err := p.Read(t.Context(), Job{HTML: []byte(bulletin)}, Reading{State: state})
		if err != nil {
			t.Fatal(err)
		}
		if want := map[layout.State]int{layout.Flow: 1, layout.Pages: 3}[state]; len(r.Document.Sheets) != want || r.Drawings[0].PNG != nil {
			t.Errorf("%s: %d sheets", state, len(r.Document.Sheets))
		}
		for i := range r.Document.Styles { // of whatever font this machine has
			if s := &r.Document.Styles[i]; s.Font != "" && (s.Natural < 0.8 || s.Natural > 2) {
				t.Errorf("lines of %s are %g times as high as its letters", s.Font, s.Natural)
			}
			r.Document.Styles[i].Natural = 0
		}
		golden(t, filepath.Join("testdata", "read-"+string(state)+".golden"), outline(r.Document))
	}
}

// outline is a document with a line for each node.
func outline(d *layout.Document) string {
	var b strings.Builder
	line := func(v any) string {
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		return string(text)
	}
	var write func(n *layout.Node, depth int)
	write = func(n *layout.Node, depth int) {
		if n == nil {
			return
		}
		alone := *n
		alone.Children = nil
		fmt.Fprintf(&b, "%s%s\n", strings.Repeat("  ", depth), line(alone))
		for i := range n.Children {
			write(&n.Children[i], depth+1)
		}
	}
	for i := range d.Sheets {
		s := d.Sheets[i]
		parts := []*layout.Node{s.FirstHeader, s.Header, s.Footer, s.Body}
		s.FirstHeader, s.Header, s.Footer, s.Body = nil, nil, nil, nil
		fmt.Fprintln(&b, line(s))
		for _, part := range parts {
			write(part, 1)
		}
	}
	for i := range d.Styles {
		fmt.Fprintf(&b, "style %d %s\n", i, line(d.Styles[i]))
	}
	return b.String()
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is another (-update rewrites it):\n%s", file, got)
	}
}

// Pictures are drawn that are asked for, each once, wherever they stand.
func TestReadDraws(t *testing.T) {
	t.Parallel()
	p := readerPool(t)
	const logo = `<svg width="40" height="20"><rect width="20" height="20" fill="#0000ff"/></svg>`
	html := `<!doctype html><html><body class="q-doc q-pending"><section class="q-sheet" data-width="200px" data-height="100px" data-margin="0"><div class="q-header">` + logo + `</div><div class="q-body">` + logo +
		strings.Repeat(`<p style="margin:0;height:50px">x</p>`, 700) + `<svg width="10" height="10"><rect width="10" height="10" fill="#ff0000"/></svg></div></section></body></html>`
	for _, state := range []layout.State{layout.Flow, layout.Pages} {
		asked := 0
		r, err := p.Read(t.Context(), Job{HTML: []byte(html)}, Reading{State: state, Draw: func(m *layout.ImageOf) bool {
			asked++
			return true
		}})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Drawings) != 2 || asked < 3 {
			t.Fatalf("%s: %d drawings, %d asked for", state, len(r.Drawings), asked)
		}
		for i, want := range []struct {
			width, height int
			color         [4]uint32
		}{{80, 40, [4]uint32{0, 0, 0xffff, 0xffff}}, {20, 20, [4]uint32{0xffff, 0, 0, 0xffff}}} {
			img, err := png.Decode(bytes.NewReader(r.Drawings[i].PNG))
			if err != nil {
				t.Fatal(err)
			}
			var c [4]uint32
			c[0], c[1], c[2], c[3] = img.At(15, 15).RGBA()
			if size := img.Bounds().Size(); size.X != want.width || size.Y != want.height || c != want.color {
				t.Errorf("%s: drawing %d is %v, %x", state, i+1, size, c)
			}
		}
	}
}

// What the reader paints is what the window shows.
func TestReadPaintsWhatTheWindowShows(t *testing.T) {
	t.Parallel()
	painting := readerWith(t, "")
	window := readerWith(t, `{ const draw = quireReader.draw; quireReader.draw = async (...a) => (await draw.apply(quireReader, a)).map((d) => ({ ...d, png: null })); }`)
	never := readerWith(t, `{ const draw = quireReader.draw; quireReader.draw = async (...a) => (await draw.apply(quireReader, a)).map((d) => d.png ? d : { ...d, width: 0 }); }`)
	shape := `<g stroke="#00aa00"><circle cx="20" cy="12" r="9" fill="#ff0000" stroke-width="1.5"/><path d="M2 2L38 22" stroke="#0000ff"/></g>`
	file := func(head string) string {
		return "data:image/svg+xml," + url.PathEscape(`<svg xmlns="http://www.w3.org/2000/svg" `+head+`>`+shape+`</svg>`)
	}
	sized, boxed := file(`width="40" height="24"`), file(`viewBox="0 0 40 24"`)
	font, err := os.ReadFile("../assets/fonts/source-serif-4/source-serif-4-latin-400-normal.woff2")
	if err != nil {
		t.Fatal(err)
	}
	resources := func(path string) (string, []byte, bool) {
		if path == "shape.svg" {
			return "image/svg+xml", []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="24">` + shape + `</svg>`), true
		}
		return "font/woff2", font, path == "serif.woff2"
	}
	for _, c := range []struct {
		name, html string
		painted    bool
	}{
		{"a drawing", `<svg width="40" height="24">` + shape + `</svg>`, true},
		{"a drawing larger than its view", `<svg width="133.3" height="80" viewBox="0 0 40 24">` + shape + `</svg>`, true},
		{"colours of a style sheet", `<svg width="40" height="24" class="c"><circle cx="9" cy="9" r="7"/></svg>`, true},
		{"text", `<svg width="300" height="60" style="font-family:Brought,serif"><text x="5" y="30" font-size="22">Ragged figures 123</text><text x="290" y="50" text-anchor="end" style="font-family:serif">end</text></svg>`, true},
		{"a file in a drawing, seen through and turned", `<svg width="90" height="90"><g transform="translate(45 45) rotate(-45)"><image href="` + ResourceBase + `shape.svg" x="-40" y="-24" width="80" height="48" opacity="0.5"/></g></svg>`, true},
		{"a file that is not there in a drawing", `<svg width="40" height="24">` + shape + `<image href="` + ResourceBase + `lacking.svg" width="9" height="9"/></svg>`, false},
		{"a file", `<img src="` + sized + `" style="width:109.09px;height:65.5px">`, true},
		{"a file without a size", `<img src="` + boxed + `" style="width:100px">`, true},
		{"a file without a size of which a part is seen", `<img src="` + boxed + `" style="width:50px;height:50px;object-fit:cover">`, true},
		{"a file of which a part is seen", `<img src="` + sized + `" style="width:50px;height:50px;object-fit:cover">`, true},
		{"a file with room beside it", `<img src="` + sized + `" style="width:90px;height:30px;object-fit:contain">`, true},
		{"a file that is stretched", `<img src="` + sized + `" style="width:90px;height:30px">`, false},
		{"round corners", `<img src="` + sized + `" style="width:80px;height:48px;border-radius:20px">`, false},
		{"round corners around", `<div style="width:80px;height:48px;border-radius:20px;overflow:hidden"><img src="` + sized + `" style="width:80px;height:48px"></div>`, false},
		{"half seen through", `<div style="opacity:0.5"><svg width="40" height="24">` + shape + `</svg></div>`, false},
		{"a gradient of another drawing", `<svg width="40" height="24"><rect width="40" height="24" fill="url(#there)"/></svg><svg width="4" height="4"><linearGradient id="there"><stop stop-color="#ff0000"/></linearGradient></svg>`, false},
	} {
		html := `<!doctype html><html><head><style>.c{fill:#123456} @font-face{font-family:Brought;src:url(` + ResourceBase + `serif.woff2)} img,svg{display:block}</style></head><body class="q-doc q-pending"><section class="q-sheet" data-width="500px" data-height="500px" data-margin="0"><div class="q-body"><p style="font-family:Brought">Words</p>` + c.html + `</div></section></body></html>`
		first := func(p *Pool) Drawing {
			r, err := p.Read(t.Context(), Job{HTML: []byte(html), Resources: resources}, Reading{State: layout.Flow, Draw: func(*layout.ImageOf) bool { return true }})
			if err != nil || len(r.Drawings) == 0 {
				t.Fatalf("%s: %v", c.name, err)
			}
			return r.Drawings[0]
		}
		shown, got := first(window), first(painting)
		if painted := len(first(never).PNG) > 0; painted != c.painted {
			t.Errorf("%s: painted is %t", c.name, painted)
		}
		if diff := differentPixels(t, shown.PNG, got.PNG); diff > 0.02 {
			t.Errorf("%s: %.1f %% of the pixels are others", c.name, diff*100)
		}
	}
}

// Lines are as high as the font that is printed has them, also where its usual weight is
// never loaded: that of a heading may be all that a document has.
func TestReadMeasuresFontsThatAreThere(t *testing.T) {
	t.Parallel()
	p := readerPool(t)
	font, err := os.ReadFile("../assets/fonts/source-serif-4/source-serif-4-latin-400-normal.woff2")
	if err != nil {
		t.Fatal(err)
	}
	natural := func(weight string) float64 {
		html := `<!doctype html><html><head><style>@font-face{font-family:Brought;font-weight:` + weight + `;src:url(` + ResourceBase + `there.woff2)} @font-face{font-family:Brought;font-weight:100;src:url(` + ResourceBase + `lacking.woff2)}
			h1{font:` + weight + ` 20px Brought,monospace}</style></head><body class="q-doc q-pending"><section class="q-sheet" data-width="500px" data-height="500px" data-margin="0"><div class="q-body"><h1>Words</h1></div></section></body></html>`
		r, err := p.Read(t.Context(), Job{HTML: []byte(html), Resources: func(path string) (string, []byte, bool) { return "font/woff2", font, path == "there.woff2" }}, Reading{State: layout.Flow})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range r.Document.Styles {
			if s.Font == "Brought" {
				return s.Natural
			}
		}
		t.Fatal("no text has the font")
		return 0
	}
	if usual, heavy := natural("400"), natural("900"); usual != heavy || usual < 1.2 {
		t.Errorf("lines are %g high where the font has the usual weight, %g where it has another", usual, heavy)
	}
}

// Large drawings come one by one, and no more of them are painted than there is room for.
func TestReadDrawsNoMoreThanThereIsRoomFor(t *testing.T) {
	t.Parallel()
	p := readerWith(t, `{ const draw = quireReader.draw; quireReader.draw = async (...a) => {
		const made = await draw.apply(quireReader, a), before = made.slice(0, -1).reduce((n, d) => n + d.png.length, 0);
		if (before > 12e6) throw new Error(before + " letters at once");
		return made;
	}; }`)
	noise := image.NewGray(image.Rect(0, 0, readPixels, readPixels))
	rand.NewChaCha8([32]byte{}).Read(noise.Pix) //nolint:errcheck // it never fails
	var file bytes.Buffer
	if err := png.Encode(&file, noise); err != nil {
		t.Fatal(err)
	}
	const many = 10
	html := `<!doctype html><html><body class="q-doc q-pending"><section class="q-sheet" data-width="900px" data-height="900px" data-margin="0"><div class="q-body">`
	for i := range many {
		html += fmt.Sprintf(`<img src="%snoise%d.png" style="display:block;width:800px;height:800px">`, ResourceBase, i)
	}
	r, err := p.Read(t.Context(), Job{
		HTML:      []byte(html + `</div></section></body></html>`),
		Resources: func(string) (string, []byte, bool) { return "image/png", file.Bytes(), true },
	}, Reading{State: layout.Flow, Draw: func(*layout.ImageOf) bool { return true }})
	if err != nil || len(r.Drawings) != many {
		t.Fatal(err)
	}
	drawn, size, largest := 0, 0, 0
	for i, d := range r.Drawings {
		if len(d.PNG) > 0 && i == drawn {
			drawn++
		}
		size, largest = size+len(d.PNG), max(largest, len(d.PNG))
	}
	if drawn == many || size < drawingBytes || size >= drawingBytes+largest {
		t.Errorf("%d of %d drawings have %d bytes, the largest %d", drawn, many, size, largest)
	}
}

// A round piece of colour is a picture, drawn once however often it stands there, and the
// line under a head over several columns is that of its cell.
func TestReadTellsDotsAndLinesUnderHeads(t *testing.T) {
	t.Parallel()
	p := readerPool(t)
	dot := `<div style="width:10px;height:10px;background:#ff0000;border-radius:5px"></div>`
	html := `<!doctype html><html><head><style>th[colspan]{position:relative} th[colspan]::after{content:"";position:absolute;inset:auto 3px 0;border-bottom:2px solid #00ff00}</style></head><body class="q-doc q-pending"><section class="q-sheet" data-width="500px" data-height="500px" data-margin="0"><div class="q-body"><div style="display:flex;gap:4px">` +
		dot + dot + `<div style="width:10px;height:10px;background:#ff0000"></div></div><table><thead><tr><th colspan="2">Both</th></tr></thead><tbody><tr><td>a</td><td>b</td></tr></tbody></table></div></section></body></html>`
	r, err := p.Read(t.Context(), Job{HTML: []byte(html)}, Reading{State: layout.Flow})
	if err != nil {
		t.Fatal(err)
	}
	dots, lines := 0, 0
	for n := range r.Document.Nodes() {
		if n.Kind == layout.Image && n.Image.Decorative {
			dots++
		}
		if b := r.Document.Styles[n.Style].Border; n.Kind == layout.Cell && b != nil && b[layout.Bottom] == (layout.Edge{Width: 2, Color: "00FF00"}) {
			lines++
		}
	}
	if dots != 2 || r.Document.Drawings != 1 || lines != 1 {
		t.Errorf("%d dots of %d drawings, %d lines", dots, r.Document.Drawings, lines)
	}
}

// TestReadTellsWidths: what has a width of its own has the room beside it as margins, from
// whichever side it begins.
func TestReadTellsWidths(t *testing.T) {
	t.Parallel()
	p := readerPool(t)
	html := `<!doctype html><html><body class="q-doc q-pending" style="margin:0"><section class="q-sheet" data-width="500px" data-height="500px" data-margin="0"><div class="q-body" style="width:500px;padding:0 20px;box-sizing:border-box">` +
		`<div style="width:50%">half</div><div style="max-width:160px;margin:0 auto">middle</div><div dir="rtl"><div style="width:100px">right</div>and more</div><div style="width:calc(100% - 10px);margin-left:10px">all</div><div>all</div>` +
		`<div style="display:flex;line-height:20px"><div style="padding:2px 0">one</div><div style="width:10px">two lines</div></div></div></section></body></html>`
	r, err := p.Read(t.Context(), Job{HTML: []byte(html)}, Reading{State: layout.Flow})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]layout.Sides{"half": {0, 230, 0, 0}, "middle": {0, 150, 0, 150}, "right": {0, 0, 0, 360}, "all": {0, 0, 0, 10}}
	for n := range r.Document.Nodes() {
		if n.Kind != layout.Paragraph {
			continue
		}
		if n.Text == "one" && (n.Box == nil || n.Box.Height >= 44) {
			t.Errorf("one line is as high as what stands beside it: %v", n.Box)
		}
		if m := r.Document.Styles[n.Style].Margin; m != nil && *m != want[n.Text] {
			t.Errorf("%q has the margins %v, want %v", n.Text, *m, want[n.Text])
		} else if m == nil && want[n.Text] != (layout.Sides{}) && n.Text != "all" {
			t.Errorf("%q has no margins, want %v", n.Text, want[n.Text])
		}
	}
}

// TestReadTellsFrames: text that stands freely on the first page has the places of its lines.
func TestReadTellsFrames(t *testing.T) {
	t.Parallel()
	p := readerPool(t)
	html := `<!doctype html><html><body class="q-doc q-pending" style="margin:0;font:10px/20px sans-serif"><section class="q-sheet" data-width="500px" data-height="500px" data-margin="20px"><div class="q-on-pages" data-id="a" data-pages="first" data-layer="behind" style="left:90px;top:170px;width:280px;height:160px"><div style="height:60px;display:flex;align-items:flex-end">Acme</div><div style="white-space:pre-wrap">Ann Lee
Mill Lane</div><div></div></div><div class="q-body"><p>Text</p></div></section></body></html>`
	r, err := p.Read(t.Context(), Job{HTML: []byte(html)}, Reading{State: layout.Flow})
	if err != nil {
		t.Fatal(err)
	}
	framed := r.Document.Sheets[0].Framed
	if len(framed) != 2 {
		t.Fatalf("%d frames, want 2", len(framed))
	}
	for i, want := range []struct{ top, bottom float64 }{{210, 230}, {230, 270}} {
		n := framed[i]
		if b := n.Box; n.ID != "a" || b.X != 90 || b.Width != 280 || b.Y < want.top || b.Y+b.Height > want.bottom {
			t.Errorf("frame %d of %q stands at %v, want lines from %g to %g", i, n.ID, *b, want.top, want.bottom)
		}
	}
}

// TestReadTellsOutlines: a second line around a box is a box of its own, inside or outside of
// the border, and a line of text in the middle of a flex column is centred.
func TestReadTellsOutlines(t *testing.T) {
	t.Parallel()
	p := readerPool(t)
	html := `<!doctype html><html><head><style>*{box-sizing:border-box} body{margin:0;font:10px/16px monospace} p{margin:0}</style></head><body class="q-doc q-pending"><section class="q-sheet" data-width="500px" data-height="500px" data-margin="0"><div class="q-body">
<div class="q-el" data-id="inside" style="border:2px solid #111111;padding:20px;height:100px;outline:1px dashed #222222;outline-offset:-9px"><p>Certificate</p></div>
<p class="q-el" data-id="outside" style="margin:10px 0;outline:2px solid #333333;outline-offset:3px">Note</p>
<div style="display:flex;flex-direction:column;align-items:center"><p>In the middle</p></div></div></section></body></html>`
	inside, outside := layout.Edge{Width: 1, Line: "dashed", Color: "222222"}, layout.Edge{Width: 2, Color: "333333"}
	for _, state := range []layout.State{layout.Flow, layout.Pages} {
		r, err := p.Read(t.Context(), Job{HTML: []byte(html)}, Reading{State: state})
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for n := range r.Document.Nodes() {
			s := r.Document.Styles[n.Style]
			at := fmt.Sprint(s.Padding, s.Height)
			if state == layout.Pages {
				at = fmt.Sprint(*n.Box)
			}
			switch {
			case s.Border != nil && s.Border[layout.Left] == inside:
				said = append(said, "inside "+at)
			case s.Border != nil && s.Border[layout.Left] == outside:
				said = append(said, "outside "+at)
			case n.ID == "inside" && state == layout.Flow:
				said = append(said, "around "+at)
			case state == layout.Flow && s.Align == "center" && n.Kind == layout.Paragraph:
				said = append(said, n.Text)
			}
		}
		want := map[layout.State]string{
			layout.Flow:  "around &[6 6 6 6] 100; inside &[13 13 13 13] 84; outside &[3 3 3 3] 0; In the middle",
			layout.Pages: "inside {8 8 484 84}; outside {-5 105 510 26}",
		}[state]
		if got := strings.Join(said, "; "); got != want {
			t.Errorf("%s: %s; want %s", state, got, want)
		}
	}
}

// readerWith is a pool whose reader has more to say.
func readerWith(t *testing.T, more string) *Pool {
	t.Helper()
	reader, err := os.ReadFile("../assets/dist/read.js")
	if err != nil {
		t.Fatal(err)
	}
	return newPool(t, func(c *Config) {
		c.Script, c.Reader, c.Timeout, c.Stall = realScript(t), append(reader, more...), 2*time.Minute, time.Minute
	})
}

// differentPixels is the share of pixels that are clearly others.
func differentPixels(t *testing.T, a, b []byte) float64 {
	t.Helper()
	one, err := png.Decode(bytes.NewReader(a))
	if err != nil {
		t.Fatal(err)
	}
	other, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if one.Bounds() != other.Bounds() {
		t.Errorf("%v, and %v", one.Bounds(), other.Bounds())
		return 1
	}
	size, others := one.Bounds().Size(), 0
	for y := range size.Y {
		for x := range size.X {
			r, g, b, alpha := one.At(x, y).RGBA()
			r2, g2, b2, alpha2 := other.At(x, y).RGBA()
			for _, d := range [][2]uint32{{r, r2}, {g, g2}, {b, b2}, {alpha, alpha2}} {
				if max(d[0], d[1])-min(d[0], d[1]) > 0x4000 {
					others++
					break
				}
			}
		}
	}
	return float64(others) / float64(size.X*size.Y)
}

// A style that a style sheet gives by place is not taken for that of others, and what is
// printed next is as it would have been.
func TestReadTellsElementsApart(t *testing.T) {
	t.Parallel()
	p := readerPool(t)
	rows := strings.Repeat(`<tr><td>a</td><td>b</td></tr>`, 6)
	many := ""
	for i := range 30 {
		many += fmt.Sprintf("td:nth-child(%d){color:#00000%d}", i+10, i%10)
	}
	for _, css := range []string{
		"", "tr:nth-child(3) td{color:#ff0000}", "#third{color:#ff0000}", "td[data-mark]{color:#ff0000}", many + "#third{color:#ff0000}",
		"td:only-child{color:#ff0000}td:nth-child(2)::after,~::before{content:'x'}", "tr{td:only-child{color:#ff0000}}", "p ~ ::after{content:'x'}tr:nth-child(7) > :first-child{color:#ff0000}",
	} {
		html := `<!doctype html><html><head><style>td{color:#000000}` + css + `</style></head><body class="q-doc q-pending"><section class="q-sheet" data-width="200px" data-height="500px" data-margin="0"><div class="q-body"><table>` +
			strings.Replace(rows, `</tr><tr><td>a</td><td>b`, `</tr><tr><td>a</td><td>b`, 1) + `<tr><td id="third" data-mark="1">c</td></tr></table></div></section></body></html>`
		r, err := p.Read(t.Context(), Job{HTML: []byte(html)}, Reading{State: layout.Flow})
		if err != nil {
			t.Fatal(err)
		}
		red := 0
		for n := range r.Document.Nodes() {
			if n.Kind == layout.Cell && r.Document.Styles[n.Style].Color == "FF0000" {
				red++
			}
		}
		want := map[string]int{"": 0, "tr:nth-child(3) td{color:#ff0000}": 2}
		if w, known := want[css]; red != w && known || !known && red != 1 {
			t.Errorf("%q: %d cells are red", css, red)
		}
	}
	res := mustPrint(t, p, Job{HTML: []byte(bulletin), Paginate: true})
	if len(res.Pages) != 3 {
		t.Errorf("%d pages after that", len(res.Pages))
	}
}

func TestReadWithoutReader(t *testing.T) {
	t.Parallel()
	p := newPool(t, nil)
	if _, err := p.Read(t.Context(), Job{HTML: []byte(bulletin)}, Reading{State: layout.Flow}); err == nil || !strings.Contains(err.Error(), "reader") {
		t.Errorf("read with %v", err)
	}
}

// TestReadReferences: references to one target show its page everywhere, in headers and
// footnotes, too.
func TestReadReferences(t *testing.T) {
	t.Parallel()
	const of = `<a class="q-ref" href="#last"><span class="q-page-of" data-target="last"></span></a>`
	const source = `<!doctype html><html lang="en"><body class="q-doc q-pending">
<section class="q-sheet" data-page="1" data-count="1" data-width="400px" data-height="300px" data-margin="20px">
<div class="q-header"><p>Last on ` + of + `</p></div>
<div class="q-body"><p class="q-el">See ` + of + `<span class="q-note"><span class="q-aside"> (</span>and ` + of + `<span class="q-aside">)</span></span></p>
<h2 class="q-el" id="last" data-break-before="page">Last</h2></div></section></body></html>`
	p := readerPool(t)
	for _, state := range []layout.State{layout.Flow, layout.Pages} {
		r, err := p.Read(t.Context(), Job{HTML: []byte(source)}, Reading{State: state})
		if err != nil {
			t.Fatal(err)
		}
		shown := 0
		for n := range r.Document.Nodes() {
			if n.Field == layout.PageOf {
				shown++
				if n.Text != "2" {
					t.Errorf("%s: a reference shows %q", state, n.Text)
				}
			}
		}
		if shown < 3 {
			t.Errorf("%s: %d references", state, shown)
		}
	}
}
