package turns

import (
	"math"
	"time"
)

// Shares knows who has had how much of something: the places that owners hold
// now, and the time for which they held some lately. It is not safe for
// concurrent use.
type Shares struct {
	// MostAsked is how much all that waits of an owner counts at most, as if it had
	// been had; default 5 seconds.
	MostAsked time.Duration

	by map[string]share
}

// share is what an owner has had up to a moment.
type share struct {
	places int
	used   time.Duration
	at     time.Time
}

// memory is after what time half of what was had is forgotten.
const memory = 10 * time.Second

// advance is how much a place counts for that has just been taken: nobody knows
// yet for how long it will be held.
const advance = time.Second

// asked is how much each counts for that waits, and mostAsked all of them, if nobody
// says otherwise: without a bound an owner with many would have nothing while others go on.
const (
	asked     = 100 * time.Millisecond
	mostAsked = 5 * time.Second
)

// little is how much more or less of what was had makes no difference.
const little = 10 * time.Millisecond

// until is the share at a later moment: what was had fades, and each place that
// is held adds to it.
func (s share) until(now time.Time) share {
	passed := now.Sub(s.at)
	kept := math.Exp2(-float64(passed) / float64(memory))
	added := float64(s.places) * (1 - kept) / math.Ln2 * float64(memory)
	return share{s.places, time.Duration(float64(s.used)*kept + added), now}
}

// Take counts a place.
func (s *Shares) Take(owner string) { s.change(owner, 1) }

// Release counts a place less.
func (s *Shares) Release(owner string) { s.change(owner, -1) }

func (s *Shares) change(owner string, by int) { s.add(owner, by, 0) }

// Add counts what an owner had besides its places, or, with less than nothing, takes
// back what they have counted too much.
func (s *Shares) Add(owner string, used time.Duration) { s.add(owner, 0, used) }

func (s *Shares) add(owner string, places int, used time.Duration) {
	if s.by == nil {
		s.by = map[string]share{}
	}
	now := time.Now()
	one := s.by[owner].until(now)
	one.places += places
	one.used = max(one.used+used, 0)
	s.by[owner] = one
	for other, had := range s.by {
		if had = had.until(now); had.places == 0 && had.used < little {
			delete(s.by, other)
		}
	}
}

// Places is how many an owner holds.
func (s *Shares) Places(owner string) int { return s.by[owner].places }

// Held is how many are held in all.
func (s *Shares) Held() (n int) {
	for _, one := range s.by {
		n += one.places
	}
	return n
}

// Used is for how long an owner held places lately, each counted.
func (s *Shares) Used(owner string) time.Duration { return s.by[owner].until(time.Now()).used }

// Claim is what an owner had lately, with what is held now and what waits, in
// steps that make a difference. Owners that ask for little go before those that
// ask for much: of what there is for each, the first leave something.
func (s *Shares) Claim(owner string, waiting int) time.Duration {
	return (s.Demand(owner, waiting) + time.Duration(s.Places(owner))*advance).Truncate(little)
}

// Demand is what an owner had lately, with what waits.
func (s *Shares) Demand(owner string, waiting int) time.Duration {
	most := s.MostAsked
	if most <= 0 {
		most = mostAsked
	}
	return s.Used(owner) + min(time.Duration(waiting)*asked, most)
}

// muchMore is how many times as much an owner claims who gives way to another.
const muchMore = 2

// MuchLess reports whether others hold something, and an owner claims much less, with
// what it holds itself, than each of them had lately and asks for.
func (s *Shares) MuchLess(owner string, waiting func(owner string) int) (less bool) {
	claim := muchMore * s.Claim(owner, waiting(owner))
	for other, one := range s.by {
		if other == owner || one.places == 0 {
			continue
		}
		if s.Demand(other, waiting(other)) <= claim {
			return false
		}
		less = true
	}
	return less
}

// LeastOf reports whether an owner holds nothing, and claims less than each who
// holds something.
func (s *Shares) LeastOf(owner string, waiting func(owner string) int) bool {
	claim := s.Claim(owner, waiting(owner))
	for other, one := range s.by {
		if one.places > 0 && s.Claim(other, waiting(other)) <= claim {
			return false
		}
	}
	return s.Places(owner) == 0
}
