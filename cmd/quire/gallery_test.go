package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

func TestGalleryReportsKeepTheInvariants(t *testing.T) {
	ofDocuments(t)
	for _, folder := range []string{"../../examples/gallery", "../../assets/demo", "testdata/options"} {
		ws := bundleIn(t, folder)
		c := newPageCheck(t, ws)
		pages := 0
		for _, r := range ws.Reports {
			if r.Report.Subreport {
				continue
			}
			faults, seen := c.invariants(r.Code)
			for _, f := range faults {
				t.Errorf("%s: %s", r.Code, f)
			}
			if seen != nil {
				pages += seen.Pages
			}
		}
		t.Logf("%s: %d reports, %d pages", folder, len(ws.Reports), pages)
	}
}

var (
	generated = flag.Int("generated", 40, "how many random reports are checked")
	firstSeed = flag.Int("first-seed", 0, "which random report is the first")

	hostileSizes = flag.Bool("hostile", false, "every second random report has long words, wide numbers, deep cells and narrow boxes")
)

func TestRandomReportsKeepTheInvariants(t *testing.T) {
	ofDocuments(t)
	for half := range 2 {
		t.Run([]string{"even seeds", "odd seeds"}[half], func(t *testing.T) {
			t.Parallel()
			ws := &report.Workspace{Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-GB"}, {Name: "العربية", Code: "ar", Culture: "ar-AE"}}}
			c := newPageCheck(t, ws)
			for seed := *firstSeed; seed < *firstSeed+*generated; seed++ {
				if seed%2 == half {
					c.checkRandom(t, ws, uint64(seed))
				}
			}
		})
	}
}

// checkRandom looks at the report of a seed, and keeps what is left of a faulty
// one as a file.
func (c *pageCheck) checkRandom(t *testing.T, ws *report.Workspace, seed uint64) {
	def := randomReport(seed)
	faults := c.check(ws, def)
	if len(faults) == 0 {
		return
	}
	small := c.shrink(ws, def)
	file := filepath.Join(os.TempDir(), fmt.Sprintf("quire-random-%d.json", seed))
	doc, err := report.MarshalDefinition(small)
	if err == nil {
		err = os.WriteFile(file, doc, 0o600)
	}
	t.Errorf("seed %d: %s\nin %s (%v):\n  %s", seed, faults[0], file, err, strings.Join(c.check(ws, small), "\n  "))
}

// check looks at one report.
func (c *pageCheck) check(ws *report.Workspace, def *report.Report) []string {
	ws.Reports = []report.NamedReport{{Code: "random", Report: *def}}
	faults, _ := c.invariants("random")
	return faults
}

// shrink leaves out pages and elements as long as something is still wrong, and
// takes a minute at most.
func (c *pageCheck) shrink(ws *report.Workspace, def *report.Report) *report.Report {
	until := time.Now().Add(time.Minute)
	for smaller := true; smaller && time.Now().Before(until); {
		smaller = false
		for _, candidate := range without(def) {
			if len(c.check(ws, candidate)) > 0 {
				def, smaller = candidate, true
				break
			}
		}
	}
	return def
}

// without are copies of a report that lack one thing each.
func without(def *report.Report) []*report.Report {
	var list []*report.Report
	for i := range def.Pages {
		if len(def.Pages) > 1 {
			cut := *def
			cut.Pages = slices.Delete(slices.Clone(def.Pages), i, i+1)
			list = append(list, &cut)
		}
		for _, elements := range withoutElement(def.Pages[i].Elements) {
			cut := *def
			cut.Pages = slices.Clone(def.Pages)
			cut.Pages[i].Elements = elements
			list = append(list, &cut)
		}
	}
	return list
}

func withoutElement(elements []report.Element) [][]report.Element {
	var list [][]report.Element
	for i, e := range elements {
		list = append(list, slices.Delete(slices.Clone(elements), i, i+1))
		for name := range e.Props {
			cut := slices.Clone(elements)
			cut[i].Props = maps.Clone(e.Props)
			delete(cut[i].Props, name)
			list = append(list, cut)
		}
		for _, children := range withoutElement(e.Children) {
			cut := slices.Clone(elements)
			cut[i].Children = children
			list = append(list, cut)
		}
	}
	return list
}

func sortedNames(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

var everyPage = flag.Bool("every-page", false, "compare the pixels of every page of the gallery, not only of each first one")

// TestPreviewAndPDFAreTheSamePixels compares the first page of every second
// report, and with -every-page all pages of all: make check-pages.
func TestPreviewAndPDFAreTheSamePixels(t *testing.T) {
	ofDocuments(t)
	for _, folder := range []string{"../../examples/gallery", "../../assets/demo"} {
		ws := bundleIn(t, folder)
		c := newPageCheck(t, ws)
		worst, at := 0.0, "none"
		for i, r := range ws.Reports {
			if r.Report.Subreport || !*everyPage && i%2 > 0 {
				continue
			}
			if share, page := c.checkPixels(t, r.Code, *everyPage); share >= worst {
				worst, at = share, page
			}
		}
		t.Logf("%s: the worst page is %s with %.3f %% differing pixels", folder, at, 100*worst)
	}
}
