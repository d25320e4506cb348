package text

import (
	"fmt"
	"slices"
	"testing"
)

func TestReferences(t *testing.T) {
	t.Parallel()
	scope := ScopeFunc(func(root string) (any, bool) {
		return map[string]any{"name": "a & b", "none": nil}[root], true
	})
	refer := func(dst []byte, what ReferredTo, name string) []byte { return fmt.Appendf(dst, "<%d %s>", what, name) }
	const warning = "a reference can stand in text, not here; its name is printed"
	for _, tt := range []struct {
		template string
		place    Escaper
		refer    func([]byte, ReferredTo, string) []byte
		want     string
		warned   bool
	}{
		{"page {name:pageOf}.", EscapeText, refer, "page <1 a & b>.", false},
		{"{name:titleOf}, {name:numberOf}", EscapeHTML, refer, "<2 a & b>, <3 a & b>", false},
		{"page {none:pageOf}", EscapeText, refer, "page ", false},
		{"page {none:pageOf|costs}", EscapeText, refer, "page <1 costs>", false},
		{"page {name:pageOf}", EscapeText, nil, "page a &amp; b", true},
		{"{name:pageOf}.pdf", Raw, refer, "a & b.pdf", true},
		{"{name:titleOf}", Printed, refer, "a & b", true},
		{"{name:titleOf}", EscapeAttr, refer, "a &amp; b", true},
	} {
		var warnings []string
		env := &Env{Scope: scope, Refer: tt.refer, Warn: func(message string) { warnings = append(warnings, message) }}
		if got := string(Parse(tt.template).Append(nil, env, tt.place)); got != tt.want {
			t.Errorf("%s: %s, not %s", tt.template, got, tt.want)
		}
		if told := slices.Contains(warnings, warning); told != tt.warned {
			t.Errorf("%s: warnings %q", tt.template, warnings)
		}
	}
}
