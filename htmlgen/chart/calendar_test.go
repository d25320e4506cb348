package chart

import (
	"strings"
	"testing"
	"time"
)

func TestTimeTicksFollowTheCalendarOfTheZone(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(s string) float64 {
		v, err := time.ParseInLocation("2006-01-02 15:04", s, berlin)
		if err != nil {
			t.Fatal(err)
		}
		return millis(v)
	}
	for _, c := range []struct {
		name, from, to string
		step           calendarStep
		layout, want   string
	}{
		{"days across the spring change", "2026-03-27 00:00", "2026-03-31 00:00", calendarStep{Day, 1}, "02 15:04", "27 00:00,28 00:00,29 00:00,30 00:00,31 00:00"},
		{"six hours across the spring change", "2026-03-28 18:00", "2026-03-29 18:00", calendarStep{Hour, 6}, "15:04", "18:00,00:00,06:00,12:00,18:00"},
		{"hours across the spring change: two o'clock is left out", "2026-03-29 00:00", "2026-03-29 05:00", calendarStep{Hour, 1}, "15", "00,01,03,04,05"},
		{"hours across the autumn change: two o'clock comes twice", "2026-10-25 00:00", "2026-10-25 04:00", calendarStep{Hour, 1}, "15", "00,01,02,02,03,04"},
		{"weeks begin on Mondays", "2026-03-18 10:00", "2026-04-12 00:00", calendarStep{Week, 1}, "Mon 02 15:04", "Mon 23 00:00,Mon 30 00:00,Mon 06 00:00"},
		{"months", "2025-11-05 00:00", "2026-02-20 00:00", calendarStep{Month, 1}, "2006-01-02", "2025-12-01,2026-01-01,2026-02-01"},
		{"quarters", "2025-12-05 00:00", "2026-08-20 00:00", calendarStep{Quarter, 1}, "2006-01-02", "2026-01-01,2026-04-01,2026-07-01"},
		{"two days begin again with the month", "2026-01-27 00:00", "2026-02-04 00:00", calendarStep{Day, 2}, "01-02", "01-27,01-29,02-01,02-03"},
		{"decades", "1985-01-02 00:00", "2021-01-02 00:00", calendarStep{Year, 10}, "2006", "1990,2000,2010,2020"},
		{"minutes", "2026-10-25 02:50", "2026-10-25 03:20", calendarStep{Minute, 15}, "15:04", "03:00,03:15"},
	} {
		e := extent{at(c.from), at(c.to), true}
		var got []string
		for _, m := range timeTicks(&e, c.step, berlin, false, false) {
			got = append(got, m.Format(c.layout))
		}
		if s := strings.Join(got, ","); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}
