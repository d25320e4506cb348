package htmlgen

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// TestABarGrowsFromWhereReadingBegins in languages that are written from the right.
func TestABarGrowsFromWhereReadingBegins(t *testing.T) {
	for tag, want := range map[string]string{"en-US": `d="M0 0h25v8h-25z"`, "ar-EG": `d="M75 0h25v8h-25z"`} {
		in := testInput(t, []report.Element{{Type: "progress-bar", Props: map[string]any{"value": "25"}}})
		in.Locale = text.LocaleFor(tag)
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(doc.HTML), want) {
			t.Errorf("%s: no part %s", tag, want)
		}
	}
}
