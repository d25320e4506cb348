package symbol

import (
	"fmt"
	"strings"
)

// Code 128 (ISO/IEC 15417): each symbol is three bars and three spaces over
// eleven modules.

// code128Widths are the widths of the symbols 0 to 105; 106 is the stop.
const code128Widths = "212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231113222123122123221223211221132221231213212223112312131311222321122321221312212322112322211212123212321232121111323131123131321112313132113132311211313231113231311112133112331132131113123113321133121313121211331231131213113213311213131311123311321331121312113312311332111314111221411431111111224111422121124121421141122141221112214112412122114122411142112142211241211221114413111241112134111111242121142121241114212124112124211411212421112421211212141214121412121111143111341131141114113114311411113411311113141114131311141411131211412211214211232"

const code128Stop = "2331112"

// Special symbols.
const (
	code128Shift = 98
	code128ToC   = 99
	code128ToB   = 100
	code128ToA   = 101
	code128FNC1  = 102
	code128Start = 103 // of set A; B and C follow
)

// The code sets.
const (
	setA = iota
	setB
	setC
)

// fnc1 stands for the function character in texts.
const fnc1 = '\u00f1'

func encodeCode128(text string) (*Bars, error) {
	if err := ascii(text); err != nil {
		return nil, err
	}
	return code128(code128Values([]rune(text)), text)
}

func ascii(text string) error {
	for _, r := range text {
		if r > 127 {
			return fmt.Errorf("%q is no ASCII character", r)
		}
	}
	if n := len(text); n > 80 {
		return fmt.Errorf("the text has %d characters", n)
	}
	return nil
}

func encodeCode128A(text string) (*Bars, error) { return code128InSet(text, setA) }
func encodeCode128B(text string) (*Bars, error) { return code128InSet(text, setB) }

func code128InSet(text string, set int) (*Bars, error) {
	if err := ascii(text); err != nil {
		return nil, err
	}
	values := []int{code128Start + set}
	for _, r := range text {
		v := setValue(r, set)
		if v < 0 {
			return nil, fmt.Errorf("%q is not among its characters", r)
		}
		values = append(values, v)
	}
	return code128(values, text)
}

func encodeCode128C(text string) (*Bars, error) {
	if err := digits(text); err != nil {
		return nil, err
	}
	if len(text)%2 != 0 || len(text) > 160 {
		return nil, fmt.Errorf("%q has %d digits", shortened(text), len(text))
	}
	values := []int{code128Start + setC}
	for i := 0; i < len(text); i += 2 {
		values = append(values, pair(text[i], text[i+1]))
	}
	return code128(values, text)
}

func pair(a, b byte) int { return int(a-'0')*10 + int(b-'0') }

// setValue is the value of a character in set A or B, or -1.
func setValue(r rune, set int) int {
	switch {
	case r == fnc1:
		return code128FNC1
	case set == setA && r < 32:
		return int(r) + 64
	case r >= 32 && r < 96:
		return int(r) - 32
	case set == setB && r >= 96 && r < 128:
		return int(r) - 32
	}
	return -1
}

// code128Values encodes a text in as few symbols as the usual rules give (annex
// E of the standard): digits in pairs where that is shorter, else set B, and set
// A for control characters.
func code128Values(text []rune) []int {
	set := -1
	var values []int
	change := func(to int) {
		switch {
		case set == to:
		case set < 0:
			values = append(values, code128Start+to)
		default:
			values = append(values, [...]int{code128ToA, code128ToB, code128ToC}[to])
		}
		set = to
	}
	for i := 0; i < len(text); {
		n := digitRun(text[i:])
		if set == setC && n >= 2 || enoughDigits(n, i, len(text)) {
			if n%2 != 0 && set != setC {
				// An odd digit goes before the pairs.
				change(plainSet(text[i:]))
				values = append(values, setValue(text[i], set))
				i++
				n--
			}
			change(setC)
			for ; n >= 2; n -= 2 {
				values = append(values, pair(byte(text[i]), byte(text[i+1])))
				i += 2
			}
			continue
		}
		if text[i] == fnc1 {
			if set < 0 {
				change(startSet(text[1:]))
			}
			values = append(values, code128FNC1)
			i++
			continue
		}
		if set != setA && set != setB || setValue(text[i], set) < 0 {
			change(plainSet(text[i:]))
		}
		values = append(values, setValue(text[i], set))
		i++
	}
	return values
}

// startSet is the set that what follows a leading function character begins in.
func startSet(rest []rune) int {
	if digitRun(rest) >= 2 {
		return setC
	}
	return plainSet(rest)
}

// enoughDigits reports whether a run of digits is worth changing to set C: four
// at either end of the text, two when they are all of it, six inside.
func enoughDigits(n, at, length int) bool {
	switch {
	case n == length:
		return n >= 2
	case at == 0 || at+n == length:
		return n >= 4
	}
	return n >= 6
}

func digitRun(text []rune) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

// plainSet is A when a control character comes before the next small letter.
func plainSet(text []rune) int {
	for _, r := range text {
		switch {
		case r < 32:
			return setA
		case r >= 96 && r < 128:
			return setB
		}
	}
	return setB
}

// code128 adds the check symbol and writes the bars.
func code128(values []int, text string) (*Bars, error) {
	sum := values[0]
	for i, v := range values[1:] {
		sum += (i + 1) * v
	}
	var b strings.Builder
	for _, v := range append(values, sum%103) {
		runs(&b, code128Widths[v*6:v*6+6])
	}
	runs(&b, code128Stop)
	return &Bars{Modules: b.String(), Quiet: [2]int{10, 10}, Text: printable(text)}, nil
}

// printable leaves control characters out of the text below the bars.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 32 || r == 127 {
			return -1
		}
		return r
	}, text)
}

// shortened keeps a text short enough for a message.
func shortened(text string) string {
	if r := []rune(text); len(r) > 30 {
		return string(r[:30]) + "…"
	}
	return text
}
