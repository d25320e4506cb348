package export

import (
	"testing"

	"github.com/quire-reports/quire/report"
)

// TestEntriesFallBackByRule: the language asked for, what it is a variety of, the
// report's language, the workspace's first, and then what the template says.
func TestEntriesFallBackByRule(t *testing.T) {
	for _, c := range []struct {
		texts map[string]string
		want  any
	}{
		{map[string]string{"de-CH": "ch", "de": "de", "fr": "fr", "en": "en"}, "ch"},
		{map[string]string{"de": "de", "fr": "fr", "en": "en"}, "de"},
		{map[string]string{"fr": "fr", "en": "en"}, "fr"},
		{map[string]string{"en": "en", "it": "it"}, "en"},
		{map[string]string{"it": "it"}, nil},
	} {
		got, _ := dictionary([]report.Dictionary{{Entries: map[string]map[string]string{"x": c.texts}}}, "de_CH", "fr", "en").Get("x")
		if got != c.want {
			t.Errorf("%v: %v, want %v", c.texts, got, c.want)
		}
	}
	s, _ := newService(t, map[string]string{"reports/t.json": `{"name": "T", "template": "bare", "include": {"templates": [{"name": "Bare", "code": "bare", "layouts": [{}]}],
		"dictionaries": [{"name": "W", "entries": {"only": {"it": "solo"}}}]}, "pages": [{"id": 1, "elements": [{"type": "text", "props": {"text": "{$dict.only|else}, {$dict.only}"}}]}]}`})
	got, warnings := bodyText(t, s, Request{Report: "t", ExportOptions: report.ExportOptions{Format: "html"}})
	if got != "else," || len(warnings) != 1 || warnings[0].Error() != "pages[0].elements[0]: text: {$dict.only} leads to no value" {
		t.Errorf("%q %v", got, warnings)
	}
}
