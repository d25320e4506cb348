// Package schedule works out when a job runs: clock times in a time zone, also
// when that zone changes between standard and daylight-saving time.
package schedule

import (
	"slices"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/quire-reports/quire/report"
)

// Times are the times of one schedule.
type Times struct {
	s     report.JobSchedule
	zone  *time.Location
	start time.Time // wall clock, as UTC
	until time.Time // zero means no end
	cron  cron.Schedule
}

// furthest bounds the search for a time that never comes, such as a 30th of
// February by cron.
const furthest = 40 * 366 * 24 * time.Hour

// New reads a schedule. The zone is that of its clock times.
func New(s *report.JobSchedule, zone *time.Location) (*Times, error) {
	t := &Times{s: *s, zone: zone}
	if t.s.Every < 1 {
		t.s.Every = 1
	}
	var err error
	if s.Until != "" {
		if t.until, err = report.ParseUntil(s.Until, zone); err != nil {
			return nil, report.Problemf("schedule.until", "%q is no date; accepted: 2026-12-31 or 2026-12-31T18:00", s.Until)
		}
	}
	if s.Kind == report.ScheduleCron {
		if t.cron, err = report.ParseCron(s.Cron); err != nil {
			return nil, report.Problemf("schedule.cron", "%q cannot be read: %v", s.Cron, err)
		}
		return t, nil
	}
	// Wall clocks are counted in UTC, which has no gaps, and put into the zone
	// at the end.
	if t.start, err = report.ParseLocal(s.Start, time.UTC); err != nil {
		return nil, report.Problemf("schedule.start", "%q is no date and time; accepted: 2026-02-01T07:00", s.Start)
	}
	return t, nil
}

// Next is the first time after another; false when there is none.
func (t *Times) Next(after time.Time) (time.Time, bool) {
	next, ok := t.next(after)
	if !ok || !t.until.IsZero() && next.After(t.until) {
		return time.Time{}, false
	}
	return next.UTC(), true
}

// List is the next n times.
func (t *Times) List(after time.Time, n int) []time.Time {
	var list []time.Time
	for len(list) < n {
		next, ok := t.Next(after)
		if !ok {
			break
		}
		list = append(list, next)
		after = next
	}
	return list
}

func (t *Times) next(after time.Time) (time.Time, bool) {
	switch t.s.Kind {
	case report.ScheduleCron:
		return t.nextCron(after)
	case report.ScheduleHourly:
		return t.nextHour(after), true
	case report.ScheduleOnce:
		at := t.at(t.start)
		return at, at.After(after)
	}
	return t.nextDay(after)
}

// nextCron is the reckoning of the cron library, corrected where it is wrong: a
// time that a change of the clock leaves out runs right after the change, as
// for the other schedules. What runs in every hour counts real hours, also the
// one that the clock shows twice.
func (t *Times) nextCron(after time.Time) (time.Time, bool) {
	if everyHour(t.cron) {
		next := t.cron.Next(after.In(t.zone))
		return next, !next.IsZero()
	}
	wall := wallClock(after, t.zone)
	for from := wall.Add(-2 * time.Hour); ; {
		// Walls before the present one matter only where the clock goes back.
		next := t.cron.Next(from)
		if next.IsZero() || next.Sub(wall) > furthest {
			return time.Time{}, false
		}
		if at := t.at(next); at.After(after) {
			return at, true
		}
		from = next
	}
}

// everyHour is whether the field for the hour is a star, which the parser marks
// by the highest bit.
func everyHour(s cron.Schedule) bool {
	const star = 1 << 63
	spec, ok := s.(*cron.SpecSchedule)
	return ok && spec.Hour&star != 0
}

// nextHour counts real hours from the start, which is the same at every change
// of the clock.
func (t *Times) nextHour(after time.Time) time.Time {
	first := t.at(t.start)
	if first.After(after) {
		return first
	}
	step := time.Duration(t.s.Every) * time.Hour
	return first.Add((after.Sub(first)/step + 1) * step)
}

// nextDay finds the next day of a daily, weekly, monthly or yearly schedule.
func (t *Times) nextDay(after time.Time) (time.Time, bool) {
	clock := t.start.Sub(midnight(t.start))
	period := t.period(midnight(wallClock(after, t.zone)))
	// Two periods back is enough for days that a change of the clock moved.
	for n := max(0, period-2*t.s.Every); ; n++ {
		if n%t.s.Every != 0 {
			continue
		}
		days := t.days(n)
		if len(days) > 0 && days[0].Sub(after) > furthest {
			return time.Time{}, false
		}
		for _, day := range days {
			wall := day.Add(clock)
			if at := t.at(wall); !wall.Before(t.start) && at.After(after) {
				return at, true
			}
		}
	}
}

// period is the number of the period of the schedule that a day is in, the
// start's being 0.
func (t *Times) period(day time.Time) int {
	first := midnight(t.start)
	switch t.s.Kind {
	case report.ScheduleWeekly:
		return int(monday(day).Sub(monday(first)) / (7 * 24 * time.Hour))
	case report.ScheduleMonthly:
		return (day.Year()-first.Year())*12 + int(day.Month()) - int(first.Month())
	case report.ScheduleYearly:
		return day.Year() - first.Year()
	}
	return int(day.Sub(first) / (24 * time.Hour))
}

// days are the days of a period, in order.
func (t *Times) days(period int) []time.Time {
	first := midnight(t.start)
	switch t.s.Kind {
	case report.ScheduleWeekly:
		return t.weekdays(monday(first).AddDate(0, 0, 7*period))
	case report.ScheduleMonthly:
		return []time.Time{t.dayOf(first.Year(), first.Month()+time.Month(period))}
	case report.ScheduleYearly:
		return []time.Time{t.dayOf(first.Year()+period, first.Month())}
	}
	return []time.Time{first.AddDate(0, 0, period)}
}

func (t *Times) weekdays(monday time.Time) []time.Time {
	if len(t.s.Weekdays) == 0 {
		return []time.Time{monday.AddDate(0, 0, sinceMonday(t.start))}
	}
	var days []time.Time
	for i := range 7 {
		day := monday.AddDate(0, 0, i)
		if slices.Contains(t.s.Weekdays, report.Weekdays()[day.Weekday()]) {
			days = append(days, day)
		}
	}
	return days
}

// dayOf is the day of the schedule in a month.
func (t *Times) dayOf(year int, month time.Month) time.Time {
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	length := first.AddDate(0, 1, -1).Day()
	if t.s.Which != "" {
		return t.which(first, length)
	}
	day := t.s.Day
	switch {
	case day == 0:
		day = t.start.Day()
	case day < 0:
		day = max(1, length+1+day)
	}
	return first.AddDate(0, 0, min(day, length)-1)
}

// which is the first, second, third, fourth or last of a kind of day.
func (t *Times) which(first time.Time, length int) time.Time {
	var days []time.Time
	for i := range length {
		if day := first.AddDate(0, 0, i); isKind(day, t.s.Weekday) {
			days = append(days, day)
		}
	}
	i := slices.Index([]string{"first", "second", "third", "fourth"}, t.s.Which)
	if i < 0 {
		i = len(days) - 1
	}
	return days[i]
}

func isKind(day time.Time, kind string) bool {
	switch kind {
	case "day":
		return true
	case "workday":
		return day.Weekday() != time.Saturday && day.Weekday() != time.Sunday
	}
	return report.Weekdays()[day.Weekday()] == kind
}

// at is the moment at which clocks in the zone show a time. What the clock
// shows twice means the first; what a change leaves out means the moment of the
// change.
func (t *Times) at(wall time.Time) time.Time {
	at := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), 0, t.zone)
	if shown := wallClock(at, t.zone); !shown.Equal(wall) {
		begins, ends := at.ZoneBounds()
		if shown.Before(wall) {
			return ends
		}
		return begins
	}
	for _, earlier := range []time.Duration{30 * time.Minute, time.Hour, 2 * time.Hour} {
		if first := at.Add(-earlier); wallClock(first, t.zone).Equal(wall) {
			return first
		}
	}
	return at
}

// wallClock is what a clock in the zone shows, counted in UTC.
func wallClock(at time.Time, zone *time.Location) time.Time {
	l := at.In(zone)
	return time.Date(l.Year(), l.Month(), l.Day(), l.Hour(), l.Minute(), l.Second(), l.Nanosecond(), time.UTC)
}

func midnight(wall time.Time) time.Time {
	return time.Date(wall.Year(), wall.Month(), wall.Day(), 0, 0, 0, 0, time.UTC)
}

func sinceMonday(day time.Time) int { return (int(day.Weekday()) + 6) % 7 }

func monday(day time.Time) time.Time { return midnight(day).AddDate(0, 0, -sinceMonday(day)) }
