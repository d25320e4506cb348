package cldr

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"sort"
)

// Encode writes the file.
func Encode(d *Data) ([]byte, error) {
	var e encoder
	e.pool = map[string]uint64{}
	var body []byte
	tags := sortedKeys(d.Locales)
	body = binary.AppendUvarint(body, uint64(len(tags)))
	for _, tag := range tags {
		body = e.locale(body, tag, d.Locales[tag])
	}
	body = binary.AppendUvarint(body, uint64(len(d.Globals)))
	for _, name := range sortedKeys(d.Globals) {
		body = e.ref(body, name)
		body = e.ref(body, d.Globals[name])
	}
	head := binary.AppendUvarint(nil, uint64(len(e.strings)))
	for _, s := range e.strings {
		head = binary.AppendUvarint(head, uint64(len(s)))
	}
	for _, s := range e.strings {
		head = append(head, s...)
	}
	return deflate(append(head, body...))
}

type encoder struct {
	pool    map[string]uint64
	strings []string
}

func (e *encoder) locale(body []byte, tag string, l *Locale) []byte {
	body = e.ref(body, tag)
	body = e.ref(body, l.Parent)
	body = binary.AppendUvarint(body, uint64(len(l.Fields)))
	for f := range FieldCount {
		if s, ok := l.Fields[f]; ok {
			body = binary.AppendUvarint(body, uint64(f))
			body = e.ref(body, s)
		}
	}
	return body
}

// ref appends the number of a string, which is stored once.
func (e *encoder) ref(body []byte, s string) []byte {
	n, ok := e.pool[s]
	if !ok {
		n = uint64(len(e.strings))
		e.pool[s] = n
		e.strings = append(e.strings, s)
	}
	return binary.AppendUvarint(body, n)
}

func deflate(raw []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(raw); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
