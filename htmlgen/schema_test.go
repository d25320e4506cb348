package htmlgen

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGeneratedDocumentsAreCurrent(t *testing.T) {
	for file, want := range map[string][]byte{
		"../docs/schema/report.schema.json": SchemaJSON(),
		"../docs/components.md":             ComponentReference(),
	} {
		if *update {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is stale; run make golden:\n%s", file, diff)
		}
	}
}

func TestTheSchemaNamesEveryTypeAndPointsOnlyAtWhatItHolds(t *testing.T) {
	var doc struct {
		Defs map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(SchemaJSON(), &doc); err != nil {
		t.Fatal(err)
	}
	for _, typ := range Types() {
		if _, ok := doc.Defs["props-"+typ.Name]; !ok {
			t.Errorf("the schema has no settings of %s", typ.Name)
		}
		if typ.Help == "" || typ.Label == "" || typ.Category == "" {
			t.Errorf("%s has no help, label or category", typ.Name)
		}
	}
	var all any
	if err := json.Unmarshal(SchemaJSON(), &all); err != nil {
		t.Fatal(err)
	}
	walkReferences(all, func(ref string) {
		if _, ok := doc.Defs[ref[len("#/$defs/"):]]; !ok {
			t.Errorf("%s points nowhere", ref)
		}
	})
}

func walkReferences(v any, found func(string)) {
	switch v := v.(type) {
	case map[string]any:
		for name, m := range v {
			if ref, ok := m.(string); ok && name == "$ref" {
				found(ref)
			}
			walkReferences(m, found)
		}
	case []any:
		for _, m := range v {
			walkReferences(m, found)
		}
	}
}
