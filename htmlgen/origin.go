package htmlgen

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// The designer shows where a value on the canvas comes from. When a document is
// compiled for it (Input.Origins), what prints values carries data-from: the
// paths of the values in the data, separated by "; ".

// origin is where something in scope comes from, inside another.
type origin struct {
	root  string // "$it.line" or "$record"
	path  string // "$data.invoice.lines[3]"
	outer *origin
}

// from notes where an item that was just put in scope comes from; one that comes
// from nowhere that can be told is its own origin.
func (c *Context) from(root, path string) {
	if c.in.Origins {
		c.scope.origin = &origin{root, firstOf(path, root), c.scope.origin}
	}
}

// rowOrigins gives the path of each row of a binding; empty ones when nobody
// asks. An object is its own only row.
func (c *Context) rowOrigins(binding string) func(i int) string {
	if !c.in.Origins || isExpression(binding) {
		return func(int) string { return "" }
	}
	base := c.absolute(bare(strings.TrimSpace(binding)))
	path := text.ParsePath(bare(binding))
	if v, _ := path.Get(c.Env.Scope); !isList(v) {
		return func(int) string { return base }
	}
	return func(i int) string { return base + "[" + strconv.Itoa(i) + "]" }
}

func isList(v any) bool {
	_, ok := v.([]any)
	return ok
}

// absolute is a path from the data: what it begins with is replaced by where
// that comes from.
func (c *Context) absolute(path string) string {
	parts := strings.Split(path, ".")
	root, rest := strings.TrimSpace(parts[0]), parts[1:]
	switch {
	case root == "$it" && len(rest) > 0:
		root, rest = root+"."+strings.TrimSpace(rest[0]), rest[1:]
	case root == "$group":
		if g, ok := c.scope.group.(*groupScope); ok && len(rest) > 0 {
			return g.origin(strings.Join(rest, "."))
		}
	}
	for o := c.scope.origin; o != nil; o = o.outer {
		if o.root == root {
			root = o.path
			break
		}
	}
	for _, name := range rest {
		root = member(root, strings.TrimSpace(name))
	}
	return root
}

// member is the path of a member; numbers are places in lists.
func member(path, name string) string {
	if strings.HasPrefix(path, "row ") || strings.Contains(path, " of row ") {
		return name + " of " + path
	}
	if _, err := strconv.Atoi(name); err == nil {
		return path + "[" + name + "]"
	}
	return path + "." + name
}

// told are the roots of values that come from somewhere; the others are counted.
func told(root string) bool {
	return slices.Contains([]string{"$data", "$params", "$dict", "$user", "$it", "$record", "$group"}, root)
}

// templateOrigins writes where the values of a template come from, as an
// attribute of the node whose start tag is open.
func (c *Context) templateOrigins(sources ...string) {
	if !c.in.Origins {
		return
	}
	var paths []string
	for _, source := range sources {
		if strings.ContainsAny(source, "{%") {
			paths = c.readOrigins(paths, c.Parse(source).Reads())
		}
	}
	c.writeOrigins(paths)
}

// writeOrigins writes paths; those of a subreport are of its own data.
func (c *Context) writeOrigins(paths []string) {
	if n := len(c.within); n > 0 {
		for i := range paths {
			paths[i] += " in " + c.within[n-1]
		}
	}
	c.Attr("data-from", strings.Join(paths, "; "))
}

func (c *Context) readOrigins(paths []string, reads []text.Read) []string {
	for _, r := range reads {
		switch {
		case r.Script != nil:
			paths = c.scriptOrigins(paths, r.Script)
		case told(r.Path.Root()) && strings.Contains(r.Path.String(), "."):
			paths = addOrigin(paths, c.absolute(r.Path.String()))
		case r.Path.Root() == "$record":
			paths = addOrigin(paths, c.absolute("$record"))
		}
	}
	return paths
}

var codePath = regexp.MustCompile(`(\$(?:data|params|dict|it|record|group)(?:\.[\p{L}_$][\p{L}\p{N}_$]*)+)(\s*\()?`)

// scriptOrigins are the paths in an expression's bindings and code.
func (c *Context) scriptOrigins(paths []string, e *text.Expression) []string {
	paths = c.readOrigins(paths, slices.DeleteFunc(e.Reads(), func(r text.Read) bool { return !strings.HasPrefix(r.Source, "{") }))
	for _, m := range codePath.FindAllStringSubmatch(e.Code(), -1) {
		path := m[1]
		if m[2] != "" { // a method
			path = path[:strings.LastIndexByte(path, '.')]
		}
		if strings.Contains(path, ".") {
			paths = addOrigin(paths, c.absolute(path))
		}
	}
	return paths
}

func addOrigin(paths []string, path string) []string {
	if slices.Contains(paths, path) {
		return paths
	}
	return append(paths, path)
}

// elementOrigins writes where the values of an element's own settings come from:
// those of its texts, or the rows that it shows.
func (c *Context) elementOrigins(e *Element) {
	if !c.in.Origins {
		return
	}
	var sources []string
	for i := range e.typ.Props {
		f := &e.typ.Props[i]
		s, ok := e.Def.Props[f.Name].(string)
		if !ok || s == "" {
			continue
		}
		switch {
		case f.Editor == "binding" && !isExpression(s):
			c.writeOrigins([]string{"rows of " + c.absolute(bare(strings.TrimSpace(s)))})
			return
		case f.Editor == "binding" || f.Editor == "template" || f.Editor == "html" || f.Editor == "rich-text":
			sources = append(sources, s)
		}
	}
	c.templateOrigins(sources...)
}

// rowPaths are the paths of a table's rows in its source.
type rowPaths struct {
	base  string
	steps int // that the rows went through
	known map[*report.Object]string
	place map[*report.Object]int // among the rows after the steps
}

// tracePaths finds out where the rows of a table come from; nil when nobody asks.
func (t *table) tracePaths(rows []any) *rowPaths {
	c := t.c
	if !c.in.Origins || t.p.Source == "" || isExpression(t.p.Source) {
		return nil
	}
	p := &rowPaths{base: c.absolute(bare(strings.TrimSpace(t.p.Source))), steps: len(t.e.steps), known: map[*report.Object]string{}, place: map[*report.Object]int{}}
	if v, _ := text.ParsePath(bare(t.p.Source)).Get(c.Env.Scope); isList(v) {
		p.learn(p.base, v.([]any), t.p.ChildrenField, 0)
	} else if o, ok := v.(*report.Object); ok {
		p.known[o] = p.base
	}
	for i, row := range rows {
		if o, ok := row.(*report.Object); ok {
			p.place[o] = i
		}
	}
	return p
}

func (p *rowPaths) learn(base string, rows []any, children string, depth int) {
	for i, row := range rows {
		o, ok := row.(*report.Object)
		if !ok {
			continue
		}
		path := base + "[" + strconv.Itoa(i) + "]"
		if _, twice := p.known[o]; !twice {
			p.known[o] = path
		}
		if below, _ := o.Get(children); isList(below) && depth < maxTreeDepth {
			p.learn(member(path, children), below.([]any), children, depth+1)
		}
	}
}

// of is the path of a row. Rows that steps have made are told by their place.
func (p *rowPaths) of(row any) string {
	if p == nil {
		return ""
	}
	o, ok := row.(*report.Object)
	if !ok {
		return p.rows()
	}
	if path, ok := p.known[o]; ok {
		return path
	}
	return "row " + strconv.Itoa(p.place[o]+1) + " of " + p.rows()
}

// rows is what all rows are.
func (p *rowPaths) rows() string {
	switch p.steps {
	case 0:
		return p.base
	case 1:
		return p.base + " after 1 step"
	}
	return p.base + " after " + strconv.Itoa(p.steps) + " steps"
}

// field is the path of a field of a row.
func (p *rowPaths) field(row any, field string) string {
	path := p.of(row)
	if field == "" {
		return path
	}
	for _, name := range strings.Split(field, ".") {
		path = member(path, name)
	}
	return path
}

// cellOrigins writes where the value of a cell comes from.
func (t *table) cellOrigins(col *column, row any) {
	if t.paths == nil {
		return
	}
	c, field := t.c, bare(col.p.Field)
	switch col.p.Renderer {
	case "text":
		c.templateOrigins(col.p.Text)
	case "html":
		c.templateOrigins(col.p.HTML)
	case "elements", "component", "row-number":
	default:
		if col.expr != nil {
			c.writeOrigins(c.scriptOrigins(nil, col.expr))
		} else {
			c.writeOrigins([]string{t.paths.field(row, field)})
		}
	}
}

// bandOrigins writes where the value in a caption or footer comes from.
func (t *table) bandOrigins(b *band, g *groupScope) {
	switch {
	case t.paths == nil:
	case b.p.Text != "":
		t.c.templateOrigins(b.p.Text)
	default:
		t.c.writeOrigins([]string{g.aggregateOrigin(b)})
	}
}

// origin says in words what a member of $group is.
func (g *groupScope) origin(name string) string {
	switch name {
	case "$records", "$records.length":
		return g.rowsOrigin()
	case "$key":
		return firstOf(g.name, "key") + " of " + g.rowsOrigin()
	}
	for _, col := range g.t.columns {
		for b := range col.allBands {
			if b.p.Aggregate != "" && b.alias() == name {
				return g.aggregateOrigin(b)
			}
		}
	}
	return name + " of " + g.rowsOrigin()
}

// aggregateOrigin is such as "sum of amount over 12 rows of $data.lines".
func (g *groupScope) aggregateOrigin(b *band) string {
	if b.p.Aggregate == "value" {
		paths := g.t.c.readOrigins(nil, g.t.c.Parse(b.p.Value).Reads())
		return firstOf(strings.Join(paths, "; "), g.rowsOrigin())
	}
	what := b.p.Aggregate
	field := bare(firstOf(b.p.Field, b.col.p.Field))
	if b.p.Field == "" && (b.values != nil || b.col.values != nil) {
		field = b.col.title
	}
	if field != "" {
		what += " of " + field
	}
	if b.p.WeightField != "" {
		what += " by " + bare(b.p.WeightField)
	}
	return what + " over " + g.rowsOrigin()
}

// rowsOrigin is such as "3 rows of $data.orders (region: North)".
func (g *groupScope) rowsOrigin() string {
	if g.t.paths == nil {
		return "the rows of the table"
	}
	rows := strconv.Itoa(len(g.rows)) + " rows of "
	if len(g.rows) == 1 {
		rows = "1 row of "
	}
	var keys []string
	for s := g; s != nil; s = s.outer {
		if s.name != "" {
			keys = append([]string{bare(s.name) + ": " + string(text.Format{}.Append(nil, s.key, g.t.c.Env, text.Raw))}, keys...)
		}
	}
	rows += g.t.paths.rows()
	if len(keys) > 0 {
		rows += " (" + strings.Join(keys, ", ") + ")"
	}
	return rows
}
