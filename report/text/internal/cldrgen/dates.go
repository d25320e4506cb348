package main

import (
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report/text/internal/cldr"
)

func (s *source) calendar(tag string, r *resolved) error {
	doc, err := s.read("cldr-dates-full", "main", tag, "ca-gregorian.json")
	if err != nil {
		return err
	}
	c := doc.at("main", tag, "dates", "calendars", "gregorian")
	months, days := c.at("months"), c.at("days")
	for field, n := range map[cldr.Field]node{
		cldr.MonthsWide: months.at("format", "wide"), cldr.MonthsAbbreviated: months.at("format", "abbreviated"),
		cldr.MonthsNarrow: months.at("format", "narrow"), cldr.MonthsAloneWide: months.at("stand-alone", "wide"),
		cldr.MonthsAloneAbbreviated: months.at("stand-alone", "abbreviated"), cldr.MonthsAloneNarrow: months.at("stand-alone", "narrow"),
	} {
		r.fields[field] = n.members(monthKeys()...)
	}
	for field, n := range map[cldr.Field]node{
		cldr.DaysWide: days.at("format", "wide"), cldr.DaysAbbreviated: days.at("format", "abbreviated"),
		cldr.DaysNarrow: days.at("format", "narrow"), cldr.DaysAloneWide: days.at("stand-alone", "wide"),
		cldr.DaysAloneAbbreviated: days.at("stand-alone", "abbreviated"), cldr.DaysAloneNarrow: days.at("stand-alone", "narrow"),
	} {
		r.fields[field] = n.members("sun", "mon", "tue", "wed", "thu", "fri", "sat")
	}
	r.fields[cldr.DayPeriods] = plainBlanks(c.at("dayPeriods", "format", "abbreviated").members("am", "pm"))
	r.fields[cldr.Quarters] = quarters(c)
	styles(c, r)
	r.lists[cldr.Available] = available(c.at("dateTimeFormats", "availableFormats"))
	return nil
}

// quarters are the names as wide as the pattern of the language asks, and the
// pattern.
func quarters(c node) string {
	pattern := plainBlanks(c.at("dateTimeFormats", "availableFormats").str("yQQQ"))
	names := c.at("quarters", "format", "abbreviated")
	if strings.Contains(pattern, "QQQQ") {
		names = c.at("quarters", "format", "wide")
	}
	return join(names.members("1", "2", "3", "4"), strings.TrimPrefix(pattern, "#"))
}

func monthKeys() []string {
	keys := make([]string, 12)
	for i := range keys {
		keys[i] = strconv.Itoa(i + 1)
	}
	return keys
}

func styles(c node, r *resolved) {
	names := []string{"full", "long", "medium", "short"}
	r.fields[cldr.DateStyles] = plainBlanks(c.at("dateFormats").members(names...))
	r.fields[cldr.TimeStyles] = plainBlanks(c.at("timeFormats").members(names...))
	r.fields[cldr.Glue] = plainBlanks(c.at("dateTimeFormats-atTime", "standard").members(names...))
	add := c.at("dateTimeFormats", "appendItems")
	r.fields[cldr.Append] = add.members("Era", "Year", "Quarter", "Month", "Week", "*", "Day-Of-Week", "Day", "Hour", "Minute", "Second", "Timezone")
}

// plainBlanks writes the narrow blank of times as a plain one, as browsers do:
// many fonts lack it.
func plainBlanks(s string) string { return strings.ReplaceAll(s, "\u202f", " ") }

// available are the patterns by skeleton, without weeks, eras and the flexible
// parts of a day, which no pattern letter asks for.
func available(n node) map[string]string {
	list := map[string]string{}
	for skeleton, v := range n {
		pattern, ok := v.(string)
		if ok && strings.Trim(skeleton, "yMEdahHKkmsvz") == "" {
			list[skeleton] = plainBlanks(pattern)
		}
	}
	return list
}

// fieldNames completes Append with the names of the fields: "2024 (day: 1)".
func (s *source) fieldNames(tag string, r *resolved) error {
	doc, err := s.read("cldr-dates-full", "main", tag, "dateFields.json")
	if err != nil {
		return err
	}
	fields := doc.at("main", tag, "dates", "fields")
	patterns := strings.Split(r.fields[cldr.Append], cldr.Sep)
	names := []string{"era", "year", "quarter", "month", "week", "weekOfMonth", "weekday", "day", "hour", "minute", "second", "zone"}
	for i, name := range names {
		if strings.Contains(patterns[i], "{2}") {
			patterns[i] += cldr.Sub + fields.at(name).str("displayName")
		}
	}
	r.fields[cldr.Append] = join(patterns...)
	return nil
}

// zoneNames are the names of zones that a language has.
func (s *source) zoneNames(tag string, r *resolved) error {
	doc, err := s.read("cldr-dates-full", "main", tag, "timeZoneNames.json")
	if err != nil {
		return err
	}
	n := doc.at("main", tag, "dates", "timeZoneNames")
	r.fields[cldr.GMT] = n.members("gmtFormat", "gmtZeroFormat", "hourFormat")
	r.lists[cldr.ZoneNames], r.lists[cldr.LongZoneNames] = map[string]string{}, map[string]string{}
	collectNames("", n.at("zone"), r)
	collectNames("", n.at("metazone"), r)
	return nil
}

// collectNames reads the names of metazones, and of zones such as
// Europe/London, which have some of their own.
func collectNames(prefix string, n node, r *resolved) {
	for name := range n {
		zone := n.at(name)
		short, long := zone.at("short"), zone.at("long")
		if short == nil && long == nil {
			collectNames(prefix+name+"/", zone, r)
			continue
		}
		addNames(r.lists[cldr.ZoneNames], prefix+name, short)
		addNames(r.lists[cldr.LongZoneNames], prefix+name, long)
	}
}

func addNames(list map[string]string, zone string, names node) {
	const none = "∅∅∅" // CLDR's mark for a name that is not used here
	standard := strings.ReplaceAll(names.str("standard"), none, "")
	daylight := strings.ReplaceAll(names.str("daylight"), none, "")
	if standard+daylight != "" {
		list[zone] = standard + cldr.Sub + daylight
	}
}
