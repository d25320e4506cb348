package report

import (
	"strings"
	"testing"
	"time"
)

func TestSundayIsAlsoDaySevenOfCron(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0 9 * * 7": "Sun", "0 9 * * 0": "Sun", "0 9 * * 5-7": "Fri Sat Sun", "0 9 * * 1,7": "Mon Sun", "0 9 * * 1-7/2": "Mon Wed Fri Sun",
		"0 9 * * 7-7": "Sun", "0 9 * * SUN": "Sun", "0 9 * * 6,7": "Sat Sun", "0 9 * * 1-5": "Mon Tue Wed Thu Fri", "TZ=UTC 0 9 * * 7": "Sun",
	} {
		schedule, err := ParseCron(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var days []string
		for at, end := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC), time.Date(2026, 11, 8, 12, 0, 0, 0, time.UTC); ; {
			if at = schedule.Next(at); at.After(end) {
				break
			}
			days = append(days, at.Format("Mon"))
		}
		if got := strings.Join(days, " "); got != want {
			t.Errorf("%s runs on %s; want %s", text, got, want)
		}
	}
}

func TestWhatIsWrongWithCron(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0 9 * * L":   "the day of week is L; accepted: 0 to 7 (0 and 7 are Sunday) or SUN to SAT",
		"0 9 * * 8":   "the day of week is 8;",
		"0 9 L * *":   "the day of month is L; accepted: 1 to 31",
		"60 9 * * *":  "the minute is 60; accepted: 0 to 59",
		"0 24 * * *":  "the hour is 24;",
		"0 0 1 13 *":  "the month is 13; accepted: 1 to 12 or JAN to DEC",
		"0 0 5-1 * *": "the day of month is 5-1;",
		"0 0 */0 * *": "the day of month is */0;",
		"0 0 0 1 * *": "it has 6 fields; accepted are five",
		"":            "it has 0 fields",
		"@often":      "there is no such name; accepted: @hourly",
		"0 9 * * x-7": "the day of week is x-7;",
	} {
		_, err := ParseCron(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "strconv") || strings.Contains(err.Error(), "parse") {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
}
