package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
)

// sharedBy is from how many components on an option counts as one that all
// share, such as a margin: it must be used somewhere, not on each of them.
const sharedBy = 6

func TestGalleryUsesEveryOptionOfEveryComponent(t *testing.T) {
	used := map[string]bool{}
	for _, pattern := range []string{"reports", "templates"} {
		files, _ := filepath.Glob("../../examples/gallery/" + pattern + "/*.json")
		for _, file := range files {
			doc, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var tree any
			if err := json.Unmarshal(doc, &tree); err != nil {
				t.Fatal(file, err)
			}
			collectOptions(tree, used)
		}
	}
	components := map[string]int{}
	for _, c := range htmlgen.Types() {
		for i := range c.Props {
			components[c.Props[i].Name]++
		}
	}
	var missing []string
	want := func(path, name string) {
		if !used[path] && (components[name] < sharedBy || !used["*."+name]) {
			missing = append(missing, path)
		}
	}
	for _, c := range htmlgen.Types() {
		if !used[c.Name] {
			missing = append(missing, c.Name)
		}
		for i := range c.Props {
			wantOptions(c.Name, &c.Props[i], want)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("no report of the gallery uses %d options:\n%s", len(missing), strings.Join(missing, "\n"))
	}
}

// wantOptions asks for an option and for those of the groups inside of it.
func wantOptions(path string, f *report.Field, want func(path, name string)) {
	last := path[strings.LastIndex(path, ".")+1:]
	if last == f.Name { // groups of groups
		return
	}
	path += "." + f.Name
	want(path, f.Name)
	for f.Shape == report.ListShape || f.Shape == report.MapShape {
		f = f.Items()
	}
	if f.Shape != report.GroupShape || f.Type() == reflect.TypeFor[report.Element]() {
		return
	}
	for _, inner := range f.Fields() {
		wantOptions(path, &inner, want)
	}
}

// collectOptions notes the options of all elements of a document, wherever they stand.
func collectOptions(v any, used map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			collectOptions(item, used)
		}
	case map[string]any:
		if name, ok := v["type"].(string); ok {
			used[name] = true
			collectPaths(name, v["props"], used)
		}
		for _, item := range v {
			collectOptions(item, used)
		}
	}
}

func collectPaths(path string, v any, used map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			collectPaths(path, item, used)
		}
	case map[string]any:
		for name, item := range v {
			inner := path
			if path[strings.LastIndex(path, ".")+1:] != name {
				inner += "." + name
			}
			used[inner] = true
			used["*."+name] = true
			collectPaths(inner, item, used)
		}
	}
}
