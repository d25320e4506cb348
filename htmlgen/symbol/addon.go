package symbol

import (
	"fmt"
	"strings"
)

// Add-ons of retail codes (ISO/IEC 15420, 4.4): two digits, the issue of a
// magazine, or five, the price of a book, in a smaller code to the right.

// addOnGap is how many modules part an add-on from the code before it: the
// standard asks for 7 to 12 behind an EAN, and for 9 to 12 behind a UPC.
const addOnGap = 9

// addOnQuiet is how many modules behind an add-on stay light.
const addOnQuiet = 5

// addOn2 and addOn5 are the sets of the digits, by the number modulo 4 and by the
// checksum.
var (
	addOn2 = [4]string{"LL", "LG", "GL", "GG"}
	addOn5 = [10]string{"GGLLL", "GLGLL", "GLLGL", "GLLLG", "LGGLL", "LLGGL", "LLLGG", "LGLGL", "LGLLG", "LLGLG"}
)

// withAddOn encodes what stands before a + by a function, and puts the digits
// behind it beside that as an add-on.
func withAddOn(encode func(text string) (*Bars, error)) func(text string) (*Bars, error) {
	return func(text string) (*Bars, error) {
		main, extra, added := strings.Cut(text, "+")
		bars, err := encode(strings.TrimSpace(main))
		if err != nil || !added {
			return bars, err
		}
		extra = unspaced(extra)
		if err := digits(extra); err != nil {
			return nil, fmt.Errorf("the add-on: %w", err)
		}
		if len(extra) != 2 && len(extra) != 5 {
			return nil, fmt.Errorf("the add-on %q has %d digits, not 2 or 5", shortened(extra), len(extra))
		}
		bars.Modules += strings.Repeat("0", addOnGap)
		bars.AddOn = Group{Text: extra, From: len(bars.Modules)}
		bars.Modules += addOnModules(extra)
		bars.AddOn.To = len(bars.Modules)
		bars.Quiet[1] = addOnQuiet
		bars.Text += " " + extra
		return bars, nil
	}
}

func addOnModules(n string) string {
	var sets string
	if len(n) == 2 {
		sets = addOn2[(10*(n[0]-'0')+n[1]-'0')%4]
	} else {
		sum := 0
		for i := range n {
			sum += int(n[i]-'0') * [2]int{3, 9}[i%2]
		}
		sets = addOn5[sum%10]
	}
	var b strings.Builder
	for i := range n {
		b.WriteString([2]string{"1011", "01"}[min(i, 1)])
		eanDigit(&b, n[i], sets[i])
	}
	return b.String()
}
