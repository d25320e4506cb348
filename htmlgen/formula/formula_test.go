package formula

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"
)

func temml() string {
	f, err := os.Open(filepath.Join("..", "..", "assets", "third_party", "temml", "temml.min.js.gz"))
	if err != nil {
		panic(err)
	}
	defer func() { _ = f.Close() }()
	r, err := gzip.NewReader(f)
	if err != nil {
		panic(err)
	}
	source, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return string(source)
}

// TestFormulasOfManyFieldsAreRead, each as the line of text beside it.
func TestFormulasOfManyFieldsAreRead(t *testing.T) {
	tex := New(temml)
	for source, want := range map[string]string{
		`\bar{x} = \frac{1}{n}\sum_{i=1}^{n} x_i`:                                         "x^‾ = 1/n∑_(i = 1)^nx_i",
		`\int_0^\infty e^{-x^2}\,dx = \frac{\sqrt{\pi}}{2}`:                               "∫_0^∞e^(−x^2) dx = (√π)/2",
		`\begin{pmatrix} a & b \\ c & d \end{pmatrix}`:                                    "([a, b; c, d])",
		`|x| = \begin{cases} x & \text{if } x \ge 0 \\ -x & \text{otherwise} \end{cases}`: "|x| = {[x, if x ≥ 0; −x, otherwise]",
		`\sqrt[3]{x+1}`: "root(3, x + 1)",
		`\binom{n}{k}`:  "(n/k)",
		`\mathbb{R}\mathcal{L}\mathfrak{g}\mathbf{v}`:          "ℝℒ𝔤𝐯",
		`\lim_{x \to 0} \frac{\sin x}{x}`:                      "lim_(x → 0) (sin x)/x",
		`f'(x) + f''(x)`:                                       "f′(x) + f″(x)",
		`\left\{ \frac{a}{b} \right]`:                          "{a/b]",
		`\Delta G^\circ = -RT \ln K`:                           "ΔG^∘ = −RT ln K",
		`\mathrm{H_2O} \rightleftharpoons \mathrm{H^+ + OH^-}`: "H_2O⇌H^+ + OH^−",
		`P(A \mid B)`:                                          "P(A|B)",
		`\begin{aligned} a &= b \\ &= c \end{aligned}`:         "[a, =b; , =c]",
		`x_{1,2} = \frac{-b \pm \sqrt{b^2-4ac}}{2a}`:           "x_1,2 = (−b ± √(b^2 − 4ac))/2a",
		`\hat{\beta}\ \vec{v}\ \widehat{ABC}`:                  "β^ˆ v^→ ABC^̂",
		`1{,}234.5\,\text{€} \cdot 10^{-3}`:                    "1,234.5 €⋅10^(−3)",
		`\underbrace{a+b}_{n}`:                                 "a + b_⏟_n",
		`\boxed{E=mc^2}`:                                       "E = mc^2",
		`\begin{gathered} a = b \\ c = d \end{gathered}`:       "[a = b; c = d]",
	} {
		for _, display := range []bool{true, false} {
			got, err := tex.MathML(source, display)
			if err != nil {
				t.Errorf("%s: %v", source, err)
				continue
			}
			if line := Line(got); line != want {
				t.Errorf("%s (display %v) is %s, not %s", source, display, line, want)
			}
			harmless(t, got)
		}
	}
}

// harmless fails where MathML has anything but this package's elements and attributes.
func harmless(t testing.TB, mathML string) {
	t.Helper()
	z := html.NewTokenizer(strings.NewReader(mathML))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		if kind == html.CommentToken || kind == html.DoctypeToken {
			t.Fatalf("a comment in %s", mathML)
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		token := z.Token()
		if !contains(elements, token.Data) {
			t.Fatalf("<%s> in %s", token.Data, mathML)
		}
		for _, a := range token.Attr {
			if a.Key == "style" && token.Data == "mtd" && !strings.ContainsAny(a.Val, "()\\/<>\"'") {
				continue
			}
			if !contains(attributes, a.Key) {
				t.Fatalf("%s of <%s> in %s", a.Key, token.Data, mathML)
			}
		}
	}
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// TestFaultsNameTheirPlace in the formula.
func TestFaultsNameTheirPlace(t *testing.T) {
	tex := New(temml)
	for source, want := range map[string]string{
		`1 + \foo{x}`:                      `at character 5, "\\foo{x}": Unsupported function name`,
		`\frac{a}{`:                        "at its end: ",
		`a & b`:                            `at character 3, "& b"`,
		`\href{javascript:alert(1)}{x}`:    "Unsupported function name",
		`\includegraphics{x.png}`:          "is not trusted",
		`50 % of x`:                        `a percent sign is \%`,
		`x \tag{1}`:                        `\tag is for documents`,
		`\begin{align} a &= b \end{align}`: "numbers its lines",
		`\begin{pmatrix} a`:                "at its end",
		strings.Repeat("x", mostBytes+1):   "longer than 8 KB",
		strings.Repeat("{", 4000):          "",
		`\def\a{\a\a}\a`:                   "",
		`\class{x}{y}`:                     "",
	} {
		_, err := tex.MathML(source, true)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, not %s", source, err, want)
		}
	}
	if _, err := tex.MathML("x", true); err != nil {
		t.Errorf("after the faults: %v", err)
	}
}

// TestManyFormulasAtOnce: each is made in an engine of its own.
func TestManyFormulasAtOnce(t *testing.T) {
	tex := New(temml)
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			if got, err := tex.MathML(fmt.Sprintf("x_{%d}", i%10), true); err != nil || !strings.Contains(got, fmt.Sprintf("<mn>%d</mn>", i%10)) {
				t.Errorf("%d: %s %v", i, got, err)
			}
		})
	}
	all.Wait()
}

func FuzzTeX(f *testing.F) {
	for _, seed := range []string{`\frac{a}{b}`, `\text{<b>}`, `\color{red}{x}`, `\begin{array}{c|c}a&b\end{array}`, `x'`, `\overrightarrow{AB}`, "\\\\", "^", `\left.`} {
		f.Add(seed, true)
	}
	tex := New(temml)
	f.Fuzz(func(t *testing.T, source string, display bool) {
		if got, err := tex.MathML(source, display); err == nil {
			harmless(t, got)
			_ = Line(got)
		}
	})
}

// BenchmarkTeX is what a formula costs that was not made before.
func BenchmarkTeX(b *testing.B) {
	tex := New(temml)
	_, _ = tex.MathML("x", true)
	i := 0
	for b.Loop() {
		i++
		if _, err := tex.MathML(fmt.Sprintf(`u_{%d} = \sqrt{\sum_{i=1}^{N}\left(\frac{\partial f}{\partial x_i}\right)^2 u^2(x_i)}`, i), true); err != nil {
			b.Fatal(err)
		}
	}
}
