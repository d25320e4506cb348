package htmlgen

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/quire-reports/quire/report"
)

// visions turn linear RGB into what people with normal sight and with each of
// the three kinds of colour blindness see (Machado, Oliveira and Fernandes 2009).
var visions = map[string][9]float64{
	"normal": {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"protan": {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"deutan": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"tritan": {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
}

// seenLab is a hex colour as somebody sees it, in CIELAB.
func seenLab(t *testing.T, hex string, m [9]float64) [3]float64 {
	n, err := strconv.ParseUint(hex[1:], 16, 32)
	if err != nil || len(hex) != 7 {
		t.Fatalf("%s is no hex colour", hex)
	}
	var c, s [3]float64
	for i := range c {
		v := float64(n>>(16-8*i)&0xff) / 255
		if c[i] = v / 12.92; v > 0.04045 {
			c[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	for i := range s {
		s[i] = max(0, min(1, m[3*i]*c[0]+m[3*i+1]*c[1]+m[3*i+2]*c[2]))
	}
	f := func(v float64) float64 {
		if v > 0.008856 {
			return math.Cbrt(v)
		}
		return 7.787*v + 16.0/116
	}
	x := f((0.4124564*s[0] + 0.3575761*s[1] + 0.1804375*s[2]) / 0.95047)
	y := f(0.2126729*s[0] + 0.7151522*s[1] + 0.0721750*s[2])
	z := f((0.0193339*s[0] + 0.1191920*s[1] + 0.9503041*s[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// deltaE2000 is how different two colours look (CIE 142-2001, as Sharma, Wu and
// Dalal write it).
func deltaE2000(a, b [3]float64) float64 {
	const degree = math.Pi / 180
	mean := (math.Hypot(a[1], a[2]) + math.Hypot(b[1], b[2])) / 2
	p7 := math.Pow(mean, 7)
	g := 1 + 0.5*(1-math.Sqrt(p7/(p7+math.Pow(25, 7))))
	c1, c2 := math.Hypot(a[1]*g, a[2]), math.Hypot(b[1]*g, b[2])
	hue := func(a, b float64) float64 { return math.Mod(math.Atan2(b, a)/degree+360, 360) }
	h1, h2 := hue(a[1]*g, a[2]), hue(b[1]*g, b[2])
	dh, hm := h2-h1, (h1+h2)/2
	switch {
	case c1*c2 == 0:
		dh, hm = 0, h1+h2
	case math.Abs(dh) > 180:
		dh -= math.Copysign(360, dh)
		if hm += 180; hm >= 360 {
			hm -= 360
		}
	}
	dl, dc, dH := b[0]-a[0], c2-c1, 2*math.Sqrt(c1*c2)*math.Sin(dh/2*degree)
	lm, cm := (a[0]+b[0])/2, (c1+c2)/2
	cos := func(v float64) float64 { return math.Cos(v * degree) }
	tt := 1 - 0.17*cos(hm-30) + 0.24*cos(2*hm) + 0.32*cos(3*hm+6) - 0.20*cos(4*hm-63)
	sl := 1 + 0.015*(lm-50)*(lm-50)/math.Sqrt(20+(lm-50)*(lm-50))
	sc, sh := 1+0.045*cm, 1+0.015*cm*tt
	c7 := math.Pow(cm, 7)
	rt := -2 * math.Sqrt(c7/(c7+math.Pow(25, 7))) * math.Sin(60*degree*math.Exp(-math.Pow((hm-275)/25, 2)))
	return math.Sqrt(math.Pow(dl/sl, 2) + math.Pow(dc/sc, 2) + math.Pow(dH/sh, 2) + rt*dc/sc*dH/sh)
}

func TestDeltaE2000(t *testing.T) {
	// from the data that Sharma, Wu and Dalal publish with their paper
	for _, c := range []struct {
		a, b [3]float64
		want float64
	}{
		{[3]float64{50, 2.6772, -79.7751}, [3]float64{50, 0, -82.7485}, 2.0425},
		{[3]float64{50, 2.5, 0}, [3]float64{73, 25, -18}, 27.1492},
		{[3]float64{2.0776, 0.0795, -1.1350}, [3]float64{0.9033, -0.0636, -0.5514}, 0.9082},
	} {
		if got := deltaE2000(c.a, c.b); math.Abs(got-c.want) > 1e-3 {
			t.Errorf("%v %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// TestPalettesCanBeToldApart looks at the first eight colours of every theme as
// all people see them: any two differ, so those of every prefix and of every even
// spread do, and each stands out from white paper.
func TestPalettesCanBeToldApart(t *testing.T) {
	const apart, contrast = 10, 3
	palettes := map[string][]string{"default": DefaultTheme().Chart.Palette}
	for _, folder := range []string{"../examples/gallery/themes", "../assets/demo/themes"} {
		files, err := filepath.Glob(folder + "/*.json")
		if err != nil || len(files) == 0 {
			t.Fatal(folder, err)
		}
		for _, file := range files {
			doc, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var theme report.Theme
			if err := json.Unmarshal(doc, &theme); err != nil {
				t.Fatal(err)
			}
			palettes[filepath.Base(file)] = theme.Chart.Palette
		}
	}
	for name, palette := range palettes {
		palette = palette[:min(8, len(palette))]
		for i, color := range palette {
			if l, _ := luminance(color); 1.05/(l+0.05) < contrast {
				t.Errorf("%s: %s has a contrast of %.2f on white", name, color, 1.05/(l+0.05))
			}
			for vision, m := range visions {
				for _, other := range palette[:i] {
					if d := deltaE2000(seenLab(t, color, m), seenLab(t, other, m)); d < apart {
						t.Errorf("%s: %s and %s are %.1f apart for %s sight", name, color, other, d, vision)
					}
				}
			}
		}
	}
}

// A few slices take the colours that people tell apart, not their lighter twins.
func TestFewSlicesTakeTheFirstEightColours(t *testing.T) {
	m := colorMapProps{Mode: "even"}
	for n := 1; n <= 16; n++ {
		seen := map[int]bool{}
		for i := range n {
			at := m.place(i, n)
			if seen[at] || at >= 16 || n <= 8 && at >= 8 {
				t.Errorf("slice %d of %d takes colour %d", i, n, at)
			}
			seen[at] = true
		}
	}
}
