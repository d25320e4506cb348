package data

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// boundQuery is a query with its parameters replaced by the database's own
// placeholders, and their values. No value is ever part of the text.
type boundQuery struct {
	text string
	args []any
}

// bindSQL maps the parameters of a query to values: those of the settings'
// list first, then the report's parameters by name.
func bindSQL(ctx context.Context, env *Env, s sqlSettings, d *dialect) (*boundQuery, error) {
	values := map[string]any{}
	templates := env.text(ctx)
	for _, p := range s.Params {
		values[p.Name] = paramValue(p.Value, templates)
	}
	known := func(name string) bool {
		if _, mapped := values[name]; mapped {
			return true
		}
		_, given := env.Params.Get(name)
		return given
	}
	parts, err := scanSQL(s.Query, d, known)
	if err != nil {
		return nil, err
	}
	b := &binder{dialect: d, numbers: map[string]string{}}
	for _, p := range parts {
		switch {
		case p.path != "":
			b.add(p.path, text.Parse(p.path).Value(templates))
		case p.param != "":
			v, mapped := values[p.param]
			if !mapped {
				v, _ = env.Params.Get(p.param)
			}
			b.add(p.param, v)
		default:
			b.out.WriteString(p.text)
		}
		if b.err != nil {
			return nil, failed("settings.query", "the parameter %s: %s", p.text, b.err.Message)
		}
	}
	return &boundQuery{b.out.String(), b.args}, nil
}

// paramValue is the value of a mapped parameter: a text template is filled, or
// gives the value itself when it is one placeholder.
func paramValue(v any, env *text.Env) any {
	if s, ok := v.(string); ok {
		return text.Parse(s).Value(env)
	}
	return v
}

// binder collects placeholders and arguments.
type binder struct {
	dialect *dialect
	out     strings.Builder
	args    []any
	numbers map[string]string // placeholders of parameters seen before
	err     *report.Problem
}

// maxList bounds how many values one list parameter may have.
const maxList = 10_000

// add writes the placeholder of a value; a list becomes one for each item, as
// in (:ids) wants it, and an empty list NULL, which nothing is in.
func (b *binder) add(name string, v any) {
	if text, again := b.numbers[name]; again && b.dialect.numbered != "" {
		b.out.WriteString(text)
		return
	}
	list, isList := v.([]any)
	if !isList {
		list = []any{v}
	}
	if len(list) > maxList {
		b.err = report.Problemf("", "a list of %d values; the limit is %d", len(list), maxList)
		return
	}
	var text []string
	for _, item := range list {
		arg, err := b.argument(item)
		if err != nil {
			b.err = err
			return
		}
		if b.dialect.argument != nil {
			arg = b.dialect.argument(arg)
		}
		b.args = append(b.args, arg)
		text = append(text, b.placeholder())
	}
	if len(text) == 0 {
		text = []string{"NULL"}
	}
	b.numbers[name] = strings.Join(text, ", ")
	b.out.WriteString(b.numbers[name])
}

func (b *binder) placeholder() string {
	if b.dialect.numbered == "" {
		return "?"
	}
	return b.dialect.numbered + strconv.Itoa(len(b.args))
}

// argument is a value as the drivers take it.
func (b *binder) argument(v any) (any, *report.Problem) {
	switch v := v.(type) {
	case nil, bool, string, int64, float64:
		return v, nil
	case int:
		return int64(v), nil
	case json.Number:
		return b.number(string(v)), nil
	case time.Time:
		if b.dialect.textOnly {
			return v.UTC().Format("2006-01-02 15:04:05"), nil
		}
		return v, nil
	case *report.Object:
		return nil, report.Problemf("", "an object cannot be a parameter; name one of its members, such as {$params.range.from}")
	}
	return nil, report.Problemf("", "this kind of value cannot be a parameter")
}

// number keeps decimals exact: as text where the database reads text as a
// number, as a double in SQLite, which compares text and numbers as unequal.
func (b *binder) number(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	if b.dialect.textOnly {
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return f
		}
	}
	return s
}
