package steps

import (
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"github.com/quire-reports/quire/report/text"
)

// NewEnv is what steps ask for in the environment of a run's texts: its scope,
// language and expressions.
func NewEnv(env *text.Env, warn func(format string, args ...any)) *Env {
	return &Env{
		Warn: warn, CollationKey: collationKeys(env.Locale),
		Value: func(source string) (any, error) {
			return text.ParseExpression(braced(source)).Eval(env)
		},
		Expression: func(source string) func(row any) (any, error) {
			expression := text.ParseExpression(source)
			record := &recordScope{outer: env.Scope}
			own := *env
			own.Scope = record
			return func(row any) (any, error) {
				record.row = row
				return expression.Eval(&own)
			}
		},
	}
}

// collationKeys makes keys by the rules of a language, each text's once.
func collationKeys(locale *text.Locale) func(string) string {
	var order *collate.Collator
	var buffer collate.Buffer
	known := map[string]string{}
	return func(s string) string {
		key, ok := known[s]
		if !ok {
			if order == nil {
				order = collate.New(language.Make(tagOf(locale)))
			}
			key = string(order.KeyFromString(&buffer, s))
			buffer.Reset()
			known[s] = key
		}
		return key
	}
}

func tagOf(l *text.Locale) string {
	if l == nil {
		return "en"
	}
	return l.Tag()
}

// braced makes a binding of a bare path.
func braced(source string) string {
	if strings.HasPrefix(source, "$") && !strings.ContainsAny(source, " {}()+*/<>=!&|?'\"") {
		return "{" + source + "}"
	}
	return source
}

// recordScope adds the current row to a scope.
type recordScope struct {
	outer text.Scope
	row   any
}

// Lookup implements text.Scope.
func (s *recordScope) Lookup(root string) (any, bool) {
	if root == "$record" {
		return s.row, true
	}
	return s.outer.Lookup(root)
}
