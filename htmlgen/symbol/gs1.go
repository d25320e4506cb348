package symbol

import (
	"fmt"
	"regexp"
)

// GS1-128 is Code 128 that begins with FNC1 and holds element strings: an
// application identifier and its value (GS1 General Specifications, 5.4).

var gs1Element = regexp.MustCompile(`^\((\d{2,4})\)([^()]+)`)

// gs1Fixed are the lengths, identifier included, of elements that end without a
// separator, by the first two digits of the identifier.
var gs1Fixed = map[string]int{
	"00": 20, "01": 16, "02": 16, "03": 16, "04": 18, "11": 8, "12": 8, "13": 8, "14": 8, "15": 8, "16": 8, "17": 8, "18": 8, "19": 8, "20": 4,
	"31": 10, "32": 10, "33": 10, "34": 10, "35": 10, "36": 10, "41": 16,
}

func encodeGS1(text string) (*Bars, error) {
	data, length, err := gs1Data(text)
	if err != nil {
		return nil, err
	}
	if length > 48 {
		return nil, fmt.Errorf("the identifiers, values and separators have %d characters; GS1-128 holds 48", length)
	}
	return code128(code128Values(append([]rune{fnc1}, data...)), text)
}

// gs1Data is a text of elements as it is encoded behind the mark of GS1: with a
// separator after each value of no predefined length that another follows. The
// length counts the separators.
func gs1Data(text string) (data []rune, length int, err error) {
	separate := false
	for rest := text; rest != ""; {
		m := gs1Element.FindStringSubmatch(rest)
		if m == nil {
			return nil, 0, fmt.Errorf("%q does not begin with an identifier in parentheses", shortened(rest))
		}
		if err := checkElement(m[1], m[2]); err != nil {
			return nil, 0, err
		}
		if separate {
			data = append(data, fnc1)
		}
		data = append(data, []rune(m[1]+m[2])...)
		_, fixed := gs1Fixed[m[1][:2]]
		separate = !fixed
		rest = rest[len(m[0]):]
	}
	return data, len(data), nil
}

// checkDigit is the check digit of the GS1 numbers: weights 3 and 1 from the
// right, up to the next ten.
func checkDigit(number string) byte {
	sum := 0
	for i := range len(number) {
		weight := 1
		if (len(number)-i)%2 == 1 {
			weight = 3
		}
		sum += weight * int(number[i]-'0')
	}
	return byte('0' + (10-sum%10)%10)
}

// withCheckDigit adds the check digit to a number that lacks it, and verifies it
// in one that has it.
func withCheckDigit(text string, length int) (string, error) {
	text = unspaced(text)
	if err := digits(text); err != nil {
		return "", err
	}
	switch len(text) {
	case length - 1:
		return text + string(checkDigit(text)), nil
	case length:
		if want := checkDigit(text[:length-1]); want != text[length-1] {
			return "", fmt.Errorf("the check digit of %s is %c, not %c", text, want, text[length-1])
		}
		return text, nil
	}
	return "", fmt.Errorf("%q has %d digits", shortened(text), len(text))
}
