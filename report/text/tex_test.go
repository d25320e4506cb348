package text

import "testing"

// TestBracesOfTeXAreNoValues, but around values.
func TestBracesOfTeXAreNoValues(t *testing.T) {
	values := map[string]any{"$data": map[string]any{"n": 12.5, "unit": "m_{2}", "tex": `\frac{a}{b}`, "back": `\`, "null": nil}}
	env := &Env{Scope: ScopeFunc(func(root string) (any, bool) { v, ok := values[root]; return v, ok })}
	for source, want := range map[string]string{
		`\frac{a}{b}`:                   `\frac{a}{b}`,
		`\frac{$data.n}{{$data.n:n;2}}`: `\frac{12.5}{{12.50}}`,
		`x_{[0]} \{ a \} \\{b}`:         `x_{[0]} \{ a \} \\{b}`,
		`y\,{$data.unit}`:               `y\,{\text{m\_\{2\}}}`,
		`z {$data.back}`:                `z {\text{\textbackslash{}}}`,
		`{$data.tex}`:                   `\frac{a}{b}`,
		`= {$data.tex}`:                 `= {\text{\textbackslash{}frac\{a\}\{b\}}}`,
		`a {$data.null} b`:              `a {} b`,
		`{a`:                            `{a`,
		`a}`:                            `a}`,
		`\\`:                            `\\`,
	} {
		if got := ParseTeX(source).TeX(env); got != want {
			t.Errorf("%s gives %s, not %s", source, got, want)
		}
	}
}

func TestNumbersInTeXAreOneNumber(t *testing.T) {
	for value, want := range map[string]string{
		"1,234.5": "{1{,}234.5}", "−5": "{-5}", "1.234,5": "{1.234{,}5}", "1\u202f234": `{1\,234}`, "12’000": `{12\text{’}000}`, "97.5%": `{97.5\%}`, "12 kg": `{\text{12 kg}}`, "1-2": `{\text{1-2}}`,
	} {
		if got := asTeX(value); got != want {
			t.Errorf("%s gives %s, not %s", value, got, want)
		}
	}
}
