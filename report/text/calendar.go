package text

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"
)

// calendar counts years and months.
type calendar uint8

const (
	gregorian calendar = iota
	buddhist           // Gregorian months, years from 543 BC
	persian            // the solar calendar of Iran and Afghanistan
)

// calendarOf is the calendar of daily life in the region, unless the tag asks
// for another.
func calendarOf(tag language.Tag, region string) calendar {
	switch tag.TypeForKey("ca") {
	case "gregory", "iso8601":
		return gregorian
	case "buddhist":
		return buddhist
	case "persian":
		return persian
	}
	switch region {
	case "TH":
		return buddhist
	case "IR", "AF":
		return persian
	}
	return gregorian
}

// civil is a day in a calendar.
type civil struct{ year, month, day int }

func (c calendar) date(t time.Time) civil {
	y, m, d := t.Date()
	switch c {
	case buddhist:
		return civil{y + 543, int(m), d}
	case persian:
		return persianDate(t)
	}
	return civil{y, int(m), d}
}

// addYears is the same day some years later, or the first after it where that
// year lacks the day. Leap years of the calendars differ by a day or two.
func (c calendar) addYears(t time.Time, years int) time.Time {
	to := t.AddDate(years, 0, 0)
	if c != persian {
		return to
	}
	want := c.date(t)
	want.year += years
	for to = to.AddDate(0, 0, -2); c.date(to).before(want); {
		to = to.AddDate(0, 0, 1)
	}
	return to
}

func (d civil) before(o civil) bool {
	return cmp.Or(cmp.Compare(d.year, o.year), cmp.Compare(d.month, o.month), cmp.Compare(d.day, o.day)) < 0
}

// persianEpoch is the day number, counted from 1970-01-01, of the first day of
// the Persian year 1.
const persianEpoch = -492268

// persianDate counts with the 33-year cycle of eight leap years, which agrees
// with the observed equinox from 1178 to 1633 (1799 to 2255).
func persianDate(t time.Time) civil {
	y, m, d := t.Date()
	days := int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix()/86400) - persianEpoch
	year := 1 + floorDiv(33*days+3, 12053)
	rest := days - persianYearStart(year)
	for rest < 0 {
		year--
		rest = days - persianYearStart(year)
	}
	if rest < 6*31 {
		return civil{year, 1 + rest/31, 1 + rest%31}
	}
	rest -= 6 * 31
	return civil{year, 7 + rest/30, 1 + rest%30}
}

// persianYearStart is the days before a year.
func persianYearStart(year int) int {
	return 365*(year-1) + floorDiv(8*year+21, 33)
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// persianMonths are the names of the months in the languages of the calendar;
// other languages spell them in Latin letters.
func persianMonths(locale string) []string {
	base, _, _ := strings.Cut(locale, "-")
	if locale == "fa-AF" {
		return []string{"حمل", "ثور", "جوزا", "سرطان", "اسد", "سنبله", "میزان", "عقرب", "قوس", "جدی", "دلو", "حوت"}
	}
	switch base {
	case "fa":
		return []string{"فروردین", "اردیبهشت", "خرداد", "تیر", "مرداد", "شهریور", "مهر", "آبان", "آذر", "دی", "بهمن", "اسفند"}
	case "ps":
		return []string{"وری", "غویی", "غبرگولی", "چنگاښ", "زمری", "وږی", "تله", "لړم", "لیندۍ", "مرغومی", "سلواغه", "کب"}
	}
	return []string{"Farvardin", "Ordibehesht", "Khordad", "Tir", "Mordad", "Shahrivar", "Mehr", "Aban", "Azar", "Dey", "Bahman", "Esfand"}
}

// setYears writes the era before a year that stands without a month, where
// readers would not know which calendar it is of.
func (l *Locale) setYears(p datePattern, c calendar) datePattern {
	if c != buddhist || !strings.HasPrefix(l.name, "th") || p.has(fieldMonth) {
		return p
	}
	i := slices.IndexFunc(p, func(item patternItem) bool { return item.letter == 'y' })
	if i < 0 {
		return p
	}
	return slices.Insert(p, i, patternItem{text: "พ.ศ. "})
}

func (p datePattern) has(field int) bool {
	return slices.ContainsFunc(p, func(item patternItem) bool { return item.letter != 0 && fieldOf(item.letter) == field })
}
