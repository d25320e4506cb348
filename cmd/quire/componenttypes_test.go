package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/htmlgen"
)

// TestNoComponentIsSpecialElsewhere: what others need to know of a type of
// element is said by the type, and nothing compares with its name.
func TestNoComponentIsSpecialElsewhere(t *testing.T) {
	t.Parallel()
	// Names that are also editors, parameters or HTML: only a type that is compared
	// with them is one of elements.
	common := []string{"text", "html", "link", "list", "table", "img", "flow", "paragraph", "subreport"}
	var own, all []string
	for _, kind := range htmlgen.Types() {
		all = append(all, kind.Name)
		if !slices.Contains(common, kind.Name) {
			own = append(own, kind.Name)
		}
	}
	compared := regexp.MustCompile(`(?:[=!]==?|case)\s*"(?:` + strings.Join(own, "|") + `)"` +
		`|\b(?:[et]|node|el|element|child|component|c|n)\.(?:t\.)?(?:[tT]ype|[nN]ame)\s*[=!]==?\s*"(?:` + strings.Join(all, "|") + `)"` +
		`|(?:^|[{\[,])\s*"(?:` + strings.Join(own, "|") + `)"(?:,|:)`)
	for _, missed := range []string{`e.t.Name == "heading"`, `e.Type == "subreport"`, `c.name === "key-value-grid"`, `node.type === "text"`, `case "badge":`, `{"heading", "link"}`, `"figure-caption": x`} {
		if !compared.MatchString(missed) {
			t.Fatalf("%s is not seen", missed)
		}
	}
	for _, folder := range []string{"../../export", "../../api", "../../store", "../../jobs", "../../report", "../../assets/web/designer", "../../assets/web/library"} {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.Contains(path, "_test.") || strings.Contains(path, ".test.") || !slices.Contains([]string{".go", ".ts", ".tsx"}, filepath.Ext(path)) {
				return err
			}
			text, err := os.ReadFile(path)
			if found := compared.Find(text); found != nil {
				t.Errorf("%s has %s", path, found)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestPagesKnowNoComponentByName: what pages and Office files need to know of a
// component its HTML says, by a class or an attribute that others may have, too.
func TestPagesKnowNoComponentByName(t *testing.T) {
	t.Parallel()
	// Those have a shape that nothing else has.
	shapes := []string{"data-table", "figure-caption", "flow", "img", "key-value-grid", "separator", "toc", "tof"}
	var names []string
	for _, kind := range htmlgen.Types() {
		if !slices.Contains(shapes, kind.Name) {
			names = append(names, kind.Name)
		}
	}
	named := regexp.MustCompile(`\bq-(?:` + strings.Join(names, "|") + `)\b[^-]`)
	if !named.MatchString(`not(figure, .q-progress-bar, .q-drawing)`) {
		t.Fatal("names are not seen")
	}
	for _, folder := range []string{"../../assets/web/paginate", "../../assets/web/read"} {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.Contains(path, ".test.") {
				return err
			}
			text, err := os.ReadFile(path)
			if found := named.Find(text); found != nil {
				t.Errorf("%s has %s", path, found)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
