package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestDataLabelsNeverOverlapOrLeaveThePlot(t *testing.T) {
	placed := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		p, warned := newPlot(wild(r)), ""
		p.c.Warn = func(message string) { warned += message + "\n" }
		p.prepare()
		p.layout()
		p.draw()
		wellFormed(t, p.b)
		var boxes []Rect
		has, want := map[*run]int{}, map[*run]int{}
		for _, l := range p.labels {
			want[l.run]++
			if l.placed.W > 0 {
				boxes = append(boxes, l.placed)
				has[l.run]++
				if l.run.Kind == Line && p.places.covered(l.placed, markedBody) > 0 {
					t.Fatalf("seed %d: the label %q of a line stands on a column", seed, l.text)
				}
			}
		}
		for r, n := range want {
			missing := fmt.Sprintf("no room for %d labels of %s;", n, r.title(p.c.Series))
			if has[r] != n && (has[r] != 0 || !strings.Contains(warned, missing)) {
				t.Fatalf("seed %d: %d of %d labels of %s, warned of %q", seed, has[r], n, r.title(p.c.Series), warned)
			}
		}
		placed += len(boxes)
		for i, a := range boxes {
			if !p.places.box.holds(a) || a.X+a.W > p.c.Width+1 || a.Y < -1 {
				t.Fatalf("seed %d: the label %+v leaves the plot %+v", seed, a, p.places.box)
			}
			for _, b := range boxes[:i] {
				if a.overlaps(b) {
					t.Fatalf("seed %d: labels overlap: %+v %+v", seed, a, b)
				}
			}
		}
	}
	if placed < 800 {
		t.Errorf("only %d labels were placed", placed)
	}
}

func TestLabelsAreForAllOrNone(t *testing.T) {
	warned := ""
	warn := func(message string) { warned += message }
	full := months(Column, 1, true) // the greatest is at the end of the axis
	full.Turned, full.Value.Max, full.Height, full.Warn = true, 140, 300, warn
	full.Series[0].Points[3].Y, full.Series[0].Points[3].Label = 140, "140"
	written := func(c *XY) string {
		_, labels, _ := strings.Cut(string(c.Render()), "q-c-data")
		labels, _, _ = strings.Cut(labels, "</g>")
		return labels
	}
	if labels := written(full); strings.Count(labels, "<text") != 12 || strings.Contains(labels, "q-c-in") || warned != "" {
		t.Errorf("bars up to the end of their axis: %s %s", labels, warned)
	}
	warned = ""
	tight := months(Line, 6, true)
	tight.Warn = warn
	labels := written(tight)
	if n := strings.Count(labels, "<text"); n%12 != 0 || strings.Count(warned, "no room for 12 labels") != 6-n/12 {
		t.Errorf("crossing lines: %d labels, warned of %q", n, warned)
	}
}

// An outline of letters makes Type 3 fonts in PDF files.
func TestLabelsHaveNoOutline(t *testing.T) {
	c := months(Line, 1, true)
	c.Series = append(c.Series, Series{Kind: Marker, Name: "Limit", Labels: true, Points: []Point{{X: math.NaN(), Y: 100, Label: "Limit"}}})
	if doc := string(c.Render()); !strings.Contains(doc, `class="q-c-halo"`) {
		t.Error("a label across a line has no ground")
	}
}
