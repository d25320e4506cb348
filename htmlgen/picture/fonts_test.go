package picture

import (
	"slices"
	"testing"
)

func TestFontsThatADrawingDoesNotBring(t *testing.T) {
	for _, test := range []struct {
		inside string
		want   []string
	}{
		{`<path font-family="Roboto" d="M0 0"/>`, nil}, // no text
		{`<text>plain</text>`, nil},
		{`<text font-family="sans-serif">x</text><text style="font-family:system-ui">y</text>`, nil},
		{`<text font-family="Open Sans, sans-serif">x</text>`, []string{"Open Sans"}},
		{`<text font-family="'Open Sans'">x</text><text font-family='"Open sans"'>y</text>`, []string{"Open Sans"}},
		{`<text style="font-size:9px;font-family:&quot;Open Sans&quot;, Arial;fill:red">x</text>`, []string{"Open Sans"}},
		{`<style>text { font-family: Lato; } .b{font-family:'Source Serif 4',serif}</style><text>x</text>`, []string{"Lato", "Source Serif 4"}},
		{`<style>@font-face { font-family: "Lato"; src: url(data:font/woff2;base64,d09G) } text { font-family: Lato }</style><text>x</text>`, nil},
		{`<svg:text font-family="Roboto">x</svg:text>`, []string{"Roboto"}},
	} {
		if got := Fonts([]byte(svg(test.inside))); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q; want %q", test.inside, got, test.want)
		}
	}
}

func TestLettersOfADrawing(t *testing.T) {
	for inside, want := range map[string]string{
		`<path d="M0 0"/><title>Tê</title>`:                                            "",
		`<text x="1">a<tspan>ب&amp;</tspan>&#x915;</text><svg:text>d</svg:text>`:       "aب&कd",
		`<style>@font-face { font-family: L; src: url(data:x) }</style><text>ब</text>`: "",
	} {
		if got := Letters([]byte(svg(inside))); got != want {
			t.Errorf("%s: %q; want %q", inside, got, want)
		}
	}
}
