package sheets

import (
	"strconv"
	"strings"
)

// declaration is the value of a property in CSS declarations; empty where none is.
func declaration(style, property string) string {
	for rest := style; rest != ""; {
		var one string
		one, rest, _ = strings.Cut(rest, ";")
		name, value, ok := strings.Cut(one, ":")
		if ok && strings.TrimSpace(name) == property {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// heavy reports declarations of bold text.
func heavy(style string) bool {
	weight := declaration(style, "font-weight")
	n, _ := strconv.Atoi(weight)
	return weight == "bold" || n >= 600
}

// background is the colour that declarations put behind a text.
func background(style string) string {
	if color := declaration(style, "background-color"); color != "" {
		return color
	}
	return declaration(style, "background")
}

// points is a length of CSS in points.
func points(length string) float64 {
	for unit, size := range map[string]float64{"px": 0.75, "pt": 1, "mm": 72 / 25.4, "cm": 72 / 2.54, "in": 72, "pc": 12} {
		if number, ok := strings.CutSuffix(length, unit); ok {
			v, _ := strconv.ParseFloat(number, 64)
			return v * size
		}
	}
	return 0
}

func digits(n int) string { return strconv.Itoa(n) }
