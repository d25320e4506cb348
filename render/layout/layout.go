// Package layout is a document as the browser laid it out, in a form that knows
// nothing of HTML: sheets, blocks, paragraphs, tables, pictures, with the styles that
// they have and the boxes that they take. The tab writes it (assets/web/read), the writers of Office files read it. It is a leaf.
//
// A document is read in one of two states. In flow it is not paginated: a sheet is the
// source of one or more pages, tables are whole, and only what cannot be known without
// a layout has a box (columns, pictures, boxes side by side). In pages a sheet is one page,
// everything has its box, texts have the breaks that the browser gave them.
//
// All lengths are CSS pixels, 96 to the inch. All colours are six hexadecimal digits,
// RRGGBB, or eight when they are not opaque, RRGGBBAA; empty is none at all.
package layout

import (
	"encoding/json"
	"iter"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// State is what a document was when it was read.
type State string

// The states.
const (
	Flow  State = "flow"
	Pages State = "pages"
)

// Document is what was read.
type Document struct {
	State    State  `json:"state"`
	Language string `json:"language"` // by BCP 47
	RTL      bool   `json:"rtl"`      // written from right to left
	// Styles are what Node.Style counts from 0. The first is that of the document: what
	// text has that nothing else was said of.
	Styles []Style `json:"styles"`
	Sheets []Sheet `json:"sheets"`
	// Drawings is how many nodes are to be drawn as pictures; see Image.Drawing.
	Drawings int `json:"drawings"`
}

// Sheet is the source of pages, or one page.
type Sheet struct {
	ID     string  `json:"id"`   // of the page in the report
	Name   string  `json:"name"` // of the page, as people gave it
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	Margin Sides   `json:"margin"`
	// Uncounted says that page numbers pass the sheet by.
	Uncounted bool `json:"uncounted,omitempty"`
	// Anew says that page numbers begin anew with the sheet.
	Anew bool `json:"anew,omitempty"`
	// StartOn is "odd" or "even" where the sheet begins on such a page only.
	StartOn string `json:"startOn,omitempty"`
	// Number is what the page is numbered, in pages; 0 is none.
	Number int `json:"number,omitempty"`
	// Background is the colour of the whole page.
	Background string `json:"background,omitempty"`
	// Attached names what takes the place of the sheet in a PDF, such as a page of
	// another file.
	Attached string `json:"attached,omitempty"`
	// FirstHeader is what the first page of the sheet has in place of Header, which all
	// pages of it have, as they have Footer. In pages the page has its own as Header.
	FirstHeader *Node `json:"firstHeader,omitempty"`
	Header      *Node `json:"header,omitempty"`
	Footer      *Node `json:"footer,omitempty"`
	Body        *Node `json:"body"`
	// Stamps stand freely on the paper of its pages. In pages they are in the body.
	Stamps []Stamp `json:"stamps,omitempty"`
	// Framed are texts that stand freely on its first page, each at its box from the corner
	// of the paper. In pages they are in the body.
	Framed []Node `json:"framed,omitempty"`
}

// Stamp is a picture that stands freely on pages, at its box from the corner of the paper.
type Stamp struct {
	// Pages are those of the sheet that have it: all, first, following (all after it).
	Pages string `json:"pages"`
	// Above says that it covers what is printed.
	Above bool `json:"above,omitempty"`
	Node  Node `json:"node"`
}

// Kind is what a node is.
type Kind string

// The kinds. Blocks stand one below the other and hold blocks, or boxes side by side;
// paragraphs hold what stands in lines, and nothing else.
const (
	Block     Kind = "block"     // of: blocks
	Paragraph Kind = "paragraph" // of: text, link, field, image, break, tab, note
	Flex      Kind = "flex"      // of: blocks side by side; each has a box
	Columns   Kind = "columns"   // of: blocks; text in columns, see Node.Columns
	List      Kind = "list"      // of: items
	Item      Kind = "item"      // of: blocks
	Table     Kind = "table"     // of: rows
	Row       Kind = "row"       // of: cells
	Cell      Kind = "cell"      // of: blocks
	Rule      Kind = "rule"      // a line across; its style has the border, its box the length
	Image     Kind = "image"     // a picture or chart, as a block or in a line
	Text      Kind = "text"
	Link      Kind = "link"  // of: text, field, image, break
	Field     Kind = "field" // text that depends on pages
	Break     Kind = "break" // the end of a line
	Tab       Kind = "tab"   // the room between the two ends of a line, with Fill in it
	Note      Kind = "note"  // the number of a footnote; of: blocks, its text
	Page      Kind = "page"  // what follows begins on a new page
)

// Node is a piece of a document. Paragraph, Item, Cell and Link say their text in
// Text when it is one text of their own style; then they have no Children. Content is
// Children or that text.
type Node struct {
	Kind  Kind `json:"kind"`
	Style int  `json:"style"`
	// Bare says that of the style only what it says of text is the node's: margins,
	// borders, padding and ground are those of the node around it.
	Bare bool `json:"bare,omitempty"`
	// Box is where it stands: in pages from the upper left corner of the page; in flow
	// from that of the sheet, where only sizes and places side by side say something.
	Box *Box `json:"box,omitempty"`
	// ID is of the element of the report, for warnings; only the outermost node of an
	// element has it.
	ID string `json:"id,omitempty"`
	// Anchors are the names by which links and fields refer to the node.
	Anchors []string `json:"anchors,omitempty"`
	// Role is what a node is for, where its kind does not say it.
	Role Role `json:"role,omitempty"`
	// Level is of a heading, an entry of contents or a list: from 1.
	Level int  `json:"level,omitempty"`
	Keep  Keep `json:"keep,omitempty"`
	// Absolute says that the node stands at its box, over or under what is around it.
	Absolute bool `json:"absolute,omitempty"`
	// Turn is how far it is turned clockwise, in degrees; its box is that before.
	Turn float64 `json:"turn,omitempty"`
	// Scale is how many times as large as its styles say it is drawn; 0 is once. The tab
	// says sizes as they are drawn, and leaves it out.
	Scale float64 `json:"scale,omitempty"`

	Text string `json:"text,omitempty"`
	// Lines are the boxes of the lines of a paragraph, in pages.
	Lines []Box `json:"lines,omitempty"`
	// Soft says of a break that the browser made it because the line was full.
	Soft bool `json:"soft,omitempty"`
	// Hyphen says of a soft break that a hyphen was printed before it.
	Hyphen bool `json:"hyphen,omitempty"`
	// Fill is what a tab is filled with: dotted, dashed, solid; empty is nothing.
	Fill string `json:"fill,omitempty"`

	// Ref is where a link leads: an address, or # and an anchor; of a field that is a
	// page number the anchor whose page it is, or the name of what is counted.
	Ref     string     `json:"ref,omitempty"`
	Field   FieldKind  `json:"field,omitempty"`
	Columns *ColumnsOf `json:"columns,omitempty"`
	List    *ListOf    `json:"list,omitempty"`
	Table   *TableOf   `json:"table,omitempty"`
	Cell    *CellOf    `json:"cell,omitempty"`
	Image   *ImageOf   `json:"image,omitempty"`

	Children []Node `json:"children,omitempty"`
}

// Content is what a node holds: its children, or its text as one.
func (n *Node) Content() []Node {
	if n.Text == "" || n.Kind == Text || n.Kind == Field {
		return n.Children
	}
	text := Node{Kind: Text, Style: n.Style, Text: n.Text}
	if n.Kind == Paragraph || n.Kind == Link {
		return []Node{text}
	}
	return []Node{{Kind: Paragraph, Style: n.Style, Bare: true, Lines: n.Lines, Children: []Node{text}}}
}

// Box is a place: of the upper left corner, and a size.
type Box struct{ X, Y, Width, Height float64 }

// MarshalJSON writes [x, y, width, height].
func (b Box) MarshalJSON() ([]byte, error) {
	return json.Marshal([4]float64{b.X, b.Y, b.Width, b.Height})
}

// UnmarshalJSONFrom reads it.
func (b *Box) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var list [4]float64
	err := jsonv2.UnmarshalDecode(dec, &list)
	b.X, b.Y, b.Width, b.Height = list[0], list[1], list[2], list[3]
	return err
}

// Sides are lengths at the top, right, bottom and left.
type Sides [4]float64

// Indices of Sides and Style.Border.
const (
	Top = iota
	Right
	Bottom
	Left
)

// Role is what a node is for.
type Role string

// The roles of blocks and paragraphs.
const (
	Heading  Role = "heading"  // a paragraph; Level says which
	Caption  Role = "caption"  // of a figure or table; its number is a field
	Contents Role = "contents" // a block of entries: the table of contents
	Figures  Role = "figures"  // the same of captions; Ref is what is counted
	Entry    Role = "entry"    // a paragraph: one line of these; Level, Ref
	Quote    Role = "quote"
	Code     Role = "code"
	Pairs    Role = "pairs" // a block of rows: names with their values
	Pair     Role = "pair"  // a flex of them
	Term     Role = "term"  // one of the names
	Plain    Role = "plain" // an item without a marker, such as one that continues
)

// Keep is how a node is held together.
type Keep int

// The ways, added.
const (
	KeepTogether Keep = 1 << iota // no page ends inside
	KeepNext                      // no page ends after it
	KeepBefore                    // it begins a page
)

// FieldKind is what a field prints.
type FieldKind string

// The kinds of fields.
const (
	PageNumber FieldKind = "page"   // of the page that it stands on
	PageCount  FieldKind = "pages"  // how many pages are counted
	RunCount   FieldKind = "run"    // how many are counted until numbers begin anew
	PageOf     FieldKind = "pageOf" // of what Ref names
	Counter    FieldKind = "number" // of a caption; Ref is what is counted
	// Running is the last heading of the level Ref, or the last "group" of a table, that
	// began by the end of the page.
	Running FieldKind = "running"
)

// ColumnsOf is of text in columns.
type ColumnsOf struct {
	Count int     `json:"count"`
	Gap   float64 `json:"gap"`
}

// ListOf is of a list.
type ListOf struct {
	Ordered bool `json:"ordered,omitempty"`
	// Marker is what CSS calls it: decimal, lower-alpha, upper-roman, disc, circle,
	// square, none, or a text in quotation marks.
	Marker string `json:"marker,omitempty"`
	Start  int    `json:"start,omitempty"` // number of the first item; 0 is 1
	// Color is that of the markers.
	Color string `json:"color,omitempty"`
}

// TableOf is of a table.
type TableOf struct {
	Columns []float64 `json:"columns"` // widths
	// Head is how many rows are its header, which pages repeat when Repeat says so; Foot
	// how many of the last are its footer.
	Head   int  `json:"head,omitempty"`
	Foot   int  `json:"foot,omitempty"`
	Repeat bool `json:"repeat,omitempty"`
	// Title describes the table for those who do not see it.
	Title string `json:"title,omitempty"`
	// Layout says that the table only puts things side by side.
	Layout bool `json:"layout,omitempty"`
}

// CellOf is of a cell that is more than one field of the grid, or a header.
type CellOf struct {
	Columns int  `json:"columns,omitempty"` // that it takes; 0 is 1
	Rows    int  `json:"rows,omitempty"`
	Head    bool `json:"head,omitempty"`
}

// ImageOf is of a picture.
type ImageOf struct {
	// Source is the address of a file, among the resources of the document or as a
	// data address.
	Source string `json:"source,omitempty"`
	// SVG is the picture itself.
	SVG string `json:"svg,omitempty"`
	// Drawing is the number, from 1, of its drawing: a picture that the browser makes
	// of what has no other form, and of SVG. 0 is none.
	Drawing int `json:"drawing,omitempty"`
	// Chart says what the picture shows, as package htmlgen writes it.
	Chart json.RawMessage `json:"chart,omitempty"`
	// Alt describes the picture; Decorative says that there is nothing to describe.
	Alt        string `json:"alt,omitempty"`
	Decorative bool   `json:"decorative,omitempty"`
	// What says what became a picture although it is none, for the warning.
	What string `json:"what,omitempty"`
	// Crop is how much of the picture is cut off at its sides, as shares of its size.
	Crop *Sides `json:"crop,omitempty"`
}

// All are the node and all nodes in it, in their order.
func (n *Node) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) { n.all(yield) }
}

func (n *Node) all(yield func(*Node) bool) bool {
	if n == nil {
		return true
	}
	if !yield(n) {
		return false
	}
	for i := range n.Children {
		if !n.Children[i].all(yield) {
			return false
		}
	}
	return true
}

// Nodes are all nodes of the document, those of headers and footers included.
func (d *Document) Nodes() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for i := range d.Sheets {
			s := &d.Sheets[i]
			for _, part := range []*Node{s.FirstHeader, s.Header, s.Footer, s.Body} {
				if !part.all(yield) {
					return
				}
			}
			for i := range s.Stamps {
				if !s.Stamps[i].Node.all(yield) {
					return
				}
			}
			for i := range s.Framed {
				if !s.Framed[i].all(yield) {
					return
				}
			}
		}
	}
}
