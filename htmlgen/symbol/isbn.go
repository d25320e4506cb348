package symbol

import (
	"fmt"
	"strings"
)

// encodeISBN is the EAN of a book with its number as people write it above (ISO
// 2108). A number of ten digits becomes that of thirteen.
func encodeISBN(text string) (*Bars, error) {
	written := strings.TrimSpace(strings.TrimPrefix(strings.ToUpper(text), "ISBN"))
	n := unspaced(written)
	written = strings.ReplaceAll(written, " ", "-")
	switch len(n) {
	case 9, 10:
		if err := checkISBN10(n); err != nil {
			return nil, err
		}
		if len(n) == 10 {
			written = strings.TrimSuffix(written[:len(written)-1], "-")
		}
		n, written = "978"+n[:9], "978-"+written
	case 13:
		if err := digits(n); err != nil {
			return nil, err
		}
		written = strings.TrimSuffix(written[:len(written)-1], "-")
	}
	bars, err := encodeEAN13(n)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(n, "978") && !strings.HasPrefix(n, "979") {
		return nil, fmt.Errorf("%s does not begin with 978 or 979", n)
	}
	if strings.Count(written, "-") < 2 {
		written = "" // the parts of the number are not known
	}
	if written != "" {
		bars.Above = "ISBN " + written + "-" + bars.Text[12:]
	} else {
		bars.Above = "ISBN " + bars.Text
	}
	return bars, nil
}

// checkISBN10 verifies the check digit of a number of ten digits, which may be an
// X for 10.
func checkISBN10(n string) error {
	if err := digits(n[:9]); err != nil {
		return err
	}
	sum := 0
	for i := range 9 {
		sum += (10 - i) * int(n[i]-'0')
	}
	want := "0123456789X"[(11-sum%11)%11]
	if len(n) == 10 && n[9] != want {
		return fmt.Errorf("the check digit of %s is %c, not %c", n, want, n[9])
	}
	return nil
}
