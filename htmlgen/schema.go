package htmlgen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

// schemaID names the JSON Schema of report files.
const schemaID = "https://quire-reports.github.io/schema/v1/report.schema.json"

// SchemaJSON is the JSON Schema (draft 2020-12) of a report file, for editors:
// made from the same structs that the decoder reads. The types of data sources
// are those of another package.
func SchemaJSON(sources []SourceType) []byte {
	b := schemaBuilder{defs: map[string]any{}, sources: sources}
	root := b.group(reflect.TypeFor[report.Report]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["$id"] = schemaID
	root["title"] = "Quire report"
	root["$defs"] = b.defs
	return indented(root)
}

func indented(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("htmlgen: the schema cannot be written: %v", err)) // it holds plain values only
	}
	return b.Bytes()
}

type schema = map[string]any

// schemaBuilder turns fields into schemas; named structs become definitions.
type schemaBuilder struct {
	defs    map[string]any
	sources []SourceType
}

func (b *schemaBuilder) group(t reflect.Type) schema { return b.object(report.FieldsOf(t)) }

func (b *schemaBuilder) object(fields []report.Field) schema {
	properties, required := schema{}, []string{}
	for i := range fields {
		f := &fields[i]
		properties[f.Name] = b.field(f)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	s := schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// field is the schema of one member. Null counts as absent everywhere, which
// the schema leaves out: editors should not offer it.
func (b *schemaBuilder) field(f *report.Field) schema {
	s := b.shape(f)
	if f.Help != "" {
		s["description"] = f.Help
	}
	if f.Default != "" {
		s["default"] = defaultValue(f)
	}
	if f.Editor != "" {
		s["x-editor"] = f.Editor
	}
	return s
}

func (b *schemaBuilder) shape(f *report.Field) schema {
	switch f.Shape {
	case report.AnyShape:
		return schema{}
	case report.ListShape:
		if f.Editor == "steps" {
			return schema{"type": "array", "items": b.step()}
		}
		return schema{"type": "array", "items": b.field(f.Items())}
	case report.MapShape:
		return schema{"type": "object", "additionalProperties": b.field(f.Items())}
	case report.GroupShape:
		return b.reference(f.Type())
	}
	s := schema{"type": string(f.Shape)}
	if f.Enum != nil {
		s["enum"] = f.Enum
	}
	if f.Min != nil {
		s["minimum"] = *f.Min
	}
	if f.Max != nil {
		s["maximum"] = *f.Max
	}
	return s
}

// reference points at the definition of a struct, which is made the first time.
func (b *schemaBuilder) reference(t reflect.Type) schema {
	name := t.Name()
	if name == "" {
		return b.group(t)
	}
	if _, made := b.defs[name]; !made {
		b.defs[name] = schema{} // stands for itself while it is made
		switch t {
		case reflect.TypeFor[report.Element]():
			b.defs[name] = b.element()
		case reflect.TypeFor[report.DataSource](), reflect.TypeFor[report.SourceUse](), reflect.TypeFor[report.LookupSource]():
			b.defs[name] = b.source(t)
		default:
			b.defs[name] = b.group(t)
		}
	}
	return schema{"$ref": "#/$defs/" + name}
}

// element is the schema of elements: the settings depend on the type.
func (b *schemaBuilder) element() schema {
	s := b.group(reflect.TypeFor[report.Element]())
	var names []string
	for _, t := range Types() {
		names = append(names, t.Name)
		b.defs["props-"+t.Name] = b.object(t.Props)
	}
	properties := s["properties"].(schema)
	properties["type"] = schema{"description": "Element type."}
	properties["props"] = schema{"type": "object", "description": "Settings of the element type."}
	return chooses(s, "props", "props", names)
}

// defaultValue is a default as JSON.
func defaultValue(f *report.Field) any {
	if f.Shape == report.TextShape {
		return f.Default
	}
	return json.RawMessage(f.Default)
}

// ComponentReference is the reference of all components and their options, as
// Markdown.
func ComponentReference() []byte {
	var b strings.Builder
	b.WriteString("# Components\n\nMade from the component schema by `make golden`; do not edit.\n\n" +
		"Every element may have `id`, `name`, `visible` (an expression), `repeat` (`source`, `alias`) and, if it is a container, `children`.\n" +
		"Options of type *template* are text templates, see [templates.md](templates.md).\n")
	category := ""
	for _, t := range Types() {
		if t.Category != category {
			category = t.Category
			fmt.Fprintf(&b, "\n## %s\n", category)
		}
		fmt.Fprintf(&b, "\n### `%s`\n\n%s%s\n\n", t.Name, t.Help, map[bool]string{true: " Holds other elements."}[t.Container])
		b.WriteString("| option | type | default | meaning |\n|---|---|---|---|\n")
		referenceRows(&b, "", t.Props, reflect.TypeFor[report.Element]())
	}
	return []byte(b.String())
}

// referenceRows writes the options of a group; those of elements, and of types
// that hold themselves, are not repeated inside it.
func referenceRows(b *strings.Builder, parent string, fields []report.Field, within ...reflect.Type) {
	for i := range fields {
		f := &fields[i]
		name := report.JoinPath(parent, f.Name)
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", name, referenceType(f), referenceDefault(f), cell(f.Help))
		switch f.Shape {
		case report.ListShape:
			if item := f.Items(); item.Shape == report.GroupShape && !slices.Contains(within, item.Type()) {
				referenceRows(b, name+"[]", item.Fields(), append(within, item.Type())...)
			}
		case report.GroupShape:
			if !slices.Contains(within, f.Type()) {
				referenceRows(b, name, f.Fields(), append(within, f.Type())...)
			}
		}
	}
}

func referenceType(f *report.Field) string {
	if f.Enum != nil {
		var values []string
		for _, v := range f.Enum {
			if v != "" {
				values = append(values, "`"+v+"`")
			}
		}
		return strings.Join(values, ", ")
	}
	switch f.Shape {
	case report.TextShape:
		if f.Editor != "" && f.Editor != "text" {
			return f.Editor
		}
		return "text"
	case report.BoolShape:
		return "true or false"
	case report.ListShape:
		if f.Editor == "steps" {
			return "list of [steps](sources.md#steps)"
		}
		return "list"
	case report.GroupShape:
		return "group"
	}
	return string(f.Shape)
}

func referenceDefault(f *report.Field) string {
	switch {
	case f.Default != "":
		return "`" + f.Default + "`"
	case f.Shape == report.BoolShape:
		return "`false`"
	}
	return ""
}

// cell keeps a text inside its table cell.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
