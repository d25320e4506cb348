package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"sync/atomic"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
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
		if err := encodeJSON(b, n); err != nil {
			return err
		}
		b.WriteByte(':')
		if err := encodeJSON(b, v); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// encodeJSON appends a value, leaving < > & as they are: the encoder around it
// escapes them when it should. Objects and lists are written by hand: the
// package's encoder would read again, on every level, what is written below it.
func encodeJSON(b *bytes.Buffer, v any) error {
	switch v := v.(type) {
	case *Object:
		if v != nil {
			return v.encode(b)
		}
	case []any:
		if v != nil {
			return encodeList(b, v)
		}
	}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the encoder's newline
	return nil
}

func encodeList(b *bytes.Buffer, list []any) error {
	b.WriteByte('[')
	for i, v := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := encodeJSON(b, v); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}

// maxDepth bounds the nesting of JSON documents.
const maxDepth = 200

// ParseValue reads one JSON value; numbers stay as written and objects keep
// their order. A fault is a Problem with the place, such as "[3].name".
func ParseValue(doc []byte) (any, error) {
	v, at, err := readValue(bytes.NewReader(doc))
	var p *Problem
	if errors.As(err, &p) {
		before := doc[:min(max(at, 0), int64(len(doc)))]
		p.Line = 1 + bytes.Count(before, []byte{'\n'})
		p.Column = 1 + utf8.RuneCount(before[1+bytes.LastIndexByte(before, '\n'):])
	}
	return v, err
}

// ReadValue is ParseValue for a stream.
func ReadValue(r io.Reader) (any, error) {
	v, _, err := readValue(r)
	return v, err
}

// readValue also tells at which byte the fault is.
func readValue(r io.Reader) (v any, at int64, err error) {
	dec := jsontext.NewDecoder(r)
	p := valueParser{dec: dec, shapes: map[string]*Shape{}}
	v, err = p.value(0, nil)
	if err == nil {
		if _, more := dec.ReadToken(); !errors.Is(more, io.EOF) {
			return nil, dec.InputOffset(), Problemf("", "text after the end of the JSON value at byte %d", dec.InputOffset())
		}
	}
	if err != nil {
		at = dec.InputOffset()
		var syntax *jsontext.SyntacticError
		if errors.As(err, &syntax) {
			at = syntax.ByteOffset
		}
		return nil, at, jsonProblem(dec, err)
	}
	return v, 0, nil
}

type valueParser struct {
	dec    *jsontext.Decoder
	shapes map[string]*Shape // of the objects read so far, by their names in order
}

// value reads a value; like is the previous item of the same array, whose
// shape is likely the same.
func (p *valueParser) value(depth int, like any) (any, error) {
	if depth > maxDepth {
		return nil, Problemf("", "nested more than %d levels deep", maxDepth)
	}
	tok, err := p.dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch tok.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return tok.Bool(), nil
	case '"':
		return tok.String(), nil
	case '0':
		return json.Number(tok.String()), nil
	case '[':
		return p.array(depth)
	default:
		o, _ := like.(*Object)
		return p.object(depth, o)
	}
}

func (p *valueParser) array(depth int) (any, error) {
	items := []any{}
	var last any
	for p.dec.PeekKind() != ']' {
		v, err := p.value(depth+1, last)
		if err != nil {
			return nil, err
		}
		items = append(items, v)
		last = v
	}
	_, err := p.dec.ReadToken()
	return items, err
}

func (p *valueParser) object(depth int, like *Object) (any, error) {
	if like == nil {
		like = &Object{shape: emptyShape}
	}
	names := nameList{like: like.shape.names}
	values := make([]any, 0, len(like.values))
	for p.dec.PeekKind() != '}' {
		name, err := p.dec.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String()
		sibling, _ := like.Get(key)
		v, err := p.value(depth+1, sibling)
		if err != nil {
			return nil, err
		}
		names.add(key)
		values = append(values, v)
	}
	_, err := p.dec.ReadToken()
	if names.same() {
		return &Object{like.shape, values}, err
	}
	return &Object{p.shape(names.list()), values}, err
}

// shape is the shape of names, which another object of the document may have.
func (p *valueParser) shape(names []string) *Shape {
	var spelt []byte // with lengths, as a name may have any character
	for _, name := range names {
		spelt = strconv.AppendInt(spelt, int64(len(name)), 10)
		spelt = append(append(spelt, ':'), name...)
	}
	s, known := p.shapes[string(spelt)]
	if !known {
		s = NewShape(names...)
		p.shapes[string(spelt)] = s
	}
	return s
}

// nameList collects the names of an object, which mostly are those of the one
// before it: only from where they differ are they kept.
type nameList struct {
	like  []string
	equal int      // how many are those of like
	own   []string // all of them, once they differ
}

func (l *nameList) add(name string) {
	if l.own == nil && l.equal < len(l.like) && l.like[l.equal] == name {
		l.equal++
		return
	}
	if l.own == nil {
		l.own = slices.Clone(l.like[:l.equal])
	}
	l.own = append(l.own, name)
}

func (l *nameList) same() bool { return l.own == nil && l.equal == len(l.like) }

func (l *nameList) list() []string {
	if l.own == nil {
		return l.like[:l.equal]
	}
	return l.own
}

// jsonProblem turns a fault of the JSON reader into a Problem with its place.
func jsonProblem(dec *jsontext.Decoder, err error) error {
	path := pointerPath(string(dec.StackPointer()))
	var p *Problem
	if errors.As(err, &p) {
		p.Path = path
		return p
	}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return Problemf(path, "the JSON ends too early, at byte %d", syntax.ByteOffset)
		}
		return Problemf(path, "not valid JSON at byte %d: %v", syntax.ByteOffset, syntax.Err)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return Problemf(path, "the JSON ends too early")
	}
	return err
}
