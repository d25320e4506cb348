package htmlgen

import (
	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report/text"
)

// level is one grouping level made ready.
type level struct {
	p     *groupProps
	name  string
	title string     // of the field, where it has another than its own
	path  *text.Path // nil: all rows are one group
}

func (t *table) makeLevels() []level {
	levels := make([]level, len(t.p.Groups))
	for i := range t.p.Groups {
		p := &t.p.Groups[i]
		levels[i] = level{p: p, name: p.Field}
		if p.Field != "" {
			levels[i].path = text.ParsePath(bare(p.Field))
		}
	}
	return levels
}

// key is the value that a row is grouped by.
func (l *level) key(row any) any {
	if l.path == nil {
		return nil
	}
	v, _ := l.path.Of(row)
	return v
}

// group is the rows of one key at one level.
type group struct {
	level  int
	rows   []any
	groups []*group // of the next level; nil at the deepest
	scope  *groupScope
}

// group makes the tree of groups, or nil when the table has no levels.
func (t *table) group(rows []any) []*group {
	if len(t.levels) == 0 {
		return nil
	}
	return t.groupLevel(rows, 0, nil, steps.CollationKeys(t.c.Env.Locale))
}

func (t *table) groupLevel(rows []any, at int, outer *groupScope, collation func(string) string) []*group {
	l := &t.levels[at]
	var groups []*group
	for _, g := range steps.GroupBy(rows, l.key, t.p.PreserveOrder, collation) {
		made := &group{level: at, rows: g.Rows}
		made.scope = newGroupScope(t, l.name, g.Key, len(t.levels)-1-at, g.Rows, outer)
		if at+1 < len(t.levels) {
			made.groups = t.groupLevel(g.Rows, at+1, made.scope, collation)
		}
		groups = append(groups, made)
	}
	return groups
}

// groupScope is $group: the key, the rows, the keys of the levels around, and
// the aggregates of the columns, worked out when they are asked for.
type groupScope struct {
	t     *table
	name  string
	key   any
	level int   // 0 is the deepest
	rows  []any // in the order they print
	first int   // place of the first among all
	outer *groupScope
	known map[*band]any
}

func newGroupScope(t *table, name string, key any, level int, rows []any, outer *groupScope) *groupScope {
	return &groupScope{t: t, name: name, key: key, level: level, rows: rows, outer: outer}
}

// Get is a member of $group.
func (g *groupScope) Get(name string) (any, bool) {
	switch name {
	case "$name":
		return g.name, true
	case "$key":
		return g.key, true
	case "$level":
		return int64(g.level), true
	case "$records":
		return g.rows, true
	}
	for s := g; s != nil; s = s.outer {
		if s.name != "" && s.name == name {
			return s.key, true
		}
	}
	for _, col := range g.t.columns {
		for b := range col.allBands {
			if b.p.Aggregate != "" && b.alias() == name {
				return g.aggregate(b), true
			}
		}
	}
	return nil, false
}

// aggregate is a band's aggregate over the group.
func (g *groupScope) aggregate(b *band) any {
	if v, ok := g.known[b]; ok {
		return v
	}
	if g.known == nil {
		g.known = map[*band]any{}
	}
	v := g.work(b)
	g.known[b] = v
	return v
}

func (g *groupScope) work(b *band) any {
	if b.of != nil {
		return b.of(g.rows)
	}
	c := g.t.c
	if b.p.Aggregate == "value" {
		undo := c.scope.pushGroup(g)
		defer undo()
		return c.Parse(b.p.Value).Value(c.Env)
	}
	return b.fold(g)
}

func fieldOf(p *text.Path) steps.Field {
	return func(row any) any {
		v, _ := p.Of(row)
		return v
	}
}

// pushGroup puts a group in scope until the returned function is called.
func (s *scope) pushGroup(g *groupScope) func() {
	outer := *s
	s.group = g
	if len(g.rows) > 0 {
		s.record, s.hasRecord = g.rows[0], true
		if g.t.paths != nil {
			s.origin = &origin{"$record", g.t.paths.of(g.rows[0]), s.origin}
		}
	}
	return func() { *s = outer }
}
