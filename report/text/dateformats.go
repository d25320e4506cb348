package text

func dateFormats() []definition {
	const letters = "Letters: y year, M month, d day, D weekday, H h hour, m minute, s second, a A twelve hours, n N 24 hours, t T zone; their number is the width, the language decides order and separators."
	return []definition{
		{
			[]string{"d", "date"},
			"d;pattern", "A date. " + letters,
			[]example{
				{"2024-02-01", "d", "2/1/2024"},
				{"2024-02-01", "d;yyMd", "2/1/24"},
				{"2024-02-01", "d;yyyyMMMMdd", "February 01, 2024"},
				{"2024-02-01", "d;DDDyyyyMd", "Thu, 2/1/2024"},
				{"2024-02-01", "d;DDDD", "Thursday"},
			},
			func(o *options) step { return dateStep{request: o.pattern(0, datePatternText)} },
		},
		{
			[]string{"t", "time"},
			"t;pattern", "A time of day. " + letters,
			[]example{{"2024-02-01T17:05:00Z", "t", "5:05 PM"}, {"2024-02-01T17:05:00Z", "t;HHmm", "17:05"}},
			func(o *options) step { return dateStep{request: o.pattern(0, timePatternText)} },
		},
		{
			[]string{"dt", "datetime"},
			"dt;pattern", "A date with the time of day. " + letters,
			[]example{
				{"2024-02-01T17:05:00Z", "dt", "2/1/2024, 5:05 PM"},
				{"2024-02-01T17:05:09Z", "dt;yyyyMMddHHmmss", "02/01/2024, 17:05:09"},
				{"2024-02-01T17:05:00Z", "dt;YYYY-MM-dd hh:mm A", "02/01/2024, 05:05 PM"},
			},
			func(o *options) step { return dateStep{request: o.pattern(0, dateTimePatternText)} },
		},
		{
			[]string{"daybefore", "dayBefore"},
			"daybefore;pattern", "The day before: the last day of a period whose end is the first day after it.",
			[]example{{"2021-01-01", "daybefore;yyyyMMdd", "12/31/2020"}, {"2021-01-01", "daybefore", "12/31/2020"}, {"2021-01-01", "daybefore:d;MMMM", "December"}},
			func(o *options) step {
				return dateStep{request: o.pattern(0, datePatternText), before: true, keep: !o.has(0)}
			},
		},
		{
			[]string{"quarter", "dateq"},
			"quarter;pattern;exclusive", "Year and quarter by {q}, {yy} and {yyyy}, without a pattern as the language writes them; exclusive goes back one day first.",
			[]example{
				{"2020-02-15", "quarter;{yy}Q{q}", "20Q1"}, {"2020-02-15", "quarter", "Q1 2020"}, {"2021-01-01", "quarter;;exclusive", "Q4 2020"},
			},
			compileQuarter,
		},
		{
			[]string{"yearperiod", "yearPeriod"},
			"yearperiod;years;pattern", "The first and last day of so many years from the value on.",
			[]example{{"2024-01-01", "yearperiod;1", "1/1/2024 – 12/31/2024"}, {"2024-03-01", "yearperiod;2", "3/1/2024 – 2/28/2026"}},
			func(o *options) step { return yearPeriodStep{o.count(0, 1), o.pattern(1, datePatternText)} },
		},
	}
}

// pattern is an option that is a date pattern.
func (o *options) pattern(i int, absent string) dateRequest {
	w := o.word(i)
	if w == "" {
		return parseDateRequest(absent)
	}
	r := parseDateRequest(w)
	if r.isEmpty() {
		o.problem("format %q: %q has none of the letters y M d D H h m s t; the default is used", o.name, w)
		return parseDateRequest(absent)
	}
	return r
}

func compileQuarter(o *options) step {
	var s quarterStep
	if o.has(0) {
		s.pattern = o.text(0)
	}
	switch o.word(1) {
	case "exclusive", "ex", "e":
		s.exclusive = true
	case "":
	default:
		o.problem("format %q: %q is not exclusive; it is ignored", o.name, o.word(1))
	}
	return s
}
