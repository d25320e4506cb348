package text

import "strings"

// patternItem is a field of a date pattern, or literal text.
type patternItem struct {
	letter byte // 0 for text
	width  int
	text   string
}

// datePattern is a pattern of CLDR taken apart: "d MMMM y".
type datePattern []patternItem

// parseDatePattern takes a pattern apart; text in quotes is literal, two
// quotes are one.
func parseDatePattern(s string) datePattern {
	var p datePattern
	for i := 0; i < len(s); {
		switch {
		case s[i] == '\'':
			text, n := quotedText(s[i:])
			p.addText(text)
			i += n
		case isLetter(s[i]):
			n := 1
			for i+n < len(s) && s[i+n] == s[i] {
				n++
			}
			p = append(p, patternItem{letter: s[i], width: n})
			i += n
		default:
			p.addText(s[i : i+1])
			i++
		}
	}
	return p
}

// quotedText reads 'text' and says how long it was.
func quotedText(s string) (string, int) {
	if strings.HasPrefix(s, "''") {
		return "'", 2
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "''"):
			b.WriteByte('\'')
			i++
		case s[i] == '\'':
			return b.String(), i + 1
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), len(s)
}

func (p *datePattern) addText(s string) {
	if n := len(*p); n > 0 && (*p)[n-1].letter == 0 {
		(*p)[n-1].text += s
		return
	}
	*p = append(*p, patternItem{text: s})
}

// fill puts patterns in the places {0}, {1}, … of a pattern that joins them.
func fill(glue string, parts ...datePattern) datePattern {
	var out datePattern
	for glue != "" {
		i := strings.IndexByte(glue, '{')
		if i < 0 || i+2 >= len(glue) || int(glue[i+1]-'0') >= len(parts) {
			return append(out, parseDatePattern(glue)...)
		}
		out = append(out, parseDatePattern(glue[:i])...)
		out = append(out, parts[glue[i+1]-'0']...)
		glue = glue[i+3:]
	}
	return out
}

// known is a pattern of the language with the skeleton it stands for.
type known struct {
	skeleton skeleton
	pattern  datePattern
	declared bool // the skeleton is given with the pattern, not read off it
}

// patternFor is the language's pattern for a skeleton: the one it has, with
// the widths asked for, or date and time joined, or fields added to the
// closest. This is the way of ICU's pattern generator, which browsers use.
func (d *dateData) patternFor(k *skeleton) datePattern {
	best, missed, extra := d.closest(k, k.fields())
	if missed == 0 && extra == 0 {
		return k.adjust(best)
	}
	date := d.assemble(k, k.fields()&dateFields)
	clock := d.assemble(k, k.fields()&timeFields)
	switch {
	case len(clock) == 0:
		return date
	case len(date) == 0:
		return clock
	}
	return fill(d.glueFor(k), clock, date)
}

// glueFor joins date and time by the width of the month.
func (d *dateData) glueFor(k *skeleton) string {
	style := 3
	switch month := k[fieldMonth].width; {
	case month == 4 && k[fieldWeekday].width > 0:
		style = 0
	case month == 4:
		style = 1
	case month == 3:
		style = 2
	}
	return d.glue[style]
}

// closest is the known pattern that stands best for the wanted fields; of
// equals the one that misses the lesser fields, then the first.
func (d *dateData) closest(k *skeleton, wanted int) (best *known, missed, extra int) {
	least := 1 << 30
	for i := range d.known {
		total, m, x := k.distance(&d.known[i].skeleton, wanted)
		if total < least || total == least && m > missed {
			least, best, missed, extra = total, &d.known[i], m, x
		}
	}
	return best, missed, extra
}

// assemble is the closest pattern for the wanted fields, with those it misses
// added one by one.
func (d *dateData) assemble(k *skeleton, wanted int) datePattern {
	if wanted == 0 {
		return nil
	}
	best, missed, _ := d.closest(k, wanted)
	out := k.adjust(best)
	for missed != 0 {
		next, still, _ := d.closest(k, missed)
		found := missed &^ still
		if found == 0 {
			break
		}
		a := d.add[topField(found)]
		out = fill(a.pattern, out, k.adjust(next), datePattern{{text: a.name}})
		missed = still
	}
	return out
}

func topField(set int) int {
	top := 0
	for f := range fieldCount {
		if set&(1<<f) != 0 {
			top = f
		}
	}
	return top
}

// adjust gives the fields of a known pattern the widths that are asked for.
func (k *skeleton) adjust(b *known) datePattern {
	out := make(datePattern, len(b.pattern))
	for i, item := range b.pattern {
		out[i] = item
		f := fieldOf(item.letter)
		if f < 0 || item.letter == 0 || k[f].width == 0 {
			continue
		}
		out[i].width = k.adjustedWidth(f, item, b)
		if f != fieldHour && f != fieldMonth && f != fieldWeekday && f != fieldYear {
			out[i].letter = k[f].letter
		}
	}
	return out
}

// adjustedWidth: minutes and seconds have at least the language's width, and a
// field whose declared skeleton has the width asked for, or is a number where
// the pattern has a name, keeps it. Hours without minutes are as wide as asked:
// H is 5 and HH is 05 in every language.
func (k *skeleton) adjustedWidth(f int, item patternItem, b *known) int {
	width := int(k[f].width)
	if f == fieldMinute || f == fieldSecond {
		return max(width, item.width)
	}
	if f == fieldHour && k[fieldMinute].width == 0 {
		return width
	}
	if b.declared {
		var shown skeleton
		shown[f].letter, shown[f].width = item.letter, uint8(min(item.width, maxWidth))
		if int(b.skeleton[f].width) == width || (shown.kind(f) > 0) != (b.skeleton.kind(f) > 0) {
			return item.width
		}
	}
	if item.letter == 'E' || k[f].letter == 'E' {
		return max(width, 3)
	}
	return width
}
