// Package sheets makes a workbook of a document that is compiled with its values
// marked (htmlgen.Input.Typed): one that people sort, filter and calculate with. A
// page becomes a sheet, and where it has several tables each of them one of its own.
// The document is read twice, first for what a sheet has to know before its rows,
// and its tables are never held in memory.
package sheets

import (
	"fmt"
	"io"
	"slices"

	"github.com/quire-reports/quire/render/office/opc"
	"github.com/quire-reports/quire/render/office/xlsx"
)

// Config is what a workbook needs besides the document.
type Config struct {
	About       opc.Core
	RightToLeft bool
	Codes       []string // number format codes, in the order of data-f
	// Measure is the width of a text in ems; nil: about that of usual letters.
	Measure func(text string, bold bool) float64
	// Color makes a colour of CSS one of six hexadecimal digits; nil: none is taken
	// over.
	Color func(css string) (rgb string, ok bool)
	Looks Looks
	Index string // name of the sheet that leads to the others
	// Rows is a piece, from 0, of the rows that the body of a table has elsewhere (by
	// its data-rows), whole rows as HTML; false behind the last. It may stand in room,
	// which has the piece before. nil: there are none.
	Rows func(table, piece int, room []byte) (rows []byte, ok bool)
	// Picture is what a picture's address in the document stands for; nil: nothing.
	Picture func(address string) (content []byte, contentType string, ok bool)
	// Draw makes pictures of pieces of HTML, in which the element that is marked Drawn
	// counts. They go by the document's styles. nil: what needs it is left out.
	Draw func(pieces []string) ([]Drawing, error)
	// Alive tells from time to time whether to go on; may be nil.
	Alive func() error
}

// Looks are how the rows of tables look by the theme.
type Looks struct {
	Header, Cells, Footer Look
	Groups                []Look // captions, the outermost first
	Text                  string // colour of text; six hexadecimal digits as all of them
	Banded                bool
}

// Look is how cells look. What is empty is as usual.
type Look struct {
	Color, Fill       string
	Bold              bool
	LineTop, LineFoot xlsx.Edge
}

// Warning is what did not become part of the workbook, or not as it is printed.
type Warning struct {
	ID      string // of the element in the document; empty: of no single one
	Message string
}

// indexAt is how many sheets a workbook has that begins with a list of them.
const indexAt = 9

// Write writes the workbook of a document.
func Write(w io.Writer, document []byte, c Config) ([]Warning, error) {
	b := &book{Config: c, doc: document, styles: map[styleKey]xlsx.StyleID{}, warned: map[Warning]bool{}}
	if b.Measure == nil {
		b.Measure = usualWidth
	}
	if b.Color == nil {
		b.Color = func(string) (string, bool) { return "", false }
	}
	if b.Alive == nil {
		b.Alive = func() error { return nil }
	}
	pages, err := b.read()
	if err != nil {
		return nil, err
	}
	if err := b.draw(pages); err != nil {
		return nil, err
	}
	b.arrange(pages)
	b.wb = xlsx.New(w, xlsx.Config{About: c.About, Base: xlsx.Font{Color: c.Looks.Text}, RightToLeft: c.RightToLeft, Warn: func(note string) { b.warn("", "%s", note) }})
	for _, s := range b.sheets {
		if err := b.write(s); err != nil {
			return nil, err
		}
	}
	return b.warnings, b.wb.Close()
}

// book is a workbook in the making.
type book struct {
	Config
	doc      []byte
	wb       *xlsx.Workbook
	sheets   []*sheet
	styles   map[styleKey]xlsx.StyleID
	warnings []Warning
	warned   map[Warning]bool
	inCells  int  // pictures
	leftOut  bool // pages, or all that stands on them, by what the report says
}

func (b *book) warn(id, format string, args ...any) {
	w := Warning{id, fmt.Sprintf(format, args...)}
	if !b.warned[w] {
		b.warned[w] = true
		b.warnings = append(b.warnings, w)
	}
}

// sheet is one sheet: what stands on it, one below the other.
type sheet struct {
	name   string
	page   *page
	blocks []block
	list   []*sheet // of a list of sheets, those it leads to
}

// arrange decides which sheets there are. A table that shares its page with others
// has a sheet of its own, named by its caption or the heading above it, which goes
// with it; all else stays together.
func (b *book) arrange(pages []*page) {
	for _, p := range pages {
		if p.lists && !slices.ContainsFunc(p.blocks, func(b block) bool { return b.level == 0 }) {
			continue // it was nothing but lists of pages
		}
		if p.leftOut && len(p.blocks) == 0 {
			b.leftOut = true
			continue
		}
		if p.settle(); slices.ContainsFunc(p.blocks, block.alone) {
			b.part(p)
		} else {
			b.add(p.name, p, p.blocks)
		}
		b.apart(p)
	}
	if len(b.sheets) >= indexAt {
		index := &sheet{page: &page{}, list: b.sheets}
		b.sheets = append([]*sheet{index}, b.sheets...)
		index.name = xlsx.SheetName(b.Index, b.named)
	}
	if len(b.sheets) == 0 {
		if b.leftOut {
			b.warn("", "all pages are left out of workbooks; the workbook is empty")
		} else {
			b.warn("", "no page of the report is here; the workbook is empty")
		}
		b.add(b.About.Title, &page{}, nil)
	}
}

// settle gives the tables of a page that the report puts nowhere sheets of their own
// if there are several that would stand below each other.
func (p *page) settle() {
	tables := 0
	for i := range p.blocks {
		if t := p.blocks[i].table; t != nil && t.place != ownSheet {
			tables++
		}
	}
	for i := range p.blocks {
		if t := p.blocks[i].table; t != nil && t.place == "" && tables > 1 {
			t.place = ownSheet
		}
	}
}

// alone reports a table with a sheet of its own.
func (b block) alone() bool { return b.table != nil && b.table.place == ownSheet }

// part makes sheets of a page with tables that have their own.
func (b *book) part(p *page) {
	var rest []block
	var own []*sheet
	words := false // whether the rest is more than headings
	for i := range p.blocks {
		at := p.blocks[i]
		if !at.alone() {
			rest = append(rest, at)
			words = words || at.level == 0
			continue
		}
		s := &sheet{name: at.table.caption, page: p}
		if n := len(rest); n > 0 && rest[n-1].level > 0 {
			if s.name == "" {
				s.name = rest[n-1].text
			}
			s.blocks = append(s.blocks, rest[n-1])
			rest = rest[:n-1]
		}
		s.blocks = append(s.blocks, at)
		own = append(own, s)
	}
	if words {
		b.add(p.name, p, rest)
	} else {
		own[0].blocks = append(rest, own[0].blocks...)
	}
	for _, s := range own {
		if s.name == "" {
			s.name = p.name
		}
		b.add(s.name, p, s.blocks)
	}
}

// apart gives charts of many values sheets for them.
func (b *book) apart(p *page) {
	for i := range p.blocks {
		if m := p.blocks[i].chart; m != nil && len(m.Grid.Rows) >= apartAt {
			name := m.alt
			if name == "" {
				name = p.name
			}
			b.add(name, p, []block{{values: m}})
			m.data = b.sheets[len(b.sheets)-1]
		}
	}
}

func (b *book) add(name string, p *page, blocks []block) {
	b.sheets = append(b.sheets, &sheet{name: xlsx.SheetName(name, b.named), page: p, blocks: blocks})
}

// named reports whether a sheet has the name.
func (b *book) named(name string) bool {
	for _, s := range b.sheets {
		if equalNames(s.name, name) {
			return true
		}
	}
	return false
}
