package text

import (
	"strconv"
	"strings"
	"time"
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
		r.want[field].letter, r.want[field].width = letter, width
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
		p.kind, p.when, p.shown = isTime, t, s.request
		return
	}
	p.begin()
	p.out = p.locale().appendDate(p.out, t, s.request)
}

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
