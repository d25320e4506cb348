package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth bounds the nesting of JSON documents.
const maxDepth = 200

// ParseValue reads one JSON value; numbers stay as written and objects keep
// their order. A fault is a Problem with the place, such as "[3].name".
func ParseValue(doc []byte) (any, error) {
	v, at, err := Reading{}.value(bytes.NewReader(doc))
	var p *Problem
	if errors.As(err, &p) {
		before := doc[:min(max(at, 0), int64(len(doc)))]
		p.Line = 1 + bytes.Count(before, []byte{'\n'})
		p.Column = 1 + utf8.RuneCount(before[1+bytes.LastIndexByte(before, '\n'):])
	}
	return v, err
}

// ReadValue is ParseValue for a stream.
func ReadValue(r io.Reader) (any, error) { return Reading{}.Value(r) }

// Reading is how JSON is read.
type Reading struct {
	// Doubled allows members of the same name in an object; the last one counts.
	Doubled bool
	// Spend is told, piece by piece and before it is taken, how much memory the
	// value takes; with an error the reading ends.
	Spend func(bytes int64) error
}

// Value reads one value, as ParseValue does.
func (r Reading) Value(from io.Reader) (any, error) {
	v, _, err := r.value(from)
	return v, err
}

// value also tells at which byte the fault is.
func (r Reading) value(from io.Reader) (v any, at int64, err error) {
	dec := jsontext.NewDecoder(from, jsontext.AllowDuplicateNames(r.Doubled))
	p := valueParser{dec: dec, shapes: map[string]*Shape{}, spend: r.Spend}
	v, err = p.value(0, nil)
	if err == nil {
		err = p.pay(0)
	}
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
		return nil, at, JSONProblem(dec, err)
	}
	return v, 0, nil
}

type valueParser struct {
	dec    *jsontext.Decoder
	shapes map[string]*Shape // of the objects read so far, by their names in order
	spend  func(int64) error // nil when nobody counts
	owed   int64             // what was not told yet
}

// What values take in memory, in bytes, about.
const (
	itemCost   = 24 // its place in a list that grows
	textCost   = 24 // of a text or a number, besides its characters
	objectCost = 48 // without its values
	memberCost = 16
	nameCost   = 96 // of a name that no object had before
)

// payAt is from how much on it is told what was spent.
const payAt = 64 << 10

// pay adds to what the value takes, and tells it from time to time; nothing
// more means at once.
func (p *valueParser) pay(bytes int64) error {
	p.owed += bytes
	if p.spend == nil || bytes > 0 && p.owed < payAt {
		return nil
	}
	owed := p.owed
	p.owed = 0
	return p.spend(owed)
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
		text := tok.String()
		return text, p.pay(textCost + int64(len(text)))
	case '0':
		text := tok.String()
		return json.Number(text), p.pay(textCost + int64(len(text)))
	case '[':
		return p.array(depth)
	default:
		o, _ := like.(*Object)
		return p.object(depth, o)
	}
}

func (p *valueParser) array(depth int) (any, error) {
	var items list
	var last any
	for p.dec.PeekKind() != ']' {
		v, err := p.value(depth+1, last)
		if err != nil {
			return nil, err
		}
		if err := p.pay(itemCost); err != nil {
			return nil, err
		}
		items.add(v)
		last = v
	}
	_, err := p.dec.ReadToken()
	return items.all(), err
}

// list is a list that grows. A long one grows in pieces that are put together in the
// end: hundreds of megabytes that move to a larger place, again and again, are
// hundreds of megabytes of garbage each time, and nothing else in the process goes on
// when the collector has to wait until they have moved.
type list struct {
	full  [][]any
	piece []any
}

// listPiece is how many items a piece has, 1 MB.
const listPiece = 64 << 10

func (l *list) add(v any) {
	if len(l.piece) == listPiece {
		l.full = append(l.full, l.piece)
		l.piece = make([]any, 0, listPiece)
	}
	l.piece = append(l.piece, v)
}

// all are the items, once. It is never nil.
func (l *list) all() []any {
	if len(l.full) == 0 {
		if l.piece == nil {
			return []any{}
		}
		return l.piece
	}
	items := make([]any, 0, len(l.full)*listPiece+len(l.piece))
	for i, piece := range l.full {
		items = append(items, piece...)
		l.full[i] = nil
	}
	return append(items, l.piece...)
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
		cost := int64(memberCost)
		if !names.add(key) {
			cost += nameCost + int64(len(key))
		}
		if err := p.pay(cost); err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return nil, err
	}
	if err := p.pay(objectCost); err != nil {
		return nil, err
	}
	if names.same() {
		return &Object{like.shape, values}, nil
	}
	return p.made(p.shape(names.list()), values), nil
}

// made is an object of names of which some may be there twice.
func (p *valueParser) made(shape *Shape, values []any) *Object {
	if len(shape.index) == len(shape.names) {
		return &Object{shape, values}
	}
	o := &Object{shape: emptyShape}
	for i, name := range shape.names {
		o.Set(name, values[i])
	}
	return o
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

// add tells whether the name is where that of the object before it was.
func (l *nameList) add(name string) bool {
	if l.own == nil && l.equal < len(l.like) && l.like[l.equal] == name {
		l.equal++
		return true
	}
	if l.own == nil {
		l.own = slices.Clone(l.like[:l.equal])
	}
	l.own = append(l.own, name)
	return false
}

func (l *nameList) same() bool { return l.own == nil && l.equal == len(l.like) }

func (l *nameList) list() []string {
	if l.own == nil {
		return l.like[:l.equal]
	}
	return l.own
}

// JSONProblem turns a fault of the JSON reader into a Problem with its place.
func JSONProblem(dec *jsontext.Decoder, err error) error {
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
