package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// What the loader takes may be written in several ways: a number as a text too, as
// variables of the environment are, and null for what is left out. The schema accepts
// all that the loader does.

func textSchema() map[string]any {
	return map[string]any{"type": []string{"string", "number", "boolean", "null"}}
}

func numberSchema(low, high int) map[string]any {
	return map[string]any{"type": []string{"integer", "string", "null"}, "minimum": low, "maximum": high, "pattern": "^[+-]?[0-9]+$"}
}

func booleanSchema() map[string]any {
	return map[string]any{"type": []string{"boolean", "string", "integer", "null"}, "minimum": 0, "maximum": 1, "pattern": "^(" + anyCase("true", "false", "t", "f") + "|1|0)$"}
}

func wordSchema(words []string) map[string]any {
	accepted := []any{}
	for _, word := range words {
		accepted = append(accepted, word)
	}
	return map[string]any{"enum": append(accepted, nil)}
}

// listSchema is a list, which may also be written as a text with commas.
func listSchema() map[string]any {
	return map[string]any{"type": []string{"array", "string", "number", "boolean", "null"}, "items": map[string]any{"type": []string{"string", "number", "boolean"}}}
}

// isList tells whether the value of a setting may be a list.
func (t takes) isList() bool { return t.schema["items"] != nil }

// anyCase is a pattern of words in any case; schemas have no flag for that.
func anyCase(words ...string) string {
	var pattern strings.Builder
	for i, word := range words {
		if i > 0 {
			pattern.WriteByte('|')
		}
		for _, r := range word {
			upper, lower := unicode.ToUpper(r), unicode.ToLower(r)
			if upper == lower {
				pattern.WriteString(regexp.QuoteMeta(string(r)))
				continue
			}
			fmt.Fprintf(&pattern, "[%c%c]", upper, lower)
		}
	}
	return pattern.String()
}

// schemaObject is an object of settings, as JSON Schema has it.
func schemaObject() map[string]any {
	return map[string]any{"type": []string{"object", "null"}, "additionalProperties": false, "properties": map[string]any{}}
}

// alsoNames adds the other ways to write the names in an object: in any case, and
// with the group before a dot.
func alsoNames(object map[string]any) {
	properties, _ := object["properties"].(map[string]any)
	names := slices.Sorted(maps.Keys(properties))
	object["patternProperties"] = map[string]any{"^(" + anyCase(names...) + ")$": map[string]any{}, `\.`: map[string]any{}}
	for _, one := range properties {
		one, _ := one.(map[string]any)
		if one["properties"] != nil {
			alsoNames(one)
		}
		if items, _ := one["items"].(map[string]any); items["properties"] != nil {
			alsoNames(items)
		}
	}
}

// settingsSchema is the JSON Schema of the settings file, from the declarations of
// the settings.
func settingsSchema() []byte {
	root := schemaObject()
	root["type"] = "object"
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "Settings of Quire"
	for _, s := range settingList() {
		one := map[string]any{"description": s.help, "examples": []any{schemaValue(s, s.example)}}
		for name, value := range s.schema {
			one[name] = value
		}
		if s.def != "" {
			one["default"] = schemaValue(s, s.def)
		}
		put(root, strings.Split(s.name, "."), one)
		if s.isSecret() {
			put(root, strings.Split(s.name+inFile, "."), map[string]any{"type": []string{"string", "null"}, "description": fmt.Sprintf("path of a file with %s", s.name)})
		}
	}
	alsoNames(root)
	put(root, []string{"$schema"}, map[string]any{"description": "address of this schema, for editors"})
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // of texts and numbers
	}
	return append(text, '\n')
}

// schemaValue is a default or an example as a settings file has it.
func schemaValue(s setting, text string) any {
	var kinds []string
	if list, ok := s.schema["type"].([]string); ok {
		kinds = list[:1] // the first is how it is best written
	}
	switch {
	case slices.Equal(kinds, []string{"boolean"}):
		return text == "true"
	case slices.Equal(kinds, []string{"integer"}):
		n, _ := strconv.Atoi(text) // the tests set every default and example
		return n
	}
	return text
}

// put puts a setting into the object of its group; a group with a 0 in its name is
// a list.
func put(object map[string]any, path []string, one map[string]any) {
	properties, _ := object["properties"].(map[string]any)
	name := path[0]
	if len(path) == 1 {
		properties[name] = one
		return
	}
	group, _ := properties[name].(map[string]any)
	if path[1] != "0" {
		if group == nil {
			group = schemaObject()
			properties[name] = group
		}
		put(group, path[1:], one)
		return
	}
	if group == nil {
		group = map[string]any{"type": []string{"array", "object", "null"}, "maxItems": mostProviders, "items": schemaObject()}
		properties[name] = group
	}
	items, _ := group["items"].(map[string]any)
	put(items, path[2:], one)
}
