package export

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// bodyText is what an HTML export of a report says on its pages.
func bodyText(t *testing.T, s *Service, req Request) (string, report.Problems) {
	t.Helper()
	file, err := s.Export(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := file.Open()
	if err != nil {
		t.Fatal(err)
	}
	html, _ := io.ReadAll(r)
	_, pages, _ := strings.Cut(string(html), "<section")
	pages, _, _ = strings.Cut("<section"+pages, "</section>")
	return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(pages, " ")), " "), file.Warnings
}

// TestSourcesMayBeExpressions: what repeats, lists and tables show can be worked
// out where it is shown.
func TestSourcesMayBeExpressions(t *testing.T) {
	const def = `{"name": "T", "dataSources": [{"name": "n", "type": "json", "settings": {"content": [1, 2, 3]}},
			{"name": "o", "type": "json", "settings": {"content": [{"k": "x", "q": 2}, {"k": "y", "q": 5}]}}],
		"template": "bare", "include": {"templates": [{"name": "Bare", "code": "bare", "layouts": [{}]}]},
		"pages": [{"id": 1, "elements": [%s]}]}`
	for source, want := range map[string]string{
		`{"type":"text","repeat":{"source":"{[ {$data.n}.filter(x => x > 1) ]}"},"props":{"text":"{$index}={$it.record}"}}`:                                                                                                                        "0=2 1=3",
		`{"type":"text","repeat":{"source":"{[ {$data.o}.map(o => ({...o, r: o.q * 2})) ]}","transform":[{"type":"filter","conditions":[{"field":"r","operator":"greater","value":5}]}]},"props":{"text":"{$index}{$it.record.k}{$it.record.r}"}}`: "0y10",
		`{"type":"list","props":{"source":"{[ [...Array(3).keys()] ]}","itemTemplate":"{$index}-{$it.item}"}}`:                                                                                                                                     "0-0 1-1 2-2",
		`{"type":"data-table","props":{"source":"{[ {$data.o}.slice(1) ]}","hideHeader":true,"columns":[{"field":"k"}]}}`:                                                                                                                          "y",
		`{"type":"table","props":{"rows":[{"repeat":{"source":"{[ {$data.o}.toReversed() ]}"},"cells":[{"value":"{$index}{$record.k}"}]}]}}`:                                                                                                       "0y 1x",
		`{"type":"text","repeat":{"source":"{[ 5 ]}"},"props":{"text":"x"}}`:                                                                                                                                                                       "! pages[0].elements[0]: text: {[ 5 ]} is no list of rows",
		`{"type":"text","repeat":{"source":"{[ nope( ]}"},"props":{"text":"x"}}`:                                                                                                                                                                   "! pages[0].elements[0]: text: the expression {[ nope( ]} failed: SyntaxError",
	} {
		s, _ := newService(t, map[string]string{"reports/t.json": strings.Replace(def, "%s", source, 1)})
		got, warnings := bodyText(t, s, Request{Report: "t", ExportOptions: report.ExportOptions{Format: "html"}})
		if warning, ok := strings.CutPrefix(want, "! "); ok {
			if got != "" || len(warnings) != 1 || !strings.HasPrefix(warnings[0].Error(), warning) {
				t.Errorf("%s: %q %v", source, got, warnings)
			}
		} else if got != want || len(warnings) > 0 {
			t.Errorf("%s: %q, want %q %v", source, got, want, warnings)
		}
	}
}
