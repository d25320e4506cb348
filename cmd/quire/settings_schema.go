package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

func textSchema() map[string]any { return map[string]any{"type": "string"} }

// listSchema is a list, which may also be written as a text with commas.
func listSchema() map[string]any {
	return map[string]any{"type": []string{"array", "string"}, "items": textSchema()}
}

// schemaObject is an object of settings, as JSON Schema has it.
func schemaObject(properties map[string]any) map[string]any {
	return map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
}

// settingsSchema is the JSON Schema of the settings file, from the declarations of
// the settings.
func settingsSchema() []byte {
	root := schemaObject(map[string]any{"$schema": map[string]any{"type": "string"}})
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "Settings of Quire"
	for _, s := range settingList() {
		one := map[string]any{"description": s.help}
		for name, value := range s.schema {
			one[name] = value
		}
		if s.def != "" {
			one["default"] = schemaDefault(s)
		}
		put(root, strings.Split(s.name, "."), one)
		if s.isSecret() {
			put(root, strings.Split(s.name+inFile, "."), map[string]any{"type": "string", "description": fmt.Sprintf("path of a file with %s", s.name)})
		}
	}
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // of texts and numbers
	}
	return append(text, '\n')
}

// schemaDefault is a default as a settings file has it.
func schemaDefault(s setting) any {
	switch s.schema["type"] {
	case "boolean":
		return s.def == "true"
	case "integer":
		n, _ := strconv.Atoi(s.def) // the tests set every default
		return n
	}
	return s.def
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
			group = schemaObject(map[string]any{})
			properties[name] = group
		}
		put(group, path[1:], one)
		return
	}
	if group == nil {
		group = map[string]any{"type": "array", "maxItems": mostProviders, "items": schemaObject(map[string]any{})}
		properties[name] = group
	}
	items, _ := group["items"].(map[string]any)
	put(items, path[2:], one)
}
