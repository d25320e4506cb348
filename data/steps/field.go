package steps

import (
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report"
)

// fieldOf follows a path such as "amount" or "customer.address.0" in a row. What
// leads nowhere is null. A leading $record. is accepted, with braces or without.
func fieldOf(path string) Field {
	path = barePath(path)
	parts := strings.Split(path, ".")
	if len(parts) == 1 {
		return column(path)
	}
	return func(row any) any {
		for _, part := range parts {
			row = member(row, part)
		}
		return row
	}
}

// barePath is a path without braces and $record.
func barePath(path string) string {
	path = strings.TrimSuffix(strings.TrimPrefix(path, "{"), "}")
	return strings.TrimPrefix(path, "$record.")
}

// column is a field of rows that mostly have one shape, whose place in it is
// remembered. It is for one goroutine.
func column(name string) Field {
	var shape *report.Shape
	at := -1
	return func(row any) any {
		o, ok := row.(*report.Object)
		if !ok || o.Len() == 0 {
			return nil
		}
		if s := o.Shape(); s != shape {
			shape, at = s, s.Index(name)
		}
		if at < 0 {
			return nil
		}
		return o.At(at)
	}
}

func member(v any, name string) any {
	switch o := v.(type) {
	case *report.Object:
		v, _ := o.Get(name)
		return v
	case []any:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(o) {
			return o[i]
		}
	}
	return nil
}

// lastPart is the name that a path gives a column.
func lastPart(path string) string {
	path = strings.Trim(path, "{}")
	return path[strings.LastIndexByte(path, '.')+1:]
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// extended makes rows with further columns of rows that may differ in their
// columns; rows of the same shape share the new one.
type extended struct {
	names  []string
	shapes map[*report.Shape]*extension
}

type extension struct {
	shape  *report.Shape
	places []int // of the further columns in the new rows
}

func newExtended(names ...string) *extended {
	return &extended{names: names, shapes: map[*report.Shape]*extension{}}
}

// row is a row with values for the further columns; a column that it had is
// replaced.
func (x *extended) row(row any, values []any) *report.Object {
	o, ok := row.(*report.Object)
	if !ok {
		o = report.ObjectOf()
	}
	e, ok := x.shapes[o.Shape()]
	if !ok {
		e = x.extend(o)
		x.shapes[o.Shape()] = e
	}
	all := make([]any, len(e.shape.Names()))
	for i := range o.Len() {
		all[i] = o.At(i)
	}
	for i, at := range e.places {
		all[at] = values[i]
	}
	return report.NewObject(e.shape, all)
}

func (x *extended) extend(o *report.Object) *extension {
	e := &extension{}
	var names []string
	for name := range o.All() {
		names = append(names, name)
	}
	for _, name := range x.names {
		at := -1
		for i, known := range names {
			if known == name {
				at = i
			}
		}
		if at < 0 {
			at = len(names)
			names = append(names, name)
		}
		e.places = append(e.places, at)
	}
	e.shape = report.NewShape(names...)
	return e
}
