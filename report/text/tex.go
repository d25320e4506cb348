package text

import (
	"regexp"
	"strings"
)

// ParseTeX reads a formula of TeX as a template. Braces are TeX's own there, but around
// {$values} and around expressions with values in them, {[ … {$value} … ]}.
func ParseTeX(source string) *Template {
	var b strings.Builder
	for i := 0; i < len(source); i++ {
		rest := source[i:]
		if end := valueIn(rest); end > 0 {
			b.WriteString(rest[:end])
			i += end - 1
			continue
		}
		switch c := source[i]; {
		case c == '\\' && i+1 < len(source) && (source[i+1] == '\\' || source[i+1] == '{' || source[i+1] == '}'):
			b.WriteByte(c)
			i++
			b.WriteByte(source[i])
			if source[i] != '\\' {
				b.WriteByte(source[i])
			}
		case c == '{' || c == '}':
			b.WriteByte(c)
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return Parse(b.String())
}

// valueIn is where the value ends that a text begins with; 0 where it begins with none.
func valueIn(s string) int {
	switch {
	case strings.HasPrefix(s, "{$"):
		return strings.IndexByte(s, '}') + 1
	case strings.HasPrefix(s, "{["):
		if end := strings.Index(s, "]}"); end > 0 && strings.Contains(s[:end], "{$") {
			return end + len("]}")
		}
	}
	return 0
}

// TeX is the text of a template that is a formula of TeX, in which values are numbers or
// words. A template that is nothing but one value is what that value says.
func (t *Template) TeX(env *Env) string {
	if len(t.parts) == 1 {
		return t.Text(env)
	}
	return string(t.Append(nil, env, EscapeTeX))
}

var texNumber = regexp.MustCompile("^[-−+]?[0-9][0-9.,'’\u00a0\u202f]*%?$")

// What digits are grouped by has no room around it, unlike the signs of formulas.
var (
	texDigits = strings.NewReplacer("−", "-", ",", "{,}", "'", `\text{'}`, "’", `\text{’}`, "\u00a0", `\,`, "\u202f", `\,`, "%", `\%`)
	texWords  = strings.NewReplacer(
		`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "_", `\_`, "%", `\%`,
		"^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "\n", " ", "\r", " ",
	)
)

// asTeX is a value as a part of a formula: in braces, so that it is one thing there.
func asTeX(value string) string {
	if value == "" {
		return "{}"
	}
	if texNumber.MatchString(value) {
		return "{" + texDigits.Replace(value) + "}"
	}
	return `{\text{` + texWords.Replace(value) + `}}`
}
