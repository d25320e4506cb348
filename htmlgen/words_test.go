package htmlgen

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// TestEntriesOfDictionariesAreTemplates: what an entry says of values is filled
// where it is printed; one made of itself ends with a warning.
func TestEntriesOfDictionariesAreTemplates(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"{$dict.hi}": "Hi A &amp; B", "{$dict.hi:uppercase}": "HI A &amp; B", "{$dict.twice}": "Hi A &amp; B!", "{$dict.row} {$dict.plain}": "x7 as it is",
		"[{$dict.self}]": "[]", "[{$dict.ping}]": "[]", "{$dict.none|else}": "else",
	} {
		in := testInput(t, []report.Element{{Type: "text", Repeat: &report.Repeat{Source: "$data.v"}, Props: map[string]any{"text": source}}})
		in.Data = report.ObjectOf("v", []any{int64(7)})
		in.Params = report.ObjectOf("p", "A & B")
		in.Dict = report.ObjectOf("hi", "Hi {$params.p}", "twice", "{$dict.hi}!", "row", "x{$it.record}", "plain", "as it is", "self", "{$dict.self}", "ping", "{$dict.pong}", "pong", "{$dict.ping}")
		in.Template = &report.Template{Name: "T", Layouts: []report.Layout{{}}}
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if got := printed(doc); got != want {
			t.Errorf("%s prints %q, want %q", source, got, want)
		}
		if own := want == "[]"; own != (len(doc.Warnings) > 0) || own && !strings.Contains(doc.Warnings[0].Error(), "is made of itself") {
			t.Errorf("%s: warnings %v", source, doc.Warnings)
		}
	}
}
