package text

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzTemplate: any text is a template; its literal parts stay, nothing panics
// and what is escaped holds no markup.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{
		"{$it.name:n;2|x}", "{{x}}", "{{{p}}}", "{[{a.b} > 1 ? '}' : `${1}`]}", "%{ {a.b} }", "{$d:quarter;{yy}Q{q}}", "{$d:dt;HH:mm}", "{a{b}c", "}}{{", "{[[]}]}:n|", "{$a:wrap;{;}}",
	} {
		f.Add(s)
	}
	env := &Env{Locale: LocaleFor("de-DE"), Scope: ScopeFunc(func(string) (any, bool) { return "<2024-02-01>", true })}
	f.Fuzz(func(t *testing.T, source string) {
		tpl := Parse(source)
		if tpl.String() != source {
			t.Fatal("the source changed")
		}
		if !strings.ContainsAny(source, "{}") && tpl.Text(env) != source {
			t.Fatalf("plain text became %q", tpl.Text(env))
		}
		for _, esc := range []Escaper{Raw, EscapeText, EscapeAttr, EscapeURL, EscapeCSS, EscapeHTML} {
			out := string(tpl.Append([]byte("head"), env, esc))
			if !strings.HasPrefix(out, "head") {
				t.Fatalf("what was there before is gone: %q", out)
			}
			if esc == EscapeText && (strings.ContainsAny(out, "<>\x00") || !utf8.ValidString(out)) {
				t.Fatalf("not escaped: %q", out)
			}
			if esc == EscapeAttr && strings.ContainsAny(out, `<>"'`) {
				t.Fatalf("not escaped: %q", out)
			}
			if esc == EscapeURL && strings.Contains(strings.ToLower(out), "headjavascript:") {
				t.Fatalf("a script: %q", out)
			}
		}
	})
}

// FuzzFormat: any format of any value gives text, twice the same.
func FuzzFormat(f *testing.F) {
	for _, d := range formatTable() {
		for _, x := range d.examples {
			f.Add(x.format, x.in, "en-US")
		}
	}
	f.Add("n;0;0;c", "99999.5", "ar-EG")
	f.Add("c;USD;;;ac", "-1e300", "hi-IN")
	f.Add("dt;TTTT", "2024-02-01", "fa-IR")
	f.Fuzz(func(t *testing.T, format, value, locale string) {
		env := &Env{Locale: LocaleFor(locale)}
		parsed := ParseFormat(format)
		first := parsed.Apply(cell(value), env)
		if second := ParseFormat(parsed.String()).Apply(cell(value), env); first != second {
			t.Fatalf("%q and %q", first, second)
		}
		if s, ok := first.(string); ok && len(s) > 20*(len(format)+len(value)+3*maxExponent) {
			t.Fatalf("%d bytes", len(s))
		}
	})
}

// FuzzDatePattern: any pattern prints the same date in the same way, and what
// it asks for is there.
func FuzzDatePattern(f *testing.F) {
	for _, p := range []string{"yyyyMMdd", "DDDyyyyMd", "HHmmss", "hmma", "TTTT", "yd", "DH", "MMMM'x'", "", "☃yyyy"} {
		f.Add(p, int64(1706785509), "de-DE")
	}
	f.Fuzz(func(t *testing.T, pattern string, unix int64, locale string) {
		at := time.Unix(unix%253402300799, 0).UTC()
		l := LocaleFor(locale)
		r := parseDateRequest(pattern)
		got := string(l.appendDate(nil, at, r))
		if again := string(l.appendDate(nil, at, r)); got != again {
			t.Fatalf("%q and %q", got, again)
		}
		if r.isEmpty() != (got == "") {
			t.Fatalf("%q of pattern %q", got, pattern)
		}
		if _, ok := parseTime(pattern, time.UTC); ok && len(strings.TrimSpace(pattern)) > 200 {
			t.Fatal("a date of 200 characters")
		}
	})
}

// FuzzExpression: any text is an expression; what is simple is worked out.
func FuzzExpression(f *testing.F) {
	for _, s := range []string{"{a.b} > 1", "`${{a.b}}`", "/[/]/ + '{a.b}'", "{$x|1}", "((1))", "- - 1", "1 ? 2 : 3", "`${`${"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		e := ParseExpression(source)
		if len(e.Names()) < len(e.Values(nil)) {
			t.Fatal("values without names")
		}
		_, _ = e.Eval(nil)
	})
}
