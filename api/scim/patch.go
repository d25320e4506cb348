package scim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

// mostOperations bounds a patch.
const mostOperations = 1000

// operation is one step of a patch.
type operation struct {
	op    string // add, replace or remove
	path  string // empty: value names what changes
	value any
}

func wrongValue(format string, args ...any) error {
	return &fault{400, "invalidValue", fmt.Sprintf(format, args...)}
}

// member is a member of what was sent, its name in any case.
func member(o *report.Object, name string) (any, bool) {
	for n, v := range o.All() {
		if strings.EqualFold(n, name) {
			return v, true
		}
	}
	return nil, false
}

// readPatch reads the operations of a patch.
func readPatch(body *report.Object) ([]operation, error) {
	sent, _ := member(body, "Operations")
	list, isList := sent.([]any)
	switch {
	case !isList || len(list) == 0:
		return nil, &fault{400, "invalidSyntax", "a patch needs Operations, a list with op, path and value"}
	case len(list) > mostOperations:
		return nil, &fault{413, "tooMany", fmt.Sprintf("a patch has at most %d operations", mostOperations)}
	}
	operations := make([]operation, len(list))
	for i, one := range list {
		o, isObject := one.(*report.Object)
		if !isObject {
			return nil, &fault{400, "invalidSyntax", "an operation must be an object with op, path and value"}
		}
		op, _ := member(o, "op")
		path, hasPath := member(o, "path")
		name, _ := op.(string)
		at, isText := path.(string)
		if hasPath && path != nil && !isText {
			return nil, &fault{400, "invalidPath", "the path of an operation must be a text"}
		}
		operations[i] = operation{op: strings.ToLower(name), path: strings.TrimSpace(at)}
		operations[i].value, _ = member(o, "value")
		if !slices.Contains([]string{"add", "replace", "remove"}, operations[i].op) {
			return nil, &fault{400, "invalidSyntax", fmt.Sprintf("unknown op %q; accepted: add, replace, remove", clip(name))}
		}
	}
	return operations, nil
}

// steps are what operations do, each to one place. One without a path is as many
// as its value has members, whose names are paths.
func (s *schema) steps(operations []operation) ([]step, error) {
	var steps []step
	for _, o := range operations {
		if o.path != "" {
			to, err := parsePath(s, o.path)
			if err != nil {
				return nil, err
			}
			if !to.foreign && to.attr.readOnly && to.attr.name != "schemas" {
				return nil, &fault{400, "mutability", to.attr.name + " is not changed from outside"}
			}
			steps = append(steps, step{o.op, to, o.value})
			continue
		}
		if o.op == "remove" {
			return nil, &fault{400, "noTarget", "remove needs a path"}
		}
		values, isObject := o.value.(*report.Object)
		if !isObject {
			return nil, wrongValue("without a path the value must be an object that names what changes")
		}
		for name, value := range values.All() {
			to, err := parsePath(s, name)
			if err != nil {
				return nil, err
			}
			// What is sent back as it was read has read-only members.
			if to.foreign || !to.attr.readOnly {
				steps = append(steps, step{o.op, to, value})
			}
		}
	}
	return slices.DeleteFunc(steps, func(s step) bool { return s.to.foreign || s.to.attr.readOnly }), nil
}

// step is one change.
type step struct {
	op    string
	to    path
	value any
}

// apply does a step to a resource.
func (s step) apply(o object) error {
	a := s.to.attr
	if a.several {
		return s.applySeveral(o)
	}
	if s.to.sub != nil {
		inner, _ := o[a.name].(object)
		if inner == nil {
			inner = object{}
		}
		o[a.name] = inner
		return s.put(inner, s.to.sub, s.value)
	}
	return s.put(o, a, s.value)
}

// put sets or removes an attribute with one value.
func (s step) put(o object, a *attribute, sent any) error {
	if s.op == "remove" || sent == nil {
		delete(o, a.name)
		return nil
	}
	value, err := a.read(sent)
	if err != nil {
		return err
	}
	if before, is := o[a.name].(object); is && a.kind == complexType {
		for name, part := range value.(object) { // the parts that are named
			before[name] = part
		}
		return nil
	}
	o[a.name] = value
	return nil
}

// applySeveral does a step to an attribute with several values.
func (s step) applySeveral(o object) error {
	a := s.to.attr
	list, _ := o[a.name].([]any)
	if s.to.only != nil || s.to.sub != nil {
		return s.applyChosen(o, list)
	}
	if s.op == "remove" && s.value == nil {
		delete(o, a.name)
		return nil
	}
	sent, err := a.readSeveral(s.value)
	if err != nil {
		return err
	}
	switch s.op {
	case "replace":
		list = nil
	case "remove": // those that are named
		named := map[string]bool{}
		for _, v := range sent {
			named[keyOf(v)] = true
		}
		list = slices.DeleteFunc(list, func(v any) bool { return named[keyOf(v)] })
		sent = nil
	}
	o[a.name] = added(list, sent)
	return nil
}

// keyOf is by what one of several values is known.
func keyOf(v any) string {
	value, _ := v.(object)["value"].(string)
	return strings.ToLower(value)
}

// added puts values into a list: one that is there gets the parts, and of several
// the last is primary.
func added(list, values []any) []any {
	places := map[string]int{}
	for i, v := range list {
		places[keyOf(v)] = i
	}
	primary := -1
	for _, v := range values {
		at, there := places[keyOf(v)]
		if !there || keyOf(v) == "" {
			at = len(list)
			places[keyOf(v)], list = at, append(list, v)
		}
		for name, part := range v.(object) {
			list[at].(object)[name] = part
		}
		if list[at].(object)["primary"] == true {
			primary = at
		}
	}
	if primary >= 0 {
		onePrimary(list, primary)
	}
	return list
}

func onePrimary(list []any, at int) {
	if list[at].(object)["primary"] != true {
		return
	}
	for i, other := range list {
		if i != at && other.(object)["primary"] == true {
			delete(other.(object), "primary")
		}
	}
}

// applyChosen does a step to those values that a filter chooses. Where it
// chooses none, one that it would choose is made: some set the address for work
// of somebody who has none that way.
func (s step) applyChosen(o object, list []any) error {
	a := s.to.attr
	chosen := func(v any) bool { return s.to.only == nil || s.to.only.match(v.(object)) }
	if s.op == "remove" && s.to.sub == nil {
		o[a.name] = slices.DeleteFunc(list, chosen)
		return nil
	}
	if s.op != "remove" && !slices.ContainsFunc(list, chosen) {
		made := object{}
		if s.to.only != nil && !asserted(s.to.only, made) {
			return &fault{400, "noTarget", "the path chooses none of the values of " + a.name}
		}
		list = append(list, made)
	}
	for i, v := range list {
		if !chosen(v) && len(v.(object)) > 0 {
			continue
		}
		if err := s.change(v.(object)); err != nil {
			return err
		}
		onePrimary(list, i)
	}
	o[a.name] = slices.DeleteFunc(list, func(v any) bool { return len(v.(object)) == 0 })
	return nil
}

// change puts the value of a step into one of several values.
func (s step) change(v object) error {
	if s.to.sub != nil {
		return s.put(v, s.to.sub, s.value)
	}
	sent, err := s.to.attr.readOne(s.value)
	if err != nil {
		return err
	}
	for name, part := range sent {
		v[name] = part
	}
	return nil
}

// asserted makes a value that a filter chooses, where it only says what parts
// are equal to.
func asserted(f filter, into object) bool {
	switch f := f.(type) {
	case both:
		return asserted(f.a, into) && asserted(f.b, into)
	case compared:
		value, err := f.at.attr.read(f.value)
		if f.op != "eq" || err != nil {
			return false
		}
		into[f.at.attr.name] = value
		return true
	}
	return false
}

// read takes a value as it was sent; a truth may be a text.
func (a *attribute) read(sent any) (any, error) {
	switch a.kind {
	case boolean:
		switch v := sent.(type) {
		case bool:
			return v, nil
		case string:
			if strings.EqualFold(v, "true") {
				return true, nil
			}
			if strings.EqualFold(v, "false") {
				return false, nil
			}
		}
		return nil, wrongValue("%s must be true or false", a.name)
	case complexType:
		return a.readOne(sent)
	}
	switch v := sent.(type) {
	case string:
		return v, nil
	case json.Number: // some have numbers for identifiers
		return v.String(), nil
	}
	return nil, wrongValue("%s must be a text", a.name)
}

// readOne takes one value with its parts.
func (a *attribute) readOne(sent any) (object, error) {
	o, isObject := sent.(*report.Object)
	if !isObject {
		part := a.find("value")
		if part == nil {
			return nil, wrongValue("%s must be an object", a.name)
		}
		value, err := part.read(sent)
		if err != nil {
			return nil, wrongValue("%s must be objects with value", a.name)
		}
		return object{"value": value}, nil
	}
	read := object{}
	for name, value := range o.All() {
		part := a.find(name)
		if part == nil || value == nil {
			continue
		}
		v, err := part.read(value)
		if err != nil {
			return nil, err
		}
		read[part.name] = v
	}
	return read, nil
}

// readSeveral takes a list, or one value.
func (a *attribute) readSeveral(sent any) ([]any, error) {
	list, isList := sent.([]any)
	if !isList && sent != nil {
		list = []any{sent}
	}
	read := make([]any, 0, len(list))
	for _, one := range list {
		v, err := a.readOne(one)
		if err != nil {
			return nil, err
		}
		if len(v) > 0 {
			read = append(read, v)
		}
	}
	return read, nil
}

// resource reads a whole resource, as it is made or replaced.
func (s *schema) resource(body *report.Object) (object, error) {
	o := object{}
	for name, sent := range body.All() {
		at, err := s.place(name)
		if err != nil || at.foreign || at.attr.readOnly || sent == nil {
			continue // what is not known is passed over, as the standard has it
		}
		if err := (step{"replace", path{place: at}, sent}).apply(o); err != nil {
			return nil, err
		}
	}
	for _, a := range s.attributes {
		if a.required && a.kind == text && o[a.name] == nil { // the others may be left out
			return nil, wrongValue("%s is missing", a.name)
		}
	}
	return o, nil
}
