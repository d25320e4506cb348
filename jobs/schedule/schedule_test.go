package schedule

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
)

func times(t *testing.T, s report.JobSchedule, zone, after string, n int) []string {
	t.Helper()
	place, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	all, err := New(&s, place)
	if err != nil {
		t.Fatal(err)
	}
	from, err := time.Parse(time.RFC3339, after)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, at := range all.List(from, n) {
		list = append(list, at.In(place).Format("Mon 2006-01-02 15:04 -07"))
	}
	return list
}

func TestTimes(t *testing.T) {
	const start = "2026-01-31T07:00"
	for _, c := range []struct {
		name  string
		s     report.JobSchedule
		after string
		want  []string
	}{
		{"once", report.JobSchedule{Kind: "once", Start: start}, "2026-01-01T00:00:00Z", []string{"Sat 2026-01-31 07:00 +01"}},
		{"once, over", report.JobSchedule{Kind: "once", Start: start}, "2026-01-31T06:00:00Z", []string{}},
		{"hourly", report.JobSchedule{Kind: "hourly", Start: start, Every: 5}, "2026-01-31T06:00:00Z", []string{"Sat 2026-01-31 12:00 +01", "Sat 2026-01-31 17:00 +01"}},
		{"daily", report.JobSchedule{Kind: "daily", Start: start}, "2026-02-28T05:59:00Z", []string{"Sat 2026-02-28 07:00 +01", "Sun 2026-03-01 07:00 +01"}},
		{"every third day, first in the future", report.JobSchedule{Kind: "daily", Start: start, Every: 3}, "2025-06-01T00:00:00Z", []string{"Sat 2026-01-31 07:00 +01", "Tue 2026-02-03 07:00 +01"}},
		{"weekly on the start's day", report.JobSchedule{Kind: "weekly", Start: start}, "2026-02-01T00:00:00Z", []string{"Sat 2026-02-07 07:00 +01", "Sat 2026-02-14 07:00 +01"}},
		{
			"weekly on days, not before the start",
			report.JobSchedule{Kind: "weekly", Start: start, Weekdays: []string{"friday", "monday", "sunday"}},
			"2026-01-01T00:00:00Z",
			[]string{"Sun 2026-02-01 07:00 +01", "Mon 2026-02-02 07:00 +01", "Fri 2026-02-06 07:00 +01", "Sun 2026-02-08 07:00 +01"},
		},
		{"every other week", report.JobSchedule{Kind: "weekly", Start: start, Every: 2, Weekdays: []string{"monday"}}, "2026-01-01T00:00:00Z", []string{"Mon 2026-02-09 07:00 +01", "Mon 2026-02-23 07:00 +01"}},
		{"monthly on a day that some months lack", report.JobSchedule{Kind: "monthly", Start: start}, "2026-01-31T06:00:00Z", []string{"Sat 2026-02-28 07:00 +01", "Tue 2026-03-31 07:00 +02", "Thu 2026-04-30 07:00 +02"}},
		{"monthly, two days before the last", report.JobSchedule{Kind: "monthly", Start: start, Day: -3}, "2026-02-01T00:00:00Z", []string{"Thu 2026-02-26 07:00 +01", "Sun 2026-03-29 07:00 +02"}},
		{"first of the month", report.JobSchedule{Kind: "monthly", Start: "2026-01-01T07:00", Day: 1}, "2026-12-31T23:00:00Z", []string{"Fri 2027-01-01 07:00 +01"}},
		{"last friday", report.JobSchedule{Kind: "monthly", Start: start, Which: "last", Weekday: "friday"}, "2026-02-01T00:00:00Z", []string{"Fri 2026-02-27 07:00 +01", "Fri 2026-03-27 07:00 +01", "Fri 2026-04-24 07:00 +02"}},
		{"second tuesday each quarter", report.JobSchedule{Kind: "monthly", Every: 3, Start: "2026-01-01T07:00", Which: "second", Weekday: "tuesday"}, "2026-01-01T00:00:00Z", []string{"Tue 2026-01-13 07:00 +01", "Tue 2026-04-14 07:00 +02", "Tue 2026-07-14 07:00 +02"}},
		{"last workday", report.JobSchedule{Kind: "monthly", Start: start, Which: "last", Weekday: "workday"}, "2026-05-01T00:00:00Z", []string{"Fri 2026-05-29 07:00 +02"}},
		{"yearly on a leap day", report.JobSchedule{Kind: "yearly", Start: "2024-02-29T12:00"}, "2026-01-01T00:00:00Z", []string{"Sat 2026-02-28 12:00 +01", "Sun 2027-02-28 12:00 +01", "Tue 2028-02-29 12:00 +01"}},
		{"every other year", report.JobSchedule{Kind: "yearly", Every: 2, Start: "2025-03-01T12:00"}, "2026-01-01T00:00:00Z", []string{"Mon 2027-03-01 12:00 +01"}},
		{"until a day", report.JobSchedule{Kind: "daily", Start: start, Until: "2026-02-02"}, "2026-01-31T12:00:00Z", []string{"Sun 2026-02-01 07:00 +01", "Mon 2026-02-02 07:00 +01"}},
		{"until a time", report.JobSchedule{Kind: "daily", Start: start, Until: "2026-02-02T06:59"}, "2026-01-31T12:00:00Z", []string{"Sun 2026-02-01 07:00 +01"}},
		{"cron", report.JobSchedule{Kind: "cron", Cron: "30 6 * * 1-5"}, "2026-02-06T06:00:00Z", []string{"Mon 2026-02-09 06:30 +01", "Tue 2026-02-10 06:30 +01"}},
		{"cron that never comes", report.JobSchedule{Kind: "cron", Cron: "0 0 30 2 *"}, "2026-02-06T06:00:00Z", []string{}},
		{"from long ago", report.JobSchedule{Kind: "daily", Start: "1900-01-01T07:00"}, "2026-02-28T07:00:00Z", []string{"Sun 2026-03-01 07:00 +01"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, times(t, c.s, "Europe/Belgrade", c.after, max(1, len(c.want)))); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestClockChanges: in Belgrade 2026 the clock goes from 02:00 to 03:00 on
// 29 March and from 03:00 to 02:00 on 25 October; in New York from 02:00 to
// 03:00 on 8 March and from 02:00 to 01:00 on 1 November.
func TestClockChanges(t *testing.T) {
	daily := func(clock string) report.JobSchedule {
		return report.JobSchedule{Kind: "daily", Start: "2026-01-01T" + clock}
	}
	cron := report.JobSchedule{Kind: "cron", Cron: "30 2 * * *"}
	const belgrade, york = "Europe/Belgrade", "America/New_York"
	for _, c := range []struct {
		name  string
		s     report.JobSchedule
		zone  string
		after string
		want  []string
	}{
		{"left out", daily("02:30"), belgrade, "2026-03-28T00:00:00Z", []string{"Sat 2026-03-28 02:30 +01", "Sun 2026-03-29 03:00 +02", "Mon 2026-03-30 02:30 +02"}},
		{"shown twice", daily("02:30"), belgrade, "2026-10-24T00:00:00Z", []string{"Sat 2026-10-24 02:30 +02", "Sun 2026-10-25 02:30 +02", "Mon 2026-10-26 02:30 +01"}},
		{"in the morning", daily("07:00"), belgrade, "2026-03-28T00:00:00Z", []string{"Sat 2026-03-28 07:00 +01", "Sun 2026-03-29 07:00 +02", "Mon 2026-03-30 07:00 +02"}},
		{"cron, left out", cron, belgrade, "2026-03-28T00:00:00Z", []string{"Sat 2026-03-28 02:30 +01", "Sun 2026-03-29 03:00 +02", "Mon 2026-03-30 02:30 +02"}},
		{"cron, shown twice", cron, belgrade, "2026-10-24T00:00:00Z", []string{"Sat 2026-10-24 02:30 +02", "Sun 2026-10-25 02:30 +02", "Mon 2026-10-26 02:30 +01"}},
		{"hours are real ones", report.JobSchedule{Kind: "hourly", Start: "2026-01-01T00:00"}, belgrade, "2026-10-24T23:30:00Z", []string{"Sun 2026-10-25 02:00 +02", "Sun 2026-10-25 02:00 +01", "Sun 2026-10-25 03:00 +01"}},
		{"no hour twice", report.JobSchedule{Kind: "hourly", Start: "2026-01-01T00:00"}, belgrade, "2026-03-29T00:30:00Z", []string{"Sun 2026-03-29 03:00 +02", "Sun 2026-03-29 04:00 +02"}},
		{"left out in New York", daily("02:30"), york, "2026-03-07T12:00:00Z", []string{"Sun 2026-03-08 03:00 -04", "Mon 2026-03-09 02:30 -04"}},
		{"shown twice in New York", daily("01:30"), york, "2026-10-31T12:00:00Z", []string{"Sun 2026-11-01 01:30 -04", "Mon 2026-11-02 01:30 -05"}},
		{"cron in New York", report.JobSchedule{Kind: "cron", Cron: "30 1 * * *"}, york, "2026-10-31T12:00:00Z", []string{"Sun 2026-11-01 01:30 -04", "Mon 2026-11-02 01:30 -05"}},
		{"every day of the week in New York", report.JobSchedule{Kind: "weekly", Start: "2026-01-04T00:00", Weekdays: []string{"sunday"}}, york, "2026-03-02T00:00:00Z", []string{"Sun 2026-03-08 00:00 -05", "Sun 2026-03-15 00:00 -04"}},
		{"half an hour, in Australia", daily("02:15"), "Australia/Lord_Howe", "2026-10-03T00:00:00Z", []string{"Sun 2026-10-04 02:30 +11", "Mon 2026-10-05 02:15 +11"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, times(t, c.s, c.zone, c.after, len(c.want))); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestEveryKindOverTheChanges: each kind of schedule at a time that a change
// leaves out (it then runs at the change) and at one that the clock shows twice
// (it then runs the first time, once), with the time before and the one after.
func TestEveryKindOverTheChanges(t *testing.T) {
	for _, change := range []struct {
		zone, day, clock  string // when the clock changes
		weekday           string // of the month: which Sunday it is
		before, at, after string // the day before, the change, the day after
		second            string // two days after
		weeks             [2]string
		months            [2]string
		years             [2]string
		hours             []string
		halves            []string
	}{
		{
			zone: "Europe/Belgrade", day: "2026-03-29", clock: "02:30", weekday: "last",
			before: "Sat 2026-03-28 02:30 +01", at: "Sun 2026-03-29 03:00 +02", after: "Mon 2026-03-30 02:30 +02", second: "Tue 2026-03-31 02:30 +02",
			weeks:  [2]string{"Sun 2026-03-22 02:30 +01", "Sun 2026-04-05 02:30 +02"},
			months: [2]string{"Sat 2026-02-28 02:30 +01", "Wed 2026-04-29 02:30 +02"},
			years:  [2]string{"Sat 2025-03-29 02:30 +01", "Mon 2027-03-29 02:30 +02"},
			hours:  []string{"Sun 2026-03-29 01:30 +01", "Sun 2026-03-29 03:30 +02", "Sun 2026-03-29 04:30 +02"},
			halves: []string{"Sun 2026-03-29 01:00 +01", "Sun 2026-03-29 01:30 +01", "Sun 2026-03-29 03:00 +02", "Sun 2026-03-29 03:30 +02", "Sun 2026-03-29 04:00 +02"},
		},
		{
			zone: "Europe/Belgrade", day: "2026-10-25", clock: "02:30", weekday: "last",
			before: "Sat 2026-10-24 02:30 +02", at: "Sun 2026-10-25 02:30 +02", after: "Mon 2026-10-26 02:30 +01", second: "Tue 2026-10-27 02:30 +01",
			weeks:  [2]string{"Sun 2026-10-18 02:30 +02", "Sun 2026-11-01 02:30 +01"},
			months: [2]string{"Fri 2026-09-25 02:30 +02", "Wed 2026-11-25 02:30 +01"},
			years:  [2]string{"Sat 2025-10-25 02:30 +02", "Mon 2027-10-25 02:30 +02"},
			hours:  []string{"Sun 2026-10-25 01:30 +02", "Sun 2026-10-25 02:30 +02", "Sun 2026-10-25 02:30 +01", "Sun 2026-10-25 03:30 +01"},
			halves: []string{"Sun 2026-10-25 01:00 +02", "Sun 2026-10-25 01:30 +02", "Sun 2026-10-25 02:00 +02", "Sun 2026-10-25 02:30 +02", "Sun 2026-10-25 02:00 +01", "Sun 2026-10-25 02:30 +01", "Sun 2026-10-25 03:00 +01"},
		},
		{
			zone: "America/New_York", day: "2026-03-08", clock: "02:30", weekday: "second",
			before: "Sat 2026-03-07 02:30 -05", at: "Sun 2026-03-08 03:00 -04", after: "Mon 2026-03-09 02:30 -04", second: "Tue 2026-03-10 02:30 -04",
			weeks:  [2]string{"Sun 2026-03-01 02:30 -05", "Sun 2026-03-15 02:30 -04"},
			months: [2]string{"Sun 2026-02-08 02:30 -05", "Wed 2026-04-08 02:30 -04"},
			years:  [2]string{"Sat 2025-03-08 02:30 -05", "Mon 2027-03-08 02:30 -05"},
			hours:  []string{"Sun 2026-03-08 01:30 -05", "Sun 2026-03-08 03:30 -04", "Sun 2026-03-08 04:30 -04"},
			halves: []string{"Sun 2026-03-08 01:00 -05", "Sun 2026-03-08 01:30 -05", "Sun 2026-03-08 03:00 -04", "Sun 2026-03-08 03:30 -04"},
		},
		{
			zone: "America/New_York", day: "2026-11-01", clock: "01:30", weekday: "first",
			before: "Sat 2026-10-31 01:30 -04", at: "Sun 2026-11-01 01:30 -04", after: "Mon 2026-11-02 01:30 -05", second: "Tue 2026-11-03 01:30 -05",
			weeks:  [2]string{"Sun 2026-10-25 01:30 -04", "Sun 2026-11-08 01:30 -05"},
			months: [2]string{"Thu 2026-10-01 01:30 -04", "Tue 2026-12-01 01:30 -05"},
			years:  [2]string{"Sat 2025-11-01 01:30 -04", "Mon 2027-11-01 01:30 -04"},
			hours:  []string{"Sun 2026-11-01 00:30 -04", "Sun 2026-11-01 01:30 -04", "Sun 2026-11-01 01:30 -05", "Sun 2026-11-01 02:30 -05"},
			halves: []string{"Sun 2026-11-01 00:00 -04", "Sun 2026-11-01 00:30 -04", "Sun 2026-11-01 01:00 -04", "Sun 2026-11-01 01:30 -04", "Sun 2026-11-01 01:00 -05", "Sun 2026-11-01 01:30 -05", "Sun 2026-11-01 02:00 -05"},
		},
	} {
		start := func(day string) string { return day + "T" + change.clock }
		cron := change.clock[3:] + " " + strings.TrimPrefix(change.clock[:2], "0")
		for _, c := range []struct {
			name string
			s    report.JobSchedule
			want []string
		}{
			{"once", report.JobSchedule{Kind: "once", Start: start(change.day)}, []string{change.at}},
			{"daily", report.JobSchedule{Kind: "daily", Start: start("2026-01-01")}, []string{change.before, change.at, change.after}},
			{"every second day", report.JobSchedule{Kind: "daily", Every: 2, Start: start(change.day)}, []string{change.at, change.second}},
			{"weekly", report.JobSchedule{Kind: "weekly", Start: start("2026-01-01"), Weekdays: []string{"sunday"}}, []string{change.weeks[0], change.at, change.weeks[1]}},
			{"monthly", report.JobSchedule{Kind: "monthly", Start: start("2026-01-" + change.day[8:])}, []string{change.months[0], change.at, change.months[1]}},
			{"monthly by a rule", report.JobSchedule{Kind: "monthly", Start: start("2026-01-01"), Which: change.weekday, Weekday: "sunday"}, []string{change.at}},
			{"yearly", report.JobSchedule{Kind: "yearly", Start: start("2024" + change.day[4:])}, []string{change.years[0], change.at, change.years[1]}},
			{"cron", report.JobSchedule{Kind: "cron", Cron: cron + " * * *"}, []string{change.before, change.at, change.after}},
			{"cron on Sundays", report.JobSchedule{Kind: "cron", Cron: cron + " * * 0"}, []string{change.weeks[0], change.at, change.weeks[1]}},
			{"hourly", report.JobSchedule{Kind: "hourly", Start: "2026-01-01T00:30"}, change.hours},
			{"cron in every hour", report.JobSchedule{Kind: "cron", Cron: "30 * * * *"}, change.hours},
			{"cron every half hour", report.JobSchedule{Kind: "cron", Cron: "*/30 * * * *"}, change.halves},
		} {
			t.Run(change.zone+" "+change.day+" "+c.name, func(t *testing.T) {
				first, err := time.Parse("Mon 2006-01-02 15:04 -07", c.want[0])
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(c.want, times(t, c.s, change.zone, first.Add(-time.Second).Format(time.RFC3339), len(c.want))); d != "" {
					t.Error(d)
				}
			})
		}
	}
}

// TestATimeComesOnce: whatever the schedule and the time asked from, the list
// is rising and without gaps: asking from the middle gives the rest.
func TestATimeComesOnce(t *testing.T) {
	zone, _ := time.LoadLocation("Europe/Belgrade")
	for _, s := range []report.JobSchedule{
		{Kind: "daily", Start: "2026-01-01T02:30"},
		{Kind: "hourly", Start: "2026-01-01T02:30", Every: 7},
		{Kind: "cron", Cron: "*/20 * * * *"},
		{Kind: "weekly", Start: "2026-01-01T02:30", Weekdays: []string{"saturday", "sunday"}},
		{Kind: "monthly", Start: "2026-01-31T02:30", Every: 2},
	} {
		all, err := New(&s, zone)
		if err != nil {
			t.Fatal(err)
		}
		list := all.List(time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC), 60)
		for i := 1; i < len(list); i++ {
			if !list[i].After(list[i-1]) {
				t.Errorf("%s %s: %v comes after %v", s.Kind, s.Cron, list[i], list[i-1])
			}
			if next, _ := all.Next(list[i].Add(-time.Second)); !next.Equal(list[i]) {
				t.Errorf("%s %s: a second before %v the next is %v", s.Kind, s.Cron, list[i], next)
			}
		}
	}
}

func TestFaultySchedules(t *testing.T) {
	for name, c := range map[string]struct {
		s    report.JobSchedule
		path string
	}{
		"start": {report.JobSchedule{Kind: "daily", Start: "tomorrow"}, "schedule.start"},
		"until": {report.JobSchedule{Kind: "daily", Start: "2026-01-01T07:00", Until: "never"}, "schedule.until"},
		"cron":  {report.JobSchedule{Kind: "cron", Cron: "61 * * * *"}, "schedule.cron"},
		"words": {report.JobSchedule{Kind: "cron", Cron: "every day"}, "schedule.cron"},
	} {
		_, err := New(&c.s, time.UTC)
		if err == nil || !strings.HasPrefix(err.Error(), c.path+": ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
