package symbol

import (
	"fmt"
	"strings"
)

// Retail codes (ISO/IEC 15420): a digit is seven modules, in one of three sets.

var eanLeft = [10]string{"0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011"}

// eanFirst is which of the left six digits are in set G, by the first digit of
// the number, which has no bars of its own.
var eanFirst = [10]string{"LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL"}

// upceParity is the same for UPC-E of number system 0, by the check digit.
var upceParity = [10]string{"GGGLLL", "GGLGLL", "GGLLGL", "GGLLLG", "GLGGLL", "GLLGGL", "GLLLGG", "GLGLGL", "GLGLLG", "GLLGLG"}

func eanDigit(b *strings.Builder, digit, set byte) {
	left := eanLeft[digit-'0']
	switch set {
	case 'L':
		b.WriteString(left)
	case 'R':
		b.WriteString(inverted(left))
	case 'G':
		for i := len(left) - 1; i >= 0; i-- {
			b.WriteByte(left[i] ^ 1)
		}
	}
}

func inverted(modules string) string {
	return strings.Map(func(r rune) rune { return r ^ 1 }, modules)
}

func encodeEAN13(text string) (*Bars, error) {
	n, err := withCheckDigit(text, 13)
	if err != nil {
		return nil, err
	}
	bars := &Bars{Modules: ean13Modules(n), Quiet: [2]int{11, 7}, Text: n}
	bars.Groups = []Group{{n[:1], -9, -1}, {n[1:7], 3, 45}, {n[7:], 50, 92}}
	return bars, nil
}

func ean13Modules(n string) string {
	var b strings.Builder
	b.WriteString("101")
	for i, set := range []byte(eanFirst[n[0]-'0']) {
		eanDigit(&b, n[1+i], set)
	}
	b.WriteString("01010")
	for i := 7; i < 13; i++ {
		eanDigit(&b, n[i], 'R')
	}
	b.WriteString("101")
	return b.String()
}

func encodeEAN8(text string) (*Bars, error) {
	n, err := withCheckDigit(text, 8)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString("101")
	for i := range 4 {
		eanDigit(&b, n[i], 'L')
	}
	b.WriteString("01010")
	for i := 4; i < 8; i++ {
		eanDigit(&b, n[i], 'R')
	}
	b.WriteString("101")
	return &Bars{Modules: b.String(), Quiet: [2]int{7, 7}, Text: n, Groups: []Group{{n[:4], 3, 31}, {n[4:], 36, 64}}}, nil
}

// encodeUPCA: the code of a UPC-A number is that of the EAN with a zero before
// it; its first and last digits stand beside the bars.
func encodeUPCA(text string) (*Bars, error) {
	n, err := withCheckDigit(text, 12)
	if err != nil {
		return nil, err
	}
	return &Bars{
		Modules: ean13Modules("0" + n), Quiet: [2]int{9, 9}, Text: n,
		Groups: []Group{{n[:1], -9, -2}, {n[1:6], 10, 45}, {n[6:11], 50, 85}, {n[11:], 97, 104}},
	}, nil
}

func encodeUPCE(text string) (*Bars, error) {
	text = unspaced(text)
	if err := digits(text); err != nil {
		return nil, err
	}
	if len(text) == 6 {
		text = "0" + text
	}
	if len(text) != 7 && len(text) != 8 {
		return nil, fmt.Errorf("%q has %d digits", shortened(text), len(text))
	}
	if text[0] != '0' && text[0] != '1' {
		return nil, fmt.Errorf("the number system is %c, not 0 or 1", text[0])
	}
	check := checkDigit(expandUPCE(text[:7]))
	if len(text) == 8 && text[7] != check {
		return nil, fmt.Errorf("the check digit of %s is %c, not %c", text, check, text[7])
	}
	parity := upceParity[check-'0']
	if text[0] == '1' {
		parity = strings.NewReplacer("G", "L", "L", "G").Replace(parity)
	}
	var b strings.Builder
	b.WriteString("101")
	for i := range 6 {
		eanDigit(&b, text[1+i], parity[i])
	}
	b.WriteString("010101")
	n := text[:7] + string(check)
	return &Bars{Modules: b.String(), Quiet: [2]int{9, 7}, Text: n, Groups: []Group{{n[:1], -9, -2}, {n[1:7], 3, 45}, {n[7:], 53, 59}}}, nil
}

// expandUPCE is the UPC-A number, without its check digit, that a UPC-E number
// without its stands for.
func expandUPCE(n string) string {
	system, d := n[:1], n[1:]
	switch d[5] {
	case '0', '1', '2':
		return system + d[:2] + d[5:] + "0000" + d[2:5]
	case '3':
		return system + d[:3] + "00000" + d[3:5]
	case '4':
		return system + d[:4] + "00000" + d[4:5]
	}
	return system + d[:5] + "0000" + d[5:]
}
