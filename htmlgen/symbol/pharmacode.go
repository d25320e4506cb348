package symbol

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Pharmacode: a whole number as wide and narrow bars, two modules apart.

func encodePharmacode(text string) (*Bars, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 3 || n > 131070 {
		return nil, fmt.Errorf("not %q", shortened(text))
	}
	shown := strconv.Itoa(n)
	var bars []string
	for n > 0 {
		if n%2 == 0 {
			bars = append(bars, "111")
			n = (n - 2) / 2
		} else {
			bars = append(bars, "1")
			n = (n - 1) / 2
		}
	}
	slices.Reverse(bars)
	return &Bars{Modules: strings.Join(bars, "00"), Quiet: [2]int{6, 6}, Text: shown}, nil
}
