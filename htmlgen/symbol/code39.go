package symbol

import (
	"fmt"
	"strings"
)

// Code 39 (ISO/IEC 16388): five bars and four spaces, three of the nine wide.

const code39Characters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%*"

var code39Patterns = strings.Fields(`
	000110100 100100001 001100001 101100000 000110001 100110000 001110000 000100101 100100100 001100100
	100001001 001001001 101001000 000011001 100011000 001011000 000001101 100001100 001001100 000011100
	100000011 001000011 101000010 000010011 100010010 001010010 000000111 100000110 001000110 000010110
	110000001 011000001 111000000 010010001 110010000 011010000 010000101 110000100 011000100
	010101000 010100010 010001010 000101010 010010100`)

// wideRatio is how many narrow bars a wide one is.
const wideRatio = 3

func encodeCode39(text string) (*Bars, error) {
	if len(text) > 80 {
		return nil, fmt.Errorf("the text has %d characters", len(text))
	}
	upper := strings.ToUpper(text)
	var b strings.Builder
	for _, r := range "*" + upper + "*" {
		at := strings.IndexRune(code39Characters, r)
		if at < 0 {
			return nil, fmt.Errorf("%q is not among its characters", r)
		}
		if b.Len() > 0 {
			b.WriteByte('0')
		}
		wide(&b, code39Patterns[at], wideRatio)
	}
	if strings.Contains(upper, "*") {
		return nil, fmt.Errorf("%q only begins and ends the code", '*')
	}
	return &Bars{Modules: b.String(), Quiet: [2]int{10, 10}, Text: upper}, nil
}
