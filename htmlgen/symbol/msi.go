package symbol

import (
	"fmt"
	"strconv"
	"strings"
)

// MSI: each digit is four bits, each bit a bar and a space.

func encodeMSI(text string) (*Bars, error)   { return msi(text) }
func encodeMSI10(text string) (*Bars, error) { return msi(text, luhn) }
func encodeMSI11(text string) (*Bars, error) { return msi(text, mod11) }

func encodeMSI1010(text string) (*Bars, error) { return msi(text, luhn, luhn) }
func encodeMSI1110(text string) (*Bars, error) { return msi(text, mod11, luhn) }

func msi(text string, checks ...func(string) string) (*Bars, error) {
	if err := digits(text); err != nil {
		return nil, err
	}
	if len(text) > 40 {
		return nil, fmt.Errorf("the text has %d digits", len(text))
	}
	for _, check := range checks {
		text += check(text)
	}
	var b strings.Builder
	b.WriteString("110")
	for i := range len(text) {
		for bit := 3; bit >= 0; bit-- {
			if (text[i]-'0')>>bit&1 == 1 {
				b.WriteString("110")
			} else {
				b.WriteString("100")
			}
		}
	}
	b.WriteString("1001")
	return &Bars{Modules: b.String(), Quiet: [2]int{12, 12}, Text: text}, nil
}

// luhn is the check digit modulo 10: every second digit from the right doubled.
func luhn(number string) string {
	sum := 0
	for i := range len(number) {
		d := int(number[i] - '0')
		if (len(number)-i)%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return strconv.Itoa((10 - sum%10) % 10)
}

// mod11 is the check digit modulo 11 with weights 2 to 7 from the right; ten is
// written with two digits.
func mod11(number string) string {
	sum := 0
	for i := range len(number) {
		sum += int(number[i]-'0') * ((len(number)-1-i)%6 + 2)
	}
	return strconv.Itoa((11 - sum%11) % 11)
}
