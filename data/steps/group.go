package steps

import (
	"slices"
	"strings"
)

// Group is the rows that share a key.
type Group struct {
	Key  any
	Rows []any
}

// GroupBy puts rows with equal keys together, in the order of their keys or,
// when preserve is set, of first appearance. Rows keep their order inside. Texts
// are ordered by the keys that collation gives; nil takes them as they are.
func GroupBy(rows []any, key Field, preserve bool, collation func(string) string) []Group {
	var groups []Group
	place := map[any]int{}
	for _, row := range rows {
		v := key(row)
		k := Key(v)
		i, ok := place[k]
		if !ok {
			i = len(groups)
			place[k] = i
			groups = append(groups, Group{Key: v})
		}
		groups[i].Rows = append(groups[i].Rows, row)
	}
	if !preserve {
		slices.SortStableFunc(groups, func(a, b Group) int { return compareBy(collation, a.Key, b.Key) })
	}
	return groups
}

func compareBy(collation func(string) string, a, b any) int {
	x, isText := a.(string)
	if y, both := b.(string); collation != nil && isText && both {
		return strings.Compare(collation(x), collation(y))
	}
	return Compare(a, b)
}
