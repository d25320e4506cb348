package text

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// mostConditions is how many sections of a code have conditions, beside one for the rest
// (ECMA-376 part 1, 18.8.31).
const mostConditions = 2

// ShortSize is how numbers of a size are shortened.
type ShortSize struct {
	From   float64 // the least, without a sign, that is written so
	Code   string  // of a cell, for numbers from 0 on: 0,"K"
	Signed string  // and for those below, too: 0,"K";"−"0,"K"
}

// ShortCode is the code by which numbers from 0 on are shortened as sizes do, such as 138K
// and 1.4M: with a section for each of the largest. It reports false where that leaves
// smaller sizes out, whose numbers have all of their digits.
func ShortCode(sizes []ShortSize) (code string, all bool) {
	for i, s := range slices.Backward(sizes[1:]) {
		if i < len(sizes)-1-mostConditions {
			break
		}
		code += "[>=" + strconv.FormatFloat(s.From, 'f', -1, 64) + "]" + s.Code + ";"
	}
	return code + sizes[0].Code, len(sizes)-1 <= mostConditions
}

// ShortSizes are the sizes by which the format shortens numbers up to most, the smallest
// first. It reports false where no code shortens as the format does: it does not shorten,
// leaves its decimals open, or the language counts by other sizes than thousands.
func (f Format) ShortSizes(env *Env, most float64) ([]ShortSize, bool) {
	if len(f.steps) != 1 {
		return nil, false
	}
	b := sheetCode{env: env, loc: env.locale().printed()}
	n := &b.loc.numbers
	spec, table, currency := numberSpec{}, n.compact, ""
	switch s := f.steps[0].(type) {
	case numberStep:
		spec = s.numberSpec
	case currencyStep:
		spec, table, currency = s.numberSpec, n.compactMoney, s.currency(env, b.loc)
		if c, ok := n.currencies[currency]; ok {
			currency = c.symbol
		}
	}
	if !spec.compact || spec.min < 0 || spec.min != spec.max || spec.plus || n.zero != '0' {
		return nil, false
	}
	decimals := ""
	if spec.min > 0 {
		decimals = "." + strings.Repeat("0", spec.min)
	}
	size := func(from float64, p *numberPattern, digits string, shift int) ShortSize {
		section := func(a *affixes) string {
			return b.affixes(a.before, currency, false, true) + digits + decimals + strings.Repeat(",", shift/3) + b.affixes(a.after, currency, false, false)
		}
		positive, negative := section(&p.positive), section(&p.negative)
		if spec.accounting && (currency == "" || n.brackets) {
			negative = "(" + positive + ")"
		}
		return ShortSize{from, positive, positive + ";" + negative}
	}
	usual := &n.number
	if currency != "" {
		usual = &n.currency
	}
	sizes, below := []ShortSize{size(0, usual, "#,##0", 0)}, 0
	for i := 0; i < len(table); i += 3 {
		shift := i + 3
		if table[i].shift == 0 {
			continue // the language does not shorten numbers of this size
		}
		if table[i].shift != shift || !sameShift(table[i:min(i+3, len(table))]) {
			return nil, false
		}
		from := math.Pow10(shift) - 0.5*math.Pow10(below-spec.min) // what is rounded up to it
		if from > most {
			break
		}
		sizes = append(sizes, size(from, table[i].other, "0", shift))
		below = shift
	}
	return sizes, true
}

// sameShift reports whether sizes of a thousand are shortened alike.
func sameShift(list []compactEntry) bool {
	for _, e := range list {
		if e.shift != list[0].shift {
			return false
		}
	}
	return true
}
