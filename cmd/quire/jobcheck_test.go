package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// The check of a job finds what would fail each of its documents, with the
// places.
func TestTheCheckOfAJobFindsWhatWouldFail(t *testing.T) {
	t.Parallel()
	s := startService(t)
	for member, want := range map[string]string{
		`"theme": "zzz"`:                      `theme: unknown theme \"zzz\"; accepted: `,
		`"template": "zzz"`:                   `template: unknown template \"zzz\"; accepted: `,
		`"language": "!!"`:                    `language: \"!!\" is no language; accepted: `,
		`"format": "odt"`:                     `format: `,
		`"format": "html", "password": "x"`:   `format: `,
		`"params": {"nope": 1}`:               `params.nope: the report has no parameter \"nope\"; `,
		`"data": {"nope": 1}`:                 `data.nope: the report has no data source \"nope\"; it has invoice, items`,
		`"data": {"invoice": {}, "itms": []}`: `data.itms: the report has no data source \"itms\"; did you mean \"items\"?`,
		`"condition": "{$record.id >"`:        `condition: {$record.id \u003e cannot be read: SyntaxError`,
		`"condition": "{$foo.bar}"`:           `condition: {$foo.bar}: there is no $foo here`,
	} {
		job := `{"name": "J", "code": "j", "active": true, "reports": [{"report": "invoice", ` + member + `}]}`
		a := s.call(http.MethodPut, "/api/v1/ws/demo/jobs/j", job)
		var stored struct {
			Problems []struct{ Path, Message string }
		}
		if a.status > 201 {
			if !strings.Contains(string(a.body), strings.ReplaceAll(want, `\u003e`, ">")) && !strings.Contains(string(a.body), want) {
				t.Errorf("%s: %d %s", member, a.status, a.body)
			}
			continue
		}
		if err := json.Unmarshal(a.body, &stored); err != nil {
			t.Fatal(err)
		}
		told := ""
		for _, p := range stored.Problems {
			told += p.Path + ": " + p.Message + "\n"
		}
		if plain := "reports[0]." + strings.NewReplacer(`\"`, `"`, `\u003e`, ">").Replace(want); !strings.Contains(told, plain) {
			t.Errorf("%s: the check says %q; want %q", member, told, plain)
		}
	}
}
