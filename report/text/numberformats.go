package text

import "strings"

func numberFormats() []definition {
	return []definition{
		{
			[]string{"n", "number"},
			"n;min;max;flags", "A number with at least min and at most max decimals. Flags: c compact, a accounting, + always a sign.",
			[]example{
				{"0.50101", "n;2;4", "0.501"},
				{"1234.5", "n", "1,234.5"},
				{"1234", "n;0;0;+", "+1,234"},
				{"105000", "n;0;0;c", "105K"},
				{"1.005", "n;2", "1.01"},
				{"-12", "n;2;2;a", "(12.00)"},
			},
			func(o *options) step { return numberStep{o.digits(0)} },
		},
		{
			[]string{"p", "percentage", "percent", "%"},
			"p;min;max;flags", "A fraction as percent, at most 2 decimals unless said.",
			[]example{{"0.5", "p;2;4", "50.00%"}, {"0.12345", "p", "12.35%"}, {"0.5", "p;0", "50%"}},
			func(o *options) step { return percentStep{o.digits(0), 2, true} },
		},
		{
			[]string{"ps", "percentSign", "percentsign"},
			"ps;min;max;flags", "A percent sign without scaling.",
			[]example{{"25.6", "ps;0;2", "25.6%"}},
			func(o *options) step { return percentStep{o.digits(0), 0, true} },
		},
		{
			[]string{"percentnosign", "percentNoSign"},
			"percentnosign;min;max;flags", "A fraction as percent, without the sign.",
			[]example{{"0.256", "percentnosign;1", "25.6"}},
			func(o *options) step { return percentStep{o.digits(0), 2, false} },
		},
		{
			[]string{"c", "currency"},
			"c;code;min;max;flags", "An amount of money; no code means the currency of the report, no decimals the currency's own.",
			[]example{
				{"1234.5", "currency;USD;0", "$1,235"},
				{"-1234.5", "currency;USD;2;2;a", "($1,234.50)"},
				{"105000", "currency;;0;0;c", "$105K"},
				{"1234.5", "c;JPY", "¥1,235"},
				{"-105000", "c;USD;0;0;ac", "($105K)"},
				{"1", "c;KWD", "KWD\u00a01.000"},
			},
			func(o *options) step { return currencyStep{o.digits(1), strings.ToUpper(o.word(0))} },
		},
		{
			[]string{"f", "fixed"},
			"f;decimals", "A number with fixed decimals as programs write it: a point, no groups.",
			[]example{{"1234.5", "f;2", "1234.50"}, {"1234.5", "f", "1235"}},
			func(o *options) step { return fixedStep{o.count(0, 0)} },
		},
	}
}
