package text

// Fields of a date, in the order of CLDR's skeletons.
const (
	fieldEra = iota
	fieldYear
	fieldMonth
	fieldWeekday
	fieldDay
	fieldDayPeriod
	fieldHour
	fieldMinute
	fieldSecond
	fieldZone
	fieldCount
)

// dateFields and timeFields are the two halves of a skeleton.
const (
	dateFields = 1<<fieldDayPeriod - 1
	timeFields = 1<<fieldCount - 1 - dateFields
)

// skeleton says which fields a pattern has, and how wide: the letter and how
// often it is repeated. Order and separators are the language's.
type skeleton [fieldCount]struct {
	letter byte
	width  uint8
}

// maxWidth bounds how often a letter counts; small fields make skeletons quick
// keys.
const maxWidth = 255

// parseSkeleton reads a skeleton, or the letters of a pattern outside quotes.
func parseSkeleton(s string) skeleton {
	var k skeleton
	quoted := false
	for i := range len(s) {
		if s[i] == '\'' {
			quoted = !quoted
		}
		if quoted || !isLetter(s[i]) {
			continue
		}
		if f := fieldOf(s[i]); f >= 0 {
			k[f].letter = s[i]
			if k[f].width < maxWidth {
				k[f].width++
			}
		}
	}
	k.addDayPeriod()
	return k
}

// addDayPeriod: twelve hours are never without their half of the day.
func (k *skeleton) addDayPeriod() {
	if h := k[fieldHour].letter; (h == 'h' || h == 'K') && k[fieldDayPeriod].width == 0 {
		k[fieldDayPeriod].letter, k[fieldDayPeriod].width = 'a', 1
	}
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }

// fieldOf is the field of a pattern letter; -1 for none of ours.
func fieldOf(b byte) int {
	switch b {
	case 'G':
		return fieldEra
	case 'y', 'Y', 'u', 'r':
		return fieldYear
	case 'M', 'L':
		return fieldMonth
	case 'E', 'c', 'e':
		return fieldWeekday
	case 'd':
		return fieldDay
	case 'a', 'b', 'B':
		return fieldDayPeriod
	case 'H', 'h', 'K', 'k':
		return fieldHour
	case 'm':
		return fieldMinute
	case 's':
		return fieldSecond
	case 'z', 'v':
		return fieldZone
	}
	return -1
}

// Kinds of how a field is written. Numbers are positive and count their width;
// names are negative. The distance between two kinds is how ill one stands for
// the other; the numbers are those of ICU, so that the choices are its too.
const (
	kindNumber = 0x100
	kindShort  = -0x103
	kindLong   = -0x104
	kindNarrow = -0x101
	kindStep   = 0x10 // between letters of the same field
	kindExtra  = 0x10000
	kindMissed = 0x1000
)

// kind is how a field of the skeleton is written; 0 when it is not there.
func (k *skeleton) kind(field int) int {
	f := k[field]
	if f.width == 0 {
		return 0
	}
	variant, named := letterVariant(f.letter)
	if !named || (field == fieldMonth || f.letter == 'c' || f.letter == 'e') && f.width < 3 {
		return kindNumber + variant*kindStep + int(f.width)
	}
	switch f.width {
	case 4:
		return kindLong - variant*kindStep
	case 5:
		return kindNarrow - variant*kindStep
	}
	return kindShort - variant*kindStep
}

// letterVariant tells letters of one field apart, and says whether the field
// has names.
func letterVariant(b byte) (variant int, named bool) {
	switch b {
	case 'M', 'E', 'a', 'z', 'G':
		return 0, true
	case 'L', 'e', 'b':
		return 1, true
	case 'c', 'v':
		return 2, true
	case 'B':
		return 3, true
	case 'K':
		return 1, false
	case 'H':
		return 10, false
	case 'k':
		return 11, false
	}
	return 0, false
}

// distance is how ill another skeleton stands for the wanted fields of this
// one, and which of them it misses or has besides.
func (k *skeleton) distance(other *skeleton, wanted int) (total, missed, extra int) {
	for f := range fieldCount {
		mine, its := 0, other.kind(f)
		if wanted&(1<<f) != 0 {
			mine = k.kind(f)
		}
		switch {
		case mine == its:
		case mine == 0:
			total += kindExtra
			extra |= 1 << f
		case its == 0:
			total += kindMissed
			missed |= 1 << f
		default:
			total += max(mine-its, its-mine)
		}
	}
	return total, missed, extra
}

// fields is the set of fields that are there.
func (k *skeleton) fields() int {
	set := 0
	for f := range fieldCount {
		if k[f].width > 0 {
			set |= 1 << f
		}
	}
	return set
}

// base is the skeleton without the widths of numbers.
func (k skeleton) base() skeleton {
	for f := range fieldCount {
		if k.kind(f) > 0 {
			k[f].width = 1
		}
	}
	return k
}
