package export

import (
	"regexp"
	"testing"

	"github.com/quire-reports/quire/report"
)

// TestTheCanvasIsTheExport holds that what the designer shows differs from what
// is exported by the origins of values and by nothing else.
func TestTheCanvasIsTheExport(t *testing.T) {
	from := regexp.MustCompile(` data-from="[^"]*"`)
	for bundle, files := range bundles() {
		s, ws := bundleService(t, files)
		marked := 0
		for i := range ws.Reports {
			code := ws.Reports[i].Code
			var warned []report.Problems
			show := func(def *report.Report) string {
				t.Helper()
				shown, err := s.Preview(t.Context(), PreviewRequest{AssetBase: "/assets", Request: Request{Report: code, Definition: def}})
				if err != nil {
					t.Fatalf("%s/%s: %v", bundle, code, err)
				}
				warned = append(warned, shown.Warnings)
				return string(shown.HTML)
			}
			plain, canvas := show(nil), show(&ws.Reports[i].Report)
			if from.MatchString(plain) {
				t.Errorf("%s/%s: the export tells where values come from", bundle, code)
			}
			marked += len(from.FindAllString(canvas, -1))
			if canvas := from.ReplaceAllString(canvas, ""); canvas != plain {
				at := 0
				for at < min(len(canvas), len(plain)) && canvas[at] == plain[at] {
					at++
				}
				t.Errorf("%s/%s: more than the origins differs from the export, at %d: %.200q and %.200q, with the warnings %v", bundle, code, at, plain[max(0, at-60):], canvas[max(0, at-60):], warned)
			}
		}
		if marked < 100 {
			t.Errorf("%s: only %d values are marked", bundle, marked)
		}
	}
}
