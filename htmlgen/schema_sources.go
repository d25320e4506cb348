package htmlgen

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report"
)

// SourceType is a type of data sources as the schema and the reference tell of
// it.
type SourceType struct {
	Name, Label, Help string
	Settings          []report.Field
}

// chooses makes a schema one whose other members depend on its type: each name
// stands for a definition "<prefix>-<name>" of what member holds, or, for the
// empty member, of the whole.
func chooses(s schema, prefix, member string, names []string) schema {
	rules := make([]schema, len(names))
	for i, name := range names {
		then := schema{"$ref": "#/$defs/" + prefix + "-" + name}
		if member != "" {
			then = schema{"properties": schema{member: then}}
		}
		rules[i] = schema{"if": schema{"properties": schema{"type": schema{"const": name}}, "required": []string{"type"}}, "then": then}
	}
	s["properties"].(schema)["type"].(schema)["enum"] = names
	s["allOf"] = rules
	return s
}

// source is the schema of what is a data source: its settings depend on its type.
func (b *schemaBuilder) source(t reflect.Type) schema {
	var names []string
	for _, source := range b.sources {
		names = append(names, source.Name)
		if def := "settings-" + source.Name; b.defs[def] == nil {
			b.defs[def] = schema{}
			b.defs[def] = b.object(source.Settings)
		}
	}
	return chooses(b.group(t), "settings", "settings", names)
}

// step is the schema of a step: its members depend on its type.
func (b *schemaBuilder) step() schema {
	if b.defs["step"] == nil {
		b.defs["step"] = schema{}
		var names []string
		for _, t := range steps.Types() {
			names = append(names, t.Name)
			own := b.object(t.Props)
			own["properties"].(schema)["type"] = schema{"const": t.Name, "description": t.Help}
			b.defs["step-"+t.Name] = own
		}
		s := schema{"type": "object", "properties": schema{"type": schema{"description": "Type of the step."}}, "required": []string{"type"}}
		b.defs["step"] = chooses(s, "step", "", names)
	}
	return schema{"$ref": "#/$defs/step"}
}

// SourceReference is the reference of all data sources and steps with their
// settings, as Markdown.
func SourceReference(sources []SourceType) []byte {
	var b strings.Builder
	b.WriteString("# Data sources and steps\n\nMade from the schema of data sources by `make golden`; do not edit.\n\n" +
		"A data source has a `name`, a `type` and the `settings` of its type; so has the `lookupSource` of a parameter, without a name.\n" +
		"Settings of type *template* are text templates, see [templates.md](templates.md).\n")
	rows := func(level, name, label, help string, fields []report.Field) {
		fmt.Fprintf(&b, "\n%s `%s`\n\n%s: %s\n\n", level, name, label, help)
		b.WriteString("| setting | type | default | meaning |\n|---|---|---|---|\n")
		referenceRows(&b, "", fields)
	}
	for _, t := range sources {
		rows("##", t.Name, t.Label, t.Help, t.Settings)
	}
	b.WriteString("\n## Steps\n\nA step is an object with its `type` and these members beside it. The `transform` of an element takes those that read\nno further source.\n")
	for _, t := range steps.Types() {
		help := t.Help
		if !t.Alone {
			help += " Only in a data transformation."
		}
		rows("###", t.Name, t.Label, help, t.Props)
	}
	return []byte(b.String())
}
