package steps

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"github.com/quire-reports/quire/report/text"
)

// NewEnv is what steps ask for in the environment of a run's texts: its scope,
// language and expressions.
func NewEnv(env *text.Env, warn func(at, message string)) *Env {
	return &Env{
		Warn: warn, CollationKey: CollationKeys(env.Locale),
		Value: func(source string) (any, error) {
			e := text.ParseExpression(braced(source))
			for _, r := range e.Reads() {
				if r.Path == nil || r.Fallback {
					continue
				}
				if _, found := r.Path.Get(env.Scope); !found {
					return nil, fmt.Errorf("%s leads to no value", r.Source)
				}
			}
			return e.Eval(env)
		},
		Expression: func(source string) func(row any, index int) (any, error) {
			expression := text.ParseExpression(source)
			record := &recordScope{outer: env.Scope}
			own := *env
			own.Scope = record
			return func(row any, index int) (any, error) {
				record.row, record.index = row, index
				return expression.Eval(&own)
			}
		},
	}
}

// readsRecord reports whether an expression reads the row or its place.
func readsRecord(source string) bool {
	return slices.ContainsFunc(text.ParseExpression(source).Reads(), func(r text.Read) bool {
		return r.Path != nil && (r.Path.Root() == "$record" || r.Path.Root() == "$index")
	})
}

// readsUser tells that an expression asks who looks, however it does.
func readsUser(source string) bool { return strings.Contains(source, "$user") }

// CollationKeys makes keys by the rules of a language, each text's once.
func CollationKeys(locale *text.Locale) func(string) string {
	var order *collate.Collator
	var buffer collate.Buffer
	known := map[string]string{}
	return func(s string) string {
		key, ok := known[s]
		if !ok {
			if order == nil {
				order = collate.New(collation(locale))
			}
			key = string(order.KeyFromString(&buffer, s))
			buffer.Reset()
			known[s] = key
		}
		return key
	}
}

func collation(l *text.Locale) language.Tag {
	if l == nil {
		return language.English
	}
	return l.Collation()
}

// braced makes a binding of a bare path.
func braced(source string) string {
	if strings.HasPrefix(source, "$") && !strings.ContainsAny(source, " {}()+*/<>=!&|?'\"") {
		return "{" + source + "}"
	}
	return source
}

// recordScope adds the current row and its place to a scope.
type recordScope struct {
	outer text.Scope
	row   any
	index int
}

// Lookup implements text.Scope.
func (s *recordScope) Lookup(root string) (any, bool) {
	switch root {
	case "$record":
		return s.row, true
	case "$index":
		return s, true
	}
	return s.outer.Lookup(root)
}

// Whole is $index, the place of the row.
func (s *recordScope) Whole() any { return int64(s.index) }

// Get is the place of an item of what repeats around the steps.
func (s *recordScope) Get(alias string) (any, bool) {
	if outer, ok := s.outer.Lookup("$index"); ok {
		if around, ok := outer.(text.Getter); ok {
			return around.Get(alias)
		}
	}
	return nil, false
}
