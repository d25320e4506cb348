package report

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// DecodeInto reads a JSON document into a struct of definitions, by its tags.
// Every unknown name, wrong type, missing required member and value outside its
// enumeration or limits is reported with its exact path; what is right is
// still set. A member that is null counts as absent. Defaults are not filled
// in: what was absent stays empty.
func DecodeInto(doc []byte, into any) Problems {
	value, err := ParseValue(doc)
	if err != nil {
		return asProblems(err)
	}
	return AssignInto(value, into, "")
}

// ReadStored is DecodeInto for what was accepted once: names that no longer
// would be, and members that are still to be filled in, keep nobody from
// reading it.
func ReadStored(doc []byte, into any) Problems {
	value, err := ParseValue(doc)
	if err != nil {
		return asProblems(err)
	}
	d := decoder{anyName: true, draft: true}
	d.assign(value, reflect.ValueOf(into).Elem(), &Field{}, "")
	return d.found()
}

// AssignInto is DecodeInto for a value that was parsed already; path is the
// place of the value, which the problems start with.
func AssignInto(value, into any, path string) Problems {
	d := decoder{}
	d.assign(value, reflect.ValueOf(into).Elem(), &Field{}, path)
	return d.found()
}

// Assign sets the field of a struct, which a pointer leads to, to a JSON value.
func (f *Field) Assign(value, of any) Problems {
	d := decoder{}
	d.assign(value, f.In(of), f, f.Name)
	return d.found()
}

// AssignDraft is AssignInto for a definition that is still being made: what is
// missing is left empty, and Unfinished finds it.
func AssignDraft(value, into any, path string) Problems {
	d := decoder{draft: true}
	d.assign(value, reflect.ValueOf(into).Elem(), &Field{}, path)
	return d.found()
}

// DecodeDraft is AssignDraft for a JSON document.
func DecodeDraft(doc []byte, into any) Problems {
	value, err := ParseValue(doc)
	if err != nil {
		return asProblems(err)
	}
	return AssignDraft(value, into, "")
}

// Unfinished finds the members that a definition must have and that are empty.
func Unfinished(definition any) Problems {
	d := decoder{}
	d.unfinished(reflect.ValueOf(definition), "")
	return d.found()
}

func (d *decoder) unfinished(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type() != reflect.TypeFor[*Object]() {
			d.unfinished(v.Elem(), path)
		}
	case reflect.Slice:
		for i := range v.Len() {
			d.unfinished(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			d.unfinished(v.MapIndex(key), JoinPath(path, key.String()))
		}
	case reflect.Struct:
		fields := fieldsOf(v.Type())
		for i := range fields {
			member, at := v.FieldByIndex(fields[i].index), JoinPath(path, fields[i].Name)
			if fields[i].Required && member.IsZero() {
				d.fault(at, "%q is missing", fields[i].Name)
			} else {
				d.unfinished(member, at)
			}
		}
	}
}

// DecodeProps reads the settings of a component or data source: DecodeInto
// with the defaults of the tags filled in.
func DecodeProps[P any](props map[string]any, path string) (P, Problems) {
	var p P
	d := decoder{defaults: true, anyName: true} // such as of a column with a line break
	d.members(func(name string) (any, bool) { v, ok := props[name]; return v, ok }, sortedNames(props), reflect.ValueOf(&p).Elem(), path)
	return p, d.found()
}

// ApplyDefaults fills the empty fields of a struct with the defaults of its
// tags, in nested groups too.
func ApplyDefaults(into any) { applyDefaults(reflect.ValueOf(into).Elem()) }

func applyDefaults(v reflect.Value) {
	for _, f := range fieldsOf(v.Type()) {
		fv := v.FieldByIndex(f.index)
		if f.Shape == GroupShape && fv.Kind() == reflect.Struct {
			applyDefaults(fv)
		} else if f.Default != "" && fv.IsZero() && fv.Kind() != reflect.Pointer {
			_ = setDefault(fv, f.Default) // checked when the field was made
		}
	}
}

func asProblems(err error) Problems {
	if p, ok := err.(*Problem); ok {
		return Problems{p}
	}
	return Problems{Problemf("", "%v", err)}
}

func sortedNames(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// decoder assigns parsed JSON to Go values and collects what is wrong.
type decoder struct {
	defaults bool
	anyName  bool // names may be of any length and characters
	draft    bool // nothing is missing yet
	problems Problems
	more     int // problems that were left out
}

// maxProblems bounds the list of a document that is wrong throughout; with the
// one that tells of the rest they are a hundred.
const maxProblems = 99

func (d *decoder) fault(path, format string, args ...any) {
	if len(d.problems) == maxProblems {
		d.more++
		return
	}
	d.problems = append(d.problems, Problemf(path, format, args...))
}

// found are the problems, with one that tells of those left out.
func (d *decoder) found() Problems {
	if d.more == 0 {
		return d.problems
	}
	return append(d.problems, Problemf("", "… and %d more", d.more))
}

// assign sets dst to a JSON value, or reports why it cannot.
func (d *decoder) assign(value any, dst reflect.Value, f *Field, path string) {
	if value == nil {
		return
	}
	if dst.Type() == reflect.TypeFor[*Object]() { // any object, as it is
		if o, ok := value.(*Object); ok {
			dst.Set(reflect.ValueOf(o))
		} else {
			d.fault(path, "must be an object, not %s", describe(value))
		}
		return
	}
	if dst.Kind() == reflect.Pointer {
		target := reflect.New(dst.Type().Elem())
		before := len(d.problems)
		d.assign(value, target.Elem(), f, path)
		if len(d.problems) == before {
			dst.Set(target)
		}
		return
	}
	switch dst.Kind() {
	case reflect.String:
		d.text(value, dst, f, path)
	case reflect.Bool:
		if b, ok := value.(bool); ok {
			dst.SetBool(b)
		} else {
			d.fault(path, "must be true or false, not %s", describe(value))
		}
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
		d.number(value, dst, f, path)
	case reflect.Struct:
		d.group(value, dst, path)
	case reflect.Slice:
		d.list(value, dst, f, path)
	case reflect.Map:
		d.table(value, dst, f, path)
	default:
		dst.Set(reflect.ValueOf(value))
	}
}

func (d *decoder) text(value any, dst reflect.Value, f *Field, path string) {
	s, ok := value.(string)
	if !ok {
		d.fault(path, "must be text, not %s", describe(value))
		return
	}
	if f.Enum != nil && !slices.Contains(f.Enum, s) {
		d.fault(path, "unknown value %q; accepted: %s", s, acceptedNames(f.Enum))
		return
	}
	// A name that something must have stands in lists and in the names of files.
	if f.Name == "name" && f.Required && !d.anyName {
		if fault := NameFault(s); fault != "" {
			d.fault(path, "%s", fault)
			return
		}
	}
	dst.SetString(s)
}

// maxName bounds the names of definitions, in characters.
const maxName = 200

// NameFault is why a text is no name; empty when it is one.
func NameFault(name string) string {
	if n := utf8.RuneCountInString(name); n > maxName {
		return fmt.Sprintf("the name has %d characters; at most %d are accepted", n, maxName)
	}
	if !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Sprintf("the name %q has characters that no line of text has", name)
	}
	return ""
}

func (d *decoder) number(value any, dst reflect.Value, f *Field, path string) {
	n, err := toFloat(value)
	isFloat := dst.Kind() == reflect.Float64
	switch {
	case err != nil:
		d.fault(path, "must be a number, not %s", describe(value))
	case f.Min != nil && n < *f.Min || f.Max != nil && n > *f.Max:
		d.fault(path, "%v is out of range; accepted: %s", value, limits(f))
	case !isFloat && (n != math.Trunc(n) || math.Abs(n) > math.MaxInt32):
		d.fault(path, "must be a whole number within 32 bits, not %v", value)
	case isFloat:
		dst.SetFloat(n)
	default:
		dst.SetInt(int64(n))
	}
}

func toFloat(value any) (float64, error) {
	switch n := value.(type) {
	case json.Number:
		return n.Float64()
	case float64:
		return n, nil
	case int64:
		return float64(n), nil
	case int:
		return float64(n), nil
	}
	return 0, strconv.ErrSyntax
}

func limits(f *Field) string {
	switch {
	case f.Max == nil:
		return fmt.Sprintf("%v or more", *f.Min)
	case f.Min == nil:
		return fmt.Sprintf("%v or less", *f.Max)
	}
	return fmt.Sprintf("%v to %v", *f.Min, *f.Max)
}

func (d *decoder) group(value any, dst reflect.Value, path string) {
	switch o := value.(type) {
	case *Object:
		d.members(o.Get, o.shape.names, dst, path)
	case map[string]any:
		d.members(func(n string) (any, bool) { v, ok := o[n]; return v, ok }, sortedNames(o), dst, path)
	default:
		d.fault(path, "must be an object, not %s", describe(value))
	}
}

// members sets the fields of a struct from an object's members.
func (d *decoder) members(get func(string) (any, bool), names []string, dst reflect.Value, path string) {
	fields := fieldsOf(dst.Type())
	for i := range fields {
		f := &fields[i]
		fv := dst.FieldByIndex(f.index)
		if d.defaults {
			d.fillDefault(fv, f)
		}
		v, ok := get(f.Name)
		if (!ok || v == nil) && f.Required && !d.draft {
			d.fault(path, "%q is missing", f.Name)
		}
		if ok {
			d.assign(v, fv, f, JoinPath(path, f.Name))
		}
	}
	for _, n := range names {
		switch {
		case slices.ContainsFunc(fields, func(f Field) bool { return f.Name == n }):
		case len(d.problems) == maxProblems:
			d.more++ // to look for what was meant takes long
		default:
			d.fault(JoinPath(path, n), "unknown name%s", suggestion(n, fieldNames(fields)))
		}
	}
}

func (d *decoder) fillDefault(fv reflect.Value, f *Field) {
	switch {
	case f.Default != "" && fv.Kind() == reflect.Pointer:
		fv.Set(reflect.New(fv.Type().Elem()))
		_ = setDefault(fv.Elem(), f.Default) // checked when the field was made
	case f.Default != "":
		_ = setDefault(fv, f.Default)
	case f.Shape == GroupShape && fv.Kind() == reflect.Struct:
		applyDefaults(fv)
	}
}

func (d *decoder) list(value any, dst reflect.Value, f *Field, path string) {
	items, ok := value.([]any)
	if !ok {
		d.fault(path, "must be a list, not %s", describe(value))
		return
	}
	list := reflect.MakeSlice(dst.Type(), len(items), len(items))
	item := &Field{Enum: f.Enum, Min: f.Min, Max: f.Max}
	for i, v := range items {
		at := fmt.Sprintf("%s[%d]", path, i)
		if v == nil && list.Index(i).Kind() == reflect.Struct {
			d.fault(at, "must be an object, not null")
			continue
		}
		d.assign(v, list.Index(i), item, at)
	}
	dst.Set(list)
}

func (d *decoder) table(value any, dst reflect.Value, f *Field, path string) {
	table := reflect.MakeMap(dst.Type())
	put := func(name string, v any) {
		item := reflect.New(dst.Type().Elem()).Elem()
		d.assign(v, item, &Field{Enum: f.Enum}, JoinPath(path, name))
		table.SetMapIndex(reflect.ValueOf(name), item)
	}
	switch o := value.(type) {
	case *Object:
		for n, v := range o.All() {
			put(n, v)
		}
	case map[string]any:
		for _, n := range sortedNames(o) {
			put(n, o[n])
		}
	default:
		d.fault(path, "must be an object, not %s", describe(value))
		return
	}
	dst.Set(table)
}

// describe names a JSON value for a message.
func describe(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case string:
		if len(v) > 40 {
			return "a text"
		}
		return "the text " + strconv.Quote(v)
	case []any:
		return "a list"
	case *Object, map[string]any:
		return "an object"
	}
	return fmt.Sprintf("the number %v", value)
}

func fieldNames(fields []Field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

func acceptedNames(enum []string) string {
	named := make([]string, 0, len(enum))
	for _, e := range enum {
		if e != "" {
			named = append(named, e)
		}
	}
	return strings.Join(named, ", ")
}
