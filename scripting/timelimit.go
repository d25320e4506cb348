package scripting

import (
	"time"

	"github.com/quire-reports/quire/internal/priority"
)

// timeLimit is how much time of a processor a call may have. On a busy machine
// that takes longer on the clock, and a script is not to fail for the work of
// others: patience is how many times as long it may take there. That one is for
// what does not work at all.
type timeLimit time.Duration

const patience = 3

// leastRest is how long it takes at least until the time is looked at again.
const leastRest = 5 * time.Millisecond

// wall is how long a call may take on the clock.
func (l timeLimit) wall() time.Duration { return patience * time.Duration(l) }

// spending is what a call has had of its limit.
type spending struct {
	limit timeLimit
	pid   int
	began time.Time
	cpu   time.Duration // of the process, at that time
}

func (l timeLimit) begin(pid int) *spending {
	return &spending{limit: l, pid: pid, began: time.Now(), cpu: priority.ProcessorTime(pid)}
}

// worked is how much time of a processor the call has had. Where that is not known, the
// clock's counts.
func (s *spending) worked() time.Duration {
	if now := priority.ProcessorTime(s.pid); now > 0 {
		return now - s.cpu
	}
	return time.Since(s.began)
}

// rest is after what time the call may have had all of its limit, or why it is
// over. Garbage is collected on a second processor: nothing is over before the
// limit has passed on the clock.
func (s *spending) rest() (rest time.Duration, over cause) {
	limit := time.Duration(s.limit)
	passed, worked := time.Since(s.began), s.worked()
	switch {
	case passed < limit:
		return limit - passed, ""
	case worked >= limit:
		return 0, causeTime
	case passed >= s.limit.wall():
		return 0, causeWait
	}
	return max(min(limit-worked, s.limit.wall()-passed), leastRest), ""
}
