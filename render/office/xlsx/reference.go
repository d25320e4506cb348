package xlsx

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// Limits of Excel ("Excel specifications and limits", Microsoft).
const (
	MostRows    = 1_048_576
	MostColumns = 16_384
	mostText    = 32_767 // UTF-16 units in a cell
	mostLinks   = 65_530 // in a sheet
	mostLevel   = 7      // of an outline
	mostName    = 31     // characters in the name of a sheet
	mostWidth   = 255.0  // of a column, in characters
	mostHeight  = 409.0  // of a row, in points
	mostHeader  = 255    // characters of a header or footer
)

// Ref is the reference of a cell, both counted from 1: Ref(2, 28) is AB2.
func Ref(row, column int) string { return ColumnName(column) + strconv.Itoa(row) }

// ColumnName is the name of a column counted from 1: A to XFD.
func ColumnName(column int) string {
	var name []byte
	for ; column > 0; column = (column - 1) / 26 {
		name = append([]byte{byte('A' + (column-1)%26)}, name...)
	}
	return string(name)
}

// Serial is a moment as Excel counts it: days since 30 December 1899, by the
// clock of t's zone. It has none before 1 March 1900: Excel takes 1900 for a leap
// year.
func Serial(t time.Time) (days float64, ok bool) {
	local := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
	if local.Before(time.Date(1900, 3, 1, 0, 0, 0, 0, time.UTC)) || t.Year() > 9999 {
		return 0, false
	}
	day := local.Truncate(24 * time.Hour)
	whole := (day.Unix() - time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).Unix()) / (24 * 60 * 60)
	return float64(whole) + local.Sub(day).Hours()/24, true
}

// SheetName makes a name that a sheet may have of any text, other than those that
// are taken: at most 31 characters, none of : \ / ? * [ ], no apostrophe at its
// ends.
func SheetName(text string, taken func(name string) bool) string {
	clean := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:\/?*[]`, r) || r < ' ' {
			return ' '
		}
		return r
	}, text)
	clean = strings.Trim(strings.Join(strings.Fields(clean), " "), "' ")
	if clean == "" || strings.EqualFold(clean, "History") { // which Excel keeps for itself
		clean = strings.TrimSpace("Sheet " + clean)
	}
	name := cut(clean, mostName)
	for n := 2; taken(name); n++ {
		suffix := " (" + strconv.Itoa(n) + ")"
		name = cut(clean, mostName-len(suffix)) + suffix
	}
	return name
}

// cut shortens a text to a number of UTF-16 units, without half a character.
func cut(text string, most int) string {
	units := 0
	for at, r := range text {
		if units += utf16.RuneLen(max(r, 0)); units > most {
			return strings.TrimRight(text[:at], "' ")
		}
	}
	return text
}
