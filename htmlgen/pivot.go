package htmlgen

import (
	"fmt"

	"github.com/quire-reports/quire/report"
)

var pivotTable = define("pivot-table", "Pivot table", "Data", "What rows come to by fields that go down and fields that go across, with totals both ways.", compilePivotTable, colors(ColorsOfTable), icon("table-properties"), looksBy(`
.q-data-table>tbody>*>td.q-pivot-total{font-weight:600}
`))

type pivotTableProps struct {
	Source string `json:"source" label:"Data source" editor:"binding" help:"Array of rows, for example $data.orders." ask:"A list of the data, such as $data.orders."`
	transformProps
	Rows          []pivotFieldProps   `json:"rows" help:"Fields whose values go down, the outermost first: up to four." one:"Field"`
	Columns       []pivotFieldProps   `json:"columns" help:"Fields whose values go across, the outermost first: up to two." one:"Field"`
	Measures      []pivotMeasureProps `json:"measures" help:"What is worked out of the rows of each cell. Default: how many they are." ask:"What each cell says of its rows. Left empty, how many they are." one:"Measure"`
	RowTotals     bool                `json:"rowTotals" label:"Totals at the end of the rows" default:"true"`
	ColumnTotals  bool                `json:"columnTotals" label:"Totals below the columns" default:"true"`
	TotalText     string              `json:"totalText" label:"Text of the totals" editor:"template" help:"Default: Total, in the report's language."`
	EmptyCells    string              `json:"emptyCells" label:"Empty cells" help:"Text of cells that no row falls into, such as –; in workbooks they stay empty."`
	Caption       string              `json:"caption" editor:"template" help:"What the table shows, for screen readers."`
	EmptyText     string              `json:"emptyText" label:"Empty text" editor:"template" help:"Shown when there are no rows."`
	Formats       tableFormats        `json:"formats" label:"Default formats"`
	Break         bool                `json:"breakAcrossPages" label:"Allow break across pages" default:"true"`
	Continue      bool                `json:"continueColumns" label:"Continue columns on further sheets" default:"true" help:"A table wider than the page goes on beside it on further sheets, with the fields that go down again, instead of breaking words and being drawn smaller."`
	Continued     string              `json:"continuedText" label:"Text where the table goes on" editor:"template" help:"Printed above the head of the table on the pages after its first, for example Table 3 (continued)."`
	FixedLayout   bool                `json:"fixedLayout" label:"Use fixed table layout"`
	NarrowCells   string              `json:"narrowCells" label:"Narrow cells" enum:"wrap,shrink,hashes" default:"wrap" help:"What cells of a fixed table layout do that are too narrow for a number or a word: break it, draw it smaller (down to 70 % and 5 pt, then break it), or print ### in its place."`
	Workbook      string              `json:"workbook" label:"In workbooks" enum:"auto,own-sheet,with-page,leave-out" default:"auto" help:"Where the table stands in an Excel workbook: on a sheet of its own if the page has several tables (auto), always on one, on the sheet of its page, or nowhere."`
	NoCellWrap    bool                `json:"disableCellWrap" label:"Disable cell text wrap"`
	NoHeaderWrap  bool                `json:"disableHeaderWrap" label:"Disable header text wrap"`
	VerticalLines bool                `json:"verticalLines" label:"Show vertical lines"`
	Font
	Box
}

// pivotFieldProps are of a field whose values go down or across.
type pivotFieldProps struct {
	Field      string `json:"field" editor:"field" help:"Path of the value in a row; rows with the same value stand together." ask:"Rows with the same value in it stand together."`
	Title      string `json:"title" editor:"template" help:"Header text of a field that goes down. Default: made from the field." ask:"Left empty, it is made of the field."`
	Format     string `json:"format" editor:"format" help:"Default: of dates the theme's; other values print as they are."`
	Sort       string `json:"sort" label:"Order" enum:"key,first,measure" default:"key" help:"By the value itself, by its first row, or by what the first measure comes to."`
	Descending bool   `json:"descending" label:"Downwards" help:"The greatest first; with first, the last."`
	Totals     bool   `json:"totals" label:"Subtotals" default:"true" help:"Of a field that has others inside it: what each of its values comes to."`
}

// pivotMeasureProps are of what a cell says of its rows.
type pivotMeasureProps struct {
	Field        string `json:"field" editor:"field" help:"Field of the values; a count without one counts rows." ask:"The field that is worked out. Left empty, rows are counted."`
	Title        string `json:"title" editor:"template" help:"Header text. Default: made from the field." ask:"Left empty, it is made of the field."`
	Aggregate    string `json:"aggregate" enum:"sum,count,distinct,average,weighted-average,min,max" default:"sum"`
	WeightField  string `json:"weightField" label:"Weight field" editor:"field" help:"Field with the weights of an average."`
	Format       string `json:"format" label:"Format type" enum:",number,date,percentage,currency,expression,custom" help:"Default: by the values; all cells of the measure then have the same decimals, 3 at most. expression prints them as they are."`
	CustomFormat string `json:"customFormat" label:"Custom format" editor:"format" help:"For example n;2 or dt;dd MMM yyyy."`
	Align        string `json:"align" enum:",left,center,right" help:"Default: right for numbers."`
}

const (
	// mostPivotRows and mostPivotColumns are how many fields go down and across: a
	// table groups by three levels within the innermost, and has three header rows.
	mostPivotRows, mostPivotColumns = maxGroups + 1, maxHeaders - 1
	// mostAcross is how many columns of values are printed, mostPivotCells how many
	// cells.
	mostAcross, mostPivotCells = 500, 2_000_000
)

func (p *pivotTableProps) prepare(prep *preparer, path string) {
	for _, list := range []struct {
		name   string
		fields *[]pivotFieldProps
		most   int
	}{{"rows", &p.Rows, mostPivotRows}, {"columns", &p.Columns, mostPivotColumns}} {
		if n := len(*list.fields); n > list.most {
			prep.problems = append(prep.problems, report.Problemf(path+"."+list.name, "a pivot table has at most %d fields here, not %d", list.most, n))
			*list.fields = (*list.fields)[:list.most]
		}
		kept := (*list.fields)[:0]
		for i, f := range *list.fields {
			if f.Field == "" {
				prep.problems = append(prep.problems, report.Problemf(fmt.Sprintf("%s.%s[%d].field", path, list.name, i), "the field is missing"))
				continue
			}
			kept = append(kept, f)
		}
		*list.fields = kept
	}
	for i, m := range p.Measures {
		at := fmt.Sprintf("%s.measures[%d].", path, i)
		switch {
		case m.Field == "" && m.Aggregate != "count":
			prep.problems = append(prep.problems, report.Problemf(at+"field", "the field of the %s is missing; only a count needs none", m.Aggregate))
		case m.Aggregate == "weighted-average" && m.WeightField == "":
			prep.problems = append(prep.problems, report.Problemf(at+"weightField", "a weighted average needs a weight field"))
		}
	}
}

// compilePivotTable works out a table of one row for each combination of what goes
// down, and has it written as a data table.
func compilePivotTable(c *Context, e *Element, p *pivotTableProps) {
	v := makePivot(c, e, p)
	t := v.table()
	t.write(v.groups)
}
