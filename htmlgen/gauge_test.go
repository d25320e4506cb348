package htmlgen

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// TestGaugesSayWhatTheyShow: the value with its ends, its band and the target, to those
// who do not see the drawing; and they begin where reading begins.
func TestGaugesSayWhatTheyShow(t *testing.T) {
	t.Parallel()
	bands := []any{report.ObjectOf("to", "50", "label", "low"), report.ObjectOf("to", "100", "label", "high")}
	for _, c := range []struct {
		tag, value, kind, want string
		mirrored               bool
	}{
		{"en-US", "50", "bullet", `aria-label="50 (0 – 100); low · Goal 75"`, false},
		{"en-US", "50.5", "radial", `aria-label="50.5 (0 – 100); high · Goal 75"`, false},
		{"he-IL", "", "radial", `aria-label="אין נתונים"`, true},
		{"ar-EG", "2", "bullet", `"٢ (٠ – ١٠٠); low · Goal ٧٥"`, true},
	} {
		in := testInput(t, []report.Element{{Type: "gauge", Props: map[string]any{"value": c.value, "kind": c.kind, "bands": bands, "target": "75", "targetLabel": "Goal"}}})
		in.Locale = text.LocaleFor(c.tag)
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		html := string(doc.HTML)
		if !strings.Contains(html, c.want) || strings.Contains(html, `transform="matrix(-1 0 0 1 `) != c.mirrored || len(doc.Warnings) > 0 {
			_, got, _ := strings.Cut(html, `<div class="q-drawing"`)
			t.Errorf("%s, %q: %s %v", c.tag, c.value, clip(got, 150), doc.Warnings)
		}
	}
}
