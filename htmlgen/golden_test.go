package htmlgen

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
	"github.com/quire-reports/quire/scripting"
)

var update = flag.Bool("update", false, "rewrite golden files and generated documents")

// TestMain lets the test binary be the child that runs scripts.
func TestMain(m *testing.M) {
	scripting.ChildMain()
	flag.Parse()
	os.Exit(m.Run())
}

// An example file holds cases of one element type: a title, the element, the
// HTML it compiles to, and its warnings after "! ".
type example struct{ title, element, want string }

func readExamples(t *testing.T, file string) []example {
	t.Helper()
	doc, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []example
	for _, block := range strings.Split("\n"+string(doc), "\n--- ")[1:] {
		title, rest, _ := strings.Cut(block, "\n")
		element, want, _ := strings.Cut(rest+"\n", "\n===\n")
		list = append(list, example{title, strings.TrimSpace(element), strings.TrimSpace(want)})
	}
	return list
}

func writeExamples(t *testing.T, file string, list []example) {
	t.Helper()
	var b strings.Builder
	for _, e := range list {
		fmt.Fprintf(&b, "--- %s\n%s\n===\n%s\n", e.title, e.element, e.want)
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// sample is the data that examples may use.
const sample = `{
	"company": {"name": "Lindner & Söhne <GmbH>", "vip": true, "city": null},
	"orders": [
		{"id": 7, "region": "North", "city": "Oslo", "total": 1234.5, "share": 0.25, "date": "2026-02-03", "note": "<b>fragile</b>", "lines": [{"name": "Desk"}, {"name": "Lamp"}]},
		{"id": 8, "region": "South", "city": "Rome", "total": -20, "share": 0.5, "date": "2026-02-04", "note": null, "lines": []},
		{"id": 9, "region": "North", "city": "Oslo", "total": 99.999, "share": null, "date": "2026-03-01", "note": "a & b", "lines": [{"name": "Chair"}]}
	],
	"tree": [{"name": "Assets", "amount": 30, "children": [{"name": "Cash", "amount": 10}, {"name": "Stock", "amount": 20, "children": [{"name": "Wood", "amount": 5}]}]}],
	"sales": [
		{"region": "South", "product": "Desk <2>", "year": 2025, "quarter": "Q1", "day": "2025-02-03", "amount": 100.5, "pieces": 2},
		{"region": "North", "product": "Chair {x}", "year": 2025, "quarter": "Q1", "day": "2025-02-03", "amount": 40, "pieces": 1},
		{"region": "North", "product": "Chair {x}", "year": 2026, "quarter": "Q2", "day": "2026-05-01", "amount": 60.25, "pieces": 3},
		{"region": "North", "product": "Desk <2>", "year": 2026, "quarter": "Q1", "day": "2026-01-09", "amount": -5, "pieces": 1},
		{"region": null, "product": "Chair {x}", "year": 2026, "quarter": "Q1", "day": "2026-01-09", "amount": 7, "pieces": 1},
		{"region": "South", "product": "Chair {x}", "year": 2025, "quarter": "Q1", "day": "2025-02-03", "amount": 20, "pieces": 4}
	],
	"empty": []
}`

type noImages struct{}

func (noImages) Image(_ context.Context, ref string, _ Space) (string, error) {
	if ref == "logo.svg" {
		return "image/logo", nil
	}
	return "", errors.New("there is no managed file " + fmt.Sprintf("%q", ref))
}

// testScripts evaluates simple expressions without an engine; renderer functions
// give their value as it is, or as markup.
type testScripts struct{ *scripting.Expressions }

func (testScripts) Render(_ context.Context, call *RenderCall) ([]any, error) {
	out := make([]any, len(call.Rows))
	for i, r := range call.Rows {
		if out[i] = r[0]; call.Source == "(value) => value" {
			continue
		}
		out[i] = fmt.Sprintf("<em onclick=x>%v</em><script>alert(1)</script>", r[0])
	}
	return out, nil
}

func (testScripts) Chart(_ context.Context, call *ChartCall) (string, error) {
	if strings.Contains(call.Source, "throw") {
		return "", report.Problemf(call.Path, "it threw at line 1, column 7")
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%v" height="%v" onload="x()"><defs><clipPath id="zr0-c0"><path d="M0 0"/></clipPath></defs>`+
		`<style>.a{}</style><script>alert(1)</script><g clip-path="url(#zr0-c0)" fill="url(http://evil)"><a href="http://evil"><text x="1">lost</text></a><text style="font-size:12px;background:url(x)">A &amp; B</text></g></svg>`, call.Width, call.Height), nil
}

// testSubreports knows a report "terms" and one that contains itself.
type testSubreports struct{}

func (testSubreports) Subreport(_ context.Context, code string, params *report.Object) (*Subreport, error) {
	sources := map[string]string{
		"terms": `{"name":"Terms","pages":[
			{"id":1,"name":"A","elements":[{"id":"s1","type":"heading","props":{"level":"H2","title":"Terms for {$params.who}","autoNumber":true}},{"id":"s2","type":"text","props":{"text":"{$data.orders} {$dict.total} {$nothing.x}"}}]},
			{"id":2,"name":"B","elements":[{"id":"s3","type":"text","props":{"text":"Second page"}}]},
			{"id":3,"name":"Hidden","visible":"false","elements":[{"type":"text"}]}]}`,
		"mirror": `{"name":"Mirror","pages":[{"id":1,"name":"A","elements":[{"id":"m","type":"subreport","props":{"report":"MIRROR"}}]}]}`,
	}
	source, ok := sources[code]
	if !ok {
		return nil, fmt.Errorf("there is no report %q", code)
	}
	def, problems := report.ParseReport([]byte(source))
	if problems != nil {
		return nil, problems
	}
	return &Subreport{Report: def, Data: report.ObjectOf("orders", "its own data"), Params: params, Dict: report.ObjectOf("total", "Sum")}, nil
}

// testDocuments knows a PDF of two pages.
type testDocuments struct{}

func (testDocuments) Document(_ context.Context, name string) (string, []PageSize, error) {
	if name != "terms.pdf" {
		return "", nil, fmt.Errorf("there is no managed file %q", name)
	}
	return "0", []PageSize{{595.28, 841.89}, {841.89, 595.28}}, nil
}

// noEngine stands for the engine where an expression is more than simple.
type noEngine struct{}

func (noEngine) Call(context.Context, *scripting.Call) (*scripting.Result, error) {
	return nil, report.Problemf("", "no engine in this test")
}

func testInput(t testing.TB, elements []report.Element) *Input {
	t.Helper()
	data, err := report.ParseValue([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	return &Input{
		Report:   &report.Report{Name: "Example", Pages: []report.Page{{ID: 1, Name: "Main", Elements: elements}}},
		Template: &report.Template{Layouts: []report.Layout{{}}},
		Data:     data.(*report.Object), Params: report.ObjectOf("showAll", true), Dict: report.ObjectOf("total", "Total"),
		Locale: text.LocaleFor("en-US"), Zone: time.UTC, Now: now, Images: noImages{}, Subreports: testSubreports{}, Documents: testDocuments{},
		Scripts:  testScripts{scripting.NewExpressions(context.Background(), noEngine{}, scripting.Scene{})},
		AssetURL: func(kind, name string) string { return "/" + kind + "/" + name },
		TeX:      testTeX,
	}
}

// body is the compiled body of a document, one node a line as written.
func compileExample(t testing.TB, element string) string {
	t.Helper()
	def, problems := report.Parse[report.Element]([]byte(element))
	if problems != nil {
		t.Fatalf("%v in %s", problems, element)
	}
	doc, err := Compile(context.Background(), testInput(t, []report.Element{*def}))
	if err != nil {
		t.Fatal(err)
	}
	html := string(doc.HTML)
	_, html, _ = strings.Cut(html, `<div class="q-body" id="page-1">`)
	html = html[:strings.LastIndex(html, "</div>\n</section>")]
	for _, w := range doc.Warnings {
		html = strings.TrimSpace(html) + "\n! " + w.Error()
	}
	return strings.TrimSpace(html)
}

func TestEveryComponentMatchesItsExamples(t *testing.T) {
	known := map[string]bool{}
	for _, typ := range Types() {
		known[typ.Name+".txt"] = true
		t.Run(typ.Name, func(t *testing.T) {
			file := filepath.Join("testdata", typ.Name+".txt")
			list := readExamples(t, file)
			if len(list) == 0 {
				t.Fatalf("%s holds no examples", file)
			}
			for i, e := range list {
				got := compileExample(t, e.element)
				if *update {
					list[i].want = got
				} else if diff := cmp.Diff(e.want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", e.title, diff)
				}
			}
			if *update {
				writeExamples(t, file, list)
			}
		})
	}
	files, _ := filepath.Glob("testdata/*.txt")
	for _, f := range files {
		if !known[filepath.Base(f)] {
			t.Errorf("%s belongs to no component", f)
		}
	}
}
