package data

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/quire-reports/quire/report"
)

// mongoCommands are the commands that read, and the members that each may have.
// The command's own name is the first member.
var mongoCommands = map[string][]string{
	"find":      {"filter", "projection", "sort", "skip", "limit", "collation", "hint", "let", "allowDiskUse"},
	"aggregate": {"pipeline", "cursor", "collation", "hint", "let", "allowDiskUse"},
	"distinct":  {"key", "query", "collation"},
}

// mongoRefused are operators that write, or that run JavaScript inside of the
// database.
var mongoRefused = []string{"$out", "$merge", "$where", "$function", "$accumulator"}

// mongoCommand is the command that a function returned, in the form of the
// driver. Every other command is refused.
func mongoCommand(v any) (bson.D, error) {
	object, ok := v.(*report.Object)
	if !ok {
		return nil, fmt.Errorf("the function must return a command such as {find: \"orders\", filter: {}}, not %s", kindName(v))
	}
	name := ""
	for member := range object.All() {
		name = member
		break
	}
	accepted, ok := mongoCommands[name]
	if !ok {
		return nil, fmt.Errorf("unknown command %q; accepted: %s, as the first member", name, strings.Join(slices.Sorted(maps.Keys(mongoCommands)), ", "))
	}
	for member, value := range object.All() {
		if member != name && !slices.Contains(accepted, member) {
			return nil, fmt.Errorf("unknown member %q of %s; accepted: %s", member, name, strings.Join(accepted, ", "))
		}
		if operator := refusedOperator(value); operator != "" {
			return nil, fmt.Errorf("the operator %s is refused: commands read, and run no JavaScript in the database", operator)
		}
	}
	if collection, _ := object.Get(name); !isCollection(collection) {
		return nil, fmt.Errorf("%s needs the name of a collection, not %s", name, kindName(collection))
	}
	return mongoDocument(withCursor(name, object))
}

func isCollection(v any) bool {
	s, ok := v.(string)
	return ok && s != "" && !strings.Contains(s, "$")
}

// withCursor adds what the server asks for and nobody wants to write.
func withCursor(name string, object *report.Object) *report.Object {
	object = object.Clone()
	if name != "aggregate" {
		return object
	}
	for member, value := range map[string]any{"pipeline": []any{}, "cursor": report.ObjectOf()} {
		if given, ok := object.Get(member); !ok || given == nil {
			object.Set(member, value)
		}
	}
	return object
}

// refusedOperator is the first refused operator anywhere in a value.
func refusedOperator(v any) string {
	switch v := v.(type) {
	case *report.Object:
		for name, inner := range v.All() {
			if slices.Contains(mongoRefused, name) {
				return name
			}
			if found := refusedOperator(inner); found != "" {
				return found
			}
		}
	case []any:
		for _, item := range v {
			if found := refusedOperator(item); found != "" {
				return found
			}
		}
	}
	return ""
}

// mongoDocument is a value as BSON. Members such as $oid and $date have the
// meaning that MongoDB's Extended JSON gives them; dates are dates.
func mongoDocument(object *report.Object) (bson.D, error) {
	text, err := json.Marshal(extended(object))
	if err != nil {
		return nil, errors.New("the command cannot be written as JSON")
	}
	var document bson.D
	if err := bson.UnmarshalExtJSON(text, false, &document); err != nil {
		return nil, fmt.Errorf("the command is no Extended JSON: %w", err)
	}
	return document, nil
}

// extended replaces dates by the form of Extended JSON.
func extended(v any) any {
	switch v := v.(type) {
	case time.Time:
		return report.ObjectOf("$date", v.UTC().Format("2006-01-02T15:04:05.000Z"))
	case *report.Object:
		out := report.ObjectOf()
		for name, inner := range v.All() {
			out.Set(name, extended(inner))
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = extended(item)
		}
		return out
	}
	return v
}
