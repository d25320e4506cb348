package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestDocumentsListEndpoints keeps the list of docs/api.md to what the description of
// the API says.
func TestDocumentsListEndpoints(t *testing.T) {
	content, err := os.ReadFile("../../api/testdata/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var described struct {
		Paths map[string]map[string]struct {
			Summary, Description string
			Tags                 []string
		}
	}
	if err := json.Unmarshal(content, &described); err != nil {
		t.Fatal(err)
	}
	type endpoint struct{ tag, path, method, summary, needs string }
	var all []endpoint
	for path, methods := range described.Paths {
		for method, e := range methods {
			// The last paragraph says who may ask.
			needs := e.Description[strings.LastIndex(e.Description, "\n")+1:]
			all = append(all, endpoint{strings.Join(e.Tags, ", "), strings.TrimPrefix(path, "/api/v1"), strings.ToUpper(method), e.Summary, needs})
		}
	}
	slices.SortFunc(all, func(a, b endpoint) int {
		return cmp.Or(cmp.Compare(a.tag, b.tag), cmp.Compare(a.path, b.path), cmp.Compare(a.method, b.method))
	})
	var list strings.Builder
	tag := ""
	for _, e := range all {
		if e.tag != tag {
			tag = e.tag
			fmt.Fprintf(&list, "\n## %s\n\n| | below `/api/v1` | what | who may |\n|---|---|---|---|\n", tag)
		}
		fmt.Fprintf(&list, "| `%s` | `%s` | %s | %s |\n", e.method, e.path, e.summary, e.needs)
	}
	keepPart(t, "../../docs/api.md", "endpoints", list.String()+"\n")
}
