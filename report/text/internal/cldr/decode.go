package cldr

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Decode reads the file; the strings share one piece of memory.
func Decode(file []byte) (*Data, error) {
	raw, err := io.ReadAll(flate.NewReader(bytes.NewReader(file)))
	if err != nil {
		return nil, fmt.Errorf("locale data: %w", err)
	}
	r := reader{raw: raw}
	r.readStrings()
	d := &Data{Locales: map[string]*Locale{}, Globals: map[string]string{}}
	for range r.number() {
		tag := r.ref()
		d.Locales[tag] = r.locale()
	}
	for range r.number() {
		name := r.ref()
		d.Globals[name] = r.ref()
	}
	return d, r.err
}

type reader struct {
	raw     []byte
	strings []string
	err     error
}

func (r *reader) number() int {
	n, size := binary.Uvarint(r.raw)
	if size <= 0 || n > 1<<30 {
		r.err = errors.New("locale data: broken number")
		return 0
	}
	r.raw = r.raw[size:]
	return int(n)
}

func (r *reader) readStrings() {
	sizes := make([]int, r.number())
	total := 0
	for i := range sizes {
		sizes[i] = r.number()
		total += sizes[i]
	}
	if total > len(r.raw) {
		r.err = errors.New("locale data: strings are cut off")
		return
	}
	text := string(r.raw[:total])
	r.raw = r.raw[total:]
	r.strings = make([]string, len(sizes))
	for i, n := range sizes {
		r.strings[i], text = text[:n], text[n:]
	}
}

func (r *reader) ref() string {
	i := r.number()
	if i >= len(r.strings) {
		r.err = errors.New("locale data: no such string")
		return ""
	}
	return r.strings[i]
}

func (r *reader) locale() *Locale {
	l := &Locale{Parent: r.ref(), Fields: map[Field]string{}}
	for range r.number() {
		f := Field(r.number())
		l.Fields[f] = r.ref()
	}
	return l
}
