package store

import (
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report"
)

// maxCode bounds codes; they stand in addresses and file names.
const maxCode = 100

// refID reads a reference: digits only is an ID, anything else a code. An ID
// that no row can have comes back as 0.
func refID(ref string) (id int, isID bool) {
	if ref == "" || strings.Trim(ref, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(ref, 10, 32)
	if err != nil {
		return 0, true
	}
	return int(n), true
}

// codeKey is the form in which codes are compared: without case.
func codeKey(code string) string { return strings.ToLower(code) }

// checkCode refuses codes that could not be told from an ID or would not
// stand in an address as they are.
func checkCode(path, code string) error {
	switch {
	case code == "":
		return report.Problemf(path, "the code is missing")
	case len(code) > maxCode:
		return report.Problemf(path, "the code has %d characters; at most %d are accepted", len(code), maxCode)
	case strings.ContainsFunc(code, func(r rune) bool { return !isCodeRune(r) }):
		return report.Problemf(path, "code %q: accepted are letters, digits, - and _", code)
	case strings.Trim(code, "0123456789") == "":
		return report.Problemf(path, "code %q: digits only mean an ID; add a letter, - or _", code)
	}
	return nil
}

func isCodeRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
}
