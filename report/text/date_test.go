package text

import (
	"encoding/json"
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
