package steps

import "strings"

// keyIndex finds the place of rows with the same values of some fields.
type keyIndex struct {
	single   map[any]int
	composed map[string]int
	text     strings.Builder
}

func newKeyIndex(fields int) *keyIndex {
	if fields == 1 {
		return &keyIndex{single: map[any]int{}}
	}
	return &keyIndex{composed: map[string]int{}}
}

// place is the place of the keys and whether they were known; unknown ones get
// the next place.
func (x *keyIndex) place(keys []any, next int) (int, bool) {
	if x.single != nil {
		k := Key(keys[0])
		at, known := x.single[k]
		if !known {
			x.single[k], at = next, next
		}
		return at, known
	}
	k := x.compose(keys)
	at, known := x.composed[k]
	if !known {
		x.composed[k], at = next, next
	}
	return at, known
}

// find is the place of the keys.
func (x *keyIndex) find(keys []any) (int, bool) {
	if x.single != nil {
		at, ok := x.single[Key(keys[0])]
		return at, ok
	}
	at, ok := x.composed[x.compose(keys)]
	return at, ok
}

// compose writes keys as one text that no other keys give.
func (x *keyIndex) compose(keys []any) string {
	x.text.Reset()
	for _, k := range keys {
		text := keyText(k)
		x.text.WriteByte(byte('0' + kindOf(k)))
		writeLength(&x.text, len(text))
		x.text.WriteString(text)
	}
	return x.text.String()
}

func writeLength(b *strings.Builder, n int) {
	for n >= 0x80 {
		b.WriteByte(byte(n) | 0x80)
		n >>= 7
	}
	b.WriteByte(byte(n))
}
