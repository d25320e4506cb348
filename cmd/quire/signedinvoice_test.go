package main

import (
	"bytes"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/export/signing/signingtest"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// noise is a picture that cannot be made smaller.
func noise(t *testing.T, width, height int) []byte {
	t.Helper()
	from := rand.New(rand.NewPCG(1, 2))
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range picture.Pix {
		picture.Pix[i] = byte(from.Uint32())
		if i%4 == 3 {
			picture.Pix[i] = 255
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestElectronicInvoicesAreSigned makes electronic invoices with a signature and a time
// stamp by every way that a service has, one of them too large for memory, and has all
// judges say that they are both. The audit log has each.
func TestElectronicInvoicesAreSigned(t *testing.T) {
	ofDocuments(t)
	own := signingtest.New(t, signingtest.ECDSA(t, elliptic.P256()), nil)
	clock := httptest.NewServer(signingtest.NewAuthority(t, x509.ExtKeyUsageTimeStamping))
	defer clock.Close()
	folder := t.TempDir()
	s := startService(t, "Deliveries__Folders="+folder)
	sample := sampleInvoice(t)
	bill := invoiceReport(t, "en16931", sample)
	large := invoiceReport(t, "extended", sample)
	bill.Report.Type, large.Report.Type = "bill", "large"
	large.Report.Pages[0].Elements = append(large.Report.Pages[0].Elements, report.Element{Type: "img", Props: map[string]any{"imageUrl": "noise.png", "altText": "Noise"}})
	made, err := s.store.ImportWorkspace(t.Context(), report.Workspace{
		Name: "Shop", Code: "shop", Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-GB"}}, Reports: []report.NamedReport{bill, large},
		ReportTypes: []report.ReportType{{Name: "Bill", Code: "bill", DefaultReport: bill.Code}, {Name: "Large", Code: "large", DefaultReport: large.Code}},
	})
	if err != nil {
		t.Fatal(err)
	}
	shop := made.Workspace.ID
	if _, err := s.store.PutFile(t.Context(), shop, "noise.png", "image/png", bytes.NewReader(noise(t, 1400, 1100))); err != nil {
		t.Fatal(err)
	}
	settings, err := json.Marshal(map[string]any{"key": own.PEM(t), "stampUrl": clock.URL})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.store.PutConnection(t.Context(), shop, store.Connection{Name: "seal", Type: "signature", Address: report.Secret(settings)}); err != nil {
		t.Fatal(err)
	}

	files := map[string][]byte{
		"at-once":    s.ok("GET", "/api/v1/ws/shop/reports/bill/pdf?signature=seal", nil).body,
		"large":      s.ok("POST", "/api/v1/ws/shop/reports/large/pdf", `{"signature":"seal"}`).body,
		"accessible": s.ok("GET", "/api/v1/ws/shop/reports/bill/pdf?signature=seal&accessible=true", nil).body,
	}
	id := int(s.post(t, "/api/v1/ws/shop/reports/large/export", `{"signature":"seal"}`, "")["temporaryFileId"].(float64))
	waited := fmt.Sprintf("/api/v1/ws/shop/exports/%d", id)
	for end := time.Now().Add(time.Minute); strings.Contains(string(s.ok("GET", waited+"/status", nil).body), "InProgress") && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond) // as clients do
	}
	files["later"] = s.ok("GET", waited+"/content", nil).body
	job := `{"name": "Bills", "code": "bills", "active": true, "repeat": "customers",
		"dataSources": [{"name": "customers", "type": "json", "settings": {"content": [{"name": "Ana"}, {"name": "Ben"}]}}],
		"reports": [{"report": "bill", "fileName": "{$record.name}", "signature": "seal"}],
		"deliveries": [{"type": "local", "settings": {}}]}`
	if _, err := s.store.CreateResource(t.Context(), shop, store.JobKind, []byte(job)); err != nil {
		t.Fatal(err)
	}
	s.post(t, "/api/v1/ws/shop/jobs/bills/runs", `{}`, "")
	for _, e := range s.entriesOf(t, shop) {
		if e.State != store.EntryCompleted {
			t.Errorf("entry %d is %s: %s", e.Position, e.State, e.Error)
		}
	}
	for _, name := range []string{"Ana", "Ben"} {
		if files[name], err = os.ReadFile(filepath.Join(folder, name+".pdf")); err != nil {
			t.Fatal(err)
		}
	}

	dir := t.TempDir()
	var judged, archives []string
	for name, content := range files {
		if said := pdfsig(t, content); !strings.Contains(said, "Total document signed\n") || !strings.Contains(said, "Signature Validation: Signature is Valid.") {
			t.Errorf("%s: pdfsig says %s", name, said)
		}
		if err := verified(t, content, own.Root); err != nil {
			t.Errorf("%s: openssl: %v", name, withErrors(err))
		}
		if strings.Contains("large later", name) != (len(content) > 4<<20) {
			t.Errorf("%s has %d bytes", name, len(content))
		}
		file := filepath.Join(dir, name+".pdf")
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		qpdfCheck(t, file)
		judged, archives = append(judged, file), append(archives, "3b="+file)
		if name == "accessible" {
			archives = append(archives, "ua1="+file)
		}
	}
	for _, j := range mustang(t, judged...) {
		if !j.Valid || len(j.Failed) > 0 || j.Rules == 0 {
			t.Errorf("%s: valid %t, %d rules, failed: %s", filepath.Base(j.File), j.Valid, j.Rules, strings.Join(j.Failed, "; "))
		}
	}
	judge(t, archives, new(tally))

	events, err := s.store.AuditEvents(t.Context(), store.AuditQuery{WorkspaceID: shop, Action: "connection.signed", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, e := range events {
		said += fmt.Sprintf("%s %s %s %s\n", e.ActorKind, e.Actor, e.Target, e.Detail)
	}
	root := s.settings.RootEmail
	for want, times := range map[string]int{
		"token " + root + " seal": 3, "job " + root + " seal": 3, `"entry":"run 1, entry 1"`: 1, `"entry":"run 1, entry 2"`: 1,
		fmt.Sprintf(`"serial":"%x"`, own.Cert.SerialNumber): 6, `"certificate":"CN=Ágnes Büttner,O=Example GmbH"`: 6,
	} {
		if n := strings.Count(said, want); n != times {
			t.Errorf("the audit log has %q %d times, want %d:\n%s", want, n, times, said)
		}
	}
}
