package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// A value of a data set is one of: nil, bool, string, json.Number (kept as it
// was written), int64, float64, time.Time, []any and *Object.

// Object is a JSON object that keeps its members in the order they came.
// Objects with the same members share their Shape, so that ten thousand rows
// hold their column names once.
type Object struct {
	shape  *Shape
	values []any
}

// Shape is the ordered list of member names of one or more objects.
type Shape struct {
	names []string
	index map[string]int
	next  atomic.Pointer[Shape] // most recent shape with one more member
	// The object that alone has this shape and lets it grow in place.
	owner *Object
}

// maxShared is up to how many members objects that are built member by member
// share their shapes. A shape for each step on the way to a hundred thousand
// members would take hundreds of gigabytes.
const maxShared = 64

// NewShape makes a shape of distinct names.
func NewShape(names ...string) *Shape {
	s := &Shape{names: names, index: make(map[string]int, len(names))}
	for i, n := range names {
		s.index[n] = i
	}
	return s
}

// Names are the member names in order; not to be changed.
func (s *Shape) Names() []string { return s.names }

// Index is the place of a name, or -1.
func (s *Shape) Index(name string) int {
	if i, ok := s.index[name]; ok {
		return i
	}
	return -1
}

// with is this shape with one more name; the last one made is remembered, so
// that objects built alike share.
func (s *Shape) with(name string) *Shape {
	if n := s.next.Load(); n != nil && n.names[len(n.names)-1] == name {
		return n
	}
	names := make([]string, 0, len(s.names)+1)
	n := NewShape(append(append(names, s.names...), name)...)
	s.next.Store(n)
	return n
}

var emptyShape = NewShape()

// NewObject makes an object of a shape and its values, in the shape's order.
// It panics when their numbers differ.
func NewObject(shape *Shape, values []any) *Object {
	if len(shape.names) != len(values) {
		panic(fmt.Sprintf("report: object with %d names and %d values", len(shape.names), len(values)))
	}
	return &Object{shape, values}
}

// ObjectOf makes an object from names and values in turn, for tests and small
// literals.
func ObjectOf(namesAndValues ...any) *Object {
	o := &Object{shape: emptyShape}
	for i := 0; i+1 < len(namesAndValues); i += 2 {
		o.Set(namesAndValues[i].(string), namesAndValues[i+1])
	}
	return o
}

// Len is the number of members.
func (o *Object) Len() int { return len(o.values) }

// Shape is the object's list of names. It may be the object's alone and grow
// with it, so it serves for other objects only when no more is Set on this one.
func (o *Object) Shape() *Shape { return o.shape }

// At is the value at a place of the shape.
func (o *Object) At(i int) any { return o.values[i] }

// Get is the value of a member and whether there is one.
func (o *Object) Get(name string) (any, bool) {
	if o == nil || o.shape == nil {
		return nil, false
	}
	if i, ok := o.shape.index[name]; ok && i < len(o.values) {
		return o.values[i], true
	}
	return nil, false
}

// Set changes or adds a member.
func (o *Object) Set(name string, value any) {
	if o.shape == nil {
		o.shape = emptyShape
	}
	if i, ok := o.shape.index[name]; ok && i < len(o.values) {
		o.values[i] = value
		return
	}
	if len(o.values) < maxShared {
		o.shape = o.shape.with(name)
	} else {
		o.grow(name)
	}
	o.values = append(o.values, value)
}

// grow adds a name to a shape that no other object has.
func (o *Object) grow(name string) {
	if o.shape.owner != o {
		o.shape = NewShape(slices.Clone(o.shape.names[:len(o.values)])...)
		o.shape.owner = o
	}
	o.shape.index[name] = len(o.shape.names)
	o.shape.names = append(o.shape.names, name)
}

// Clone is a copy that shares the values.
func (o *Object) Clone() *Object {
	shape := o.shape
	if shape != nil && shape.owner == o { // it grows with o
		shape = NewShape(slices.Clone(shape.names)...)
	}
	return &Object{shape, slices.Clone(o.values)}
}

// All yields the members in order.
func (o *Object) All() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		if o == nil || o.shape == nil {
			return
		}
		for i, v := range o.values {
			if !yield(o.shape.names[i], v) {
				return
			}
		}
	}
}

// MarshalJSON writes the members in order.
func (o *Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := o.encode(&b)
	return b.Bytes(), err
}

func (o *Object) encode(b *bytes.Buffer) error {
	b.WriteByte('{')
	first := true
	for n, v := range o.All() {
		if !first {
			b.WriteByte(',')
		}
		first = false
		if err := WriteJSON(b, n); err != nil {
			return err
		}
		b.WriteByte(':')
		if err := WriteJSON(b, v); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// WriteJSON appends a value, leaving < > & as they are: the encoder around it
// escapes them when it should. Objects and lists are written by hand: the
// package's encoder would read again, on every level, what is written below it.
func WriteJSON(b *bytes.Buffer, v any) error {
	switch v := v.(type) {
	case *Object:
		if v != nil {
			return v.encode(b)
		}
	case []any:
		if v != nil {
			return encodeList(b, v)
		}
	case string: // most values: an encoder for each would take ten times as long
		if isPlain(v) {
			b.WriteByte('"')
			b.WriteString(v)
			b.WriteByte('"')
			return nil
		}
	case json.Number:
		if isDecimal(string(v)) {
			b.WriteString(string(v))
			return nil
		}
	case int64:
		b.Write(strconv.AppendInt(b.AvailableBuffer(), v, 10))
		return nil
	case int:
		b.Write(strconv.AppendInt(b.AvailableBuffer(), int64(v), 10))
		return nil
	}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the encoder's newline
	return nil
}

// isPlain tells whether a text stands in JSON as it is.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// isDecimal tells whether a number without an exponent stands in JSON as it is.
func isDecimal(s string) bool {
	whole, rest, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	return areDigits(whole) && (len(whole) == 1 || whole[0] != '0') && (!point || areDigits(rest))
}

func areDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func encodeList(b *bytes.Buffer, list []any) error {
	b.WriteByte('[')
	for i, v := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := WriteJSON(b, v); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}
