package api

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// The tests of this file are the rows of FACTS.md, section 1: what clients in
// the field send and read.

const pdfPath = "/api/v1/ws/demo/reports/invoice/pdf"

func (h *house) jsonOf(o *report.Object) string {
	if o == nil {
		return "absent"
	}
	text, err := json.Marshal(o)
	if err != nil {
		h.t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), `\u003e`, ">") // as the encoder writes it
}

func TestFact1ObjectsInQueries(t *testing.T) {
	h := open(t)
	const object = `{"a":"ü?>~","n":[1,2.50],"big":12345678901234567890}`
	escaped := url.QueryEscape(object)
	std, web := base64.StdEncoding.EncodeToString([]byte(object)), base64.URLEncoding.EncodeToString([]byte(object))
	for name, c := range map[string]struct{ query, params string }{
		"JSON text":                      {"params=" + escaped, object},
		"JSON text with blanks":          {"params=+" + escaped + "%0A", object},
		"JSON text in JSON text":         {"params=" + url.QueryEscape(`"{\"a\":1}"`), `{"a":1}`},
		"base64":                         {"params=" + url.QueryEscape(std), object},
		"base64, not escaped":            {"params=" + std, object},
		"base64 without padding":         {"params=" + url.QueryEscape(strings.TrimRight(std, "=")), object},
		"base64url":                      {"params=" + web, object},
		"base64url without padding":      {"params=" + strings.TrimRight(web, "="), object},
		"brackets by name":               {"params[a]=x&params[b]=2", `{"a":"x","b":"2"}`},
		"escaped brackets":               {"params%5Ba%5D=x", `{"a":"x"}`},
		"brackets around the whole":      {"params[params]=" + escaped, object},
		"brackets around base64":         {"params[params]=" + web, object},
		"brackets around brackets":       {"params[params][a]=1&params[params][b]=2", `{"a":"1","b":"2"}`},
		"a parameter of that name":       {"params[params]=1", `{"params":"1"}`},
		"a list in brackets":             {"params[ids][]=1&params[ids][]=2", `{"ids":["1","2"]}`},
		"a numbered list":                {"params[ids][0]=1&params[ids][1]=2", `{"ids":["1","2"]}`},
		"an object in brackets":          {"params[range][from]=2026-01-01&params[range][to]=2026-02-01", `{"range":{"from":"2026-01-01","to":"2026-02-01"}}`},
		"JSON in brackets":               {"params[range]=" + url.QueryEscape(`{"from":1.0}`), `{"range":{"from":1.0}}`},
		"an empty object":                {"params=%7B%7D", "{}"},
		"an empty list for no parameter": {"params=[]", "{}"},
		"an empty value":                 {"params=", "absent"},
		"an empty bracket":               {"params[a]=", "absent"},
		"null":                           {"params=null", "absent"},
		"a trailing question mark":       {"params=%7B%22a%22%3A1%7D?", `{"a":1}`},
		"nothing but a question mark":    {"?", "absent"},
	} {
		t.Run(name, func(t *testing.T) {
			h.check(t, scenario{path: pdfPath + "?" + c.query, who: "viewer", status: 200})
			if got := h.jsonOf(h.export.last.Params); got != c.params {
				t.Errorf("params are %s; want %s", got, c.params)
			}
			h.check(t, scenario{path: pdfPath + "?" + strings.ReplaceAll(c.query, "params", "data"), who: "viewer", status: 200})
			if got, want := h.jsonOf(h.export.last.Data), strings.ReplaceAll(c.params, "params", "data"); got != want {
				t.Errorf("data is %s; want %s", got, want)
			}
		})
	}
}

func TestFact2BooleansAndFormats(t *testing.T) {
	h := open(t, func(c *Config) { c.Formats = []string{"pdf", "docx", "xlsx", "pptx", "html"} })
	for text, want := range map[string]bool{"true": true, "True": true, "1": true, "false": false, "False": false, "0": false, "": false} {
		h.check(t, scenario{path: pdfPath + "?accessible=" + text, who: "viewer", status: 200})
		if h.export.last.Accessible != want {
			t.Errorf("accessible=%s is %v", text, h.export.last.Accessible)
		}
	}
	for text, want := range map[string]bool{`true`: true, `"True"`: true, `1`: true, `"1"`: true, `0`: false, `"False"`: false, `false`: false} {
		h.check(t, scenario{path: pdfPath, who: "viewer", body: `{"includeAttachments":` + text + `}`, status: 200})
		if h.export.last.IncludeAttachments != want {
			t.Errorf("includeAttachments %s is %v", text, h.export.last.IncludeAttachments)
		}
	}
	for query, want := range map[string]string{
		"format=PDF": "pdf", "format=Docx": "docx", "format[name]=pdf": "pdf", "format[name]=Html": "html", "format%5Bname%5D=XLSX": "xlsx",
		"format=0": "pdf", "format=1": "docx", "format=2": "xlsx", "format=3": "pptx", "format=4": "html", "format=": "", "x=1": "",
	} {
		h.check(t, scenario{path: pdfPath + "?" + query, who: "viewer", status: 200})
		if h.export.last.Format != want {
			t.Errorf("%s is %q; want %q", query, h.export.last.Format, want)
		}
	}
	for value, want := range map[string]string{`"PDF"`: "pdf", `4`: "html", `"2"`: "xlsx", `{"name":"Pptx"}`: "pptx", `null`: ""} {
		h.check(t, scenario{path: pdfPath, who: "viewer", body: `{"format":` + value + `}`, status: 200})
		if h.export.last.Format != want {
			t.Errorf("format %s is %q; want %q", value, h.export.last.Format, want)
		}
	}
	for _, query := range []string{"format=5", "format=-1", "format[code]=pdf", "accessible=yes"} {
		h.check(t, scenario{path: pdfPath + "?" + query, who: "viewer", status: 400})
	}
}

func TestFact3NullIsAbsent(t *testing.T) {
	h := open(t)
	h.check(t, scenario{path: pdfPath, who: "viewer", body: `{"params":{},"data":{},"lang":null,"timezone":null,"format":null,"theme":null,"template":null,"allowPrinting":null,"password":null}`, status: 200})
	if r := h.export.last; h.jsonOf(r.Params) != "{}" || h.jsonOf(r.Data) != "{}" || r.DenyPrinting || r.Format != "" {
		t.Errorf("the request is %+v", r)
	}
	h.check(t, scenario{path: "/api/v1/ws/demo/temporary-data", who: "viewer", body: `{"content":{"a":null},"expiryDate":null}`, status: 200})
}

func TestFact4ContentOfTemporaryData(t *testing.T) {
	h := open(t)
	for _, body := range []string{
		`{"content":{"customers":[{"id":1.0}]}}`,
		`{"content":"{\"customers\":[{\"id\":1.0}]}"}`,
		`{"content":" {\"customers\":[{\"id\":1.0}]} ","expiryDate":null}`,
	} {
		w := h.check(t, scenario{path: "/api/v1/ws/demo/temporary-data", who: "viewer", body: body, status: 200})
		var out struct {
			ID int `json:"tempDataId"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			t.Fatal(err)
		}
		content, err := h.store.TempData(t.Context(), h.demo.ID, h.users["viewer"].ID, out.ID)
		if err != nil {
			t.Fatal(err)
		}
		stored := must[report.Object](t)(readObject(content))
		if got := h.jsonOf(&stored); got != `{"customers":[{"id":1.0}]}` {
			t.Errorf("%s is kept as %s", body, got)
		}
	}
}

func TestFact5EmptyBodiesAndExpiry(t *testing.T) {
	h := open(t)
	kind := header("Content-Type", "application/json")
	for _, path := range []string{pdfPath, "/api/v1/nonce-tokens"} {
		h.check(t, scenario{method: "POST", path: path, who: "viewer", header: kind, status: 200})
		h.check(t, scenario{method: "POST", path: path, who: "viewer", status: 200})
	}
	h.check(t, scenario{method: "POST", path: "/api/v1/ws/demo/temporary-data", who: "viewer", header: kind, status: 400, has: []string{"content"}})
	at := h.clock.Now().Add(5 * time.Hour).UTC().Truncate(time.Second)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05.0000000Z07:00", "2006-01-02T15:04:05.999-0700", "2006-01-02T15:04:05"} {
		zone := time.FixedZone("", -5*3600-1800)
		if !strings.Contains(layout, "07") {
			zone = time.UTC
		}
		h.check(t, scenario{
			path: "/api/v1/ws/demo/temporary-data", who: "viewer", status: 200,
			body: `{"content":{},"expiryDate":"` + at.In(zone).Format(layout) + `"}`, has: []string{`"expiryDate":"` + at.Format("2006-01-02T15:04:05.000Z") + `"`},
		})
	}
}

func TestFact6NothingIsNegotiated(t *testing.T) {
	h := open(t)
	for _, accept := range []string{"application/json", "text/html", "image/png;q=0.1", "", "*/*", "nonsense"} {
		h.check(t, scenario{path: pdfPath, who: "viewer", header: header("Accept", accept), status: 200, has: []string{"%PDF"}, answer: map[string]string{"Content-Type": "application/pdf"}})
		h.check(t, scenario{path: "/api/v1/workspaces", who: "viewer", header: header("Accept", accept), status: 200, answer: map[string]string{"Content-Type": "application/json"}})
		h.check(t, scenario{path: "/api/v1/workspaces", header: header("Accept", accept), status: 401, lacks: []string{"<"}, answer: map[string]string{"Content-Type": "application/problem+json", "Location": ""}})
		h.check(t, scenario{path: "/api/v1/none", header: header("Accept", accept), status: 404, lacks: []string{"<"}})
	}
}

func TestFact7Statuses(t *testing.T) {
	h := open(t)
	h.check(t, scenario{method: "POST", path: "/api/v1/nonce-tokens", who: "viewer", status: 200})
	h.check(t, scenario{path: "/api/v1/ws/demo/temporary-data", who: "viewer", body: `{"content":{}}`, status: 200})
}

func TestFact8FileNames(t *testing.T) {
	h := open(t)
	for name, want := range map[string]string{
		"Sample report.pdf":    `attachment; filename="Sample report.pdf"; filename*=UTF-8''Sample%20report.pdf`,
		"Übersicht „März“.pdf": `attachment; filename="Ubersicht _Marz_.pdf"; filename*=UTF-8''%C3%9Cbersicht%20%E2%80%9EM%C3%A4rz%E2%80%9C.pdf`,
		`a"b\c;d.pdf`:          `attachment; filename="a_b_c;d.pdf"; filename*=UTF-8''a%22b%5Cc%3Bd.pdf`,
		"a\r\nX: y.pdf":        `attachment; filename="a__X: y.pdf"; filename*=UTF-8''a%0D%0AX%3A%20y.pdf`,
		"отчёт.pdf":            `attachment; filename="_____.pdf"; filename*=UTF-8''%D0%BE%D1%82%D1%87%D1%91%D1%82.pdf`,
	} {
		h.export.named(name)
		h.check(t, scenario{path: pdfPath, who: "viewer", status: 200, answer: map[string]string{"Content-Disposition": want, "Content-Length": "4"}})
	}
}

func TestFact9MembersAndIDs(t *testing.T) {
	h := open(t)
	w := h.check(t, scenario{path: "/api/v1/ws/demo/reports", who: "viewer", status: 200})
	var reports []map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &reports); err != nil {
		t.Fatal(err)
	}
	for _, r := range reports {
		for _, member := range []string{"id", "name", "reportTypeId", "reportTypeName", "reportTemplateName", "themeName", "isDefault", "previewImage"} {
			if value, ok := r[member]; !ok || value == nil && member != "previewImage" {
				t.Errorf("report %v: %s is %v", r["name"], member, value)
			}
		}
		if id := r["id"].(float64); id < 1 || id > 1<<31-1 {
			t.Errorf("the ID %v does not fit into signed 32 bits", id)
		}
	}
	w = h.check(t, scenario{path: "/api/v1/ws/demo/temporary-data", who: "viewer", body: `{"content":{}}`, status: 200, has: []string{`"expiryDate":"`}})
	var upload struct {
		ID int64 `json:"tempDataId"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &upload); err != nil || upload.ID < 1 || upload.ID > 1<<31-1 {
		t.Errorf("%v in %s", err, w.Body)
	}
}

func TestFact10Errors(t *testing.T) {
	h := open(t)
	w := h.check(t, scenario{path: pdfPath + "?timezone=Mars&format=odt", who: "viewer", header: header("X-Request-Id", "proxy-4711"), status: 400, answer: map[string]string{"X-Request-Id": "proxy-4711"}})
	var body map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	for member, want := range map[string]any{"type": "about:blank", "title": "Bad Request", "status": 400.0, "requestId": "proxy-4711"} {
		if body[member] != want {
			t.Errorf("%s is %v; want %v", member, body[member], want)
		}
	}
	if body["error"] != body["detail"] || !strings.Contains(body["error"].(string), `unknown time zone "Mars"`) || len(body["details"].([]any)) != 2 {
		t.Errorf("the error is %s", w.Body)
	}
}

func TestFact11MissingRights(t *testing.T) {
	h := open(t)
	h.run([]scenario{
		{name: "no token", path: pdfPath, status: 401},
		{name: "a bad token", path: pdfPath, header: header("Authorization", "Bearer "+unknownToken), status: 401},
		{name: "no right", path: "/api/v1/ws/demo/templates", who: "guest", status: 403, has: []string{"needs a role with Read on templates; your role Guest has No access"}},
	})
}
