package htmlgen

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNeedsOf(t *testing.T) {
	t.Parallel()
	for selector, want := range map[string][]string{
		"*":                                  {},
		"body.q-doc":                         {"body", ".q-doc"},
		"h1.q-el":                            {"h1", ".q-el"},
		".q-flow:not(.q-vertical)>.q-el":     {".q-flow", ".q-el"},
		":is(.q-html,.q-rich) img":           {"img"},
		".q-data-table>*>tr>:first-child":    {".q-data-table", "tr"},
		"[dir=rtl] .q-data-table>*>.q-right": {".q-data-table", ".q-right"},
		"td:not(.q-tight td)>.q-badge":       {"td", ".q-badge"},
	} {
		if diff := cmp.Diff(want, needsOf(selector)); diff != "" {
			t.Errorf("%s: -want +got\n%s", selector, diff)
		}
	}
}

// TestSpareLeavesWhatIsUsed: rules of what a document has, and the variables that these
// ask for, directly or not, stay; others do not.
func TestSpareLeavesWhatIsUsed(t *testing.T) {
	t.Parallel()
	c := &Context{in: &Input{Alone: &Alone{Script: `e.classList.add("q-tight");e.querySelector(".q-list")`}}}
	css := &styles{
		variables: "--primary:var(--color-primary);--color-primary:#123;--kv-row-gap:3px;--link-color:var(--primary);--own:1;",
		rules:     allRules, others: ".x{width:var(--own)}",
	}
	c.spare(css, []byte(`<p class="q-el q-paragraph">see <a href="#x">there</a></p>`))
	for part, want := range map[string]bool{
		".q-paragraph{": true, "a{color": true, ".q-tight .q-breaks": false, "*::before": true, ".q-list{": false, ".q-kv-row{": false, ".q-data-table{": false, "h1.q-el{": false,
	} {
		if got := strings.Contains(css.rules, part); got != want {
			t.Errorf("%s is there: %t", part, got)
		}
	}
	if want := "--primary:var(--color-primary);--color-primary:#123;--link-color:var(--primary);--own:1;"; css.variables != want {
		t.Errorf("variables: %s", css.variables)
	}
	c.spare(css, []byte(`<div class="q-breaks"></div>`))
	if !strings.Contains(css.rules, ".q-tight .q-breaks,") {
		t.Error("what the script makes of an element has no rule")
	}
}

func TestShownInEachWeight(t *testing.T) {
	t.Parallel()
	const rules = `:root{--head:600;--other:var(--head)}.head>th{font-weight:var(--head,bold)}.light{font-weight:300}p>.far+i{font-weight:800}`
	for name, c := range map[string]struct {
		css, body string
		want      map[int]string // letters beside those of every weight
	}{
		"plain":          {"", "abc", map[int]string{400: "abc"}},
		"strong":         {"", "a<strong>b</strong>c", map[int]string{400: "abc", 700: "b", 900: "b"}},
		"within":         {"", "<h2>a<i>b</i></h2>c", map[int]string{400: "abc", 700: "ab"}},
		"class":          {rules, `<p class="light">a</p>b`, map[int]string{300: "a", 400: "ab", 800: "ab"}},
		"variable":       {":root{--head:600}th{font-weight:var(--head,bold)}", `<table><tr><th>a</th><td>b</td></tr></table>`, map[int]string{400: "ab", 600: "a", 700: "a"}},
		"of a variable":  {":root{--head:500;--other:var(--head)}p{font-weight:var(--other)}", `<p>a</p>b`, map[int]string{400: "ab", 500: "a"}},
		"child of any":   {".group>*{font-weight:600}", `<div class="group"><i>a</i></div>b`, map[int]string{400: "ab", 600: "a"}},
		"beside":         {"p+i{font-weight:600}", `<p>a</p><i>b</i>`, map[int]string{400: "ab", 600: "ab"}},
		"style":          {"", `<i style="color:red;font-weight:600">a</i>b`, map[int]string{400: "ab", 600: "a"}},
		"drawing":        {"", `<svg><text font-weight="500">a</text></svg>b`, map[int]string{400: "ab", 500: "a"}},
		"whole body":     {"body{font-weight:300}", "a", map[int]string{300: "a", 400: "a"}},
		"media":          {"@media print{.x{font-weight:600}}", `<i class="x">a</i>`, map[int]string{400: "a", 600: "a"}},
		"bolder":         {".x{font-weight:bolder}", `<i class="x">a</i>`, map[int]string{400: "a", 700: "a", 900: "a"}},
		"entity":         {"", "&eacute;<b>&#228;</b>", map[int]string{400: "éä", 700: "ä", 900: "ä"}},
		"not understood": {".x{font-weight:calc(1)}", `<i class="x">a</i>`, map[int]string{100: "a", 200: "a", 300: "a", 400: "a", 500: "a", 600: "a", 700: "a", 800: "a", 900: "a"}},
		"font in one":    {".x{font:600 12px Inter}", `<i class="x">a</i>`, map[int]string{100: "a", 200: "a", 300: "a", 400: "a", 500: "a", 600: "a", 700: "a", 800: "a", 900: "a"}},
		"inherited":      {".x{font:inherit;font-weight:inherit}", `<i class="x">a</i>`, map[int]string{400: "a"}},
	} {
		s := shownIn(&styles{rules: c.css}, []byte(c.body))
		got := map[int]string{}
		for w, text := range s.texts {
			if text.Len() > 0 {
				got[w] = text.String()
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func TestShownChars(t *testing.T) {
	t.Parallel()
	faces := []FontFace{{Weight: "400", Style: "normal"}, {Weight: "700", Style: "normal"}}
	all := func(rune) bool { return true }
	for name, c := range map[string]struct {
		css, body string
		has       func(rune) bool
		want      string // among others
		lacks     string
		variants  bool
	}{
		"text":                 {"", "<p class='zebra'>Wolf</p>", all, "Wolf0123456789.,–…", "zbr", false},
		"capitals":             {".x{text-transform:uppercase}", "straße", all, "straßeSTRAE", "q", false},
		"small capitals":       {".x{font-variant:small-caps}", "ab", all, "abAB", "", true},
		"composed":             {"", "e\u0301", all, "e\u0301é", "", false},
		"parts":                {"", "ǘ", func(r rune) bool { return r != 'ǘ' }, "ǘüu\u0301\u0308", "", false},
		"no parts":             {"", "ü", all, "ü", "u\u0308", false},
		"generated":            {`.x::before{content:"Ω"}`, "a", all, "aΩ", "", false},
		"roman numbers":        {"", `<ol style="list-style-type:lower-roman"><li>1</li></ol>`, all, "ivxlcdm", "", false},
		"bullets":              {"", `<li>a</li>`, all, "•", "", false},
		"quotes":               {"", `<q>a</q>`, all, "“”", "", false},
		"of marks":             {"", `<p data-continue="weiter">a</p>`, all, "weiter", "", false},
		"figures":              {".x{font-variant-numeric:tabular-nums}", "a", all, "a", "", false},
		"figures in old style": {".x{font-variant-numeric:oldstyle-nums}", "a", all, "a", "", true},
		"features":             {"", `<i style="font-feature-settings:&#34;ss01&#34;">a</i>`, all, "a", "", true},
	} {
		shown := shownIn(&styles{rules: c.css}, []byte(c.body)).in(&faces[0], c.has, faces)
		if shown == nil {
			t.Errorf("%s: nothing is shown", name)
			continue
		}
		for _, r := range c.want {
			if !slices.Contains(shown.Chars, r) {
				t.Errorf("%s: %q is not there", name, r)
			}
		}
		for _, r := range c.lacks {
			if slices.Contains(shown.Chars, r) {
				t.Errorf("%s: %q is there", name, r)
			}
		}
		if shown.Variants != c.variants {
			t.Errorf("%s: variants %t", name, shown.Variants)
		}
	}
	if shown := shownIn(&styles{}, []byte("a")).in(&faces[1], all, faces); shown != nil {
		t.Errorf("a bold font is needed where nothing is bold: %q", string(shown.Chars))
	}
	running := shownIn(&styles{}, []byte(`<b><span class="q-page-running"></span></b><h1>Zoo</h1>`)).in(&faces[1], all, faces)
	if running == nil || !slices.Contains(running.Chars, 'Z') {
		t.Error("a running head may show any text")
	}
}

func TestNearestFace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		faces  string
		weight int
		want   string
	}{
		{"400 700", 400, "400"},
		{"400 700", 500, "400"},
		{"400 700", 600, "700"},
		{"400 700", 900, "700"},
		{"400 700", 100, "400"},
		{"400 500 600 700", 450, "500"},
		{"300 600", 400, "300"},
		{"300 600", 500, "300"},
		{"600 700", 400, "600"},
		{"300 800", 700, "800"},
		{"100 300", 200, "100"},
		{"300 600", 200, "300"},
	} {
		var family []FontFace
		for weight := range strings.FieldsSeq(c.faces) {
			family = append(family, FontFace{Weight: weight, Style: "normal"}, FontFace{Weight: "450", Style: "italic"})
		}
		if got := nearestFace(c.weight, "normal", family); got != c.want {
			t.Errorf("%d of %s: %s, want %s", c.weight, c.faces, got, c.want)
		}
	}
	if got := nearestFace(550, "normal", []FontFace{{Weight: "100 900", Style: "normal"}, {Weight: "600", Style: "normal"}}); got != "100 900" {
		t.Errorf("a variable font is not taken, but %s", got)
	}
}

// TestShownOfWhatIsTooDeep: what no parser reads has its fonts whole.
func TestShownOfWhatIsTooDeep(t *testing.T) {
	t.Parallel()
	c := &Context{in: &Input{}}
	faces := []FontFace{{Family: "Inter", Weight: "400", Style: "normal"}}
	got, of := c.aloneFaces(&styles{}, []byte(strings.Repeat("<div>", 2_000)+"deep"), faces)
	if len(got) != 1 || of != nil {
		t.Errorf("%d faces, %d of them in part", len(got), len(of))
	}
}

// TestWeightsOfManyVariables: variables that name each other many times over are
// followed in no more time than there are of them.
func TestWeightsOfManyVariables(t *testing.T) {
	t.Parallel()
	var css strings.Builder
	for i := range 300 {
		for _, name := range []string{"a", "b", "c"} {
			css.WriteString(":root{--" + name + ":var(--a," + strconv.Itoa(i+1) + ");--" + name + ":var(--b);--" + name + ":var(--c)}")
		}
	}
	css.WriteString("p{font-weight:var(--a)}")
	r := weightRulesOf(css.String())
	if len(r.byName["p"]) < 9 {
		t.Errorf("not all weights may be meant: %v", r.byName["p"])
	}
}
