package text

import (
	"sync"
	"unicode/utf8"
)

// formatsByName is the table by every name; made once, never changed.
var formatsByName = sync.OnceValue(func() map[string]*definition {
	index := map[string]*definition{}
	table := formatTable()
	for i := range table {
		for _, n := range table[i].names {
			index[n] = &table[i]
		}
	}
	return index
})

// formatTable is the list of formats. A format is one row here and a step in
// the file of its kind; the examples are its tests and its help.
func formatTable() []definition {
	return append(numberFormats(), append(dateFormats(), stringFormats()...)...)
}

func stringFormats() []definition {
	return []definition{
		{
			[]string{"s", "str", "string"},
			"s", "The text of the value, unchanged.",
			[]example{{"1234.50", "s", "1234.50"}},
			func(*options) step { return plainStep{} },
		},
		{
			[]string{"prefix"},
			"prefix;text", "Text before the value.",
			[]example{{"12", "prefix;No. ", "No. 12"}},
			func(o *options) step { return aroundStep{before: o.text(0)} },
		},
		{
			[]string{"suffix"},
			"suffix;text", "Text after the value.",
			[]example{{"180", "n;0:suffix; cm", "180 cm"}},
			func(o *options) step { return aroundStep{after: o.text(0)} },
		},
		{
			[]string{"wrap"},
			"wrap;open;close", "Text before and after the value.",
			[]example{{"5", "n;2:wrap;(;)", "(5.00)"}},
			func(o *options) step { return aroundStep{before: o.text(0), after: o.text(1)} },
		},
		{
			[]string{"uppercase"},
			"uppercase", "Capital letters, by the rules of the language.",
			[]example{{"Straße", "uppercase", "STRASSE"}},
			func(*options) step { return caseStep{upper: true} },
		},
		{
			[]string{"lowercase"},
			"lowercase", "Small letters, by the rules of the language.",
			[]example{{"ÄRGER", "lowercase", "ärger"}},
			func(*options) step { return caseStep{} },
		},
		{
			[]string{"capitalize"},
			"capitalize", "The first letter as a capital.",
			[]example{{"net weight", "capitalize", "Net weight"}},
			func(*options) step { return titleStep{} },
		},
		{
			[]string{"titlecase"},
			"titlecase", "The first letter of each word as a capital.",
			[]example{{"net weight in kg", "titlecase", "Net Weight In Kg"}},
			func(*options) step { return titleStep{every: true} },
		},
		{
			[]string{footnote},
			footnote, "A footnote: its number stands here, the text at the foot of the page.",
			[]example{{"Restated.", "footnote", ""}}, // a page has it, a program does not
			func(*options) step { return plainStep{} },
		},
		{
			[]string{"pageOf"},
			"pageOf", "A reference: the number of the page of the heading, caption or id that has this name.",
			[]example{{"costs", "pageOf", "costs"}}, // a page has the number, a program does not
			func(*options) step { return plainStep{} },
		},
		{
			[]string{"titleOf"},
			"titleOf", "A reference: the title of the heading or caption that has this name.",
			[]example{{"costs", "titleOf", "costs"}},
			func(*options) step { return plainStep{} },
		},
		{
			[]string{"numberOf"},
			"numberOf", "A reference: the number of the heading or caption that has this name, such as Table 3.",
			[]example{{"costs", "numberOf", "costs"}},
			func(*options) step { return plainStep{} },
		},
		{
			[]string{"urlencode"},
			"urlencode", "Encoded as a part of a URL.",
			[]example{{"a b&c", "urlencode", "a%20b%26c"}},
			func(*options) step { return urlencodeStep{} },
		},
		{
			[]string{"ellipsis"},
			"ellipsis;length;where", "At most length characters (10 by default), three dots among them, at the end, start or middle.",
			[]example{
				{"This is a very long text.", "ellipsis;7", "This..."},
				{"This is a very long text.", "ellipsis;8;start", "...text."},
				{"First (Middle) Last", "ellipsis;11;middle", "Firs...Last"},
				{"This is a very long text.", "ellipsis", "This is..."},
			},
			compileEllipsis,
		},
		{
			[]string{"zeropad", "zeroPad"},
			"zeropad;digits", "Zeros on the left up to a number of digits; a sign stays before them.",
			[]example{{"42", "zeropad;5", "00042"}, {"-5", "zeropad;4", "-0005"}},
			func(o *options) step { return padStep{o.count(0, 0), '0', "+-−"} },
		},
		{
			[]string{"leftpad", "leftPad"},
			"leftpad;length;char", "A character on the left up to a length; a blank by default.",
			[]example{{"42", "leftpad;5;.", "...42"}},
			func(o *options) step { return padStep{o.count(0, 0), firstRune(o.text(1), ' '), ""} },
		},
	}
}

func compileEllipsis(o *options) step {
	s := ellipsisStep{o.count(0, 10), o.word(1)}
	if s.length <= 3 {
		s.length = 10
	}
	switch s.where {
	case "", "end", "start", "middle":
	default:
		o.problem("format \"ellipsis\": %q is no place; the places are end, start and middle", s.where)
	}
	return s
}

func firstRune(s string, absent rune) rune {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return absent
	}
	return r
}
