package api

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

const unknownToken = "qrt_0123456789012345678901234567890123456789"

func testLists(t *testing.T, open opener) {
	h := open(t)
	h.run([]scenario{
		{name: "1 workspaces of a root user", path: "/api/v1/workspaces", who: "root", status: 200, has: []string{
			`"name":"Demo"`, `"description":"Reports that show the product","code":"demo"`, `"description":null,"code":"other-house"`,
		}, lacks: []string{"$schema"}, answer: map[string]string{"Content-Type": "application/json", "Cache-Control": "no-store"}},
		{name: "1 workspaces of a member", path: "/api/v1/workspaces", who: "viewer", status: 200, has: []string{"demo"}, lacks: []string{"other-house"}},
		{name: "1 no workspace is an empty list", path: "/api/v1/workspaces", who: "lonely", status: 200, has: []string{"[]\n"}},
		{name: "2 reports", path: "/api/v1/ws/demo/reports", who: "viewer", status: 200, has: []string{
			`"name":"Invoice"`, `"reportTypeName":"Invoice"`, `"reportTemplateName":"Letter paper"`, `"themeName":"Harbour"`, `"isDefault":true`, `"previewImage":null`, `"themeName":"Meadow"`, `"isDefault":false`,
		}},
		{name: "2 by the workspace's number", path: "/api/v1/ws/1/reports", who: "viewer", status: 200, has: []string{"Plain invoice"}},
		{name: "2 codes are compared without case", path: "/api/v1/ws/DEMO/reports?type=SALES", who: "viewer", status: 200, has: []string{"Sales"}, lacks: []string{"Plain"}},
		{name: "2 an empty type lists all", path: "/api/v1/ws/demo/reports?type=", who: "viewer", status: 200, has: []string{"Sales", "Plain"}},
		{name: "2 an unknown type lists none", path: "/api/v1/ws/demo/reports?type=nothing", who: "viewer", status: 200, has: []string{"[]\n"}},
		{name: "2 a type that is no code lists none", path: "/api/v1/ws/demo/reports?type=%00%FF", who: "viewer", status: 200, has: []string{"[]\n"}},
		{name: "2 offset and limit", path: "/api/v1/ws/demo/reports?offset=1&limit=1", who: "viewer", status: 200, has: []string{"Plain"}, lacks: []string{"Sales"}},
		{name: "2 an offset that is no number", path: "/api/v1/ws/demo/reports?offset=x", who: "viewer", status: 400, has: []string{`"path":"offset"`, `not \"x\"`}},
		{name: "2 a negative limit", path: "/api/v1/ws/demo/reports?limit=-1", who: "viewer", status: 400, has: []string{`"path":"limit"`}},
		{name: "2 a guest sees only own reports", path: "/api/v1/ws/demo/reports", who: "guest", status: 200, has: []string{"[]\n"}},
		{name: "3 pages", path: "/api/v1/ws/demo/reports/invoice/pages", who: "viewer", status: 200, has: []string{`[{"id":1,"name":"Invoice","type":"page"},{"id":2,"name":"Terms","type":"document-merge"}]`}},
		{name: "a report", path: "/api/v1/ws/demo/reports/invoice", who: "viewer", status: 200, has: []string{`"name":"Invoice"`, `"themeName":"Harbour"`, `"isDefault":true`}},
		{name: "its parameters", path: "/api/v1/ws/demo/reports/invoice/parameters", who: "viewer", status: 200, has: []string{
			`[{"name":"year","label":"Year","type":"number","required":true,"hasDefault":false,"multiple":false,"values":[]},`,
			`{"name":"kind","label":"kind","type":"lookup","required":false,"hasDefault":true,"multiple":true,"values":[{"value":1.5,"label":"All"},{"value":"open","label":"open"}]}]`,
		}, lacks: []string{"$params"}},
		{name: "its data sources", path: "/api/v1/ws/demo/reports/invoice/data-sources", who: "viewer", status: 200, has: []string{`[{"name":"lines","displayName":"Lines","description":"","type":"sql"}]`}, lacks: []string{"secret"}},
		{name: "data sources of no report", path: "/api/v1/ws/demo/reports/999/data-sources", who: "viewer", status: 404},
		{name: "data sources of somebody else's report for a guest", path: "/api/v1/ws/demo/reports/invoice/data-sources", who: "guest", status: 404},
		{name: "3 an unknown report", path: "/api/v1/ws/demo/reports/999/pages", who: "viewer", status: 404, has: []string{"report 999 does not exist"}},
		{name: "3 an unknown type", path: "/api/v1/ws/demo/reports/nothing/pages", who: "viewer", status: 404, has: []string{"nothing"}},
		{name: "3 an ID beyond 32 bits", path: "/api/v1/ws/demo/reports/99999999999999999999/pages", who: "viewer", status: 404},
		{name: "3 text that is no code", path: "/api/v1/ws/demo/reports/%FF%00/pages", who: "viewer", status: 404, has: []string{`"error"`}},
		{name: "3 somebody else's report is not there for a guest", path: "/api/v1/ws/demo/reports/invoice/pages", who: "guest", status: 404},
		{name: "15 report types", path: "/api/v1/ws/demo/report-types", who: "viewer", status: 200, has: []string{`"code":"invoice","defaultReportId":`, `"defaultReportName":"Invoice"`, `"description":"Figures"`}},
		{name: "16 templates", path: "/api/v1/ws/demo/templates", who: "viewer", status: 200, has: []string{`"name":"Letter paper","code":"letter"`}},
		{name: "17 themes", path: "/api/v1/ws/demo/themes", who: "viewer", status: 200, has: []string{`"name":"Harbour","code":"harbour"`, "Meadow"}},
		{name: "17 no right", path: "/api/v1/ws/demo/themes", who: "guest", status: 403, has: []string{`"status":403`, "needs a role with Read on themes", "Guest"}},
	})
}

func testExportsEndToEnd(t *testing.T, open opener) {
	h := open(t)
	file := map[string]string{
		"Content-Type": "application/pdf", "Content-Length": "15",
		"Content-Disposition": `attachment; filename="Sample report.pdf"; filename*=UTF-8''Sample%20report.pdf`,
	}
	h.run([]scenario{
		{name: "4 the file itself", path: "/api/v1/ws/demo/reports/invoice/pdf", who: "viewer", status: 200, has: []string{"%PDF-1.7"}, answer: file},
		{name: "5 the file itself", path: "/api/v1/ws/demo/reports/invoice/pdf", who: "viewer", body: `{"params":{"a":1}}`, status: 200, has: []string{"%PDF-1.7"}, answer: file},
		{name: "5 unknown fields are ignored", path: "/api/v1/ws/demo/reports/invoice/pdf", who: "viewer", body: `{"colour":"red","Params":7}`, status: 200},
		{name: "5 wrong types name the fields", path: "/api/v1/ws/demo/reports/invoice/pdf", who: "viewer", body: `{"params":[1],"accessible":"maybe","lang":{}}`, status: 400, has: []string{
			`"path":"params","message":"must be an object, not a list"`, `"path":"accessible"`, `"path":"lang"`, "and 2 more",
		}},
		{name: "4 unknown format", path: "/api/v1/ws/demo/reports/invoice/pdf?format=odt", who: "viewer", status: 400, has: []string{`unknown format \"odt\"; accepted: pdf, html`}},
		{name: "4 unknown time zone", path: "/api/v1/ws/demo/reports/invoice/pdf?timezone=Europe/Belgrad", who: "viewer", status: 400, has: []string{`unknown time zone \"Europe/Belgrad\"; use an IANA name`}},
		{name: "5 unknown time zone", path: "/api/v1/ws/demo/reports/invoice/pdf", who: "viewer", body: `{"timezone":"Local"}`, status: 400, has: []string{`"path":"timezone"`}},
		{name: "5 protection of another format", path: "/api/v1/ws/demo/reports/invoice/pdf", who: "viewer", body: `{"format":"html","password":"very secret"}`, status: 400, has: []string{"protect PDF files only"}, lacks: []string{"very secret"}},
		{name: "5 denied copying of another format", path: "/api/v1/ws/demo/reports/invoice/pdf", who: "viewer", body: `{"format":"html","allowCopying":false}`, status: 400},
		{name: "4 a password does not belong into a query", path: "/api/v1/ws/demo/reports/invoice/pdf?password=very-secret", who: "viewer", status: 400, has: []string{`"path":"password"`, "POST"}, lacks: []string{"very-secret"}},
		{name: "5 a password that would be cut", path: "/api/v1/ws/demo/reports/invoice/pdf", who: "viewer", body: `{"password":"` + strings.Repeat("ü", 64) + `"}`, status: 400, has: []string{`"path":"password"`, "128 bytes", "at most 127"}, lacks: []string{"üü"}},
		{name: "5 a long password", path: "/api/v1/ws/demo/reports/invoice/pdf", who: "viewer", body: `{"password":"` + strings.Repeat("x", 127) + `"}`, status: 200},
		{name: "4 a word that is base64 by chance", path: "/api/v1/ws/demo/reports/invoice/pdf?params=zzz", who: "viewer", status: 400, has: []string{`params: must be an object as JSON text, or base64 of it, not \"zzz\"`}},
		{name: "4 permission that is granted anyway", path: "/api/v1/ws/demo/reports/invoice/pdf?allowPrinting=true", who: "viewer", status: 200},
		{name: "5 temporary data is not for this form", path: "/api/v1/ws/demo/reports/invoice/pdf", who: "viewer", body: `{"tempDataId":4}`, status: 400, has: []string{`"path":"tempDataId"`}},
		{name: "4 temporary data that cannot be", path: "/api/v1/ws/demo/reports/invoice/pdf?tempDataId=4294967296", who: "viewer", status: 400, has: []string{"within 32 bits"}},
		{name: "4 an unknown report", path: "/api/v1/ws/demo/reports/4711/pdf", who: "viewer", status: 404, has: []string{"4711"}},
	})
}

func testExportRequests(t *testing.T, open opener) {
	h := open(t)
	h.do(scenario{path: "/api/v1/ws/demo/reports/invoice/pdf", who: "viewer", body: `{
		"params": {"id": 12345678901234567890, "rate": 0.10}, "data": {"lines": [{"n": 1.50}]}, "lang": "de", "timezone": "Europe/Berlin",
		"format": "pdf", "includeAttachments": true, "template": 3, "theme": "meadow", "password": "x", "allowPrinting": false, "allowCopying": null, "accessible": true}`})
	r := h.export.last
	params, _ := json.Marshal(r.Params)
	data, _ := json.Marshal(r.Data)
	switch {
	case string(params) != `{"id":12345678901234567890,"rate":0.10}`:
		t.Errorf("params are %s; numbers must stay as written", params)
	case string(data) != `{"lines":[{"n":1.50}]}`:
		t.Errorf("data is %s", data)
	case r.Lang != "de" || r.Timezone != "Europe/Berlin" || r.Format != "pdf" || !r.IncludeAttachments || r.Template != "3" || r.Theme != "meadow":
		t.Errorf("options are %+v", r)
	case r.Password.Reveal() != "x" || !r.DenyPrinting || r.DenyCopying || !r.Accessible:
		t.Errorf("protection is %+v", r)
	case r.Workspace != h.demo.ID || r.UserID != h.users["viewer"].ID || r.Report == "invoice":
		t.Errorf("the request is for %d, %d, %q", r.Workspace, r.UserID, r.Report)
	}
}

func testTemporaryData(t *testing.T, open opener) {
	h := open(t)
	upload := func(body string) (out struct {
		ID      int    `json:"tempDataId"`
		Expires string `json:"expiryDate"`
	},
	) {
		w := h.check(t, scenario{path: "/api/v1/ws/demo/temporary-data", who: "viewer", body: body, status: 200})
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	got := upload(`{"content":{"customers":[{"id":12345678901234567890}]}}`)
	in24 := h.clock.Now().Add(24 * time.Hour).UTC().Format("2006-01-02T15:04:05.000Z")
	if got.ID < 1 || got.Expires != in24 {
		t.Errorf("the upload gave %+v; want the expiry %s", got, in24)
	}
	asked := h.clock.Now().Add(3 * time.Hour).In(time.FixedZone("", 2*3600))
	if got := upload(`{"content":{},"expiryDate":"` + asked.Format(time.RFC3339Nano) + `"}`); got.Expires != asked.UTC().Format("2006-01-02T15:04:05.000Z") {
		t.Errorf("the expiry is %s; want %s in UTC", got.Expires, asked)
	}
	far := h.clock.Now().Add(30 * 24 * time.Hour).UTC().Format("2006-01-02T15:04:05.000Z")
	if got := upload(`{"content":{},"expiryDate":"2099-01-01T00:00:00Z"}`); got.Expires != far {
		t.Errorf("the expiry is %s; want the longest, %s", got.Expires, far)
	}
	h.run([]scenario{
		{name: "no content", path: "/api/v1/ws/demo/temporary-data", who: "viewer", body: `{}`, status: 400, has: []string{`"path":"content"`, "is missing"}},
		{name: "null content", path: "/api/v1/ws/demo/temporary-data", who: "viewer", body: `{"content":null}`, status: 400, has: []string{"is missing"}},
		{name: "a list", path: "/api/v1/ws/demo/temporary-data", who: "viewer", body: `{"content":[1]}`, status: 400, has: []string{"must be an object"}},
		{name: "text that is no JSON", path: "/api/v1/ws/demo/temporary-data", who: "viewer", body: `{"content":"{\"a\":"}`, status: 400, has: []string{`"path":"content`, "ends too early"}},
		{name: "a past expiry", path: "/api/v1/ws/demo/temporary-data", who: "viewer", body: `{"content":{},"expiryDate":"2001-01-01T00:00:00Z"}`, status: 400, has: []string{`"path":"expiryDate"`, "past"}},
		{name: "an expiry that is no time", path: "/api/v1/ws/demo/temporary-data", who: "viewer", body: `{"content":{},"expiryDate":"soon"}`, status: 400, has: []string{`not \"soon\"`}},
		{name: "no right", path: "/api/v1/ws/demo/temporary-data", who: "guest", body: `{"content":{}}`, status: 403, has: []string{"Read on reports"}},
	})
}

func testNonceTokens(t *testing.T, open opener) {
	h := open(t)
	h.run([]scenario{
		{name: "18 without a body", method: "POST", path: "/api/v1/nonce-tokens", who: "viewer", status: 200, has: []string{`{"nonce":"`}},
		{name: "18 an empty body", path: "/api/v1/nonce-tokens", who: "root", body: `{}`, status: 200, has: []string{"nonce"}},
		{name: "18 no JSON", path: "/api/v1/nonce-tokens", who: "root", body: `not JSON`, status: 400},
		{name: "18 a right in one workspace is enough", method: "POST", path: "/api/v1/nonce-tokens", who: "stranger", status: 200},
		{name: "18 no right anywhere", method: "POST", path: "/api/v1/nonce-tokens", who: "lonely", status: 403, has: []string{"needs a role with read on reports"}},
		{name: "18 no right in the only workspace", method: "POST", path: "/api/v1/nonce-tokens", who: "guest", status: 403},
	})
}

func testStatusesOfTheAPI(t *testing.T, open opener) {
	h := open(t, func(c *Config) { c.BodyLimit = 1 << 20 })
	big := `{"data":{"x":"` + strings.Repeat("a", 1<<20) + `"}}`
	h.run([]scenario{
		{name: "no token", path: "/api/v1/workspaces", status: 401, has: []string{`"status":401`, "personal access token"}, answer: map[string]string{"Www-Authenticate": "Bearer", "Content-Type": "application/problem+json"}},
		{name: "an unknown token", path: "/api/v1/workspaces", header: header("Authorization", "Bearer "+unknownToken), status: 401, has: []string{"unknown, expired or revoked"}, lacks: []string{unknownToken}},
		{name: "another scheme", path: "/api/v1/workspaces", header: header("Authorization", "Basic cm9vdDpyb290"), status: 401},
		{name: "a foreign workspace", path: "/api/v1/ws/other-house/reports", who: "viewer", status: 404, has: []string{`"error":"workspace other-house does not exist"`}},
		{name: "no workspace", path: "/api/v1/ws/none/reports", who: "root", status: 404},
		{name: "no address", path: "/api/v1/nothing", who: "root", status: 404, has: []string{`"title":"Not Found"`, `"requestId":"`, `"details":[]`}, answer: map[string]string{"Content-Type": "application/problem+json"}},
		{name: "a slash too much", path: "/api/v1//workspaces", who: "root", status: 404, has: []string{`"error"`}},
		{name: "the end of the API", path: "/api", who: "root", status: 404, has: []string{`"error"`}},
		{name: "a wrong method", method: "DELETE", path: "/api/v1/workspaces", who: "root", status: 405, has: []string{"DELETE is not accepted here; accepted: GET, HEAD"}, answer: map[string]string{"Allow": "GET, HEAD"}},
		{name: "both methods of an address", method: "PUT", path: "/api/v1/ws/demo/reports/1/pdf", who: "root", status: 405, answer: map[string]string{"Allow": "GET, HEAD, POST"}},
		{name: "what an address takes", method: "OPTIONS", path: "/api/v1/ws/demo/reports/1/pdf", status: 204, answer: map[string]string{"Allow": "GET, HEAD, POST, OPTIONS"}},
		{name: "what no address takes", method: "OPTIONS", path: "/api/v1/nothing", status: 404},
		{name: "the headers of a list", method: "HEAD", path: "/api/v1/workspaces", who: "root", status: 200, answer: map[string]string{"Content-Type": "application/json"}},
		{name: "the headers without a token", method: "HEAD", path: "/api/v1/workspaces", status: 401},
		{name: "a form", path: "/api/v1/ws/demo/reports/invoice/pdf", who: "viewer", body: "a=1", header: header("Content-Type", "application/x-www-form-urlencoded"), status: 415, has: []string{"accepted: application/json"}},
		{name: "another character set", path: "/api/v1/ws/demo/reports/invoice/pdf", who: "viewer", body: "{}", header: header("Content-Type", "application/json; charset=utf-16"), status: 415},
		{name: "a packed body", path: "/api/v1/ws/demo/reports/invoice/pdf", who: "viewer", body: "{}", header: header("Content-Encoding", "gzip"), status: 415},
		{name: "too large", path: "/api/v1/ws/demo/reports/invoice/pdf", who: "viewer", body: big, status: 413, has: []string{"larger than 1 MB"}},
		{name: "too large an upload", path: "/api/v1/ws/demo/temporary-data", who: "viewer", body: big, status: 413},
	})
}

func testBadInput(t *testing.T, open opener) {
	h := open(t)
	pdf := "/api/v1/ws/demo/reports/invoice/pdf"
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	for name, c := range map[string]scenario{
		"broken JSON":           {path: pdf, body: `{"params": {"a": }}`, has: []string{"not valid JSON at byte", "params.a"}},
		"cut JSON":              {path: pdf, body: `{"params": {"a": 1`, has: []string{"ends too early"}},
		"two values":            {path: pdf, body: `{} {}`, has: []string{"after the end"}},
		"a list":                {path: pdf, body: `[1]`, has: []string{"the body must be a JSON object, not a list"}},
		"a text":                {path: pdf, body: `"{}"`, has: []string{"the body must be a JSON object"}},
		"doubled names":         {path: pdf, body: `{"a":1,"a":2}`, has: []string{"duplicate"}},
		"deep nesting":          {path: pdf, body: `{"data":` + deep + `}`, has: []string{"nested more than 200 levels deep"}},
		"deep objects":          {path: pdf, body: strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000), has: []string{"nested more than"}},
		"invalid UTF-8":         {path: pdf, body: "{\"lang\":\"\xff\"}", has: []string{"not valid JSON", "UTF-8"}},
		"invalid UTF-8 address": {path: pdf + "?lang=%FF", has: []string{`"path":"lang"`, "UTF-8"}},
		"broken escape":         {path: pdf + "?lang=%zz", has: []string{`"path":"lang"`, "percent-encoded"}},
		"zero byte":             {path: pdf + "?theme=%00", has: []string{`"path":"theme"`}},
		"deep brackets":         {path: pdf + "?params" + strings.Repeat("[a]", 1000) + "=1", has: []string{"nested more than 20 levels"}},
		"two forms":             {path: pdf + "?params=%7B%7D&params[a]=1", has: []string{"one form"}},
		"no base64":             {path: pdf + "?params=hello!", has: []string{`"path":"params"`, "base64"}},
		"base64 of no JSON":     {path: pdf + "?params=aGVsbG8", has: []string{`"path":"params"`}},
		"a number for params":   {path: pdf, body: `{"params":7}`, has: []string{`"path":"params"`, "not the number 7"}},
	} {
		c.name, c.who, c.status = name, "viewer", 400
		t.Run(name, func(t *testing.T) { h.check(t, c) })
	}
	h.check(t, scenario{path: pdf, who: "viewer", body: `{"params":null,"data":null,"lang":null,"timezone":null,"format":null,"includeAttachments":null,"template":null,"theme":null,"password":null,"allowPrinting":null,"accessible":null,"tempDataId":null}`, status: 200})
	h.check(t, scenario{path: pdf, who: "viewer", body: `null`, status: 200})
}
