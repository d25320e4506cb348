// Package hyphen divides words where their language does. It has the patterns of
// TeX for the languages whose patterns may be given on (see LICENSES in this
// folder), reads them by Liang's algorithm, and puts soft hyphens (U+00AD) into text.
package hyphen

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Soft is the soft hyphen: nothing, but where a line ends at it.
const Soft = '\u00AD'

// Hyphenator divides words of one language. It is safe for use by several
// goroutines; what it was made from is read when the language is first asked for.
type Hyphenator struct {
	left, right int // letters that stay together at the ends of a word
	trie        trie
	exceptions  map[string][]int // places in runes
	apostrophe  bool             // it is a letter of words
}

// longest is the length of the longest word that is looked at, in runes: what is
// longer is no word.
const longest = 100

// Places are the places in a word at which it may be divided, in runes from its
// beginning, in order. There are none where a letter is not one of the language's.
func (h *Hyphenator) Places(word string) []int {
	var w word32
	if !w.read(h, word) {
		return nil
	}
	return w.places(h)
}

// word32 is a word as it is being divided.
type word32 struct {
	runes  [longest + 2]rune // in lower case, between full stops
	marks  [longest + 2]bool // letters that stand upon the one before
	levels [longest + 3]uint8
	n      int // of letters
	found  [longest]int
}

// read takes the letters of a word, and says whether all belong to the language.
func (w *word32) read(h *Hyphenator, s string) bool {
	w.n = 0
	w.runes[0] = '.'
	for _, r := range s {
		if w.n >= longest {
			return false
		}
		w.n++
		r = h.lower(r)
		if !h.trie.knows(r) {
			return false
		}
		w.runes[w.n], w.marks[w.n] = r, unicode.IsMark(r) || isJoiner(r)
	}
	w.runes[w.n+1] = '.'
	return w.n >= h.left+h.right
}

func (h *Hyphenator) lower(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf:
		return r
	case r == '’' && !h.trie.knows(r):
		return '\''
	}
	return unicode.ToLower(r)
}

func (w *word32) places(h *Hyphenator) []int {
	if len(h.exceptions) > 0 {
		if at, ok := h.exceptions[string(w.runes[1:w.n+1])]; ok {
			return at
		}
	}
	letters := w.runes[:w.n+2]
	clear(w.levels[:w.n+3])
	for from := range letters {
		h.trie.raise(letters[from:], w.levels[from:])
	}
	found := w.found[:0]
	for at := h.left; at <= w.n-h.right; at++ {
		if w.levels[at+1]%2 == 1 && !w.marks[at+1] && w.runes[at] != '\'' && w.runes[at] != '’' {
			found = append(found, at)
		}
	}
	return found
}

// isJoiner says whether a character joins or parts letters of one syllable.
func isJoiner(r rune) bool { return r == '\u200C' || r == '\u200D' }

// parts says whether a character stands between words: blanks, and dashes with no
// hyphen's meaning.
func parts(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' '
	}
	return unicode.IsSpace(r) || r == '–' || r == '—' || r == '…'
}

// isPlain says whether what stands between blanks is words: not an address, a code
// or a name in which every character counts.
func isPlain(s string) bool {
	lower, letter := false, false
	var before rune
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z':
			if before == '.' && letter || before == ':' && letter {
				return false
			}
			lower, letter = true, true
		case r < utf8.RuneSelf && strings.ContainsRune(`0123456789@/\_&#=%+<>~*$|^{}[]`, r):
			return false
		case r == Soft, r == '\u200B', r == '\u2060', r == '\uFEFF':
			return false
		case unicode.IsUpper(r):
			if letter && before != '-' && before != '\'' && before != '’' && before != '(' {
				return false
			}
			letter = true
		case unicode.IsLetter(r):
			if before == '.' && letter {
				return false
			}
			lower, letter = true, true
		case unicode.IsDigit(r):
			return false
		}
		before = r
	}
	return lower
}

// appendPlain appends what isPlain, dividing the words that hyphens and marks part.
func (h *Hyphenator) appendPlain(dst []byte, s string, least int) []byte {
	start := -1
	for i, r := range s {
		if h.isLetter(r) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			dst = h.appendWord(dst, s[start:i], least)
			start = -1
		}
		dst = utf8.AppendRune(dst, r)
	}
	if start >= 0 {
		dst = h.appendWord(dst, s[start:], least)
	}
	return dst
}

func (h *Hyphenator) isLetter(r rune) bool {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
		return true
	}
	if r == '\'' || r == '’' {
		return h.apostrophe
	}
	return r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r) || isJoiner(r))
}

func (h *Hyphenator) appendWord(dst []byte, word string, least int) []byte {
	bare := strings.TrimRight(word, "'’") // a quotation mark at its end
	var w word32
	if len(bare) < least || !w.read(h, bare) || w.n < least {
		return append(dst, word...)
	}
	places := w.places(h)
	at := 0
	for i, r := range bare {
		if len(places) > 0 && places[0] == at {
			dst, places = utf8.AppendRune(dst, Soft), places[1:]
		}
		dst = append(dst, bare[i:i+utf8.RuneLen(r)]...)
		at++
	}
	return append(dst, word[len(bare):]...)
}
