package htmlgen

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

func TestSmallDrawingsBeginWhereReadingBegins(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]int{"en-US": 0, "he-IL": 2} {
		in := testInput(t, []report.Element{{Type: "rating", Props: map[string]any{"value": "2.5"}}, {Type: "sparkline", Props: map[string]any{"source": "$data.n"}}})
		in.Data, in.Locale = report.ObjectOf("n", []any{int64(1), int64(2)}), text.LocaleFor(tag)
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(string(doc.HTML), `transform="matrix(-1 0 0 1 `); got != want {
			t.Errorf("%s: %d of 2 are mirrored, want %d", tag, got, want)
		}
	}
}

func TestLongSparklinesSayTheirEndsAndExtremes(t *testing.T) {
	t.Parallel()
	values := make([]any, 2000)
	for i := range values {
		values[i] = int64(i%100) - 50
	}
	in := testInput(t, []report.Element{{Type: "sparkline", Props: map[string]any{"source": "$data.n"}}})
	in.Data = report.ObjectOf("n", values)
	doc, err := Compile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if want := `aria-label="−50 … 49 (−50 – 49)"`; !strings.Contains(string(doc.HTML), want) || len(doc.Warnings) > 0 {
		t.Errorf("no %s; %v", want, doc.Warnings)
	}
}

func TestSparklinesTellWhatTheyDoNotShow(t *testing.T) {
	t.Parallel()
	in := testInput(t, []report.Element{{Type: "sparkline", Props: map[string]any{"source": "$data.n", "min": "0", "max": "10"}}})
	in.Data = report.ObjectOf("n", []any{int64(5), "many", "few", nil, int64(-3), int64(99)})
	doc, err := Compile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, w := range doc.Warnings {
		got += w.Error() + "\n"
	}
	for _, want := range []string{`2 values of the field "$data.n" are no numbers and are left out`, "2 values lie beyond the ends of the sparkline and are drawn at them"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
}
