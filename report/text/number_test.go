package text

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestNumbers shows what ICU's table does not: input | format | want, in en-US.
func TestNumbers(t *testing.T) {
	env := &Env{Locale: LocaleFor("en-US")}
	for _, r := range rows(t, `
		12345678901234567890 | n | 12,345,678,901,234,567,890
		123456789012345.678 | n | 123,456,789,012,346
		0.30000000000000004 | n | 0.3
		0.000001234567890123456789 | n | 0.00000123456789012346
		1e21 | n | 1,000,000,000,000,000,000,000
		1.5e-7 | n | 0.00000015
		-0 | n | 0
		-0.001 | n;2 | 0.00
		-0.001 | n;2;2;a | 0.00
		1.005 | n;2 | 1.01
		-2.5 | n;0 | -3
		0.5 | n;0 | 1
		999.995 | n;2 | 1,000.00
		0.50101 | n;2;4 | 0.501
		1.23456 | n;;2 | 1.23
		1.2 | n;3;1 | 1.200
		1.2 | n; | 1.2
		1.2 | n;2; | 1.20
		1234 | n;c | 1.2K
		0 | n;0;0;+ | 0
		0.4 | n;0;0;+ | 0
		-1234 | n;0;0;+a | (1,234)
		1234 | n;0;0;+a | +1,234
		-105000 | n;0;0;+ac | (105K)
		999999 | n;0;0;c | 1M
		99950 | n;0;1;c | 100K
		1234567890123456 | n;0;0;c | 1235T
		12345678901234567 | n;0;0;c | 12,346T
		0 | n;0;0;c | 0
		  12.50   | n | 12.5
		+7 | n | 7
		.5 | n | 0.5
		5. | n | 5
		0.12345 | p | 12.35%
		1 | p | 100%
		-0.5 | p;0;0;a | (50%)
		0.5 | p;0;0;+ | +50%
		0.5 | percentnosign | 50
		0.125 | percentnosign;2 | 12.50
		25.6 | ps | 25.6%
		1234.5 | currency | $1,234.50
		1234.5 | c;;0 | $1,235
		1234.5 | c;usd | $1,234.50
		1234.5 | c;JPY | ¥1,235
		-1234.5 | c;USD;0;0;+ac | ($1K)
		0 | c;USD;2;2;+ | $0.00
		1234.5 | c;EUR;0;3 | €1,234.5
		1234.5 | f | 1235
		1234.5 | f;3 | 1234.500
		-0.4 | f | 0
		1e-7 | f;2 | 0.00
		12345678901234567890.125 | f;2 | 12345678901234567890.13
		42 | zeropad;5 | 00042
		-4 | zeropad;4 | -0004
		1234567 | zeropad;3 | 1234567
		7 | n;1:zeropad;6 | 0007.0
	`) {
		if got := ParseFormat(r[1]).Apply(r[0], env); got != r[2] {
			t.Errorf("%s | %s: got %q, want %q", r[0], r[1], got, r[2])
		}
	}
	for code, want := range map[string]string{"KWD": "KWD\u00a01.500", "XYZ": "XYZ\u00a01.50", "CHF": "CHF\u00a01.50", "GBP": "£1.50"} {
		if got := ParseFormat("c;"+code).Apply(1.5, env); got != want {
			t.Errorf("%s: got %q", code, got)
		}
	}
}

func TestWhatIsNoNumberPrintsAsItIs(t *testing.T) {
	env := &Env{Locale: LocaleFor("de-DE")}
	cases := []struct {
		in   any
		want string
	}{
		{"abc", "abc"},
		{"1,5", "1,5"},
		{"", ""},
		{"1e", "1e"},
		{"1e99999", "1e99999"},
		{"--1", "--1"},
		{"1.2.3", "1.2.3"},
		{".", "."},
		{true, "true"},
		{math.NaN(), "NaN"},
		{math.Inf(-1), "-∞"},
		{json.Number("1e5000"), "1e5000"},
	}
	for _, c := range cases {
		if got := ParseFormat("n;2").Apply(c.in, env); got != c.want {
			t.Errorf("%v: got %q", c.in, got)
		}
	}
}

func TestCurrencyOfTheReport(t *testing.T) {
	cases := []struct{ locale, code, want string }{
		{"en-US", "", "$1.50"}, {"de-DE", "", "1,50\u00a0€"}, {"de-CH", "", "CHF\u00a01.50"}, {"en-US", "EUR", "€1.50"}, {"ja-JP", "", "￥2"}, {"en", "", "$1.50"},
	}
	for _, c := range cases {
		env := &Env{Locale: LocaleFor(c.locale), CurrencyCode: c.code}
		if got := ParseFormat("c").Apply(1.5, env); got != c.want {
			t.Errorf("%s %s: got %q", c.locale, c.code, got)
		}
	}
}

// TestRoundingAgreesWithExactArithmetic rounds random decimals both ways.
func TestRoundingAgreesWithExactArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		text := randomDecimal(r)
		places := r.IntN(6)
		var d decimal
		if !d.parseString(text) {
			t.Fatalf("%s is no number", text)
		}
		d.round(places)
		got := string(d.appendPlain(nil, places))
		if want := exactRound(text, places); got != want {
			t.Fatalf("%s to %d places: got %s, want %s", text, places, got, want)
		}
	}
}

func randomDecimal(r *rand.Rand) string {
	s := fmt.Sprint(r.IntN(2000))
	if r.IntN(4) > 0 {
		s += "." + strings.Repeat("0", r.IntN(3)) + fmt.Sprint(r.IntN(100000))
	}
	if r.IntN(3) == 0 {
		s += fmt.Sprintf("e%d", r.IntN(12)-6)
	}
	if r.IntN(2) == 0 {
		return "-" + s
	}
	return s
}

// exactRound rounds half away from zero with big integers.
func exactRound(text string, places int) string {
	v, _ := new(big.Rat).SetString(text)
	v.Mul(v, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)))
	half := big.NewRat(1, 2)
	neg := v.Sign() < 0
	v.Abs(v).Add(v, half)
	whole := new(big.Int).Quo(v.Num(), v.Denom()).String()
	zero := whole == "0"
	if len(whole) <= places {
		whole = strings.Repeat("0", places+1-len(whole)) + whole
	}
	if places > 0 {
		whole = whole[:len(whole)-places] + "." + whole[len(whole)-places:]
	}
	if neg && !zero {
		return "-" + whole
	}
	return whole
}

func TestFloatsPrintTheShortestWay(t *testing.T) {
	for _, f := range []float64{0, 1, -1.5, 0.1, 1e20, 123456789.125, 1e-6, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		want, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		var back float64
		got := string(appendFloat(nil, f))
		if _, err := fmt.Sscan(got, &back); err != nil || back != f {
			t.Errorf("%v: got %s, JSON %s", f, got, want)
		}
	}
}

// TestPagesHaveATrueMinus in every locale; what programs read has that of CLDR.
func TestPagesHaveATrueMinus(t *testing.T) {
	t.Parallel()
	for _, tag := range LocaleTags() {
		env := &Env{Locale: LocaleFor(tag)}
		for _, format := range []string{"n;1", "c;EUR", "p", "ps", "n;;;c", "n;1:suffix; kg"} {
			got := string(ParseFormat(format).Append(nil, -1234567, env, EscapeText))
			if strings.Count(got, "−") != 1 || strings.Contains(got, "-") {
				t.Errorf("%s %s: %q", tag, format, got)
			}
		}
	}
	env := &Env{Locale: LocaleFor("en-US"), Scope: scopeOf(t, `{"$data":{"v":-1234.5}}`)}
	for _, c := range []struct {
		source string
		place  Escaper
		want   string
	}{
		{"{$data.v:n;2}", EscapeText, "−1,234.50"},
		{"<b>{$data.v:c;USD}</b>", EscapeHTML, "<b>−$1,234.50</b>"},
		{"{$data.v:n}", Printed, "−1,234.5"},
		{"{$data.v:n;0:n;1}", EscapeText, "−1,235"},
		{"{$data.v:f;0:n;1}", EscapeText, "−1,235.0"},
		{"{$data.v:p;0:zeropad;9}", EscapeText, "−0123,450%"},
		{"{$data.v:f;2} {$data.v}", EscapeText, "-1234.50 -1234.5"},
		{"{$data.v:n;2}", Raw, "-1,234.50"},
		{"/?v={$data.v:n}", EscapeURL, "/?v=-1%2C234.5"},
		{"top: {$data.v:n}px", EscapeCSS, "top: -1,234.5px"},
		{"{[{$data.v:f} < 0 ? {$data.v:n;0} : '+']}", EscapeText, "-1,235"},
	} {
		if got := string(Parse(c.source).Append(nil, env, c.place)); got != c.want {
			t.Errorf("%s in place %d: got %q, want %q", c.source, c.place, got, c.want)
		}
	}
	small := &Env{Locale: LocaleFor("de"), Scope: scopeOf(t, `{"$data":{"v":-4}}`)}
	if got := string(Parse("{$data.v:n;0:n;2}").Append(nil, small, EscapeText)); got != "−4,00" {
		t.Errorf("a number formatted twice: %q", got)
	}
}
