package chart

import (
	"math"
	"strings"
	"testing"
)

func TestMeasureAndFit(t *testing.T) {
	if w := MeasureSans("Quire", 100, false); math.Abs(w-255) > 12 {
		t.Errorf("Quire is %v wide", w)
	}
	if w := MeasureSans("報告書", 10, false); w < 30 || w > 32 {
		t.Errorf("three full-width characters are %v wide", w)
	}
	// As Chromium draws it in Noto Sans Malayalam; averages made it a quarter narrower.
	if w := MeasureSans("അജവും ആനയും ഐരാവതവും", 10, false); w < 160 || w > 172 {
		t.Errorf("three words of Malayalam are %v wide", w)
	}
	f := texts{MeasureSans, 10, false, false}
	for _, c := range []struct {
		text string
		room float64
		want string
	}{{"Berlin", 100, "Berlin"}, {"Federal Republic", 50, "Federal…"}, {"Berlin", 3, ""}, {"ऋषियों को", 30, "ऋषि…"}} {
		if got := f.fit(c.text, c.room); got != c.want {
			t.Errorf("%q in %v: %q, want %q", c.text, c.room, got, c.want)
		}
	}
	if lines, ok := f.wrap("Share of 12 %", 45, 2); !ok || strings.Join(lines, "|") != "Share of|12 %" {
		t.Errorf("%q %v", lines, ok)
	}
}

// The figures of axes are tabular, and so are their signs: a measure without
// that cut the minus of the lowest label at the edge.
func TestLabelsOfAxesAreMeasuredWithTabularFigures(t *testing.T) {
	f := Style{LabelSize: 100, Measure: MeasureSans}
	for text, want := range map[string]float64{"−1,000": 5*65 + 29, "-11": 3 * 65, "(1.1)": 2*39 + 2*65 + 29} {
		if got := f.labels().width(text); math.Abs(got-want*safety) > 2 {
			t.Errorf("%s is %v wide, want %v", text, got, want*safety)
		}
	}
}
