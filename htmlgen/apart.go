package htmlgen

import (
	"slices"

	"github.com/klauspost/compress/s2"
)

// Rows of large tables are kept apart from a typed document, and packed: whoever makes
// a workbook reads them one after the other, and as HTML they take more memory than
// all else of it. The body of such a table is empty and says in data-rows where they
// are.

const (
	// apartFrom is from how many rows on.
	apartFrom = 2000
	// apartPiece is how much of them is packed together.
	apartPiece = 128 << 10
)

// packedRows are the rows of a table in pieces of whole rows.
type packedRows [][]byte

// Rows is a piece, from 0, of the rows of the table that says table in data-rows, as
// HTML, written into room where that is large enough; false behind the last.
func (d *Document) Rows(table, piece int, room []byte) (rows []byte, ok bool) {
	if table < 0 || table >= len(d.rows) || piece < 0 || piece >= len(d.rows[table]) {
		return nil, false
	}
	rows, err := s2.Decode(room[:cap(room)], d.rows[table][piece])
	return rows, err == nil
}

// isApart reports whether the rows of a table are kept apart. Cells that hold elements
// or markup stay in the document, which says what fonts and pictures they need.
func (t *table) isApart() bool {
	return t.c.in.Typed && len(t.all) >= apartFrom && !slices.ContainsFunc(t.columns, func(col *column) bool {
		switch col.p.Renderer {
		case "html", "elements", "component", "function":
			return true
		}
		return false
	})
}

// openBody begins the body of a table.
func (t *table) openBody() {
	c := t.c
	c.Raw("<tbody")
	if t.apart = t.isApart(); t.apart {
		c.Raw(` data-rows="`)
		c.Int(len(c.rows))
		c.Raw(`"`)
		c.rows = append(c.rows, nil)
	}
	c.Raw(">\n")
	t.bodyAt, c.apart = c.Len(), t.apart
}

func (t *table) closeBody() {
	t.pack(1)
	t.c.apart = false
	t.c.Raw("</tbody>\n")
}

// pack takes the rows since the last time out of the document if there are so many
// bytes of them.
func (t *table) pack(least int) {
	c := t.c
	written := c.buf[t.bodyAt:]
	if !t.apart || len(written) < least {
		return
	}
	t.packing = s2.Encode(t.packing[:cap(t.packing)], written)
	packed := slices.Clone(t.packing) // without the room for what cannot be packed
	last := len(c.rows) - 1
	c.rows[last] = append(c.rows[last], packed)
	c.packed += len(written)
	if c.over == nil && c.in.Spend != nil {
		c.over = c.in.Spend(int64(len(packed)))
	}
	c.buf = c.buf[:t.bodyAt]
}
