package htmlgen

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

func TestDrawingsAndFormulasStandInHTML(t *testing.T) {
	t.Parallel()
	data := report.ObjectOf("w", int64(12), "evil", `1" onload="x`)
	deep := strings.Repeat("<g>", 70)
	bomb := `<svg><g id="a0"><path d="M0 0"/></g>`
	for i := 1; i < 12; i++ {
		id := string(rune('a' + i))
		before := string(rune('a' + i - 1))
		if i == 1 {
			before = "a0"
		}
		bomb += `<g id="` + id + `">` + strings.Repeat(`<use href="#`+before+`"/>`, 10) + `</g>`
	}
	for _, c := range []struct{ source, want, warning string }{
		{`A<svg width="40" height="20"><rect width="40" height="20"/></svg>B<math><mi>x</mi></math>C<p role="note">D</p>`, `A<svg role="img" width="40" height="20"><rect width="40" height="20"></rect></svg>B<math><mi>x</mi></math>C<p role="note">D</p>`, ""},
		{`<p data-x="1" aria-label="l">a</p>`, `<p data-x="1" aria-label="l">a</p>`, ""},
		{`<p data-break="page">a</p>`, `<p>a</p>`, "data-break means something"},
		{`<svg viewBox="0 0 1 1"><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient><path d="M0 0" fill="url(#g)"/></svg>`, `<svg role="img" viewBox="0 0 1 1"><linearGradient id="d1-1"><stop offset="0" stop-color="red"></stop></linearGradient><path d="M0 0" fill="url(#d1-1)"></path></svg>`, ""},
		{`<svg><title>Sales</title></svg>`, `<svg role="img" aria-label="Sales"><title>Sales</title></svg>`, ""},
		{`<svg aria-label="S"></svg>`, `<svg role="img" aria-label="S"></svg>`, ""},
		{`<svg><rect width="{$data.v.w}"/></svg>`, `<svg role="img"><rect width="12"></rect></svg>`, ""},
		{`<svg><rect width="{$data.v.evil}"/></svg>`, `<svg role="img"><rect width="1&quot; onload=&quot;x"></rect></svg>`, ""},
		{`<svg><rect fill="url(http://evil/x)"/></svg>`, `<svg role="img"><rect></rect></svg>`, `fill="url(http://evil/x)"`},
		{`<svg><script>x</script><rect onclick="x"/></svg>`, `<svg role="img"><rect></rect></svg>`, "<script>"},
		{`<svg><image href="http://evil/x.png"/><image xlink:href="data:image/png;base64,AAAA"/></svg>`, `<svg role="img"><image></image><image href="data:image/png;base64,AAAA"></image></svg>`, "http://evil"},
		{`<svg><foreignObject><p>x</p></foreignObject></svg>`, `<svg role="img"></svg>`, "<foreignObject>"},
		{`<svg><animate attributeName="x"/><set/></svg>`, `<svg role="img"></svg>`, "<animate>"},
		{`<svg><filter id="f"><feTurbulence/></filter></svg>`, `<svg role="img"></svg>`, "<filter>"},
		{`<svg><style>rect</style></svg>`, `<svg role="img"></svg>`, "<style>"},
		{`<svg><a href="javascript:x"><rect/></a></svg>`, `<svg role="img"></svg>`, "<a>"},
		{`<svg><use href="other.svg#a"/></svg>`, `<svg role="img"><use></use></svg>`, "other.svg"},
		{bomb + `</svg>`, ``, "draws more than"},
		{`<svg><g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></svg>`, ``, "refers to itself"},
		{`<svg>` + deep + `</svg>`, ``, "deep"},
		{`<svg><path d="` + strings.Repeat("M0 0", 100_000) + `"/></svg>`, ``, "longer than"},
		{`<svg>` + strings.Repeat("<rect/>", 21_000) + `</svg>`, ``, "draws more than"},
		{`<math display="block" href="javascript:x"><mfrac><mn>1</mn><mi onclick="x">n</mi></mfrac></math>`, `<math display="block"><mfrac><mn>1</mn><mi>n</mi></mfrac></math>`, "href"},
		{`<math><maction><mi>x</mi></maction></math>`, `<math></math>`, "<maction>"},
		{"\uE0D10\uE0D2<svg></svg>", `<svg role="img"></svg><svg role="img"></svg>`, ""},
		{"<p title='\uE0D10\uE0D2'>a<svg></svg></p>", "<p title=\"\uE0D10\uE0D2\">a<svg role=\"img\"></svg></p>", ""},
	} {
		got, warnings := markupOf(t, "html", "html", c.source, data)
		got = strings.NewReplacer("&#34;", "&quot;").Replace(strings.TrimSuffix(got, "\n"))
		if i := strings.Index(got, "</div>"); i >= 0 {
			got = got[:i]
		}
		if got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", clip(c.source, 200), clip(got, 300), c.want)
		}
		if c.warning == "" && len(warnings) > 0 || c.warning != "" && (len(warnings) == 0 || !strings.Contains(warnings[0].Error(), c.warning)) {
			t.Errorf("%s: warnings %v, want %s", clip(c.source, 100), warnings, c.warning)
		}
	}
}

// TestRowsHaveDrawingsOfTheirOwn: ids of one row are not those of another.
func TestRowsHaveDrawingsOfTheirOwn(t *testing.T) {
	t.Parallel()
	in := testInput(t, []report.Element{{Type: "html", Repeat: &report.Repeat{Source: "$data.v"}, Props: map[string]any{"html": `<svg><g id="a"></g><use href="#a"/></svg>`}}})
	in.Data = report.ObjectOf("v", []any{int64(1), int64(2), int64(3)})
	doc, err := Compile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"d1-1", "d2-1", "d3-1"} {
		if strings.Count(string(doc.HTML), `id="`+id+`"`) != 1 || strings.Count(string(doc.HTML), `href="#`+id+`"`) != 1 {
			t.Errorf("%s is not there once", id)
		}
	}
}

// TestOwnMarksAreKept: what our programs read of data attributes no author writes.
func TestOwnMarksAreKept(t *testing.T) {
	t.Parallel()
	for pattern, reads := range map[string]*regexp.Regexp{
		"*.go":                            regexp.MustCompile(`[ "\[](data-[a-z-]+)`),
		"../assets/web/paginate/*.ts":     regexp.MustCompile(`["\[](data-[a-z-]+)|dataset\.([a-zA-Z]+)`),
		"../assets/web/viewer/*.ts":       regexp.MustCompile(`["\[](data-[a-z-]+)|dataset\.([a-zA-Z]+)`),
		"../assets/web/designer/stage.ts": regexp.MustCompile(`["\[](data-[a-z-]+)|dataset\.([a-zA-Z]+)`),
	} {
		files, _ := filepath.Glob(pattern)
		if len(files) == 0 {
			t.Fatal(pattern)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, ".test.ts") {
				continue
			}
			source, _ := os.ReadFile(file)
			for _, m := range reads.FindAllStringSubmatch(string(source), -1) {
				name := m[1]
				if len(m) > 2 && m[2] != "" {
					name = "data-" + strings.ToLower(regexp.MustCompile(`[A-Z]`).ReplaceAllString(m[2], "-$0"))
				}
				if name = strings.TrimSuffix(name, "-"); name != "data" && name != "data-table" && name != "data-quire" && !ownMark(name) {
					t.Errorf("%s reads or writes %s, which authors may write, too", file, name)
				}
			}
		}
	}
}

func FuzzMarkup(f *testing.F) {
	f.Add(`<p>a<svg viewBox="0 0 1 1"><g id="x"><path d="M0 0"/></g><use href="#x"/><title>t</title></svg></p>`)
	f.Add(`<math><mtext><svg><style><img src=x onerror=alert(1)></style></svg></mtext><annotation-xml encoding="text/html"><script>x</script></annotation-xml></math>`)
	f.Add("<svg><desc><![CDATA[</desc><script>x</script>]]></svg>\uE0D10\uE0D2<table><svg><td>")
	f.Fuzz(func(t *testing.T, source string) {
		in := testInput(t, []report.Element{{Type: "html", Props: map[string]any{"html": source}}, {Type: "text", Props: map[string]any{"text": "THE END"}}})
		doc, err := Compile(t.Context(), in)
		if err != nil {
			return // too large
		}
		checkHarmless(t, "html", doc.HTML)
	})
}
