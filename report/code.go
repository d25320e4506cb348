package report

import "regexp"

var codePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

// IsCode reports whether a text can be the code of a resource: letters, digits,
// "-" and "_", at least one of them no digit. Codes are compared without case.
func IsCode(s string) bool { return codePattern.MatchString(s) && !isDigits(s) }

// IsID reports whether a path segment or option is an ID: digits only.
func IsID(s string) bool { return isDigits(s) }

// checkCode is the problem of a code that breaks the rule, if any.
func checkCode(path, code string) Problems {
	if IsCode(code) {
		return nil
	}
	return Problems{Problemf(path, "%q is no code; accepted: 1 to 100 letters, digits, - and _, at least one of them no digit", code)}
}
