package text

import (
	"strconv"
	"strings"
	"time"
)

// quarterStep is quarter: a pattern with {q}, {yy} and {yyyy}.
type quarterStep struct {
	pattern   string
	exclusive bool // the value is the first day after the period
}

func (s quarterStep) apply(p *pipe) {
	t, ok := p.date()
	if !ok {
		return
	}
	if s.exclusive {
		t = t.AddDate(0, 0, -1)
	}
	p.begin()
	p.out = appendQuarter(p.out, s.pattern, t)
}

func appendQuarter(dst []byte, pattern string, t time.Time) []byte {
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
		dst = appendQuarterField(dst, pattern[:size], t)
		pattern = pattern[size:]
	}
	return append(dst, pattern...)
}

// appendQuarterField writes a field; what is none prints as it is.
func appendQuarterField(dst []byte, field string, t time.Time) []byte {
	switch field {
	case "{q}", "{Q}":
		return strconv.AppendInt(dst, int64(t.Month()+2)/3, 10)
	case "{yyyy}", "{YYYY}", "{y}":
		return strconv.AppendInt(dst, int64(t.Year()), 10)
	case "{yy}", "{YY}":
		year := t.Year() % 100
		return append(dst, byte('0'+year/10%10), byte('0'+year%10))
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
	p.out = l.appendDate(p.out, t.AddDate(s.years, 0, -1), s.request)
}
