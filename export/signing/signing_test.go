package signing

import (
	"bytes"
	"context"
	"crypto"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/smallstep/pkcs7"
	"github.com/youmark/pkcs8"
	"software.sslmate.com/src/go-pkcs12"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/export/signing/signingtest"
)

var now = time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC)

func env(t testing.TB) *Env {
	t.Helper()
	guard, err := egress.New(egress.Config{AllowHosts: []string{"127.0.0.1"}, Timeout: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(guard.Close)
	return &Env{Guard: guard, Clock: func() time.Time { return now }}
}

// TestSignaturesAreThoseOfOthers has openssl verify what each kind of key signs, with the
// attributes that PAdES asks for and forbids.
func TestSignaturesAreThoseOfOthers(t *testing.T) {
	for _, tt := range []struct {
		name, padding string
		key           func(t *testing.T) crypto.Signer
	}{
		{"RSA 2048", "pkcs1", func(t *testing.T) crypto.Signer { return signingtest.RSA(t, 2048) }},
		{"RSA 3072, PSS", "pss", func(t *testing.T) crypto.Signer { return signingtest.RSA(t, 3072) }},
		{"P-256", "pkcs1", func(t *testing.T) crypto.Signer { return signingtest.ECDSA(t, elliptic.P256()) }},
		{"P-384", "pss", func(t *testing.T) crypto.Signer { return signingtest.ECDSA(t, elliptic.P384()) }}, // where it means nothing
		{"P-521", "pkcs1", func(t *testing.T) crypto.Signer { return signingtest.ECDSA(t, elliptic.P521()) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			own := signingtest.New(t, tt.key(t), nil)
			s, err := Open(env(t), map[string]any{"key": own.PEM(t), "padding": tt.padding})
			if err != nil {
				t.Fatal(err)
			}
			content := []byte("what is signed")
			made, err := s.Sign(context.Background(), bytes.NewReader(content))
			if err != nil {
				t.Fatal(err)
			}
			again, err := s.Sign(context.Background(), bytes.NewReader(content))
			if err != nil || bytes.Equal(made, again) == strings.HasSuffix(tt.name, "PSS") {
				t.Errorf("the same content has another signature, or that by PSS the same: %v", err)
			}
			if len(made) > s.Room() {
				t.Errorf("the signature has %d bytes, and room for %d", len(made), s.Room())
			}
			dir := t.TempDir()
			for name, b := range map[string][]byte{"a.der": made, "content": content, "root.pem": []byte(signingtest.CertPEM(own.Root))} {
				if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			signingtest.OpenSSL(t, dir, "cms", "-verify", "-inform", "DER", "-in", "a.der", "-content", "content", "-binary", "-CAfile", "root.pem", "-purpose", "any", "-cades")
			p7, err := pkcs7.Parse(made)
			if err != nil || len(p7.Certificates) != 2 {
				t.Fatalf("%d certificates are in it: %v", len(p7.Certificates), err)
			}
			var at time.Time
			if p7.UnmarshalSignedAttribute(pkcs7.OIDAttributeSigningTime, &at) == nil {
				t.Error("the time is a signed attribute, which PAdES forbids")
			}
			p7.Content = []byte("what is signeD")
			if p7.Verify() == nil {
				t.Error("other content has the signature, too")
			}
		})
	}
}

// TestKeysAreReadInTheirForms: each gives the same certificates.
func TestKeysAreReadInTheirForms(t *testing.T) {
	own := signingtest.New(t, signingtest.RSA(t, 2048), nil)
	other := signingtest.New(t, signingtest.ECDSA(t, elliptic.P256()), nil)
	p12 := func(e *pkcs12.Encoder, passphrase string) string {
		b, err := e.Encode(own.Key, own.Cert, []*x509.Certificate{own.Root}, passphrase)
		if err != nil {
			t.Fatal(err)
		}
		return base64.StdEncoding.EncodeToString(b)
	}
	sealed, err := pkcs8.MarshalPrivateKey(own.Key, []byte("s3cret"), nil)
	if err != nil {
		t.Fatal(err)
	}
	locked := "-----BEGIN ENCRYPTED PRIVATE KEY-----\n" + base64.StdEncoding.EncodeToString(sealed) + "\n-----END ENCRYPTED PRIVATE KEY-----\n"
	certs := own.CertPEM() + signingtest.CertPEM(own.Root)
	modern := p12(pkcs12.Modern2023, "s3cret")
	for _, tt := range []struct{ name, key, passphrase, want string }{
		{"PEM", own.KeyPEM(t) + certs, "", ""},
		{"PEM, certificates first and in another order", signingtest.CertPEM(own.Root) + other.CertPEM() + own.CertPEM() + own.KeyPEM(t), "", ""},
		{"PEM, locked", locked + certs, "s3cret", ""},
		{"PEM, locked, without a passphrase", locked + certs, "", "passphrase: the private key needs its passphrase"},
		{"PEM, locked, with another passphrase", locked + certs, "secret", "passphrase: the passphrase does not fit the private key"},
		{"PKCS #12", modern, "s3cret", ""},
		{"PKCS #12 in lines", modern[:70] + "\n" + modern[70:] + "\r\n", "s3cret", ""},
		{"PKCS #12 of old", p12(pkcs12.LegacyDES, "s3cret"), "s3cret", ""},
		{"PKCS #12, without a passphrase", modern, "", "passphrase: the private key needs its passphrase"},
		{"PKCS #12, with another passphrase", modern, "S3cret", "passphrase: the passphrase does not fit the private key"},
		{"a certificate alone", certs, "", "key: has no private key"},
		{"a key alone", own.KeyPEM(t), "", "key: has no certificate"},
		{"a key of another", own.KeyPEM(t) + other.CertPEM(), "", "key: has a private key that belongs to none of its certificates"},
		{"two keys", own.KeyPEM(t) + other.KeyPEM(t) + certs, "", "key: cannot be read"},
		{"nothing of the kind", "hello", "", "key: cannot be read"},
		{"a short key", signingtest.New(t, signingtest.RSA(t, 1024), nil).PEM(t), "", "key: has a key that cannot sign here; use RSA with 2048 bits or more"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Open(env(t), map[string]any{"key": tt.key, "passphrase": tt.passphrase})
			switch {
			case tt.want == "" && err != nil:
				t.Fatal(err)
			case tt.want == "" && (len(s.chain) != 2 || !s.chain[0].Equal(own.Cert) || !s.chain[1].Equal(own.Root)):
				t.Errorf("the chain has %d certificates", len(s.chain))
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("the error is %v, want one with %q", err, tt.want)
			}
		})
	}
}

// TestKeysThatTakeTooLong: whoever may save a connection could else keep a processor busy
// for hours.
func TestKeysThatTakeTooLong(t *testing.T) {
	own := signingtest.New(t, signingtest.ECDSA(t, elliptic.P256()), nil)
	sealed, err := pkcs8.MarshalPrivateKey(own.Key, []byte("s3cret"), &pkcs8.Opts{Cipher: pkcs8.AES256CBC, KDFOpts: pkcs8.PBKDF2Opts{SaltSize: 8, IterationCount: 10_000, HMACHash: crypto.SHA256}})
	if err != nil {
		t.Fatal(err)
	}
	if costly(sealed, 0) {
		t.Error("10,000 rounds are too many")
	}
	few, _ := asn1.Marshal(10_000)
	many := bytes.Replace(sealed, few, []byte{2, 2, 0x7f, 0xff}, 1)
	if bytes.Equal(many, sealed) || costly(many, 0) {
		t.Error("32,767 rounds are too many")
	}
	b, err := pkcs12.Modern2023.WithIterations(10_000_001-9_999_999).Encode(own.Key, own.Cert, nil, "x")
	if err != nil || costly(b, 0) {
		t.Fatalf("2 rounds are too many: %v", err)
	}
	salted, _ := asn1.Marshal(struct {
		Salt   []byte
		Rounds int
	}{[]byte("12345678"), mostRounds + 1})
	inner, _ := asn1.Marshal(struct{ Of []byte }{salted})
	if !costly(inner, 0) {
		t.Error("10,000,001 rounds are not too many")
	}
}

func TestCertificatesThatDoNotServe(t *testing.T) {
	key := signingtest.ECDSA(t, elliptic.P256())
	for _, tt := range []struct {
		name   string
		change func(c *x509.Certificate)
		want   string
	}{
		{"no key usage", func(c *x509.Certificate) { c.KeyUsage = 0 }, ""},
		{"nonRepudiation alone", func(c *x509.Certificate) { c.KeyUsage = x509.KeyUsageContentCommitment }, ""},
		{"for encryption", func(c *x509.Certificate) { c.KeyUsage = x509.KeyUsageKeyEncipherment }, "has neither digitalSignature nor nonRepudiation"},
		{"expired", func(c *x509.Certificate) { c.NotAfter = now.Add(-time.Hour) }, "Ágnes Büttner expired on 2026-11-29; put a new one into the connection"},
		{"not yet", func(c *x509.Certificate) { c.NotBefore = now.Add(48 * time.Hour) }, "is not valid before 2026-12-01"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			own := signingtest.New(t, key, tt.change)
			_, err := Open(env(t), map[string]any{"key": own.PEM(t)})
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("the error is %v, want one with %q", err, tt.want)
			}
		})
	}
}

// TestTimeStampsAreOfWhatWasSent: openssl gives them, and all that is wrong with an answer
// ends the signing.
func TestTimeStampsAreOfWhatWasSent(t *testing.T) {
	own := signingtest.New(t, signingtest.ECDSA(t, elliptic.P256()), nil)
	clock := signingtest.NewAuthority(t, x509.ExtKeyUsageTimeStamping)
	var before []byte
	for _, tt := range []struct {
		name   string
		change func(ask, answer []byte) []byte
		want   string
	}{
		{"right", nil, ""},
		{"of another request", func(_, _ []byte) []byte { return before }, "the time stamp is of something else than what was sent"},
		{"another nonce", func(ask, answer []byte) []byte {
			var q stampRequest
			_, _ = asn1.Unmarshal(ask, &q)
			nonce, _ := asn1.Marshal(q.Nonce)
			other := bytes.Clone(nonce)
			other[len(other)-1] ^= 1
			return bytes.Replace(answer, nonce, other, 1)
		}, "the signature of the time stamp is wrong"},
		{"a changed byte", func(_, answer []byte) []byte {
			answer[len(answer)-5] ^= 1
			return answer
		}, "the signature of the time stamp is wrong"},
		{"a refusal", func(_, _ []byte) []byte {
			b, _ := asn1.Marshal(struct{ Status any }{struct {
				Status int
				Text   []string
				Fault  asn1.BitString
			}{2, []string{"too busy"}, asn1.BitString{Bytes: []byte{0x80}, BitLength: 1}}})
			return b
		}, "it refuses (status 2): too busy; unknown algorithm"},
		{"a page", func(_, _ []byte) []byte { return []byte("<html>") }, "the answer is no time stamp (RFC 3161)"},
		{"nothing", func(_, _ []byte) []byte { return nil }, "the answer is no time stamp (RFC 3161)"},
		{"granted, and none", func(_, _ []byte) []byte { return []byte{0x30, 5, 0x30, 3, 2, 1, 0} }, "the time stamp cannot be read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			clock.Change = func(ask, answer []byte) []byte {
				if tt.change == nil {
					before = answer
					return answer
				}
				return tt.change(ask, answer)
			}
			server := httptest.NewServer(clock)
			defer server.Close()
			s, err := Open(env(t), map[string]any{"key": own.PEM(t), "stampUrl": server.URL})
			if err != nil {
				t.Fatal(err)
			}
			made, err := s.Sign(context.Background(), strings.NewReader("content "+tt.name))
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) || made != nil {
					t.Errorf("the error is %v, want one with %q", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(made) > s.Room() || !bytes.Contains(made, before[len(before)-200:]) {
				t.Error("the time stamp is not in the signature")
			}
		})
	}
}

// TestNonceOfAStamp: one that is well signed, and answers somebody else.
func TestNonceOfAStamp(t *testing.T) {
	clock := signingtest.NewAuthority(t, x509.ExtKeyUsageTimeStamping)
	var answer []byte
	clock.Change = func(_, a []byte) []byte { answer = a; return a }
	server := httptest.NewServer(clock)
	defer server.Close()
	a := &authority{guard: env(t).Guard, address: server.URL}
	_, info, err := a.stamp(context.Background(), []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := readStamp(answer, info.Imprint.Digest, info.Nonce); err != nil {
		t.Errorf("the same answer is refused: %v", err)
	}
	other := *info.Nonce
	other.SetBit(&other, 0, other.Bit(0)^1)
	if _, _, err := readStamp(answer, info.Imprint.Digest, &other); err == nil || !strings.Contains(err.Error(), "its nonce is not the one that was sent") {
		t.Errorf("the error is %v", err)
	}
}

func TestAuthoritiesThatGiveNothing(t *testing.T) {
	own := signingtest.New(t, signingtest.ECDSA(t, elliptic.P256()), nil)
	status := http.StatusUnauthorized
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "me" || password != "" {
			t.Errorf("it is asked as %q, %q", user, password)
		}
		w.WriteHeader(status)
	}))
	sign := func(address string) error {
		s, err := Open(env(t), map[string]any{"key": own.PEM(t), "stampUrl": address, "stampUser": "me"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Sign(context.Background(), strings.NewReader("x"))
		return err
	}
	for _, tt := range []struct {
		status int
		want   string
	}{{401, "does not let us in (status 401); see to the user name and password"}, {500, "answered with status 500"}} {
		status = tt.status
		if err := sign(server.URL); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("status %d: %v", tt.status, err)
		}
	}
	server.Close()
	if err := sign(server.URL); err == nil || !strings.Contains(err.Error(), `there is no time stamp: the host "127.0.0.1" did not answer`) {
		t.Errorf("nobody there: %v", err)
	}
	if err := sign("http://10.1.2.3/tsa"); err == nil || !strings.Contains(err.Error(), "10.1.2.3") {
		t.Errorf("inside of the network: %v", err)
	}
	for address, want := range map[string]string{"timestamp.example.com": "is no address", "ftp://x/": "is no address", "https://me:x@example.com": "is no address"} {
		if _, err := Open(env(t), map[string]any{"key": own.PEM(t), "stampUrl": address}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := Open(env(t), map[string]any{"key": own.PEM(t), "stampUrl": "http://example.com", "stampUser": "me", "stampPassword": "x"}); err == nil || !strings.Contains(err.Error(), "must begin with https://") {
		t.Errorf("a password in the open: %v", err)
	}
}

func TestAClockWithoutTheRight(t *testing.T) {
	own := signingtest.New(t, signingtest.ECDSA(t, elliptic.P256()), nil)
	p7, err := pkcs7.NewSignedData([]byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	p7.GetSignedData().ContentInfo.ContentType = oidTSTInfo
	if err := p7.AddSigner(own.Cert, own.Key, pkcs7.SignerInfoConfig{}); err != nil {
		t.Fatal(err)
	}
	token, err := p7.Finish()
	if err != nil {
		t.Fatal(err)
	}
	answer, err := asn1.Marshal(struct {
		Status struct{ Status int }
		Token  asn1.RawValue
	}{Token: asn1.RawValue{FullBytes: token}})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := readStamp(answer, nil, nil); err == nil || !strings.Contains(err.Error(), "is not for time stamps") && !strings.Contains(err.Error(), "what was signed is no time stamp") {
		t.Errorf("the error is %v", err)
	}
}

func TestProbesSayWhatTheySaw(t *testing.T) {
	own := signingtest.New(t, signingtest.ECDSA(t, elliptic.P384()), nil)
	server := httptest.NewServer(signingtest.NewAuthority(t, x509.ExtKeyUsageTimeStamping))
	defer server.Close()
	kind := ConnectionType(env(t))
	found, err := kind.Probe(context.Background(), map[string]any{"key": own.PEM(t), "stampUrl": server.URL}, nil)
	if err != nil || !strings.HasPrefix(found, "Ágnes Büttner signs with ECDSA, P-384, until 2049-01-01; the time stamp says 20") {
		t.Errorf("it says %q, %v", found, err)
	}
	found, err = kind.Probe(context.Background(), map[string]any{"key": own.KeyPEM(t) + own.CertPEM()}, nil)
	if err != nil || !strings.HasSuffix(found, "the certificates end at one of Root of tests") {
		t.Errorf("it says %q, %v", found, err)
	}
	server.Close()
	if _, err := kind.Probe(context.Background(), map[string]any{"key": own.PEM(t), "stampUrl": server.URL}, nil); err == nil {
		t.Error("a clock that is not there is found")
	}
}

func FuzzKeys(f *testing.F) {
	own := signingtest.New(f, signingtest.ECDSA(f, elliptic.P256()), nil)
	b, err := pkcs12.Modern2023.WithIterations(2).Encode(own.Key, own.Cert, nil, "x")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(own.PEM(f), "")
	f.Add(base64.StdEncoding.EncodeToString(b), "x")
	f.Add("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----", "")
	f.Fuzz(func(t *testing.T, key, passphrase string) {
		s, c, err := readKey(key, passphrase)
		if err == nil && (s == nil || len(c) == 0) {
			t.Error("no key, and no error")
		}
	})
}

func FuzzStamps(f *testing.F) {
	clock := signingtest.NewAuthority(f, x509.ExtKeyUsageTimeStamping)
	clock.Change = func(_, answer []byte) []byte { f.Add(bytes.Clone(answer)); return answer }
	server := httptest.NewServer(clock)
	defer server.Close()
	a := &authority{guard: env(f).Guard, address: server.URL}
	_, info, err := a.stamp(context.Background(), []byte("x"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		token, _, err := readStamp(answer, info.Imprint.Digest, info.Nonce)
		if err == nil && len(token) == 0 {
			t.Error("no token, and no error")
		}
	})
}
