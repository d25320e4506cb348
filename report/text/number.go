package text

import (
	"unicode"
	"unicode/utf8"
)

// numberSpec is what a number format asks for.
type numberSpec struct {
	min, max   int // decimals; -1 is not said
	compact    bool
	accounting bool
	plus       bool
}

// numberLayout is how one number is put together.
type numberLayout struct {
	pattern        *numberPattern
	decimal, group string
	currency       string // the symbol; empty for plain numbers
	minGrouping    int
}

// Decimals when a format does not say.
const (
	numberDigits  = 15 // significant ones of n
	percentDigits = 2
)

// numberStep is n.
type numberStep struct{ numberSpec }

func (s numberStep) apply(p *pipe) {
	if !p.number() {
		return
	}
	p.begin()
	p.out = p.locale().appendNumber(p.out, &p.dec, s.numberSpec)
}

// percentStep is p, ps and percentnosign: scaled or not, with a sign or not.
type percentStep struct {
	numberSpec
	scale int
	sign  bool
}

func (s percentStep) apply(p *pipe) {
	if !p.number() {
		return
	}
	p.begin()
	p.dec.scale(s.scale)
	p.out = p.locale().appendPercent(p.out, &p.dec, s)
}

// fixedStep is f: a number with decimals as programs write it.
type fixedStep struct{ places int }

func (s fixedStep) apply(p *pipe) {
	if !p.number() || p.dec.nan || p.dec.inf {
		return
	}
	p.begin()
	p.dec.round(s.places)
	p.out = p.dec.appendPlain(p.out, s.places)
}

// currencyStep is c.
type currencyStep struct {
	numberSpec
	given string // code
}

func (s currencyStep) apply(p *pipe) {
	if !p.number() {
		return
	}
	code := s.currency(p.env, p.locale())
	p.begin()
	p.out = p.locale().appendCurrency(p.out, &p.dec, s.numberSpec, code)
}

// currency is the code of the currency: the format's, the report's or the
// language's.
func (s currencyStep) currency(env *Env, l *Locale) string {
	switch {
	case s.given != "":
		return s.given
	case env != nil && env.CurrencyCode != "":
		return env.CurrencyCode
	}
	return l.Currency()
}

func (l *Locale) appendNumber(dst []byte, d *decimal, s numberSpec) []byte {
	n := &l.numbers
	layout := numberLayout{pattern: &n.number, decimal: n.decimal, group: n.group, minGrouping: n.minGrouping}
	if s.compact {
		return l.appendCompact(dst, d, s, layout, n.compact)
	}
	places := s.places(d, 0, max(0, numberDigits-d.point))
	return l.appendLaidOut(dst, d, s, layout, places)
}

func (l *Locale) appendPercent(dst []byte, d *decimal, s percentStep) []byte {
	n := &l.numbers
	layout := numberLayout{pattern: &n.number, decimal: n.decimal, group: n.group, minGrouping: n.minGrouping}
	if s.sign {
		layout.pattern = &n.percent
	}
	return l.appendLaidOut(dst, d, s.numberSpec, layout, s.places(d, 0, percentDigits))
}

func (l *Locale) appendCurrency(dst []byte, d *decimal, s numberSpec, code string) []byte {
	n := &l.numbers
	layout := numberLayout{pattern: &n.currency, decimal: n.moneyDecimal, group: n.moneyGroup, minGrouping: n.minGrouping, currency: code}
	if c, ok := n.currencies[code]; ok {
		layout.currency = c.symbol
		if c.decimal != "" {
			layout.decimal, layout.group = c.decimal, c.group
		}
	}
	if s.accounting {
		layout.pattern = &n.accounting
	}
	if s.compact {
		return l.appendCompact(dst, d, s, layout, n.compactMoney)
	}
	layout.pattern = n.alphaPattern(layout, s.accounting)
	digits := currencyDigits(code)
	return l.appendLaidOut(dst, d, s, layout, s.places(d, digits, digits))
}

// alphaPattern is the pattern for a symbol whose side at the digits is a
// letter, in the few locales where it differs by more than a blank.
func (n *numberData) alphaPattern(layout numberLayout, accounting bool) *numberPattern {
	alpha := n.currencyAlpha
	if accounting {
		alpha = n.accountingAlpha
	}
	if alpha == nil {
		return layout.pattern
	}
	last, _ := utf8.DecodeLastRuneInString(layout.currency)
	if !needsSpace(last) {
		return layout.pattern
	}
	return alpha
}

// currencyDigits are the decimals of a currency.
func currencyDigits(code string) int {
	if d := global("digits", code); d != "" {
		return int(d[0] - '0')
	}
	return 2
}

// places rounds the number and says how many decimals to print. Defaults that
// are not in the format give way to what is.
func (s numberSpec) places(d *decimal, least, most int) int {
	switch {
	case s.min >= 0:
		least, most = s.min, s.max
	case s.max >= 0:
		least, most = min(least, s.max), s.max
	}
	d.round(most)
	return max(least, min(most, d.decimals()))
}

// appendLaidOut writes sign, affixes and digits of a rounded number. Plain and
// compact numbers have no accounting pattern: parentheses stand for the minus.
func (l *Locale) appendLaidOut(dst []byte, d *decimal, s numberSpec, layout numberLayout, places int) []byte {
	a, bracket := &layout.pattern.positive, false
	switch zero := d.isZero(); {
	case d.neg && !zero && s.accounting && (layout.currency == "" || s.compact && l.numbers.brackets):
		bracket = true
	case d.neg && !zero:
		a = &layout.pattern.negative
	case s.plus && !zero:
		a = &layout.pattern.signed
	}
	if bracket {
		dst = append(dst, '(')
	}
	dst = l.appendAffix(dst, a.before, layout.currency, true)
	dst = l.appendDigits(dst, d, layout, places)
	dst = l.appendAffix(dst, a.after, layout.currency, false)
	if bracket {
		dst = append(dst, ')')
	}
	return dst
}

// appendAffix writes what stands before or after the digits. A currency of
// letters right at the digits is set off by a blank.
func (l *Locale) appendAffix(dst []byte, list []affix, currency string, before bool) []byte {
	n := &l.numbers
	for i, a := range list {
		switch a.symbol {
		case '-':
			dst = append(dst, n.minus...)
		case '+':
			dst = append(dst, n.plus...)
		case '%':
			dst = append(dst, n.percentSign...)
		case 'c':
			dst = n.appendSymbol(dst, currency, before && i == len(list)-1, !before && i == 0)
		default:
			dst = append(dst, a.text...)
		}
	}
	return dst
}

func (n *numberData) appendSymbol(dst []byte, currency string, touchesNext, touchesLast bool) []byte {
	if first, _ := utf8.DecodeRuneInString(currency); touchesLast && needsSpace(first) {
		dst = append(dst, n.spaceBefore...)
	}
	dst = append(dst, currency...)
	if last, _ := utf8.DecodeLastRuneInString(currency); touchesNext && needsSpace(last) {
		dst = append(dst, n.spaceAfter...)
	}
	return dst
}

// needsSpace reports whether a character must not touch a digit: all but
// symbols and blanks.
func needsSpace(r rune) bool { return !unicode.IsSymbol(r) && !unicode.In(r, unicode.Z) }

// appendDigits writes the digits with separators, in the digits of the locale.
func (l *Locale) appendDigits(dst []byte, d *decimal, layout numberLayout, places int) []byte {
	n := &l.numbers
	switch {
	case d.nan:
		return append(dst, n.nan...)
	case d.inf:
		return append(dst, n.infinity...)
	}
	whole := max(d.integers(), 1)
	first := d.point - whole // negative for 0.5: digits before the first are zeros
	grouped := layout.groups(whole)
	for i := range whole {
		dst = n.appendDigit(dst, d.digit(first+i))
		if left := whole - 1 - i; grouped && layout.separates(left) {
			dst = append(dst, layout.group...)
		}
	}
	if places == 0 {
		return dst
	}
	dst = append(dst, layout.decimal...)
	for i := range places {
		dst = n.appendDigit(dst, d.digit(d.point+i))
	}
	return dst
}

func (n *numberData) appendDigit(dst []byte, b byte) []byte {
	if n.zero == '0' {
		return append(dst, b)
	}
	return utf8.AppendRune(dst, n.zero+rune(b-'0'))
}

// groups reports whether so many digits are grouped.
func (y *numberLayout) groups(whole int) bool {
	return y.pattern.primary > 0 && whole >= y.pattern.primary+y.minGrouping
}

// separates reports whether a separator stands before the last left digits.
func (y *numberLayout) separates(left int) bool {
	if left < y.pattern.primary {
		return false
	}
	return (left-y.pattern.primary)%y.pattern.secondary == 0
}
