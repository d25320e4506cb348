package input

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/quire-reports/quire/report"
)

// Bounds of a query; the server bounds its length.
const (
	maxPairs   = 10_000
	maxNesting = 20
)

// Query reads a query string into an object of texts. Brackets nest, so that
// "params[a]=1" is {"params": {"a": "1"}}; an empty value counts as absent.
func Query(raw string) (*report.Object, error) {
	root := report.ObjectOf()
	pairs := strings.Split(strings.TrimRight(raw, "?"), "&")
	if len(pairs) > maxPairs {
		return nil, report.Problemf("", "the query has %d values; at most %d are accepted", len(pairs), maxPairs)
	}
	for _, pair := range pairs {
		key, value, err := unescapePair(pair)
		if err != nil {
			return nil, err
		}
		if value == "" {
			continue
		}
		if err := put(root, splitKey(key), key, value); err != nil {
			return nil, err
		}
	}
	return root, nil
}

// Nonce is the nonce of a query, or nothing. A query that cannot be read has
// none; whoever reads the rest of it says what is wrong.
func Nonce(raw string) string {
	for pair := range strings.SplitSeq(raw, "&") {
		if key, value, err := unescapePair(pair); err == nil && key == "nonce" && value != "" {
			return strings.TrimRight(value, "?")
		}
	}
	return ""
}

func unescapePair(pair string) (key, value string, err error) {
	rawKey, rawValue, _ := strings.Cut(pair, "=")
	if key, err = url.QueryUnescape(rawKey); err != nil || !utf8.ValidString(key) {
		return "", "", report.Problemf("", "a name in the query is not percent-encoded UTF-8")
	}
	if value, err = url.QueryUnescape(rawValue); err != nil {
		return "", "", report.Problemf(key, "the value is not percent-encoded")
	}
	if !utf8.ValidString(value) {
		return "", "", report.Problemf(key, "the value is not valid UTF-8")
	}
	return key, value, nil
}

// splitKey splits "a[b][c]" into its names. Brackets that do not match are
// part of the name.
func splitKey(key string) []string {
	name, rest, found := strings.Cut(key, "[")
	if !found || name == "" || !strings.HasSuffix(rest, "]") {
		return []string{key}
	}
	return append([]string{name}, strings.Split(strings.TrimSuffix(rest, "]"), "][")...)
}

// put sets a value at a path of names. The first of two values for one name
// counts; an empty name, as in "ids[]", appends.
func put(at *report.Object, names []string, key, value string) error {
	if len(names) > maxNesting {
		return report.Problemf(names[0], "nested more than %d levels deep", maxNesting)
	}
	for i, name := range names {
		if name == "" {
			name = strconv.Itoa(at.Len())
		}
		known, exists := at.Get(name)
		if i == len(names)-1 {
			if !exists {
				at.Set(name, value)
			}
			return nil
		}
		if !exists {
			known = report.ObjectOf()
			at.Set(name, known)
		}
		inner, ok := known.(*report.Object)
		if !ok {
			return report.Problemf(key, "is given both as one value and in brackets; use one form")
		}
		at = inner
	}
	return nil
}

// members turns the inside of brackets into the value it stands for: names 0,
// 1, 2 make a list, and text that is a JSON list or object is read as one.
func members(value any) any {
	switch v := value.(type) {
	case string:
		return embedded(v)
	case *report.Object:
		object := report.ObjectOf()
		list := make([]any, 0, v.Len())
		isList := v.Len() > 0
		for name, inner := range v.All() {
			isList = isList && name == strconv.Itoa(len(list))
			inner = members(inner)
			list = append(list, inner)
			object.Set(name, inner)
		}
		if isList {
			return slices.Clip(list)
		}
		return object
	}
	return value
}

// embedded reads text that holds a JSON object or list, and leaves other text.
func embedded(text string) any {
	if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
		if value, err := report.ParseValue([]byte(trimmed)); err == nil {
			return value
		}
	}
	return text
}
