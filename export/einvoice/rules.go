package einvoice

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/quire-reports/quire/report"
)

// need finds that something obligatory is missing; there tells whether it is there.
func (c *checker) need(at string, there bool) bool {
	if !there {
		f := fieldAt(at)
		if list := f.Tag("codes"); list != "" {
			c.fault(at, "is missing, and profile %s needs it%s. %s Accepted: %s", c.profile.Name, term(&f), f.Help, accepted(list))
		} else {
			c.fault(at, "is missing, and profile %s needs it%s. %s", c.profile.Name, term(&f), f.Help)
		}
	}
	return there
}

var places = regexp.MustCompile(`\[[0-9]+\]`)

// fieldAt is the field of a place in an invoice.
func fieldAt(at string) report.Field {
	t := reflect.TypeFor[Invoice]()
	var field report.Field
	for name := range strings.SplitSeq(places.ReplaceAllString(at, ""), ".") {
		for _, f := range report.FieldsOf(t) {
			if f.Name == name {
				field = f
			}
		}
		if t = field.Type(); t.Kind() == reflect.Slice {
			t = t.Elem()
		}
	}
	return field
}

// rules finds what the profile does not accept.
func (c *checker) rules() {
	in, depth := c.in, c.profile.depth
	c.need("number", in.Number != "")
	c.need("date", in.Date != "")
	c.need("currency", in.Currency != "")
	c.parties()
	if depth == minimum {
		return
	}
	c.header()
	c.period(in.Period, "period")
	for i := range in.Taxes {
		c.taxRules(&in.Taxes[i], fmt.Sprintf("taxes[%d]", i))
	}
	c.wholeTaxes()
	for i := range in.Allowances {
		c.allowance(&in.Allowances[i], fmt.Sprintf("allowances[%d]", i), "allowance reasons")
	}
	for i := range in.Charges {
		c.allowance(&in.Charges[i], fmt.Sprintf("charges[%d]", i), "charge reasons")
	}
	c.payments()
	if depth >= basic {
		c.need("lines", len(in.Lines) > 0)
	}
	for i := range in.Lines {
		c.lineRules(&in.Lines[i], fmt.Sprintf("lines[%d]", i))
	}
	if c.profile.xrechnung {
		c.xrechnung()
	}
}

func (c *checker) header() {
	in := c.in
	for i := range in.Notes {
		c.need(fmt.Sprintf("notes[%d].text", i), in.Notes[i].Text != "")
	}
	for i := range in.Preceding {
		c.need(fmt.Sprintf("preceding[%d].number", i), in.Preceding[i].Number != "")
	}
	for i := range in.Documents {
		c.need(fmt.Sprintf("documents[%d].id", i), in.Documents[i].ID != "")
	}
	if in.Project != nil {
		c.need("project.id", in.Project.ID != "")
		c.need("project.name", in.Project.Name != "")
	}
	if in.TaxPoint != "" && in.TaxPointCode != "" {
		c.fault("taxPointCode", "and taxPoint are both there; one of them says when tax falls due (BT-7, BT-8)")
	}
	if in.TaxCurrency != "" {
		if in.TaxCurrency == in.Currency {
			c.fault("taxCurrency", "is the currency of the invoice; leave it out, or name the other one (BT-6)")
		}
		c.need("totals.taxAccounted", in.Totals.TaxAccounted != "")
	} else if in.Totals.TaxAccounted != "" {
		c.need("taxCurrency", false)
	}
	if in.Exchange != nil {
		c.need("exchange.rate", in.Exchange.Rate != "")
		c.need("taxCurrency", in.TaxCurrency != "")
	}
	if in.Totals.Rounding != "" && c.profile.depth < full {
		c.fault("totals.rounding", "is nothing that profile %s knows, and the amount due would not be right without it; use en16931 or a longer one (BT-114)", c.profile.Name)
	}
	if in.Delivery != nil && in.Delivery.Address != nil {
		c.need("delivery.address.country", in.Delivery.Address.Country != "")
	}
	if number(in.Totals.Due).Sign() > 0 && in.Due == "" && in.Terms == "" {
		c.fault("due", "is missing, as are terms: what is to be paid has a day or terms (BT-9, BT-20)")
	}
}

// parties judges who sells, buys and acts for them.
func (c *checker) parties() {
	in, depth := c.in, c.profile.depth
	c.need("seller.name", in.Seller.Name != "")
	c.address(in.Seller.Address, "seller.address")
	if s := in.Seller; s.VATID == "" && s.LegalID == "" && (depth == minimum || s.ID == "" && s.GlobalID == "") {
		c.fault("seller", "has nothing by which programs know it: give vatId (BT-31), legalId (BT-30)%s", map[bool]string{true: " or id (BT-29)"}[depth > minimum])
	}
	c.need("buyer.name", in.Buyer.Name != "")
	if depth > minimum {
		c.address(in.Buyer.Address, "buyer.address")
	}
	if in.Buyer.LegalForm != "" || in.Buyer.TaxID != "" {
		c.fault("buyer", "has legalForm or taxId, which only sellers have (BT-32, BT-33)")
	}
	for _, p := range []struct {
		at    string
		party *Party
	}{{"seller", &in.Seller}, {"buyer", &in.Buyer}, {"payee", in.Payee}, {"representative", in.Representative}, {"invoicee", in.Invoicee}, {"payer", in.Payer}} {
		if p.party != nil {
			c.party(p.party, p.at)
		}
	}
	if p := in.Representative; p != nil {
		c.address(p.Address, "representative.address")
		c.need("representative.vatId", p.VATID != "")
	}
}

func (c *checker) address(a *Address, at string) {
	c.need(at+".country", a != nil && a.Country != "")
}

// vatID is a VAT number as to its form: a country, or EL for Greece, and the rest.
var vatID = regexp.MustCompile(`^[A-Z]{2}[0-9A-Z+*]{2,}$`)

func (c *checker) party(p *Party, at string) {
	if at != "seller" && at != "buyer" {
		c.need(at+".name", p.Name != "")
	}
	if id := p.VATID; id != "" && (!vatID.MatchString(id) || !known("countries", id[:2]) && id[:2] != "EL") {
		c.fault(at+".vatId", "%q is no VAT number; accepted: the country in two letters and the number without blanks, such as DE123456789 (BT-31, BT-48, BT-63)", shown(id))
	}
	if p.GlobalID != "" {
		c.need(at+".globalList", p.GlobalList != "")
	}
	if p.Electronic != "" {
		c.need(at+".scheme", p.Scheme != "")
	}
	if p.Address != nil {
		c.need(at+".address.country", p.Address.Country != "" || at == "seller" || at == "buyer" || at == "representative")
	}
}

func (c *checker) period(p *Period, at string) {
	switch {
	case p == nil:
	case p.From == "" && p.To == "":
		c.fault(at, "has neither from nor to (BT-73, BT-74)")
	case p.From != "" && p.To != "" && p.To < p.From:
		c.fault(at+".to", "is %s, before from, which is %s (BT-74)", p.To, p.From)
	}
}

func (c *checker) allowance(a *Allowance, at, list string) {
	c.reason(&a.AmountReason, at, list)
	c.taxed(&a.Taxed, at)
}

func (c *checker) reason(a *AmountReason, at, list string) {
	c.need(at+".amount", a.Amount != "")
	if a.Reason == "" && a.Code == "" {
		c.fault(at+".reason", "is missing, as is code: one of them says why (BT-97, BT-104, BT-139, BT-144)")
	}
	if a.Code != "" && !known(list, a.Code) {
		c.fault(at+".code", "unknown code %q; accepted: %s (BT-98, BT-105, BT-140, BT-145)", shown(a.Code), accepted(list))
	}
}

// taxed judges a category with its rate.
func (c *checker) taxed(t *Taxed, at string) {
	if c.need(at+".taxCategory", t.TaxCategory != "") {
		c.rate(t.TaxCategory, t.TaxRate, at+".taxRate")
	}
}

func (c *checker) rate(category string, rate Decimal, at string) {
	switch {
	case category == "O" && rate != "":
		c.fault(at, "is %s; what is not subject to VAT (category O) has no rate (BT-119, BT-152)", rate)
	case category == "O":
	case rate == "":
		c.need(at, false)
	case category == "S" && number(rate).Sign() <= 0:
		c.fault(at, "is %s; category S has a rate above 0, and Z, E, AE, K or G is without tax (BT-119, BT-152)", rate)
	case (category == "L" || category == "M") && number(rate).Sign() < 0:
		c.fault(at, "is %s; accepted: 0 or more (BT-119, BT-152)", rate)
	case strings.Contains("Z E AE K G", category) && number(rate).Sign() != 0:
		c.fault(at, "is %s; category %s has the rate 0 (BT-119, BT-152)", rate, category)
	}
}

func (c *checker) taxRules(t *Tax, at string) {
	if !c.need(at+".category", t.Category != "") {
		return
	}
	in := c.in
	if len(in.Lines) == 0 { // otherwise the lines have said it
		c.rate(t.Category, t.Rate, at+".rate")
	}
	vat := in.Seller.VATID != "" || in.Representative != nil && in.Representative.VATID != ""
	reasoned := t.Reason != "" || t.ReasonCode != ""
	switch t.Category {
	case "S", "Z", "L", "M":
		if reasoned {
			c.fault(at+".reason", "is there, but category %s has none (BT-120, BT-121)", t.Category)
		}
	default:
		if !reasoned {
			c.fault(at+".reason", "is missing, as is reasonCode: category %s says why there is no tax (BT-120, BT-121)", t.Category)
		}
	}
	switch t.Category {
	case "O":
		if vat || in.Buyer.VATID != "" {
			c.fault(at+".category", "is O, not subject to VAT; then neither seller, representative nor buyer has a vatId (BT-31, BT-48, BT-63)")
		}
	case "K", "G":
		if !vat {
			c.fault("seller.vatId", "is missing; category %s needs it, or that of a representative (BT-31, BT-63)", t.Category)
		}
	default:
		if !vat && in.Seller.TaxID == "" {
			c.fault("seller.vatId", "is missing, as is taxId; category %s needs one of them (BT-31, BT-32)", t.Category)
		}
	}
	if t.Category == "AE" && in.Buyer.VATID == "" && in.Buyer.LegalID == "" {
		c.fault("buyer.vatId", "is missing, as is legalId; reverse charge (category AE) needs one of them (BT-48, BT-47)")
	}
	if t.Category != "K" {
		return
	}
	if in.Buyer.VATID == "" {
		c.fault("buyer.vatId", "is missing; a supply inside the EU (category K) needs it (BT-48)")
	}
	if (in.Delivery == nil || in.Delivery.Date == "") && in.Period == nil {
		c.fault("delivery.date", "is missing, as is period; a supply inside the EU (category K) needs one of them (BT-72, BG-14)")
	}
	if in.Delivery == nil || in.Delivery.Address == nil {
		c.fault("delivery.address.country", "is missing; a supply inside the EU (category K) needs it (BT-80)")
	}
}

// wholeTaxes judges the taxes together.
func (c *checker) wholeTaxes() {
	c.need("taxes", len(c.in.Taxes) > 0)
	for i := range c.in.Taxes {
		if c.in.Taxes[i].Category == "O" && len(c.in.Taxes) > 1 {
			c.fault(fmt.Sprintf("taxes[%d]", i), "is not subject to VAT (category O), beside others; then nothing else is (BG-23)")
		}
	}
}

// card is what may be said of the number of a card.
var card = regexp.MustCompile(`^[0-9*X]{0,15}[0-9]{4,6}$`)

func (c *checker) payments() {
	for i, p := range c.in.Payments {
		at := fmt.Sprintf("payments[%d]", i)
		c.need(at+".means", p.Means != "")
		transfer := p.Means == "30" || p.Means == "58"
		if transfer && p.IBAN == "" && p.AccountNumber == "" {
			c.fault(at+".iban", "is missing, as is accountNumber; a transfer (%s) needs one of them (BT-84)", p.Means)
		}
		if p.IBAN != "" && p.AccountNumber != "" {
			c.fault(at+".accountNumber", "and iban are both there; an account has one of them (BT-84)")
		}
		c.iban(p.IBAN, at+".iban")
		c.iban(p.Debited, at+".debited")
		if p.Card != "" && (!card.MatchString(p.Card) || strings.Count(p.Card, "*")+strings.Count(p.Card, "X") == 0 && len(p.Card) > 6) {
			c.fault(at+".card", "says too much of the card; accepted: its last four to six digits (BT-87)")
		}
	}
}

func (c *checker) iban(iban, at string) {
	if iban != "" && !isIBAN(iban) {
		c.fault(at, "%q is no IBAN: its check digits do not fit (BT-84, BT-91)", shown(iban))
	}
}

// isIBAN tells whether the check digits of an IBAN fit.
func isIBAN(s string) bool {
	s = strings.ReplaceAll(s, " ", "")
	if len(s) < 15 || len(s) > 34 {
		return false
	}
	rest := 0
	for _, r := range s[4:] + s[:4] {
		switch {
		case r >= '0' && r <= '9':
			rest = (rest*10 + int(r-'0')) % 97
		case r >= 'A' && r <= 'Z':
			rest = (rest*100 + int(r-'A') + 10) % 97
		default:
			return false
		}
	}
	return rest == 1
}

func (c *checker) lineRules(l *Line, at string) {
	c.need(at+".name", l.Name != "")
	c.need(at+".quantity", l.Quantity != "")
	c.need(at+".unit", l.Unit != "")
	if c.need(at+".price", l.Price != "") && number(l.Price).Sign() < 0 {
		c.fault(at+".price", "is %s; a price is not below 0, but a quantity may be (BT-146)", l.Price)
	}
	if number(l.GrossPrice).Sign() < 0 {
		c.fault(at+".grossPrice", "is %s; a price is not below 0 (BT-148)", l.GrossPrice)
	}
	c.taxed(&l.Taxed, at)
	c.period(l.Period, at+".period")
	if l.StandardID != "" {
		c.need(at+".standardList", l.StandardList != "")
	}
	if l.Classification != "" {
		c.need(at+".classList", l.ClassList != "")
	}
	for i := range l.Allowances {
		c.reason(&l.Allowances[i], fmt.Sprintf("%s.allowances[%d]", at, i), "allowance reasons")
	}
	for i := range l.Charges {
		c.reason(&l.Charges[i], fmt.Sprintf("%s.charges[%d]", at, i), "charge reasons")
	}
	for i, a := range l.Attributes {
		c.need(fmt.Sprintf("%s.attributes[%d].name", at, i), a.Name != "")
		c.need(fmt.Sprintf("%s.attributes[%d].value", at, i), a.Value != "")
	}
}

// xrechnung is what German authorities ask for besides.
func (c *checker) xrechnung() {
	in := c.in
	c.need("buyerReference", in.BuyerReference != "")
	c.need("payments", len(in.Payments) > 0)
	c.need("seller.electronic", in.Seller.Electronic != "")
	c.need("buyer.electronic", in.Buyer.Electronic != "")
	contact := in.Seller.Contact
	if contact == nil {
		contact = &Contact{}
	}
	c.need("seller.contact.name", contact.Name != "")
	if c.need("seller.contact.phone", contact.Phone != "") && len(regexp.MustCompile(`[0-9]`).FindAllString(contact.Phone, 3)) < 3 {
		c.fault("seller.contact.phone", "%q has fewer than three digits (BT-42)", shown(contact.Phone))
	}
	if c.need("seller.contact.email", contact.Email != "") && !email.MatchString(contact.Email) {
		c.fault("seller.contact.email", "%q is no email address (BT-43)", shown(contact.Email))
	}
	c.town(in.Seller.Address, "seller.address")
	c.town(in.Buyer.Address, "buyer.address")
	if in.Delivery != nil && in.Delivery.Address != nil {
		c.town(in.Delivery.Address, "delivery.address")
	}
	if !strings.Contains(" 326 380 384 389 381 875 876 877 ", " "+in.Type+" ") {
		c.fault("type", "is %s; accepted here: 326, 380, 381, 384, 389, 875, 876, 877 (BT-3)", in.Type)
	}
	if in.Type == "384" {
		c.need("preceding", len(in.Preceding) > 0)
	}
	for i := range in.Taxes {
		if in.Taxes[i].Category == "O" {
			in.Taxes[i].Rate = "0" // BR-DE-14 wants a rate even there
		}
	}
	for i, p := range in.Payments {
		if p.Means == "59" {
			c.need("mandate", in.Mandate != "")
			c.need("creditorId", in.CreditorID != "")
			c.need(fmt.Sprintf("payments[%d].debited", i), p.Debited != "")
		}
	}
}

// email is the least that an address is.
var email = regexp.MustCompile(`^[^@\s.][^@\s]*[^@\s.]@[^@\s.]+(\.[^@\s.]+)+$`)

func (c *checker) town(a *Address, at string) {
	if a != nil {
		c.need(at+".city", a.City != "")
		c.need(at+".postcode", a.Postcode != "")
	}
}
