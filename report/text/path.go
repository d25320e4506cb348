package text

import (
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/quire-reports/quire/report"
)

// Path leads to a value: "$record.lines.0.amount". Members are separated by
// dots, a number is the place in an array. A Path is safe for use by several
// goroutines; it must not be copied after first use.
type Path struct {
	source string
	root   string
	first  pathStep // the root as a member, for Of
	steps  []pathStep
}

// pathStep is one member.
type pathStep struct {
	name  string
	index int // the name as a place in an array; -1 when it is none
	hit   atomic.Pointer[shapeHit]
	miss  atomic.Uint32
}

// shapeHit remembers where the member was in the last object, since rows of a
// source share their shape.
type shapeHit struct {
	shape *report.Shape
	index int
}

// maxMisses is how many objects of other shapes pass before the remembered one
// changes, so that mixed rows do not make a new hit each.
const maxMisses = 16

// ParsePath splits a path at its dots. Blanks around members are dropped.
func ParsePath(s string) *Path {
	p := &Path{source: strings.TrimSpace(s)}
	root, rest, more := strings.Cut(p.source, ".")
	p.root = strings.TrimSpace(root)
	p.first.name = p.root
	for more {
		var name string
		name, rest, more = strings.Cut(rest, ".")
		name = strings.TrimSpace(name)
		p.steps = append(p.steps, pathStep{name: name, index: arrayIndex(name)})
	}
	return p
}

func arrayIndex(s string) int {
	if s == "" || len(s) > 9 || s[0] < '0' || s[0] > '9' {
		return -1
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// String is the path as written.
func (p *Path) String() string { return p.source }

// Root is the first part.
func (p *Path) Root() string { return p.root }

// Get follows the path from a scope. Below null everything is null; false says
// that the path leads nowhere: no such root, member or place.
func (p *Path) Get(scope Scope) (any, bool) {
	if scope == nil {
		return nil, false
	}
	v, ok := scope.Lookup(p.root)
	if !ok {
		return nil, false
	}
	if len(p.steps) == 0 {
		if w, ok := v.(Whole); ok {
			return w.Whole(), true
		}
	}
	return p.follow(v)
}

// Of follows the whole path, its first part included, inside a value: the
// field of a column in its row. A member whose name holds dots is found first.
func (p *Path) Of(v any) (any, bool) {
	if p.source == "" {
		return v, true
	}
	if o, ok := v.(*report.Object); ok && o != nil {
		if len(p.steps) == 0 {
			return p.first.of(o)
		}
		if whole, ok := o.Get(p.source); ok {
			return whole, true
		}
	}
	first, ok := member(v, p.root, arrayIndex(p.root))
	if !ok {
		return nil, false
	}
	return p.follow(first)
}

func (p *Path) follow(v any) (any, bool) {
	for i := range p.steps {
		if v == nil {
			return nil, true
		}
		var ok bool
		if o, isObject := v.(*report.Object); isObject {
			v, ok = p.steps[i].of(o)
		} else {
			v, ok = member(v, p.steps[i].name, p.steps[i].index)
		}
		if !ok {
			return nil, false
		}
	}
	return v, true
}

// of is the member of an object, by the remembered place when the shape is the
// same.
func (s *pathStep) of(o *report.Object) (any, bool) {
	if o == nil || o.Shape() == nil {
		return nil, o == nil
	}
	shape, hit := o.Shape(), s.hit.Load()
	if hit != nil && hit.shape == shape {
		return o.At(hit.index), true
	}
	i := shape.Index(s.name)
	if i < 0 {
		return nil, false
	}
	if hit == nil || s.miss.Add(1)%maxMisses == 0 {
		s.hit.Store(&shapeHit{shape, i})
	}
	return o.At(i), true
}

// member is one member of any value.
func member(v any, name string, index int) (any, bool) {
	switch v := v.(type) {
	case nil:
		return nil, true
	case *report.Object:
		return v.Get(name)
	case Getter:
		return v.Get(name)
	case []any:
		return item(v, name, index)
	case map[string]any:
		m, ok := v[name]
		return m, ok
	case string:
		if name == "length" {
			return int64(len([]rune(v))), true
		}
	}
	return nil, false
}

func item(list []any, name string, index int) (any, bool) {
	switch {
	case index >= 0 && index < len(list):
		return list[index], true
	case name == "length":
		return int64(len(list)), true
	}
	return nil, false
}
