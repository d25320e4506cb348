package htmlgen

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// TestWordsAreDivided: findings pages B1 and model B3. "·" are soft hyphens.
func TestWordsAreDivided(t *testing.T) {
	t.Parallel()
	const long = "Donaudampfschifffahrt"
	const divided = "Do·nau·dampf·schiff·fahrt"
	paragraph := func(props ...any) report.Element {
		return element("paragraph", append([]any{"text", long}, props...)...)
	}
	rich := func(content string) report.Element {
		return element("rich-text-editor", "content", content, "textAlign", "justify")
	}
	column := func(more ...any) any { return report.ObjectOf(append([]any{"field", "name"}, more...)...) }
	narrow := func(more ...any) report.Element {
		return element("data-table", "source", "$data.rows", "columns", []any{column(append([]any{"width", "20mm", "title", "Verwaltungsgemeinschaft"}, more...)...), column("field", "name", "title", "Zweite")})
	}
	for name, c := range map[string]struct {
		element report.Element
		want    string
		never   string
	}{
		"justified":                {paragraph("textAlign", "justify"), ">" + divided + "<", ""},
		"its lines are plain ones": {paragraph("textAlign", "justify"), "text-wrap:wrap", ""},
		"words that just fit":      {narrow("field", "fits", "width", "24mm"), ">Schmid·hu·ber-Wa·gen·knecht<", ""},
		"not justified":            {paragraph(), ">" + long + "<", "·"},
		"asked for":                {paragraph("hyphens", "auto"), ">" + divided + "<", ""},
		"not wanted":               {paragraph("hyphens", "none", "textAlign", "justify"), ">" + long + "<", "·"},
		"by a style":               {paragraph("style", "hyphens: auto"), ">" + divided + "<", ""},
		"justified by a style":     {paragraph("style", "text-align:justify"), ">" + divided + "<", ""},
		"kept by a style":          {paragraph("style", "hyphens:manual", "textAlign", "justify"), ">" + long + "<", "·"},
		"another property":         {paragraph("style", "x-hyphens: auto"), ">" + long + "<", "·"},
		"a text":                   {element("text", "text", long, "hyphens", "auto"), ">" + divided + "<", ""},
		"values":                   {element("text", "text", "Die {$data.rows.0.name}", "hyphens", "auto"), "Die " + divided + "<", ""},
		"with line breaks":         {element("text", "text", " "+long+"\n", "hyphens", "auto", "whitespace", "preserve"), "> " + divided + "\n<", ""},
		"rich text":                {rich(`<p title="Verwaltung > Verwaltung">` + long + ` <b>Verwaltung</b></p>`), divided + " <b>Ver·wal·tung</b>", `title="Ver·`},
		"quotes of rich text":      {rich(`<p>"Verwaltung" 'Verwaltung' R&amp;Verwaltung</p>`), `"Ver·wal·tung" 'Ver·wal·tung' R&amp;Verwaltung`, ""},
		"code and headings":        {rich(`<h2>Verwaltung</h2><p><code>Verwaltung <code>Verwaltung</code> Verwaltung</code> Verwaltung</p>`), " Ver·wal·tung</p>", "<h2>Ver·wal"},
		"what is kept from it":     {rich(`<p style="hyphens: none">Verwaltung</p><p><span lang="en">Verwaltung</span> <span translate="no">Verwaltung</span> Verwaltung</p>`), `</span> Ver·wal·tung</p>`, ">Ver·wal"},
		"headings":                 {element("heading", "title", "Verwaltung"), "Verwaltung", "·"},
		"narrow cells":             {narrow(), ">" + divided + "</td><td>" + long + "</td>", ""},
		"their heads":              {narrow(), ">Ver·wal·tungs·ge·mein·schaft</th>", ""},
		"short words in them":      {narrow("field", "short"), ">Rathaus</td>", ""},
		"columns of names":         {narrow("hyphens", "none"), ">" + long + "</td>", divided + "</td>"},
		"tables without":           {element("data-table", "source", "$data.rows", "hyphens", "none", "columns", []any{column("width", "20mm")}), ">" + long + "</td>", "·"},
		"tables with":              {element("data-table", "source", "$data.rows", "hyphens", "auto", "columns", []any{column(), column("hyphens", "none")}), ">" + divided + "</td><td>" + long + "</td>", ""},
		"cells that do not wrap":   {element("data-table", "source", "$data.rows", "disableCellWrap", true, "columns", []any{column("width", "20mm")}), ">" + long + "</td>", "·"},
		"many columns are narrow":  {element("data-table", "source", "$data.rows", "columns", []any{column(), column(), column(), column(), column(), column(), column(), column(), column(), column()}), ">" + divided + "</td>", ""},
	} {
		in := testInput(t, []report.Element{c.element})
		in.Locale = text.LocaleFor("de-AT")
		in.Data = report.ObjectOf("rows", []any{report.ObjectOf("name", long, "short", "Rathaus", "fits", "Schmidhuber-Wagenknecht")})
		got := hyphensShown(t, in)
		if !strings.Contains(got, c.want) || c.never != "" && strings.Contains(got, c.never) {
			t.Errorf("%s: %s; want %s", name, got[strings.Index(got, "<body"):], c.want)
		}
	}
}

// TestWordsStayWhole where others make the lines, and in languages without patterns.
func TestWordsStayWhole(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(in *Input){
		"workbooks":         func(in *Input) { in.Typed = true },
		"documents of Word": func(in *Input) { in.Charted = true },
		"presentations":     func(in *Input) { in.Charted, in.Slides = true, true },
		"no patterns":       func(in *Input) { in.Locale = text.LocaleFor("ru") },
		"right to left":     func(in *Input) { in.Locale = text.LocaleFor("ar") },
		"Chinese":           func(in *Input) { in.Locale = text.LocaleFor("zh") },
	} {
		in := testInput(t, []report.Element{element("paragraph", "text", "Donaudampfschifffahrt", "textAlign", "justify")})
		in.Locale = text.LocaleFor("de")
		change(in)
		if got := hyphensShown(t, in); !strings.Contains(got, ">Donaudampfschifffahrt<") {
			t.Errorf("%s: words are divided", name)
		}
	}
}

// TestLanguagesWithoutPatternsAreToldOf where somebody asks for them.
func TestHasWord(t *testing.T) {
	t.Parallel()
	for markup, want := range map[string]bool{"Rathaus": false, "Rathäuser": true, "12,345.67": false, "a short one": false, "aujourd&#39;hui": true, "<b>Verwaltung</b>": true, "": false} {
		if got := hasWord([]byte(markup), 8); got != want {
			t.Errorf("%q: %v", markup, got)
		}
	}
}

func TestLanguagesWithoutPatternsAreToldOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		element report.Element
		told    bool
	}{
		"a paragraph":      {element("paragraph", "text", "x", "hyphens", "auto"), true},
		"a rich text":      {element("rich-text-editor", "content", "<p>x</p>", "hyphens", "auto"), true},
		"a table":          {element("data-table", "source", "$data.rows", "hyphens", "auto"), true},
		"nobody asks":      {element("paragraph", "text", "x", "textAlign", "justify"), false},
		"nobody wants any": {element("paragraph", "text", "x", "hyphens", "none"), false},
	} {
		in := testInput(t, []report.Element{c.element})
		in.Locale, in.Data = text.LocaleFor("ru"), report.ObjectOf("rows", []any{report.ObjectOf("name", "x")})
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(doc.Warnings.Error(), `words of the language "ru" are not divided`); told != c.told {
			t.Errorf("%s: %v", name, doc.Warnings)
		}
	}
}

func hyphensShown(t *testing.T, in *Input) string {
	t.Helper()
	doc, err := Compile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(doc.HTML), "\u00ad", "·")
}

// FuzzDividing: markup keeps everything but soft hyphens in its texts.
func FuzzDividing(f *testing.F) {
	for _, s := range []string{`<p>Verwaltung</p>`, `<code>Verwaltung`, `<a title="a>b" lang="en">Verwaltung</a>`, `<`, `<>`, `</`, `<code/>`, `<!-- Verwaltung`, `<p style='hyphens:none'>x</p>`, `<code></code`, `&#39;Verwaltung&#34;`} {
		f.Add(s)
	}
	in := &Input{Report: &report.Report{}, Locale: text.LocaleFor("de")}
	f.Fuzz(func(t *testing.T, markup string) {
		if strings.Contains(markup, "\u00ad") || strings.Contains(markup, "&#") || !strings.Contains(markup, "e") {
			return
		}
		c := newContext(t.Context(), in)
		start := c.Len()
		c.Raw(markup)
		c.hyphenate(start, leastInText)
		if got := string(c.buf[start:]); strings.ReplaceAll(got, "\u00ad", "") != markup && strings.ToValidUTF8(markup, "") == markup {
			t.Errorf("%q became %q", markup, got)
		}
	})
}

// element is an element with settings, as names and values by turns.
func element(kind string, props ...any) report.Element {
	e := report.Element{Type: kind, Props: map[string]any{}}
	for i := 0; i+1 < len(props); i += 2 {
		e.Props[props[i].(string)] = props[i+1]
	}
	return e
}
