package einvoice

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"strings"
)

// node is an element of the XML. Without text and without children that are written
// it is not there.
type node struct {
	name  string
	text  string
	attrs []string // names and values in turn
	nodes []node
	depth depth // from which profile on it is written
	keep  bool  // written even when it is empty
}

// text is an element that holds a text, from a profile on.
func text(from depth, name, text string, attrs ...string) node {
	return node{name: name, text: text, depth: from, attrs: attrs}
}

// group is an element that holds others.
func group(from depth, name string, nodes ...node) node {
	return node{name: name, nodes: nodes, depth: from}
}

// list writes several of a kind, one behind the other.
func list[T any](items []T, one func(i int, item *T) node) node {
	var n node
	for i := range items {
		n.nodes = append(n.nodes, one(i, &items[i]))
	}
	return n
}

// write writes a node without a name as its children.
func (n *node) write(b *bytes.Buffer, to depth) {
	if n.depth > to || !n.keep && n.empty(to) {
		return
	}
	if n.name == "" {
		for i := range n.nodes {
			n.nodes[i].write(b, to)
		}
		return
	}
	b.WriteString("<" + n.name)
	for i := 0; i+1 < len(n.attrs); i += 2 {
		if n.attrs[i+1] != "" {
			b.WriteString(" " + n.attrs[i] + `="`)
			_ = xml.EscapeText(b, []byte(n.attrs[i+1])) // a buffer takes everything
			b.WriteString(`"`)
		}
	}
	b.WriteString(">")
	_ = xml.EscapeText(b, []byte(n.text))
	for i := range n.nodes {
		n.nodes[i].write(b, to)
	}
	b.WriteString("</" + n.name + ">")
}

func (n *node) empty(to depth) bool {
	if n.text != "" {
		return false
	}
	for i := range n.nodes {
		if inner := &n.nodes[i]; inner.depth <= to && (inner.keep || !inner.empty(to)) {
			return false
		}
	}
	return true
}

// document is the invoice as UN/CEFACT's Cross Industry Invoice. The order of
// elements is that of its schema; the depth of each is that of the profiles.
func (c *checker) document() []byte {
	in, p := c.in, c.profile
	process := in.Process
	if p.xrechnung {
		process = cmp.Or(process, "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0")
	}
	root := group(minimum, "rsm:CrossIndustryInvoice",
		group(minimum, "rsm:ExchangedDocumentContext",
			group(minimum, "ram:BusinessProcessSpecifiedDocumentContextParameter", text(minimum, "ram:ID", process)),
			group(minimum, "ram:GuidelineSpecifiedDocumentContextParameter", text(minimum, "ram:ID", p.guideline))),
		group(minimum, "rsm:ExchangedDocument",
			text(minimum, "ram:ID", in.Number),
			text(minimum, "ram:TypeCode", in.Type),
			day(minimum, "ram:IssueDateTime", in.Date),
			list(in.Notes, func(_ int, n *Note) node {
				return group(basicWL, "ram:IncludedNote", text(basicWL, "ram:Content", n.Text), text(basicWL, "ram:SubjectCode", n.Code))
			})),
		group(minimum, "rsm:SupplyChainTradeTransaction",
			list(in.Lines, func(_ int, l *Line) node { return lineNode(l) }),
			agreement(in), delivery(in), settlement(in)))
	root.attrs = []string{
		"xmlns:rsm", "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
		"xmlns:ram", "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
		"xmlns:udt", "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100",
		"xmlns:qdt", "urn:un:unece:uncefact:data:standard:QualifiedDataType:100",
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	root.write(&b, p.depth)
	b.WriteString("\n")
	return b.Bytes()
}

// day is a date as the schema has it: 20260131.
func day(from depth, name string, d Date) node { return dayOf(from, name, "udt:DateTimeString", d) }

func dayOf(from depth, name, inner string, d Date) node {
	return group(from, name, text(from, inner, strings.ReplaceAll(string(d), "-", ""), "format", "102"))
}

func reference(from depth, name, id string) node {
	return group(from, name, text(from, "ram:IssuerAssignedID", id))
}

// typed is a reference whose kind is a code.
func typed(name, id, code string) node {
	if id == "" {
		return node{}
	}
	return group(full, name, text(full, "ram:IssuerAssignedID", id), text(full, "ram:TypeCode", code))
}

func agreement(in *Invoice) node {
	project := Project{}
	if in.Project != nil {
		project = *in.Project
	}
	return group(minimum, "ram:ApplicableHeaderTradeAgreement",
		text(minimum, "ram:BuyerReference", in.BuyerReference),
		party("ram:SellerTradeParty", &in.Seller, reach{minimum, minimum, minimum, basicWL}),
		party("ram:BuyerTradeParty", &in.Buyer, reach{minimum, minimum, basicWL, basicWL}),
		party("ram:SellerTaxRepresentativeTradeParty", in.Representative, reach{basicWL, extended, basicWL, extended}),
		reference(full, "ram:SellerOrderReferencedDocument", in.SellerOrder),
		reference(minimum, "ram:BuyerOrderReferencedDocument", in.Order),
		reference(basicWL, "ram:ContractReferencedDocument", in.Contract),
		list(in.Documents, func(_ int, d *Document) node {
			return group(full, "ram:AdditionalReferencedDocument", text(full, "ram:IssuerAssignedID", d.ID), text(full, "ram:URIID", d.Address),
				text(full, "ram:TypeCode", "916"), text(full, "ram:Name", d.Name))
		}),
		typed("ram:AdditionalReferencedDocument", in.Tender, "50"),
		typed("ram:AdditionalReferencedDocument", in.Object, "130"),
		group(full, "ram:SpecifiedProcuringProject", text(full, "ram:ID", project.ID), text(full, "ram:Name", project.Name)))
}

// reach is from which profiles on the parts of a party are written: its name, its
// identifiers, address and tax number, and how to reach it.
type reach struct{ name, ids, place, talk depth }

// party is a person or company.
func party(name string, p *Party, r reach) node {
	if p == nil {
		return node{}
	}
	var contact Contact
	if p.Contact != nil {
		contact = *p.Contact
	}
	return group(r.name, name,
		text(max(r.ids, basicWL), "ram:ID", p.ID),
		text(max(r.ids, basicWL), "ram:GlobalID", p.GlobalID, "schemeID", p.GlobalList),
		text(r.name, "ram:Name", p.Name),
		text(full, "ram:Description", p.LegalForm),
		group(r.ids, "ram:SpecifiedLegalOrganization",
			text(r.ids, "ram:ID", p.LegalID, "schemeID", p.LegalList),
			text(r.talk, "ram:TradingBusinessName", p.TradingName)),
		group(max(r.talk, full), "ram:DefinedTradeContact",
			text(full, "ram:PersonName", contact.Name),
			group(full, "ram:TelephoneUniversalCommunication", text(full, "ram:CompleteNumber", contact.Phone)),
			group(full, "ram:EmailURIUniversalCommunication", text(full, "ram:URIID", contact.Email))),
		address(p.Address, r.place),
		group(r.talk, "ram:URIUniversalCommunication", text(r.talk, "ram:URIID", p.Electronic, "schemeID", p.Scheme)),
		group(r.place, "ram:SpecifiedTaxRegistration", text(r.place, "ram:ID", p.VATID, "schemeID", "VA")),
		group(max(r.place, basicWL), "ram:SpecifiedTaxRegistration", text(basicWL, "ram:ID", p.TaxID, "schemeID", "FC")))
}

func address(a *Address, from depth) node {
	if a == nil {
		return node{}
	}
	return group(from, "ram:PostalTradeAddress",
		text(basicWL, "ram:PostcodeCode", a.Postcode),
		text(basicWL, "ram:LineOne", a.Line1),
		text(basicWL, "ram:LineTwo", a.Line2),
		text(basicWL, "ram:LineThree", a.Line3),
		text(basicWL, "ram:CityName", a.City),
		text(from, "ram:CountryID", a.Country),
		text(basicWL, "ram:CountrySubDivisionName", a.Region))
}

func delivery(in *Invoice) node {
	d := Delivery{}
	if in.Delivery != nil {
		d = *in.Delivery
	}
	n := group(minimum, "ram:ApplicableHeaderTradeDelivery",
		group(basicWL, "ram:ShipToTradeParty", text(basicWL, "ram:ID", d.ID), text(basicWL, "ram:Name", d.Name), address(d.Address, basicWL)),
		group(basicWL, "ram:ActualDeliverySupplyChainEvent", day(basicWL, "ram:OccurrenceDateTime", d.Date)),
		reference(basicWL, "ram:DespatchAdviceReferencedDocument", in.DespatchAdvice),
		reference(full, "ram:ReceivingAdviceReferencedDocument", in.ReceivingAdvice))
	n.keep = true
	return n
}

func settlement(in *Invoice) node {
	return group(minimum, "ram:ApplicableHeaderTradeSettlement",
		text(basicWL, "ram:CreditorReferenceID", in.CreditorID),
		text(basicWL, "ram:PaymentReference", in.PaymentReference),
		text(basicWL, "ram:TaxCurrencyCode", in.TaxCurrency),
		text(minimum, "ram:InvoiceCurrencyCode", in.Currency),
		party("ram:InvoiceeTradeParty", in.Invoicee, reach{extended, extended, extended, extended}),
		party("ram:PayeeTradeParty", in.Payee, reach{basicWL, basicWL, extended, extended}),
		party("ram:PayerTradeParty", in.Payer, reach{extended, extended, extended, extended}),
		exchange(in),
		list(in.Payments, func(_ int, p *Payment) node { return payment(p) }),
		list(in.Taxes, func(i int, t *Tax) node { return taxNode(in, t, i == 0) }),
		period(in.Period, basicWL),
		list(in.Allowances, func(_ int, a *Allowance) node {
			return allowance(basicWL, &a.AmountReason, "false", &a.Taxed)
		}),
		list(in.Charges, func(_ int, a *Allowance) node {
			return allowance(basicWL, &a.AmountReason, "true", &a.Taxed)
		}),
		terms(in),
		summation(in),
		list(in.Preceding, func(_ int, p *Preceding) node {
			return group(basicWL, "ram:InvoiceReferencedDocument", text(basicWL, "ram:IssuerAssignedID", p.Number),
				dayOf(basicWL, "ram:FormattedIssueDateTime", "qdt:DateTimeString", p.Date))
		}),
		group(basicWL, "ram:ReceivableSpecifiedTradeAccountingAccount", text(basicWL, "ram:ID", in.Account)))
}

func exchange(in *Invoice) node {
	if in.Exchange == nil {
		return node{}
	}
	return group(extended, "ram:TaxApplicableTradeCurrencyExchange",
		text(extended, "ram:SourceCurrencyCode", in.Currency),
		text(extended, "ram:TargetCurrencyCode", in.TaxCurrency),
		text(extended, "ram:ConversionRate", plain(number(in.Exchange.Rate))),
		day(extended, "ram:ConversionRateDateTime", in.Exchange.Date))
}

func payment(p *Payment) node {
	return group(basicWL, "ram:SpecifiedTradeSettlementPaymentMeans",
		text(basicWL, "ram:TypeCode", p.Means),
		text(full, "ram:Information", p.Text),
		group(full, "ram:ApplicableTradeSettlementFinancialCard", text(full, "ram:ID", p.Card), text(full, "ram:CardholderName", p.CardHolder)),
		group(basicWL, "ram:PayerPartyDebtorFinancialAccount", text(basicWL, "ram:IBANID", solid(p.Debited))),
		group(basicWL, "ram:PayeePartyCreditorFinancialAccount",
			text(basicWL, "ram:IBANID", solid(p.IBAN)),
			text(full, "ram:AccountName", p.AccountName),
			text(basicWL, "ram:ProprietaryID", p.AccountNumber)),
		group(full, "ram:PayeeSpecifiedCreditorFinancialInstitution", text(full, "ram:BICID", solid(p.BIC))))
}

// solid is an identifier without the blanks that people read it by.
func solid(s string) string { return strings.ReplaceAll(s, " ", "") }

// percent writes a rate. What is not subject to VAT has none.
func percent(d Decimal) string {
	if d == "" {
		return ""
	}
	return plain(number(d))
}

func taxNode(in *Invoice, t *Tax, first bool) node {
	point, code := Date(""), ""
	if first { // of the whole invoice, and to be said once
		point, code = in.TaxPoint, in.TaxPointCode
	}
	return group(basicWL, "ram:ApplicableTradeTax",
		text(basicWL, "ram:CalculatedAmount", string(t.Amount)),
		text(basicWL, "ram:TypeCode", "VAT"),
		text(basicWL, "ram:ExemptionReason", t.Reason),
		text(basicWL, "ram:BasisAmount", string(t.Base)),
		text(basicWL, "ram:CategoryCode", t.Category),
		text(basicWL, "ram:ExemptionReasonCode", t.ReasonCode),
		dayOf(full, "ram:TaxPointDate", "udt:DateString", point),
		text(basicWL, "ram:DueDateTypeCode", code),
		text(basicWL, "ram:RateApplicablePercent", percent(t.Rate)))
}

func period(p *Period, from depth) node {
	if p == nil {
		return node{}
	}
	return group(from, "ram:BillingSpecifiedPeriod", day(from, "ram:StartDateTime", p.From), day(from, "ram:EndDateTime", p.To))
}

func allowance(from depth, a *AmountReason, charge string, taxed *Taxed) node {
	base, tax := "", node{}
	if a.Base != "" {
		base = money(number(a.Base))
	}
	if taxed != nil {
		tax = group(from, "ram:CategoryTradeTax", text(from, "ram:TypeCode", "VAT"), text(from, "ram:CategoryCode", taxed.TaxCategory), text(from, "ram:RateApplicablePercent", percent(taxed.TaxRate)))
	}
	return group(from, "ram:SpecifiedTradeAllowanceCharge",
		group(from, "ram:ChargeIndicator", text(from, "udt:Indicator", charge)),
		text(from, "ram:CalculationPercent", percent(a.Percent)),
		text(from, "ram:BasisAmount", base),
		text(from, "ram:ActualAmount", money(number(a.Amount))),
		text(from, "ram:ReasonCode", a.Code),
		text(from, "ram:Reason", a.Reason), tax)
}

func terms(in *Invoice) node {
	first := group(basicWL, "ram:SpecifiedTradePaymentTerms",
		text(basicWL, "ram:Description", in.Terms),
		day(basicWL, "ram:DueDateDateTime", in.Due),
		text(basicWL, "ram:DirectDebitMandateID", in.Mandate))
	discounts := list(in.Discounts, func(_ int, d *Discount) node {
		optional := func(a Amount) string {
			if a == "" {
				return ""
			}
			return money(number(a))
		}
		return group(extended, "ram:SpecifiedTradePaymentTerms",
			group(extended, "ram:ApplicableTradePaymentDiscountTerms",
				day(extended, "ram:BasisDateTime", in.Date),
				text(extended, "ram:BasisPeriodMeasure", percent(d.Days), "unitCode", "DAY"),
				text(extended, "ram:BasisAmount", optional(d.Base)),
				text(extended, "ram:CalculationPercent", percent(d.Percent)),
				text(extended, "ram:ActualDiscountAmount", optional(d.Amount))))
	})
	return node{nodes: []node{first, discounts}}
}

func summation(in *Invoice) node {
	t := &in.Totals
	return group(minimum, "ram:SpecifiedTradeSettlementHeaderMonetarySummation",
		text(basicWL, "ram:LineTotalAmount", string(t.Lines)),
		text(basicWL, "ram:ChargeTotalAmount", string(t.Charges)),
		text(basicWL, "ram:AllowanceTotalAmount", string(t.Allowances)),
		text(minimum, "ram:TaxBasisTotalAmount", string(t.Net)),
		text(minimum, "ram:TaxTotalAmount", string(t.Tax), "currencyID", in.Currency),
		text(basicWL, "ram:TaxTotalAmount", string(t.TaxAccounted), "currencyID", in.TaxCurrency),
		text(full, "ram:RoundingAmount", string(t.Rounding)),
		text(minimum, "ram:GrandTotalAmount", string(t.Gross)),
		text(basicWL, "ram:TotalPrepaidAmount", string(t.Paid)),
		text(minimum, "ram:DuePayableAmount", string(t.Due)))
}

func lineNode(l *Line) node {
	quantity := l.BaseQuantity
	basis := func(from depth) node {
		return text(from, "ram:BasisQuantity", percent(quantity), "unitCode", l.Unit)
	}
	return group(basic, "ram:IncludedSupplyChainTradeLineItem",
		group(basic, "ram:AssociatedDocumentLineDocument",
			text(basic, "ram:LineID", l.ID),
			group(basic, "ram:IncludedNote", text(basic, "ram:Content", l.Note))),
		product(l),
		group(basic, "ram:SpecifiedLineTradeAgreement",
			group(full, "ram:BuyerOrderReferencedDocument", text(full, "ram:LineID", l.OrderLine)),
			grossPrice(l, basis),
			group(basic, "ram:NetPriceProductTradePrice", text(basic, "ram:ChargeAmount", plain(number(l.Price))), basis(basic))),
		group(basic, "ram:SpecifiedLineTradeDelivery", text(basic, "ram:BilledQuantity", plain(number(l.Quantity)), "unitCode", l.Unit)),
		group(basic, "ram:SpecifiedLineTradeSettlement",
			group(basic, "ram:ApplicableTradeTax", text(basic, "ram:TypeCode", "VAT"), text(basic, "ram:CategoryCode", l.TaxCategory), text(basic, "ram:RateApplicablePercent", percent(l.TaxRate))),
			period(l.Period, basic),
			list(l.Allowances, func(_ int, a *AmountReason) node { return allowance(basic, a, "false", nil) }),
			list(l.Charges, func(_ int, a *AmountReason) node { return allowance(basic, a, "true", nil) }),
			group(basic, "ram:SpecifiedTradeSettlementLineMonetarySummation", text(basic, "ram:LineTotalAmount", string(l.Net))),
			typed("ram:AdditionalReferencedDocument", l.Object, "130"),
			group(full, "ram:ReceivableSpecifiedTradeAccountingAccount", text(full, "ram:ID", l.Account))))
}

func grossPrice(l *Line, basis func(from depth) node) node {
	if l.GrossPrice == "" {
		return node{}
	}
	discount := node{}
	if l.PriceDiscount != "" {
		discount = group(basic, "ram:AppliedTradeAllowanceCharge",
			group(basic, "ram:ChargeIndicator", text(basic, "udt:Indicator", "false")),
			text(basic, "ram:ActualAmount", plain(number(l.PriceDiscount))))
	}
	return group(basic, "ram:GrossPriceProductTradePrice", text(basic, "ram:ChargeAmount", plain(number(l.GrossPrice))), basis(basic), discount)
}

func product(l *Line) node {
	return group(basic, "ram:SpecifiedTradeProduct",
		text(basic, "ram:GlobalID", l.StandardID, "schemeID", l.StandardList),
		text(full, "ram:SellerAssignedID", l.SellerID),
		text(full, "ram:BuyerAssignedID", l.BuyerID),
		text(basic, "ram:Name", l.Name),
		text(full, "ram:Description", l.Description),
		list(l.Attributes, func(_ int, a *Attribute) node {
			return group(full, "ram:ApplicableProductCharacteristic", text(full, "ram:Description", a.Name), text(full, "ram:Value", a.Value))
		}),
		group(full, "ram:DesignatedProductClassification", text(full, "ram:ClassCode", l.Classification, "listID", l.ClassList)),
		group(full, "ram:OriginTradeCountry", text(full, "ram:ID", l.Origin)))
}
