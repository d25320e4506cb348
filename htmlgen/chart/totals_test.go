package chart

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestSumsStandAtTheEndsOfStacks: finding pages B7, totals of stacks.
func TestSumsStandAtTheEndsOfStacks(t *testing.T) {
	stacks := func(turned bool, values ...[]float64) *XY {
		c := months(Column, len(values), false)
		c.Turned, c.Legend, c.Base.Categories = turned, "none", strings.Fields("A B C")
		for i, list := range values {
			s := &c.Series[i]
			s.Stack, s.Points = "all", nil
			for x, v := range list {
				s.Points = append(s.Points, Point{X: float64(x), Y: v})
			}
		}
		c.Series[0].Total = func(v float64) string { return fmt.Sprintf("Σ%g", v) }
		c.Series[len(values)-1].Total = c.Series[0].Total // of the same stack
		return c
	}
	place := regexp.MustCompile(`x="([\d.]+)" y="([\d.]+)"[^>]*>Σ([-\d.]+)<`)
	for name, test := range map[string]struct {
		values [][]float64
		want   []string
	}{
		"growing":   {[][]float64{{10, 20, 30}, {1, 2, 3}}, []string{"11", "22", "33"}},
		"falling":   {[][]float64{{-10, -20, -30}, {-1, -2, -3}}, []string{"-11", "-22", "-33"}},
		"both ways": {[][]float64{{10, 20, 30}, {-1, -2, -3}}, []string{"9", "18", "27"}},
		"with gaps": {[][]float64{{10, Gap(), 30}, {1, 2, Gap()}}, []string{"11", "30", "2"}},
	} {
		for _, turned := range []bool{false, true} {
			c, warned := stacks(turned, test.values...), ""
			c.Warn = func(message string) { warned += message }
			doc := string(c.Render())
			var got []string
			for _, m := range place.FindAllStringSubmatch(doc, -1) {
				got = append(got, m[3])
			}
			if strings.Join(got, " ") != strings.Join(test.want, " ") || warned != "" {
				t.Errorf("%s, turned %v: %v, want %v: %s", name, turned, got, test.want, warned)
			}
		}
	}
	c := stacks(false, []float64{10, 20, 30}, []float64{1, 2, 3})
	c.Value.Normalised = true
	if doc := string(c.Render()); strings.Contains(doc, "Σ") {
		t.Error("shares of a hundred have sums")
	}
}
