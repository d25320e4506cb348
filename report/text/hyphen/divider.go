package hyphen

import (
	"strings"
	"unicode/utf8"
)

// Divider divides texts of one language, and remembers the words that it met: texts
// and columns of tables say the same ones again. It is for one goroutine.
type Divider struct {
	h     *Hyphenator
	words map[asked]string
	room  []byte
}

// asked is what stands between blanks, and from how many letters on it is divided.
type asked struct {
	word  string
	least int
}

// mostWords bounds what is remembered.
const mostWords = 20_000

// Divider is a Divider of the language.
func (h *Hyphenator) Divider() *Divider { return &Divider{h: h, words: map[asked]string{}} }

// Append appends text with soft hyphens in its words of at least so many letters.
// Words that are no words are left as they are: those with digits, addresses, codes,
// names of programs, those in capitals or with capitals inside, and those that have
// soft hyphens.
func (d *Divider) Append(dst []byte, text string, least int) []byte {
	for text != "" {
		n := strings.IndexFunc(text, parts)
		if n < 0 {
			n = len(text)
		}
		if n >= least {
			dst = append(dst, d.divided(text[:n], least)...)
		} else {
			dst = append(dst, text[:n]...)
		}
		_, size := utf8.DecodeRuneInString(text[n:])
		dst = append(dst, text[n:n+size]...)
		text = text[n+size:]
	}
	return dst
}

func (d *Divider) divided(word string, least int) string {
	if known, ok := d.words[asked{word, least}]; ok {
		return known
	}
	if len(d.words) >= mostWords {
		clear(d.words)
	}
	word = strings.Clone(word)
	made := word
	if isPlain(word) {
		d.room = d.h.appendPlain(d.room[:0], word, least)
		made = string(d.room)
	}
	d.words[asked{word, least}] = made
	return made
}
