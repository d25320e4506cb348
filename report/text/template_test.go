package text

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quire-reports/quire/report"
)

// invoice is what the templates of these tests see.
const invoice = `{
	"$data": {"orders": [{"id": 12345678901234567890, "total": 0.1, "lines": [{"sku": "A-1"}, {"sku": "B-2"}]}, {"id": 2, "total": null}], "empty": []},
	"$params": {"customer": "Meier & Söhne <GmbH>", "from": "2024-02-01", "none": null, "blank": "", "rate": 0.19, "Unit price": 3, "url": "https://example.com/a b?x=1&y=2"},
	"$dict": {"total": "Summe"},
	"$it": {"name": "Anna"},
	"$record": {"amount": -1234.5, "when": "2024-02-01T23:30:00Z", "ok": true, "tags": ["a", "b"], "who": {"name": "Ben", "home": null}},
	"$group": {"$name": "north", "sum": 10},
	"customers": {"email": "a@example.com"},
	"p": "value"
}`

// TestTemplates is the reference of the syntax: template | text.
func TestTemplates(t *testing.T) {
	cases := []struct{ name, template, want string }{
		{"text", "No braces here, 100 % and $5.", "No braces here, 100 % and $5."},
		{"empty", "", ""},
		{"value", "Dear {$it.name},", "Dear Anna,"},
		{"two values", "{$it.name}{$dict.total}", "AnnaSumme"},
		{"place in an array", "{$data.orders.0.lines.1.sku}", "B-2"},
		{"length of an array", "{$data.orders.length}", "2"},
		{"blank in a member", "{$params.Unit price}", "3"},
		{"blanks around", "{ $it.name }", "Anna"},
		{"repeating source", "{customers.email}", "a@example.com"},
		{"group member with a sign", "{$group.$name}", "north"},
		{"numbers as written", "{$data.orders.0.id} {$data.orders.0.total}", "12345678901234567890 0.1"},
		{"other values", "{$record.ok} {$record.tags} {$record.who}", `true a, b {"name":"Ben","home":null}`},
		{"doubled braces", "{{x}}", "{x}"},
		{"value in doubled braces", "{{{p}}}", "{value}"},
		{"doubled braces with a path", "{{$it.name}}", "{$it.name}"},
		{"unclosed", "a {$it.name", "a {$it.name"},
		{"unclosed before a value", "a { b {$it.name}", "a { b Anna"},
		{"lone closing brace", "a } b", "a } b"},
		{"no keyword", "{} { } {5} {\"a\": 1}", "{} { } {5} {\"a\": 1}"},
		{"style sheet", "a { color: red }", "a { color: red }"},
		{"line break inside", "a {\nb\n}", "a {\nb\n}"},
		{"format", "{$record.amount:n;2}", "-1,234.50"},
		{"formats in a chain", "{$record.amount:n;2:suffix; kg}", "-1,234.50 kg"},
		{"format and fallback", "{$params.none:n;2|nothing}", "nothing"},
		{"fallback for null", "{$params.none|–}", "–"},
		{"fallback for empty text", "{$params.blank|empty}", "empty"},
		{"fallback for a missing path", "{$params.nope|missing}", "missing"},
		{"fallback with marks", "{$params.none|n/a: a; b | c}", "n/a: a; b | c"},
		{"empty fallback", "{$params.none|}", ""},
		{"null prints nothing", "[{$params.none}]", "[]"},
		{"null takes no suffix", "[{$params.none:suffix; kg}]", "[]"},
		{"null on the way", "[{$record.who.home.city}]", "[]"},
		{"zero and false are values", "{$data.empty.length|none} {$record.ok|none}", "0 true"},
		{"unknown format", "{$it.name:shout}", "Anna"},
		{"unknown format in a chain", "{$record.amount:shout:n;2}", "-1,234.50"},
		{"braces in a pattern", "{$params.from:quarter;{yy}Q{q}}", "24Q1"},
		{"braces in a pattern, doubled after", "{$params.from:quarter;{yy}Q{q}}}}", "24Q1}"},
		{"colon in a date pattern", "{$record.when:dt;HH:mm}", "23:30"},
		{"colon in a date pattern, then a format", "{$record.when:dt;HH:mm:ss:wrap;(;)}", "(23:30:00)"},
		{"backslash means nothing", `\{$it.name}`, `\Anna`},
		{"no number", "{$it.name:n;2}", "Anna"},
		{"no date", "{$it.name:d}", "Anna"},
		{"percent before a value", "{$params.rate:f;2}%{$it.name}", "0.19%Anna"},
		{"binding as expression", "{[{$it.name}]}", "Anna"},
		{"expression", "{[{$record.amount} > 17 ? 'adult' : 'minor']}", "minor"},
		{"expression with percent", "%{ {$record.amount} < 0 ? 'due' : 'paid' }", "due"},
		{"expression with a format", "{[{$record.amount} * 2]:n;1}", "-2,469.0"},
		{"expression with a fallback", "{[null]|none}", "none"},
		{"unclosed expression", "{[ 1 + 2", "{[ 1 + 2"},
		{"broken UTF-8 in text", "a\xffb{$it.name}", "a\xffbAnna"},
	}
	env := &Env{Locale: LocaleFor("en-US"), Scope: scopeOf(t, invoice)}
	for _, c := range cases {
		if got := Parse(c.template).Text(env); got != c.want {
			t.Errorf("%s: %q: got %q, want %q", c.name, c.template, got, c.want)
		}
	}
}

func TestWhatIsWrongIsReported(t *testing.T) {
	cases := []struct{ template, problem, warning string }{
		{"{$it.nme}", "", "{$it.nme} leads to no value"},
		{"{$nothing.here}", "", "{$nothing.here} leads to no value"},
		{"{$data.orders.9.id}", "", "{$data.orders.9.id} leads to no value"},
		{"{$it.nme|none}", "", ""},
		{"{$params.none}", "", ""},
		{"{$record.who.home.city}", "", ""},
		{"{$it.name:shout}", `{$it.name:shout}: unknown format "shout" is ignored`, ""},
		{"{$it.name:ellipsis;x}", `"x" is no whole number`, ""},
		{"{$it.name:n;2}", "", `"Anna" is no number`},
		{"{$it.name:d}", "", `"Anna" is no date`},
		{"{$record.when:dt;qq}", `"qq" has none of the letters`, ""},
		{"{$record.amount:n;1;2;x}", `"x" is no flag`, ""},
		{"{[throw]}", "", "{[throw]}: boom"},
	}
	for _, c := range cases {
		var warned []string
		env := &Env{Scope: scopeOf(t, invoice), Expr: boom{}, Warn: func(m string) { warned = append(warned, m) }}
		tpl := Parse(c.template)
		_ = tpl.Text(env)
		problems := ""
		if len(tpl.Problems) > 0 {
			problems = tpl.Problems.Error()
		}
		if !strings.Contains(problems, c.problem) || c.problem == "" && problems != "" {
			t.Errorf("%s: problems %q, want %q", c.template, problems, c.problem)
		}
		if got := strings.Join(warned, "\n"); !strings.Contains(got, c.warning) || c.warning == "" && got != "" {
			t.Errorf("%s: warned %q, want %q", c.template, got, c.warning)
		}
	}
}

type boom struct{}

func (boom) Eval(string, []string, [][]any) ([]any, error) { return nil, errors.New("boom") }

func TestEscapingFitsThePlace(t *testing.T) {
	env := &Env{Scope: scopeOf(t, `{"v": {
		"html": "<b title=\"x\">Tom & 'Jo'</b>", "url": "https://example.com/a b?x=1&y=ä#z", "js": "JavaScript:alert(1)", "tab": "java\tscript:alert(1)",
		"css": "red; background: url(http://evil/)", "rgb": "rgb(0, 10, 20)", "image": "url(http://evil/)", "quote": "a\"b", "q": "a&b=ü?", "mail": "mailto:a@example.com", "pic": "data:image/png;base64,AA=="}}`)}
	cases := []struct {
		template string
		esc      Escaper
		want     string
	}{
		{"A & {v.html}", EscapeText, `A &amp; &lt;b title="x"&gt;Tom &amp; 'Jo'&lt;/b&gt;`},
		{"<i>{v.html}</i>", EscapeHTML, `<i>&lt;b title=&#34;x&#34;&gt;Tom &amp; &#39;Jo&#39;&lt;/b&gt;</i>`},
		{`"{v.quote}`, EscapeAttr, `&#34;a&#34;b`},
		{"{v.html}", EscapeAttr, `&lt;b title=&#34;x&#34;&gt;Tom &amp; &#39;Jo&#39;&lt;/b&gt;`},
		{"{v.url}", EscapeURL, "https://example.com/a%20b?x=1&y=%C3%A4#z"},
		{"https://example.com/?q={v.q}", EscapeURL, "https://example.com/?q=a%26b%3D%C3%BC%3F"},
		{"{v.js}", EscapeURL, "about:invalid"},
		{"{v.tab}", EscapeURL, "about:invalid"},
		{"java{v.missing|script:x}", EscapeURL, "about:invalid"},
		{"{v.mail}", EscapeURL, "mailto:a@example.com"},
		{"{v.pic}", EscapeURL, "data:image/png;base64,AA=="},
		{"data:text/html,{v.q}", EscapeURL, "about:invalid"},
		{"/reports/{v.q}", EscapeURL, "/reports/a&b=%C3%BC?"},
		{"color: {v.css}", EscapeCSS, `color: red\3b  background\3a  url\28 http\3a //evil/\29 `},
		{"color: {v.rgb}; width: 5px", EscapeCSS, "color: rgb(0, 10, 20); width: 5px"},
		{"background: {v.image}", EscapeCSS, `background: url\28 http\3a //evil/\29 `},
		{"{v.html}", Raw, `<b title="x">Tom & 'Jo'</b>`},
	}
	for _, c := range cases {
		if got := string(Parse(c.template).Append(nil, env, c.esc)); got != c.want {
			t.Errorf("%s (%d): got %q, want %q", c.template, c.esc, got, c.want)
		}
	}
	if got := string(AppendEscaped([]byte("x"), "a\xff\x00<", EscapeText)); got != "xa\uFFFD\uFFFD&lt;" {
		t.Errorf("broken bytes: %q", got)
	}
}

func TestPageNumbersAreLeftToThePaginator(t *testing.T) {
	var warned []string
	env := &Env{
		Scope: ScopeFunc(func(root string) (any, bool) {
			if root == "$heading" {
				return Pages{"number": {Name: "heading-number", Ref: "h<1"}}, true
			}
			return LookupPages(root)
		}),
		Warn: func(m string) { warned = append(warned, m) },
	}
	cases := []struct {
		template string
		esc      Escaper
		want     string
	}{
		{"Page {$page.number} of {$report.pageCount}", EscapeText, `Page <span class="q-page-number"></span> of <span class="q-page-count"></span>`},
		{"{$page.number:zeropad;3}", EscapeHTML, `<span class="q-page-number" data-format="zeropad;3"></span>`},
		{"{$page.number|none}", EscapeText, `<span class="q-page-number"></span>`},
		{`{$page.number:wrap;"<;>}`, EscapeText, `<span class="q-page-number" data-format="wrap;&#34;&lt;;&gt;"></span>`},
		{"{$heading.number}", EscapeText, `<span class="q-heading-number" data-ref="h&lt;1"></span>`},
		{"page-{$page.number}.pdf", Raw, "page-.pdf"},
		{"{$page.number}", EscapeAttr, ""},
	}
	for _, c := range cases {
		if got := string(Parse(c.template).Append(nil, env, c.esc)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.template, got, c.want)
		}
	}
	if len(warned) != 2 {
		t.Errorf("warned %q", warned)
	}
	if got := ParseFormat("n;2").Apply(Deferred{Name: "page-number"}, env); got != (Deferred{Name: "page-number"}) {
		t.Errorf("a format made %v of a deferred value", got)
	}
}

func TestPathsOfFields(t *testing.T) {
	row, err := report.ParseValue([]byte(`{"name": "Ben", "address": {"city": "Graz"}, "a.b": 1, "none": null, "list": [10, 20]}`))
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		path string
		want string
		ok   bool
	}{
		{"name", "Ben", true},
		{"address.city", "Graz", true},
		{"a.b", "1", true},
		{"none.deep", "", true},
		{"list.1", "20", true},
		{"list.2", "", false},
		{"city", "", false},
		{"address.street", "", false},
		{"name.length", "3", true},
		{"name.first", "", false},
	}
	for _, c := range cases {
		v, ok := ParsePath(c.path).Of(row)
		if got := string(ParseFormat("s").Append(nil, v, nil, Raw)); got != c.want || ok != c.ok {
			t.Errorf("%s: got %q %v", c.path, got, ok)
		}
	}
	if v, ok := ParsePath("").Of(row); v != row || !ok {
		t.Error("an empty path is the value itself")
	}
	if v, ok := ParsePath("a").Of((*report.Object)(nil)); v != nil || ok {
		t.Errorf("member of no object: %v %v", v, ok)
	}
}

func TestPathsWithRowsOfManyShapes(t *testing.T) {
	p := ParsePath("$record.v")
	for i := range 100 {
		row := report.ObjectOf("v", int64(i))
		if i%3 == 0 {
			row = report.ObjectOf("x", nil, "v", int64(i))
		}
		got, ok := p.Get(ScopeFunc(func(string) (any, bool) { return row, true }))
		if got != int64(i) || !ok {
			t.Fatalf("row %d: %v %v", i, got, ok)
		}
	}
}

func TestValueKeepsItsType(t *testing.T) {
	env := &Env{Scope: scopeOf(t, invoice)}
	cases := []struct {
		template string
		want     any
	}{
		{"{$record.ok}", true}, {"{$params.none}", nil}, {"{$params.none|x}", "x"}, {"{$it.name}!", "Anna!"}, {"plain", "plain"}, {"", ""},
	}
	for _, c := range cases {
		if got := Parse(c.template).Value(env); !cmp.Equal(got, c.want) {
			t.Errorf("%s: %v", c.template, got)
		}
	}
}

func TestStaticTemplates(t *testing.T) {
	if s, ok := Parse("a {{b}} c").Static(); s != "a {b} c" || !ok {
		t.Errorf("got %q %v", s, ok)
	}
	if _, ok := Parse("a {$it}").Static(); ok {
		t.Error("a template with a value is not static")
	}
}

func TestTheZeroEnvironmentWorks(t *testing.T) {
	for _, env := range []*Env{nil, {}} {
		if got := Parse("{$it.name|x} {[1 + 1]}{[f(1)]}").Text(env); got != "x 2" {
			t.Errorf("got %q", got)
		}
		if got := ParseFormat("c").Apply(1.5, env); got != "$1.50" {
			t.Errorf("got %q", got)
		}
		if got := ParseFormat("").Apply(time.Date(2024, 2, 1, 12, 0, 0, 0, time.UTC), env); got == nil {
			t.Error("no value")
		}
	}
}

func TestHelpListsEveryFormat(t *testing.T) {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Names...)
	}
	for _, n := range []string{
		"s", "str", "string", "f", "fixed", "n", "number", "p", "percentage", "%", "ps", "percentSign", "percentnosign", "c", "currency",
		"d", "date", "t", "time", "dt", "datetime", "daybefore", "dayBefore", "quarter", "dateq", "yearperiod", "prefix", "suffix", "wrap",
		"uppercase", "lowercase", "capitalize", "titlecase", "urlencode", "ellipsis", "zeropad", "zeroPad", "leftpad", "footnote", "pageOf", "titleOf", "numberOf",
	} {
		if !slices.Contains(names, n) {
			t.Errorf("no format %q", n)
		}
	}
}
