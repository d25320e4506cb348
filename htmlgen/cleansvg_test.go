package htmlgen

import (
	"strings"
	"testing"
)

func TestDrawingsHoldNothingButLines(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`<svg><path d="M0 0" onclick="x"/></svg>`, `<svg><path d="M0 0"></path></svg>`},
		{`<svg><image href="http://evil/x.png"/><image xlink:href="data:image/png;base64,AAAA"/><image href="data:image/svg+xml;base64,AAAA"/></svg>`, `<svg><image></image><image href="data:image/png;base64,AAAA"></image><image></image></svg>`},
		{`<svg><foreignObject><p>x</p></foreignObject><text>a&lt;b</text></svg>`, `<svg><text>a&lt;b</text></svg>`},
		{`<svg><g style="fill:red;background:url(x)" filter="url(#f)" fill="url('#g')"></g></svg>`, `<svg><g style="fill:red;" fill="url(#p-g)"></g></svg>`},
		{`<svg><use href="#a"/><use href="other.svg#a"/></svg>`, `<svg><use href="#p-a"></use><use></use></svg>`},
	} {
		if got, err := cleanSVG(c.in, "p-"); err != nil || got != c.want {
			t.Errorf("%s became %s, %v", c.in, got, err)
		}
	}
	for _, broken := range []string{"", "<p>", "<svg>", "no svg", `<svg><svg/></svg><x`} {
		if got, err := cleanSVG(broken, ""); err == nil {
			t.Errorf("%q became %q", broken, got)
		}
	}
}

func FuzzCleanSVG(f *testing.F) {
	f.Add(`<svg viewBox="0 0 1 1"><g><path d="M0 0"/><text style="font-size:12px">x</text></g></svg>`)
	f.Add(`<svg><script>x</script><image xlink:href="data:image/png;base64,AA"/><a:path b:href="x"/></svg>`)
	f.Fuzz(func(t *testing.T, source string) {
		got, err := cleanSVG(source, "p-")
		if err != nil {
			return
		}
		checkHarmless(t, "svg", []byte(`<html><body><section class="q-sheet"><div class="q-body"></div>`+"</section>"+got+`<div class="q-body">THE END</div></body></html>`))
		if strings.Contains(strings.ToLower(got), "<script") {
			t.Error(got)
		}
	})
}
