package symbol

import "strings"

// Code 93 (AIM BC5): nine modules a character, two check characters. The four
// shifts write what is not among the 43 characters.

const code93Characters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%"

// The shifts follow the characters.
const (
	code93Dollar = 43 + iota
	code93Percent
	code93Slash
	code93Plus
)

var code93Patterns = strings.Fields(`
	100010100 101001000 101000100 101000010 100101000 100100100 100100010 101010000 100010010 100001010
	110101000 110100100 110100010 110010100 110010010 110001010 101101000 101100100 101100010 100110100
	100011010 101011000 101001100 101000110 100101100 100010110 110110100 110110010 110101100 110100110
	110010110 110011010 101101100 101100110 100110110 100111010 100101110 111010100 111010010 111001010
	101101110 101110110 110101110 100100110 111011010 111010110 100110010`)

const code93Stop = "101011110"

func encodeCode93(text string) (*Bars, error) {
	if err := ascii(text); err != nil {
		return nil, err
	}
	var values []int
	for i := range len(text) {
		values = append(values, code93Values(text[i])...)
	}
	values = append(values, code93Check(values, 20))
	values = append(values, code93Check(values, 15))
	var b strings.Builder
	b.WriteString(code93Stop)
	for _, v := range values {
		b.WriteString(code93Patterns[v])
	}
	b.WriteString(code93Stop + "1")
	return &Bars{Modules: b.String(), Quiet: [2]int{10, 10}, Text: printable(text)}, nil
}

// code93Values is a character, with a shift before it where it needs one.
func code93Values(c byte) []int {
	if at := strings.IndexByte(code93Characters, c); at >= 0 {
		return []int{at}
	}
	letter := func(shift int, n byte) []int { return []int{shift, 10 + int(n)} }
	switch {
	case c == 0:
		return letter(code93Percent, 'U'-'A')
	case c <= 26:
		return letter(code93Dollar, c-1)
	case c <= 31:
		return letter(code93Percent, c-27)
	case c <= 44:
		return letter(code93Slash, c-33)
	case c == ':':
		return letter(code93Slash, 'Z'-'A')
	case c <= '?':
		return letter(code93Percent, c-';'+'F'-'A')
	case c == '@':
		return letter(code93Percent, 'V'-'A')
	case c <= '_':
		return letter(code93Percent, c-'['+'K'-'A')
	case c == '`':
		return letter(code93Percent, 'W'-'A')
	case c <= 'z':
		return letter(code93Plus, c-'a')
	}
	return letter(code93Percent, c-'{'+'P'-'A')
}

// code93Check weighs the values from the right, 1 to a bound and over again.
func code93Check(values []int, bound int) int {
	sum := 0
	for i := range values {
		weight := (len(values)-1-i)%bound + 1
		sum += weight * values[i]
	}
	return sum % 47
}
