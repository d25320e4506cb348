package htmlgen

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// TestWhichChangesAreGood: the look says which, and less than is printed is no change.
func TestWhichChangesAreGood(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ value, before, better, want string }{
		{"110", "100", "higher", `success"><span aria-hidden="true">↑ </span>+10%`},
		{"110", "100", "lower", `danger"><span aria-hidden="true">↑ </span>+10%`},
		{"90", "100", "lower", `success"><span aria-hidden="true">↓ </span>−10%`},
		{"90", "100", "neither", `neutral"><span aria-hidden="true">↓ </span>−10%`},
		{"-90", "-100", "higher", `success"><span aria-hidden="true">↑ </span>+10%`},
		{"100.01", "100", "higher", `neutral"><span aria-hidden="true">= </span>0%`},
		{"99.99", "100", "higher", `neutral"><span aria-hidden="true">= </span>0%`},
		{"0", "0", "higher", `neutral"><span aria-hidden="true">= </span>0%`},
	} {
		in := testInput(t, []report.Element{{Type: "kpi-tile", Props: map[string]any{"value": c.value, "compareWith": c.before, "better": c.better}}})
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(doc.HTML), c.want) || len(doc.Warnings) > 0 {
			_, got, _ := strings.Cut(string(doc.HTML), `<div class="q-kpi-change">`)
			t.Errorf("%s after %s, %s is better: %s %v", c.value, c.before, c.better, clip(got, 120), doc.Warnings)
		}
	}
}

func TestFiguresTakeTheRoomOfTheirTile(t *testing.T) {
	t.Parallel()
	for width, want := range map[string]string{"300px": "--kpi-size:25px", "130px": "--kpi-size:18.72px", "60px": "--kpi-size:11px"} {
		in := testInput(t, []report.Element{{Type: "kpi-tile", Props: map[string]any{"value": "1,234,567", "width": width}}})
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(doc.HTML), want) || strings.Contains(doc.Warnings.Error(), "has no room") != (width == "60px") {
			_, got, _ := strings.Cut(string(doc.HTML), `<div class="q-kpi-value"`)
			t.Errorf("%s: %s %v", width, clip(got, 60), doc.Warnings)
		}
	}
}
