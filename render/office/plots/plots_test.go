package plots

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/quire-reports/quire/render/office/opc"
	"github.com/quire-reports/quire/render/office/xlsx/xlsxtest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestCharts: what a chart says of itself, the chart of Office that is made of it and
// the workbook behind it, whose cells hold what the chart keeps of them.
func TestCharts(t *testing.T) {
	for name, mark := range map[string]string{
		"regions": `{"width":400,"height":240,"legend":"top","base":{"kind":"category","title":"Region"},"value":{"kind":"number","code":"#,##0","cells":"#,##0","lines":true},
			"second":{"kind":"number"},"categories":["North","South & West"],"series":[
			{"name":"2025","kind":"column","color":"#111111","filled":0.5,"labels":true,"code":"0.0","points":[[0,10.5],[1,20]]},{"name":"Goal","kind":"marker","labels":true,"named":true,"points":[[0,15],[1,15]]},{"name":"2026","kind":"line","color":"#222222","width":2,"points":[[0,12],[1,null]]}]}`,
		"times": `{"width":400,"height":240,"base":{"kind":"time","cells":"d.m.yyyy"},"value":{"kind":"number"},"second":{"kind":"number"},
			"series":[{"name":"Price","kind":"line","points":[[1767225600000,1],[1767312000000,2],[1767398400000,4]]}]}`,
		"several at one place": `{"width":400,"height":240,"base":{"kind":"category"},"value":{"kind":"number"},"second":{"kind":"number"},"categories":["a"],
			"series":[{"name":"S","kind":"column","points":[[0,1],[0,2]]}]}`,
		"labels by size": `{"width":400,"height":240,"base":{"kind":"category"},"value":{"kind":"number"},"second":{"kind":"number"},"categories":["a","b","c"],
			"series":[{"name":"S","kind":"column","labels":true,"code":"#,##0","sizes":[{"from":0,"code":"#,##0"},{"from":999.5,"code":"0,\"K\""}],"points":[[0,-5000],[1,20],[2,null]]}]}`,
		"pie": `{"pie":true,"width":300,"height":300,"legend":"right","hole":0.5,"start":90,"base":{"kind":""},"value":{"kind":"number","code":"0","cells":"0"},"second":{"kind":""},
			"categories":["A","B"],"colors":["#aa0000","accent2"],"series":[{"name":"Share","kind":"pie","labels":true,"code":"0.0%","inks":["#ffffff","#202020"],"points":[[0,1],[1,2]]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			m := Read(mark)
			if m == nil {
				t.Fatal("it shows nothing")
			}
			var book bytes.Buffer
			if err := m.Workbook(&book); err != nil {
				t.Fatal(err)
			}
			read := xlsxtest.Open(t, book.Bytes())
			got := "lacks " + m.Lacks + "\n" + read.String()
			if m.Lacks == "" {
				var b bytes.Buffer
				x := opc.NewXML(&b)
				m.Chart(Sheet, 1, Look{Text: "333333", Color: func(css string) (string, bool) { return strings.TrimPrefix(css, "#"), true }}).Write(x)
				if err := x.End(); err != nil {
					t.Fatal(err)
				}
				got += strings.ReplaceAll(b.String(), "><", ">\n<") + "\n"
			}
			golden := "testdata/" + strings.ReplaceAll(name, " ", "-") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(golden); err != nil || got != string(want) {
				t.Errorf("%v: got\n%s", err, got)
			}
		})
	}
}

// TestNothing: what is no chart, or has no values, is none.
func TestNothing(t *testing.T) {
	for _, mark := range []string{``, `{`, `null`, `{}`, `[]`, `{"categories":["a"]}`, `{"base":{"kind":"category"},"categories":["a"],"series":[]}`} {
		if m := Read(mark); m != nil {
			t.Errorf("%s is a chart: %+v", mark, m)
		}
	}
	m := Read(`{"base":{"kind":"category"},"categories":["a"],"series":[{"kind":"column","points":[[-1,1],[7,2],[0,3],[],[1]]}]}`)
	if m == nil || len(m.Grid.Rows) != 1 || m.Grid.Rows[0][1] != 3.0 {
		t.Errorf("values at places that are none: %+v", m)
	}
}
