package text

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestValuesInHTML(t *testing.T) {
	t.Parallel()
	env := &Env{Locale: LocaleFor("en-US"), Scope: scopeOf(t, `{"$data":{"s":"x\" on='1' b=<i>&","n":2,"minus":-2,"nul":null,"d":"div"}}`)}
	for source, want := range map[string]string{
		`<p title="{$data.s}">{$data.s}</p>`:                   `<p title="x&#34; on=&#39;1&#39; b=&lt;i&gt;&amp;">x&#34; on=&#39;1&#39; b=&lt;i&gt;&amp;</p>`,
		`<p title='{$data.s}'>`:                                `<p title='x&#34; on=&#39;1&#39; b=&lt;i&gt;&amp;'>`,
		`<p title={$data.s} id=a>`:                             `<p title=x&#34;&#32;on=&#39;1&#39;&#32;b=&lt;i&gt;&amp; id=a>`,
		`<p title = a{$data.s}b>`:                              `<p title = ax&#34;&#32;on=&#39;1&#39;&#32;b=&lt;i&gt;&amp;b>`,
		`<p title="a > b" lang="{$data.n}{$data.s}">{$data.n}`: `<p title="a > b" lang="2x&#34; on=&#39;1&#39; b=&lt;i&gt;&amp;">2`,
		`1 < 2 "{$data.s}"`:                                    `1 < 2 "x&#34; on=&#39;1&#39; b=&lt;i&gt;&amp;"`,
		`<!-- <p title="> -->{$data.s}`:                        `<!-- <p title="> -->x&#34; on=&#39;1&#39; b=&lt;i&gt;&amp;`,
		`<{$data.d} title="{$data.s}">`:                        `<div title="x&#34; on=&#39;1&#39; b=&lt;i&gt;&amp;">`,
		`<tr {[ 'class=a' ]}>`:                                 `<tr class=a>`,
		`<p style="left:{$data.minus:n}px">{$data.minus:n}`:    `<p style="left:-2px">−2`,
		`{$data.nul|a &lt; b}`:                                 `a &lt; b`,
		`{$data.n:wrap;&lt;b&gt;;x}`:                           `&lt;b&gt;2x`,
		`{$data.n:suffix;&nbsp;kg} a &lt; b &amp;c`:            "2\u00a0kg a &lt; b &amp;c",
		`{[ {$data.n} &lt; 3 ? &quot;y&quot; : &#39;n&#39; ]}`: `y`,
		`{[ {$data.n} < 3 &amp;&amp; {$data.n} &gt; 0 ]}`:      `true`,
		`{[ {$data.n} > 1 && {$data.n} < 3 ]}`:                 `true`,
	} {
		if got := string(ParseHTML(source).Append(nil, env, EscapeHTML)); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", source, got, want)
		}
	}
}

// FuzzValuesStayInTheirAttribute: whatever a value is, the tag has the
// attributes that its author gave it, and the value is what was given.
func FuzzValuesStayInTheirAttribute(f *testing.F) {
	for _, v := range []string{`x" style="color:red`, `x' b='`, `a b`, "a\tb\nc\f", "&quot;", ">", "`", "=", "é"} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v string) {
		if v == "" || strings.ContainsAny(v, "\x00\r") || strings.ToValidUTF8(v, "") != v {
			return // no parser of HTML keeps them
		}
		env := &Env{Scope: ScopeFunc(func(string) (any, bool) { return v, true })}
		for _, source := range []string{`<p title="{$data}" lang=x>`, `<p title='{$data}' lang=x>`, `<p title={$data} lang=x>`} {
			z := html.NewTokenizer(strings.NewReader(string(ParseHTML(source).Append(nil, env, EscapeHTML))))
			z.Next()
			want := []html.Attribute{{Key: "title", Val: v}, {Key: "lang", Val: "x"}}
			if got := z.Token().Attr; !slices.Equal(got, want) {
				t.Errorf("%s with %q: %q", source, v, got)
			}
		}
	})
}
