package export

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// kindOfNames are definitions by the kind that is read.
func readNames(t *testing.T, kind, doc string) []Named {
	t.Helper()
	var into any
	switch kind {
	case "report":
		into = new(report.Report)
	case "job":
		into = new(report.Job)
	case "template":
		into = new(report.Template)
	case "theme":
		into = new(report.Theme)
	case "parameter":
		into = new(report.Parameter)
	}
	if problems := report.ReadStored([]byte(doc), into); len(problems) > 0 {
		t.Fatal(problems)
	}
	return Names(into)
}

func TestWhatADefinitionNames(t *testing.T) {
	t.Parallel()
	element := func(e string) string {
		return `{"name":"R","pages":[{"id":1,"name":"p","elements":[` + e + `]}]}`
	}
	html := func(source string) string {
		return element(fmt.Sprintf(`{"type":"html","props":{"html":%q}}`, source))
	}
	for name, c := range map[string]struct {
		kind, doc string
		want      []string // kind, name, path
	}{
		"nothing":                 {"report", `{"name":"R","dataSources":[{"name":"l","type":"json","settings":{"content":[]}}]}`, nil},
		"a connection":            {"report", `{"name":"R","dataSources":[{"name":"l","type":"json"},{"name":"q","type":"sql","settings":{"connection":"shop","query":"select 1"}}]}`, []string{"connection shop dataSources[1].settings.connection"}},
		"no connection yet":       {"report", `{"name":"R","dataSources":[{"name":"q","type":"sql","settings":{"query":"select 1"}}]}`, nil},
		"of an API":               {"report", `{"name":"R","dataSources":[{"name":"q","type":"api","settings":{"connection":"crm","url":"/a"}}]}`, []string{"connection crm dataSources[0].settings.connection"}},
		"of MongoDB":              {"report", `{"name":"R","dataSources":[{"name":"q","type":"mongodb","settings":{"connection":"m","function":"x"}}]}`, []string{"connection m dataSources[0].settings.connection"}},
		"a shared source":         {"report", `{"name":"R","dataSources":[{"reuse":"orders"}]}`, []string{"data source orders dataSources[0].reuse"}},
		"a shared parameter":      {"report", `{"name":"R","parameters":[{"reuse":"year"}]}`, []string{"parameter year parameters[0].reuse"}},
		"a lookup's connection":   {"report", `{"name":"R","parameters":[{"name":"c","type":"lookup","lookupSource":{"type":"sql","settings":{"connection":"shop","query":"q"}}}]}`, []string{"connection shop parameters[0].lookupSource.settings.connection"}},
		"a lookup's source":       {"report", `{"name":"R","parameters":[{"name":"c","type":"lookup","lookupSource":{"reuse":"customers"}}]}`, []string{"data source customers parameters[0].lookupSource.reuse"}},
		"template and theme":      {"report", `{"name":"R","template":"letter","theme":"4"}`, []string{"template letter template", "theme 4 theme"}},
		"what it brings along":    {"report", `{"name":"R","template":"own","theme":"own","include":{"templates":[{"name":"O","code":"Own","layouts":[{}]}],"themes":[{"name":"O","code":"own"}],"dataSources":[{"name":"d","type":"json"}]},"dataSources":[{"reuse":"d"}]}`, nil},
		"what that names":         {"report", `{"name":"R","include":{"templates":[{"name":"O","code":"o","theme":"t","layouts":[{"header":[{"type":"img","props":{"imageUrl":"logo.png"}}]}]}],"dataSources":[{"name":"d","type":"sql","settings":{"connection":"c","query":"q"}}],"parameters":[{"name":"p","lookupSource":{"reuse":"x"}}]}}`, []string{"theme t include.templates[0].theme", "managed file logo.png include.templates[0].layouts[0].header[0].props.imageUrl", "connection c include.dataSources[0].settings.connection", "data source x include.parameters[0].lookupSource.reuse"}},
		"another source's name":   {"report", `{"name":"R","include":{"dataSources":[{"name":"ORDERS","type":"json"}]},"dataSources":[{"reuse":"orders"}]}`, []string{"data source orders dataSources[0].reuse"}},
		"another parameter's":     {"report", `{"name":"R","include":{"parameters":[{"name":"YEAR"}]},"parameters":[{"reuse":"year"}]}`, []string{"parameter year parameters[0].reuse"}},
		"a theme that comes":      {"report", `{"name":"R","include":{"themes":[{"name":"O","code":"o","externalCss":["a.css"]}]}}`, []string{"managed file a.css include.themes[0].externalCss[0]"}},
		"a subreport page":        {"report", `{"name":"R","pages":[{"id":1,"name":"p","type":"subreport","report":"inner"}]}`, []string{"report inner pages[0].report"}},
		"a subreport":             {"report", element(`{"type":"flow","children":[{"type":"subreport","props":{"report":"inner"}}]}`), []string{"report inner pages[0].elements[0].children[0].props.report"}},
		"an attached PDF":         {"report", `{"name":"R","pages":[{"id":1,"name":"p","type":"document-merge","document":"terms.pdf"}]}`, []string{"managed file terms.pdf pages[0].document"}},
		"an attached PDF by data": {"report", `{"name":"R","pages":[{"id":1,"name":"p","type":"document-merge","document":"{$params.terms}"}]}`, []string{"managed file  pages[0].document"}},
		"a picture":               {"report", element(`{"type":"img","props":{"imageUrl":" /a/logo.png"}}`), []string{"managed file a/logo.png pages[0].elements[0].props.imageUrl"}},
		"a picture by data":       {"report", element(`{"type":"img","props":{"imageUrl":"{$data.p}"}}`), []string{"managed file  pages[0].elements[0].props.imageUrl"}},
		"pictures from elsewhere": {"report", element(`{"type":"img","props":{"imageUrl":"https://a.example/{$data.p}.png"}},{"type":"img","props":{"imageUrl":"DATA:image/png;base64,AA"}},{"type":"img"}`), nil},
		"a logo in a QR code":     {"report", element(`{"type":"qr-code","props":{"text":"t","imageUrl":"logo.png"}}`), []string{"managed file logo.png pages[0].elements[0].props.imageUrl"}},
		"a placeholder's":         {"report", `{"name":"R","pages":[{"id":1,"name":"p","placeholders":{"side":[{"type":"img","props":{"imageUrl":"a.png"}}]}}]}`, []string{"managed file a.png pages[0].placeholders.side[0].props.imageUrl"}},
		"pictures in HTML":        {"report", html(`<p>x</p><IMG alt="a" SRC='a.png'><img src="{$data.b}"><img src=https://a.example/c.png><img src="https://a.example/{$data.c}.png">`), []string{"managed file a.png pages[0].elements[0].props.html", "managed file  pages[0].elements[0].props.html"}},
		"a tag made of data":      {"report", html(`{[1]}<i{$data.x} src="a.png">`), []string{"managed file  pages[0].elements[0].props.html"}},
		"a setting made of data":  {"report", html(`{[1]}<img s{$data.x}="a.png">`), []string{"managed file  pages[0].elements[0].props.html"}},
		"hidden in a placeholder": {"report", html(`{[1]}{$params.a|<p title="}<img src=a.png>{$params.a|">}`), []string{"managed file a.png pages[0].elements[0].props.html"}},
		"a comment that ends":     {"report", html(`<!--{$params.a}> <img src="a.png"> -->`), []string{"managed file  pages[0].elements[0].props.html"}},
		"a setting that begins":   {"report", html(`<p {$params.a}" b="><img src=a.png>">`), []string{"managed file  pages[0].elements[0].props.html"}},
		"an unquoted setting":     {"report", html(`<p title={$params.a}" b="><img src=a.png>">`), []string{"managed file  pages[0].elements[0].props.html"}},
		"HTML without pictures":   {"report", html(`<b>{$data.x}</b> a < {$data.y}`), nil},
		"pictures in rich text":   {"report", element(`{"type":"rich-text-editor","props":{"content":"<p><img src=\"a.png\"></p>"}}`), []string{"managed file a.png pages[0].elements[0].props.content"}},
		"of a column":             {"report", element(`{"type":"data-table","props":{"source":"$data.l","columns":[{"field":"c"},{"renderer":"html","html":"<img src='a.png'>"}]}}`), []string{"managed file a.png pages[0].elements[0].props.columns[1].html"}},
		"of a column's script":    {"report", element(`{"type":"data-table","props":{"source":"$data.l","columns":[{"renderer":"function","function":"v => '<im' + 'g src=a.png>'"}]}}`), []string{"managed file  pages[0].elements[0].props.columns[0].function"}},
		"a job": {"job", `{"name":"J","code":"j","dataSources":[{"name":"q","type":"sql","settings":{"connection":"shop","query":"q"}},{"reuse":"orders"}],
			"reports":[{"report":"2","template":"letter","theme":"dark","signature":"seal"}],"deliveries":[{"type":"local"},{"type":"sftp","connection":"bank"}],"webhook":"hook"}`, []string{
			"connection shop dataSources[0].settings.connection", "data source orders dataSources[1].reuse", "report 2 reports[0].report", "template letter reports[0].template", "theme dark reports[0].theme",
			"connection seal reports[0].signature", "connection bank deliveries[1].connection", "connection hook webhook",
		}},
		"a template":  {"template", `{"name":"T","code":"t","theme":"dark","layouts":[{},{"footer":[{"type":"img","props":{"imageUrl":"a.png"}}]}]}`, []string{"theme dark theme", "managed file a.png layouts[1].footer[0].props.imageUrl"}},
		"a theme":     {"theme", `{"name":"T","code":"t","externalCss":["a.css"]}`, []string{"managed file a.css externalCss[0]"}},
		"a parameter": {"parameter", `{"name":"p","lookupSource":{"type":"sql","settings":{"connection":"shop","query":"q"}}}`, []string{"connection shop lookupSource.settings.connection"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, n := range readNames(t, c.kind, c.doc) {
				got = append(got, fmt.Sprintf("%s %s %s", n.Kind, n.Name, n.Path))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("names\n%q; want\n%q", got, c.want)
			}
		})
	}
}

// A definition that is changed elsewhere uses the same; another query is
// another use of the connection.
func TestWhatIsTheSameUse(t *testing.T) {
	t.Parallel()
	use := func(doc string) string {
		names := readNames(t, "report", doc)
		if len(names) != 1 {
			t.Fatal(names)
		}
		return names[0].Use
	}
	first := use(`{"name":"R","dataSources":[{"name":"q","type":"sql","settings":{"connection":"shop","query":"select 1","maxRows":5}}]}`)
	if same := use(`{"name":"S","dataSources":[{"name":"l","type":"json"},{"name":"renamed","type":"sql","settings":{"maxRows":5,"query":"select 1","connection":"shop"}}]}`); same != first {
		t.Errorf("%s; want %s", same, first)
	}
	if other := use(`{"name":"R","dataSources":[{"name":"q","type":"sql","settings":{"connection":"shop","query":"select * from salaries","maxRows":5}}]}`); other == first {
		t.Error("another query is the same use")
	}
}

func TestWhereADefinitionReadsASource(t *testing.T) {
	t.Parallel()
	d := &report.Report{Name: "R", Pages: []report.Page{{ID: 1, Elements: []report.Element{{Type: "text"}, {Type: "text", Props: map[string]any{"text": "{$data.orders.0.n}"}}}}}}
	if at := ReadsAt(d, "orders"); at != "pages[0].elements[1].props.text" {
		t.Error(at)
	}
	if at := ReadsAt(d, "salaries"); at != "" {
		t.Error(at)
	}
	// The exporter looks for it anywhere in the text of the definition.
	d.Pages[0].Elements[0].Props = map[string]any{"rows": map[string]any{"$data.salaries": 1}}
	if at := ReadsAt(d, "salaries"); !strings.HasPrefix(at, "pages[0].elements[0].props.rows") {
		t.Error(at)
	}
}
