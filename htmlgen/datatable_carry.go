package htmlgen

import (
	"strings"
	"unicode/utf8"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

var carryCSS = ownStyle("carry.css")

// Sums are carried over pages: a table that goes on says at the end of a page what its
// rows come to so far, and says it again where it goes on. Only the paginator knows
// where that is, and it adds nothing up: each row brings along what would be carried
// behind it, in data-carry, and a section that is not drawn has the two rows, with the
// longest values, so that the columns are wide enough for all of them. Only sums of one
// page it works out itself; see datatable_pagesums.go.

type carryProps struct {
	Enabled bool   `json:"enabled" help:"Prints the sums so far at the end of each page that the table goes on from, and again at the beginning of the next."`
	Forward string `json:"forwardText" label:"Text at the end of a page" editor:"template" help:"Default: Carried forward, in the report's language."`
	Brought string `json:"broughtText" label:"Text at the beginning of a page" editor:"template" help:"Default: Brought forward, in the report's language."`
	Page    bool   `json:"pageTotals" label:"Sums of each page" help:"Prints at the end of each page what its rows come to, of the columns whose footer is a sum or that carry one."`
	OfPage  string `json:"pageText" label:"Text of the sums of a page" editor:"template" help:"Default: Page total, in the report's language."`
}

// carrySeparator stands between the values of a row.
const carrySeparator = "\t"

// carry is what a column carries over pages.
type carry struct {
	col    *column
	align  string
	values []string // as they print, behind each row
	widest string
	whole  string // of all rows
	shape  string // how sums of a page are written
}

// makeCarries finds what is carried, before the first row is written.
func (t *table) makeCarries() {
	switch {
	case !t.p.Carry.Enabled && !t.p.Carry.Page:
		return
	case t.c.in.Typed:
		t.c.warnAt(t.e, "carry.enabled", "workbooks carry no sums over pages; they are left out")
		return
	case t.c.in.forWord():
		t.c.warnAt(t.e, "carry.enabled", "documents of Word carry no sums over pages; they are left out")
		return
	}
	if !t.p.Break {
		t.c.warnAt(t.e, "carry.enabled", "sums are carried over pages only where the table may break across pages (breakAcrossPages)")
		return
	}
	whole := newGroupScope(t, "", nil, 0, t.printed, nil)
	if t.p.Carry.Page {
		t.makePageSums(whole)
	}
	if t.p.Carry.Enabled {
		t.makeCarriesOver(whole)
	}
	t.c.carries = t.c.carries || len(t.carries)+len(t.pageSums) > 0
}

func (t *table) makeCarriesOver(whole *groupScope) {
	for _, col := range t.columns {
		if carried := t.makeCarry(col, whole); carried != nil {
			t.carries = append(t.carries, carried)
		}
	}
	if len(t.carries) == 0 {
		t.c.warnAt(t.e, "carry.enabled", "no column has a sum to carry: give one a sum in its footer, a running total, or say so in its carry")
	}
}

// carriedOf is what is carried of a column: a sum, the last value, or nothing.
func (col *column) carriedOf() string {
	switch {
	case col.p.Carry != "":
		return col.p.Carry
	case col.running:
		return "last"
	case col.footer != nil && col.footer.p.Aggregate == "sum":
		return "sum"
	}
	return "none"
}

func (t *table) makeCarry(col *column, whole *groupScope) *carry {
	var values []any
	format, align := col.format, col.align
	switch col.carriedOf() {
	case "sum":
		b := col.summed()
		values = t.sumsOf(b, whole)
		format, align = b.format(t), firstOf(b.p.Align, col.align)
	case "last":
		b := col.makeBand(&bandCell{Enabled: true, Aggregate: "last"}, col.setting("carry"))
		values = t.lastsOf(b, whole)
	}
	if values == nil {
		return nil
	}
	made := &carry{col: col, align: align, values: make([]string, len(values))}
	for i, v := range values {
		made.values[i] = strings.ReplaceAll(string(format.Append(nil, v, t.c.Env, text.Printed)), carrySeparator, " ")
		if utf8.RuneCountInString(made.values[i]) > utf8.RuneCountInString(made.widest) {
			made.widest = made.values[i]
		}
	}
	return made
}

// summed is the band of a column whose sums are carried.
func (col *column) summed() *band {
	if b := col.footer; b != nil && b.p.Aggregate == "sum" {
		return b
	}
	return col.makeBand(&bandCell{Enabled: true, Aggregate: "sum"}, col.setting("carry"))
}

// bandValues are the values that a band is of, a row each; nil, with a warning, where
// there are none.
func (t *table) bandValues(b *band, whole *groupScope) []any {
	rows, field := b.folded(whole)
	if field == nil {
		t.c.warnAt(t.e, b.at, "column %q prints no values that could be carried over pages", b.col.title)
		return nil
	}
	values := make([]any, len(rows))
	for i, row := range rows {
		values[i] = field(row)
	}
	return values
}

func (t *table) sumsOf(b *band, whole *groupScope) []any {
	values := t.bandValues(b, whole)
	if values == nil {
		return nil
	}
	return steps.Running(values, nil, func(v any) {
		if b != b.col.footer { // which says so itself
			t.c.warnAt(t.e, b.at, "column %q: %s is no number and does not count in the sum", b.col.title, report.Show(v))
		}
	})
}

// lastsOf gives the last value that is not null, for each row.
func (t *table) lastsOf(b *band, whole *groupScope) []any {
	values := t.bandValues(b, whole)
	for i, v := range values {
		if v == nil && i > 0 {
			values[i] = values[i-1]
		}
	}
	return values
}

// carried writes what would be carried behind the row that is being written.
func (t *table) carried() {
	t.carriedBy("data-carry", t.carries)
	t.carriedBy("data-sums", t.pageSums)
}

func (t *table) carriedBy(attribute string, list []*carry) {
	if len(list) == 0 {
		return
	}
	values := make([]string, len(list))
	for i, carried := range list {
		values[i] = carried.values[t.next]
	}
	t.c.Attr(attribute, strings.Join(values, carrySeparator))
}

// carryRows writes the section that the paginator takes the rows from.
func (t *table) carryRows() {
	if len(t.printed) == 0 || len(t.carries)+len(t.pageSums) == 0 {
		return
	}
	t.c.Raw(`<tbody class="q-carry" aria-hidden="true">`)
	if len(t.carries) > 0 {
		forward, brought := t.c.Env.Locale.Carries()
		t.carryRow(`q-carried" data-repeated`, firstOf(t.p.Carry.Forward, forward), t.carries)
		t.carryRow(`q-brought" data-repeated`, firstOf(t.p.Carry.Brought, brought), t.carries)
	}
	if len(t.pageSums) > 0 {
		t.pageSumRow("", t.pageSums)
	}
	t.c.Raw("</tbody>\n")
	if len(t.pageSums) > 0 {
		t.c.Raw(`<tbody class="q-last-page-sum">`)
		t.pageSumRow(` data-keep-prev data-until="`+untilLast(t.pageSums)+`"`, wholeSums(t.pageSums))
		t.c.Raw("</tbody>\n")
	}
}

// carryRow writes a row with the longest values of what is carried; class has its
// further attributes.
func (t *table) carryRow(class, label string, left []*carry) {
	c := t.c
	c.Raw(`<tr class="` + class + `>`)
	lead := left[0].col.index
	if lead > 0 {
		c.Raw(`<th scope="row" colspan="`)
		c.Int(lead)
		c.Raw(`">`)
		c.Print(label)
		c.Raw("</th>")
	}
	for _, col := range t.columns[lead:] {
		c.Raw("<td")
		if len(left) == 0 || left[0].col != col {
			c.Raw("></td>")
			continue
		}
		c.Attr("class", alignClass(left[0].align))
		c.Raw(">")
		if col.index == 0 {
			c.Print(label)
			c.Raw(" ")
		}
		c.Raw(`<span class="q-carry-value"`)
		c.Attr("data-shape", left[0].shape)
		c.Raw(">")
		c.Text(left[0].widest)
		c.Raw("</span></td>")
		left = left[1:]
	}
	c.Raw("</tr>")
}
