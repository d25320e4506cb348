package htmlgen

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheComponentReferenceIsCurrent(t *testing.T) {
	const file = "../docs/components.md"
	want := ComponentReference()
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

func TestTheSchemaNamesEveryTypeAndPointsOnlyAtWhatItHolds(t *testing.T) {
	var doc struct {
		Defs map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(SchemaJSON(nil), &doc); err != nil {
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
	if err := json.Unmarshal(SchemaJSON(nil), &all); err != nil {
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

// TestMeanings: what settings mean is what the designer and the lint know of,
// and a type says it once.
func TestMeanings(t *testing.T) {
	t.Parallel()
	for _, typ := range Types() {
		seen := map[string]bool{}
		for _, f := range typ.Props {
			if f.Means == "" {
				continue
			}
			if !slices.Contains([]string{"text", "level", "picture", "place"}, f.Means) || seen[f.Means] {
				t.Errorf("%s.%s means %q", typ.Name, f.Name, f.Means)
			}
			seen[f.Means] = true
			if typ.Meaning(f.Means).Name != f.Name {
				t.Errorf("%s.%s is not found by what it means", typ.Name, f.Name)
			}
		}
		if typ.Category == "Text" && !seen["text"] && !slices.Contains([]string{"list", "date-time", "toc", "tof", "math"}, typ.Name) {
			t.Errorf("%s does not say which setting is its text", typ.Name)
		}
	}
}
