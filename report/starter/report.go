package starter

import (
	"slices"

	"github.com/quire-reports/quire/report"
)

// Words are what the report itself says, in the language of its maker.
type Words struct {
	Total string
	By    func(value, category string) string // "Amount by region"
}

// Report is the definition of a first report: its title, a chart if one was
// chosen, and a table with the totals.
func (t *Table) Report(name string, source report.DataSource, c Choice, words Words) *report.Report {
	rows := "$data." + join(source.Name, t.Path)
	elements := []report.Element{{Type: "heading", Props: map[string]any{"level": "H1", "title": name}}}
	if c.Category != "" {
		elements = append(elements, t.chart(rows, c, words)...)
	}
	elements = append(elements, t.table(name, rows, c, words))
	return &report.Report{
		Version: report.Version, Name: name,
		DataSources: []report.SourceUse{{DataSource: source}},
		Pages:       []report.Page{{ID: 1, Name: name, Elements: elements}},
	}
}

// chart draws the number by the category: lines over time, bars for many or long
// names, columns for the rest.
func (t *Table) chart(rows string, c Choice, words Words) []report.Element {
	category, value := t.field(c.Category), t.field(c.Value)
	title := words.By(value.Label(), category.Label())
	series := map[string]any{"chartType": "column", "xField": c.Category, "yField": c.Value, "aggregate": "sum"}
	props := map[string]any{"source": rows, "altText": title, "height": "220px", "margin": "0 0 12pt"}
	switch {
	case category.Kind == Date:
		series["chartType"] = "line"
	case longNames(category):
		series["chartType"] = "bar"
		props["height"] = "280px"
	}
	if value.named(rates) {
		series["aggregate"] = "average"
	}
	props["series"] = []any{series}
	return []report.Element{{Type: "heading", Props: map[string]any{"level": "H2", "title": title}}, {Type: "generic-chart", Props: props}}
}

// longNames tells whether the names of a category have no room side by side.
func longNames(f *Field) bool {
	letters := 0
	for name := range f.distinct {
		letters += len([]rune(name)) + 2
	}
	return letters > 110
}

func (t *Table) table(name, rows string, c Choice, words Words) report.Element {
	columns := make([]any, 0, len(c.Columns))
	for _, path := range c.Columns {
		if path == c.Group && len(c.Columns) > 1 {
			continue // the caption of its group says it
		}
		columns = append(columns, column(t.field(path), slices.Contains(c.Totals, path)))
	}
	props := map[string]any{"source": rows, "caption": name, "breakAcrossPages": true, "columns": columns}
	if first := columns[0].(map[string]any); len(c.Totals) > 0 {
		if first["footer"] == nil {
			first["footer"] = map[string]any{"text": words.Total}
		}
		props["footer"] = map[string]any{"enabled": true}
	}
	if c.Group != "" {
		group := map[string]any{"field": c.Group}
		if len(c.Totals) > 0 {
			group["footer"] = map[string]any{"enabled": true}
		}
		props["groups"] = []any{group}
	}
	return report.Element{Type: "data-table", Props: props}
}

func column(f *Field, total bool) map[string]any {
	c := map[string]any{"field": f.Path}
	if label := f.Label(); label != "" {
		c["title"] = label
	}
	switch {
	case f.written():
		c["format"] = "expression"
	case f.Kind == Date:
		c["format"] = "date"
	case f.Kind == Number && f.decimals > 0 && f.decimals <= 2:
		c["customFormat"] = "n;2"
	}
	if total {
		c["footer"] = map[string]any{"aggregate": "sum"}
	}
	return c
}
