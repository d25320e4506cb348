package report

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// Field describes one member of a definition or one setting of a component:
// what a struct field and its tags say. Validation, the designer's property
// panel, the JSON Schema and the reference pages are all made from it.
//
// Tags: json (name), label, help, editor, default, enum (comma-separated, an
// empty first entry allows the empty text), from, min, max, required, since, scope,
// names, means; ask (help in forms, where help speaks of the file) and one (what
// people call an item of a list).
type Field struct {
	Name     string
	Label    string
	Help     string
	Editor   string // which editor the designer shows; see CONTRIBUTING.md
	Default  string // as text; empty when there is none
	Enum     []string
	From     string // list of the installation that the value is one of, such as formats
	Min, Max *float64
	Required bool
	Since    string
	Shape    FieldShape
	Group    string // name of the embedded struct that declares it, such as Box; empty for a field of its own
	// Scope is what the templates of the setting can begin with besides what is
	// in scope around it: "$it.item", or "$record" where that is not the row.
	Scope string
	// Names is what the setting names outside the definition where the editor does
	// not say it: "file", a managed file.
	Names string
	// Means is what the setting is to its element, where others need to find it
	// whatever its name: "text", what the element says; "level", of a heading;
	// "picture", the address of one; "place", the name of a template's place.
	Means string

	typ   reflect.Type
	index []int
	tag   reflect.StructTag
}

// FieldShape is the JSON type of a field.
type FieldShape string

// The shapes of fields.
const (
	TextShape    FieldShape = "string"
	BoolShape    FieldShape = "boolean"
	IntegerShape FieldShape = "integer"
	NumberShape  FieldShape = "number"
	GroupShape   FieldShape = "object" // a struct; see Fields
	ListShape    FieldShape = "array"  // see Items
	MapShape     FieldShape = "map"    // an object with free member names; see Items
	AnyShape     FieldShape = "any"
)

// Type is the Go type behind the field, pointers removed.
func (f *Field) Type() reflect.Type { return f.typ }

// Tag is a tag of the field that has a meaning elsewhere.
func (f *Field) Tag(key string) string { return f.tag.Get(key) }

// In is the field of a struct, which a pointer leads to.
func (f *Field) In(of any) reflect.Value { return reflect.ValueOf(of).Elem().FieldByIndex(f.index) }

// Fields are the members of a group.
func (f *Field) Fields() []Field { return fieldsOf(f.typ) }

// Items describes the items of a list or map: a field without a name.
func (f *Field) Items() *Field {
	item := &Field{Editor: f.Editor, Names: f.Names, Enum: f.Enum, Min: f.Min, Max: f.Max}
	item.typ, item.Shape = shapeOf(f.typ.Elem())
	return item
}

// Fields lists the settings of a struct type, embedded structs included, in
// the order they are declared.
func Fields[T any]() []Field { return fieldsOf(reflect.TypeFor[T]()) }

// FieldsOf is Fields for a type known only at run time.
func FieldsOf(t reflect.Type) []Field { return fieldsOf(t) }

// fieldCache remembers the fields of each struct type of the program; it holds
// as many entries as there are types.
var fieldCache sync.Map

func fieldsOf(t reflect.Type) []Field {
	if c, ok := fieldCache.Load(t); ok {
		return c.([]Field)
	}
	fields := collectFields(t, nil)
	fieldCache.Store(t, fields)
	return fields
}

func collectFields(t reflect.Type, parent []int) []Field {
	var fields []Field
	for i := range t.NumField() {
		sf := t.Field(i)
		index := append(append([]int(nil), parent...), i)
		name, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
		switch {
		case name == "-" || !sf.IsExported() && !sf.Anonymous:
		case sf.Anonymous && name == "":
			inner := collectFields(sf.Type, index)
			for i := range inner {
				inner[i].Group = cmp.Or(inner[i].Group, sf.Type.Name())
			}
			fields = append(fields, inner...)
		default:
			fields = append(fields, newField(t, sf, name, index))
		}
	}
	return fields
}

// newField reads the tags of one struct field. A wrong tag is a mistake of the
// programmer and panics, in the first test that runs.
func newField(t reflect.Type, sf reflect.StructField, name string, index []int) Field {
	if name == "" {
		panic(fmt.Sprintf("report: %s.%s has no json name", t, sf.Name))
	}
	tag := sf.Tag
	f := Field{
		Name: name, Label: tag.Get("label"), Help: tag.Get("help"), Editor: tag.Get("editor"),
		Default: tag.Get("default"), From: tag.Get("from"), Since: tag.Get("since"), Scope: tag.Get("scope"), Names: tag.Get("names"), Means: tag.Get("means"), Required: tag.Get("required") == "true", index: index, tag: tag,
	}
	f.typ, f.Shape = shapeOf(sf.Type)
	if enum, ok := tag.Lookup("enum"); ok {
		f.Enum = strings.Split(enum, ",")
	}
	f.Min, f.Max = limitTag(t, sf, "min"), limitTag(t, sf, "max")
	if f.Label == "" {
		f.Label = humanise(name)
	}
	if f.Default != "" {
		if err := setDefault(reflect.New(f.typ).Elem(), f.Default); err != nil {
			panic(fmt.Sprintf("report: default of %s.%s: %v", t, sf.Name, err))
		}
	}
	return f
}

func limitTag(t reflect.Type, sf reflect.StructField, key string) *float64 {
	text, ok := sf.Tag.Lookup(key)
	if !ok {
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("report: %s of %s.%s: %v", key, t, sf.Name, err))
	}
	return &n
}

func shapeOf(t reflect.Type) (reflect.Type, FieldShape) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return t, TextShape
	case reflect.Bool:
		return t, BoolShape
	case reflect.Int, reflect.Int32, reflect.Int64:
		return t, IntegerShape
	case reflect.Float64:
		return t, NumberShape
	case reflect.Struct:
		return t, GroupShape
	case reflect.Slice:
		return t, ListShape
	case reflect.Map:
		return t, MapShape
	case reflect.Interface:
		return t, AnyShape
	}
	panic(fmt.Sprintf("report: a definition cannot hold a %s", t))
}

// humanise writes a name as a label: "fontSize" as "Font size".
func humanise(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case i == 0:
			b.WriteString(strings.ToUpper(string(r)))
		case r >= 'A' && r <= 'Z':
			b.WriteString(" " + strings.ToLower(string(r)))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// setDefault writes a default's text into a value.
func setDefault(v reflect.Value, text string) error {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return err
		}
		v.SetBool(b)
	case reflect.Int, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return err
		}
		v.SetInt(n)
	case reflect.Float64:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return err
		}
		v.SetFloat(n)
	default:
		return fmt.Errorf("a %s cannot have a default", v.Type())
	}
	return nil
}
