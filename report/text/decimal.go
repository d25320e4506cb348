package text

import (
	"math"
	"strconv"
)

// decimal is a number as its digits, so that what was written prints as it was
// written: 0.1 is 0.1 and twenty digits stay twenty digits.
type decimal struct {
	neg    bool
	digits []byte // '0' to '9', no leading zeros; empty is zero
	point  int    // how many of the digits stand before the point; may be negative or beyond the end
	nan    bool
	inf    bool
}

// Bounds of what counts as a number, against texts like 1e999999999.
const (
	maxExponent     = 1000
	maxNumberLength = 1000
)

func (d *decimal) reset() {
	*d = decimal{digits: d.digits[:0]}
}

func (d *decimal) setInt(i int64) bool {
	d.reset()
	var buf [20]byte
	text := strconv.AppendInt(buf[:0], i, 10)
	if text[0] == '-' {
		d.neg, text = true, text[1:]
	}
	if i != 0 {
		d.digits = append(d.digits, text...)
	}
	d.point = len(d.digits)
	return true
}

// setFloat takes the shortest digits that mean the same number.
func (d *decimal) setFloat(f float64) bool {
	d.reset()
	d.neg = math.Signbit(f)
	switch {
	case math.IsNaN(f):
		d.nan, d.neg = true, false
		return true
	case math.IsInf(f, 0):
		d.inf = true
		return true
	}
	var buf [32]byte
	return d.parse(strconv.AppendFloat(buf[:0], f, 'e', -1, 64))
}

func (d *decimal) parseString(s string) bool {
	return parseDecimal(d, s)
}

func (d *decimal) parse(s []byte) bool {
	return parseDecimal(d, s)
}

// parseDecimal reads a number as JSON writes it; blanks around it, a plus sign
// and missing digits on one side of the point are allowed.
func parseDecimal[T string | []byte](d *decimal, s T) bool {
	d.reset()
	s = trimBlanks(s)
	if len(s) == 0 || len(s) > maxNumberLength {
		return false
	}
	if s[0] == '-' || s[0] == '+' {
		d.neg = s[0] == '-'
		s = s[1:]
	}
	n, seen := readDigits(d, s)
	exponent, ok := 0, true
	if n < len(s) {
		exponent, ok = readExponent(s[n:])
	}
	if !seen || !ok {
		return false
	}
	d.point += exponent
	d.trim()
	return d.point <= maxExponent && d.point >= -maxExponent
}

func trimBlanks[T string | []byte](s T) T {
	for len(s) > 0 && isBlank(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// readDigits takes the digits and the point, and says how far they go and
// whether there was a digit.
func readDigits[T string | []byte](d *decimal, s T) (n int, seen bool) {
	point := -1
	for ; n < len(s); n++ {
		switch b := s[n]; {
		case b >= '0' && b <= '9':
			d.digits = append(d.digits, b)
		case b == '.' && point < 0:
			point = len(d.digits)
		default:
			d.setPoint(point)
			return n, len(d.digits) > 0
		}
	}
	d.setPoint(point)
	return n, len(d.digits) > 0
}

func (d *decimal) setPoint(point int) {
	d.point = point
	if point < 0 {
		d.point = len(d.digits)
	}
}

// readExponent reads e+12; more than four digits are beyond any bound.
func readExponent[T string | []byte](s T) (int, bool) {
	if s[0] != 'e' && s[0] != 'E' || len(s) < 2 {
		return 0, false
	}
	s = s[1:]
	neg := s[0] == '-'
	if neg || s[0] == '+' {
		s = s[1:]
	}
	if len(s) == 0 || len(s) > 4 {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	if neg {
		n = -n
	}
	return n, true
}

// trim drops the zeros at both ends.
func (d *decimal) trim() {
	lead := 0
	for lead < len(d.digits) && d.digits[lead] == '0' {
		lead++
	}
	n := copy(d.digits, d.digits[lead:])
	d.digits = d.digits[:n]
	d.point -= lead
	for n > 0 && d.digits[n-1] == '0' {
		n--
	}
	d.digits = d.digits[:n]
	if n == 0 {
		d.point = 0
	}
}

func (d *decimal) isZero() bool { return len(d.digits) == 0 && !d.nan && !d.inf }

// scale multiplies by a power of ten.
func (d *decimal) scale(power int) {
	if len(d.digits) > 0 {
		d.point += power
	}
}

// round keeps at most a number of decimals; halves go away from zero. Negative
// places round to tens, hundreds and so on.
func (d *decimal) round(places int) {
	keep := d.point + places
	if keep >= len(d.digits) {
		return
	}
	if keep < 0 {
		d.digits, d.point = d.digits[:0], 0
		return
	}
	up := d.digits[keep] >= '5'
	d.digits = d.digits[:keep]
	if up {
		d.increment()
	}
	d.trim()
}

// increment adds one to the last digit.
func (d *decimal) increment() {
	for i := len(d.digits) - 1; i >= 0; i-- {
		if d.digits[i] < '9' {
			d.digits[i]++
			return
		}
		d.digits[i] = '0'
	}
	d.digits = append(d.digits, 0)
	copy(d.digits[1:], d.digits)
	d.digits[0] = '1'
	d.point++
}

// decimals is how many digits stand after the point.
func (d *decimal) decimals() int { return max(0, len(d.digits)-d.point) }

// integers is how many digits stand before the point; zero for 0.5.
func (d *decimal) integers() int { return max(0, d.point) }

// digit is the i-th digit counted from the first before the point; those after
// it are beyond point.
func (d *decimal) digit(i int) byte {
	if i < 0 || i >= len(d.digits) {
		return '0'
	}
	return d.digits[i]
}

// appendPlain writes the number with a point and exactly so many decimals.
func (d *decimal) appendPlain(dst []byte, places int) []byte {
	if d.neg && !d.isZero() {
		dst = append(dst, '-')
	}
	if d.point <= 0 {
		dst = append(dst, '0')
	}
	for i := range d.integers() {
		dst = append(dst, d.digit(i))
	}
	if places == 0 {
		return dst
	}
	dst = append(dst, '.')
	for i := range places {
		dst = append(dst, d.digit(d.point+i))
	}
	return dst
}
