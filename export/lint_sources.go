package export

import (
	"regexp"
	"slices"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/report"
)

// unused finds data sources that run for nothing and parameters that change
// nothing.
func (l *linter) unused() {
	def := l.in.Report
	for i, use := range def.DataSources {
		name := firstText(use.Name, use.Reuse)
		if !l.reads.allData && !l.reads.data[name] && !l.neededBySource(name) {
			l.find(RuleUnusedSource, place("dataSources", i), "nothing reads the data source %q yet; drag one of its fields onto the page, or remove it, since it runs at every export", name)
		}
	}
	for i, use := range def.Parameters {
		if def.Subreport {
			break // they belong to whoever uses it
		}
		name := firstText(use.Name, use.Reuse)
		if !l.reads.allParams && !l.reads.params[name] && !use.Display && !l.parameterUsed(name) {
			l.find(RuleUnusedParameter, place("parameters", i), "nothing reads the parameter %q yet; use it, or remove it, since people are asked for it", name)
		}
	}
}

func (l *linter) neededBySource(name string) bool {
	return slices.ContainsFunc(l.in.Sources, func(s report.SourceUse) bool {
		return s.Name != name && (slices.Contains(data.Declared(s), name) || slices.Contains(data.Reads(s.DataSource), name))
	})
}

// parameterUsed reports whether sources or other parameters name a parameter, in
// any of the ways they can.
func (l *linter) parameterUsed(name string) bool {
	named := regexp.MustCompile(`(^|[^\p{L}\p{N}_])` + regexp.QuoteMeta(name) + `($|[^\p{L}\p{N}_])`)
	uses := func(v any) (used bool) {
		eachString(v, func(s string) { used = used || named.MatchString(s) })
		return used
	}
	for _, s := range l.in.Sources {
		if uses(s.Settings) || slices.ContainsFunc(s.Dependencies, func(d string) bool { return named.MatchString(d) }) {
			return true
		}
	}
	for _, p := range l.in.Parameters {
		if p.Name == name {
			if p.Display {
				return true
			}
			continue
		}
		if uses(p.Default) || p.LookupSource != nil && (uses(p.LookupSource.Settings) || slices.ContainsFunc(p.LookupSource.Dependencies, func(d string) bool { return named.MatchString(d) })) {
			return true
		}
	}
	return false
}

// undeclared finds sources that read others without saying so.
func (l *linter) undeclared() {
	for i, use := range l.in.Report.DataSources {
		name := firstText(use.Name, use.Reuse)
		at := slices.IndexFunc(l.in.Sources, func(s report.SourceUse) bool { return s.Name == name })
		if at < 0 {
			continue
		}
		declared := data.Declared(l.in.Sources[at])
		for _, read := range data.Reads(l.in.Sources[at].DataSource) {
			known := slices.ContainsFunc(l.in.Sources, func(s report.SourceUse) bool { return s.Name == read })
			if known && read != name && !slices.Contains(declared, read) {
				l.find(RuleUndeclared, report.JoinPath(place("dataSources", i), "dependencies"), "the data source %q reads $data.%s; add it to its dependencies, so that it is there first", name, read)
			}
		}
	}
}

// eachString visits every text inside settings, their names too; pasted content
// is data.
func eachString(v any, visit func(string)) {
	switch v := v.(type) {
	case string:
		visit(v)
	case []any:
		for _, item := range v {
			eachString(item, visit)
		}
	case *report.Object:
		for name, member := range v.All() {
			eachSetting(name, member, visit)
		}
	case map[string]any:
		for name, member := range v {
			eachSetting(name, member, visit)
		}
	}
}

func eachSetting(name string, v any, visit func(string)) {
	visit(name)
	if name != "content" {
		eachString(v, visit)
	}
}
