package picture

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	blurred = regexp.MustCompile(`(?i)(?:blur|drop-shadow)\(([^()]*)`)
	length  = regexp.MustCompile(`[\d.]+`)
	shadow  = regexp.MustCompile(`(?i)shadow\s*:([^;}]*)`)
)

// VetCSS refuses styles inside of a drawing that would take too long.
func VetCSS(source string) error {
	for _, m := range blurred.FindAllStringSubmatch(source, -1) {
		for _, text := range length.FindAllString(m[1], -1) {
			if v, err := strconv.ParseFloat(text, 64); err == nil && v > mostBlur {
				return tooMuch("a blur of %s; accepted: %d", text, mostBlur)
			}
		}
	}
	for _, m := range shadow.FindAllStringSubmatch(source, -1) {
		if n := 1 + strings.Count(m[1], ","); n > mostShadows {
			return tooMuch("%d shadows in one place; accepted: %d", n, mostShadows)
		}
	}
	return nil
}
