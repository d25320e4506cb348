package report

import "time"

// Timestamp is a time as every answer and every event tells it: in UTC, with
// milliseconds.
type Timestamp time.Time

// MarshalText writes the time.
func (t Timestamp) MarshalText() ([]byte, error) {
	return time.Time(t).UTC().AppendFormat(nil, "2006-01-02T15:04:05.000Z"), nil
}

// UnmarshalText reads a time with any number of digits, in any zone.
func (t *Timestamp) UnmarshalText(text []byte) error { return (*time.Time)(t).UnmarshalText(text) }
