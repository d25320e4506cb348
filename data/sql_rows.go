package data

import (
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/quire-reports/quire/report"
)

// rowReader turns the rows of a query into objects.
type rowReader struct {
	dialect  *dialect
	zone     *time.Location // of values without a zone
	now      time.Time
	maxRows  int
	maxBytes int64
	bytes    int64
	spend    func(bytes int64) error
}

func (r *rowReader) read(rows *sql.Rows) ([]any, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	shape, convert := r.columns(types)
	list := []any{}
	for rows.Next() {
		if len(list) == r.maxRows {
			return nil, &report.Problem{Kind: report.TooLarge, Path: "settings.query", Message: fmt.Sprintf("the query gives more than %d rows; limit it, or raise the setting Limits__Rows", r.maxRows)}
		}
		values := make([]any, len(types))
		targets := make([]any, len(types))
		for i := range values {
			targets[i] = &values[i]
		}
		if err := rows.Scan(targets...); err != nil {
			return nil, err
		}
		row := int64(rowSize)
		for i, v := range values {
			values[i] = convert[i](v)
			row += sizeOf(values[i])
		}
		if err := r.spend(row); err != nil {
			return nil, err
		}
		r.bytes += row
		if r.bytes > r.maxBytes {
			return nil, &report.Problem{Kind: report.TooLarge, Path: "settings.query", Message: fmt.Sprintf("the query gives more than %d MB; read fewer rows or columns", r.maxBytes>>20)}
		}
		list = append(list, report.NewObject(shape, values))
	}
	return list, rows.Err()
}

// rowSize is what an object takes without its values, in bytes.
const rowSize = 72

func sizeOf(v any) int64 {
	if s, ok := v.(string); ok {
		return int64(len(s)) + 32
	}
	return 16
}

// columns names the columns, telling doubled names apart, and finds how each
// one's values are read.
func (r *rowReader) columns(types []*sql.ColumnType) (*report.Shape, []func(any) any) {
	names := make([]string, len(types))
	convert := make([]func(any) any, len(types))
	seen := map[string]bool{}
	for i, t := range types {
		names[i] = freeName(t.Name(), i, seen)
		seen[names[i]] = true
		convert[i] = r.converter(strings.ToUpper(t.DatabaseTypeName()))
	}
	return report.NewShape(names...), convert
}

// converter reads values of a database type.
func (r *rowReader) converter(typeName string) func(any) any {
	base, _, _ := strings.Cut(typeName, "(")
	if element, isArray := strings.CutPrefix(base, "_"); isArray && r.dialect.casts {
		return r.array(r.arrayItem(element))
	}
	if base == "FLOAT4" && r.dialect.casts { // SQLite takes any name for any type
		return single
	}
	switch base {
	case "NUMERIC", "DECIMAL", "MONEY", "SMALLMONEY", "UNSIGNED BIGINT", "UNSIGNED INT":
		return number
	case "DATE":
		return r.time(true)
	case "TIMESTAMPTZ":
		return r.instant
	case "DATETIMEOFFSET":
		return asText
	case "TIMESTAMP", "DATETIME", "DATETIME2", "SMALLDATETIME":
		return r.time(false)
	case "TIME":
		return clock
	case "TIMETZ":
		return clockOfZone
	case "JSON", "JSONB":
		return parsedJSON
	case "BYTEA", "BLOB", "BINARY", "VARBINARY", "IMAGE", "TINYBLOB", "MEDIUMBLOB", "LONGBLOB":
		return encoded
	case "UNIQUEIDENTIFIER":
		return mixedGUID
	}
	return r.plain
}

// arrayItem reads items of an array, which all arrive as text.
func (r *rowReader) arrayItem(typeName string) func(any) any {
	switch typeName {
	case "BOOL":
		return func(v any) any { return string(v.([]byte)) == "t" }
	case "INT2", "INT4", "INT8", "FLOAT4", "FLOAT8":
		return number
	}
	return r.converter(typeName)
}

// plain reads whatever a driver gives for types with nothing special.
func (r *rowReader) plain(v any) any {
	switch v := v.(type) {
	case []byte:
		if utf8.Valid(v) {
			return string(v)
		}
		return base64.StdEncoding.EncodeToString(v)
	case float64:
		return finite(v)
	case float32:
		return finite(float64(v))
	case int64, bool, string, nil:
		return v
	case time.Time:
		return r.wallClock(v)
	}
	return fmt.Sprint(v)
}

func finite(f float64) any {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return f
}

// single is a float of 32 bits as it is written, 0.1 and not 0.10000000149.
func single(v any) any {
	f, ok := v.(float64)
	if !ok || finite(f) == nil {
		return number(v)
	}
	return number(strconv.FormatFloat(f, 'f', -1, 32))
}

// number keeps decimals as they are written.
func number(v any) any {
	switch v := v.(type) {
	case []byte:
		return numberText(string(v))
	case string:
		return numberText(v)
	case float64:
		return finite(v)
	}
	return v
}

// numberText drops the signs that MONEY is written with.
func numberText(s string) any {
	s = strings.NewReplacer("$", "", ",", "").Replace(strings.TrimSpace(s))
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "-.") {
		s = strings.Replace(s, ".", "0.", 1)
	}
	if !json.Valid([]byte(s)) || s == "" || s[0] != '-' && !isDigit(s[0]) {
		return nil // NaN and the infinities of PostgreSQL
	}
	return json.Number(s)
}

// time reads values without a zone: a day, or a date and time, of the report's
// zone.
func (r *rowReader) time(dayOnly bool) func(any) any {
	return func(v any) any {
		switch t := v.(type) {
		case time.Time:
			if t.IsZero() {
				return nil // MySQL's 0000-00-00
			}
			if dayOnly {
				return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, r.zone)
			}
			return r.wallClock(t)
		case []byte:
			return string(t)
		}
		return v
	}
}

// wallClock is the same date and time of day in the report's zone. SQLite's
// driver gives a zone to text that names one, which is kept.
func (r *rowReader) wallClock(t time.Time) time.Time {
	if name, offset := t.Zone(); r.dialect.textOnly && (offset != 0 || name != "UTC") {
		return t
	}
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), r.zone)
}

// instant is a moment in the report's zone: the driver tells it in that of the machine.
func (r *rowReader) instant(v any) any {
	if t, ok := v.(time.Time); ok {
		return t.In(r.zone)
	}
	return asText(v)
}

func asText(v any) any {
	if b, ok := v.([]byte); ok {
		return string(b)
	}
	return v
}

// clock is a time of day as text.
func clock(v any) any {
	switch v := v.(type) {
	case time.Time:
		return strings.TrimSuffix(v.Format("15:04:05.999999"), ".")
	}
	return asText(v)
}

// clockOfZone leaves out the zone of a time of day, 17:05:00+02.
func clockOfZone(v any) any {
	if s, ok := asText(v).(string); ok {
		local, _, _ := strings.Cut(strings.ReplaceAll(s, "-", "+"), "+")
		return local
	}
	return v
}

func parsedJSON(v any) any {
	var doc []byte
	switch v := v.(type) {
	case []byte:
		doc = v
	case string:
		doc = []byte(v)
	default:
		return v
	}
	value, err := report.ParseValue(doc)
	if err != nil {
		return string(doc)
	}
	return value
}

// encoded is binary content as base64, which images take.
func encoded(v any) any {
	if b, ok := v.([]byte); ok {
		return base64.StdEncoding.EncodeToString(b)
	}
	return v
}

// mixedGUID writes SQL Server's identifiers, whose first three parts have
// their bytes reversed.
func mixedGUID(v any) any {
	b, ok := v.([]byte)
	if !ok || len(b) != 16 {
		return v
	}
	b = slices.Clone(b)
	slices.Reverse(b[:4])
	slices.Reverse(b[4:6])
	slices.Reverse(b[6:8])
	h := hex.EncodeToString(b)
	return strings.ToUpper(strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-"))
}

// array reads PostgreSQL's text form of an array: {1,2,NULL,"a b",{…}}.
func (r *rowReader) array(item func(any) any) func(any) any {
	return func(v any) any {
		var s string
		switch v := v.(type) {
		case []byte:
			s = string(v)
		case string:
			s = v
		default:
			return v
		}
		a := arrayReader{src: s, item: item}
		list, ok := a.list()
		if !ok {
			return s
		}
		return list
	}
}
