package text

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// cell reads a value of a test table: a JSON number stays as written, anything
// else is text.
func cell(s string) any {
	var d decimal
	if d.parseString(s) && json.Valid([]byte(s)) {
		return json.Number(s)
	}
	return s
}

func TestEveryExampleOfAFormatPrintsWhatItSays(t *testing.T) {
	env := &Env{Locale: LocaleFor("en-US")}
	for _, d := range formatTable() {
		if len(d.examples) == 0 {
			t.Errorf("format %s has no example", d.names[0])
		}
		for _, x := range d.examples {
			f := ParseFormat(x.format)
			if got := f.Apply(cell(x.in), env); got != x.want || len(f.Problems) > 0 {
				t.Errorf("%s | %s: got %q, want %q %v", x.in, x.format, got, x.want, f.Problems)
			}
		}
	}
}

// rows reads a table of "input | template | want" lines; \| is a bar.
func rows(t *testing.T, table string) [][3]string {
	t.Helper()
	var out [][3]string
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), " | ")
		if len(parts) != 3 {
			t.Fatalf("a row needs three parts: %q", line)
		}
		for i := range parts {
			parts[i] = strings.ReplaceAll(parts[i], "\x00", "|")
		}
		out = append(out, [3]string(parts))
	}
	return out
}

// scopeOf is a scope over one object whose members are the roots.
func scopeOf(t *testing.T, doc string) Scope {
	t.Helper()
	v, err := report.ParseValue([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	return ScopeFunc(func(root string) (any, bool) {
		if got, ok := v.(*report.Object).Get(root); ok {
			return got, true
		}
		return LookupPages(root)
	})
}
