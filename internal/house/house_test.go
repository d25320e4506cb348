// Package house holds the rule of who may import whom, as a test.
package house

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/quire-reports/quire/"

// rooms maps each package to the packages of ours that it may import. A room
// without an entry must not exist; "all" is for the wiring only. The packages in
// an internal folder share one entry.
var rooms = map[string][]string{
	"report":                      {},
	"report/text":                 {"report", "report/text/internal"},
	"report/text/internal":        {},
	"report/text/hyphen":          {},
	"report/font":                 {},
	"report/font/subset":          {"report/font"},
	"report/starter":              {"report"},
	"report/budget":               {"report", "internal/priority", "internal/turns"},
	"scripting":                   {"report", "internal/priority", "internal/turns", "report/text"},
	"data":                        {"report", "report/text", "scripting", "data/steps", "data/egress", "report/budget"},
	"data/steps":                  {"report", "report/text"},
	"data/egress":                 {"report/budget", "internal/tracing"},
	"sso":                         {"data/egress"},
	"sso/accounts":                {"sso", "store"},
	"sso/ssotest":                 {"internal/judges"},
	"htmlgen":                     {"report", "report/text", "report/text/hyphen", "data/steps", "htmlgen/chart", "htmlgen/formula", "htmlgen/geo", "htmlgen/symbol", "htmlgen/picture", "internal/live"},
	"htmlgen/formula":             {},
	"htmlgen/picture":             {},
	"htmlgen/chart":               {},
	"htmlgen/geo":                 {},
	"htmlgen/symbol":              {},
	"render":                      {"data/egress", "internal/priority", "internal/turns", "render/layout", "render/pdf"},
	"render/layout":               {},
	"render/pdf":                  {},
	"render/pdfium":               {"internal/priority"},
	"render/office/opc":           {},
	"render/office/opc/opctest":   {},
	"render/office/xlsx":          {"render/office/opc"},
	"render/office/chart":         {"render/office/opc"},
	"render/office/xlsx/xlsxtest": {"render/office/opc/opctest"},
	"render/office/theme":         {"render/office/opc"},
	"render/office/docx":          {"render/layout", "render/office/opc", "render/office/plots", "render/office/theme"},
	"render/office/docx/docxtest": {"render/office/opc/opctest"},
	"render/office/plots":         {"render/office/chart", "render/office/xlsx"},
	"render/office/pptx/pptxtest": {"render/office/opc/opctest"},
	"render/office/pptx":          {"render/layout", "render/office/opc", "render/office/plots", "render/office/theme"},
	"render/office/sheets":        {"render/office/opc", "render/office/plots", "render/office/xlsx"},
	"export/einvoice":             {"report"},
	"export/signing":              {"report", "data/egress"},
	"export/signing/signingtest":  {"internal/judges"},
	"export":                      {"report", "export/einvoice", "export/signing", "internal/tracing", "report/text", "report/font", "report/font/subset", "report/budget", "scripting", "data", "data/steps", "data/egress", "htmlgen", "htmlgen/formula", "htmlgen/picture", "render", "render/layout", "render/pdf", "render/pdfium", "render/office/docx", "render/office/opc", "render/office/plots", "render/office/pptx", "render/office/sheets", "render/office/theme", "render/office/xlsx", "assets"},
	"jobs":                        {"report", "internal/tracing", "report/text", "export", "export/signing", "store", "jobs/deliver", "jobs/schedule"},
	"jobs/schedule":               {"report"},
	"jobs/deliver":                {"report", "data/egress", "internal/tracing"},
	"store":                       {"report", "report/font", "internal/tracing"},
	"store/backup":                {"report", "store"},
	"store/storetest":             {"store", "internal/judges"},
	"internal/judges":             {},
	"internal/turns":              {},
	"internal/accounting":         {"export", "store"},
	"internal/tracing":            {},
	"internal/priority":           {},
	"internal/live":               {},
	"internal/metrics":            {"report", "internal/tracing", "report/budget", "scripting", "render", "export", "jobs", "jobs/deliver", "store"},
	"examples/gallery":            {"internal/live"},
	"api":                         {"report", "report/starter", "internal/tracing", "sso", "report/budget", "export", "jobs", "jobs/deliver", "store", "api/v1", "api/ui", "api/scim", "api/internal"},
	"api/internal":                {"report", "report/budget", "export", "jobs", "store"},
	"api/scim":                    {"report", "store", "api/internal"},
	"api/v1":                      {"report", "export", "jobs", "store", "api/internal"},
	"api/ui":                      {"report", "report/starter", "sso", "sso/accounts", "htmlgen/picture", "export", "internal/live", "jobs", "jobs/deliver", "store", "api/internal"},
	"assets":                      {"internal/live"},
	"assets/build":                {"assets/build/bundle"},
	"assets/build/bundle":         {},
	"assets/build/fonts":          {},
	"cmd/quire":                   {"all"},
}

func TestEveryRoomImportsOnlyWhatItMay(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == "third_party"):
			return filepath.SkipDir
		case d.IsDir() && path != root && isFile(filepath.Join(path, "go.mod")): // a module of its own
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		checkFile(t, path, filepath.ToSlash(rel), seen)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !seen["report"] || !seen["cmd/quire"] {
		t.Errorf("the walk found only %v", seen)
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func checkFile(t *testing.T, path, rel string, seen map[string]bool) {
	t.Helper()
	room := roomOf(rel[:strings.LastIndex(rel, "/")])
	may, known := rooms[room]
	if !known {
		t.Errorf("%s: package %s has no place in the house; see internal/house", rel, room)
		return
	}
	seen[room] = true
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Error(err)
		return
	}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil || !strings.HasPrefix(imported, module) {
			continue
		}
		other := roomOf(strings.TrimPrefix(imported, module))
		if other != room && !slices.Contains(may, other) && !slices.Contains(may, "all") {
			t.Errorf("%s may not import %s", rel, other)
		}
	}
}

// roomOf is the entry a package belongs to: itself, or the internal folder it
// is in.
func roomOf(pkg string) string {
	if room, _, inside := strings.Cut(pkg, "/internal/"); inside {
		return room + "/internal"
	}
	return pkg
}
