package data

import (
	"regexp"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
)

// day is a date of the report's time zone as text.
func (b *parameterBinder) day(v any) (any, string) {
	switch v := v.(type) {
	case time.Time:
		return v.In(b.zone).Format(time.DateOnly), ""
	case string:
		if t, ok := b.parseDay(strings.TrimSpace(v)); ok {
			return t.Format(time.DateOnly), ""
		}
	}
	return nil, "it must be a date such as 2024-02-29, not " + kindName(v)
}

// parseDay reads a date, a date with a time, or an instant, whose day is that
// of the report's time zone.
func (b *parameterBinder) parseDay(s string) (time.Time, bool) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		t = t.In(b.zone)
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC), true
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04"} {
		if t, err := time.Parse(layout, s); err == nil {
			return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC), true
		}
	}
	return time.Time{}, false
}

var monthForm = regexp.MustCompile(`^\d{4}-\d{2}$`)

const rangeHelp = `it must be a month such as "2024-02" or an object {"from": "2024-02-01", "to": "2024-05-01"}, to being the first day after the range`

// monthRange takes a month, or from and to; a month given as to is part of the
// range, a day is the first one after it.
func (b *parameterBinder) monthRange(v any) (any, string) {
	from, to := v, any(nil)
	if o, ok := v.(*report.Object); ok {
		from, _ = o.Get("from")
		to, _ = o.Get("to")
	}
	first, isMonth, ok := b.rangeEnd(from)
	if !ok {
		return nil, rangeHelp
	}
	if IsAbsent(to) {
		if _, isObject := v.(*report.Object); !isObject && !isMonth {
			return nil, rangeHelp
		}
		return monthsOf(first, first.AddDate(0, 1, 0)), ""
	}
	last, isMonth, ok := b.rangeEnd(to)
	if !ok {
		return nil, rangeHelp
	}
	if isMonth {
		last = last.AddDate(0, 1, 0)
	}
	if !first.Before(last) {
		return nil, "its from is not before its to, which is the first day after the range"
	}
	return monthsOf(first, last), ""
}

func monthsOf(from, to time.Time) *report.Object {
	return report.ObjectOf("from", from.Format(time.DateOnly), "to", to.Format(time.DateOnly))
}

func (b *parameterBinder) rangeEnd(v any) (day time.Time, isMonth, ok bool) {
	switch v := v.(type) {
	case time.Time:
		v = v.In(b.zone)
		return time.Date(v.Year(), v.Month(), v.Day(), 0, 0, 0, 0, time.UTC), false, true
	case string:
		v = strings.TrimSpace(v)
		if monthForm.MatchString(v) {
			t, err := time.Parse("2006-01", v)
			return t, true, err == nil
		}
		t, ok := b.parseDay(v)
		return t, false, ok
	}
	return time.Time{}, false, false
}
