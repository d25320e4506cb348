package layout

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Bounds of a document. What the tab writes comes of a stranger's report.
const (
	MostBytes   = 512 << 20
	MostNodes   = 4_000_000
	MostDepth   = 200 // of nodes in one another
	MostStyles  = 20_000
	MostSheets  = 50_000
	MostColumns = 1000 // of a table
	MostSpan    = 70_000
	farthest    = 10_000_000 // pixels from the corner
)

// Decode reads a document. One that is beyond the bounds, or says what cannot be, is
// an error.
func Decode(text []byte) (*Document, error) {
	if len(text) > MostBytes {
		return nil, fmt.Errorf("the document has %d MB; at most %d are read", len(text)>>20, MostBytes>>20)
	}
	d := &Document{}
	// Half of a pair of UTF-16, which a text of a browser may have, becomes U+FFFD.
	if err := json.Unmarshal(text, d, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, fmt.Errorf("the document is unreadable: %w", err)
	}
	c := checker{d: d}
	return d, c.document()
}

// checker counts what a document has.
type checker struct {
	d     *Document
	nodes int
}

func (c *checker) document() error {
	d := c.d
	switch {
	case d.State != Flow && d.State != Pages:
		return fmt.Errorf("%q is no state of a document; accepted: flow, pages", d.State)
	case len(d.Styles) == 0 || len(d.Styles) > MostStyles:
		return fmt.Errorf("the document has %d styles; accepted: 1 to %d", len(d.Styles), MostStyles)
	case len(d.Sheets) > MostSheets:
		return fmt.Errorf("the document has %d sheets; at most %d are read", len(d.Sheets), MostSheets)
	case d.Drawings < 0 || d.Drawings > MostNodes:
		return fmt.Errorf("the document has %d drawings", d.Drawings)
	}
	for i := range d.Sheets {
		if err := c.sheet(&d.Sheets[i]); err != nil {
			return fmt.Errorf("sheet %d: %w", i+1, err)
		}
	}
	return nil
}

func (c *checker) sheet(s *Sheet) error {
	if s.Width < 1 || s.Height < 1 || s.Width > farthest || s.Height > farthest {
		return fmt.Errorf("its size is %g × %g", s.Width, s.Height)
	}
	if s.Body == nil {
		s.Body = &Node{Kind: Block}
	}
	for _, part := range []*Node{s.FirstHeader, s.Header, s.Footer, s.Body} {
		if part == nil {
			continue
		}
		if part.Kind != Block {
			return fmt.Errorf("a %s is no part of a sheet; accepted: a block", part.Kind)
		}
		if err := c.node(part, 0); err != nil {
			return err
		}
	}
	for i := range s.Stamps {
		n := &s.Stamps[i].Node
		if n.Kind != Image || n.Box == nil {
			return fmt.Errorf("a %s is no stamp; accepted: an image with a box", n.Kind)
		}
		if err := c.node(n, 0); err != nil {
			return err
		}
	}
	for i := range s.Framed {
		n := &s.Framed[i]
		if n.Kind != Block || n.Box == nil {
			return fmt.Errorf("a %s stands in no frame; accepted: a block with a box", n.Kind)
		}
		if err := c.node(n, 0); err != nil {
			return err
		}
	}
	return nil
}

// holds are what nodes hold. What stands in lines, lines holds.
var (
	lines  = []Kind{Text, Link, Field, Image, Break, Tab, Note}
	blocks = []Kind{Block, Paragraph, Flex, Columns, List, Table, Rule, Image, Page}
	holds  = map[Kind][]Kind{
		Block: blocks, Paragraph: lines, Flex: blocks, Columns: blocks, List: {Item}, Item: blocks, Table: {Row}, Row: {Cell}, Cell: blocks,
		Rule: nil, Image: nil, Text: nil, Link: lines, Field: nil, Break: nil, Tab: nil, Note: blocks, Page: nil,
	}
)

func (c *checker) node(n *Node, depth int) error {
	c.nodes++
	inside, known := holds[n.Kind]
	switch {
	case c.nodes > MostNodes:
		return fmt.Errorf("the document has more than %d nodes", MostNodes)
	case depth > MostDepth:
		return fmt.Errorf("nodes stand in one another more than %d deep", MostDepth)
	case !known:
		return fmt.Errorf("%q is no kind of a node", n.Kind)
	case n.Style < 0 || n.Style >= len(c.d.Styles):
		return fmt.Errorf("a %s has the style %d; there are %d", n.Kind, n.Style, len(c.d.Styles))
	case n.Level < 0 || n.Level > MostSpan:
		return fmt.Errorf("a %s has the level %d", n.Kind, n.Level)
	case n.Box != nil && !near(*n.Box):
		return fmt.Errorf("a %s stands at %v", n.Kind, *n.Box)
	case n.Text != "" && len(n.Children) > 0:
		return fmt.Errorf("a %s has both text and children", n.Kind)
	}
	if err := c.parts(n); err != nil {
		return err
	}
	for i := range n.Children {
		if child := &n.Children[i]; !slices.Contains(inside, child.Kind) {
			return fmt.Errorf("a %s holds a %s; accepted: %v", n.Kind, child.Kind, inside)
		} else if err := c.node(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func near(b Box) bool {
	for _, v := range [4]float64{b.X, b.Y, b.Width, b.Height} {
		if v < -farthest || v > farthest {
			return false
		}
	}
	return true
}

// parts looks at what only nodes of some kinds have, and gives these theirs.
func (c *checker) parts(n *Node) error {
	switch n.Kind {
	case Table:
		if n.Table == nil || len(n.Table.Columns) > MostColumns || n.Table.Head < 0 || n.Table.Foot < 0 || n.Table.Head+n.Table.Foot > len(n.Children) {
			return fmt.Errorf("a table has no columns, or more than %d, or more rows in its header and footer than in itself", MostColumns)
		}
	case Cell:
		if s := n.Cell; s != nil && (s.Columns < 0 || s.Columns > MostColumns || s.Rows < 0 || s.Rows > MostSpan) {
			return fmt.Errorf("a cell takes %d columns and %d rows", s.Columns, s.Rows)
		}
	case Image:
		if n.Image == nil || n.Image.Drawing < 0 || n.Image.Drawing > c.d.Drawings {
			return fmt.Errorf("a picture is none of the %d drawings, and nothing else", c.d.Drawings)
		}
	case List:
		if n.List == nil {
			n.List = &ListOf{}
		}
	case Columns:
		if n.Columns == nil || n.Columns.Count < 1 || n.Columns.Count > MostColumns {
			return fmt.Errorf("a text in columns does not say in how many")
		}
	}
	return nil
}
