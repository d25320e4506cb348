package text

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// row is a row of a bank statement.
func benchScope() Scope {
	row := report.ObjectOf("id", json.Number("4711"), "amount", json.Number("-1234567.891"), "rate", 0.1925, "when", "2024-02-01T17:05:09Z", "text", "Meier & Söhne")
	return ScopeFunc(func(root string) (any, bool) { return row, root == "$record" })
}

func TestAppendingAllocatesNothing(t *testing.T) {
	env := &Env{Locale: LocaleFor("de-DE"), Zone: zone(t, "Europe/Berlin"), Scope: benchScope()}
	buf := make([]byte, 0, 1024)
	for _, source := range []string{
		"plain text", "{$record.text}", "{$record.amount:n;2}", "{$record.rate:p;1}", "{$record.amount:c;EUR}", "{$record.amount:n;0;1;c}",
		"{$record.when:dt;yyyyMMddHHmm}", "{$record.when:quarter}", "{$record.text:uppercase:ellipsis;8:wrap;(;)}", "{$record.id:zeropad;8}", "{$record.rate:f;3}",
	} {
		tpl := Parse(source)
		allocs := testing.AllocsPerRun(200, func() { buf = tpl.Append(buf[:0], env, EscapeText) })
		if allocs > 0 {
			t.Errorf("%s: %v allocations", source, allocs)
		}
	}
}

func benchTemplate(b *testing.B, source string) {
	env := &Env{Locale: LocaleFor("de-DE"), Zone: zone(b, "Europe/Berlin"), Scope: benchScope()}
	tpl := Parse(source)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = tpl.Append(buf[:0], env, EscapeText)
	}
}

func BenchmarkTemplateText(b *testing.B)   { benchTemplate(b, "Dear {$record.text}, thank you.") }
func BenchmarkTemplateNumber(b *testing.B) { benchTemplate(b, "{$record.amount:n;2}") }
func BenchmarkTemplateDate(b *testing.B)   { benchTemplate(b, "{$record.when:d}") }
func BenchmarkTemplateSimple(b *testing.B) { benchTemplate(b, "{[{$record.rate} > 0.1 ? 'a' : 'b']}") }

func benchFormat(b *testing.B, format string, v any) {
	env := &Env{Locale: LocaleFor("de-DE"), Zone: time.UTC}
	f := ParseFormat(format)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = f.Append(buf[:0], v, env, EscapeText)
	}
}

func BenchmarkNumber(b *testing.B)      { benchFormat(b, "n;2", json.Number("-1234567.891")) }
func BenchmarkNumberFloat(b *testing.B) { benchFormat(b, "n;2", -1234567.891) }
func BenchmarkCurrency(b *testing.B)    { benchFormat(b, "c;EUR", json.Number("-1234567.891")) }
func BenchmarkCompact(b *testing.B)     { benchFormat(b, "n;;;c", json.Number("1234567")) }
func BenchmarkDateTime(b *testing.B) {
	benchFormat(b, "dt", time.Date(2024, 2, 1, 17, 5, 9, 0, time.UTC))
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Parse("Dear {$record.text}, you owe {$record.amount:c;EUR;2:wrap;(;)|nothing} since {$record.when:d;yyyyMMMMd}.")
	}
}

func BenchmarkLocale(b *testing.B) {
	locales()
	for b.Loop() {
		newLocale("sr-Latn-RS").dates()
	}
}

func BenchmarkDecodeLocales(b *testing.B) {
	for b.Loop() {
		decoded(localesFile)
	}
}
