package htmlgen

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/quire-reports/quire/report"
)

// hostile is text that leaves whatever holds it, if it can.
const hostile = `</style></div></section>"'><script>alert(1)</script><img src=x onerror=alert(1)>;}*{}/*\`

// hostileStrings fills every text option with the hostile text, in nested
// groups and lists too.
func hostileProps(fields []report.Field, depth int) map[string]any {
	props := map[string]any{}
	for i := range fields {
		f := &fields[i]
		switch f.Shape {
		case report.TextShape:
			if f.Enum == nil {
				props[f.Name] = hostile
			}
		case report.AnyShape:
			props[f.Name] = hostile
		case report.GroupShape:
			if depth < 3 {
				props[f.Name] = objectOf(hostileProps(f.Fields(), depth+1))
			}
		case report.ListShape:
			item := f.Items()
			if item.Shape == report.TextShape {
				props[f.Name] = []any{hostile}
			} else if item.Shape == report.GroupShape && item.Type().Name() != "Element" && depth < 3 {
				props[f.Name] = []any{objectOf(hostileProps(item.Fields(), depth+1))}
			}
		}
	}
	return props
}

func objectOf(m map[string]any) *report.Object {
	o := report.ObjectOf()
	for _, n := range sortedKeys(m) {
		o.Set(n, m[n])
	}
	return o
}

func TestNoOptionOfAnyComponentLeavesItsPlace(t *testing.T) {
	for _, typ := range Types() {
		props := hostileProps(typ.Props, 0)
		for _, source := range []string{hostile, "$data.orders"} {
			if _, ok := props["source"]; ok {
				props["source"] = source
			}
			e := report.Element{ID: hostile, Name: hostile, Type: typ.Name, Props: props}
			in := testInput(t, []report.Element{e, {Type: "text", Props: map[string]any{"text": "THE END"}}})
			in.Theme = hostileTheme()
			doc, err := Compile(context.Background(), in)
			if err != nil {
				t.Fatal(err)
			}
			checkHarmless(t, typ.Name, doc.HTML)
		}
	}
}

// Values in the attributes of an author's HTML stay in them.
func TestNoValueLeavesAnAttributeOfHTML(t *testing.T) {
	for _, source := range []string{
		`<p title="{$data.x}">a</p>`, `<p title='{$data.x}'>a</p>`, `<p title={$data.x}>a</p>`, `<p style="{$data.x}" title="{$data.x}">a</p>`, `{[1]}<a title="{$data.x}" href="https://a.example">a</a>`,
	} {
		in := testInput(t, []report.Element{{Type: "html", Props: map[string]any{"html": source}}, {Type: "text", Props: map[string]any{"text": "THE END"}}})
		in.Data = report.ObjectOf("x", `" onclick="alert(1)" ' onclick='alert(1)' x=`)
		doc, err := Compile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		checkHarmless(t, source, doc.HTML)
	}
}

func hostileTheme() *report.Theme {
	theme := &report.Theme{CustomCSS: hostile + `@import "http://evil"; p{background:url(http://evil);color:red} </style>`}
	values := objectOf(hostileProps(report.Fields[report.Theme](), 0))
	report.AssignInto(values, theme, "")
	return theme
}

// checkHarmless looks at a document as a browser does: nothing that runs or
// loads, and the structure that was meant.
func checkHarmless(t *testing.T, name string, document []byte) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	sheets, end := 0, false
	var walk func(n *html.Node, inBody bool)
	walk = func(n *html.Node, inBody bool) {
		if n.Type == html.TextNode && strings.Contains(n.Data, "THE END") {
			end = inBody
		}
		if n.Type == html.ElementNode {
			switch n.Data {
			case "script", "iframe", "object", "form", "input", "link", "base":
				t.Errorf("%s: the document holds <%s>", name, n.Data)
			}
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "src" && strings.Contains(a.Val, "x") || strings.Contains(strings.ToLower(a.Val), "javascript:") {
					t.Errorf("%s: %s=%q", name, a.Key, a.Val)
				}
				if a.Key == "class" && a.Val == "q-sheet" {
					sheets++
				}
				inBody = inBody || a.Key == "class" && a.Val == "q-body"
			}
			if n.Data == "style" && n.FirstChild != nil {
				css := strings.ToLower(n.FirstChild.Data)
				for _, bad := range []string{"@import", "http://evil", "<script"} {
					if strings.Contains(css, bad) {
						t.Errorf("%s: the style sheet holds %s", name, bad)
					}
				}
			}
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			walk(child, inBody)
		}
	}
	walk(root, false)
	if sheets != 1 || !end {
		t.Errorf("%s: %d sheets, end of the page in the body: %v", name, sheets, end)
	}
}

func TestEveryComponentSurvivesWithoutData(t *testing.T) {
	for _, typ := range Types() {
		e := report.Element{Type: typ.Name, Props: map[string]any{}, Repeat: &report.Repeat{Source: "$data.orders"}}
		if typ.Container {
			e.Children = []report.Element{{Type: "text", Props: map[string]any{"text": "first"}}, {Type: "text", Props: map[string]any{"text": "second"}}}
		}
		in := testInput(t, []report.Element{e})
		in.Data, in.Params, in.Dict, in.Scripts, in.Images = nil, nil, nil, nil, nil
		if _, err := Compile(context.Background(), in); err != nil {
			t.Errorf("%s: %v", typ.Name, err)
		}
		if !typ.Container {
			continue
		}
		doc, err := Compile(context.Background(), testInput(t, []report.Element{e}))
		if err != nil {
			t.Fatal(err)
		}
		if a, b := strings.Index(string(doc.HTML), "first"), strings.Index(string(doc.HTML), "second"); a < 0 || b < a {
			t.Errorf("%s does not keep the order of its elements", typ.Name)
		}
	}
}

func TestLargeAndDeepReportsCompileTheSameTwice(t *testing.T) {
	var many []report.Element
	for i := range 10_000 {
		many = append(many, report.Element{Type: "text", Props: map[string]any{"text": fmt.Sprint(i)}})
	}
	deep := report.Element{Type: "text"}
	for range 150 {
		deep = report.Element{Type: "flow", Children: []report.Element{deep}}
	}
	for _, elements := range [][]report.Element{many, {deep}} {
		first, err := Compile(context.Background(), testInput(t, elements))
		if err != nil {
			t.Fatal(err)
		}
		second, _ := Compile(context.Background(), testInput(t, elements))
		if !bytes.Equal(first.HTML, second.HTML) || len(first.Warnings) > 0 {
			t.Errorf("different bytes, or warnings: %v", first.Warnings)
		}
	}
}

func FuzzCompile(f *testing.F) {
	f.Add([]byte(`{"name":"I","pages":[{"id":1,"name":"A","visible":"{$params.showAll}","elements":[{"type":"data-table","props":{"source":"$data.orders","groups":[{"field":"region"}],"columns":[{"field":"total","mergeCells":"equal","headers":[{"text":"a","colSpan":9}]}]}}]}]}`))
	f.Add([]byte(`{"name":"I","pages":[{"id":1,"name":"A","elements":[{"type":"list","repeat":{"source":"$data.tree"},"props":{"items":["{$it.record.name}"]},"children":[{"type":"html","props":{"html":"<p style='{$data.x}'>{$it}"}}]}]}]}`))
	f.Add([]byte(`{"name":"I","pages":[{"id":1,"name":"A","elements":[{"type":"generic-chart","props":{"source":"$data.orders","yAxis":{"min":"x","normalised":true},"series":[{"xField":"date","yField":"total","chartType":"bar","labels":{"enabled":true}}]}},{"type":"pie-chart","props":{"source":"$data.tree","valueField":"amount","chartOffset":"1px 2px"}}]}]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		def, _ := report.ParseReport(doc)
		if def == nil {
			return
		}
		Validate(def)
		in := testInput(t, nil)
		in.Report = def
		if _, err := Compile(context.Background(), in); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzStylesheet(f *testing.F) {
	f.Add("a{color:red}@import 'x';b{background:url(x)}")
	f.Add(`@media print{p{color:red}}</style><script>`)
	f.Fuzz(func(t *testing.T, source string) {
		kept, _ := stylesheet(source)
		lower := strings.ToLower(kept)
		for _, bad := range []string{"</", "@import", "url("} {
			if strings.Contains(lower, bad) {
				t.Errorf("%q keeps %s: %q", source, bad, kept)
			}
		}
		style, _ := declarations(source)
		if strings.ContainsAny(style, "{}") || strings.Contains(strings.ToLower(style), "url(") {
			t.Errorf("%q leaves its element: %q", source, style)
		}
	})
}
