// Package cldr holds the file of locale data: written by cldrgen from CLDR's
// JSON, read by package text. Locales store only the fields in which they
// differ from their parent, strings are stored once, and the whole is deflated.
package cldr

// Sep divides the items of a field, Sub the parts of an item.
const (
	Sep = "\x1f"
	Sub = "\x1e"
)

// Field is a piece of data of a locale.
type Field int

// The fields. The order is part of the file.
const (
	Digits          Field = iota // the native digit zero; empty is 0
	Symbols                      // decimal, group, percent, plus, minus, NaN, infinity
	LatinSymbols                 // the same for the digits 0 to 9 where Digits is set
	Patterns                     // decimal, percent, currency, accounting
	LatinPatterns                // the same for the digits 0 to 9 where Digits is set
	MinGrouping                  // minimum grouping digits
	Spacing                      // between currency before and number, number and currency after
	Compact                      // for 10^3 to 10^14: pattern, or form=pattern by Sub
	CompactCurrency              // the same with a currency
	Currencies                   // list: code, symbol, decimal, group
	MonthsWide                   // 12 names, in a date
	MonthsAbbreviated
	MonthsNarrow
	MonthsAloneWide // 12 names, standing alone
	MonthsAloneAbbreviated
	MonthsAloneNarrow
	DaysWide // Sunday to Saturday, in a date
	DaysAbbreviated
	DaysNarrow
	DaysAloneWide
	DaysAloneAbbreviated
	DaysAloneNarrow
	DayPeriods    // am, pm
	DateStyles    // full, long, medium, short
	TimeStyles    // the same
	Glue          // date with time: full, long, medium, short
	Available     // list: skeleton, pattern
	Append        // how a field is added: pattern and name, in the order of AppendFields
	GMT           // format, zero, hour format
	ZoneNames     // list: zone or metazone, short standard name, short daylight name
	LongZoneNames // the same with long names; in a file of its own
	Months13      // months of the Persian calendar, where it is the region's
	Eras          // eras of the calendars: Gregorian, Buddhist, Persian
	Quarters      // 4 names, then the pattern of a quarter with its year
	FieldCount
)

// Data is all that the file holds.
type Data struct {
	Locales map[string]*Locale
	// Globals are lists by name: "currency" (region=code), "digits"
	// (currency=decimals), "hours" (region=H or h), "zones" (zone=metazone).
	Globals map[string]string
}

// Locale is the data of one locale, as differences from its parent's.
type Locale struct {
	Parent string // empty for the root
	Fields map[Field]string
}
