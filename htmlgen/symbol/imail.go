package symbol

import (
	"fmt"
	"math/big"
	"math/bits"
	"strings"
)

// The Intelligent Mail barcode of the United States (USPS-B-3200): 31 digits and
// a checksum become ten numbers, these characters of 13 bits each, and their bits
// the ups and downs of 65 bars.

// imailSize is that of USPS-B-3200, 2.3: bars of 0.015 to 0.025 inches, trackers of
// 0.039 to 0.057, full bars of 0.125 to 0.165, with 0.125 light at the sides and
// 0.028 above and below.
var imailSize = PostSize{Bar: 0.508, Pitch: postPitch, Tracker: 1.219, Reach: 1.232, Clear: [2]float64{3.175, 0.711}}

// imailDown and imailUp say which bit of which character (A to J) moves each bar
// down and up (USPS-B-3200, appendix D, table IV).
const (
	imailDown = "H2 B10 J12 F5 I9 A1 C5 E4 G3 D9 F11 I5 J10 H1 D6 A3 G4 B1 H10 E0 G2 I11 J8 C6 F1 B12 H3 F8 E6 D4 I4 H11 G0 " +
		"A6 C1 F9 E11 J5 D3 A7 B3 G10 I7 C11 A8 E2 F10 J3 G5 H8 F0 C3 G12 D11 I8 F4 B5 J1 I3 H0 E7 A12 C9 G8 D10"
	imailUp = "E3 A0 C8 G11 D1 F12 B8 J11 I10 H6 B4 C12 A2 G7 E9 I6 C7 J9 F2 D8 A4 B0 D12 H7 E10 G9 I0 J7 C10 A5 F7 B9 J6 " +
		"E8 D2 I12 G1 H4 B2 C0 E1 D5 J4 F6 H12 I1 D0 A9 C4 B7 E5 A10 J2 B6 H9 A11 C2 E12 G6 D7 H5 B11 J0 F3 I2"
)

func encodeIMail(text string) (*Bars, error) {
	n := unspaced(text)
	if err := digits(n); err != nil {
		return nil, err
	}
	if len(n) < 20 {
		return nil, fmt.Errorf("%q has %d digits", shortened(n), len(n))
	}
	tracking, routing := n[:20], n[20:]
	// Shorter routing codes are counted first, so that each has a number.
	first, known := map[int]int64{0: 0, 5: 1, 9: 100_001, 11: 1_000_100_001}[len(routing)]
	switch {
	case !known:
		return nil, fmt.Errorf("%q has %d digits", shortened(n), len(n))
	case tracking[1] > '4':
		return nil, fmt.Errorf("the second digit is %c, not 0 to 4", tracking[1])
	}
	value, _ := new(big.Int).SetString("0"+routing, 10)
	value.Add(value, big.NewInt(first))
	for i := range tracking {
		base := int64(10)
		if i == 1 {
			base = 5
		}
		value.Mul(value, big.NewInt(base)).Add(value, big.NewInt(int64(tracking[i]-'0')))
	}
	return &Bars{Post: &Post{imailStates(imailCharacters(value)), imailSize}, Text: imailText(tracking, routing)}, nil
}

// imailCharacters are the ten characters of a value, with its checksum in them.
func imailCharacters(value *big.Int) [10]uint16 {
	sum := imailSum(value)
	var words [10]int
	rest, word := new(big.Int).Set(value), new(big.Int)
	for i := 9; i >= 0; i-- {
		base := int64(1365)
		if i == 9 {
			base = 636
		}
		rest.DivMod(rest, big.NewInt(base), word)
		words[i] = int(word.Int64())
	}
	words[9] *= 2
	if sum&(1<<10) != 0 {
		words[0] += 659
	}
	fives, twos := imailTable(5), imailTable(2)
	var characters [10]uint16
	for i, w := range words {
		if w < len(fives) {
			characters[i] = fives[w]
		} else {
			characters[i] = twos[w-len(fives)]
		}
		if sum&(1<<i) != 0 {
			characters[i] ^= 0x1FFF
		}
	}
	return characters
}

// imailSum is the checksum of 11 bits over the 102 bits of a value.
func imailSum(value *big.Int) int {
	sum := 0x7FF
	for i := 101; i >= 0; i-- {
		top := sum >> 10 & 1
		sum = sum << 1 & 0x7FF
		if top != int(value.Bit(i)) {
			sum ^= 0xF35 & 0x7FF
		}
	}
	return sum
}

// imailTable are the numbers of 13 bits of which some are set: pairs that mirror
// each other first, those that mirror themselves from the end.
func imailTable(set int) []uint16 {
	var pairs, alone []uint16
	for v := range uint16(1 << 13) {
		mirrored := bits.Reverse16(v) >> 3
		switch {
		case bits.OnesCount16(v) != set || mirrored < v:
		case mirrored == v:
			alone = append([]uint16{v}, alone...)
		default:
			pairs = append(pairs, v, mirrored)
		}
	}
	return append(pairs, alone...)
}

func imailStates(characters [10]uint16) string {
	set := func(place string) bool {
		bit := 0
		for _, d := range place[1:] {
			bit = bit*10 + int(d-'0')
		}
		return characters[place[0]-'A']&(1<<bit) != 0
	}
	up, down := strings.Fields(imailUp), strings.Fields(imailDown)
	states := make([]byte, len(up))
	for i := range states {
		states[i] = state(set(up[i]), set(down[i]))
	}
	return string(states)
}

// imailText parts the digits into the fields that they are: identifier, service,
// mailer (nine digits where the first is a 9), serial number and ZIP code.
func imailText(tracking, routing string) string {
	mailer := 11
	if tracking[5] == '9' {
		mailer = 14
	}
	parts := []string{tracking[:2], tracking[2:5], tracking[5:mailer], tracking[mailer:]}
	for _, end := range []int{5, 9, 11} {
		if start := map[int]int{5: 0, 9: 5, 11: 9}[end]; len(routing) >= end {
			parts = append(parts, routing[start:end])
		}
	}
	return strings.Join(parts, " ")
}
