package text

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// TestDates shows what ICU's table does not: input | format | want, in en-US
// and New York.
func TestDates(t *testing.T) {
	env := &Env{Locale: LocaleFor("en-US"), Zone: zone(t, "America/New_York")}
	for _, r := range rows(t, `
		2024-02-01 | d | 2/1/2024
		2024-02-01 | dt | 2/1/2024, 12:00 AM
		2024-02-01T03:00:00Z | d | 1/31/2024
		2024-02-01T03:00:00Z | dt | 1/31/2024, 10:00 PM
		2024-02-01T03:00:00+05:30 | dt;yyyyMMddHHmm | 01/31/2024, 16:30
		2024-02-01T03:00:00 | t | 3:00 AM
		2024-02-01T03:00 | t;HHmm | 03:00
		2024-02-01 03:00:00 | t;Hmm | 03:00
		2024-02-01T03:00:00.123456Z | t;mmss | 00:00
		2024-02 | d;MMMMyyyy | February 2024
		2024 | d;yyyy | 2024
		1706756400000 | dt;yyyyMMddHHmmss | 01/31/2024, 22:00:00
		2024-03-10T06:59:00Z | t;HHmmt | 01:59 EST
		2024-03-10T07:00:00Z | t;HHmmt | 03:00 EDT
		2024-03-10T07:00:00Z | t;HHmmTTTT | 03:00 Eastern Daylight Time
		2024-02-01T17:05:09Z | t;mm | 05
		2024-02-01T17:05:09Z | t;ss | 09
		2024-02-01T17:05:09Z | t;m | 5
		2024-02-01T17:05:09Z | dt;yyyyMMddss | 02/01/2024, 09
		2024-02-01T10:05:09Z | t;H | 5
		2024-02-01T10:05:09Z | t;hN | 5
		2024-02-01T05:05:09Z | t;H | 0
		2024-02-01T05:05:09Z | t;HH | 00
		2024-02-01T10:05:09Z | dt;DDDH | Thu, 5
		2024-02-01T17:05:00Z | t;hhmma | 12:05 pm
		2024-02-01T17:05:00Z | t;hhmmA | 12:05 PM
		2024-02-01T05:05:00Z | t;hhmmA | 12:05 AM
		2024-02-01T17:05:00Z | t;hmm | 12:05 PM
		2024-02-01T17:05:00Z | t;hmmN | 12:05
		2024-02-01T05:05:00Z | t;hmmn | 00:05
		2024-02-01T17:05:00Z | t;HHmmA | 12:05 PM
		2024-02-01 | d;YYYY-MM-dd | 02/01/2024
		2024-02-01 | d;YY | 24
		2024-02-01 | d;yyyyd | 2024 (day: 1)
		2024-02-01 | d;DDyyyyMd | Thu, 2/1/2024
		2024-02-01 | d;D | T
		2024-02-01 | d;MMMMM | February
		2021-01-01 | daybefore;yyyyMMdd | 12/31/2020
		2021-01-01 | daybefore | 12/31/2020
		2021-01-01T08:00:00Z | daybefore | 12/31/2020
		2021-03-01 | dayBefore:d;MMMMd | February 28
		2021-03-01 | daybefore:quarter | Q1 2021
		2020-02-15 | quarter;{yy}Q{q} | 20Q1
		2020-12-31 | quarter | Q4 2020
		2021-01-01 | quarter;;exclusive | Q4 2020
		2021-01-01 | quarter;;ex | Q4 2020
		2021-01-01 | dateq;{q}. {yyyy};e | 4. 2020
		2005-05-01 | quarter;{yy}{x}{q | 05{x}{q
		2024-01-01 | yearperiod | 1/1/2024 – 12/31/2024
		2024-03-01 | yearperiod;2;MMMMyyyy | March 2024 – February 2026
		2024-02-30 | d | 2024-02-30
		1.2.2024 | d | 1.2.2024
		2024-13-01T00:00:00Z | d | 2024-13-01T00:00:00Z
		2024-02-01:x | d | 2024-02-01:x
	`) {
		if got := ParseFormat(r[1]).Apply(r[0], env); got != r[2] {
			t.Errorf("%s | %s: got %q, want %q", r[0], r[1], got, r[2])
		}
	}
}

func TestValuesThatAreDates(t *testing.T) {
	env := &Env{Locale: LocaleFor("de-DE"), Zone: zone(t, "Europe/Berlin")}
	noon := time.Date(2024, 2, 1, 11, 0, 0, 0, time.UTC)
	cases := []struct {
		value  any
		format string
		want   string
	}{
		{noon, "d", "1.2.2024"},
		{noon, "", "1.2.2024, 12:00"},
		{noon.Add(12 * time.Hour), "s", "2.2.2024"},
		{json.Number("1706785200000"), "dt", "1.2.2024, 12:00"},
		{int64(1706785200000), "dt", "1.2.2024, 12:00"},
		{1706785200000.4, "dt", "1.2.2024, 12:00"},
		{json.Number("-1e3"), "dt;yyyyMMddHHmmss", "01.01.1970, 00:59:59"},
		{json.Number("1e20"), "d", "1e20"},
		{true, "d", "true"},
	}
	for _, c := range cases {
		if got := string(ParseFormat(c.format).Append(nil, c.value, env, Raw)); got != c.want {
			t.Errorf("%v | %s: got %q, want %q", c.value, c.format, got, c.want)
		}
	}
}

// TestAPartOfTheTimeAloneIsAsWideAsAsked looks at every locale: minutes and
// seconds of two letters have two digits, hours of one letter have one.
func TestAPartOfTheTimeAloneIsAsWideAsAsked(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 2, 1, 5, 6, 7, 0, time.UTC)
	for _, tag := range LocaleTags() {
		env := &Env{Locale: LocaleFor(tag)}
		zero := string(env.Locale.numbers.appendDigit(nil, '0'))
		for format, padded := range map[string]bool{"t;mm": true, "t;ss": true, "t;HH": true, "t;hhA": true, "t;H": false, "t;hA": false, "t;m": false} {
			if got := ParseFormat(format).Apply(at, env).(string); strings.Contains(got, zero) != padded {
				t.Errorf("%s %s: %q", tag, format, got)
			}
		}
	}
}

func TestZonesInLanguages(t *testing.T) {
	winter, summer := "2024-01-15T12:00:00Z", "2024-07-15T12:00:00Z"
	cases := []struct{ locale, zone, at, format, want string }{
		{"de-DE", "Europe/Berlin", winter, "t;HHmmt", "13:00 MEZ"},
		{"de-DE", "Europe/Berlin", summer, "t;HHmmt", "14:00 MESZ"},
		{"de-DE", "Europe/Berlin", summer, "t;HHmmtttt", "14:00 Mitteleuropäische Sommerzeit"},
		{"en-US", "Europe/Berlin", winter, "t;HHmmt", "13:00 GMT+1"},
		{"en-US", "Asia/Kolkata", winter, "t;HHmmt", "17:30 GMT+5:30"},
		{"en-US", "America/St_Johns", winter, "t;HHmmt", "08:30 GMT-3:30"},
		{"en-GB", "Europe/London", summer, "t;HHmmt", "13:00 BST"},
		{"en-GB", "Europe/London", winter, "t;HHmmt", "12:00 GMT"},
		{"fr-FR", "UTC", winter, "t;HHmmt", "12:00 UTC"},
	}
	for _, c := range cases {
		env := &Env{Locale: LocaleFor(c.locale), Zone: zone(t, c.zone)}
		if got := ParseFormat(c.format).Apply(c.at, env); got != c.want {
			t.Errorf("%s %s %s: got %q, want %q", c.locale, c.zone, c.format, got, c.want)
		}
	}
}

// TestThePersianCalendar checks the years around leap years against the
// published first days of the year.
func TestThePersianCalendar(t *testing.T) {
	for day, want := range map[string]civil{
		"2024-03-19": {1402, 12, 29}, "2024-03-20": {1403, 1, 1}, "2025-03-20": {1403, 12, 30}, "2025-03-21": {1404, 1, 1}, "2026-03-21": {1405, 1, 1},
		"2021-03-20": {1399, 12, 30}, "2021-03-21": {1400, 1, 1}, "1979-02-11": {1357, 11, 22}, "2000-09-22": {1379, 7, 1}, "1970-01-01": {1348, 10, 11},
		"2029-03-19": {1407, 12, 29}, "2029-03-20": {1408, 1, 1}, "2030-03-20": {1408, 12, 30},
	} {
		at, err := time.Parse("2006-01-02", day)
		if err != nil {
			t.Fatal(err)
		}
		if got := persian.date(at); got != want {
			t.Errorf("%s: got %v, want %v", day, got, want)
		}
	}
}

func TestCalendarsByRegionAndTag(t *testing.T) {
	cases := []struct{ locale, want string }{
		{"th-TH", "1/2/2567"},
		{"th-TH-u-ca-gregory", "1/2/2024"},
		{"en-US-u-ca-buddhist", "2/1/2567"},
		{"fa-IR-u-nu-latn", "1402/11/12"},
		{"ar-EG-u-nu-latn", "1\u200f/2\u200f/2024"},
	}
	for _, c := range cases {
		if got := ParseFormat("d").Apply("2024-02-01", &Env{Locale: LocaleFor(c.locale)}); got != c.want {
			t.Errorf("%s: got %q, want %q", c.locale, got, c.want)
		}
	}
}

func TestNamesThatAreNoZone(t *testing.T) {
	for _, name := range []string{"", "Local", "local", "Mars/Base", "../etc/passwd", "europe berlin"} {
		if z, err := LoadZone(name); err == nil {
			t.Errorf("%q is %v", name, z)
		}
	}
}

// TestQuartersInLanguages holds names, order, digits and calendars to CLDR.
func TestQuartersInLanguages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ locale, format, want string }{
		{"en-US", "quarter", "Q1 2024"},
		{"de-DE", "quarter", "Q1 2024"},
		{"fr-FR", "quarter", "T1 2024"},
		{"pt-BR", "quarter", "T1 de 2024"},
		{"sr-Latn-RS", "quarter", "1. kv. 2024."},
		{"sr-Cyrl-RS", "quarter", "1. кв. 2024."},
		{"hr-HR", "quarter", "1kv 2024."},
		{"bs-BA", "quarter", "KV1 2024."},
		{"ru-RU", "quarter", "1-й кв. 2024 г."},
		{"ja-JP", "quarter", "2024/Q1"},
		{"zh-CN", "quarter", "2024年第1季度"},
		{"ko-KR", "quarter", "2024년 1분기"},
		{"ar-EG", "quarter", "الربع الأول ٢٠٢٤"},
		{"ar-EG", "quarter;{yy}/{q}", "٢٤/١"},
		{"ar-EG", "quarter;Q{q} {yyyy}", "Q١ ٢٠٢٤"},
		{"ar-EG-u-nu-latn", "quarter;Q{q} {yyyy}", "Q1 2024"},
		{"fa-IR", "quarter;{q} {yyyy}", "۴ ۱۴۰۲"},
		{"fa-IR", "quarter", "سه\u200cماههٔ چهارم ۱۴۰۲"},
		{"th-TH", "quarter;{q}/{yyyy}", "1/2567"},
		{"de-DE", "quarter;;exclusive", "Q1 2024"},
	} {
		env := &Env{Locale: LocaleFor(c.locale)}
		if got := ParseFormat(c.format).Apply("2024-02-15", env); got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.locale, c.format, got, c.want)
		}
	}
	for _, tag := range LocaleTags() {
		got := ParseFormat("quarter").Apply("2024-02-15", &Env{Locale: LocaleFor(tag)}).(string)
		if len(got) < 6 || strings.Contains(got, "  ") || strings.ContainsAny(got, "#'") && !strings.ContainsAny(tag, "-") {
			t.Errorf("%s: %q", tag, got)
		}
	}
}

// TestYearPeriodsEndInTheCalendarOfTheLanguage: a Persian year has 365 or 366
// days, and not those of the Gregorian year it begins in.
func TestYearPeriodsEndInTheCalendarOfTheLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ locale, from, format, want string }{
		{"fa-IR-u-nu-latn", "2024-03-20", "yearperiod", "1403/1/1 – 1403/12/30"},
		{"fa-IR-u-nu-latn", "2023-03-21", "yearperiod", "1402/1/1 – 1402/12/29"},
		{"fa-IR-u-nu-latn", "2023-03-21", "yearperiod;3", "1402/1/1 – 1404/12/29"},
		{"fa-IR-u-nu-latn", "2025-03-20", "yearperiod", "1403/12/30 – 1404/12/29"},
		{"fa-IR", "2024-02-01", "yearperiod", "۱۴۰۲/۱۱/۱۲ – ۱۴۰۳/۱۱/۱۱"},
		{"th-TH", "2024-01-01", "yearperiod", "1/1/2567 – 31/12/2567"},
		{"ar-EG", "2024-01-01", "yearperiod;1;yyyy", "٢٠٢٤ – ٢٠٢٤"},
		{"en-US", "2024-02-29", "yearperiod", "2/29/2024 – 2/28/2025"},
	} {
		if got := ParseFormat(c.format).Apply(c.from, &Env{Locale: LocaleFor(c.locale)}); got != c.want {
			t.Errorf("%s %s %s: got %q, want %q", c.locale, c.from, c.format, got, c.want)
		}
	}
}

// TestDaysAreReadAsThePackageReadsThem: the short way of dates leads where the long one does.
func TestDaysAreReadAsThePackageReadsThem(t *testing.T) {
	for _, name := range []string{"UTC", "Europe/Berlin", "America/Sao_Paulo"} { // clocks changed at midnight there
		in := zone(t, name)
		days := []string{"2026-02-28", "2026-02-29", "2024-02-29", "2026-13-01", "2026-00-10", "2026-1-001", "2026-01-00", "2026/01/02", "20260-1-02", "-026-01-02", "0000-01-01", "2026-01-0x", "2026-01-+2"}
		for day := time.Date(2017, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2019; day = day.AddDate(0, 0, 1) {
			days = append(days, day.Format(time.DateOnly))
		}
		for _, s := range days {
			want, err := time.ParseInLocation(time.DateOnly, s, in)
			if got, ok := parseTime(s, in); ok != (err == nil) || ok && !got.Equal(want) {
				t.Errorf("%s in %s: %v, not %v", s, name, got, want)
			}
		}
	}
}
