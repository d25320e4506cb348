package chart

import (
	"strings"
	"unicode"
)

// warnRoom tells of what the chart had no room for.
func (p *plot) warnRoom() {
	if p.c.Warn == nil || p.empty() {
		return
	}
	p.warnNames()
	for _, a := range []*axis{&p.base, &p.value, &p.second} {
		if a.Kind != Category && a.used && !a.Hidden && !a.empty && a.written == 0 {
			p.warn("there is no room for the labels of an axis")
		}
	}
	if n := p.wantedTitles() - p.titled; n > 0 {
		p.warn("there is no room for the titles of %d axes", n)
	}
	p.legend.warn(p.entries(), p.c.Legend, p.warn)
}

// wantedTitles is how many axes that are drawn have a title.
func (p *plot) wantedTitles() (n int) {
	for _, a := range []*axis{&p.base, &p.value, &p.second} {
		n += boolIndex(a.used && a.Title != "")
	}
	return n
}

// warn tells of entries that have no room.
func (l *legend) warn(entries []entry, position string, warn func(format string, args ...any)) {
	switch {
	case l == nil && len(entries) > 0 && position != "none":
		warn("there is no room for the legend")
	case l != nil && l.lacking() > 0:
		warn("there is no room for %d entries of the legend", l.lacking())
	}
	if l == nil {
		return
	}
	whole := make([]string, len(l.texts))
	for i := range whole {
		whole[i] = l.entries[i].text
	}
	if n := alike(l.texts, whole); n > 0 {
		warn("%d texts of the legend are shortened to what another one says, too", n)
	}
}

// alike is how many texts, as they are shown, say the same as one before them that is
// another.
func alike(shown, whole []string) (n int) {
	first := map[string]string{}
	for i, text := range shown {
		if before, known := first[text]; !known {
			first[text] = whole[i]
		} else if before != whole[i] && text != "" {
			n++
		}
	}
	return n
}

// lacking is how many entries have no room, or none for a letter.
func (l *legend) lacking() int {
	n := l.counted
	for i, s := range l.texts {
		n += boolIndex(s == "" && l.entries[i].text != "")
	}
	return n
}

// warnNames tells of categories whose names have no room. Labels that count,
// such as days, are understood with some left out.
func (p *plot) warnNames() {
	a := &p.base
	if a.Kind != Category || a.Hidden {
		return
	}
	hidden := -a.written
	for _, name := range a.Categories {
		if name != "" {
			hidden++
		}
	}
	if hidden > 0 && !(hidden < len(a.ticks) && p.counting(a)) {
		p.warn("there is no room for the names of %d of %d categories", hidden, len(a.ticks))
		return
	}
	shown := make([]string, len(a.ticks))
	for i, k := range a.ticks {
		if !k.hide {
			shown[i] = k.label
		}
	}
	if n := alike(shown, a.Categories); n > 0 {
		p.warn("%d categories are shortened to what another one says, too", n)
	}
}

// countingWidth is how wide a label that counts is at most, in font sizes:
// "12 March 2026" counts, "Branch 12 of the northern region" names.
const countingWidth = 8

// counting reports whether the labels of an axis count rather than name: dates, and
// a word with a number that grows. "AT" and "SE-101" are names.
func (p *plot) counting(a *axis) bool {
	t := p.st.labels()
	dates, grows := true, true
	word, last := "", ""
	for i, label := range a.Categories {
		if t.width(label) > t.size*countingWidth {
			return false
		}
		number, rest := parted(label)
		dates = dates && a.dated(label, number != "")
		grows = grows && number != "" && (i == 0 || rest == word && (len(number) > len(last) || len(number) == len(last) && number > last))
		word, last = rest, number
	}
	return dates || grows
}

// parted are the digits of a label, without zeros before them, and the rest of it.
func parted(label string) (number, rest string) {
	var digits, others strings.Builder
	for _, r := range label {
		if unicode.IsDigit(r) {
			digits.WriteRune(r)
		} else {
			others.WriteRune(r)
		}
	}
	return strings.TrimLeft(digits.String(), "0"), others.String()
}

// dated reports whether a label can be a date: figures, names of months and days,
// and single letters, such as that of a quarter.
func (a *axis) dated(label string, figures bool) bool {
	for word := range strings.FieldsFuncSeq(label, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		switch {
		case a.Calendar != nil && a.Calendar(strings.ToLower(word)):
			figures = true
		case len([]rune(word)) > 1:
			return false
		}
	}
	return figures
}
