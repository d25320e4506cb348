package api

import (
	"net/http"
	"testing"
)

// A specimen shows a template or a theme with data that is written in it, and
// runs nothing else: who edits themes may not be one who may read data.
func TestSpecimensRunNoSource(t *testing.T) {
	h := open(t)
	for _, kind := range []string{"templates", "themes"} {
		path := "/api/ui/ws/demo/" + kind + "/render"
		drawn := `{"definition": {"version": 1, "name": "S", "dataSources": [{"name": "a", "type": "json", "settings": {"content": [1]}}], "pages": [{"id": 1, "elements": [{"type": "text", "props": {"text": "{$data.a.0} of {$data.orders}"}}]}]}}`
		h.check(t, scenario{method: http.MethodPost, path: path, who: "viewer", header: header("Content-Type", "application/json"), body: drawn, status: 200, has: []string{`"html":"<!doctype html>`}})
		for body, want := range map[string]string{
			`{}`: "the definition is missing",
			`{"definition": {"version": 1, "name": "S", "dataSources": [{"name": "a", "type": "sql", "settings": {"query": "SELECT 1"}}]}}`: "a specimen has no data sources but JSON",
			`{"definition": {"version": 1, "name": "S", "dataSources": [{"reuse": "orders"}]}}`:                                             "a specimen has no data sources but JSON",
			`{"definition": {"version": 1, "name": "S", "include": {"themes": [{"name": "T", "wibble": 1}]}}}`:                              "include.themes[0].wibble",
		} {
			h.check(t, scenario{method: http.MethodPost, path: path, who: "viewer", header: header("Content-Type", "application/json"), body: body, status: 400, has: []string{want}})
		}
	}
}
