package input

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/quire-reports/quire/report"
)

// Object reads an object: itself, JSON text of it, base64 or base64url of that
// text, or the inside of brackets in a query. An empty list counts as an empty
// object, as one language writes its empty map so.
func Object(name string, value any) (*report.Object, error) {
	return object(name, value, 2)
}

// object reads text at most so many times, as clients write JSON into JSON.
func object(name string, value any, texts int) (*report.Object, error) {
	switch v := value.(type) {
	case nil:
		return nil, nil
	case *report.Object:
		return v, nil
	case []any:
		if len(v) == 0 {
			return report.ObjectOf(), nil
		}
	case string:
		if texts == 0 {
			break
		}
		inner, err := parseText(name, v)
		if err != nil {
			return nil, err
		}
		return object(name, inner, texts-1)
	}
	return nil, report.Problemf(name, "must be an object, not %s", describe(value))
}

// parseText reads JSON text as it is or in base64.
func parseText(name, text string) (any, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, nil
	}
	doc := []byte(text)
	if !looksLikeJSON(text) {
		decoded, err := decodeBase64(text)
		if plain := strings.TrimSpace(string(decoded)); err != nil || plain == "" || !looksLikeJSON(plain) { // some words are base64 by chance
			return nil, report.Problemf(name, "must be an object as JSON text, or base64 of it, not %s", describe(text))
		}
		doc = bytes.TrimSpace(decoded)
	}
	value, err := report.ParseValue(doc)
	return value, under(name, err)
}

func looksLikeJSON(text string) bool {
	return strings.IndexByte(`{["`, text[0]) >= 0 || text == "null"
}

// decodeBase64 reads both alphabets, with or without padding, also after a
// plus sign became a blank in the address.
func decodeBase64(text string) ([]byte, error) {
	return base64.RawStdEncoding.DecodeString(plainBase64(text))
}

// plainBase64 is a text in the standard alphabet without padding.
func plainBase64(text string) string {
	return strings.TrimRight(strings.NewReplacer(" ", "+", "-", "+", "_", "/").Replace(text), "=")
}

// Bool reads a boolean: JSON's, or true, false, True, False, 1 and 0.
func Bool(name string, value any) (bool, error) {
	switch v := value.(type) {
	case bool:
		return v, nil
	case json.Number, string:
		switch strings.ToLower(strings.TrimSpace(fmt.Sprint(v))) {
		case "true", "1":
			return true, nil
		case "false", "0":
			return false, nil
		}
	}
	return false, report.Problemf(name, "must be true or false, not %s", describe(value))
}

// Int reads a whole number within signed 32 bits.
func Int(name string, value any) (int, error) {
	text := ""
	switch v := value.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = strings.TrimSpace(v)
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n != math.Trunc(n) || n < math.MinInt32 || n > math.MaxInt32 {
		return 0, report.Problemf(name, "must be a whole number within 32 bits, not %s", describe(value))
	}
	return int(n), nil
}

// Text reads text; a number counts as its digits.
func Text(name string, value any) (string, error) {
	text, ok := value.(string)
	if n, isNumber := value.(json.Number); isNumber {
		text, ok = n.String(), true
	}
	if !ok {
		return "", report.Problemf(name, "must be text, not %s", describe(value))
	}
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return "", report.Problemf(name, "has characters that are not accepted")
	}
	return text, nil
}

// Ints reads a list of whole numbers, in a query also "1,2,3".
func Ints(name string, value any) ([]int, error) {
	switch v := value.(type) {
	case string:
		var items []any
		for item := range strings.SplitSeq(v, ",") {
			items = append(items, item)
		}
		value = items
	case *report.Object:
		value = members(v)
	}
	items, ok := value.([]any)
	if !ok {
		return nil, report.Problemf(name, "must be a list of whole numbers, not %s", describe(value))
	}
	list := make([]int, 0, len(items))
	for i, item := range items {
		n, err := Int(fmt.Sprintf("%s[%d]", name, i), item)
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}

// describe names a value for a message, shortly.
func describe(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case string:
		if len(v) > 40 {
			return "a text of " + strconv.Itoa(len(v)) + " bytes"
		}
		return strconv.Quote(v)
	case []any:
		return "a list"
	case *report.Object:
		return "an object"
	}
	return fmt.Sprintf("the number %v", value)
}

// under puts the place inside a text below the option that holds it.
func under(name string, err error) error {
	if p, ok := err.(*report.Problem); ok { // ParseValue never wraps
		p.Path = report.JoinPath(name, p.Path)
	}
	return err
}

// timeLayouts are the forms of a time that clients send, the usual one first.
// Without an offset a time is in UTC.
func timeLayouts() []string {
	return []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", time.DateOnly}
}

// Time reads a time in ISO 8601 with any offset; empty text counts as absent.
func Time(name string, value any) (*time.Time, error) {
	text, ok := value.(string)
	if ok && text == "" {
		return nil, nil
	}
	for _, layout := range timeLayouts() {
		if t, err := time.Parse(layout, text); ok && err == nil && t.Year() > 0 && t.Year() < 10_000 {
			t = t.UTC()
			return &t, nil
		}
	}
	return nil, report.Problemf(name, "must be a time such as 2026-03-31T12:00:00.000Z, not %s", describe(value))
}
