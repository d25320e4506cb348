package export

import (
	"reflect"
	"slices"
	"strings"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
)

// visit is what holds at a place of the definition.
type visit struct {
	scope *lintScope
	shade shade
}

// group walks the settings of a group. What repeats it is in scope for all of
// it; the rows of its data source are for everything but the source itself.
func (l *linter) group(fields []report.Field, o *report.Object, path string, at visit) {
	for i := range fields {
		if repeats(&fields[i]) {
			if given, ok := o.Get(fields[i].Name); ok && given != nil {
				at.scope = l.repeated(object(given), fields[i].Fields(), at.scope)
			}
		}
	}
	outer := at
	if !isRepeat(fields) {
		at.scope = l.sourceRows(fields, o, at.scope)
	}
	for i := range fields {
		f := &fields[i]
		v, ok := o.Get(f.Name)
		if !ok || v == nil {
			v = l.defaultField(f, o)
		}
		switch here := report.JoinPath(path, f.Name); {
		case v == nil:
		case f.Editor == "binding":
			l.value(f, v, here, outer)
		default:
			l.value(f, v, here, visit{at.scope.with(f.Scope), at.shade})
		}
	}
}

// defaultField is the default of a field of the rows, which is read too.
func (l *linter) defaultField(f *report.Field, o *report.Object) any {
	if f.Editor != "field" || f.Default == "" || o.Len() == 0 {
		return nil
	}
	return f.Default
}

func (l *linter) value(f *report.Field, v any, path string, at visit) {
	switch v := v.(type) {
	case string:
		l.text(f.Editor, v, path, at)
	case []any:
		if f.Shape == report.ListShape {
			item := f.Items()
			for i := range v {
				l.value(item, v[i], place(path, i), at)
			}
		}
	case *report.Object:
		l.members(f, v, path, at)
	}
}

func (l *linter) members(f *report.Field, o *report.Object, path string, at visit) {
	switch f.Shape {
	case report.GroupShape:
		if f.Type() == reflect.TypeFor[report.Element]() {
			if !childList(path) {
				at.shade.background.known = false // a cell's or an item's own, which only its owner knows
			}
			l.element(o, path, at)
			return
		}
		l.group(f.Fields(), o, path, at)
	case report.MapShape:
		item := f.Items()
		for name, member := range o.All() {
			l.value(item, member, report.JoinPath(path, name), at)
		}
	}
}

// childList reports whether an element stands in a list of elements, and not in
// a setting of another one.
func childList(path string) bool {
	i := strings.LastIndex(path, ".props.")
	return i < 0 || strings.Contains(path[i:], ".children[")
}

// element walks an element: what all have, its settings by the schema of its
// type, and what is inside.
func (l *linter) element(o *report.Object, path string, at visit) {
	kind, _ := o.Get("type")
	name, _ := kind.(string)
	t := l.types[name]
	if t == nil {
		return // refused elsewhere
	}
	props, _ := o.Get("props")
	settings := object(props)
	common := report.Fields[report.Element]()
	if given, ok := o.Get("repeat"); ok && given != nil {
		i := slices.IndexFunc(common, func(f report.Field) bool { return f.Name == "repeat" })
		l.group(common[i].Fields(), object(given), report.JoinPath(path, "repeat"), at)
		at.scope = l.repeated(object(given), common[i].Fields(), at.scope)
	}
	if visible, ok := o.Get("visible"); ok {
		if s, ok := visible.(string); ok {
			l.text("expression", s, report.JoinPath(path, "visible"), at)
		}
	}
	e := &lintElement{t: t, props: settings, path: path}
	around := at.shade
	at.shade = l.shadeOf(e, at.shade)
	l.accessible(e)
	if e.has("columns") {
		l.footers(e)
		l.runningSums(e)
		l.alignedNumbers(e, at.scope)
	}
	l.typeface(e)
	l.contrast(e, at.shade, around)
	l.group(t.Props, settings, report.JoinPath(path, "props"), at)
	children, _ := o.Get("children")
	list, _ := children.([]any)
	for i := range list {
		l.element(object(list[i]), place(report.JoinPath(path, "children"), i), at)
	}
}

// lintElement is an element on the way.
type lintElement struct {
	t     *htmlgen.Type
	props *report.Object
	path  string
}

// has reports whether the type has a setting.
func (e *lintElement) has(name string) bool {
	return slices.ContainsFunc(e.t.Props, func(f report.Field) bool { return f.Name == name })
}

// text is a setting's text, or its default.
func (e *lintElement) text(name string) string {
	v, _ := e.props.Get(name)
	if s, ok := v.(string); ok {
		return s
	}
	for i := range e.t.Props {
		if e.t.Props[i].Name == name {
			return e.t.Props[i].Default
		}
	}
	return ""
}

func (e *lintElement) at(name string) string { return e.path + ".props." + name }

func (e *lintElement) is(name string) bool {
	v, _ := e.props.Get(name)
	return v == true
}

// repeats reports whether a setting repeats the group it stands in.
func repeats(f *report.Field) bool {
	return f.Shape == report.GroupShape && f.Type() != reflect.TypeFor[report.Element]() && isRepeat(f.Fields())
}

// isRepeat reports whether a group is a source, steps and a name for its items.
func isRepeat(fields []report.Field) bool {
	return len(fields) == 3 && bindingOf(fields) != nil && slices.ContainsFunc(fields, func(f report.Field) bool { return f.Name == "alias" })
}

// bindingOf is the setting that leads to the rows of a group, or nil.
func bindingOf(fields []report.Field) *report.Field {
	for i := range fields {
		if fields[i].Editor == "binding" && fields[i].Shape == report.TextShape {
			return &fields[i]
		}
	}
	return nil
}
