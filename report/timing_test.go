package report

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTimingsGrowAtTheirEnds(t *testing.T) {
	made := Timing{Took: 10, Pages: 2, Phases: []PhaseTime{{"html", 4}, {"print", 6}}}
	got := made.With(PhaseStore, 1500*time.Microsecond).With(PhaseQueue, time.Second).With("html", -time.Second)
	want := Timing{Took: 1011.5, Pages: 2, Phases: []PhaseTime{{PhaseQueue, 1000}, {"html", 4}, {"print", 6}, {PhaseStore, 1.5}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(made.Phases) != 2 || got.Of("print") != 6 || got.Of("data") != 0 {
		t.Errorf("%+v, %+v", made, got)
	}
}
