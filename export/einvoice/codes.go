package einvoice

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// codesText is a list of codes a line: those that Factur-X 1.07 accepts, of ISO 3166,
// ISO 4217, ISO 6523, UN/ECE recommendations 20 and 21, UNTDID, EAS and VATEX.
//
//go:embed codes.txt
var codesText string

// codes are the lists by their names, each in order.
var codes = sync.OnceValue(func() map[string][]string {
	lists := map[string][]string{}
	for line := range strings.Lines(codesText) {
		name, list, _ := strings.Cut(strings.TrimSpace(line), ": ")
		lists[name] = strings.Fields(list)
	}
	return lists
})

func known(list, code string) bool {
	_, found := slices.BinarySearch(codes()[list], code)
	return found
}

// fewCodes is up to how many codes a message lists.
const fewCodes = 24

// accepted says for people what the codes of a list are.
func accepted(list string) string {
	if all := codes()[list]; len(all) <= fewCodes {
		return strings.Join(all, ", ")
	}
	return map[string]string{
		"document types":       "UNTDID 1001, such as 380 (invoice), 381 (credit note), 384 (correction)",
		"subjects":             "UNTDID 4451, such as REG, AAI or SUR",
		"identifiers":          "ISO 6523, such as 0088 (GLN), 0060 (DUNS), 0160 (GTIN) or 0002 (SIRENE)",
		"countries":            "two letters of ISO 3166, such as DE or FR",
		"units":                "UN/ECE recommendations 20 and 21, such as C62 (pieces), HUR (hours), KGM (kilograms) or LS (a lump sum)",
		"charge reasons":       "UNTDID 7161, such as FC (freight) or ABL (packing)",
		"electronic addresses": "EAS, such as EM (email), 0088 (GLN), 9930 (German VAT number) or 0204 (Leitweg-ID)",
		"currencies":           "three letters of ISO 4217, such as EUR or USD",
		"payment means":        "UNTDID 4461, such as 58 (SEPA transfer), 30 (transfer), 59 (SEPA direct debit) or 48 (card)",
		"exemptions":           "VATEX, such as VATEX-EU-132 or VATEX-EU-AE",
		"classifications":      "UNTDID 7143, such as HS or STI",
	}[list]
}
