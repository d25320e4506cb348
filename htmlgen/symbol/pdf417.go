package symbol

import (
	"fmt"
	"math/big"
	"strconv"
)

// PDF417 (ISO/IEC 15438) is rows of codewords, each of four bars and four spaces
// over seventeen modules; rows begin and end with a codeword that says where
// they stand.

const (
	pdf417Words  = 929 // codewords are numbers below it, which is prime
	pdf417Pad    = 900
	pdf417Text   = 900 // latches: two characters a codeword,
	pdf417Bytes  = 901 // bytes, of which the last few stand alone,
	pdf417Digits = 902 // and digits, 44 in fifteen codewords
	pdf417Six    = 924 // bytes, in sixes
	pdf417Start  = "11111111010101000"
	pdf417Stop   = "111111101000101001"
)

// pdf417Shape is how many codewords a code may have in width, in height and in all.
const pdf417Columns, pdf417Rows, pdf417Room = 30, 90, 928

func encodePDF417(text string) (*Matrix, error) {
	data, err := latin1(text)
	if err != nil {
		return nil, err
	}
	words := pdf417Compact(data)
	level := pdf417Level(len(words))
	checks := 2 << level
	if n := 1 + len(words) + checks; n > pdf417Room {
		return nil, fmt.Errorf("the text needs %d codewords, and there is room for %d", n, pdf417Room)
	}
	columns, rows := pdf417Size(1 + len(words) + checks)
	for 1+len(words)+checks < columns*rows {
		words = append(words, pdf417Pad)
	}
	words = append([]int{len(words) + 1}, words...)
	words = append(words, pdf417Checks(words, checks)...)
	m := &Matrix{Quiet: 2, RowHeight: 3, Text: printable(text)}
	for row := range rows {
		m.Rows = append(m.Rows, pdf417Row(words[row*columns:(row+1)*columns], row, rows, level))
	}
	return m, nil
}

// pdf417Row is a row of codewords between those that say which of how many rows
// it is, how wide they are, and how much error correction there is.
func pdf417Row(words []int, row, rows, level int) []bool {
	says := [3]int{(rows - 1) / 3, level*3 + (rows-1)%3, len(words) - 1}
	cluster, first := row%3, row/3*30
	code := pdf417Start + pdf417Pattern(cluster, first+says[cluster])
	for _, w := range words {
		code += pdf417Pattern(cluster, w)
	}
	code += pdf417Pattern(cluster, first+says[(cluster+2)%3]) + pdf417Stop
	modules := make([]bool, len(code))
	for i := range modules {
		modules[i] = code[i] == '1'
	}
	return modules
}

func pdf417Pattern(cluster, word int) string {
	inner, _ := strconv.ParseUint(pdf417Patterns[cluster][word*3:word*3+3], 32, 16)
	return fmt.Sprintf("1%015b0", inner)
}

// pdf417Level is the error correction that the standard recommends for so many
// codewords of data (annex E).
func pdf417Level(words int) int {
	switch {
	case words <= 40:
		return 2
	case words <= 160:
		return 3
	case words <= 320:
		return 4
	}
	return 5
}

// pdf417Size is the number of columns and rows for so many codewords that comes
// nearest to three times as wide as high, wide enough for what is left over.
func pdf417Size(words int) (columns, rows int) {
	best := 0.0
	for c := 1; c <= pdf417Columns; c++ {
		r := max(3, (words+c-1)/c)
		if r > pdf417Rows || c*r > pdf417Room {
			continue
		}
		width, height := float64(17*c+69), float64(3*r)
		off := max(width/(3*height), 3*height/width)
		if columns == 0 || off < best {
			columns, rows, best = c, r, off
		}
	}
	return columns, rows
}

// pdf417Checks are the codewords by which damaged ones are mended: the remainder
// of the data, as a polynomial, by the one with the powers of 3 as its roots.
func pdf417Checks(words []int, count int) []int {
	generator := []int{1} // from the highest power
	root := 1
	for range count {
		root = root * 3 % pdf417Words
		next := append(generator, 0)
		for i := len(next) - 1; i > 0; i-- {
			next[i] = (next[i] + (pdf417Words-root)*next[i-1]) % pdf417Words
		}
		generator = next
	}
	rest := make([]int, count)
	for _, w := range words {
		lead := (w + rest[0]) % pdf417Words
		copy(rest, rest[1:])
		rest[count-1] = 0
		for i := range rest {
			rest[i] = (rest[i] + (pdf417Words-lead)*generator[i+1]) % pdf417Words
		}
	}
	for i, r := range rest {
		rest[i] = (pdf417Words - r) % pdf417Words
	}
	return rest
}

// pdf417Compact writes bytes as codewords: long runs of digits as numbers, text
// as pairs of characters, the rest as bytes.
func pdf417Compact(data []byte) []int {
	var words []int
	for len(data) > 0 {
		if n := runOf(data, isDigit); n >= 13 {
			words = append(words, pdf417Digits)
			words = append(words, pdf417Numbers(data[:n])...)
			data = data[n:]
			continue
		}
		if n := textBeforeDigits(data); n > 0 {
			words = append(words, pdf417Text)
			words = append(words, pdf417Characters(data[:n])...)
			data = data[n:]
			continue
		}
		n := runOf(data, func(c byte) bool { return !isPDF417Text(c) })
		words = append(words, pdf417Binary(data[:n])...)
		data = data[n:]
	}
	return words
}

// textBeforeDigits is how many characters of text stand before other bytes or a
// run of digits that is worth numbers.
func textBeforeDigits(data []byte) int {
	n := 0
	for n < len(data) && isPDF417Text(data[n]) {
		run := runOf(data[n:], isDigit)
		if run >= 13 {
			break
		}
		n += max(1, run)
	}
	return n
}

func runOf(data []byte, is func(byte) bool) int {
	n := 0
	for n < len(data) && is(data[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isPDF417Text(c byte) bool {
	return c == '\t' || c == '\n' || c == '\r' || c >= 32 && c < 127
}

// pdf417Numbers writes digits as numbers to the base 900, behind a 1 that keeps
// their leading zeros.
func pdf417Numbers(digits []byte) []int {
	var words []int
	base, rest := big.NewInt(900), new(big.Int)
	for len(digits) > 0 {
		n := min(44, len(digits))
		number, _ := new(big.Int).SetString("1"+string(digits[:n]), 10)
		group := make([]int, n/3+1)
		for i := len(group) - 1; i >= 0; i-- {
			number.DivMod(number, base, rest)
			group[i] = int(rest.Int64())
		}
		words = append(words, group...)
		digits = digits[n:]
	}
	return words
}

// pdf417Binary writes bytes: six in five codewords, the last few one in each.
func pdf417Binary(data []byte) []int {
	words := []int{pdf417Bytes}
	if len(data)%6 == 0 {
		words[0] = pdf417Six
	}
	for ; len(data) >= 6; data = data[6:] {
		value := 0
		for _, c := range data[:6] {
			value = value<<8 | int(c)
		}
		var group [5]int
		for i := 4; i >= 0; i-- {
			group[i] = value % 900
			value /= 900
		}
		words = append(words, group[:]...)
	}
	for _, c := range data {
		words = append(words, int(c))
	}
	return words
}

// The sub-modes of text: capitals, small letters, and digits with some signs; a
// sign of the fourth set always takes a shift of its own.
const (
	pdf417Upper = iota
	pdf417Lower
	pdf417Mixed
	pdf417PunctShift = 29
)

const (
	pdf417MixedSet = "0123456789&\r\t,:#-.$/+%*=^"
	pdf417PunctSet = ";<>@[\\]_`~!\r\t,:\n-.$/\"|*()?{}'"
)

// pdf417Latches lead from one sub-mode to another.
var pdf417Latches = [3][3][]int{
	pdf417Upper: {pdf417Lower: {27}, pdf417Mixed: {28}},
	pdf417Lower: {pdf417Upper: {28, 28}, pdf417Mixed: {28}},
	pdf417Mixed: {pdf417Upper: {28}, pdf417Lower: {27}},
}

// pdf417Characters writes text, two characters a codeword.
func pdf417Characters(text []byte) []int {
	mode := pdf417Upper
	var values []int
	for _, c := range text {
		to, value := pdf417Character(c, mode)
		if to == pdf417PunctShift {
			values = append(values, pdf417PunctShift, value)
			continue
		}
		values = append(values, pdf417Latches[mode][to]...)
		values = append(values, value)
		mode = to
	}
	if len(values)%2 != 0 {
		values = append(values, pdf417PunctShift) // a shift before nothing
	}
	words := make([]int, len(values)/2)
	for i := range words {
		words[i] = values[2*i]*30 + values[2*i+1]
	}
	return words
}

// pdf417Character is the sub-mode that has a character and its value there; what
// several have stays in the one that holds.
func pdf417Character(c byte, mode int) (to, value int) {
	switch {
	case c == ' ':
		return mode, 26
	case c >= 'A' && c <= 'Z':
		return pdf417Upper, int(c - 'A')
	case c >= 'a' && c <= 'z':
		return pdf417Lower, int(c - 'a')
	}
	for i := range len(pdf417MixedSet) {
		if pdf417MixedSet[i] == c {
			return pdf417Mixed, i
		}
	}
	for i := range len(pdf417PunctSet) {
		if pdf417PunctSet[i] == c {
			return pdf417PunctShift, i
		}
	}
	panic("no character of text: " + strconv.Quote(string(c)))
}
