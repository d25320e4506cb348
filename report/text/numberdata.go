package text

import (
	"strings"
	"unicode/utf8"

	"github.com/quire-reports/quire/report/text/internal/cldr"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// numberData is how a locale writes numbers.
type numberData struct {
	zero                    rune // the digit zero
	decimal, group          string
	moneyDecimal            string
	moneyGroup              string
	percentSign             string
	plus, minus             string
	nan, infinity           string
	minGrouping             int
	spaceAfter, spaceBefore string // between a currency of letters and the digits
	number, percent         numberPattern
	currency, accounting    numberPattern
	brackets                bool           // accounting writes negatives in parentheses
	currencyAlpha           *numberPattern // when the symbol is of letters; rarely different
	accountingAlpha         *numberPattern
	compact, compactMoney   []compactEntry // by power of ten, from 10^3
	currencies              map[string]currencySymbol
	plural                  pluralRule
}

// currencySymbol is how a currency is written.
type currencySymbol struct{ symbol, decimal, group string }

// numberPattern is a pattern such as "#,##0.00 ¤" taken apart.
type numberPattern struct {
	positive, negative, signed affixes // signed is with a plus sign
	primary, secondary         int     // sizes of groups; 0 is none
	zeros                      int     // least digits before the point
}

// affixes stand before and after the digits.
type affixes struct{ before, after []affix }

// affix is literal text or a symbol of the locale.
type affix struct {
	symbol byte // '-', '+', '%', 'c' (currency) or 0 for text
	text   string
}

// compactEntry is the pattern of a power of ten, by plural form.
type compactEntry struct {
	other *numberPattern
	forms map[string]*numberPattern
	shift int // how many digits it takes away; 0 is no pattern
}

// readNumbers reads a locale's numbers. The extension nu-latn asks for the
// digits 0 to 9 where others are usual.
func readNumbers(f fields, tag language.Tag) numberData {
	symbols, patterns, zero := cldr.Symbols, cldr.Patterns, f.get(cldr.Digits)
	if tag.TypeForKey("nu") == "latn" && zero != "" {
		symbols, patterns, zero = cldr.LatinSymbols, cldr.LatinPatterns, ""
	}
	var n numberData
	n.zero = firstRuneOf(zero)
	n.readSymbols(f.items(symbols, 9))
	p := f.items(patterns, 6)
	n.number, n.percent = parseNumberPattern(p[0]), parseNumberPattern(p[1])
	n.currency, n.accounting = parseNumberPattern(p[2]), parseNumberPattern(p[3])
	n.brackets = strings.Contains(p[3], "(")
	n.currencyAlpha, n.accountingAlpha = optionalPattern(p[4]), optionalPattern(p[5])
	n.minGrouping = int(firstRuneOf(f.get(cldr.MinGrouping)) - '0')
	space := f.items(cldr.Spacing, 2)
	n.spaceAfter, n.spaceBefore = space[0], space[1]
	n.compact = parseCompact(f.items(cldr.Compact, 12), &n.number)
	n.compactMoney = parseCompact(f.items(cldr.CompactCurrency, 12), &n.currency)
	n.readCurrencies(f.list(cldr.Currencies))
	n.plural.match = func(i, v, w, f, t int) plural.Form { return plural.Cardinal.MatchPlural(tag, i, v, w, f, t) }
	return n
}

// trueMinus is what pages print where CLDR, for plain text, has a hyphen: it is
// as wide as a plus, and no line is broken after it.
const trueMinus = "−"

func (n *numberData) readSymbols(s []string) {
	n.decimal, n.group, n.percentSign, n.plus, n.minus, n.nan, n.infinity = s[0], s[1], s[2], s[3], s[4], s[5], s[6]
	n.moneyDecimal, n.moneyGroup = n.decimal, n.group
	if s[7] != "" {
		n.moneyDecimal = s[7]
	}
	if s[8] != "" {
		n.moneyGroup = s[8]
	}
}

func (n *numberData) readCurrencies(list map[string]string) {
	n.currencies = make(map[string]currencySymbol, len(list))
	for code, v := range list {
		parts := strings.Split(v, cldr.Sub)
		c := currencySymbol{symbol: parts[0]}
		if len(parts) == 3 {
			c.decimal, c.group = parts[1], parts[2]
		}
		n.currencies[code] = c
	}
}

func optionalPattern(s string) *numberPattern {
	if s == "" {
		return nil
	}
	p := parseNumberPattern(s)
	return &p
}

// parseCompact reads the patterns of powers of ten; their groups are those of
// the usual pattern.
func parseCompact(items []string, usual *numberPattern) []compactEntry {
	entries := make([]compactEntry, len(items))
	for i, item := range items {
		forms := strings.Split(item, cldr.Sub)
		e := &entries[i]
		e.other = compactForm(forms[0], usual)
		if e.other.zeros > 0 && forms[0] != "0" {
			e.shift = i + 4 - e.other.zeros
		}
		for _, form := range forms[1:] {
			name, pattern, _ := strings.Cut(form, "=")
			if e.forms == nil {
				e.forms = map[string]*numberPattern{}
			}
			e.forms[name] = compactForm(pattern, usual)
		}
	}
	return entries
}

func compactForm(s string, usual *numberPattern) *numberPattern {
	p := parseNumberPattern(s)
	p.primary, p.secondary = usual.primary, usual.secondary
	return &p
}

// parseNumberPattern takes a pattern apart: what stands before and after the
// digits, for each sign, and the sizes of the groups.
func parseNumberPattern(s string) numberPattern {
	positive, negative, both := strings.Cut(s, ";")
	var p numberPattern
	var digits string
	p.positive.before, digits, p.positive.after = splitPattern(positive)
	p.readDigits(digits)
	if both {
		p.negative.before, _, p.negative.after = splitPattern(negative)
	} else {
		p.negative = withSign(p.positive, '-')
	}
	if both && p.negative.has('-') {
		p.signed = p.negative.replaced('-', '+')
	} else {
		p.signed = withSign(p.positive, '+')
	}
	return p
}

func withSign(a affixes, sign byte) affixes {
	return affixes{append([]affix{{symbol: sign}}, a.before...), a.after}
}

func (a affixes) has(symbol byte) bool {
	for _, x := range append(a.before[:len(a.before):len(a.before)], a.after...) {
		if x.symbol == symbol {
			return true
		}
	}
	return false
}

func (a affixes) replaced(from, to byte) affixes {
	swap := func(list []affix) []affix {
		out := append([]affix(nil), list...)
		for i := range out {
			if out[i].symbol == from {
				out[i].symbol = to
			}
		}
		return out
	}
	return affixes{swap(a.before), swap(a.after)}
}

// splitPattern divides a pattern at its digits.
func splitPattern(s string) (before []affix, digits string, after []affix) {
	from, to := -1, 0
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '\'':
			quoted = !quoted
		case !quoted && strings.IndexByte("#0,.", s[i]) >= 0:
			if from < 0 {
				from = i
			}
			to = i + 1
		}
	}
	if from < 0 {
		return parseAffix(s), "", nil
	}
	return parseAffix(s[:from]), s[from:to], parseAffix(s[to:])
}

func (p *numberPattern) readDigits(s string) {
	whole, _, _ := strings.Cut(s, ".")
	groups := strings.Split(whole, ",")
	if n := len(groups); n > 1 {
		p.primary = len(groups[n-1])
		p.secondary = p.primary
		if n > 2 {
			p.secondary = len(groups[n-2])
		}
	}
	p.zeros = strings.Count(whole, "0")
}

// parseAffix divides the text around the digits into text and symbols. Quotes
// make text of symbols.
func parseAffix(s string) []affix {
	var out []affix
	text := ""
	flush := func() {
		if text != "" {
			out = append(out, affix{text: text})
			text = ""
		}
	}
	quoted := false
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		symbol := affixSymbol(r)
		switch {
		case r == '\'':
			quoted = !quoted
		case !quoted && symbol != 0:
			flush()
			out = append(out, affix{symbol: symbol})
		default:
			text += s[i : i+n]
		}
		i += n
	}
	flush()
	return out
}

func affixSymbol(r rune) byte {
	switch r {
	case '-', '+', '%':
		return byte(r)
	case '¤':
		return 'c'
	}
	return 0
}
