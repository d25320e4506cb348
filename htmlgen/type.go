package htmlgen

import (
	"fmt"
	"strings"
	"sync"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report"
)

// Type is one kind of element. Everything another stage needs to know about it
// is here.
type Type struct {
	Name      string // in JSON: "data-table"
	Label     string // for people: "Data table"
	Category  string // group in the palette: Text, Layout, Data, Media
	Help      string // what it is for, one sentence
	Container bool   // whether it holds children
	Template  bool   // whether it belongs into templates only
	Icon      string // its drawing in the palette, by the name that Lucide gives it
	Props     []report.Field
	Colors    Colors // what colours the text in it
	// Look is what a theme says of the text of an element with settings; nil where
	// it says nothing of the type.
	Look func(t *report.Theme, setting func(name string) string) *report.TextStyle

	rules   string // of style
	decode  func(props map[string]any, path string) (any, report.Problems)
	compile func(c *Context, e *Element)
}

// Colors is where the colours of an element's text come from.
type Colors string

// Where colours come from.
const (
	ColorsOfText  Colors = ""      // the element's own, or what it inherits
	ColorsOfParts Colors = "parts" // its parts have colours of their own
	ColorsOfTable Colors = "table" // the theme's for the parts of a table
)

// option changes a Type while it is defined.
type option func(*Type)

func container(t *Type)    { t.Container = true }
func templateOnly(t *Type) { t.Template = true }

func icon(name string) option { return func(t *Type) { t.Icon = name } }

// looksBy are the rules of style for a component. They stand behind those for all, in
// the documents that have one.
func looksBy(rules string) option {
	return func(t *Type) { t.rules = strings.TrimPrefix(rules, "\n") }
}

func colors(c Colors) option { return func(t *Type) { t.Colors = c } }

func looks(look func(*report.Theme, func(string) string) *report.TextStyle) option {
	return func(t *Type) { t.Look = look }
}

// define makes a Type whose settings are the struct P.
func define[P any](name, label, category, help string, compile func(c *Context, e *Element, p *P), options ...option) Type {
	t := Type{
		Name: name, Label: label, Category: category, Help: help, Props: report.Fields[P](),
		decode: func(props map[string]any, path string) (any, report.Problems) {
			p, problems := report.DecodeProps[P](props, path)
			return &p, problems
		},
		compile: func(c *Context, e *Element) { compile(c, e, e.props.(*P)) },
	}
	for _, o := range options {
		o(&t)
	}
	return t
}

// Meaning is the setting that means something, as report.Field.Means says it;
// nil when the type has none.
func (t *Type) Meaning(what string) *report.Field {
	for i := range t.Props {
		if t.Props[i].Means == what {
			return &t.Props[i]
		}
	}
	return nil
}

// Element is an element made ready to compile: its settings decoded once,
// however often it repeats.
type Element struct {
	ID       string
	Def      *report.Element
	Children []*Element

	typ    *Type
	props  any
	repeat *repeat
	steps  []steps.Step // what changes the rows of its source
	path   string       // place in the definition
	label  string       // place for people: text "Total"
	cache  map[string]any
}

// Type is the element's type.
func (e *Element) Type() *Type { return e.typ }

// once keeps what a component prepares from its settings for all repetitions.
func once[T any](e *Element, key string, prepare func() T) T {
	if v, ok := e.cache[key]; ok {
		return v.(T)
	}
	v := prepare()
	if e.cache == nil {
		e.cache = map[string]any{}
	}
	e.cache[key] = v
	return v
}

// registry is the components by their names, filled when it is first asked for
// because a package-level value would be an initialisation cycle.
var registry struct {
	once   sync.Once
	byName map[string]*Type
}

func typesByName() map[string]*Type {
	registry.once.Do(func() {
		list := Types()
		registry.byName = make(map[string]*Type, len(list))
		for i := range list {
			registry.byName[list[i].Name] = &list[i]
		}
	})
	return registry.byName
}

// preparer makes Elements of definitions and collects what is wrong with them.
type preparer struct {
	types    map[string]*Type
	problems report.Problems
	ids      map[string]bool
	count    int
	places   []*Element // content placeholders met so far
	stands   map[string]Place
}

func newPreparer(types map[string]*Type) *preparer {
	return &preparer{types: types, ids: map[string]bool{}, stands: map[string]Place{}}
}

// elements prepares a list; an element of an unknown type is reported and left
// out.
func (p *preparer) elements(defs []report.Element, path string) []*Element {
	var list []*Element
	for i := range defs {
		if e := p.element(&defs[i], fmt.Sprintf("%s[%d]", path, i)); e != nil {
			list = append(list, e)
		}
	}
	return list
}

func (p *preparer) element(def *report.Element, path string) *Element {
	t, ok := p.types[def.Type]
	if !ok {
		p.problems = append(p.problems, report.Problemf(path+".type", "unknown element type %q%s", def.Type, p.meant(def.Type)))
		return nil
	}
	props, problems := t.decode(def.Props, path+".props")
	p.problems = append(p.problems, problems...)
	p.checkLengths(t.Props, def.Props, path+".props")
	e := &Element{ID: p.id(def.ID, path), Def: def, typ: t, props: props, path: path, label: elementLabel(def)}
	if _, ok := props.(slot); ok {
		p.places = append(p.places, e)
	}
	p.stands[e.ID] = Place{path, e.label}
	e.repeat = p.repeat(def.Repeat, path+".repeat")
	p.prepareSteps(e, path+".props")
	if len(def.Children) > 0 && !t.Container {
		p.problems = append(p.problems, report.Problemf(path+".children", "a %s holds no elements", def.Type))
	} else {
		e.Children = p.elements(def.Children, path+".children")
	}
	if inner, ok := props.(interface {
		prepare(p *preparer, path string)
	}); ok {
		inner.prepare(p, path+".props")
	}
	return e
}

// id is the element's identifier: given, or made from its place in the walk.
func (p *preparer) id(given, path string) string {
	p.count++
	id := given
	if id == "" {
		id = fmt.Sprintf("e%d", p.count)
		for p.ids[id] {
			id += "x"
		}
	} else if p.ids[id] {
		p.problems = append(p.problems, report.Problemf(path+".id", "the id %q stands twice; ids are unique in a report", id))
	}
	p.ids[id] = true
	return id
}

func (p *preparer) meant(name string) string {
	names := sortedKeys(p.types)
	if near := report.Nearest(name, names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; accepted: " + strings.Join(names, ", ")
}

// elementLabel names an element in warnings: its type and its name or id.
func elementLabel(def *report.Element) string {
	for _, name := range []string{def.Name, def.ID} {
		if name != "" {
			return fmt.Sprintf("%s %q", def.Type, name)
		}
	}
	return def.Type
}
