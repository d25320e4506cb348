package einvoice

// Text of an invoice that is more than text. Numbers stay as they were written.
type (
	// Amount is money, with at most two decimals.
	Amount string
	// Decimal is any number without exponent.
	Decimal string
	// Date is a day: 2026-01-31.
	Date string
)

// Invoice is what the mapping of a report gives. The tag bt is the business term
// of EN 16931, codes the list that a code is of.
type Invoice struct {
	Number       string     `json:"number" bt:"BT-1" help:"Number of the invoice."`
	Type         string     `json:"type,omitempty" bt:"BT-3" codes:"document types" default:"380" help:"Kind of document: 380 an invoice, 381 a credit note, 384 a corrected invoice, 326 a partial invoice, 389 one that the buyer writes."`
	Date         Date       `json:"date" bt:"BT-2" help:"Day of the invoice."`
	Currency     string     `json:"currency" bt:"BT-5" codes:"currencies" help:"Currency of all amounts, such as EUR."`
	TaxCurrency  string     `json:"taxCurrency,omitempty" bt:"BT-6" codes:"currencies" help:"Currency in which tax is accounted for, where that is another; totals.taxAccounted is in it."`
	Due          Date       `json:"due,omitempty" bt:"BT-9" help:"Day until which it is to be paid."`
	Terms        string     `json:"terms,omitempty" bt:"BT-20" help:"Terms of payment, as text."`
	Discounts    []Discount `json:"discounts,omitempty" help:"Discounts for early payment, for programs; from extended on."`
	TaxPoint     Date       `json:"taxPoint,omitempty" bt:"BT-7" help:"Day on which tax falls due, where that is neither the day of the invoice nor of the delivery."`
	TaxPointCode string     `json:"taxPointCode,omitempty" bt:"BT-8" codes:"tax points" help:"The same as a code: 5 day of the invoice, 29 delivery, 72 payment."`
	Process      string     `json:"process,omitempty" bt:"BT-23" help:"Business process."`
	Notes        []Note     `json:"notes,omitempty" help:"Remarks on the invoice."`

	BuyerReference  string      `json:"buyerReference,omitempty" bt:"BT-10" help:"What the buyer has asked to be named; for German authorities the Leitweg-ID."`
	Order           string      `json:"order,omitempty" bt:"BT-13" help:"Number of the buyer's order."`
	SellerOrder     string      `json:"sellerOrder,omitempty" bt:"BT-14" help:"Number of the order at the seller."`
	Contract        string      `json:"contract,omitempty" bt:"BT-12" help:"Number of the contract."`
	Project         *Project    `json:"project,omitempty" help:"Project that the invoice is for."`
	Tender          string      `json:"tender,omitempty" bt:"BT-17" help:"Number of the tender or lot."`
	Object          string      `json:"object,omitempty" bt:"BT-18" help:"What is invoiced, such as the number of a meter."`
	ReceivingAdvice string      `json:"receivingAdvice,omitempty" bt:"BT-15" help:"Number of the receiving advice."`
	DespatchAdvice  string      `json:"despatchAdvice,omitempty" bt:"BT-16" help:"Number of the despatch advice or delivery note."`
	Account         string      `json:"account,omitempty" bt:"BT-19" help:"Account of the buyer where it is entered."`
	Preceding       []Preceding `json:"preceding,omitempty" help:"Invoices that this one corrects or follows."`
	Documents       []Document  `json:"documents,omitempty" help:"Further documents, by their addresses."`

	Seller         Party     `json:"seller" help:"Who sells."`
	Buyer          Party     `json:"buyer" help:"Who buys."`
	Payee          *Party    `json:"payee,omitempty" help:"Who is paid, where that is not the seller."`
	Representative *Party    `json:"representative,omitempty" help:"Who represents the seller in matters of tax."`
	Invoicee       *Party    `json:"invoicee,omitempty" help:"Who gets the invoice, where that is not the buyer; from extended on."`
	Payer          *Party    `json:"payer,omitempty" help:"Who pays, where that is not the buyer; from extended on."`
	Delivery       *Delivery `json:"delivery,omitempty" help:"Where and when it was delivered."`
	Period         *Period   `json:"period,omitempty" help:"Time that the invoice is for."`

	Payments         []Payment `json:"payments,omitempty" help:"How it is paid."`
	PaymentReference string    `json:"paymentReference,omitempty" bt:"BT-83" help:"What the buyer writes on the payment."`
	CreditorID       string    `json:"creditorId,omitempty" bt:"BT-90" help:"Identifier of the creditor of a direct debit."`
	Mandate          string    `json:"mandate,omitempty" bt:"BT-89" help:"Mandate of a direct debit."`
	Exchange         *Exchange `json:"exchange,omitempty" help:"Rate from currency to taxCurrency; from extended on."`

	Lines      []Line      `json:"lines,omitempty" bt:"BG-25" help:"What was sold; minimum and basic-wl do not write it, and need none where taxes say the sums."`
	Allowances []Allowance `json:"allowances,omitempty" bt:"BG-20" help:"What is taken off the whole invoice."`
	Charges    []Allowance `json:"charges,omitempty" bt:"BG-21" help:"What is added to the whole invoice, such as freight."`
	Taxes      []Tax       `json:"taxes,omitempty" bt:"BG-23" help:"Tax by category and rate. Sums are computed from lines, allowances and charges; those given are compared."`
	Totals     Totals      `json:"totals,omitzero" help:"Sums of the invoice. They are computed; those given are compared."`
}

// Note is a remark.
type Note struct {
	Text string `json:"text" bt:"BT-22" help:"The remark."`
	Code string `json:"code,omitempty" bt:"BT-21" codes:"subjects" help:"What it is about, a code such as REG."`
}

// Discount is a discount for who pays early.
type Discount struct {
	Days    Decimal `json:"days,omitempty" help:"Within how many days."`
	Percent Decimal `json:"percent,omitempty" help:"Discount in percent."`
	Base    Amount  `json:"base,omitempty" help:"Amount that it is taken of."`
	Amount  Amount  `json:"amount,omitempty" help:"Discount as an amount."`
}

// Project is what work is for.
type Project struct {
	ID   string `json:"id" bt:"BT-11" help:"Number of the project."`
	Name string `json:"name" help:"Its name."`
}

// Preceding is an earlier invoice.
type Preceding struct {
	Number string `json:"number" bt:"BT-25" help:"Number of the earlier invoice."`
	Date   Date   `json:"date,omitempty" bt:"BT-26" help:"Its day."`
}

// Document is one that belongs to the invoice.
type Document struct {
	ID      string `json:"id" bt:"BT-122" help:"Number or name of the document."`
	Name    string `json:"name,omitempty" bt:"BT-123" help:"What it is."`
	Address string `json:"address,omitempty" bt:"BT-124" help:"Web address of the document."`
}

// Party is a person or company. Its terms are those of the seller; others have
// their own.
type Party struct {
	Name        string   `json:"name" bt:"BT-27" help:"Name, as in the register."`
	TradingName string   `json:"tradingName,omitempty" bt:"BT-28" help:"Name under which it is known."`
	ID          string   `json:"id,omitempty" bt:"BT-29" help:"Number of the party at the other one."`
	GlobalID    string   `json:"globalId,omitempty" bt:"BT-29" help:"Number such as a GLN."`
	GlobalList  string   `json:"globalList,omitempty" codes:"identifiers" help:"List of the global number: 0088 GLN, 0060 DUNS."`
	LegalID     string   `json:"legalId,omitempty" bt:"BT-30" help:"Number in a register of companies."`
	LegalList   string   `json:"legalList,omitempty" codes:"identifiers" help:"List of that number: 0002 SIRENE."`
	LegalForm   string   `json:"legalForm,omitempty" bt:"BT-33" help:"Further legal information; of sellers."`
	VATID       string   `json:"vatId,omitempty" bt:"BT-31" help:"VAT identification number, with the country first: DE123456789."`
	TaxID       string   `json:"taxId,omitempty" bt:"BT-32" help:"Tax number of the seller at the local office."`
	Address     *Address `json:"address,omitempty" help:"Postal address."`
	Contact     *Contact `json:"contact,omitempty" help:"Who answers questions."`
	Electronic  string   `json:"electronic,omitempty" bt:"BT-34" help:"Electronic address to which invoices go."`
	Scheme      string   `json:"scheme,omitempty" codes:"electronic addresses" help:"Kind of the electronic address: EM email, 9930 German VAT number, 0204 Leitweg-ID."`
}

// Address is a postal one.
type Address struct {
	Line1    string `json:"line1,omitempty" bt:"BT-35" help:"Street and number."`
	Line2    string `json:"line2,omitempty" bt:"BT-36" help:"More of it."`
	Line3    string `json:"line3,omitempty" bt:"BT-162" help:"Still more."`
	Postcode string `json:"postcode,omitempty" bt:"BT-38" help:"Postcode."`
	City     string `json:"city,omitempty" bt:"BT-37" help:"Town."`
	Region   string `json:"region,omitempty" bt:"BT-39" help:"Part of the country."`
	Country  string `json:"country" bt:"BT-40" codes:"countries" help:"Country, a code such as DE."`
}

// Contact is a person to ask.
type Contact struct {
	Name  string `json:"name,omitempty" bt:"BT-41" help:"Person or department."`
	Phone string `json:"phone,omitempty" bt:"BT-42" help:"Telephone number."`
	Email string `json:"email,omitempty" bt:"BT-43" help:"Email address."`
}

// Delivery is where and when.
type Delivery struct {
	Date    Date     `json:"date,omitempty" bt:"BT-72" help:"Day of the delivery."`
	Name    string   `json:"name,omitempty" bt:"BT-70" help:"Who received it."`
	ID      string   `json:"id,omitempty" bt:"BT-71" help:"Number of the place."`
	Address *Address `json:"address,omitempty" help:"Address of the place."`
}

// Period is a time.
type Period struct {
	From Date `json:"from,omitempty" bt:"BT-73" help:"First day."`
	To   Date `json:"to,omitempty" bt:"BT-74" help:"Last day."`
}

// Payment is a way to pay.
type Payment struct {
	Means         string `json:"means" bt:"BT-81" codes:"payment means" help:"Code of the way: 58 SEPA transfer, 30 transfer, 59 SEPA direct debit, 48 card, 10 cash."`
	Text          string `json:"text,omitempty" bt:"BT-82" help:"The way in words."`
	IBAN          string `json:"iban,omitempty" bt:"BT-84" help:"Account that is paid to, an IBAN."`
	AccountNumber string `json:"accountNumber,omitempty" bt:"BT-84" help:"Account that is paid to, where it has no IBAN."`
	AccountName   string `json:"accountName,omitempty" bt:"BT-85" help:"Whose account it is."`
	BIC           string `json:"bic,omitempty" bt:"BT-86" help:"Bank of the account."`
	Debited       string `json:"debited,omitempty" bt:"BT-91" help:"Account of the buyer that is debited, an IBAN."`
	Card          string `json:"card,omitempty" bt:"BT-87" help:"Last digits of the card that was charged, at most six."`
	CardHolder    string `json:"cardHolder,omitempty" bt:"BT-88" help:"Whose card it is."`
}

// Exchange is a rate between currencies.
type Exchange struct {
	Rate Decimal `json:"rate" help:"How much of taxCurrency one unit of currency is."`
	Date Date    `json:"date,omitempty" help:"Day of the rate."`
}

// Taxed is by what something is taxed.
type Taxed struct {
	TaxCategory string  `json:"taxCategory" bt:"BT-151" codes:"tax categories" help:"S taxed, Z zero rate, E exempt, AE reverse charge, K supply inside the EU, G export, O not subject to VAT, L IGIC, M IPSI."`
	TaxRate     Decimal `json:"taxRate,omitempty" bt:"BT-152" help:"Rate in percent; 0 for all categories but S, L and M. Category O has none."`
}

// Line is something that was sold.
type Line struct {
	ID             string         `json:"id,omitempty" bt:"BT-126" help:"Number of the line. Default: its place, from 1."`
	Note           string         `json:"note,omitempty" bt:"BT-127" help:"Remark on the line."`
	Name           string         `json:"name" bt:"BT-153" help:"What it is."`
	Description    string         `json:"description,omitempty" bt:"BT-154" help:"More about it."`
	SellerID       string         `json:"sellerId,omitempty" bt:"BT-155" help:"Number of the article at the seller."`
	BuyerID        string         `json:"buyerId,omitempty" bt:"BT-156" help:"Number of the article at the buyer."`
	StandardID     string         `json:"standardId,omitempty" bt:"BT-157" help:"Number of the article, such as a GTIN."`
	StandardList   string         `json:"standardList,omitempty" codes:"identifiers" help:"List of that number: 0160 GTIN."`
	Classification string         `json:"classification,omitempty" bt:"BT-158" help:"Class of the article."`
	ClassList      string         `json:"classList,omitempty" codes:"classifications" help:"List of the class, such as HS or STI."`
	Origin         string         `json:"origin,omitempty" bt:"BT-159" codes:"countries" help:"Country that it comes from."`
	Attributes     []Attribute    `json:"attributes,omitempty" help:"Properties of the article."`
	Quantity       Decimal        `json:"quantity" bt:"BT-129" help:"How much was sold."`
	Unit           string         `json:"unit" bt:"BT-130" codes:"units" help:"Unit of the quantity, a code: C62 pieces, HUR hours, DAY days, KGM kilograms, LTR litres, MTR metres, E49 working days, LS a lump sum."`
	Price          Decimal        `json:"price" bt:"BT-146" help:"Price without tax of a unit, or of baseQuantity units."`
	GrossPrice     Decimal        `json:"grossPrice,omitempty" bt:"BT-148" help:"Price before a discount."`
	PriceDiscount  Decimal        `json:"priceDiscount,omitempty" bt:"BT-147" help:"Discount on the price; grossPrice without it is price."`
	BaseQuantity   Decimal        `json:"baseQuantity,omitempty" bt:"BT-149" help:"How many units the price is of. Default: 1."`
	Net            Amount         `json:"net,omitempty" bt:"BT-131" help:"Sum of the line without tax. It is computed: quantity × price ÷ baseQuantity, less allowances, with charges, in two decimals; one given is compared."`
	Period         *Period        `json:"period,omitempty" help:"Time that the line is for."`
	OrderLine      string         `json:"orderLine,omitempty" bt:"BT-132" help:"Line of the buyer's order."`
	Account        string         `json:"account,omitempty" bt:"BT-133" help:"Account of the buyer where it is entered."`
	Object         string         `json:"object,omitempty" bt:"BT-128" help:"What the line is about, such as the number of a meter."`
	Allowances     []AmountReason `json:"allowances,omitempty" bt:"BG-27" help:"What is taken off the line."`
	Charges        []AmountReason `json:"charges,omitempty" bt:"BG-28" help:"What is added to the line."`
	Taxed
}

// Attribute is a property of an article.
type Attribute struct {
	Name  string `json:"name" bt:"BT-160" help:"Name of the property, such as Colour."`
	Value string `json:"value" bt:"BT-161" help:"Its value."`
}

// AmountReason is an amount that is taken off or added, and why.
type AmountReason struct {
	Amount  Amount  `json:"amount" bt:"BT-92, BT-99, BT-136, BT-141" help:"The amount, without a sign."`
	Percent Decimal `json:"percent,omitempty" bt:"BT-94, BT-101, BT-138, BT-143" help:"Percentage that it is; with base it is compared."`
	Base    Amount  `json:"base,omitempty" bt:"BT-93, BT-100, BT-137, BT-142" help:"Amount that the percentage is of."`
	Reason  string  `json:"reason,omitempty" bt:"BT-97, BT-104, BT-139, BT-144" help:"Why, in words."`
	Code    string  `json:"code,omitempty" bt:"BT-98, BT-105, BT-140, BT-145" help:"Why, as a code: of allowances 95 discount, 64 special agreement; of charges FC freight, ABL packing."`
}

// Allowance is an amount of the whole invoice, which is taxed, too.
type Allowance struct {
	AmountReason
	Taxed
}

// Tax is the tax of a category and rate.
type Tax struct {
	Category   string  `json:"category" bt:"BT-118" codes:"tax categories" help:"As of lines."`
	Rate       Decimal `json:"rate,omitempty" bt:"BT-119" help:"As of lines."`
	Base       Amount  `json:"base,omitempty" bt:"BT-116" help:"What is taxed."`
	Amount     Amount  `json:"amount,omitempty" bt:"BT-117" help:"The tax: base × rate, in two decimals."`
	Reason     string  `json:"reason,omitempty" bt:"BT-120" help:"Why there is none, in words; of categories E, AE, K, G and O."`
	ReasonCode string  `json:"reasonCode,omitempty" bt:"BT-121" codes:"exemptions" help:"Why there is none, a code such as VATEX-EU-132. Default for AE, K, G and O: the one that says just that."`
}

// Totals are the sums of an invoice.
type Totals struct {
	Lines        Amount `json:"lines,omitempty" bt:"BT-106" help:"Sum of the lines."`
	Allowances   Amount `json:"allowances,omitempty" bt:"BT-107" help:"Sum of allowances on the invoice."`
	Charges      Amount `json:"charges,omitempty" bt:"BT-108" help:"Sum of charges on the invoice."`
	Net          Amount `json:"net,omitempty" bt:"BT-109" help:"Sum without tax."`
	Tax          Amount `json:"tax,omitempty" bt:"BT-110" help:"Sum of taxes."`
	TaxAccounted Amount `json:"taxAccounted,omitempty" bt:"BT-111" help:"Sum of taxes in taxCurrency. It is not computed."`
	Gross        Amount `json:"gross,omitempty" bt:"BT-112" help:"Sum with tax."`
	Paid         Amount `json:"paid,omitempty" bt:"BT-113" help:"What was paid before. It is not computed."`
	Rounding     Amount `json:"rounding,omitempty" bt:"BT-114" help:"What the amount due is rounded by. It is not computed."`
	Due          Amount `json:"due,omitempty" bt:"BT-115" help:"What is to be paid: gross, less paid, with rounding."`
}
