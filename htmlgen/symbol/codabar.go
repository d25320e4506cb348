package symbol

import (
	"fmt"
	"strings"
)

// Codabar (EN 798): four bars and three spaces, wide or narrow; a letter A to D
// at either end.

const codabarCharacters = "0123456789-$:/.+ABCD"

var codabarPatterns = strings.Fields(`
	0000011 0000110 0001001 1100000 0010010 1000010 0100001 0100100 0110000 1001000
	0001100 0011000 1000101 1010001 1010100 0010101 0011010 0101001 0001011 0001110`)

func encodeCodabar(text string) (*Bars, error) {
	upper := strings.ToUpper(text)
	if len(upper) > 62 {
		return nil, fmt.Errorf("the text has %d characters", len(upper))
	}
	letter := func(c byte) bool { return c >= 'A' && c <= 'D' }
	framed := len(upper) > 2 && letter(upper[0]) && letter(upper[len(upper)-1])
	body := upper
	if framed {
		body = upper[1 : len(upper)-1]
	} else {
		upper = "A" + upper + "A"
	}
	for _, r := range body {
		if !strings.ContainsRune(codabarCharacters[:16], r) {
			return nil, fmt.Errorf("%q is not among its characters", r)
		}
	}
	var b strings.Builder
	for i := range len(upper) {
		if i > 0 {
			b.WriteByte('0')
		}
		wide(&b, codabarPatterns[strings.IndexByte(codabarCharacters, upper[i])], wideRatio)
	}
	return &Bars{Modules: b.String(), Quiet: [2]int{10, 10}, Text: body}, nil
}
