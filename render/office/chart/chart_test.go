package chart

import (
	"bytes"
	"encoding/xml"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quire-reports/quire/render/office/opc"
)

var update = flag.Bool("update", false, "rewrite golden files")

func open() Axis { return Axis{Min: math.NaN(), Max: math.NaN()} }

func written(t testing.TB, c Chart) string {
	t.Helper()
	var b bytes.Buffer
	x := opc.NewXML(&b)
	c.Write(x)
	if err := x.End(); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(b.String(), "><", ">\n<") + "\n"
}

// TestCharts holds what is written against golden files; the Open XML SDK's validator
// finds no fault in them (make check-office).
func TestCharts(t *testing.T) {
	months := Ref{Formula: "'Sales'!$A$2:$A$4", Texts: []string{"Jan", "Feb", "Mar"}}
	values := func(column string, v ...float64) Ref {
		return Ref{Formula: "'Sales'!$" + column + "$2:$" + column + "$4", Numbers: v, Code: "#,##0"}
	}
	name := func(s string) Ref { return Ref{Formula: "'Sales'!$B$1", Texts: []string{s}} }
	numbers := open()
	numbers.Numbers, numbers.Lines, numbers.Code = true, true, "0%"
	for file, c := range map[string]Chart{
		"columns-and-line": {
			Legend: "top", Color: "1F2430", Base: open(), Value: numbers, Second: Axis{Numbers: true, Title: "Share <of all>", Min: 0, Max: 1},
			Plots: []Plot{
				{Kind: Columns, Stacked: true, Gap: 60, Series: []Series{{Name: name("North & South"), Base: months, Values: values("B", 1, math.NaN(), 3), Color: "AA0000", Labels: true, LabelCode: "0.0"}}},
				{Kind: Lines, Second: true, Series: []Series{{Name: name("Share"), Base: months, Values: values("C", 0.5, 0.25, 0.75), Width: 2, Dash: "sysDash", Smooth: true, Marker: "circle", MarkerSize: 6, Color: "00AA00"}}},
			},
		},
		"bars":   {Base: Axis{Inverted: true, Min: math.NaN(), Max: math.NaN()}, Value: numbers, Plots: []Plot{{Kind: Columns, Turned: true, Shares: true, Series: []Series{{Base: months, Values: values("B", 1, 2, 3)}}}}},
		"areas":  {Base: Axis{Days: true, Min: math.NaN(), Max: math.NaN(), Code: "d.m."}, Value: numbers, Plots: []Plot{{Kind: Areas, Stacked: true, Series: []Series{{Base: values("A", 46082, 46083, 46084), Values: values("B", 1, 2, 3), Opacity: 0.5, Color: "0000AA"}}}}},
		"points": {Legend: "right", Base: Axis{Numbers: true, Min: 0, Max: 10, Hidden: true}, Value: numbers, Plots: []Plot{{Kind: Points, Series: []Series{{Base: values("A", 1, 2, 3), Values: values("B", 1, 4, 9), Marker: "triangle", MarkerSize: 1}}}}},
		"pie":    {Legend: "bottom", Plots: []Plot{{Kind: Pie, Start: -90, Series: []Series{{Base: months, Values: values("B", 1, 2, 3), Colors: []string{"111111", "222222", ""}, Labels: true}}}}},
		"ring":   {Data: "rId1", Color: "accent2", Plots: []Plot{{Kind: Pie, Hole: 95, Start: 450, Series: []Series{{Base: months, Values: values("B", 1, 2, 3)}}}}},
		"logarithmic": {Legend: "top", Color: "1F2430", Base: open(), Value: Axis{Numbers: true, Log: true, Min: 1, Max: math.NaN()}, Plots: []Plot{{Kind: Columns, Series: []Series{
			{Name: name("Sold"), Base: months, Values: values("B", 1, 20, 300), Color: "AA0000", Trend: Exponential},
			{Name: name("Lent"), Base: months, Values: values("C", 4, 5, 6), Trend: MovingAverage, Period: 2},
		}}}},
		"nothing": {Base: open(), Value: numbers},
	} {
		t.Run(file, func(t *testing.T) {
			got := written(t, c)
			if err := xml.NewDecoder(strings.NewReader(got)).Decode(new(struct{})); err != nil && err != io.EOF {
				t.Errorf("it is no XML: %v", err)
			}
			golden := filepath.Join("testdata", file+".xml")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || got != string(want) {
				t.Errorf("it is not %s (%v); -update rewrites it\n%s", golden, err, got)
			}
		})
	}
}
