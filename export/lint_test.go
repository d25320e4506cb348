package export

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// TestFindingsOfRealReports lists what Lint finds in the demo and the gallery.
// Each line has been judged: it is there because the finding is right.
func TestFindingsOfRealReports(t *testing.T) {
	var b strings.Builder
	all := bundles()
	for _, bundle := range slices.Sorted(maps.Keys(all)) {
		s, ws := bundleService(t, all[bundle])
		for i := range ws.Reports {
			r, err := s.prepare(t.Context(), Request{Report: ws.Reports[i].Code})
			if err != nil {
				t.Errorf("%s/%s: %v", bundle, ws.Reports[i].Code, err)
				continue
			}
			for _, f := range s.lint(r) {
				fmt.Fprintf(&b, "%s/%s: %s: %s: %s\n", bundle, ws.Reports[i].Code, f.Rule, f.Path, f.Message)
			}
		}
	}
	golden(t, "testdata/lint.txt", b.String())
}

// golden compares with a file that -update writes.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run the test with -update and look at what changed\n%s", name, got)
	}
}
