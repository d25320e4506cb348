package report

import "unicode"

// Hides reports whether a character of a file's name shows as nothing or turns
// the direction of writing, and so can hide an ending: a<U+202E>gnp.exe reads
// as aexe.png. What joins letters of Persian and parts of emoji is no such one.
func Hides(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return r != nonJoiner && r != joiner && unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
}
