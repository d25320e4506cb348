package sheets

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quire-reports/quire/render/office/xlsx/xlsxtest"
)

// inPieces gives rows of a table in pieces of n, written into the room that it is
// given, as htmlgen does.
func inPieces(rows []string, n int) func(table, piece int, room []byte) ([]byte, bool) {
	return func(_, piece int, room []byte) ([]byte, bool) {
		if piece*n >= len(rows) {
			return nil, false
		}
		return append(room[:0], strings.Join(rows[piece*n:min(len(rows), (piece+1)*n)], "\n")...), true
	}
}

const elsewhere = `<section class="q-sheet" data-page="1"><table class="q-table" data-e="1"><thead><tr><th>Town</th><th>Note</th></tr></thead>
<tbody%s>%s</tbody><tfoot><tr class="q-total"><td>All</td><td>&amp; more</td></tr></tfoot></table></section>`

// TestRowsThatStandElsewhere: a workbook is the same wherever the rows stand, also where
// a cell reaches over the rows of two pieces.
func TestRowsThatStandElsewhere(t *testing.T) {
	var rows []string
	for i := range 100 {
		switch {
		case i%7 == 3:
			rows = append(rows, fmt.Sprintf(`<tr><td rowspan="2">Town &amp; %d</td><td><b>bold</b> %d</td></tr>`, i, i))
		case i%7 == 4:
			rows = append(rows, fmt.Sprintf(`<tr><td>below %d</td></tr>`, i))
		default:
			rows = append(rows, fmt.Sprintf(`<tr><td>Town %d</td><td class="q-right" data-n="%d">%d</td></tr>`, i, i, i))
		}
	}
	inside, _ := made(t, fmt.Sprintf(elsewhere, "", strings.Join(rows, "\n")), config())
	want := xlsxtest.Open(t, inside).String()
	if !strings.Contains(want, "Town & 94") || !strings.Contains(want, "& more") {
		t.Fatalf("rows are missing: %s", want)
	}
	for _, n := range []int{1, 4, 33, 100, 1000} {
		c := config()
		c.Rows = inPieces(rows, n)
		apart, _ := made(t, fmt.Sprintf(elsewhere, ` data-rows="0"`, ""), c)
		if got := xlsxtest.Open(t, apart).String(); got != want {
			t.Errorf("in pieces of %d:\n%s\nwant\n%s", n, got, want)
		}
	}
}

// TestReadingAheadEnds: whoever stops before the end leaves nobody reading behind, and a
// fault of the reading is the caller's.
func TestReadingAheadEnds(t *testing.T) {
	reading := make(chan struct{})
	n := 0
	a := newAhead(func(piece int, room []byte) ([]byte, bool) {
		if n = piece; piece == 0 {
			close(reading)
		}
		return append(room[:0], "<tr><td>1</td></tr><tr><td>2</td></tr>"...), true
	}, 0)
	if r := a.next(); r == nil || r.cells[0].text != "1" {
		t.Fatalf("the first row is %v", r)
	}
	<-reading
	a.stop()
	if n > readAhead+1 { // which the race detector would see written, were it still read
		t.Errorf("%d pieces were read ahead", n)
	}

	b := newAhead(func(int, []byte) ([]byte, bool) { panic("no such table") }, 0)
	defer b.stop()
	defer func() {
		if got := recover(); got != "no such table" {
			t.Errorf("the reader's fault came as %v", got)
		}
	}()
	b.next()
}
