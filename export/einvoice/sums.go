package einvoice

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/quire-reports/quire/report"
)

// checker computes and judges one invoice; what it computes it enters.
type checker struct {
	in       *Invoice
	profile  Profile
	path     string
	problems report.Problems
}

func (c *checker) fault(at, format string, args ...any) {
	c.problems = append(c.problems, report.Problemf(report.JoinPath(c.path, at), format, args...))
}

// settle enters a computed amount, and compares one that was given.
func (c *checker) settle(at, term string, given *Amount, computed *big.Rat, how string) {
	if *given != "" && number(*given).Cmp(computed) != 0 {
		c.fault(at, "is %s, but %s is %s (%s)", *given, how, money(computed), term)
	}
	*given = Amount(money(computed))
}

// sums computes lines, taxes and totals.
func (c *checker) sums() {
	for i := range c.in.Lines {
		c.line(&c.in.Lines[i], fmt.Sprintf("lines[%d]", i), i)
	}
	t := &c.in.Totals
	allowances := c.reduced("allowances", c.in.Allowances)
	charges := c.reduced("charges", c.in.Charges)
	if len(c.in.Lines) == 0 && len(c.in.Taxes) == 0 && c.profile.depth == minimum {
		c.shortest(t)
		return
	}
	c.taxes()
	net, tax, lines := new(big.Rat), new(big.Rat), new(big.Rat)
	for i := range c.in.Taxes {
		net.Add(net, number(c.in.Taxes[i].Base))
		tax.Add(tax, number(c.in.Taxes[i].Amount))
	}
	for i := range c.in.Lines {
		lines.Add(lines, number(c.in.Lines[i].Net))
	}
	if len(c.in.Lines) == 0 {
		lines.Sub(lines.Add(net, allowances), charges)
	}
	net = new(big.Rat).Sub(new(big.Rat).Add(lines, charges), allowances)
	c.settle("totals.lines", "BT-106", &t.Lines, lines, "the sum of the lines")
	if len(c.in.Allowances) > 0 || t.Allowances != "" {
		c.settle("totals.allowances", "BT-107", &t.Allowances, allowances, "the sum of the allowances")
	}
	if len(c.in.Charges) > 0 || t.Charges != "" {
		c.settle("totals.charges", "BT-108", &t.Charges, charges, "the sum of the charges")
	}
	c.settle("totals.net", "BT-109", &t.Net, net, "lines less allowances with charges")
	c.settle("totals.tax", "BT-110", &t.Tax, tax, "the sum of the taxes")
	c.settle("totals.gross", "BT-112", &t.Gross, new(big.Rat).Add(net, tax), "net and tax together")
	c.due(t)
}

// shortest takes the totals as they are given: nothing says what they are made of.
func (c *checker) shortest(t *Totals) {
	c.need("totals.net", t.Net != "")
	c.need("totals.tax", t.Tax != "")
	c.need("totals.gross", t.Gross != "")
	if t.Net == "" || t.Tax == "" || t.Gross == "" {
		return
	}
	c.settle("totals.gross", "BT-112", &t.Gross, new(big.Rat).Add(number(t.Net), number(t.Tax)), "net and tax together")
	t.Net, t.Tax = Amount(money(number(t.Net))), Amount(money(number(t.Tax)))
	c.due(t)
}

func (c *checker) due(t *Totals) {
	due := new(big.Rat).Sub(number(t.Gross), number(t.Paid))
	c.settle("totals.due", "BT-115", &t.Due, due.Add(due, number(t.Rounding)), "gross less paid with rounding")
	for _, a := range []*Amount{&t.Paid, &t.Rounding, &t.TaxAccounted} {
		if *a != "" {
			*a = Amount(money(number(*a)))
		}
	}
}

// line computes what a line comes to.
func (c *checker) line(l *Line, at string, index int) {
	l.ID = cmp.Or(l.ID, fmt.Sprint(index+1))
	if l.GrossPrice != "" || l.PriceDiscount != "" {
		if net := new(big.Rat).Sub(number(l.GrossPrice), number(l.PriceDiscount)); number(l.Price).Cmp(net) != 0 {
			c.fault(at+".price", "is %s, but grossPrice less priceDiscount is %s (BT-146)", l.Price, plain(net))
		}
	}
	net := new(big.Rat).Mul(number(l.Quantity), number(l.Price))
	if l.BaseQuantity != "" {
		if number(l.BaseQuantity).Sign() <= 0 {
			c.fault(at+".baseQuantity", "is %s; accepted: more than 0 (BT-149)", l.BaseQuantity)
			return
		}
		net.Quo(net, number(l.BaseQuantity))
	}
	net = rounded(net)
	for i := range l.Allowances {
		net.Sub(net, c.part(&l.Allowances[i], fmt.Sprintf("%s.allowances[%d]", at, i)))
	}
	for i := range l.Charges {
		net.Add(net, c.part(&l.Charges[i], fmt.Sprintf("%s.charges[%d]", at, i)))
	}
	c.settle(at+".net", "BT-131", &l.Net, net, "quantity × price ÷ baseQuantity, less allowances, with charges,")
}

// part is what is taken off or added; as a percentage it must be just that.
func (c *checker) part(a *AmountReason, at string) *big.Rat {
	amount := number(a.Amount)
	if amount.Sign() < 0 {
		c.fault(at+".amount", "is %s; accepted: amounts without a sign, as allowances are taken off and charges are added", a.Amount)
	}
	if a.Percent != "" && a.Base != "" {
		c.settle(at+".amount", "BT-92, BT-99, BT-136, BT-141", &a.Amount, rounded(share(a.Base, a.Percent)), "percent of base")
	}
	return amount
}

// share is a percentage of an amount.
func share(of Amount, percent Decimal) *big.Rat {
	r := new(big.Rat).Mul(number(of), number(percent))
	return r.Quo(r, big.NewRat(100, 1))
}

// reduced is the sum of allowances or charges of the invoice.
func (c *checker) reduced(name string, list []Allowance) *big.Rat {
	sum := new(big.Rat)
	for i := range list {
		sum.Add(sum, c.part(&list[i].AmountReason, fmt.Sprintf("%s[%d]", name, i)))
	}
	return sum
}

// taxes computes the taxes of the categories and rates that there are. Where there
// are no lines, it takes what is taxed from the taxes.
func (c *checker) taxes() {
	bases := map[string]*big.Rat{}
	var order []Tax
	add := func(t Taxed, amount *big.Rat) {
		tax := Tax{Category: t.TaxCategory, Rate: t.TaxRate}
		if bases[tax.key()] == nil {
			bases[tax.key()] = new(big.Rat)
			order = append(order, tax)
		}
		bases[tax.key()].Add(bases[tax.key()], amount)
	}
	for i := range c.in.Lines {
		add(c.in.Lines[i].Taxed, number(c.in.Lines[i].Net))
	}
	if len(c.in.Lines) > 0 {
		for i := range c.in.Allowances {
			add(c.in.Allowances[i].Taxed, new(big.Rat).Neg(number(c.in.Allowances[i].Amount)))
		}
		for i := range c.in.Charges {
			add(c.in.Charges[i].Taxed, number(c.in.Charges[i].Amount))
		}
	}
	for i := range c.in.Taxes {
		t, at := &c.in.Taxes[i], fmt.Sprintf("taxes[%d]", i)
		base := bases[t.key()]
		switch {
		case slices.ContainsFunc(c.in.Taxes[:i], func(o Tax) bool { return o.key() == t.key() }):
			c.fault(at, "is the second of category %s and rate %s; each stands once (BG-23)", t.Category, cmp.Or(t.Rate, "0"))
		case len(c.in.Lines) == 0:
			if c.need(at+".base", t.Base != "") {
				base = number(t.Base)
			}
		case base == nil:
			c.fault(at, "is of category %s and rate %s, which no line, allowance or charge has (BG-23)", t.Category, cmp.Or(t.Rate, "0"))
		}
		if base != nil {
			c.tax(t, at, base)
		}
	}
	for i := range order {
		if t := &order[i]; !slices.ContainsFunc(c.in.Taxes, func(o Tax) bool { return o.key() == t.key() }) {
			c.tax(t, fmt.Sprintf("taxes[%d]", len(c.in.Taxes)), bases[t.key()])
			c.in.Taxes = append(c.in.Taxes, *t)
		}
	}
}

// tax computes the tax of one category and rate.
func (c *checker) tax(t *Tax, at string, base *big.Rat) {
	c.settle(at+".base", "BT-116", &t.Base, base, fmt.Sprintf("what lines, allowances and charges have of category %s and rate %s", t.Category, cmp.Or(t.Rate, "0")))
	c.settle(at+".amount", "BT-117", &t.Amount, rounded(share(t.Base, t.Rate)), "rate percent of base")
	if t.Reason == "" && t.ReasonCode == "" {
		t.ReasonCode = map[string]string{"AE": "VATEX-EU-AE", "K": "VATEX-EU-IC", "G": "VATEX-EU-G", "O": "VATEX-EU-O"}[t.Category]
	}
}

// key is the same for rates that are: 20 and 20.0.
func (t *Tax) key() string { return t.Category + " " + number(t.Rate).RatString() }
