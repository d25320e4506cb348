package text

import (
	"math"
	"strconv"
	"strings"
)

// mostConditions is how many sections of a code have conditions, beside one for the rest
// (ECMA-376 part 1, 18.8.31).
const mostConditions = 2

// ShortCode is the code by which numbers from 0 up to most are shortened as the format
// does, such as 138K and 1.4M: with a section for each of their largest sizes. It reports
// false where no code does that: the format does not shorten, leaves its decimals open, or
// the language counts by other sizes than thousands.
func (f Format) ShortCode(env *Env, most float64) (string, bool) {
	if len(f.steps) != 1 {
		return "", false
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
		return "", false
	}
	decimals := ""
	if spec.min > 0 {
		decimals = "." + strings.Repeat("0", spec.min)
	}
	section := func(p *numberPattern, digits string, shift int) string {
		a := &p.positive
		return b.affixes(a.before, currency, false, true) + digits + decimals + strings.Repeat(",", shift/3) + b.affixes(a.after, currency, false, false)
	}
	usual := &n.number
	if currency != "" {
		usual = &n.currency
	}
	sections, below := []string{section(usual, "#,##0", 0)}, 0
	for i := 0; i < len(table); i += 3 {
		shift := i + 3
		if table[i].shift == 0 {
			continue // the language does not shorten numbers of this size
		}
		if table[i].shift != shift || !sameShift(table[i:min(i+3, len(table))]) {
			return "", false
		}
		from := math.Pow10(shift) - 0.5*math.Pow10(below-spec.min) // what is rounded up to it
		if from > most {
			break
		}
		sections = append(sections, "[>="+strconv.FormatFloat(from, 'f', -1, 64)+"]"+section(table[i].other, "0", shift))
		below = shift
	}
	code := ""
	for i := range min(mostConditions, len(sections)-1) {
		code += sections[len(sections)-1-i] + ";"
	}
	return code + sections[0], true
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
