package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report/text/internal/cldr"
)

func (s *source) numbers(tag string, r *resolved) error {
	doc, err := s.read("cldr-numbers-full", "main", tag, "numbers.json")
	if err != nil {
		return err
	}
	n := doc.at("main", tag, "numbers")
	system := n.str("defaultNumberingSystem")
	if r.fields[cldr.Digits], err = s.digits(system); err != nil {
		return err
	}
	r.fields[cldr.Symbols] = symbols(n, system)
	r.fields[cldr.Patterns] = patterns(n, system)
	if system != "latn" {
		r.fields[cldr.LatinSymbols] = symbols(n, "latn")
		r.fields[cldr.LatinPatterns] = patterns(n, "latn")
	}
	r.fields[cldr.MinGrouping] = n.str("minimumGroupingDigits")
	r.fields[cldr.Spacing] = spacing(n.at("currencyFormats-numberSystem-" + system))
	r.fields[cldr.Compact] = compact(n, "decimalFormats-numberSystem-", system, "decimalFormat")
	r.fields[cldr.CompactCurrency] = compact(n, "currencyFormats-numberSystem-", system, "standard")
	return nil
}

// digits is the zero of a numbering system; empty for 0.
func (s *source) digits(system string) (string, error) {
	if system == "latn" {
		return "", nil
	}
	doc, err := s.read("cldr-core", "supplemental", "numberingSystems.json")
	if err != nil {
		return "", err
	}
	digits := []rune(doc.at("supplemental", "numberingSystems", system).str("_digits"))
	if len(digits) != 10 {
		return "", fmt.Errorf("numbering system %s has %d digits", system, len(digits))
	}
	for i, r := range digits {
		if r != digits[0]+rune(i) {
			return "", fmt.Errorf("numbering system %s is not in order", system)
		}
	}
	return string(digits[0]), nil
}

func symbols(n node, system string) string {
	sym := n.at("symbols-numberSystem-" + system)
	items := []string{}
	for _, name := range []string{"decimal", "group", "percentSign", "plusSign", "minusSign", "nan", "infinity"} {
		items = append(items, sym.str(name))
	}
	// Some regions write money with other separators.
	items = append(items, sym.str("currencyDecimal"), sym.str("currencyGroup"))
	return join(items...)
}

func patterns(n node, system string) string {
	currency := n.at("currencyFormats-numberSystem-" + system)
	return join(
		n.at("decimalFormats-numberSystem-"+system).str("standard"),
		n.at("percentFormats-numberSystem-"+system).str("standard"),
		currency.str("standard"),
		currency.str("accounting"),
		changed(currency, "standard"),
		changed(currency, "accounting"),
	)
}

// changed is the pattern for symbols that end in a letter, where it is more
// than a blank between.
func changed(currency node, name string) string {
	plain, letters := currency.str(name), currency.str(name+"-alphaNextToNumber")
	blanks := strings.NewReplacer("\u00a0", "", " ", "", "\u202f", "")
	if letters == "" || blanks.Replace(letters) == blanks.Replace(plain) {
		return ""
	}
	return letters
}

func spacing(currency node) string {
	n := currency.at("currencySpacing")
	return join(n.at("beforeCurrency").str("insertBetween"), n.at("afterCurrency").str("insertBetween"))
}

// compact writes the short patterns of 10^3 to 10^14; several plural forms of
// one only where they differ. Native digits may share those of 0 to 9.
func compact(numbers node, kind, system, name string) string {
	n := numbers.at(kind+system, "short", name)
	if len(n) == 0 {
		n = numbers.at(kind+"latn", "short", name)
	}
	items := make([]string, 12)
	for i := range items {
		power := "1" + strings.Repeat("0", i+3)
		forms := map[string]string{}
		for k, v := range n {
			if form, ok := strings.CutPrefix(k, power+"-count-"); ok && !strings.Contains(form, "alt") {
				forms[form] = v.(string)
			}
		}
		items[i] = pluralForms(forms)
	}
	return join(items...)
}

func pluralForms(forms map[string]string) string {
	other := forms["other"]
	items := []string{other}
	for _, form := range slices.Sorted(maps.Keys(forms)) {
		if v := forms[form]; v != other {
			items = append(items, form+"="+v)
		}
	}
	return strings.Join(items, cldr.Sub)
}

// currencies are the symbols that are not the code itself, and separators of
// their own.
func (s *source) currencies(tag string, r *resolved) error {
	doc, err := s.read("cldr-numbers-full", "main", tag, "currencies.json")
	if err != nil {
		return err
	}
	list := map[string]string{}
	all := doc.at("main", tag, "numbers", "currencies")
	for code := range all {
		c := all.at(code)
		symbol, decimal, group := c.str("symbol"), c.str("decimal"), c.str("group")
		if symbol == "" {
			symbol = code
		}
		if symbol != code || decimal != "" {
			list[code] = strings.Join([]string{symbol, decimal, group}, cldr.Sub)
		}
	}
	r.lists[cldr.Currencies] = list
	return nil
}
