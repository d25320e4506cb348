package scripting

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
)

// Tags of encoded values. An object is its shape's number and its values; a
// shape is spelt out the first time it occurs.
const (
	tagNull byte = iota
	tagUndefined
	tagFalse
	tagTrue
	tagInt    // zigzag varint
	tagFloat  // 8 bytes
	tagString // length, bytes
	tagDigits // length, bytes: a number as text
	tagTime   // zigzag varint: milliseconds since 1970
	tagArray  // length, values
	tagObject // shape, values
	tagShape  // length, names; then an object of it
	tagWanted // number of a value that is sent when it is wanted
)

// writer appends what frames are made of.
type writer struct{ buf []byte }

func (w *writer) byte(b byte)   { w.buf = append(w.buf, b) }
func (w *writer) uint(n int)    { w.buf = binary.AppendUvarint(w.buf, uint64(n)) }
func (w *writer) int(n int64)   { w.buf = binary.AppendVarint(w.buf, n) }
func (w *writer) text(s string) { w.uint(len(s)); w.buf = append(w.buf, s...) }
func (w *writer) float(f float64) {
	w.buf = binary.LittleEndian.AppendUint64(w.buf, math.Float64bits(f))
}
func (w *writer) tagInt(n int64)   { w.byte(tagInt); w.int(n) }
func (w *writer) tagText(s string) { w.byte(tagString); w.text(s) }

// encoder writes report values for a child.
type encoder struct {
	writer
	shapes map[*report.Shape]int
	count  int   // shapes spelt out so far
	wanted []any // values held back until they are wanted
	err    error
}

func newEncoder() *encoder { return &encoder{shapes: map[*report.Shape]int{}} }

// lazy writes a value whose large members are sent when they are wanted.
func (e *encoder) lazy(v any) {
	o, ok := v.(*report.Object)
	if !ok || o == nil {
		e.value(v, 0)
		return
	}
	e.shape(o.Shape())
	for i := range o.Len() {
		if member := o.At(i); isLarge(member) {
			e.byte(tagWanted)
			e.uint(len(e.wanted))
			e.wanted = append(e.wanted, member)
		} else {
			e.value(member, 1)
		}
	}
}

// isLarge is whether a member is worth a round trip of its own.
func isLarge(v any) bool {
	switch v := v.(type) {
	case []any:
		return len(v) > 4
	case *report.Object:
		return v != nil && v.Len() > 8
	case string:
		return len(v) > 4096
	}
	return false
}

func (e *encoder) value(v any, depth int) {
	switch v := v.(type) {
	case nil:
		e.byte(tagNull)
	case undefinedValue:
		e.byte(tagUndefined)
	case bool:
		e.bool(v)
	case string:
		e.tagText(v)
	case json.Number:
		e.number(string(v))
	case int64:
		e.integer(v)
	case int:
		e.integer(int64(v))
	case float64:
		e.byte(tagFloat)
		e.float(v)
	case time.Time:
		e.byte(tagTime)
		e.int(v.UnixMilli())
	case report.Secret:
		e.tagText(v.String())
	default:
		e.nested(v, depth)
	}
}

func (e *encoder) nested(v any, depth int) {
	if depth > maxDepth {
		e.fail(fmt.Errorf("a value is nested more than %d levels deep", maxDepth))
		return
	}
	switch v := v.(type) {
	case []any:
		e.byte(tagArray)
		e.uint(len(v))
		for _, item := range v {
			e.value(item, depth+1)
		}
	case *report.Object:
		e.object(v, depth)
	case map[string]any:
		e.table(v, depth)
	default:
		e.fail(fmt.Errorf("a %T cannot be handed to a script", v))
	}
}

func (e *encoder) fail(err error) {
	e.byte(tagNull)
	if e.err == nil {
		e.err = err
	}
}

func (e *encoder) bool(b bool) {
	if b {
		e.byte(tagTrue)
	} else {
		e.byte(tagFalse)
	}
}

// maxSafe is the largest integer below which JavaScript numbers are exact.
const maxSafe = 1<<53 - 1

func (e *encoder) integer(n int64) {
	if n > maxSafe || n < -maxSafe {
		e.number(fmt.Sprint(n))
		return
	}
	e.tagInt(n)
}

// number writes a number kept as text; see the package comment.
func (e *encoder) number(text string) {
	v := jsNumber(text)
	switch v := v.(type) {
	case int64:
		e.tagInt(v)
	case float64:
		e.byte(tagFloat)
		e.float(v)
	default:
		e.tagText(text)
	}
}

func (e *encoder) object(o *report.Object, depth int) {
	if o == nil {
		e.byte(tagNull)
		return
	}
	e.shape(o.Shape())
	for i := range o.Len() {
		e.value(o.At(i), depth+1)
	}
}

func (e *encoder) shape(s *report.Shape) {
	if s == nil {
		s = emptyShape
	}
	if id, ok := e.shapes[s]; ok {
		e.byte(tagObject)
		e.uint(id)
		return
	}
	e.shapes[s] = e.count
	e.spell(s.Names())
}

func (e *encoder) spell(names []string) {
	e.count++
	e.byte(tagShape)
	e.uint(len(names))
	for _, n := range names {
		e.text(n)
	}
}

func (e *encoder) table(m map[string]any, depth int) {
	names := slices.Sorted(maps.Keys(m))
	e.spell(names)
	for _, n := range names {
		e.value(m[n], depth+1)
	}
}

// emptyShape is the shape of an object that was never given one.
var emptyShape = report.NewShape()

// jsNumber is what a number written as text is in JavaScript: an int64 or
// float64, or nil when it is an integer or too large a value that no number
// holds.
func jsNumber(text string) any {
	if n, ok := smallInt(text); ok {
		return n
	}
	f, err := json.Number(text).Float64()
	if err != nil {
		return nil
	}
	if isInteger(text) && fmt.Sprintf("%.0f", f) != text {
		return nil
	}
	return f
}

// smallInt reads up to 15 digits, the common case, quickly.
func smallInt(text string) (int64, bool) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || len(digits) > 15 || text == "-0" {
		return 0, false
	}
	var n int64
	for i := range len(digits) {
		c := digits[i]
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if len(digits) != len(text) {
		n = -n
	}
	return n, true
}

func isInteger(text string) bool { return !strings.ContainsAny(text, ".eE") }
