package chart

import (
	"math"
	"time"
)

// Unit is a unit of the calendar.
type Unit int

// The units of time, the finest first.
const (
	Millisecond Unit = iota
	Second
	Minute
	Hour
	Day
	Week
	Month
	Quarter
	Year
)

// Milliseconds is the length of a unit; months, quarters and years count 30,
// 91 and 365 days.
func (u Unit) Milliseconds() float64 {
	const day = 24 * 3600 * 1000
	return [...]float64{1, 1000, 60_000, 3_600_000, day, 7 * day, 30 * day, 91 * day, 365 * day}[u]
}

// calendarStep is a distance of ticks on a time axis.
type calendarStep struct {
	unit Unit
	n    int
}

func (s calendarStep) length() float64 { return s.unit.Milliseconds() * float64(s.n) }

// calendarSteps are the usual distances, the finest first.
func calendarSteps() []calendarStep {
	steps := []calendarStep{}
	for _, n := range []int{1, 2, 5, 10, 20, 50, 100, 200, 500} {
		steps = append(steps, calendarStep{Millisecond, n})
	}
	for _, u := range []Unit{Second, Minute} {
		for _, n := range []int{1, 5, 15, 30} {
			steps = append(steps, calendarStep{u, n})
		}
	}
	for _, n := range []int{1, 3, 6, 12} {
		steps = append(steps, calendarStep{Hour, n})
	}
	return append(steps, calendarStep{Day, 1}, calendarStep{Day, 2}, calendarStep{Week, 1}, calendarStep{Week, 2},
		calendarStep{Month, 1}, calendarStep{Quarter, 1}, calendarStep{Month, 6}, calendarStep{Year, 1}, calendarStep{Year, 2}, calendarStep{Year, 5},
		calendarStep{Year, 10}, calendarStep{Year, 20}, calendarStep{Year, 50}, calendarStep{Year, 100}, calendarStep{Year, 1000})
}

// earliest and latest bound the times of an axis: the years 1 and 9999.
const (
	earliest = -62_135_596_800_000
	latest   = 253_402_300_799_000
)

func moment(ms float64, zone *time.Location) time.Time {
	return time.UnixMilli(int64(max(earliest, min(latest, ms)))).In(zone)
}

func millis(t time.Time) float64 { return float64(t.UnixMilli()) }

// stepFor is the finest step that gives at most n ticks.
func stepFor(span float64, n int) calendarStep {
	steps := calendarSteps()
	for _, s := range steps {
		if span/s.length() <= float64(n) {
			return s
		}
	}
	return steps[len(steps)-1]
}

// floor is the last tick at or before a time.
func (s calendarStep) floor(t time.Time) time.Time {
	y, m, d := t.Date()
	zone := t.Location()
	down := func(v int) int { return v - v%s.n }
	switch s.unit {
	case Year:
		return time.Date(down(y), 1, 1, 0, 0, 0, 0, zone)
	case Quarter:
		return time.Date(y, m-(m-1)%3, 1, 0, 0, 0, 0, zone)
	case Month:
		return time.Date(y, time.Month(down(int(m)-1)+1), 1, 0, 0, 0, 0, zone)
	case Week:
		// weeks of a step count from a Monday, so that ticks do not depend on the span
		week := int(math.Floor(float64(civilDay(t)+3) / 7))
		return time.Date(1970, 1, week*7-2-7*mod(week, s.n), 0, 0, 0, 0, zone)
	case Day:
		return time.Date(y, m, down(d-1)+1, 0, 0, 0, 0, zone)
	case Hour:
		if s.n > 1 {
			return time.Date(y, m, d, down(t.Hour()), 0, 0, 0, zone)
		}
		return t.Add(-time.Duration(t.Minute())*time.Minute - time.Duration(t.Second())*time.Second - time.Duration(t.Nanosecond()))
	}
	// below an hour time flows evenly, whatever the clock is set to
	within := time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second + time.Duration(t.Nanosecond())
	return t.Add(-(within % (time.Duration(s.length()) * time.Millisecond)))
}

func mod(a, b int) int { return ((a % b) + b) % b }

// civilDay is the number of the calendar day since 1970.
func civilDay(t time.Time) int {
	y, m, d := t.Date()
	return int(math.Floor(float64(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix()) / 86_400))
}

// next is the tick after a tick, by the calendar of its zone.
func (s calendarStep) next(t time.Time) time.Time {
	y, m, d := t.Date()
	zone := t.Location()
	switch s.unit {
	case Year:
		return time.Date(y+s.n, 1, 1, 0, 0, 0, 0, zone)
	case Quarter:
		return time.Date(y, m+3, 1, 0, 0, 0, 0, zone)
	case Month:
		return time.Date(y, m+time.Month(s.n), 1, 0, 0, 0, 0, zone)
	case Week:
		return time.Date(y, m, d+7*s.n, 0, 0, 0, 0, zone)
	case Day:
		return s.nextDay(t)
	case Hour:
		if s.n > 1 {
			return time.Date(y, m, d, t.Hour()-t.Hour()%s.n+s.n, 0, 0, 0, zone)
		}
		return s.floor(t.Add(time.Hour))
	}
	return t.Add(time.Duration(s.length()) * time.Millisecond)
}

// nextDay keeps ticks of several days from crowding at the end of a month: the
// 31st gives way to the 1st.
func (s calendarStep) nextDay(t time.Time) time.Time {
	y, m, d := t.Date()
	next := time.Date(y, m, d+s.n, 0, 0, 0, 0, t.Location())
	if first := time.Date(y, m+1, 1, 0, 0, 0, 0, t.Location()); s.n > 1 && next.After(first.AddDate(0, 0, -s.n/2-1)) {
		return first
	}
	return next
}

// timeTicks are the ticks of a step within an extent.
func timeTicks(e *extent, s calendarStep, zone *time.Location, snapLo, snapHi bool) []time.Time {
	end := moment(e.hi, zone)
	t := s.floor(moment(e.lo, zone))
	if snapLo {
		e.lo = min(e.lo, millis(t))
	}
	var ticks []time.Time
	const most = 400
	for len(ticks) < most {
		if millis(t) >= e.lo {
			ticks = append(ticks, t)
		}
		if !t.Before(end) {
			break
		}
		next := s.next(t)
		if !next.After(t) { // a clock that was set back
			next = t.Add(time.Duration(s.length()) * time.Millisecond)
		}
		t = next
	}
	if n := len(ticks); n > 0 && millis(ticks[n-1]) > e.hi {
		if snapHi {
			e.hi = millis(ticks[n-1])
		} else {
			ticks = ticks[:n-1]
		}
	}
	return ticks
}

// Ticks divides a span of time by a unit of the calendar that gives about so many parts:
// its ticks reach from at or before its beginning to at or behind its end.
func Ticks(from, to time.Time, parts int) ([]time.Time, Unit) {
	e := extent{lo: millis(from), hi: millis(to)}
	step := stepFor(max(e.hi-e.lo, 1), max(1, parts))
	return timeTicks(&e, step, from.Location(), true, true), step.unit
}
