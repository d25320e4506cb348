package text

import (
	"strings"
	"testing"
)

func TestReadsOfATemplate(t *testing.T) {
	for source, want := range map[string]string{
		"plain {a b}": "",
		"{$data.total:n;2} of {$record.name|nobody}": "[$data.total] [$record.name or]",
		"{[ {$params.year} + $data.sum ]:n}":         "[$params.year + $data]",
	} {
		got := ""
		for _, r := range Parse(source).Reads() {
			got += " [" + describe(r) + "]"
		}
		if got = strings.TrimSpace(got); got != want {
			t.Errorf("%q reads %s, want %s", source, got, want)
		}
	}
}

func describe(r Read) string {
	if r.Script == nil {
		return r.Path.String() + map[bool]string{true: " or"}[r.Fallback]
	}
	text := ""
	for i, inner := range r.Script.Reads() {
		if i > 0 {
			text += " + "
		}
		text += describe(inner)
	}
	return text
}
