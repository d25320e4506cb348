package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

func TestAxisLabelsStayInsideTheChart(t *testing.T) {
	text := regexp.MustCompile(`<text( class="[^"]*")? x="([-\d.]+)" y="([-\d.]+)"( text-anchor="(\w+)")?( style="[^"]*")?>([^<]*)</text>`)
	for seed := range uint64(1500) {
		c := wild(rand.New(rand.NewPCG(seed, 2)))
		doc := c.Render()
		for _, m := range text.FindAllSubmatch(doc, -1) {
			var x, y float64
			fmt.Sscan(string(m[2]), &x)
			fmt.Sscan(string(m[3]), &y)
			size := 10.67
			if m := regexp.MustCompile(`--chart-label-size:([\d.]+)px`).FindSubmatch(doc); m != nil {
				fmt.Sscan(string(m[1]), &size)
			}
			if strings.Contains(string(m[1]), "title") {
				size = 12
			}
			w := MeasureSans(string(m[7]), size, false)
			left := x
			switch string(m[5]) {
			case "middle":
				left = x - w/2
			case "end":
				left = x - w
			}
			if left < -1 || left+w > c.Width+1 || y < 0 || y > c.Height+1 {
				t.Fatalf("seed %d: %q at %.1f to %.1f, %.1f leaves %.0f × %.0f", seed, m[7], left, left+w, y, c.Width, c.Height)
			}
		}
	}
}

func TestLongNamesStayBelowTheirColumns(t *testing.T) {
	for n, want := range map[int]int{6: 6, 12: 12, 60: 25} {
		c := months(Column, 1, false)
		c.Base.Categories = nil
		for i := range n {
			c.Base.Categories = append(c.Base.Categories, fmt.Sprintf("Department of Agriculture and Forestry, branch %d", i))
		}
		if got := labelled(c.Render(), "Depart"); got < want {
			t.Errorf("%d long names: %d labels, want %d", n, got, want)
		}
	}
	c := months(Column, 1, false)
	c.Base.Categories = nil
	for i := range 60 {
		c.Base.Categories = append(c.Base.Categories, fmt.Sprintf("%d March", i))
	}
	if doc := c.Render(); strings.Contains(string(doc), "rotate(") {
		t.Error("labels that count are turned where every so many would do")
	}
}

func TestLabelsAtTheEdgeOfThePlotAreShown(t *testing.T) {
	for _, legend := range []string{"none", "top", "right", "left"} {
		c := months(Column, 2, false)
		c.Turned, c.Legend, c.Base.Guidelines, c.Value.Normalised = true, legend, false, true
		for i := range c.Series {
			c.Series[i].Stack = "all"
		}
		c.Value.Number = func(v, _, _ float64) string { return fmt.Sprintf("%.0f%%", 100*v) }
		if labelled(c.Render(), "100%<") != 1 || labelled(c.Render(), "0%<") != 1 {
			t.Errorf("legend %s: the first or the last label is left out", legend)
		}
	}
}

func TestATitleKeepsOutOfTheLegend(t *testing.T) {
	c := months(Column, 2, false)
	c.Legend, c.Second, c.Series[1].Second = "right", Axis{Snap: true, Min: math.NaN(), Max: math.NaN(), Title: "Pieces"}, true
	place := func(pattern string) (x float64) {
		if m := regexp.MustCompile(pattern).FindSubmatch(c.Render()); m != nil {
			fmt.Sscan(string(m[1]), &x)
		}
		return x
	}
	if end, begin := place(`x="([\d.]+)"[^>]*>Pieces<`), place(`x="([\d.]+)"[^>]*>Series 0<`); end == 0 || end > begin {
		t.Errorf("the title ends at %v, the legend's texts begin at %v", end, begin)
	}
}

// The highest label of the value axis is where the plot begins, whatever the size
// of labels.
func TestTheHighestLabelIsThere(t *testing.T) {
	for n := range 60 {
		c := months(Column, 1, false)
		c.Width, c.Height, c.Legend, c.Base.Categories, c.Value.Title = 420, 220, "none", nil, ""
		for i := range n + 1 {
			c.Base.Categories = append(c.Base.Categories, fmt.Sprint("Branch of town ", i))
		}
		doc := string(c.Render())
		_, lines, _ := strings.Cut(doc, `class="q-c-guide" d="`)
		lines, _, _ = strings.Cut(lines, `"`)
		labels := regexp.MustCompile(`text-anchor="end">\d+<`).FindAllString(doc, -1)
		if want := strings.Count(lines, "H") + 1; len(labels) != want {
			t.Errorf("%d categories: %d labels of values, want %d", n+1, len(labels), want)
		}
	}
}
