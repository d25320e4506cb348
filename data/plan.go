package data

import (
	"regexp"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

// node is one source in a run.
type node struct {
	source   report.SourceUse
	needs    []*node
	replaced bool
	done     chan struct{} // closed when value or err is there

	value    any
	err      error
	skipped  bool // because one it needs failed
	warnings report.Problems
	result   SourceResult
}

// plan finds which sources wait for which. Dependencies are declared; a source
// whose text reads $data.y without declaring it waits for y too, as long as
// that closes no circle.
func plan(req *Request) ([]*node, report.Problems) {
	nodes := make([]*node, len(req.Sources))
	byName := map[string]*node{}
	for i, s := range req.Sources {
		value, replaced := req.Replace[s.Name]
		nodes[i] = &node{source: s, value: value, replaced: replaced, done: make(chan struct{})}
		if byName[s.Name] == nil {
			byName[s.Name] = nodes[i]
		}
	}
	var problems report.Problems
	for _, n := range nodes {
		problems = append(problems, n.declared(byName, req)...)
	}
	if circle := findCircle(nodes); circle != nil {
		at := "dataSources." + circle[0] + ".dependencies"
		return nil, append(problems, failed(at, "data sources depend on each other in a circle: %s", strings.Join(circle, " → ")))
	}
	for _, n := range nodes {
		n.implied(byName)
	}
	return nodes, problems
}

// declared notes the declared dependencies.
func (n *node) declared(byName map[string]*node, req *Request) report.Problems {
	var problems report.Problems
	for _, d := range n.source.Dependencies {
		name, isData := dependency(d)
		if !isData {
			continue
		}
		other := byName[name]
		if other == nil {
			if _, replaced := req.Replace[name]; !replaced && strings.HasPrefix(strings.TrimSpace(d), "$data.") {
				problems = append(problems, failed("dataSources."+n.source.Name+".dependencies", "data source %q depends on %q, which does not exist", n.source.Name, d))
			}
			continue
		}
		n.need(other)
	}
	return problems
}

// dependency is the source that a dependency names: "$data.orders" or
// "orders". "$params.x" names none.
func dependency(d string) (name string, isData bool) {
	d = strings.TrimSpace(d)
	if strings.HasPrefix(d, "$params.") {
		return "", false
	}
	name, _, _ = strings.Cut(strings.TrimPrefix(d, "$data."), ".")
	return name, true
}

func (n *node) need(other *node) {
	if !slices.Contains(n.needs, other) {
		n.needs = append(n.needs, other)
	}
}

var dataRead = regexp.MustCompile(`\$data\s*(?:\?\.|\.)?\s*(?:\[\s*["'` + "`" + `])?([\p{L}_$][\p{L}\p{N}_$-]*)`)

// implied adds the sources that the settings' text reads.
func (n *node) implied(byName map[string]*node) {
	eachText(n.source.Settings, func(s string) {
		for _, m := range dataRead.FindAllStringSubmatch(s, -1) {
			other := byName[m[1]]
			if other != nil && other != n && !other.reaches(n) {
				n.need(other)
			}
		}
	})
}

// reaches is whether a node waits for another, directly or not.
func (n *node) reaches(target *node) bool {
	if n == target {
		return true
	}
	return slices.ContainsFunc(n.needs, func(d *node) bool { return d.reaches(target) })
}

// eachText visits every text inside settings. Pasted content is data, not
// text that reads anything.
func eachText(v any, visit func(string)) {
	switch v := v.(type) {
	case string:
		visit(v)
	case map[string]any:
		for name, member := range v {
			if name != "content" {
				eachText(member, visit)
			}
		}
	case *report.Object:
		for _, member := range v.All() {
			eachText(member, visit)
		}
	case []any:
		for _, item := range v {
			eachText(item, visit)
		}
	}
}

// findCircle is the names along a circle of dependencies, its first one
// repeated at the end, or nil.
func findCircle(nodes []*node) []string {
	const (
		open   = 1
		closed = 2
	)
	state := map[*node]int{}
	var path []string
	var visit func(n *node) []string
	visit = func(n *node) []string {
		path = append(path, n.source.Name)
		defer func() { path = path[:len(path)-1] }()
		if state[n] == open {
			return slices.Clone(path[slices.Index(path, n.source.Name):])
		}
		if state[n] == closed {
			return nil
		}
		state[n] = open
		for _, d := range n.needs {
			if circle := visit(d); circle != nil {
				return circle
			}
		}
		state[n] = closed
		return nil
	}
	for _, n := range nodes {
		if circle := visit(n); circle != nil {
			return circle
		}
	}
	return nil
}
