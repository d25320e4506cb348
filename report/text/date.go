package text

import (
	"strconv"
	"time"
	"unicode/utf8"
)

// dateStep is d, t and dt; before takes a day off first.
type dateStep struct {
	request dateRequest
	before  bool
	keep    bool // leave the date to the next format
}

func (s dateStep) apply(p *pipe) {
	t, ok := p.date()
	if !ok {
		return
	}
	if s.before {
		t = t.AddDate(0, 0, -1)
	}
	if s.keep {
		p.kind, p.when, p.request = isTime, t, s.request
		return
	}
	p.begin()
	p.out = p.locale().appendDate(p.out, t, s.request)
}

// appendDefault writes a time that no format was asked for.
func (l *Locale) appendDefault(dst []byte, t time.Time) []byte {
	if h, m, s := t.Clock(); h == 0 && m == 0 && s == 0 {
		return l.appendDate(dst, t, parseDateRequest(datePatternText))
	}
	return l.appendDate(dst, t, parseDateRequest(dateTimePatternText))
}

// appendDate writes a date by the pattern of the language.
func (l *Locale) appendDate(dst []byte, t time.Time, r dateRequest) []byte {
	d := l.dates()
	day := d.calendar.date(t)
	for _, item := range l.pattern(r.skeleton(d)) {
		if item.letter == 0 {
			dst = append(dst, item.text...)
			continue
		}
		dst = l.appendField(dst, d, t, day, item, r.lower)
	}
	return dst
}

// appendField writes one field of a date.
func (l *Locale) appendField(dst []byte, d *dateData, t time.Time, day civil, item patternItem, lower bool) []byte {
	switch fieldOf(item.letter) {
	case fieldYear:
		return l.appendYear(dst, day.year, item.width)
	case fieldMonth:
		return l.appendMonth(dst, d, day, item)
	case fieldWeekday:
		return append(dst, d.days[nameSet(item)][t.Weekday()]...)
	case fieldDay:
		return l.appendInt(dst, day.day, item.width)
	case fieldDayPeriod:
		return l.appendDayPeriod(dst, d.dayPeriods[t.Hour()/12], lower)
	case fieldHour:
		return l.appendInt(dst, hourIn(t.Hour(), item.letter), item.width)
	case fieldMinute:
		return l.appendInt(dst, t.Minute(), item.width)
	case fieldSecond:
		return l.appendInt(dst, t.Second(), item.width)
	case fieldZone:
		return l.appendZone(dst, d, t, item.width)
	}
	return dst
}

func (l *Locale) appendYear(dst []byte, year, width int) []byte {
	if width == 2 {
		return l.appendInt(dst, (year%100+100)%100, 2)
	}
	return l.appendInt(dst, year, width)
}

func (l *Locale) appendMonth(dst []byte, d *dateData, day civil, item patternItem) []byte {
	if item.width < 3 {
		return l.appendInt(dst, day.month, item.width)
	}
	if d.calendar == persian {
		return append(dst, persianMonths(l.name)[day.month-1]...)
	}
	return append(dst, d.months[nameSet(item)][day.month-1]...)
}

// nameSet is which list of names a field takes: wide, abbreviated or narrow,
// in a date or standing alone.
func nameSet(item patternItem) int {
	set := 1
	switch item.width {
	case 4:
		set = 0
	case 5:
		set = 2
	}
	if item.letter == 'L' || item.letter == 'c' {
		set += 3
	}
	return set
}

func (l *Locale) appendDayPeriod(dst []byte, name string, lower bool) []byte {
	if !lower {
		return append(dst, name...)
	}
	for _, r := range name {
		dst = utf8.AppendRune(dst, l.special.ToLower(r))
	}
	return dst
}

func hourIn(h int, letter byte) int {
	switch letter {
	case 'h':
		return (h+11)%12 + 1
	case 'K':
		return h % 12
	case 'k':
		return (h+23)%24 + 1
	}
	return h
}

// appendInt writes a whole number with leading zeros, in the digits of the
// locale.
func (l *Locale) appendInt(dst []byte, n, width int) []byte {
	var buf [20]byte
	digits := strconv.AppendInt(buf[:0], int64(n), 10)
	if n < 0 {
		dst = append(dst, l.numbers.minus...)
		digits = digits[1:]
	}
	for range width - len(digits) {
		dst = l.numbers.appendDigit(dst, '0')
	}
	for _, b := range digits {
		dst = l.numbers.appendDigit(dst, b)
	}
	return dst
}
