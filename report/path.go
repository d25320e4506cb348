package report

import "strings"

// pointerPath writes a JSON pointer ("/pages/1/name") as a problem's path
// ("pages[1].name").
func pointerPath(pointer string) string {
	if pointer == "" {
		return ""
	}
	var b strings.Builder
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for _, part := range strings.Split(pointer[1:], "/") {
		part = unescape.Replace(part)
		if isDigits(part) {
			b.WriteString("[" + part + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(part)
	}
	return b.String()
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
