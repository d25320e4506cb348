package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/store/storetest"
)

// everywhere runs a test on the embedded default and on PostgreSQL with Redis
// and S3.
func everywhere(t *testing.T, test func(t *testing.T, s *service)) {
	t.Run("embedded", func(t *testing.T) { test(t, startService(t)) })
	t.Run("servers", func(t *testing.T) {
		test(t, startService(t,
			"ConnectionStrings__Database="+storetest.Postgres(t).Database(t),
			"ConnectionStrings__Redis="+storetest.Redis(t),
			"Storage__Url="+storetest.S3(t)))
	})
}

func TestAnEmbeddingCustomerGetsPreviewAndPDFOfUploadedData(t *testing.T) {
	everywhere(t, func(t *testing.T, s *service) {
		content := `{"content": {"invoice": {"number": "A-1", "date": "2026-02-03", "due": "2026-03-05", "total": 12345678901234567890.10, "subtotal": 1, "shipping": 0, "vat": 0, "vatRate": 0.2, "order": "O-9",
			"customer": {"name": "Ünal & Co <Ltd>", "number": "K1"}, "delivery": {"name": "Dock 7"}}, "items": []}}`
		var uploaded struct {
			TempDataID int    `json:"tempDataId"`
			ExpiryDate string `json:"expiryDate"`
		}
		if err := json.Unmarshal(s.ok(http.MethodPost, "/api/v1/ws/demo/temporary-data", content).body, &uploaded); err != nil || uploaded.TempDataID == 0 || uploaded.ExpiryDate == "" {
			t.Fatalf("uploaded %+v: %v", uploaded, err)
		}
		option := fmt.Sprintf("tempDataId=%d", uploaded.TempDataID)
		facts := s.facts("/api/v1/ws/demo/reports/invoice/pdf?" + option)
		for _, want := range []string{"Invoice A-1", "Ünal & Co <Ltd>", "€12,345,678,901,234,567,890.10", "Dock 7"} {
			if !strings.Contains(facts.Pages[0].Text, want) {
				t.Errorf("the PDF has no %q:\n%s", want, facts.Pages[0].Text)
			}
		}
		var shown struct{ Pages []string }
		openBrowser(t).eval(t, s.url+"/ws/demo/reports/invoice/preview?"+option+"&nonce="+s.nonce(), &shown)
		if len(shown.Pages) != 1 || !strings.Contains(shown.Pages[0], "Ünal & Co <Ltd>") {
			t.Errorf("the preview shows %q", shown.Pages)
		}
	})
}

func TestOneNonceOpensOnePreview(t *testing.T) {
	everywhere(t, func(t *testing.T, s *service) {
		address := s.url + "/ws/demo/reports/letter/preview?nonce=" + s.nonce()
		var accepted, refused atomic.Int32
		var racing sync.WaitGroup
		for range 1000 {
			racing.Go(func() {
				resp, err := http.Get(address)
				if err != nil {
					t.Error(err)
					return
				}
				resp.Body.Close()
				switch resp.StatusCode {
				case http.StatusOK:
					accepted.Add(1)
				case http.StatusUnauthorized:
					refused.Add(1)
				default:
					t.Errorf("status %d", resp.StatusCode)
				}
			})
		}
		racing.Wait()
		if accepted.Load() != 1 || refused.Load() != 999 {
			t.Errorf("%d accepted, %d refused", accepted.Load(), refused.Load())
		}
	})
}

func TestExportOptions(t *testing.T) {
	s := startService(t)
	post := func(report string, body map[string]any) answer {
		return s.call(http.MethodPost, "/api/v1/ws/demo/reports/"+report+"/pdf", body)
	}
	t.Run("password", func(t *testing.T) {
		a := post("invoice", map[string]any{"password": "s3cret!", "allowCopying": false})
		facts, err := pdf.ReadFacts(context.Background(), a.body, "s3cret!")
		if err != nil {
			t.Fatal(err)
		}
		if !facts.Encrypted || facts.Copying || !facts.Printing {
			t.Errorf("%+v", facts)
		}
		if _, err := pdf.ReadFacts(context.Background(), a.body, "wrong"); err == nil {
			t.Error("the wrong password opens it")
		}
	})
	t.Run("attachments", func(t *testing.T) {
		a := post("statement", map[string]any{"includeAttachments": true})
		z, err := zip.NewReader(bytes.NewReader(a.body), int64(len(a.body)))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range z.File {
			names = append(names, f.Name)
		}
		slices.Sort(names)
		if got := strings.Join(names, " | "); got != "Account statement Q3 2026.pdf | data/account.json | data/transactions.csv | data/transactions.json" {
			t.Error(got)
		}
	})
	t.Run("names that nobody has", func(t *testing.T) {
		for body, want := range map[string]string{
			`{"data": {"order": {"number": "A-1041"}}}`: `data.order: the report has no data source \"order\"; it has invoice, `,
			`{"data": {"Invoice": {}}}`:                 `did you mean \"invoice\"? It has invoice, `,
			`{"excludePages": [9999]}`:                  `excludePages: the report has no page with the ID 9999; it has 1 (`,
		} {
			path := "/api/v1/ws/demo/reports/invoice/"
			if a := s.call(http.MethodPost, path+"export", body); a.status != 400 || !strings.Contains(string(a.body), want) {
				t.Errorf("%s: %d %s", body, a.status, a.body)
			}
			if strings.Contains(body, "data\"") {
				if a := s.call(http.MethodPost, path+"pdf", body); a.status != 400 || !strings.Contains(string(a.body), want) {
					t.Errorf("%s: %d %s", body, a.status, a.body)
				}
			}
		}
		a := post("invoice", map[string]any{"params": map[string]any{"nope": 1}})
		if told := a.header.Get("Quire-Warnings"); a.status != 200 || !strings.Contains(told, `the report has no parameter \"nope\"`) {
			t.Errorf("%d %s", a.status, told)
		}
	})
	t.Run("html", func(t *testing.T) {
		a := post("letter", map[string]any{"format": "HTML"})
		for _, forbidden := range []string{`src="http`, `src="/`, `url("http`, `url("/`, `<link`, "quire.invalid/font"} {
			if strings.Contains(string(a.body), forbidden) {
				t.Errorf("the file needs %s", forbidden)
			}
		}
		if a.header.Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(string(a.body), "Sørensen-Haugland") {
			t.Errorf("%s, %d bytes", a.header.Get("Content-Type"), len(a.body))
		}
	})
	t.Run("language, theme and template", func(t *testing.T) {
		a := post("invoice", map[string]any{"lang": "de", "theme": "MERIDIAN", "template": "bank", "timezone": "Europe/Belgrade"})
		facts, err := pdf.ReadFacts(context.Background(), a.body, "")
		if err != nil {
			t.Fatal(err)
		}
		if facts.Lang != "de-DE" || facts.Title != "Rechnung 2026-10418" || !strings.Contains(facts.Pages[0].Text, "Meridian Bank") {
			t.Errorf("%s %q", facts.Lang, facts.Title)
		}
	})
	t.Run("accessible", func(t *testing.T) {
		a := post("invoice", map[string]any{"accessible": true})
		facts, err := pdf.ReadFacts(context.Background(), a.body, "")
		if err != nil || !facts.Tagged {
			t.Errorf("tagged: %+v, %v", facts, err)
		}
	})
}

func TestBadInputIsAClearRefusal(t *testing.T) {
	s := startService(t)
	deep := strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000)
	tests := []struct {
		name, path string
		body       any
		status     int
		want       string
	}{
		{"broken JSON", "invoice/pdf", `{"params": {`, 400, "JSON"},
		{"nesting", "invoice/pdf", `{"data": ` + deep + `}`, 400, "nested"},
		{"invalid UTF-8", "invoice/pdf", "{\"lang\": \"\xff\"}", 400, "UTF-8"},
		{"wrong type", "invoice/pdf", `{"params": 7}`, 400, "params"},
		{"unknown format", "invoice/pdf", `{"format": "odt"}`, 400, "accepted: pdf, html"},
		{"unknown time zone", "invoice/pdf", `{"timezone": "Europe/Belgrad"}`, 400, "Europe/Belgrad"},
		{"unknown theme", "invoice/pdf", `{"theme": "neon"}`, 400, "neon"},
		{"unknown template", "invoice/pdf", `{"template": "99"}`, 400, "99"},
		{"unknown language", "invoice/pdf", `{"lang": "<b>"}`, 400, "accepted: en, de"},
		{"an option of another form", "invoice/pdf", `{"tempDataId": 999}`, 400, "not accepted here"},
		{"unknown report", "nothing/pdf", `{}`, 404, "nothing"},
		{"protection of HTML", "invoice/pdf", `{"format": "html", "password": "x"}`, 400, "pdf"},
		{"null everywhere", "invoice/pdf", `{"params": null, "data": null, "lang": null, "timezone": null, "format": null, "theme": null, "template": null, "password": null, "allowPrinting": null, "accessible": null}`, 200, ""},
		{"empty data", "statement/pdf", `{"data": {"transactions": [], "account": {}}}`, 200, ""},
		{"data of other shapes", "statement/pdf", `{"data": {"transactions": {"a": [1, "x", null]}, "account": 7}}`, 200, ""},
		{"rows that are no objects", "statement/pdf", `{"data": {"transactions": [1, null, "x", [2], {"amount": "n/a"}]}}`, 200, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := s.call(http.MethodPost, "/api/v1/ws/demo/reports/"+test.path, test.body)
			if a.status != test.status || !strings.Contains(string(a.body), test.want) {
				t.Errorf("status %d: %.300s", a.status, a.body)
			}
		})
	}
	a := s.call(http.MethodPost, "/api/v1/ws/demo/temporary-data", `{"content": {"x": "`+strings.Repeat("a", 70<<20)+`"}}`)
	if a.status != http.StatusRequestEntityTooLarge {
		t.Errorf("70 MB: status %d: %.200s", a.status, a.body)
	}
}
