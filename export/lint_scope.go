package export

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report"
)

// sampled is how many values are looked at to learn what there is.
const sampled = 200

// lintScope is something that bindings can start with, inside another.
type lintScope struct {
	outer  *lintScope
	alias  string // in $it, or "" when only $record is meant
	record bool   // whether the values are those of $record
	values []any  // some of them; nil when they are not known
}

// with adds what a setting has in scope of its own, whose values are not known.
func (s *lintScope) with(own string) *lintScope {
	switch alias, isItem := strings.CutPrefix(own, "$it."); {
	case isItem:
		return &lintScope{outer: s, alias: alias}
	case own == "$record":
		return &lintScope{outer: s, record: true}
	}
	return s
}

// outcome is what came of following a path.
type outcome int

const (
	found   outcome = iota
	unknown         // nothing is there to learn it from
	absent
)

// repeated is the scope inside something that repeats.
func (l *linter) repeated(repeat *report.Object, fields []report.Field, outer *lintScope) *lintScope {
	alias := ""
	for _, f := range fields {
		if f.Name == "alias" {
			given, _ := repeat.Get("alias")
			text, _ := given.(string)
			alias = firstText(text, f.Default)
		}
	}
	source, _ := repeat.Get(bindingOf(fields).Name)
	path, _ := source.(string)
	rows := l.rows(path, outer)
	if steps, _ := repeat.Get("transform"); steps != nil {
		rows = nil // the steps make others
	}
	return &lintScope{outer: outer, alias: alias, record: true, values: rows}
}

// sourceRows is the scope of a group with a data source of its own.
func (l *linter) sourceRows(fields []report.Field, o *report.Object, outer *lintScope) *lintScope {
	f := bindingOf(fields)
	if f == nil {
		return outer
	}
	given, _ := o.Get(f.Name)
	path, _ := given.(string)
	if path == "" {
		return outer
	}
	rows := l.rows(path, outer)
	for i := range fields {
		given, _ := o.Get(fields[i].Name)
		switch name, _ := given.(string); {
		case fields[i].Editor == "steps" && given != nil:
			rows = nil // the steps make others
		case fields[i].Name == "childrenField":
			rows = withChildren(rows, firstText(name, fields[i].Default))
		}
	}
	return &lintScope{outer: outer, record: true, values: rows}
}

// rows are some items of the array that a binding leads to.
func (l *linter) rows(binding string, scope *lintScope) []any {
	values, outcome, _ := l.follow(bare(binding), scope)
	if outcome != found {
		return nil
	}
	var rows []any
	for _, v := range values {
		if list, ok := v.([]any); ok {
			rows = append(rows, list[:min(len(list), sampled)]...)
		} else {
			rows = append(rows, v)
		}
		if len(rows) >= sampled {
			break
		}
	}
	return rows
}

// withChildren adds the rows below rows, as trees print them.
func withChildren(rows []any, field string) []any {
	all := rows[:len(rows):len(rows)]
	for i := 0; i < len(all) && len(all) < sampled; i++ {
		below, _ := memberOf(all[i], field)
		list, _ := below.([]any)
		all = append(all, list...)
	}
	return all
}

func bare(binding string) string {
	binding = strings.TrimSpace(binding)
	if n := len(binding); n > 1 && binding[0] == '{' && binding[n-1] == '}' {
		return binding[1 : n-1]
	}
	return binding
}

// follow finds the values that a path may lead to; missing is the member that
// none of the values before it has, with the names that they have.
func (l *linter) follow(path string, scope *lintScope) (values []any, result outcome, missing miss) {
	parts := strings.Split(path, ".")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	switch parts[0] {
	case "$data":
		if _, loaded := l.in.Data.Get(parts[min(1, len(parts)-1)]); !loaded && len(parts) > 1 {
			return nil, unknown, miss{} // it was not ready, or is not there at all, which is told otherwise
		}
		return members([]any{l.in.Data}, parts[1:])
	case "$it":
		if len(parts) < 2 {
			return nil, unknown, miss{}
		}
		return scope.item(parts[1], parts[2:])
	case "$record":
		return scope.recordMember(parts[1:])
	}
	return nil, unknown, miss{}
}

// miss is a member that is not there.
type miss struct {
	name  string
	names []string // that are there
}

// item follows a path from the item of a name in $it.
func (s *lintScope) item(alias string, rest []string) ([]any, outcome, miss) {
	var known []string
	for at := s; at != nil; at = at.outer {
		if at.alias == alias {
			return membersOf(at.values, rest)
		}
		if at.alias != "" {
			known = append(known, at.alias)
		}
	}
	return nil, absent, miss{name: alias, names: known}
}

// recordMember follows a path from the rows around: from the nearest that has
// it, since settings of an element that shows rows may mean those around it.
func (s *lintScope) recordMember(rest []string) (values []any, result outcome, missing miss) {
	result = unknown
	for at := s; at != nil; at = at.outer {
		if !at.record {
			continue
		}
		v, o, m := membersOf(at.values, rest)
		switch {
		case o == found || o == unknown:
			return v, o, m
		case result == unknown:
			result, missing = o, m
		}
	}
	return nil, result, missing
}

func membersOf(values []any, path []string) ([]any, outcome, miss) {
	if len(values) == 0 {
		return nil, unknown, miss{}
	}
	return members(values, path)
}

// members follows a path inside values.
func members(values []any, path []string) ([]any, outcome, miss) {
	for i, name := range path {
		var next []any
		var m miss
		missed := false
		for _, v := range values {
			member, o := memberOf(v, name)
			switch o {
			case found:
				next = append(next, member)
			case absent:
				if whole, o := memberOf(v, strings.Join(path[i:], ".")); o == found {
					return []any{whole}, found, miss{} // a name with dots
				}
				missed = true
				m.learn(v)
			}
		}
		if len(next) == 0 && missed {
			m.name = name
			return nil, absent, m
		}
		if len(next) == 0 {
			return nil, unknown, miss{}
		}
		values = next[:min(len(next), sampled)]
	}
	return values, found, miss{}
}

// memberOf is a member of a value as bindings see it. Below null, and at a place
// that a list has not, nothing can be told.
func memberOf(v any, name string) (any, outcome) {
	switch v := v.(type) {
	case nil:
		return nil, unknown
	case *report.Object:
		if v == nil {
			return nil, unknown
		}
		if member, ok := v.Get(name); ok {
			return member, found
		}
	case map[string]any:
		if member, ok := v[name]; ok {
			return member, found
		}
	case []any:
		if at, err := strconv.Atoi(name); err == nil && at >= 0 {
			if at < len(v) {
				return v[at], found
			}
			return nil, unknown
		}
		if name == "length" {
			return int64(len(v)), found
		}
	case string:
		if name == "length" {
			return int64(len(v)), found
		}
	}
	return nil, absent
}

// learn notes the names that a value has.
func (m *miss) learn(v any) {
	o, ok := v.(*report.Object)
	if !ok || len(m.names) > 100 {
		return
	}
	for name := range o.All() {
		if !slices.Contains(m.names, name) {
			m.names = append(m.names, name)
		}
	}
}
