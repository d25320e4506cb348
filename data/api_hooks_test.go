package data

import (
	"context"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

func builder(code string, more ...any) map[string]any {
	s := map[string]any{"url": "/orders", "requestBuilder": map[string]any{"type": "custom", "code": code}}
	for i := 0; i < len(more); i += 2 {
		s[more[i].(string)] = more[i+1]
	}
	return s
}

// loadHooked loads an API source "rows" behind a source "first" of one row.
func loadHooked(t *testing.T, settings map[string]any, scheduled bool) (*Set, error) {
	t.Helper()
	l, address := apiLoader(t)
	if url, ok := settings["url"].(string); ok && settings["connection"] == nil {
		settings["url"] = address + url
	}
	params := testParams(t)
	params.Set("host", address)
	use := source("rows", "api", settings)
	use.Dependencies = []string{"$data.first", "$params.customerId"}
	return l.Load(context.Background(), Request{
		Params: params, Dict: report.ObjectOf("greeting", "Hello"), Scheduled: scheduled,
		Sources: []report.SourceUse{source("first", "json", map[string]any{"content": []any{report.ObjectOf("id", int64(7))}}), use},
	})
}

// The rules are those of SPEC.md, Data source, rule 5.
func TestRequestBuilder(t *testing.T) {
	headers := []any{map[string]any{"name": "X-Custom", "value": "configured"}}
	for name, tt := range map[string]struct {
		settings map[string]any
		want     string
	}{
		"endpoint replaces the address": {builder(`({$params}) => ({endpoint: $params.host + '/other/' + $params.customerId})`), `"uri":"/other/42"`},
		"endpoint replaces the path":    {builder(`() => ({endpoint: '/customers'})`, "connection", "erp"), `"uri":"/v1/customers?tenant=7","key":"secret"`},
		"query is appended, null values are skipped": {
			builder(`() => ({query: {a: 'x y&z', none: null, missing: undefined, n: 12.5, list: [1, null, 2], flag: false}})`, "url", "/orders?x=1"),
			`"uri":"/orders?x=1\u0026a=x+y%26z\u0026n=12.5\u0026list=1\u0026list=2\u0026flag=false"`,
		},
		"headers of pairs":                      {builder(`() => ({headers: [['X-Custom', 'built'], {key: 'X-Key', value: 5}]})`), `"key":"5","type":"","custom":"built"`},
		"the builder's value wins":              {builder(`() => ({headers: [['x-custom', 'built']]})`, "connection", "erp"), `"key":"secret","type":"","custom":"built"`},
		"headers of the connection still apply": {builder(`() => ({})`, "connection", "erp"), `"key":"secret","type":"","custom":"from the connection"`},
		"configured headers are no longer sent": {builder(`() => ({})`, "headers", headers), `"custom":""`},
		"configured body is no longer sent":     {builder(`() => ({})`, "method", "POST", "body", "configured"), `"method":"POST","uri":"/orders","key":"","type":"","custom":"","body":""`},
		"text body is sent as it is":            {builder(`() => ({body: 'total {$params.x}'})`, "method", "POST"), `"type":"","custom":"","body":"total {$params.x}"`},
		"object body is sent as JSON":           {builder(`({$data, $dict}) => ({body: {id: $data.first[0].id, text: $dict.greeting}})`, "method", "POST"), `"type":"application/json","custom":"","body":"{\"id\":7,\"text\":\"Hello\"}"`},
		"body of another kind of JSON":          {builder(`() => ({headers: [['Content-Type', 'application/vnd.x+json']], body: {a: 1}})`, "method", "POST"), `"type":"application/vnd.x+json","custom":"","body":"{\"a\":1}"`},
		"nothing returned sends the request":    {builder(`() => {}`), `"method":"GET","uri":"/orders"`},
		"null members count as absent":          {builder(`() => ({endpoint: null, query: null, headers: null, body: null})`), `"uri":"/orders"`},
		"with type none it does not run":        {map[string]any{"url": "/orders", "headers": headers, "requestBuilder": map[string]any{"type": "none", "code": "() => false"}}, `"custom":"configured"`},
	} {
		set, err := loadHooked(t, tt.settings, false)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if v, _ := set.Data.Get("rows"); !strings.Contains(toJSON(t, v), tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", name, toJSON(t, v), tt.want)
		}
	}
}

func TestARequestBuilderThatIsNotReadySendsNothing(t *testing.T) {
	set, err := loadHooked(t, builder(`() => false`, "url", "/fails"), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, stored := set.Data.Get("rows"); stored || !set.Sources[1].NotReady {
		t.Error("something was stored")
	}
	if !strings.Contains(set.Warnings.Error(), `data source "rows": the request builder returned false`) {
		t.Error(set.Warnings)
	}
}

func TestRequestBuildersThatAreWrong(t *testing.T) {
	for code, want := range map[string]string{
		`() => true`:                               "must return an object with endpoint, query, headers or body, false, or nothing; not true",
		`() => 'x'`:                                `not "x"`,
		`() => 0`:                                  "not 0",
		`() => [1]`:                                "not a list",
		`() => ({url: '/x'})`:                      `unknown key "url"; accepted: endpoint, query, headers, body`,
		`() => ({endpoint: 5})`:                    "endpoint must be text, not 5",
		`() => ({endpoint: '/x'})`:                 "is not absolute",
		`() => ({endpoint: 'http://10.1.1.1/'})`:   `the host "10.1.1.1" may not be reached`,
		`() => ({query: [1]})`:                     "query must be an object",
		`() => ({headers: {a: 1}})`:                "headers must be a list of key and value pairs",
		`() => ({headers: [['a']]})`:               "headers[0] must be a pair",
		`() => ({headers: [['Host', 'x']]})`:       `the header "Host" cannot be set`,
		`() => ({headers: [['A', 'x\r\nB: 1']]})`:  "characters that no header may",
		`() => ({body: 'x'})`:                      "a body is sent with POST only",
		`() => { throw new Error('no customer') }`: "no customer",
	} {
		settings := builder(code)
		if _, err := loadHooked(t, settings, false); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `"rows"`) {
			t.Errorf("%s: %v", code, err)
		}
	}
}

func TestResponseMapper(t *testing.T) {
	for code, want := range map[string]string{
		`response => response.uri`:    `"/orders"`,
		`(answer) => [answer.method]`: `["GET"]`,
		`(r, {$params, $data, $dict}) => [$params.customerId, $data.first[0].id, $dict.greeting, r.uri]`: `[42,7,"Hello","/orders"]`,
		`({response, $params}) => response.method + $params.customerId`:                                  `"GET42"`,
		`return response.method`:                        `"GET"`,
		`async (response) => ({items: [response.uri]})`: `{"items":["/orders"]}`,
		`() => {}`:   `null`,
		`() => null`: `null`,
	} {
		set, err := loadHooked(t, map[string]any{"url": "/orders", "responseMapper": map[string]any{"type": "custom", "code": code}}, false)
		if err != nil {
			t.Errorf("%s: %v", code, err)
			continue
		}
		if v, _ := set.Data.Get("rows"); toJSON(t, v) != want {
			t.Errorf("%s: %s, want %s", code, toJSON(t, v), want)
		}
	}
	_, err := loadHooked(t, map[string]any{"url": "/orders", "responseMapper": map[string]any{"type": "custom", "code": "r =>\n r.items.length"}}, false)
	if err == nil || !strings.Contains(err.Error(), `data source "rows"`) || !strings.Contains(err.Error(), "line 2") {
		t.Error(err)
	}
}

func TestHooksInScheduledJobs(t *testing.T) {
	hook := func(kind, code string) map[string]any { return map[string]any{"type": kind, "code": code} }
	// The type is ignored: both hooks run.
	set, err := loadHooked(t, map[string]any{
		"url":            "/orders",
		"requestBuilder": hook("none", `({$params, $data, $dict}) => ({query: {id: $params.customerId, data: typeof $data, dict: typeof $dict}})`),
		"responseMapper": hook("none", `(r, {$params, $data}) => [r.uri, $params.customerId, typeof $data, typeof $dict]`),
	}, true)
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := set.Data.Get("rows"); toJSON(t, v) != `["/orders?id=42\u0026data=undefined\u0026dict=undefined",42,"undefined","undefined"]` {
		t.Error(toJSON(t, v))
	}
	_, err = loadHooked(t, map[string]any{"url": "/orders", "requestBuilder": hook("none", `($data, $params, $dict) => $data === undefined && $params.customerId === 42 && $dict === undefined ? false : {}`)}, true)
	if err == nil || !strings.Contains(err.Error(), `data source "rows": the request builder returned false; a scheduled run cannot wait`) {
		t.Error(err)
	}
	// Other functions see everything, also in a job.
	l, _ := apiLoader(t)
	set, err = l.Load(context.Background(), Request{Scheduled: true, Params: testParams(t), Dict: report.ObjectOf("a", "b"), Sources: []report.SourceUse{source("js", "javascript", map[string]any{"function": `({$dict}) => $dict.a`})}})
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := set.Data.Get("js"); v != "b" {
		t.Error(v)
	}
}
