package ui

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

func timing(took float64, phases ...report.PhaseTime) report.Timing {
	return report.Timing{Took: took, Pages: 4, Phases: phases}
}

// What took most is named, with what helps, and the bar is whole.
func TestTimingsAreExplained(t *testing.T) {
	u := &UI{texts: newTexts()}
	for _, test := range []struct {
		timing report.Timing
		hint   string
		parts  int
	}{
		{timing(1000, report.PhaseTime{Phase: "data", MS: 700}, report.PhaseTime{Phase: "script", MS: 10}, report.PhaseTime{Phase: "print", MS: 300}), "went into data", 2},
		{timing(1000, report.PhaseTime{Phase: "data", MS: 700}, report.PhaseTime{Phase: "script", MS: 600}, report.PhaseTime{Phase: "print", MS: 300}), "the scripts of the report ran", 2},
		{timing(9000, report.PhaseTime{Phase: "queue", MS: 8000}, report.PhaseTime{Phase: "print", MS: 500}), "waited for its turn", 3},
		{timing(900, report.PhaseTime{Phase: "html", MS: 300}, report.PhaseTime{Phase: "paginate", MS: 300}, report.PhaseTime{Phase: "print", MS: 300}), "No phase took most", 3},
		{timing(500, report.PhaseTime{Phase: "data", MS: 600}, report.PhaseTime{Phase: "print", MS: 200}), "went into data", 2}, // beside each other
	} {
		p := u.timingOf("en", test.timing)
		if !strings.Contains(p.Hint, test.hint) || len(p.Parts) != test.parts {
			t.Errorf("%+v: %q, %+v", test.timing, p.Hint, p.Parts)
		}
		at := 0
		for _, part := range p.Parts {
			if part.X != at || part.Name == "" {
				t.Errorf("%+v is at %d, not at %d", part, part.X, at)
			}
			at += part.Width
		}
		if at != 1000 {
			t.Errorf("the bar ends at %d", at)
		}
	}
	if p := u.timingOf("de", timing(1234)); p.Title != "Warum dauerte es 1,2 s?" {
		t.Error(p.Title)
	}
	if u.timingOf("en", report.Timing{}) != nil {
		t.Error("something is said of what is not known")
	}
}

// Waiting for those before it is no part of what a document of a run took, but told.
func TestTheTimeOfARunIsThatOfItsDocuments(t *testing.T) {
	u := &UI{texts: newTexts()}
	p := u.runTiming("en", "/runs/7", []store.TimedEntry{
		{EntryID: 31, Position: 2, Timing: timing(5300, report.PhaseTime{Phase: "queue", MS: 5000}, report.PhaseTime{Phase: "print", MS: 300})},
		{EntryID: 30, Position: 1, Timing: timing(200, report.PhaseTime{Phase: "queue", MS: 100}, report.PhaseTime{Phase: "print", MS: 100})},
	})
	said := p.Title + strings.Join(p.Notes, " ") + p.Hint
	for _, want := range []string{"take 200 ms?", "2 documents, 400 ms of work", "up to 5 s", "the browser printed"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %q", want, said)
		}
	}
	if p.Slowest.Link != "/runs/7?entry=31#detail" || p.Slowest.Text != "Slowest: entry 2, 300 ms" || len(p.Parts) != 1 {
		t.Errorf("%+v, %+v", p.Slowest, p.Parts)
	}
	if u.runTiming("en", "", nil) != nil {
		t.Error("a run without documents is explained")
	}
}
