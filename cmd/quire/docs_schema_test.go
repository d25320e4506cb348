package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
)

func sourceTypes() (list []htmlgen.SourceType) {
	for _, t := range data.Types() {
		list = append(list, htmlgen.SourceType{Name: t.Name, Label: t.Label, Help: t.Help, Settings: t.Fields()})
	}
	return list
}

// TestTheSchemaAndTheReferenceOfSourcesAreCurrent: both come from the structs
// that are decoded.
func TestTheSchemaAndTheReferenceOfSourcesAreCurrent(t *testing.T) {
	for file, want := range map[string][]byte{
		"../../docs/schema/report.schema.json": htmlgen.SchemaJSON(sourceTypes()),
		"../../docs/sources.md":                htmlgen.SourceReference(sourceTypes()),
	} {
		if got, err := os.ReadFile(file); err != nil || string(got) != string(want) {
			if !*update {
				t.Errorf("%s is stale (%v); run make golden", file, err)
			} else if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestTheSchemaKnowsTheSettingsOfEverySourceAndStep, and describes each.
func TestTheSchemaKnowsTheSettingsOfEverySourceAndStep(t *testing.T) {
	var schema struct {
		Defs map[string]struct {
			Properties map[string]struct{ Description string }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(htmlgen.SchemaJSON(sourceTypes()), &schema); err != nil {
		t.Fatal(err)
	}
	check := func(def string, fields []report.Field) {
		for _, f := range fields {
			if p, ok := schema.Defs[def].Properties[f.Name]; !ok || p.Description == "" {
				t.Errorf("%s.%s is not in the schema or has no help", def, f.Name)
			}
		}
	}
	for _, s := range data.Types() {
		check("settings-"+s.Name, s.Fields())
	}
	for _, s := range steps.Types() {
		check("step-"+s.Name, s.Props)
	}
}

var (
	fenced = regexp.MustCompile("(?s)```json( answer)?\n(.*?)```")
	inline = regexp.MustCompile("`(\\{\"[^`]*\\})`")
)

// TestExamplesOfTheDocumentsAreDefinitions: each JSON example is a report, a job, a theme
// or a part of one without a problem, unless it is marked as an answer of the API.
func TestExamplesOfTheDocumentsAreDefinitions(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range append(files, "../../README.md") {
		doc, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range fenced.FindAllStringSubmatch(string(doc), -1) {
			if m[1] != "" {
				continue
			}
			found++
			if err := exampleProblem([]byte(m[2])); err != nil {
				t.Errorf("%s: %.60s…: %v", file, m[2], err)
			}
		}
		if filepath.Base(file) != "reports.md" {
			continue
		}
		for _, m := range inline.FindAllStringSubmatch(string(doc), -1) {
			found++
			if err := exampleProblem([]byte(strings.ReplaceAll(m[1], "\n", " "))); err != nil {
				t.Errorf("%s: %s: %v", file, m[1], err)
			}
		}
	}
	if found < 7 {
		t.Errorf("only %d examples were found", found)
	}
}

// exampleProblem is why an example is no definition.
func exampleProblem(example []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(example, &members); err != nil {
		return err
	}
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return members[name] == nil })
	}
	switch {
	case has("pages"):
		return reportProblem(example)
	case has("reports"):
		return parsed[report.Job](example)
	case has("inks"):
		return parsed[report.Theme](example)
	case has("id"):
		return reportProblem(fmt.Appendf(nil, `{"version": 1, "name": "Example", "pages": [%s]}`, example))
	case has("settings", "name"):
		return reportProblem(fmt.Appendf(nil, `{"version": 1, "name": "Example", "dataSources": [%s]}`, example))
	case has("props"):
		return reportProblem(fmt.Appendf(nil, `{"version": 1, "name": "Example", "pages": [{"id": 1, "elements": [%s]}]}`, example))
	}
	return parsed[report.Parameter](example)
}

func parsed[T any](example []byte) error {
	_, problems := report.Parse[T](example)
	return problems.Err()
}

// reportProblem also looks at the settings of elements and data sources.
func reportProblem(example []byte) error {
	def, problems := report.ParseReport(example)
	if def == nil {
		return problems.Err()
	}
	problems = append(problems, htmlgen.Validate(def)...)
	loader := data.NewLoader(data.Config{})
	defer loader.Close()
	for _, s := range def.DataSources {
		problems = append(problems, loader.Check(s.DataSource, "dataSources."+s.Name)...)
	}
	return problems.Err()
}
