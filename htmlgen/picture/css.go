package picture

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	blurred = regexp.MustCompile(`(?i)(?:blur|drop-shadow)\(([^()]*)`)
	length  = regexp.MustCompile(`\d[\d.]*`)
	shadow  = regexp.MustCompile(`(?i)shadow\s*:([^;}]*)`)
	inside  = regexp.MustCompile(`\([^()]*\)`) // of colours
)

// VetCSS refuses styles that would take too long to draw.
func VetCSS(source string) error {
	for _, m := range blurred.FindAllStringSubmatch(source, -1) {
		for _, text := range length.FindAllString(m[1], -1) {
			if v, err := strconv.ParseFloat(text, 64); err == nil && v > mostBlur {
				return tooMuch("a blur of %s; accepted: %d", text, mostBlur)
			}
		}
	}
	for _, m := range shadow.FindAllStringSubmatch(source, -1) {
		list := strings.Split(inside.ReplaceAllString(inside.ReplaceAllString(m[1], ""), ""), ",")
		if len(list) > mostShadows {
			return tooMuch("%d shadows in one place; accepted: %d", len(list), mostShadows)
		}
		for _, one := range list {
			lengths := length.FindAllString(one, 3) // right, down, blur
			if len(lengths) < 3 {
				continue
			}
			if v, err := strconv.ParseFloat(lengths[2], 64); err == nil && v > mostBlur {
				return tooMuch("a shadow with a blur of %s; accepted: %d", lengths[2], mostBlur)
			}
		}
	}
	return nil
}
