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

// TestGalleryUsesEveryOptionOfEveryComponent: what no finished document has a use
// for is in testdata/options, so that the gallery need not look like a test.
func TestGalleryUsesEveryOptionOfEveryComponent(t *testing.T) {
	used := map[string]bool{}
	for _, pattern := range []string{"../../examples/gallery/reports", "../../examples/gallery/templates", "testdata/options/reports"} {
		files, _ := filepath.Glob(pattern + "/*.json")
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
		t.Errorf("no report of the gallery or of testdata/options uses %d options:\n%s", len(missing), strings.Join(missing, "\n"))
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

// TestWhatHasACaptionIsRead: a chart with a caption says something, so that readers
// have it, or its values as a table (finding pages B10).
func TestWhatHasACaptionIsRead(t *testing.T) {
	t.Parallel()
	captions := 0
	for _, folder := range []string{"../../examples/gallery", "../../assets/demo"} {
		for _, r := range bundleIn(t, folder).Reports {
			for _, p := range r.Report.Pages {
				lists := [][]report.Element{p.Elements}
				for _, given := range p.Placeholders {
					lists = append(lists, given)
				}
				for len(lists) > 0 {
					list := lists[0]
					lists = lists[1:]
					for i, e := range list {
						lists = append(lists, e.Children)
						named := i - 1
						if e.Props["position"] == "above" {
							named = i + 1
						}
						if e.Type != "figure-caption" || named < 0 || named >= len(list) {
							continue
						}
						captions++
						for _, d := range decorations(list[named]) {
							t.Errorf("%s, page %d: %s is decorative, and has the caption %q", r.Code, p.ID, d.Type, e.Props["title"])
						}
					}
				}
			}
		}
	}
	if captions < 10 {
		t.Errorf("only %d captions", captions)
	}
}

// decorations are the parts of an element that nothing is read of.
func decorations(e report.Element) (list []report.Element) {
	if e.Props["decorative"] == true && e.Props["dataTable"] != true {
		list = append(list, e)
	}
	for _, child := range e.Children {
		list = append(list, decorations(child)...)
	}
	return list
}
