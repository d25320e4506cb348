package htmlgen

import (
	"math"
	"strconv"
	"strings"
)

// Markers stand before the indent of a list, so that long ones would stand out
// of it, over the margin of the page.

const (
	usualIndent = "1.6em"
	// letterWidth is about the width of a digit or letter of a marker, markerGap
	// of the full stop and the blank after it, both in em.
	letterWidth = 0.62
	markerGap   = 0.6
)

// roomOfMarkers is the indent that the markers of n items need; empty where the
// author chose one or the usual one has room for them.
func (p *listProps) roomOfMarkers(n int) string {
	if !p.numbered() || p.ListIndent != usualIndent || n == 0 {
		return ""
	}
	widest := 0.0
	for i := p.StartValue; i < p.StartValue+n; i++ {
		widest = max(widest, markerWidth(p.BulletType, i))
	}
	if room := widest + markerGap; room > 2 {
		return strconv.FormatFloat(math.Ceil(room*10)/10, 'f', -1, 64) + "em"
	}
	return ""
}

func markerWidth(kind string, n int) float64 {
	switch kind {
	case "upper-roman", "lower-roman":
		if n > 0 && n < 4000 {
			return romanWidth(n)
		}
	case "upper-alpha", "lower-alpha":
		if n > 0 {
			return (math.Floor(math.Log(float64(n)*25/26+1)/math.Log(26)) + 1) * letterWidth
		}
	}
	return float64(len(strconv.Itoa(n))) * letterWidth
}

func romanWidth(n int) float64 {
	width := 0.0
	for _, d := range []struct {
		value   int
		letters string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; n >= d.value; n -= d.value {
			narrow := float64(strings.Count(d.letters, "I"))
			width += narrow*letterWidth/2 + (float64(len(d.letters))-narrow)*letterWidth
		}
	}
	return width
}
