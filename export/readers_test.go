package export

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// Scripts stand also in elements inside the settings of others, and what is
// shared by all who ask is not changed.
func TestReadersSeeNoScriptsOfATemplate(t *testing.T) {
	t.Parallel()
	const doc = `{"name":"T","code":"t","layouts":[{"size":"A5","header":[{"type":"flow","children":[{"type":"data-table","props":{"columns":[{"function":"secret()","html":"<b>kept</b>"}]}}]}],
		"body":[{"type":"data-table","props":{"columns":[{"component":{"type":"flow","children":[{"type":"advanced-chart","props":{"options":"() => secret()"}}]}},{"elements":[{"type":"advanced-chart","props":{"options":"() => secret()"}}]}]}},{"type":"unknown","props":{"a":["kept too"]}}]}]}`
	whole := new(report.Template)
	if problems := report.ReadStored([]byte(doc), whole); len(problems) > 0 {
		t.Fatal(problems)
	}
	text := func(v any) string {
		b, err := report.MarshalDefinition(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	before := text(whole)
	seen := text(ForReaders(whole))
	if strings.Contains(seen, "secret") || !strings.Contains(seen, "kept too") || !strings.Contains(seen, "<b>kept") || !strings.Contains(seen, "A5") {
		t.Error(seen)
	}
	if text(whole) != before || !strings.Contains(before, "() => secret()") {
		t.Error("the definition itself was changed")
	}
}
