package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/robfig/cron/v3"
)

// cronFields are the fields of a cron text in their order.
var cronFields = []struct{ name, accepted string }{
	{"minute", "0 to 59"},
	{"hour", "0 to 23"},
	{"day of month", "1 to 31"},
	{"month", "1 to 12 or JAN to DEC"},
	{"day of week", "0 to 7 (0 and 7 are Sunday) or SUN to SAT"},
}

// ParseCron reads the five fields of a cron text, or a name such as @daily. Day
// 7 of a week is Sunday, as 0 is.
func ParseCron(s string) (cron.Schedule, error) {
	fields := strings.Fields(s)
	if strings.HasPrefix(strings.TrimSpace(s), "@") {
		schedule, err := cron.ParseStandard(s)
		if err != nil {
			err = fmt.Errorf("there is no such name; accepted: @hourly, @daily, @weekly, @monthly, @yearly or five fields such as 0 7 1 * *")
		}
		return schedule, err
	}
	zone := ""
	if len(fields) > 0 && (strings.HasPrefix(fields[0], "TZ=") || strings.HasPrefix(fields[0], "CRON_TZ=")) {
		zone, fields = fields[0]+" ", fields[1:]
	}
	if len(fields) != len(cronFields) {
		return nil, fmt.Errorf("it has %d fields; accepted are five: minute, hour, day of month, month, day of week, such as 0 7 1 * *", len(fields))
	}
	given := fields[4]
	fields[4] = withoutSeven(given)
	schedule, err := cron.ParseStandard(zone + strings.Join(fields, " "))
	if err == nil {
		return schedule, nil
	}
	fields[4] = given
	for i, f := range cronFields { // which of them it is
		alone := []string{"*", "*", "*", "*", "*"}
		if alone[i] = fields[i]; i == 4 {
			alone[i] = withoutSeven(given)
		}
		if _, err := cron.ParseStandard(strings.Join(alone, " ")); err != nil {
			return nil, fmt.Errorf("the %s is %s; accepted: %s, lists such as 1,3, ranges such as 1-5, steps such as */2, or *", f.name, fields[i], f.accepted)
		}
	}
	return nil, fmt.Errorf("accepted are five fields: minute, hour, day of month, month, day of week, such as 0 7 1 * *")
}

// withoutSeven writes 0 for day 7 of a week, which the parser does not know.
func withoutSeven(field string) string {
	items := strings.Split(field, ",")
	for i, item := range items {
		days, step, hasStep := strings.Cut(item, "/")
		from, to, isRange := strings.Cut(days, "-")
		switch {
		case days == "7" && !hasStep:
			items[i] = "0"
		case isRange && to == "7":
			items[i] = daysUntilSunday(item, from, step, hasStep)
		}
	}
	return strings.Join(items, ",")
}

// daysUntilSunday lists the days of a range that ends with 7; what is no range
// stays, for the parser to refuse.
func daysUntilSunday(item, from, step string, hasStep bool) string {
	first, err := strconv.Atoi(from)
	by := 1
	if hasStep && err == nil {
		by, err = strconv.Atoi(step)
	}
	if err != nil || first < 0 || first > 7 || by < 1 {
		return item
	}
	var days []string
	for day := first; day <= 7; day += by {
		days = append(days, strconv.Itoa(day%7))
	}
	return strings.Join(days, ",")
}
