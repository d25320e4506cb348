package steps

import "encoding/binary"

// keyIndex finds the place of rows with the same values of some fields.
type keyIndex struct {
	single   map[any]int
	composed map[string]int
	text     []byte
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
	x.compose(keys)
	at, known := x.composed[string(x.text)]
	if !known {
		x.composed[string(x.text)], at = next, next
	}
	return at, known
}

// find is the place of the keys.
func (x *keyIndex) find(keys []any) (int, bool) {
	if x.single != nil {
		at, ok := x.single[Key(keys[0])]
		return at, ok
	}
	x.compose(keys)
	at, ok := x.composed[string(x.text)]
	return at, ok
}

// compose writes keys as one text that no other keys give.
func (x *keyIndex) compose(keys []any) {
	x.text = x.text[:0]
	for _, k := range keys {
		k = Key(k)
		text := keyText(k)
		x.text = append(x.text, byte('0'+kindOf(k)))
		x.text = binary.AppendUvarint(x.text, uint64(len(text)))
		x.text = append(x.text, text...)
	}
}
