package api

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quire-reports/quire/api/ui"
	"github.com/quire-reports/quire/export"
)

// saidOfDefinitions are the files whose messages people read while designing.
var saidOfDefinitions = []string{
	"../report/decode.go", "../report/upgrade.go", "../report/job.go", "../data/parameters*.go", "../data/offer.go", "../data/lookup.go", "../data/load.go", "../data/csv*.go", "../report/starter/*.go",
	"../htmlgen/*.go", "../htmlgen/chart/*.go", "../export/lint*.go", "../export/lookups.go", "../data/steps/*.go",
}

var verb = regexp.MustCompile(`%(\[\d\])?[-+# 0]*\d*(\.\d+)?[a-zA-Z]`)

// TestFaultsAreTranslated compares the sentences that the code says about
// definitions with those that are translated.
func TestFaultsAreTranslated(t *testing.T) {
	said := map[string]bool{}
	telling := []string{"Problemf", "Warn", "warn", "warnAt", "find", "lost", "fault", "says"}
	for _, pattern := range saidOfDefinitions {
		for _, file := range glob(t, pattern) {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			noError(t, err)
			ast.Inspect(parsed, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				name := ""
				switch called := call.Fun.(type) {
				case *ast.Ident:
					name = called.Name
				case *ast.SelectorExpr:
					name = called.Sel.Name
				}
				for _, arg := range call.Args {
					text, ok := arg.(*ast.BasicLit)
					if ok && text.Kind == token.STRING && slices.Contains(telling, name) && strings.Contains(literal(text), " ") {
						said[asPattern(literal(text))] = true
					}
				}
				return true
			})
		}
	}
	if len(said) < 90 {
		t.Errorf("only %d sentences were found", len(said))
	}
	for _, l := range ui.Languages()[1:] {
		file := "ui/texts/faults/" + l.Code + ".json"
		known := map[string]string{}
		content, err := os.ReadFile(file)
		noError(t, err)
		noError(t, json.Unmarshal(content, &known))
		for pattern := range said {
			if known[pattern] == "" {
				t.Errorf("%s: %q is not translated", file, pattern)
			}
		}
		for english, translated := range known {
			if want, got := placeholders(english), placeholders(translated); !slices.Equal(want, got) {
				t.Errorf("%s: %q has the places %v, its translation %v", file, english, want, got)
			}
		}
	}
}

// asPattern is a format as translations write it.
func asPattern(format string) string {
	n := -1
	return verb.ReplaceAllStringFunc(format, func(string) string {
		n++
		return "{" + strconv.Itoa(n) + "}"
	})
}

// TestFaultsAreToldInTheLanguageOfThePage: the values stay, and sentences inside
// of sentences are translated as well.
func TestFaultsAreToldInTheLanguageOfThePage(t *testing.T) {
	h := open(t)
	const path, body = "/api/ui/ws/demo/reports/1/render", `{"definition": {"version": 1, "name": "A", "pages": []}}`
	h.export.preview = func(export.PreviewRequest) (*export.Preview, error) {
		return &export.Preview{HTML: []byte(sampleHTML), Lint: []export.Finding{
			{Rule: "unused-source", Path: "dataSources[0]", Message: `nothing reads the data source "rows" yet; drag one of its fields onto the page, or remove it, since it runs at every export`},
			{Rule: "dead-binding", Path: "pages[0]", Message: `{$data.row}: there is no data source "row"; did you mean rows?`},
			{Rule: "x", Path: "", Message: `nobody has translated "this"`},
		}}, nil
	}
	german := header("Content-Type", "application/json")
	german.Set("Accept-Language", "de")
	h.check(t, scenario{method: http.MethodPost, path: path, who: "author", body: body, header: german, status: 200, has: []string{
		`"message":"noch liest nichts die Datenquelle „rows“; ziehen Sie`, `{$data.row}: es gibt keine Datenquelle „row“; ist rows gemeint?`, `nobody has translated`,
	}})
	h.check(t, scenario{method: http.MethodPost, path: path, who: "author", body: body, header: header("Content-Type", "application/json"), status: 200, has: []string{`nothing reads the data source \"rows\" yet`}})
}
