package main

import (
	"bytes"
	"context"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/export/signing/signingtest"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
)

// keyring has one connection for each set of settings.
type keyring map[string]map[string]any

func (k keyring) Connection(_ context.Context, _ int, name string) (*data.Connection, error) {
	settings, known := k[name]
	if !known {
		return nil, report.NotFoundf("there is no connection %q", name)
	}
	sealed, err := json.Marshal(settings)
	kind := "signature"
	if name == "shop" {
		kind = "postgres"
	}
	return &data.Connection{Type: kind, Address: report.Secret(sealed)}, err
}

const unseenReport = `{"version":1,"name":"Letter","language":"en","title":"Letter","pages":[{"id":1,"name":"A","elements":[{"type":"heading","props":{"title":"Dear reader"}},{"type":"text","props":{"text":"So it is."}}]}]}`

// signedService exports a report with the connections of a keyring.
func signedService(t *testing.T, definition string, keys keyring) *export.Service {
	t.Helper()
	def, problems := report.ParseReport([]byte(definition))
	if problems != nil {
		t.Fatal(problems)
	}
	c := newPageCheck(t, &report.Workspace{Reports: []report.NamedReport{{Code: "r", Report: *def}}})
	guard, err := egress.New(egress.Config{AllowHosts: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(guard.Close)
	c.engine.config.Connections, c.engine.config.Guard = keys, guard
	return export.New(c.engine.config)
}

// pdfsig is what poppler says of the signatures of a file.
func pdfsig(t *testing.T, content []byte, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("pdfsig"); err != nil {
		judges.Missing(t, "needs pdfsig (poppler-utils)")
	}
	file := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command("pdfsig", append(args, "-nocert", file)...).CombinedOutput() // its status tells of trust, too
	return string(out)
}

var byteRange = regexp.MustCompile(`/ByteRange\[0 (\d+) (\d+) (\d+)\]`)

// verified has openssl verify the signature of a file against the root.
func verified(t *testing.T, content []byte, root *x509.Certificate) error {
	t.Helper()
	found := byteRange.FindSubmatch(content)
	if found == nil {
		t.Fatal("there is no signature")
	}
	var n [3]int
	for i := range n {
		n[i], _ = strconv.Atoi(string(found[i+1]))
	}
	if n[1]+n[2] != len(content) {
		t.Fatalf("of %d bytes %v are signed", len(content), n)
	}
	signed := slices.Concat(content[:n[0]], content[n[1]:])
	signature, err := hex.DecodeString(string(content[n[0]+1 : n[1]-1]))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, b := range map[string][]byte{"a.der": trimmed(signature), "content": signed, "root.pem": []byte(signingtest.CertPEM(root))} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("openssl", "cms", "-verify", "-inform", "DER", "-in", "a.der", "-content", "content", "-binary", "-CAfile", "root.pem", "-purpose", "any", "-cades", "-out", "out")
	cmd.Dir = dir
	_, err = cmd.Output()
	return err
}

// trimmed is a signature without the room behind it.
func trimmed(der []byte) []byte {
	if len(der) < 4 || der[1] != 0x82 {
		return der
	}
	return der[:4+int(der[2])<<8+int(der[3])]
}

// TestSignedFiles has poppler and openssl verify signatures of files of all kinds, and
// veraPDF say that they still conform.
func TestSignedFiles(t *testing.T) {
	ofDocuments(t)
	own := signingtest.New(t, signingtest.RSA(t, 2048), nil)
	curve := signingtest.New(t, signingtest.ECDSA(t, elliptic.P256()), nil)
	clock := httptest.NewServer(signingtest.NewAuthority(t, x509.ExtKeyUsageTimeStamping))
	defer clock.Close()
	keys := keyring{
		"seal":    {"key": own.PEM(t), "reason": "Rechnung geprüft", "location": "Köln", "contact": "mail@example.com"},
		"curve":   {"key": curve.PEM(t), "changes": "none"},
		"pss":     {"key": own.PEM(t), "padding": "pss"},
		"stamped": {"key": own.PEM(t), "stampUrl": clock.URL, "changes": "filling"},
		"other":   {"key": own.PEM(t), "field": "nowhere"},
		"named":   {"key": own.PEM(t), "field": "sign"},
	}
	seen, unseen := signedService(t, formReport, keys), signedService(t, unseenReport, keys)
	var judged []string
	dir := t.TempDir()
	for _, tt := range []struct {
		name     string
		service  *export.Service
		ask      export.Request
		flavours []string
		field    string
		args     []string
	}{
		{"plain", unseen, export.Request{ExportOptions: report.ExportOptions{Signature: "seal"}}, nil, "quire-signature", nil},
		{"curve", unseen, export.Request{ExportOptions: report.ExportOptions{Signature: "curve"}}, nil, "quire-signature", nil},
		{"RSASSA-PSS", unseen, export.Request{ExportOptions: report.ExportOptions{Signature: "pss", Conformance: "pdf/a-2a"}}, []string{"2a", "ua1"}, "quire-signature", nil},
		{"protected", unseen, export.Request{Password: "s3cret", ExportOptions: report.ExportOptions{Signature: "seal"}}, nil, "quire-signature", []string{"-upw", "s3cret"}},
		{"form", seen, export.Request{ExportOptions: report.ExportOptions{Signature: "stamped"}}, nil, "sign", nil},
		{"accessible", seen, export.Request{ExportOptions: report.ExportOptions{Signature: "named", Accessible: true}}, []string{"ua1"}, "sign", nil},
		{"accessible, unseen", unseen, export.Request{ExportOptions: report.ExportOptions{Signature: "seal", Accessible: true}}, []string{"ua1"}, "quire-signature", nil},
		{"archive", unseen, export.Request{ExportOptions: report.ExportOptions{Signature: "stamped", Conformance: "pdf/a-2b"}}, []string{"2b"}, "quire-signature", nil},
		{"archive with data", seen, export.Request{ExportOptions: report.ExportOptions{Signature: "curve", Conformance: "pdf/a-3b"}}, []string{"3b"}, "sign", nil},
		{"accessible archive", seen, export.Request{ExportOptions: report.ExportOptions{Signature: "stamped", Conformance: "pdf/a-2a"}}, []string{"2a", "ua1"}, "sign", nil},
		{"accessible archive, unseen", unseen, export.Request{ExportOptions: report.ExportOptions{Signature: "seal", Conformance: "pdf/a-2a"}}, []string{"2a", "ua1"}, "quire-signature", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.ask.Report = "r"
			content, warnings := finished(t, tt.service, tt.ask)
			for _, w := range warnings {
				if w.Path == "signature" || w.Path == "accessible" {
					t.Error(w)
				}
			}
			said := pdfsig(t, content, tt.args...)
			for _, want := range []string{"Signature Field Name: " + tt.field + "\n", "Signer Certificate Common Name: Ágnes Büttner\n", "Signature Type: ETSI.CAdES.detached\n", "Total document signed\n", "Signature Validation: Signature is Valid."} {
				if !strings.Contains(said, want) {
					t.Errorf("pdfsig does not say %q:\n%s", want, said)
				}
			}
			if err := verified(t, content, own.Root); err != nil {
				t.Errorf("openssl: %v", withErrors(err))
			}
			file := filepath.Join(dir, strings.NewReplacer(" ", "-", ",", "").Replace(tt.name)+".pdf")
			if err := os.WriteFile(file, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if tt.ask.Password == "" {
				qpdfCheck(t, file)
			}
			for _, flavour := range tt.flavours {
				judged = append(judged, flavour+"="+file)
			}
			changed := bytes.Clone(content)
			changed[len(changed)/2]++
			if at := bytes.Index(content, []byte("/Contents<")); len(changed)/2 > at && len(changed)/2 < at+60_000 {
				changed[len(changed)/2]--
				changed[at/2]++
			}
			if verified(t, changed, own.Root) == nil || strings.Contains(pdfsig(t, changed, tt.args...), "Signature is Valid.") {
				t.Error("a changed byte is not found")
			}
		})
	}
	if !t.Failed() {
		judge(t, judged, &tally{})
	}
	t.Run("twice", func(t *testing.T) {
		ask := export.Request{Report: "r", ExportOptions: report.ExportOptions{Signature: "curve"}}
		first, _ := finished(t, unseen, ask)
		if again, _ := finished(t, unseen, ask); !bytes.Equal(first, again) {
			t.Error("the same report has other bytes")
		}
	})
	t.Run("a field that is not there", func(t *testing.T) {
		content, warnings := finished(t, seen, export.Request{Report: "r", ExportOptions: report.ExportOptions{Signature: "other"}})
		if !strings.Contains(warnings.Error(), `there is no signature field "nowhere"; the file is signed, and no page shows it`) {
			t.Errorf("the warnings are %v", warnings)
		}
		if said := pdfsig(t, content); !strings.Contains(said, "Signature is Valid.") {
			t.Error(said)
		}
	})
	t.Run("joined", func(t *testing.T) {
		var chapters []export.Chapter
		for _, password := range []report.Secret{"", "s3cret"} {
			content, _ := finished(t, unseen, export.Request{Report: "r", Password: password, ExportOptions: report.ExportOptions{Signature: "seal"}})
			chapters = append(chapters, export.Chapter{Document: export.NewFile("a.pdf", "application/pdf", content).Document("a.pdf"), Title: "A", Passwords: []report.Secret{password}})
		}
		f, err := unseen.Join(t.Context(), "All", checkedAt, chapters)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if plain := inflated(t, contentOf(t, f)); bytes.Contains(plain, []byte("/ByteRange")) || !bytes.Contains(plain, []byte("/FT /Sig")) {
			t.Error("a joined file has the signatures of its parts, which are not its own, or has lost their fields")
		}
	})
	t.Run("seen", func(t *testing.T) {
		content, _ := finished(t, seen, export.Request{Report: "r", ExportOptions: report.ExportOptions{Signature: "seal"}})
		file := filepath.Join(t.TempDir(), "a.pdf")
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		text := string(judgedBy(t, "mutool", "draw", "-F", "text", "-q", file))
		for _, want := range []string{"Ágnes Büttner", "11/21/2026, 9:30 AM +00:00", "Rechnung geprüft", "Köln"} {
			if !strings.Contains(text, want) {
				t.Errorf("the page does not show %q:\n%s", want, text)
			}
		}
		german, _ := finished(t, signedService(t, strings.Replace(formReport, `"language":"en"`, `"language":"de"`, 1), keys), export.Request{Report: "r", ExportOptions: report.ExportOptions{Signature: "seal"}})
		if err := os.WriteFile(file, german, 0o600); err != nil {
			t.Fatal(err)
		}
		if text := string(judgedBy(t, "mutool", "draw", "-F", "text", "-q", file)); !strings.Contains(text, "21.11.2026, 9:30 +00:00") {
			t.Errorf("the page has no time in German:\n%s", text)
		}
		if keep := os.Getenv("QUIRE_KEEP"); keep != "" {
			_ = os.WriteFile(filepath.Join(keep, "signed.pdf"), content, 0o600)
		}
	})
}

// TestFilesThatAreNotSigned: without the signature that was asked for there is no file.
func TestFilesThatAreNotSigned(t *testing.T) {
	ofDocuments(t)
	old := signingtest.New(t, signingtest.ECDSA(t, elliptic.P256()), func(c *x509.Certificate) { c.NotAfter = checkedAt.AddDate(0, 0, -1) })
	own := signingtest.New(t, signingtest.ECDSA(t, elliptic.P256()), nil)
	clock := httptest.NewServer(nil)
	clock.Close()
	s := signedService(t, unseenReport, keyring{
		"old": {"key": old.PEM(t)}, "late": {"key": own.PEM(t), "stampUrl": clock.URL}, "shop": {"address": "x"},
		"locked": {"key": own.PEM(t), "field": 7},
	})
	for name, want := range map[string]string{
		"none":   `signature: there is no connection "none" in this workspace`,
		"shop":   `signature: the connection "shop" is of type postgres, and one of type signature is needed`,
		"old":    `signature: the file is not signed by the connection "old": the certificate of Ágnes Büttner expired on`,
		"late":   `signature: the file is not signed by the connection "late": there is no time stamp: the host "127.0.0.1" did not answer`,
		"locked": `signature: the file is not signed by the connection "locked"`,
	} {
		_, err := s.Export(t.Context(), export.Request{Workspace: 1, Report: "r", ExportOptions: report.ExportOptions{Signature: name}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want one with %q", name, err, want)
		}
	}
	for format, want := range map[string]string{"html": "PDF files alone are signed, not html", "docx": "PDF files alone are signed, not docx"} {
		_, err := s.Export(t.Context(), export.Request{Workspace: 1, Report: "r", ExportOptions: report.ExportOptions{Signature: "old", Format: format}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", format, err)
		}
	}
	_, err := s.Export(t.Context(), export.Request{Workspace: 1, Report: "r", ExportOptions: report.ExportOptions{Signature: "old", Conformance: "pdf/x-4"}})
	if err == nil || !strings.Contains(err.Error(), "a PDF/X file cannot be signed") {
		t.Errorf("for the press: %v", err)
	}
}
