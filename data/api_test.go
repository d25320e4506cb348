package data

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/report"
)

// echo answers with what it was asked.
func echo(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/csv":
		w.Header().Set("Content-Type", "text/csv; charset=iso-8859-1")
		io.WriteString(w, "name;price\nM\xfcller;1,50\n")
	case "/text":
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, "hello")
	case "/untyped":
		w.Header().Set("Content-Type", "application/octet-stream")
		io.WriteString(w, ` [1, 12345678901234567890, 0.10]`)
	case "/empty":
		w.WriteHeader(http.StatusNoContent)
	case "/broken":
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"a": [1, 2`)
	case "/fails":
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusConflict)
		io.WriteString(w, `{"message": "no such customer"}`)
	case "/moved":
		http.Redirect(w, r, "/csv", http.StatusFound)
	case "/inside":
		http.Redirect(w, r, "http://10.0.0.1/", http.StatusFound)
	default:
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"method":%q,"uri":%q,"key":%q,"type":%q,"custom":%q,"body":%q}`, r.Method, r.RequestURI, r.Header.Get("X-Key"), r.Header.Get("Content-Type"), r.Header.Get("X-Custom"), body)
	}
}

func apiLoader(t *testing.T) (l *Loader, address string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(echo))
	t.Cleanup(server.Close)
	guard, err := egress.New(egress.Config{AllowHosts: []string{"127.0.0.1"}, Timeout: 2 * time.Second, MaxBytes: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(guard.Close)
	return loader(t, Config{Egress: guard, Scripts: scripts(t), Connections: connections{
		"erp":  {Type: "api", Address: report.Secret(server.URL + "/v1?tenant=7"), Headers: []Header{{"X-Key", "secret"}, {"X-Custom", "from the connection"}}},
		"shop": {Type: "postgres"},
	}}), server.URL
}

func TestAPIRequests(t *testing.T) {
	l, address := apiLoader(t)
	tests := map[string]struct {
		settings map[string]any
		want     string
	}{
		"plain": {map[string]any{"url": address + "/orders?x=1"}, `"method":"GET","uri":"/orders?x=1"`},
		"values are encoded": {
			map[string]any{"url": address + "/customers/{$params.name}/{$params.customerId}?q={$params.tricky}&n={$params.price}"},
			`"uri":"/customers/O%27Brien/42?q=%27%3B+DROP+TABLE+orders%3B+--\u0026n=12.50"`,
		},
		"a value stays in its part of the path": {map[string]any{"url": address + "/a/{$params.path}/b"}, `"uri":"/a/..%2F..%2Fadmin%3Fx=1%23/b"`},
		"expression":                            {map[string]any{"url": address + "/x?n={[{$params.customerId} * 2]}"}, `"uri":"/x?n=84"`},
		"below the connection":                  {map[string]any{"connection": "erp", "url": "/orders?x=1"}, `"uri":"/v1/orders?tenant=7\u0026x=1","key":"secret"`},
		"connection itself":                     {map[string]any{"connection": "erp"}, `"uri":"/v1?tenant=7","key":"secret"`},
		"same host as given":                    {map[string]any{"connection": "erp", "url": address + "/other"}, `"uri":"/other","key":"secret"`},
		"header of the source wins": {
			map[string]any{"connection": "erp", "headers": []any{map[string]any{"name": "x-custom", "value": "for {$params.name}"}}},
			`"custom":"for O'Brien"`,
		},
		"JSON body": {
			map[string]any{"url": address, "method": "POST", "body": `{"name": "Dear {$params.name}", "id": {$params.customerId}, "quote": "{$params.quote}", "range": {$params.range}, "none": {$params.none}, "text": {$params.quote}, "n": "{$params.price}", "deep": {"a": {"b": 1}}}`},
			`"type":"application/json","custom":"","body":"{\"name\": \"Dear O'Brien\", \"id\": 42, \"quote\": \"say \\\"hi\\\" \\\\\", \"range\": {\"from\":\"2024-02-01\",\"to\":\"2024-03-01\"}, \"none\": null, \"text\": \"say \\\"hi\\\" \\\\\", \"n\": \"12.50\", \"deep\": {\"a\": {\"b\": 1}}}"`,
		},
		"form": {
			map[string]any{"url": address, "method": "POST", "headers": []any{map[string]any{"name": "Content-Type", "value": "application/x-www-form-urlencoded"}}, "body": `name={$params.name}&q={$params.tricky}`},
			`"body":"name=O%27Brien\u0026q=%27%3B+DROP+TABLE+orders%3B+--"`,
		},
		"text":         {map[string]any{"url": address, "method": "POST", "body": `Hello {$params.name}`}, `"type":"text/plain; charset=utf-8","custom":"","body":"Hello O'Brien"`},
		"GET no body":  {map[string]any{"url": address, "body": `Hello`}, `"body":""`},
		"CSV":          {map[string]any{"url": address + "/csv"}, `[{"name":"Müller","price":1.50}]`},
		"redirect":     {map[string]any{"url": address + "/moved"}, `[{"name":"Müller","price":1.50}]`},
		"plain answer": {map[string]any{"url": address + "/text"}, `"hello"`},
		"untyped JSON": {map[string]any{"url": address + "/untyped"}, `[1,12345678901234567890,0.10]`},
		"empty answer": {map[string]any{"url": address + "/empty"}, `null`},
		"as text":      {map[string]any{"url": address + "/untyped", "format": "text"}, `" [1, 12345678901234567890, 0.10]"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			params := testParams(t)
			params.Set("path", "../../admin?x=1#")
			params.Set("quote", `say "hi" \`)
			set, err := l.Load(context.Background(), Request{Params: params, Sources: []report.SourceUse{source("rows", "api", tt.settings)}})
			if err != nil {
				t.Fatal(err)
			}
			v, _ := set.Data.Get("rows")
			if got := toJSON(t, v); !strings.Contains(got, tt.want) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestAPIFaults(t *testing.T) {
	l, address := apiLoader(t)
	tests := map[string]struct {
		settings map[string]any
		want     string
	}{
		"private":               {map[string]any{"url": "http://10.0.0.1/"}, "the operator can allow it with Egress__AllowHosts"},
		"redirect inside":       {map[string]any{"url": address + "/inside"}, `the host "10.0.0.1" may not be reached`},
		"scheme":                {map[string]any{"url": "file:///etc/passwd"}, "not absolute"},
		"other scheme":          {map[string]any{"url": "gopher://example.com/"}, "only http and https"},
		"relative":              {map[string]any{"url": "/orders"}, "is not absolute"},
		"nothing":               {map[string]any{}, "is not absolute"},
		"other host":            {map[string]any{"connection": "erp", "url": "https://evil.example/"}, `leads to the host "evil.example"`},
		"other host, no scheme": {map[string]any{"connection": "erp", "url": "//evil.example/"}, `leads to the host "evil.example"`},
		"dots":                  {map[string]any{"url": address + "/a/{$params.dots}/b"}, "cannot be a part of the path"},
		"not an API":            {map[string]any{"connection": "shop", "url": "/x"}, "is one of type postgres"},
		"header line":           {map[string]any{"url": address, "headers": []any{map[string]any{"name": "X-A", "value": "{$params.lines}"}}}, "characters that no header may"},
		"header name":           {map[string]any{"url": address, "headers": []any{map[string]any{"name": "X A", "value": "1"}}}, "cannot be set"},
		"host header":           {map[string]any{"url": address, "headers": []any{map[string]any{"name": "host", "value": "x"}}}, "cannot be set"},
		"method":                {map[string]any{"url": address, "method": "DELETE"}, "accepted: "},
		"status":                {map[string]any{"url": address + "/fails"}, `answered 409 Conflict: {"message": "no such customer"}`},
		"broken JSON":           {map[string]any{"url": address + "/broken"}, "is no JSON"},
	}
	for name, tt := range tests {
		params := report.ObjectOf("dots", "..", "lines", "a\r\nX-Injected: 1")
		_, err := l.Load(context.Background(), Request{Params: params, Sources: []report.SourceUse{source("rows", "api", tt.settings)}})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
