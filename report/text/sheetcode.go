package text

import (
	"strings"
	"unicode/utf8"
)

// SheetCode is a number format code of spreadsheets (ECMA-376 part 1, 18.8.31).
// The signs for decimals and groups are those of the reader's settings, whatever
// the code says, and names of months and days are spelt as the reader's program
// does in the language.
type SheetCode struct {
	Code string
	Date bool // it is for moments, as numbers of days
	// Exact is whether a cell prints what the format prints, but for that.
	Exact bool

	places   int    // how many decimals of the value are printed at most
	signed   string // the code without the plus of positive numbers, where Code has one
	unsigned string // what prints zero: it has one section
	sole     bool   // Code is unsigned: no section is to be added
}

// SheetCode is the code by which cells print values as the format does. decimals
// is how many the values have at most; formats that leave their number open print
// so many. It reports false where cells hold the text itself: no code makes it of
// the value.
func (f Format) SheetCode(env *Env, decimals int) (SheetCode, bool) {
	return f.sheetCode(env, decimals, anySize)
}

// anySize is for numbers of any size.
const anySize = -1

// sheetCode is SheetCode for numbers of a size: how many digits they have before
// the point.
func (f Format) sheetCode(env *Env, decimals, integers int) (SheetCode, bool) {
	if len(f.steps) == 0 {
		return SheetCode{}, false
	}
	b := sheetCode{env: env, loc: env.locale().printed(), decimals: decimals, integers: integers, exact: true}
	for _, s := range f.steps {
		c, ok := s.(coded)
		if !ok || !c.code(&b) {
			return SheetCode{}, false
		}
	}
	return b.made(), true
}

// coded is a step that spreadsheets can do; false where not with these options,
// or not after the steps before.
type coded interface{ code(b *sheetCode) bool }

// sheetCode is a code in the making: how a value above, below and at zero is
// written. Sections that are empty follow from the first.
type sheetCode struct {
	env                      *Env
	loc                      *Locale
	decimals, integers       int
	positive, negative, zero string
	date, exact              bool
	places                   int
}

func (b *sheetCode) made() SheetCode {
	code := SheetCode{Code: b.String(), Date: b.date, Exact: b.exact, places: b.places, unsigned: b.positive}
	if b.zero != "" {
		code.signed, code.unsigned = b.zero+";"+b.negative, b.zero
	}
	return code
}

func (b *sheetCode) String() string {
	switch {
	case b.zero != "":
		return b.positive + ";" + b.negative + ";" + b.zero
	case b.negative != "" && b.negative != "-"+b.positive:
		return b.positive + ";" + b.negative
	}
	return b.positive
}

func (b *sheetCode) begun() bool { return b.positive != "" }

func (s numberStep) code(b *sheetCode) bool {
	if b.begun() {
		return false
	}
	n := &b.loc.numbers
	layout := numberLayout{pattern: &n.number}
	b.number(s.numberSpec, layout, b.digits(s.numberSpec, layout, 0, numberDigits), false)
	return true
}

func (s percentStep) code(b *sheetCode) bool {
	n := &b.loc.numbers
	layout := numberLayout{pattern: &n.percent}
	if b.begun() || !s.sign { // a value that is scaled shows its sign
		return false
	}
	b.decimals -= s.scale
	if b.integers != anySize {
		b.integers += s.scale
	}
	b.number(s.numberSpec, layout, b.digits(s.numberSpec, layout, 0, percentDigits), s.scale > 0)
	b.places += s.scale
	b.exact = b.exact && (s.scale == 0 || n.percentSign == "%")
	return true
}

func (s currencyStep) code(b *sheetCode) bool {
	if b.begun() {
		return false
	}
	code := s.currency(b.env, b.loc)
	n := &b.loc.numbers
	layout := numberLayout{pattern: &n.currency, currency: code}
	if c, ok := n.currencies[code]; ok {
		layout.currency = c.symbol
	}
	if s.accounting {
		layout.pattern = &n.accounting
	}
	layout.pattern = n.alphaPattern(layout, s.accounting)
	digits := currencyDigits(code)
	b.number(s.numberSpec, layout, b.digits(s.numberSpec, layout, digits, digits), false)
	return true
}

func (s fixedStep) code(b *sheetCode) bool {
	if b.begun() {
		return false
	}
	b.positive, b.places = "0"+decimalsCode(s.places, 0), s.places
	return true
}

func (s aroundStep) code(b *sheetCode) bool {
	if !b.begun() {
		b.positive, b.negative = general, "-"+general
	}
	if b.date {
		b.positive = sheetText(s.before) + b.positive + sheetText(s.after)
		return true
	}
	if b.negative == "" {
		b.negative = "-" + b.positive // with text around it a program cannot tell where its own minus goes
	}
	for _, section := range []*string{&b.positive, &b.negative, &b.zero} {
		if *section != "" {
			*section = sheetText(s.before) + *section + sheetText(s.after)
		}
	}
	return true
}

// Zeros on the left are a program's business only for whole numbers.
func (s padStep) code(b *sheetCode) bool {
	if b.begun() || s.fill != '0' || s.length == 0 || b.decimals > 0 {
		return false
	}
	b.positive = strings.Repeat("0", s.length)
	return true
}

// digits is how the digits of a number are written. A code without a fixed
// number of decimals leaves a bare point behind whole numbers, so where none has to
// be there it has as many as the values have.
func (b *sheetCode) digits(s numberSpec, layout numberLayout, least, most int) string {
	switch {
	case s.min >= 0:
		least, most = s.min, s.max
	case s.max >= 0:
		least, most = min(least, s.max), s.max
	}
	whole := "0"
	if layout.pattern.primary > 0 && !b.short(layout.pattern) {
		whole = "#,##0"
	}
	if s.compact {
		least, most = 0, 0
	}
	if least == 0 {
		least = max(0, min(most, b.decimals))
		most = least
	}
	return whole + decimalsCode(least, most-least)
}

// short is whether numbers of this size have no signs for groups, though longer
// ones do.
func (b *sheetCode) short(p *numberPattern) bool {
	return b.integers != anySize && b.loc.numbers.minGrouping > 1 && b.integers < p.primary+b.loc.numbers.minGrouping
}

func decimalsCode(always, perhaps int) string {
	if always+perhaps == 0 {
		return ""
	}
	return "." + strings.Repeat("0", always) + strings.Repeat("#", perhaps)
}

// number makes the sections of a number. What is written compactly a code can say
// for few languages and sizes; the number itself is nearest.
func (b *sheetCode) number(s numberSpec, layout numberLayout, digits string, scaled bool) {
	n := &b.loc.numbers
	section := func(a *affixes) string {
		return b.affixes(a.before, layout.currency, scaled, true) + digits + b.affixes(a.after, layout.currency, scaled, false)
	}
	if _, decimals, ok := strings.Cut(digits, "."); ok {
		b.places = len(decimals)
	}
	p := layout.pattern
	b.positive, b.negative = section(&p.positive), section(&p.negative)
	if s.accounting && layout.currency == "" {
		b.negative = "(" + b.positive + ")"
	}
	if s.plus {
		b.positive, b.zero = section(&p.signed), b.positive
	}
	b.exact = !s.compact && n.zero == '0' && p.primary == p.secondary && (n.minGrouping < 2 || p.primary == 0 || b.integers != anySize)
}

// affixes are what stands before or after the digits.
func (b *sheetCode) affixes(list []affix, currency string, scaled, before bool) string {
	n := &b.loc.numbers
	code := ""
	for i, a := range list {
		switch {
		case a.symbol == '-':
			code += sheetText(n.minus)
		case a.symbol == '+':
			code += sheetText(n.plus)
		case a.symbol == '%' && scaled:
			code += "%"
		case a.symbol == '%':
			code += sheetText(n.percentSign)
		case a.symbol == 'c':
			around, after, _ := strings.Cut(string(n.appendSymbol(nil, currency, before && i == len(list)-1, !before && i == 0)), currency)
			code += sheetText(around) + "[$" + currency + "]" + sheetText(after)
		default:
			code += sheetText(a.text)
		}
	}
	return code
}

func (s dateStep) code(b *sheetCode) bool {
	if b.begun() || s.before || s.keep {
		return false
	}
	d := b.loc.dates()
	named := false
	for _, item := range b.loc.pattern(s.request.skeleton(d)) {
		code, ok := item.sheetCode()
		if !ok {
			return false
		}
		named = named || item.named()
		b.exact = b.exact && (fieldOf(item.letter) != fieldDayPeriod || item.letter == 0 || !s.request.lower && d.dayPeriods[0] == "AM" && d.dayPeriods[1] == "PM")
		b.positive += code
	}
	if d.calendar != gregorian || b.loc.numbers.zero != '0' {
		b.exact = false
	}
	if number := languageNumber(b.loc.Tag()); named && number != "" {
		b.positive = "[$-" + number + "]" + b.positive
	} else if named {
		b.exact = false
	}
	b.date = true
	return b.begun()
}

// named is whether a field is written in words.
func (i patternItem) named() bool {
	return i.letter != 0 && (fieldOf(i.letter) == fieldMonth && i.width > 2 || fieldOf(i.letter) == fieldWeekday)
}

// sheetCode is the code of a field, or of text. Time zones have none.
func (i patternItem) sheetCode() (code string, ok bool) {
	if i.letter == 0 {
		return sheetText(i.text), true
	}
	wide := min(i.width, 2)
	switch fieldOf(i.letter) {
	case fieldYear:
		if i.width == 2 {
			return "yy", true
		}
		return "yyyy", true
	case fieldMonth:
		return strings.Repeat("m", min(i.width, 5)), true
	case fieldWeekday:
		if i.width == 4 {
			return "dddd", true
		}
		return "ddd", i.width < 4
	case fieldDay:
		return strings.Repeat("d", wide), true
	case fieldDayPeriod:
		return "AM/PM", true
	case fieldHour:
		return strings.Repeat("h", wide), i.letter == 'H' || i.letter == 'h'
	case fieldMinute:
		return strings.Repeat("m", wide), true
	case fieldSecond:
		return strings.Repeat("s", wide), true
	}
	return "", false
}

// sheetText is text in a code. What needs no signs around it is a blank, a colon
// between hours and minutes, and the plain minus.
func sheetText(s string) string {
	var code strings.Builder
	quoted := false
	quote := func(on bool) {
		if quoted != on {
			code.WriteByte('"')
			quoted = on
		}
	}
	for _, r := range s {
		switch {
		case strings.ContainsRune(" :-()", r):
			quote(false)
			code.WriteRune(r)
		case r == '"' || r < utf8.RuneSelf && !isLetter(byte(r)):
			quote(false)
			code.WriteByte('\\')
			code.WriteRune(r)
		default:
			quote(true)
			code.WriteRune(r)
		}
	}
	quote(false)
	return code.String()
}
