package report

import (
	"fmt"
	"slices"
	"strings"
)

// suggestion is the end of a message about an unknown name: the accepted name
// that is nearest, or all of them.
func suggestion(name string, accepted []string) string {
	if near := Nearest(name, accepted); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	sorted := slices.Clone(accepted)
	slices.Sort(sorted)
	return "; accepted: " + strings.Join(sorted, ", ")
}

// Nearest is the accepted name that a misspelt one most likely means, or "".
func Nearest(name string, accepted []string) string {
	best, bestDistance := "", 2+min(len(name)/5, 2)
	for _, a := range accepted {
		if d := editDistance(strings.ToLower(name), strings.ToLower(a)); d < bestDistance {
			best, bestDistance = a, d
		}
	}
	return best
}

// editDistance is the Levenshtein distance in bytes.
func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
