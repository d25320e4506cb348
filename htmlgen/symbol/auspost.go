package symbol

import (
	"fmt"
	"strings"
)

// The customer barcode of Australia Post (Customer Barcoding Technical
// Specifications, August 2012): a format, a delivery point and what the customer
// likes, with Reed-Solomon correction, between a start and a stop.

// ausSize is that of "Dimensions": bars of 0.4 to 0.6 mm, 22 to 25 an inch,
// trackers of 1 to 1.6 mm, full bars of 4.2 to 5.8 mm, with 6 mm light at the
// sides and 2 mm above and below.
var ausSize = PostSize{Bar: 0.5, Pitch: 25.4 / 23.5, Tracker: 1.3, Reach: 1.85, Clear: [2]float64{6, 2}}

// ausFormats are the bars that a format has for the information of the customer.
var ausFormats = map[string]int{"11": 0, "45": 0, "87": 0, "92": 0, "59": 16, "62": 31}

// The bars have the values 0 (full), 1 (up), 2 (down) and 3 (middle). Digits are
// two of them, other characters three.
const (
	ausStates     = "FADT"
	ausEnds       = "13"
	ausDigits     = "00 01 02 10 11 12 20 21 22 30"
	ausCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijklmnopqrstuvwxyz #"
	ausTriples    = "000 001 002 010 011 012 020 021 022 100 101 102 110 111 112 120 121 122 200 201 202 210 211 212 220 221 " +
		"222 300 301 302 310 311 312 320 321 322 " +
		"023 030 031 032 033 103 113 123 130 131 132 133 203 213 223 230 231 232 233 303 313 323 330 331 332 333 003 013"
)

func encodeAusPost(text string) (*Bars, error) {
	format, point, own, err := ausParts(text)
	if err != nil {
		return nil, err
	}
	bars := ausNumber(format + point)
	room, known := ausFormats[format]
	if !known {
		return nil, fmt.Errorf("%q is none of the formats 11, 45, 59, 62, 87 and 92", format)
	}
	coded, err := ausOwn(own)
	if err != nil {
		return nil, err
	}
	if own != "" && room == 0 {
		return nil, fmt.Errorf("format %s has no room for %q, which the customer adds", format, shortened(own))
	}
	if len(coded) > room {
		return nil, fmt.Errorf("format %s has room for %d digits or %d other characters of the customer, not for %q", format, room/2, room/3, shortened(own))
	}
	// What is free is filled, to a multiple of three bars in all.
	bars += coded + strings.Repeat("3", room-len(coded))
	bars += strings.Repeat("3", (3-len(bars)%3)%3)
	bars = ausEnds + bars + ausChecks(bars) + ausEnds
	states := strings.Map(func(r rune) rune { return rune(ausStates[r-'0']) }, bars)
	return &Bars{Post: &Post{states, ausSize}, Text: strings.TrimSpace(format + " " + point + " " + own)}, nil
}

// ausParts are the format, which is 11 where a delivery point stands alone, the
// eight digits of that, and what the customer adds.
func ausParts(text string) (format, point, own string, err error) {
	if len(text) == 8 {
		text = "11" + text
	}
	rest := text
	for _, part := range []struct {
		digits int
		to     *string
	}{{2, &format}, {8, &point}} {
		rest = strings.TrimLeft(rest, " ")
		if len(rest) < part.digits {
			return "", "", "", fmt.Errorf("%q is too short", shortened(text))
		}
		*part.to, rest = rest[:part.digits], rest[part.digits:]
		if err := digits(*part.to); err != nil {
			return "", "", "", err
		}
	}
	return format, point, strings.TrimSpace(rest), nil
}

// ausOwn are the bars of what the customer adds: of digits alone as digits.
func ausOwn(text string) (string, error) {
	if digits(text) == nil {
		return ausNumber(text), nil
	}
	triples := strings.Fields(ausTriples)
	var b strings.Builder
	for _, r := range text {
		i := strings.IndexRune(ausCharacters, r)
		if i < 0 {
			return "", fmt.Errorf("%q is not among the letters, digits, blanks and # that the customer may add", r)
		}
		b.WriteString(triples[i])
	}
	return b.String(), nil
}

func ausNumber(n string) string {
	pairs := strings.Fields(ausDigits)
	var b strings.Builder
	for i := range n {
		b.WriteString(pairs[n[i]-'0'])
	}
	return b.String()
}

// ausChecks are the twelve bars of correction: three bars are a number of 64, and
// the numbers with four more a multiple of the polynomial whose roots are the
// first four powers of 2 in the field of x⁶+x+1.
func ausChecks(bars string) string {
	generator := []int{1}
	for i, root := 0, 2; i < 4; i, root = i+1, ausTimes(root, 2) {
		next := append([]int{0}, generator...)
		for j, g := range generator {
			next[j] ^= ausTimes(g, root)
		}
		generator = next
	}
	var checks [4]int // the highest power last
	for i := 0; i < len(bars); i += 3 {
		word := int(bars[i]-'0')<<4 | int(bars[i+1]-'0')<<2 | int(bars[i+2]-'0')
		lead := word ^ checks[3]
		for j := 3; j > 0; j-- {
			checks[j] = checks[j-1] ^ ausTimes(lead, generator[j])
		}
		checks[0] = ausTimes(lead, generator[0])
	}
	var b strings.Builder
	for i := 3; i >= 0; i-- {
		b.WriteString(string([]byte{byte('0' + checks[i]>>4), byte('0' + checks[i]>>2&3), byte('0' + checks[i]&3)}))
	}
	return b.String()
}

// ausTimes multiplies in the field of 64 elements.
func ausTimes(a, b int) int {
	product := 0
	for ; b > 0; b >>= 1 {
		if b&1 != 0 {
			product ^= a
		}
		if a <<= 1; a&64 != 0 {
			a ^= 0x43
		}
	}
	return product
}
