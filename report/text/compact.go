package text

import "golang.org/x/text/feature/plural"

// appendCompact writes a number shortened: 105K. Rounding may carry it into
// the next power of ten: 999,999 is 1M.
func (l *Locale) appendCompact(dst []byte, d *decimal, s numberSpec, layout numberLayout, table []compactEntry) []byte {
	layout.minGrouping = max(layout.minGrouping, 2)
	if d.nan || d.inf {
		return l.appendLaidOut(dst, d, s, layout, 0)
	}
	e := compactAt(table, d)
	d.scale(-e.shift)
	places := s.compactPlaces(d)
	if next := compactAfter(table, e.shift, d); next.other != e.other {
		d.scale(e.shift - next.shift)
		e = next
		places = s.compactPlaces(d)
	}
	if e.shift > 0 {
		layout.pattern = l.compactPattern(e, d, places)
	}
	return l.appendLaidOut(dst, d, s, layout, places)
}

// compactAt is the entry for a number's size; the zero entry when it is small.
func compactAt(table []compactEntry, d *decimal) compactEntry {
	i := d.integers() - 4
	if i < 0 {
		return compactEntry{}
	}
	return table[min(i, len(table)-1)]
}

// compactAfter is the entry for a number that was shifted and then rounded.
func compactAfter(table []compactEntry, shift int, d *decimal) compactEntry {
	d.scale(shift)
	e := compactAt(table, d)
	d.scale(-shift)
	return e
}

// compactPlaces rounds; without decimals in the format two digits are kept,
// and all of those before the point.
func (s numberSpec) compactPlaces(d *decimal) int {
	if s.min >= 0 || s.max >= 0 {
		return s.places(d, 0, 0)
	}
	return s.places(d, 0, max(0, 2-d.point))
}

// compactPattern is the entry's pattern in the right plural form.
func (l *Locale) compactPattern(e compactEntry, d *decimal, places int) *numberPattern {
	if e.forms != nil {
		if form, ok := e.forms[l.numbers.plural.form(d, places)]; ok {
			return form
		}
	}
	return e.other
}

// pluralRule chooses the form of a word that a number asks for.
type pluralRule struct {
	match func(i, v, w, f, t int) plural.Form
}

// form is the name CLDR gives the form.
func (r pluralRule) form(d *decimal, places int) string {
	if r.match == nil {
		return "other"
	}
	i, f := 0, 0
	for k := range min(d.integers(), 9) {
		i = i*10 + int(d.digit(k)-'0')
	}
	for k := range min(places, 9) {
		f = f*10 + int(d.digit(d.point+k)-'0')
	}
	switch r.match(i, places, min(places, d.decimals()), f, f) {
	case plural.Zero:
		return "zero"
	case plural.One:
		return "one"
	case plural.Two:
		return "two"
	case plural.Few:
		return "few"
	case plural.Many:
		return "many"
	}
	return "other"
}
