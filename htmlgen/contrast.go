package htmlgen

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/htmlgen/chart"
	"github.com/quire-reports/quire/report"
)

// Palette knows what the colours of a theme come to.
type Palette struct {
	Theme  *report.Theme // complete: what is left open is the built-in theme's
	colors map[string]string
}

// NewPalette completes a theme; nil means the built-in one.
func NewPalette(theme *report.Theme) *Palette {
	p := &Palette{Theme: completeTheme(theme)}
	p.colors = (&Context{theme: p.Theme}).colors()
	p.colors["page-background"] = p.Theme.Page.Background
	return p
}

// RGB is an opaque colour.
type RGB [3]uint8

// Color reads a CSS colour as authors write it: hex, rgb(), a variable of the
// theme, white and black. What is translucent or written otherwise cannot be
// told.
func (p *Palette) Color(value string) (RGB, bool) {
	value = strings.ToLower(strings.TrimSpace(plainColor(strings.TrimSpace(value), p.colors)))
	switch {
	case value == "white":
		return RGB{255, 255, 255}, true
	case value == "black":
		return RGB{}, true
	case strings.HasPrefix(value, "#"):
		return hexColor(value[1:])
	case strings.HasPrefix(value, "rgb") && strings.HasSuffix(value, ")"):
		_, list, _ := strings.Cut(strings.TrimSuffix(value, ")"), "(")
		return rgbColor(strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == '/' }))
	}
	return RGB{}, false
}

// Hex is the colour in six hexadecimal digits.
func (c RGB) Hex() string { return fmt.Sprintf("%02X%02X%02X", c[0], c[1], c[2]) }

func hexColor(hex string) (RGB, bool) {
	if len(hex) == 3 || len(hex) == 4 {
		long := make([]byte, 0, 8)
		for i := range len(hex) {
			long = append(long, hex[i], hex[i])
		}
		hex = string(long)
	}
	if len(hex) == 8 && hex[6:] == "ff" {
		hex = hex[:6]
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || len(hex) != 6 {
		return RGB{}, false
	}
	return RGB{uint8(n >> 16), uint8(n >> 8), uint8(n)}, true
}

func rgbColor(parts []string) (RGB, bool) {
	if len(parts) != 3 && (len(parts) != 4 || parts[3] != "1" && parts[3] != "100%") {
		return RGB{}, false
	}
	var c RGB
	for i := range c {
		n, err := strconv.ParseFloat(parts[i], 64)
		if err != nil || n < 0 || n > 255 {
			return RGB{}, false
		}
		c[i] = uint8(n + 0.5)
	}
	return c, true
}

// Contrast is the contrast of two colours by WCAG 2: from 1 to 21.
func Contrast(a, b RGB) float64 {
	x, y := a.luminance()+0.05, b.luminance()+0.05
	return max(x, y) / min(x, y)
}

func (c RGB) luminance() float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c[0]) + 0.7152*linear(c[1]) + 0.0722*linear(c[2])
}

// Points is an absolute CSS length in points.
func Points(value string) (float64, bool) {
	px := absolute(length(value))
	return px * 0.75, px > 0
}

// TextWidth is about how wide a text is in common sans faces, in ems.
func TextWidth(s string, bold bool) float64 { return chart.MeasureSans(s, 1, bold) }
