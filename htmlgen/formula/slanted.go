package formula

import "unicode/utf8"

// Slanted are the letters by which browsers draw an identifier: one letter is slanted.
func Slanted(identifier string) string {
	r, size := utf8.DecodeRuneInString(identifier)
	if size == 0 || size != len(identifier) {
		return ""
	}
	switch {
	case r == 'h':
		return "ℎ"
	case r >= 'A' && r <= 'Z':
		return string(0x1d434 + r - 'A')
	case r >= 'a' && r <= 'z':
		return string(0x1d44e + r - 'a')
	case r >= 'Α' && r <= 'Ω':
		return string(0x1d6e2 + r - 'Α')
	case r >= 'α' && r <= 'ω':
		return string(0x1d6fc + r - 'α')
	case r == 'ı':
		return "\U0001d6a4"
	case r == 'ȷ':
		return "\U0001d6a5"
	}
	for i, sign := range []rune("∂ϵϑϰϕϱϖ") {
		if r == sign {
			return string(rune(0x1d715 + i))
		}
	}
	if r == '∇' {
		return "\U0001d6fb"
	}
	if r == 'ϴ' {
		return "\U0001d6f3"
	}
	return ""
}
