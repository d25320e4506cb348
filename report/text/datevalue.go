package text

import (
	"strconv"
	"strings"
	"time"
)

// date reads the value as a time in the zone of the report.
func (p *pipe) date() (time.Time, bool) {
	if p.kind == isTime {
		return p.when, true
	}
	t, ok := p.readDate()
	if !ok && p.env != nil && p.env.Warn != nil {
		p.env.Warn(strconv.Quote(clip(p.text())) + " is no date; it is printed as it is")
	}
	return t, ok
}

func (p *pipe) readDate() (time.Time, bool) {
	zone := p.env.zone()
	if p.kind == isText {
		return parseTime(string(p.out[p.start:]), zone)
	}
	switch v := p.value.(type) {
	case time.Time:
		return v.In(zone), true
	case string:
		return parseTime(v, zone)
	}
	if !p.readNumber() || p.dec.nan || p.dec.inf || p.dec.point > 15 {
		return time.Time{}, false
	}
	return time.UnixMilli(p.dec.whole()).In(zone), true
}

// whole is the number without its decimals; it must have few digits.
func (d *decimal) whole() int64 {
	n := int64(0)
	for i := range d.integers() {
		n = n*10 + int64(d.digit(i)-'0')
	}
	if d.neg {
		return -n
	}
	return n
}

// parseTime reads the forms that dates have in JSON: RFC 3339 with a zone or
// without (then it is in the report's), a date, a month, a year, or
// milliseconds since 1970.
func parseTime(s string, zone *time.Location) (time.Time, bool) {
	s = strings.TrimSpace(s)
	if t, ok := parseDay(s, zone); ok {
		return t, true
	}
	for _, layout := range timeLayouts(len(s)) {
		if t, err := time.ParseInLocation(layout, s, zone); err == nil {
			return t.In(zone), true
		}
	}
	if len(s) < 5 || len(s) > 15 {
		return time.Time{}, false
	}
	ms, err := strconv.ParseInt(s, 10, 64)
	return time.UnixMilli(ms).In(zone), err == nil
}

// parseDay reads a date as time.ParseInLocation does, in a part of its time: tables
// are full of them.
func parseDay(s string, zone *time.Location) (t time.Time, ok bool) {
	if len(s) != len(time.DateOnly) || s[4] != '-' || s[7] != '-' {
		return t, false
	}
	number := func(s string) (n int) {
		for i := range len(s) {
			if s[i] < '0' || s[i] > '9' {
				return -1
			}
			n = n*10 + int(s[i]-'0')
		}
		return n
	}
	year, month, day := number(s[:4]), number(s[5:7]), number(s[8:])
	if year < 0 || month < 1 || month > 12 || day < 1 || day > 28 { // the last days of a month are looked at closely
		return t, false
	}
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, zone), true
}

// timeLayouts are the layouts that a text of a length may have.
func timeLayouts(length int) []string {
	switch {
	case length == 10:
		return []string{"2006-01-02"}
	case length == 7:
		return []string{"2006-01"}
	case length == 4:
		return []string{"2006"}
	case length < 16:
		return nil
	}
	return []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04",
		"2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05 -0700 MST",
	}
}

// ParseTime reads a text as the date formats do: RFC 3339, a date, a month, a
// year or milliseconds since 1970. A time without a zone is in the given one.
func ParseTime(s string, zone *time.Location) (time.Time, bool) {
	if zone == nil {
		zone = time.UTC
	}
	return parseTime(s, zone)
}
