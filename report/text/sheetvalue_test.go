package text

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// TestSheetValues: what cells hold, and by which code they print it.
func TestSheetValues(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	number := func(digits string) any { return json.Number(digits) }
	for _, test := range []struct {
		locale, format string
		value          any
		want           string // digits, moment or truth and the code; "text"
	}{
		{"en-US", "", number("1234.50"), "1234.5 General"},
		{"en-US", "", number("4006381333931"), "4006381333931 0"}, // 4.01E+12 without a code
		{"en-US", "", 0.123456789012, "0.123456789012 0.000000000000"},
		{"en-US", "", int64(-7), "-7 General"},
		{"en-US", "", number("12345678901234567"), "text"}, // spreadsheets keep 15 digits
		{"en-US", "n;2", 0.30000000000000004, "0.30000000000000004 #,##0.00;\"−\"#,##0.00"},
		{"en-US", "", "1234", "text"}, // a name of digits
		{"en-US", "", "Ana", "text"},
		{"en-US", "", nil, "text"},
		{"en-US", "", true, "true "},
		{"en-US", "n", "1234", "1234 #,##0;\"−\"#,##0"}, // its author says it is a number
		{"en-US", "n", "n/a", "text"},
		{"en-US", "n", number("1234.5"), "1234.5 #,##0.0;\"−\"#,##0.0"},
		{"en-US", "n;0;3", 1.5004, "1.5004 #,##0.0;\"−\"#,##0.0"}, // pages print 1.5
		{"en-US", "n;0;3", 0.0004, "0.0004 #,##0;\"−\"#,##0"},
		{"en-US", "n;0;3", 0.0006, "0.0006 #,##0.000;\"−\"#,##0.000"},
		{"en-US", "n;0;3", 9.99996, "9.99996 #,##0;\"−\"#,##0"},
		{"en-US", "n;0;0;+", 0.2, "0.2 #,##0;\"−\"#,##0"}, // not +0
		{"en-US", "n;0;0;+", 0.7, "0.7 \\+#,##0;\"−\"#,##0;#,##0"},
		{"en-US", "n;2", -0.004, "-0.004 #,##0.00"}, // pages print 0.00; by a section of its own −0.00
		{"en-US", "n;2", -0.005, "-0.005 #,##0.00;\"−\"#,##0.00"},
		{"en-US", "n;0;0;+", -0.2, "-0.2 #,##0"},
		{"en-US", "p;1", -0.0004, "-0.0004 #,##0.0%"},
		{"en-US", "n;2;2;a", -0.004, "-0.004 #,##0.00"},
		{"en-US", "n;1:suffix; kg", -0.04, "-0.04 #,##0.0 \"kg\""},
		{"en-US", "c;USD", -0.004, "-0.004 [$$]#,##0.00"},
		{"en-US", "n:uppercase", number("12"), "text"},
		{"en-US", "prefix;No. ", "A12", "text"},
		{"en-US", "prefix;No. ", number("12"), `12 "No"\. General;"No"\. -General`},
		{"en-US", "prefix;No. ", number("123456789012"), `123456789012 "No"\. 0;"No"\. -0`},
		{"es-ES", "n", number("1234"), `1234 0;"−"0`},
		{"es-ES", "n", number("12345"), `12345 #,##0;"−"#,##0`},
		{"es-ES", "p;0", number("12.5"), "12.5 0\"\u00a0\"%;\"−\"0\"\u00a0\"%"},
		{"de-DE", "d", "2026-03-01", `2026-03-01T00:00:00+01:00 d\.m\.yyyy`},
		{"de-DE", "dt;yyyyMMddHHmm", "2026-07-01T22:30:00Z", `2026-07-02T00:30:00+02:00 dd\.mm\.yyyy\, hh:mm`},
		{"de-DE", "d", "no date", "text"},
		{"de-DE", "d:uppercase", "2026-03-01", "text"},
		{"de-DE", "", time.Date(2026, 7, 1, 22, 0, 0, 0, time.UTC), `2026-07-02T00:00:00+02:00 d\.m\.yyyy`},
	} {
		env := &Env{Locale: LocaleFor(test.locale), Zone: zone}
		for range 2 { // the second time from what is known
			value, ok := ParseFormat(test.format).SheetValue(test.value, env)
			if got := shownValue(value, ok); got != test.want {
				t.Errorf("%s %q of %v: %s; want %s", test.locale, test.format, test.value, got, test.want)
			}
		}
	}
}

func shownValue(v SheetValue, ok bool) string {
	switch {
	case !ok:
		return "text"
	case v.Truth != nil:
		return map[bool]string{true: "true ", false: "false "}[*v.Truth]
	case v.Date:
		return v.Moment.Format(time.RFC3339) + " " + v.Code
	}
	if !v.Exact {
		return v.Digits + " " + v.Code + " nearly"
	}
	return v.Digits + " " + v.Code
}

// TestSheetValuesOfTemplates: a value with text around it stays a value.
func TestSheetValuesOfTemplates(t *testing.T) {
	record := report.ObjectOf("qty", json.Number("12"), "price", json.Number("-3.5"), "hair", json.Number("-0.001"), "name", "Ana", "day", "2026-03-01", "none", nil, "on", true)
	env := &Env{Locale: LocaleFor("en-US"), Scope: ScopeFunc(func(root string) (any, bool) { return record, root == "$record" })}
	for source, want := range map[string]string{
		"{$record.qty}":                "12 General",
		"{$record.qty} kg":             `12 General "kg";-General "kg"`,
		"{$record.hair:n;2} each":      `-0.001 #,##0.00 "each"`,
		"{$record.price:n;2} each":     `-3.5 #,##0.00 "each";"−"#,##0.00 "each"`,
		"{$record.qty}{$record.price}": "text",
		"{$record.name}":               "text",
		"{$record.none}":               "text",
		"{$record.none|-}":             "text",
		"{$record.on}":                 "true ",
		"is {$record.on}":              "text",
		"on {$record.day:d;yyyyMMMMd}": `2026-03-01T00:00:00Z [$-409]"on" mmmm d\, yyyy`,
		"{$record.qty} movements. Please check this statement": "text",
		"only words":                     "text",
		"":                               "text",
		"{$record.price:c;USD;2;2;a} x;": `-3.5 [$$]#,##0.00 "x"\;;([$$]#,##0.00) "x"\;`,
	} {
		value, ok := Parse(source).SheetValue(env)
		if got := shownValue(value, ok); got != want {
			t.Errorf("%s: %s; want %s", source, got, want)
		}
	}
	for source, want := range map[string]string{
		`<b>{$record.qty}</b>`: "12 General",
		`<span style="color: {$record.name}; width: {$record.price}px">{$record.price:n;1} &amp; co</span>`: `-3.5 #,##0.0 \& "co";"−"#,##0.0 \& "co"`,
		`<span class={$record.name}>{$record.qty}</span>`:                                                   "12 General",
		`<span>{$record.qty}</span> <span>{$record.price}</span>`:                                           "text",
		`<span title="{$record.qty}">x</span>`:                                                              "text",
	} {
		value, ok := ParseHTML(source).HTMLSheetValue(env)
		if got := shownValue(value, ok); got != want {
			t.Errorf("%s: %s; want %s", source, got, want)
		}
	}
	if value, ok := Parse("{$page.number}").SheetValue(&Env{Scope: ScopeFunc(LookupPages)}); ok {
		t.Errorf("the number of a page is %v", value)
	}
}

// TestDecimalsRounded: how many decimals are left is what rounding leaves.
func TestDecimalsRounded(t *testing.T) {
	for i := range 12_000 {
		for _, number := range []string{fmt.Sprintf("0.%05d", i), fmt.Sprintf("%d.5", i), fmt.Sprintf("9.%04d", i)} {
			for places := range 6 {
				var d, rounded decimal
				if !d.parseString(number) || !rounded.parseString(number) {
					t.Fatal(number)
				}
				rounded.round(places)
				if got, want := d.decimalsRounded(places), rounded.decimals(); got != want {
					t.Fatalf("%s rounded to %d has %d decimals; want %d", number, places, got, want)
				}
			}
		}
	}
}
