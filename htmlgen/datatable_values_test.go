package htmlgen

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/scripting"
)

// totalsOf is the last row of a table with a footer, and what was warned of.
func totalsOf(t *testing.T, columns string, rows ...any) (totals, warnings []string) {
	t.Helper()
	def, problems := report.Parse[report.Element]([]byte(`{"type":"data-table","props":{"source":"$data.v","footer":{"enabled":true},"columns":` + columns + `}}`))
	if problems != nil {
		t.Fatal(problems)
	}
	in := testInput(t, []report.Element{*def})
	in.Data = report.ObjectOf("v", rows)
	in.Scripts = doublingScripts{testScripts{scripting.NewExpressions(context.Background(), noEngine{}, scripting.Scene{})}}
	doc, err := Compile(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range doc.Warnings {
		warnings = append(warnings, w.Error())
	}
	_, footer, _ := bytes.Cut(doc.HTML, []byte("<tfoot>"))
	for _, m := range regexp.MustCompile(`<t[dh][^>]*>([^<]*)`).FindAllSubmatch(footer, -1) {
		totals = append(totals, strings.TrimSpace(string(m[1])))
	}
	return totals, warnings
}

func TestTotalsAreOfWhatAColumnPrints(t *testing.T) {
	rows := []any{report.ObjectOf("q", 2.0, "p", 10.0, "note", "n/a"), report.ObjectOf("q", 3.0, "p", 20.0, "note", report.ObjectOf("a", 1.0, "b", nil))}
	const at = "pages[0].elements[0].props.columns[0]"
	for _, test := range []struct {
		name, column, want, warns string
	}{
		{"a value expression", `"title":"T","value":"{$record.q} * {$record.p}","footer":{"aggregate":"sum"}`, "80", ""},
		{"an expression over a field", `"field":"p","value":"{$record.p} / 10","footer":{"aggregate":"sum"}`, "3", ""},
		{"an aggregate value", `"value":"{$record.p}","footer":{"aggregate":"sum","aggregateValue":"{[ {$record.q} * {$record.p} ]}"}`, "80", ""},
		{"a weight", `"value":"{$record.p} * 2","footer":{"aggregate":"weighted-average","weightField":"q"}`, "32", ""},
		{"a text of one value", `"renderer":"text","text":"{$record.p:n;2} EUR","footer":{"aggregate":"sum"}`, "30", ""},
		{"a function", `"renderer":"function","function":"number","field":"p","footer":{"aggregate":"sum"}`, "60", ""},
		{"a function that gives markup of a field", `"renderer":"function","function":"markup","field":"p","footer":{"aggregate":"sum"}`, "30", ""},
		{"the count of elements", `"renderer":"elements","elements":[{"type":"text","props":{"text":"x"}}],"footer":{"aggregate":"count"}`, "2", ""},
		{
			"elements", `"renderer":"elements","title":"E","elements":[{"type":"text","props":{"text":"x"}}],"footer":{"aggregate":"sum"}`, "",
			at + `.footer: data-table: column "E" prints no values; name the field of its sum in aggregateField`,
		},
		{
			"a field that is none", `"field":"p","footer":{"aggregate":"sum","aggregateField":"nope"}`, "",
			at + `.footer.aggregateField: data-table: no row has a field "nope"; did you mean "note"?`,
		},
		{
			"a weight that is none", `"field":"p","footer":{"aggregate":"average","weightField":"w"}`, "",
			at + `.footer.weightField: data-table: no row has a field "w"; did you mean "q"?`,
		},
		{
			"values that are no numbers", `"field":"note","footer":{"aggregate":"sum"}`, "0",
			at + `.footer: data-table: column "Note": "n/a" is no number and does not count in the sum` + "\n" +
				at + `.footer: data-table: column "Note": an object with a, b is no number and does not count in the sum`,
		},
	} {
		totals, warnings := totalsOf(t, `[{`+test.column+`}]`, rows...)
		if diff := cmp.Diff([]string{test.want}, totals); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
		if diff := cmp.Diff(test.warns, strings.Join(warnings, "\n")); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestExtremesOfNumbersThatAreTexts(t *testing.T) {
	totals, _ := totalsOf(t, `[{"field":"n","footer":{"aggregate":"max"}},{"field":"n","footer":{"aggregate":"min"}},{"field":"s","footer":{"aggregate":"max"}}]`,
		report.ObjectOf("n", "9", "s", "9"), report.ObjectOf("n", "10", "s", "10"), report.ObjectOf("n", 9.5, "s", "x"))
	if diff := cmp.Diff([]string{"10", "9", "x"}, totals); diff != "" {
		t.Error(diff)
	}
}
