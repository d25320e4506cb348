package sheets

import "golang.org/x/net/html/atom"

// ahead reads rows that stand elsewhere on a goroutine of its own, while those before
// them are worked on.
type ahead struct {
	read, free chan *pieceOfRows
	now        *pieceOfRows
	at         int // the next row of it
	panicked   any
}

// pieceOfRows are rows that were read together.
type pieceOfRows struct {
	html []byte // which their texts are parts of
	rows []row
	n    int // how many there are
}

// readAhead is how many pieces of rows are held at once.
const readAhead = 3

// newAhead begins to read the pieces of a table, which find gives; stop ends it.
func newAhead(find func(piece int, room []byte) (rows []byte, ok bool), part atom.Atom) *ahead {
	a := &ahead{read: make(chan *pieceOfRows, readAhead), free: make(chan *pieceOfRows, readAhead)}
	for range readAhead {
		a.free <- &pieceOfRows{}
	}
	go func() {
		defer close(a.read)
		defer func() { a.panicked = recover() }()
		reader := &rowReader{scanner: &scanner{}, part: part}
		n := 0
		for p := range a.free {
			html, ok := find(n, p.html)
			if !ok {
				return
			}
			n++
			p.html = html
			reader.fill(p)
			a.read <- p
		}
	}()
	return a
}

// fill reads all rows of a piece.
func (r *rowReader) fill(p *pieceOfRows) {
	*r.scanner = scanner{doc: scanFrom(p.html, 0).doc, attrs: r.attrs}
	for p.n = 0; ; p.n++ {
		if p.n == len(p.rows) {
			p.rows = append(p.rows, row{})
		}
		r.row = p.rows[p.n] // the room of its cells
		if r.nextRow() == nil {
			return
		}
		p.rows[p.n] = r.row
	}
}

// next is the next row, which holds until the one after it; nil behind the last.
func (a *ahead) next() *row {
	for a.now == nil || a.at == a.now.n {
		if a.now != nil {
			a.free <- a.now
		}
		a.now, a.at = <-a.read, 0
		if a.now == nil {
			if a.panicked != nil {
				panic(a.panicked)
			}
			return nil
		}
	}
	a.at++
	return &a.now.rows[a.at-1]
}

// stop ends the reading; when it returns, nothing of the rows is used any more.
func (a *ahead) stop() {
	close(a.free)
	for range a.read {
	}
}
