package symbol

import (
	"fmt"
	"strings"
)

// Interleaved 2 of 5 (ISO/IEC 16390): two digits share five bars and the five
// spaces between them.

var itfDigits = [10]string{"00110", "10001", "01001", "11000", "00101", "10100", "01100", "00011", "10010", "01010"}

func encodeITF(text string) (*Bars, error) {
	if err := digits(text); err != nil {
		return nil, err
	}
	if len(text)%2 != 0 || len(text) > 80 {
		return nil, fmt.Errorf("%q has %d digits", shortened(text), len(text))
	}
	return &Bars{Modules: itfModules(text), Quiet: [2]int{10, 10}, Text: text}, nil
}

func encodeITF14(text string) (*Bars, error) {
	n, err := withCheckDigit(text, 14)
	if err != nil {
		return nil, err
	}
	shown := n[:1] + " " + n[1:3] + " " + n[3:8] + " " + n[8:13] + " " + n[13:]
	return &Bars{Modules: itfModules(n), Quiet: [2]int{10, 10}, Text: shown, Bearer: true}, nil
}

func itfModules(text string) string {
	var b strings.Builder
	wide(&b, "0000", wideRatio)
	for i := 0; i < len(text); i += 2 {
		bars, spaces := itfDigits[text[i]-'0'], itfDigits[text[i+1]-'0']
		var pattern strings.Builder
		for k := range 5 {
			pattern.WriteByte(bars[k])
			pattern.WriteByte(spaces[k])
		}
		wide(&b, pattern.String(), wideRatio)
	}
	wide(&b, "100", wideRatio)
	return b.String()
}
