package scim

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Filters and paths come from outside: their length, their depth and the number
// of their terms are bounded before anything is made of them.
const (
	mostFilter = 4 << 10 // bytes
	mostDepth  = 12
	mostTerms  = 64
)

// filter is a condition on a resource, or on one value of an attribute.
type filter interface {
	match(of object) bool
}

type (
	both    struct{ a, b filter }
	either  struct{ a, b filter }
	negated struct{ f filter }
	// present is attr pr.
	present struct{ at place }
	// compared is attr op value.
	compared struct {
		at    place
		op    string
		value any // string, float64, bool or nil
	}
	// within is attr[filter].
	within struct {
		at place
		f  filter
	}
)

func (f both) match(o object) bool    { return f.a.match(o) && f.b.match(o) }
func (f either) match(o object) bool  { return f.a.match(o) || f.b.match(o) }
func (f negated) match(o object) bool { return !f.f.match(o) }

func (f within) match(o object) bool {
	list, _ := o[f.at.attr.name].([]any)
	for _, v := range list {
		if of, isObject := v.(object); isObject && f.f.match(of) {
			return true
		}
	}
	return false
}

func (f present) match(o object) bool {
	for _, v := range valuesAt(o, f.at) {
		if v != nil && v != "" {
			return true
		}
	}
	return false
}

func (f compared) match(o object) bool {
	values := valuesAt(o, f.at)
	if len(values) == 0 {
		// An attribute without a value equals null only.
		return (f.op == "eq") == (f.value == nil) && (f.op == "eq" || f.op == "ne")
	}
	for _, v := range values {
		if f.holds(v) {
			return true
		}
	}
	return false
}

// holds compares one value.
func (f compared) holds(v any) bool {
	attr := f.at.leaf()
	switch f.op {
	case "eq":
		return same(attr, v, f.value)
	case "ne":
		return !same(attr, v, f.value)
	}
	text, isText := v.(string)
	wanted, wantsText := f.value.(string)
	if !isText || !wantsText {
		return false
	}
	if attr.kind == dateTime {
		have, err := time.Parse(time.RFC3339, text)
		want, wrong := time.Parse(time.RFC3339, wanted)
		if err != nil || wrong != nil {
			return false
		}
		return ordered(f.op, have.Compare(want))
	}
	if !attr.exact {
		text, wanted = strings.ToLower(text), strings.ToLower(wanted)
	}
	switch f.op {
	case "co":
		return strings.Contains(text, wanted)
	case "sw":
		return strings.HasPrefix(text, wanted)
	case "ew":
		return strings.HasSuffix(text, wanted)
	}
	return ordered(f.op, strings.Compare(text, wanted))
}

func ordered(op string, order int) bool {
	switch op {
	case "gt":
		return order > 0
	case "ge":
		return order >= 0
	case "lt":
		return order < 0
	}
	return order <= 0
}

func same(attr *attribute, v, wanted any) bool {
	if text, isText := v.(string); isText {
		want, wantsText := wanted.(string)
		return wantsText && (text == want || !attr.exact && strings.EqualFold(text, want))
	}
	if have, isBool := v.(bool); isBool {
		if text, isText := wanted.(string); isText { // some send "true"
			return strings.EqualFold(strconv.FormatBool(have), text)
		}
	}
	return v == wanted
}

// valuesAt are the values that an object has at a place; those of an attribute
// with several each for itself.
func valuesAt(o object, at place) []any {
	value, has := o[at.attr.name]
	if !has || value == nil {
		return nil
	}
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	sub := at.sub
	if sub == nil && at.attr.kind == complexType && at.attr.several {
		sub = at.attr.find("value") // emails eq "…" means emails.value
	}
	if sub == nil {
		return list
	}
	var values []any
	for _, v := range list {
		if of, isObject := v.(object); isObject && of[sub.name] != nil {
			values = append(values, of[sub.name])
		}
	}
	return values
}

// parser reads filters and the paths of patches.
type parser struct {
	rest   string
	terms  int
	schema *schema
	inside *attribute // whose values a filter in brackets is about
}

// parseFilter reads a filter on resources of a schema.
func parseFilter(s *schema, text string) (filter, error) {
	if len(text) > mostFilter {
		return nil, wrongFilter("it is longer than %d bytes", mostFilter)
	}
	p := &parser{rest: text, schema: s}
	f, err := p.any(0)
	if err == nil && p.space() != "" {
		err = wrongFilter("nothing is expected at %q", clip(p.rest))
	}
	return f, err
}

func wrongFilter(format string, args ...any) error {
	return &fault{400, "invalidFilter", "the filter cannot be read: " + fmt.Sprintf(format, args...)}
}

func clip(text string) string {
	if len(text) > 40 {
		return strings.ToValidUTF8(text[:40], "") + "…"
	}
	return text
}

// space skips what separates, and gives the rest.
func (p *parser) space() string {
	p.rest = strings.TrimLeft(p.rest, " ")
	return p.rest
}

// take skips a character if it comes next.
func (p *parser) take(c string) bool {
	if !strings.HasPrefix(p.space(), c) {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// word takes a name, an operator or a literal.
func (p *parser) word() string {
	p.space()
	n := strings.IndexFunc(p.rest, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_-$:.+", r)
	})
	if n < 0 {
		n = len(p.rest)
	}
	word := p.rest[:n]
	p.rest = p.rest[n:]
	return word
}

// keyword takes a word if it comes next, in any case.
func (p *parser) keyword(word string) bool {
	before := p.rest
	if strings.EqualFold(p.word(), word) {
		return true
	}
	p.rest = before
	return false
}

// any reads terms with or between them, which binds less than and.
func (p *parser) any(depth int) (filter, error) {
	f, err := p.all(depth)
	for err == nil && p.keyword("or") {
		var g filter
		g, err = p.all(depth)
		f = either{f, g}
	}
	return f, err
}

func (p *parser) all(depth int) (filter, error) {
	f, err := p.term(depth)
	for err == nil && p.keyword("and") {
		var g filter
		g, err = p.term(depth)
		f = both{f, g}
	}
	return f, err
}

func (p *parser) term(depth int) (filter, error) {
	p.terms++
	switch {
	case depth > mostDepth:
		return nil, wrongFilter("it is nested more than %d deep", mostDepth)
	case p.terms > mostTerms:
		return nil, wrongFilter("it has more than %d terms", mostTerms)
	}
	before := p.rest
	if p.keyword("not") {
		if strings.HasPrefix(p.space(), "(") {
			f, err := p.group(depth)
			return negated{f}, err
		}
		p.rest = before
	}
	if strings.HasPrefix(p.space(), "(") {
		return p.group(depth)
	}
	at, err := p.place()
	if err != nil {
		return nil, err
	}
	if at.foreign {
		return nil, wrongFilter("%q is no attribute that is kept here", at.text)
	}
	if p.inside == nil && at.sub == nil && at.attr.several && p.take("[") {
		return p.brackets(at, depth)
	}
	return p.comparison(at)
}

func (p *parser) group(depth int) (filter, error) {
	p.take("(")
	f, err := p.any(depth + 1)
	if err == nil && !p.take(")") {
		err = wrongFilter("a ) is missing at %q", clip(p.rest))
	}
	return f, err
}

// brackets reads the filter on one value, after the [.
func (p *parser) brackets(at place, depth int) (filter, error) {
	p.inside = at.attr
	f, err := p.any(depth + 1)
	p.inside = nil
	if err == nil && !p.take("]") {
		err = wrongFilter("a ] is missing at %q", clip(p.rest))
	}
	return within{at, f}, err
}

func (p *parser) comparison(at place) (filter, error) {
	op := strings.ToLower(p.word())
	switch op {
	case "pr":
		return present{at}, nil
	case "eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le":
	default:
		return nil, wrongFilter("%q is no operator; accepted: eq, ne, co, sw, ew, gt, ge, lt, le, pr", clip(op))
	}
	value, err := p.value()
	if err != nil {
		return nil, err
	}
	attr := at.leaf()
	if attr.kind == complexType && !attr.several {
		return nil, wrongFilter("%s has parts; name one of them", at.text)
	}
	if attr.kind == boolean && op != "eq" && op != "ne" {
		return nil, wrongFilter("%s is true or false, which %s does not compare", at.text, op)
	}
	return compared{at, op, value}, nil
}

// value reads a literal as JSON has it.
func (p *parser) value() (any, error) {
	if !strings.HasPrefix(p.space(), `"`) {
		word := p.word()
		switch strings.ToLower(word) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		case "null":
			return nil, nil
		}
		if number, err := strconv.ParseFloat(word, 64); err == nil && word != "" {
			return number, nil
		}
		return nil, wrongFilter("%q is no value; texts stand in double quotes", clip(word+p.rest))
	}
	for i := 1; i < len(p.rest); i++ {
		switch p.rest[i] {
		case '\\':
			i++
		case '"':
			var text string
			if err := json.Unmarshal([]byte(p.rest[:i+1]), &text); err != nil {
				return nil, wrongFilter("%s is no text as JSON has it", clip(p.rest[:i+1]))
			}
			p.rest = p.rest[i+1:]
			return text, nil
		}
	}
	return nil, wrongFilter("a text has no end: %s", clip(p.rest))
}

// place reads the name of an attribute.
func (p *parser) place() (place, error) {
	word := p.word()
	if word == "" {
		return place{}, wrongFilter("an attribute is expected at %q", clip(p.rest))
	}
	if p.inside != nil {
		if sub := p.inside.find(word); sub != nil {
			return place{attr: sub, text: word}, nil
		}
		return place{}, wrongFilter("%s has no %q", p.inside.name, clip(word))
	}
	at, err := p.schema.place(word)
	if err != nil {
		return at, wrongFilter("%s", err.Error())
	}
	return at, nil
}

// path is where a patch changes something: an attribute, those of its values
// that a filter chooses, and a part of them.
type path struct {
	place
	only filter
}

// parsePath reads the path of a patch.
func parsePath(s *schema, text string) (path, error) {
	wrong := func(format string, args ...any) (path, error) {
		return path{}, &fault{400, "invalidPath", fmt.Sprintf("the path %q cannot be read: ", clip(text)) + fmt.Sprintf(format, args...)}
	}
	if len(text) > mostFilter {
		return wrong("it is longer than %d bytes", mostFilter)
	}
	p := &parser{rest: text, schema: s}
	word := p.word()
	at, err := s.place(word)
	if err != nil {
		return wrong("%s", err.Error())
	}
	to := path{place: at}
	if at.foreign {
		return to, nil // whatever comes after it
	}
	if strings.HasPrefix(p.rest, "[") && at.sub == nil && at.attr.several {
		p.take("[")
		chosen, err := p.brackets(at, 0)
		if err != nil {
			return wrong("%s", err.Error())
		}
		to.only = chosen.(within).f
		if strings.HasPrefix(p.rest, ".") {
			p.rest = p.rest[1:]
			name := p.word()
			if to.sub = at.attr.find(name); to.sub == nil {
				return wrong("%s has no %q", at.attr.name, clip(name))
			}
		}
	}
	if p.rest != "" {
		return wrong("nothing is expected at %q", clip(p.rest))
	}
	return to, nil
}
