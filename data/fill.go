package data

import (
	"strings"

	"github.com/quire-reports/quire/report/text"
)

// fill replaces the placeholders of a setting that is itself JSON, an address
// or SQL, where braces of other kinds are ordinary characters: only {$…} and
// {[…]} count. Write appends a value for its place.
func fill(template string, env *text.Env, write func(out *strings.Builder, v any) error) (string, error) {
	var out strings.Builder
	for {
		start, end := findPlaceholder(template)
		if start < 0 {
			out.WriteString(template)
			return out.String(), nil
		}
		out.WriteString(template[:start])
		if err := write(&out, text.Parse(template[start:end]).Value(env)); err != nil {
			return "", err
		}
		template = template[end:]
	}
}

// findPlaceholder is where the first placeholder begins and ends, or -1.
func findPlaceholder(s string) (start, end int) {
	for at := 0; at < len(s); at++ {
		if s[at] != '{' || at+1 == len(s) {
			continue
		}
		closing := ""
		switch s[at+1] {
		case '$':
			closing = "}"
		case '[':
			closing = "]}"
		default:
			continue
		}
		if n := strings.Index(s[at:], closing); n > 0 {
			return at, at + n + len(closing)
		}
	}
	return -1, -1
}
