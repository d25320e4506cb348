package report

import (
	"slices"
	"time"
)

// Timing tells how long a document took and what for.
type Timing struct {
	Took   float64     `json:"took"` // milliseconds, from when it was asked for to its end
	Pages  int         `json:"pages,omitempty"`
	Phases []PhaseTime `json:"phases,omitempty"` // in the order of the way, none twice
}

// PhaseTime is what a phase took. Those of what ran beside each other may sum up
// to more than the whole.
type PhaseTime struct {
	Phase string  `json:"phase"`
	MS    float64 `json:"ms"`
}

// Phases before and after an export. Those of an export are export's.
const (
	PhaseQueue = "queue" // until a process took it
	PhaseStore = "store" // its content
)

// Milliseconds is a duration as timings have it.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// With has what was done before or after the rest, too.
func (t Timing) With(phase string, d time.Duration) Timing {
	if d = max(0, d); d == 0 {
		return t
	}
	one := PhaseTime{phase, Milliseconds(d)}
	t.Took += one.MS
	t.Phases = slices.Clone(t.Phases)
	if phase == PhaseQueue {
		t.Phases = slices.Insert(t.Phases, 0, one)
	} else {
		t.Phases = append(t.Phases, one)
	}
	return t
}

// Of is what a phase took.
func (t Timing) Of(phase string) float64 {
	for _, p := range t.Phases {
		if p.Phase == phase {
			return p.MS
		}
	}
	return 0
}
