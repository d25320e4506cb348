package htmlgen

import (
	"strings"
	"testing"
)

// TestCostlyCSS: what would take the browser minutes is left out with a reason,
// in style sheets and in styles of elements; what people write stays.
func TestCostlyCSS(t *testing.T) {
	t.Parallel()
	shadows := strings.TrimSuffix(strings.Repeat("0 0 5px red,", 300), ",")
	for _, c := range []struct{ declaration, reason string }{
		{"animation:a 1s infinite", "nothing moves on paper"},
		{"-webkit-animation-name:a", "nothing moves on paper"},
		{"transition:all 1s", "nothing moves on paper"},
		{"column-count:100000", "more than 50 columns"},
		{"column-count:3", ""},
		{"columns:100000", "more than 50 columns"},
		{"columns:2 300px", ""},
		{"text-shadow:" + shadows, "300 shadows in one place; accepted: 20"},
		{"box-shadow:0 0 500px red", "a shadow with a blur of 500; accepted: 250"},
		{"box-shadow:0 0 0 9999px rgba(0,0,0,.2)", ""},
		{"box-shadow:0 1px 2px rgba(0,0,0,.2), inset 0 0 4px #12345678", ""},
		{"filter:blur(900px)", "a blur of 900; accepted: 250"},
		{"filter:drop-shadow(0 0 900px red)", "a blur of 900"},
		{"filter:grayscale(1)", ""},
	} {
		inline, droppedInline := declarations(c.declaration)
		sheet, droppedSheet := stylesheet("p{" + c.declaration + "}")
		name, _, _ := strings.Cut(c.declaration, ":")
		for where, got := range map[string]struct {
			kept    string
			dropped []string
		}{"style": {inline, droppedInline}, "sheet": {sheet, droppedSheet}} {
			switch {
			case c.reason == "" && (len(got.dropped) > 0 || !strings.Contains(got.kept, name)):
				t.Errorf("%s: %.60s is left out: %v", where, c.declaration, got.dropped)
			case c.reason != "" && (len(got.dropped) != 1 || !strings.Contains(got.dropped[0], c.reason) || strings.Contains(got.kept, name)):
				t.Errorf("%s: %.60s gives %q and %v", where, c.declaration, got.kept, got.dropped)
			}
		}
	}
	for selector, harmless := range map[string]bool{
		"p:has(img)": true, ":is(h1, h2):not(.x)": true,
		":is(:is(:is(*) *) *):has(* ~ *)": false, "a:has(b):has(c:has(d))": false,
	} {
		if kept, _ := stylesheet(selector + "{color:red}"); strings.Contains(kept, "color") != harmless {
			t.Errorf("%s gives %q", selector, kept)
		}
	}
}
