package text

import (
	"slices"
	"testing"
)

func TestFootnotes(t *testing.T) {
	t.Parallel()
	const open, end = `<span class="q-note"><span class="q-aside"> (</span>`, `<span class="q-aside">)</span></span>`
	scope := ScopeFunc(func(root string) (any, bool) {
		return map[string]any{"tax": 1234.5, "remark": "Restated & <audited>", "none": nil}[root], true
	})
	for _, tt := range []struct {
		template string
		place    Escaper
		want     string
		warned   bool
	}{
		{"Tax{remark:footnote}.", EscapeText, "Tax" + open + "Restated &amp; &lt;audited&gt;" + end + ".", false},
		{"Tax{tax:c;EUR:prefix;was :footnote}", EscapeHTML, "Tax" + open + "was €1,234.50" + end, false},
		{"Tax{none:footnote}", EscapeText, "Tax", false},
		{"Tax{none:footnote|as before}", EscapeText, "Tax" + open + "as before" + end, false},
		{"Tax{remark:footnote}.pdf", Raw, "Tax.pdf", true},
		{"Tax{remark:footnote}", EscapeAttr, "Tax", true},
		{"Tax{remark:footnote}", Printed, "Tax", true},
	} {
		var warnings []string
		env := &Env{Scope: scope, Warn: func(message string) { warnings = append(warnings, message) }}
		if got := string(Parse(tt.template).Append(nil, env, tt.place)); got != tt.want {
			t.Errorf("%s: %s, not %s", tt.template, got, tt.want)
		}
		if told := slices.Contains(warnings, "a footnote can stand in text, not here; it is left out"); told != tt.warned {
			t.Errorf("%s: warnings %q", tt.template, warnings)
		}
	}
}
