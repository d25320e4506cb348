package export

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// reads holds the names of the data and parameters that a report uses.
type reads struct {
	data, params       map[string]bool
	allData, allParams bool // code takes them as a whole
}

// text looks at one setting by the editor that it has.
func (l *linter) text(editor, s, path string, at visit) {
	switch editor {
	case "template", "html", "rich-text", "css":
		t := text.Parse(s)
		if t.Stray != "" && editor == "template" {
			l.find(RuleDeadBinding, path, "%s is no placeholder and prints as it is; one is {$data.name}, with its formats after a colon, and closed", t.Stray)
		}
		l.template(t, path, at.scope)
	case "tex":
		l.template(text.ParseTeX(s), path, at.scope)
	case "expression":
		l.expression(text.ParseExpression(s), path, at.scope)
	case "binding":
		if strings.HasPrefix(strings.TrimSpace(s), "{[") || strings.HasPrefix(strings.TrimSpace(s), "%{") {
			l.expression(text.ParseExpression(s), path, at.scope)
			break
		}
		l.path(bare(s), s, false, path, at.scope)
	case "field":
		l.field(s, path, at.scope)
	case "code":
		l.code(s, path)
	default:
		return
	}
	l.headingsIn(editor, s)
}

func (l *linter) template(t *text.Template, path string, scope *lintScope) {
	for _, r := range t.Reads() {
		l.read(r, path, scope)
	}
}

func (l *linter) expression(e *text.Expression, path string, scope *lintScope) {
	for _, r := range e.Reads() {
		if !strings.Contains(r.Path.String(), ".") {
			continue // a keyword in the code, which is looked at as code
		}
		l.read(r, path, scope)
	}
	l.code(e.Code(), path)
}

func (l *linter) read(r text.Read, path string, scope *lintScope) {
	if r.Script != nil {
		l.expression(r.Script, path, scope)
		return
	}
	l.path(r.Path.String(), r.Source, r.Fallback, path, scope)
}

// path checks where a binding leads.
func (l *linter) path(binding, written string, fallback bool, path string, scope *lintScope) {
	parts := strings.Split(binding, ".")
	if len(parts) < 2 {
		if parts[0] == "$data" {
			l.reads.allData = true
		}
		return
	}
	name := strings.TrimSpace(parts[1])
	if fallback && strings.HasPrefix(path, "template.") {
		l.reads.data[name], l.reads.params[name] = true, true
		return // its author expects reports without it
	}
	if !l.known(strings.TrimSpace(parts[0]), name, written, path) || fallback {
		return
	}
	_, result, missing := l.follow(binding, scope)
	if result != absent {
		return
	}
	if strings.HasPrefix(binding, "$it.") && missing.name == name {
		l.find(RuleDeadBinding, path, "%s: nothing around it repeats under the name %q%s", written, name, meant(missing))
		return
	}
	l.find(RuleDeadBinding, path, "%s leads to no value: %s has no field %q%s", written, before(binding, missing.name), missing.name, meant(missing))
}

// known checks the source, parameter or dictionary entry that a binding names,
// and notes that it is read.
func (l *linter) known(root, name, written, path string) bool {
	switch root {
	case "$data":
		l.reads.data[name] = true
		if _, loaded := l.in.Data.Get(name); !loaded && !slices.ContainsFunc(l.in.Sources, func(s report.SourceUse) bool { return s.Name == name }) {
			l.find(RuleDeadBinding, path, "%s: there is no data source %q%s", written, name, meant(miss{name: name, names: l.sourceNames()}))
			return false
		}
	case "$params":
		l.reads.params[name] = true
		if _, given := l.in.Params.Get(name); !given && !slices.ContainsFunc(l.in.Parameters, func(p report.Parameter) bool { return p.Name == name }) {
			var names []string
			for _, p := range l.in.Parameters {
				names = append(names, p.Name)
			}
			l.find(RuleDeadBinding, path, "%s: the report has no parameter %q%s", written, name, meant(miss{name: name, names: names}))
			return false
		}
	case "$user":
		if members := report.PersonMembers(); !slices.Contains(members, name) {
			l.find(RuleDeadBinding, path, "%s: $user has no member %q%s", written, name, meant(miss{name: name, names: members}))
			return false
		}
	case "$dict":
		if _, ok := l.in.Words.Get(name); !ok {
			m := miss{name: name}
			m.learn(l.in.Words)
			l.find(RuleDeadBinding, path, "%s: no dictionary has an entry %q%s", written, name, meant(m))
			return false
		}
	}
	return true
}

func (l *linter) sourceNames() []string {
	var names []string
	for _, s := range l.in.Sources {
		names = append(names, s.Name)
	}
	return names
}

// meant is the end of a message about a name that is not there.
func meant(m miss) string {
	if near := report.Nearest(m.name, m.names); near != "" {
		return "; did you mean " + strconv.Quote(near) + "?"
	}
	const most = 8
	switch n := len(m.names); {
	case n == 0:
		return "; add it or correct the name"
	case n > most:
		return "; there are " + strings.Join(m.names[:most], ", ") + " and others"
	}
	return "; there is " + strings.Join(m.names, ", ")
}

// before is the path up to a member.
func before(path, name string) string {
	if i := strings.LastIndex(path, "."+name); i > 0 {
		return path[:i]
	}
	return path
}

// field checks the name of a field of the rows in scope.
func (l *linter) field(s, path string, scope *lintScope) {
	field := bare(s)
	if strings.HasPrefix(field, "$") {
		l.path(field, s, false, path, scope)
		return
	}
	if _, err := strconv.ParseFloat(field, 64); err == nil || field == "" || scope == nil || !scope.record {
		return // a number, or no rows
	}
	if _, result, missing := membersOf(scope.values, strings.Split(field, ".")); result == absent {
		l.find(RuleDeadBinding, path, "none of the rows has a field %q%s", missing.name, meant(missing))
	}
}

var (
	codeReads = regexp.MustCompile(`\$(data|params|dict)\s*(?:\?\.|\.)\s*([\p{L}_][\p{L}\p{N}_]*)`)
	codeRoot  = regexp.MustCompile(`\$(data|params)\b\s*(?:([^.?\s])|\?[^.]|$)`)
	codeHead  = regexp.MustCompile(`\(\s*\{?[^(){}]*\}?\s*\)\s*(?:=>|\{)`)
)

// code looks at what JavaScript names of the data.
func (l *linter) code(s, path string) {
	for _, m := range codeReads.FindAllStringSubmatch(s, -1) {
		l.known("$"+m[1], m[2], m[0], path)
	}
	for _, m := range codeRoot.FindAllStringSubmatch(codeHead.ReplaceAllString(s, ""), -1) {
		l.reads.allData = l.reads.allData || m[1] == "data"
		l.reads.allParams = l.reads.allParams || m[1] == "params"
	}
}
