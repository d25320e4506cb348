package symbol

import (
	"fmt"
	"regexp"
	"strings"
)

// Postal codes have bars of one width in four states: full (F), up from the
// middle (A), down from it (D), and the middle alone (T), which they all have.
// Their sizes are those of the standard of each post, whatever a report says.

// Post is a code of four states.
type Post struct {
	States string // the bars from left to right, each F, A, D or T
	Size   PostSize
}

// PostSize are the lengths of a code in millimetres.
type PostSize struct {
	Bar     float64    // width of a bar
	Pitch   float64    // from a bar to the next
	Tracker float64    // height of a tracker
	Reach   float64    // how far bars go up or down from it
	Clear   [2]float64 // that stay light beside the code, and above and below it
}

// postPitch is 22 bars an inch, in the middle of what the posts of the United
// States, Britain and the Netherlands read (20 to 24).
const postPitch = 25.4 / 22

// rm4Size is that of the Royal Mail (Mailmark barcode definition, 4.2: bars of
// 0.38 to 0.63 mm, trackers of 1.02 to 1.52 mm, full bars of 4.22 to 5.84 mm,
// 2 mm light all around), which PostNL has taken over.
var rm4Size = PostSize{Bar: 0.5, Pitch: postPitch, Tracker: 1.27, Reach: 1.88, Clear: [2]float64{2, 2}}

// rm4States are the bars of a character: two of the four go up and two down, in
// each of the six ways, which are also the columns and rows of the check sum.
var (
	rm4Characters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	rm4Halves     = [6]string{"0011", "0101", "0110", "1001", "1010", "1100"}
)

// rm4Bars are the bars of the character of a number.
func rm4Bars(n int) string {
	up, down := rm4Halves[n/6], rm4Halves[n%6]
	bars := make([]byte, 4)
	for i := range bars {
		bars[i] = state(up[i] == '1', down[i] == '1')
	}
	return string(bars)
}

func state(up, down bool) byte {
	switch {
	case up && down:
		return 'F'
	case up:
		return 'A'
	case down:
		return 'D'
	}
	return 'T'
}

// encodeRM4SCC is the customer code of the Royal Mail: a start, the postcode and
// the delivery point, a check character and a stop.
func encodeRM4SCC(text string) (*Bars, error) {
	n, err := capitals(text)
	if err != nil {
		return nil, err
	}
	if n == "" || len(n) > 9 {
		return nil, fmt.Errorf("%q has %d characters", shortened(n), len(n))
	}
	var b strings.Builder
	b.WriteByte('A')
	rows, columns := 0, 0
	for i := range n {
		v := strings.IndexByte(rm4Characters, n[i])
		rows, columns = rows+v/6+1, columns+v%6+1
		b.WriteString(rm4Bars(v))
	}
	b.WriteString(rm4Bars((rows+5)%6*6 + (columns+5)%6))
	b.WriteByte('F')
	return &Bars{Post: &Post{b.String(), rm4Size}, Text: n}, nil
}

// kix is a Dutch address: the postcode, the number of the house, the box or the
// reply, and what is added to it behind an X.
var kix = regexp.MustCompile(`^[0-9]{4}[A-Z]{2}[0-9]{1,5}(X[0-9A-Z]{1,6})?$`)

// encodeKIX is the customer index of PostNL: the characters of RM4SCC alone.
func encodeKIX(text string) (*Bars, error) {
	n, err := capitals(text)
	if err != nil {
		return nil, err
	}
	if !kix.MatchString(n) {
		return nil, fmt.Errorf("%q is no such address", shortened(n))
	}
	var b strings.Builder
	for i := range n {
		b.WriteString(rm4Bars(strings.IndexByte(rm4Characters, n[i])))
	}
	return &Bars{Post: &Post{b.String(), rm4Size}, Text: n}, nil
}

// capitals is a text of letters and digits as these codes have it.
func capitals(text string) (string, error) {
	n := strings.ToUpper(unspaced(text))
	for _, r := range n {
		if !strings.ContainsRune(rm4Characters, r) {
			return "", fmt.Errorf("%q is no capital and no digit", r)
		}
	}
	return n, nil
}
