package font

import (
	"slices"
	"strings"
	"unicode/utf16"
)

// Names of a font that say its family: the fourth of them is the one that style
// sheets mean, where a font has it.
const (
	nameFamily      = 1
	nameTypographic = 16
)

// mostNames bounds how many entries of a table of names are read.
const mostNames = 2_000

// families are the family's name in English and in all languages.
func families(table []byte) (first string, all []string) {
	if len(table) < 6 {
		return "", nil
	}
	count, storage := int(u16(table, 2)), int(u16(table, 4))
	var best int
	for i := range min(count, mostNames) {
		e := 6 + 12*i
		id, platform, lang := u16(table, e+6), u16(table, e), u16(table, e+4)
		from := storage + int(u16(table, e+10))
		to := from + int(u16(table, e+8))
		if id != nameFamily && id != nameTypographic || e+12 > len(table) || to > len(table) {
			continue
		}
		s := nameText(table[from:to], platform)
		if s == "" {
			continue
		}
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
		rank := 1
		if platform != 1 && lang&0xff == 9 {
			rank = 2
		}
		if id == nameTypographic {
			rank += 2
		}
		if rank > best {
			best, first = rank, s
		}
	}
	return first, all
}

// nameText is a name as text: of the Macintosh's only what is ASCII.
func nameText(b []byte, platform uint16) string {
	if platform == 1 {
		for _, c := range b {
			if c < ' ' || c > '~' {
				return ""
			}
		}
		return string(b)
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = u16(b, 2*i)
	}
	return strings.TrimSpace(string(utf16.Decode(units)))
}
