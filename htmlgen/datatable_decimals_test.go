package htmlgen

import (
	"context"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// TestDecimalsOfAColumnAgree: the numbers of a column that nobody has given a
// format line up, with their totals.
func TestDecimalsOfAColumnAgree(t *testing.T) {
	for _, test := range []struct{ values, column, want string }{
		{"1234.5 -20 99.999", `,"footer":{"aggregate":"sum"}`, "1,234.500 −20.000 99.999 1,314.499"},
		{"-88.7 8457694.51291134", `,"footer":{"aggregate":"average"}`, "−88.70 8,457,694.51 4,228,802.91"},
		{"12.50 0.5 7", ``, "12.5 0.5 7.0"},
		{"1 2 3", `,"footer":{"aggregate":"sum"}`, "1 2 3 6"},
		{"0.00012 5", ``, "0.00012 5"},
		{"1.5 2", `,"footer":{"aggregate":"sum","aggregateField":"w"}`, "1.5 2.0 0.25"},
		{"1.5 2", `,"footer":{"aggregate":"count"}`, "1.5 2.0 2"},
		{"1.5 2", `,"format":"custom","customFormat":"n","footer":{"aggregate":"sum"}`, "1.5 2 3.5"},
	} {
		rows := []any{}
		for _, v := range strings.Fields(test.values) {
			rows = append(rows, report.ObjectOf("v", json.Number(v), "w", json.Number("0.125")))
		}
		column := `{"field":"v"` + test.column + `}`
		def, problems := report.Parse[report.Element]([]byte(`{"type":"data-table","props":{"source":"$data.r","footer":{"enabled":` + strconv.FormatBool(test.column != "") + `},"columns":[` + column + `]}}`))
		if problems != nil {
			t.Fatal(problems)
		}
		in := testInput(t, []report.Element{*def})
		in.Data = report.ObjectOf("r", rows)
		doc, err := Compile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		var printed []string
		for _, m := range regexp.MustCompile(`<td[^>]*>([^<]*)`).FindAllSubmatch(doc.HTML, -1) {
			printed = append(printed, strings.TrimSpace(string(m[1])))
		}
		if got := strings.Join(printed, " "); got != test.want {
			t.Errorf("%s: %s", test.values, got)
		}
	}
}
