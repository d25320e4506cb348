package htmlgen

import (
	"context"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// markupOf is what an element of HTML or rich text prints.
func markupOf(t *testing.T, kind, prop, source string, data *report.Object) (string, []error) {
	t.Helper()
	in := testInput(t, []report.Element{{Type: kind, Props: map[string]any{prop: source}}})
	in.Data = report.ObjectOf("v", data)
	doc, err := Compile(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(string(doc.HTML), `<div class="q-body" id="page-1">`)
	_, got, _ = strings.Cut(got, ">")
	got, _, _ = strings.Cut(got, "</div>\n</div>\n</section>")
	var warnings []error
	for _, w := range doc.Warnings {
		warnings = append(warnings, w)
	}
	return got, warnings
}

func TestValuesStayInTheirAttributes(t *testing.T) {
	t.Parallel()
	data := report.ObjectOf("s", `x" style="font-size:60pt;color:red`, "q", `5" pipe`, "amp", `a&b=c"d`, "minus", int64(-2))
	for source, want := range map[string]string{
		`<p title="{$data.v.s}">T</p>`:                                     `<p title="x&#34; style=&#34;font-size:60pt;color:red">T</p>`,
		`<p class="a" title='{$data.v.s}'>T</p>`:                           `<p class="a" title="x&#34; style=&#34;font-size:60pt;color:red">T</p>`,
		`<p title={$data.v.s}>T</p>`:                                       `<p title="x&#34; style=&#34;font-size:60pt;color:red">T</p>`,
		`<a href="https://x.y/?q={$data.v.amp}&amp;z=1">L</a>`:             `<a href="https://x.y/?q=a&amp;b=c&#34;d&amp;z=1">L</a>`,
		`<img alt="{$data.v.q}" src="data:image/png;base64,AA">`:           `<img alt="5&#34; pipe"`,
		`<p style="margin-left:{$data.v.minus:n}px">{$data.v.minus:n}</p>`: `<p style="margin-left:-2px;">−2</p>`,
	} {
		got, _ := markupOf(t, "html", "html", source, data)
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", source, got, want)
		}
	}
}

func TestFootnotesOfHTML(t *testing.T) {
	t.Parallel()
	const open, end = `<span class="q-note"><span class="q-aside"> (</span>`, `<span class="q-aside">)</span></span>`
	data := report.ObjectOf("s", "restated", "url", "https://x.y")
	for source, want := range map[string]string{
		`<p>Tax<span class="footnote">as <b>before</b></span>.</p>`:                `<p>Tax` + open + `as <b>before</b>` + end + `.</p>`,
		`<p>Tax{$data.v.s:footnote}</p>`:                                           `<p>Tax` + open + `restated` + end + `</p>`,
		`<p><a href="{$data.v.url}">Tax</a>{$data.v.s:footnote}</p>`:               `<p><a href="https://x.y">Tax</a>` + open + `restated` + end + `</p>`,
		`<p>Tax<span class="footnote">one<span class="footnote">two</span></span>`: `<p>Tax` + open + `one<span class="footnote">two</span>` + end,
		`<p>Tax<span class="q-aside">mine</span><span class="q-page-top">x</span>`: `<p>Tax<span class="">mine</span><span class="">x</span>`,
	} {
		if got, _ := markupOf(t, "html", "html", source, data); !strings.HasPrefix(got, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", source, got, want)
		}
	}
}

// TestEntitiesInPlaceholders: editors of rich text store < and & as entities,
// in expressions, formats and fallbacks too.
func TestEntitiesInPlaceholders(t *testing.T) {
	t.Parallel()
	data := report.ObjectOf("n", int64(2), "nul", nil)
	for source, want := range map[string]string{
		`<p>A={[ {$data.v.n} &lt; 3 &amp;&amp; {$data.v.n} &gt; 0 ? "yes" : "no" ]}</p>`: `<p>A=yes</p>`,
		`<p>B={[ {$data.v.n} &lt; 3 ? &#39;yes&#39; : &quot;no&quot; ]}</p>`:             `<p>B=yes</p>`,
		`<p>C={$data.v.nul|a &lt; b}</p>`:                                                `<p>C=a &lt; b</p>`,
		`<p>D={$data.v.nul|it's "a" & b}</p>`:                                            `<p>D=it&#39;s &#34;a&#34; &amp; b</p>`,
		`<p>K={$data.v.n:wrap;&lt;b&gt;;x}</p>`:                                          `<p>K=&lt;b&gt;2x</p>`,
	} {
		for kind, prop := range map[string]string{"html": "html", "rich-text-editor": "content"} {
			if got, warnings := markupOf(t, kind, prop, source, data); !strings.HasPrefix(got, want) || len(warnings) > 0 {
				t.Errorf("%s %s:\ngot  %s\nwant %s\n%v", kind, source, got, want, warnings)
			}
		}
	}
}
