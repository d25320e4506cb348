package starter_test

import (
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/examples/gallery"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/starter"
)

// TestStartingPointsStandAlone: what a starting point needs is in it, and it
// stands in no need of other reports.
func TestStartingPointsStandAlone(t *testing.T) {
	for name, bundle := range map[string]struct {
		points []starter.Point
		least  int
		has    []string
	}{
		"layouts": {points(t, assets.Starts()), 4, []string{"letter", "invoice", "list", "dashboard"}},
		"gallery": {points(t, gallery.Files), 30, []string{"invoice", "price-list", "school-report"}},
	} {
		codes := []string{}
		for _, p := range bundle.points {
			codes = append(codes, p.Code)
			text, err := json.Marshal(p.Report)
			if err != nil {
				t.Fatal(err)
			}
			if whole := string(text); strings.Contains(whole, `.svg"`) || len(text) > 400_000 {
				t.Errorf("%s: %s has %d bytes and names files", name, p.Code, len(text))
			}
			if p.Report.Template != "" && len(p.Report.Include.Templates) != 1 || p.Report.Theme != "" && len(p.Report.Include.Themes) != 1 {
				t.Errorf("%s: %s lacks its template or theme", name, p.Code)
			}
			if p.Name == "" || p.Report.Type != "" || p.Report.Subreport {
				t.Errorf("%s: %+v", name, p)
			}
		}
		for _, code := range bundle.has {
			if !slices.Contains(codes, code) {
				t.Errorf("%s: %s is missing in %q", name, code, codes)
			}
		}
		if len(codes) < bundle.least || slices.Contains(codes, "annual-report") || slices.Contains(codes, "energy-report") || slices.Contains(codes, "annual-people") {
			t.Errorf("%s: %d, %q", name, len(codes), codes)
		}
	}
}

func points(t *testing.T, bundle fs.FS) []starter.Point {
	t.Helper()
	ws, problems := report.ReadWorkspace(bundle)
	if problems != nil {
		t.Fatal(problems)
	}
	list, err := starter.Points(ws)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
