package text

import (
	"strings"
	"unicode/utf8"
)

// dateRequest is a date format's pattern as it is written: which fields, how
// wide, and how hours are counted. The language decides the rest.
type dateRequest struct {
	want  skeleton
	cycle hourCycle
	lower bool // am and pm in small letters
}

type hourCycle uint8

const (
	usualCycle hourCycle = iota
	cycle24
	cycle12
)

// Requests of the formats without a pattern.
const (
	datePatternText     = "yyyyMd"
	timePatternText     = "jmm"
	dateTimePatternText = "yyyyMdjmm"
)

// parseDateRequest counts the letters of a pattern; all else is ignored.
func parseDateRequest(s string) dateRequest {
	var n [128]int
	for i := range len(s) {
		if s[i] < 128 {
			n[s[i]]++
		}
	}
	var r dateRequest
	r.set(fieldYear, 'y', yearWidth(n['y']+n['Y']))
	r.set(fieldMonth, 'M', min(n['M'], 4))
	r.set(fieldWeekday, 'E', weekdayWidth(n['D']))
	r.set(fieldDay, 'd', min(n['d'], 2))
	r.set(fieldHour, 'j', min(n['H']+n['h']+n['j'], 2))
	r.set(fieldMinute, 'm', min(n['m'], 2))
	r.set(fieldSecond, 's', min(n['s']+n['S'], 2))
	r.set(fieldZone, 'z', zoneWidth(n['t']+n['T']))
	r.lower = n['a'] > 0 && n['A'] == 0
	switch {
	case n['a']+n['A'] > 0:
		r.cycle = cycle12
	case n['n']+n['N'] > 0, n['H'] > 0:
		r.cycle = cycle24
	case n['h'] > 0:
		r.cycle = cycle12
	}
	return r
}

func (r *dateRequest) set(field int, letter byte, width int) {
	if width > 0 {
		r.want[field].letter, r.want[field].width = letter, uint8(min(width, maxWidth))
	}
}

func yearWidth(n int) int {
	if n > 2 {
		return 1
	}
	return min(n, 1) * 2
}

// weekdayWidth: D is a letter, DD and DDD are short, DDDD is the whole name.
func weekdayWidth(n int) int {
	switch {
	case n == 0:
		return 0
	case n == 1:
		return 5
	case n < 4:
		return 3
	}
	return 4
}

func zoneWidth(n int) int {
	if n > 3 {
		return 4
	}
	return min(n, 1)
}

func (r dateRequest) isEmpty() bool { return r.want == skeleton{} }

// skeleton is what is asked of a locale.
func (r dateRequest) skeleton(d *dateData) skeleton {
	k := r.want
	if k[fieldHour].width == 0 {
		return k
	}
	switch r.cycle {
	case cycle24:
		k[fieldHour].letter = 'H'
	case cycle12:
		k[fieldHour].letter = d.half
	default:
		k[fieldHour].letter = d.hour
	}
	k.addDayPeriod()
	return k
}

// isPattern reports whether text is made of pattern letters and marks.
func isPattern(s string) bool {
	letters := 0
	for i := range len(s) {
		switch {
		case strings.IndexByte("yYMDdHhmsSaAnNtT", s[i]) >= 0:
			letters++
		case isAlphanumeric(s[i]) || s[i] >= utf8.RuneSelf:
			return false
		}
	}
	return letters > 0
}
