package htmlgen

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/quire-reports/quire/report/text"
)

// Sums of a page are known only when there are pages. Each row brings along the exact sum
// up to it, in data-sums, and the paginator takes from that at the end of a page that at
// its beginning. It writes the difference by the shape of the column's format, which was
// tried on all the sums so far: where it would write one of them otherwise than the format
// does, the column is left out and a warning says so.

// makePageSums finds the columns with sums of a page.
func (t *table) makePageSums(whole *groupScope) {
	for _, col := range t.columns {
		if col.carriedOf() != "sum" {
			continue
		}
		b := col.summed()
		sums := t.sumsOf(b, whole)
		if sums == nil {
			continue
		}
		if made := t.makePageSum(col, b, sums); made != nil {
			t.pageSums = append(t.pageSums, made)
		}
	}
	if len(t.pageSums) == 0 {
		t.c.warnAt(t.e, "carry.pageTotals", "no column has a sum to print for each page: give one a sum in its footer, or say so in its carry")
	}
}

func (t *table) makePageSum(col *column, b *band, sums []any) *carry {
	format := b.format(t)
	made := &carry{col: col, align: firstOf(b.p.Align, col.align), values: make([]string, len(sums))}
	for i, v := range sums {
		made.values[i] = fmt.Sprint(v)
		shown := string(format.Append(nil, v, t.c.Env, text.Printed))
		if utf8.RuneCountInString(shown) > utf8.RuneCountInString(made.widest) {
			made.widest = shown
		}
		made.whole = shown
	}
	shape, ok := format.Shape(t.c.Env, made.values...)
	if !ok {
		t.c.warnAt(t.e, "carry.pageTotals", "column %q: sums of a page cannot be written in the format %s; they are left out", col.title, format.String())
		return nil
	}
	written, err := json.Marshal(shape)
	if err != nil {
		panic(err) // it holds plain values only
	}
	made.shape = string(written)
	return made
}

// untilLast are the exact sums of all rows.
func untilLast(list []*carry) string {
	last := make([]string, len(list))
	for i, sum := range list {
		last[i] = sum.values[len(sum.values)-1]
	}
	return strings.Join(last, carrySeparator)
}

// wholeSums are sums of a page that has all rows.
func wholeSums(list []*carry) []*carry {
	whole := make([]*carry, len(list))
	for i, sum := range list {
		all := *sum
		all.widest = all.whole
		whole[i] = &all
	}
	return whole
}

// pageSumRow writes the row with the sums of a page.
func (t *table) pageSumRow(attributes string, sums []*carry) {
	t.carryRow(`q-page-sum"`+attributes, firstOf(t.p.Carry.OfPage, t.c.Env.Locale.PageSum()), sums)
}
