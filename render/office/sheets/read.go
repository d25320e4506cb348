package sheets

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// page is a page of the document: what stands on it, and how it is printed.
type page struct {
	name                        string
	width, height               float64    // points
	margins                     [4]float64 // points: top, right, bottom, left
	firstHeader, header, footer []mark
	blocks                      []block
	lists                       bool // it had lists of contents, which say the numbers of pages
	leftOut                     bool // tables of it are, by what the report says
	attached                    bool // it is pages of a PDF file
}

// mark is a text of a header or footer.
type mark struct{ text string }

// block is a line of text, a name with a value, or a table.
type block struct {
	text    string
	level   int // of a heading, from 1
	label   string
	kind    valueKind
	value   string
	code    int
	bold    bool
	color   string
	link    string
	table   *table
	chart   *chartMark
	picture *picture
	// values are those of a chart that stands elsewhere.
	values *chartMark
}

// Where the report puts tables and pages; what says nothing has its usual place.
const (
	ownSheet = "own-sheet"
	withPage = "with-page"
	leaveOut = "leave-out"
)

// table is what is known of a table before its rows are written.
type table struct {
	id       string
	place    string
	at       int // where its content begins in the document
	caption  string
	columns  int
	widths   []float64 // characters
	heads    int       // rows of its head
	rows     int       // of data
	levels   int       // of groups, or of a tree
	tree     bool
	captions bool // groups have captions
	footers  bool // or footers
	total    bool
	keys     []key // that are not printed, the outermost first
	names    []string
	spanned  bool // a head reaches over several columns
	wrapped  []bool
	lines    bool                  // cells have several lines
	pictures map[int][]cellPicture // by the rows, from 1
}

// key is a group's key that no column prints.
type key struct {
	level int
	name  string
	width float64
}

// region is where on a page something stands.
type region uint8

const (
	inBody region = iota
	inFirstHeader
	inHeader
	inFooter
)

// frame is an element that is open.
type frame struct {
	name  atom.Atom
	block *tag // of an element that prints a text of its own
	to    region
	from  int // how many blocks the page had before it
	// Where its tag begins and ends in the document.
	begin, end int
}

// reader reads pages.
type reader struct {
	*book
	*scanner
	pages  []*page
	page   *page
	region region
	open   []frame
	words  words
	tag    tag
	label  string // of a name whose value comes
	href   string
	marker string // before the next text: of an item of a list
	lists  []int  // numbers of the items of lists; -1 has none
	count  int
	// undrawn is a drawing, unless it turns out to be that of a chart.
	undrawn *piece
}

// read reads what the pages hold.
func (b *book) read() ([]*page, error) {
	r := &reader{book: b, scanner: scanFrom(b.doc, 0)}
	for r.scanner.read() {
		if r.count++; r.count%1024 == 0 {
			if err := b.Alive(); err != nil {
				return nil, err
			}
		}
		switch r.kind {
		case html.TextToken:
			if r.page != nil {
				r.words.add(r.scanner.text)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			if err := r.start(); err != nil {
				return nil, err
			}
		case html.EndTagToken:
			r.end()
		}
	}
	return r.pages, nil
}

func (r *reader) start() error {
	name := r.name
	switch name {
	case atom.Style, atom.Script, atom.Title, atom.Math, atom.Nav:
		r.flush()
		if name == atom.Nav && r.page != nil {
			r.page.lists = true
		}
		r.skip(name)
		return nil
	}
	r.attributes(&r.tag)
	g := r.tag
	switch {
	case name == atom.Section && g.has("q-sheet"):
		if r.startPage(&g); r.page == nil {
			return nil
		}
	case r.page == nil:
		return nil
	case name == atom.Table:
		r.flush()
		return r.table(&g)
	case name == atom.Template:
		if r.region == inBody && g.chart != "" {
			r.chart(g.chart)
		}
		r.skip(name)
		return nil
	case name == atom.Svg:
		at := r.at
		r.skip(name)
		r.picture("this drawing has no size, or is too large for a picture; the workbook leaves it out", g.alt, at)
		return nil
	case name == atom.Img:
		if p := r.drawn(&g); p != nil {
			r.flush()
			r.page.blocks = append(r.page.blocks, block{picture: p})
		} else if !g.hidden {
			r.picture("this picture cannot be shown; the workbook leaves it out", g.alt, r.at)
		}
		return nil
	case name == atom.Br:
		r.words.b.WriteByte('\n')
		r.words.gap = false
		return nil
	case g.has("q-chart-data"):
		r.flush()
		r.skip(name)
		return nil
	case g.has("q-page-number") || g.has("q-page-count") || g.has("q-page-run-count"):
		r.field(&g)
	case g.has("q-page-running"):
		r.warn("", "workbooks know no current heading or group; it is left out of their headers and footers")
	}
	if isVoid(name) || r.kind == html.SelfClosingTagToken {
		return nil
	}
	f := frame{name: name, to: r.region, from: len(r.page.blocks), begin: r.at, end: r.next}
	if !isInline(name) {
		r.flush()
		r.words.kept = g.has("q-preserve")
		f.block = &g
		r.startBlock(name, &g)
	} else if name == atom.A {
		r.href = g.href
	}
	r.open = append(r.open, f)
	return nil
}

func (r *reader) startPage(g *tag) {
	r.page = &page{name: g.dataName, width: points(g.width), height: points(g.height)}
	for i, m := range strings.Fields(g.margins) {
		if i < len(r.page.margins) {
			r.page.margins[i] = points(m)
		}
	}
	if g.workbook == leaveOut {
		r.page, r.book.leftOut = nil, true
		r.skip(atom.Section)
		return
	}
	if g.has("q-attached") {
		r.attached(g)
		return
	}
	r.pages = append(r.pages, r.page)
	r.region, r.open = inBody, r.open[:0]
}

// attached makes a block of the picture of a page of a PDF file. Pages that follow each
// other stand on one sheet.
func (r *reader) attached(g *tag) {
	page := r.page
	r.page = nil
	p := r.file(&tag{source: "attached:" + g.attached, alt: oneLine(r.noted())})
	if p == nil {
		r.warn("", "the page %q is pages of a PDF file, which a workbook cannot show. Make the report as PDF, or hand that file over as well", g.dataName)
		return
	}
	if n := len(r.pages); n > 0 && r.pages[n-1].attached && r.pages[n-1].name == page.name {
		page = r.pages[n-1]
	} else {
		page.attached = true
		r.pages = append(r.pages, page)
	}
	if width, height := points(g.width)/0.75, points(g.height)/0.75; width > 0 && height > 0 {
		p.width, p.height = width, height // as large as the page is
	}
	page.blocks = append(page.blocks, block{picture: p})
}

// noted is the text of the section that was begun, which is read over.
func (r *reader) noted() string {
	var note words
	for depth := 1; depth > 0 && r.scanner.read(); {
		switch {
		case r.kind == html.TextToken:
			note.add(r.scanner.text)
		case r.name == atom.Section && r.kind == html.StartTagToken:
			depth++
		case r.name == atom.Section && r.kind == html.EndTagToken:
			depth--
		}
	}
	return note.take()
}

func (r *reader) startBlock(name atom.Atom, g *tag) {
	switch {
	case g.has("q-first-header"):
		r.region = inFirstHeader
	case g.has("q-header"):
		r.region = inHeader
	case g.has("q-footer"):
		r.region = inFooter
	}
	switch name {
	case atom.Ul:
		r.lists = append(r.lists, -1)
	case atom.Ol:
		r.lists = append(r.lists, 1)
	case atom.Li:
		r.marker = ""
		if n := len(r.lists); n > 0 && !strings.Contains(g.style, "list-style-type:none") {
			r.marker = strings.Repeat("    ", n-1) + "• "
			if r.lists[n-1] > 0 {
				r.marker = strings.Repeat("    ", n-1) + digits(r.lists[n-1]) + ". "
				r.lists[n-1]++
			}
		}
	}
}

func (r *reader) end() {
	if r.page == nil || isVoid(r.name) {
		return
	}
	at := len(r.open) - 1
	for at >= 0 && r.open[at].name != r.name {
		at--
	}
	if at < 0 {
		if r.name == atom.Section {
			r.flush()
			r.page = nil
		}
		return
	}
	if !isInline(r.name) {
		r.flush()
		r.words.kept = false
	}
	r.tell()
	switch r.name {
	case atom.Ul, atom.Ol:
		r.lists = r.lists[:max(0, len(r.lists)-1)]
	case atom.Section:
		r.page = nil
	}
	if f := &r.open[at]; r.page != nil && f.block != nil && f.block.has("q-flow") {
		r.pair(f, at)
	}
	r.region = r.open[at].to
	r.open = r.open[:at]
}

// field is the number of a page: one in headers and footers, where it can be known.
func (r *reader) field(g *tag) {
	if r.region == inBody {
		return
	}
	code := "\x00P"
	if !g.has("q-page-number") {
		code = "\x00N"
	}
	r.words.add(code)
}

// flush makes a block of the text that was gathered.
func (r *reader) flush() {
	if r.page == nil || r.words.empty() {
		r.words.gap = false
		return
	}
	text := r.words.take()
	link := r.href
	r.href = ""
	if strings.TrimSpace(text) == "" {
		return
	}
	switch r.region {
	case inFirstHeader:
		r.page.firstHeader = append(r.page.firstHeader, mark{text})
		return
	case inHeader:
		r.page.header = append(r.page.header, mark{text})
		return
	case inFooter:
		r.page.footer = append(r.page.footer, mark{text})
		return
	}
	b := block{text: text}
	if strings.Contains(link, ":") {
		b.link = link
	}
	if r.inner(&b) {
		r.page.blocks = append(r.page.blocks, b)
	}
}

// inner takes over what the elements around a text say of it; false when the text
// is kept for the value that follows.
func (r *reader) inner(b *block) bool {
	if r.marker != "" {
		b.text = r.marker + b.text
		r.marker = ""
	}
	for i := len(r.open) - 1; i >= 0; i-- {
		f := &r.open[i]
		if f.block == nil {
			continue
		}
		if i == r.lastBlock() {
			b.kind, b.value, b.code = f.block.value()
		}
		if b.color == "" {
			b.color = declaration(f.block.style, "color")
		}
		b.bold = b.bold || heavy(f.block.style)
		switch f.name {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			b.level = int(f.name.String()[1] - '0')
		case atom.Dt:
			r.label = b.text
			return false
		case atom.Dd:
			if f.block.has("q-kv-divider") {
				return false
			}
			b.label, r.label = r.label, ""
			return true
		}
	}
	return true
}

// pair makes a name with a value of two short texts that stand beside each other, or
// below each other as one of several such pairs.
func (r *reader) pair(f *frame, at int) {
	two := r.page.blocks[min(f.from, len(r.page.blocks)):]
	if len(two) != 2 || f.block.has("q-vertical") && !r.inRow(at) {
		return
	}
	name, value := two[0], two[1]
	if name.kind != noValue && value.kind == noValue {
		name, value = value, name
	}
	if name.kind != noValue || !name.short() || !value.short() {
		return
	}
	value.label = name.text
	r.page.blocks = append(r.page.blocks[:f.from], value)
}

// inRow reports whether the flow around an element goes from side to side.
func (r *reader) inRow(at int) bool {
	for i := at - 1; i >= 0; i-- {
		if b := r.open[i].block; b != nil {
			return b.has("q-flow") && !b.has("q-vertical")
		}
	}
	return false
}

// short reports a text of one line that may name a value, or be one.
func (b *block) short() bool {
	const most = 40
	return b.table == nil && b.level == 0 && b.label == "" && b.text != "" && len(b.text) <= most && !strings.Contains(b.text, "\n")
}

func (r *reader) lastBlock() int {
	for i := len(r.open) - 1; i >= 0; i-- {
		if r.open[i].block != nil {
			return i
		}
	}
	return -1
}

// picture notes what only a browser can draw, and where it begins in the document.
func (r *reader) picture(what, alt string, at int) {
	if r.region != inBody {
		return
	}
	r.tell()
	id, alt := r.about(alt)
	shown := alt
	if shown != "" {
		shown = " (" + shown + ")"
	}
	r.undrawn = r.piece(at, r.next)
	r.undrawn.alt, r.undrawn.fault = alt, Warning{id, what + shown}
}

// tell makes a block of the drawing before, if there is one.
func (r *reader) tell() {
	if r.undrawn != nil {
		r.page.blocks = append(r.page.blocks, block{picture: &picture{piece: r.undrawn}})
		r.undrawn = nil
	}
}

// chart makes a block of a chart whose drawing was read.
func (r *reader) chart(doc string) {
	id, alt := r.about("")
	m := readChart(doc, id, alt)
	if m == nil {
		r.tell()
		return
	}
	if m.Lacks != "" {
		r.tell()
	}
	r.undrawn = nil
	r.page.blocks = append(r.page.blocks, block{chart: m})
}

// about is the element that something stands in, and its description.
func (r *reader) about(alt string) (id, description string) {
	for i := len(r.open) - 1; i >= 0 && id == ""; i-- {
		if r.open[i].block != nil {
			id = r.open[i].block.id
			if alt == "" {
				alt = r.open[i].block.alt
			}
		}
	}
	return id, oneLine(alt)
}

// table reads a table for what is to be known before its rows are written.
func (r *reader) table(g *tag) error {
	t := &table{id: g.id, at: r.next, place: g.workbook}
	if t.place == leaveOut {
		r.page.leftOut = true
	}
	if r.region != inBody || t.place == leaveOut {
		r.skip(atom.Table)
		return nil
	}
	m := measuring{book: r.book, table: t, rows: r.book.readRows(r.scanner)}
	if err := m.measure(); err != nil {
		return err
	}
	if t.columns == 0 { // it prints nothing
		return nil
	}
	t.caption = m.rows.caption
	r.page.blocks = append(r.page.blocks, block{table: t})
	return nil
}
