package text

import "strings"

// quarterStep is quarter: a pattern with {q}, {yy} and {yyyy}, or the one of
// the language.
type quarterStep struct {
	pattern   string // empty: the language's
	exclusive bool   // the value is the first day after the period
}

func (s quarterStep) apply(p *pipe) {
	t, ok := p.date()
	if !ok {
		return
	}
	if s.exclusive {
		t = t.AddDate(0, 0, -1)
	}
	l := p.locale()
	d := l.dates()
	day := d.calendar.date(t)
	p.begin()
	if s.pattern == "" {
		p.out = l.appendQuarter(p.out, d, day)
		return
	}
	p.out = l.appendQuarterPattern(p.out, s.pattern, day)
}

func quarterOf(day civil) int { return (day.month + 2) / 3 }

// appendQuarter writes a quarter and its year as the language does.
func (l *Locale) appendQuarter(dst []byte, d *dateData, day civil) []byte {
	for _, item := range d.inQuarter {
		switch {
		case item.letter == 'Q' && item.width < 3:
			dst = l.appendInt(dst, quarterOf(day), item.width)
		case item.letter == 'Q':
			dst = append(dst, d.quarters[quarterOf(day)-1]...)
		case item.letter == 'y':
			dst = l.appendYear(dst, day.year, item.width)
		default:
			dst = append(dst, item.text...)
		}
	}
	return dst
}

func (l *Locale) appendQuarterPattern(dst []byte, pattern string, day civil) []byte {
	for pattern != "" {
		i := strings.IndexByte(pattern, '{')
		if i < 0 {
			break
		}
		dst = append(dst, pattern[:i]...)
		pattern = pattern[i:]
		size := strings.IndexByte(pattern, '}') + 1
		if size == 0 {
			break
		}
		dst = l.appendQuarterField(dst, pattern[:size], day)
		pattern = pattern[size:]
	}
	return append(dst, pattern...)
}

// appendQuarterField writes a field; what is none prints as it is.
func (l *Locale) appendQuarterField(dst []byte, field string, day civil) []byte {
	switch field {
	case "{q}", "{Q}":
		return l.appendInt(dst, quarterOf(day), 1)
	case "{yyyy}", "{YYYY}", "{y}":
		return l.appendYear(dst, day.year, 1)
	case "{yy}", "{YY}":
		return l.appendYear(dst, day.year, 2)
	}
	return append(dst, field...)
}

// yearPeriodStep is yearperiod: the first and last day of some years that
// start at the value.
type yearPeriodStep struct {
	years   int
	request dateRequest
}

func (s yearPeriodStep) apply(p *pipe) {
	t, ok := p.date()
	if !ok {
		return
	}
	p.begin()
	l := p.locale()
	p.out = l.appendDate(p.out, t, s.request)
	p.out = append(p.out, " – "...)
	p.out = l.appendDate(p.out, l.dates().calendar.addYears(t, s.years).AddDate(0, 0, -1), s.request)
}
