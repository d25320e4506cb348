package htmlgen

import (
	"fmt"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report/text"
)

// band is a column's cell in a caption or footer, made ready.
type band struct {
	p      *bandCell
	col    *column
	path   *text.Path // of the aggregated values
	weight *text.Path // of an average's weights, or nil
	at     string     // the place of its settings in the table's
	lost   bool       // no row has its field
	values []any      // of its own expression, by the rows as they print
	// of works the value out by itself; nil where settings say what it is.
	of func(rows []any) any
}

func (col *column) makeBands() {
	at := fmt.Sprintf("columns[%d].", col.index)
	col.footer = col.makeBand(&col.p.Footer, at+"footer")
	for level := range maxGroups {
		footer, caption := col.footer, (*band)(nil)
		if level < len(col.p.GroupFooters) {
			footer = col.makeBand(&col.p.GroupFooters[level], fmt.Sprintf("%sgroupFooters[%d]", at, level))
		}
		if level < len(col.p.GroupCaptions) {
			caption = col.makeBand(&col.p.GroupCaptions[level], fmt.Sprintf("%sgroupCaptions[%d]", at, level))
		}
		col.groupFooters, col.captions = append(col.groupFooters, footer), append(col.captions, caption)
	}
}

// makeBand is nil where nothing prints.
func (col *column) makeBand(p *bandCell, at string) *band {
	if !p.Enabled || p.Aggregate == "" && p.Text == "" {
		return nil
	}
	b := &band{p: p, col: col, at: at, path: text.ParsePath(bare(firstOf(p.Field, col.p.Field)))}
	if p.WeightField != "" {
		b.weight = text.ParsePath(bare(p.WeightField))
	}
	return b
}

// alias is the name of the aggregate in $group.
func (b *band) alias() string { return firstOf(b.p.Alias, b.p.Field, b.col.p.Field) }

// kind is the aggregate as package steps names it.
func (b *band) kind() steps.Aggregate {
	if b.p.Aggregate == "weighted-average" {
		return steps.Average
	}
	return steps.Aggregate(b.p.Aggregate)
}

// allBands yields the bands of a column, those of the table first.
func (col *column) allBands(yield func(*band) bool) {
	if col.footer != nil && !yield(col.footer) {
		return
	}
	for _, list := range [][]*band{col.captions, col.groupFooters} {
		for _, b := range list {
			if b != nil && b != col.footer && !yield(b) {
				return
			}
		}
	}
}

// footerRow writes the aggregates of a group or of the table.
func (t *table) footerRow(class string, p *footerProps, g *groupScope, of func(*column) *band) {
	c := t.c
	c.Raw(`<tr class="` + class + `" data-keep-prev>`)
	undo := c.scope.pushGroup(g)
	t.bandRow("row", g, of, p.Text, func() {
		if p.Type == "html" {
			c.Markup(t.e, p.Text)
		} else {
			c.Print(p.Text)
		}
	})
	undo()
	c.Raw("</tr>\n")
}

// bandRow writes the cells of a caption or footer: a label over the columns
// before the first that prints something, then a cell a column. Where the first
// column prints something the label stands before it in its cell.
func (t *table) bandRow(scope string, g *groupScope, of func(*column) *band, labelText string, label func()) {
	c := t.c
	lead := t.leadingColumns(of)
	if lead > 0 || len(t.columns) == 0 {
		c.Raw(`<th scope="` + scope + `" colspan="`)
		c.Int(max(1, lead))
		c.Raw(`"`)
		c.templateOrigins(labelText)
		c.Raw(">")
		label()
		c.Raw("</th>")
	}
	for i, col := range t.columns[lead:] {
		c.Raw("<td")
		b := of(col)
		if b == nil {
			c.Raw("></td>")
			continue
		}
		c.Attr("class", alignClass(firstOf(b.p.Align, col.align)))
		t.bandOrigins(b, g)
		t.typedBand(b, g)
		c.Raw(">")
		if lead == 0 && i == 0 {
			label()
			c.Raw(" ")
		}
		t.bandCell(b, g)
		c.Raw("</td>")
	}
}

// leadingColumns is how many columns stand before the first that prints
// something in a row.
func (t *table) leadingColumns(of func(*column) *band) int {
	for i, col := range t.columns {
		if of(col) != nil {
			return i
		}
	}
	return len(t.columns)
}

func (t *table) bandCell(b *band, g *groupScope) {
	p := b.p
	switch {
	case p.Text != "" && p.Type == "html":
		t.c.Markup(t.e, p.Text)
	case p.Text != "":
		t.c.Print(p.Text)
	default:
		t.formatted(b.format(t), g.aggregate(b), b.col.blank)
	}
}

// format is the column's, except that counts are plain whole numbers.
func (b *band) format(t *table) text.Format {
	if b.p.Format != "" {
		return t.c.format(b.p.Format)
	}
	switch b.kind() {
	case steps.Count, steps.Distinct:
		return t.c.format("n;0")
	}
	if b.p.Field != "" && b.p.Field != b.col.p.Field || b.p.Value != "" {
		return b.col.plain
	}
	return b.col.format
}
