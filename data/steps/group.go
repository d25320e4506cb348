package steps

import "slices"

// Group is the rows that share a key.
type Group struct {
	Key  any
	Rows []any
}

// GroupBy puts rows with equal keys together, in the order of their keys or,
// when preserve is set, of first appearance. Rows keep their order inside.
func GroupBy(rows []any, key Field, preserve bool) []Group {
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
		slices.SortStableFunc(groups, func(a, b Group) int { return Compare(a.Key, b.Key) })
	}
	return groups
}
