package htmlgen

import (
	"context"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// TestShownParametersAreInWords: periods and labels, not what programs hold.
func TestShownParametersAreInWords(t *testing.T) {
	t.Parallel()
	months := func(from, to string) any { return report.ObjectOf("from", from, "to", to) }
	users := report.Parameter{Type: report.ParameterLookup, Lookup: []report.LookupItem{{Value: int64(1), Label: "Anna"}, {Value: int64(2), Label: "Bert"}, {Value: int64(3)}}}
	period := report.Parameter{Type: report.ParameterMonthRange}
	for _, c := range []struct {
		p     report.Parameter
		value any
		tag   string
		want  string
	}{
		{period, months("2026-01-01", "2026-04-01"), "en-US", "January 2026 – March 2026"},
		{period, months("2026-01-01", "2026-02-01"), "de-DE", "Januar 2026"},
		{period, months("2025-12-01", "2026-02-01"), "sr-Latn-RS", "decembar 2025. – januar 2026."},
		{period, months("2026-01-15", "2026-02-01"), "en-US", "1/15/2026 – 1/31/2026"},
		{report.Parameter{Type: report.ParameterSwitch}, false, "de-DE", "Nein"},
		{report.Parameter{Type: report.ParameterSwitch}, true, "sr-Latn-RS", "Da"},
		{users, int64(2), "en-US", "Bert"},
		{users, []any{int64(2), int64(1), int64(3)}, "en-US", "Bert, Anna, 3"},
	} {
		c.p.Name = "m"
		in := testInput(t, []report.Element{{Type: "text", Props: map[string]any{"text": "x"}}})
		in.Shown, in.Params, in.Locale = []report.Parameter{c.p}, report.ObjectOf("m", c.value), text.LocaleFor(c.tag)
		doc, err := Compile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		if want := "<dt>m</dt><dd>" + c.want + "</dd>"; !strings.Contains(string(doc.HTML), want) {
			_, got, _ := strings.Cut(string(doc.HTML), `<dl class="q-parameters">`)
			t.Errorf("%v in %s: want %s, got %.120s", c.value, c.tag, c.want, got)
		}
	}
}
