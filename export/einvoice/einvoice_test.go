package einvoice

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// samples are kinds of invoices that all profiles take; a judge reads them in
// cmd/quire.
func samples(t *testing.T) *report.Object {
	t.Helper()
	content, err := os.ReadFile("testdata/invoices.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := report.ParseValue(content)
	if err != nil {
		t.Fatal(err)
	}
	return v.(*report.Object)
}

// changed is a sample with other members, which are named by paths; null takes one
// away.
func changed(t *testing.T, name string, changes map[string]string) *report.Object {
	t.Helper()
	found, _ := samples(t).Get(name)
	for path, value := range changes {
		at := found
		steps := strings.Split(path, ".")
		for _, step := range steps[:len(steps)-1] {
			if list, ok := at.([]any); ok {
				at = list[step[0]-'0']
			} else {
				at, _ = at.(*report.Object).Get(step)
			}
		}
		v, err := report.ParseValue([]byte(value))
		if err != nil {
			t.Fatal(path, err)
		}
		at.(*report.Object).Set(steps[len(steps)-1], v)
	}
	return found.(*report.Object)
}

func profile(t *testing.T, name string) Profile {
	t.Helper()
	p, err := ProfileOf(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSumsAreComputedExactly(t *testing.T) {
	content, err := XML(changed(t, "two rates", nil), profile(t, "en16931"), "$data.invoice")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<ram:ChargeAmount>33.333</ram:ChargeAmount>", "<ram:LineTotalAmount>100.00</ram:LineTotalAmount>",
		"<ram:CalculatedAmount>20.00</ram:CalculatedAmount>", "<ram:CalculatedAmount>2.01</ram:CalculatedAmount>",
		"<ram:TaxBasisTotalAmount>120.10</ram:TaxBasisTotalAmount>", `<ram:TaxTotalAmount currencyID="EUR">22.01</ram:TaxTotalAmount>`,
		"<ram:DuePayableAmount>142.11</ram:DuePayableAmount>", "<ram:IBANID>AT611904300234573201</ram:IBANID>",
	} {
		if !strings.Contains(string(content), want) {
			t.Errorf("there is no %s in %s", want, content)
		}
	}
}

// Halves go away from zero, as in commerce, and no number passes through floating
// point: 1.005 × 100 is 100.50, and 0.145 is 0.15.
func TestRounding(t *testing.T) {
	for price, want := range map[string]string{"0.145": "0.15", "1.005": "1.01", "2.675": "2.68", "0.1449999999": "0.14", `"999999999999.995"`: "1000000000000.00"} {
		o := changed(t, "two rates", map[string]string{"lines": `[{"name": "A", "quantity": 1, "unit": "C62", "price": ` + price + `, "taxCategory": "S", "taxRate": 20}]`})
		content, err := XML(o, profile(t, "basic"), "")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(content), "<ram:LineTotalAmount>"+want+"</ram:LineTotalAmount>") {
			t.Errorf("a price of %s is not %s in %s", price, want, content)
		}
	}
}

// Every sample is written in every profile, as XML that can be read.
func TestSamplesInEveryProfile(t *testing.T) {
	for name, sample := range samples(t).All() {
		for _, p := range Profiles() {
			content, err := XML(sample, profile(t, p.Name), "$data.invoice")
			if err != nil {
				t.Errorf("%s, %s: %v", name, p.Name, err)
				continue
			}
			d := xml.NewDecoder(strings.NewReader(string(content)))
			for err == nil {
				_, err = d.Token()
			}
			if !errors.Is(err, io.EOF) {
				t.Errorf("%s, %s: %v", name, p.Name, err)
			}
		}
	}
}

// What a profile does not accept is refused here, before any judge sees it: with
// the place, the business term, and what is accepted.
func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		name, profile, sample string
		changes               map[string]string
		want                  string
	}{
		{"no number", "minimum", "two rates", map[string]string{"number": "null"}, "$data.invoice.number: is missing, and profile minimum needs it (BT-1)"},
		{"an empty number", "basic", "two rates", map[string]string{"number": `" "`}, "number: is missing, and profile basic needs it (BT-1). Number of the invoice."},
		{"a sum that differs", "minimum", "two rates", map[string]string{"totals": `{"gross": "142.12"}`}, "$data.invoice.totals.gross: is 142.12, but net and tax together is 142.11 (BT-112)"},
		{"a line that differs", "en16931", "two rates", map[string]string{"lines.0.net": "99.99"}, "lines[0].net: is 99.99, but quantity × price ÷ baseQuantity, less allowances, with charges, is 100.00 (BT-131)"},
		{"a tax that differs", "en16931", "two rates", map[string]string{"taxes": `[{"category": "S", "rate": "20.0", "amount": "20.01"}]`}, "taxes[0].amount: is 20.01, but rate percent of base is 20.00 (BT-117)"},
		{"a base that differs", "basic-wl", "two rates", map[string]string{"taxes": `[{"category": "S", "rate": 20, "base": 100.01}]`}, "taxes[0].base: is 100.01, but what lines, allowances and charges have of category S and rate 20 is 100.00 (BT-116)"},
		{"allowances that differ", "basic", "allowances and charges", map[string]string{"totals": `{"allowances": 11}`}, "totals.allowances: is 11, but the sum of the allowances is 10.00 (BT-107)"},
		{"a due amount that differs", "basic", "prepaid", map[string]string{"totals": `{"paid": 42.11, "due": 142.11}`}, "totals.due: is 142.11, but gross less paid with rounding is 100.00 (BT-115)"},
		{"a percentage that differs", "basic", "everything", map[string]string{"lines.0.allowances.0.amount": "5.01"}, "lines[0].allowances[0].amount: is 5.01, but percent of base is 5.00"},
		{"a price that differs", "en16931", "everything", map[string]string{"lines.0.price": "11"}, "lines[0].price: is 11, but grossPrice less priceDiscount is 10 (BT-146)"},
		{"a tax that nothing has", "en16931", "two rates", map[string]string{"taxes": `[{"category": "S", "rate": 7}]`}, "taxes[0]: is of category S and rate 7, which no line, allowance or charge has (BG-23)"},
		{"three decimals", "en16931", "prepaid", map[string]string{"totals.paid": "42.111"}, "totals.paid: 42.111 has 3 decimals; accepted: at most two. Round it in the mapping, for example Number(x.toFixed(2)) (BT-113)"},
		{"an exponent", "en16931", "two rates", map[string]string{"lines.0.quantity": "1e3"}, `lines[0].quantity: "1e3" is no number; accepted: digits with a point before decimals`},
		{"a price as people write it", "en16931", "two rates", map[string]string{"lines.0.price": `"1.234,50"`}, `lines[0].price: "1.234,50" is no number`},
		{"a currency", "en16931", "two rates", map[string]string{"currency": `"€"`}, `currency: unknown code "€"; accepted: three letters of ISO 4217, such as EUR or USD (BT-5)`},
		{"a country", "en16931", "two rates", map[string]string{"buyer.address.country": `"Germany"`}, `buyer.address.country: unknown code "Germany"; accepted: two letters of ISO 3166`},
		{"a unit", "en16931", "two rates", map[string]string{"lines.0.unit": `"hours"`}, `lines[0].unit: unknown code "hours"; accepted: UN/ECE recommendations 20 and 21`},
		{"a category", "en16931", "two rates", map[string]string{"lines.0.taxCategory": `"X"`}, `lines[0].taxCategory: unknown code "X"; accepted: AE, E, G, K, L, M, O, S, Z (BT-151)`},
		{"a kind of document", "en16931", "two rates", map[string]string{"type": `"invoice"`}, `type: unknown code "invoice"; accepted: UNTDID 1001`},
		{"a reason", "en16931", "allowances and charges", map[string]string{"allowances.0.code": `"FC"`}, `allowances[0].code: unknown code "FC"; accepted: 100, 102`},
		{"a day", "en16931", "two rates", map[string]string{"date": `"15.1.2026"`}, `date: "15.1.2026" is no day; accepted: year, month and day, such as 2026-01-31 (BT-2)`},
		{"a day that is none", "en16931", "two rates", map[string]string{"date": `"2026-02-30"`}, `"2026-02-30" is no day`},
		{"a misspelt member", "en16931", "two rates", map[string]string{"lines.0.prise": "1"}, "lines[0].prise: unknown name; did you mean"},
		{"an IBAN", "basic-wl", "two rates", map[string]string{"payments.0.iban": `"AT61 1904 3002 3457 3202"`}, "payments[0].iban: \"AT61 1904 3002 3457 3202\" is no IBAN: its check digits do not fit (BT-84, BT-91)"},
		{"a transfer to nowhere", "basic-wl", "two rates", map[string]string{"payments.0.iban": "null"}, "payments[0].iban: is missing, as is accountNumber"},
		{"a whole card", "en16931", "card", map[string]string{"payments.0.card": `"4111111111111111"`}, "payments[0].card: says too much of the card"},
		{"a VAT number", "en16931", "two rates", map[string]string{"seller.vatId": `"123456789"`}, `seller.vatId: "123456789" is no VAT number`},
		{"no VAT number", "en16931", "two rates", map[string]string{"seller.vatId": "null", "seller.id": `"1"`}, "seller.vatId: is missing, as is taxId; category S needs one of them (BT-31, BT-32)"},
		{"nobody known", "minimum", "exempt", map[string]string{"seller.legalId": "null"}, "seller: has nothing by which programs know it: give vatId (BT-31), legalId (BT-30)"},
		{"a rate of 0", "en16931", "two rates", map[string]string{"lines.0.taxRate": "0"}, "lines[0].taxRate: is 0; category S has a rate above 0"},
		{"no rate", "en16931", "two rates", map[string]string{"lines.0.taxRate": "null"}, "lines[0].taxRate: is missing, and profile en16931 needs it (BT-152)"},
		{"a rate where there is no tax", "en16931", "reverse charge", map[string]string{"lines.0.taxRate": "20"}, "lines[0].taxRate: is 20; category AE has the rate 0"},
		{"reverse charge to nobody", "basic-wl", "reverse charge", map[string]string{"buyer.vatId": "null"}, "buyer.vatId: is missing, as is legalId; reverse charge (category AE) needs one of them"},
		{"exempt for no reason", "basic", "exempt", map[string]string{"taxes": "null"}, "taxes[0].reason: is missing, as is reasonCode: category E says why there is no tax"},
		{"taxed for a reason", "basic", "two rates", map[string]string{"taxes": `[{"category": "S", "rate": 20, "reason": "None"}]`}, "taxes[0].reason: is there, but category S has none"},
		{"inside the EU to nowhere", "en16931", "inside the EU", map[string]string{"delivery": "null"}, "delivery.address.country: is missing; a supply inside the EU (category K) needs it (BT-80)"},
		{"not subject, with a VAT number", "en16931", "not subject to VAT", map[string]string{"seller.vatId": `"ATU12345678"`}, "taxes[0].category: is O, not subject to VAT"},
		{"no lines", "basic", "two rates", map[string]string{"lines": "[]", "taxes": `[{"category": "S", "rate": 20, "base": 1}]`}, "lines: is missing, and profile basic needs it (BG-25)"},
		{"a negative price", "basic", "two rates", map[string]string{"lines.0.price": "-1"}, "lines[0].price: is -1; a price is not below 0"},
		{"a negative allowance", "basic", "allowances and charges", map[string]string{"allowances.0.amount": "-10"}, "allowances[0].amount: is -10; accepted: amounts without a sign"},
		{"an allowance for no reason", "basic", "allowances and charges", map[string]string{"allowances.0.reason": "null"}, "allowances[0].reason: is missing, as is code"},
		{"no day to pay", "basic-wl", "two rates", map[string]string{"due": "null"}, "due: is missing, as are terms"},
		{"a time that ends before", "en16931", "everything", map[string]string{"period.to": `"2025-12-31"`}, "period.to: is 2025-12-31, before from, which is 2026-01-01 (BT-74)"},
		{"rounding that is not written", "basic", "two rates", map[string]string{"totals": `{"rounding": "-0.01"}`}, "totals.rounding: is nothing that profile basic knows"},
		{"tax in two currencies, once", "en16931", "two rates", map[string]string{"taxCurrency": `"USD"`}, "totals.taxAccounted: is missing, and profile en16931 needs it (BT-111)"},
		{"no Leitweg-ID", "xrechnung", "two rates", map[string]string{"buyerReference": "null"}, "buyerReference: is missing, and profile xrechnung needs it (BT-10)"},
		{"nobody to ask", "xrechnung", "two rates", map[string]string{"seller.contact": "null"}, "seller.contact.phone: is missing, and profile xrechnung needs it (BT-42)"},
		{"a character that XML has not", "en16931", "two rates", map[string]string{"number": `"R\u00011"`}, "number: has characters that XML cannot hold (BT-1)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := XML(changed(t, tt.sample, tt.changes), profile(t, tt.profile), "$data.invoice")
			var problems report.Problems
			if errors.As(err, &problems); !slices.ContainsFunc(problems, func(p *report.Problem) bool { return strings.Contains(p.Error(), tt.want) }) {
				t.Errorf("says %v; want %q", problems, tt.want)
			}
		})
	}
	if _, err := XML([]any{}, profile(t, "basic"), "$data.lines"); err == nil || !strings.Contains(err.Error(), "$data.lines: is no object") {
		t.Errorf("a list is taken: %v", err)
	}
	if _, err := ProfileOf("comfort"); err == nil || !strings.Contains(err.Error(), "accepted: minimum, basic-wl, basic, en16931, extended, xrechnung") {
		t.Errorf("a profile is taken: %v", err)
	}
}

// The two shortest profiles need no lines where sums are given.
func TestSumsAlone(t *testing.T) {
	for name, changes := range map[string]map[string]string{
		"minimum":  {"lines": "null", "totals": `{"net": 100, "tax": 20, "gross": 120}`},
		"basic-wl": {"lines": "null", "taxes": `[{"category": "S", "rate": 20, "base": 100}]`, "totals": `{"gross": 120}`},
	} {
		content, err := XML(changed(t, "two rates", changes), profile(t, name), "")
		if err != nil {
			t.Fatal(name, err)
		}
		for _, want := range []string{"<ram:TaxBasisTotalAmount>100.00<", ">20.00</ram:TaxTotalAmount>", "<ram:DuePayableAmount>120.00<"} {
			if !strings.Contains(string(content), want) {
				t.Errorf("%s: there is no %s in %s", name, want, content)
			}
		}
	}
}

// What is wrong is told in the order of the invoice, however often it is asked.
func TestFaultsAreInOrder(t *testing.T) {
	value := changed(t, "two rates", map[string]string{"payments.0.iban": `"AT61 1904 3002 3457 3202"`, "payments.0.debited": `"DE00"`})
	for range 50 {
		_, err := XML(value, profile(t, "en16931"), "$data.invoice")
		var problems report.Problems
		if errors.As(err, &problems); len(problems) != 2 || problems[0].Path != "$data.invoice.payments[0].iban" || problems[1].Path != "$data.invoice.payments[0].debited" {
			t.Fatalf("says %v", problems)
		}
	}
}
